// The panel Watch of a game's page: a search of this position, or what an agent thought along its replay.

import { writePlace } from "./address.js";
import { fill, h } from "./dom.js";
import { guideOf, watchedSettings } from "./fields.js";
import { t } from "./strings.js";

export function watchPanel(page) {
  return page.quest ? questPanel(page) : searchPanel(page);
}

// An agent's thoughts along its replay: the layer that decided, what it knew, and what the board module adds.
function questPanel(page) {
  const words = h("p", { class: "verdict", id: "thought" }, "–");
  const list = h("dl", { class: "live" });
  const more = h("div", { id: "layers" });
  const legend = h(
    "div",
    { class: "legend" },
    (page.module.legend?.() || []).map(([name, text]) => {
      const box = h("input", { type: "checkbox", checked: true, value: name });
      box.addEventListener("change", () => page.board.element.classList.toggle(`without-${name}`, !box.checked));
      return h("label", { class: "inline" }, box, h("span", { class: `swatch ${name}` }), text);
    }),
  );
  page.on("thought", (thought) => {
    words.textContent = thought.words ? thought.words : thought.sure ? t("hint_proved") : "–";
    const rows = [];
    if (thought.layer) rows.push([t("watch_layer"), thought.layer_names?.[thought.layer] ?? thought.layer]);
    if (thought.path || thought.plan) rows.push([t("length"), (thought.path || thought.plan).length]);
    if (thought.risk !== undefined) rows.push([t("risk"), `${(100 * thought.risk).toFixed(1)} %`]);
    if (thought.sure !== undefined) rows.push([t("hint_proved"), thought.sure ? "✓" : "–"]);
    fill(
      list,
      rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]),
    );
    fill(more, page.module.layers?.(page, thought) || []);
  });
  const step = (by) => page.jump(page.session.cursor + by);
  return h(
    "div",
    {},
    h("p", { class: "help" }, t("watch_text_quest")),
    h(
      "div",
      { class: "fields" },
      h("button", { type: "button", class: "primary", onclick: () => page.agent.run() }, t("agent_run")),
      h("button", { type: "button", id: "watch-back", onclick: () => step(-1) }, t("step_back")),
      h("button", { type: "button", id: "watch-step", onclick: () => step(1) }, t("step")),
    ),
    words,
    list,
    legend,
    more,
  );
}

// The search of this position, watched; the whole page has more room, and a second engine beside the first.
function searchPanel(page) {
  const settings = watchedSettings(page.game);
  page.watched = settings;
  const place = h("div");
  const link = h("a", { class: "button", id: "watch-page" }, t("watch_whole_page"));
  const showLink = () => {
    const asked = { engine: settings.engine };
    const guide = guideOf(page.game);
    if (settings[guide]) asked[guide] = settings[guide];
    link.href = `/watch/${page.game.name}?${writePlace(page.session.place, asked)}`;
  };
  for (const each of ["position", "settings", "tab"]) page.on(each, () => page.session.state && showLink());
  let begun = false;
  page.on("tab", async (name) => {
    if (name !== "watch" || begun) return;
    begun = true;
    const { Watch } = await import("./watching.js");
    const watch = new Watch(page.game, () => page.session.place, settings, { changed: () => page.emit("settings") });
    page.on("position", () => watch.pause());
    fill(place, watch.element);
  });
  return h("div", {}, h("p", { class: "help" }, t("watch_text")), link, place);
}
