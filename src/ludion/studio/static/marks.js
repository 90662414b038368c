// Marks on the board that belong to a reason: [{ place, role }]. Every role has a shape of its own, so that colour only
// repeats what the shape says.

import { grid, middle } from "./board.js";
import { svg as make } from "./dom.js";

const NAMED = ["piece", "vehicle", "hand", "cell"]; // what a picture calls its things

// Where a place of a reason is: a row and column, or the name of a piece or cell.
function placeOf(picture, place) {
  if (Array.isArray(place)) return picture.dataset.unit ? grid(picture).at(place[1], place[0]) : null;
  for (const name of NAMED) {
    const element = picture.querySelector(`[data-${name}="${CSS.escape(place)}"]`);
    if (element) return middle(element);
  }
  return null;
}

const circle = ({ x, y, size }, radius, attributes = {}) =>
  make("circle", { cx: x, cy: y, r: size * radius, ...attributes });
const square = ({ x, y, size }, half) =>
  make("rect", {
    x: x - size * half,
    y: y - size * half,
    width: 2 * size * half,
    height: 2 * size * half,
    rx: size * 0.08,
  });
const path = (steps) => (at) =>
  make("path", {
    d: steps.map(([letter, right, down]) => `${letter}${at.x + right * at.size},${at.y + down * at.size}`).join(""),
  });

const SHAPES = {
  line: (at) => [square(at, 0.45)],
  threat: (at) => [circle(at, 0.38), circle(at, 0.07, { class: "dot" })],
  clue: (at) => [circle(at, 0.44)],
  pin: (at) => [
    circle(at, 0.3),
    path([
      ["M", -0.21, 0.21],
      ["L", 0.21, -0.21],
    ])(at),
  ],
  danger: (at) => [
    path([
      ["M", 0, -0.4],
      ["L", 0.42, 0.34],
      ["L", -0.42, 0.34],
      ["L", 0, -0.4],
    ])(at),
  ],
  path: (at) => [circle(at, 0.12, { class: "dot" })],
  target: (at) => [circle(at, 0.44), circle(at, 0.34)],
  bound: (at) => [
    path([
      ["M", -0.42, 0.22],
      ["L", -0.42, 0.42],
      ["L", 0.42, 0.42],
      ["L", 0.42, 0.22],
    ])(at),
  ],
};

export function drawMarks(picture, marks) {
  picture.querySelector("g.reasons")?.remove();
  const group = make("g", { class: "marks reasons", "pointer-events": "none" });
  for (const { place, role } of marks) {
    const at = placeOf(picture, place);
    if (!at || !SHAPES[role]) continue;
    const shape = make("g", { class: `reason-${role}` }, SHAPES[role](at));
    shape.style.setProperty("--thick", `${at.size * 0.06}px`);
    group.append(shape);
  }
  picture.append(group);
}
