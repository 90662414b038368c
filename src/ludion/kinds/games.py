"""Descriptions of games, as data: `Puzzle`, `Duel` and `Quest`.

Each game has one description, `GAME`, in its folder's `__init__.py` or in a user's file. General code knows a game only
by its description. Functions of a description take the *rules* (the NamedTuple of tables returned by `read`) and a
*position* (in a quest: the *world*) first.
"""

from __future__ import annotations

import copy
import functools
import inspect
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from ludion.answers import Answer, MoveScore, Score
from ludion.core.sources import user_line
from ludion.errors import GameFileError, LudionError, NotationError, UnfitError, in_short, unknown
from ludion.fields import TypedFields
from ludion.kinds.boards import (
    Board,
    FromBoard,
    blaming,
    name_of_move,
    not_written,
    rows_of_board,
    svg_of_board,
    text_of_board,
)
from ludion.kinds.lazy import LazyFunction
from ludion.kinds.parts import MoveReason, ValuePart
from ludion.kinds.settings import Setting, read_settings
from ludion.messages import message, translated

if TYPE_CHECKING:
    import click

    from ludion.kinds.learning import Coding, WorldCoding
    from ludion.kinds.quest import Agent, Record
    from ludion.tables import Table

R = TypeVar("R")  # rules
P = TypeVar("P")  # position, or the world of a quest

PUZZLE, DUEL, QUEST = "puzzle", "duel", "quest"
OPEN, RUNNING = "open", "running"  # statuses of a game that goes on
NEEDED, OPTIONAL, UNUSED = "needed", "optional", "unused"  # a heuristic or evaluation, by an engine
ALWAYS, ADMISSIBLE, NEVER = "always", "admissible", "never"  # when an engine's answer is optimal


# ------------------------------------------------------------------ parts of a description


@dataclass(frozen=True)
class Level(TypedFields):
    """A named position with its source and known results."""

    name: str
    position: str
    source: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Any] = field(default_factory=dict)  # for example {"moves": 8, "steps": 16}


@dataclass(frozen=True)
class Heuristic(TypedFields, Generic[R]):
    """A heuristic guides a search for a path: `make(rules)` returns its value, whose verb is `estimate`.

    `make` may also be a NamedTuple class without fields. `parts(value, rules, position)` lists the summands of the
    estimate, `ready(rules)` says whether it is available at once; a heuristic with large tables may have to build them.
    If it is `budgeted`, `make` also takes `budget` and `observer` of the search that asks for it.
    """

    make: Callable[..., Any]
    help: str
    admissible: bool = False  # it never overestimates
    parts: Callable[[Any, Any, Any], Sequence[ValuePart]] | None = None
    ready: Callable[[R], bool] | None = None
    budgeted: bool = False

    def value(self, rules: R) -> Any:
        return _made(self.make, rules)


@dataclass(frozen=True)
class Evaluation(TypedFields, Generic[R]):
    """An evaluation judges an open position of a duel: `make(rules)` returns its value, whose verb is `evaluate`.

    `make` may also be a NamedTuple class without fields. `parts(value, rules, position)` lists the summands of the
    points. A player who is `scale` points ahead is expected to score 1 / (1 + 1/e) = 73 %.
    """

    make: Callable[..., Any]
    help: str
    parts: Callable[[Any, Any, Any], Sequence[ValuePart]] | None = None
    scale: float = 50.0

    def value(self, rules: R) -> Any:
        return _made(self.make, rules)


EVEN: Evaluation[Any] = Evaluation(
    LazyFunction("ludion.kinds.duel", "even"), "nothing: only wins and losses count"
)


def _made(make: Callable[..., Any], rules: object) -> Any:
    return make() if isinstance(make, type) and getattr(make, "_fields", None) == () else make(rules)


