"""One game between two players: its conditions, how it is played, its record, and the replay."""

from __future__ import annotations

import atexit
import dataclasses
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludion import registry
from ludion.answers import Score
from ludion.arena.players import make_player
from ludion.core import clock, tiers
from ludion.engines.budget import Budget
from ludion.errors import IllegalMoveError, LudionError, UnfitError
from ludion.kinds.games import Game
from ludion.kinds.players import CRASH, ILLEGAL, Choice, FaultError, Player
from ludion.messages import message
from ludion.positions import Position, position
from ludion.registry import GameFile

DEFAULT_BUDGET = Budget(seconds=0.1)  # for each move
LONGEST = 400  # plies after which a game is drawn
AGREED = 3  # turns in a row in which all players who report scores have proved the outcome: it is adjudicated
ATTEMPTS = 100  # to find an opening that was not played before

RULES, ADJUDICATION, LENGTH = "rules", "adjudication", "length"  # how a game ends without a fault
WALL, CPU = CLOCKS = "wall", "cpu"  # what a limit of seconds counts
POINTS = {"won": 1.0, "drawn": 0.5, "lost": 0.0}  # for the player to move


@dataclass(frozen=True)
class Fixture:
    """A game to be played, with everything that determines its course."""

    game: str
    start: str  # the position before the opening
    first: str = ""  # the player who moves first after the opening
    second: str = ""
    number: int = 0  # of the game in its match: the seed of chance
    opening: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    budget: Budget = DEFAULT_BUDGET  # for each move, where a player has none of its own
    longest: int = LONGEST
    adjudicate: bool = False  # end the game when its outcome is proved
    clock: str = WALL
    files: tuple[GameFile, ...] = field(default=(), repr=False)

    def description(self) -> Game[Any, Any]:
        """The game, also in a process that has not loaded its file."""
        for file in self.files:
            registry.load(file)
        return registry.find(self.game)

    def begin(self) -> Position:
        """The position after the opening."""
        return position(self.description(), self.start, **self.options).play(*self.opening)


# ------------------------------------------------------------------ running players

_players: dict[tuple[tuple[GameFile, ...], str, str, int], Player] = {}


def player_at(fixture: Fixture, side: int) -> Player:
    """The player of this side (0 or 1), which stays in this process for the next game."""
    name = (fixture.first, fixture.second)[side]
    key = (fixture.files, fixture.game, name, side)
    if key not in _players:
        _players[key] = make_player(fixture.description(), name)
    return _players[key]


@atexit.register
def close_players() -> None:
    """End the players' processes."""
    for player in _players.values():
        player.close()
    _players.clear()


# ------------------------------------------------------------------ a game


@dataclass
class Side:
    """The time and nodes that a player has used so far, and what it has proved."""

    name: str
    seconds: float = 0.0
    slowest: float = 0.0
    cpu_seconds: float | None = 0.0  # none if it is not known of a move
    nodes: int = 0
    reports: bool = False  # whether it says what it thinks of its moves
    proved: int = 0  # turns in a row in which it has proved its win (above 0) or its loss (below 0)

    def add_time(self, seconds: float) -> None:
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)

    def add_choice(self, choice: Choice) -> None:
        self.nodes += choice.nodes
        known = self.cpu_seconds is not None and choice.cpu_seconds is not None
        self.cpu_seconds = self.cpu_seconds + choice.cpu_seconds if known else None  # type: ignore[operator]
        self.reports = self.reports or choice.value is not None
        outcome = 0
        if choice.proved and choice.value is not None and Score(choice.value).plies is not None:
            outcome = 1 if choice.value > 0 else -1
        goes_on = outcome and self.proved * outcome >= 0
        self.proved = self.proved + outcome if goes_on else outcome


class Ending(NamedTuple):
    """How a game ended."""

    ended_by: str  # the rules, adjudication, length, or a player's fault
    points: float  # of the first player: 1, 0.5 or 0
    reason: str = ""


def play_game(fixture: Fixture) -> dict[str, Any]:
    """Play it and return the record as plain values. A player that commits a fault loses."""
    here = fixture.begin()
    sides = (Side(fixture.first), Side(fixture.second))
    moves: list[str] = []
    while (ending := _ending(fixture, here, len(moves), sides)) is None:
        turn = len(moves) % 2
        watch = clock.Stopwatch()
        try:
            with tiers.compiled_first(), clock.cpu_limits(fixture.clock == CPU):
                choice = player_at(fixture, turn).choose(here, fixture.budget, fixture.number)
            after = here.play(choice.move)
        except UnfitError:  # it cannot play under these conditions at all: that decides no game
            raise
        except Exception as error:
            ending = _lost_by_fault(sides[turn].name, turn, error)
            break
        finally:
            sides[turn].add_time(watch.seconds())
        sides[turn].add_choice(choice)
        moves.append(here.write_move(choice.move))
        here = after
    return {
        "number": fixture.number,
        "game": fixture.game,
        "options": dict(fixture.options),
        "first": fixture.first,
        "second": fixture.second,
        "start": fixture.start,
        "opening": list(fixture.opening),
        "moves": moves,
        "points": ending.points,
        "winner": {1.0: fixture.first, 0.0: fixture.second}.get(ending.points),
        "ended_by": ending.ended_by,
        "reason": ending.reason,
        "plies": len(moves),
        "seconds": [round(side.seconds, 4) for side in sides],
        "slowest": [round(side.slowest, 4) for side in sides],
        "clock": fixture.clock,
        "cpu_seconds": [side.cpu_seconds and round(side.cpu_seconds, 4) for side in sides],
        "nodes": [side.nodes for side in sides],
    }


