// The board: one layer for mouse, finger, keyboard and speech, for all games and for a user's own.
//
// A drawing declares its cells: an element with `data-cell="NAME"` (and `aria-label`, what is there in words) is a button. A
// press on it plays the legal move of that name; where moves go from cell to cell (their names hold both, as `a1b2` or
// `a1-b2`), the first press chooses and marks the targets, the second plays, and a drag does both. A press that leads to no
// move is answered with the reason. A board is one stop of the Tab key; the arrows go on from there.
//
// A game may have a module of its own (`page` in its description). Its default export may have:
//   open(page)                     once, when the page is built: gestures of its own over page.board.element
//   drags                          whether fingers drag on the board, so that they do not scroll the page there
//   decorate(page, svg, state)     more on the drawn board
//   playable(page, cell, state)    whether a press there does something (else: whether a move begins there)
//   press(page, cell)              a press on a cell; true if it was taken
//   hold(page, cell)               a long press or the right button
//   grab(page, cell, svg)          a drag from this cell: { move(point), drop() } in units of the picture, or null
//   fits                           whether the whole board is shown however small its cells are
//   pans                           whether a drag over what is not grabbed moves the view
//   movesFrom(page, cell, state)   the moves that begin at this cell; targetOf(move, svg) -> the element to press for one
//   why(page, cell)                why nothing can be played there
//   hinted(page, move)             show what a hint names beside the board
//   centre(move, svg, state)       where a move is on the board: { x, y, size, from?, chip?, label? }, for scores and hints;
//                                  a score stands at the chip's place, after the label
//   show(svg, places)              make sure that these places are in view
//   key(page, event)               keys of its own; true if it took the key
//   foresee(page, svg, move)       show a move at once, before the server confirms it; true if it is shown
//   animate(page, svg, before)     show the last move; `before` is the picture as it was
//   sides()                        what the two sides of a duel are called
//   keys                           [[keys, text]]: its own keys, for the list
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
//   goal(svg, state)               what is to be done, in one line
//   prompt(page)                   how to begin, in one line, until the first move
//   counters(svg, state, session)  [[name, value]]: the numbers that matter
//   opponent                       the level of the opponent that a new visitor plays against
//   choices(game), newGame(chosen, page)
//                                  what "New game" offers, and the game that was chosen: see newgame.js
//   daily(day, page)               { start, options } of the board of a day, by the number of the day
//   presets                        [[name, start, options]]: positions to begin with
//   ownBoard                       whether the board is enough to play, so that the list of moves may be closed

import { fill, h, svg as make, picture, quiet, rowsOf } from "./dom.js";
import { listenForPointers } from "./gestures.js";
import { t } from "./strings.js";

const LEAST_CELL = 36; // pixels of a cell for a finger
const SHAKE = 160; // milliseconds
const CELLS = "[data-cell]";
const BUTTONS = "[data-cell], [data-move]";
let foreseen = null; // since when the move that is being made is shown

// Beside this module, whatever its address is: else the game's would have another copy of what it imports.
export const boardModule = async (game) => (game.page ? (await import(game.page.replace("/static", "."))).default : {});

export class Board {
  constructor(page) {
    this.page = page;
    this.element = h("div", { class: `board ${page.game.kind}${page.module.drags ? " drags" : ""}`, id: "board" });
    this.svg = null;
    this.chosen = null; // the cell from which a move begins
    this.focused = null; // the name of the cell that had the focus
    listenForPointers(this);
    this.element.addEventListener("click", (event) => {
      // of a screen reader or a script: a pointer's press is known already
      const button = event.target.closest?.(BUTTONS);
      if (button && event.detail === 0) this.pressButton(button);
    });
    this.element.addEventListener("focusin", ({ target }) => {
      const button = target.closest?.(BUTTONS);
      if (!button) return;
      this.focused = button.dataset.move ? null : button.dataset.cell;
      this.#tabStop(button);
    });
  }

