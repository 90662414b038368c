// Small pictures of boards: of games, levels and lessons.

import { get, post } from "./api.js";
import { fill, h, picture, quiet, rowsOf } from "./dom.js";
import { t } from "./strings.js";

const LATE = 1500; // milliseconds after which a picture that is not there yet says why
const MOST_MOVES = 12; // of a game that has no scene
const [PAUSE, MORE] = [2200, 1200]; // milliseconds between two moves: at least, and at random

// The board after these moves, drawn in its place; its state, or null if there is none.
export async function drawBoard(place, game, start, options = {}, moves = []) {
  const late = setTimeout(
    () => place.firstChild || fill(place, h("span", { class: "missing" }, t("compiling_short"))),
    LATE,
  );
  try {
    const state = await post(`/api/games/${game}/state`, { start, options, moves });
    fill(place, state.svg ? picture(state.svg) : h("pre", {}, rowsOf(state.board)));
    return state;
  } catch {
    if (!place.firstChild) fill(place, h("span", { class: "missing" }, "·"));
    return null;
  } finally {
    clearTimeout(late);
  }
}

// A game that plays a few moves by itself, unless motion is unwanted: those of its scene, or any. Its start is there first.
export async function playedPicture(name, place) {
  const game = await get(`/api/games/${name}`).catch(() => null);
  if (!game) return;
  const { scene } = game;
  const start =
    (game.kind === "puzzle" ? game.start : game.example) ||
    game.start ||
    (game.levels[0] ? `level:${game.levels[0].name}` : "");
  const moves = [];
  const draw = () => drawBoard(place, name, start, {}, moves);
  let state = await draw();
  if (scene.length) {
    moves.push(scene[0]);
    state = await draw();
  }
  if (!state || quiet() || !(state.legal.length || scene.length)) return;
  const timer = setInterval(
    async () => {
      if (!place.isConnected || !state) return clearInterval(timer);
      if (document.hidden) return;
      if (scene.length) moves.length === scene.length ? moves.splice(1) : moves.push(scene[moves.length]);
      else if (!state.legal.length || moves.length >= MOST_MOVES) moves.length = 0;
      else moves.push(state.legal[Math.floor(Math.random() * state.legal.length)]);
      state = await draw();
    },
    PAUSE + MORE * Math.random(),
  );
}
