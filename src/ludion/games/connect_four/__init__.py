"""Connect 4: stones fall to the bottom of a column, four in a row win; solved exactly."""

from ludion.games.connect_four.game import GAME as GAME
