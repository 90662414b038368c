// CrocoMine and Minesweeper: discover, guess, chord; risks and proofs on the cells.

import { grid, middle, pressable } from "../board.js";
import { h, svg as make } from "../dom.js";
import { randomSeed } from "../newgame.js";
import { capital, t } from "../strings.js";

const MODES = ["discover", "T", "S", "C", "chord"];
let mode = "discover";

const cell = (svg, row, column) => svg.querySelector(`[data-cell="${row} ${column}"]`);

const RANDOM = /^\d+x\d+:/; // the name of a kind of board: the seed makes it one of them
let opening = false;

// The first press makes the board: one where it opens a field. With a seed, the board is what it is.
async function firstPress(page, place) {
  const { start, options } = page.session;
  const moves = [`discover ${place}`];
  const chosen = { guessing: "never", ...options, seed: String(randomSeed()), first: place.replace(" ", ",") };
  opening = true;
  page.board.foresee(moves[0]);
  try {
    await page.session.set({ start, options: chosen, moves, cursor: 1 });
    page.say("");
  } catch (error) {
    page.redraw();
    page.say(error.message);
  } finally {
    opening = false;
  }
}

const isFresh = ({ start, options, cursor }) => cursor === 0 && RANDOM.test(start) && !("seed" in options);

function act(page, place, action = mode) {
  if (page.session.state.status !== "running" || opening) return;
  const { seen, sign } = page.svg.querySelector(`[data-cell="${place}"]`)?.dataset ?? {};
  const open = seen === "open";
  if (open && /^([.~]?0|\.|[.~]\(0\/0\/0\))$/.test(sign)) return; // nothing around it
  if (action === "chord" || (open && action === "discover")) page.play(`chord ${place}`);
  else if (action === "discover" && seen === "guessed") page.say(t("why_flagged"));
  else if (action === "discover") {
    if (isFresh(page.session)) firstPress(page, place);
    else page.play(`discover ${place}`);
  } else if (!open) page.play(`guess ${place} ${action}`);
}

// A board of this size without animals: what is hidden in a game that runs stays hidden in the editor.
function emptyBoard(page) {
  const { columns, rows } = grid(page.svg);
  const flags = page.svg.dataset.kinds === "T" ? " flags" : "";
  return [
    t("own_board"),
    `${rows} ${columns}`,
    `0 0${flags}`,
    ...Array.from({ length: rows }, () => Array(columns).fill("-").join(" ")),
  ].join(";");
}

const SIZES = {
  beginner: ["9x9", "3/3/4", "10:zero"],
  intermediate: ["16x16", "13/13/14", "40:zero"],
  expert: ["30x16", "33/33/33", "99:zero"],
};

