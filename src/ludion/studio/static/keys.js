// Keys of the page: the board's own come first, then the game's, then these.

import { fill, h } from "./dom.js";
import { openNewGame } from "./newgame.js";
import { t } from "./strings.js";

const LIST = [
  ["z y", "undo"],
  ["Home End", "ends"],
  ["h", "hint"],
  ["a", "scores"],
  ["s", "solve"],
  ["p", "play"],
  ["Esc", "stop"],
  ["n", "new"],
  ["r", "read"],
  ["b Tab Enter", "board"],
  ["← ↑ → ↓", "arrows"],
  ["?", "help"],
];

export function listenForKeys(page) {
  const { session } = page;
  const redo = () => page.jump(session.cursor + 1);
  const actions = {
    z: () => page.undo(),
    "[": () => page.undo(),
    u: () => page.undo(),
    y: redo,
    "]": redo,
    U: redo,
    Home: () => page.jump(0),
    End: () => page.jump(session.moves.length),
    h: () => page.insight.giveHint(),
    a: () => page.scoresButton.hidden || page.insight.toggle(),
    s: () => page.solve(),
    Escape: () => {
      const idle = !page.asking.job && !page.insight.job && !page.replay.playing;
      if (idle && page.panels.tab !== "play") page.panels.close();
      else page.stop();
    },
    n: () => openNewGame(page),
    r: () => page.readBoard(),
    p: () => page.replay.playPause(),
    "?": () => showKeys(page),
    b: () => page.board.focus(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { type, tagName } = event.target;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(tagName) && type !== "range" && type !== "checkbox") return;
    if (document.querySelector("dialog[open]")) return;
    const taken = type !== "range" && (page.module.key?.(page, event) || page.board.key(event));
    const action = taken ? null : actions[event.key];
    if (!taken && !action) return;
    event.preventDefault();
    action?.();
  });
}

export function showKeys(page) {
  const dialog = document.getElementById("keys");
  const own = page.module.keys || [];
  const meansOther = (keys) => own.some(([each]) => each.startsWith(keys)); // in this game
  const rows = LIST.filter(([keys]) => !meansOther(keys)).map(([keys, name]) => [keys, t(`key_${name}`)]);
  fill(
    dialog,
    h("h2", {}, t("keys")),
    h(
      "dl",
      {},
      [...rows, ...own].flatMap(([keys, text]) => [
        h(
          "dt",
          {},
          keys.split(" ").map((each) => h("kbd", {}, each)),
        ),
        h("dd", {}, text),
      ]),
    ),
    h("button", { type: "button", onclick: () => dialog.close() }, t("close")),
  );
  dialog.showModal();
}
