// Lessons: /learn lists them, /learn/LESSON is one: boards to play on, questions, what the reader expects, and then the
// answer, measured before his eyes. What was expected stays beside the answer, without a mark.

import { ask, get } from "./api.js";
import { count, fill, h, remember } from "./dom.js";
import { openBoard } from "./liveboard.js";
import { t } from "./strings.js";
import { drawBoard } from "./thumbs.js";

const keyOf = (name) => `lesson.${name}`;
const OUTCOMES = ["won", "lost", "running"];

// A figure beside the choice that it proves right.
function inWords(value) {
  if (OUTCOMES.includes(value)) return t(`outcome_${value}`);
  return typeof value === "number" ? t("watch_seen", { nodes: count(value) }) : value;
}

export async function openLessons(main) {
  document.title = t("lessons_title");
  const lessons = await get("/api/lessons");
  fill(
    main,
    h("section", { class: "hero" }, h("h1", {}, t("lessons_title")), h("p", {}, t("lessons_text"))),
    lessonCards(lessons),
  );
}

function lessonCards(lessons) {
  return h(
    "div",
    { class: "lessons" },
    lessons.map((each) => {
      const progress = remember(keyOf(each.name));
      const done = progress?.done ? ` ${t("lesson_done")}` : progress?.at ? ` ${progress.at + 1} / ${each.length}` : "";
      return h(
        "a",
        { class: "card lesson", href: `/learn/${each.name}` },
        boardPicture(each),
        h(
          "div",
          { class: "words" },
          h("h2", {}, each.title),
          h("p", {}, each.summary),
          done ? h("small", {}, done) : null,
        ),
      );
    }),
  );
}

// The first board of a lesson.
function boardPicture({ game, board }) {
  if (!board) return null;
  const place = h("div", { class: "thumb", "aria-hidden": "true" });
  drawBoard(place, game, board.start, board.options);
  return place;
}

export async function openLesson(main, name) {
  const lesson = await get(`/api/lessons/${encodeURIComponent(name)}`);
  const game = await get(`/api/games/${lesson.game}`);
  document.title = lesson.title;
  const view = new LessonView(lesson, game);
  fill(main, view.element);
  main.querySelector(".lessonpage").lesson = view; // for those who hold the element
  await view.go(Math.min(view.progress.at, lesson.steps.length - 1));
}

class LessonView {
  constructor(lesson, game) {
    Object.assign(this, { lesson, game });
    this.progress = { at: 0, expected: {}, done: false, ...(remember(keyOf(lesson.name)) || {}) };
    this.body = h("div", { class: "lessonstep" });
    this.bar = h("progress", { max: lesson.steps.length, value: 0, "aria-label": t("lesson_progress") });
    this.element = h(
      "article",
      { class: "lessonpage" },
      h("div", { class: "pagehead" }, h("h1", {}, lesson.title), h("a", { href: "/learn" }, t("lessons_title"))),
      this.bar,
      this.body,
    );
  }

  get step() {
    return this.lesson.steps[this.progress.at];
  }

