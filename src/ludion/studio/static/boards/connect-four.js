// Connect 4: click a column, or press its number; stones fall.

import { quiet, svg as make } from "../dom.js";
import { interactive, keepFocus, pressable, roam } from "./shared.js";

const column = (svg, move) => svg.querySelector(`rect[data-column="${CSS.escape(move)}"]`);

// The circle where a stone of this column would come to rest.
function landing(svg, move) {
  const free = [...svg.querySelectorAll(`circle[data-column="${CSS.escape(move)}"][data-free]`)];
  return free.sort((a, b) => b.getAttribute("cy") - a.getAttribute("cy"))[0];
}

// The drawing has a circle of 40 units for each cell, 100 apart; a column gets a frame that can be pressed.
function nameColumns(svg) {
  const tops = new Map();
  for (const circle of svg.querySelectorAll('circle[r="40"]')) {
    const [x, y] = [Number(circle.getAttribute("cx")), Number(circle.getAttribute("cy"))];
    circle.dataset.column = String(Math.round((x - 60) / 100) + 1);
    if (circle.getAttribute("fill") === "var(--paper)") circle.dataset.free = "yes";
    const { bottom = y } = tops.get(x) || {};
    tops.set(x, { name: circle.dataset.column, bottom: Math.max(bottom, y) });
  }
  for (const [x, { name, bottom }] of tops) {
    svg.append(make("rect", { x: x - 48, y: 10, width: 96, height: bottom + 40, rx: 18, fill: "none", "pointer-events": "all", "data-column": name }));
  }
}

export default {
  ownBoard: true,
  sides: ["●", "○"].map((sign, index) => (document.documentElement.lang === "fr" ? ["Jaune", "Rouge"] : ["Yellow", "Red"])[index] || sign),
  turn: (state) => (/, x to move/.test(state.svg) ? 0 : 1),
  presets: [["7 × 6", ""], ["6 × 5", "6x5"], ["9 × 5", "9x5"], ["5 × 4 / 3", "5x4/3"]],
  attach(page, svg, state) {
    interactive(svg);
    nameColumns(svg);
    for (const move of state.legal) {
      const found = column(svg, move);
      if (found) pressable(found, move, () => page.play(move));
    }
    keepFocus(svg, (target) => target.dataset.column && `rect[data-column="${target.dataset.column}"]`);
    fall(page, svg, state);
  },
  centre(move, svg) {
    const place = landing(svg, move);
    return place && { x: Number(place.getAttribute("cx")), y: Number(place.getAttribute("cy")), size: 100 };
  },
  key(page, event) {
    if (/^[1-9]$/.test(event.key) && page.session.state.legal.includes(event.key)) { page.play(event.key); return true; }
    return roam(page.svg, event);
  },
};

function fall(page, svg, state) {
  const count = state.moves.length;
  const forward = page.lastCount !== undefined && count === page.lastCount + 1;
  page.lastCount = count;
  if (!forward || quiet()) return;
  const move = state.moves[count - 1];
  const stones = [...svg.querySelectorAll(`circle[data-column="${CSS.escape(move)}"]:not([data-free])`)];
  const top = stones.sort((a, b) => a.getAttribute("cy") - b.getAttribute("cy"))[0];
  if (!top) return;
  const height = Number(top.getAttribute("cy"));
  top.animate([{ transform: `translateY(${-height}px)` }, { transform: "translateY(0)" }], { duration: 180 + height * 0.5, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" });
}
