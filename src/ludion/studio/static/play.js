// A game's page: the same parts for every game. Boards differ by their module (see board.js).

import { ask, get, wasLeft } from "./api.js";
import { boardModule, oneTabStop } from "./board.js";
import { count, fill, h, picture, quiet, remember, rowsOf, seconds, svg, toast } from "./dom.js";
import { Clock } from "./clock.js";
import { Ending } from "./ending.js";
import { openGallery } from "./gallery.js";
import { OPPONENTS, choicesOf, openNewGame, randomSeed, sidesOf } from "./newgame.js";
import { Session } from "./session.js";
import { capital, shortScore, t } from "./strings.js";
import { comparePanel } from "./compare.js";
import { editPanel } from "./edit.js";
import { reproduceField, sharePanel } from "./share.js";
import { watchPanel } from "./watch.js";

const LEAST_REPLY = 250; // milliseconds: an opponent does not answer before
const SPEEDS = [1, 2, 4, 8, 16];

export async function openGame(main, name) {
  const game = await get(`/api/games/${encodeURIComponent(name)}`);
  document.title = `${game.title} · ludion`;
  const page = new Page(main, game, await boardModule(game));
  await page.open();
}

// What guides an engine in such a game.
export const guideOf = (game) => (game.kind === "duel" ? "evaluation" : "heuristic");
const guidesOf = (game) => game.evaluations || game.heuristics || [];

// Engine, heuristic or evaluation, seconds and depth, if the address names any: a question has an address, too.
function settingsInAddress(game) {
  const query = new URLSearchParams(location.search);
  const guide = guideOf(game);
  const settings = { engine: query.get("engine"), [guide]: query.get(guide), seconds: Number(query.get("time")) || null, depth: Number(query.get("depth")) || null };
  return Object.values(settings).some(Boolean) ? { engine: "best", ...clean(settings) } : null;
}

class Page {
  constructor(main, game, module) {
    this.main = main;
    this.game = game;
    this.session = new Session(game);
    this.module = module;
    this.quest = game.kind === "quest";
    this.duel = game.kind === "duel";
    this.job = null; // the question under way
    this.scoring = null;
    this.scoresOn = false;
    this.scores = null;
    this.hint = null;
    this.thoughts = new Map(); // of an agent: cursor -> what it thought there
    this.sides = ["human", "human"];
    this.playing = 0;
    this.settings = { engine: "best", seconds: 5, depth: null, ...(settingsInAddress(game) || remember(`engine.${game.name}`)) };
    if (!game.engines.some((each) => each.name === this.settings.engine)) this.settings.engine = "best";
    const guide = guideOf(game);
    if (!guidesOf(game).some((each) => each.name === this.settings[guide])) this.settings[guide] = "";
    delete this.settings.guide; // as it was called before
  }

  async open() {
    this.build();
    this.session.first = this.module.first; // what a new visitor finds
    this.session.addEventListener("late", () => this.say(t("compiling")));
    this.session.addEventListener("change", () => {
      if (this.message.textContent === t("compiling") && !this.job) this.say("");
      this.changed();
    });
    try {
      await this.session.open();
    } catch (error) {
      toast(error.message);
      this.say(error.message);
      await this.session.begin();
    }
    if (this.duel && !this.session.notes.sides) this.setSides(this.session.byLink ? ["human", "human"] : remember(`sides.${this.game.name}`) || sidesOf(Object.fromEntries(choicesOf(this).map((each) => [each.name, each.value]))));
    if (this.session.slot) this.offerOwnGame();
    this.showBests();
    addEventListener("popstate", (event) => this.goBack(event.state));
    document.addEventListener("keydown", (event) => this.key(event));
    if (!this.duel) setInterval(() => { if (!document.hidden) this.showCounters(); }, 1000);
    addEventListener("keys", () => this.showKeys());
    addEventListener("pagehide", () => this.leave());
  }

  // A game that came by a link is beside one's own, which is one press away.
  offerOwnGame() {
    fill(this.notice, t("link_beside"), " ", h("a", { href: `/play/${this.game.name}`, id: "own-game" }, t("link_own")));
    this.notice.hidden = false;
  }

  // Back and forward: through games and tabs, not out of the page.
  async goBack(entry) {
    if (!entry?.place) return;
    this.job?.leave();
    this.pause();
    try { await this.session.restore(entry); } catch (error) { this.say(error.message); }
    const tab = entry.notes?.tab || "play";
    if (tab !== this.tab) this.showTab(tab);
  }