  #keep(change) {
    Object.assign(this.progress, change);
    remember(keyOf(this.lesson.name), this.progress);
  }

  async go(number) {
    this.job?.leave();
    this.#keep({ at: number });
    const { step } = this;
    const last = number === this.lesson.steps.length - 1;
    this.bar.value = number + 1;
    this.answered = !(step.task || step.question);
    this.after = h("div", { class: "after", "aria-live": "polite" });
    this.next = h(
      "button",
      {
        type: "button",
        id: "lesson-next",
        class: this.answered ? "primary" : "",
        onclick: () => (last ? this.finish() : this.go(number + 1)),
      },
      t(this.answered ? (last ? "lesson_finish" : "lesson_next") : "lesson_skip"),
    );
    const boardPlace = h("div", { class: "lessonboard" });
    fill(
      this.body,
      boardPlace,
      h(
        "div",
        { class: "lessonwords" },
        h("p", { class: "count" }, `${number + 1} / ${this.lesson.steps.length}`),
        h("p", { id: "lesson-text" }, step.text),
        step.task ? h("p", { class: "task" }, h("b", {}, step.task)) : null,
        step.question ? this.#question() : null,
        this.after,
        h(
          "div",
          { class: "controls" },
          number
            ? h("button", { type: "button", id: "lesson-back", onclick: () => this.go(number - 1) }, t("step_back"))
            : null,
          this.next,
        ),
      ),
    );
    if (step.start !== null) {
      try {
        const live = await openBoard(this.game, step, (session) => this.#played(session));
        if (this.step === step) fill(boardPlace, live.main);
      } catch (error) {
        fill(boardPlace, h("p", { class: "help" }, error.message));
      }
    }
  }

  // After every move on the board: whether the task is done.
  #played({ moves, state }) {
    const { step } = this;
    if (!step.task || this.answered || !moves.length) return;
    const ended = ["solved", "won", "lost"].includes(state.status);
    const well = this.game.kind === "quest" ? state.status === "won" : ended; // in a duel, who has lost is to move
    if (step.moves.length ? step.moves.includes(moves.at(-1)) : well) this.#answer(step.after ?? t("lesson_solved"));
    else if (step.moves.length) fill(this.after, h("p", {}, t("intro_again")));
  }

  // Say what comes after, and lead on.
  #answer(...words) {
    const last = this.progress.at === this.lesson.steps.length - 1;
    this.answered = true;
    fill(this.after, ...words.map((each) => (typeof each === "string" ? h("p", {}, each) : each)));
    this.next.textContent = t(last ? "lesson_finish" : "lesson_next");
    this.next.classList.add("primary");
    this.next.focus({ preventScroll: true });
  }

  #question() {
    const { step } = this;
    const before = this.progress.expected[this.progress.at];
    const number = h("input", {
      type: "number",
      id: "lesson-number",
      inputmode: "numeric",
      value: before ?? "",
      "aria-label": t("lesson_expect"),
    });
    const form = h(
      "form",
      { class: "prediction" },
      h("p", {}, h("b", {}, step.question)),
      step.choices.length
        ? h(
            "div",
            { class: "controls" },
            step.choices.map((each, index) =>
              h("button", { type: "button", class: "choice", onclick: () => this.#expect(index + 1) }, each),
            ),
          )
        : h(
            "div",
            { class: "fields" },
            h("label", {}, h("span", {}, t("lesson_expect")), number),
            h("button", { type: "submit", id: "lesson-measure", class: "primary" }, t("lesson_measure")),
          ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#expect(number.value === "" ? null : Number(number.value));
    });
    return form;
  }

  // The reader has said what he expects: measure.
  async #expect(expected) {
    const { step, lesson } = this;
    this.progress.expected[this.progress.at] = expected;
    this.#keep({});
    fill(this.after, h("p", { role: "status" }, t("lesson_measuring")));
    const say = (each) => (each === null ? "–" : step.choices.length ? step.choices[each - 1] : count(each));
    let answer = step.choices.length ? step.choices[step.answer - 1] : count(step.answer);
    let words = "";
    if (step.ask) {
      try {
        this.job = ask(lesson.game, step.ask.what, step.ask.body);
        const result = await this.job.done;
        if (this.step !== step) return;
        const value = step.figure === "score" ? result.score.words : result[step.figure];
        if (!step.choices.length) answer = count(value);
        else words = inWords(value);
      } catch (error) {
        if (this.step !== step) return;
        fill(this.after, h("p", { role: "alert" }, error.message));
        return;
      }
    }
    const table = h(
      "dl",
      { class: "live measured" },
      [
        [t("lesson_expected"), say(expected), "expected"],
        [
          t(step.ask ? "lesson_measured" : "lesson_measured_before"),
          `${answer}${words ? ` (${words})` : ""}`,
          "answer",
        ],
      ].flatMap(([title, value, name]) => [h("dt", {}, title), h("dd", { "data-figure": name }, value)]),
    );
    this.#answer(
      table,
      ...(step.after ? [step.after] : []),
      h(
        "p",
        { class: "help" },
        step.watch ? [h("a", { href: step.watch, target: "_blank", rel: "noopener" }, t("lesson_watch")), " · "] : [],
        h("code", {}, step.command),
      ),
    );
  }

  finish() {
    this.#keep({ done: true, at: 0 });
    const { next } = this.lesson;
    fill(
      this.body,
      h(
        "div",
        { class: "lessonwords", id: "lesson-end" },
        h("p", {}, t("lesson_end", { title: this.lesson.title })),
        h(
          "div",
          { class: "controls" },
          next ? h("a", { class: "button primary", href: `/learn/${next}` }, t("lesson_following")) : null,
          h("a", { class: "button", href: `/play/${this.lesson.game}` }, t("lesson_play")),
          h("a", { class: "button", href: `/lab/${this.lesson.game}` }, t("lesson_lab")),
          h("button", { type: "button", onclick: () => this.go(0) }, t("lesson_again")),
        ),
      ),
    );
  }
}
