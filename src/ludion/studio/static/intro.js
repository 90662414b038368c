// A game learnt in three moves: small positions with something to do, played on the board itself. One's own game waits.
//
// A step (games/NAME/introduction.toml): `start`, `task` in words, `moves` that do it (else any move that ends the game
// well), and what is said `after`.

import { fill, h, remember } from "./dom.js";
import { t } from "./strings.js";

const SLOT = "intro";

export class Introduction {
  constructor(page) {
    this.page = page;
    this.steps = page.game.introduction;
    this.at = -1; // the step; -1 while none is played
    this.before = null; // one's own game
    this.view = h("div", { class: "intro", id: "intro", hidden: true });
  }

  get #key() {
    return `learnt.${this.page.game.name}`;
  }

  get step() {
    return this.steps[this.at];
  }

  // To a new visitor, once.
  offer() {
    const { session } = this.page;
    if (!this.steps.length || remember(this.#key) || session.byLink || session.moves.length) return;
    fill(
      this.view,
      h("p", {}, t("new_here")),
      h(
        "div",
        { class: "controls" },
        h("button", { type: "button", id: "intro-begin", onclick: () => this.begin() }, t("learn")),
        h(
          "button",
          {
            type: "button",
            id: "intro-no",
            onclick: () => {
              remember(this.#key, true);
              this.view.hidden = true;
            },
          },
          t("no_thanks"),
        ),
      ),
    );
    this.view.hidden = false;
  }

  async begin() {
    const { page } = this;
    page.asking.leave();
    page.replay.pause();
    if (this.at < 0) this.before = page.session.entry;
    remember(this.#key, true);
    await this.#go(0);
  }

  async #go(number) {
    const { page } = this;
    this.at = number;
    this.solved = false;
    const { start, options } = this.step;
    try {
      await page.session.restore({
        slot: SLOT,
        notes: page.duel ? { sides: ["human", "human"] } : {},
        helped: true,
        place: { start, options, moves: [], cursor: 0 },
      });
      page.say("");
    } catch (error) {
      page.say(error.message);
    }
    this.#show();
  }

  #show() {
    const { task, after } = this.step;
    const last = this.at === this.steps.length - 1;
    this.view.hidden = false;
    fill(
      this.view,
      h(
        "p",
        {},
        h("b", {}, `${t("intro_step", { n: this.at + 1, of: this.steps.length })} `),
        this.solved ? after : task,
      ),
      h(
        "div",
        { class: "controls" },
        this.solved
          ? h(
              "button",
              {
                type: "button",
                class: "primary",
                id: "intro-next",
                onclick: () => (last ? this.end() : this.#go(this.at + 1)),
              },
              t(last ? "intro_play" : "intro_next"),
            )
          : null,
        h("button", { type: "button", id: "intro-end", onclick: () => this.end() }, t("intro_leave")),
      ),
    );
    if (this.solved) this.view.querySelector("#intro-next").focus({ preventScroll: true });
  }

  // After every change: whether the task is done. What does not do it can be undone, and the page says so.
  update() {
    const { session } = this.page;
    if (this.at < 0 && session.cursor) this.view.hidden = true; // who plays was not waiting for it
    if (this.at < 0 || this.solved) return;
    if (session.slot !== SLOT) {
      this.leave();
      return;
    } // Back led out of it
    if (!session.cursor) return;
    const move = session.moves[session.cursor - 1];
    const { moves, within } = this.step;
    const ended = this.page.over && session.state.status !== (this.page.quest ? "lost" : "drawn");
    this.solved = moves.length ? moves.includes(move) : ended;
    if (this.solved) this.#show();
    else if (session.cursor >= within || this.page.over) {
      fill(
        this.view,
        h("p", {}, t("intro_again"), " ", this.step.task),
        h(
          "div",
          { class: "controls" },
          h(
            "button",
            { type: "button", class: "primary", id: "intro-again", onclick: () => this.#go(this.at) },
            t("try_again"),
          ),
          h("button", { type: "button", id: "intro-end", onclick: () => this.end() }, t("intro_leave")),
        ),
      );
    }
  }

  // Something else was begun.
  leave() {
    if (this.at >= 0) Object.assign(this.page.session, { slot: this.before?.slot || "" });
    this.at = -1;
    this.view.hidden = true;
  }

  // Back to one's own game.
  async end() {
    const { before } = this;
    this.leave();
    try {
      await this.page.session.restore(before);
    } catch (error) {
      this.page.say(error.message);
    }
    this.page.board.focus();
  }
}
