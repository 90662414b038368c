// A game's page: the same bones for every game. Boards differ by their module in boards/.

import { ask, get, wasLeft } from "./api.js";
import { boardFor } from "./boards/index.js";
import { count, fill, h, picture, quiet, remember, rowsOf, seconds, svg, toast } from "./dom.js";
import { Clock } from "./clock.js";
import { Session } from "./session.js";
import { agentWords, scoreWords, serverText, t } from "./strings.js";
import { comparePanel } from "./compare.js";
import { editPanel } from "./edit.js";
import { reproduceField, sharePanel } from "./share.js";
import { watchPanel } from "./watch.js";

export const STRENGTHS = {
  1: { engine: "alpha-beta", depth: 1, seconds: 10 },
  2: { engine: "alpha-beta", depth: 2, seconds: 10 },
  3: { engine: "alpha-beta", depth: 4, seconds: 10 },
  4: { engine: "best", seconds: 1 },
  5: { engine: "best", seconds: 5 },
};
const SPEEDS = [1, 2, 4, 8, 16];

export async function openGame(main, name) {
  const card = await get(`/api/games/${encodeURIComponent(name)}`);
  document.title = `${card.title} · ludion`;
  const page = new Page(main, card, await boardFor(card));
  await page.open();
}

class Page {
  constructor(main, card, module) {
    this.main = main;
    this.card = card;
    this.session = new Session(card);
    this.module = module;
    this.quest = card.kind === "quest";
    this.duel = card.kind === "duel";
    this.job = null; // the question under way
    this.scoring = null;
    this.scoresOn = false;
    this.scores = null;
    this.hint = null;
    this.thoughts = new Map(); // of an agent: cursor -> what it thought there
    this.sides = remember(`sides.${card.name}`) || ["human", "human"];
    this.playing = 0;
    this.settings = remember(`engine.${card.name}`) || { engine: "best", guide: "", seconds: 5, depth: null };
    if (!card.engines.some((each) => each.name === this.settings.engine)) this.settings.engine = "best";
    if (!card.guides.some((each) => each.name === this.settings.guide)) this.settings.guide = "";
  }

  async open() {
    this.build();
    this.session.addEventListener("late", () => this.say(t("compiling")));
    this.session.addEventListener("change", () => {
      if (this.message.textContent === t("compiling") && !this.job) this.say("");
      this.changed();
    });
    try {
      await this.session.open();
    } catch (error) {
      toast(serverText(error.message));
      this.say(serverText(error.message));
      await this.session.begin();
    }
    this.showBests();
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("keys", () => this.showKeys());
    addEventListener("pagehide", () => this.leave());
  }

  // ---------------------------------------------------------------- what is on the page

  build() {
    const card = this.card;
    this.board = h("div", { class: `board ${card.kind}`, id: "board" });
    this.clock = this.duel ? new Clock(this) : null;
    this.status = h("p", { class: "status", id: "status", "aria-live": "polite" });
    this.message = h("p", { class: "message", id: "message", role: "status" });
    this.bar = h("div", { class: "evalbar", hidden: true }, h("span"));
    const button = (id, text, action, key, more = "") => h("button", { type: "button", id, class: more, title: `${text} (${key})`, onclick: action }, text);
    this.undoButton = button("undo", t("undo"), () => this.undo(), "z");
    this.redoButton = button("redo", t("redo"), () => this.jump(this.session.cursor + 1), "y");
    this.scoresButton = button("scores", t(this.quest ? "risks" : "scores"), () => this.toggleScores(), "a", "toggle");
    this.scoresButton.setAttribute("aria-pressed", "false");
    if (this.quest && !card.study) this.scoresButton.hidden = true;
    this.solveButton = button("solve", this.quest ? t("agent.run") : t("solve"), () => this.solve(), "s", "primary");
    this.stopButton = button("stop", t("stop"), () => this.stop(), "Esc", "danger");
    this.stopButton.hidden = true;
    this.scrubber = h("input", { type: "range", id: "scrubber", min: 0, max: 0, value: 0, "aria-label": t("history"), oninput: () => this.jump(Number(this.scrubber.value)) });
    this.playButton = h("button", { type: "button", id: "playpause", class: "round", "aria-label": t("play"), title: `${t("play")} (p)`, onclick: () => this.playPause() }, "▶");
    this.speed = h("select", { id: "speed", "aria-label": t("speed") }, SPEEDS.map((each) => h("option", { value: each, selected: each === (this.quest ? 8 : 2) }, `${each}×`)));
    const left = h("section", { class: "left", "aria-label": t("board") },
      this.board, h("div", { class: "extras", id: "extras" }), this.bar, h("div", { class: "statusline" }, this.status, this.clock?.view), this.message,
      h("div", { class: "controls" }, this.undoButton, this.redoButton, button("restart", t("restart"), () => this.restart(), "n"),
        button("hint", t("hint"), () => this.giveHint(), "h"), this.scoresButton, this.solveButton, this.stopButton),
      h("div", { class: "timeline" }, this.playButton, this.scrubber, this.speed));
    this.tabs = this.makeTabs();
    fill(this.main, h("div", { class: "title" }, h("h1", {}, card.title), h("p", {}, serverText(card.summary))),
      h("div", { class: "columns" }, left, h("section", { class: "right" }, this.tabs)));
    this.extras = document.getElementById("extras");
    this.module.extras?.(this);
  }

