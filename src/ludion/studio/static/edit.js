// The position editor: the notation, checked as it is typed, with a live picture; cells can be changed by clicking
// where the game's board module says how.

import { fill, h, picture } from "./dom.js";
import { t } from "./strings.js";

export function editPanel(page) {
  const text = h("textarea", { id: "notation", rows: 4, spellcheck: "false", autocomplete: "off", "aria-label": t("edit.notation"), "aria-describedby": "validity" });
  const validity = h("p", { id: "validity", role: "status" });
  const preview = h("div", { class: "preview", id: "preview" });
  const use = h("button", { type: "button", class: "primary", id: "use", disabled: true }, t("edit.use"));
  let timer = 0;
  let latest = 0;

  async function check() {
    const mine = ++latest;
    const options = page.chosenOptions();
    try {
      const state = await page.session.look({ start: text.value, options, moves: [], cursor: 0 });
      if (mine !== latest) return;
      const drawn = state.svg ? picture(state.svg) : h("pre", {}, state.board);
      fill(preview, drawn);
      page.module.edit?.(drawn, state.text, (changed) => { text.value = changed; check(); });
      validity.textContent = t("edit.valid");
      validity.className = "valid";
      use.disabled = false;
    } catch (error) {
      if (mine !== latest) return;
      validity.textContent = error.message;
      validity.className = "invalid";
      use.disabled = true;
    }
  }

  text.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(check, 200); });
  use.addEventListener("click", async () => { await page.begin(text.value.trim(), page.chosenOptions()); page.showTab("play"); });
  addEventListener("tab", (event) => {
    if (event.detail === "edit" && page.session.state) { text.value = page.session.state.text; check(); }
  });
  return h("div", {}, h("p", { class: "help" }, t("edit.text")), text, validity, page.module.edit ? h("p", { class: "help" }, t("edit.paint")) : null, preview, use);
}
