"""The arena: players meet in matches and tournaments, and are rated.

A player is named by a text: `best`, `alpha-beta:depth=3`, `monte-carlo:nodes=2000`, `random`, `python:FILE.py`, or one
of the game's own, such as `uhp:COMMAND` (see `players`). A game between two players is a value (`games.Fixture`), its
record plain values that can be saved, sent and replayed. A fault of a player (a crash, a hang, an illegal move, too
much output) costs it that game and nothing more.
"""