  makeTabs() {
    const panels = [["play", this.playPanel()], [this.quest ? "agent" : "engine", this.enginePanel()], ["watch", watchPanel(this)]];
    panels.push(["compare", comparePanel(this)], ["edit", editPanel(this)], ["share", sharePanel(this)]);
    const bar = h("div", { role: "tablist", class: "tabs" });
    const box = h("div", { class: "panels" });
    this.tabButtons = new Map();
    const show = (name) => {
      for (const [each, { tab, panel }] of this.tabButtons) {
        tab.setAttribute("aria-selected", each === name);
        tab.tabIndex = each === name ? 0 : -1;
        panel.hidden = each !== name;
      }
      this.main.classList.toggle("comparing", name === "compare");
      this.tab = name;
      dispatchEvent(new CustomEvent("tab", { detail: name }));
    };
    for (const [name, panel] of panels) {
      const tab = h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => show(name) }, t(`tab.${name}`));
      panel.id = `panel-${name}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${name}`);
      this.tabButtons.set(name, { tab, panel });
      bar.append(tab);
      box.append(panel);
    }
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const names = [...this.tabButtons.keys()];
      const next = names[(names.indexOf(this.tab) + step + names.length) % names.length];
      show(next);
      this.tabButtons.get(next).tab.focus();
      event.preventDefault();
      event.stopPropagation();
    });
    this.showTab = show;
    show("play");
    return h("div", {}, bar, box, reproduceField(this));
  }

  playPanel() {
    const card = this.card;
    this.levelSelect = h("select", { id: "level" }, h("option", { value: "" }, t("level.own")),
      card.levels.map((each) => h("option", { value: each.name }, levelName(each))));
    this.levelSelect.addEventListener("change", () => {
      if (this.levelSelect.value) this.begin(`level:${this.levelSelect.value}`);
    });
    this.optionInputs = new Map();
    const options = card.options.map((each) => {
      const input = each.choices.length
        ? h("select", {}, h("option", { value: "" }, each.default || t("default")), each.choices.filter((choice) => choice !== each.default).map((choice) => h("option", { value: choice }, choice)))
        : h("input", { type: "text", placeholder: each.default || t("default"), maxlength: 200 });
      input.addEventListener("change", () => this.begin(this.session.start, this.chosenOptions()));
      this.optionInputs.set(each.name, input);
      return h("label", { title: serverText(each.help) }, h("span", {}, serverText(each.name)), input, h("small", {}, serverText(each.help)));
    });
    this.moveList = h("ol", { class: "moves", id: "moves" });
    this.legalList = h("div", { class: "legal", id: "legal" });
    const sides = !this.duel ? null : h("div", { class: "fields" }, [0, 1].map((side) => {
      const select = h("select", { id: `side-${side}` }, h("option", { value: "human" }, t("human")),
        [...Object.keys(STRENGTHS), "own"].map((each) => h("option", { value: each }, t(`strength.${each}`))));
      select.value = this.sides[side];
      select.addEventListener("change", () => { this.sides[side] = select.value; remember(`sides.${card.name}`, this.sides); this.letEnginePlay(true); });
      return h("label", {}, h("span", {}, this.sideName(side)), select);
    }));
    const panel = h("div", {},
      h("div", { class: "fields" }, card.levels.length ? h("label", {}, h("span", {}, t("level")), this.levelSelect) : null,
        h("button", { type: "button", id: "newgame", onclick: () => this.begin() }, t("newgame"))),
      sides ? h("h3", {}, t("players")) : null, sides, sides ? h("div", { class: "fields" }, h("label", {}, h("span", {}, t("clock")), this.clock.select)) : null,
      card.generates || this.module.presets ? this.generatorFields() : null,
      options.length ? h("details", {}, h("summary", {}, t("options")), h("div", { class: "fields explained" }, options)) : null,
      h("h3", {}, t("moves")), this.moveList,
      this.duel ? this.reviewField() : null,
      this.quest ? this.actionField() : h("details", { open: !this.module.ownBoard }, h("summary", {}, t("legal")), this.legalList),
      card.facts.length ? h("details", {}, h("summary", {}, t("facts")), h("ul", { class: "facts" }, card.facts.map((each) => h("li", {}, serverText(each))))) : null);
    return panel;
  }

  actionField() {
    const input = h("input", { type: "text", id: "action", maxlength: 100, placeholder: this.module.actionExample || "" });
    return h("form", { class: "fields", onsubmit: (event) => { event.preventDefault(); this.play(input.value); } },
      h("label", {}, h("span", {}, t("action")), input), h("button", {}, t("play")));
  }

  generatorFields() {
    const seed = h("input", { type: "number", id: "seed", min: 0, value: Math.floor(Math.random() * 1000) });
    const choice = (each) => h("select", {}, [false, true].map((value) => h("option", { value, selected: value === each.default }, t(value ? "yes" : "no"))));
    const field = (each) => h("input", { type: typeof each.default === "number" ? "number" : "text", value: String(each.default), step: "any" });
    const inputs = new Map(this.card.generator.map((each) => [each.name, typeof each.default === "boolean" ? choice(each) : field(each)]));
    const make = async () => {
      const settings = Object.fromEntries([...inputs].map(([name, input]) => [name, input.value]).filter(([name, value]) => value !== String(this.card.generator.find((each) => each.name === name).default)));
      const answer = await this.question("generate", { seed: Number(seed.value), settings });
      seed.value = Number(seed.value) + 1;
      if (answer) await this.begin(answer.position);
    };
    return h("details", { id: "generator" }, h("summary", {}, t("generator")),
      this.module.presets ? h("div", { class: "legal" }, this.module.presets.map(([name, start, options]) => h("button", { type: "button", onclick: () => this.begin(start, options) }, serverText(name)))) : null,
      this.card.generates ? h("div", { class: "fields" }, h("label", {}, h("span", {}, t("seed")), seed),
        [...inputs].map(([name, input]) => h("label", {}, h("span", {}, serverText(name.replaceAll("_", " "))), input)),
        h("button", { type: "button", id: "generate", onclick: make }, t("generate"))) : null);
  }

  enginePanel() {
    this.live = h("dl", { class: "live", id: "live" });
    this.result = h("div", { class: "result", id: "result" });
    if (this.quest) {
      this.agent = h("select", { id: "agent" }, this.card.agents.map((each) => h("option", { value: each.name }, each.name)));
      const help = h("p", { class: "help" });
      const told = () => { help.textContent = serverText(this.card.agents.find((each) => each.name === this.agent.value)?.help || ""); };
      this.agent.addEventListener("change", told);
      told();
      this.steps = h("input", { type: "number", id: "steps", min: 1, max: 5000, value: 1000 });
      return h("div", {}, h("div", { class: "fields" }, h("label", {}, h("span", {}, t("agent")), this.agent), h("label", {}, h("span", {}, t("steps")), this.steps),
        h("button", { type: "button", class: "primary", id: "run", onclick: () => this.solve() }, t("agent.run"))), help, this.live, this.result);
    }
    const fields = engineFields(this.card, this.settings, () => remember(`engine.${this.card.name}`, this.settings));
    return h("div", {}, fields, h("div", { class: "fields" }, h("button", { type: "button", class: "primary", id: "ask", onclick: () => this.solve(true) }, t("solve")),
      h("button", { type: "button", class: "danger", onclick: () => this.stop() }, t("stop"))), this.live, this.result);
  }

  // ---------------------------------------------------------------- after every change

  changed() {
    const { state, moves, cursor } = this.session;
    this.hint = null;
    this.scores = null;
    this.draw(state);
    this.clock?.moved(this.mover ?? null);
    this.mover = this.turn();
    this.showStatus();
    this.undoButton.disabled = cursor === 0;
    this.redoButton.disabled = cursor === moves.length;
    this.scrubber.max = moves.length;
    this.scrubber.value = cursor;
    this.scrubber.disabled = !moves.length;
    this.levelSelect.value = this.session.level?.name ?? "";
    for (const [name, input] of this.optionInputs) input.value = this.session.options[name] ?? "";
    if (state.status === "solved" && !this.session.helped) this.showBests();
    this.listMoves();
    this.listLegal();
    this.bar.hidden = true;
    this.scoring?.leave();
    if (this.scoresOn) this.score();
    const thought = this.thoughts.get(cursor);
    if (thought) this.showThought(thought);
    else if (this.quest) this.forgetThought();
    dispatchEvent(new CustomEvent("position"));
    this.letEnginePlay();
  }

  // The levels that were solved, with the fewest moves that it took.
  async showBests() {
    const bests = await get(`/api/games/${this.card.name}/bests`).catch(() => ({}));
    for (const option of this.levelSelect.options) {
      const level = this.card.levels.find((each) => each.name === option.value);
      if (level) option.textContent = levelName(level) + (bests[level.name] ? ` ★ ${bests[level.name]}` : "");
    }
  }

  showStatus() {
    this.status.textContent = this.statusWords(this.session.state);
  }

  // The same position drawn anew, with what stood on it.
  redraw() {
    this.draw(this.session.state);
    if (this.scoresOn) this.score();
    const thought = this.thoughts.get(this.session.cursor);
    if (thought) this.showThought(thought);
  }

  timeIsUp() {
    this.job?.leave();
    this.showStatus();
    this.say("");
  }

  draw(state, where = this.board) {
    const made = state.svg ? picture(state.svg) : h("pre", { class: "textboard", "aria-label": state.board }, rowsOf(state.board));
    fill(where, made);
    if (where === this.board) {
      this.svg = state.svg ? made : null;
      if (this.svg) this.module.attach?.(this, this.svg, state);
    }
    return made;
  }

  statusWords(state) {
    const { cursor } = this.session;
    if (this.quest) return t(`status.${state.status}`, { n: cursor });
    if (this.duel) {
      if (state.status === "drawn") return t("status.drawn");
      const mover = this.turn();
      const fallen = this.clock.fallen;
      if (state.status === "open" && fallen !== null) return t("status.time", { who: this.sideName(fallen), winner: this.sideName(1 - fallen) });
      if (state.status === "open") return t("status.turn", { who: this.sideName(mover) });
      return t("status.wins", { who: this.sideName(state.status === "won" ? mover : 1 - mover) });
    }
    const words = [t(state.status === "solved" ? "status.solved" : "status.open.puzzle", { n: cursor })];
    const known = this.session.level?.known;
    const best = known && (known[this.session.options.metric || "moves"] ?? known.moves);
    if (best !== undefined && best !== null) words.push(t("status.best", { n: best }));
    if (state.best !== null && state.best !== undefined) words.push(t("status.record", { n: state.best }));
    return words.join(" · ");
  }

  // Whose turn it is, as the drawing says; without one, they take turns.
  turn() {
    return this.svg?.dataset.turn ? Number(this.svg.dataset.turn) : this.session.cursor % 2;
  }

  sideName(side) {
    return this.module.sides?.()[side] ?? t(`player.${side + 1}`);
  }

  // Where an agent looked, up to here: [left, top, width, height].
  windows() {
    return [...this.thoughts].filter(([cursor, each]) => cursor <= this.session.cursor && each.window).map(([, each]) => each.window);
  }

  listMoves() {
    const { moves, cursor } = this.session;
    if (!moves.length) return fill(this.moveList, h("li", { class: "none" }, t("moves.none")));
    const first = Math.max(0, cursor - 200);
    const shown = moves.slice(first, first + 400);
    fill(this.moveList, shown.map((move, index) => {
      const place = first + index + 1;
      return h("li", {}, h("button", { type: "button", class: place > cursor ? "ahead" : "", "aria-current": place === cursor ? "step" : null, onclick: () => this.jump(place) }, `${place}. ${this.module.words?.(move) ?? move}`));
    }));
    const current = this.moveList.querySelector("[aria-current]");
    if (current) this.moveList.scrollTop = current.offsetTop - this.moveList.clientHeight / 2;
  }

  listLegal() {
    const { legal } = this.session.state;
    const scored = new Map((this.scores || []).map((each) => [each.name, each]));
    const order = this.scores ? [...legal].sort((a, b) => worth(scored.get(b)) - worth(scored.get(a))) : legal;
    fill(this.legalList, order.length ? order.slice(0, 300).map((move) => {
      const each = scored.get(move);
      return h("button", { type: "button", class: each && this.isBest(each) ? "best" : "", onclick: () => this.play(move) }, move, each ? h("small", {}, ` ${this.scoreText(each)}`) : null);
    }) : h("span", {}, t("legal.none")));
  }

  // ---------------------------------------------------------------- playing

  async play(move) {
    if (this.busyThinking) return;
    if (this.clock && this.clock.fallen !== null) return;
    this.pause();
    try {
      await this.session.play(move);
      this.say("");
    } catch (error) { this.say(serverText(error.message)); }
  }

  async begin(start, options = {}, moves = []) {
    this.job?.leave();
    this.pause();
    this.thoughts.clear();
    try {
      await this.session.begin(start, options, moves);
      this.clock?.reset();
      this.say("");
    } catch (error) { this.say(serverText(error.message)); this.changed(); }
  }

  chosenOptions() {
    return Object.fromEntries([...this.optionInputs].map(([name, input]) => [name, input.value]).filter(([, value]) => value !== ""));
  }

  undo() {
    this.pause();
    this.job?.leave();
    let to = this.session.cursor - 1;
    if (this.duel && this.sides.includes("human") && this.sides[1 - this.turn()] !== "human" && to > 0) to -= 1; // the engine's move too
    return this.session.goto(to);
  }

  // To another place in the game, which ends a replay.
  jump(cursor) {
    this.pause();
    return this.session.goto(cursor);
  }

  restart() {
    return this.jump(0);
  }

  letEnginePlay(asked = false) {
    const { state, cursor, moves } = this.session;
    if (!this.duel || !state || state.status !== "open") return;
    if (!asked && cursor !== moves.length) return;
    const side = this.sides[this.turn()];
    const strength = side === "own" ? clean(this.settings) : STRENGTHS[side];
    if (!strength || this.job || this.busyThinking || this.clock.fallen !== null) return;
    this.think(strength);
  }

  // An engine's move, from the question to the move made: nobody else moves meanwhile. Then whoever is next.
  async think(strength) {
    const at = this.session.cursor;
    this.say(t("thinking", { who: this.sideName(this.turn()) }));
    this.busyThinking = true;
    try {
      const answer = await this.question("solve", { ...this.session.place, ...strength, seconds: this.clock.budget(strength.seconds) });
      if (!answer) return;
      if (this.session.cursor === at) {
        if (!answer.moves.length) { this.say(serverText(answer.reason || answer.status)); return; }
        await this.session.play(answer.moves[0]);
        this.say("");
      }
    } catch (error) {
      this.say(serverText(error.message));
      return;
    } finally { this.busyThinking = false; }
    this.letEnginePlay();
  }

  // ---------------------------------------------------------------- questions

  // Ask, show progress, and give the answer (null if it failed or was left).
  async question(what, body, on = {}) {
    this.job?.leave();
    const job = ask(this.card.name, what, body, {
      queued: (told) => this.say(t("queued", { n: told.ahead, m: told.at_once })),
      started: () => this.say(t("searching")),
      compiling: () => this.say(t("compiling")),
      progress: (told) => this.showLive(told),
      ...on,
    });
    this.job = job;
    this.stopButton.hidden = false;
    this.main.classList.add("busy");
    try {
      const answer = await job.done;
      if (this.job === job) this.say("");
      return answer;
    } catch (error) {
      if (!wasLeft(error) && this.job === job) this.say(serverText(error.message));
      return null;
    } finally {
      if (this.job === job) {
        this.job = null;
        this.stopButton.hidden = true;
        this.main.classList.remove("busy");
      }
    }
  }

  stop() {
    this.pause();
    this.job?.stop();
    this.scoring?.stop();
  }

  leave() {
    this.job?.leave();
    this.scoring?.leave();
  }

  showLive(told) {
    const rate = told.seconds ? told.nodes / told.seconds : 0;
    const rows = [["nodes", count(told.nodes)], ["rate", count(Math.round(rate))], ["depth", told.depth], ["time", seconds(told.seconds)]];
    if (told.frontier) rows.push(["frontier", count(told.frontier)]);
    if (told.best !== null && told.best !== undefined) rows.push(["bound", told.best]);
    if (told.memory) rows.push(["memory", `${(told.memory / 1e6).toFixed(1)} MB`]);
    fill(this.live, rows.flatMap(([name, value]) => [h("dt", {}, t(name)), h("dd", {}, String(value))]));
    if (this.job) this.say(`${t("searching")} ${count(told.nodes)} · ${t("depth")} ${told.depth}`);
  }

  async solve(withSettings = false) {
    if (this.quest) return this.runAgent();
    const state = this.session.state;
    if (state.status !== "open") return this.say(t(state.status === "solved" ? "answer.already" : "answer.over"));
    fill(this.result);
    fill(this.live);
    const settings = withSettings ? this.settings : { engine: "best", seconds: Math.max(5, this.settings.seconds || 5) };
    const answer = await this.question("solve", { ...this.session.place, ...clean(settings) });
    if (!answer) return;
    this.showLive({ ...answer, best: null, frontier: 0 });
    this.showAnswer(answer);
    if (this.card.kind === "puzzle" && answer.moves.length) {
      this.session.helped = true;
      await this.session.append(answer.moves);
      if (!withSettings) this.playPause(true);
    }
  }

  showAnswer(answer) {
    const words = this.answerWords(answer);
    fill(this.result, h("p", { class: "verdict" }, words), h("p", { class: "by" }, answer.engine, answer.heuristic || answer.evaluation ? ` · ${answer.heuristic || answer.evaluation}` : ""),
      answer.moves.length ? h("p", { class: "line" }, h("b", {}, `${t("line")}: `), answer.moves.slice(0, 60).join(" ")) : null,
      this.duel && answer.moves.length ? h("button", { type: "button", onclick: () => this.session.append(answer.moves) }, t("line.step")) : null);
    this.say(words);
    if (answer.score) this.showBar(answer.score);
  }

  answerWords(answer) {
    const why = serverText(answer.reason || "");
    if (answer.status === "unsolvable") return t("answer.unsolvable", { why });
    if (answer.score) return `${scoreWords(answer.score)} (${answer.score.exact ? t("score.proved") : t("score.atdepth", { n: answer.depth })})`;
    if (answer.status === "limit") return t("answer.limit", { limit: t(`limit.${answer.limit}`), why });
    return t(`answer.${answer.status}`, { n: answer.length });
  }

  showBar(score) {
    const side = this.turn() === 0 ? 1 : -1;
    const share = score.plies !== null ? Math.sign(score.value) : Math.tanh(score.value / 50);
    this.bar.hidden = false;
    this.bar.title = scoreWords(score);
    this.bar.firstChild.style.width = `${50 + 50 * share * side}%`;
  }

  async giveHint() {
    if (this.hint) return this.say(this.hint.why);
    const at = this.session.cursor;
    let found = null;
    if (this.quest) found = await this.questHint();
    else {
      if (this.session.state.status !== "open") return this.say(t(this.card.kind === "puzzle" ? "answer.already" : "answer.over"));
      const answer = await this.question("solve", { ...this.session.place, engine: "best", seconds: 2 });
      if (!answer) return;
      if (!answer.moves.length) return this.say(t("hint.none", { why: this.answerWords(answer) }));
      const value = answer.score ? this.answerWords(answer) : t("hint.togo", { n: answer.length });
      const words = answer.moves.slice(0, 6).map((move) => this.module.words?.(move) ?? move);
      found = { move: answer.moves[0], why: t("hint.why", { move: words[0], why: value, line: words.slice(1).join(" ") || t("hint.done") }) };
    }
    if (!found || this.session.cursor !== at) return;
    this.session.helped = true;
    this.hint = found;
    this.say(t("hint.says", { move: this.module.words?.(found.move) ?? found.move }));
    this.mark([{ name: found.move, tone: "hint" }], "hints");
  }

  async questHint() {
    if (this.session.state.status !== "running") { this.say(t("answer.over")); return null; }
    if (this.card.study) {
      const answer = await this.question("study", this.session.place);
      if (!answer?.action) return null;
      const value = answer.proved ? t("hint.proved") : t("hint.risk", { n: (100 * answer.risk).toFixed(1) });
      const [, row, column] = answer.action.split(" ").map(Number);
      const cell = answer.cells?.find((each) => each.row === row && each.column === column);
      return { move: answer.action, why: `${answer.action}: ${value}${cell?.reason ? ` — ${serverText(cell.reason)}` : ""}` };
    }
    const acts = [];
    await this.question("run", { ...this.session.place, agent: this.agent.value, steps: 1 }, { acts: (told) => acts.push(...told) });
    if (!acts.length) return null;
    if (acts[0].thought) this.showThought(acts[0].thought);
    return { move: acts[0].name, why: agentWords(acts[0].thought?.words || acts[0].name) };
  }

  // ---------------------------------------------------------------- scores on the board

  toggleScores() {
    this.scoresOn = !this.scoresOn;
    dispatchEvent(new CustomEvent("scores"));
    this.scoresButton.setAttribute("aria-pressed", this.scoresOn);
    if (this.scoresOn) return this.score();
    this.scoring?.leave();
    this.scores = null;
    this.mark([], "scores");
    this.bar.hidden = true;
    this.listLegal();
    this.say("");
    return null;
  }

  async score() {
    const over = this.session.state.status !== (this.quest ? "running" : "open");
    if (over) return;
    const at = this.session.cursor;
    const show = (told) => {
      if (this.session.cursor !== at || !this.scoresOn) return;
      this.scores = told.moves;
      const order = [...told.moves].sort((a, b) => worth(b) - worth(a));
      this.mark(order.map((each) => ({ name: each.name, text: this.scoreText(each, true), tone: this.tone(each) })), "scores");
      this.listLegal();
      const best = told.moves.filter((each) => each.score).sort((a, b) => b.score.value - a.score.value)[0];
      if (best) this.showBar(best.score);
    };
    const job = ask(this.card.name, this.quest ? "study" : "scores", { ...this.session.place, seconds: this.quest ? undefined : 3 }, {
      compiling: () => this.say(t("compiling")),
      queued: (told) => this.say(t("queued", { n: told.ahead, m: told.at_once })),
      scores: show,
    });
    this.scoring = job;
    this.board.classList.add("scoring");
    try {
      const answer = await job.done;
      if (this.scoring !== job || !answer) return;
      if (this.quest) { if (this.session.cursor === at && this.scoresOn) this.module.study?.(this, this.svg, answer); } else show(answer);
    } catch (error) {
      if (!wasLeft(error)) this.say(serverText(error.message));
    } finally {
      if (this.scoring === job) { this.scoring = null; this.board.classList.remove("scoring"); }
    }
  }

  scoreText(each, short = false) {
    if (each.score) return scoreWords(each.score, short);
    return each.length === null ? (short ? "·" : t(`status.${each.status}`)) : String(each.length);
  }

  isBest(each) {
    return Boolean(this.scores) && worth(each) === Math.max(...this.scores.map(worth));
  }

  tone(each) {
    if (this.isBest(each)) return "best";
    if (!each.score) return "plain";
    return each.score.value > 0 ? "good" : each.score.value < 0 ? "bad" : "plain";
  }

  // Marks on the board: [{ name, text, tone }] where the module knows a move's place.
  mark(marks, layer) {
    if (!this.svg) return;
    this.svg.querySelector(`g.${layer}`)?.remove();
    const group = svg("g", { class: `marks ${layer}`, "pointer-events": "none" });
    const used = [];
    for (const each of marks) {
      const place = this.module.centre?.(each.name, this.svg, this.session.state);
      if (!place) continue;
      if (used.some(({ x, y }) => Math.hypot(x - place.x, y - place.y) < place.size * 0.35)) continue; // the first is the best: it stands for the cell
      used.push(place);
      const size = place.size;
      if (each.tone === "hint") group.append(...this.arrow(place), svg("circle", { class: "ring", cx: place.x, cy: place.y, r: size * 0.46, "stroke-width": size * 0.08 }));
      else {
        const [wide, letters] = each.text.length > 3 ? [0.76, 0.22] : [0.6, 0.26];
        group.append(svg("rect", { class: `chip ${each.tone}`, x: place.x - size * wide / 2, y: place.y - size * 0.19, width: size * wide, height: size * 0.38, rx: size * 0.19 }),
          svg("text", { class: `label ${each.tone}`, x: place.x, y: place.y + size * 0.01, "font-size": size * letters }, each.text));
      }
    }
    this.svg.append(group);
    if (used.length) this.module.show?.(this.svg, used);
  }

  arrow(place) {
    if (!place.from) return [];
    const { x, y } = place.from;
    return [svg("line", { class: "arrow", x1: x, y1: y, x2: place.x, y2: place.y, "stroke-width": place.size * 0.08 })];
  }

  // ---------------------------------------------------------------- quests

  async runAgent() {
    if (this.session.state.status !== "running") return this.say(t("answer.over"));
    const before = this.session.cursor;
    const names = [];
    fill(this.result);
    const body = { ...this.session.place, agent: this.agent.value, steps: Number(this.steps.value) || 1000 };
    const answer = await this.question("run", body, {
      acts: (told) => {
        for (const each of told) {
          if (each.thought) this.thoughts.set(before + names.length, each.thought);
          names.push(each.name);
        }
        this.say(`${this.agent.value}: ${names.length}`);
      },
    });
    this.session.helped = true;
    if (names.length) await this.session.append(names);
    if (!answer) return;
    const words = t("agent.done", { status: t(`outcome.${answer.status}`), n: answer.length });
    fill(this.result, h("p", { class: "verdict" }, words), answer.reason ? h("p", {}, serverText(answer.reason)) : null,
      h("dl", { class: "live" }, Object.entries({ [t("time")]: seconds(answer.seconds), ...answer.report }).flatMap(([name, value]) => [h("dt", {}, serverText(name.replaceAll("_", " "))), h("dd", {}, serverText(String(value)))])));
    this.say(words);
    this.playPause(true);
  }

  showThought(thought) {
    this.lastThought = thought;
    this.module.thought?.(this, this.svg, thought);
    dispatchEvent(new CustomEvent("thought", { detail: thought }));
  }

  forgetThought() {
    if (this.lastThought && this.message.textContent === agentWords(this.lastThought.words)) this.say("");
    dispatchEvent(new CustomEvent("thought", { detail: {} }));
  }

  // ---------------------------------------------------------------- the timeline

  playPause(on = !this.playing) {
    this.pause();
    if (!on || this.session.cursor >= this.session.moves.length) return;
    this.playing = 1;
    this.playButton.textContent = "❚❚";
    this.playButton.setAttribute("aria-label", t("pause"));
    const tick = async () => {
      if (!this.playing) return;
      try { await this.session.goto(this.session.cursor + 1, () => this.playing); } catch (error) { this.say(serverText(error.message)); this.pause(); }
      if (this.session.cursor >= this.session.moves.length) return this.pause();
      if (this.playing) this.playing = setTimeout(tick, 1000 / Number(this.speed.value));
    };
    this.playing = setTimeout(tick, quiet() ? 600 : 250);
  }

  pause() {
    clearTimeout(this.playing);
    this.playing = 0;
    this.playButton.textContent = "▶";
    this.playButton.setAttribute("aria-label", t("play"));
  }

  // ---------------------------------------------------------------- the value of every position of a finished game

  reviewField() {
    const place = h("div", { id: "review" });
    const go = async () => {
      const values = [];
      for (let ply = 0; ply <= this.session.moves.length && ply <= 80; ply += 1) {
        const answer = await this.question("solve", { ...this.session.place, moves: this.session.moves.slice(0, ply), engine: "best", seconds: 0.5 });
        if (!answer) break;
        if (answer.score) values.push({ ply, value: (ply % 2 ? -1 : 1) * answer.score.value, words: scoreWords(answer.score) });
      }
      fill(place, this.reviewGraph(values));
    };
    return h("details", {}, h("summary", {}, t("review")), h("p", { class: "help" }, t("review.title")), h("button", { type: "button", onclick: go }, t("review")), place);
  }

  reviewGraph(values) {
    const width = 320, height = 90;
    const x = (ply) => 8 + (width - 16) * ply / Math.max(1, values.length - 1);
    const y = (value) => height / 2 - (height / 2 - 8) * Math.max(-1, Math.min(1, Math.abs(value) > 9000 ? Math.sign(value) : Math.tanh(value / 50)));
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "graph", role: "img", "aria-label": t("review.title") },
      svg("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "axis" }),
      svg("polyline", { points: values.map((each) => `${x(each.ply)},${y(each.value)}`).join(" "), class: "curve" }),
      values.map((each, index) => {
        const lost = index > 0 && Math.abs(y(each.value) - y(values[index - 1].value)) > height / 4;
        const dot = svg("circle", { cx: x(each.ply), cy: y(each.value), r: lost ? 5 : 3, class: lost ? "mistake" : "dot" }, svg("title", {}, `${each.ply}: ${each.words}`));
        dot.addEventListener("click", () => this.session.goto(each.ply));
        return dot;
      }));
    return picture;
  }

  // ---------------------------------------------------------------- keys

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range") return;
    if (document.getElementById("keys").open) return;
    if (event.target.type !== "range" && this.module.key?.(this, event)) { event.preventDefault(); return; }
    const action = {
      z: () => this.undo(), "[": () => this.undo(), y: () => this.jump(this.session.cursor + 1), "]": () => this.jump(this.session.cursor + 1),
      Home: () => this.jump(0), End: () => this.jump(this.session.moves.length), h: () => this.giveHint(), a: () => this.scoresButton.hidden || this.toggleScores(),
      s: () => this.solve(), Escape: () => this.stop(), n: () => this.restart(), p: () => this.playPause(), "?": () => this.showKeys(), b: () => this.board.querySelector(".pressable")?.focus(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  showKeys() {
    const dialog = document.getElementById("keys");
    const rows = [["z y", "undo"], ["Home End", "ends"], ["h", "hint"], ["a", "scores"], ["s", "solve"], ["p", "play"], ["Esc", "stop"], ["n", "new"], ["b Tab Enter", "board"], ["← ↑ → ↓", "arrows"], ["?", "help"]].map(([keys, name]) => [keys, `key.${name}`]);
    const own = this.module.keys || [];
    if (own.some(([keys]) => keys.startsWith("←"))) rows.splice(-2, 1); // the arrows have another meaning here
    fill(dialog, h("h2", {}, t("keys")), h("dl", {}, [...rows, ...own].flatMap(([keys, name]) => [h("dt", {}, keys.split(" ").map((each) => h("kbd", {}, each))), h("dd", {}, t(name))])),
      h("button", { type: "button", onclick: () => dialog.close() }, t("close")));
    dialog.showModal();
  }

  say(text) {
    this.message.textContent = text;
  }
}

function worth(each) {
  if (!each) return -Infinity;
  if (each.score) return each.score.value;
  return each.length === null ? -Infinity : -each.length;
}

export const clean = (settings) => Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== "" && value !== null && value !== undefined && !Number.isNaN(value)));

