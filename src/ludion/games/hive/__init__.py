"""Hive, with the Mosquito, the Ladybug and the Pillbug."""

from ludion.games.hive.game import GAME as GAME
