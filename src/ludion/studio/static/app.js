// The studio's page: the header, and which view is shown.

import { get } from "./api.js";
import { fill, h, remember } from "./dom.js";
import { savedLink } from "./saved.js";
import { playSound, soundIsOn } from "./sound.js";
import { languages, setLanguage, t } from "./strings.js";
import { playedPicture } from "./thumbs.js";

const main = document.getElementById("main");
const MOST_CONTINUED = 3;
let view = null; // the game's page, once it is open

function theme(value) {
  if (value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
}

function header(games, current) {
  const languageSelect = h(
    "select",
    { "aria-label": t("language"), id: "language" },
    languages.map((each) =>
      h(
        "option",
        { value: each.code, selected: each.code === document.documentElement.lang, title: each.name },
        each.code.toUpperCase(),
      ),
    ),
  );
  languageSelect.addEventListener("change", () => {
    remember("language", languageSelect.value);
    location.reload();
  });
  const chosen = remember("theme") || "auto";
  const themeSelect = h(
    "select",
    { "aria-label": t("theme"), id: "theme" },
    ["auto", "light", "dark"].map((each) =>
      h("option", { value: each, selected: each === chosen }, t(`theme_${each}`)),
    ),
  );
  themeSelect.addEventListener("change", () => {
    remember("theme", themeSelect.value);
    theme(themeSelect.value);
  });
  const top = document.getElementById("top");
  const menu = h(
    "button",
    {
      type: "button",
      id: "menu",
      "aria-expanded": "false",
      "aria-label": t("menu"),
      onclick: () => menu.setAttribute("aria-expanded", top.classList.toggle("open")),
    },
    "☰",
  );
  fill(
    top,
    menu,
    h(
      "a",
      { href: "/", class: "brand" },
      h("img", { src: new URL("icon.svg", import.meta.url).href, alt: "", width: 26, height: 26 }),
      h("span", {}, "ludion"),
    ),
    h(
      "nav",
      { "aria-label": t("games") },
      games.map((each) =>
        h("a", { href: `/play/${each.name}`, "aria-current": each.name === current ? "page" : null }, each.title),
      ),
      ["learn", "lab"].map((each) =>
        h(
          "a",
          {
            href: `/${each}`,
            class: "other",
            "aria-current": location.pathname.startsWith(`/${each}`) ? "page" : null,
          },
          t(each === "lab" ? "lab" : "lessons_title"),
        ),
      ),
    ),
    h(
      "div",
      { class: "switches" },
      themeSelect,
      languageSelect,
      soundSwitch(),
      current &&
        h(
          "button",
          {
            type: "button",
            class: "round",
            id: "help",
            "aria-label": t("keys"),
            title: t("keys"),
            onclick: () => view?.then(async (page) => (await import("./keys.js")).showKeys(page)),
          },
          "?",
        ),
    ),
  );
}

function soundSwitch() {
  const button = h(
    "button",
    {
      type: "button",
      id: "sound",
      "aria-pressed": String(soundIsOn()),
      onclick: () => {
        remember("sound", !soundIsOn());
        button.setAttribute("aria-pressed", soundIsOn());
        playSound("move");
      },
    },
    t("sound"),
  );
  return button;
}

function showCurrent() {
  const current = document.querySelector("nav [aria-current]");
  if (current)
    current.parentNode.scrollLeft = current.offsetLeft - (current.parentNode.clientWidth - current.offsetWidth) / 2;
}

async function home(games) {
  document.title = "ludion";
  const [saved, lessons] = await Promise.all(["saved", "lessons"].map((each) => get(`/api/${each}`).catch(() => [])));
  const cards = games.map((each) => {
    const place = h("div", { class: "thumb", "aria-hidden": "true" });
    playedPicture(each.name, place);
    return h(
      "a",
      { class: "card", href: `/play/${each.name}` },
      place,
      h(
        "div",
        { class: "words" },
        h("h2", {}, each.title),
        h("p", {}, each.summary),
        h("span", { class: `kind ${each.kind}` }, t(`kind_${each.kind}`)),
      ),
    );
  });
  const own = h(
    "div",
    { class: "card own" },
    h(
      "div",
      { class: "words" },
      h("h2", {}, t("own_title")),
      h("p", {}, t("own_text")),
      h("code", {}, "ludion serve --game-file mine.py"),
    ),
  );
  const link = (href, text) => h("a", { href, class: "saved" }, text);
  const day = today();
  fill(
    main,
    h("section", { class: "hero" }, h("h1", {}, t("home_title")), h("p", {}, t("home_text"))),
    h("div", { class: "shelf" }, shelf(t("continue"), saved.slice(0, MOST_CONTINUED).map(savedLink))),
    h("div", { class: "cards" }, cards, own),
    h(
      "div",
      { class: "shelf" },
      shelf(
        t("today"),
        games.filter((each) => each.kind !== "duel").map((each) => link(`/play/${each.name}?daily=${day}`, each.title)),
      ),
      shelf(
        t("lessons_title"),
        lessons.map((each) => link(`/learn/${each.name}`, each.title)),
      ),
    ),
  );
}

// The date here, as 2026-11-16.
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((each) => String(each).padStart(2, "0")).join("-");
}

// Links under a title, if there are any.
function shelf(title, links) {
  if (!links.length) return null;
  return h(
    "section",
    {},
    h("h2", {}, title),
    h(
      "ul",
      { class: "saved-games" },
      links.map((each) => h("li", {}, each)),
    ),
  );
}

async function start() {
  const preferred = remember("language") || (navigator.language.startsWith("fr") ? "fr" : "en");
  await setLanguage(preferred);
  theme(remember("theme") || "auto");
  try {
    const games = await get("/api/games");
    const [, part, word, more] = location.pathname.split("/");
    const name = word ? decodeURIComponent(word) : null;
    header(games, part === "play" ? name : null);
    showCurrent();
    document.querySelector(".skip").textContent = t("skip");
    if (part === "play") {
      view = (await import("./play.js")).openGame(main, name, more === "levels");
      await view;
    } else if (part === "watch") await (await import("./watchpage.js")).openWatch(main, name);
    else if (part === "lab") await (await import("./labpage.js")).openLab(main, name, games);
    else if (part === "learn") {
      const lessons = await import("./learn.js");
      await (name ? lessons.openLesson(main, name) : lessons.openLessons(main));
    } else await home(games);
  } catch (error) {
    fill(main, h("p", { class: "failure", role: "alert" }, `${t("failed")} ${error.message}`));
  }
  document.documentElement.dataset.ready = "yes";
}

start();
