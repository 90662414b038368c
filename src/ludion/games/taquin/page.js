// Taquin: press a tile in line with the gap, use the arrows, or swipe.

import { grid, middle, pressable, slide, slideAhead } from "../board.js";
import { h, remember, svg } from "../dom.js";
import { onSwipe } from "../gestures.js";
import { pick, randomSeed } from "../newgame.js";
import { t } from "../strings.js";

const STEPS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

// Where the tiles are: cell number -> element, and the blank's cell.
function survey(svg, state) {
  const rows = state.text.split("/").map((row) => row.trim().split(/\s+/));
  const width = rows[0].length;
  const names = rows.flat();
  const blank = names.findIndex((each) => each === "0" || each === "_");
  return { width, blank, names, tile: (cell) => svg.querySelector(`[data-cell="${cell}"]`) };
}

const MOVE = /^([a-z]+)(\d*)$/; // a way, and how far where a push of several tiles counts once

// A tile and what is drawn on it.
function partsOf(tile) {
  const parts = [tile];
  for (let next = tile.nextElementSibling; next && !next.dataset.cell; next = next.nextElementSibling) parts.push(next);
  return parts;
}

// The cell of the tile that is pushed: beside the blank, or farther away where a push of several counts once.
function pushed({ width, blank }, move) {
  const [, way, far] = MOVE.exec(move);
  const [right, down] = STEPS[way];
  return blank + (right + down * width) * Number(far || 1);
}

// A move is where the gap goes: the tile is pushed the other way.
const OPPOSITE = { up: "down", down: "up", left: "right", right: "left" };
const pushIfLegal = (state, move) => (state.legal.includes(move) ? move : null);

// Which tiles can be pressed, and the moves that this makes: those beside the gap, and those farther away in its row
// or column, which push all between.
function pushes(here, state) {
  const byCell = new Map();
  const height = here.names.length / here.width;
  for (const [way, [right, down]] of Object.entries(STEPS)) {
    let [column, row] = [here.blank % here.width, Math.floor(here.blank / here.width)];
    for (let far = 1; ; far += 1) {
      [column, row] = [column + right, row + down];
      if (column < 0 || row < 0 || column >= here.width || row >= height || !state.legal.includes(way)) break;
      const whole = `${way}${far}`; // where a push of several tiles counts once
      byCell.set(row * here.width + column, state.legal.includes(whole) ? [whole] : Array(far).fill(way));
    }
  }
  return byCell;
}

// Size and length of the shortest solution; the hardest are levels.
const DIFFICULTIES = { easy: ["3x3", 8, 12], medium: ["3x3", 20, 24], hard: ["4x4", 28, 32] };
const LEVELS = { expert: /^korf-\d+$/, farthest: /^farthest-/ };

async function newGame({ difficulty }, page) {
  if (LEVELS[difficulty])
    return { start: `level:${pick(page.game.levels.filter((each) => LEVELS[difficulty].test(each.name))).name}` };
  const [size, least, most] = DIFFICULTIES[difficulty];
  const length = least + Math.floor(Math.random() * (most - least + 1));
  const answer = await page.question("generate", { seed: randomSeed(), settings: { size, length } });
  return { start: answer?.position };
}

