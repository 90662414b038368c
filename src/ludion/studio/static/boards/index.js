// Which board module belongs to which game. A game without one is played by its list of legal moves.
//
// A module may have:
//   attach(page, svg, state)       make the drawn board answer to clicks, drags and taps (page.play(move))
//   centre(move, svg, state)       where a move is on the board: { x, y, size, from? }, for scores and hints
//   key(page, event)               keys of its own; true if it took the key
//   turn(state), sides             whose turn it is (0 or 1), and what the sides are called
//   edit(svg, text, change)        make a preview answer to clicks by changing the notation
//   extras(page)                   controls of its own under the board (page.extras)
//   study(page, svg, answer)       show what a study of the position says (quests)
//   thought(page, svg, thought)    show what an agent thought (quests)
//   presets                        [[name, start, options]]: positions to begin with
//   ownBoard                       whether the board is enough to play, so that the list of moves may be closed

import connectFour from "./connect-four.js";
import crocomine from "./crocomine.js";
import delirium from "./delirium.js";
import hive from "./hive.js";
import rushHour from "./rush-hour.js";
import taquin from "./taquin.js";
import ticTacToe from "./tic-tac-toe.js";

const MODULES = { "connect-four": connectFour, crocomine, delirium, hive, "rush-hour": rushHour, taquin, "tic-tac-toe": ticTacToe };

export const boardFor = (card) => (Object.hasOwn(MODULES, card.name) ? MODULES[card.name] : {});
