"""Tic-tac-toe and its larger relatives: k in a row on a board of m columns and n rows (up to 63 cells)."""

from ludion.games.tic_tac_toe.game import GAME as GAME
