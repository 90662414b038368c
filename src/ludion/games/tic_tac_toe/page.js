// Tic-tac-toe and its larger relatives: click a cell.

import { t } from "../strings.js";
import { interactive, keepFocus, middle, pressable, roam } from "../board.js";

const cell = (svg, name) => svg.querySelector(`[data-cell="${CSS.escape(name)}"]`);

export default {
  ownBoard: true,
  sides: () => ["×", "○"],
  presets: [["3 × 3", "3x3/3"], ["4 × 3 / 3", "4x3/3"], ["4 × 4 / 4", "4x4/4"], ["5 × 5 / 4", "5x5/4"], ["7 × 6 / 5", "7x6/5"]],
  attach(page, svg, state) {
    interactive(svg);
    for (const move of state.legal) {
      const shape = cell(svg, move);
      if (shape) pressable(shape, move, () => page.play(move));
    }
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
