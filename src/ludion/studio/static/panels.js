// What stands beside the board: the moves of the game, or in their place one of its panels (review, engine, options, ...),
// which the quiet row below and the menu "More" open.

import { get } from "./api.js";
import { comparePanel } from "./compare.js";
import { fill, h, remember } from "./dom.js";
import { editPanel } from "./edit.js";
import { engineFields } from "./fields.js";
import { openGallery } from "./gallery.js";
import { More } from "./more.js";
import { OPPONENTS } from "./newgame.js";
import { reproduceField, sharePanel } from "./share.js";
import { t } from "./strings.js";
import { watchPanel } from "./watch.js";

const MOST_LISTED = 300; // legal moves
const AROUND = 200; // moves listed before and after the present one

export class Panels {
  constructor(page) {
    this.page = page;
    this.tab = "play"; // the panel that is shown, as the address names it
    this.panels = new Map(); // name -> element
  }

  // ---------------------------------------------------------------- which panel is shown

  build() {
    const { page } = this;
    this.more = new More(page);
    for (const [name, panel] of [
      ["play", this.#playPanel()],
      ["review", page.review.panel()],
      ["watch", watchPanel(page)],
      ["share", sharePanel(page)],
      [page.quest ? "agent" : "engine", page.quest ? page.agent.panel() : this.#enginePanel()],
      ["compare", comparePanel(page)],
      ["edit", editPanel(page)],
      ["options", this.#optionsPanel()],
    ]) {
      panel.id = `panel-${name}`;
      this.panels.set(name, panel);
    }
    this.title = h("h2", { tabindex: -1, id: "panel-title" });
    this.head = h(
      "div",
      { class: "head" },
      this.title,
      h("button", { type: "button", id: "panel-close", onclick: () => this.close() }, t("close")),
    );
    this.element = h(
      "section",
      { class: "right" },
      this.head,
      h("div", { class: "panels" }, [...this.panels.values()]),
      reproduceField(page),
      this.#quietRow(),
    );
    this.show("play");
    return h("div", { class: "side" }, this.element, this.more.element);
  }

  // The functions that are used most often; the others are under More.
  #quietRow() {
    const { page } = this;
    const button = (id, text, press) => h("button", { type: "button", id, onclick: press }, text);
    return h(
      "div",
      { class: "quiet" },
      page.game.levels.length ? button("levels", t("levels"), () => openGallery(page)) : null,
      button("quick-review", t("tab_review"), () => page.review.open()),
      button("quick-share", t("tab_share"), () => this.choose("share")),
      button("more", t("more"), () => this.more.open()),
    );
  }

  has(name) {
    return this.panels.has(name);
  }

  show(name) {
    for (const [each, panel] of this.panels) panel.hidden = each !== name;
    this.head.hidden = name === "play";
    this.title.textContent = name === "play" ? "" : t(`tab_${name}`);
    this.element.setAttribute("aria-label", t(`tab_${name}`));
    this.page.main.classList.toggle("comparing", name === "compare");
    this.tab = name;
    this.page.emit("tab", name);
  }

  // Another panel is another page of the game: Back returns from it.
  choose(name) {
    if (name !== this.tab) {
      if (this.page.session.state) this.page.session.note({ tab: name }, true);
      this.show(name);
    }
    if (name !== "play") this.title.focus();
  }

  close() {
    this.choose("play");
    this.page.board.focus();
  }

  // ---------------------------------------------------------------- play

  #playPanel() {
    const { page } = this;
    this.moveList = h("ol", { class: `moves ${page.game.kind}`, id: "moves", "aria-label": t("moves") });
    this.versus = h("p", { class: "versus", id: "versus" });
    this.legal = this.#legalField();
    return h("div", {}, this.versus, this.moveList, page.replay.view, this.legal.open ? this.legal : null);
  }

  // The legal moves as buttons: open beside a board that cannot be pressed, else among the options.
  #legalField() {
    const { module } = this.page;
    this.legalList = h("div", { class: "legal", id: "legal" });
    const open = !this.page.quest && !module.ownBoard;
    return h("details", { open }, h("summary", {}, t("legal")), this.legalList);
  }

