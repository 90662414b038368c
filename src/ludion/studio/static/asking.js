// Questions to the engines: asked one at a time, with their progress, answers and Stop.

import { ask, wasLeft } from "./api.js";
import { count, fill, h, seconds, svg } from "./dom.js";
import { clean } from "./fields.js";
import { waitingNews } from "./news.js";
import { capital, t } from "./strings.js";

const SHOWN_AFTER = 300; // milliseconds after which a question under way can be stopped: most are answered before

export class Asking {
  constructor(page) {
    this.page = page;
    this.job = null; // the question under way
    this.history = []; // of its value or bound
    this.live = h("dl", { class: "live", id: "live" });
    this.result = h("div", { class: "result", id: "result" });
    this.bar = h("div", { class: "evalbar", hidden: true }, h("span"));
    this.stopButton = h(
      "button",
      {
        type: "button",
        id: "stop",
        class: "danger",
        title: `${t("stop")} (Esc)`,
        hidden: true,
        onclick: () => page.stop(),
      },
      t("stop"),
    );
  }

  // Ask, show progress, and give the answer (null if it failed or was left).
  async question(what, body, on = {}, title = t("searching")) {
    const { page } = this;
    this.job?.leave();
    this.history = [];
    const job = ask(page.game.name, what, body, {
      ...waitingNews((text) => page.say(text), t("searching")),
      started: () => page.say(title),
      progress: (progress) => this.showLive(progress, title),
      ...on,
    });
    this.job = job;
    const late = setTimeout(() => this.#showStop(true), SHOWN_AFTER);
    try {
      const answer = await job.done;
      if (this.job === job) page.say("");
      return answer;
    } catch (error) {
      if (!wasLeft(error) && this.job === job) page.say(error.message);
      return null;
    } finally {
      clearTimeout(late);
      if (this.job === job) {
        this.job = null;
        this.#showStop(false);
      }
    }
  }

  // Stop takes the place of another button, so that nothing else moves.
  #showStop(shown) {
    this.stopButton.hidden = !shown;
    this.page.main.classList.toggle("busy", shown);
  }

  // Ask beside the question under way; without a word on the page unless it waits, and no longer than it does.
  beside(what, body, on = {}) {
    const { page } = this;
    let said = "";
    const say = (text) => {
      said = text;
      page.say(text);
    };
    const silent = () => {
      if (said && page.message.textContent === said) page.say("");
    };
    const job = ask(page.game.name, what, body, { ...waitingNews(say, t("searching")), started: silent, ...on });
    job.done.then(silent, silent);
    return job;
  }

  // Ask without a word; null if there is no answer.
  quietly(what, body) {
    return ask(this.page.game.name, what, body).done.catch(() => null);
  }

  stop() {
    this.job?.stop();
  }

  leave() {
    this.job?.leave();
  }

  // How the value or bound changed: [seconds, value].
  #note({ seconds: at, best }) {
    if (best === null || best === undefined || this.history.at(-1)?.[1] === best) return;
    this.history.push([at, best]);
  }

  showLive(progress, title = t("searching")) {
    this.#note(progress);
    const rate = progress.seconds ? progress.nodes / progress.seconds : 0;
    const rows = [
      [t("nodes"), count(progress.nodes)],
      [t("rate"), count(Math.round(rate))],
      [t("depth"), progress.depth],
      [t("time"), seconds(progress.seconds)],
    ];
    if (progress.frontier !== null && progress.frontier !== undefined)
      rows.push([t("frontier"), count(progress.frontier)]);
    if (progress.best !== null && progress.best !== undefined) rows.push([t("bound"), progress.best]);
    if (progress.memory) rows.push([t("memory"), `${(progress.memory / 1e6).toFixed(1)} MB`]);
    if (progress.line?.length) rows.push([t("line"), progress.line.join(", ")]);
    fill(
      this.live,
      rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]),
      this.history.length > 1 ? historyGraph(this.history) : null,
    );
    if (!this.job) return;
    const parts = [`${title} ${count(progress.nodes)}`, `${t("depth")} ${progress.depth}`, progress.line?.[0]];
    this.page.say(title === t("searching") ? parts.filter(Boolean).join(" · ") : title);
  }

  // The solution of a puzzle, put after the moves and played; the best line of a duel.
  async solve(withSettings = false) {
    const { page } = this;
    const { session, settings, game } = page;
    if (session.state.status !== "open")
      return page.say(t(session.state.status === "solved" ? "already_solved" : "game_over"));
    fill(this.result);
    fill(this.live);
    const asked = withSettings ? settings : { engine: "best", seconds: Math.max(5, settings.seconds || 5) };
    const answer = await this.question("solve", { ...session.place, ...clean(asked) });
    if (!answer) return null;
    this.showLive({ ...answer, best: null });
    this.showAnswer(answer);
    if (game.kind !== "puzzle" || !answer.moves.length) return null;
    session.helped = true;
    await session.append(answer.moves);
    if (!withSettings) page.replay.playPause(true);
    return null;
  }

  showAnswer(answer) {
    const { page } = this;
    const words = capital(answer.result);
    fill(
      this.result,
      h("p", { class: "verdict" }, words),
      h(
        "p",
        { class: "by" },
        answer.engine,
        answer.heuristic || answer.evaluation ? ` · ${answer.heuristic || answer.evaluation}` : "",
      ),
      answer.moves.length
        ? h("p", { class: "line" }, h("b", {}, `${t("line")}: `), answer.moves.slice(0, 60).join(" "))
        : null,
      page.duel && answer.moves.length
        ? h("button", { type: "button", onclick: () => page.session.append(answer.moves) }, t("line_step"))
        : null,
    );
    page.say(words);
    if (answer.score) this.showBar(answer.score);
  }

  // Who is ahead, for the first player on the left.
  showBar(score) {
    const side = this.page.turn() === 0 ? 1 : -1;
    const share = score.plies !== null ? Math.sign(score.value) : Math.tanh(score.value / 50);
    this.bar.hidden = false;
    this.bar.title = score.words;
    this.bar.firstChild.style.width = `${50 + 50 * share * side}%`;
  }
}

// The value or bound of a search over time, as steps.
function historyGraph(history) {
  const values = history.map(([, value]) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const y = (value) => 34 - (30 * (value - least)) / Math.max(1, most - least);
  const x = (index) => (200 * index) / history.length;
  const points = history.flatMap(([, value], index) => [`${x(index)},${y(value)}`, `${x(index + 1)},${y(value)}`]);
  return svg(
    "svg",
    {
      viewBox: "0 0 200 38",
      class: "history",
      role: "img",
      "aria-label": `${t("search_history")}: ${values.join(", ")}`,
    },
    svg("title", {}, history.map(([at, value]) => `${seconds(at)}: ${value}`).join(", ")),
    svg("polyline", { points: points.join(" ") }),
  );
}