export default {
  ownBoard: true,
  goal: () => t("goal_taquin"),
  prompt: () => t("prompt_taquin"),
  choices: () => [
    {
      name: "difficulty",
      label: t("choice_difficulty"),
      values: ["easy", "medium", "hard", "expert", "farthest"].map((each) => [each, t(`taquin_${each}`)]),
      value: "easy",
    },
  ],
  newGame,
  presets: [
    ["3 × 3", "8 6 7/2 5 4/3 0 1"],
    ["4 × 4", "5 1 3 4/9 2 6 8/13 10 7 11/0 14 15 12"],
    ["3 × 2", "5 4 3/2 1 0"],
  ],
  keys: [["← ↑ → ↓", t("key_push")]],
  drags: true,
  open(page) {
    onSwipe(page.board.element, (way) => page.play((state) => pushIfLegal(state, OPPOSITE[way])));
  },
  playable: (page, cell, state) =>
    state.status !== "solved" && pushes(survey(page.svg, state), state).has(Number(cell)),
  press(page, cell) {
    const { state } = page.session;
    const moves = pushes(survey(page.svg, state), state).get(Number(cell));
    for (const move of moves || []) page.play((now) => pushIfLegal(now, move));
    return Boolean(moves);
  },
  why: () => t("why_tile"),
  decorate: (page, board) => paint(board, remember("taquin.picture")),
  // The tiles that moved slide from where they were.
  animate(page, board, before) {
    if (!before || before.dataset.columns !== board.dataset.columns) return;
    const { columns, unit } = grid(board);
    for (const tile of board.querySelectorAll("[data-home]")) {
      const old = before.querySelector(`[data-home="${tile.dataset.home}"]`);
      const [from, to] = [Number(old?.dataset.cell), Number(tile.dataset.cell)];
      if (!old || from === to) continue;
      for (const part of partsOf(tile))
        slide(
          part,
          ((from % columns) - (to % columns)) * unit,
          (Math.floor(from / columns) - Math.floor(to / columns)) * unit,
        );
    }
  },
  foresee(page, board, move) {
    const here = survey(board, page.session.state);
    const [, way, far] = MOVE.exec(move);
    const [right, down] = STEPS[way];
    const { unit } = grid(board);
    for (let distance = 1; distance <= Number(far || 1); distance += 1)
      for (const part of partsOf(here.tile(here.blank + (right + down * here.width) * distance)))
        slideAhead(part, -right * unit, -down * unit);
    return true;
  },
  async daily(day, page) {
    const answer = await page.question("generate", { seed: day, settings: { size: "3x3", length: 18 } });
    return { start: answer?.position };
  },
  centre(move, svg, state) {
    const here = survey(svg, state);
    const tile = here.tile(pushed(here, move));
    if (!tile) return null;
    const { x, y, size } = middle(tile);
    return { x, y, size, chip: { x: x + size * 0.24, y: y + size * 0.33, size: size * 0.72 } }; // its number stays in sight
  },
  // An arrow pushes a tile that way, as a finger would.
  key(page, event) {
    const way = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" }[event.key];
    if (!way) return false;
    page.play((state) => pushIfLegal(state, OPPOSITE[way]));
    return true;
  },
  extras(page) {
    const chosen = remember("taquin.picture") || "";
    const file = h("input", { type: "file", accept: "image/*", hidden: true, id: "own-picture" });
    const select = h(
      "select",
      { id: "picture" },
      ["", "sea", "diver", "hues", "own"].map((each) =>
        h("option", { value: each, selected: each === chosen }, t(`picture_${each || "none"}`)),
      ),
    );
    select.addEventListener("change", () => {
      if (select.value === "own") return file.click();
      remember("taquin.picture", select.value);
      return page.redraw();
    });
    file.addEventListener("change", async () => {
      if (!file.files.length) return;
      try {
        remember("taquin.own", await shrink(file.files[0]));
        remember("taquin.picture", "own");
        page.redraw();
      } catch {
        page.say(t("picture_failed"));
      }
    });
    page.ownOptions.append(h("label", {}, h("span", {}, t("picture")), select), file);
  },
  edit(svg, text, change) {
    const rows = text.split("/").map((row) => row.trim().split(/\s+/));
    const width = rows[0].length;
    let first = null;
    const choose = (cell, element) => {
      if (first === null) {
        first = cell;
        element?.classList.add("chosen");
        return;
      }
      const [a, b] = [
        [Math.floor(first / width), first % width],
        [Math.floor(cell / width), cell % width],
      ];
      [rows[a[0]][a[1]], rows[b[0]][b[1]]] = [rows[b[0]][b[1]], rows[a[0]][a[1]]];
      change(rows.map((row) => row.join(" ")).join("/"));
    };
    for (const each of svg.querySelectorAll("[data-cell]"))
      pressable(each, each.getAttribute("aria-label"), () => choose(Number(each.dataset.cell), each));
  },
};

