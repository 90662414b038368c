// Delirium 2: the arrows walk (with Shift: dig), tick by tick or in real time; an agent's thoughts on the map.

import { frame, grid, pressable, slideAhead } from "../board.js";
import { h, svg as make } from "../dom.js";
import { onSwipe } from "../gestures.js";
import { randomSeed } from "../newgame.js";
import { t } from "../strings.js";

const WALK = { ArrowRight: "right", ArrowUp: "up", ArrowLeft: "left", ArrowDown: "down" };
const STEPS = { right: [1, 0], up: [0, -1], left: [-1, 0], down: [0, 1] }; // of the actions that walk
const LETTERS = {
  ".": "wait",
  ...{ r: "right", u: "up", l: "left", d: "down" },
  ...{ R: "dig-right", U: "dig-up", L: "dig-left", D: "dig-down" },
}; // of replays
const MOST_MOVES = 10_000; // more are refused
const TICK = 160; // milliseconds of real time
let held = "wait";
let clock = 0;

// The cells that a plan leads through: given, or walked from where the miner is.
function pathOf({ path, action, plan, here }) {
  if (path || !plan || !here) return path || [];
  let [x, y] = here;
  return [action, ...plan]
    .filter((each) => each in STEPS)
    .map((each) => {
      x += STEPS[each][0];
      y += STEPS[each][1];
      return [x, y];
    });
}

// One action, if the game still runs when its turn comes.
const step = (page, action) => page.play((state) => (state.status === "running" ? action : null));

const running = (page) => page.session.state.status === "running";

function realTime(page, on) {
  clearInterval(clock);
  clock = 0;
  if (!on) return;
  let waiting = false;
  clock = setInterval(async () => {
    if (waiting || !running(page) || page.replay.playing || page.asking.job) return;
    waiting = true;
    await page.play(held);
    waiting = false;
  }, TICK);
}

