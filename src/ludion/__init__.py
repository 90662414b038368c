"""ludion: write the rules of a game once, in plain Python; search them at machine speed; see how it thinks.

>>> import ludion
>>> board = ludion.position("taquin", "1 2 3/4 5 6/7 0 8")
>>> ludion.solve(board).line
('right',)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludion.errors import (
    GameFileError,
    IllegalMoveError,
    LudionError,
    NotationError,
    UnfitError,
    UnknownNameError,
)
from ludion.kinds.card import Card, Guide, Level, Option

if TYPE_CHECKING:
    from ludion.api import Position, analyse, best_move, load_game_file, perft, position, solve
    from ludion.engines.answers import Answer, Score
    from ludion.engines.limits import Budget, Event, Observer, Progress
    from ludion.registry import games

__all__ = [
    "Answer",
    "Budget",
    "Card",
    "Event",
    "GameFileError",
    "Guide",
    "IllegalMoveError",
    "Level",
    "LudionError",
    "NotationError",
    "Observer",
    "Option",
    "Position",
    "Progress",
    "Score",
    "UnfitError",
    "UnknownNameError",
    "analyse",
    "best_move",
    "games",
    "load_game_file",
    "perft",
    "position",
    "solve",
]

# Imported on first use, so that `import ludion` and `ludion --help` need no compiler.
_LAZY = {
    "ludion.api": ("Position", "analyse", "best_move", "load_game_file", "perft", "position", "solve"),
    "ludion.registry": ("games",),
    "ludion.engines.answers": ("Answer", "Score"),
    "ludion.engines.limits": ("Budget", "Event", "Observer", "Progress"),
}


def __getattr__(name: str) -> Any:
    import importlib

    for module, names in _LAZY.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'ludion' has no attribute '{name}'")
