// The tree of a recorded search: tidy, grows with the events, can be zoomed and panned; a press chooses a node.

import { count, fill, h, svg } from "./dom.js";
import { t } from "./strings.js";
import { tidyTree } from "./tidytree.js";

const [WIDE, HIGH, EDGE] = [16, 30, 20]; // of a node; around the tree
const NEAR_VIEW = 320; // width of a view of one node and those around it
const NEAR = 14; // pixels within which a press means a node
const MOVED = 4; // pixels after which a press is a drag

// Where the nodes of a recording stand: x of each, and how deep the tree is. Several starts (iterations of a search)
// stand beside each other.
export function layOut(recording) {
  const { nodes } = recording;
  const roots = nodes.flatMap((each, index) => (each.parent < 0 ? [index] : []));
  const x = tidyTree([...nodes.map((each) => each.children), roots], nodes.length).subarray(0, nodes.length);
  const left = x.reduce((least, each) => Math.min(least, each), 0);
  const right = x.reduce((most, each) => Math.max(most, each), 0);
  return {
    x: Array.from(x, (each) => EDGE + (each - left) * WIDE),
    width: (right - left) * WIDE + 2 * EDGE,
    deepest: nodes.reduce((most, each) => Math.max(most, each.depth), 1),
  };
}

// How far the rows of a tree are apart so that they fill this height, and the middle of a row.
export const rowHeight = (height, deepest) => Math.max(HIGH, (height - 2 * EDGE) / deepest);
export const rowAt = (depth, high) => EDGE + depth * high;

