"""The games, positions and random walks that the conformance suite runs over."""

from __future__ import annotations

import numpy as np

import ludion
from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.kinds import duel, puzzle
from ludion.kinds.card import DUEL, PUZZLE, QUEST, Card
from ludion.registry import games, load_game_file

EXAMPLES = ("examples/domineering.py", "examples/peg_solitaire.py")
MOST_POSITIONS = 6


def cards(*kinds: str) -> list[Card]:
    """The registered games of these kinds; the examples count as games of a user."""
    from pathlib import Path

    root = Path(__file__).parents[2]
    for example in EXAMPLES:
        load_game_file(root / example)
    return [card for card in games().values() if card.kind in kinds]


def starts(card: Card) -> list[ludion.Position]:
    """The positions to begin with: the start, the example, and some levels."""
    levels = card.all_levels()
    chosen = levels[:: max(1, len(levels) // (MOST_POSITIONS - 2))][: MOST_POSITIONS - 2]
    texts = [card.start, card.example or card.start, *(f"level:{level.name}" for level in chosen)]
    return [ludion.position(card, text) for text in dict.fromkeys(texts)]


def fresh(position: ludion.Position) -> object:
    """The position's state, with arrays of its own."""
    return duel.copy(position.rules, position.state) if position.card.kind == DUEL else position.state


def walk(position: ludion.Position, seed: int, steps: int) -> tuple[list[ludion.Position], list[int]]:
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
def puzzle_walk(game, position, seed, steps, log):
    """Walk at random and write down how many moves there are, which is made, and the words of the position."""
    buffer = np.zeros(puzzle.most_moves(game), np.int64)
    for step in range(steps):
        count = puzzle.moves(game, position, buffer)
        if count == 0 or puzzle.is_goal(game, position):
            return step
        move = buffer[(mix(step, seed) & 0xFFFF) % count]
        position = puzzle.play(game, position, move)
        log[step, 0] = count
        log[step, 1] = move
        log[step, 2] = puzzle.pack(game, position)[0]
    return steps


@kernel
def duel_walk(game, position, seed, steps, log):
    """Walk at random and write down how many moves there are, which is made, the key and the verdict."""
    buffer = np.zeros(duel.most_moves(game), np.int64)
    for step in range(steps):
        if duel.verdict(game, position) != duel.OPEN:
            return step
        count = duel.moves(game, position, buffer)
        move = buffer[(mix(step, seed) & 0xFFFF) % count]
        position = duel.play(game, position, move)
        log[step, 0] = count
        log[step, 1] = move
        log[step, 2] = duel.key(game, position)
    return steps


WALKS = {PUZZLE: puzzle_walk, DUEL: duel_walk}
__all__ = ["DUEL", "PUZZLE", "QUEST", "WALKS", "cards", "fresh", "starts", "walk"]
