// Rush Hour: drag a vehicle along its axis, or choose it and use the arrows.

import { svg as make } from "../dom.js";
import { interactive, keepFocus, pointIn, pressable } from "./shared.js";

const vehicle = (svg, name) => svg.querySelector(`[data-vehicle="${CSS.escape(name)}"]`);

function box(group) {
  const found = group.getBBox();
  return { ...{ x: found.x, y: found.y, width: found.width, height: found.height }, flat: found.width > found.height, cell: Math.min(found.width, found.height) + 14 };
}

// How far a vehicle can go: all distances among the legal moves.
function distances(state, name) {
  return state.legal.filter((move) => move.startsWith(name) && /^[+-]\d+$/.test(move.slice(name.length))).map((move) => Number(move.slice(name.length)));
}

// The drawing has a group for each vehicle, with its name as text.
function nameVehicles(svg) {
  for (const group of svg.querySelectorAll("g")) {
    const name = group.querySelector("text")?.textContent;
    if (name) group.dataset.vehicle = name;
  }
}

const moveOf = (name, distance) => `${name}${distance > 0 ? "+" : ""}${distance}`;

export default {
  ownBoard: true,
  attach(page, svg, state) {
    interactive(svg);
    nameVehicles(svg);
    for (const group of svg.querySelectorAll("[data-vehicle]")) {
      const name = group.dataset.vehicle;
      const far = distances(state, name);
      if (!far.length) continue;
      const { flat, cell } = box(group);
      const [least, most] = [Math.min(0, ...far), Math.max(0, ...far)];
      pressable(group, `${name} ${far.map((each) => moveOf("", each)).join(" ")}`, () => {});
      group.classList.add("vehicle");
      let from = null;
      let gone = 0;
      const shift = (distance) => group.setAttribute("transform", flat ? `translate(${distance * cell} 0)` : `translate(0 ${distance * cell})`);
      group.addEventListener("pointerdown", (event) => {
        from = pointIn(svg, event);
        gone = 0;
        group.setPointerCapture(event.pointerId);
        event.preventDefault();
        group.focus({ preventScroll: true });
      });
      group.addEventListener("pointermove", (event) => {
        if (!from) return;
        const to = pointIn(svg, event);
        gone = Math.max(least, Math.min(most, (flat ? to.x - from.x : to.y - from.y) / cell));
        shift(gone);
      });
      const drop = () => {
        if (!from) return;
        from = null;
        const nearest = Math.round(gone);
        if (nearest !== 0 && far.includes(nearest)) page.play(moveOf(name, nearest));
        else group.removeAttribute("transform");
      };
      group.addEventListener("pointerup", drop);
      group.addEventListener("pointercancel", drop);
      group.addEventListener("keydown", (event) => {
        const step = flat ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        if (far.includes(step)) page.play(moveOf(name, step));
      });
    }
    keepFocus(svg, (target) => target.dataset.vehicle && `[data-vehicle="${target.dataset.vehicle}"]`);
  },
  centre(move, svg) {
    const match = /^(.+)([+-]\d+)$/.exec(move);
    const group = match && vehicle(svg, match[1]);
    if (!group) return null;
    const { x, y, width, height, flat, cell } = box(group);
    const distance = Number(match[2]);
    const from = { x: x + width / 2, y: y + height / 2 };
    // the mark stands on the last cell that the vehicle would cover
    const reach = (flat ? width : height) / 2 - cell / 2 + 7;
    const way = Math.sign(distance) * reach + distance * cell;
    return { x: from.x + (flat ? way : 0), y: from.y + (flat ? 0 : way), size: 100, from };
  },
  edit(svg, text, change) {
    const match = /^(\d+)x(\d+):(.*)$/.exec(text);
    const cells = [...(match ? match[3] : text)];
    const columns = match ? Number(match[1]) : 6;
    cells.forEach((sign, index) => {
      if (sign !== "." && sign !== "o" && sign !== "x") return;
      const place = make("rect", { x: 22 + (index % columns) * 100, y: 22 + Math.floor(index / columns) * 100, width: 96, height: 96, fill: "none", "pointer-events": "all" });
      svg.append(place);
      pressable(place, `${index % columns + 1}, ${Math.floor(index / columns) + 1}`, () => {
        cells[index] = sign === "x" ? "." : "x";
        change(`${match ? `${match[1]}x${match[2]}:` : ""}${cells.join("")}`);
      });
    });
  },
};
