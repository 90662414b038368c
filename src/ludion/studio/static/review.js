// A game looked at again: the value of every position, each mistake with what was better, its punishment played out on the
// board, and another try from there. The server judges (src/ludion/reviews.py); everything is said for the reader's side.

import { wasLeft } from "./api.js";
import { fill, h, picture } from "./dom.js";
import { drawMarks } from "./marks.js";
import { reviewGraph } from "./reviewgraph.js";
import { capital, t } from "./strings.js";

const PAUSE = 1100; // milliseconds between the moves of a line that is played out
const MOST_KEPT = 5; // reviews
const GRAVE = ["inaccuracy", "mistake", "blunder"];

export class Review {
  constructor(page) {
    this.page = page;
    this.reviews = new Map(); // by game: what is known of it
    this.job = null;
    this.chosen = null; // the move that is talked about
    this.line = 0; // the number of the line that is being played out
    this.view = h("div", { class: "review", id: "review" });
    page.on("position", () => this.moved());
  }

  get key() {
    const { start, options, moves } = this.page.session;
    return JSON.stringify([start, options, moves]);
  }

  get known() {
    return this.reviews.get(this.key) ?? null;
  }

  panel() {
    return h("div", {}, this.view);
  }

  // Show it at once, from the end of a game.
  open() {
    this.page.panels.choose("review");
    this.resume();
  }

  // The number of the reader's mistakes in this game; null if they are not known.
  async mistakes() {
    await (this.known ? this.job?.done.catch(() => null) : this.start());
    const own = this.known?.review?.moves.filter((each) => each.side === this.yours);
    return own?.filter((each) => GRAVE.includes(each.verdict)).length ?? null;
  }

  // A review that was left, or that a link leads to, begins by itself.
  resume() {
    if (!this.known && this.page.session.moves.length) this.start();
  }

  // ---------------------------------------------------------------- asking

  async start() {
    const { page } = this;
    const { start, options, moves } = page.session;
    this.job?.leave();
    const { key } = this;
    const entry = { standings: new Map(), of: moves.length + 1, done: 0, review: null };
    this.reviews.set(key, entry);
    if (this.reviews.size > MOST_KEPT) this.reviews.delete(this.reviews.keys().next().value);
    const job = page.asking.beside(
      "review",
      { start, options, moves },
      {
        standing: (standing) => {
          entry.standings.set(standing.ply, standing);
          entry.done = Math.min(entry.of, entry.done + 1);
          this.soon();
        },
      },
    );
    this.job = job;
    this.show();
    try {
      entry.review = await job.done;
    } catch (error) {
      this.reviews.delete(key);
      if (!wasLeft(error)) page.say(error.message);
    } finally {
      if (this.job === job) this.job = null;
    }
    this.chosen = entry.review && this.known === entry ? (this.moments[0] ?? null) : null;
    this.show();
  }

