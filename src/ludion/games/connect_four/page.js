// Connect 4: click a column, or press its number; stones fall.

import { goOn, grid, lastMove, pressable } from "../board.js";
import { svg as make, quiet } from "../dom.js";
import { t } from "../strings.js";

const height = (svg, column) => svg.querySelectorAll(`[data-stone^="${CSS.escape(column)} "]`).length;

const SIZES = [
  ["", "7 × 6"],
  ["6x5", "6 × 5"],
  ["9x5", "9 × 5"],
  ["5x4/3", t("size_in_a_row", { size: "5 × 4", n: 3 })],
];

const fall = (stone, far) =>
  stone.animate([{ transform: `translateY(${-far}px)` }, { transform: "translateY(0)" }], {
    duration: 120 + far * 0.4,
    easing: "cubic-bezier(0.5, 0, 0.9, 0.6)",
  });

export default {
  ownBoard: true,
  sides: () => [t("side_yellow"), t("side_red")],
  goal: () => t("goal_connect_four"),
  prompt: () => t("prompt_connect_four"),
  choices: () => [{ name: "size", label: t("choice_size"), values: SIZES, value: SIZES[0][0] }],
  newGame: ({ size }) => ({ start: size }),
  keys: [["1 … 9", t("key_column")]],
  why: () => t("why_full"),
  centre(move, svg) {
    const { rows, at } = grid(svg);
    const free = rows - 1 - height(svg, move);
    return free < 0 ? null : at(Number(move) - 1, free);
  },
  key(page, event) {
    if (/^[1-9]$/.test(event.key) && Number(event.key) <= grid(page.svg).columns) {
      page.board.press(event.key);
      return true;
    }
    return false;
  },
  decorate(page, svg) {
    const column = lastMove(page);
    svg.querySelector(`[data-stone="${CSS.escape(`${column} ${height(svg, column)}`)}"]`)?.classList.add("last");
  },
  // The stone falls into its place.
  animate(page, svg, before) {
    const { state, cursor } = page.session;
    const count = svg.querySelectorAll("[data-stone]").length;
    const column = state.moves[cursor - 1];
    if (!column || count !== (before?.querySelectorAll("[data-stone]").length ?? 0) + 1) return;
    const stone = svg.querySelector(`[data-stone="${CSS.escape(`${column} ${height(svg, column)}`)}"]`);
    if (stone) goOn(fall(stone, Number(stone.querySelector("circle").getAttribute("cy"))));
  },
  foresee(page, svg, move) {
    const place = this.centre(move, svg);
    if (!place) return false;
    const stone = make("circle", { cx: place.x, cy: place.y, r: place.size * 0.4, class: `stone-${page.turn()}` });
    svg.append(stone);
    if (!quiet()) fall(stone, place.y);
    return true;
  },
  brushes: () => [
    ["+", t("brush_add")],
    ["-", t("brush_last")],
  ],
  // A position is the columns played so far: a stone more, or the last one less.
  edit(svg, text, change, brush) {
    const [, size, played] = /^(?:(\d+x\d+(?:\/\d+)?):?)?(\d*)$/.exec(text) || [];
    if (played === undefined) return;
    const head = size ? `${size}:` : "";
    for (const rect of svg.querySelectorAll("[data-cell]"))
      pressable(rect, `${t("column")} ${rect.dataset.cell}`, () =>
        change(head + (brush() === "-" ? played.slice(0, -1) : played + rect.dataset.cell)),
      );
  },
  // A game pasted as its columns is played move by move, so that it can be stepped through.
  unfold: (text) => (/^[1-9]{2,}$/.test(text) ? { start: "", moves: [...text] } : null),
};
