// A game in progress: a start, options, the moves with a cursor among them. Undo and redo move the cursor.

import { get, post } from "./api.js";

const LONGEST_ADDRESS = 8000;
const KEPT = 400;

export class Session extends EventTarget {
  constructor(card) {
    super();
    this.card = card;
    this.start = "";
    this.options = {};
    this.moves = [];
    this.cursor = 0;
    this.state = null;
    this.helped = false; // solved with an engine's help: no record
    this.seen = new Map();
    this.turnstile = Promise.resolve();
  }

  // From the address, else from where this browser left it, else from the beginning.
  async open() {
    const query = new URLSearchParams(location.search);
    if (query.has("p")) {
      const options = {};
      for (const [name, value] of query) if (name.startsWith("o.")) options[name.slice(2)] = value;
      const moves = query.get("m") ? query.get("m").split(";") : [];
      const cursor = query.has("c") ? Math.min(Math.max(0, Number(query.get("c")) || 0), moves.length) : moves.length;
      return this.set({ start: query.get("p"), options, moves, cursor });
    }
    const kept = await get(`/api/games/${this.card.name}/record`);
    if (kept) {
      try { return await this.set(kept); } catch { /* the rules have changed since: begin anew */ }
    }
    return this.begin();
  }

  firstStart() {
    if (this.card.start || this.card.kind !== "quest") return this.card.start;
    return this.card.levels.length ? `level:${this.card.levels[0].name}` : "";
  }

  begin(start = this.firstStart(), options = {}, moves = []) {
    this.helped = false;
    return this.set({ start, options, moves, cursor: moves.length });
  }

  // One change after the other, each checked by the server before it counts.
  set(place, save = true) {
    const next = this.turnstile.then(() => this.#set(place, save));
    this.turnstile = next.catch(() => {});
    return next;
  }

  async #set(change, save) {
    const place = { start: this.start, options: this.options, moves: this.moves, cursor: this.cursor, ...change };
    const state = await this.look(place, save);
    Object.assign(this, place);
    this.moves = [...state.moves, ...place.moves.slice(place.cursor)];
    this.state = state;
    this.address();
    this.dispatchEvent(new CustomEvent("change"));
    return state;
  }

  async look({ start, options, moves, cursor }, save = false) {
    const late = setTimeout(() => this.dispatchEvent(new CustomEvent("late")), 1500);
    try {
      return await post(`/api/games/${this.card.name}/state`, { start, options, moves, cursor, save, helped: this.helped });
    } finally { clearTimeout(late); }
  }

  // The state after some moves from here, remembered: for watching and scrubbing.
  async peek(more) {
    const moves = [...this.moves.slice(0, this.cursor), ...more];
    const key = JSON.stringify([this.start, this.options, moves]);
    if (!this.seen.has(key)) {
      if (this.seen.size > KEPT) this.seen.clear();
      this.seen.set(key, await this.look({ start: this.start, options: this.options, moves, cursor: moves.length }));
    }
    return this.seen.get(key);
  }

  play(move) {
    const next = this.turnstile.then(() => {
      const moves = [...this.moves.slice(0, this.cursor), move];
      if (this.moves[this.cursor] === move) return this.#set({ cursor: this.cursor + 1 }, true); // as before: keep the future
      return this.#set({ moves, cursor: moves.length }, true);
    });
    this.turnstile = next.catch(() => {});
    return next;
  }

  // `still` is asked when its turn comes: a replay that was stopped meanwhile must not move on.
  goto(cursor, still = () => true) {
    const next = this.turnstile.then(() => {
      const wanted = Math.min(Math.max(0, cursor), this.moves.length);
      return wanted === this.cursor || !still() ? this.state : this.#set({ cursor: wanted }, true);
    });
    this.turnstile = next.catch(() => {});
    return next;
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
    return this.card.levels.find((each) => each.name === name) || null;
  }

  address() {
    const query = new URLSearchParams({ p: this.start });
    for (const [name, value] of Object.entries(this.options)) query.set(`o.${name}`, value);
    if (this.moves.length) query.set("m", this.moves.join(";"));
    if (this.cursor !== this.moves.length) query.set("c", this.cursor);
    const text = query.toString().replace(/%(3B|2F|3A|2C|5B|5D|28|29|7E)/g, (code) => decodeURIComponent(code)); // easier to read, and as safe
    history.replaceState(null, "", text.length > LONGEST_ADDRESS ? location.pathname : `${location.pathname}?${text}`);
  }
}
