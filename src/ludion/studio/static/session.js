// A game in progress: a start, options, the moves with a cursor among them. Undo and redo move the cursor.

import { get, post } from "./api.js";

const LONGEST_ADDRESS = 8000;
const MOST_PEEKED = 400;

export class Session extends EventTarget {
  constructor(game) {
    super();
    this.game = game;
    this.start = "";
    this.options = {}; // those chosen; a level has options of its own: state.options_in_force are all
    this.moves = [];
    this.cursor = 0;
    this.state = null;
    this.helped = false; // solved with an engine's help: no record
    this.peeked = new Map();
    this.queue = Promise.resolve(); // of changes
  }

  // From the address, else from where this browser left it, else from the beginning.
  async open() {
    const query = new URLSearchParams(location.search);
    if (query.has("p")) {
      const options = {};
      if (query.has("seed") && this.game.options.some((each) => each.name === "seed")) options.seed = query.get("seed"); // of a run: the world's, too
      for (const [name, value] of query) if (name.startsWith("o.")) options[name.slice(2)] = value;
      const moves = query.get("m") ? query.get("m").split(";") : [];
      const cursor = query.has("c") ? Math.min(Math.max(0, Number(query.get("c")) || 0), moves.length) : moves.length;
      return this.set({ start: query.get("p"), options, moves, cursor });
    }
    const saved = await get(`/api/games/${this.game.name}/record`);
    if (saved) {
      try { return await this.set(saved); } catch { /* the rules have changed since: begin anew */ }
    }
    return this.begin();
  }

  firstStart() {
    if (this.game.start || this.game.kind !== "quest") return this.game.start;
    return this.game.levels.length ? `level:${this.game.levels[0].name}` : "";
  }

  begin(start = this.firstStart(), options = {}, moves = []) {
    this.helped = false;
    return this.set({ start, options, moves, cursor: moves.length });
  }

  // One change after the other, each checked by the server before it counts.
  set(place, save = true) {
    return this.#queued(() => this.#set(place, save));
  }

  #queued(change) {
    const next = this.queue.then(change);
    this.queue = next.catch(() => {});
    return next;
  }

  async #set(change, save) {
    const place = { start: this.start, options: this.options, moves: this.moves, cursor: this.cursor, ...change };
    const state = await this.look(place, save);
    Object.assign(this, place);
    this.options = state.options;
    this.moves = [...state.moves, ...place.moves.slice(place.cursor)];
    this.state = state;
    this.showAddress();
    this.dispatchEvent(new CustomEvent("change"));
    return state;
  }

  async look({ start, options, moves, cursor }, save = false) {
    const late = setTimeout(() => this.dispatchEvent(new CustomEvent("late")), 1500);
    try {
      return await post(`/api/games/${this.game.name}/state`, { start, options, moves, cursor, save, helped: this.helped });
    } finally { clearTimeout(late); }
  }

  // The state after some moves from here, remembered: for watching and scrubbing.
  async peek(more) {
    const moves = [...this.moves.slice(0, this.cursor), ...more];
    const key = JSON.stringify([this.start, this.options, moves]);
    if (!this.peeked.has(key)) {
      if (this.peeked.size > MOST_PEEKED) this.peeked.clear();
      this.peeked.set(key, await this.look({ start: this.start, options: this.options, moves, cursor: moves.length }));
    }
    return this.peeked.get(key);
  }

  play(move) {
    return this.#queued(() => {
      const moves = [...this.moves.slice(0, this.cursor), move];
      if (this.moves[this.cursor] === move) return this.#set({ cursor: this.cursor + 1 }, true); // as before: keep the future
      return this.#set({ moves, cursor: moves.length }, true);
    });
  }

  // `still` is asked when its turn comes: a replay that was stopped meanwhile must not move on.
  goto(cursor, still = () => true) {
    return this.#queued(() => {
      const target = Math.min(Math.max(0, cursor), this.moves.length);
      return target === this.cursor || !still() ? this.state : this.#set({ cursor: target }, true);
    });
  }

  // Put a line of moves after the present position; the cursor stays.
  append(line) {
    return this.set({ moves: [...this.moves.slice(0, this.cursor), ...line] });
  }

  get place() {
    return { start: this.start, options: this.options, moves: this.moves.slice(0, this.cursor) };
  }

  get level() {
    const name = this.start.startsWith("level:") ? this.start.slice(6) : null;
    return this.game.levels.find((each) => each.name === name) || null;
  }

  // Keep the place in the address, as long as it fits.
  showAddress() {
    const query = new URLSearchParams({ p: this.start });
    for (const [name, value] of Object.entries(this.options)) query.set(`o.${name}`, value);
    if (this.moves.length) query.set("m", this.moves.join(";"));
    if (this.cursor !== this.moves.length) query.set("c", this.cursor);
    const text = query.toString().replace(/%(3B|2F|3A|2C|5B|5D|28|29|7E)/g, (code) => decodeURIComponent(code)); // easier to read, and as safe
    history.replaceState(null, "", text.length > LONGEST_ADDRESS ? location.pathname : `${location.pathname}?${text}`);
  }
}