  // Drawn once for many events.
  soon() {
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.show();
    });
  }

  // ---------------------------------------------------------------- who is who

  // Whose turn it was at the start, as the board counts sides.
  get #first() {
    const { page } = this;
    return (page.turn() + page.session.cursor) % 2;
  }

  // The side of the reader; the first, if there are two of them or none.
  get yours() {
    const { opponents } = this.page;
    return opponents?.other ? (opponents.sides.indexOf("human") + this.#first) % 2 : 0;
  }

  name(side) {
    const { opponents } = this.page;
    const colour = (side + this.#first) % 2;
    return opponents.other && opponents.sides[colour] === "human" ? t("you") : opponents.name(colour);
  }

  // How a position stands, said for one side by name.
  words(standing) {
    const after = standing.ply ? t("review_after", { n: standing.ply }) : t("review_start");
    if (!this.page.duel) return `${after} ${standing.words[0]}`;
    return `${after} ${t("review_who", { who: this.name(this.yours), move: standing.words[this.yours] })}`;
  }

  // ---------------------------------------------------------------- showing

  get moments() {
    return (this.known?.review?.moves ?? []).filter((each) => GRAVE.includes(each.verdict) || each.risk > 0);
  }

  moved() {
    this.line += 1;
    this.page.board.element.inert = false;
    const { cursor } = this.page.session;
    const now = this.moments.find((each) => each.number === cursor);
    if (now) this.chosen = now;
    this.show();
  }

  show() {
    const { known, page } = this;
    if (!known) {
      fill(
        this.view,
        h("p", { class: "help" }, t("review_help")),
        this.#button("review-go", t("review"), () => this.start(), "primary"),
      );
      this.view.querySelector("button").disabled = !page.session.moves.length;
      return;
    }
    const { review } = known;
    fill(
      this.view,
      review ? this.#accuracy(review) : this.#progress(known),
      known.standings.size ? reviewGraph(this, known) : null,
      review ? this.#moment() : null,
      review ? this.#list() : null,
    );
  }

  #button(id, text, press, kind = "") {
    return h("button", { type: "button", id, class: kind, onclick: press }, text);
  }

  #progress({ done, of }) {
    return h(
      "div",
      { class: "review-progress" },
      h("progress", { max: of, value: done, "aria-label": t("review_progress") }),
      h("span", {}, `${done} / ${of}`),
      this.#button("review-stop", t("stop"), () => this.job?.stop(), "danger"),
    );
  }

  #accuracy(review) {
    const shares = review.accuracy.map((share, side) =>
      share === null
        ? null
        : h(
            "span",
            { class: "share" },
            this.page.duel ? `${this.name(side)} ` : `${t("review_accuracy")} `,
            h("b", {}, `${share.toFixed(0)} %`),
          ),
    );
    return h(
      "div",
      { class: "review-head", id: "accuracy" },
      h("p", {}, shares),
      review.summary ? h("p", { class: "summary" }, review.summary) : null,
      review.complete ? null : h("p", { class: "help" }, t("review_part")),
    );
  }

  // What is to be said of the chosen move, and what can be done about it.
  #moment() {
    const { chosen } = this;
    if (!this.moments.length) return h("p", { class: "moment", id: "moment" }, t("review_clean"));
    if (!chosen) return null;
    const next = this.moments.find((each) => each.number > chosen.number) ?? this.moments[0];
    return h(
      "div",
      { class: "moment", id: "moment" },
      h(
        "p",
        {},
        h("b", { class: `sign ${chosen.verdict}` }, `${chosen.number} ${chosen.sign} `),
        chosen.verdict ? h("span", { class: "unseen" }, `${t(`verdict_${chosen.verdict}`)}: `) : null,
        capital(chosen.text || chosen.spoken),
      ),
      chosen.why ? h("p", { class: "why-words" }, capital(chosen.why)) : null,
      h("p", { class: "caption", id: "line-caption", role: "status" }),
      h(
        "div",
        { class: "controls" },
        chosen.line.length || chosen.marks.length
          ? this.#button("show-why", t("review_why"), () => this.playOut(chosen.number, chosen.line, chosen))
          : null,
        chosen.better_line.length
          ? this.#button("show-better", t("review_better"), () => this.playOut(chosen.number - 1, chosen.better_line))
          : null,
        this.#button("try-from-here", t("review_try"), () => this.tryFrom(chosen)),
        this.moments.length > 1 ? this.#button("next-mistake", t("review_next"), () => this.choose(next)) : null,
      ),
    );
  }

  #list() {
    return h(
      "ol",
      { class: "moments", id: "moments" },
      this.moments.map((each) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              "aria-current": each === this.chosen ? "true" : null,
              onclick: () => this.choose(each),
            },
            h("b", { class: `sign ${each.verdict}` }, `${each.number} ${each.sign}`),
            ` ${this.#who(each)}`,
          ),
        ),
      ),
    );
  }

  // A move in words, after the name of who played it unless the words say it already.
  #who({ side, spoken }) {
    const who = this.page.duel ? this.name(side) : "";
    return !who || spoken.toLowerCase().startsWith(who.toLowerCase()) ? spoken : t("review_who", { who, move: spoken });
  }

  // ---------------------------------------------------------------- going there

  async choose(move) {
    this.chosen = move;
    await this.page.jump(move.number);
    this.moved();
  }

  // Play a line out on the board, from the position after so many moves; the game itself stays where it is. With a move,
  // its reason is first marked where it was played.
  async playOut(from, line, move = null) {
    const { page } = this;
    const { start, options, moves } = page.session;
    this.line += 1;
    const number = this.line;
    const steps = [
      ...(move?.marks.length ? [[from - 1, 0, move.marks]] : []),
      ...[...line.keys(), line.length].map((count) => [from, count, []]),
    ];
    for (const [base, count, marks] of steps) {
      const played = [...moves.slice(0, base), ...line.slice(0, count)];
      const state = await page.session.look({ start, options, moves: played, cursor: played.length }).catch(() => null);
      if (!state || this.line !== number) return;
      this.#draw(state, marks);
      this.#caption(marks.length ? move.why : (state.spoken.at(-1) ?? ""), marks.length ? 0 : played.length);
      await new Promise((done) => {
        setTimeout(done, PAUSE);
      });
      if (this.line !== number) return;
    }
  }

  #draw(state, marks) {
    const { element } = this.page.board;
    element.inert = true; // it is only looked at
    const drawn = state.svg ? picture(state.svg) : h("pre", { class: "textboard" }, state.board);
    fill(element, drawn);
    if (state.svg) drawMarks(drawn, marks);
  }

  #caption(words, count) {
    const place = document.getElementById("line-caption");
    if (!place) return;
    fill(
      place,
      `${count ? `${count}. ` : ""}${capital(words)} `,
      this.#button("line-back", t("review_back"), () => {
        this.moved();
        this.page.redraw();
      }),
    );
  }

  // The same game again, up to the move; this one stays where Back leads to.
  tryFrom(move) {
    const { session, opponents } = this.page;
    this.page.panels.choose("play");
    return this.page.begin(session.start, session.options, session.moves.slice(0, move.number - 1), opponents?.sides);
  }
}
