// Tic-tac-toe and its larger relatives: click a cell.

import { goOn, lastMove, pressable } from "../board.js";
import { svg as make } from "../dom.js";
import { t } from "../strings.js";

const SIZES = [
  ["3x3/3", "3 × 3"],
  ...[
    ["4 × 3", "4x3", 3],
    ["4 × 4", "4x4", 4],
    ["5 × 5", "5x5", 4],
    ["7 × 6", "7x6", 5],
  ].map(([size, start, n]) => [`${start}/${n}`, t("size_in_a_row", { size, n })]),
];

export default {
  ownBoard: true,
  sides: () => ["×", "○"],
  goal: (_, state) => t("goal_tic_tac_toe", { n: /\/(\d+):/.exec(state?.text)?.[1] ?? 3 }),
  prompt: () => t("prompt_tic_tac_toe"),
  choices: () => [{ name: "size", label: t("choice_size"), values: SIZES, value: SIZES[0][0] }],
  newGame: ({ size }) => ({ start: size }),
  why: () => t("why_taken"),
  daily: (day) => ({ start: SIZES[day % SIZES.length][0] }),
  decorate(page, svg) {
    svg.querySelector(`[data-cell="${lastMove(page)}"]`)?.classList.add("last");
  },
  animate(page, svg) {
    const cell = svg.querySelector(`[data-cell="${page.session.state.moves.at(-1)}"]`);
    for (const mark of forward(page) && cell ? marksBefore(cell) : [])
      goOn(mark.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180 }));
  },
  foresee(page, svg, move) {
    const { x, y, size } = page.board.centre(move);
    const far = size * 0.27;
    const path = page.turn()
      ? `M${x - far} ${y}a${far} ${far} 0 1 0 ${2 * far} 0a${far} ${far} 0 1 0 ${-2 * far} 0`
      : `M${x - far} ${y - far}l${2 * far} ${2 * far}m0 ${-2 * far}l${-2 * far} ${2 * far}`;
    svg.append(make("path", { d: path, class: `mark-${page.turn()}`, "stroke-width": size * 0.125 }));
    return true;
  },
  brushes: () => [
    ["", t("brush_turns")],
    ["x", "×"],
    ["o", "○"],
    [".", t("brush_empty")],
  ],
  edit(svg, text, change, brush) {
    const [head, rest] = text.includes(":") ? text.split(":") : ["", text];
    const rows = rest.split("/").map((row) => [...row]);
    for (const each of svg.querySelectorAll("[data-cell]")) {
      const column = each.dataset.cell.charCodeAt(0) - 97;
      const row = Number(each.dataset.cell.slice(1)) - 1;
      pressable(each, each.dataset.cell, () => {
        rows[row][column] = brush() || { ".": "x", x: "o", o: "." }[rows[row][column]];
        change(`${head ? `${head}:` : ""}${rows.map((line) => line.join("")).join("/")}`);
      });
    }
  },
};

// Whether the last change was a move, not an undo.
const forward = (page) => page.session.cursor > 0 && page.session.cursor === page.session.moves.length;

// The lines or the circle that are drawn before a cell's frame.
function marksBefore(cell) {
  const marks = [];
  for (
    let each = cell.previousElementSibling;
    each && !each.dataset.cell && marks.length < 2;
    each = each.previousElementSibling
  )
    marks.push(each);
  return marks;
}