  // ---------------------------------------------------------------- what is on the page

  build() {
    const { game } = this;
    this.board = h("div", { class: `board ${game.kind}${this.module.drags ? " drags" : ""}`, id: "board" });
    this.notice = h("p", { class: "notice", id: "notice", hidden: true });
    this.sheet = h("dialog", { class: "sheet", id: "sheet" });
    this.ending = new Ending(this);
    this.counters = h("dl", { class: "counters", id: "counters" });
    this.clock = this.duel ? new Clock(this) : null;
    this.status = h("p", { class: "status", id: "status", "aria-live": "polite" });
    this.message = h("p", { class: "message", id: "message", role: "status" });
    this.bar = h("div", { class: "evalbar", hidden: true }, h("span"));
    const button = (id, text, action, key, more = "") => h("button", { type: "button", id, class: more, title: `${text} (${key})`, onclick: action }, text);
    this.undoButton = button("undo", t("undo"), () => this.undo(), "z");
    this.redoButton = button("redo", t("redo"), () => this.jump(this.session.cursor + 1), "y");
    this.scoresButton = button("scores", t(this.quest ? "risks" : "scores"), () => this.toggleScores(), "a", "toggle");
    this.scoresButton.setAttribute("aria-pressed", "false");
    if (this.quest && !game.study) this.scoresButton.hidden = true;
    this.solveButton = button("solve", this.quest ? t("agent_run") : t("solve"), () => this.solve(), "s");
    this.stopButton = button("stop", t("stop"), () => this.stop(), "Esc", "danger");
    this.stopButton.hidden = true;
    this.scrubber = h("input", { type: "range", id: "scrubber", min: 0, max: 0, value: 0, "aria-label": t("history"), oninput: () => this.jump(Number(this.scrubber.value)) });
    this.playButton = h("button", { type: "button", id: "playpause", class: "round", "aria-label": t("play"), title: `${t("play")} (p)`, onclick: () => this.playPause() }, "▶");
    this.speed = h("select", { id: "speed", "aria-label": t("speed") }, SPEEDS.map((each) => h("option", { value: each, selected: each === (this.quest ? 8 : 2) }, `${each}×`)));
    const left = h("section", { class: "left", "aria-label": t("board") },
      this.notice, this.board, h("div", { class: "extras", id: "extras" }), this.bar, h("div", { class: "statusline" }, this.status, this.clock?.view), this.message, this.ending.view,
      h("div", { class: "controls" }, h("button", { type: "button", id: "newgame", class: "primary", title: `${t("newgame")} (n)`, onclick: () => openNewGame(this) }, t("newgame")),
        this.undoButton, this.redoButton, button("restart", t("try_again"), () => this.restart(), "r"),
        button("hint", t("hint"), () => this.giveHint(), "h"), this.scoresButton, this.solveButton, this.stopButton),
      h("div", { class: "timeline" }, this.playButton, this.scrubber, this.speed));
    this.tabs = this.makeTabs();
    fill(this.main, h("div", { class: "title" }, h("h1", {}, game.title), h("p", { id: "goal" }, this.goal()), this.counters), this.sheet,
      h("div", { class: "columns" }, left, h("section", { class: "right" }, this.tabs)));
    this.extras = document.getElementById("extras");
    this.module.extras?.(this);
    this.module.open?.(this);
  }

  // What is to be done, in one line.
  goal() {
    return this.module.goal?.(this.svg, this.session.state) ?? this.game.summary;
  }

