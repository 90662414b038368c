// How boards are played. A game may have a module of its own (`page` in its description), which makes its picture answer
// to clicks, drags and keys; a game without one is played by its list of legal moves. Below is what several modules share.
//
// A module's default export may have:
//   attach(page, svg, state)       make the drawn board answer to clicks, drags and taps (page.play(move))
//   centre(move, svg, state)       where a move is on the board: { x, y, size, from? }, for scores and hints
//   show(svg, places)              make sure that these places are in view
//   key(page, event)               keys of its own; true if it took the key
//   sides()                        what the two sides of a duel are called
//   keys                           [[keys, text]]: its own keys, for the list
//   words(move)                    a move for people
//   brushes(text), edit(svg, text, change, brush)
//                                  what cells can become, and how a preview answers to presses by changing the notation
//   unfold(text)                   { start, moves } of a pasted game, so that it can be stepped through
//   layers(page, thought)          more of what an agent thought, as elements for the panel
//   legend()                       [[class, text]]: the marks of an agent's thoughts
//   extras(page)                   controls of its own under the board (page.extras)
//   study(page, svg, answer)       show what a study of the position says (quests)
//   thought(page, svg, thought)    show what an agent thought (quests)
//   presets                        [[name, start, options]]: positions to begin with
//   ownBoard                       whether the board is enough to play, so that the list of moves may be closed

import { svg as make } from "./dom.js";

export const boardModule = async (game) => (game.page ? (await import(game.page)).default : {});

// Where an element is, in the units of its picture.
export function middle(element) {
  const box = element.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: Math.min(box.width, box.height) };
}

// The cells of a picture, as its drawing declares them: at(column, row) is the place of one.
export function grid(svg) {
  const [columns, rows, edge, unit] = ["columns", "rows", "edge", "unit"].map((name) => Number(svg.dataset[name]));
  return { columns, rows, edge, unit, at: (column, row) => ({ x: edge + (column + 0.5) * unit, y: edge + (row + 0.5) * unit, size: unit }) };
}

// A frame that can be pressed over some cells.
export function frame(svg, column, row, wide = 1, high = 1) {
  const { edge, unit } = grid(svg);
  const rect = make("rect", { x: edge + (column + 0.02) * unit, y: edge + (row + 0.02) * unit, width: (wide - 0.04) * unit, height: (high - 0.04) * unit, rx: unit * 0.1, fill: "none", "pointer-events": "all" });
  svg.append(rect);
  return rect;
}

// A point of the screen in the units of the picture.
export function pointIn(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

// Make an element a button for mouse, touch and keyboard.
export function pressable(element, label, press) {
  element.setAttribute("tabindex", "0");
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", label);
  element.classList.add("pressable");
  element.addEventListener("click", press);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press(event);
  });
}

// A picture with parts that can be pressed is no longer one image to a screen reader.
export function interactive(svg) {
  svg.setAttribute("role", "group");
}

// Keep the focus on the same place when the board is drawn anew.
export function keepFocus(svg, selector) {
  const before = keepFocus.last;
  svg.addEventListener("focusin", (event) => { keepFocus.last = selector(event.target); });
  if (!before || (document.activeElement !== document.body && document.activeElement !== null)) return;
  const same = svg.querySelector(before);
  if (!same) return;
  if (!same.hasAttribute("tabindex")) same.setAttribute("tabindex", "-1"); // taken by now, but the arrows go on from here
  same.focus({ preventScroll: true });
}

// Arrow keys move the focus to the nearest pressable thing in that direction.
export function roam(svg, event) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step || !svg?.contains(document.activeElement)) return false;
  const from = document.activeElement.getBoundingClientRect();
  let best = null;
  let least = Infinity;
  for (const each of svg.querySelectorAll(".pressable")) {
    const to = each.getBoundingClientRect();
    const right = to.x + to.width / 2 - from.x - from.width / 2;
    const down = to.y + to.height / 2 - from.y - from.height / 2;
    const ahead = right * step[0] + down * step[1];
    const aside = Math.abs(right * step[1]) + Math.abs(down * step[0]);
    if (ahead > 2 && ahead + 3 * aside < least) { least = ahead + 3 * aside; best = each; }
  }
  best?.focus();
  return true;
}
