// Hive: choose a piece on the board or in hand, then where it goes; drag to pan, two fingers, wheel or buttons to zoom.

import { goOn, middle, slide, slideAhead } from "../board.js";
import { h, svg as make } from "../dom.js";
import { zoom } from "../gestures.js";
import { t } from "../strings.js";

const STEPS = {
  // sign before or after the reference piece -> where: in widths, and in rows down
  "-.": [-1, 0],
  ".-": [1, 0],
  "\\.": [-0.5, -1],
  ".\\": [0.5, 1],
  "/.": [-0.5, 1],
  "./": [0.5, -1],
  ".": [0, 0],
};

const WIDTH = 56 * Math.sqrt(3); // of a cell

const tile = (svg, name) => svg.querySelector(`[data-piece="${CSS.escape(name)}"]`);

// The middle of a piece, also in a picture that is no longer shown; its first polygon is its thickness.
function face(piece) {
  const corners = piece
    .querySelectorAll("polygon")[1]
    .getAttribute("points")
    .split(" ")
    .map((each) => each.split(",").map(Number));
  const mean = (axis) => corners.reduce((sum, each) => sum + each[axis], 0) / corners.length;
  return { x: mean(0), y: mean(1), size: WIDTH };
}

function target(move, svg) {
  const match = /^(\w+)(?: ([-/\\]?)(\w+)([-/\\]?))?$/.exec(move);
  if (!match) return null;
  const [, piece, before, reference, after] = match;
  const mover = tile(svg, piece);
  const from = mover ? face(mover) : null;
  if (!reference) return from && { ...from, from };
  const stone = tile(svg, reference);
  if (!stone) return null;
  const { x, y } = face(stone);
  const [right, down] = STEPS[`${before}.${after}`] ?? [0, 0];
  return { x: x + right * WIDTH, y: y + down * WIDTH * Math.sqrt(0.75), size: WIDTH, from, piece };
}

// Where a move leads; the first piece goes to the middle.
function placeOf(move, svg) {
  const first = !svg.querySelector("[data-piece]");
  return first ? { ...middle(svg.querySelector("polygon")), piece: move } : target(move, svg);
}

function hexagon({ x, y, size }, attributes) {
  const radius = size / Math.sqrt(3);
  const corners = [0, 1, 2, 3, 4, 5].map(
    (corner) => `${x + radius * Math.sin((Math.PI * corner) / 3)},${y - radius * Math.cos((Math.PI * corner) / 3)}`,
  );
  return make("polygon", { points: corners.join(" "), ...attributes });
}

// The view: all pieces and the cells around them, so that it stays as it is while a piece is chosen.
function fitView(svg) {
  const places = [...svg.querySelectorAll("[data-piece]")].map(face);
  if (!places.length) places.push(middle(svg.querySelector("polygon")));
  const [across, down] = [places.map((each) => each.x), places.map((each) => each.y)];
  const ring = 1.6 * WIDTH;
  const [left, top] = [Math.min(...across) - ring, Math.min(...down) - ring];
  svg.setAttribute("viewBox", `${left} ${top} ${Math.max(...across) + ring - left} ${Math.max(...down) + ring - top}`);
  svg.querySelector("rect")?.remove(); // the paper: the page has its own
}

// ---------------------------------------------------------------- the hands, apart from the board

const hands = [h("div", { class: "hand", role: "group" }), h("div", { class: "hand", role: "group" })];
const kindOf = (name) => name[1];

// Take the pieces in hand off the picture: one button for each kind, with how many are left.
function showHand(page, svg, side) {
  const row = svg.querySelector(`[data-side="${side}"]`);
  const kinds = new Map();
  for (const each of row.querySelectorAll("[data-hand]"))
    kinds.set(kindOf(each.dataset.hand), [...(kinds.get(kindOf(each.dataset.hand)) || []), each]);
  const buttons = [...kinds].map(([kind, all]) => handButton(page, kind, all));
  row.remove();
  hands[side].setAttribute("aria-label", t("hand_of", { who: page.sideName(side) }));
  hands[side].replaceChildren(
    h("span", { class: "hand-name", "aria-hidden": "true" }, playerName(page, side)),
    ...buttons,
  );
}

// "You, White"; without an opponent the colour alone.
function playerName(page, side) {
  const { opponents } = page;
  const player = opponents.sides[side] === "human" ? t("you") : opponents.name(side);
  return opponents.other ? `${player}, ${page.sideName(side)}` : page.sideName(side);
}

