// Games of this browser that can be taken up again.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { t } from "./strings.js";

const when = (seconds) => new Date(seconds * 1000).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

// A link to a saved game, in words.
export function savedLink({ game, title, slot, moves, saved }, current = false) {
  const address = `/play/${game}${slot ? `?slot=${slot}` : ""}`;
  return h("a", { href: address, class: "saved", "aria-current": current ? "true" : null }, h("b", {}, title), ` ${t("saved_moves", { n: moves })} `, h("small", {}, when(saved)));
}

export async function openSaved(page) {
  const { sheet, game, session } = page;
  const all = (await get("/api/saved").catch(() => [])).filter((each) => each.game === game.name);
  fill(sheet, h("div", { class: "head" }, h("h2", {}, t("saved_games")), h("button", { type: "button", onclick: () => sheet.close() }, t("close"))),
    all.length ? h("ul", { class: "saved-games" }, all.map((each) => h("li", {}, savedLink(each, each.slot === session.slot)))) : h("p", {}, t("saved_none")));
  sheet.showModal();
}
