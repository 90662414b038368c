// The page /lab: engines with heuristics, or agents, measured on levels, new boards or those of an old report. Tables
// that sort, plot, significance; every cell leads to its question in Watch.

import { ask, get, wasLeft } from "./api.js";
import { download, fill, h } from "./dom.js";
import { settingFields } from "./fields.js";
import { waitingNews } from "./news.js";
import { t } from "./strings.js";

const FEW_LEVELS = 5; // chosen at first
const USUAL = { puzzle: ["breadth-first", "a-star"], duel: ["negamax", "alpha-beta"] };

export async function openLab(main, name, games) {
  document.title = t("lab_title");
  const place = h("div");
  const choice = h(
    "select",
    { id: "lab-game" },
    games.map((each) => h("option", { value: each.name, selected: each.name === name }, each.title)),
  );
  choice.addEventListener("change", () => {
    history.replaceState(null, "", `/lab/${choice.value}`);
    openBench(place, choice.value);
  });
  fill(
    main,
    h("div", { class: "pagehead" }, h("h1", {}, t("lab_title")), h("label", {}, h("span", {}, t("lab_game")), choice)),
    h("p", { class: "help" }, t("lab_text")),
    place,
  );
  await openBench(place, choice.value);
}

async function openBench(place, name) {
  const bench = new Bench(await get(`/api/games/${name}`));
  fill(place, bench.element);
}

// A set of boxes to tick; `chosen` gives the names of those that are.
function boxes(names, ticked, title) {
  const inputs = names.map(([name, help]) => [
    h("input", { type: "checkbox", value: name, checked: ticked.includes(name) }),
    help,
  ]);
  return {
    element: h(
      "fieldset",
      { class: "boxes" },
      h("legend", {}, title),
      inputs.map(([input, help]) => h("label", { class: "inline", title: help }, input, input.value)),
    ),
    chosen: () => inputs.map(([input]) => input).filter((input) => input.checked),
  };
}

const values = (inputs) => inputs.chosen().map((each) => each.value);