export default {
  ownBoard: true,
  prompt: (page) => (isFresh(page.session) ? t("prompt_mines") : ""),
  goal: (svg) => t(svg?.dataset.kinds === "T S C" ? "goal_animals" : "goal_mines"),
  choices: () => [
    {
      name: "kind",
      label: t("choice_kind"),
      values: [
        ["mines", t("kind_mines")],
        ["animals", t("kind_animals")],
      ],
      value: "mines",
    },
    {
      name: "size",
      label: t("choice_size"),
      values: Object.keys(SIZES).map((each) => [each, t(`size_${each}`)]),
      value: "beginner",
    },
    {
      name: "guessing",
      label: t("choice_guessing"),
      values: [
        ["never", t("guessing_never")],
        ["possible", t("guessing_possible")],
      ],
      value: "never",
    },
  ],
  newGame({ kind, size, guessing }) {
    const [cells, animals, mines] = SIZES[size];
    return { start: `${cells}:${kind === "mines" ? mines : animals}`, options: { guessing } };
  },
  counters(svg) {
    const { kinds, leftT, leftS, leftC, toOpen } = svg.dataset;
    const animals =
      kinds === "T"
        ? [[t("left_mines"), leftT]]
        : [
            [t("left_T"), leftT],
            [t("left_S"), leftS],
            [t("left_C"), leftC],
          ];
    return [...animals, [t("cells_to_open"), toOpen]];
  },
  actionExample: "discover 3 4",
  keys: [
    ["f", t("key_flag")],
    ["d", t("key_discover")],
    ["t", t("key_T")],
    ["k", t("key_S")],
    ["c", t("key_C")],
    ["o", t("key_chord")],
  ],
  playable: (page, cell) => page.session.state.status === "running" && Boolean(cell),
  press(page, place) {
    act(page, place);
    return true;
  },
  hold: (page, place) => act(page, place, mode === "discover" || mode === "chord" ? "T" : "discover"),
  decorate(page, svg) {
    const kinds = svg.dataset.kinds.split(" ");
    for (const button of page.extras.querySelectorAll("button")) {
      button.hidden = /^[TSC]$/.test(button.value) && !kinds.includes(button.value);
      if (button.value === "T") button.textContent = t(kinds.length > 1 ? "mode_T" : "mode_flag");
    }
    const { status, moves } = page.session.state;
    const fatal = status === "lost" && cell(svg, ...moves.at(-1).split(" ").slice(1, 3));
    if (fatal) {
      const { x, y, size } = middle(fatal);
      svg.append(
        make("rect", {
          class: "fatal",
          x: x - size * 0.45,
          y: y - size * 0.45,
          width: size * 0.9,
          height: size * 0.9,
          rx: 6,
          "pointer-events": "none",
        }),
      );
    }
  },
  centre(move, svg) {
    const [, row, column] = move.split(" ");
    const shape = cell(svg, row, column);
    return shape && middle(shape);
  },
  key(page, event) {
    const chosen = { d: "discover", t: "T", k: "S", c: "C", o: "chord" }[event.key];
    if (chosen && page.extras.querySelector(`button[value="${chosen}"]`)?.hidden) return true;
    const focused = document.activeElement?.dataset?.cell;
    if (event.key === "f" && focused) {
      act(page, focused, /^[TSC]$/.test(mode) ? mode : "T");
      return true;
    }
    if (chosen) {
      page.extras.querySelector(`button[value="${chosen}"]`)?.click();
      return true;
    }
    return false;
  },
  // The same for all, so its first field is open already.
  daily: (day) => ({
    start: "16x16:40:zero",
    options: { seed: String(day), first: "7,7", guessing: "never" },
    moves: ["discover 7 7"],
  }),
  // A board is drawn before an agent begins, too.
  beforeRun: (page) =>
    isFresh(page.session)
      ? page.session.set({ options: { ...page.session.options, seed: String(randomSeed()) } })
      : null,
  editStart: (page) => (page.session.state.status === "running" ? emptyBoard(page) : null),
  extras(page) {
    const buttons = MODES.map((each) =>
      h(
        "button",
        {
          type: "button",
          class: "toggle",
          value: each,
          "aria-pressed": String(each === mode),
          onclick: () => {
            mode = each;
            for (const other of buttons) other.setAttribute("aria-pressed", other.value === mode);
          },
        },
        t(`mode_${each}`),
      ),
    );
    page.extras.append(h("div", { class: "modes", role: "group", "aria-label": t("mode") }, buttons));
  },
  // What an agent proved, layer by layer, what it weighed, and what it chose.
  thought(page, svg, thought) {
    svg?.querySelector("g.thought")?.remove();
    if (!svg || !thought.proved) return;
    const group = make("g", { class: "marks thought", "pointer-events": "none" });
    const square = (row, column, name, text) => {
      const { x, y, size } = grid(svg).at(column, row);
      group.append(
        make("rect", {
          class: name,
          x: x - size * 0.44,
          y: y - size * 0.44,
          width: size * 0.88,
          height: size * 0.88,
          rx: 8,
        }),
        make("text", { class: `label ${name}`, x, y, "font-size": 30 }, text),
      );
    };
    for (const [row, column, content, layer] of thought.proved)
      square(row, column, layer === "rules" ? "ruled" : "counted", content ? "TSC"[content - 1] : "✓");
    for (const [row, column, content, chance] of thought.weighed)
      square(row, column, "weighed", `${Math.round(100 * chance)}${content ? "TSC"[content - 1] : ""}`);
    const [, row, column] = (page.session.moves[page.session.cursor] || "").split(" ").map(Number);
    if (row >= 0) {
      const { x, y, size } = grid(svg).at(column, row);
      group.append(make("circle", { class: "ring", cx: x, cy: y, r: size * 0.42, "stroke-width": 8 }));
    }
    svg.append(group);
  },
  layers(page, thought) {
    if (!thought.proved) return [];
    const by = new Map();
    for (const each of thought.proved) by.set(each[3], [...(by.get(each[3]) || []), each]);
    const contents = (cells) =>
      cells.map(([row, column, content]) => `(${row}, ${column}) ${t(`content_${content}`)}`).join(", ");
    const parts = [...by].map(([layer, cells]) =>
      h(
        "details",
        { open: cells.length < 9 },
        h("summary", {}, t("layer_proved", { layer: thought.layer_names?.[layer] ?? layer, n: cells.length })),
        h("p", { class: "line" }, contents(cells)),
      ),
    );
    if (!by.size) parts.push(h("p", { class: "help" }, t("layer_none")));
    if (thought.weighed.length) {
      const best = [...thought.weighed].sort((a, b) => b[4] - a[4]);
      parts.push(
        h("h2", { class: "small" }, t("layer_weighed")),
        h(
          "table",
          {},
          h(
            "tbody",
            {},
            best
              .slice(0, 16)
              .map(([row, column, content, chance, worth], index) =>
                h(
                  "tr",
                  {},
                  h("th", { scope: "row" }, `(${row}, ${column}) ${t(`content_${content}`)}`),
                  h("td", { class: index ? "" : "winner" }, `${(100 * chance).toFixed(1)} %`),
                  h("td", { class: index ? "" : "winner" }, worth.toFixed(3)),
                ),
              ),
          ),
        ),
      );
    }
    return parts;
  },
  legend: () => [
    ["ruled", t("legend_ruled")],
    ["counted", t("legend_counted")],
    ["weighed", t("legend_weighed")],
  ],
  // A whole board (sea, land, animals), or a view of one (what is hidden, and the clues): each has its own signs.
  brushes: (text) =>
    text.startsWith("view")
      ? [
          ["?", t("cell_hidden")],
          ...(/ flags$/.test(text.split(/[;\n]/)[0])
            ? [..."012345678"].map((each) => [`.${each}`, each])
            : [
                ["~?", `~ ${t("cell_hidden")}`],
                [".?", `. ${t("cell_hidden")}`],
                [".(0/0/0)", ".(0/0/0)"],
                ["~(0/0/0)", "~(0/0/0)"],
                [null, ".(1/0/2)"],
              ]),
          ["T", "T"],
        ]
      : [
          ["-", t("brush_land")],
          ["~", t("brush_sea")],
          ["T", t("brush_T")],
          ["S", t("brush_S")],
          ["C", t("brush_C")],
          ["W", t("brush_W")],
        ],
  edit(svg, text, change, brush) {
    const lines = text.split(/[;\n]/);
    const view = text.startsWith("view");
    const first = view ? 1 : 3; // lines before the rows
    const rows = lines.slice(first).map((line) => line.trim().split(/\s+/));
    for (const shape of svg.querySelectorAll("[data-cell]")) {
      const [row, column] = shape.dataset.cell.split(" ").map(Number);
      const sign = rows[row]?.[column] ?? "";
      if (!view) {
        // the drawing hides what the editor must show
        shape.classList.add(/[~SW]/.test(sign) ? "in-sea" : "on-land");
        const { x, y } = grid(svg).at(column, row);
        if (/[TSCW]/.test(sign))
          svg.append(make("text", { class: "sign", x, y, "font-size": 56 }, sign.replace("W", "C")));
      }
      pressable(shape, `${shape.dataset.cell.replace(" ", ", ")}: ${sign}`, () => {
        if (rows[row]?.[column] === undefined) return;
        rows[row][column] = brush();
        change([...lines.slice(0, first), ...rows.map((line) => line.join(" "))].join(";"));
      });
    }
  },
  // Every hidden cell with its risk; what is certain in its colour; the proof of a cell when it has the focus.
  study(page, svg, answer) {
    svg.querySelector("g.scores")?.remove();
    const group = make("g", { class: "marks scores", "pointer-events": "none" });
    const proof = make("g", { class: "marks", "pointer-events": "none" });
    const mines = svg.dataset.kinds === "T";
    for (const each of answer.cells) {
      const shape = cell(svg, each.row, each.column);
      if (!shape) continue;
      const { x, y, size } = middle(shape);
      const risk = 1 - each.empty;
      const square = { x: x - size * 0.46, y: y - size * 0.46, width: size * 0.92, height: size * 0.92, rx: 6 };
      if (each.certain) {
        const safe = each.empty === 1;
        group.append(
          make("rect", { ...square, class: safe ? "safe" : "sure" }),
          make(
            "text",
            { class: "label", x, y, "font-size": 38 },
            safe ? "✓" : mines ? "⚑" : String(each.certain)[0].toUpperCase(),
          ),
        );
      } else {
        group.append(
          make("rect", { ...square, class: "risk", "fill-opacity": (0.7 * risk).toFixed(3) }),
          make("text", { class: "label", x, y, "font-size": 30 }, `${Math.round(100 * risk)}`),
        );
      }
      if (each.reason) {
        const showProof = () => {
          page.say(capital(each.spoken_reason));
          proof.replaceChildren(
            ...(each.clues || [])
              .map(([row, column]) => cell(svg, row, column))
              .filter(Boolean)
              .map((clue) => {
                const place = middle(clue);
                return make("rect", { class: "proof", x: place.x - 42, y: place.y - 42, width: 84, height: 84, rx: 6 });
              }),
          );
        };
        shape.addEventListener("pointerenter", showProof);
        shape.addEventListener("focus", showProof);
      }
    }
    group.append(proof);
    svg.append(group);
    if (answer.action)
      page.say(
        `${answer.spoken} (${answer.proved ? t("hint_proved") : t("hint_risk", { n: (100 * answer.risk).toFixed(1) })})`,
      );
  },
};
