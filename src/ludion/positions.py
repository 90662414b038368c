"""Positions: values that parse, print and draw themselves; `play` gives the next one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from numbers import Integral
from pathlib import Path
from typing import Any

from ludion import estimates, registry
from ludion.errors import IllegalMoveError, LudionError, NotationError, UnfitError, in_short
from ludion.estimates import Estimate
from ludion.fields import check_type
from ludion.kinds.games import OPEN, RUNNING, Game, Puzzle, Quest
from ludion.messages import labelled, message
from ludion.registry import GameFile
from ludion.svg import beside

MOST_LISTED = 12  # legal moves named in an error


class Position:
    """A position of a game (the world of a quest): it prints as a board and draws itself; `play` gives the next one.

    `game` is the description, `rules` the tables that verbs take, `state` the value that moves change, and `options`
    the options of the rules in force.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        rules: Any,
        state: Any,
        options: Mapping[str, str] | None = None,
        start: str | None = None,
        actions: tuple[str, ...] = (),
    ) -> None:
        check_type("game", game, Game)
        check_type("options", options, Mapping, optional=True)
        self.game, self.rules, self.state = game, rules, state
        self.options = dict(options or {})
        # Of a quest: the text it began with and the actions since. Its own text says only what may be seen of it.
        self.start, self.actions = start, actions
        self.played: str | None = (
            None  # the text with the moves in the order given, where the game's texts list moves
        )
        if not is_read_back(self):
            raise NotationError(message("errors.not_of_game", game=game.caption, value=in_short(state)))

    @classmethod
    def trusted(
        cls,
        game: Game[Any, Any],
        rules: Any,
        state: Any,
        options: dict[str, str],
        start: str | None = None,
        actions: tuple[str, ...] = (),
        played: str | None = None,
    ) -> Position:
        """A position that need not be checked, from `read` or `play`."""
        here = cls.__new__(cls)
        here.game, here.rules, here.state, here.options = game, rules, state, options
        here.start, here.actions, here.played = start, actions, played
        return here

    @property
    def text(self) -> str:
        """The position in one line; `ludion.position` reads it back."""
        return self._board_text if self.played is None else self.played

    @property
    def _board_text(self) -> str:
        """The text of this board, independent of the moves that led to it."""
        return str(self.game.write(self.rules, self.state))

    @property
    def status(self) -> str:
        """`open` (a quest: `running`); a puzzle is `solved`; a duel `won`, `lost` or `drawn` for the player to move; a
        quest `won` or `lost`."""
        return self.game.status(self.rules, self.state)

    @property
    def is_open(self) -> bool:
        """Whether the game goes on."""
        return self.status in (OPEN, RUNNING)

    def codes(self) -> list[Any]:
        """The legal moves as engines know them: ints; the actions of a quest."""
        return self.game.moves(self.rules, self.state)

    def moves(self) -> list[str]:
        """The legal moves in the game's notation."""
        return [self._written(code) for code in self.codes()]

    def write_move(self, move: Any) -> str:
        """The name of a move."""
        if isinstance(self.game, Quest) or is_number(move):
            try:
                return self._written(move)
            except LudionError:
                raise
            except Exception as error:
                raise self._illegal(move, self.codes()) from error
        raise self._illegal(move, self.codes())

    def _written(self, move: Any) -> str:
        write = self.game.write_move
        return str(write(self.rules, self.state, move)) if write else str(move)

    def say_move(self, move: Any) -> str:
        """A move in words, in the language in use."""
        say = self.game.say_move
        return str(say(self.rules, self.state, move)) if say else self.write_move(move)

    def _check(self, move: Any) -> None:
        """Raise an error of ours if this is not a legal move; a quest that does not list its actions accepts any."""
        if isinstance(self.game, Quest):
            if self.game.actions is None:
                return
            codes = self.codes()
            legal = any(type(code) is type(move) and code == move for code in codes)
        else:
            codes = self.codes()
            legal = is_number(move) and move in codes
        if not legal:
            raise self._illegal(move, codes)

    def read_move(self, text: str) -> Any:
        """The legal move of this name."""
        if not isinstance(text, str):
            raise IllegalMoveError(message("errors.move_not_text", value=in_short(text)))
        if not self._lists_moves:
            return self._read_unlisted(text)
        codes = self.codes()
        if self.game.read_move is None:
            move = {self._written(code): code for code in codes}.get(text)
        else:
            move = self.game.read_move(self.rules, self.state, text)
            move = move if move in codes else None
        if move is None:
            raise self._illegal(text, codes)
        return move

    @property
    def _lists_moves(self) -> bool:
        """Whether the legal moves are known; a quest need not list its actions: the world refuses illegal ones."""
        return not isinstance(self.game, Quest) or self.game.actions is not None

    def _read_unlisted(self, text: str) -> Any:
        if self.game.read_move is not None:
            return self.game.read_move(self.rules, self.state, text)
        try:
            return int(text)
        except ValueError:
            return text

    def _illegal(self, move: object, codes: list[Any]) -> IllegalMoveError:
        if codes:
            names = [self._written(code) for code in codes[:MOST_LISTED]]
            listed = ", ".join(names) + (", ..." if len(codes) > MOST_LISTED else "")
            why = message("errors.legal_moves", moves=listed)
        else:
            why = message("errors.no_move_left", status=self.status)
        return IllegalMoveError(
            message(
                "errors.illegal_move", move=move[:100] if isinstance(move, str) else in_short(move), why=why
            )
        )

    def play(self, *moves: Any) -> Position:
        """The position after these moves (names, or the engines' ints)."""
        here = self
        for move in moves:
            if isinstance(move, str):
                code = here.read_move(move)
            else:
                here._check(move)
                code = move
            actions = (*here.actions, here._written(code)) if isinstance(self.game, Quest) else ()
            state = self.game.play(here.rules, here.state, code)
            write_played = self.game.write_played
            played = write_played(here.rules, here.text, code) if write_played else None
            here = Position.trusted(self.game, here.rules, state, self.options, self.start, actions, played)
        return here

    def percept(self) -> Any:
        """What an agent may see of the world of a quest."""
        from ludion.kinds import quest

        if not isinstance(self.game, Quest):
            raise UnfitError(
                message(
                    "errors.not_a_quest", game=self.game.caption, kind=self.game.kind, name=self.game.name
                )
            )
        return quest.percept(self.state)

    def estimate(self, heuristic: str = "") -> Estimate:
        """The estimate of a heuristic (by default the game's) for this position of a puzzle, with its parts."""
        check_type("heuristic", heuristic, str)
        return estimates.estimate(self.game, self.rules, self.state, "heuristic", heuristic)

    def evaluate(self, evaluation: str = "") -> Estimate:
        """The value of an evaluation (by default the game's) for this position of a duel, with its parts."""
        check_type("evaluation", evaluation, str)
        return estimates.estimate(self.game, self.rules, self.state, "evaluation", evaluation)

    def estimates(self) -> dict[str, Estimate]:
        """The values of all heuristics or evaluations of the game for this position, without those that do not fit."""
        every = estimates.compare(self.game, self.rules, self.state)
        return {name: result for name, result in every if isinstance(result, Estimate)}

    @property
    def goal(self) -> Position | None:
        """The goal of a puzzle that has exactly one."""
        from ludion.kinds import puzzle

        if not isinstance(self.game, Puzzle) or not puzzle.goal.has(self.rules):
            return None
        return Position.trusted(self.game, self.rules, puzzle.goal(self.rules), self.options)

    @property
    def own_goal(self) -> Position | None:
        """The goal, if options changed it: then a reader has to see it."""
        goal = self.goal if self.options else None
        return None if goal is None or goal.text == _usual_goal(self.game, self.text) else goal

    def svg(self, with_goal: bool = False) -> str:
        """The position as an SVG picture; `with_goal` draws a goal of its own beside it."""
        if self.game.svg is None:
            raise UnfitError(message("errors.no_picture", game=self.game.caption))
        picture = str(self.game.svg(self.rules, self.state))
        goal = self.own_goal if with_goal else None
        return beside(picture, goal.svg(), message("boards.goal")) if goal else picture

    def _repr_svg_(self) -> str | None:
        return self.svg(with_goal=True) if self.game.svg else None

    def with_goal(self) -> str:
        """The board in text, with a goal of its own beside it."""
        goal = self.own_goal
        if goal is None:
            return str(self)
        rows, goal_rows = str(self).splitlines(), str(goal).splitlines()
        label = "   " + labelled(message("boards.goal"), "")
        width = max(map(len, rows))
        return "\n".join(
            f"{row:<{width}}{label if number == 0 else ' ' * len(label)}{goal_row}"
            for number, (row, goal_row) in enumerate(zip_longest(rows, goal_rows, fillvalue=""))
        )

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a terminal: the board."""
        printer.text(str(self))

    def __str__(self) -> str:
        return str(self.game.text(self.rules, self.state)) if self.game.text else self.text

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        actions = f".play({', '.join(map(repr, self.actions))})" if self.actions else ""
        return f"ludion.position({self.game.name!r}, {self._origin!r}{options}){actions}"

    @property
    def _origin(self) -> str:
        """The text that reproduces this position, together with the actions since."""
        return self.text if self.start is None or not isinstance(self.game, Quest) else self.start

    @property
    def _identity(self) -> tuple[object, ...]:
        """The values by which positions are compared; for a quest, what may be seen and the actions so far."""
        return self.game.name, self._board_text, tuple(sorted(self.options.items())), self.actions

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __reduce__(self) -> tuple[Any, ...]:
        files = registry.files_of(self.game.name)
        return _read_again, (self.game.name, self._origin, self.options, files, self.actions)


def _usual_goal(game: Game[Any, Any], text: str) -> str | None:
    """The goal of the position of this text without options; None if it has none, or needs options."""
    try:
        goal = position(game, text).goal
    except LudionError:
        return None
    return None if goal is None else goal.text


def is_number(move: object) -> bool:
    """Whether this may be a move of an engine (an int)."""
    return isinstance(move, Integral) and not isinstance(move, bool)


def is_read_back(here: Position) -> bool:
    """Whether the game reads this position back from its text. Engines trust positions: compiled code does not check
    them."""
    import numpy as np

    from ludion.core.words import flat

    game = here.game
    if isinstance(game, Quest):
        return True
    try:
        rules, state, _ = game.begin(here.text, here.options)
        if any(isinstance(field, np.ndarray) for field in state):  # whose order a text may leave out
            shapes = [[getattr(field, "shape", None) for field in each] for each in (state, here.state)]
            return shapes[0] == shapes[1] and str(game.write(rules, state)) == here.text
        return type(rules) is type(here.rules) and flat(state) == flat(here.state)
    except Exception:
        return False


def _read_again(
    name: str, text: str, options: dict[str, str], files: tuple[GameFile, ...], actions: tuple[str, ...] = ()
) -> Position:
    """The position that was pickled, also in a process that has not seen its game file."""
    for file in files:
        registry.load(file)
    return position(name, text, **options).play(*actions)


def position(game: str | Path | Game[Any, Any], text: str = "", **options: str) -> Position:
    """The position that the text names: the game's notation, `level:NAME`, or nothing for the start."""
    description = game if isinstance(game, Game) else registry.find(game)
    rules, state, chosen = description.begin(text, options)
    write_played = description.write_played
    played = write_played(rules, description.resolve(text, options)[0], None) if write_played else None
    return Position.trusted(description, rules, state, chosen, text, played=played)
