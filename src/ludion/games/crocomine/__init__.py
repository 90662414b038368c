"""CrocoMine: Minesweeper with tigers, sharks and crocodiles on land and sea; Minesweeper itself is one of its
levels."""

from ludion.games.crocomine.game import GAME as GAME
