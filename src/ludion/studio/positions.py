"""Positions as the browser names them: a start, options, and the moves made since.

That triple is all there is to a game in progress; it goes into the URL and into the records, and the server
keeps nothing between two requests but a cache.
"""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludion import api
from ludion.errors import IllegalMoveError, LudionError, NotationError, UnfitError
from ludion.kinds import quest
from ludion.kinds.card import QUEST, Card, resolve

LONGEST_TEXT = 100_000  # characters of a position
MOST_MOVES = 10_000
SNAPSHOT = 64  # every so many moves of a long game, the position stays in the cache
CACHED = 600


class ShapeError(LudionError):
    """A request that is not of the form it should have."""


@dataclass(frozen=True)
class Place:
    """Where a game stands: its start, its options, and the names (or the engines' ints) of the moves made."""

    card: Card
    start: str
    options: tuple[tuple[str, str], ...]
    moves: tuple[str | int, ...]

    def after(self, count: int) -> Place:
        return Place(self.card, self.start, self.options, self.moves[:count])

    @property
    def key(self) -> tuple[Any, ...]:
        return self.card.name, self.start, self.options, self.moves


@dataclass(frozen=True)
class Seen:
    """A position that was reached, with the moves that led there. (A quest's world in it must not change.)"""

    game: Any
    state: Any
    position: api.Position | None  # none for a quest
    names: tuple[str, ...]


def read_place(card: Card, body: Mapping[str, Any]) -> Place:
    """The place that a request names."""
    start = body.get("start", "")
    options = body.get("options") or {}
    moves = body.get("moves") or []
    if not isinstance(start, str) or not isinstance(options, dict) or not isinstance(moves, list):
        raise ShapeError("a place has a start (text), options (names and texts) and moves (a list)")
    if len(start) > LONGEST_TEXT:
        raise ShapeError(f"a position has at most {LONGEST_TEXT} characters")
    if len(moves) > MOST_MOVES:
        raise ShapeError(f"a game has at most {MOST_MOVES} moves here")
    for name, value in options.items():
        if not isinstance(value, str) or len(value) > 1000:
            raise ShapeError(f"option {name[:40]} must be a text of at most 1000 characters")
    for move in moves:
        if isinstance(move, bool) or not isinstance(move, (str, int)) or len(str(move)) > 100:
            raise ShapeError("a move is a text of at most 100 characters, or an engine's number")
    try:
        start.encode()
    except UnicodeEncodeError:
        raise ShapeError("the position holds half a character") from None
    return Place(card, start, tuple(sorted(options.items())), tuple(moves))


_cache: OrderedDict[tuple[Any, ...], Seen] = OrderedDict()
_lock = threading.Lock()


def _recall(place: Place) -> Seen | None:
    with _lock:
        found = _cache.get(place.key)
        if found is not None:
            _cache.move_to_end(place.key)
        return found


def _keep(place: Place, seen: Seen) -> None:
    with _lock:
        _cache[place.key] = seen
        while len(_cache) > CACHED:
            _cache.popitem(last=False)


def reach(place: Place) -> Seen:
    """Play the moves from the start, or from the nearest position that is remembered."""
    count = len(place.moves)
    known = [count, count - 1, *range((count - 2) // SNAPSHOT * SNAPSHOT, 0, -SNAPSHOT)]
    for length in known:
        if length > 0 and (seen := _recall(place.after(length))) is not None:
            break
    else:
        length = 0
        seen = _recall(place.after(0))
        if seen is None:
            seen = begin(place)
            _keep(place.after(0), seen)
    if length == count:
        return seen
    if place.card.kind == QUEST:
        seen = Seen(seen.game, copy.deepcopy(seen.state), None, seen.names)
    for index in range(length, count):
        seen = forward(place.card, seen, place.moves[index])
        if (index + 1) % SNAPSHOT == 0 and index + 1 < count:
            kept = (
                seen
                if seen.position is not None
                else Seen(seen.game, copy.deepcopy(seen.state), None, seen.names)
            )
            _keep(place.after(index + 1), kept)
    _keep(place, seen)
    return seen


def begin(place: Place) -> Seen:
    """The position at the start."""
    card = place.card
    try:
        if card.kind != QUEST:
            position = api.position(card, place.start, **dict(place.options))
            return Seen(position.rules, position.state, position, ())
        from ludion.cli.run import checked

        text, options = quest_start(card, place.start), checked(card, dict(place.options))
        game, world = resolve(card.read)(text[0], **{**text[1], **options})
        return Seen(game, world, None, ())
    except LudionError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise NotationError(f"{card.title} cannot read this position ({type(error).__name__})") from error


def quest_start(card: Card, start: str) -> tuple[str, dict[str, str]]:
    """The text and the options of a level, or the text itself."""
    if not start.strip():
        levels = card.all_levels()
        start = card.start or (f"level:{levels[0].name}" if levels else "")
    if start.startswith("level:"):
        level = api.level(card, start.removeprefix("level:"))
        return level.position, dict(level.options)
    return start, {}


def forward(card: Card, seen: Seen, move: str | int) -> Seen:
    """One move on; the world of a quest changes in place."""
    if seen.position is not None:
        code = seen.position.read_move(move) if isinstance(move, str) else move
        if not -(1 << 62) < code < 1 << 62:
            raise IllegalMoveError("no such move")
        following = seen.position.play(code)
        name = seen.position.write_move(code)
        return Seen(following.rules, following.state, following, (*seen.names, name))
    action = read_action(card, seen, str(move))
    name = write_action(card, seen, action)
    return Seen(seen.game, quest.act(seen.state, action), None, (*seen.names, name))


def read_action(card: Card, seen: Seen, text: str) -> Any:
    if card.read_move is not None:
        return resolve(card.read_move)(seen.game, seen.state, text)
    try:
        return int(text)
    except ValueError:
        return text


def write_action(card: Card, seen: Seen, action: Any) -> str:
    write = resolve(card.write_move)
    return str(write(seen.game, seen.state, action)) if write else str(action)


def require_position(place: Place) -> api.Position:
    """The position of a puzzle or a duel."""
    found = reach(place).position
    if found is None:
        raise UnfitError(f"{place.card.title} is a quest: an agent plays it")
    return found


def describe(place: Place) -> dict[str, Any]:
    """All that the page shows of a place."""
    card, seen = place.card, reach(place)
    told: dict[str, Any] = {
        "game": card.name,
        "start": place.start,
        "options": dict(place.options),
        "moves": list(seen.names),
    }
    if seen.position is not None:
        position = seen.position
        told |= {
            "options": {**position.options},
            "text": position.text,
            "board": str(position),
            "status": position.status,
            "legal": position.moves(),
            "svg": position.svg() if card.svg else None,
        }
        return told
    draw, svg = resolve(card.text), resolve(card.svg)
    text = resolve(card.write)(seen.game, seen.state)
    told |= {
        "text": str(text),
        "board": str(draw(seen.game, seen.state)) if draw else str(text),
        "status": quest.outcome(seen.state),
        "legal": [],
        "svg": str(svg(seen.game, seen.state)) if svg else None,
    }
    return told
