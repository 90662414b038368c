// Hive: choose a piece, then where it goes; drag to pan, wheel or buttons to zoom.

import { h, svg as make } from "../dom.js";
import { t } from "../strings.js";
import { interactive, middle, pressable, roam } from "../board.js";

const STEPS = { // sign before or after the reference piece -> where: in widths, and in rows down
  "-.": [-1, 0], ".-": [1, 0], "\\.": [-0.5, -1], ".\\": [0.5, 1], "/.": [-0.5, 1], "./": [0.5, -1], ".": [0, 0],
};
let chosen = null;

const tile = (svg, name) => svg.querySelector(`[data-piece="${CSS.escape(name)}"]`);

function target(move, svg) {
  const match = /^(\w+)(?: ([-/\\]?)(\w+)([-/\\]?))?$/.exec(move);
  if (!match) return null;
  const [, piece, before, reference, after] = match;
  const mover = tile(svg, piece);
  const from = mover ? middle(mover) : null;
  if (!reference) return from && { ...from, from };
  const stone = tile(svg, reference);
  if (!stone) return null;
  const box = stone.getBBox();
  const [right, down] = STEPS[`${before}.${after}`] ?? [0, 0];
  return { x: box.x + box.width / 2 + right * box.width, y: box.y + box.height / 2 + down * box.height * 0.75, size: box.width, from, piece };
}

function hexagon({ x, y, size }, attributes) {
  const radius = size / Math.sqrt(3);
  const corners = [0, 1, 2, 3, 4, 5].map((corner) => `${x + radius * Math.sin(Math.PI * corner / 3)},${y - radius * Math.cos(Math.PI * corner / 3)}`);
  return make("polygon", { points: corners.join(" "), ...attributes });
}

// Widen the view until it shows these places.
function show(svg, places) {
  const view = svg.viewBox.baseVal;
  const left = Math.min(view.x, ...places.map((each) => each.x - each.size * 0.7));
  const top = Math.min(view.y, ...places.map((each) => each.y - each.size * 0.7));
  const right = Math.max(view.x + view.width, ...places.map((each) => each.x + each.size * 0.7));
  const bottom = Math.max(view.y + view.height, ...places.map((each) => each.y + each.size * 0.7));
  svg.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
}

function zoom(svg, factor) {
  const view = svg.viewBox.baseVal;
  const [width, height] = [view.width * factor, view.height * factor];
  svg.setAttribute("viewBox", `${view.x + (view.width - width) / 2} ${view.y + (view.height - height) / 2} ${width} ${height}`);
}

export default {
  ownBoard: true,
  sides: () => [t("side_white"), t("side_black")],
  keys: [["+", t("zoom_in")], ["-", t("zoom_out")]],
  presets: ["Base", "Base+M", "Base+L", "Base+P", "Base+MLP"].map((each) => [each, each]),
  attach(page, svg, state) {
    interactive(svg);
    const movers = new Set(state.legal.map((move) => move.split(" ")[0]));
    const choose = (name) => {
      svg.querySelector("g.targets")?.remove();
      for (const each of svg.querySelectorAll(".chosen")) each.classList.remove("chosen");
      if (chosen === name) { chosen = null; return; }
      chosen = name;
      tile(svg, name)?.classList.add("chosen");
      const moves = state.legal.filter((move) => move.split(" ")[0] === name);
      if (moves.length === 1 && moves[0] === name) { chosen = null; page.play(name); return; }
      const group = make("g", { class: "targets" });
      svg.append(group);
      const places = moves.map((move) => [move, target(move, svg)]).filter(([, place]) => place);
      for (const [move, place] of places) {
        const shape = hexagon({ ...place, size: place.size * 0.9 }, { class: "target", "data-move": move });
        pressable(shape, move, () => { chosen = null; page.play(move); });
        group.append(shape);
      }
      show(svg, places.map(([, place]) => place));
      group.firstChild?.focus({ preventScroll: true });
    };
    chosen = null;
    for (const name of movers) {
      const piece = tile(svg, name);
      if (piece) pressable(piece, name, () => choose(name));
    }
    const passing = page.extras.querySelector("#pass");
    if (passing) passing.hidden = !state.legal.includes("pass");
    let from = null;
    svg.addEventListener("pointerdown", (event) => { if (!event.target.closest(".pressable")) from = { x: event.clientX, y: event.clientY }; });
    svg.addEventListener("pointermove", (event) => {
      if (!from) return;
      const scale = svg.getScreenCTM().a;
      const view = svg.viewBox.baseVal;
      svg.setAttribute("viewBox", `${view.x - (event.clientX - from.x) / scale} ${view.y - (event.clientY - from.y) / scale} ${view.width} ${view.height}`);
      from = { x: event.clientX, y: event.clientY };
    });
    for (const end of ["pointerup", "pointerleave", "pointercancel"]) svg.addEventListener(end, () => { from = null; });
    svg.addEventListener("wheel", (event) => { event.preventDefault(); zoom(svg, event.deltaY > 0 ? 1.12 : 0.89); }, { passive: false });
  },
  centre: (move, svg) => target(move, svg),
  show,
  key: (page, event) => {
    if (event.key === "+" || event.key === "-") { zoom(page.svg, event.key === "-" ? 1.2 : 0.83); return true; }
    return roam(page.svg, event);
  },
  extras(page) {
    page.extras.append(
      h("button", { type: "button", class: "round", "aria-label": t("zoom_in"), title: t("zoom_in"), onclick: () => zoom(page.svg, 0.83) }, "+"),
      h("button", { type: "button", class: "round", "aria-label": t("zoom_out"), title: t("zoom_out"), onclick: () => zoom(page.svg, 1.2) }, "−"),
      h("button", { type: "button", id: "pass", hidden: true, onclick: () => page.play("pass") }, t("pass")));
  },
  // A GameString holds its moves: they are played one by one, so that the game can be stepped through.
  unfold(text) {
    const [type, , , ...moves] = text.trim().split(";");
    return moves.length ? { start: type, moves: moves.map((each) => each.trim()).filter(Boolean) } : null;
  },
};
