// Engine, heuristic or evaluation, seconds and depth: what a search is asked with.

import { fill, h } from "./dom.js";
import { t } from "./strings.js";

// What guides an engine in such a game.
export const guideOf = (game) => (game.kind === "duel" ? "evaluation" : "heuristic");
const guidesOf = (game) => game.evaluations || game.heuristics || [];

// The settings that have a value.
export const clean = (settings) =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([, value]) => value !== "" && value !== null && value !== undefined && !Number.isNaN(value),
    ),
  );

// Settings of the address (a question has an address, too), else those kept; without names that the game does not have.
export function usableSettings(game, kept) {
  const query = new URLSearchParams(location.search);
  const guide = guideOf(game);
  const asked = clean({
    engine: query.get("engine"),
    [guide]: query.get(guide),
    seconds: Number(query.get("time")) || null,
    depth: Number(query.get("depth")) || null,
  });
  const settings = { engine: "best", seconds: 5, depth: null, ...(Object.keys(asked).length ? asked : kept) };
  if (!game.engines.some((each) => each.name === settings.engine)) settings.engine = "best";
  const offered = game.engines.find((each) => each.name === settings.engine)?.settings || [];
  settings.settings = Object.fromEntries(
    Object.entries(settings.settings || {}).filter(([name]) => offered.some((each) => each.name === name)),
  );
  if (!guidesOf(game).some((each) => each.name === settings[guide])) settings[guide] = "";
  delete settings.guide; // as it was called before
  return settings;
}

// Fields for the settings of an engine or an agent (layers, coefficients): those that differ from their default are in
// `values`, which is kept up to date.
export function settingFields(offered, values, changed = () => {}) {
  return h(
    "div",
    { class: "fields settings" },
    offered.map((each) => {
      const usual = each.default;
      const now = values[each.name] ?? usual;
      const isFlag = each.type === "bool";
      const input = each.choices.length
        ? h(
            "select",
            {},
            each.choices.map((choice) => h("option", { value: choice, selected: choice === now }, choice)),
          )
        : h(
            "input",
            isFlag
              ? { type: "checkbox", checked: Boolean(now) }
              : { type: "number", step: each.type === "int" ? 1 : "any", value: now },
          );
      input.dataset.setting = each.name;
      input.addEventListener("change", () => {
        const value = isFlag ? input.checked : each.choices.length ? input.value : Number(input.value);
        if (value === usual || input.value === "") delete values[each.name];
        else values[each.name] = value;
        changed();
      });
      return h(
        "label",
        { class: isFlag ? "inline" : "short", title: each.help },
        isFlag ? [input, h("span", {}, each.label)] : [h("span", {}, each.label), input],
      );
    }),
  );
}

// The fields; `settings` is kept up to date, and `changed` called.
export function engineFields(game, settings, changed = () => {}) {
  const help = h("p", { class: "help" });
  const name = guideOf(game);
  const guides = guidesOf(game);
  const engine = h(
    "select",
    { class: "engine" },
    game.engines.map((each) =>
      h("option", { value: each.name }, each.name === "best" ? `best (${game.best_engine})` : each.name),
    ),
  );
  engine.value = settings.engine;
  const guide = h(
    "select",
    { class: name },
    h("option", { value: "" }, t("default")),
    guides.map((each) => h("option", { value: each.name, title: each.help }, each.name)),
  );
  guide.value = settings[name] || "";
  const time = h("input", {
    type: "number",
    class: "seconds",
    min: 0.1,
    max: 120,
    step: 0.1,
    value: settings.seconds ?? 5,
  });
  const depth = h("input", { type: "number", class: "depth", min: 1, max: 120, value: settings.depth ?? "" });
  const own = h("div", {});
  const showHelp = () => {
    const chosen = game.engines.find((each) => each.name === engine.value);
    help.textContent = chosen?.help || "";
    settings.settings ||= {};
    fill(own, chosen?.settings?.length ? settingFields(chosen.settings, settings.settings, changed) : []);
  };
  const update = () => {
    if (engine.value !== settings.engine) settings.settings = {};
    Object.assign(settings, {
      engine: engine.value,
      [name]: guide.value,
      seconds: Number(time.value) || 5,
      depth: depth.value ? Number(depth.value) : null,
    });
    showHelp();
    changed();
  };
  for (const each of [engine, guide, time, depth]) each.addEventListener("change", update);
  showHelp();
  return h(
    "div",
    { class: "fields" },
    h("label", {}, h("span", {}, t("engine")), engine),
    guides.length ? h("label", {}, h("span", {}, t(name === "evaluation" ? "evaluation" : "heuristic")), guide) : null,
    h("label", { class: "short" }, h("span", {}, t("seconds")), time),
    game.kind === "duel" ? h("label", { class: "short" }, h("span", {}, t("depth")), depth) : null,
    help,
    own,
  );
}

const WATCHED = { puzzle: "a-star", duel: "alpha-beta" };

// The settings of the search that is watched: of the engine that the address names, else of one that shows its work.
export function watchedSettings(game) {
  const usual = WATCHED[game.kind];
  return usableSettings(game, {
    engine: game.engines.some((each) => each.name === usual) ? usual : "best",
    seconds: 3,
  });
}
