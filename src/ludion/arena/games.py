"""One game between two players: what is agreed before it, how it is played, its record, and the replay."""

from __future__ import annotations

import atexit
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludion.arena.players import CRASH, FaultError, Limits, Player, make
from ludion.batch.solving import GameFile, load_shipped
from ludion.errors import LudionError

AGREED = 3  # turns in a row that both players must see the same end, for a game to be adjudicated


@dataclass(frozen=True)
class Fixture:
    """A game to be played; everything that its course depends on."""

    number: int
    game: str
    first: str  # who moves first after the opening
    second: str
    start: str
    opening: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    longest: int = 400  # plies after which it is a draw
    adjudicate: bool = False
    files: tuple[GameFile, ...] = ()


_seats: dict[tuple[str, str, int], Player] = {}  # players that this process has at hand


def seat(game: str, name: str, side: int) -> Player:
    """The player of this name at this side of the board, kept for the next game."""
    from ludion.registry import card

    key = (game, name, side)
    if key not in _seats:
        _seats[key] = make(card(game), name)
    return _seats[key]


@atexit.register
def clear_seats() -> None:
    """End the players' processes."""
    for player in _seats.values():
        player.close()
    _seats.clear()


def play_game(fixture: Fixture) -> dict[str, Any]:
    """Play it: the record as plain values. A player's fault is its loss."""
    from ludion import api

    for file in fixture.files:
        load_shipped(file)
    position = api.position(fixture.game, fixture.start, **fixture.options).play(*fixture.opening)
    names = (fixture.first, fixture.second)
    moves: list[str] = []
    seconds, nodes, slowest = [0.0, 0.0], [0, 0], [0.0, 0.0]
    agreed = [0, 0]  # how many turns in a row each player has seen (+) its win, (-) its loss, proved
    ended_by, reason, points = "rules", "", None
    while points is None:
        turn = len(moves) % 2
        if position.status != api.OPEN:
            points = {"won": 1.0, "lost": 0.0, "drawn": 0.5}[position.status]
            points = points if turn == 0 else 1 - points
            break
        if len(moves) >= fixture.longest:
            ended_by, reason, points = "length", f"no end after {fixture.longest} plies", 0.5
            break
        begin = time.perf_counter()
        try:
            choice = seat(fixture.game, names[turn], turn).choose(position, fixture.limits, fixture.number)
            name = position.write_move(choice.move)
            position = position.play(choice.move)
        except FaultError as fault:
            ended_by, reason, points = fault.kind, f"{names[turn]}: {fault}", float(turn)
            break
        except Exception as error:  # an engine of ours that fails is no better than a program that does
            ended_by, reason, points = CRASH, f"{names[turn]}: {type(error).__name__}: {error}", float(turn)
            break
        finally:
            taken = time.perf_counter() - begin
            seconds[turn] += taken
            slowest[turn] = max(slowest[turn], taken)
        moves.append(name)
        nodes[turn] += choice.nodes
        sure = choice.proved and choice.value is not None and abs(choice.value) > 9000
        step = 0 if not sure else 1 if choice.value > 0 else -1  # type: ignore[operator]
        agreed[turn] = agreed[turn] + step if step and agreed[turn] * step >= 0 else step
        if fixture.adjudicate and min(map(abs, agreed)) >= AGREED and agreed[0] * agreed[1] < 0:
            ended_by, points = "adjudication", 1.0 if agreed[0] > 0 else 0.0
            reason = f"both players have proved it, {AGREED} turns in a row"
    return {
        "number": fixture.number,
        "game": fixture.game,
        "options": dict(fixture.options),
        "first": fixture.first,
        "second": fixture.second,
        "start": fixture.start,
        "opening": list(fixture.opening),
        "moves": moves,
        "points": points,  # of the first player: 1, 0.5 or 0
        "winner": {1.0: fixture.first, 0.0: fixture.second}.get(points),
        "ended_by": ended_by,
        "reason": reason,
        "plies": len(moves),
        "seconds": [round(each, 4) for each in seconds],
        "slowest": [round(each, 4) for each in slowest],
        "nodes": nodes,
    }


def replay(record: Mapping[str, Any]) -> Iterator[Any]:
    """The positions of a recorded game, from its start to its end."""
    from ludion import api

    try:
        position = api.position(record["game"], record["start"], **record["options"])
        yield position
        for move in (*record["opening"], *record["moves"]):
            position = position.play(move)
            yield position
    except KeyError as error:
        raise LudionError(f"not the record of a game: it has no {error}") from None


def openings(
    game: str, start: str, options: Mapping[str, str], plies: int, seed: int
) -> Iterator[tuple[str, ...]]:
    """Random openings of so many plies that leave the game open: each once while there are new ones."""
    from ludion import api

    chance = random.Random(seed)
    root = api.position(game, start, **options)
    seen: set[tuple[str, ...]] = set()
    while True:
        for _ in range(100):
            position = root
            line: list[str] = []
            while len(line) < plies and position.status == api.OPEN:
                line.append(position.write_move(chance.choice(position.codes())))
                position = position.play(line[-1])
            if position.status == api.OPEN and tuple(line) not in seen:
                break
        else:
            if not seen:
                raise LudionError(f"no opening of {plies} plies leaves the game open: take fewer")
            seen.clear()  # all are used up: once more
            continue
        seen.add(tuple(line))
        yield tuple(line)


def fixtures(
    game: str,
    pairs: Sequence[tuple[str, str]],
    games: int,
    *,
    start: str,
    starts: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
    plies: int = 2,
    seed: int = 1,
    **settings: Any,
) -> list[Fixture]:
    """The games of all pairs: each opening is played twice, with the sides changed."""
    found: list[Fixture] = []
    lines = openings(game, start, options or {}, plies, seed)
    rounds = [
        ((starts[i % len(starts)], ()) if starts else (start, next(lines))) for i in range((games + 1) // 2)
    ]
    for number in range(games):
        begin, opening = rounds[number // 2]
        for one, other in pairs:
            first, second = (one, other) if number % 2 == 0 else (other, one)
            found.append(Fixture(len(found), game, first, second, begin, opening, options or {}, **settings))
    return found