  get module() {
    return this.page.module;
  }

  // ---------------------------------------------------------------- drawing

  draw(state) {
    const before = this.svg;
    const hadFocus = this.element.contains(document.activeElement);
    const drawn = state.svg
      ? picture(state.svg)
      : h("pre", { class: "textboard", "aria-label": state.board }, rowsOf(state.board));
    this.chosen = null;
    fill(this.element, drawn);
    this.svg = state.svg ? drawn : null;
    if (!this.svg) return;
    this.#fitWidth();
    this.svg.setAttribute("role", "group"); // no longer one image to a screen reader
    this.module.decorate?.(this.page, this.svg, state);
    for (const each of this.svg.querySelectorAll(CELLS)) this.#makeButton(each, state);
    const again = this.cell(this.focused) || this.svg.querySelector(".pressable") || this.svg.querySelector(CELLS);
    if (again) this.#tabStop(again);
    if (hadFocus) again?.focus({ preventScroll: true });
    if (!quiet()) this.module.animate?.(this.page, this.svg, before);
    foreseen = null;
  }

  // Show a move before the server has confirmed it: as the game's module does, else by a mark where it goes.
  foresee(move) {
    if (!this.svg) return;
    foreseen = performance.now();
    this.svg.classList.add("foreseen");
    if (this.module.foresee?.(this.page, this.svg, move)) return;
    const place = this.centre(move);
    if (place) this.svg.append(make("circle", { class: "trying", cx: place.x, cy: place.y, r: place.size * 0.3 }));
  }

  cell(name) {
    return name === null || name === undefined ? null : this.svg?.querySelector(`[data-cell="${CSS.escape(name)}"]`);
  }

