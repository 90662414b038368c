// Hints, and the worth of every move on the board.

import { wasLeft } from "./api.js";
import { h, svg } from "./dom.js";
import { drawMarks } from "./marks.js";
import { capital, shortScore, t } from "./strings.js";

// How good a scored move is, to compare it with others.
function worth(each) {
  if (!each) return -Infinity;
  if (each.score) return each.score.value;
  return each.length === null ? -Infinity : -each.length;
}

const LATE = 500; // milliseconds after which the page says that scores are on their way

// The width of a chip and the size of its letters, as parts of a cell, by the length of its text.
const CHIPS = { 3: [0.7, 0.24], 4: [0.76, 0.22], 5: [0.94, 0.19], 6: [0.94, 0.19] };

export class Insight {
  constructor(page) {
    this.page = page;
    this.hint = null;
    this.on = false; // whether scores are shown
    this.scores = null;
    this.job = null;
    this.whyButton = h("button", { type: "button", id: "hint-why", onclick: () => this.#sayWhy() }, t("hint_ask_why"));
    this.choices = h(
      "div",
      { class: "choices", id: "hint-choices", hidden: true },
      this.whyButton,
      h("button", { type: "button", id: "hint-play", onclick: () => page.play(this.hint.move) }, t("hint_play")),
    );
  }

  // After every move: what was said is of the position before.
  forget() {
    this.hint = null;
    this.choices.hidden = true;
    this.scores = null;
    this.job?.leave();
    if (this.on) this.score();
  }

  // ---------------------------------------------------------------- hints

  // The best move; asked again, why, with marks on the board.
  async giveHint() {
    const { page } = this;
    if (this.hint) return this.#sayWhy();
    if (page.session.state.status !== (page.quest ? "running" : "open")) {
      page.say(t(page.duel || page.quest ? "game_over" : "already_solved"));
      return null;
    }
    const at = page.session.cursor;
    const hint =
      page.quest && !page.game.study ? await this.#agentHint() : await page.question("why", page.session.place);
    if (!hint || page.session.cursor !== at) return null;
    page.session.helped = true;
    this.hint = hint;
    this.mark([{ name: hint.move, tone: "hint" }], "hints");
    page.module.hinted?.(page, hint.move);
    this.choices.hidden = false;
    this.whyButton.hidden = false;
    return page.say(t("hint_says", { move: hint.spoken }));
  }

  #sayWhy() {
    const { page, hint } = this;
    if (page.svg && hint.marks) drawMarks(page.svg, hint.marks);
    this.whyButton.hidden = true;
    page.say(t("hint_why", { move: capital(hint.spoken), why: hint.why }));
    page.message.scrollIntoView({ block: "nearest" }); // on a phone it is below the board
  }

  // What the agent as set would do, and what it thought.
  async #agentHint() {
    const { page } = this;
    const acts = [];
    await page.question(
      "run",
      { ...page.session.place, ...page.agent.settings, steps: 1 },
      { acts: (batch) => acts.push(...batch) },
    );
    if (!acts.length) return null;
    const [{ name, spoken, thought }] = acts;
    if (thought) page.agent.show(thought);
    return { move: name, spoken: spoken ?? name, why: thought?.words || name };
  }

  // ---------------------------------------------------------------- scores on the board

  toggle() {
    const { page } = this;
    this.on = !this.on;
    page.session.note({ scores: this.on });
    page.emit("scores");
    page.scoresButton.setAttribute("aria-pressed", this.on);
    if (this.on) return this.score();
    this.job?.leave();
    this.scores = null;
    this.mark([], "scores");
    page.asking.bar.hidden = true;
    page.panels.listLegal();
    page.say("");
    return null;
  }

  async score() {
    const { page } = this;
    if (page.session.state.status !== (page.quest ? "running" : "open")) return;
    const at = page.session.cursor;
    const current = () => page.session.cursor === at && this.on;
    const show = ({ moves }) => {
      if (current()) this.#show(moves);
    };
    const late = setTimeout(() => current() && !this.scores && !this.hint && page.say(t("searching")), LATE);
    const job = page.asking.beside(
      page.quest ? "study" : "scores",
      { ...page.session.place, seconds: page.quest ? undefined : 3 },
      { scores: show },
    );
    this.job = job;
    page.board.element.classList.add("scoring");
    try {
      const answer = await job.done;
      if (this.job !== job || !answer) return;
      if (!page.quest) show(answer);
      else if (current()) page.module.study?.(page, page.svg, answer);
    } catch (error) {
      if (!wasLeft(error)) page.say(error.message);
    } finally {
      clearTimeout(late);
      if (this.job === job) {
        this.job = null;
        if (page.message.textContent === t("searching")) page.say("");
        page.board.element.classList.remove("scoring");
      }
    }
  }

