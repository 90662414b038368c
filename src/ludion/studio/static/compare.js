// Compare mode: two to four engines on the same instances, as a table, a plot and CSV.

import { get } from "./api.js";
import { count, download, fill, h, seconds, svg } from "./dom.js";
import { clean, engineFields, guideOf } from "./fields.js";
import { t } from "./strings.js";

const MOST_RUNS = 4;
const MOST_LEVELS = 60;
const TONES = ["blue", "red", "green", "purple"];

export function comparePanel(page) {
  const { game } = page;
  const guide = guideOf(game);
  const runs = [];
  const list = h("div", { class: "runs" });
  const table = h("div", { class: "scroll", id: "comparison" });
  const plot = h("div", { class: "plot" });
  const { quest } = page;
  const names = quest
    ? game.agents.map((each) => each.name)
    : game.engines.map((each) => each.name).filter((each) => each !== "best");
  const preferred = { puzzle: ["breadth-first", "a-star"], duel: ["negamax", "alpha-beta"], quest: names.slice(0, 2) }[
    game.kind
  ].filter((each) => names.includes(each));
  const fresh = (name) => (quest ? { agent: name, seconds: 30 } : { engine: name, [guide]: "", seconds: 5 });
  const fields = quest ? agentFields : engineFields;
  const where = h(
    "select",
    { id: "instances" },
    h("option", { value: "here" }, t("compare_here")),
    game.levels.length
      ? h("option", { value: "levels" }, `${t("compare_levels")} (${Math.min(game.levels.length, MOST_LEVELS)})`)
      : null,
    quest && game.options.some((each) => each.name === "seed")
      ? h("option", { value: "seeds" }, t("compare_seeds"))
      : null,
  );
  let rows = [];
  let chosen = [];
  let figures = null; // the report's, by row and run

  // What the lines under the panel are about: the runs, and the instances chosen or measured last.
  let reported = false;
  page.compared = {
    runs,
    get instances() {
      return reported ? "report" : where.value;
    },
  };
  const changed = () => page.emit("compared");
  where.addEventListener("change", () => {
    reported = false;
    changed();
  });

  const show = () => {
    fill(
      list,
      runs.map((settings, index) =>
        h(
          "div",
          { class: `run tone-${TONES[index]}` },
          fields(game, settings, changed),
          runs.length > 1
            ? h(
                "button",
                {
                  type: "button",
                  class: "round",
                  "aria-label": t("compare_remove"),
                  title: t("compare_remove"),
                  onclick: () => {
                    runs.splice(index, 1);
                    show();
                    changed();
                  },
                },
                "×",
              )
            : null,
        ),
      ),
    );
    add.disabled = runs.length >= MOST_RUNS;
  };
  const add = h(
    "button",
    {
      type: "button",
      id: "add-run",
      onclick: () => {
        runs.push(fresh(names[runs.length % names.length] || "best"));
        show();
        changed();
      },
    },
    t("compare_add"),
  );
  for (const name of preferred.length ? preferred : names.slice(0, 2)) runs.push(fresh(name));

  const value = (each) =>
    quest
      ? t(`outcome_${each.status}`)
      : each.score
        ? each.score.words
        : (each.length ?? t(`answers.status_${each.status}`));
  const title = (run) => (quest ? run.agent : `${run.engine}${run[guide] ? ` · ${run[guide]}` : ""}`);
  const columns = () =>
    quest
      ? [t("compare_outcome"), t("compare_steps"), t("time"), t("compare_slowest")]
      : [page.duel ? t("value") : t("length"), t("nodes"), t("time"), figures ? t("compare_report_says") : t("memory")];

  function draw() {
    const head = h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { rowspan: 2, scope: "col" }, t("compare_instance")),
        chosen.map((run, index) =>
          h("th", { colspan: 4, scope: "colgroup", class: `tone-${TONES[index]}` }, title(run)),
        ),
      ),
      h(
        "tr",
        {},
        chosen.flatMap(() => columns().map((each) => h("th", { scope: "col" }, each))),
      ),
    );
    const body = h(
      "tbody",
      {},
      rows.map((row, line) => {
        if (quest) return questRow(row);
        const finished = row.cells.filter((each) => each && each.status !== "error" && each.status !== "limit");
        const least = Math.min(...finished.map((each) => each.nodes));
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, row.name),
          chosen.flatMap((run, index) => {
            const cell = row.cells[index];
            if (!cell) return h("td", { colspan: 4, class: "pending" }, "…");
            if (cell.status === "error") return h("td", { colspan: 4, class: "reason" }, cell.reason);
            return [
              h(
                "td",
                { class: cell.status === "optimal" ? "optimal" : "", title: t(`answers.status_${cell.status}`) },
                `${value(cell)}${cell.status === "optimal" ? " ✓" : ""}`,
              ),
              h("td", { class: cell.nodes === least && finished.length > 1 ? "winner" : "" }, count(cell.nodes)),
              h("td", {}, `${seconds(cell.seconds)}${isInterpreted(cell) ? " *" : ""}`),
              figures
                ? reportCell(cell, figures[line][index])
                : h("td", {}, cell.memory ? `${(cell.memory / 1e6).toFixed(1)} MB` : "–"),
            ];
          }),
        );
      }),
    );
    const sums = chosen.map((run, index) =>
      rows
        .map((row) => row.cells[index])
        .filter((each) => each && each.nodes !== undefined)
        .reduce((sum, each) => ({ nodes: sum.nodes + each.nodes, seconds: sum.seconds + each.seconds }), {
          nodes: 0,
          seconds: 0,
        }),
    );
    const won = chosen
      .map((run, index) => rows.map((row) => row.cells[index]).filter(Boolean))
      .map((cells) => [
        `${cells.filter((each) => each.status === "won").length} / ${cells.length}`,
        cells.reduce((sum, each) => sum + each.length, 0),
        cells.reduce((sum, each) => sum + each.seconds, 0),
      ]);
    const foot = quest
      ? rows.length > 1
        ? h(
            "tfoot",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "row" }, t("compare_sum")),
              won.flatMap(([share, steps, time]) => [
                h("td", {}, share),
                h("td", {}, count(steps)),
                h("td", {}, seconds(time)),
                h("td"),
              ]),
            ),
          )
        : null
      : rows.length > 1
        ? h(
            "tfoot",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "row" }, t("compare_sum")),
              sums.flatMap((each) => [
                h("td"),
                h("td", {}, count(each.nodes)),
                h("td", {}, seconds(each.seconds)),
                h("td"),
              ]),
            ),
          )
        : null;
    const interpreted = rows.some((row) => row.cells.some(isInterpreted));
    fill(
      table,
      h("table", {}, head, body, foot),
      interpreted ? h("p", { class: "help" }, t("compare_interpreted")) : null,
    );
    if (!quest) fill(plot, bars(rows, chosen));
    save.disabled = !rows.length;
  }

  // The time of interpreted code says nothing about the engine.
  function isInterpreted(cell) {
    return cell?.tier === "interpreted";
  }

  function questRow(row) {
    const least = Math.min(...row.cells.filter((each) => each?.status === "won").map((each) => each.length));
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, row.name),
      chosen.flatMap((run, index) => {
        const cell = row.cells[index];
        if (!cell) return h("td", { colspan: 4, class: "pending" }, "…");
        return [
          h(
            "td",
            { class: cell.status === "won" ? "optimal" : "", title: cell.reason || "" },
            `${value(cell)}${cell.status === "won" ? " ✓" : ""}`,
          ),
          h("td", { class: cell.status === "won" && cell.length === least ? "winner" : "" }, count(cell.length)),
          h("td", {}, seconds(cell.seconds)),
          h("td", {}, seconds(cell.slowest)),
        ];
      }),
    );
  }

  // What the report says of the same question, with a sign whether length and nodes are equal.
  function reportCell(cell, report) {
    if (!report) return h("td", { class: "reported" }, "–");
    const result = cell.score ? cell.score.value : cell.length;
    const pairs = [
      [report.length ?? report.score, result],
      [report.nodes, cell.nodes],
    ].filter(([each]) => each !== undefined && each !== null);
    const time = report.milliseconds ? seconds(report.milliseconds / 1000) : "";
    const numbers = pairs.map(([each]) => count(each)).join(" · ");
    if (pairs.some(([a, b]) => a !== b))
      return h("td", { class: "reported differs", title: t("compare_differs") }, `≠ ${numbers} ${time}`);
    return h("td", { class: "reported", title: numbers }, `${pairs.length ? "= " : ""}${time}`);
  }

  // The old report's table, with one press.
  async function repeatReport() {
    const report = await get(`/api/games/${game.name}/report`).catch((error) => page.say(error.message));
    if (!report) return;
    runs.splice(0, runs.length, ...report.runs.map((each) => ({ seconds: 10, ...each })));
    show();
    await measure(report.instances, report.figures);
  }

  async function run() {
    const { start, options } = page.session;
    const instances = {
      here: () => [{ name: page.session.state.text.slice(0, 24), ...page.session.place }],
      levels: () => game.levels.slice(0, MOST_LEVELS).map((each) => ({ name: each.name, start: `level:${each.name}` })),
      seeds: () =>
        Array.from({ length: 10 }, (_, seed) => ({
          name: String(seed),
          start,
          options: { ...options, seed: String(seed) },
        })),
    };
    await measure(instances[where.value](), null);
  }

  async function measure(instances, reportFigures) {
    reported = reportFigures !== null;
    changed();
    chosen = runs.map((each) => ({ ...each }));
    figures = reportFigures;
    rows = instances.map((each) => ({ name: each.name, cells: [] }));
    draw();
    await page.question(
      "compare",
      { runs: chosen.map(clean), instances },
      {
        row: (cell) => {
          rows[cell.instance].cells[cell.run] = cell;
          draw();
        },
      },
    );
  }

  function csv() {
    const cell = (text) => (/[",\n]/.test(String(text)) ? `"${String(text).replaceAll('"', '""')}"` : String(text));
    if (quest) {
      const lines = rows.flatMap((row) =>
        row.cells.map((each, index) => [
          row.name,
          chosen[index].agent,
          each.status,
          each.length,
          each.seconds,
          each.slowest,
        ]),
      );
      return download(
        `${game.name}.csv`,
        "text/csv",
        [["instance", "agent", "outcome", "steps", "seconds", "slowest"], ...lines]
          .map((line) => line.map(cell).join(","))
          .join("\n"),
      );
    }
    const lines = [["instance", "engine", guide, "status", "length", "nodes", "seconds", "memory"]];
    for (const row of rows) {
      for (const [index, each] of row.cells.entries()) {
        lines.push([
          row.name,
          chosen[index].engine,
          chosen[index][guide],
          each.status,
          each.score ? each.score.words : (each.length ?? ""),
          each.nodes ?? "",
          each.seconds ?? "",
          each.memory ?? "",
        ]);
      }
    }
    return download(`${game.name}.csv`, "text/csv", lines.map((line) => line.map(cell).join(",")).join("\n"));
  }

  const save = h("button", { type: "button", id: "csv", disabled: true, onclick: csv }, t("csv"));
  show();
  return h(
    "div",
    {},
    h("p", { class: "help" }, t("compare_text")),
    list,
    h(
      "div",
      { class: "fields" },
      add,
      h("label", {}, h("span", {}, t("compare_instance")), where),
      h("button", { type: "button", class: "primary", id: "compare-run", onclick: run }, t("compare_run")),
      game.report ? h("button", { type: "button", id: "report", onclick: repeatReport }, t("compare_report")) : null,
      save,
    ),
    table,
    plot,
  );
}

// Which agent plays, and for how long.
function agentFields(game, settings, changed) {
  const agent = h(
    "select",
    { class: "engine" },
    game.agents.map((each) => h("option", { value: each.name }, each.name)),
  );
  agent.value = settings.agent;
  const time = h("input", { type: "number", class: "seconds", min: 0.1, max: 120, step: 0.1, value: settings.seconds });
  for (const each of [agent, time])
    each.addEventListener("change", () => {
      Object.assign(settings, { agent: agent.value, seconds: Number(time.value) || 30 });
      changed();
    });
  return h(
    "div",
    { class: "fields" },
    h("label", {}, h("span", {}, t("agent")), agent),
    h("label", { class: "short" }, h("span", {}, t("seconds")), time),
  );
}

function bars(rows, chosen) {
  const cells = rows.slice(0, 20).flatMap((row) => row.cells.filter(Boolean));
  const most = Math.max(1, ...cells.map((each) => Math.log10((each.nodes || 0) + 1)));
  const shown = rows.slice(0, 20);
  const step = 7 * chosen.length + 8;
  const height = shown.length * step + 18;
  const width = 320;
  const parts = [];
  for (let power = 0; power <= most; power += 1) {
    const x = 70 + ((width - 80) * power) / most;
    parts.push(
      svg("line", { x1: x, x2: x, y1: 0, y2: height - 14, class: "axis" }),
      svg("text", { x, y: height - 3, class: "tick" }, power ? `10${"⁰¹²³⁴⁵⁶⁷⁸⁹"[power] ?? "…"}` : "1"),
    );
  }
  shown.forEach((row, line) => {
    parts.push(svg("text", { x: 64, y: line * step + step / 2, class: "name" }, row.name.slice(0, 12)));
    chosen.forEach((run, index) => {
      const cell = row.cells[index];
      if (cell?.nodes !== undefined)
        parts.push(
          svg(
            "rect",
            {
              x: 70,
              y: line * step + 4 + index * 7,
              width: Math.max(1, ((width - 80) * Math.log10(cell.nodes + 1)) / most),
              height: 5.5,
              rx: 2,
              class: `tone-${TONES[index]}`,
            },
            svg("title", {}, `${run.engine}: ${cell.nodes}`),
          ),
        );
    });
  });
  return h(
    "figure",
    {},
    svg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, class: "graph", role: "img", "aria-label": t("compare_plot") },
      parts,
    ),
    h("figcaption", {}, t("compare_plot")),
  );
}
