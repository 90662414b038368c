"""The positions for the checks of a game, whose code runs in plain Python with every index checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.core.verbs import Verb
from ludion.core.words import mix
from ludion.engines.trial import (
    BrokenContractError,
    ContractProblem,
    check_goal,
    check_play,
    check_verdict,
    listed_moves,
    place_of,
    problem_of,
    raised_problem,
    shown,
)
from ludion.errors import LudionError
from ludion.kinds import duel
from ludion.kinds.games import DUEL, Game
from ludion.kinds.moving import most_moves, moves
from ludion.messages import message

MOST_STARTS = 6
STEPS = 24
SEEDS = (1, 2)


@dataclass
class CheckedPosition:
    """A position of the sample, with the values that its checks need."""

    game: Game[Any, Any]
    rules: Any
    state: Any
    options: dict[str, str]
    codes: list[int]  # its legal moves, none at the end of a game

    @property
    def text(self) -> str:
        """The position in the game's notation, or as its fields."""
        try:
            return str(self.game.write(self.rules, self.state))
        except Exception:
            return shown(self.state)


class MoveBuffer(np.ndarray):
    """A buffer of moves that accepts only whole numbers, at indices of at least 0."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, (int, np.integer)):
            if index < 0:
                raise IndexError(message("checks.negative_index", index=index))
            if isinstance(value, (float, np.floating, bool, np.bool_)):
                raise TypeError(message("checks.not_a_move", value=repr(value)))
        super().__setitem__(index, value)


def new_buffer(most: int) -> MoveBuffer:
    return np.zeros(most, np.int64).view(MoveBuffer)


def frozen(value: object) -> object:
    """A value with its arrays as lists, for comparison."""
    if isinstance(value, tuple):
        return tuple(frozen(each) for each in value)
    return value.tolist() if isinstance(value, np.ndarray) else value


def starts(game: Game[Any, Any]) -> list[str]:
    """The texts of the positions to begin with: the start, the example, and some levels."""
    levels = game.all_levels()
    chosen = levels[:: max(1, len(levels) // (MOST_STARTS - 2))][: MOST_STARTS - 2]
    return list(
        dict.fromkeys([game.start, game.example or game.start, *(f"level:{level.name}" for level in chosen)])
    )


def begin(
    game: Game[Any, Any], text: str, options: Mapping[str, str] | None = None
) -> tuple[Any, Any, dict[str, str]]:
    """The result of `read` for a text, which must be a pair."""
    try:
        return game.begin(text, options or {})
    except LudionError as error:
        if error.__cause__ is not None:
            raise BrokenContractError(raised_problem(error.__cause__, "read", game.read, text)) from error
        file, line = place_of(game.read)
        sentence = message("checks.start_refused", text=text, why=error)
        raise BrokenContractError(ContractProblem(file, line, "read", "", sentence)) from error
    except Exception as error:
        raise BrokenContractError(raised_problem(error, "read", game.read, text)) from error


def walk(game: Game[Any, Any], text: str, seed: int) -> Iterator[CheckedPosition]:
    """A random game, every verb checked on the way."""
    rules, state, options = begin(game, text)
    if game.kind == DUEL:
        state = duel.copy(rules, state)
    most = int(most_moves(rules))
    for step in range(STEPS + 1):
        codes = legal(game, rules, state, most)
        yield CheckedPosition(
            game, rules, duel.copy(rules, state) if game.kind == DUEL else state, options, list(codes)
        )
        if not codes or step == STEPS:
            return
        move = codes[(mix(step, seed) & 0xFFFF) % len(codes)]
        state = check_play(rules, state, move)


def legal(game: Game[Any, Any], rules: Any, state: Any, most: int) -> list[int]:
    """The legal moves: within bounds, each once, the same in a second call; at least one if the game goes on."""
    is_over = check_verdict(rules, state) != duel.OPEN if game.kind == DUEL else check_goal(rules, state)
    if is_over:
        return []
    codes = listed_moves(moves, rules, state, most=most, position=state, buffer=new_buffer(most))
    if len(set(codes)) < len(codes):
        twice = next(code for code in codes if codes.count(code) > 1)
        raise BrokenContractError(problem_of(moves, rules, "move_twice", state, move=twice))
    again = listed_moves(moves, rules, state, most=most, position=state, buffer=new_buffer(most))
    if codes != again:
        raise BrokenContractError(
            problem_of(moves, rules, "moves_differ", state, first=shown(codes), second=shown(again))
        )
    if not codes and game.kind == DUEL:
        raise BrokenContractError(problem_of(moves, rules, "open_without_moves", state))
    return codes


def problem_at(
    verb: Verb, subject: object, name: str, place: CheckedPosition, **values: object
) -> ContractProblem:
    """A problem of a verb on a position of the sample."""
    return problem_of(verb, subject, name, place.text, **values)