class Bench {
  constructor(game) {
    this.game = game;
    this.quest = game.kind === "quest";
    this.results = h("div", { id: "lab-results", class: "labresults" }, h("p", { class: "awaited" }, t("lab_awaited")));
    this.note = h("p", { class: "help", id: "lab-note", role: "status" });
    this.sorted = new Map(); // title of a table -> [column, direction]
    this.element = h("div", { class: "bench" }, this.#form(), this.note, this.results);
  }

  #form() {
    const { game } = this;
    const levels = game.levels.map((each) => each.name);
    const first = game.kind === "duel" ? ["start"] : levels.slice(0, FEW_LEVELS);
    this.levels = h(
      "select",
      { id: "lab-levels", multiple: true, size: 6 },
      [...(game.kind === "duel" ? ["start"] : []), ...levels].map((each) =>
        h("option", { value: each, selected: first.includes(each) }, each),
      ),
    );
    const offered = [["levels", t("lab_levels")], ...(game.generator ? [["new", t("lab_new")]] : [])];
    this.instances = h(
      "select",
      { id: "lab-instances" },
      offered.map(([value, title]) => h("option", { value }, title)),
    );
    const number = (id, least, most, value) => h("input", { type: "number", id, min: least, max: most, value });
    const field = (title, input) => h("label", { class: "short" }, h("span", {}, title), input);
    this.count = number("lab-count", 1, 50, 5);
    this.seed = number("lab-seed", 0, 1e9, 0);
    this.generatorSettings = {};
    const generated = h(
      "div",
      { hidden: true },
      h("div", { class: "fields" }, field(t("lab_count"), this.count), field(t("seed"), this.seed)),
      game.generator ? settingFields(game.generator, this.generatorSettings) : null,
    );
    const listed = h("label", {}, h("span", {}, t("lab_levels")), this.levels);
    this.instances.addEventListener("change", () => {
      generated.hidden = this.instances.value !== "new";
      listed.hidden = !generated.hidden;
    });
    this.options = {};
    const rules = game.options.filter((each) => each.choices.length);
    const parts = this.quest ? this.#agentFields(field, number) : this.#engineFields(field, number);
    const button = (id, label, press, more = {}) => h("button", { type: "button", id, onclick: press, ...more }, label);
    this.stop = button("lab-stop", t("stop"), () => this.job?.stop(), { class: "danger", hidden: true });
    this.exports = [
      button("lab-csv", t("csv"), () => this.#csv(), { disabled: true }),
      button("lab-html", t("lab_html"), () => this.#page(), { disabled: true }),
    ];
    return h(
      "div",
      { class: "labform" },
      h("div", {}, h("label", {}, h("span", {}, t("compare_instance")), this.instances), listed, generated),
      h("div", {}, parts, rules.length ? settingFields(rules, this.options) : null),
      h(
        "div",
        { class: "fields" },
        button("lab-run", t("lab_run"), () => this.run(this.#chosen()), { class: "primary" }),
        game.report
          ? button("lab-report", t("compare_report"), () => this.run({ instances: "report", seconds: 10 }))
          : null,
        this.stop,
        this.exports,
      ),
    );
  }

  #engineFields(field, number) {
    const { game } = this;
    const guides = game.heuristics || game.evaluations || [];
    this.engines = boxes(
      game.engines.filter((each) => each.name !== "best").map((each) => [each.name, each.help]),
      USUAL[game.kind],
      t("lab_engines"),
    );
    this.guides = boxes(
      guides.map((each) => [each.name, each.help]),
      [],
      t(game.kind === "duel" ? "lab_evaluations" : "lab_heuristics"),
    );
    this.seconds = number("lab-seconds", 0.1, 60, 5);
    this.depth = game.kind === "duel" ? number("lab-depth", 1, 40, 5) : null;
    return [
      this.engines.element,
      guides.length ? this.guides.element : null,
      h(
        "div",
        { class: "fields" },
        field(t("seconds"), this.seconds),
        this.depth ? field(t("lab_depth"), this.depth) : null,
      ),
    ];
  }

  #agentFields(field, number) {
    this.agents = boxes(
      this.game.agents.map((each) => [each.name, each.help]),
      this.game.agents.slice(0, 2).map((each) => each.name),
      t("lab_agents"),
    );
    this.games = number("lab-games", 1, 1000, 10);
    return [this.agents.element, h("div", { class: "fields" }, field(t("lab_games"), this.games))];
  }

  // The experiment of the form.
  #chosen() {
    const body = { instances: this.instances.value, options: this.options };
    if (body.instances === "new")
      Object.assign(body, {
        count: Number(this.count.value),
        seed: Number(this.seed.value),
        settings: this.generatorSettings,
      });
    else body.levels = [...this.levels.selectedOptions].map((each) => each.value);
    if (this.quest) return { ...body, agents: values(this.agents), games: Number(this.games.value) };
    const more = this.depth?.value ? { depth: Number(this.depth.value) } : {};
    return {
      ...body,
      engines: values(this.engines),
      guides: values(this.guides),
      seconds: Number(this.seconds.value) || 5,
      ...more,
    };
  }

  async run(experiment, page = false) {
    this.job?.leave();
    const say = (words) => {
      this.note.textContent = words;
    };
    const job = ask(
      this.game.name,
      "lab",
      { ...experiment, page },
      {
        started: () => say(t("lab_running")),
        ...waitingNews(say, t("lab_running")),
        tables: (news) => {
          say(t("lab_progress", { n: news.done, all: news.all }));
          this.show(news);
        },
      },
    );
    this.job = job;
    this.stop.hidden = false;
    try {
      const answer = await job.done;
      if (this.job !== job) return null;
      this.experiment = experiment;
      this.answer = answer;
      say(t(answer.stopped ? "lab_stopped" : "lab_done", { n: answer.done, all: answer.all }));
      if (answer.tables) this.show(answer);
      for (const each of this.exports) each.disabled = !answer.tables;
      return answer;
    } catch (error) {
      if (!wasLeft(error) && this.job === job) say(error.message);
      return null;
    } finally {
      if (this.job === job) this.stop.hidden = true;
    }
  }

  show(answer) {
    fill(
      this.results,
      answer.tables.map((table) => this.#table(table, answer.questions)),
      answer.plot
        ? h(
            "figure",
            { class: "labplot" },
            h("img", {
              alt: t("lab_plot"),
              src: URL.createObjectURL(new Blob([answer.plot], { type: "image/svg+xml" })),
            }),
            h("figcaption", {}, t("lab_plot")),
          )
        : null,
      answer.command
        ? h("div", { class: "shared" }, h("h2", {}, t("lab_command")), h("pre", { id: "lab-command" }, answer.command))
        : null,
    );
  }

  // A table that sorts by a press on the head of a column, or, on a phone, by a list; there every row is a card.
  #table(table, questions) {
    const place = h("section", { class: "labtable" });
    const draw = () => {
      const [by, way] = this.sorted.get(table.title) ?? [-1, 1];
      const order = table.rows.map((_, row) => row);
      if (by >= 0) order.sort((one, other) => way * compare(table.rows[one][by], table.rows[other][by]));
      const sortBy = (column) => {
        this.sorted.set(table.title, [column, column === by ? -way : 1]);
        draw();
      };
      const list = h(
        "select",
        { "aria-label": t("lab_sort") },
        h("option", { value: -1 }, t("lab_sort")),
        table.columns.map((each, column) => h("option", { value: column, selected: column === by }, each)),
      );
      list.addEventListener("change", () => sortBy(Number(list.value)));
      fill(
        place,
        h("h2", {}, table.title),
        list,
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              table.columns.map((each, column) =>
                h(
                  "th",
                  {
                    scope: "col",
                    class: table.numbers[column] ? "number" : null,
                    "aria-sort": column === by ? (way > 0 ? "ascending" : "descending") : null,
                  },
                  h("button", { type: "button", onclick: () => sortBy(column) }, each),
                ),
              ),
            ),
          ),
          h(
            "tbody",
            {},
            order.map((row) =>
              h(
                "tr",
                {},
                table.columns.map((each, column) => cell(table, row, column, questions)),
              ),
            ),
          ),
        ),
        table.note ? h("p", { class: "help" }, table.note) : null,
      );
    };
    draw();
    return place;
  }

  #csv() {
    download(`${this.game.name}.csv`, "text/csv", this.answer.csv);
  }

  async #page() {
    const answer = await this.run(this.experiment, true); // the results are kept: nothing is measured again
    if (answer?.html) download(`${this.game.name}.html`, "text/html", answer.html);
  }
}

function cell(table, row, column, questions) {
  const words = table.words[row][column];
  const link = table.links[row][column];
  return h(
    column ? "td" : "th",
    {
      "data-label": table.columns[column],
      class: table.numbers[column] ? "number" : "word",
      scope: column ? null : "row",
    },
    link === null || !words ? words : h("a", { href: questions[link], title: t("lab_watch") }, words),
  );
}

// Empty cells stand last, whatever the direction of their column would be.
function compare(one, other) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), undefined, { numeric: true });
}
