// A game in progress: a start, options, the moves with a cursor among them. Undo and redo move the cursor.

import { readPlace, writePlace } from "./address.js";
import { get, post } from "./api.js";

const LONGEST_ADDRESS = 8000;

const sameOptions = (one, other) =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
const samePlace = (one, other) =>
  one.start === other.start && sameOptions(one.options, other.options) && one.moves.join(";") === other.moves.join(";");

const newSlot = () =>
  crypto
    .getRandomValues(new Uint32Array(2))
    .reduce((text, each) => text + each.toString(36), "")
    .slice(0, 12);

export class Session extends EventTarget {
  constructor(game) {
    super();
    this.game = game;
    this.start = "";
    this.options = {}; // those chosen; a level has options of its own: state.options_in_force are all
    this.moves = [];
    this.spoken = []; // the moves in words; those ahead as they were when they were made here
    this.cursor = 0;
    this.state = null;
    this.helped = false; // solved with an engine's help: no record
    this.slot = ""; // where it is saved: one's own game, or beside it a game that came by a link
    this.notes = {}; // what else belongs to this game, for the page: kept with its entry in the browser's history
    this.channel = new BroadcastChannel("ludion"); // to other tabs: what one plays, the others show
    this.channel.onmessage = ({ data }) => {
      if (data.game === game.name && data.slot === this.slot && this.state) this.#follow(data);
    };
    this.queue = Promise.resolve(); // of changes
  }

  // From the address, else from where this browser left it, else from the beginning.
  async open() {
    const query = new URLSearchParams(location.search);
    const before = history.state; // of this very entry, if the page was reloaded or come back to
    const linked = readPlace(query, this.game);
    if (query.has("tab")) this.notes.tab = query.get("tab");
    if (linked) {
      const last = linked.moves.length;
      const place = {
        ...linked,
        cursor: query.has("c") ? Math.min(Math.max(0, Number(query.get("c")) || 0), last) : last,
      };
      if (before?.place) this.#recall(before);
      else await this.#openLink(place);
      return this.set(place);
    }
    if (query.has("slot")) this.slot = query.get("slot");
    const daily = query.get("daily");
    if (daily) this.slot = `daily${daily.replaceAll("-", "")}`;
    const saved = await this.#saved();
    if (saved) {
      this.helped = saved.helped;
      if (before?.place) this.#recall(before);
      try {
        return await this.set(saved);
      } catch {
        /* the rules have changed since: begin anew */
      }
    }
    if (!daily) return this.begin();
    const { start, options, moves } = await this.dailyBoard(daily);
    return this.begin(start, options, moves);
  }

  #saved() {
    return get(`/api/games/${this.game.name}/record${this.slot ? `?slot=${this.slot}` : ""}`);
  }

  // A game that came by a link is saved beside one's own, unless it is the same or there is none to lose.
  async #openLink(place) {
    this.byLink = true;
    const own = await this.#saved();
    if (own?.moves.length && !samePlace(own, place)) this.slot = newSlot();
  }

  #recall({ slot, notes, helped }) {
    Object.assign(this, { slot: slot || "", notes: notes || {}, helped: Boolean(helped) });
  }

  // Another entry of the browser's history: the game as it was there.
  restore(entry) {
    this.#recall(entry);
    return this.set(entry.place);
  }

  // A new game. The one before stays in the browser's history (Back undoes this) and, if it was not over, among the saved
  // games.
  begin(start = this.game.first, options = {}, moves = [], notes = {}) {
    return this.#queued(async () => {
      const underWay = this.state && this.moves.length && ["open", "running"].includes(this.state.status);
      if (underWay && !this.slot) await this.look({ ...this.entry.place, slot: newSlot() }, true);
      return this.#set({ start, options, moves, cursor: moves.length }, true, {
        push: this.state !== null,
        notes: { tab: this.notes.tab, scores: this.notes.scores, ...notes },
        helped: false,
      });
    });
  }

  // What another tab played: shown here, too, and left to it.
  #follow({ place, notes, helped }) {
    this.#queued(async () => {
      this.following = true;
      try {
        await this.#set(place, false, { notes, helped });
      } finally {
        this.following = false;
      }
    }).catch(() => {});
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

  async #set(change, save, { push = false, ...more } = {}) {
    const place = { start: this.start, options: this.options, moves: this.moves, cursor: this.cursor, ...change };
    const state = await this.look(place, save);
    const { moves, spoken } = this;
    this.spoken = place.moves.map((move, at) => state.spoken[at] ?? (move === moves[at] ? spoken[at] : move));
    Object.assign(this, place, more);
    this.options = state.options;
    this.moves = [...state.moves, ...place.moves.slice(place.cursor)];
    this.state = state;
    this.showAddress(push);
    if (save) this.channel.postMessage({ game: this.game.name, ...this.entry });
    this.dispatchEvent(new CustomEvent("change"));
    return state;
  }

  async look({ start, options, moves, cursor, slot = this.slot }, save = false) {
    const late = setTimeout(() => this.dispatchEvent(new CustomEvent("late")), 1500);
    try {
      return await post(`/api/games/${this.game.name}/state`, {
        start,
        options,
        moves,
        cursor,
        save,
        slot,
        helped: this.helped,
      });
    } finally {
      clearTimeout(late);
    }
  }

  // A move, or a function that chooses it from the state when its turn comes: fast keys wait for each other. It may
  // choose none. The page shows it at once ("try"), and takes it back if the server does not confirm it ("refused").
  play(choice) {
    return this.#queued(async () => {
      const move = typeof choice === "function" ? choice(this.state) : choice;
      if (move === null || move === undefined) return this.state;
      const moves = [...this.moves.slice(0, this.cursor), move];
      const asBefore = this.moves[this.cursor] === move; // keep the future
      this.dispatchEvent(new CustomEvent("try", { detail: move }));
      try {
        return await this.#set(asBefore ? { cursor: this.cursor + 1 } : { moves, cursor: moves.length }, true);
      } catch (error) {
        this.dispatchEvent(new CustomEvent("refused"));
        throw error;
      }
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

  get path() {
    return `/play/${encodeURIComponent(this.game.name)}`;
  }

  get place() {
    return { start: this.start, options: this.options, moves: this.moves.slice(0, this.cursor) };
  }

  // The date in words, if this is the board of a day.
  get day() {
    const [, year, month, day] = /^daily(\d{4})(\d\d)(\d\d)$/.exec(this.slot) ?? [];
    if (!year) return null;
    return new Date(year, month - 1, day).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  }

  // All that brings this game back.
  get entry() {
    const { slot, notes, helped, start, options, moves, cursor } = this;
    return { slot, notes, helped, place: { start, options, moves, cursor } };
  }

  get level() {
    const name = this.start.startsWith("level:") ? this.start.slice(6) : null;
    return this.game.levels.find((each) => each.name === name) || null;
  }

  // Keep the place in the address, as long as it fits, and in the browser's history.
  showAddress(push = false) {
    const { tab = "play" } = this.notes;
    const text = writePlace(this, {
      ...(this.cursor === this.moves.length ? {} : { c: this.cursor }),
      ...(tab === "play" ? {} : { tab }),
    });
    history[push ? "pushState" : "replaceState"](
      this.entry,
      "",
      text.length > LONGEST_ADDRESS ? this.path : `${this.path}?${text}`,
    );
  }

  // Something else that belongs to this game; with `push`, Back undoes it.
  note(more, push = false) {
    this.notes = { ...this.notes, ...more };
    if (this.state) this.showAddress(push);
  }
}
