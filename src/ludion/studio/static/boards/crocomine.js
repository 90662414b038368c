// CrocoMine and Minesweeper: discover, guess, chord; risks and proofs on the cells.

import { h, svg as make } from "../dom.js";
import { t } from "../strings.js";
import { interactive, keepFocus, middle, pressable, roam } from "./shared.js";

const MODES = ["discover", "T", "S", "C", "chord"];
let mode = "discover";

const flags = (state) => / mines,/.test(state.svg.slice(0, 600));
const cell = (svg, row, column) => svg.querySelector(`[data-cell="${row} ${column}"]`);

// The drawing has a square of 96 units for each cell, 100 apart; hidden ones have a thick edge, guessed ones a disc.
function nameCells(svg) {
  const guessed = new Set([...svg.querySelectorAll('circle[r="34"]')].map((disc) => `${(disc.getAttribute("cy") - 60) / 100} ${(disc.getAttribute("cx") - 60) / 100}`));
  for (const square of svg.querySelectorAll('rect[width="96"][stroke]')) {
    const place = `${(square.getAttribute("y") - 12) / 100} ${(square.getAttribute("x") - 12) / 100}`;
    square.dataset.cell = place;
    if (square.getAttribute("stroke-width") === "1" && !guessed.has(place)) square.dataset.open = "yes";
  }
}

function act(page, place, wanted = mode) {
  if (page.session.state.status !== "running") return;
  const open = page.svg.querySelector(`[data-cell="${place}"]`)?.dataset.open;
  if (wanted === "chord" || (open && wanted === "discover")) page.play(`chord ${place}`);
  else if (wanted === "discover") page.play(`discover ${place}`);
  else page.play(`guess ${place} ${wanted}`);
}

export default {
  ownBoard: true,
  actionExample: "discover 3 4",
  presets: [["9 × 9", "9x9:3/3/4"], ["16 × 16", "16x16:13/13/14"], ["30 × 16", "30x16:33/33/33"], ["Minesweeper 9 × 9", "9x9:10:zero"], ["Minesweeper 16 × 16", "16x16:40:zero"], ["Minesweeper 30 × 16", "30x16:99:zero"]],
  attach(page, svg, state) {
    interactive(svg);
    nameCells(svg);
    const simple = flags(state);
    for (const button of page.extras.querySelectorAll("button")) button.hidden = simple && (button.value === "S" || button.value === "C");
    for (const shape of svg.querySelectorAll("[data-cell]")) {
      const place = shape.dataset.cell;
      let timer = 0;
      let held = false;
      pressable(shape, place.replace(" ", ", "), () => { if (!held) act(page, place); held = false; });
      shape.addEventListener("contextmenu", (event) => { event.preventDefault(); act(page, place, mode === "discover" || mode === "chord" ? "T" : "discover"); });
      shape.addEventListener("dblclick", () => act(page, place, "chord"));
      shape.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "touch") timer = setTimeout(() => { held = true; act(page, place, "T"); }, 500);
      });
      for (const end of ["pointerup", "pointerleave", "pointercancel"]) shape.addEventListener(end, () => clearTimeout(timer));
    }
    keepFocus(svg, (target) => target.dataset.cell && `[data-cell="${target.dataset.cell}"]`);
  },
  centre(move, svg) {
    const [, row, column] = move.split(" ");
    const found = cell(svg, row, column);
    return found && middle(found);
  },
  key(page, event) {
    const wanted = { d: "discover", t: "T", k: "S", c: "C", o: "chord" }[event.key];
    if (wanted) { page.extras.querySelector(`button[value="${wanted}"]`)?.click(); return true; }
    return roam(page.svg, event);
  },
  extras(page) {
    const buttons = MODES.map((each) => h("button", { type: "button", class: "toggle", value: each, "aria-pressed": String(each === mode), onclick: () => {
      mode = each;
      for (const other of buttons) other.setAttribute("aria-pressed", other.value === mode);
    } }, t(`mode.${each}`)));
    page.extras.append(h("span", { class: "inline" }, t("mode")), ...buttons);
  },
  // Every hidden cell with its risk; what is certain in its colour; the proof of a cell when it has the focus.
  study(page, svg, answer) {
    svg.querySelector("g.scores")?.remove();
    const group = make("g", { class: "marks scores", "pointer-events": "none" });
    const proof = make("g", { class: "marks" , "pointer-events": "none" });
    for (const each of answer.cells) {
      const shape = cell(svg, each.row, each.column);
      if (!shape) continue;
      const { x, y, size } = middle(shape);
      const risk = 1 - each.empty;
      const square = { x: x - size * 0.46, y: y - size * 0.46, width: size * 0.92, height: size * 0.92, rx: 6 };
      if (each.certain) {
        const safe = each.empty === 1;
        group.append(make("rect", { ...square, class: safe ? "safe" : "sure" }), make("text", { class: "label", x, y, "font-size": 38 }, safe ? "✓" : String(each.certain)[0].toUpperCase()));
      } else {
        group.append(make("rect", { ...square, class: "risk", "fill-opacity": (0.7 * risk).toFixed(3) }), make("text", { class: "label", x, y, "font-size": 30 }, `${Math.round(100 * risk)}`));
      }
      if (each.reason) {
        const tell = () => {
          page.say(each.reason);
          proof.replaceChildren(...(each.clues || []).map(([row, column]) => cell(svg, row, column)).filter(Boolean).map((clue) => {
            const place = middle(clue);
            return make("rect", { class: "proof", x: place.x - 42, y: place.y - 42, width: 84, height: 84, rx: 6 });
          }));
        };
        shape.addEventListener("pointerenter", tell);
        shape.addEventListener("focus", tell);
      }
    }
    group.append(proof);
    svg.append(group);
    if (answer.action) page.say(`${answer.action} (${answer.proved ? t("hint.proved") : t("hint.risk", { n: (100 * answer.risk).toFixed(1) })})`);
  },
};
