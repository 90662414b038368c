// Searches that are watched: one, or two beside each other, step for step. Caption and board of a step always show the
// same node: they come from one answer of the server and are changed together.

import { ask, post, wasLeft } from "./api.js";
import { count, download, fill, h, image, rowsOf, seconds, svg } from "./dom.js";
import { clean, engineFields, guideOf } from "./fields.js";
import { waitingNews } from "./news.js";
import { Recording } from "./recording.js";
import { t } from "./strings.js";
import { depthBars, TreeView } from "./treeview.js";

const [BEHIND, AHEAD] = [20, 60]; // events around the present one whose boards are fetched with it
const TOUCHED = 200; // nodes whose touched cells are fetched at once
const [WIN, HIGHEST] = [10_000, 9_000]; // values of duels: see ludion.answers

// One search: its settings, its recording, and where it is shown.
class Track {
  constructor(watch, settings) {
    this.watch = watch;
    this.settings = settings;
    this.recording = null;
    this.boards = new Map(); // node -> what the server says of it
    this.touched = []; // node -> the cells that the move to it changed
    this.board = h("div", { class: "preview watchboard" });
    this.words = h("p", { class: "verdict watchwords", "aria-live": "off" });
    this.facts = h("dl", { class: "live" });
    this.layers = h("div");
    this.tree = h("div");
    this.title = h("h2", { class: "small" }, this.name);
    this.element = h(
      "section",
      { class: "track" },
      this.title,
      h("div", { class: "trackbody" }, h("div", {}, this.board, this.words, this.facts, this.layers), this.tree),
    );
  }

  get name() {
    const guide = this.answer?.[guideOf(this.watch.game)] || this.settings[guideOf(this.watch.game)];
    return `${this.answer?.engine || this.settings.engine}${guide ? ` · ${guide}` : ""}`;
  }

  take(answer) {
    this.answer = answer;
    this.boards = new Map(); // one that is being filled belongs to the recording before
    this.touched = [];
    this.recording = answer.recording && new Recording(answer.recording);
    this.title.textContent = this.name;
    fill(this.layers);
    if (this.recording) {
      this.view = new TreeView(this.recording, (node) => this.watch.goTo(this, node));
      fill(this.tree, this.view.element);
    } else {
      for (const each of [this.tree, this.board, this.facts]) fill(each);
      this.words.textContent = t("watch_nothing");
    }
  }

  // The event of this search at a step.
  at(number) {
    return this.recording.at(number);
  }

  has(index) {
    return this.boards.has(this.recording.event(index).node);
  }

  // Fetch the boards around an event.
  async load(index) {
    const { recording, boards } = this;
    const wanted = new Set();
    const last = Math.min(index + AHEAD, recording.events.length - 1);
    for (let each = Math.max(0, index - BEHIND); each <= last; each += 1) wanted.add(recording.event(each).node);
    const nodes = [...wanted].filter((node) => !boards.has(node));
    if (!nodes.length) return;
    const answers = await this.#fetch(nodes);
    for (const [place, node] of nodes.entries()) boards.set(node, answers[place]);
  }

