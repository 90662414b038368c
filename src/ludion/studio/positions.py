"""Positions as the browser names them: a start, options, and the moves made since.

This triple is the whole state of a game in progress; it is in the URL and in the records, and the server stores only a
cache between two requests.
"""

from __future__ import annotations

import copy
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludion.errors import LudionError, NotationError
from ludion.kinds import quest
from ludion.kinds.boards import cell_names
from ludion.kinds.games import Game, Quest
from ludion.messages import language, message
from ludion.positions import Position, position

LONGEST_TEXT = 100_000  # characters of a position
LONGEST_OPTION, LONGEST_MOVE = 1000, 100  # characters
MOST_MOVES = 10_000
MOST_PATHS = 200  # boards of one request
SNAPSHOT = 64  # the position after every multiple of this many moves stays in the cache
CACHED = 600

AnyGame = Game[Any, Any]
Body = Mapping[str, object]  # the JSON object of a request
PlaceKey = tuple[str, str, str, tuple[tuple[str, str], ...], tuple[str | int, ...]]


class BadRequestError(LudionError):
    """A request of the wrong form."""


@dataclass(frozen=True, eq=False)
class Place:
    """A place in a game: its start, the chosen options, and the names (or the engines' ints) of the moves.

    Options that the level itself sets are left out, so that each place has one name.
    """

    game: AnyGame
    start: str
    options: tuple[tuple[str, str], ...]
    moves: tuple[str | int, ...]

    def after(self, count: int) -> Place:
        """The place after this many of the moves."""
        return Place(self.game, self.start, self.options, self.moves[:count])

    @property
    def key(self) -> PlaceKey:
        """The key in the cache, with the language of the moves in words."""
        return language(), self.game.name, self.start, self.options, self.moves


@dataclass(frozen=True)
class Reached:
    """A position with the moves that led to it: their names, and in words. (The world of a quest in it must not
    change.)"""

    position: Position
    moves: tuple[str, ...]
    spoken: tuple[str, ...]


# ------------------------------------------------------------------ reading requests


def read_place(game: AnyGame, body: Body) -> Place:
    """The place that a request names."""
    start = body.get("start", "")
    options = body.get("options") or {}
    moves = body.get("moves") or []
    if not isinstance(start, str) or not isinstance(options, dict) or not isinstance(moves, list):
        raise BadRequestError(message("studio.place_form"))
    if len(start) > LONGEST_TEXT:
        raise BadRequestError(message("studio.position_too_long", most=LONGEST_TEXT))
    if len(moves) > MOST_MOVES:
        raise BadRequestError(message("studio.too_many_moves", most=MOST_MOVES))
    for name, value in options.items():
        if not isinstance(value, str) or len(value) > LONGEST_OPTION:
            raise BadRequestError(message("studio.option_form", name=str(name)[:40], most=LONGEST_OPTION))
    for move in moves:
        if isinstance(move, bool) or not isinstance(move, (str, int)) or len(str(move)) > LONGEST_MOVE:
            raise BadRequestError(message("studio.move_form", most=LONGEST_MOVE))
    try:
        start.encode()
    except UnicodeEncodeError:
        raise BadRequestError(message("studio.half_character")) from None
    own = level_options(game, start)
    chosen = {name: value for name, value in options.items() if own.get(name) != value}
    return Place(game, start, tuple(sorted(chosen.items())), tuple(moves))


def read_paths(body: Body) -> list[list[int]]:
    """The paths of a request: lists of the engines' ints."""
    paths = body.get("paths")
    if not isinstance(paths, list) or len(paths) > MOST_PATHS:
        raise BadRequestError(message("studio.paths_form", most=MOST_PATHS))
    for path in paths:
        if (
            not isinstance(path, list)
            or len(path) > MOST_MOVES
            or any(type(move) is not int for move in path)
        ):
            raise BadRequestError(message("studio.paths_form", most=MOST_PATHS))
    return paths


def read_cursor(body: Body) -> int:
    """How many of the moves of a request have been made; the others can be redone."""
    moves, cursor = body.get("moves") or [], body.get("cursor")
    if not isinstance(moves, list):
        raise BadRequestError(message("studio.place_form"))
    if cursor is None:
        return len(moves)
    if isinstance(cursor, bool) or not isinstance(cursor, int) or not 0 <= cursor <= len(moves):
        raise BadRequestError(message("studio.cursor_range"))
    return cursor


def level_options(game: AnyGame, start: str) -> Mapping[str, str]:
    """The options that the level of a start sets."""
    text = start.strip()
    return game.level(text.removeprefix("level:")).options if text.startswith("level:") else {}


# ------------------------------------------------------------------ reaching a position

_cache: OrderedDict[PlaceKey, Reached] = OrderedDict()
_lock = threading.Lock()


def _recall(place: Place) -> Reached | None:
    with _lock:
        reached = _cache.get(place.key)
        if reached is not None:
            _cache.move_to_end(place.key)
        return reached


def _remember(place: Place, reached: Reached) -> None:
    with _lock:
        _cache[place.key] = reached
        while len(_cache) > CACHED:
            _cache.popitem(last=False)


