// Delirium 2: the arrows walk (with Shift: dig), tick by tick or in real time; an agent's thoughts on the map.

import { h, svg as make } from "../dom.js";
import { t } from "../strings.js";

const CELL = 20;
const WALK = { ArrowRight: 1, ArrowUp: 2, ArrowLeft: 3, ArrowDown: 4 };
const SIGNS = ["·", "→", "↑", "←", "↓", "⇢", "⇡", "⇠", "⇣"];
const TICK = 160; // milliseconds of real time
let held = 0;
let clock = 0;

const running = (page) => page.session.state.status === "running";

function realTime(page, on) {
  clearInterval(clock);
  clock = 0;
  if (!on) return;
  let waiting = false;
  clock = setInterval(async () => {
    if (waiting || !running(page) || page.playing || page.job) return;
    waiting = true;
    await page.play(String(held));
    waiting = false;
  }, TICK);
}

export default {
  ownBoard: true,
  actionExample: "0 … 8",
  words: (move) => SIGNS[Number(move)] ?? move,
  attach(page, svg) {
    let from = null;
    svg.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
    svg.addEventListener("pointerup", (event) => {
      if (!from || !running(page)) return;
      const [right, down] = [event.clientX - from[0], event.clientY - from[1]];
      from = null;
      if (Math.max(Math.abs(right), Math.abs(down)) < 24) return;
      page.play(String(Math.abs(right) > Math.abs(down) ? (right > 0 ? 1 : 3) : down > 0 ? 4 : 2));
    });
  },
  key(page, event) {
    const way = WALK[event.key];
    if (!way && event.key !== ".") return false;
    if (!running(page)) return true;
    const action = way ? way + (event.shiftKey ? 4 : 0) : 0;
    if (clock) {
      held = action;
      addEventListener("keyup", () => { held = 0; }, { once: true });
    } else page.play(String(action));
    return true;
  },
  extras(page) {
    const pad = [[2, "↑"], [3, "←"], [0, "·"], [1, "→"], [4, "↓"]].map(([action, sign]) => h("button", { type: "button", class: "round", "data-action": action, "aria-label": sign, onclick: () => running(page) && page.play(String(action)) }, sign));
    const box = h("input", { type: "checkbox", id: "realtime" });
    box.addEventListener("change", () => realTime(page, box.checked));
    page.extras.append(...pad, h("label", { class: "inline" }, box, t("realtime")));
  },
  thought(page, svg, thought) {
    if (!svg) return;
    svg.querySelector("g.thought")?.remove();
    const group = make("g", { class: "marks thought", "pointer-events": "none" });
    const square = ([x, y], name) => make("rect", { class: name, x: x * CELL, y: y * CELL, width: CELL, height: CELL });
    for (const each of thought.dangers || []) group.append(square(each, "danger"));
    for (const each of thought.path || []) group.append(square(each, "path"));
    for (const [x, y] of thought.barred || []) group.append(make("path", { class: "barred", d: `M${x * CELL + 3} ${y * CELL + 3}l14 14m0-14l-14 14` }));
    if (thought.target) group.append(make("circle", { class: "target", cx: thought.target[0] * CELL + 10, cy: thought.target[1] * CELL + 10, r: 9 }));
    svg.append(group);
    if (thought.words) page.say(thought.words);
  },
};
