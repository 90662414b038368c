// Connect 4: click a column, or press its number; stones fall.

import { quiet } from "../dom.js";
import { t } from "../strings.js";
import { explain, frame, grid, interactive, keepFocus, pressable, roam } from "../board.js";

const height = (svg, column) => svg.querySelectorAll(`[data-stone^="${CSS.escape(column)} "]`).length;

function columnFrames(svg, press) {
  const { columns, rows } = grid(svg);
  for (let column = 1; column <= columns; column += 1) {
    const rect = frame(svg, column - 1, 0, 1, rows);
    rect.dataset.column = column;
    press(rect, String(column));
  }
}

const SIZES = [["", "7 × 6"], ["6x5", "6 × 5"], ["9x5", "9 × 5"], ["5x4/3", t("size_in_a_row", { size: "5 × 4", n: 3 })]];

export default {
  ownBoard: true,
  sides: () => [t("side_yellow"), t("side_red")],
  goal: () => t("goal_connect_four"),
  choices: () => [{ name: "size", label: t("choice_size"), values: SIZES, value: SIZES[0][0] }],
  newGame: ({ size }) => ({ start: size }),
  keys: [["1 … 9", t("key_column")]],
  attach(page, svg, state) {
    interactive(svg);
    columnFrames(svg, (rect, column) => {
      if (state.legal.includes(column)) pressable(rect, `${t("column")} ${column}`, () => page.play(column));
      else explain(page, rect, () => t("why_full"));
    });
    keepFocus(svg, (target) => target.dataset.column && `rect[data-column="${target.dataset.column}"]`);
    fall(page, svg, state);
  },
  centre(move, svg) {
    const { rows, at } = grid(svg);
    const free = rows - 1 - height(svg, move);
    return free < 0 ? null : at(Number(move) - 1, free);
  },
  key(page, event) {
    if (/^[1-9]$/.test(event.key) && Number(event.key) <= grid(page.svg).columns) {
      if (page.session.state.legal.includes(event.key)) page.play(event.key);
      else page.say(t(page.session.state.status === "open" ? "why_full" : "game_over"));
      return true;
    }
    return roam(page.svg, event);
  },
  brushes: () => [["+", t("brush_add")], ["-", t("brush_last")]],
  // A position is the columns played so far: a stone more, or the last one less.
  edit(svg, text, change, brush) {
    const [, size, played] = /^(?:(\d+x\d+(?:\/\d+)?):?)?(\d*)$/.exec(text) || [];
    if (played === undefined) return;
    const head = size ? `${size}:` : "";
    columnFrames(svg, (rect, column) => pressable(rect, `${t("column")} ${column}`, () => change(head + (brush() === "-" ? played.slice(0, -1) : played + column))));
  },
  // A game pasted as its columns is played move by move, so that it can be stepped through.
  unfold: (text) => (/^[1-9]{2,}$/.test(text) ? { start: "", moves: [...text] } : null),
};

function fall(page, svg, state) {
  const count = state.moves.length;
  const forward = page.lastCount !== undefined && count === page.lastCount + 1;
  page.lastCount = count;
  if (!forward || quiet()) return;
  const column = state.moves[count - 1];
  const stone = svg.querySelector(`[data-stone="${CSS.escape(`${column} ${height(svg, column)}`)}"]`);
  if (!stone) return;
  const far = Number(stone.getAttribute("cy"));
  const ring = stone.nextElementSibling?.tagName === "path" ? [stone.nextElementSibling] : [];
  for (const each of [stone, ...ring]) each.animate([{ transform: `translateY(${-far}px)` }, { transform: "translateY(0)" }], { duration: 180 + far * 0.5, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" });
}