function handButton(page, kind, all) {
  const name = all[0].dataset.hand;
  const { x, y, width, height } = all[0].getBBox();
  const drawn = make(
    "svg",
    { viewBox: `${x - 2} ${y - 2} ${width + 4} ${height + 4}`, "aria-hidden": "true" },
    ...all[0].children,
  );
  const words = `${t(`bug_${kind}`)}, ${all.length}`;
  const button = h(
    "button",
    { type: "button", class: "piece", "data-piece": name, "data-hand": name, title: words, "aria-label": words },
    drawn,
    h("span", { class: "count", "aria-hidden": "true" }, all.length),
  );
  carry(page, button, name);
  return button;
}

// A piece in hand is pressed, or dragged to a target.
function carry(page, button, name) {
  let from = null;
  let carried = false;
  button.addEventListener("pointerdown", (event) => {
    [from, carried] = [{ x: event.clientX, y: event.clientY }, false];
  });
  button.addEventListener("pointermove", (event) => {
    if (
      !from ||
      carried ||
      Math.hypot(event.clientX - from.x, event.clientY - from.y) < 12 ||
      !page.board.movesFrom(name).length ||
      page.busy
    )
      return;
    carried = true;
    button.setPointerCapture(event.pointerId);
    if (page.board.chosen !== name) page.board.choose(name);
  });
  button.addEventListener("pointerup", (event) => {
    from = null;
    const target = carried && document.elementFromPoint(event.clientX, event.clientY)?.closest("#board [data-move]");
    if (target) page.board.pressButton(target);
  });
  button.addEventListener("click", () => {
    if (!carried) page.board.press(name);
    carried = false;
  });
}

// ---------------------------------------------------------------- why a piece cannot move

// Whether the other pieces fall apart without this one.
function holdsTogether(svg, name) {
  const cells = [...svg.querySelectorAll("[data-piece]")].map((each) => ({ name: each.dataset.piece, ...face(each) }));
  const own = cells.find((each) => each.name === name);
  if (!own) return false;
  const near = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < WIDTH * 1.35; // a stack is drawn a little higher
  const others = cells.filter((each) => each !== own);
  if (others.some((each) => Math.hypot(each.x - own.x, each.y - own.y) < WIDTH * 0.6)) return false; // it stands on another, or under one
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
  const here = face(queen);
  const taken = new Set();
  for (const each of svg.querySelectorAll("[data-piece]")) {
    const { x, y } = face(each);
    const far = Math.hypot(x - here.x, y - here.y);
    if (far > WIDTH * 0.6 && far < WIDTH * 1.35)
      taken.add(Math.round(Math.atan2(y - here.y, x - here.x) / (Math.PI / 3)));
  }
  return Math.min(6, taken.size);
}

