"""Compares the legal moves of another engine with ours, over the Universal Hive Protocol."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludion.errors import LudionError
from ludion.games.hive.board import is_placement
from ludion.games.hive.notation import TYPES, legal_moves, played, read, read_move, write, write_move
from ludion.games.hive.rules import Hive, HiveRules
from ludion.games.hive.uhp_client import External, is_error
from ludion.kinds.duel import OPEN, verdict
from ludion.messages import message

MOVEMENT_SHARE = 0.6  # of the random moves are movements if there are any, so that games do not only grow


@dataclass(frozen=True)
class MoveDifference:
    """A position in which another engine's legal moves differ from ours."""

    game_string: str
    missing: tuple[str, ...]  # our moves that it does not have
    extra: tuple[str, ...]  # its moves that we do not have
    note: str = ""  # a reply that could not be read

    def __str__(self) -> str:
        lines = [self.game_string]
        if self.missing:
            lines.append("  " + message("hive.moves_missing", moves="; ".join(self.missing)))
        if self.extra:
            lines.append("  " + message("hive.moves_extra", moves="; ".join(self.extra)))
        if self.note:
            lines.append("  " + message("hive.unreadable_reply", reply=self.note))
        return "\n".join(lines)


def compare(engine: External, rules: HiveRules, position: Hive) -> MoveDifference | None:
    """How the engine's moves here differ from ours, by piece and cell, not by notation; None if they do not."""
    text = write(rules, position)
    reply = engine.ask(f"newgame {text}")
    if any(is_error(line) for line in reply):
        return MoveDifference(text, (), (), " ".join(reply))
    reply = engine.ask("validmoves")
    theirs, unreadable = set(), []
    for name in reply[-1].split(";") if reply else []:
        try:
            theirs.add(read_move(rules, position, name))
        except LudionError as error:
            unreadable.append(str(error))
    ours = set(legal_moves(rules, position))
    if ours == theirs and not unreadable:
        return None
    return MoveDifference(
        text,
        tuple(write_move(rules, position, move) for move in sorted(ours - theirs)),
        tuple(write_move(rules, position, move) for move in sorted(theirs - ours)),
        "; ".join(unreadable[:3]),
    )


def check(
    engine: External,
    positions: Sequence[str],
    games: int,
    plies: int,
    seed: int,
    types: Sequence[str] = TYPES,
) -> Iterator[tuple[int, MoveDifference | None]]:
    """Compare moves in these positions and along random games; yield the number so far, and the difference."""
    compared = 0
    for text in positions:
        rules, position = read(text, repetition="play-on")
        if verdict(rules, position) == OPEN:
            compared += 1
            yield compared, compare(engine, rules, position)
    generator = random.Random(seed)
    for number in range(games):
        rules, position = read(types[number % len(types)], repetition="play-on")
        for _ in range(plies):
            moves = legal_moves(rules, position)
            if not moves:
                break
            compared += 1
            yield compared, compare(engine, rules, position)
            movements = [move for move in moves if not is_placement(move)]
            if movements and generator.random() < MOVEMENT_SHARE:
                moves = movements
            position = played(rules, position, generator.choice(moves))
