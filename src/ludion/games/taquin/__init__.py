"""Taquin, the sliding-tile puzzle (8-puzzle, 15-puzzle and any other width, height and goal)."""

from ludion.games.taquin.game import GAME as GAME