def _ending(fixture: Fixture, here: Position, plies: int, sides: tuple[Side, Side]) -> Ending | None:
    """How the game has ended, or None if it goes on."""
    if not here.is_open:
        points = POINTS[here.status]
        return Ending(RULES, points if plies % 2 == 0 else 1 - points)
    proofs = [side.proved * sign for side, sign in zip(sides, (1, -1), strict=True) if side.reports]
    if fixture.adjudicate and proofs and (min(proofs) >= AGREED or max(proofs) <= -AGREED):
        return Ending(ADJUDICATION, 1.0 if proofs[0] > 0 else 0.0, message("arena.adjudicated", turns=AGREED))
    if plies >= fixture.longest:
        return Ending(LENGTH, 0.5, message("arena.too_long", plies=fixture.longest))
    return None


def _lost_by_fault(name: str, turn: int, error: Exception) -> Ending:
    """The end of a game in which the player to move committed a fault, even if it is an engine of ours."""
    if isinstance(error, FaultError):
        kind, reason = error.kind, str(error)
    elif isinstance(error, IllegalMoveError):
        kind, reason = ILLEGAL, str(error)
    else:
        kind, reason = CRASH, f"{type(error).__name__}: {error}"
    return Ending(kind, float(turn), f"{name}: {reason}")


def replay(record: Mapping[str, Any]) -> Iterator[Position]:
    """The positions of a recorded game, from its start to its end."""
    try:
        here = position(record["game"], record["start"], **record["options"])
        yield here
        for move in (*record["opening"], *record["moves"]):
            here = here.play(move)
            yield here
    except KeyError as error:
        raise LudionError(message("arena.not_a_record", name=error)) from None


def as_pgn(record: Mapping[str, Any]) -> str:
    """A recorded game as PGN-like text: tags, then the numbered moves, including the opening."""
    try:
        lines = [*record["opening"], *record["moves"]]
        players, points = (record["first"], record["second"]), record["points"]
        if len(record["opening"]) % 2:  # then the second player's colour has begun
            players, points = players[::-1], 1 - points
        result = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2"}[points]
        tags = {
            "Event": record["game"],
            "Round": record["number"] + 1,
            "White": players[0],
            "Black": players[1],
            "Result": result,
            "Start": record["start"],
            "OpeningPlies": len(record["opening"]),
            "Termination": record["reason"] or record["ended_by"],
        }
    except KeyError as error:
        raise LudionError(message("arena.not_a_record", name=error)) from None
    quoted = {name: str(value).replace("\\", "\\\\").replace('"', '\\"') for name, value in tags.items()}
    moves = [f"{ply}. {move}" for ply, move in enumerate(lines, 1)]
    return "\n".join([*(f'[{name} "{value}"]' for name, value in quoted.items()), "", *moves, result, ""])


# ------------------------------------------------------------------ many games


def random_openings(start: Position, plies: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Random openings of this many plies that do not end the game: each once while there are new ones."""
    chance = random.Random(seed)
    played: set[tuple[str, ...]] = set()
    while True:
        for _ in range(ATTEMPTS):
            here = start
            line: list[str] = []
            while len(line) < plies and here.is_open:
                line.append(here.write_move(chance.choice(here.codes())))
                here = here.play(line[-1])
            if here.is_open and tuple(line) not in played:
                break
        else:
            if not played:
                raise LudionError(message("arena.no_opening", n=plies))
            played.clear()  # all are used up: begin again
            continue
        played.add(tuple(line))
        yield tuple(line)


def plan_fixtures(
    agreed: Fixture,
    pairs: Sequence[tuple[str, str]],
    games: int,
    *,
    starts: Sequence[str] = (),
    plies: int = 2,
    seed: int = 1,
) -> list[Fixture]:
    """This many games of every pair, each opening played twice with the sides swapped.

    `agreed` has the common conditions of all games. The openings are `starts`, or random plies from `agreed.start`.
    """
    rounds: list[tuple[str, tuple[str, ...]]]
    if starts:
        rounds = [(starts[number % len(starts)], ()) for number in range((games + 1) // 2)]
    else:
        lines = random_openings(agreed.begin(), plies, seed)
        rounds = [(agreed.start, next(lines)) for _ in range((games + 1) // 2)]
    fixtures: list[Fixture] = []
    for number in range(games):
        start, opening = rounds[number // 2]
        for pair in pairs:
            first, second = pair if number % 2 == 0 else pair[::-1]
            fixtures.append(
                dataclasses.replace(
                    agreed,
                    number=len(fixtures),
                    first=first,
                    second=second,
                    start=start,
                    opening=opening,
                )
            )
    return fixtures