  #makeButton(element, state) {
    element.setAttribute("role", "button");
    if (!element.hasAttribute("aria-label")) element.setAttribute("aria-label", element.dataset.cell);
    element.setAttribute("tabindex", "-1");
    const playable =
      this.module.playable?.(this.page, element.dataset.cell, state) ??
      this.movesFrom(element.dataset.cell, state).length > 0;
    element.classList.toggle("pressable", playable);
  }

  #tabStop(button) {
    for (const each of this.svg.querySelectorAll('[tabindex="0"]')) each.setAttribute("tabindex", "-1");
    button.setAttribute("tabindex", "0");
  }

  // For fingers, cells are large enough to press: a board that is wider than the screen is scrolled.
  #fitWidth() {
    const least = Number(this.svg.dataset.columns || 0) * LEAST_CELL;
    const room = this.element.clientWidth || innerWidth; // a lesson draws its board before it is on the page
    const wide = matchMedia("(pointer: coarse)").matches && !this.module.fits && least > room;
    this.element.classList.toggle("wide", wide);
    if (wide) this.svg.style.width = `${least}px`;
  }

  focus() {
    this.svg?.querySelector('[tabindex="0"]')?.focus();
  }

  // ---------------------------------------------------------------- presses

  // The moves that begin at a cell, with the cell at which each ends.
  movesFrom(cell, state = this.page.session.state) {
    if (this.module.movesFrom) return this.module.movesFrom(this.page, cell, state);
    return state.legal.filter((move) => this.#cellsOf(move)[0] === cell);
  }

  // The cells that a move leads over: as the game says, else as they stand in its name.
  #cellsOf(move) {
    const { legal, legal_cells: cells } = this.page.session.state;
    const declared = cells?.[legal.indexOf(move)];
    if (declared) return declared;
    if (this.cell(move)) return [move];
    return move.split(/[^\p{L}\p{N}]+|(?<=\d)(?=\p{L})/u).filter((part) => this.cell(part));
  }

  // Whether what lies on a cell can be carried to another.
  carries(cell) {
    if (this.page.over) return false;
    return this.movesFrom(cell).some((move) => this.module.targetOf || this.#cellsOf(move).length > 1);
  }

  pressButton(button) {
    if (button.dataset.move) {
      this.focused = this.chosen; // what was moved keeps the focus
      this.page.play(button.dataset.move);
    } else this.press(button.dataset.cell);
  }

  // A press with whatever device; by the name of the cell, since the picture may have been drawn anew meanwhile.
  press(cell) {
    const { page } = this;
    if (page.session.state.status !== (page.quest ? "running" : "open")) return this.refuse(cell, t("game_over"));
    if (page.busy) return page.say(t("wait_thinking"));
    if (this.module.press?.(page, cell)) return null;
    const moves = this.movesFrom(cell);
    if (!moves.length) return this.refuse(cell, this.module.why?.(page, cell) ?? t("why_not_here"));
    if (this.chosen === cell) return this.forget();
    if (moves.length === 1 && this.#cellsOf(moves[0]).length < 2 && !this.module.targetOf) {
      this.forget();
      return page.play(moves[0]);
    }
    return this.choose(cell, moves);
  }

  // Mark where the moves from this cell lead; a press there plays.
  choose(cell, moves = this.movesFrom(cell)) {
    this.forget();
    this.chosen = cell;
    for (const each of this.page.main.querySelectorAll(
      `[data-cell="${CSS.escape(cell)}"], [data-hand="${CSS.escape(cell)}"]`,
    ))
      each.classList.add("chosen");
    const group = make("g", { class: "targets" });
    this.svg.append(group);
    for (const move of moves) {
      const target = this.module.targetOf
        ? this.module.targetOf(move, this.svg)
        : this.#targetAt(this.#cellsOf(move).at(-1));
      if (!target) continue;
      target.dataset.move = move;
      for (const [name, value] of [
        ["role", "button"],
        ["tabindex", "-1"],
        ["aria-label", this.page.words(move)],
      ])
        target.setAttribute(name, value);
      group.append(target);
    }
    this.page.say(t("targets", { n: moves.length }));
    group.querySelector("[data-move]")?.focus({ preventScroll: true });
  }

  // Nothing is chosen any more.
  forget() {
    this.chosen = null;
    this.svg?.querySelector("g.targets")?.remove();
    for (const each of this.page.main.querySelectorAll(".chosen")) each.classList.remove("chosen");
  }

  // Where a move is on the board, for hints and scores.
  centre(move) {
    if (this.module.centre) return this.module.centre(move, this.svg, this.page.session.state);
    const cells = this.#cellsOf(move).map((each) => middle(this.cell(each)));
    return cells.length ? { ...cells.at(-1), from: cells.length > 1 ? cells[0] : null } : null;
  }

  #targetAt(cell) {
    const place = this.cell(cell);
    return place && dashedCell(middle(place));
  }

  // Why not, in words, and with one shake of what was tried.
  refuse(cell, why) {
    this.forget();
    this.page.say(why);
    this.page.sound("no");
    if (!quiet())
      this.cell(cell)?.animate(
        [{ transform: "translateX(-4px)" }, { transform: "translateX(4px)" }, { transform: "none" }],
        { duration: SHAKE },
      );
  }

  // ---------------------------------------------------------------- keys, speech

  // Arrows, Enter, Space and Escape while the board has the focus; true if the key was taken.
  key(event) {
    const button = document.activeElement?.closest?.(BUTTONS);
    if (!this.svg || !this.element.contains(button)) return false;
    if (event.key === "Enter" || event.key === " ") {
      this.pressButton(button);
      return true;
    }
    if (event.key === "Escape" && this.chosen !== null) {
      const cell = this.chosen;
      this.forget();
      this.cell(cell)?.focus({ preventScroll: true });
      return true;
    }
    return roam(this.svg, button, event.key);
  }

  // The board in words: every cell that is not empty.
  summary() {
    if (!this.svg) return this.page.session.state.board;
    const parts = [...this.svg.querySelectorAll(CELLS)]
      .filter((each) => !("empty" in each.dataset))
      .map((each) => each.getAttribute("aria-label"));
    return parts.length ? parts.join("; ") : t("board_empty");
  }
}

