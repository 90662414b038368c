// A game's page: the same parts for every game. Boards differ by their drawing, and by a module of the game's own (board.js).

import { AgentRun } from "./agent.js";
import { get } from "./api.js";
import { Asking } from "./asking.js";
import { Board, boardModule } from "./board.js";
import { Clock } from "./clock.js";
import { fill, h, picture, remember, rowsOf, toast } from "./dom.js";
import { Ending } from "./ending.js";
import { usableSettings } from "./fields.js";
import { openGallery } from "./gallery.js";
import { Insight } from "./insight.js";
import { Introduction } from "./intro.js";
import { listenForKeys } from "./keys.js";
import { dailyBoard, openNewGame, randomSeed } from "./newgame.js";
import { Opponents } from "./opponents.js";
import { Panels } from "./panels.js";
import { Replay } from "./replay.js";
import { Review } from "./review.js";
import { Session } from "./session.js";
import { Signals } from "./signals.js";
import { playSound } from "./sound.js";
import { capital, t } from "./strings.js";

export async function openGame(main, name, levels) {
  const game = await get(`/api/games/${encodeURIComponent(name)}`);
  document.title = `${game.title} · ludion`;
  const page = new Page(main, game, await boardModule(game));
  await page.open();
  if (levels) openGallery(page);
  return page;
}

class Page extends Signals {
  constructor(main, game, module) {
    super();
    Object.assign(this, { main, game, module, quest: game.kind === "quest", duel: game.kind === "duel" });
    this.session = new Session(game);
    this.settings = usableSettings(game, remember(`engine.${game.name}`));
    this.board = new Board(this);
    this.asking = new Asking(this);
    this.insight = new Insight(this);
    this.replay = new Replay(this);
    this.opponents = this.duel ? new Opponents(this) : null;
    this.clock = this.duel ? new Clock(this) : null;
    this.agent = this.quest ? new AgentRun(this) : null;
    this.ending = new Ending(this);
    this.intro = new Introduction(this);
    this.review = new Review(this);
    this.panels = new Panels(this);
  }

  async open() {
    this.build();
    this.session.dailyBoard = (date) => dailyBoard(this, date);
    this.session.addEventListener("late", () => this.say(t("compiling")));
    this.session.addEventListener("change", () => {
      if (this.message.textContent === t("compiling") && !this.asking.job) this.say("");
      this.changed();
    });
    this.session.addEventListener("try", ({ detail }) => this.board.foresee(detail));
    this.session.addEventListener("refused", () => this.redraw());
    try {
      await this.session.open();
    } catch (error) {
      toast(error.message);
      this.say(error.message);
      await this.session.begin();
    }
    this.opponents?.open();
    if (!this.message.textContent) this.say("");
    this.showStatus();
    if (this.session.slot) this.offerOwnGame();
    this.panels.showBests();
    this.showTab();
    this.intro.offer();
    addEventListener("popstate", (event) => this.goBack(event.state));
    addEventListener("pagehide", () => this.leave());
    listenForKeys(this);
    if (!this.duel)
      setInterval(() => {
        if (!document.hidden) this.showCounters();
      }, 1000);
  }

  // A game that came by a link, or the board of a day, is beside one's own, which is one press away.
  offerOwnGame() {
    fill(
      this.notice,
      this.session.day
        ? t("daily_board", { date: this.session.day })
        : t(this.session.byLink ? "link_beside" : "saved_beside"),
      " ",
      h("a", { href: `/play/${this.game.name}`, id: "own-game" }, t("link_own")),
    );
    this.notice.hidden = false;
  }

  // Back and forward: through games and panels, to the gallery of levels and from it, not out of the page.
  async goBack(entry) {
    if (!entry?.place) return;
    if (entry.levels) {
      openGallery(this, false);
      return;
    }
    if (this.sheet.open) this.sheet.close();
    if (JSON.stringify(entry) === JSON.stringify(this.session.entry)) return; // only the gallery was closed
    this.asking.leave();
    this.replay.pause();
    try {
      await this.session.restore(entry);
    } catch (error) {
      this.say(error.message);
    }
    this.showTab();
  }

  // What belongs to this game: Back, a reload and a link return to its panel and review, the first two to its scores.
  showTab() {
    const { tab = "play", scores = false } = this.session.notes;
    if (scores !== this.insight.on) this.insight.toggle();
    if (tab !== this.panels.tab && this.panels.has(tab)) this.panels.show(tab);
    if (tab === "review") this.review.resume();
  }

  // ---------------------------------------------------------------- what is on the page

