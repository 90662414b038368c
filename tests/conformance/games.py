"""The games, positions and random walks that the conformance suite runs over."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import ludion
from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.kinds import duel, puzzle
from ludion.kinds.games import DUEL, PUZZLE, QUEST, Game
from ludion.registry import games, load_game_file

ROOT = Path(__file__).parents[2]
EXAMPLES = ("domineering", "peg_solitaire", "wumpus")
MOST_POSITIONS = 6

# Positions from which all positions that can be reached are few: their true distances to a goal are computed.
SMALL = {
    "taquin": [("1 2/3 0", {}), ("1 2 3/0 4 5", {}), ("1 2 3/0 4 5", {"metric": "multi"})],
    "rush-hour": [("level:1", {"metric": "moves"}), ("level:1", {"metric": "steps"})],
    "peg-solitaire": [("./oo/ooo/oooo/ooooo", {})],
}


def described(*kinds: str) -> list[Game]:
    """The registered games of these kinds; the examples count as games of a user."""
    for example in EXAMPLES:
        load_game_file(ROOT / "examples" / f"{example}.py")
    return [game for game in games().values() if game.kind in kinds]


def starts(game: Game) -> list[ludion.Position]:
    """The positions to begin with: the start, the example, and some levels."""
    levels = game.all_levels()
    chosen = levels[:: max(1, len(levels) // (MOST_POSITIONS - 2))][: MOST_POSITIONS - 2]
    texts = [game.start, game.example or game.start, *(f"level:{level.name}" for level in chosen)]
    return [ludion.position(game, text) for text in dict.fromkeys(texts)]


def fresh(position: ludion.Position) -> object:
    """The position's state, with arrays of its own."""
    return duel.copy(position.rules, position.state) if position.game.kind == DUEL else position.state


def walk(position: ludion.Position, seed: int, steps: int) -> tuple[list[ludion.Position], list[object]]:
    """A random game: its positions and moves."""
    positions, moves = [position], []
    for step in range(steps):
        codes = positions[-1].codes()
        if not codes:
            break
        move = codes[(mix(step, seed) & 0xFFFF) % len(codes)]
        moves.append(move)
        positions.append(positions[-1].play(move))
    return positions, moves


@kernel
def puzzle_walk(rules, position, seed, steps, log):
    """Walk at random and write down how many moves there are, which is made, and the words of the position."""
    buffer = np.zeros(puzzle.most_moves(rules), np.int64)
    for step in range(steps):
        count = puzzle.moves(rules, position, buffer)
        if count == 0 or puzzle.is_goal(rules, position):
            return step
        move = buffer[(mix(step, seed) & 0xFFFF) % count]
        position = puzzle.play(rules, position, move)
        log[step, 0] = count
        log[step, 1] = move
        log[step, 2] = puzzle.pack(rules, position)[0]
    return steps


@kernel
def duel_walk(rules, position, seed, steps, log):
    """Walk at random and write down how many moves there are, which is made, the key and the verdict."""
    buffer = np.zeros(duel.most_moves(rules), np.int64)
    for step in range(steps):
        if duel.verdict(rules, position) != duel.OPEN:
            return step
        count = duel.moves(rules, position, buffer)
        move = buffer[(mix(step, seed) & 0xFFFF) % count]
        position = duel.play(rules, position, move)
        log[step, 0] = count
        log[step, 1] = move
        log[step, 2] = duel.key(rules, position)
    return steps


WALKS = {PUZZLE: puzzle_walk, DUEL: duel_walk}
__all__ = ["DUEL", "PUZZLE", "QUEST", "SMALL", "WALKS", "described", "fresh", "starts", "walk"]
