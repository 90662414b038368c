"""ludion: write the rules of a game once, in plain Python; search them at machine speed; see how it thinks.

>>> import ludion
>>> board = ludion.position("taquin", "1 2 3/4 5 6/7 0 8")
>>> ludion.solve(board).line
('right',)

    positions   position, generate, games, load_game_file; moves(), play() and svg() of a position
    answers     solve, best_move, analyse, explain, review, trace, perft
    quests      run, decide, study
    questions   Search, Run, Budget: what is asked, as a value
    own games   Puzzle, Duel, Quest, Board, register, check

`help(ludion.solve)` explains one of them.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import ludion.games as _games  # noqa: F401  # a package loaded later would replace the function `games` below
from ludion.answers import Analysis, Answer, MoveScore, Score
from ludion.engines.budget import Budget, Event, Observer, Progress
from ludion.engines.catalogue import pattern_database
from ludion.errors import (
    GameFileError,
    IllegalMoveError,
    LudionError,
    NotationError,
    QuestionError,
    SettingError,
    UnfitError,
    UnknownNameError,
)
from ludion.kinds.boards import Board, Piece
from ludion.kinds.games import (
    AgentMaker,
    Duel,
    Engine,
    Evaluation,
    Generator,
    Heuristic,
    Level,
    Puzzle,
    Quest,
    Study,
)
from ludion.kinds.settings import Setting
from ludion.registry import games, load_game_file, register

if TYPE_CHECKING:
    from ludion.api import (
        analyse,
        best_move,
        check,
        decide,
        explain,
        generate,
        perft,
        review,
        run,
        solve,
        study,
        trace,
    )
    from ludion.positions import Position, position
    from ludion.questions import Run, Search

__all__ = [
    "AgentMaker",
    "Analysis",
    "Answer",
    "Board",
    "Budget",
    "Duel",
    "Engine",
    "Evaluation",
    "Event",
    "GameFileError",
    "Generator",
    "Heuristic",
    "IllegalMoveError",
    "Level",
    "LudionError",
    "MoveScore",
    "NotationError",
    "Observer",
    "Piece",
    "Position",
    "Progress",
    "Puzzle",
    "Quest",
    "QuestionError",
    "Run",
    "Score",
    "Search",
    "Setting",
    "SettingError",
    "Study",
    "UnfitError",
    "UnknownNameError",
    "analyse",
    "best_move",
    "check",
    "decide",
    "explain",
    "games",
    "generate",
    "load_game_file",
    "pattern_database",
    "perft",
    "position",
    "register",
    "review",
    "run",
    "solve",
    "study",
    "trace",
]

# Imported on first use: asking is rarer than listing.
_LAZY = {
    "ludion.api": (
        "analyse",
        "best_move",
        "check",
        "decide",
        "explain",
        "generate",
        "perft",
        "review",
        "run",
        "solve",
        "study",
        "trace",
    ),
    "ludion.positions": ("Position", "position"),
    "ludion.questions": ("Run", "Search"),
}

# Names of earlier versions, with what to write instead.
_REPLACED = {
    "Card": "ludion.Puzzle, ludion.Duel or ludion.Quest",
    "Guide": "ludion.Heuristic, ludion.Evaluation or ludion.AgentMaker",
    "Option": "ludion.Setting",
}


def __getattr__(name: str) -> Any:
    import importlib

    for module_name, names in _LAZY.items():
        if name in names:
            return getattr(importlib.import_module(module_name), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("ludion")
    hint = f"; write {_REPLACED[name]}" if name in _REPLACED else ""
    module = sys.modules[__name__]  # Python itself suggests the nearest name
    raise AttributeError(f"module 'ludion' has no attribute '{name}'{hint}", name=name, obj=module)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
