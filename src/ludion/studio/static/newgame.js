// New game: the two or three choices that matter, in a sheet; everything else is under "More options".
//
// A game's module may offer choices of its own: choices(game) -> [{ name, label, values: [[value, words]], value }], and
// newGame(chosen, page) -> { start, options } or a promise of it. A duel has an opponent and who begins besides.

import { fill, h, remember } from "./dom.js";
import { t } from "./strings.js";

export const OPPONENTS = ["beginner", "casual", "club", "strong", "strongest"];
// One of a list: by a number, or any.
export const pick = (list, number = Math.floor(Math.random() * list.length)) => list[number % list.length];
export const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

// The opponents of both sides: "human" where the reader plays.
export function sidesOf({ opponent, begins }) {
  if (opponent === "human") return ["human", "human"];
  const second = begins === "they" || (begins === "random" && Math.random() < 0.5);
  return second ? [opponent, "human"] : ["human", opponent];
}

// The levels that differ in this game.
function levelsOf({ opponents: { points } }) {
  return points ? OPPONENTS.filter((level) => level === OPPONENTS[0] || level in points) : OPPONENTS;
}

// How well an opponent plays, as it was measured in this game.
function rateWords({ game }, level) {
  const { points = {}, blunders = {} } = game.opponents;
  const levels = levelsOf(game);
  const below = levels[levels.indexOf(level) - 1];
  const words = [];
  if (level in points)
    words.push(t("opponent_rate", { who: t(`opponent_${level}`), n: points[level], below: t(`opponent_${below}`) }));
  if (level in blunders) words.push(t("opponent_blunders", { n: blunders[level] }));
  return words.join(" ");
}

// Choices of a duel before those of its module.
function duelChoices(page) {
  return [
    {
      name: "opponent",
      label: t("choice_opponent"),
      values: [...levelsOf(page.game), "human"].map((each) => [each, t(`opponent_${each}`)]),
      value: page.module.opponent || "casual",
      note: (level) => rateWords(page, level),
    },
    {
      name: "begins",
      label: t("choice_begins"),
      values: ["you", "they", "random"].map((each) => [each, t(`begins_${each}`)]),
      value: "you",
    },
  ];
}

export function choicesOf(page) {
  const own = page.module.choices?.(page.game) || [];
  const choices = page.duel ? [...duelChoices(page), ...own] : own;
  const before = remember(`choices.${page.game.name}`) || {};
  for (const each of choices)
    if (each.values.some(([value]) => value === before[each.name])) each.value = before[each.name];
  return choices;
}

const chosenOf = (choices) => Object.fromEntries(choices.map((each) => [each.name, each.value]));

// Begin a game as chosen.
export async function startGame(page, chosen) {
  remember(`choices.${page.game.name}`, chosen);
  const { start, options, moves } = (await page.module.newGame?.(chosen, page)) || {};
  return page.begin(start, options, moves, page.duel ? sidesOf(chosen) : undefined);
}

// Another game of the kind that was chosen last, at once.
export const anotherGame = (page) => startGame(page, chosenOf(choicesOf(page)));

// The board of a day (as 2026-11-16): the same for all who ask on that day.
export async function dailyBoard(page, date) {
  const day = Math.floor(Date.parse(date) / 86_400_000) || 0;
  if (page.module.daily) return page.module.daily(day, page);
  const { levels, generator } = page.game;
  if (generator) return { start: (await page.question("generate", { seed: day }))?.position };
  return levels.length ? { start: `level:${levels[day % levels.length].name}` } : {};
}

// The sheet. Enter starts; Escape closes.
export function openNewGame(page) {
  const choices = choicesOf(page);
  if (!choices.length) return page.begin();
  const dialog = page.sheet;
  const groups = choices.map((choice) => {
    const note = choice.note && h("p", { class: "small rate", "aria-live": "polite" }, choice.note(choice.value));
    return h(
      "fieldset",
      {},
      h("legend", {}, choice.label),
      h(
        "div",
        { class: "options" },
        choice.values.map(([value, words]) => {
          const input = h("input", {
            type: "radio",
            name: choice.name,
            checked: value === choice.value,
            onchange: () => {
              choice.value = value;
              if (note) note.textContent = choice.note(value);
            },
          });
          input.setAttribute("value", value);
          return h("label", {}, input, h("span", {}, words));
        }),
      ),
      note,
    );
  });
  const go = (event) => {
    event.preventDefault();
    dialog.close();
    startGame(page, chosenOf(choices));
  };
  fill(
    dialog,
    h(
      "form",
      { onsubmit: go },
      h(
        "div",
        { class: "head" },
        h("h2", {}, t("newgame")),
        h("button", { type: "button", onclick: () => dialog.close() }, t("close")),
      ),
      groups,
      h(
        "div",
        { class: "ends" },
        h("button", { class: "primary", id: "start" }, t("start")),
        h(
          "button",
          {
            type: "button",
            id: "more-options",
            onclick: () => {
              dialog.close();
              page.panels.choose("options");
            },
          },
          t("more_options"),
        ),
      ),
    ),
  );
  dialog.showModal();
  return null;
}
