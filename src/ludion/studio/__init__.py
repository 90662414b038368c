"""The studio: a web page to play, watch, solve and compare all games.

server.py        routes and the page's files
guard.py         access, cookies and the language of a request
descriptions.py  the description of a game as JSON
positions.py     a start, options and moves as the browser names them -> the board
asks.py          long questions: solve, score, watch, compare, run an agent, generate
jobs.py          the few threads that answer, the queue before them, Stop
reproduce.py     the question of a panel: as a command, in Python, as an address
static/          the page: ES modules, no build step; a game brings a module for its board (games/NAME/page.js)

`ludion.records.players` stores the games and records of a browser.
"""
