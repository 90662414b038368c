// The timeline: the moves of a game, stepped through or played.

import { h, quiet } from "./dom.js";
import { t } from "./strings.js";

const SPEEDS = [1, 2, 4, 8, 16];

export class Replay {
  constructor(page) {
    this.page = page;
    this.playing = 0;
    this.scrubber = h("input", {
      type: "range",
      id: "scrubber",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": t("history"),
      oninput: () => page.jump(Number(this.scrubber.value)),
    });
    this.button = h(
      "button",
      {
        type: "button",
        id: "playpause",
        class: "round",
        "aria-label": t("play"),
        title: `${t("play")} (p)`,
        onclick: () => this.playPause(),
      },
      "▶",
    );
    this.speed = h(
      "select",
      { id: "speed", "aria-label": t("speed") },
      SPEEDS.map((each) => h("option", { value: each, selected: each === (page.quest ? 8 : 2) }, `${each}×`)),
    );
    this.view = h("div", { class: "timeline", hidden: true }, this.button, this.scrubber, this.speed);
  }

  update() {
    const { moves, cursor } = this.page.session;
    Object.assign(this.scrubber, { max: moves.length, value: cursor });
    this.view.hidden = !moves.length;
  }

  playPause(on = !this.playing) {
    this.pause();
    const { session } = this.page;
    if (!on || session.cursor >= session.moves.length) return;
    this.playing = 1;
    this.#show("❚❚", t("pause"));
    const tick = async () => {
      if (!this.playing) return;
      try {
        await session.goto(session.cursor + 1, () => this.playing);
      } catch (error) {
        this.page.say(error.message);
        this.pause();
      }
      if (session.cursor >= session.moves.length) this.pause();
      else if (this.playing) this.playing = setTimeout(tick, 1000 / Number(this.speed.value));
    };
    this.playing = setTimeout(tick, quiet() ? 600 : 250);
  }

  pause() {
    clearTimeout(this.playing);
    this.playing = 0;
    this.#show("▶", t("play"));
  }

  #show(sign, words) {
    this.button.textContent = sign;
    this.button.setAttribute("aria-label", words);
  }
}
