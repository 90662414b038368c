// Hive: choose a piece on the board or in hand, then where it goes; drag to pan, two fingers, wheel or buttons to zoom.

import { h, svg as make } from "../dom.js";
import { t } from "../strings.js";
import { interactive, middle, panAndZoom, pressable, roam, zoom } from "../board.js";

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

// The view: all pieces and the cells around them, so that it stays as it is while a piece is chosen.
function fitView(svg) {
  const boxes = [...svg.querySelectorAll("polygon")].map((each) => each.getBBox());
  if (!boxes.length) return;
  const ring = Math.max(...boxes.map((each) => each.width));
  const left = Math.min(...boxes.map((each) => each.x)) - ring;
  const right = Math.max(...boxes.map((each) => each.x + each.width)) + ring;
  const top = Math.min(...boxes.map((each) => each.y)) - ring;
  const bottom = Math.max(...boxes.map((each) => each.y + each.height)) + ring;
  svg.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
  svg.querySelector("rect")?.remove(); // the paper: the page has its own
}

// ---------------------------------------------------------------- the hands, apart from the board

const SMALL = 60; // width below which a drawn piece is one in hand
const hands = [h("div", { class: "hand" }), h("div", { class: "hand" })];

// Take the pieces in hand off the picture: { name, parts } of each side, in their order.
function takeHands(svg) {
  const sides = [[], []];
  let current = null;
  for (const each of [...svg.children]) {
    if (each.dataset.piece) {
      current = each.getBBox().width < SMALL ? { name: each.dataset.piece, box: each.getBBox(), parts: [] } : null;
      if (current) sides[current.name[0] === "w" ? 0 : 1].push(current);
    } else if (each.tagName === "polygon" || each.tagName === "g") current = null;
    if (current) { current.parts.push(each); each.remove(); }
  }
  for (const each of [...svg.children].filter((one) => one.tagName === "text" && !one.previousElementSibling?.matches("circle, text"))) each.remove(); // "White's hand is empty"
  return sides;
}

const kindOf = (name) => name[1];

// One button for each kind, with how many are left.
function showHand(place, pieces, label, press) {
  const kinds = new Map();
  for (const each of pieces) kinds.set(kindOf(each.name), [...(kinds.get(kindOf(each.name)) || []), each]);
  place.setAttribute("aria-label", label);
  place.setAttribute("role", "group");
  place.replaceChildren(...[...kinds].map(([kind, all]) => {
    const { name, box, parts } = all[0];
    const drawn = make("svg", { viewBox: `${box.x - 2} ${box.y - 2} ${box.width + 4} ${box.height + 4}`, "aria-hidden": "true" }, parts);
    const text = drawn.querySelector("text");
    if (text) text.textContent = kind;
    drawn.querySelector("[data-piece]").removeAttribute("data-piece");
    const words = `${t(`bug_${kind}`)}, ${all.length}`;
    return h("button", { type: "button", class: "piece", "data-piece": name, title: words, "aria-label": words, onclick: () => press(name) }, drawn, h("span", { class: "count", "aria-hidden": "true" }, all.length));
  }));
}

// ---------------------------------------------------------------- why a piece cannot move

// Whether the other pieces fall apart without this one.
function holdsTogether(svg, name) {
  const cells = [...svg.querySelectorAll("[data-piece]")].map((each) => ({ name: each.dataset.piece, ...middle(each) }));
  const own = cells.find((each) => each.name === name);
  if (!own) return false;
  const near = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < own.size * 1.35; // a stack is drawn a little higher
  const others = cells.filter((each) => each !== own);
  if (others.some((each) => Math.hypot(each.x - own.x, each.y - own.y) < own.size * 0.6)) return false; // it stands on another, or under one
  const seen = new Set(others.slice(0, 1));
  for (const each of seen) for (const next of others) if (near(each, next)) seen.add(next);
  return seen.size < others.length;
}

