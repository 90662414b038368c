// The levels as pictures, with how hard they are, which are solved and in how many moves.

import { get, post } from "./api.js";
import { fill, h, picture, rowsOf } from "./dom.js";
import { capital, t } from "./strings.js";

const ALONE = "-";
const AT_ONCE = 12; // pictures drawn when the sheet opens; the others when they come into view

// Levels of one group have one name, but for the number at the end.
const groupOf = (name) => name.replace(/-?\d+$/, "") || "";

// A group is called by what the titles of its levels have in common, or by the name that they share.
function titleOf(name, levels) {
  const titles = new Set(levels.map((level) => (level.title || level.name).replace(/ ?\d+$/, "")));
  return titles.size === 1 ? [...titles][0] : name;
}

export async function openGallery(page) {
  const { game, sheet } = page;
  const bests = await get(`/api/games/${game.name}/bests`).catch(() => ({}));
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) {
          watcher.unobserve(target);
          draw(game, target);
        }
    },
    { root: sheet },
  );
  const card = (level) => {
    const known = level.known.moves ?? level.known.ticks;
    const thumb = h("div", { class: "thumb", "data-level": level.name, "aria-hidden": "true" });
    const own = bests[level.name];
    return h(
      "button",
      {
        type: "button",
        class: "level",
        "data-level": level.name,
        onclick: () => {
          sheet.close();
          page.begin(`level:${level.name}`);
        },
      },
      thumb,
      h("b", {}, level.title || level.name),
      h("small", {}, [known === undefined ? "" : t("level_known", { n: known }), own ? ` ★ ${own}` : ""].join("")),
    );
  };
  const isAlone = ({ name }) => game.levels.filter((each) => groupOf(each.name) === groupOf(name)).length === 1;
  const groups = new Map(); // in the order of the levels; those that are alone in theirs make one together
  for (const level of game.levels) {
    const name = isAlone(level) ? ALONE : groupOf(level.name);
    groups.set(name, [...(groups.get(name) || []), level]);
  }
  fill(
    sheet,
    h(
      "div",
      { class: "head" },
      h("h2", {}, t("levels")),
      h("button", { type: "button", onclick: () => sheet.close() }, t("close")),
    ),
    [...groups].flatMap(([name, levels]) => [
      h("h3", {}, name === ALONE ? t("levels_other") : capital(titleOf(name, levels)) || t("levels_numbered")),
      h("div", { class: "gallery" }, levels.map(card)),
    ]),
  );
  sheet.showModal();
  for (const [index, each] of sheet.querySelectorAll(".thumb").entries()) {
    if (index < AT_ONCE) draw(game, each);
    else watcher.observe(each);
  }
}

async function draw(game, thumb) {
  try {
    const state = await post(`/api/games/${game.name}/state`, { start: `level:${thumb.dataset.level}`, moves: [] });
    fill(thumb, state.svg ? picture(state.svg) : h("pre", {}, rowsOf(state.board)));
  } catch {
    thumb.textContent = "·";
  }
}
