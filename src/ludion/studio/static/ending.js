// The end of a game: what was reached, the best that is possible, and the next thing to do.

import { fill, h } from "./dom.js";
import { anotherGame, openNewGame } from "./newgame.js";
import { t } from "./strings.js";

// The level after this one, of the same group (names end with a number), else any that follows.
export function nextLevel(session) {
  const levels = session.game.levels;
  const index = levels.findIndex((each) => each.name === session.level?.name);
  return index >= 0 ? (levels[index + 1] ?? null) : null;
}

// Three stars for the fewest moves, two within a quarter more, one for being done or helped.
export const stars = (own, fewest, helped) =>
  helped || !fewest ? 1 : own <= fewest ? 3 : own <= 1.25 * fewest ? 2 : 1;

export class Ending {
  constructor(page) {
    this.page = page;
    this.view = h("div", { class: "ending", id: "ending", hidden: true, role: "status" });
    this.fewest = new Map(); // start and options -> the fewest moves
  }

  get key() {
    const { start, options } = this.page.session;
    return JSON.stringify([start, options]);
  }

  // Show it if the game is over.
  async update() {
    const { page } = this;
    const { state, cursor, helped } = page.session;
    const over = page.over && cursor > 0 && !page.intro.step; // an introduction has an end of its own
    this.view.hidden = !over;
    if (!over) return;
    const puzzle = page.game.kind === "puzzle" && state.status === "solved";
    const level = page.session.level?.known;
    const known = puzzle
      ? (level?.[state.options_in_force.metric || "moves"] ?? level?.moves ?? this.fewest.get(this.key))
      : level?.ticks;
    const done = state.status === "solved" || (state.status === "won" && page.quest);
    this.show(
      done && helped ? t("end_helped", { n: cursor }) : this.words(state, cursor, known),
      done ? stars(cursor, known, helped) : 0,
    );
    requestAnimationFrame(() => this.view.scrollIntoView({ block: "nearest" })); // on a phone it is below the board
    if (puzzle && known === undefined) this.askFewest();
    if (page.quest && state.status === "lost" && page.game.study) this.showMissed();
    if (page.opponents?.outcome && page.game.best_engine === "solver") this.countMistakes();
  }

  // After a game of which a solver knows every position: how many moves were mistakes. The line has its room meanwhile.
  async countMistakes() {
    const { page } = this;
    const line = h("p", { class: "mistakes" }, t("end_judging"));
    this.view.querySelector(".controls").before(line);
    const number = await page.review.mistakes();
    fill(line, number === null ? "" : number ? t("end_mistakes", { n: number }) : t("end_no_mistake"));
  }

  // After a loss: the move that was safe, if there was one, on the board and in words.
  async showMissed() {
    const { page } = this;
    const { place, cursor } = page.session;
    const answer = await page.quietly("study", { ...place, moves: place.moves.slice(0, -1) });
    if (!answer?.proved || page.session.cursor !== cursor || this.view.hidden) return;
    this.view.append(h("p", {}, t("end_missed", { move: answer.spoken ?? answer.action }))); // no button moves
    page.insight.mark([{ name: answer.action, tone: "hint" }], "hints");
  }

  words(state, own, known) {
    if (state.status === "solved") {
      if (known === undefined) return t("end_solved", { n: own });
      return own <= known ? t("end_fewest", { n: own }) : t("end_possible", { n: own, m: known });
    }
    if (this.page.quest && state.status === "won" && known)
      return own <= known ? t("end_best_known", { n: own }) : t("end_known", { n: own, m: known });
    const { opponents } = this.page;
    const outcome = opponents?.outcome;
    return outcome ? t(`end_${outcome}`, { who: t(`opponent_${opponents.other}`) }) : this.page.statusWords(state);
  }

  // The fewest moves from the start, where no level says it.
  async askFewest() {
    const { page, key } = this;
    const { start, options } = page.session;
    const answer = await page.quietly("solve", { start, options, moves: [], engine: "best", seconds: 10 });
    if (answer?.status !== "optimal") return;
    this.fewest.set(key, answer.length);
    if (key === this.key) this.update();
  }

  show(words, number) {
    fill(
      this.view,
      h("p", { class: "result-words" }, words),
      number
        ? h(
            "p",
            { class: "stars", "aria-label": t("stars", { n: number }) },
            "★".repeat(number),
            h("span", {}, "☆".repeat(3 - number)),
          )
        : null,
      h(
        "div",
        { class: "controls" },
        this.#steps().map(([id, text, press], index) =>
          h("button", { type: "button", id, class: index ? "" : "primary", onclick: press }, text),
        ),
      ),
    );
  }

  // What can be done next, the likeliest first: [id, text, action].
  #steps() {
    const { page } = this;
    const next = nextLevel(page.session);
    const again = (text) => ["try-again", text, () => page.restart()];
    const review = ["end-review", t("tab_review"), () => page.review.open()];
    const other = next
      ? ["next-level", t("next_level"), () => page.begin(`level:${next.name}`)]
      : ["next-game", t("next_board"), () => anotherGame(page)];
    if (page.duel) return [again(t("play_again")), ["next-game", t("newgame"), () => openNewGame(page)], review];
    if (page.session.state.status !== "lost") return [other, again(t("try_again")), review];
    return [["end-undo", t("undo"), () => page.undo()], again(t("try_again")), other, review];
  }
}