export default {
  ownBoard: true,
  drags: true,
  pans: true,
  sides: () => [t("side_white"), t("side_black")],
  keys: [
    ["+", t("zoom_in")],
    ["-", t("zoom_out")],
    ["Q S B G A M L P", t("key_piece")],
  ],
  opponent: "beginner",
  goal: () => t("goal_hive"),
  prompt: () => t("prompt_hive"),
  choices: () => [
    {
      name: "pieces",
      label: t("choice_pieces"),
      values: [
        ["Base", t("pieces_base")],
        ["Base+MLP", t("pieces_all")],
      ],
      value: "Base",
    },
  ],
  newGame: ({ pieces }) => ({ start: pieces }),
  presets: ["Base+M", "Base+L", "Base+P"].map((each) => [each, each]),
  counters: (svg, state) =>
    ["white", "black"].map((colour) => [t(`queen_${colour}`), t("of_six", { n: aroundQueen(svg, colour[0]) })]),
  open(page) {
    const boards = page.board.element.parentElement; // the board, and a goal beside it
    boards.before(hands[1]);
    boards.after(hands[0]);
  },
  decorate(page, svg, state) {
    for (const side of [0, 1]) showHand(page, svg, side);
    fitView(svg);
    const passing = page.extras.querySelector("#pass");
    if (passing) passing.hidden = !state.legal.includes("pass");
  },
  movesFrom: (page, name, state) => state.legal.filter((move) => move.split(" ")[0] === name),
  // The first piece has one place: it is played at once.
  press(page, name) {
    if (!page.session.state.legal.includes(name)) return false;
    page.play(name);
    return true;
  },
  targetOf(move, svg) {
    const place = target(move, svg);
    if (!place) return null;
    return make(
      "g",
      {},
      hexagon({ ...place, size: place.size * 0.9 }, { class: "target" }),
      make("circle", { class: "dot", cx: place.x, cy: place.y, r: place.size * 0.07 }),
    );
  },
  why: (page, name) => whyNot(page, page.svg, page.session.state, name),
  foresee(page, svg, move) {
    const name = move.split(" ")[0];
    const place = placeOf(move, svg);
    if (!place) return false;
    const onBoard = tile(svg, name);
    if (onBoard) {
      const { x, y } = face(onBoard);
      slideAhead(onBoard, place.x - x, place.y - y, 180);
    } else {
      const drawn = page.main.querySelector(`[data-hand="${CSS.escape(name)}"] svg`)?.cloneNode(true);
      if (!drawn) return false;
      const { width, height } = drawn.viewBox.baseVal;
      const size = { width: WIDTH, height: (WIDTH * height) / width };
      const at = { x: place.x - size.width / 2, y: place.y - size.height / 2 };
      for (const [key, value] of Object.entries({ ...at, ...size })) drawn.setAttribute(key, value);
      svg.append(drawn);
    }
    return true;
  },
  // The piece that moved comes from where it was.
  animate(page, svg, before) {
    const { moves, cursor } = page.session;
    const name = moves[cursor - 1]?.split(" ")[0];
    const piece = name && tile(svg, name);
    const old = piece && before && tile(before, name);
    if (!piece) return;
    const rest = [...svg.querySelectorAll("[data-piece]")]
      .map((each) => [each, tile(before || svg, each.dataset.piece)])
      .find(([each, same]) => each !== piece && same);
    if (!old || !rest) {
      goOn(piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180 }));
      return;
    }
    const [there, here, then, now] = [face(old), face(piece), face(rest[1]), face(rest[0])]; // pictures need not have one origin
    if (there.x - then.x !== here.x - now.x || there.y - then.y !== here.y - now.y)
      slide(piece, there.x - then.x - here.x + now.x, there.y - then.y - here.y + now.y, 180);
  },
  // Several pieces may go to one cell: a score names its piece.
  centre(move, svg) {
    const place = placeOf(move, svg);
    return place && { ...place, label: place.piece?.slice(1) ?? "" };
  },
  hinted(page, move) {
    const name = move.split(" ")[0];
    if (!tile(page.svg, name))
      page.main.querySelector(`[data-hand^="${name[0]}${kindOf(name)}"]`)?.classList.add("hinted");
  },
  key: (page, event) => {
    if (event.key === "+" || event.key === "-") {
      zoom(page.svg, event.key === "-" ? 1.2 : 0.83);
      return true;
    }
    const kind = event.key.toUpperCase();
    if (!/^[QSBGAMLP]$/.test(kind) || event.key !== kind) return false;
    const own = page.turn() === 0 ? "w" : "b";
    const names = [...page.main.querySelectorAll(`[data-hand^="${own}${kind}"], [data-cell^="${own}${kind}"]`)].map(
      (each) => each.dataset.hand ?? each.dataset.cell,
    );
    const movable = names.filter((each) => page.board.movesFrom(each).length);
    const list = movable.length ? movable : names; // again: the next one
    if (list.length) page.board.press(list[(list.indexOf(page.board.chosen) + 1) % list.length]);
    return true;
  },
  extras(page) {
    page.extras.append(
      h(
        "button",
        {
          type: "button",
          class: "round zoom",
          "aria-label": t("zoom_in"),
          title: t("zoom_in"),
          onclick: () => zoom(page.svg, 0.83),
        },
        "+",
      ),
      h(
        "button",
        {
          type: "button",
          class: "round zoom",
          "aria-label": t("zoom_out"),
          title: t("zoom_out"),
          onclick: () => zoom(page.svg, 1.2),
        },
        "−",
      ),
      h("button", { type: "button", id: "pass", hidden: true, onclick: () => page.play("pass") }, t("pass")),
    );
  },
  // A GameString holds its moves: they are played one by one, so that the game can be stepped through.
  unfold(text) {
    const [type, , , ...moves] = text.trim().split(";");
    return moves.length ? { start: type, moves: moves.map((each) => each.trim()).filter(Boolean) } : null;
  },
};