  #fetch(nodes, more = {}) {
    const paths = nodes.map((node) => this.recording.path(node));
    return post(`/api/games/${this.watch.game.name}/boards`, { ...this.watch.recorded, paths, ...more });
  }

  // The cells that the moves to all nodes changed, for the heat.
  async loadTouched() {
    const { recording } = this;
    if (!recording || this.touched.length) return;
    const all = [];
    for (let first = 0; first < recording.nodes.length; first += TOUCHED) {
      const nodes = Array.from(
        { length: Math.min(TOUCHED, recording.nodes.length - first) },
        (_, each) => first + each,
      );
      const answers = await this.#fetch(nodes, { touched: true });
      all.push(...answers.map((each) => each.touched || []));
    }
    if (recording === this.recording) this.touched = all;
  }

  // Caption, board, counters and tree of one event, all at once.
  show(index) {
    const { recording } = this;
    const event = recording.event(index);
    const node = recording.nodes[event.node];
    const state = this.boards.get(event.node);
    for (const each of [this.words, this.board]) each.dataset.node = node.number;
    this.words.dataset.text = state.text ?? "";
    this.words.textContent = this.caption(index, state);
    this.words.className = `verdict watchwords ${event.kind}`;
    fill(this.board, pictureOf(state));
    this.#showFacts(index);
    fill(this.layers, depthBars(recording, index));
    this.view.show(index);
    this.shown = index;
    this.showHeat();
  }

  caption(index, state) {
    const event = this.recording.event(index);
    const { number } = this.recording.nodes[event.node];
    const words = [t(`watch_${event.kind}`), t("watch_node", { n: count(number), d: event.depth })];
    if (event.by) words.push(t(event.kind === "cut" ? "watch_by_cut" : "watch_by", { move: event.by }));
    const figures = this.watch.game.kind === "duel" ? duelFigures(event) : pathFigures(event);
    const last = state.said ? ` · ${state.said}` : "";
    return `${count(event.number + 1)} / ${count(this.recording.total)}: ${words.join(" ")}${figures}${last}`;
  }

  // What is known at this event, of what the whole search costs.
  #showFacts(index) {
    const { recording, answer } = this;
    const known = recording.known(index);
    const ended = recording.complete && index === recording.events.length - 1;
    const of = (part, whole) =>
      ended || whole === null || whole === undefined
        ? count(ended ? (whole ?? part) : part)
        : `${count(Math.min(part, whole))} / ${count(whole)}`;
    const rows = [
      ["nodes", t("nodes"), of(known.seen, answer.nodes)],
      ["expanded", t("watch_done"), of(known.expanded, answer.expanded)],
      [
        "waiting",
        t("frontier"),
        known.waiting === null ? null : count(ended ? (answer.frontier ?? known.waiting) : known.waiting),
      ],
      ["cuts", t("watch_cuts"), known.cuts ? count(known.cuts) : null],
      ["depth", t("depth"), known.deepest],
      ["best", t("bound"), known.best === null ? null : valueWords(known.best)],
      ["time", t("time"), ended ? seconds(answer.seconds) : null],
    ];
    fill(
      this.facts,
      rows
        .filter(([, , value]) => value !== null)
        .map(([name, title, value]) => h("div", {}, h("dt", {}, title), h("dd", { "data-fact": name }, String(value)))),
    );
  }

  // How often each cell was touched on the way to the nodes that were expanded, or that wait.
  heat(index, which) {
    const counts = new Map();
    for (const [place, node] of this.recording.nodes.entries()) {
      if (node.first > index) break; // nodes stand in the order of their discovery
      const closed = node.expanded <= index;
      if (closed !== (which === "closed")) continue;
      for (const cell of this.touched[place] || []) counts.set(cell, (counts.get(cell) || 0) + 1);
    }
    return counts;
  }

  showHeat() {
    const image = this.board.querySelector("svg");
    const which = this.watch.heat.value;
    if (!image || !which || !this.touched.length) return;
    const counts = this.heat(this.shown, which);
    const most = Math.max(1, ...counts.values());
    for (const cell of image.querySelectorAll("[data-cell]")) {
      const times = counts.get(cell.dataset.cell);
      if (!times) continue;
      const { x, y, width, height } = cell.getBBox();
      const place = cell.transform?.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
      image.append(
        svg(
          "g",
          { class: `heat ${which}`, transform: `translate(${place.e} ${place.f})` },
          svg("rect", { x, y, width, height, rx: 8, "fill-opacity": 0.12 + (0.6 * times) / most }),
          svg("text", { x: x + width - 6, y: y + height - 8 }, count(times)),
        ),
      );
    }
  }
}

export const pictureOf = (state) =>
  state.error
    ? h("p", { class: "help" }, `${t("watch_no_board")} ${state.error}`)
    : state.svg
      ? image(state.svg)
      : h("pre", {}, rowsOf(state.board));

const pathFigures = ({ f, h: estimate, depth }) => {
  const parts = [
    ["f", f],
    ["g", depth],
    ["h", estimate],
  ].filter(([, value]) => value !== null);
  return parts.length > 1 ? ` · ${parts.map(([name, value]) => `${name} = ${value}`).join(", ")}` : "";
};

const duelFigures = ({ kind, value, beta, depth }) => {
  if (kind !== "expanded") return ` · ${t("watch_value", { v: valueWords(value, depth) })}`;
  return value < beta ? ` · α = ${valueWords(value, depth)}, β = ${valueWords(beta, depth)}` : "";
};

// A value of a duel: beyond every win it is infinite; WIN − n is a win in n plies from the start, so fewer at a depth.
function valueWords(value, depth = 0) {
  const [sign, size] = [value > 0 ? "+" : "−", Math.abs(value)];
  if (size > WIN) return `${sign}∞`;
  if (size > HIGHEST) {
    const plies = Math.max(0, WIN - size - depth);
    if (!plies) return t(value > 0 ? "answers.score_win_now" : "answers.score_loss_now");
    return t(value > 0 ? "answers.score_win" : "answers.score_loss", { n: Math.ceil(plies / 2) });
  }
  return value < 0 ? `−${size}` : String(value);
}

export class Watch {
  // `place()` gives { start, options, moves }: what is searched. `settings` are those of the engine.
  constructor(game, place, settings, { changed = () => {}, wide = false, beside = null } = {}) {
    Object.assign(this, { game, place });
    this.changed = () => {
      this.#showSummary();
      changed();
    };
    this.tracks = [new Track(this, settings)];
    this.steps = []; // the numbers of the events kept, of all searches
    this.target = 0;
    this.shown = -1;
    this.timer = 0;
    this.build(wide);
    if (beside) this.setBeside(beside);
  }

