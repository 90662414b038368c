// A board that can be played on anywhere, without the page of its game: the same drawing, presses, drags and keys
// (board.js and the game's module), the moves of one visit, and nothing that is kept.

import { post } from "./api.js";
import { Board, boardModule } from "./board.js";
import { fill, h, image } from "./dom.js";
import { t } from "./strings.js";

export async function openBoard(game, place, changed) {
  const live = new LiveBoard(game, await boardModule(game), changed);
  await live.begin(place);
  return live;
}

// What board.js and the modules of games need of a page.
class LiveBoard {
  constructor(game, module, changed) {
    Object.assign(this, { game, module, changed, quest: game.kind === "quest", duel: game.kind === "duel" });
    this.busy = false;
    this.replay = { playing: false };
    this.asking = { job: null };
    this.session = new LiveSession(game);
    this.extras = h("div", { class: "extras" });
    this.message = h("p", { class: "message", role: "status" });
    this.goal = h("div", { class: "preview goalview" });
    this.board = new Board(this);
    this.main = h(
      "div",
      { class: "liveboard" },
      h("div", { class: "boards" }, this.board.element, this.goal),
      this.extras,
      this.message,
      h(
        "div",
        { class: "controls" },
        h("button", { type: "button", class: "live-undo", onclick: () => this.undo() }, t("undo")),
        h("button", { type: "button", class: "live-again", onclick: () => this.begin(this.session) }, t("try_again")),
      ),
    );
    if (this.quest) this.module.extras?.(this); // what to press beside the board
    this.main.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(".controls")) return;
      if (this.module.key?.(this, event) || this.board.key(event)) event.preventDefault();
    });
  }

  get svg() {
    return this.board.svg;
  }

  get over() {
    return !["open", "running"].includes(this.session.state.status);
  }

  turn() {
    return this.svg?.dataset.turn ? Number(this.svg.dataset.turn) : this.session.cursor % 2;
  }

  sideName(side) {
    return String(side + 1);
  }

  sound() {}

  say(text) {
    this.message.textContent = text || "";
  }

  words(move) {
    const { legal, legal_spoken: spoken } = this.session.state;
    return spoken[legal.indexOf(move)] ?? move;
  }

  begin({ start, options }) {
    return this.#change({ start, options, moves: [] });
  }

  undo() {
    const { start, options, moves } = this.session;
    return this.#change({ start, options, moves: moves.slice(0, -1) });
  }

  // A move, or several one after the other, or a function that chooses it when its turn comes.
  play(choice) {
    return this.session.queued(async () => {
      const { start, options, moves, state } = this.session;
      const move = typeof choice === "function" ? choice(state) : choice;
      if (move === null || move === undefined || this.over) return;
      try {
        await this.session.set({ start, options, moves: [...moves, ...[move].flat()] });
        this.redraw();
        this.say("");
        this.changed(this.session);
      } catch (error) {
        this.redraw();
        this.say(error.message);
      }
    });
  }

  #change(place) {
    return this.session.queued(async () => {
      await this.session.set(place);
      this.redraw();
      this.say("");
      this.changed(this.session);
    });
  }

  redraw() {
    const { state } = this.session;
    this.board.draw(state);
    fill(this.goal, state.goal?.svg ? [h("small", {}, t("goal_board")), image(state.goal.svg)] : []);
  }
}

class LiveSession {
  constructor(game) {
    this.game = game;
    this.queue = Promise.resolve();
    this.notes = {};
    this.level = null;
  }

  queued(change) {
    this.queue = this.queue.then(change, change);
    return this.queue;
  }

  async set({ start, options, moves }) {
    const state = await this.look({ start, options, moves });
    Object.assign(this, { start, options, moves: state.moves, cursor: state.moves.length, state });
  }

  look({ start, options, moves }) {
    return post(`/api/games/${this.game.name}/state`, { start, options, moves });
  }
}