  build() {
    const { game } = this;
    this.notice = h("p", { class: "notice", id: "notice", hidden: true });
    this.sheet = h("dialog", { class: "sheet", id: "sheet" });
    this.counters = h("dl", { class: "counters", id: "counters" });
    this.goalLine = h("p", { id: "goal" }, this.goal());
    this.status = h("p", { class: "status", id: "status" });
    this.message = h("p", { class: "message", id: "message", role: "status" });
    this.speech = h("p", { class: "unseen", id: "speech", role: "log", "aria-label": t("speech") });
    this.extras = h("div", { class: "extras", id: "extras" }); // the game's own buttons below the board
    this.ownOptions = h("div", { class: "fields" }); // the game's own fields among the options
    this.goalBoard = h("figure", { class: "goal-board", id: "goal-board", hidden: true });
    const stage = h(
      "section",
      { class: "stage", "aria-label": t("board") },
      this.notice,
      h("div", { class: "boards" }, this.board.element, this.goalBoard),
    );
    fill(
      this.main,
      h(
        "div",
        { class: "columns" },
        h("div", { class: "title" }, h("h1", {}, game.title), this.counters, this.goalLine),
        h(
          "div",
          { class: "left" },
          stage,
          h("div", { class: "bars" }, h("div", { class: "rows" }, this.extras, this.buttons())),
        ),
        h(
          "div",
          { class: "why" },
          this.asking.bar,
          h("div", { class: "statusline" }, this.status, this.insight.choices, this.clock?.view),
          this.message,
          this.intro.view,
          this.ending.view,
          this.speech,
        ),
        this.panels.build(),
      ),
      this.sheet,
    );
    this.module.extras?.(this);
    this.module.open?.(this);
  }

  buttons() {
    const button = (id, text, action, key, kind = "") =>
      h("button", { type: "button", id, class: kind, title: key ? `${text} (${key})` : text, onclick: action }, text);
    this.undoButton = button("undo", t("undo"), () => this.undo(), "z");
    this.redoButton = button("redo", t("redo"), () => this.jump(this.session.cursor + 1), "y", "second");
    this.scoresButton = button(
      "scores",
      t(this.quest ? "risks" : "scores"),
      () => this.insight.toggle(),
      "a",
      "toggle second",
    );
    this.scoresButton.setAttribute("aria-pressed", "false");
    if (this.quest && !this.game.study) this.scoresButton.hidden = true;
    return h(
      "div",
      { class: "controls main-controls" },
      this.undoButton,
      this.redoButton,
      button("hint", t("hint"), () => this.insight.giveHint(), "h"),
      this.scoresButton,
      button("restart", t("try_again"), () => this.restart(), "", "second"),
      this.asking.stopButton,
      button("newgame", t("newgame"), () => openNewGame(this), "n", "primary"),
      button("more-buttons", t("more"), () => this.panels.more.open()),
    );
  }

  // A goal of the level's own stands beside the board.
  showGoal() {
    const { goal } = this.session.state;
    this.goalBoard.hidden = !goal;
    if (!goal) return fill(this.goalBoard);
    const view = h("div", { inert: true });
    this.preview(goal, view);
    return fill(this.goalBoard, h("figcaption", {}, t("goal_board")), view);
  }

  // What is to be done, in one line.
  goal() {
    if (this.session.state?.goal) return t("goal_beside");
    return this.module.goal?.(this.svg, this.session.state) ?? this.game.summary;
  }

