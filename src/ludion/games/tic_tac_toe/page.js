// Tic-tac-toe and its larger relatives: click a cell.

import { t } from "../strings.js";
import { explain, interactive, keepFocus, middle, pressable, roam } from "../board.js";

const cell = (svg, name) => svg.querySelector(`[data-cell="${CSS.escape(name)}"]`);

const SIZES = [["3x3/3", "3 × 3"], ...[["4 × 3", "4x3", 3], ["4 × 4", "4x4", 4], ["5 × 5", "5x5", 4], ["7 × 6", "7x6", 5]].map(([size, start, n]) => [`${start}/${n}`, t("size_in_a_row", { size, n })])];

export default {
  ownBoard: true,
  sides: () => ["×", "○"],
  goal: () => t("goal_tic_tac_toe"),
  choices: () => [{ name: "size", label: t("choice_size"), values: SIZES, value: SIZES[0][0] }],
  newGame: ({ size }) => ({ start: size }),
  attach(page, svg, state) {
    interactive(svg);
    for (const move of state.legal) {
      const shape = cell(svg, move);
      if (shape) pressable(shape, move, () => page.play(move));
    }
    for (const shape of svg.querySelectorAll("[data-cell]:not(.pressable)")) explain(page, shape, () => t("why_taken"));
    keepFocus(svg, (target) => target.dataset.cell && `[data-cell="${target.dataset.cell}"]`);
  },
  centre(move, svg) {
    const shape = cell(svg, move);
    return shape && middle(shape);
  },
  key: (page, event) => roam(page.svg, event),
  brushes: () => [["", t("brush_turns")], ["x", "×"], ["o", "○"], [".", t("brush_empty")]],
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
