// Hints, and the worth of every move on the board.

import { wasLeft } from "./api.js";
import { svg } from "./dom.js";
import { shortScore, t } from "./strings.js";

// How good a scored move is, to compare it with others.
function worth(each) {
  if (!each) return -Infinity;
  if (each.score) return each.score.value;
  return each.length === null ? -Infinity : -each.length;
}

export class Insight {
  constructor(page) {
    this.page = page;
    this.hint = null;
    this.on = false; // whether scores are shown
    this.scores = null;
    this.job = null;
  }

  // After every move: what was said is of the position before.
  forget() {
    this.hint = null;
    this.scores = null;
    this.job?.leave();
    if (this.on) this.score();
  }

  // ---------------------------------------------------------------- hints

  // The best move; asked again, why.
  async giveHint() {
    const { page } = this;
    if (this.hint) return page.say(this.hint.why);
    const at = page.session.cursor;
    const hint = page.quest ? await this.#questHint() : await this.#searchedHint();
    if (!hint || page.session.cursor !== at) return null;
    page.session.helped = true;
    this.hint = hint;
    this.mark([{ name: hint.move, tone: "hint" }], "hints");
    return page.say(t("hint_says", { move: hint.words }));
  }

  async #searchedHint() {
    const { page } = this;
    if (page.session.state.status !== "open") { page.say(t(page.duel ? "game_over" : "already_solved")); return null; }
    const answer = await page.question("solve", { ...page.session.place, engine: "best", seconds: 2, spoken: 6 });
    if (!answer) return null;
    if (!answer.moves.length) { page.say(t("hint_none", { why: answer.result })); return null; }
    const value = answer.score ? answer.result : t("hint_togo", { n: answer.length });
    const [words, ...rest] = answer.spoken;
    return { move: answer.moves[0], words, why: t("hint_why", { move: words, why: value, line: rest.join(", ") || t("hint_done") }) };
  }

  async #questHint() {
    const { page } = this;
    if (page.session.state.status !== "running") { page.say(t("game_over")); return null; }
    if (page.game.study) {
      const answer = await page.question("study", page.session.place);
      if (!answer?.action) return null;
      const value = answer.proved ? t("hint_proved") : t("hint_risk", { n: (100 * answer.risk).toFixed(1) });
      const [, row, column] = answer.action.split(" ").map(Number);
      const cell = answer.cells?.find((each) => each.row === row && each.column === column);
      const words = answer.spoken ?? answer.action;
      return { move: answer.action, words, why: `${words}: ${value}${cell?.reason ? ` — ${cell.reason}` : ""}` };
    }
    const acts = [];
    await page.question("run", { ...page.session.place, ...page.agent.settings, steps: 1 }, { acts: (batch) => acts.push(...batch) });
    if (!acts.length) return null;
    if (acts[0].thought) page.agent.show(acts[0].thought);
    return { move: acts[0].name, words: acts[0].spoken ?? acts[0].name, why: acts[0].thought?.words || acts[0].name };
  }

  // ---------------------------------------------------------------- scores on the board

  toggle() {
    const { page } = this;
    this.on = !this.on;
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
    const show = ({ moves }) => { if (current()) this.#show(moves); };
    const job = page.asking.beside(page.quest ? "study" : "scores", { ...page.session.place, seconds: page.quest ? undefined : 3 }, { scores: show });
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
      if (this.job === job) { this.job = null; page.board.element.classList.remove("scoring"); }
    }
  }

  #show(moves) {
    const { page } = this;
    this.scores = moves;
    this.mark(this.inOrder(moves, (each) => each).map((each) => ({ name: each.name, text: this.#short(each), tone: this.#tone(each) })), "scores");
    page.panels.listLegal();
    const best = moves.filter((each) => each.score).sort((a, b) => b.score.value - a.score.value)[0];
    if (best) page.asking.showBar(best.score);
  }

  inOrder(list, scored) {
    return [...list].sort((a, b) => worth(scored(b)) - worth(scored(a)));
  }

  #short(each) {
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
      group.append(...(each.tone === "hint" ? ring(place) : chip(place, each)));
    }
    page.svg.append(group);
    if (used.length) page.module.show?.(page.svg, used);
  }
}

function ring({ x, y, size, from }) {
  const arrow = from ? [svg("line", { class: "arrow", x1: from.x, y1: from.y, x2: x, y2: y, "stroke-width": size * 0.08 })] : [];
  return [...arrow, svg("circle", { class: "ring", cx: x, cy: y, r: size * 0.46, "stroke-width": size * 0.08 })];
}

function chip({ x, y, size }, { text, tone }) {
  const [wide, letters] = text.length > 3 ? [0.76, 0.22] : [0.6, 0.26];
  return [svg("rect", { class: `chip ${tone}`, x: x - size * wide / 2, y: y - size * 0.19, width: size * wide, height: size * 0.38, rx: size * 0.19 }),
    svg("text", { class: `label ${tone}`, x, y: y + size * 0.01, "font-size": size * letters }, text)];
}
