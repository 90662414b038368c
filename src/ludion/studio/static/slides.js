// A recorded search as one animated SVG file for slides: boards, captions and growing trees, in a loop. It needs no
// script; where motion is unwanted, the last picture stands still.

import { svg } from "./dom.js";
import { layOut, rowAt, rowHeight } from "./treeview.js";
import { pictureOf } from "./watching.js";

const FRAMES = 40;
const FRAME = 0.7; // seconds
const [BOARD, TREE, HIGH, GAP] = [360, 560, 360, 20]; // sizes on the slide

// Evenly spread steps, the first and the last among them.
const spread = (count) => {
  const frames = Math.min(FRAMES, count);
  return Array.from({ length: frames }, (_, each) => Math.round((each * (count - 1)) / Math.max(1, frames - 1)));
};

export async function animation(watch) {
  const { recordedTracks: tracks, steps } = watch;
  const shown = spread(steps.length);
  const rows = [];
  for (const [place, track] of tracks.entries()) rows.push(await row(track, shown, steps, place * (HIGH + 70)));
  const width = BOARD + GAP + TREE + 2 * GAP;
  const height = tracks.length * (HIGH + 70) + GAP;
  const palette = await (await fetch(new URL("palette.css", import.meta.url))).text();
  const root = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif" },
    svg("title", {}, `${watch.game.title}: ${tracks.map((each) => each.name).join(" / ")}`),
    svg("style", {}, `${palette}\n${rules(shown.length)}`),
    svg("rect", { width, height, fill: "var(--paper)" }),
    ...rows,
  );
  return new XMLSerializer().serializeToString(root);
}

// Frame k is seen in its own share of the time; `since-k` from then on.
function rules(frames) {
  const percent = (place) => `${((100 * place) / frames).toFixed(3)}%`;
  const time = `${(frames * FRAME).toFixed(1)}s step-end infinite`;
  const all = Array.from({ length: frames }, (_, each) => {
    const from = each ? `0%{visibility:hidden}${percent(each)}{visibility:visible}` : "0%{visibility:visible}";
    const until = each < frames - 1 ? `${percent(each + 1)}{visibility:hidden}` : "";
    return (
      `@keyframes f${each}{${from}${until}}@keyframes s${each}{${from}}` +
      `.f${each}{animation:f${each} ${time}}.s${each}{animation:s${each} ${time}}`
    );
  });
  const still = `@media(prefers-reduced-motion:reduce){*{animation:none!important}.f:not(.f${frames - 1}){visibility:hidden}}`;
  return `${all.join("")}${still}
.b,.k,.c,.r{vector-effect:non-scaling-stroke}.t{fill:var(--ink);font-size:17px}.h{font-weight:600;font-size:20px}.b{fill:none;stroke:var(--line);stroke-width:1.5}
.best{stroke:var(--blue);stroke-width:4}.k{fill:var(--blue)}.c{stroke:var(--red);stroke-width:3}
.r{fill:none;stroke:var(--green);stroke-width:3}`;
}

async function row(track, shown, steps, top) {
  const { recording } = track;
  const { x: across, width, deepest } = layOut(recording);
  const high = rowHeight((width * HIGH) / TREE, deepest);
  const height = rowAt(deepest + 1, high);
  const places = recording.nodes.map(({ depth }, index) => ({ x: across[index], y: rowAt(depth, high) }));
  const best = new Set(recording.line);
  const indexes = shown.map((step) => track.at(steps[step]));
  for (const each of indexes) if (!track.has(each)) await track.load(each);
  const frames = indexes.map((index, frame) => {
    const state = track.boards.get(recording.event(index).node);
    const board = pictureOf(state);
    const drawn =
      board.nodeName === "svg" ? board : svg("text", { class: "t", y: 30 }, state.error ?? state.board ?? "");
    if (drawn === board)
      for (const [name, value] of Object.entries({ width: BOARD, height: HIGH })) drawn.setAttribute(name, value);
    return svg(
      "g",
      { class: `f f${frame}` },
      svg("g", { transform: `translate(0 30)` }, drawn),
      svg("text", { class: "t", x: 0, y: HIGH + 54 }, track.caption(index, state)),
    );
  });
  const rings = indexes.map((index, frame) => {
    const { x, y } = places[recording.event(index).node];
    return svg("circle", { cx: x, cy: y, r: 9, class: `r f f${frame}` });
  });
  const branches = [];
  const knots = [];
  for (const [index, node] of recording.nodes.entries()) {
    const frame = indexes.findIndex((each) => each >= node.first);
    const { x, y } = places[index];
    if (node.parent >= 0) {
      const above = places[node.parent];
      const thick = best.has(index) && best.has(node.parent) ? " best" : "";
      branches.push(svg("path", { d: `M${above.x} ${above.y}L${x} ${y}`, class: `b s${frame}${thick}` }));
    }
    knots.push(svg("circle", { cx: x, cy: y, r: 4, class: `k s${frame}` }));
    if (Number.isFinite(node.cut)) knots.push(svg("path", { d: `M${x - 6} ${y + 8}h12`, class: `c s${frame}` }));
  }
  return svg(
    "g",
    { transform: `translate(${GAP} ${top + GAP})` },
    svg("text", { class: "t h", y: 16 }, track.name),
    ...frames,
    svg(
      "svg",
      { x: BOARD + GAP, y: 30, width: TREE, height: HIGH, viewBox: `0 0 ${width} ${height}` },
      ...branches,
      ...knots,
      ...rings,
    ),
  );
}