  // The numbers that matter: as the module counts them, else the moves; of what is not a duel, the time too.
  showCounters() {
    const { state, cursor } = this.session;
    const rows = this.module.counters?.(this.svg, state, this.session) ?? (this.duel ? [] : [[t("moves"), cursor]]);
    if (!this.duel) rows.push([t("time"), this.stopwatch()]);
    fill(this.counters, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))));
    document.getElementById("goal").textContent = this.goal();
  }

  // Since the first move; it stands still when the game is over.
  stopwatch() {
    const over = !["open", "running"].includes(this.session.state?.status);
    const { cursor } = this.session;
    if (cursor === 0) this.began = null;
    else if (!over) { this.began ??= performance.now(); this.spent = performance.now() - this.began; }
    const whole = Math.floor((cursor === 0 ? 0 : this.spent || 0) / 1000);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
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
      const tab = h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => this.chooseTab(name) }, t(`tab_${name}`));
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
      this.chooseTab(next);
      this.tabButtons.get(next).tab.focus();
      event.preventDefault();
      event.stopPropagation();
    });
    this.showTab = show;
    show("play");
    return h("div", {}, bar, box, reproduceField(this));
  }

  // Another tab is another page of the game: Back returns from it.
  chooseTab(name) {
    if (name === this.tab) return;
    if (this.session.state) this.session.note({ tab: name }, true);
    this.showTab(name);
  }

  playPanel() {
    const { game } = this;
    this.levelSelect = h("select", { id: "level" }, h("option", { value: "" }, t("level_own")),
      game.levels.map((each) => h("option", { value: each.name }, levelName(each))));
    this.levelSelect.addEventListener("change", () => {
      if (this.levelSelect.value) this.begin(`level:${this.levelSelect.value}`);
    });
    this.optionInputs = new Map();
    const options = game.options.map((each) => {
      const choices = [each.default, ...each.choices.filter((choice) => choice !== each.default)];
      const input = each.choices.length
        ? h("select", {}, choices.map((choice) => h("option", { value: choice }, choice || t("default"))))
        : h("input", { type: "text", placeholder: each.default || t("default"), maxlength: 200 });
      input.addEventListener("change", () => this.begin(this.session.start, this.chosenOptions()));
      this.optionInputs.set(each, input);
      return h("label", { title: each.help }, h("span", {}, each.label), input, h("small", {}, each.help));
    });
    this.moveList = h("ol", { class: "moves", id: "moves" });
    this.legalList = h("div", { class: "legal", id: "legal" });
    this.sideSelects = [0, 1].map((side) => {
      const select = h("select", { id: `side-${side}` }, ["human", ...OPPONENTS, "own"].map((each) => h("option", { value: each }, t(`opponent_${each}`))));
      select.addEventListener("change", () => this.setSides(this.sideSelects.map((each) => each.value)));
      return select;
    });
    const sides = !this.duel ? null : h("div", { class: "fields" }, this.sideSelects.map((select, side) => h("label", {}, h("span", {}, this.sideName(side)), select)));
    this.more = h("details", { id: "more" }, h("summary", {}, t("more_options")),
      game.levels.length ? h("div", { class: "fields" }, h("label", {}, h("span", {}, t("level")), this.levelSelect)) : null,
      sides ? h("h3", {}, t("players")) : null, sides, sides ? h("div", { class: "fields" }, h("label", {}, h("span", {}, t("clock")), this.clock.select)) : null,
      game.generator || this.module.presets ? this.generatorFields() : null,
      options.length ? h("details", {}, h("summary", {}, t("options")), h("div", { class: "fields explained" }, options)) : null);
    this.versus = h("p", { class: "versus", id: "versus" });
    const panel = h("div", {}, this.versus,
      game.levels.length ? h("div", { class: "controls" }, h("button", { type: "button", id: "levels", onclick: () => openGallery(this) }, t("levels"))) : null,
      h("h3", {}, t("moves")), this.moveList,
      this.more,
      this.duel ? this.reviewField() : null,
      this.quest ? this.actionField() : h("details", { open: !this.module.ownBoard }, h("summary", {}, t("legal")), this.legalList),
      game.facts.length ? h("details", {}, h("summary", {}, t("facts")), h("ul", { class: "facts" }, game.facts.map((each) => h("li", {}, each)))) : null);
    return panel;
  }

  showMore() {
    this.chooseTab("play");
    this.more.open = true;
    this.more.querySelector("select, input, button")?.focus();
  }

  actionField() {
    const input = h("input", { type: "text", id: "action", maxlength: 100, placeholder: this.module.actionExample || "" });
    return h("form", { class: "fields", onsubmit: (event) => { event.preventDefault(); this.play(input.value); } },
      h("label", {}, h("span", {}, t("action")), input), h("button", {}, t("play_action")));
  }

  generatorFields() {
    const seed = h("input", { type: "number", id: "seed", min: 0, value: Math.floor(Math.random() * 1000) });
    const choice = (each) => h("select", {}, [false, true].map((value) => h("option", { value, selected: value === each.default }, value ? t("yes") : t("no"))));
    const field = (each) => h("input", { type: each.type === "str" ? "text" : "number", value: String(each.default), step: "any" });
    const inputs = new Map((this.game.generator || []).map((each) => [each, each.type === "bool" ? choice(each) : field(each)]));
    const make = async () => {
      const changed = [...inputs].filter(([setting, input]) => input.value !== String(setting.default));
      const settings = Object.fromEntries(changed.map(([setting, input]) => [setting.name, input.value]));
      const answer = await this.question("generate", { seed: Number(seed.value), settings });
      seed.value = Number(seed.value) + 1;
      if (answer) await this.begin(answer.position);
    };
    return h("details", { id: "generator" }, h("summary", {}, t("generator")),
      this.module.presets ? h("div", { class: "legal" }, this.module.presets.map(([name, start, options]) => h("button", { type: "button", onclick: () => this.begin(start, options) }, name))) : null,
      this.game.generator ? h("div", { class: "fields" }, h("label", {}, h("span", {}, t("seed")), seed),
        [...inputs].map(([setting, input]) => h("label", { title: setting.help }, h("span", {}, setting.label), input)),
        h("button", { type: "button", id: "generate", onclick: make }, t("generate"))) : null);
  }

  enginePanel() {
    this.live = h("dl", { class: "live", id: "live" });
    this.result = h("div", { class: "result", id: "result" });
    if (this.quest) {
      const query = new URLSearchParams(location.search);
      this.agent = h("select", { id: "agent" }, this.game.agents.map((each) => h("option", { value: each.name, selected: each.name === (query.get("agent") || "best") }, each.name)));
      const help = h("p", { class: "help" });
      const showHelp = () => { help.textContent = this.game.agents.find((each) => each.name === this.agent.value)?.help || ""; };
      this.agent.addEventListener("change", showHelp);
      showHelp();
      this.steps = h("input", { type: "number", id: "steps", min: 1, max: 5000, value: Number(query.get("steps")) || 1000 });
      for (const each of [this.agent, this.steps]) each.addEventListener("change", () => dispatchEvent(new CustomEvent("settings")));
      return h("div", {}, h("div", { class: "fields" }, h("label", {}, h("span", {}, t("agent")), this.agent), h("label", {}, h("span", {}, t("steps")), this.steps),
        h("button", { type: "button", class: "primary", id: "run", onclick: () => this.solve() }, t("agent_run"))), help, this.live, this.result);
    }
    const fields = engineFields(this.game, this.settings, () => remember(`engine.${this.game.name}`, this.settings));
    return h("div", {}, fields, h("div", { class: "fields" }, h("button", { type: "button", class: "primary", id: "ask", onclick: () => this.solve(true) }, t("solve")),
      h("button", { type: "button", class: "danger", onclick: () => this.stop() }, t("stop"))), this.live, this.result);
  }

  // ---------------------------------------------------------------- after every change

  changed() {
    const { state, moves, cursor } = this.session;
    this.hint = null;
    this.scores = null;
    if (this.session.notes.sides) this.showSides(this.session.notes.sides);
    this.draw(state);
    this.clock?.moved(this.mover ?? null);
    this.mover = this.turn();
    this.showStatus();
    this.showCounters();
    this.ending.update();
    this.undoButton.disabled = cursor === 0;
    this.redoButton.disabled = cursor === moves.length;
    this.scrubber.max = moves.length;
    this.scrubber.value = cursor;
    this.scrubber.disabled = !moves.length;
    this.levelSelect.value = this.session.level?.name ?? "";
    const typed = ({ choices, default: usual }) => (choices.length ? usual : "");
    for (const [option, input] of this.optionInputs) input.value = state.options_in_force[option.name] ?? typed(option);
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
    const bests = await get(`/api/games/${this.game.name}/bests`).catch(() => ({}));
    for (const option of this.levelSelect.options) {
      const level = this.game.levels.find((each) => each.name === option.value);
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
    const drawn = state.svg ? picture(state.svg) : h("pre", { class: "textboard", "aria-label": state.board }, rowsOf(state.board));
    fill(where, drawn);
    if (where === this.board) {
      this.svg = state.svg ? drawn : null;
      if (this.svg) {
        this.fitWidth();
        this.module.attach?.(this, this.svg, state);
        oneTabStop(this.svg);
      }
    }
    return drawn;
  }

  // For fingers, cells are large enough to press: a board that is wider than the screen is scrolled.
  fitWidth() {
    const least = Number(this.svg.dataset.columns || 0) * 36;
    const wide = matchMedia("(pointer: coarse)").matches && least > this.board.clientWidth;
    this.board.classList.toggle("wide", wide);
    if (wide) this.svg.style.width = `${least}px`;
  }

  statusWords(state) {
    const { cursor } = this.session;
    if (this.quest) return t(`status_${state.status}`, { n: cursor });
    if (this.duel) {
      if (state.status === "drawn") return t("status_drawn");
      const mover = this.turn();
      const fallen = this.clock.fallen;
      if (state.status === "open" && fallen !== null) return t("status_time", { who: this.sideName(fallen), winner: this.sideName(1 - fallen) });
      if (state.status === "open") return t("status_turn", { who: this.sideName(mover) });
      return t("status_wins", { who: this.sideName(state.status === "won" ? mover : 1 - mover) });
    }
    const words = [t(state.status === "solved" ? "status_solved" : "status_open_puzzle", { n: cursor })];
    const known = this.session.level?.known;
    const best = known && (known[state.options_in_force.metric || "moves"] ?? known.moves);
    if (best !== undefined && best !== null) words.push(t("status_best", { n: best }));
    if (state.best !== null && state.best !== undefined) words.push(t("status_record", { n: state.best }));
    return words.join(" · ");
  }

  // Whose turn it is, as the drawing says; without one, they take turns.
  turn() {
    return this.svg?.dataset.turn ? Number(this.svg.dataset.turn) : this.session.cursor % 2;
  }

  sideName(side) {
    return this.module.sides?.()[side] ?? t(`player_${side + 1}`);
  }

  // Where an agent looked, up to here: [left, top, width, height].
  windows() {
    return [...this.thoughts].filter(([cursor, each]) => cursor <= this.session.cursor && each.window).map(([, each]) => each.window);
  }

  listMoves() {
    const { moves, cursor } = this.session;
    if (!moves.length) return fill(this.moveList, h("li", { class: "none" }, t("moves_none")));
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
      return h("button", { type: "button", class: each && this.isBest(each) ? "best" : "", onclick: () => this.play(move) }, move, each ? h("small", {}, ` ${each.words}`) : null);
    }) : h("span", {}, t("legal_none")));
  }

  // Who plays which side: "human", an opponent's name, or "own" for the engine as set.
  setSides(sides) {
    const seed = this.session.notes.opponentSeed ?? randomSeed();
    if (!this.session.slot) remember(`sides.${this.game.name}`, sides);
    this.session.note({ sides, opponentSeed: seed });
    this.showSides(sides);
    this.letEnginePlay(true);
  }

  showSides(sides) {
    this.sides = sides;
    sides.forEach((side, index) => { this.sideSelects[index].value = side; });
    const versus = sides.find((each) => each !== "human");
    this.versus.textContent = !versus ? "" : t("you_play", { side: this.sideName(sides.indexOf("human")), who: t(`opponent_${versus}`) });
    if (versus && !sides.includes("human")) this.versus.textContent = "";
  }

  // ---------------------------------------------------------------- playing

  async play(move) {
    if (this.busyThinking) return;
    if (this.clock && this.clock.fallen !== null) return;
    this.pause();
    try {
      await this.session.play(move);
      this.say("");
    } catch (error) { this.say(error.message); }
  }

  async begin(start, options = {}, moves = [], sides = this.sides) {
    this.job?.leave();
    this.pause();
    this.thoughts.clear();
    try {
      await this.session.begin(start, options, moves, this.duel ? { sides, opponentSeed: randomSeed() } : {});
      if (this.duel && !this.session.slot) remember(`sides.${this.game.name}`, sides);
      this.clock?.reset();
      this.say("");
    } catch (error) { this.say(error.message); this.changed(); }
  }

  // All options that are not as usual; where the level sets one, it is named even if it is as usual.
  chosenOptions() {
    const own = this.session.level?.options || {};
    const chosen = [...this.optionInputs].filter(([option, { value }]) => value !== "" && (value !== option.default || option.name in own));
    return Object.fromEntries(chosen.map(([option, { value }]) => [option.name, value]));
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

  // The same again: a duel anew, with the same players; else back to the start, from where all can be redone.
  restart() {
    return this.duel ? this.begin(this.session.start, this.session.options) : this.jump(0);
  }

  letEnginePlay(asked = false) {
    const { state, cursor, moves } = this.session;
    if (!this.duel || !state || state.status !== "open") return;
    if (!asked && cursor !== moves.length) return;
    const side = this.sides[this.turn()];
    if (side === "human" || this.job || this.busyThinking || this.clock.fallen !== null) return;
    this.think(side);
  }

  // A move of an opponent or an engine, from the question to the move made: nobody else moves meanwhile. Then whoever
  // is next.
  async think(side) {
    const { cursor: at, start, notes } = this.session;
    this.say(t("thinking", { who: side === "own" ? this.sideName(this.turn()) : t(`opponent_${side}`) }));
    this.busyThinking = true;
    try {
      const rest = new Promise((done) => { setTimeout(done, LEAST_REPLY); });
      const answer = side === "own"
        ? await this.question("solve", { ...this.session.place, ...clean(this.settings), seconds: this.clock.budget(this.settings.seconds) })
        : await this.question("reply", { ...this.session.place, opponent: side, seed: notes.opponentSeed, ...clean({ seconds: this.clock.budget(null) }) });
      if (!answer) return;
      await rest;
      const move = answer.move ?? answer.moves[0];
      if (this.session.cursor === at && this.session.start === start) {
        if (!move) { this.say(answer.result); return; }
        await this.session.play(move);
        this.say("");
      }
    } catch (error) {
      this.say(error.message);
      return;
    } finally { this.busyThinking = false; }
    this.letEnginePlay();
  }

  // ---------------------------------------------------------------- questions

  // Ask, show progress, and give the answer (null if it failed or was left).
  async question(what, body, on = {}) {
    this.job?.leave();
    const job = ask(this.game.name, what, body, {
      queued: (queue) => this.say(t("queued", { n: queue.ahead, m: queue.at_once })),
      started: () => this.say(t("searching")),
      compiling: ({ kernels }) => this.say(kernels.length ? t("compiling_kernels", { names: kernels.join(", ") }) : t("searching")),
      progress: (progress) => this.showLive(progress),
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
      if (!wasLeft(error) && this.job === job) this.say(error.message);
      return null;
    } finally {
      if (this.job === job) {
        this.job = null;
        this.stopButton.hidden = true;
        this.main.classList.remove("busy");
      }
    }
  }

  // Ask without a word on the page; null if there is no answer.
  quietly(what, body) {
    return ask(this.game.name, what, body).done.catch(() => null);
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

  showLive(progress) {
    const rate = progress.seconds ? progress.nodes / progress.seconds : 0;
    const rows = [[t("nodes"), count(progress.nodes)], [t("rate"), count(Math.round(rate))], [t("depth"), progress.depth], [t("time"), seconds(progress.seconds)]];
    if (progress.frontier) rows.push([t("frontier"), count(progress.frontier)]);
    if (progress.best !== null && progress.best !== undefined) rows.push([t("bound"), progress.best]);
    if (progress.memory) rows.push([t("memory"), `${(progress.memory / 1e6).toFixed(1)} MB`]);
    fill(this.live, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
    if (this.job) this.say(`${t("searching")} ${count(progress.nodes)} · ${t("depth")} ${progress.depth}`);
  }

  async solve(withSettings = false) {
    if (this.quest) return this.runAgent();
    const state = this.session.state;
    if (state.status !== "open") return this.say(t(state.status === "solved" ? "already_solved" : "game_over"));
    fill(this.result);
    fill(this.live);
    const settings = withSettings ? this.settings : { engine: "best", seconds: Math.max(5, this.settings.seconds || 5) };
    const answer = await this.question("solve", { ...this.session.place, ...clean(settings) });
    if (!answer) return;
    this.showLive({ ...answer, best: null, frontier: 0 });
    this.showAnswer(answer);
    if (this.game.kind === "puzzle" && answer.moves.length) {
      this.session.helped = true;
      await this.session.append(answer.moves);
      if (!withSettings) this.playPause(true);
    }
  }

  showAnswer(answer) {
    const words = capital(answer.result);
    fill(this.result, h("p", { class: "verdict" }, words), h("p", { class: "by" }, answer.engine, answer.heuristic || answer.evaluation ? ` · ${answer.heuristic || answer.evaluation}` : ""),
      answer.moves.length ? h("p", { class: "line" }, h("b", {}, `${t("line")}: `), answer.moves.slice(0, 60).join(" ")) : null,
      this.duel && answer.moves.length ? h("button", { type: "button", onclick: () => this.session.append(answer.moves) }, t("line_step")) : null);
    this.say(words);
    if (answer.score) this.showBar(answer.score);
  }

  showBar(score) {
    const side = this.turn() === 0 ? 1 : -1;
    const share = score.plies !== null ? Math.sign(score.value) : Math.tanh(score.value / 50);
    this.bar.hidden = false;
    this.bar.title = score.words;
    this.bar.firstChild.style.width = `${50 + 50 * share * side}%`;
  }

  async giveHint() {
    if (this.hint) return this.say(this.hint.why);
    const at = this.session.cursor;
    let hint = null;
    if (this.quest) hint = await this.questHint();
    else {
      if (this.session.state.status !== "open") return this.say(t(this.game.kind === "puzzle" ? "already_solved" : "game_over"));
      const answer = await this.question("solve", { ...this.session.place, engine: "best", seconds: 2 });
      if (!answer) return;
      if (!answer.moves.length) return this.say(t("hint_none", { why: answer.result }));
      const value = answer.score ? answer.result : t("hint_togo", { n: answer.length });
      const words = answer.moves.slice(0, 6).map((move) => this.module.words?.(move) ?? move);
      hint = { move: answer.moves[0], why: t("hint_why", { move: words[0], why: value, line: words.slice(1).join(" ") || t("hint_done") }) };
    }
    if (!hint || this.session.cursor !== at) return;
    this.session.helped = true;
    this.hint = hint;
    this.say(t("hint_says", { move: this.module.words?.(hint.move) ?? hint.move }));
    this.mark([{ name: hint.move, tone: "hint" }], "hints");
  }

  async questHint() {
    if (this.session.state.status !== "running") { this.say(t("game_over")); return null; }
    if (this.game.study) {
      const answer = await this.question("study", this.session.place);
      if (!answer?.action) return null;
      const value = answer.proved ? t("hint_proved") : t("hint_risk", { n: (100 * answer.risk).toFixed(1) });
      const [, row, column] = answer.action.split(" ").map(Number);
      const cell = answer.cells?.find((each) => each.row === row && each.column === column);
      return { move: answer.action, why: `${answer.action}: ${value}${cell?.reason ? ` — ${cell.reason}` : ""}` };
    }
    const acts = [];
    await this.question("run", { ...this.session.place, agent: this.agent.value, steps: 1 }, { acts: (batch) => acts.push(...batch) });
    if (!acts.length) return null;
    if (acts[0].thought) this.showThought(acts[0].thought);
    return { move: acts[0].name, why: acts[0].thought?.words || acts[0].name };
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
    const show = ({ moves }) => {
      if (this.session.cursor !== at || !this.scoresOn) return;
      this.scores = moves;
      const order = [...moves].sort((a, b) => worth(b) - worth(a));
      this.mark(order.map((each) => ({ name: each.name, text: this.shortText(each), tone: this.tone(each) })), "scores");
      this.listLegal();
      const best = moves.filter((each) => each.score).sort((a, b) => b.score.value - a.score.value)[0];
      if (best) this.showBar(best.score);
    };
    const job = ask(this.game.name, this.quest ? "study" : "scores", { ...this.session.place, seconds: this.quest ? undefined : 3 }, {
      compiling: ({ kernels }) => this.say(kernels.length ? t("compiling_kernels", { names: kernels.join(", ") }) : t("searching")),
      queued: (queue) => this.say(t("queued", { n: queue.ahead, m: queue.at_once })),
      scores: show,
    });
    this.scoring = job;
    this.board.classList.add("scoring");
    try {
      const answer = await job.done;
      if (this.scoring !== job || !answer) return;
      if (this.quest) { if (this.session.cursor === at && this.scoresOn) this.module.study?.(this, this.svg, answer); } else show(answer);
    } catch (error) {
      if (!wasLeft(error)) this.say(error.message);
    } finally {
      if (this.scoring === job) { this.scoring = null; this.board.classList.remove("scoring"); }
    }
  }

  shortText(each) {
    if (each.score) return shortScore(each.score);
    return each.length === null ? "·" : String(each.length);
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
    if (this.session.state.status !== "running") return this.say(t("game_over"));
    await this.module.beforeRun?.(this);
    const before = this.session.cursor;
    const names = [];
    fill(this.result);
    const body = { ...this.session.place, agent: this.agent.value, steps: Number(this.steps.value) || 1000 };
    const answer = await this.question("run", body, {
      acts: (batch) => {
        for (const each of batch) {
          if (each.thought) this.thoughts.set(before + names.length, each.thought);
          names.push(each.name);
        }
        this.say(`${this.agent.value}: ${names.length}`);
      },
    });
    this.session.helped = true;
    if (names.length) await this.session.append(names);
    if (!answer) return;
    const words = t("agent_done", { status: t(`outcome_${answer.status}`), n: answer.length });
    fill(this.result, h("p", { class: "verdict" }, words), answer.reason ? h("p", {}, answer.reason) : null,
      h("dl", { class: "live" }, Object.entries({ [t("time")]: seconds(answer.seconds), ...answer.statistics }).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])));
    this.say(words);
    this.playPause(true);
  }

  showThought(thought) {
    this.lastThought = thought;
    this.module.thought?.(this, this.svg, thought);
    dispatchEvent(new CustomEvent("thought", { detail: thought }));
  }

  forgetThought() {
    if (this.lastThought && this.message.textContent === this.lastThought.words) this.say("");
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
      try { await this.session.goto(this.session.cursor + 1, () => this.playing); } catch (error) { this.say(error.message); this.pause(); }
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
        if (answer.score) values.push({ ply, value: (ply % 2 ? -1 : 1) * answer.score.value, words: answer.score.words });
      }
      fill(place, this.reviewGraph(values));
    };
    return h("details", {}, h("summary", {}, t("review")), h("p", { class: "help" }, t("review_title")), h("button", { type: "button", onclick: go }, t("review")), place);
  }

  reviewGraph(values) {
    const width = 320, height = 90;
    const x = (ply) => 8 + (width - 16) * ply / Math.max(1, values.length - 1);
    const y = (value) => height / 2 - (height / 2 - 8) * Math.max(-1, Math.min(1, Math.abs(value) > 9000 ? Math.sign(value) : Math.tanh(value / 50)));
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "graph", role: "img", "aria-label": t("review_title") },
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
    if (document.querySelector("dialog[open]")) return;
    if (event.target.type !== "range" && this.module.key?.(this, event)) { event.preventDefault(); return; }
    const action = {
      z: () => this.undo(), "[": () => this.undo(), y: () => this.jump(this.session.cursor + 1), "]": () => this.jump(this.session.cursor + 1),
      Home: () => this.jump(0), End: () => this.jump(this.session.moves.length), h: () => this.giveHint(), a: () => this.scoresButton.hidden || this.toggleScores(),
      s: () => this.solve(), Escape: () => this.stop(), n: () => openNewGame(this), r: () => this.restart(), p: () => this.playPause(), "?": () => this.showKeys(), b: () => this.board.querySelector('.pressable[tabindex="0"]')?.focus(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  showKeys() {
    const dialog = document.getElementById("keys");
    const rows = [["z y", "undo"], ["Home End", "ends"], ["h", "hint"], ["a", "scores"], ["s", "solve"], ["p", "play"], ["Esc", "stop"], ["n", "new"], ["r", "again"], ["b Tab Enter", "board"], ["← ↑ → ↓", "arrows"], ["?", "help"]].map(([keys, name]) => [keys, t(`key_${name}`)]);
    const own = this.module.keys || [];
    if (own.some(([keys]) => keys.startsWith("←"))) rows.splice(-2, 1); // the arrows have another meaning here
    fill(dialog, h("h2", {}, t("keys")), h("dl", {}, [...rows, ...own].flatMap(([keys, text]) => [h("dt", {}, keys.split(" ").map((each) => h("kbd", {}, each))), h("dd", {}, text)])),
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
export function engineFields(game, settings, changed) {
  const help = h("p", { class: "help" });
  const name = guideOf(game);
  const guides = guidesOf(game);
  const engine = h("select", { class: "engine" }, game.engines.map((each) => h("option", { value: each.name }, each.name === "best" ? `best (${game.best_engine})` : each.name)));
  engine.value = settings.engine;
  const guide = h("select", { class: name }, h("option", { value: "" }, t("default")), guides.map((each) => h("option", { value: each.name, title: each.help }, each.name)));
  guide.value = settings[name] || "";
  const time = h("input", { type: "number", class: "seconds", min: 0.1, max: 120, step: 0.1, value: settings.seconds ?? 5 });
  const depth = h("input", { type: "number", class: "depth", min: 1, max: 120, value: settings.depth ?? "" });
  const showHelp = () => { help.textContent = game.engines.find((each) => each.name === engine.value)?.help || ""; };
  const update = () => {
    Object.assign(settings, { engine: engine.value, [name]: guide.value, seconds: Number(time.value) || 5, depth: depth.value ? Number(depth.value) : null });
    showHelp();
    changed?.();
    dispatchEvent(new CustomEvent("settings"));
  };
  for (const each of [engine, guide, time, depth]) each.addEventListener("change", update);
  showHelp();
  return h("div", { class: "fields" }, h("label", {}, h("span", {}, t("engine")), engine),
    guides.length ? h("label", {}, h("span", {}, t(name === "evaluation" ? "evaluation" : "heuristic")), guide) : null,
    h("label", { class: "short" }, h("span", {}, t("seconds")), time),
    game.kind === "duel" ? h("label", { class: "short" }, h("span", {}, t("depth")), depth) : null, help);
}
