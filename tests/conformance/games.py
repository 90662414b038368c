"""The games that the conformance suite runs over, and small spaces of the puzzles."""

from __future__ import annotations

from pathlib import Path

import ludion
from ludion.checks.sample import CheckedPosition, begin
from ludion.checks.sample import starts as start_texts
from ludion.kinds.games import Game
from ludion.registry import games, load_game_file

ROOT = Path(__file__).parents[2]
EXAMPLES = ("domineering", "pancakes", "peg_solitaire", "sokoban", "solitaire", "wumpus")

# Positions from which all positions that can be reached are few: their true distances to a goal are computed.
SMALL = {
    "taquin": [("1 2/3 0", {}), ("1 2 3/0 4 5", {}), ("1 2 3/0 4 5", {"metric": "multi"})],
    "rush-hour": [
        ("level:1", {"metric": "moves"}),
        ("5x5:............CCC.AAB....B.", {"metric": "steps"}),
        ("5x5:AA.....B....B....DD.CCC..", {"metric": "steps"}),
    ],
    "pancakes": [("3 1 4 5 2", {})],
    "sokoban": [("level:corner", {})],
    "solitaire": [("level:plus", {}), ("..../oooo/.oo.", {"last": "any"})],
    "peg-solitaire": [("./oo/ooo/oooo/ooooo", {})],
}


def described(*kinds: str) -> list[Game]:
    """The registered games of these kinds; the examples count as games of a user."""
    for example in EXAMPLES:
        load_game_file(ROOT / "examples" / f"{example}.py")
    return [game for game in games().values() if game.kind in kinds]


def starts(game: Game) -> list[ludion.Position]:
    """The positions to begin with: the start, the example, and some levels."""
    return [ludion.position(game, text) for text in start_texts(game)]


def checked(game: Game, text: str, options: dict[str, str] | None = None) -> CheckedPosition:
    """A position as the checks take it."""
    rules, state, chosen = begin(game, text, options)
    return CheckedPosition(game, rules, state, chosen, [])