  #optionsPanel() {
    const { page } = this;
    const { game, module } = page;
    this.levelSelect = h(
      "select",
      { id: "level" },
      h("option", { value: "" }, t("level_own")),
      game.levels.map((each) => h("option", { value: each.name }, levelName(each))),
    );
    this.levelSelect.addEventListener("change", () => {
      if (this.levelSelect.value) page.begin(`level:${this.levelSelect.value}`);
    });
    const options = this.#optionFields();
    const sides = page.duel ? this.#sideFields() : null;
    return h(
      "div",
      {},
      page.ownOptions,
      game.levels.length
        ? h("div", { class: "fields" }, h("label", {}, h("span", {}, t("level")), this.levelSelect))
        : null,
      sides ? h("h3", {}, t("players")) : null,
      sides,
      sides ? h("div", { class: "fields" }, h("label", {}, h("span", {}, t("clock")), page.clock.select)) : null,
      game.generator || module.presets ? this.#generatorFields() : null,
      options.length
        ? h("details", {}, h("summary", {}, t("options")), h("div", { class: "fields explained" }, options))
        : null,
      page.quest ? this.#actionField() : this.legal.open ? null : this.legal,
      game.facts.length
        ? h(
            "details",
            {},
            h("summary", {}, t("facts")),
            h(
              "ul",
              { class: "facts" },
              game.facts.map((each) => h("li", {}, each)),
            ),
          )
        : null,
    );
  }

  #sideFields() {
    const { page } = this;
    this.sideSelects = [0, 1].map((side) =>
      h(
        "select",
        { id: `side-${side}`, onchange: () => page.opponents.set(this.sideSelects.map((each) => each.value)) },
        ["human", ...OPPONENTS, "own"].map((each) =>
          h("option", { value: each }, each === "human" ? t("player_here") : t(`opponent_${each}`)),
        ),
      ),
    );
    return h(
      "div",
      { class: "fields" },
      this.sideSelects.map((select, side) => h("label", {}, h("span", {}, page.sideName(side)), select)),
    );
  }

  showSides(sides) {
    sides.forEach((side, index) => {
      this.sideSelects[index].value = side;
    });
    const { other } = this.page.opponents;
    this.versus.textContent = other
      ? t("you_play", { side: this.page.sideName(sides.indexOf("human")), who: t(`opponent_${other}`) })
      : "";
  }

  #optionFields() {
    const { page } = this;
    this.optionInputs = new Map();
    return page.game.options.map((each) => {
      const choices = [each.default, ...each.choices.filter((choice) => choice !== each.default)];
      const input = each.choices.length
        ? h(
            "select",
            {},
            choices.map((choice) => h("option", { value: choice }, choice || t("default"))),
          )
        : h("input", { type: "text", placeholder: each.default || t("default"), maxlength: 200 });
      input.addEventListener("change", () => page.begin(page.session.start, this.chosenOptions()));
      this.optionInputs.set(each, input);
      return h("label", { title: each.help }, h("span", {}, each.label), input, h("small", {}, each.help));
    });
  }

  // All options that are not as usual; where the level sets one, it is named even if it is as usual.
  chosenOptions() {
    const own = this.page.session.level?.options || {};
    const chosen = [...this.optionInputs].filter(
      ([option, { value }]) => value !== "" && (value !== option.default || option.name in own),
    );
    return Object.fromEntries(chosen.map(([option, { value }]) => [option.name, value]));
  }

  #actionField() {
    const { page } = this;
    const input = h("input", {
      type: "text",
      id: "action",
      maxlength: 100,
      placeholder: page.module.actionExample || "",
    });
    return h(
      "details",
      {},
      h("summary", {}, t("action_by_name")),
      h(
        "form",
        {
          class: "fields",
          onsubmit: (event) => {
            event.preventDefault();
            page.play(input.value);
          },
        },
        h("label", {}, h("span", {}, t("action")), input),
        h("button", {}, t("play_action")),
      ),
    );
  }

  #generatorFields() {
    const { page } = this;
    const { game, module } = page;
    const seed = h("input", { type: "number", id: "seed", min: 0, value: Math.floor(Math.random() * 1000) });
    const choice = (each) =>
      h(
        "select",
        {},
        [false, true].map((value) =>
          h("option", { value, selected: value === each.default }, value ? t("yes") : t("no")),
        ),
      );
    const field = (each) =>
      h("input", { type: each.type === "str" ? "text" : "number", value: String(each.default), step: "any" });
    const inputs = new Map(
      (game.generator || []).map((each) => [each, each.type === "bool" ? choice(each) : field(each)]),
    );
    const generate = async () => {
      const changed = [...inputs].filter(([setting, input]) => input.value !== String(setting.default));
      const settings = Object.fromEntries(changed.map(([setting, input]) => [setting.name, input.value]));
      const answer = await page.question("generate", { seed: Number(seed.value), settings });
      seed.value = Number(seed.value) + 1;
      if (answer) await page.begin(answer.position);
    };
    return h(
      "details",
      { id: "generator" },
      h("summary", {}, t("generator")),
      module.presets
        ? h(
            "div",
            { class: "legal" },
            module.presets.map(([name, start, options]) =>
              h("button", { type: "button", onclick: () => page.begin(start, options) }, name),
            ),
          )
        : null,
      game.generator
        ? h(
            "div",
            { class: "fields" },
            h("label", {}, h("span", {}, t("seed")), seed),
            [...inputs].map(([setting, input]) =>
              h("label", { title: setting.help }, h("span", {}, setting.label), input),
            ),
            h("button", { type: "button", id: "generate", onclick: generate }, t("generate")),
          )
        : null,
    );
  }

  #enginePanel() {
    const { page } = this;
    const { live, result } = page.asking;
    const changed = () => {
      remember(`engine.${page.game.name}`, page.settings);
      page.emit("settings");
    };
    return h(
      "div",
      {},
      engineFields(page.game, page.settings, changed),
      h(
        "div",
        { class: "fields" },
        h(
          "button",
          { type: "button", class: "primary", id: "ask", onclick: () => page.asking.solve(true) },
          t("solve"),
        ),
        h("button", { type: "button", class: "danger", onclick: () => page.stop() }, t("stop")),
      ),
      live,
      result,
    );
  }

  // ---------------------------------------------------------------- after every change

  update() {
    const { session } = this.page;
    this.levelSelect.value = session.level?.name ?? "";
    const usual = ({ choices, default: value }) => (choices.length ? value : "");
    for (const [option, input] of this.optionInputs)
      input.value = session.state.options_in_force[option.name] ?? usual(option);
    if (!this.page.duel) this.versus.textContent = session.level ? session.level.title || session.level.name : "";
    this.#listMoves();
    this.listLegal();
    if (session.state.status === "solved" && !session.helped) this.showBests();
  }

  // The levels that were solved, with the fewest moves that it took.
  async showBests() {
    const { game } = this.page;
    const bests = await get(`/api/games/${game.name}/bests`).catch(() => ({}));
    for (const option of this.levelSelect.options) {
      const level = game.levels.find((each) => each.name === option.value);
      if (level) option.textContent = levelName(level) + (bests[level.name] ? ` ★ ${bests[level.name]}` : "");
    }
  }

  #listMoves() {
    const { page } = this;
    const { moves, spoken, cursor } = page.session;
    if (!moves.length) return fill(this.moveList, h("li", { class: "none" }, t("moves_none")));
    const first = Math.max(0, cursor - AROUND);
    fill(
      this.moveList,
      moves.slice(first, first + 2 * AROUND).map((move, index) => {
        const place = first + index + 1;
        return h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              title: move,
              class: place > cursor ? "ahead" : "",
              "aria-current": place === cursor ? "step" : null,
              onclick: () => page.jump(place),
            },
            `${place}. ${spoken[place - 1]}`,
          ),
        );
      }),
    );
    const current = this.moveList.querySelector("[aria-current]");
    if (current) this.moveList.scrollTop = current.offsetTop - this.moveList.clientHeight / 2;
    return null;
  }

  listLegal() {
    const { page } = this;
    const { legal } = page.session.state;
    const { insight } = page;
    const scored = new Map((insight.scores || []).map((each) => [each.name, each]));
    const order = insight.scores ? insight.inOrder(legal, (move) => scored.get(move)) : legal;
    fill(
      this.legalList,
      order.length
        ? order.slice(0, MOST_LISTED).map((move) => {
            const each = scored.get(move);
            return h(
              "button",
              {
                type: "button",
                title: page.words(move),
                class: each && insight.isBest(each) ? "best" : "",
                onclick: () => page.play(move),
              },
              move,
              each ? h("small", {}, ` ${each.words}`) : null,
            );
          })
        : h("span", {}, t("legal_none")),
    );
  }
}

function levelName(level) {
  const known = level.known.moves ?? level.known.value;
  const name = level.title || level.name;
  return known === undefined ? name : `${name} (${known})`;
}
