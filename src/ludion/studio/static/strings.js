// Everything the page says, by id, in the reader's language. The sentences are in src/ludion/messages/page.toml; those
// whose ids begin with "answers." are what the engines' answers say everywhere (answers.toml).

export const languages = [
  { code: "en", name: "English" },
  { code: "fr", name: "Français" },
];
let sentences = {};

export async function setLanguage(code) {
  const language = code === "fr" ? "fr" : "en";
  document.documentElement.lang = language; // the server is asked in this language, too: see api.js
  sentences = await (await fetch(new URL(`messages/${language}.json`, import.meta.url))).json();
}

// The sentence of an id with its gaps filled; a value called n also fills {s}, the plural ending.
export function t(id, values = {}) {
  if (!(id in sentences)) return id;
  const singular = values.n === 1 || (values.n === 0 && document.documentElement.lang === "fr");
  const all = { s: singular ? "" : "s", ...values };
  return sentences[id].replace(/\{(\w+)\}/g, (gap, name) => (name in all ? all[name] : gap));
}

// A score as it stands on the board: +3 wins in three moves, −2 loses in two, = is a draw.
export function shortScore(score) {
  if (score.plies === 0) return score.value > 0 ? t("answers.score_win_now") : t("answers.score_loss_now");
  if (score.plies !== null) return `${score.value > 0 ? "+" : "−"}${Math.ceil(score.plies / 2)}`;
  if (score.value === 0) return "=";
  return `${score.value > 0 ? "+" : "−"}${Math.abs(score.value)}`;
}

// A sentence of the server at the beginning of a line.
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