def reach(place: Place) -> Reached:
    """Play the moves from the start, or from the nearest cached position."""
    count = len(place.moves)
    lengths = [count, count - 1, *range((count - 2) // SNAPSHOT * SNAPSHOT, 0, -SNAPSHOT)]
    for length in lengths:
        if length > 0 and (reached := _recall(place.after(length))) is not None:
            break
    else:
        length, reached = 0, _recall(place.after(0))
        if reached is None:
            reached = begin(place)
            _remember(place.after(0), reached)
    if length == count:
        return reached
    reached = own_world(reached)
    for index in range(length, count):
        reached = forward(reached, place.moves[index])
        if (index + 1) % SNAPSHOT == 0 and index + 1 < count:
            _remember(place.after(index + 1), own_world(reached))
    _remember(place, reached)
    return reached


def own_world(reached: Reached) -> Reached:
    """The same with a copy of the world of a quest, which may change; other positions never change."""
    here = reached.position
    if not isinstance(here.game, Quest):
        return reached
    own = Position.trusted(here.game, here.rules, copy.deepcopy(here.state), here.options)
    return replace(reached, position=own)


def start_text(place: Place) -> str:
    """The start of a place; a quest without one begins with its first level."""
    game, start = place.game, place.start.strip()
    if not start and not game.start and isinstance(game, Quest):
        return next((f"level:{level.name}" for level in game.all_levels()), "")
    return start


def begin(place: Place) -> Reached:
    """The position at the start."""
    game = place.game
    try:
        return Reached(position(game, start_text(place), **dict(place.options)), (), ())
    except LudionError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise NotationError(
            message("studio.cannot_read", game=game.caption, error=type(error).__name__)
        ) from error


def forward(reached: Reached, move: str | int) -> Reached:
    """The position after one move; the world of a quest changes in place, and refuses illegal actions itself."""
    here = reached.position
    if isinstance(here.game, Quest):
        action = read_action(here, str(move))
        name, words = here.write_move(action), here.say_move(action)
        after = Position.trusted(here.game, here.rules, quest.act(here.state, action), here.options)
    else:
        code = here.read_move(move) if isinstance(move, str) else move
        after = here.play(code)
        name, words = here.write_move(code), here.say_move(code)
    return Reached(after, (*reached.moves, name), (*reached.spoken, words))


def read_action(here: Position, text: str) -> object:
    """The action of a quest that a text names, allowed or not."""
    game = here.game
    if game.read_move is None and isinstance(game, Quest) and game.actions is not None:
        return here.read_move(text)
    if game.read_move is not None:
        return game.read_move(here.rules, here.state, text)
    try:
        return int(text)
    except ValueError:
        return text


def cells_of_moves(here: Position, codes: Sequence[Any]) -> list[list[str]] | None:
    """The cells of each move, if the game gives them; otherwise the names of the moves do."""
    game = here.game
    if game.move_cells is None:
        return None
    board = game.describe_board(here.rules, here.state)
    return [list(cell_names(board, game.move_cells(here.rules, here.state, code))) for code in codes]


def describe(place: Place) -> dict[str, Any]:
    """Everything that the page shows of a place."""
    reached = reach(place)
    here, game = reached.position, place.game
    codes = [] if isinstance(game, Quest) and game.page is not None else here.codes()
    return {
        "game": game.name,
        "start": place.start,
        "options": dict(place.options),
        "options_in_force": here.options,
        "moves": list(reached.moves),
        "spoken": list(reached.spoken),
        "text": here.text,
        "board": str(here),
        "status": here.status,
        "legal": [here.write_move(code) for code in codes],
        "legal_spoken": [here.say_move(code) for code in codes],
        "legal_cells": cells_of_moves(here, codes),
        "svg": here.svg() if game.svg is not None else None,
        "goal": None if here.own_goal is None else picture_of(here.own_goal),
    }


def boards(place: Place, paths: Sequence[Sequence[int]], touched: bool) -> list[dict[str, Any]]:
    """The positions after these paths (the engines' ints) from a place, as pictures with their last move; with
    `touched`, only the cells that the last move changed. A path that cannot be played from here (that of a search from
    the goal) gives its reason."""
    here = reach(place).position
    known: dict[tuple[int, ...], Position] = {(): here}

    def after(path: tuple[int, ...]) -> Position:
        if path not in known:
            known[path] = after(path[:-1]).play(path[-1])
        return known[path]

    answers: list[dict[str, Any]] = []
    for each in paths:
        path = tuple(each)
        try:
            position = after(path)
        except LudionError as error:
            answers.append({"error": str(error)})
            continue
        before = after(path[:-1])
        if touched:
            answers.append({"touched": changed_cells(before, position) if path else []})
            continue
        named = {"move": before.write_move(path[-1]), "said": before.say_move(path[-1])} if path else {}
        answers.append({"text": position.text, "status": position.status, **picture_of(position), **named})
    return answers


CELL = re.compile(r'<[^>]*data-cell="([^"]*)"[^>]*>')
STYLE = re.compile(r"<style>[^<]*</style>")  # the page has the same colours


def changed_cells(before: Position, after: Position) -> list[str]:
    """The cells of the picture whose description a move changed."""
    if before.game.svg is None:
        return []
    was = {cell[1]: cell[0] for cell in CELL.finditer(before.svg())}
    now = {cell[1]: cell[0] for cell in CELL.finditer(after.svg())}
    return [name for name in now if was.get(name) != now[name]]


def picture_of(here: Position) -> dict[str, Any]:
    """A position that is only looked at."""
    return {"board": str(here), "svg": STYLE.sub("", here.svg()) if here.game.svg is not None else None}