function whyNot(page, svg, state, name) {
  const mine = page.turn() === 0 ? "w" : "b";
  if (state.status !== "open") return t("game_over");
  if (name[0] !== mine) return t("why_other_side", { who: page.sideName(page.turn()) });
  const onBoard = Boolean(tile(svg, name));
  const movers = [...new Set(state.legal.map((move) => move.split(" ")[0]))];
  if (movers.every((each) => each === `${mine}Q`)) return t("why_queen_now");
  if (!onBoard && name === `${mine}Q`) return t("why_queen_first");
  if (onBoard && !tile(svg, `${mine}Q`)) return t("why_no_queen");
  if (!onBoard) return t("why_no_place");
  return t(holdsTogether(svg, name) ? "why_holds" : "why_stuck");
}

// How many of the six cells around a queen are taken.
function aroundQueen(svg, colour) {
  const queen = svg && tile(svg, `${colour}Q`);
  if (!queen) return 0;
  const here = middle(queen);
  const taken = new Set();
  for (const each of svg.querySelectorAll("[data-piece]")) {
    const { x, y } = middle(each);
    const far = Math.hypot(x - here.x, y - here.y);
    if (far > here.size * 0.6 && far < here.size * 1.35) taken.add(Math.round(Math.atan2(y - here.y, x - here.x) / (Math.PI / 3)));
  }
  return Math.min(6, taken.size);
}

export default {
  ownBoard: true,
  drags: true,
  sides: () => [t("side_white"), t("side_black")],
  keys: [["+", t("zoom_in")], ["-", t("zoom_out")]],
  opponent: "beginner",
  goal: () => t("goal_hive"),
  choices: () => [{ name: "pieces", label: t("choice_pieces"), values: [["Base", t("pieces_base")], ["Base+MLP", t("pieces_all")]], value: "Base" }],
  newGame: ({ pieces }) => ({ start: pieces }),
  presets: ["Base+M", "Base+L", "Base+P"].map((each) => [each, each]),
  counters: (svg, state) => ["white", "black"].map((colour) => [t("queen_of", { who: t(`side_${colour}`) }), t("of_six", { n: aroundQueen(svg, colour[0]) })]),
  open(page) {
    page.board.before(hands[1]);
    page.board.after(hands[0]);
    panAndZoom(page.board, () => page.svg);
  },
  attach(page, svg, state) {
    interactive(svg);
    const inHand = takeHands(svg);
    fitView(svg);
    const movers = new Set(state.legal.map((move) => move.split(" ")[0]));
    const choose = (name) => {
      svg.querySelector("g.targets")?.remove();
      for (const each of page.main.querySelectorAll(".chosen")) each.classList.remove("chosen");
      if (!movers.has(name)) { chosen = null; page.say(whyNot(page, svg, state, name)); return; }
      if (chosen === name) { chosen = null; return; }
      chosen = name;
      page.main.querySelector(`[data-piece="${CSS.escape(name)}"]`)?.classList.add("chosen");
      const moves = state.legal.filter((move) => move.split(" ")[0] === name);
      if (moves.length === 1 && moves[0] === name) { chosen = null; page.play(name); return; }
      const group = make("g", { class: "targets" });
      svg.append(group);
      for (const move of moves) {
        const place = target(move, svg);
        if (!place) continue;
        const shape = hexagon({ ...place, size: place.size * 0.9 }, { class: "target", "data-move": move });
        pressable(shape, move, () => { chosen = null; page.play(move); });
        group.append(shape, make("circle", { class: "dot", cx: place.x, cy: place.y, r: place.size * 0.07 }));
      }
      page.say(t("targets_hive", { piece: t(`bug_${kindOf(name)}`), n: moves.length }));
      group.firstChild?.focus({ preventScroll: true });
    };
    chosen = null;
    inHand.forEach((pieces, side) => showHand(hands[side], pieces, t("hand_of", { who: page.sideName(side) }), choose));
    for (const piece of svg.querySelectorAll("[data-piece]")) pressable(piece, `${t(piece.dataset.piece[0] === "w" ? "side_white" : "side_black")}: ${t(`bug_${kindOf(piece.dataset.piece)}`)}`, () => choose(piece.dataset.piece));
    const passing = page.extras.querySelector("#pass");
    if (passing) passing.hidden = !state.legal.includes("pass");
  },
  centre: (move, svg) => target(move, svg),
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