export default {
  ownBoard: true,
  goal: () => t("goal_delirium"),
  choices: () => [
    {
      name: "difficulty",
      label: t("choice_difficulty"),
      values: ["easy", "medium", "hard"].map((each) => [each, t(`difficulty_${each}`)]),
      value: "easy",
    },
  ],
  async newGame({ difficulty }, page) {
    const answer = await page.question("generate", { seed: randomSeed(), settings: { difficulty } });
    return { start: answer?.position };
  },
  counters: ({ dataset: { ticks, diamonds, need } }) => [
    [t("diamonds"), `${diamonds} / ${need}`],
    [t("ticks"), ticks],
  ],
  fits: true, // cells are walked on by swipes, not pressed
  playable: () => false,
  // A press walks a step towards the cell.
  press(page, cell) {
    const miner = page.svg.querySelector("[data-miner]")?.dataset.cell.split(" ").map(Number);
    if (!miner) return false;
    const [x, y] = cell.split(" ").map(Number);
    const [right, down] = [x - miner[0], y - miner[1]];
    if (!right && !down) step(page, "wait");
    else if (Math.abs(right) >= Math.abs(down)) step(page, right > 0 ? "right" : "left");
    else step(page, down > 0 ? "down" : "up");
    return true;
  },
  // He walks where nothing is in his way; whatever else a tick brings, the server knows.
  foresee(page, svg, move) {
    const miner = svg.querySelector("[data-miner]");
    const [right, down] = STEPS[move] ?? [0, 0];
    const [x, y] = miner?.dataset.cell.split(" ").map(Number) ?? [];
    const free = svg.querySelector(`[data-cell="${x + right} ${y + down}"]`)?.hasAttribute("data-empty");
    if (free) for (const part of miner.children) slideAhead(part, right * grid(svg).unit, down * grid(svg).unit, 60);
    return true;
  },
  prompt: () => t("prompt_delirium"),
  async daily(day, page) {
    const answer = await page.question("generate", { seed: day, settings: { difficulty: "easy" } });
    return { start: answer?.position };
  },
  actionExample: "right, dig-left, wait",
  keys: [
    ["← ↑ → ↓", t("key_walk")],
    ["Shift", t("key_dig")],
    [".", t("key_wait")],
    ["t", t("realtime")],
  ],
  drags: true,
  // A swipe walks a step; held, it walks on, and turns with the finger.
  open(page) {
    let walking = 0;
    const stop = () => {
      clearInterval(walking);
      const last = held;
      setTimeout(() => {
        if (held === last) held = "wait";
      }, TICK); // a short swipe in real time walks a step, too
    };
    onSwipe(
      page.board.element,
      (action) => {
        stop();
        if (clock) {
          held = action;
          return;
        }
        step(page, action);
        walking = setInterval(() => (running(page) ? step(page, action) : stop()), TICK);
      },
      stop,
    );
  },
  key(page, event) {
    if (event.key === "t") {
      page.extras.querySelector("#realtime").click();
      return true;
    }
    const way = WALK[event.key];
    if (!way && event.key !== ".") return false;
    if (!running(page)) return true;
    const action = way ? `${event.shiftKey ? "dig-" : ""}${way}` : "wait";
    if (clock) {
      held = action;
      addEventListener(
        "keyup",
        () => {
          held = "wait";
        },
        { once: true },
      );
    } else step(page, action);
    return true;
  },
  extras(page) {
    const ways = [
      ["←", "left"],
      ["↑", "up"],
      ["↓", "down"],
      ["→", "right"],
      ["·", "wait"],
    ];
    const pad = ways.map(([sign, action]) =>
      h(
        "button",
        {
          type: "button",
          class: "round",
          "data-action": action,
          "aria-label": t(`way_${action}`),
          title: t(`way_${action}`),
          onclick: () => step(page, action),
        },
        sign,
      ),
    );
    const box = h("input", { type: "checkbox", id: "realtime" });
    box.addEventListener("change", () => realTime(page, box.checked));
    page.extras.append(h("div", { class: "pad" }, pad), h("label", { class: "inline" }, box, t("realtime")));
  },
  // What the agent knows and wants: unknown cells in the dark, remembered ones in the shade, what it sees now in
  // full light; danger red and hatched, the planned path green, barred cells crossed out.
  thought(page, svg, thought) {
    if (!svg) return;
    svg.querySelector("g.thought")?.remove();
    const { columns, rows, unit } = grid(svg);
    const group = make("g", { class: "marks thought", "pointer-events": "none" });
    const square = ([x, y], name) => make("rect", { class: name, x: x * unit, y: y * unit, width: unit, height: unit });
    const cross = ([x, y], name) =>
      make("path", {
        class: name,
        d: `M${(x + 0.15) * unit} ${(y + 0.15) * unit}l${0.7 * unit} ${0.7 * unit}m0 ${-0.7 * unit}l${-0.7 * unit} ${0.7 * unit}`,
      });
    if (thought.window) {
      const seen = page.agent.windows(); // every window up to here
      const within = ([left, top, width, height], x, y) =>
        x >= left && x < left + width && y >= top && y < top + height;
      for (let y = 0; y < rows; y += 1) {
        for (let x = 0; x < columns; x += 1) {
          if (within(thought.window, x, y)) continue;
          group.append(square([x, y], seen.some((each) => within(each, x, y)) ? "remembered" : "unknown"));
        }
      }
      const [left, top, width, height] = thought.window;
      if (width < columns || height < rows)
        group.append(
          make("rect", { class: "window", x: left * unit, y: top * unit, width: width * unit, height: height * unit }),
        );
    }
    for (const each of thought.dangers || [])
      group.append(
        square(each, "danger"),
        make("path", { class: "hatch", d: `M${each[0] * unit} ${(each[1] + 1) * unit}l${unit} ${-unit}` }),
      );
    for (const each of pathOf(thought)) group.append(square(each, "path"));
    for (const each of thought.barred || []) group.append(cross(each, "barred"));
    if (thought.target)
      group.append(
        make("circle", {
          class: "target",
          cx: (thought.target[0] + 0.5) * unit,
          cy: (thought.target[1] + 0.5) * unit,
          r: unit * 0.45,
        }),
      );
    svg.append(group);
    if (thought.words) page.say(thought.words);
  },
  legend: () => [
    ["unknown", t("legend_unknown")],
    ["remembered", t("legend_remembered")],
    ["danger", t("legend_danger")],
    ["path", t("legend_path")],
    ["barred", t("legend_barred")],
  ],
  // A replay in a mine's text (Actions=r2du) is played action by action, so that it can be stepped through.
  unfold(text) {
    const replay = /^Actions=(.*)\n/m.exec(text);
    if (!replay) return null;
    const moves = [];
    for (const [, sign, times] of replay[1].matchAll(/([.ruldRULD])(\d*)/g)) {
      for (let count = Number(times || 1); count > 0 && moves.length <= MOST_MOVES; count -= 1)
        moves.push(LETTERS[sign]);
    }
    return { start: text.replace(replay[0], ""), moves };
  },
  brushes: () => [
    [".", t("brush_dirt")],
    [" ", t("brush_empty")],
    ["w", t("brush_wall")],
    ["r", t("brush_stone")],
    ["d", t("brush_diamond")],
    ["O", t("brush_red")],
    ["B", t("brush_blue")],
    ["P", t("brush_miner")],
    ["X", t("brush_exit")],
  ],
  // The map between [map] and [/map], one sign per cell; there is one miner, and he moves to where he is put.
  edit(svg, text, change, brush) {
    const match = /^(.*\[map\]\n)(.*?)(\n\[\/map\].*)$/s.exec(text);
    if (!match) return;
    const lines = match[2].split("\n").map((line) => [...line]);
    const { columns, rows } = grid(svg);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        if (lines[row]?.[column] === undefined) continue;
        pressable(frame(svg, column, row), `${column}, ${row}`, () => {
          if (brush() === "P")
            for (const line of lines)
              line.forEach((sign, at) => {
                if (sign === "P") line[at] = " ";
              });
          lines[row][column] = brush();
          change(match[1] + lines.map((line) => line.join("")).join("\n") + match[3]);
        });
      }
    }
  },
};