@dataclass(frozen=True)
class Engine(TypedFields):
    """An algorithm that answers questions about positions.

    `solve(rules, position, guide, budget, observer, **settings) -> Answer`, where the guide is the heuristic or the
    evaluation: NEEDED (the game's default, if none is named), OPTIONAL (None, if none is named) or UNUSED (always
    None). `optimal` says when its answer is optimal: ALWAYS, with an ADMISSIBLE heuristic, or NEVER.
    """

    solve: Callable[..., Answer]
    help: str
    guide: str = NEEDED
    optimal: str = ALWAYS
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True)
class AgentMaker(TypedFields, Generic[R]):
    """Creates an agent: `make(rules, **settings) -> Agent`.

    It gets the settings that it declares. If declared, `seed` and `budget` (seconds per decision) are set by the run.
    `argument` names the text after the colon in `--agent prolog:FILE`, which is passed as `argument`.
    """

    make: Callable[..., Agent]
    help: str
    settings: tuple[Setting, ...] = ()
    argument: str = ""  # for example FILE


PYTHON = "python"
PYTHON_AGENT: AgentMaker[Any] = AgentMaker(
    LazyFunction("ludion.kinds.quest", "agent_from_file"), "an agent of your own", argument="FILE.py"
)


@dataclass(frozen=True)
class Generator(TypedFields):
    """Generates new positions: `make(seed, **settings) -> text`, the same text for the same seed.

    A slow generator is `stoppable`: it takes `stop`, a threading.Event, and raises StoppedError once it is set.
    On Ctrl-C it may raise KeyboardInterrupt with the best text so far, which the command line then prints.
    """

    make: Callable[..., str]
    settings: tuple[Setting, ...] = ()
    stoppable: bool = False

    def text(self, seed: int, **settings: Any) -> str:
        """The generated text; an error if `make` returns anything else."""
        with blaming(self.make):
            text = self.make(seed, **settings)
            if not isinstance(text, str):
                raise GameFileError(
                    message("checks.returns", verb="make", expected="str", came=in_short(text))
                )
        return text


@dataclass(frozen=True)
class Study(TypedFields):
    """Further analysis of a position: `examine(rules, position, **settings) -> dict` of plain values.

    An entry `text` has all of it in words.
    """

    examine: Callable[..., Mapping[str, Any]]
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True)
class Figures(TypedFields):
    """The figures of an old report for one search; None for figures that it does not have."""

    length: int | None = None
    milliseconds: int | None = None
    nodes: int | None = None
    score: int | None = None


@dataclass(frozen=True)
class ReportedSearch(TypedFields):
    """One search of an old report: what was asked, and the report's figures (None where it ran out of memory)."""

    instance: str  # the row of the report's table
    position: str
    engine: str
    guide: str = ""
    depth: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    figures: Figures | None = None


@dataclass(frozen=True)
class Report(TypedFields):
    """The tables of an old report: its searches, and the tables with its figures beside ours.

    `tables(results)` gets each search with the JSON object of our answer.
    """

    searches: Callable[[], Sequence[ReportedSearch]]
    tables: Callable[[Sequence[tuple[ReportedSearch, Mapping[str, Any]]]], list[Table]]


class Tools(Protocol):
    """Services of the command line for a game's own commands (as `click.Context.obj`)."""

    def show_json(self, value: object) -> None:
        """Print one JSON object on a line."""

    def announce_compiling(self) -> None:
        """Say on stderr when something has to be compiled."""

    def run_jobs(
        self, work: Callable[[Any], Any], items: Any, *, jobs: int = 1, cluster: str | None = None
    ) -> Iterator[Any]:
        """The results of all items, in order, computed by several threads or on a cluster."""


# ------------------------------------------------------------------ the three kinds


