// An agent of a quest: it plays on from here, and what it thought is kept by step.

import { fill, h, seconds } from "./dom.js";
import { settingFields } from "./fields.js";
import { t } from "./strings.js";

export class AgentRun {
  constructor(page) {
    this.page = page;
    this.thoughts = new Map(); // cursor -> what it thought there
    this.last = null;
    const query = new URLSearchParams(location.search);
    this.select = h("select", { id: "agent" }, page.game.agents.map((each) => h("option", { value: each.name, selected: each.name === (query.get("agent") || "best") }, each.name)));
    this.own = {}; // settings of the agent that differ from their defaults
    this.steps = h("input", { type: "number", id: "steps", min: 1, max: 5000, value: Number(query.get("steps")) || 1000 });
    for (const each of [this.select, this.steps]) each.addEventListener("change", () => page.emit("settings"));
  }

  get name() { return this.select.value; }

  get settings() { return { agent: this.name, steps: Number(this.steps.value) || 1000, settings: this.own }; }

  panel() {
    const help = h("p", { class: "help" });
    const layers = h("div", {});
    const showHelp = () => {
      const chosen = this.page.game.agents.find((each) => each.name === this.name);
      help.textContent = chosen?.help || "";
      fill(layers, chosen?.settings?.length ? settingFields(chosen.settings, this.own, () => this.page.emit("settings")) : []);
    };
    this.select.addEventListener("change", () => { this.own = {}; showHelp(); });
    showHelp();
    const { live, result } = this.page.asking;
    return h("div", {}, h("div", { class: "fields" }, h("label", {}, h("span", {}, t("agent")), this.select), h("label", {}, h("span", {}, t("steps")), this.steps),
      h("button", { type: "button", class: "primary", id: "run", onclick: () => this.run() }, t("agent_run"))), help, layers, live, result);
  }

  async run() {
    const { page } = this;
    const { session, asking } = page;
    if (session.state.status !== "running") return page.say(t("game_over"));
    await page.module.beforeRun?.(page);
    const before = session.cursor;
    const names = [];
    fill(asking.result);
    const answer = await asking.question("run", { ...session.place, ...this.settings }, {
      acts: (batch) => {
        for (const each of batch) {
          if (each.thought) this.thoughts.set(before + names.length, each.thought);
          names.push(each.name);
        }
        page.say(`${this.name}: ${names.length}`);
      },
    });
    session.helped = true;
    if (names.length) await session.append(names);
    if (!answer) return null;
    const words = t("agent_done", { status: t(`outcome_${answer.status}`), n: answer.length });
    fill(asking.result, h("p", { class: "verdict" }, words), answer.reason ? h("p", {}, answer.reason) : null,
      h("dl", { class: "live" }, Object.entries({ [t("time")]: seconds(answer.seconds), ...answer.statistics }).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])));
    page.say(words);
    page.replay.playPause(true);
    return null;
  }

  // After every change: what it thought here, if it did.
  update() {
    const thought = this.thoughts.get(this.page.session.cursor);
    if (thought) return this.show(thought);
    if (this.last && this.page.message.textContent === this.last.words) this.page.say("");
    return this.page.emit("thought", {});
  }

  show(thought) {
    this.last = thought;
    this.page.module.thought?.(this.page, this.page.svg, thought);
    this.page.emit("thought", thought);
  }

  // Where it looked, up to here: [left, top, width, height].
  windows() {
    return [...this.thoughts].filter(([cursor, each]) => cursor <= this.page.session.cursor && each.window).map(([, each]) => each.window);
  }
}
