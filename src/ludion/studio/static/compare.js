// Compare mode: two to four engines on the same instances, as a table, a plot and CSV.

import { count, download, fill, h, seconds, svg } from "./dom.js";
import { clean, engineFields } from "./play.js";
import { scoreWords, serverText, t } from "./strings.js";

const MOST = 4;
const MOST_LEVELS = 60;
const TONES = ["blue", "red", "green", "purple"];

export function comparePanel(page) {
  const { card } = page;
  const runs = [];
  const list = h("div", { class: "runs" });
  const table = h("div", { class: "scroll", id: "comparison" });
  const plot = h("div", { class: "plot" });
  const { quest } = page;
  const names = quest ? card.agents.map((each) => each.name) : card.engines.map((each) => each.name).filter((each) => each !== "best");
  const preferred = { puzzle: ["breadth-first", "a-star"], duel: ["negamax", "alpha-beta"], quest: names.slice(0, 2) }[card.kind].filter((each) => names.includes(each));
  const fresh = (name) => (quest ? { agent: name, seconds: 30 } : { engine: name, guide: "", seconds: 5 });
  const fields = quest ? agentFields : engineFields;
  const where = h("select", { id: "instances" }, h("option", { value: "here" }, t("compare.here")), card.levels.length ? h("option", { value: "levels" }, `${t("compare.levels")} (${Math.min(card.levels.length, MOST_LEVELS)})`) : null,
    quest && card.options.some((each) => each.name === "seed") ? h("option", { value: "seeds" }, t("compare.seeds")) : null);
  let rows = [];
  let chosen = [];
  let theirs = null; // the report's figures, by row and run

  const show = () => {
    fill(list, runs.map((settings, index) => h("div", { class: `run tone-${TONES[index]}` }, fields(card, settings),
      runs.length > 1 ? h("button", { type: "button", class: "round", "aria-label": t("compare.remove"), title: t("compare.remove"), onclick: () => { runs.splice(index, 1); show(); } }, "×") : null)));
    add.disabled = runs.length >= MOST;
  };
  const add = h("button", { type: "button", id: "add-run", onclick: () => { runs.push(fresh(names[runs.length % names.length] || "best")); show(); } }, t("compare.add"));
  for (const name of preferred.length ? preferred : names.slice(0, 2)) runs.push(fresh(name));

  const value = (each) => (quest ? t(`outcome.${each.status}`) : each.score ? scoreWords(each.score) : each.length ?? t(`status.${each.status}`));
  const title = (run) => (quest ? run.agent : `${run.engine}${run.guide ? ` · ${run.guide}` : ""}`);

  function draw() {
    const head = h("thead", {}, h("tr", {}, h("th", { rowspan: 2, scope: "col" }, t("compare.instance")), chosen.map((run, index) => h("th", { colspan: 4, scope: "colgroup", class: `tone-${TONES[index]}` }, title(run)))),
      h("tr", {}, chosen.flatMap(() => (quest ? ["compare.outcome", "compare.steps", "time", "compare.slowest"] : [page.duel ? "value" : "length", "nodes", "time", theirs ? "compare.theirs" : "memory"]).map((each) => h("th", { scope: "col" }, t(each))))));
    const body = h("tbody", {}, rows.map((row, line) => {
      if (quest) return questRow(row);
      const finished = row.cells.filter((each) => each && each.status !== "error" && each.status !== "limit");
      const least = Math.min(...finished.map((each) => each.nodes));
      return h("tr", {}, h("th", { scope: "row" }, row.name), chosen.map((run, index) => {
        const cell = row.cells[index];
        if (!cell) return h("td", { colspan: 4, class: "pending" }, "…");
        if (cell.status === "error") return h("td", { colspan: 4, class: "reason" }, serverText(cell.reason));
        return [h("td", { class: cell.status === "optimal" ? "optimal" : "", title: t(`status.${cell.status}`) }, `${value(cell)}${cell.status === "optimal" ? " ✓" : ""}`),
          h("td", { class: cell.nodes === least && finished.length > 1 ? "winner" : "" }, count(cell.nodes)), h("td", {}, seconds(cell.seconds)),
          theirs ? reported(cell, theirs[line][index]) : h("td", {}, cell.memory ? `${(cell.memory / 1e6).toFixed(1)} MB` : "–")];
      }).flat());
    }));
    const sums = chosen.map((run, index) => rows.map((row) => row.cells[index]).filter((each) => each && each.nodes !== undefined).reduce((sum, each) => ({ nodes: sum.nodes + each.nodes, seconds: sum.seconds + each.seconds }), { nodes: 0, seconds: 0 }));
    const won = chosen.map((run, index) => rows.map((row) => row.cells[index]).filter(Boolean)).map((cells) => [`${cells.filter((each) => each.status === "won").length} / ${cells.length}`, cells.reduce((sum, each) => sum + each.length, 0), cells.reduce((sum, each) => sum + each.seconds, 0)]);
    const foot = quest ? (rows.length > 1 ? h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("compare.sum")), won.flatMap(([share, steps, time]) => [h("td", {}, share), h("td", {}, count(steps)), h("td", {}, seconds(time)), h("td")]))) : null) : rows.length > 1 ? h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("compare.sum")), sums.flatMap((each) => [h("td"), h("td", {}, count(each.nodes)), h("td", {}, seconds(each.seconds)), h("td")]))) : null;
    fill(table, h("table", {}, head, body, foot));
    if (!quest) fill(plot, bars(rows, chosen));
    save.disabled = !rows.length;
  }

  function questRow(row) {
    const least = Math.min(...row.cells.filter((each) => each?.status === "won").map((each) => each.length));
    return h("tr", {}, h("th", { scope: "row" }, row.name), chosen.flatMap((run, index) => {
      const cell = row.cells[index];
      if (!cell) return h("td", { colspan: 4, class: "pending" }, "…");
      return [h("td", { class: cell.status === "won" ? "optimal" : "", title: serverText(cell.reason || "") }, `${value(cell)}${cell.status === "won" ? " ✓" : ""}`),
        h("td", { class: cell.status === "won" && cell.length === least ? "winner" : "" }, count(cell.length)), h("td", {}, seconds(cell.seconds)), h("td", {}, seconds(cell.slowest))];
    }));
  }

  // What the report says of the same question, with a sign whether length and nodes are equal.
  function reported(cell, told) {
    if (!told) return h("td", { class: "theirs" }, "–");
    const value = cell.score ? cell.score.value : cell.length;
    const pairs = [[told.length ?? told.score, value], [told.nodes, cell.nodes]].filter(([each]) => each !== undefined && each !== null);
    const time = told.ms ? seconds(told.ms / 1000) : "";
    const figures = pairs.map(([each]) => count(each)).join(" · ");
    if (pairs.some(([a, b]) => a !== b)) return h("td", { class: "theirs differs", title: t("compare.differs") }, `≠ ${figures} ${time}`);
    return h("td", { class: "theirs", title: figures }, `${pairs.length ? "= " : ""}${time}`);
  }

  // The old report's table, with one press.
  async function repeatReport() {
    const { report } = card;
    runs.splice(0, runs.length, ...report.runs.map((each) => ({ guide: "", seconds: 10, ...each })));
    show();
    await measure(report.instances, report.theirs);
  }

  async function run() {
    const levels = card.levels.slice(0, MOST_LEVELS);
    const { start, options } = page.session;
    const instances = where.value === "seeds" ? Array.from({ length: 10 }, (_, seed) => ({ name: String(seed), start, options: { ...options, seed: String(seed) } })) : where.value === "levels" ? levels.map((each) => ({ name: each.name, start: `level:${each.name}` })) : [{ name: page.session.state.text.slice(0, 24), ...page.session.place }];
    await measure(instances, null);
  }

  page.compared = { runs, report: false, levels: false };

  async function measure(instances, figures) {
    page.compared = { runs, report: figures !== null, levels: figures === null && where.value === "levels" };
    dispatchEvent(new CustomEvent("compared"));
    chosen = runs.map((each) => ({ ...each }));
    theirs = figures;
    rows = instances.map((each) => ({ name: each.name, cells: [] }));
    draw();
    await page.question("compare", { runs: chosen.map(clean), instances }, { row: (told) => { rows[told.instance].cells[told.run] = told; draw(); } });
  }

  function csv() {
    const cell = (text) => (/[",\n]/.test(String(text)) ? `"${String(text).replaceAll('"', '""')}"` : String(text));
    if (quest) {
      const told = rows.flatMap((row) => row.cells.map((each, index) => [row.name, chosen[index].agent, each.status, each.length, each.seconds, each.slowest]));
      return download(`${card.name}.csv`, "text/csv", [["instance", "agent", "outcome", "steps", "seconds", "slowest"], ...told].map((line) => line.map(cell).join(",")).join("\n"));
    }
    const lines = [["instance", "engine", "guide", "status", "length", "nodes", "seconds", "memory"]];
    for (const row of rows) row.cells.forEach((each, index) => lines.push([row.name, chosen[index].engine, chosen[index].guide, each.status, each.score ? each.score.words : each.length ?? "", each.nodes ?? "", each.seconds ?? "", each.memory ?? ""]));
    return download(`${card.name}.csv`, "text/csv", lines.map((line) => line.map(cell).join(",")).join("\n"));
  }

  const save = h("button", { type: "button", id: "csv", disabled: true, onclick: csv }, t("csv"));
  show();
  return h("div", {}, h("p", { class: "help" }, t("compare.text")), list, h("div", { class: "fields" }, add, h("label", {}, h("span", {}, t("compare.instance")), where),
    h("button", { type: "button", class: "primary", id: "compare-run", onclick: run }, t("compare.run")),
    card.report ? h("button", { type: "button", id: "report", onclick: repeatReport }, t("compare.report")) : null, save), table, plot);
}

// Which agent plays, and for how long.
function agentFields(card, settings) {
  const agent = h("select", { class: "engine" }, card.agents.map((each) => h("option", { value: each.name }, each.name)));
  agent.value = settings.agent;
  const time = h("input", { type: "number", class: "seconds", min: 0.1, max: 120, step: 0.1, value: settings.seconds });
  for (const each of [agent, time]) each.addEventListener("change", () => Object.assign(settings, { agent: agent.value, seconds: Number(time.value) || 30 }));
  return h("div", { class: "fields" }, h("label", {}, h("span", {}, t("agent")), agent), h("label", { class: "short" }, h("span", {}, t("seconds")), time));
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
    const x = 70 + (width - 80) * power / most;
    parts.push(svg("line", { x1: x, x2: x, y1: 0, y2: height - 14, class: "axis" }), svg("text", { x, y: height - 3, class: "tick" }, power ? `10${"⁰¹²³⁴⁵⁶⁷⁸⁹"[power] ?? "…"}` : "1"));
  }
  shown.forEach((row, line) => {
    parts.push(svg("text", { x: 64, y: line * step + step / 2, class: "name" }, row.name.slice(0, 12)));
    chosen.forEach((run, index) => {
      const cell = row.cells[index];
      if (cell?.nodes !== undefined) parts.push(svg("rect", { x: 70, y: line * step + 4 + index * 7, width: Math.max(1, (width - 80) * Math.log10(cell.nodes + 1) / most), height: 5.5, rx: 2, class: `tone-${TONES[index]}` }, svg("title", {}, `${run.engine}: ${cell.nodes}`)));
    });
  });
  return h("figure", {}, svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "graph", role: "img", "aria-label": t("compare.plot") }, parts), h("figcaption", {}, t("compare.plot")));
}
