// Which board module belongs to which game. A game without one is played by its list of legal moves.
//
// A module may have:
//   attach(page, svg, state)       make the drawn board answer to clicks, drags and taps (page.play(move))
//   centre(move, svg, state)       where a move is on the board: { x, y, size, from? }, for scores and hints
//   show(svg, places)              make sure that these places are in view
//   key(page, event)               keys of its own; true if it took the key
//   sides()                        what the two sides of a duel are called
//   keys                           [[keys, text]]: its own keys, for the list
//   words(move)                    a move for people
//   brushes(text), edit(svg, text, change, brush)
//                                  what cells can become, and how a preview answers to presses by changing the notation
//   unfold(text)                   { start, moves } of a pasted game, so that it can be stepped through
//   layers(page, thought)          more of what an agent thought, as elements for the panel
//   legend()                       [[class, text]]: the marks of an agent's thoughts
//   extras(page)                   controls of its own under the board (page.extras)
//   study(page, svg, answer)       show what a study of the position says (quests)
//   thought(page, svg, thought)    show what an agent thought (quests)
//   presets                        [[name, start, options]]: positions to begin with
//   ownBoard                       whether the board is enough to play, so that the list of moves may be closed

const GAMES = ["connect-four", "crocomine", "delirium", "hive", "rush-hour", "taquin", "tic-tac-toe"];

export const boardFor = async (card) => (GAMES.includes(card.name) ? (await import(`./${card.name}.js`)).default : {});