export class TreeView {
  constructor(recording, choose) {
    this.recording = recording;
    this.choose = choose;
    Object.assign(this, layOut(recording));
    this.high = HIGH; // between two rows: a wide tree that is seen as a whole has more
    this.moved = false; // by the reader: else the whole tree is shown
    const best = new Set(recording.line);
    const branches = [];
    const knots = [];
    this.parts = recording.nodes.map((node, index) => {
      const onLine = best.has(index) ? " best" : "";
      const branch = node.parent < 0 ? null : svg("path", { class: `branch${best.has(node.parent) ? onLine : ""}` });
      const knot = svg(
        "g",
        { class: `knot${onLine}` },
        svg("circle", { r: 4 }),
        Number.isFinite(node.cut) ? svg("path", { d: "M-6 8H6", class: "cutmark" }) : [],
        node.hidden ? svg("text", { y: 16 }, `+${count(node.hidden)}`) : [],
      );
      if (branch) branches.push(branch);
      knots.push(knot);
      return { branch, knot, state: null };
    });
    this.ring = svg("circle", { r: 8, class: "ring" });
    this.picture = svg(
      "svg",
      { class: "graph treeview", role: "img", tabindex: 0, "aria-label": this.title() },
      ...branches,
      ...knots,
      this.ring,
    );
    this.element = h(
      "figure",
      { class: "tree" },
      h("figcaption", {}, this.title()),
      this.picture,
      h(
        "div",
        { class: "treebar" },
        this.#button("+", t("tree_closer"), () => this.zoom(0.6)),
        this.#button("−", t("tree_farther"), () => this.zoom(1 / 0.6)),
        this.#button("⤢", t("tree_whole"), () => {
          this.moved = false;
          this.#look(this.#whole());
        }),
        this.#button("◎", t("tree_here"), () => this.#centre(true)),
        h(
          "span",
          { class: "key" },
          sign("best", t("tree_best")),
          recording.nodes.some((each) => Number.isFinite(each.cut)) ? sign("cut", t("tree_cut")) : null,
          sign("ring", t("tree_now")),
        ),
      ),
    );
    this.#listen();
    this.#space();
    this.#look(this.#whole());
    new ResizeObserver(() => this.#look(this.moved ? this.view : this.#whole())).observe(this.picture);
  }

  #place(index) {
    return { x: this.x[index], y: rowAt(this.recording.nodes[index].depth, this.high) };
  }

  // Put every part where it belongs, as far apart as the rows are now.
  #space() {
    for (const [index, { branch, knot }] of this.parts.entries()) {
      const { x, y } = this.#place(index);
      knot.setAttribute("transform", `translate(${x} ${y})`);
      if (!branch) continue;
      const above = this.#place(this.recording.nodes[index].parent);
      const half = this.high / 2;
      branch.setAttribute("d", `M${above.x} ${above.y}C${above.x} ${above.y + half} ${x} ${y - half} ${x} ${y}`);
    }
    this.#showRing();
  }

  #showRing() {
    if (this.now === undefined) return;
    const { x, y } = this.#place(this.now);
    this.ring.setAttribute("transform", `translate(${x} ${y})`);
  }

  title() {
    const { nodes, thinned } = this.recording;
    return t(thinned ? "tree_thinned" : "tree_title", { n: nodes.length, nodes: count(nodes.length) });
  }

  #button(sign, label, press) {
    return h("button", { type: "button", class: "round", "aria-label": label, title: label, onclick: press }, sign);
  }

  // The tree after an event: what was discovered until then, and the node of the event.
  show(index) {
    const { nodes } = this.recording;
    for (const [place, part] of this.parts.entries()) {
      const node = nodes[place];
      const state =
        node.first > index ? "later" : `${node.expanded <= index ? "" : "open"}${node.cut <= index ? " cut" : ""}`;
      if (state === part.state) continue;
      for (const each of [part.branch, part.knot]) {
        each?.classList.remove("later", "open", "cut");
        if (state.trim()) each?.classList.add(...state.trim().split(" "));
      }
      part.state = state;
    }
    this.now = this.recording.event(index).node;
    this.#showRing();
    this.#centre(false);
  }

  // Bring the present node into view; with `always`, into the middle and near.
  #centre(always) {
    const { x, y } = this.#place(this.now ?? 0);
    const { view } = this;
    const inside = x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height;
    if (inside && !always) return;
    if (always && view.width > NEAR_VIEW) this.zoom(NEAR_VIEW / view.width, { x, y });
    const { width, height } = this.view;
    const now = this.#place(this.now ?? 0);
    this.#look({ x: now.x - width / 2, y: now.y - height / 2, width });
  }

  #ratio() {
    const { width, height } = this.picture.getBoundingClientRect();
    return width ? height / width : 0.5;
  }

  // The view of the whole tree.
  #whole() {
    const width = Math.max(this.width, 160, (rowAt(this.deepest, HIGH) + EDGE) / this.#ratio());
    return { x: (this.width - width) / 2, y: 0, width };
  }

  // Show this part of the tree. Its rows spread over the whole height, so that a wide tree is no strip.
  #look({ x, y, width }) {
    const height = width * this.#ratio();
    const high = rowHeight(height, this.deepest);
    if (high !== this.high) {
      this.high = high;
      this.#space();
    }
    const all = rowAt(this.deepest, high) + EDGE;
    this.view = { x, y: all <= height + 1 ? (all - height) / 2 : y, width, height };
    this.picture.setAttribute("viewBox", `${x} ${this.view.y} ${width} ${height}`);
    this.picture.classList.toggle("far", width > 900);
    this.picture.classList.toggle("farther", width > 2500);
  }

  zoom(factor, centre = null) {
    const { x, y, width, height } = this.view;
    const to = Math.min(Math.max(width * factor, 80), this.#whole().width * 1.5);
    this.moved = true;
    const by = to / width;
    const middle = centre ?? { x: x + width / 2, y: y + height / 2 };
    const row = (middle.y - EDGE) / this.high; // stays where it is, although rows move apart
    const high = rowHeight(to * this.#ratio(), this.deepest);
    this.#look({ x: middle.x - (middle.x - x) * by, y: rowAt(row, high) - (middle.y - y) * by, width: to });
  }

  // A point of the page in the coordinates of the tree.
  #point({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.picture.getScreenCTM().inverse());
  }

  // The node that is shown nearest to a point of the page.
  nearest(event) {
    const point = this.#point(event);
    const scale = this.picture.getScreenCTM().a;
    let [nearest, least] = [-1, NEAR / scale];
    for (const index of this.parts.keys()) {
      const { x, y } = this.#place(index);
      const away = Math.hypot(x - point.x, y - point.y);
      if (away < least && this.parts[index].state !== "later") [nearest, least] = [index, away];
    }
    return nearest;
  }

  #listen() {
    const { picture } = this;
    const fingers = new Map();
    let moved = 0;
    picture.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, event);
      moved = 0;
      picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const [from, to] = [this.#point(before), this.#point(event)];
      moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
      if (fingers.size === 2) {
        const other = [...fingers.values()].find((each) => each.pointerId !== event.pointerId);
        const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        this.zoom(apart(before) / Math.max(1, apart(event)), this.#point(other));
      } else if (moved > MOVED) {
        this.moved = true;
        const { x, y, width } = this.view;
        this.#look({ x: x - (to.x - from.x), y: y - (to.y - from.y), width });
      }
      fingers.set(event.pointerId, event);
    });
    picture.addEventListener("pointerup", (event) => {
      if (fingers.size === 1 && moved <= MOVED) {
        const node = this.nearest(event);
        if (node >= 0) this.choose(node);
      }
      fingers.delete(event.pointerId);
    });
    picture.addEventListener("pointercancel", (event) => fingers.delete(event.pointerId));
    picture.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
        event.preventDefault();
        this.zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, this.#point(event));
      },
      { passive: false },
    );
    picture.addEventListener("keydown", (event) => {
      const { width, height, x, y } = this.view;
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (by) this.#look({ x: x + (by[0] * width) / 8, y: y + (by[1] * height) / 8, width });
      else if (event.key === "+") this.zoom(0.6);
      else if (event.key === "-") this.zoom(1 / 0.6);
      else return;
      event.preventDefault();
    });
  }
}