  // The numbers that matter: as the module counts them, else the moves; of what is not a duel, the time too.
  showCounters() {
    const { state, cursor } = this.session;
    const rows = this.module.counters?.(this.svg, state, this.session) ??
      this.opponents?.seriesRows() ?? [[t("moves"), cursor]];
    if (!this.duel) rows.push([t("time"), this.stopwatch()]);
    fill(
      this.counters,
      rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))),
    );
    this.goalLine.textContent = this.goal();
  }

  // Since the first move; it stands still when the game is over.
  stopwatch() {
    const { cursor } = this.session;
    if (cursor === 0) this.began = null;
    else if (!this.over) {
      this.began ??= performance.now();
      this.spent = performance.now() - this.began;
    }
    const whole = Math.floor((cursor === 0 ? 0 : this.spent || 0) / 1000);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }

  // ---------------------------------------------------------------- after every change

  changed() {
    const { state, moves, cursor } = this.session;
    this.opponents?.show();
    this.board.draw(state);
    const mover = this.mover ?? null;
    this.clock?.moved(mover);
    this.mover = this.turn();
    this.showStatus();
    this.showCounters();
    this.showGoal();
    this.ending.update();
    this.undoButton.disabled = cursor === 0;
    this.redoButton.disabled = cursor === moves.length;
    this.replay.update();
    this.asking.bar.hidden = true;
    this.insight.forget();
    this.panels.update();
    this.agent?.update();
    this.announce(mover);
    this.intro.update();
    this.emit("position");
    this.opponents?.play();
  }

  showStatus() {
    this.status.textContent = this.statusWords(this.session.state);
  }

  // The same position drawn anew, with what stood on it.
  redraw() {
    this.board.draw(this.session.state);
    if (this.insight.on) this.insight.score();
    this.agent?.update();
  }

  // A board that is only looked at.
  preview(state, where) {
    fill(where, state.svg ? picture(state.svg) : h("pre", {}, rowsOf(state.board)));
  }

  timeIsUp() {
    this.asking.leave();
    this.showStatus();
    this.say("");
  }

  statusWords(state) {
    const { cursor } = this.session;
    if (this.duel) return this.duelWords(state.status);
    const fresh = cursor === 0 && !this.over;
    if (this.quest) return state.status === "running" ? t("status_begin") : t(`status_${state.status}`, { n: cursor });
    const words = [
      fresh ? t("status_begin") : t(state.status === "solved" ? "status_solved" : "status_open_puzzle", { n: cursor }),
    ];
    const known = this.session.level?.known;
    const best = known && (known[state.options_in_force.metric || "moves"] ?? known.moves);
    if (best !== undefined && best !== null) words.push(t("status_best", { n: best }));
    if (state.best !== null && state.best !== undefined) words.push(t("status_record", { n: state.best }));
    return words.join(" · ");
  }

  duelWords(status) {
    if (status === "drawn") return t("status_drawn");
    const mover = this.turn();
    const { fallen } = this.clock;
    if (status === "open" && fallen !== null)
      return t("status_time", { who: this.sideName(fallen), winner: this.sideName(1 - fallen) });
    if (status === "open") {
      const yours = this.opponents.other && this.opponents.sides[mover] === "human";
      return t(yours ? "status_yours" : "status_turn", { who: this.sideName(mover) });
    }
    return t("status_wins", { who: this.sideName(status === "won" ? mover : 1 - mover) });
  }

  // ---------------------------------------------------------------- speech

  say(text) {
    this.message.textContent = text || this.prompt();
  }

  // How to begin, as long as nothing has been played.
  prompt() {
    const fresh = this.session.state && this.session.cursor === 0 && !this.over && this.intro.at < 0;
    return (fresh && !this.busy && this.module.prompt?.(this)) || "";
  }

  // A legal move, or the last one, in words.
  words(move) {
    const { legal, legal_spoken: spoken } = this.session.state;
    return spoken[legal.indexOf(move)] ?? move;
  }

  // The last move, if it was made just now: who made it and how things stand. Moves that play quickly are not all said.
  announce(mover) {
    const { state, cursor } = this.session;
    const forward = this.spokenAt !== undefined && cursor === this.spokenAt + 1;
    this.spokenAt = cursor;
    if (!forward || this.replay.playing) return;
    const words = state.spoken[cursor - 1];
    const who = this.duel ? `${this.opponents.name(mover)}: ` : "";
    if (this.over && this.duel) {
      this.opponents.countGame();
      this.showCounters();
    }
    fill(this.speech, `${who}${capital(words ?? "")}. ${this.statusWords(state)}`);
    this.sound(this.over ? (state.status === "lost" && this.quest ? "lost" : "end") : "move");
  }

  // All that lies on the board, on demand.
  readBoard() {
    const summary = `${this.board.summary()}. ${this.statusWords(this.session.state)}`;
    fill(this.speech, summary);
    this.say(summary);
  }

  sound(name) {
    playSound(name);
  }

  // ---------------------------------------------------------------- who and what

  get svg() {
    return this.board.svg;
  }

  get busy() {
    return Boolean(this.opponents?.thinking);
  }

  get over() {
    return !["open", "running"].includes(this.session.state?.status);
  }

  // Whose turn it is, as the drawing says; without one, they take turns.
  turn() {
    return this.svg?.dataset.turn ? Number(this.svg.dataset.turn) : this.session.cursor % 2;
  }

  sideName(side) {
    return this.module.sides?.()[side] ?? t(`player_${side + 1}`);
  }

  // ---------------------------------------------------------------- playing

  async play(move) {
    if (this.busy) {
      this.say(t("wait_thinking"));
      return;
    }
    if (this.clock && this.clock.fallen !== null) return;
    this.replay.pause();
    try {
      await this.session.play(move);
      this.say("");
    } catch (error) {
      this.say(error.message);
    }
  }

  async begin(start, options = {}, moves = [], sides = this.opponents?.sides) {
    this.asking.leave();
    this.replay.pause();
    this.agent?.thoughts.clear();
    this.intro.leave();
    try {
      await this.session.begin(start, options, moves, this.duel ? { sides, opponentSeed: randomSeed() } : {});
      this.opponents?.keep(sides);
      this.clock?.reset();
      this.say("");
    } catch (error) {
      this.say(error.message);
      this.changed();
    }
  }

  undo() {
    this.replay.pause();
    this.asking.leave();
    let to = this.session.cursor - 1;
    if (this.opponents?.answers(1 - this.turn()) && to > 0) to -= 1; // the opponent's move too
    return this.session.goto(to);
  }

  // To another place in the game, which ends a replay.
  jump(cursor) {
    this.replay.pause();
    return this.session.goto(cursor);
  }

  // The same again: a duel anew, with the same players; else back to the start, from where all can be redone.
  restart() {
    return this.duel ? this.begin(this.session.start, this.session.options) : this.jump(0);
  }

  solve() {
    return this.quest ? this.agent.run() : this.asking.solve();
  }

  question(what, body, on) {
    return this.asking.question(what, body, on);
  }

  quietly(what, body) {
    return this.asking.quietly(what, body);
  }

  stop() {
    this.replay.pause();
    this.asking.stop();
    this.insight.job?.stop();
  }

  leave() {
    this.asking.leave();
    this.insight.job?.leave();
    this.review.job?.leave();
  }
}
