"""The common contract of puzzles and duels: values, texts, names of moves, and a `play` that changes nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ludion.checks.sample import CheckedPosition, frozen, problem_at
from ludion.engines.trial import ContractProblem, checked_call, place_of, raised_problem, shape_of, shown
from ludion.errors import LudionError
from ludion.kinds import duel
from ludion.kinds.games import DUEL
from ludion.kinds.moving import play
from ludion.messages import message

MOVES_TRIED = 8


def function_problem(
    function: object, verb: str, position: str, id: str, /, **values: object
) -> ContractProblem:
    """A problem of a function of the description, such as `read`."""
    file, line = place_of(function)
    return ContractProblem(file, line, verb, position, message(f"checks.{id}", verb=verb, **values))


def check_play_is_pure(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """Playing changes neither the position nor the rules (a duel may change arrays, which `undo` restores)."""
    for place in sample:
        for code in place.codes[:MOVES_TRIED]:
            before = frozen(place.rules), frozen(place.state)
            own = duel.copy(place.rules, place.state) if place.game.kind == DUEL else place.state
            checked_call(play, place.state, place.rules, own, code)
            after = frozen(place.rules), frozen(place.state)
            if before != after:
                what = "rules" if before[0] != after[0] else "position"
                yield problem_at(play, place.rules, f"play_changes_{what}", place, move=code)
                return


def check_texts(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """`read` reads back what `write` writes."""
    for place in sample:
        game = place.game
        try:
            text = game.write(place.rules, place.state)
        except Exception as error:
            yield raised_problem(error, "write", game.write, shown(place.state))
            return
        if not isinstance(text, str):
            yield function_problem(
                game.write, "write", shown(place.state), "returns", expected="str", came=shape_of(text)
            )
            return
        try:
            rules, state = game.read(text.strip(), **place.options)
        except LudionError as error:
            yield function_problem(game.read, "read", text, "not_read_back", why=error)
            return
        except Exception as error:
            yield raised_problem(error, "read", game.read, text)
            return
        whole = not any(isinstance(field, np.ndarray) for field in state)
        if whole and frozen(state) != frozen(place.state):
            yield function_problem(
                game.read, "read", text, "read_differs", expected=shown(place.state), came=shown(state)
            )
            return
        if shape_of(rules) != shape_of(place.rules):
            expected, came = shape_of(place.rules), shape_of(rules)
            yield function_problem(game.read, "read", text, "rules_differ", expected=expected, came=came)
            return


def check_move_names(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """Moves have different names, and each name leads back to its move."""
    for place in sample:
        game = place.game
        names: dict[str, int] = {}
        for code in place.codes:
            if game.write_move is None:
                name: Any = str(code)
            else:
                try:
                    name = game.write_move(place.rules, place.state, code)
                except Exception as error:
                    yield raised_problem(error, "write_move", game.write_move, place.text)
                    return
                if not isinstance(name, str) or not name:
                    yield function_problem(
                        game.write_move, "write_move", place.text, "returns", expected="str", came=shown(name)
                    )
                    return
            if name in names:
                first = names[name]
                yield function_problem(
                    game.write_move,
                    "write_move",
                    place.text,
                    "name_twice",
                    name=name,
                    first=first,
                    second=code,
                )
                return
            names[name] = code
        for name, code in names.items():
            if game.read_move is not None:
                try:
                    back = game.read_move(place.rules, place.state, name)
                except Exception as error:
                    yield raised_problem(error, "read_move", game.read_move, place.text)
                    return
                if back != code:
                    yield function_problem(
                        game.read_move, "read_move", place.text, "name_leads_elsewhere",
                        name=name, expected=code, came=shown(back),
                    )  # fmt: skip
                    return


def check_drawings(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """The board in text and the picture are texts."""
    for place in sample[:MOVES_TRIED]:
        for verb in ("text", "svg"):
            draw = getattr(place.game, verb)
            if draw is None:
                continue
            try:
                drawn = draw(place.rules, place.state)
            except Exception as error:
                yield raised_problem(error, verb, draw, place.text)
                return
            if not isinstance(drawn, str) or not drawn.strip():
                yield function_problem(draw, verb, place.text, "returns", expected="str", came=shown(drawn))
                return
            if verb == "svg" and (why := not_svg(drawn)):
                yield function_problem(draw, verb, place.text, "not_svg", why=why)
                return


def not_svg(text: str) -> str:
    """Why a text is not an SVG picture; nothing if it is one."""
    try:
        tag = ElementTree.fromstring(text).tag
    except ElementTree.ParseError as error:
        return str(error)
    return "" if tag.endswith("svg") else f"<{tag}>"