  build(wide) {
    const button = (id, label, press, more = {}) => h("button", { type: "button", id, onclick: press, ...more }, label);
    this.slider = h("input", {
      type: "range",
      id: "watch-scrubber",
      min: 0,
      max: 0,
      value: 0,
      disabled: true,
      "aria-label": t("watch_event"),
    });
    this.slider.addEventListener("input", () => {
      this.pause();
      this.show(Number(this.slider.value));
    });
    const sign = (id, text, label, press) =>
      button(id, text, press, { class: "round", "aria-label": label, title: label, disabled: true });
    this.play = sign("watch-play", "▶", t("play"), () => this.toggle());
    this.back = sign("watch-back", "‹", t("step_back"), () => this.step(-1));
    this.forth = sign("watch-step", "›", t("step"), () => this.step(1));
    this.speed = h(
      "select",
      { "aria-label": t("speed") },
      [2, 10, 50, 200].map((each) => h("option", { value: each, selected: each === 10 }, `${each}/s`)),
    );
    this.heat = h(
      "select",
      { id: "watch-heat" },
      h("option", { value: "" }, t("heat_none")),
      h("option", { value: "closed" }, t("heat_closed")),
      h("option", { value: "waiting" }, t("heat_waiting")),
    );
    this.heat.addEventListener("change", () => this.#changeHeat());
    this.keep = h("input", { type: "number", id: "events", min: 10, max: 5000, value: 2000 });
    this.start = button("watch-start", t("watch_start"), () => this.record(), { class: "primary" });
    this.stop = button("watch-stop", t("stop"), () => this.job?.stop(), { class: "danger", hidden: true });
    this.export = button("watch-export", t("watch_export"), () => this.#export(), { disabled: true });
    this.note = h("p", { class: "help", id: "watch-note", role: "status" });
    this.fields = h("div", { class: "runs" });
    this.beside = button("watch-beside", t("watch_beside"), () => this.toggleBeside());
    this.shownTracks = h("div", { class: "tracks" });
    this.summary = h("summary", { id: "watch-settings" });
    this.element = h(
      "div",
      { class: `watching${wide ? " wide" : ""}` },
      h(
        "div",
        { class: "watchbar" },
        h(
          "details",
          {},
          this.summary,
          this.fields,
          h("div", { class: "fields" }, h("label", { class: "short" }, h("span", {}, t("watch_events")), this.keep)),
        ),
        this.start,
        this.stop,
        wide ? this.beside : null,
        this.game.kind === "puzzle"
          ? h("label", { class: "inline heatchoice" }, h("span", {}, t("heat")), this.heat)
          : null,
        wide ? this.export : null,
      ),
      h("div", { class: "timeline" }, this.back, this.play, this.forth, this.slider, this.speed),
      this.note,
      this.shownTracks,
    );
    this.element.watch = this; // for those who hold the element
    this.#showFields();
  }

  // The settings in a few words, over the fields that are folded away.
  #showSummary() {
    this.summary.textContent = t("watch_settings", { what: this.tracks.map((each) => each.name).join(", ") });
  }

  #showFields() {
    const tones = ["blue", "red"];
    fill(
      this.fields,
      this.tracks.map((each, index) =>
        h("div", { class: `run tone-${tones[index]}` }, engineFields(this.game, each.settings, this.changed)),
      ),
    );
    this.tracks[0].words.id = "watch-words";
    fill(
      this.shownTracks,
      this.tracks.map((each) => each.element),
    );
    this.shownTracks.classList.toggle("two", this.tracks.length > 1);
    this.beside.textContent = t(this.tracks.length > 1 ? "watch_alone" : "watch_beside");
    this.#showSummary();
  }

  setBeside(settings) {
    this.tracks = [this.tracks[0], ...(settings ? [new Track(this, settings)] : [])];
    this.#showFields();
  }

  toggleBeside() {
    if (this.tracks.length > 1) this.setBeside(null);
    else {
      const names = this.game.engines.map((each) => each.name);
      const usual = ["breadth-first", "negamax", "ida-star", ...names];
      const engine = usual.find((each) => names.includes(each) && each !== this.tracks[0].settings.engine);
      this.setBeside({ engine, seconds: this.tracks[0].settings.seconds });
    }
    this.changed();
    if (this.tracks[0].recording) this.record();
  }

