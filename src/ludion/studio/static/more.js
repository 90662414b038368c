// The menu "More": all that can be done with a game besides playing it, each with a line that says what it does.
//
// On a phone it also holds the buttons for which there is no room below the board.

import { fill, h } from "./dom.js";
import { openGallery } from "./gallery.js";
import { openSaved } from "./saved.js";
import { t } from "./strings.js";

export class More {
  constructor(page) {
    this.page = page;
    this.element = h("dialog", { class: "sheet more-menu", id: "more-menu", "aria-label": t("more") });
    this.element.addEventListener("click", ({ target }) => {
      if (target === this.element) this.element.close(); // a press beside it
    });
  }

  // [title, [[id, text, what it does, action, whether it is only for narrow screens]]]
  #groups() {
    const { page } = this;
    const { session, game } = page;
    const panel = (name, note = t(`more_${name}`)) => [
      `tab-${name}`,
      t(`tab_${name}`),
      note,
      () => page.panels.choose(name),
    ];
    return [
      [
        t("more_game"),
        [
          session.cursor < session.moves.length && [
            "more-redo",
            t("redo"),
            "",
            () => page.jump(session.cursor + 1),
            true,
          ],
          !page.scoresButton.hidden && [
            "more-scores",
            page.scoresButton.textContent,
            t(page.quest ? "more_risks" : "more_scores"),
            () => page.insight.toggle(),
            true,
          ],
          ["more-restart", t("try_again"), t("more_restart"), () => page.restart(), true],
          [
            "solve",
            t(page.quest ? "agent_run" : page.duel ? "analyse" : "show_me"),
            t(page.quest ? "more_agent_run" : page.duel ? "more_analyse" : "more_show_me"),
            () => page.solve(),
          ],
          game.levels.length && ["more-levels", t("levels"), t("more_levels"), () => openGallery(page), true],
          page.intro.steps.length && ["learn", t("learn"), t("more_learn"), () => page.intro.begin()],
          ["saved", t("saved_games"), t("more_saved"), () => openSaved(page)],
          panel("options", t(`more_options_${game.kind}`)),
        ],
      ],
      [
        t("more_insight"),
        [
          ["tab-review", t("tab_review"), t("more_review"), () => page.review.open(), true],
          panel("watch", t(page.quest ? "more_watch_quest" : "more_watch")),
          panel(page.quest ? "agent" : "engine"),
          panel("compare"),
        ],
      ],
      [t("more_position"), [panel("edit"), [...panel("share"), true]]],
    ];
  }

  open() {
    const item = ([id, text, note, action, narrow]) =>
      h(
        "li",
        { class: narrow ? "narrow" : "" },
        h(
          "button",
          {
            type: "button",
            id,
            onclick: () => {
              this.element.close();
              action();
            },
          },
          h("b", {}, text),
          note ? h("small", {}, note) : null,
        ),
      );
    fill(
      this.element,
      h(
        "div",
        { class: "head" },
        h("h2", {}, t("more")),
        h("button", { type: "button", id: "more-close", onclick: () => this.element.close() }, t("close")),
      ),
      this.#groups().flatMap(([title, items]) => [h("h3", {}, title), h("ul", {}, items.filter(Boolean).map(item))]),
    );
    this.element.showModal();
  }
}
