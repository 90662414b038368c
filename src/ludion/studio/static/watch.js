// Watch mode: the events of a search, one after the other: the node on the board, nodes per depth, the tree's shape.

import { count, fill, h, svg } from "./dom.js";
import { clean, engineFields } from "./fields.js";
import { t } from "./strings.js";

const TREE_NODES = 300;
const SHOWN = new Set(["expanded", "generated", "goal", "valued"]); // events that show a node

export function watchPanel(page) {
  return page.quest ? questPanel(page) : searchPanel(page);
}

// An agent's thoughts along its replay: the layer that decided, what it knew, and what the board module adds.
function questPanel(page) {
  const words = h("p", { class: "verdict", id: "thought" }, "–");
  const list = h("dl", { class: "live" });
  const more = h("div", { id: "layers" });
  const legend = h("div", { class: "legend" }, (page.module.legend?.() || []).map(([name, text]) => {
    const box = h("input", { type: "checkbox", checked: true, value: name });
    box.addEventListener("change", () => page.board.element.classList.toggle(`without-${name}`, !box.checked));
    return h("label", { class: "inline" }, box, h("span", { class: `swatch ${name}` }), text);
  }));
  page.on("thought", (thought) => {
    words.textContent = thought.words ? thought.words : thought.sure ? t("hint_proved") : "–";
    const rows = [];
    if (thought.layer) rows.push([t("watch_layer"), thought.layer_names?.[thought.layer] ?? thought.layer]);
    if (thought.path || thought.plan) rows.push([t("length"), (thought.path || thought.plan).length]);
    if (thought.risk !== undefined) rows.push([t("risk"), `${(100 * thought.risk).toFixed(1)} %`]);
    if (thought.sure !== undefined) rows.push([t("hint_proved"), thought.sure ? "✓" : "–"]);
    fill(list, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
    fill(more, page.module.layers?.(page, thought) || []);
  });
  const step = (by) => page.jump(page.session.cursor + by);
  return h("div", {}, h("p", { class: "help" }, t("watch_text_quest")),
    h("div", { class: "fields" }, h("button", { type: "button", class: "primary", onclick: () => page.agent.run() }, t("agent_run")),
      h("button", { type: "button", id: "watch-back", onclick: () => step(-1) }, t("step_back")), h("button", { type: "button", id: "watch-step", onclick: () => step(1) }, t("step"))),
    words, list, legend, more);
}

function searchPanel(page) {
  const settings = { engine: page.game.kind === "puzzle" ? "a-star" : "alpha-beta", seconds: 3 };
  if (!page.game.engines.some((each) => each.name === settings.engine)) settings.engine = "best";
  page.watched = settings;
  const most = h("input", { type: "number", id: "events", min: 10, max: 20000, value: 2000 });
  const slider = h("input", { type: "range", id: "watch-scrubber", min: 0, max: 0, value: 0, disabled: true, "aria-label": t("watch_event") });
  const speed = h("select", { "aria-label": t("speed") }, [2, 10, 50, 200].map((each) => h("option", { value: each, selected: each === 10 }, `${each}/s`)));
  const words = h("p", { id: "watch-words", class: "verdict" });
  const facts = h("dl", { class: "live", id: "watch-facts" });
  const layers = h("div", { class: "layers" });
  const tree = h("div", { class: "tree scroll" });
  const play = h("button", { type: "button", id: "watch-play", disabled: true }, t("play"));
  const step = h("button", { type: "button", id: "watch-step", disabled: true }, t("step"));
  const board = h("div", { class: "preview" });
  let events = [];
  let reached = new Map(); // node -> { parent, move }: how it was reached
  let at = 0;
  let timer = 0;
  let looking = false;
  let ended = true; // whether the record goes to the end of the search

  function pathTo(node) {
    const path = [];
    for (let here = node; reached.has(here) && path.length < 400; here = reached.get(here).parent) {
      const { move, parent } = reached.get(here);
      if (parent < 0 || move < 0) break;
      path.unshift(move);
    }
    return path;
  }

  async function show(index) {
    at = Math.max(0, Math.min(index, events.length - 1));
    slider.value = at;
    const [kind, node, , , depth, value] = events[at];
    words.textContent = `${at + 1} / ${events.length}: ${t(`watch_${kind}`)} ${t("watch_node", { n: count(node), d: depth, v: value })}`;
    words.className = `verdict ${kind}`;
    showFacts();
    drawLayers();
    drawTree();
    if (looking) return; // the board follows as fast as it can
    looking = true;
    try {
      const state = await page.session.peek(pathTo(node));
      page.preview(state, board);
    } catch { /* a node seen from the other end of a two-sided search */ }
    looking = false;
  }

  // What is known at this event: how much was done, what still waits, the best found.
  function showFacts() {
    let [expanded, cuts, deepest, best] = [0, 0, 0, null];
    const done = new Set();
    const generated = new Set([0]);
    for (let index = 0; index <= at; index += 1) {
      const [kind, node, , , depth, value] = events[index];
      if (kind === "expanded") { expanded += 1; done.add(node); } else if (kind === "cut") cuts += 1;
      else if (kind === "goal") done.add(node);
      else if (kind === "generated") { generated.add(node); done.delete(node); } // a cheaper path opens it again
      else if (kind === "improved") best = value;
      deepest = Math.max(deepest, depth);
    }
    let waiting = 0; // children of what was expanded whose turn comes later in the record
    if (generated.size > 1) waiting = generated.size - done.size;
    else for (const [node, { parent }] of reached) if (!done.has(node) && done.has(parent)) waiting += 1;
    const rows = [[t("watch_done"), count(expanded)], [t("watch_seen"), count(Math.max(generated.size, reached.size))], [t("frontier"), `${count(waiting)}${ended ? "" : " +"}`], [t("depth"), deepest]];
    if (cuts) rows.push([t("watch_cuts"), count(cuts)]);
    if (best !== null) rows.push([t("bound"), best]);
    fill(facts, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
  }

  function drawLayers() {
    const counts = [];
    const cuts = [];
    for (let index = 0; index <= at; index += 1) {
      const [kind, , , , depth] = events[index];
      if (kind !== "cut" && kind !== "expanded") continue;
      const list = kind === "cut" ? cuts : counts;
      if (depth >= 0 && depth < 200) list[depth] = (list[depth] || 0) + 1;
    }
    const deepest = Math.max(counts.length, cuts.length);
    const largest = Math.max(1, ...Array.from({ length: deepest }, (_, depth) => (counts[depth] || 0) + (cuts[depth] || 0)));
    const row = Math.max(7, Math.min(16, 260 / Math.max(1, deepest)));
    const current = events[at][4];
    fill(layers, h("h2", { class: "small" }, t("watch_perdepth")), svg("svg", { viewBox: `0 0 320 ${deepest * row + 4}`, class: "graph", role: "img", "aria-label": t("watch_perdepth") },
      Array.from({ length: deepest }, (_, depth) => {
        const wide = 250 * (counts[depth] || 0) / largest;
        return [svg("text", { x: 20, y: depth * row + row / 2, class: "name" }, String(depth)),
          svg("rect", { x: 26, y: depth * row + 1, width: Math.max(wide, 0.5), height: row - 2, rx: 2, class: depth === current ? "tone-green" : "tone-blue" }),
          svg("rect", { x: 26 + wide, y: depth * row + 1, width: 250 * (cuts[depth] || 0) / largest, height: row - 2, rx: 2, class: "tone-red" }),
          svg("text", { x: 30 + wide + 250 * (cuts[depth] || 0) / largest, y: depth * row + row / 2, class: "tick start" }, `${counts[depth] || 0}${cuts[depth] ? ` ✕${cuts[depth]}` : ""}`)];
      }).flat()));
  }

  // The first nodes of the search as a tree: a node stands under its parent, cut branches end in a red bar.
  let layout = null;
  function plan() {
    const places = new Map();
    const rows = [];
    for (const [kind, node, parent, , depth] of events) {
      if (!SHOWN.has(kind) || places.has(node)) continue;
      if (places.size >= TREE_NODES) break;
      const row = parent < 0 ? 0 : (places.get(parent)?.row ?? depth - 1) + 1;
      const place = { row, parent };
      (rows[row] ||= []).push(place);
      places.set(node, place);
    }
    const width = Math.max(320, Math.max(...rows.map((row) => row?.length || 0), 1) * 7);
    for (const row of rows) { // each row in the order of the parents above it, so that few branches cross
      row?.sort((a, b) => (places.get(a.parent)?.x ?? 0) - (places.get(b.parent)?.x ?? 0));
      row?.forEach((each, index) => Object.assign(each, { x: width * (index + 0.5) / row.length, y: 8 + each.row * 22 }));
    }
    layout = { places, width, height: rows.length * 22 + 4 };
  }

  function drawTree() {
    if (!layout) plan();
    const { places, width, height } = layout;
    const [expanded, seen, cut] = [new Set(), new Set(), new Set()];
    for (let index = 0; index <= at; index += 1) {
      const [kind, node] = events[index];
      if (kind === "cut") cut.add(node);
      else seen.add(node);
      if (kind === "expanded" || kind === "goal") expanded.add(node);
    }
    const parts = [];
    for (const [node, each] of places) {
      if (!seen.has(node)) continue;
      const above = places.get(each.parent);
      if (above) parts.push(svg("line", { x1: above.x, y1: above.y, x2: each.x, y2: each.y, class: "branch" }));
    }
    for (const [node, each] of places) {
      if (!seen.has(node)) continue;
      if (cut.has(node)) parts.push(svg("line", { x1: each.x - 4, x2: each.x + 4, y1: each.y + 6, y2: each.y + 6, class: "cutmark" }));
      parts.push(svg("circle", { cx: each.x, cy: each.y, r: node === events[at][1] ? 5 : 2.6, class: node === events[at][1] ? "now" : "knot", "fill-opacity": expanded.has(node) ? 1 : 0.35 }));
    }
    fill(tree, h("h2", { class: "small" }, t("watch_tree", { n: places.size })), svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "graph", role: "img", "aria-label": t("watch_tree", { n: places.size }) }, parts));
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    play.textContent = t("play");
  }

  function go() {
    if (timer) return pause();
    play.textContent = t("pause");
    const rate = () => Number(speed.value);
    const tick = () => {
      if (at >= events.length - 1) return pause();
      show(at + Math.max(1, Math.round(rate() / 20)));
      timer = setTimeout(tick, Math.max(50, 1000 / rate()));
      return null;
    };
    if (at >= events.length - 1) at = -1;
    timer = setTimeout(tick, 0);
    return null;
  }

  async function start() {
    pause();
    events = [];
    reached = new Map();
    layout = null;
    const answer = await page.question("solve", { ...page.session.place, ...clean(settings), events: Number(most.value) || 2000 }, {
      events: (rows) => {
        for (const row of rows) {
          events.push(row);
          if (row[0] === "expanded" || (SHOWN.has(row[0]) && !reached.has(row[1]))) reached.set(row[1], { parent: row[2], move: row[3] });
        }
      },
    });
    if (answer) page.asking.showAnswer(answer);
    ended = events.length < (Number(most.value) || 2000);
    const any = events.length > 0;
    for (const each of [slider, play, step]) each.disabled = !any;
    slider.max = Math.max(0, events.length - 1);
    if (any) show(0);
    else { words.textContent = t("watch_nothing"); fill(layers); fill(tree); fill(board); }
  }

  slider.addEventListener("input", () => { pause(); show(Number(slider.value)); });
  play.addEventListener("click", go);
  step.addEventListener("click", () => { pause(); show(at + 1); });
  page.on("position", () => { pause(); });
  return h("div", {}, h("p", { class: "help" }, t("watch_text")), engineFields(page.game, settings, () => page.emit("settings")),
    h("div", { class: "fields" }, h("label", { class: "short" }, h("span", {}, t("watch_events")), most), h("button", { type: "button", class: "primary", id: "watch-start", onclick: start }, t("watch_start"))),
    h("div", { class: "timeline" }, play, step, slider, speed), words, facts, h("div", { class: "watched" }, board, layers), tree);
}
