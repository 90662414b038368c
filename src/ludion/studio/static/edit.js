// The position editor: the notation, checked as it is typed, with a live picture; cells are changed by pressing them
// where the game's board module says how, with what was chosen from its signs.

import { fill, h, picture, rowsOf } from "./dom.js";
import { t } from "./strings.js";

export function editPanel(page) {
  const { module } = page;
  const text = h("textarea", {
    id: "notation",
    rows: 4,
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": t("edit_notation"),
    "aria-describedby": "validity",
  });
  const validity = h("p", { id: "validity", role: "status" });
  const preview = h("div", { class: "preview", id: "preview" });
  const palette = h("div", { class: "legal", id: "palette", role: "group", "aria-label": t("edit_brush") });
  const use = h("button", { type: "button", class: "primary", id: "use", disabled: true }, t("edit_use"));
  let timer = 0;
  let latest = 0;
  let brush = null;
  let offered = "";

  // The signs to choose from; one of them, without a sign, is written by hand.
  function offer(notation) {
    const signs = module.brushes?.(notation) || [];
    if (JSON.stringify(signs) === offered) return;
    offered = JSON.stringify(signs);
    brush = signs[0]?.[0] ?? null;
    const choose = (value, button) => {
      brush = value;
      for (const other of palette.querySelectorAll("button")) other.setAttribute("aria-pressed", other === button);
    };
    fill(
      palette,
      signs.map(([value, label], index) => {
        if (value === null)
          return h("input", {
            type: "text",
            value: label,
            size: 9,
            "aria-label": t("edit_brush"),
            onfocus: (event) => choose(event.target.value, null),
            oninput: (event) => choose(event.target.value, null),
          });
        return h(
          "button",
          {
            type: "button",
            class: "toggle",
            value,
            "aria-pressed": String(index === 0),
            onclick: (event) => choose(value, event.currentTarget),
          },
          label,
        );
      }),
    );
  }

  async function check() {
    const mine = ++latest;
    const options = page.panels.chosenOptions();
    try {
      const state = await page.session.look({ start: text.value, options, moves: [], cursor: 0 });
      if (mine !== latest) return;
      const focused = [...preview.querySelectorAll(".pressable")].indexOf(document.activeElement);
      const drawn = state.svg ? picture(state.svg) : h("pre", {}, rowsOf(state.board));
      fill(preview, drawn);
      if (module.edit) drawn.setAttribute("role", "group"); // no longer one image to a screen reader
      offer(state.text);
      module.edit?.(
        drawn,
        state.text,
        (changed) => {
          text.value = changed;
          check();
        },
        () => brush,
      );
      for (const each of drawn.querySelectorAll("[aria-label]:not(.pressable)")) each.removeAttribute("aria-label");
      if (focused >= 0) preview.querySelectorAll(".pressable")[focused]?.focus({ preventScroll: true });
      validity.textContent = t("edit_valid");
      validity.className = "valid";
      use.disabled = false;
    } catch (error) {
      if (mine !== latest) return;
      validity.textContent = error.message;
      validity.className = "invalid";
      use.disabled = true;
    }
  }

  text.addEventListener("input", () => {
    latest += 1;
    clearTimeout(timer);
    timer = setTimeout(check, 200);
  });
  use.addEventListener("click", async () => {
    const notation = text.value.trim();
    const { start, moves } = module.unfold?.(notation) ?? { start: notation, moves: [] };
    await page.begin(start, page.panels.chosenOptions(), moves);
    page.session.note({ tab: "play" });
    page.panels.show("play");
  });
  page.on("tab", async (name) => {
    if (name !== "edit" || !page.session.state) return;
    // A quest's text is what was seen and done; what can be edited is its beginning.
    const mine = ++latest;
    const value =
      module.editStart?.(page) ??
      (page.quest
        ? (await page.session.look({ start: page.session.start, options: page.session.options, moves: [], cursor: 0 }))
            .text
        : page.session.state.text);
    if (mine !== latest) return; // something was typed meanwhile
    text.value = value;
    check();
  });
  return h(
    "div",
    {},
    h("p", { class: "help" }, t("edit_text")),
    text,
    validity,
    module.edit ? h("p", { class: "help" }, t("edit_paint")) : null,
    palette,
    preview,
    use,
  );
}
