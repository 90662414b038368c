// How boards are played. A game may have a module of its own (`page` in its description), which makes its picture answer
// to clicks, drags and keys; a game without one is played by its list of legal moves. Below is what several modules share.
//
// A module's default export may have:
//   open(page)                     once, when the page is built: gestures over page.board, which stays as boards change
//   drags                          whether fingers drag on the board, so that they do not scroll the page there
//   attach(page, svg, state)       make the drawn board answer to clicks, drags and taps (page.play(move))
//   centre(move, svg, state)       where a move is on the board: { x, y, size, from? }, for scores and hints
//   show(svg, places)              make sure that these places are in view
//   key(page, event)               keys of its own; true if it took the key
//   sides()                        what the two sides of a duel are called
//   keys                           [[keys, text]]: its own keys, for the list
//   words(move)                    a move for people
//   brushes(text), edit(svg, text, change, brush)
//                                  what cells can become, and how a preview answers to presses by changing the notation
//   editStart(page)                what the editor begins with, if not the position (null: the position)
//   beforeRun(page)                what is to be settled before an agent plays
//   unfold(text)                   { start, moves } of a pasted game, so that it can be stepped through
//   layers(page, thought)          more of what an agent thought, as elements for the panel
//   legend()                       [[class, text]]: the marks of an agent's thoughts
//   extras(page)                   controls of its own under the board (page.extras)
//   study(page, svg, answer)       show what a study of the position says (quests)
//   thought(page, svg, thought)    show what an agent thought (quests)
//   first                          what a new visitor finds; else the game's own start
//   goal(svg, state)               what is to be done, in one line
//   counters(svg, state, session)  [[name, value]]: the numbers that matter
//   opponent                       the level of the opponent that a new visitor plays against
//   choices(game), newGame(chosen, page)
//                                  what "New game" offers, and the game that was chosen: see newgame.js
//   presets                        [[name, start, options]]: positions to begin with
//   ownBoard                       whether the board is enough to play, so that the list of moves may be closed

import { quiet, svg as make } from "./dom.js";
import { t } from "./strings.js";

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

// Swipes over a board, with finger, pen or mouse: start(way) when the pointer has gone that way ("left", "right", "up",
// "down"), again when it turns; end() when it is lifted.
export function onSwipe(board, start, end = () => {}, reach = 24) {
  let from = null;
  let way = null;
  board.addEventListener("pointerdown", (event) => {
    if (event.isPrimary && event.button === 0) [from, way] = [{ x: event.clientX, y: event.clientY }, null];
  });
  board.addEventListener("pointermove", (event) => {
    if (!from || !event.isPrimary) return;
    const [right, down] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.max(Math.abs(right), Math.abs(down)) < reach) return;
    const now = Math.abs(right) > Math.abs(down) ? (right > 0 ? "right" : "left") : down > 0 ? "down" : "up";
    from = { x: event.clientX, y: event.clientY };
    if (way === null) board.setPointerCapture(event.pointerId); // what follows is no click on a cell
    if (now === way) return;
    way = now;
    start(way);
  });
  const stop = (event) => {
    if (!from || !event.isPrimary) return;
    from = null;
    if (way !== null) end();
  };
  for (const each of ["pointerup", "pointercancel"]) board.addEventListener(each, stop);
}

// Drag to pan, two fingers or the wheel to zoom: by the picture's view box. `svg()` is the picture now.
export function panAndZoom(board, svg) {
  const fingers = new Map();
  let far = 0; // how far the fingers went: more than a little is no press on a cell
  const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  board.addEventListener("pointerdown", (event) => {
    if (!svg() || (event.pointerType !== "touch" && event.target.closest(".pressable"))) return;
    if (!fingers.size) far = 0;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  board.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before || !svg()) return;
    const wide = fingers.size === 2 ? spread() : 0;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    far += Math.hypot(event.clientX - before.x, event.clientY - before.y);
    if (fingers.size === 2) zoom(svg(), Math.max(0.5, Math.min(2, wide / Math.max(1, spread()))));
    else if (far > 8) {
      const scale = svg().getScreenCTM().a;
      const { x, y, width, height } = svg().viewBox.baseVal;
      svg().setAttribute("viewBox", `${x - (event.clientX - before.x) / scale} ${y - (event.clientY - before.y) / scale} ${width} ${height}`);
    }
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) board.addEventListener(end, (event) => fingers.delete(event.pointerId));
  board.addEventListener("click", (event) => { if (far > 8) event.stopPropagation(); far = 0; }, true);
  board.addEventListener("wheel", (event) => { if (svg()) { event.preventDefault(); zoom(svg(), event.deltaY > 0 ? 1.12 : 0.89); } }, { passive: false });
}

export function zoom(svg, factor) {
  const view = svg.viewBox.baseVal;
  const [width, height] = [view.width * factor, view.height * factor];
  svg.setAttribute("viewBox", `${view.x + (view.width - width) / 2} ${view.y + (view.height - height) / 2} ${width} ${height}`);
}

// A press on an element: short, or long (350 ms) with a finger, or with the right button.
export function onPress(element, short, long) {
  let timer = 0;
  let held = false;
  element.addEventListener("pointerdown", (event) => {
    held = false;
    if (event.pointerType === "touch") timer = setTimeout(() => { held = true; long(); }, 350);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) element.addEventListener(end, () => clearTimeout(timer));
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    if (!held) long();
    held = true; // a finger's click may follow
  });
  return () => { // to be called by the element's press
    if (!held) short();
    held = false;
  };
}

// A board is one stop of the Tab key: the arrows go on from there.
export function oneTabStop(svg) {
  const parts = [...svg.querySelectorAll(".pressable")];
  const first = parts.find((each) => each === document.activeElement) || parts[0];
  for (const each of parts) each.setAttribute("tabindex", each === first ? "0" : "-1");
  svg.addEventListener("focusin", ({ target }) => {
    if (!target.classList.contains("pressable")) return;
    for (const each of svg.querySelectorAll('.pressable[tabindex="0"]')) each.setAttribute("tabindex", "-1");
    target.setAttribute("tabindex", "0");
  });
}

// A cell where something can go: a dashed frame with a dot, for shape as well as colour.
export function targetCell(svg, column, row) {
  const { x, y, size } = grid(svg).at(column, row);
  const group = make("g", { class: "target-cell" });
  group.append(make("rect", { x: x - size * 0.44, y: y - size * 0.44, width: size * 0.88, height: size * 0.88, rx: size * 0.1 }), make("circle", { cx: x, cy: y, r: size * 0.09 }));
  return group;
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

// A press on what cannot be played is answered: why not, in words, and with one shake of what was tried.
export function explain(page, element, why) {
  element.addEventListener("click", () => {
    page.say(page.session.state.status === "open" ? why() : t("game_over"));
    if (!quiet()) element.animate([{ transform: "translateX(-4px)" }, { transform: "translateX(4px)" }, { transform: "none" }], { duration: 160 });
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