function levelName(level) {
  const known = level.known.moves ?? level.known.value;
  return known === undefined ? level.name : `${level.name} (${known})`;
}

// Engine, heuristic or evaluation, seconds and depth; `settings` is kept up to date.
export function engineFields(card, settings, changed) {
  const help = h("p", { class: "help" });
  const engine = h("select", { class: "engine" }, card.engines.map((each) => h("option", { value: each.name }, each.name === "best" && card.best ? `best (${card.best})` : each.name)));
  engine.value = settings.engine;
  const guide = h("select", { class: "guide" }, h("option", { value: "" }, t("default")), card.guides.map((each) => h("option", { value: each.name, title: serverText(each.help) }, each.name)));
  guide.value = settings.guide || "";
  const time = h("input", { type: "number", class: "seconds", min: 0.1, max: 120, step: 0.1, value: settings.seconds ?? 5 });
  const depth = h("input", { type: "number", class: "depth", min: 1, max: 120, value: settings.depth ?? "" });
  const told = () => { help.textContent = serverText(card.engines.find((each) => each.name === engine.value)?.help || ""); };
  const update = () => {
    Object.assign(settings, { engine: engine.value, guide: guide.value, seconds: Number(time.value) || 5, depth: depth.value ? Number(depth.value) : null });
    told();
    changed?.();
  };
  for (const each of [engine, guide, time, depth]) each.addEventListener("change", update);
  told();
  return h("div", { class: "fields" }, h("label", {}, h("span", {}, t("engine")), engine),
    card.guides.length ? h("label", {}, h("span", {}, t(`guide.${card.kind}`)), guide) : null,
    h("label", { class: "short" }, h("span", {}, t("seconds")), time),
    card.kind === "duel" ? h("label", { class: "short" }, h("span", {}, t("depth")), depth) : null, help);
}
