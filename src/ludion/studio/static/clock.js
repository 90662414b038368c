// A clock for duels: so many minutes for each side, and a few seconds more with every move. It starts with the first
// move, goes back with undo, and gives an engine its share of the time that is left.

import { h, remember } from "./dom.js";
import { t } from "./strings.js";

const CHOICES = ["", "1+0", "3+2", "5+0", "10+5", "30+10"]; // minutes + seconds per move

export class Clock {
  constructor(page) {
    this.page = page;
    this.choice = remember(`clock.${page.game.name}`) || "";
    this.last = 0; // the cursor when the running side began to think
    this.select = h(
      "select",
      { id: "clock" },
      CHOICES.map((each) =>
        h(
          "option",
          { value: each, selected: each === this.choice },
          each ? t("clock_choice", { minutes: each.split("+")[0], seconds: each.split("+")[1] }) : t("clock_none"),
        ),
      ),
    );
    this.select.addEventListener("change", () => {
      this.choice = this.select.value;
      remember(`clock.${page.game.name}`, this.choice);
      this.reset();
      page.showStatus();
    });
    this.faces = [0, 1].map((side) =>
      h("span", { class: "face", id: `clock-${side}`, role: "timer", "aria-label": page.sideName(side) }),
    );
    this.view = h("div", { class: "clock", hidden: true }, this.faces);
    this.reset();
    setInterval(() => this.tick(), 100);
  }

  // Begin anew from the present position.
  reset() {
    const [minutes, bonus] = this.choice.split("+").map(Number);
    this.full = this.choice ? minutes * 60 : 0;
    this.bonus = bonus || 0;
    this.left = new Map(); // cursor -> seconds left to both sides there
    this.last = this.page.session.cursor;
    this.left.set(this.last, [this.full, this.full]);
    this.since = null;
    this.view.hidden = !this.choice;
    this.draw();
  }

  // What is left now: the side to move loses what it spends.
  now() {
    const left = [...(this.left.get(this.last) || [this.full, this.full])];
    if (this.since !== null) left[this.page.turn()] -= (performance.now() - this.since) / 1000;
    return left;
  }

  // The position changed: stop one side, start the other.
  moved(mover) {
    const { cursor, state } = this.page.session;
    if (!this.choice) return;
    if (cursor === this.last + 1 && mover !== null) {
      const left = [...(this.left.get(this.last) || [this.full, this.full])];
      if (this.since !== null) left[mover] -= (performance.now() - this.since) / 1000;
      left[mover] += this.since === null ? 0 : this.bonus;
      this.left.set(cursor, left);
    } else if (!this.left.has(cursor)) this.left.set(cursor, [this.full, this.full]);
    this.last = cursor;
    this.since = state.status === "open" && cursor > 0 ? performance.now() : null;
    this.draw();
  }

  // The side whose time is up, or null.
  get fallen() {
    if (!this.choice) return null;
    const side = this.now().findIndex((each) => each <= 0);
    return side < 0 ? null : side;
  }

  // Seconds that an engine may think now.
  budget(seconds) {
    if (!this.choice) return seconds;
    return Math.max(0.05, Math.min(seconds ?? 10, this.now()[this.page.turn()] / 20 + 0.7 * this.bonus));
  }

  tick() {
    if (!this.choice || this.since === null) return;
    this.draw();
    if (this.fallen !== null) {
      this.left.set(this.last, this.now());
      this.since = null;
      this.page.timeIsUp();
    }
  }

  draw() {
    const turn = this.page.session.state ? this.page.turn() : 0;
    this.now().forEach((left, side) => {
      const rest = Math.max(0, left);
      const [minutes, whole] = [Math.floor(rest / 60), Math.floor(rest % 60)];
      const text = rest < 20 ? rest.toFixed(1) : `${minutes}:${String(whole).padStart(2, "0")}`;
      if (this.faces[side].textContent !== text) this.faces[side].textContent = text;
      this.faces[side].classList.toggle("runs", this.since !== null && side === turn);
      this.faces[side].classList.toggle("low", rest < 20);
    });
  }
}
