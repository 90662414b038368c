"""Opponents for people: named levels that overlook moves as people do, and vary from game to game.

With a probability of `slips` per cent an opponent searches only one ply deep, else `depth` plies; in a game with an
exact solver, it uses that with a probability of `sees` per cent. Among nearly equal moves it chooses by the game seed.
The strongest uses the best engine of the game for some seconds; so does the second strongest, for a shorter time, if
there are too many moves to search each ten plies deep.
"""

from __future__ import annotations

import functools
import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ludion import asking
from ludion.answers import MoveScore
from ludion.asking import BEST
from ludion.engines.budget import Budget, Observer
from ludion.kinds.games import Duel
from ludion.questions import Search

if TYPE_CHECKING:
    from ludion.positions import Position

LOOKING_AHEAD = "alpha-beta"  # the engine of those who look some plies ahead
OPENING = 4  # plies in which the strongest vary, too
DEEP, FEW_MOVES = 8, 16  # with more moves than these, each cannot be searched this many plies deep


@dataclass(frozen=True)
class Opponent:
    """How well an opponent plays."""

    depth: int | None = None  # plies that it looks ahead; None: as far as the best engine gets
    slips: int = 0  # moves in a hundred for which it looks one ply ahead only
    sees: int = 0  # moves in a hundred for which it knows the exact scores, in a game that has them
    near: float = 0.05  # share of the range of the scores: moves this close to the best are as good to it
    seconds: float = 5.0  # per move, at most


OPPONENTS = {
    "beginner": Opponent(depth=2, slips=50, near=0.5),
    "casual": Opponent(depth=2, slips=15, near=0.3),
    "club": Opponent(depth=6, slips=5, sees=35, near=0.03, seconds=2.0),
    "strong": Opponent(depth=10, sees=70, near=0.02, seconds=1.0),
    "strongest": Opponent(seconds=5.0),
}


MEASURED = Path(__file__).with_name("opponents.toml")


@functools.cache
def measured() -> dict[str, dict[str, dict[str, int]]]:
    """By game: the points of each level against the one below, and the blunders where they are known."""
    return tomllib.loads(MEASURED.read_text(encoding="utf-8"))


def choose_move(
    question: Search, here: Position, opponent: Opponent, seed: int, observer: Observer | None = None
) -> int:
    """The opponent's move in an open position; the same for the same position and seed."""
    game = question.description()
    solved = (
        isinstance(game, Duel) and game.analyse is not None and game.best_engine in game.engines
    )  # by a specialist
    chance = random.Random(f"{seed} {here.text}")
    luck = 100 * chance.random()
    depth = 1 if luck < opponent.slips else opponent.depth
    if solved and opponent.slips <= luck < opponent.slips + opponent.sees:
        depth = None
    budget = replace(question.budget, depth=depth, seconds=question.budget.seconds or opponent.seconds)
    if depth is not None and (depth < DEEP or len(here.codes()) <= FEW_MOVES):
        return near_best(scores_of(question, LOOKING_AHEAD, here, budget, observer), opponent.near, chance)
    budget = replace(budget, depth=None)
    if solved:
        scores = scores_of(question, BEST, here, budget, observer)
        if all(each.score is not None and each.score.exact for each in scores):
            return near_best(scores, opponent.near, chance)
    elif len(here.codes()) > 1 and is_opening(here):
        return near_best(
            scores_of(question, LOOKING_AHEAD, here, replace(budget, depth=2), observer),
            opponent.near,
            chance,
        )
    answer = asking.search(replace(question, engine=BEST).prepare(), here, budget, observer)
    return answer.moves[0] if answer.moves else chance.choice(here.codes())


def is_opening(here: Position) -> bool:
    """Whether fewer than this many moves have been made, for games whose positions count them."""
    return int(getattr(here.state, "ply", OPENING)) < OPENING


def scores_of(
    question: Search, engine: str, here: Position, budget: Budget, observer: Observer | None
) -> list[MoveScore]:
    prepared = replace(question, engine=engine, budget=budget).prepare()
    return list(asking.analyse(prepared, here, budget, observer))


def near_best(scores: Sequence[MoveScore], near: float, chance: random.Random) -> int:
    """One of the nearly best moves, at random. A proved result is equal only to the same result."""
    values = {each.move: each.score for each in scores if each.score is not None}
    if not values:
        return chance.choice([each.move for each in scores])
    best = max(values.values(), key=lambda score: score.value)
    open_values = [score.value for score in values.values() if not score.exact]
    margin = 0.0 if best.exact else near * (best.value - min(open_values))
    return chance.choice([move for move, score in values.items() if score.value >= best.value - margin])
