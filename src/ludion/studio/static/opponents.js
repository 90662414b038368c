// Who plays which side of a duel: the reader, an opponent of a named level, or an engine as set.

import { remember } from "./dom.js";
import { clean } from "./fields.js";
import { choicesOf, randomSeed, sidesOf } from "./newgame.js";
import { t } from "./strings.js";

const LEAST_REPLY = 250; // milliseconds: an opponent does not answer before

export class Opponents {
  constructor(page) {
    this.page = page;
    this.sides = ["human", "human"];
    this.thinking = false;
  }

  get #key() {
    return `sides.${this.page.game.name}`;
  }

  // When the page opens: as this game says, as last chosen, or as a new visitor finds it; a link brings no opponent.
  open() {
    const { page } = this;
    if (page.session.notes.sides) return;
    const usual = () => sidesOf(Object.fromEntries(choicesOf(page).map((each) => [each.name, each.value])));
    this.set(page.session.byLink ? ["human", "human"] : remember(this.#key) || usual());
  }

  set(sides) {
    const { session } = this.page;
    session.note({ sides, opponentSeed: session.notes.opponentSeed ?? randomSeed() });
    this.keep(sides);
    this.show(sides);
    this.page.redraw(); // a board may name the players
    this.play(true);
  }

  keep(sides) {
    if (!this.page.session.slot) remember(this.#key, sides);
  }

  show(sides = this.page.session.notes.sides) {
    if (!sides) return;
    this.sides = sides;
    this.page.panels.showSides(sides);
    this.page.showCounters();
  }

  // The opponent's name, or the side's.
  name(side) {
    const player = this.sides[side];
    return player === "human" || player === "own" ? this.page.sideName(side) : t(`opponent_${player}`);
  }

  // The opponent of the reader, if one of the two is a reader.
  get other() {
    return this.sides.includes("human") ? (this.sides.find((each) => each !== "human") ?? null) : null;
  }

  // How the game ended for the reader: "won", "lost" or "drawn"; null while it runs, or without an opponent.
  get outcome() {
    const { status } = this.page.session.state;
    if (!this.other || status === "open") return null;
    if (status === "drawn") return status;
    const winner = status === "won" ? this.page.turn() : 1 - this.page.turn(); // it is the loser's turn, as a rule
    return this.sides[winner] === "human" ? "won" : "lost";
  }

  // The games against this opponent, in this browser.
  get series() {
    return remember(`series.${this.page.game.name}.${this.other}`) || { won: 0, lost: 0, drawn: 0 };
  }

  // A game that has just ended; one that is undone and ended again counts once.
  countGame() {
    const { session } = this.page;
    const { outcome, series } = this;
    if (!outcome || session.notes.counted || session.helped) return;
    remember(`series.${this.page.game.name}.${this.other}`, { ...series, [outcome]: series[outcome] + 1 });
    session.note({ counted: true });
  }

  seriesRows() {
    if (!this.other) return [];
    const { won, lost, drawn } = this.series;
    return [
      [t("you"), won],
      [t(`opponent_${this.other}`), lost],
      [t("draws"), drawn],
    ];
  }

  // Whether a move of this side is undone together with the reader's.
  answers(side) {
    return this.sides.includes("human") && this.sides[side] !== "human";
  }

  // Let whoever is to move think, if it is no reader.
  play(asked = false) {
    const { page } = this;
    const { state, cursor, moves } = page.session;
    if (state?.status !== "open" || page.session.following || (!asked && cursor !== moves.length)) return;
    const side = this.sides[page.turn()];
    if (side === "human" || page.asking.job || this.thinking || page.clock.fallen !== null) return;
    this.#think(side);
  }

  // From the question to the move made: nobody else moves meanwhile. Then whoever is next.
  async #think(side) {
    const { page } = this;
    const { session, clock, settings } = page;
    const { cursor: at, start, notes } = session;
    const title = t("thinking", { who: this.name(page.turn()) });
    page.say(title);
    this.thinking = true;
    try {
      const rest = new Promise((done) => {
        setTimeout(done, LEAST_REPLY);
      });
      const answer =
        side === "own"
          ? await page.asking.question(
              "solve",
              { ...session.place, ...clean(settings), seconds: clock.budget(settings.seconds) },
              {},
              title,
            )
          : await page.asking.question(
              "reply",
              { ...session.place, opponent: side, seed: notes.opponentSeed, ...clean({ seconds: clock.budget(null) }) },
              {},
              title,
            );
      if (!answer) return;
      await rest;
      const move = answer.move ?? answer.moves[0];
      if (session.cursor === at && session.start === start) {
        if (!move) {
          page.say(answer.result);
          return;
        }
        await session.play(move);
        page.say("");
      }
    } catch (error) {
      page.say(error.message);
      return;
    } finally {
      this.thinking = false;
    }
    this.play();
  }
}
