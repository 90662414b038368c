"""A program that calls every public function with bad values of every kind, and prints what is not as it should be.

Each entry of CALLS is a call that works: a function with its arguments. Each argument in turn is replaced by every bad
value. Allowed are results, and errors of our family in one line.
"""

from __future__ import annotations

import contextlib
import decimal
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import ludion
from ludion.errors import LudionError


class Awkward:
    """An object that fails at whatever is done with it."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not to be compared")

    __hash__ = None  # type: ignore[assignment]


BAD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2**31, 2**63, 2**70, -(2**70), 1.5, -0.0, math.nan, math.inf, 1j,
    decimal.Decimal("1.5"), np.int64(-3), np.float32(0.5), np.zeros(3), np.array([[1, 2], [3, 4]]),
    "", " ", "no such", "\x00", "\ud800", "x" * 5000, "level:", "level:no-such", "é", "9" * 400, "-1", "python:",
    b"bytes", bytearray(b"x"), [], {}, (), set(), [1, 2], {"a": 1}, {1: 2}, {"a": object()}, ("a", "b"), [[]],
    object(), int, len, lambda: None, iter([]), Path("nowhere"), Path("no\x00where"), ludion, ludion.Answer("limit"),
    ludion.Budget(nodes=1), Ellipsis, NotImplemented, ValueError("x"), Awkward(),
)  # fmt: skip

PUZZLE = ludion.position("taquin", "1 2 3/4 5 6/7 0 8")
DUEL = ludion.position("tic-tac-toe", "xo./.../...")
WORLD = ludion.position("delirium", "level:nearest")
SEARCH = ludion.Search("taquin", "1 2 3/4 5 6/7 0 8")
RUN = ludion.Run("delirium", "level:nearest", steps=3)
ANSWER = ludion.Answer("limit")


def read(text: str, **options: str) -> tuple[Any, Any]:
    raise ludion.NotationError("nothing is a position of this game")


def described(kind: Callable[..., Any]) -> Callable[..., Any]:
    """A description that is made and then used in the usual ways."""

    def use(**fields: Any) -> None:
        game = kind(**fields)
        for function in (lambda: ludion.position(game), lambda: ludion.check(game, compiled=False)):
            with contextlib.suppress(LudionError):
                function()

    return use


FIELDS: dict[str, Any] = {
    "name": "nothing", "title": "Nothing", "summary": "no game at all", "read": read, "write": str,
    "start": "", "example": "", "options": (), "levels": (), "read_move": None, "write_move": None, "text": None,
    "board": None, "move_cells": None, "write_played": None,
    "svg": None, "study": None, "generator": None, "commands": {}, "scene": (), "facts": (),
    "page": None, "report": None,
}  # fmt: skip
SEARCHED = {"engines": {}, "best_engine": "", "unsupported_engines": (), "learning": None}
LIMITS = {"nodes": 50, "seconds": 5.0, "memory": 1 << 26, "depth": 2}

Call = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]

CALLS: list[Call] = [
    # functions
    ("position", ludion.position, ("taquin", ""), {"goal": "1 2 3/4 5 6/7 8 0"}),
    ("load_game_file", ludion.load_game_file, ("nowhere.py",), {}),
    ("register", ludion.register, (PUZZLE.game,), {}),
    ("games", ludion.games, (), {}),
    ("check", ludion.check, ("tic-tac-toe",), {"compiled": False}),
    ("generate", ludion.generate, ("taquin", 0), {}),
    ("generate", ludion.generate, ("rush-hour", 0), {"cars": 3}),
    ("perft", ludion.perft, (DUEL, 1), {}),
    ("run", ludion.run, (WORLD, "best"), {"seed": 0, "steps": 2, "patience": None, "budget": None}),
    ("run", ludion.run, (WORLD, lambda percept: None), {"steps": 2}),
    ("decide", ludion.decide, (WORLD, "layered"), {}),
    ("trace", lambda *a, **k: list(ludion.trace(*a, **k)), (PUZZLE, "a-star"), {"events": 20, "nodes": 20}),
    ("trace", lambda *a, **k: list(ludion.trace(*a, **k)), (SEARCH,), {}),
    ("Position.estimate", PUZZLE.estimate, ("manhattan",), {}),
    ("Position.evaluate", DUEL.evaluate, ("",), {}),
    ("Position.estimates", PUZZLE.estimates, (), {}),
    ("Position.percept", WORLD.percept, (), {}),
    ("explain", ludion.explain, (DUEL, "c3", "alpha-beta"), {"observer": None, **LIMITS}),
    ("review", ludion.review, (DUEL, ["c3"], "alpha-beta"), {"observer": None, **LIMITS}),
    ("review", ludion.review, (PUZZLE, ["right"], "a-star"), {"heuristic": "manhattan", **LIMITS}),
    ("pattern_database", ludion.pattern_database, (1000,), {"automatic": True, "base": None}),
    ("study", ludion.study, (ludion.position("rush-hour", "level:1"),), {}),
    *(
        (function.__name__, function, (place, engine), {guide: name, "budget": None, "observer": None, **LIMITS})
        for function in (ludion.solve, ludion.analyse)
        for place, engine, guide, name in (
            (PUZZLE, "a-star", "heuristic", "manhattan"),
            (DUEL, "negamax", "evaluation", ""),
            (DUEL, "alpha-beta", "heuristic", ""),
        )
    ),
    ("best_move", ludion.best_move, (DUEL, "negamax"), {"evaluation": "", "budget": None, **LIMITS}),
    ("solve", ludion.solve, (PUZZLE, "weighted-a-star"), {"weight": 2.0, **LIMITS}),
    ("solve", ludion.solve, (DUEL, "monte-carlo"), {"seed": 1, **LIMITS}),
    # questions and what they are made of
    ("Budget", ludion.Budget, (1.0, 10, 1000, 1), {}),
    ("Search", lambda *a, **k: ludion.Search(*a, **k).answer(), ("tic-tac-toe", "xo./.../...", {}, {}, (), ""),
     {"engine": "negamax", "heuristic": "", "evaluation": "", "budget": ludion.Budget(nodes=50)}),
    ("Search", lambda *a, **k: hash(ludion.Search(*a, **k)), ("tic-tac-toe", "", {}, {}, (), ""), {"engine": "best"}),
    ("Search", lambda *a, **k: ludion.Search(*a, **k).command(), ("taquin", "", {}, {"weight": 1}, (), ""),
     {"engine": "best", "heuristic": "", "evaluation": "", "budget": ludion.Budget(nodes=50)}),
    ("Run", lambda *a, **k: ludion.Run(*a, **k).record(), ("delirium", "level:nearest", {}, {}, (), ""),
     {"agent": "best", "seed": 0, "steps": 2, "patience": None, "budget": None}),
    ("Run", lambda *a, **k: ludion.Run(*a, **k).url(), ("delirium", "", {}, {}, (), ""),
     {"agent": "best", "seed": 0, "steps": 2, "patience": None, "budget": None}),
    *(
        (f"{type(question).__name__}.{name}", getattr(type(question), name), (getattr(question, name[5:])(),), {})
        for question in (SEARCH, RUN)
        for name in ("from_command", "from_python", "from_url", "from_json")
    ),
    ("Search.at", lambda text: SEARCH.at(text).answer(), ("1 2 3/4 5 6/7 0 8",), {}),
    ("Search.answer", SEARCH.answer, (None,), {}),
    ("Search.analyse", SEARCH.analyse, (None,), {}),
    ("Search.prepare", SEARCH.prepare, (None,), {}),
    ("Observer", lambda *a: ludion.solve(PUZZLE, "a-star", observer=ludion.Observer(*a)), (0, None), {}),
    ("Setting", lambda *a: ludion.Setting(*a).read("1"), ("name", "help", None, str, (), None, None), {}),
    ("Setting.read", ludion.Setting("a", "help", 1, int, least=0).read, (1,), {}),
    ("Setting.read", ludion.Setting("a", "help", 1.5, float, most=3).read, (1,), {}),
    ("Setting.read", ludion.Setting("a", "help", False, bool).read, (True,), {}),
    ("Setting.read", ludion.Setting("a", "help", "x", choices=("x", "y")).read, ("x",), {}),
    # positions
    *(
        (f"Position.{name}", getattr(place, name), (move,), {})
        for place, move in ((PUZZLE, "right"), (DUEL, "c3"), (WORLD, "right"))
        for name in ("play", "read_move", "write_move")
    ),
    *(
        (f"Position.{name}", getattr(place, name), (), {})
        for place in (PUZZLE, DUEL, WORLD)
        for name in ("codes", "moves", "svg", "__str__", "__repr__", "__hash__")
    ),
    ("Position", lambda *a: repr(ludion.Position(*a)), (DUEL.game, DUEL.rules, DUEL.state, {}), {}),
    # answers
    ("Analysis", ludion.Analysis, ([],), {}),
    ("Answer", ludion.Answer, ("limit",), {}),
    ("MoveScore", ludion.MoveScore, (1, "a1", None, None, "limit", 3), {}),
    ("Score", ludion.Score, (1, False), {}),
    ("Score.win_in", ludion.Score.win_in, (1,), {}),
    ("Score.loss_in", ludion.Score.loss_in, (1,), {}),
    ("Event", ludion.Event, ("expanded", 0, 0, 0, 0, 0), {}),
    ("Progress", ludion.Progress, (0, 0, 0, 0, None, 0, 0.0), {}),
    # descriptions
    ("Level", ludion.Level, ("name", "position", "", {}, {}), {}),
    ("Heuristic", ludion.Heuristic, (tuple, "help", False), {}),
    ("Evaluation", ludion.Evaluation, (tuple, "help"), {}),
    ("Engine", ludion.Engine, (read, "help", "needed", "always", ()), {}),
    ("AgentMaker", ludion.AgentMaker, (read, "help", (), ""), {}),
    ("Generator", ludion.Generator, (read, (), False), {}),
    ("Study", ludion.Study, (read, ()), {}),
    ("Piece", ludion.Piece, ("stone", "red", "x", "disc", 0), {}),
    ("Board", lambda *a: (ludion.Board(*a).svg("title"), ludion.Board(*a).array(0)),
     (["x."], {"x": ludion.Piece("stone")}, "square", ["a", "b"], {}, 0), {}),
    ("Board.name", ludion.Board(["x."]).name, ("a1",), {}),
    ("Board.array", ludion.Board(["x."]).array, (None,), {}),
    ("Puzzle", described(ludion.Puzzle), (), {**FIELDS, **SEARCHED, "heuristics": {}, "default_heuristic": ""}),
    ("Duel", described(ludion.Duel), (), {**FIELDS, **SEARCHED, "evaluations": {}, "default_evaluation": ""}),
    ("Quest", described(ludion.Quest), (), {**FIELDS, "agents": {}, "actions": None}),
]  # fmt: skip


def replaced(
    arguments: tuple[Any, ...], named: dict[str, Any]
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The call as it is, and with each argument replaced by each bad value."""
    yield arguments, named
    for bad in BAD:
        for index in range(len(arguments)):
            yield (*arguments[:index], bad, *arguments[index + 1 :]), named
        for name in named:
            yield arguments, {**named, name: bad}


def complaint(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> str:
    """What is wrong with the way a call ended; nothing if all is well."""
    try:
        function(*arguments, **named)
    except LudionError as error:
        return "two lines" if "\n" in str(error) else ""
    except BaseException as error:
        return f"{type(error).__name__} {error}"[:200]
    return ""


def shown(value: Any) -> str:
    try:
        return repr(value)[:40]
    except Exception:
        return object.__repr__(value)


def main() -> None:
    exceptions = {name for name in ludion.__all__ if name.endswith("Error")}
    called = {name.partition(".")[0] for name, *_ in CALLS}
    for name in sorted(set(ludion.__all__) - exceptions - called):
        print(f"{name} is never called")
    count = 0
    for name, function, working, fields in CALLS:
        if len(sys.argv) > 1 and name.partition(".")[0] not in sys.argv[1:]:
            continue
        for arguments, named in replaced(working, fields):
            count += 1
            wrong = complaint(function, arguments, named)
            if wrong:
                changed = [shown(value) for value in arguments]
                changed += [
                    f"{key}={shown(value)}" for key, value in named.items() if value is not fields[key]
                ]
                print(f"{name}({', '.join(changed)}): {wrong}", flush=True)
    print(count)


if __name__ == "__main__":
    sys.exit(main())