// Arrow keys move the focus to the nearest button in that direction; among targets, to the next of them.
function roam(svg, from, key) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!step) return false;
  const here = from.getBoundingClientRect();
  let best = null;
  let least = Infinity;
  for (const each of svg.querySelectorAll(from.dataset.move ? "[data-move]" : CELLS)) {
    const to = each.getBoundingClientRect();
    const right = to.x + to.width / 2 - here.x - here.width / 2;
    const down = to.y + to.height / 2 - here.y - here.height / 2;
    const ahead = right * step[0] + down * step[1];
    const aside = Math.abs(right * step[1]) + Math.abs(down * step[0]);
    const far = Math.hypot(ahead, 2 * aside); // straight ahead is nearer
    if (ahead > 2 && far < least) {
      least = far;
      best = each;
    }
  }
  best?.focus();
  return true;
}

// ---------------------------------------------------------------- what several modules share

// The move that led here, or nothing.
export const lastMove = ({ session: { moves, cursor } }) => moves[cursor - 1] ?? "";

// Where an element is, in the units of its picture.
export function middle(element) {
  const box = element.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: Math.min(box.width, box.height) };
}

// The cells of a picture, as its drawing declares them: at(column, row) is the place of one.
export function grid(svg) {
  const [columns, rows, edge, unit] = ["columns", "rows", "edge", "unit"].map((name) => Number(svg.dataset[name]));
  return {
    columns,
    rows,
    edge,
    unit,
    at: (column, row) => ({ x: edge + (column + 0.5) * unit, y: edge + (row + 0.5) * unit, size: unit }),
  };
}

// A frame over some cells, that a press meets.
export function frame(svg, column, row, wide = 1, high = 1) {
  const { edge, unit } = grid(svg);
  const rect = make("rect", {
    x: edge + (column + 0.02) * unit,
    y: edge + (row + 0.02) * unit,
    width: (wide - 0.04) * unit,
    height: (high - 0.04) * unit,
    rx: unit * 0.1,
    fill: "none",
    "pointer-events": "all",
  });
  svg.append(rect);
  return rect;
}

// A cell where something can go: a dashed frame with a dot, for shape as well as colour.
export function dashedCell({ x, y, size }) {
  const group = make("g", { class: "target-cell" });
  group.append(
    make("rect", { x: x - size * 0.44, y: y - size * 0.44, width: size * 0.88, height: size * 0.88, rx: size * 0.1 }),
    make("circle", { cx: x, cy: y, r: size * 0.09 }),
  );
  return group;
}

// A button of the editor's preview, for mouse, touch and keyboard.
export function pressable(element, label, press) {
  for (const [name, value] of [
    ["tabindex", "0"],
    ["role", "button"],
    ["aria-label", label],
  ])
    element.setAttribute(name, value);
  element.classList.add("pressable");
  element.addEventListener("click", press);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press(event);
  });
}

// Slide an element from where it was, given in units of the picture, to where it is.
export function slide(element, right, down, duration = 120) {
  goOn(
    element.animate([{ transform: `translate(${right}px, ${down}px)` }, { transform: "none" }], {
      duration,
      easing: "ease-out",
    }),
  );
}

// The same before the server has confirmed the move: from where the element is to where it will be.
export function slideAhead(element, right, down, duration = 120) {
  element.animate([{ transform: "none" }, { transform: `translate(${right}px, ${down}px)` }], {
    duration: quiet() ? 0 : duration,
    easing: "ease-out",
    fill: "forwards",
  });
}

// What was begun when the move was made goes on in the new picture.
export function goOn(animation) {
  if (foreseen !== null) animation.currentTime = performance.now() - foreseen;
}
