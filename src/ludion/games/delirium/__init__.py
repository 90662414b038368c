"""Delirium 2: a miner digs for diamonds among stones and monsters, and sees only part of the mine."""

from ludion.games.delirium.game import GAME as GAME
