"""The studio: a web page on which every game is played, watched, solved and compared.

server.py        routes and the page's files
guard.py         who may ask, in which language
descriptions.py  what a game says of itself, as JSON
positions.py     a start, options and moves as the browser names them -> what is on the board
asks.py          what takes time: solve, score, watch, compare, run an agent, generate
jobs.py          the few threads that answer, the queue before them, Stop
reproduce.py     what a tab shows: as a command, in Python, as an address
static/          the page: ES modules, no build step; a game brings a module for its board (games/NAME/page.js)

What a browser must not lose is stored by `ludion.records.players`.
"""
