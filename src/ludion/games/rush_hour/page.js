// Rush Hour: drag a vehicle along its axis; or choose it, then press where it shall go or use the arrows.

import { get } from "../api.js";
import { dashedCell, frame, grid, pressable, slide, slideAhead } from "../board.js";
import { pick } from "../newgame.js";
import { t } from "../strings.js";

const vehicle = (svg, name) => svg.querySelector(`[data-vehicle="${CSS.escape(name)}"]`);

// Where a vehicle is; the first part of its group is a frame around its cells.
function box(svg, group) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) =>
    Number(group.firstElementChild.getAttribute(name)),
  );
  return { x, y, width, height, flat: width > height, cell: grid(svg).unit };
}

// How far a vehicle can go: all distances among the legal moves.
function distances(state, name) {
  return state.legal
    .filter((move) => move.startsWith(name) && /^[+-]\d+$/.test(move.slice(name.length)))
    .map((move) => Number(move.slice(name.length)));
}

const MOVE = /^(.+)([+-]\d+)$/; // a vehicle, and how far
const moveOf = (name, distance) => `${name}${distance > 0 ? "+" : ""}${distance}`;

// The next level of this difficulty that is not solved yet; any, when all are.
async function newGame({ difficulty }, page) {
  const bests = await get(`/api/games/${page.game.name}/bests`).catch(() => ({}));
  const levels = page.game.levels.filter((each) => each.name.startsWith(`${difficulty}-`));
  const open = levels.filter((each) => !bests[each.name] && each.name !== page.session.level?.name);
  return { start: `level:${(open[0] || pick(levels)).name}` };
}

let dropped = null; // the vehicle that was put where it is

export default {
  ownBoard: true,
  goal: () => t("goal_rush_hour"),
  prompt: () => t("prompt_rush_hour"),
  choices: () => [
    {
      name: "difficulty",
      label: t("choice_difficulty"),
      values: ["easy", "medium", "hard", "expert"].map((each) => [each, t(`difficulty_${each}`)]),
      value: "easy",
    },
  ],
  newGame,
  drags: true,
  movesFrom: (page, cell, state) => distances(state, cell).map((distance) => moveOf(cell, distance)),
  // The last cell that the vehicle would cover.
  targetOf(move, svg) {
    const [, name, far] = MOVE.exec(move);
    const { x, y, width, height, flat, cell } = box(svg, vehicle(svg, name));
    const distance = Number(far);
    const ahead = (distance > 0 ? (flat ? width : height) - cell : 0) + distance * cell;
    return dashedCell({ x: x + cell / 2 + (flat ? ahead : 0), y: y + cell / 2 + (flat ? 0 : ahead), size: cell });
  },
  // A vehicle follows the pointer along its axis, as far as it can go.
  grab(page, name, svg) {
    const far = distances(page.session.state, name);
    const group = vehicle(svg, name);
    if (!far.length || !group) return null;
    const { flat, cell } = box(svg, group);
    let gone = 0;
    return {
      move({ x, y }) {
        gone = Math.max(Math.min(0, ...far), Math.min(Math.max(0, ...far), (flat ? x : y) / cell));
        group.setAttribute("transform", flat ? `translate(${gone * cell} 0)` : `translate(0 ${gone * cell})`);
      },
      drop(done) {
        const nearest = Math.round(gone);
        if (!done || nearest === 0) {
          group.removeAttribute("transform");
          return;
        }
        dropped = name;
        page.play(moveOf(name, nearest));
      },
    };
  },
  why: (page, name) => t("why_blocked", { name }),
  foresee(page, svg, move) {
    const [, name, far] = MOVE.exec(move);
    const group = vehicle(svg, name);
    const { flat, cell } = box(svg, group);
    const way = Number(far) * cell;
    if (name !== dropped) slideAhead(group, flat ? way : 0, flat ? 0 : way);
    return true;
  },
  // Slides into its place, unless a finger put it there.
  animate(page, svg, before) {
    for (const group of svg.querySelectorAll("[data-vehicle]")) {
      const old = before && vehicle(before, group.dataset.vehicle);
      if (!old || group.dataset.vehicle === dropped) continue;
      const [from, to] = [box(svg, old), box(svg, group)];
      if (from.x !== to.x || from.y !== to.y) slide(group, from.x - to.x, from.y - to.y);
    }
    dropped = null;
  },
  // Arrows along its axis move the vehicle that has the focus; the others go to the next vehicle.
  key(page, event) {
    const focused = document.activeElement?.closest?.("#board [data-vehicle]");
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!focused || !step || box(page.svg, focused).flat !== /Left|Right/.test(event.key)) return false;
    const name = focused.dataset.vehicle;
    page.play((now) => (distances(now, name).includes(step) ? moveOf(name, step) : null));
    return true;
  },
  daily: (day, page) => ({ start: `level:${pick(page.game.levels, day).name}` }),
  centre(move, svg) {
    const match = MOVE.exec(move);
    const group = match && vehicle(svg, match[1]);
    if (!group) return null;
    const { x, y, width, height, flat, cell } = box(svg, group);
    const distance = Number(match[2]);
    const from = { x: x + width / 2, y: y + height / 2 };
    // the mark stands on the last cell that the vehicle would cover
    const reach = ((Math.round((flat ? width : height) / cell) - 1) / 2) * cell;
    const way = Math.sign(distance) * reach + distance * cell;
    return { x: from.x + (flat ? way : 0), y: from.y + (flat ? 0 : way), size: cell, from };
  },
  brushes: () => [
    ["x", t("brush_wall")],
    [".", t("brush_clear")],
    ["2-", `${t("brush_car")} →`],
    ["2|", `${t("brush_car")} ↓`],
    ["3-", `${t("brush_truck")} →`],
    ["3|", `${t("brush_truck")} ↓`],
  ],
  // Press a cell to put a wall or the upper left end of a vehicle there, or to clear what stands on it.
  edit(svg, text, change, brush) {
    const match = /^(\d+x\d+:)?(.*)$/.exec(text);
    const cells = [...match[2]];
    const { columns, rows } = grid(svg);
    cells.forEach((sign, index) => {
      const [column, row] = [index % columns, Math.floor(index / columns)];
      pressable(frame(svg, column, row), `${column + 1}, ${row + 1}`, () => {
        const kind = brush();
        const free = (at) => cells[at] === "." || cells[at] === "o";
        if (kind === "." || (kind === "x" && !free(index))) {
          if (sign === "A") return;
          for (let at = 0; at < cells.length; at += 1)
            if (at === index || (sign !== "x" && sign !== "." && cells[at] === sign)) cells[at] = ".";
        } else if (kind === "x") cells[index] = "x";
        else {
          const [length, down] = [Number(kind[0]), kind[1] === "|"];
          const taken = Array.from({ length }, (_, step) => index + step * (down ? columns : 1));
          if ((down ? row : column) + length > (down ? rows : columns) || !taken.every(free)) return;
          const name = [..."BCDEFGHIJKLMNOPQRSTUVWYZabcdefghijklmnpqrstuvwyz"].find((each) => !cells.includes(each));
          for (const at of taken) cells[at] = name;
        }
        change((match[1] || "") + cells.join(""));
      });
    });
  },
};
