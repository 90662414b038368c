"""The studio: a web page on which every game is played, watched, solved and compared.

server.py     routes, and who may ask what
positions.py  a start, options and moves as the browser names them -> what is on the board
asks.py       the questions that take time: solve, score, watch, compare, run an agent, generate
jobs.py       the few threads that answer them, the queue before them, Stop
records.py    what a browser must not lose, in SQLite
static/       the page: ES modules, one small board module a game, no build step
"""
