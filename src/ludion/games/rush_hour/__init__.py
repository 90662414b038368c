"""Rush Hour: slide the vehicles out of the way of the red car."""

from ludion.games.rush_hour.game import GAME as GAME