  // Ask every engine about the position, one after the other, and show the first event.
  async record() {
    this.pause();
    this.job?.leave();
    this.recorded = this.place();
    this.stop.hidden = false;
    const asked = this.tracks;
    const say = (words) => {
      this.note.textContent = words;
    };
    try {
      for (const track of asked) {
        const body = { ...this.recorded, ...clean(track.settings), keep: Number(this.keep.value) || 2000 };
        const job = ask(this.game.name, "watch", body, {
          started: () => say(t("searching")),
          ...waitingNews(say, t("searching")),
          progress: (progress) => say(`${t("searching")} ${count(progress.nodes)} ${t("nodes").toLowerCase()}`),
        });
        this.job = job;
        track.take(await job.done);
      }
    } catch (error) {
      if (!wasLeft(error)) say(error.message);
      return;
    } finally {
      if (asked === this.tracks) this.stop.hidden = true;
    }
    if (asked !== this.tracks) return;
    this.job = null;
    say(this.#summary());
    this.#ready();
    await this.#changeHeat();
  }

  #summary() {
    const thin = this.recordings.filter((each) => each.thinned);
    const words = this.tracks.map((each) => `${each.name}: ${each.answer.result}`);
    if (thin.length)
      words.push(t("watch_thinned", { kept: count(thin[0].events.length), total: count(thin[0].total) }));
    if (this.recordings.some((each) => !each.complete)) words.push(t("watch_cut_short"));
    return words.join(" · ");
  }

  get recordings() {
    return this.tracks.map((each) => each.recording).filter(Boolean);
  }

  get recordedTracks() {
    return this.tracks.filter((each) => each.recording);
  }

  #ready() {
    const numbers = new Set(this.recordings.flatMap((each) => each.events.map((event) => event[7])));
    this.steps = [...numbers].sort((one, other) => one - other);
    const any = this.steps.length > 0;
    for (const each of [this.slider, this.play, this.back, this.forth, this.export]) each.disabled = !any;
    this.slider.max = Math.max(0, this.steps.length - 1);
    this.shown = -1;
    if (any) this.show(0);
  }

  // Show a step. Boards that have to be fetched first are waited for; meanwhile the step before stays, caption and
  // board, and of several steps that are asked for the last one counts.
  async show(index) {
    this.target = Math.max(0, Math.min(index, this.steps.length - 1));
    this.slider.value = this.target;
    if (this.loading) return this.loading;
    if (this.#has(this.target)) return this.#commit(this.target);
    this.loading = this.#load();
    try {
      await this.loading;
    } catch (error) {
      this.note.textContent = error.message;
    } finally {
      this.loading = null;
    }
    return null;
  }

  async #load() {
    for (;;) {
      const { target } = this;
      const steps = this.steps;
      if (!this.#has(target)) await Promise.all(this.recordedTracks.map((each) => each.load(each.at(steps[target]))));
      if (steps !== this.steps) continue; // recorded anew
      if (this.#has(target)) this.#commit(target);
      if (target === this.target) return;
    }
  }

  #has(index) {
    return this.recordedTracks.every((each) => each.has(each.at(this.steps[index])));
  }

  #commit(index) {
    this.shown = index;
    for (const each of this.recordedTracks) each.show(each.at(this.steps[index]));
  }

  // The step that discovered a node, or the next one of that node after the present step.
  goTo(track, node) {
    this.pause();
    const { recording } = track;
    const now = this.steps[this.target];
    const own = recording.events.filter((event) => event[1] === node).map((event) => event[7]);
    const number = own.find((each) => each > now) ?? own[0] ?? recording.events[recording.nodes[node].first][7];
    this.show(this.steps.indexOf(number));
  }

  step(by) {
    this.pause();
    this.show(this.target + by);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.#showPlay("▶", t("play"));
  }

  #showPlay(sign, label) {
    this.play.textContent = sign;
    this.play.title = label;
    this.play.setAttribute("aria-label", label);
  }

  toggle() {
    if (this.timer) {
      this.pause();
      return;
    }
    this.#showPlay("❚❚", t("pause"));
    if (this.target >= this.steps.length - 1) this.target = -1;
    const tick = async () => {
      const rate = Number(this.speed.value);
      await this.show(this.target + Math.max(1, Math.round(rate / 20)));
      if (!this.timer) return;
      if (this.target >= this.steps.length - 1) this.pause();
      else this.timer = setTimeout(tick, Math.max(50, 1000 / rate));
    };
    this.timer = setTimeout(tick, 0);
  }

  async #changeHeat() {
    if (!this.heat.value) {
      if (this.shown >= 0) this.#commit(this.shown);
      return;
    }
    await Promise.all(this.recordedTracks.map((each) => each.loadTouched()));
    if (this.shown >= 0) this.#commit(this.shown);
  }

  async #export() {
    const { animation } = await import("./slides.js");
    const name = [this.game.name, ...this.tracks.map((each) => each.settings.engine)].join("-");
    download(`${name}.svg`, "image/svg+xml", await animation(this));
  }
}
