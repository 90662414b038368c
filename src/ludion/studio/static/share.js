// Everything to take away: the position, its address, the picture, and the lines that reproduce the screen.

import { download, fill, h, toast } from "./dom.js";
import { t } from "./strings.js";

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);
const literal = (text) => JSON.stringify(text);

export function commandLine(page) {
  const { card, session } = page;
  const options = Object.entries(session.options);
  if (page.quest) {
    const more = options.map(([name, value]) => ` --option ${quoted(`${name}=${value}`)}`).join("");
    return `ludion run ${card.name} ${quoted(session.start)} --agent ${page.agent?.value || "best"}${more}`;
  }
  const flags = options.map(([name, value]) => ` --${name.replaceAll("_", "-")} ${quoted(value)}`).join("");
  const { engine, guide, seconds, depth } = page.settings;
  const search = ` --engine ${engine}${guide ? ` --heuristic ${guide}` : ""} --time ${seconds}${depth ? ` --depth ${depth}` : ""}`;
  return `ludion solve ${card.name} ${quoted(session.state.text)}${flags}${search}`;
}

export function pythonLines(page) {
  const { card, session } = page;
  const options = Object.entries(session.options).map(([name, value]) => `, ${name}=${literal(value)}`).join("");
  if (page.quest) {
    return ["from ludion.batch.quests import Task, play", "",
      `print(play(Task(${literal(card.name)}, ${literal(session.start)}, ${JSON.stringify(session.options)}, ${literal(page.agent?.value || "best")})))`].join("\n");
  }
  const { engine, guide, seconds, depth } = page.settings;
  const word = page.duel ? "evaluation" : "heuristic";
  const more = `${guide ? `, ${word}=${literal(guide)}` : ""}, seconds=${seconds}${depth ? `, depth=${depth}` : ""}`;
  return ["import ludion", "", `position = ludion.position(${literal(card.name)}, ${literal(session.state.text)}${options})`,
    `print(ludion.solve(position, ${literal(engine)}${more}))`].join("\n");
}

// The lines that reproduce what the present tab shows.
export function reproduced(page) {
  const { card, session, quest, tab } = page;
  if (quest && tab === "compare") {
    const agents = [...new Set(page.compared.runs.map((each) => each.agent))].join(",");
    return [`ludion lab ${card.name} --levels ${session.level?.name ?? "all"} --agents ${agents} --games 10`, pythonLines(page)];
  }
  if (quest || ["engine", "watch", "share"].includes(tab)) return [commandLine(page), pythonLines(page)];
  const position = quoted(session.state.text);
  const flags = Object.entries(session.options).map(([name, value]) => ` --${name.replaceAll("_", "-")} ${quoted(value)}`).join("");
  const options = Object.entries(session.options).map(([name, value]) => `, ${name}=${literal(value)}`).join("");
  const begin = ["import ludion", "", `position = ludion.position(${literal(card.name)}, ${literal(session.state.text)}${options})`];
  if (tab === "compare") {
    const { runs, report, levels } = page.compared;
    const list = (name) => [...new Set(runs.map((each) => each[name]).filter(Boolean))].join(",");
    const search = ` --engines ${list("engine")}${list("guide") ? ` --${page.duel ? "evaluations" : "heuristics"} ${list("guide")}` : ""}`;
    const loop = [`for engine in ${JSON.stringify([...new Set(runs.map((each) => each.engine))])}:`, "    print(ludion.solve(position, engine, seconds=5))"];
    if (report) return [`ludion lab ${card.name}${page.duel ? "" : " --levels report"}`, [...begin, ...loop].join("\n")];
    return [levels ? `ludion lab ${card.name} --levels all${search}` : `echo ${position} | ludion lab ${card.name}${flags} --file -${search}`, [...begin, ...loop].join("\n")];
  }
  if (page.scoresOn) return [`ludion analyse ${card.name} ${position}${flags}`, [...begin, "for move in ludion.analyse(position, seconds=3):", "    print(move)"].join("\n")];
  if (tab === "edit") return [`ludion show ${card.name} ${position}${flags}`, [...begin, "print(position)"].join("\n")];
  return [`ludion play ${card.name} ${position}${flags}`, [...begin, "print(position)", "print(position.moves())"].join("\n")];
}

// They stand, folded, under every tab.
export function reproduceField(page) {
  const shown = [h("pre", { id: "repro-command", tabindex: 0 }), h("pre", { id: "repro-python", tabindex: 0 })];
  const made = h("details", { class: "reproduce shared" }, h("summary", {}, t("reproduce")), shown);
  const update = () => {
    if (!page.session.state) return;
    made.hidden = page.tab === "share"; // which says the same
    if (made.open) reproduced(page).forEach((text, index) => { shown[index].textContent = text; });
  };
  for (const each of ["position", "tab", "scores", "compared"]) addEventListener(each, update);
  made.addEventListener("toggle", update);
  return made;
}

export function sharePanel(page) {
  const rows = [
    ["position", () => page.session.state.text],
    ["address", () => location.href],
    ["command", () => commandLine(page)],
    ["python", () => pythonLines(page)],
  ].map(([name, text]) => {
    const shown = h("pre", { id: `share-${name}`, tabindex: 0, "aria-label": t(`share.${name}`) });
    const copy = async () => {
      try { await navigator.clipboard.writeText(shown.textContent); toast(t("share.copied")); } catch { getSelection().selectAllChildren(shown); }
    };
    return { shown, text, row: h("div", { class: "shared" }, h("div", { class: "head" }, h("h3", {}, t(`share.${name}`)), h("button", { type: "button", onclick: copy }, t("share.copy"))), shown) };
  });
  const update = () => { for (const each of rows) each.shown.textContent = each.text(); };
  addEventListener("position", update);
  addEventListener("tab", (event) => { if (event.detail === "share" && page.session.state) update(); });
  const save = () => download(`${page.card.name}.svg`, "image/svg+xml", page.session.state.svg);
  return fill(h("div"), rows.map((each) => each.row), h("button", { type: "button", id: "download", onclick: save }, t("share.svg")));
}