const SIGNS = {
  best: () => svg("path", { d: "M2 7H22", class: "branch best" }),
  cut: () => svg("path", { d: "M6 7H18", class: "cutmark" }),
  ring: () => svg("circle", { cx: 12, cy: 7, r: 5, class: "ring" }),
};

function sign(name, words) {
  return h(
    "span",
    {},
    svg("svg", { viewBox: "0 0 24 14", class: "graph sign", "aria-hidden": "true" }, SIGNS[name]()),
    words,
  );
}

// Nodes expanded and cuts per depth, as bars.
export function depthBars(recording, index) {
  const rows = recording.perDepth(index);
  const largest = Math.max(1, ...rows.map(([expanded, cuts]) => expanded + cuts));
  const high = Math.max(7, Math.min(16, 260 / Math.max(1, rows.length)));
  const { depth: current } = recording.event(index);
  const bar = (x, y, width, tone) => svg("rect", { x, y, width, height: high - 2, rx: 2, class: `tone-${tone}` });
  const parts = rows.flatMap(([expanded, cuts], depth) => {
    const [y, wide, cut] = [depth * high, (230 * expanded) / largest, (230 * cuts) / largest];
    return [
      svg("text", { x: 20, y: y + high / 2, class: "name" }, String(depth)),
      bar(26, y + 1, Math.max(wide, 0.5), depth === current ? "green" : "blue"),
      bar(26 + wide, y + 1, cut, "red"),
      svg(
        "text",
        { x: 30 + wide + cut, y: y + high / 2, class: "tick start" },
        `${count(expanded)}${cuts ? ` ✕${count(cuts)}` : ""}`,
      ),
    ];
  });
  const label = { role: "img", "aria-label": t("watch_perdepth") };
  return fill(
    h("figure", { class: "layers" }),
    h("figcaption", {}, t("watch_perdepth")),
    svg("svg", { viewBox: `0 0 320 ${rows.length * high + 4}`, class: "graph", ...label }, parts),
  );
}