  #show(moves) {
    const { page } = this;
    this.scores = moves;
    this.inPoints = moves.some(({ score }) => score && score.plies === null && score.value); // some are not proved
    this.mark(
      this.inOrder(moves, (each) => each).map((each) => ({
        name: each.name,
        text: this.#short(each),
        tone: this.#tone(each),
      })),
      "scores",
    );
    page.panels.listLegal();
    const [best] = this.inOrder(moves, (each) => each);
    if (best?.score) page.asking.showBar(best.score);
    if (best && !this.hint) page.say(this.#legend(best));
  }

  // The best move, and what the numbers on the board mean.
  #legend(best) {
    const kind = !best.score ? "puzzle" : this.inPoints ? "points" : "duel";
    const words = t("hint_why", { move: capital(this.page.words(best.name)), why: best.words });
    return `${words}. ${t(`scores_${kind}`)}`;
  }

  inOrder(list, scored) {
    return [...list].sort((a, b) => worth(scored(b)) - worth(scored(a)));
  }

  #short(each) {
    if (each.score?.plies && this.inPoints)
      return t(each.score.value > 0 ? "scores_win_in" : "scores_loss_in", { n: Math.ceil(each.score.plies / 2) });
    if (each.score) return shortScore(each.score);
    return each.length === null ? "·" : String(each.length);
  }

  isBest(each) {
    return Boolean(this.scores) && worth(each) === Math.max(...this.scores.map(worth));
  }

  #tone(each) {
    if (this.isBest(each)) return "best";
    if (!each.score) return "plain";
    return each.score.value > 0 ? "good" : each.score.value < 0 ? "bad" : "plain";
  }

  // Marks on the board: [{ name, text, tone }] where the place of a move is known.
  mark(marks, layer) {
    const { page } = this;
    if (!page.svg) return;
    page.svg.querySelector(`g.${layer}`)?.remove();
    const group = svg("g", { class: `marks ${layer}`, "pointer-events": "none" });
    const used = [];
    for (const each of marks) {
      const place = page.board.centre(each.name);
      if (!place) continue;
      if (used.some(({ x, y }) => Math.hypot(x - place.x, y - place.y) < place.size * 0.35)) continue; // the first is the best: it stands for the cell
      used.push(place);
      if (each.tone === "hint") group.append(...ring(place));
      else group.append(...chip(place.chip ?? place, each.text, each.tone, place.label));
    }
    page.svg.append(group);
    if (used.length) page.module.show?.(page.svg, used);
  }
}

function ring({ x, y, size, from }) {
  const arrow = from
    ? [svg("line", { class: "arrow", x1: from.x, y1: from.y, x2: x, y2: y, "stroke-width": size * 0.08 })]
    : [];
  return [...arrow, svg("circle", { class: "ring", cx: x, cy: y, r: size * 0.46, "stroke-width": size * 0.08 })];
}

// The text in a chip; with a label, which stands above it, chips of neighbouring cells do not touch.
function chip({ x, y, size }, text, tone, label) {
  const [wide, letters] = CHIPS[text.length] ?? (text.length < 3 ? [0.6, 0.26] : [1.04, 0.19]);
  const [width, height] = [size * (label ? 0.84 : wide), size * (label ? 0.58 : 0.38)];
  const line = (words, down) =>
    svg(
      "text",
      {
        class: `label ${tone}`,
        x,
        y: y + size * down,
        "font-size": size * (label ? 0.22 - 0.01 * words.length : letters),
      },
      words,
    );
  return [
    svg("rect", { class: `chip ${tone}`, x: x - width / 2, y: y - height / 2, width, height, rx: size * 0.19 }),
    ...(label ? [line(label, -0.12), line(text, 0.12)] : [line(text, 0.01)]),
  ];
}