// The pictures, on a square of 100: drawn by us, or the reader's own, which stays in the browser.
const SCENES = {
  sea: () => [
    svg("rect", { width: 100, height: 62, fill: "#f6d9a8" }),
    svg("circle", { cx: 70, cy: 34, r: 15, fill: "#e2604d" }),
    svg("path", { d: "M0 48L22 26L40 44L54 34L78 58H0Z", fill: "#7a55a8" }),
    svg("path", { d: "M0 54L30 40L60 58H0Z", fill: "#54407a" }),
    svg("rect", { y: 56, width: 100, height: 44, fill: "#2b6cb0" }),
    ...[62, 72, 82, 92].map((y, row) =>
      svg("path", {
        d: `M${-4 - 5 * row} ${y}${"q5 -4 10 0t10 0".repeat(7)}`,
        fill: "none",
        stroke: "#bcd9e6",
        "stroke-width": 1.6,
      }),
    ),
    svg("path", { d: "M22 76H50L45 84H28Z", fill: "#8a5a33" }),
    svg("path", { d: "M36 46V74M36 46Q54 60 37 72Z", fill: "#fbf9f4", stroke: "#2b2a27", "stroke-width": 0.8 }),
    svg("path", { d: "M35 52Q24 62 23 72H35Z", fill: "#e0a526" }),
  ],
  diver: () => [
    svg("rect", { width: 100, height: 100, fill: "#e4dcc0" }),
    svg("path", {
      d: "M40 4H60V16Q78 22 78 40V88Q78 96 70 96H30Q22 96 22 88V40Q22 22 40 16Z",
      fill: "#fbf9f4",
      stroke: "#2b2a27",
      "stroke-width": 1.6,
    }),
    svg("path", { d: "M23 34Q36 30 50 34T77 34V88Q77 95 70 95H30Q23 95 23 88Z", fill: "#8fc1d9" }),
    svg("rect", { x: 39, y: 1, width: 22, height: 8, rx: 2, fill: "#8a5a33" }),
    svg("path", {
      d: "M43 46Q43 38 50 38T57 46V64Q57 68 50 72Q43 68 43 64Z",
      fill: "#e0a526",
      stroke: "#2b2a27",
      "stroke-width": 1.2,
    }),
    svg("circle", { cx: 50, cy: 49, r: 4.6, fill: "#fbf9f4", stroke: "#2b2a27" }),
    svg("path", {
      d: "M45 66L38 78M55 66L62 78M50 71V82",
      stroke: "#c8402f",
      "stroke-width": 3,
      "stroke-linecap": "round",
    }),
    ...[
      [34, 58, 2.4],
      [67, 50, 3],
      [63, 84, 2],
      [36, 82, 1.6],
      [69, 68, 1.6],
    ].map(([cx, cy, r]) => svg("circle", { cx, cy, r, fill: "#fbf9f4", "fill-opacity": 0.8 })),
  ],
  hues: () =>
    Array.from({ length: 36 }, (_, index) =>
      svg("rect", {
        x: (index % 6) * 16.7,
        y: Math.floor(index / 6) * 16.7,
        width: 17,
        height: 17,
        fill: `hsl(${(index % 6) * 52} ${40 + Math.floor(index / 6) * 8}% ${82 - Math.floor(index / 6) * 7}%)`,
      }),
    ),
  own: () => [
    svg("image", { href: remember("taquin.own"), width: 100, height: 100, preserveAspectRatio: "xMidYMid slice" }),
  ],
};

// The reader's picture as a small JPEG.
async function shrink(file) {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = Object.assign(document.createElement("canvas"), { width: 480, height: 480 });
  canvas
    .getContext("2d")
    .drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, 480, 480);
  return canvas.toDataURL("image/jpeg", 0.82);
}

// Cut the picture into tiles: each shows the part that belongs to its home.
function paint(board, scene) {
  if (!SCENES[scene] || (scene === "own" && !remember("taquin.own"))) return;
  const { columns, rows } = grid(board);
  const [wide, high] = [100 / columns, 100 / rows];
  board.classList.add("pictured");
  for (const tile of board.querySelectorAll("[data-home]")) {
    const home = Number(tile.dataset.home);
    const part = svg(
      "svg",
      {
        viewBox: `${(home % columns) * wide} ${Math.floor(home / columns) * high} ${wide} ${high}`,
        preserveAspectRatio: "none",
        "pointer-events": "none",
      },
      SCENES[scene](),
    );
    for (const name of ["x", "y", "width", "height"]) part.setAttribute(name, tile.getAttribute(name));
    const [x, y] = [Number(tile.getAttribute("x")), Number(tile.getAttribute("y"))];
    let number = tile.nextElementSibling;
    while (number.tagName !== "text") number = number.nextElementSibling;
    number.setAttribute("x", x + 18);
    number.setAttribute("y", y + 20);
    number.before(part);
  }
}
