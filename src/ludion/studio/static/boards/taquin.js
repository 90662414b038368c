// Taquin: click a tile beside the blank, use the arrows, or swipe.

import { h, remember } from "../dom.js";
import { interactive, keepFocus, middle, pressable } from "./shared.js";

const STEPS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

// Where the tiles are: cell number -> element, and the blank's cell.
function survey(svg, state) {
  const rows = state.text.split("/").map((row) => row.trim().split(/\s+/));
  const width = rows[0].length;
  const names = rows.flat();
  const blank = names.findIndex((each) => each === "0" || each === "_");
  return { width, blank, names, tile: (cell) => svg.querySelector(`[data-cell="${cell}"]`) };
}

function neighbour({ width, blank }, move) {
  const [right, down] = STEPS[move];
  return blank + right + down * width;
}

export default {
  ownBoard: true,
  presets: [["3 × 3", "8 6 7/2 5 4/3 0 1"], ["4 × 4", "5 1 3 4/9 2 6 8/13 10 7 11/0 14 15 12"], ["3 × 2", "5 4 3/2 1 0"]],
  attach(page, svg, state) {
    interactive(svg);
    const here = survey(svg, state);
    for (const move of state.legal) {
      const cell = neighbour(here, move);
      const found = here.tile(cell);
      if (found) pressable(found, `${here.names[cell]} → ${move}`, () => page.play(move));
    }
    keepFocus(svg, (target) => target.dataset.cell && `[data-cell="${target.dataset.cell}"]`);
    let from = null;
    svg.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
    svg.addEventListener("pointerup", (event) => {
      if (!from) return;
      const [right, down] = [event.clientX - from[0], event.clientY - from[1]];
      from = null;
      if (Math.max(Math.abs(right), Math.abs(down)) < 30) return;
      const way = Math.abs(right) > Math.abs(down) ? (right > 0 ? "left" : "right") : down > 0 ? "up" : "down"; // a tile is pushed: the blank goes the other way
      if (state.legal.includes(way)) page.play(way);
    });
    if (remember("taquin.picture")) paint(svg, here);
  },
  centre(move, svg, state) {
    const here = survey(svg, state);
    const found = here.tile(neighbour(here, move));
    return found && { ...middle(found) };
  },
  // An arrow pushes a tile that way, as a finger would.
  key(page, event) {
    const move = { ArrowUp: "down", ArrowDown: "up", ArrowLeft: "right", ArrowRight: "left" }[event.key];
    if (!move) return false;
    if (page.session.state.legal.includes(move)) page.play(move);
    return true;
  },
  extras(page) {
    const box = h("input", { type: "checkbox", id: "picture", checked: Boolean(remember("taquin.picture")) });
    box.addEventListener("change", () => { remember("taquin.picture", box.checked); page.changed(); });
    page.extras.append(h("label", { class: "inline" }, box, document.documentElement.lang === "fr" ? "en couleurs" : "as a picture"));
  },
  edit(svg, text, change) {
    const rows = text.split("/").map((row) => row.trim().split(/\s+/));
    const width = rows[0].length;
    let first = null;
    const choose = (cell, element) => {
      if (first === null) { first = cell; element?.classList.add("chosen"); return; }
      const [a, b] = [[Math.floor(first / width), first % width], [Math.floor(cell / width), cell % width]];
      [rows[a[0]][a[1]], rows[b[0]][b[1]]] = [rows[b[0]][b[1]], rows[a[0]][a[1]]];
      change(rows.map((row) => row.join(" ")).join("/"));
    };
    for (const each of svg.querySelectorAll("[data-cell]")) pressable(each, each.dataset.cell, () => choose(Number(each.dataset.cell), each));
  },
};

// Each tile gets a hue by its home, so that order can be seen as a gradient.
function paint(svg, here) {
  const count = here.names.length;
  here.names.forEach((name, cell) => {
    const tile = here.tile(cell);
    if (!tile) return;
    const number = /^\d+$/.test(name) ? Number(name) : name.toLowerCase().charCodeAt(0) - 96;
    tile.style.fill = `hsl(${Math.round(300 * number / count)} 60% 72%)`;
  });
}
