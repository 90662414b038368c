// Everything to take away: the position, its address, the picture, and the lines that reproduce the screen. The server
// writes the lines from the question that the tab asks.

import { post } from "./api.js";
import { download, fill, h, toast } from "./dom.js";
import { clean } from "./fields.js";
import { t } from "./strings.js";

// What the present tab asks about the position.
function tabQuestion(page) {
  const { quest } = page;
  const { tab } = page.panels;
  if (tab === "compare") return { what: "compare", ...page.compared, runs: page.compared.runs.map(clean) };
  if (tab === "review") return { what: "review" };
  if (quest) return { what: "run", ...page.agent.settings };
  if (tab === "engine" || tab === "share") return { what: "solve", ...clean(page.settings) };
  if (tab === "watch") return { what: "solve", ...clean(page.watched) };
  if (page.insight.on) return { what: "analyse" };
  return { what: tab === "edit" ? "show" : "play" };
}

// { command, python, url } of the present tab.
function lines(page) {
  const { start, options, moves, cursor } = page.session;
  return post(`/api/games/${page.game.name}/question`, { start, options, moves, cursor, ...tabQuestion(page) });
}

// Ask for the lines and show them, unless something else was asked meanwhile.
function shower(page, show) {
  let latest = 0;
  return async () => {
    latest += 1;
    const mine = latest;
    try {
      const written = await lines(page);
      if (mine === latest) show(written);
    } catch (error) {
      if (mine === latest) page.say(error.message);
    }
  };
}

// They stand, folded, under every panel.
export function reproduceField(page) {
  const [command, python] = ["repro-command", "repro-python"].map((id) => h("pre", { id, tabindex: 0 }));
  const field = h("details", { class: "reproduce shared" }, h("summary", {}, t("reproduce")), command, python);
  const ask = shower(page, (written) => {
    command.textContent = written.command;
    python.textContent = written.python;
  });
  const update = () => {
    if (!page.session.state) return;
    field.hidden = ["play", "share"].includes(page.panels.tab); // beside a game there are only its moves; Share says the same
    if (field.open && !field.hidden) ask();
  };
  for (const each of ["position", "tab", "scores", "compared", "settings"]) page.on(each, update);
  field.addEventListener("toggle", update);
  return field;
}

export function sharePanel(page) {
  const shown = {};
  const rows = ["position", "address", "command", "python"].map((name) => {
    shown[name] = h("pre", { id: `share-${name}`, tabindex: 0, role: "group", "aria-label": t(`share_${name}`) });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(shown[name].textContent);
        toast(t("share_copied"));
      } catch {
        getSelection().selectAllChildren(shown[name]);
      }
    };
    return h(
      "div",
      { class: "shared" },
      h(
        "div",
        { class: "head" },
        h("h2", { class: "small" }, t(`share_${name}`)),
        h("button", { type: "button", onclick: copy }, t("share_copy")),
      ),
      shown[name],
    );
  });
  const ask = shower(page, (written) => {
    shown.address.textContent = location.origin + written.url;
    shown.command.textContent = written.command;
    shown.python.textContent = written.python;
  });
  const update = () => {
    if (page.panels.tab !== "share" || !page.session.state) return;
    const { state, start, cursor } = page.session;
    shown.position.textContent = page.quest && cursor === 0 && start ? start : state.text; // what is hidden stays hidden
    ask();
  };
  for (const each of ["position", "tab"]) page.on(each, update);
  const save = () => download(`${page.game.name}.svg`, "image/svg+xml", page.session.state.svg);
  return fill(h("div"), rows, h("button", { type: "button", id: "download", onclick: save }, t("share_svg")));
}
