// Rush Hour: drag a vehicle along its axis; or choose it, then press where it shall go or use the arrows.

import { get } from "../api.js";
import { svg as make } from "../dom.js";
import { pick } from "../newgame.js";
import { t } from "../strings.js";
import { explain, frame, grid, interactive, keepFocus, pointIn, pressable, roam, targetCell } from "../board.js";

const vehicle = (svg, name) => svg.querySelector(`[data-vehicle="${CSS.escape(name)}"]`);

function box(svg, group) {
  const { x, y, width, height } = group.getBBox();
  return { x, y, width, height, flat: width > height, cell: grid(svg).unit };
}

// How far a vehicle can go: all distances among the legal moves.
function distances(state, name) {
  return state.legal.filter((move) => move.startsWith(name) && /^[+-]\d+$/.test(move.slice(name.length))).map((move) => Number(move.slice(name.length)));
}

const moveOf = (name, distance) => `${name}${distance > 0 ? "+" : ""}${distance}`;

// Show where the chosen vehicle can go; a press there moves it.
function showTargets(page, svg, group, far) {
  svg.querySelector("g.targets")?.remove();
  const again = group.classList.contains("chosen-vehicle");
  for (const each of svg.querySelectorAll(".chosen-vehicle")) each.classList.remove("chosen-vehicle");
  if (again) return;
  group.classList.add("chosen-vehicle");
  const { x, y, width, height, flat, cell } = box(svg, group);
  const { edge } = grid(svg);
  const [column, row] = [Math.round((x - edge) / cell), Math.round((y - edge) / cell)];
  const length = Math.round((flat ? width : height) / cell);
  const targets = make("g", { class: "targets" });
  for (const distance of far) {
    const ahead = distance > 0 ? length - 1 + distance : distance; // the last cell that it would cover
    const target = targetCell(svg, column + (flat ? ahead : 0), row + (flat ? 0 : ahead));
    target.dataset.move = moveOf(group.dataset.vehicle, distance);
    pressable(target, target.dataset.move, () => page.play(target.dataset.move));
    targets.append(target);
  }
  svg.append(targets);
}

// The next level of this difficulty that is not solved yet; any, when all are.
async function newGame({ difficulty }, page) {
  const bests = await get(`/api/games/${page.game.name}/bests`).catch(() => ({}));
  const levels = page.game.levels.filter((each) => each.name.startsWith(`${difficulty}-`));
  const open = levels.filter((each) => !bests[each.name] && each.name !== page.session.level?.name);
  return { start: `level:${(open[0] || pick(levels)).name}` };
}

export default {
  ownBoard: true,
  first: "level:easy-1",
  goal: () => t("goal_rush_hour"),
  choices: () => [{ name: "difficulty", label: t("choice_difficulty"), values: ["easy", "medium", "hard", "expert"].map((each) => [each, t(`difficulty_${each}`)]), value: "easy" }],
  newGame,
  drags: true,
  attach(page, svg, state) {
    interactive(svg);
    for (const group of svg.querySelectorAll("[data-vehicle]")) {
      const name = group.dataset.vehicle;
      const far = distances(state, name);
      if (!far.length) { explain(page, group, () => t("why_blocked", { name })); continue; }
      const { flat, cell } = box(svg, group);
      const [least, most] = [Math.min(0, ...far), Math.max(0, ...far)];
      let dragged = false;
      pressable(group, `${name} ${far.map((each) => moveOf("", each)).join(" ")}`, () => { if (!dragged) showTargets(page, svg, group, far); dragged = false; });
      group.classList.add("vehicle");
      let from = null;
      let gone = 0;
      const shift = (distance) => group.setAttribute("transform", flat ? `translate(${distance * cell} 0)` : `translate(0 ${distance * cell})`);
      group.addEventListener("pointerdown", (event) => {
        if (!event.isPrimary || event.button !== 0) return;
        from = pointIn(svg, event);
        gone = 0;
        dragged = false;
        group.setPointerCapture(event.pointerId);
        event.preventDefault();
        group.focus({ preventScroll: true });
      });
      group.addEventListener("pointermove", (event) => {
        if (!from) return;
        const to = pointIn(svg, event);
        gone = Math.max(least, Math.min(most, (flat ? to.x - from.x : to.y - from.y) / cell));
        if (Math.abs(gone) > 0.15) dragged = true;
        if (dragged) shift(gone);
      });
      const drop = () => {
        if (!from) return;
        from = null;
        const nearest = Math.round(gone);
        if (nearest !== 0 && far.includes(nearest)) page.play(moveOf(name, nearest));
        else group.removeAttribute("transform");
      };
      group.addEventListener("pointerup", drop);
      group.addEventListener("pointercancel", drop);
      group.addEventListener("keydown", (event) => {
        const step = flat ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        page.play((now) => (distances(now, name).includes(step) ? moveOf(name, step) : null));
      });
    }
    keepFocus(svg, (target) => target.dataset.vehicle && `[data-vehicle="${target.dataset.vehicle}"]`);
  },
  key: (page, event) => roam(page.svg, event),
  centre(move, svg) {
    const match = /^(.+)([+-]\d+)$/.exec(move);
    const group = match && vehicle(svg, match[1]);
    if (!group) return null;
    const { x, y, width, height, flat, cell } = box(svg, group);
    const distance = Number(match[2]);
    const from = { x: x + width / 2, y: y + height / 2 };
    // the mark stands on the last cell that the vehicle would cover
    const reach = (Math.round((flat ? width : height) / cell) - 1) / 2 * cell;
    const way = Math.sign(distance) * reach + distance * cell;
    return { x: from.x + (flat ? way : 0), y: from.y + (flat ? 0 : way), size: cell, from };
  },
  brushes: () => [["x", t("brush_wall")], [".", t("brush_clear")], ["2-", `${t("brush_car")} →`], ["2|", `${t("brush_car")} ↓`], ["3-", `${t("brush_truck")} →`], ["3|", `${t("brush_truck")} ↓`]],
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
          for (let at = 0; at < cells.length; at += 1) if (at === index || (sign !== "x" && sign !== "." && cells[at] === sign)) cells[at] = ".";
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
