// The levels as pictures, with how hard they are, which are solved and in how many moves.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { capital, t } from "./strings.js";
import { drawBoard } from "./thumbs.js";

const ALONE = "-";
const AT_ONCE = 12; // pictures drawn when the sheet opens; the others when they come into view

// Levels of one group have one name, but for the number at the end.
const groupOf = (name) => name.replace(/-?\d+$/, "") || "";

// A group is called by what the titles of its levels have in common, or by the name that they share.
function titleOf(name, levels) {
  const titles = new Set(levels.map((level) => (level.title || level.name).replace(/ ?\d+$/, "")));
  return titles.size === 1 ? [...titles][0] : name;
}

const fewest = ({ known }) => known.moves ?? known.ticks;

// How long the levels of a group are on average; beyond every length where nothing is known.
function meanLength(levels) {
  const lengths = levels.map(fewest).filter((each) => each !== undefined);
  return lengths.length ? lengths.reduce((sum, each) => sum + each, 0) / lengths.length : Number.MAX_VALUE;
}

// The group with the shortest levels first, those that are alone in theirs last.
const byLength = ([name, levels], [other, others]) =>
  (name === ALONE) - (other === ALONE) || meanLength(levels) - meanLength(others);

// The gallery has an address of its own, /play/GAME/levels: Back closes it, and leads back to it from a level chosen
// there. `push` is whether the browser's history gets an entry for it.
export async function openGallery(page, push = true) {
  const { game, sheet } = page;
  let chosen = false;
  if (push) history.pushState({ ...page.session.entry, levels: true }, "", `${page.session.path}/levels`);
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
    const known = fewest(level);
    const thumb = h("div", { class: "thumb", "data-level": level.name, "aria-hidden": "true" });
    const own = bests[level.name];
    return h(
      "button",
      {
        type: "button",
        class: "level",
        "data-level": level.name,
        onclick: () => {
          chosen = true;
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
  const groups = new Map(); // those that are alone in theirs make one together
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
    [...groups]
      .sort(byLength)
      .flatMap(([name, levels]) => [
        h("h3", {}, name === ALONE ? t("levels_other") : capital(titleOf(name, levels)) || t("levels_numbered")),
        h("div", { class: "gallery" }, levels.map(card)),
      ]),
  );
  sheet.addEventListener("close", () => !chosen && history.state?.levels && history.back(), { once: true });
  sheet.showModal();
  for (const [index, each] of sheet.querySelectorAll(".thumb").entries()) {
    if (index < AT_ONCE) draw(game, each);
    else watcher.observe(each);
  }
}

const draw = (game, thumb) => drawBoard(thumb, game.name, `level:${thumb.dataset.level}`);