@dataclass(frozen=True, kw_only=True)
class Game(TypedFields, Generic[R, P]):
    """The fields that every description has.

    name          as on the command line: lower case, words joined by hyphens
    title         as people write it
    summary       one line: what the player does
    read          read(text, **options) -> (rules, position): the position that a text names; bad texts raise
                  NotationError
    write         write(rules, position) -> text that `read` reads back; without it, the rows of the board with /
                  between them
    write_played  write_played(rules, text, move) -> the text with one more move (none if it is None), for games whose
                  text lists the moves: a position then keeps their order; None for a text that lists none
    start         the text of the position to begin with
    first         what a new player finds, a text or level:NAME; without it the start, or else the first level
    example       a position for the guided tour; a text, or level:NAME
    options       options of the rules, passed to `read` as texts
    levels        a folder of TOML files, or Level values
    read_move     read_move(rules, position, text) -> move; without it, moves are found by their written form
    write_move    write_move(rules, position, move) -> text; without it, moves are written as numbers
    board         board(rules, position) -> ludion.Board, the board as data (of a quest: what its player may see); text,
                  svg and arrays for learners come from it
    move_cells    move_cells(rules, position, move) -> the cells of the board that a move leads over, by name or number;
                  without write_move, moves are named by them: `a1`, `a1-b2`
    say_move      say_move(rules, position, move) -> the move in words, in the language in use
    text          text(rules, position) -> the board in lines of text
    svg           svg(rules, position) -> the board as an SVG picture
    reason        reason(rules, position, move) -> ludion.kinds.parts.MoveReason: why a move is good or bad, from what
                  its player may see; None if the game itself has no reason
    study         further analysis of a position
    generator     new positions from a seed
    report        the tables of an old report
    commands      commands of the game's own for the command line, by name: a function that makes a click command
    page          the JavaScript module that makes the SVG board playable in the studio
    introduction  a TOML file of small positions with tasks that teach the game (see `read_steps`)
    scene         moves after the example that the studio's thumbnail shows
    facts         where the rules and figures come from
    """

    kind: ClassVar[str]

    name: str
    title: str
    summary: str
    read: Callable[..., tuple[R, P]]
    write: Callable[[R, P], str] = not_written
    write_played: Callable[[R, str, Any], str | None] | None = None
    start: str = ""
    first: str = ""
    example: str = ""
    options: tuple[Setting, ...] = ()
    levels: Path | Sequence[Level] = ()
    read_move: Callable[[R, P, str], Any] | None = None
    write_move: Callable[[R, P, Any], str] | None = None
    board: Callable[[R, P], Board] | None = None
    move_cells: Callable[[R, P, Any], Any] | None = None
    say_move: Callable[[R, P, Any], str] | None = None
    text: Callable[[R, P], str] | None = None
    svg: Callable[[R, P], str] | None = None
    reason: Callable[[R, P, Any], MoveReason | None] | None = None
    study: Study | None = None
    generator: Generator | None = None
    report: Report | None = None
    commands: Mapping[str, Callable[[], click.Command]] = field(default_factory=dict)
    page: Path | None = None
    introduction: Path | None = None
    scene: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.move_cells is not None and self.board is None:
            raise GameFileError(message("boards.no_board"))
        if self.board is None:
            if self.write is not_written:
                raise GameFileError(message("boards.no_write"))
            return
        derived: dict[str, Callable[..., str]] = {
            "write": rows_of_board,
            "text": text_of_board,
            "svg": svg_of_board,
        }
        if self.move_cells is not None:
            derived["write_move"] = name_of_move
        for name, use in derived.items():
            own = getattr(self, name)
            if own is None or own is not_written or isinstance(own, FromBoard):
                object.__setattr__(self, name, FromBoard(self.title, self.board, use, self.move_cells))

    def describe_board(self, rules: R, position: P) -> Board:
        """The board as data, for a game that describes it."""
        if self.board is None:
            raise UnfitError(message("boards.not_described", game=self.caption))
        return FromBoard(self.title, self.board, text_of_board).describe(rules, position)

    def all_levels(self) -> list[Level]:
        """The levels, in order."""
        return list(read_levels(self.levels) if isinstance(self.levels, Path) else self.levels)

    def level(self, name: str) -> Level:
        """The level of this name."""
        levels = {level.name: level for level in self.all_levels()}
        if name not in levels:
            raise unknown("errors.level", name, levels, game=self.name)
        return levels[name]

    def check_options(self, options: Mapping[str, object]) -> dict[str, str]:
        """The options of the rules; an error if one does not exist or has a bad value."""
        values = read_settings(self.options, options, "settings.of_game", game=self.name)
        return {name: str(value) for name, value in values.items() if value is not None}

    def begin(self, text: str, options: Mapping[str, object]) -> tuple[R, P, dict[str, str]]:
        """The rules and the position that a text names (notation, level:NAME, or nothing for the start), and the
        options in force: those of the level with the given ones over them."""
        if not isinstance(text, str):
            raise NotationError(message("errors.not_a_text", type=type(text).__name__, value=in_short(text)))
        text, chosen = self.resolve(text, self.check_options(options))
        rules, position = self._read(text, chosen)
        return rules, position, chosen

    def resolve(self, text: str, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """The notation that a text stands for, which may be a level or nothing, and the options with the level's."""
        text = text.strip()
        if text.startswith("level:"):
            level = self.level(text.removeprefix("level:"))
            text, options = level.position.strip(), {**level.options, **options}
        return text or self.start.strip(), dict(options)

    def _read(self, text: str, options: Mapping[str, str]) -> tuple[R, P]:
        """The result of `read` for a text; any other exception becomes an error of ours that names the line."""
        try:
            pair = self.read(text, **options)
        except LudionError:
            raise
        except Exception as error:
            file, line = user_line(error.__traceback__) or ("", 0)
            place = f"{Path(file).name}:{line}: " if file else ""
            why = in_short(error, 200) if not str(error) else " ".join(str(error).split())[:200]
            sentence = message("checks.raises", verb="read", error=type(error).__name__, text=why)
            where = message("checks.at", position=in_short(text))
            raise NotationError(f"{place}{sentence}{where}") from error
        if not isinstance(pair, tuple) or len(pair) != 2:
            with blaming(self.read):
                raise GameFileError(
                    message("checks.returns", verb="read", expected="(rules, position)", came=in_short(pair))
                )
        return pair

    def translate(self, place: str, english: str) -> str:
        """A text of this description in the language in use; `place` is for example `option.goal`."""
        return translated(f"{self.name.replace('-', '_')}.{place}", english)

    def first_position(self) -> str:
        """The text of the position that a new player finds."""
        return self.first or self.start or next((f"level:{level.name}" for level in self.all_levels()), "")

    def level_title(self, name: str) -> str:
        """The name of a level for people: its own, or that of its group with its number, or nothing."""
        if title := self.translate(f"level.{name}", ""):
            return title
        group, _, number = name.rpartition("-")
        title = self.translate(f"level.{group}", "") if number.isdigit() else ""
        return f"{title} {number}" if title else ""

    @property
    def caption(self) -> str:
        """The title in the language in use."""
        return self.translate("title", self.title)

    def status(self, rules: R, position: P) -> str:
        """`open`, or how the game ended."""
        raise NotImplementedError

    def moves(self, rules: R, position: P) -> list[Any]:
        """The legal moves (ints) or actions, none when the game is over."""
        raise NotImplementedError

    def play(self, rules: R, position: P, move: Any) -> P:
        """The position after the move; the one before stays as it is."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Searched(Game[R, P]):
    """What puzzles and duels have in common: they are searched by engines.

    engines              engines of the game's own, by name (they replace general ones of the same name)
    best_engine          the engine that `best` names: one of its own or a general one
    unsupported_engines  general engines of this kind that do not fit
    learning             learning(rules, position) -> Coding: moves and boards as numbers for learners
    """

    engines: Mapping[str, Engine] = field(default_factory=dict)
    best_engine: str = ""
    unsupported_engines: tuple[str, ...] = ()
    learning: Callable[[R, P], Coding] | None = None

    @property
    def guides(self) -> Mapping[str, Heuristic[R] | Evaluation[R]]:
        """The heuristics of a puzzle, the evaluations of a duel."""
        raise NotImplementedError

    @property
    def default_guide(self) -> str:
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Puzzle(Searched[R, P]):
    """One player who sees all looks for a cheapest path to a goal. Its verbs are in `ludion.kinds.puzzle`.

    heuristics         by name
    default_heuristic  the one to use when none is named
    why_unsolvable     why_unsolvable(rules, position) -> one line why there is no solution, or None
    animate            animate(rules, position, moves) -> animated SVG of a solution
    solve_batch        solve_batch(texts, options, jobs, budget, observer) -> iterator of (text, Answer or LudionError),
                       for many positions in compiled code
    """

    kind: ClassVar[str] = PUZZLE

    heuristics: Mapping[str, Heuristic[R]] = field(default_factory=dict)
    default_heuristic: str = ""
    why_unsolvable: Callable[[R, P], str | None] | None = None
    animate: Callable[[R, P, Sequence[int]], str] | None = None
    solve_batch: Callable[..., Iterator[tuple[str, Any]]] | None = None

    @property
    def guides(self) -> Mapping[str, Heuristic[R]]:
        return self.heuristics

    @property
    def default_guide(self) -> str:
        return self.default_heuristic

    def status(self, rules: R, position: P) -> str:
        """`open` or `solved`."""
        from ludion.kinds import puzzle

        return "solved" if puzzle.is_goal(rules, position) else OPEN

    def moves(self, rules: R, position: P) -> list[int]:
        """The legal moves; none once it is solved."""
        from ludion.kinds.moving import legal_moves

        return [] if self.status(rules, position) != OPEN else legal_moves(rules, position)

    def play(self, rules: R, position: P, move: int) -> P:
        from ludion.kinds import puzzle

        after: P = puzzle.play(rules, position, move)
        return after


@dataclass(frozen=True, kw_only=True)
class Duel(Searched[R, P]):
    """Two players who move in turn, see all and want opposite things. Its verbs are in `ludion.kinds.duel`.

    evaluations         by name
    default_evaluation  the one to use when none is named
    perft_options       options of the rules that perft uses unless others are given
    final_score         final_score(rules, position) -> Score of a finished game, if it counts its own way
    analyse             analyse(rules, position, budget, observer, **settings) -> MoveScores, if the game has a better
                        way than a search per move; else None
    players             players of the game's own for the arena, by the word before the colon:
                        make(game, argument) -> Player (see `ludion.kinds.players`)
    """

    kind: ClassVar[str] = DUEL

    evaluations: Mapping[str, Evaluation[R]] = field(default_factory=dict)
    default_evaluation: str = ""
    perft_options: Mapping[str, str] = field(default_factory=dict)
    final_score: Callable[[R, P], Score] | None = None
    analyse: Callable[..., Iterable[MoveScore] | None] | None = None
    players: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    @property
    def guides(self) -> Mapping[str, Evaluation[R]]:
        return self.evaluations

    @property
    def default_guide(self) -> str:
        return self.default_evaluation

    def status(self, rules: R, position: P) -> str:
        """`open`; `won`, `lost` or `drawn` for the player to move."""
        from ludion.kinds import duel

        verdict = duel.checked_verdict(rules, position)
        return {duel.WON: "won", duel.LOST: "lost", duel.DRAWN: "drawn", duel.OPEN: OPEN}[verdict]

    def moves(self, rules: R, position: P) -> list[int]:
        from ludion.kinds.moving import legal_moves

        return [] if self.status(rules, position) != OPEN else legal_moves(rules, position)

    def play(self, rules: R, position: P, move: int) -> P:
        from ludion.kinds import duel

        after: P = duel.play(rules, duel.copy(rules, position), move)
        return after


@dataclass(frozen=True, kw_only=True)
class Quest(Game[R, P]):
    """One agent in a world that it sees only in part. Its verbs are in `ludion.kinds.quest`.

    agents         by name; `best` is the strongest
    actions        actions(rules, world) -> the legal actions, in a fixed order, while the quest runs
    referee        referee(world, agent, steps=, patience=) -> Record, if the general one does not fit
    statistics     statistics(record) -> further results of a run, plain values by name
    chances        chances(rules, world) -> (action as a text, chance of success) for the actions whose chance can be
                   computed from what is seen
    remote_worlds  remote_worlds(server, group=, password=, games=) -> worlds that are played over a network
    learning       learning(rules, world) -> WorldCoding: actions and percepts as numbers for learners
    """

    kind: ClassVar[str] = QUEST

    agents: Mapping[str, AgentMaker[R]] = field(default_factory=dict)
    actions: Callable[[R, P], Sequence[Any]] | None = None
    referee: Callable[..., Record] | None = None
    statistics: Callable[[Record], Mapping[str, Any]] | None = None
    chances: Callable[[R, P], Iterable[tuple[str, float]]] | None = None
    remote_worlds: Callable[..., Iterator[P]] | None = None
    learning: Callable[[R, P], WorldCoding] | None = None

    @property
    def seeded(self) -> bool:
        """Whether the rules leave something to chance: they have the option `seed`."""
        return any(option.name == "seed" for option in self.options)

    def agent(self, name: str) -> tuple[AgentMaker[R], str]:
        """The agent of this name, and its argument: the text after the colon."""
        kind, colon, argument = str(name).partition(":")
        if kind == PYTHON and kind not in self.agents and argument:
            return PYTHON_AGENT, argument
        if kind not in self.agents:
            raise unknown("errors.agent", kind, self.agents, game=self.name)
        maker = self.agents[kind]
        if maker.argument and not argument:
            raise UnfitError(message("errors.agent_needs_argument", agent=kind, argument=maker.argument))
        if colon and not maker.argument:
            raise UnfitError(message("errors.agent_takes_no_argument", agent=kind))
        return maker, argument

    def status(self, rules: R, position: P) -> str:
        """`running`, `won` or `lost`."""
        from ludion.kinds import quest

        return str(quest.outcome(position))

    def moves(self, rules: R, position: P) -> list[Any]:
        """The legal actions; none when the quest is over, or if it does not list them."""
        if self.actions is None or self.status(rules, position) != RUNNING:
            return []
        return list(self.actions(rules, position))

    def play(self, rules: R, position: P, move: Any) -> P:
        from ludion.kinds import quest

        after: P = quest.act(copy.deepcopy(position), move)
        return after


@dataclass(frozen=True)
class Step:
    """A step of an introduction: a small position with a task.

    One of the `moves` completes it; without `moves`, solving or winning the game does. After `within` other moves it
    starts again.
    """

    start: str
    task: Mapping[str, str]  # what to do, by language
    after: Mapping[str, str]  # the text shown when it is done, by language
    moves: tuple[str, ...] = ()
    within: int = 1
    options: Mapping[str, str] = field(default_factory=dict)


@functools.cache
def read_steps(file: Path) -> tuple[Step, ...]:
    """The steps of an introduction: tables [[step]] with these names."""
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["step"]
    return tuple(Step(**{**entry, "moves": tuple(entry.get("moves", ()))}) for entry in entries)


@functools.cache
def read_levels(folder: Path) -> tuple[Level, ...]:
    """The levels of all TOML files of a folder, in the order of the files and in them."""
    levels = []
    for file in sorted(folder.glob("*.toml")):
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        for entry in content["level"]:
            levels.append(
                Level(
                    entry["name"],
                    entry["position"],
                    entry.get("source", content.get("source", "")),
                    {**content.get("options", {}), **entry.get("options", {})},
                    entry.get("known", {}),
                )
            )
    return tuple(levels)


for _kind in (Puzzle, Duel, Quest):  # so that help() lists all fields, not only those of its own
    _fields = [
        inspect.cleandoc(_base.__doc__ or "").partition("\n\n")[2]
        for _base in _kind.__mro__[1:]
        if issubclass(_base, Game)
    ]
    _kind.__doc__ = "\n\n".join([inspect.cleandoc(_kind.__doc__ or ""), *_fields])
