"""How well the studio's opponents play: moves that cost the result, and each level against the one below.

In the solved games (tic-tac-toe, Connect 4) every move of an opponent in random open positions is judged by exact
scores: a *blunder* turns a win into a draw or a loss, or a draw into a loss. The share is of the positions in which a
blunder was possible.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import ludion
from ludion.asking import BEST
from ludion.core import clock
from ludion.engines.budget import Budget
from ludion.positions import Position
from ludion.questions import Search
from ludion.studio.opponents import OPPONENTS, choose_move, scores_of

SOLVED = {
    "tic-tac-toe": (1, 6),
    "connect-four": (6, 30),
}  # game -> fewest and most plies of a random position
MATCHES = {"tic-tac-toe": 60, "connect-four": 200, "hive": 12}  # games of a match
OPENINGS = {"connect-four": 4}  # random plies before a game; both sides play each of them
LONGEST = 120  # plies of a game; then it counts as drawn
LEVELS = {"tic-tac-toe": ("beginner", "casual", "strongest")}  # where those between play alike
SHARE = (
    0.2  # of the seconds (of the processor) that each level has per move, so that a match does not take hours
)


def question_of(here: Position) -> Search:
    return Search(here.game.name, here.text, options=here.options, budget=Budget(memory=256 << 20))


def reply(here: Position, level: str, seed: int) -> int:
    opponent = OPPONENTS[level]
    quick = replace(opponent, seconds=SHARE * opponent.seconds)
    with clock.cpu_limits():
        return choose_move(question_of(here), here, quick, seed)


def random_position(game: str, plies: int, chance: random.Random) -> Position | None:
    here = ludion.position(game)
    for _ in range(plies):
        here = here.play(chance.choice(here.codes()))
        if not here.is_open:
            return None
    return here


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def blunders(game: str, count: int) -> dict[str, Any]:
    """The share of blunders of every level on the same positions."""
    fewest, most = SOLVED[game]
    chance = random.Random(19)
    tries, lost = 0, dict.fromkeys(OPPONENTS, 0)
    while tries < count:
        here = random_position(game, chance.randint(fewest, most), chance)
        if here is None:
            continue
        scores = scores_of(question_of(here), BEST, here, Budget(seconds=20, memory=256 << 20), None)
        values = {each.move: sign(each.score.value) for each in scores if each.score and each.score.exact}
        if len(values) < len(here.codes()) or len(set(values.values())) < 2:
            continue  # not solved in time, or all moves are equal
        tries += 1
        for level in OPPONENTS:
            lost[level] += values[reply(here, level, tries)] < max(values.values())
    return {"positions": tries, **{level: round(100 * each / tries, 1) for level, each in lost.items()}}


def match(game: str, stronger: str, weaker: str, games: int) -> float:
    """The share of points of the stronger one, who begins every second game: two games from each opening."""
    points = 0.0
    for number in range(games):
        players = (stronger, weaker) if number % 2 == 0 else (weaker, stronger)
        opening = random_position(game, OPENINGS.get(game, 0), random.Random(number // 2))
        here, ply = opening or ludion.position(game), 0
        while here.is_open and ply < LONGEST:
            here = here.play(reply(here, players[ply % 2], number))
            ply += 1
        if here.status in ("won", "lost"):  # for the player to move
            winner = players[ply % 2] if here.status == "won" else players[1 - ply % 2]
            points += winner == stronger
        else:
            points += 0.5
    return points / games


def main(quick: bool = False) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    print("moves that cost the result, in per cent of the positions where that was possible")
    for game in SOLVED:
        shares = blunders(game, 40 if quick else 200)
        figures[f"{game} blunders"] = shares
        print(f"{game}: {shares}", flush=True)
    print("points against the level below")
    for game, games in MATCHES.items():
        count = max(4, games // 4) if quick else games
        levels = LEVELS.get(game, tuple(OPPONENTS))
        points = {level: match(game, level, below, count) for below, level in pairwise(levels)}
        figures[f"{game} points"] = points
        print(f"{game} ({count} games each): {points}", flush=True)
    return figures


PARTS = {"all": main}

if __name__ == "__main__":
    main()
