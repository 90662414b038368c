"""A question is a value: the game, the position, the engine or agent, and the budget.

`Search` asks an engine about a position, `Run` lets an agent play in a world. Both are frozen, can be pickled and sent
to another process or machine, and can be written and read back in four forms:

    command()  ludion solve taquin level:report-5 --engine a-star --heuristic manhattan --nodes 1000000
    python()   the lines of Python that ask the same
    url()      /play/taquin?p=level:report-5&engine=a-star&heuristic=manhattan&nodes=1000000
    json()     {"question": "search", "game": "taquin", "position": "level:report-5", "engine": "a-star", ...}

Texts and names from a command, an address or Python go through `from_parameters`, the one place where they become a
question.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import json
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from ludion import registry
from ludion.answers import ActionScore, Analysis, Answer
from ludion.asking import BEST, GENERAL_BEST, Prepared, analyse, find_engine, ranked, search, searched
from ludion.engines.budget import MEGABYTE, Budget, Observer
from ludion.errors import LudionError, QuestionError, UnfitError, in_short
from ludion.estimates import check_guide, no_guide
from ludion.fields import TypedFields, check_type
from ludion.kinds.games import NEEDED, PUZZLE, UNUSED, Game, Quest, Searched
from ludion.kinds.settings import Setting, Value, read_pairs, read_settings, write_value
from ludion.messages import message
from ludion.positions import Position, position
from ludion.registry import GameFile
from ludion.thoughts import AgentDecision, thought_of

if TYPE_CHECKING:
    import threading

    from ludion.kinds.quest import Agent, Record

Q = TypeVar("Q", bound="Question")

DEFAULT_STEPS = 10_000

# The parts of a budget by the names that people use.
BUDGET_SETTINGS = {
    "time": Setting("time", "maximum seconds of search", None, float),
    "nodes": Setting("nodes", "maximum number of positions searched", None, int),
    "depth": Setting("depth", "plies to look ahead (duels); 0 judges the position itself", None, int),
    "memory": Setting("memory", "maximum size of the tables in megabytes (default 2147)", None, float),
}


@dataclass(frozen=True)
class Question(TypedFields):
    """What both kinds of questions have in common."""

    field_error: ClassVar[type[LudionError]] = QuestionError
    name: ClassVar[str]  # in JSON
    verb: ClassVar[str]  # the command
    fields_as_text: ClassVar[tuple[Setting, ...]]  # fields that commands and addresses name directly

    game: str  # the name of a game
    position: str = ""  # its notation, level:NAME, or nothing for the start
    options: Mapping[str, str] = field(default_factory=dict)  # of the rules
    settings: Mapping[str, Value] = field(default_factory=dict)  # of the engine or the agent
    files: tuple[GameFile, ...] = field(default=(), repr=False)  # the game's own file, if it came from one
    label: str = field(default="", compare=False)  # what results call the position; no part of the question

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("options", "settings"):
            object.__setattr__(self, name, dict(sorted(getattr(self, name).items())))

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self) -> str:
        """A name for this question, equal for equal questions, here and in any other process."""
        text = json.dumps(dataclasses.replace(self, label="").json(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def description(self) -> Game[Any, Any]:
        """The game, also on a machine that has not loaded its file."""
        for file in self.files:
            registry.load(file)
        return registry.find(self.game)

    def start(self) -> Position:
        """The position of the question."""
        return position(self.description(), self.position, **self.options)

    def at(self: Q, text: str) -> Q:
        """The same question about another position."""
        return dataclasses.replace(self, position=text)

    # -------------------------------------------------------------- names and texts

    def parameters(self) -> dict[str, str]:
        """The fields that differ from their defaults, as texts, by the names that commands and addresses use."""
        raise NotImplementedError

    @classmethod
    def from_parameters(
        cls: type[Q],
        game: str,
        position: str,
        parameters: Mapping[str, object],
        options: Mapping[str, str],
        settings: Mapping[str, object],
    ) -> Q:
        """Build the question from names and texts; a bad one raises an error of ours."""
        description = registry.find(game)
        values = read_settings(cls.fields_as_text, parameters, "settings.of_question", verb=cls.verb)
        return cls(
            description.name,
            position,
            options=description.check_options(options),
            settings=dict(settings),  # type: ignore[arg-type]
            files=registry.files_of(description.name),
            **cls._fields(values),
        ).checked()

    @classmethod
    def _fields(cls, values: Mapping[str, Value]) -> dict[str, Any]:
        """The fields of this kind of question, from values by the names that people use."""
        raise NotImplementedError

    def _written_settings(self) -> dict[str, str]:
        return {name: write_value(value) for name, value in self.settings.items()}

    # -------------------------------------------------------------- as a command

    def command(self) -> str:
        """The command line that asks this."""
        game = self.files[0].path if self.files else self.game
        words = ["ludion", self.verb, game]
        flags = [(name, value) for name, value in self.options.items()] + list(self.parameters().items())
        for name, value in flags:
            flag = f"--{name.replace('_', '-')}"
            words += [f"{flag}={value}"] if value.startswith("-") else [flag, value]
        for name, value in self._written_settings().items():
            words += ["--set", f"{name}={value}"]
        if self.position.startswith("-"):
            words += ["--", self.position]
        elif self.position:
            words.insert(3, self.position)
        return shlex.join(words)

    @classmethod
    def from_command(cls: type[Q], line: str) -> Q:
        """The question that a command line asks."""
        check_type("line", line, str)
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise QuestionError(message("errors.question_not_text", text=line[:60], why=error)) from None
        if words[:2] != ["ludion", cls.verb] or len(words) < 3:
            why = message("errors.question_command", command=cls.verb)
            raise QuestionError(message("errors.question_not_text", text=line[:60], why=why))
        game, rest = words[2], words[3:]
        positions: list[str] = []
        given: dict[str, str] = {}
        pairs: list[str] = []
        while rest:
            word = rest.pop(0)
            if word == "--":
                positions += rest
                break
            if not word.startswith("--"):
                positions.append(word)
                continue
            flag, equals, value = word.partition("=")
            if not equals:
                if not rest:
                    why = message("errors.question_missing_value", flag=flag)
                    raise QuestionError(message("errors.question_not_text", text=line[:60], why=why))
                value = rest.pop(0)
            if flag == "--set":
                pairs.append(value)
            else:
                given[flag[2:].replace("-", "_")] = value
        if len(positions) > 1:
            why = message("errors.question_flag", word=positions[1])
            raise QuestionError(message("errors.question_not_text", text=line[:60], why=why))
        return cls._from_texts(game, "".join(positions), given, read_pairs(pairs))

    @classmethod
    def _from_texts(
        cls: type[Q], game: str, text: str, given: Mapping[str, str], settings: Mapping[str, str]
    ) -> Q:
        """Separate the fields of the question from the options of the rules, by their names."""
        own = {setting.name for setting in cls.fields_as_text}
        parameters = {name: value for name, value in given.items() if name in own}
        options = {name: value for name, value in given.items() if name not in own}
        return cls.from_parameters(game, text, parameters, options, settings)

    # -------------------------------------------------------------- as an address of the studio

    def url(self) -> str:
        """The address of the studio's page that asks this, without the host."""
        pairs = {"p": self.position, **{f"o.{name}": value for name, value in self.options.items()}}
        pairs |= self.parameters() | {f"s.{name}": value for name, value in self._written_settings().items()}
        name = self.description().name if self.game.endswith(".py") else self.game
        return f"/play/{quote(name)}?{urlencode(pairs, safe=':/;,')}"

    @classmethod
    def from_url(cls: type[Q], address: str) -> Q:
        """The question that an address asks; moves in it are played first."""
        check_type("address", address, str)
        parts = urlsplit(address)
        if not parts.path.startswith("/play/"):
            why = message("errors.question_address")
            raise QuestionError(message("errors.question_not_text", text=address[:60], why=why))
        pairs = dict(parse_qsl(parts.query, keep_blank_values=True))
        text = pairs.pop("p", "")
        options = {name[2:]: pairs.pop(name) for name in list(pairs) if name.startswith("o.")}
        settings = {name[2:]: pairs.pop(name) for name in list(pairs) if name.startswith("s.")}
        moves, cursor = [move for move in pairs.pop("m", "").split(";") if move], pairs.pop("c", "")
        game = parts.path.removeprefix("/play/")
        if moves:
            played = moves[: int(cursor)] if cursor.isascii() and cursor.isdigit() else moves
            reached = position(game, text, **options).play(*played)
            text, options = reached.text, reached.options
        return cls.from_parameters(game, text, pairs, options, settings)

    # -------------------------------------------------------------- as JSON

    def json(self) -> dict[str, Any]:
        """The question as a JSON object, without fields that have their defaults."""
        values: dict[str, Any] = {"question": self.name, "game": self.game, "position": self.position}
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            usual = each.default if each.default is not dataclasses.MISSING else {}
            if each.name not in ("game", "position") and value != usual:
                values[each.name] = value
        if self.files:
            values["files"] = [file._asdict() for file in self.files]
        return values

    @classmethod
    def from_json(cls: type[Q], values: Mapping[str, Any]) -> Q:
        """The question of a JSON object."""
        if not isinstance(values, Mapping) or values.get("question", cls.name) != cls.name:
            raise QuestionError(
                message("errors.question_not_text", text=in_short(values), why=f"question: {cls.name}")
            )
        given = {name: value for name, value in values.items() if name != "question"}
        check_fields(cls, given)
        try:
            if "files" in given:
                given["files"] = tuple(GameFile(**file) for file in given["files"])
            question = cls(**cls._typed(given))
        except TypeError as error:
            raise QuestionError(
                message("errors.question_not_text", text=in_short(values), why=error)
            ) from None
        return question.checked()

    @classmethod
    def _typed(cls, given: dict[str, Any]) -> dict[str, Any]:
        """The fields of a JSON object with values of the right types."""
        return given

    def checked(self: Q) -> Q:
        """The same question with its options and settings checked and of the right types."""
        raise NotImplementedError


def check_fields(kind: type[Question], given: Iterable[str]) -> None:
    """Raise an error of ours if one of these names is not a field of the question."""
    known = [each.name for each in dataclasses.fields(kind)]
    for name in given:
        if name not in known:
            raise QuestionError(message("errors.question_field", name=name, known=", ".join(known)))


@dataclass(frozen=True)
class Search(Question):
    """Ask an engine about a position: the solution of a puzzle, the value and best line of a duel.

        game         the name of a game
        position     its notation, level:NAME, or nothing for the start
        options      of the rules, by name: {"goal": "a b c/h _ d/g f e"}
        engine       the name of an engine; best is the game's own choice
        heuristic    puzzles: what guides the engine; nothing for the game's default
        evaluation   duels: the same
        settings     of the engine, by name: {"weight": 2}
        budget       a `Budget` of seconds, nodes, memory and depth

    `answer()` asks it; `command()`, `python()`, `url()` and `json()` write it, and `from_command` and so on read it.
    """

    name: ClassVar[str] = "search"
    verb: ClassVar[str] = "solve"
    fields_as_text: ClassVar[tuple[Setting, ...]] = (
        Setting("engine", "the engine that searches (see `ludion games GAME`)", BEST),
        Setting("heuristic", "the heuristic that guides it (puzzles)", ""),
        Setting("evaluation", "the evaluation that guides it (duels)", ""),
        *BUDGET_SETTINGS.values(),
    )

    engine: str = BEST
    heuristic: str = ""  # puzzles; nothing for the game's default
    evaluation: str = ""  # duels; nothing for the game's default
    budget: Budget = field(default_factory=Budget)

    __hash__ = Question.__hash__

    def description(self) -> Searched[Any, Any]:
        return searched(super().description())

    def prepare(self, game: Game[Any, Any] | None = None) -> Prepared:
        """Resolve all names; an error of ours says which does not exist or which do not fit together.

        The game itself may be passed: a game defined in this process need not be registered.
        """
        check_type("game", game, Game, optional=True)
        game = searched(self.description() if game is None else game)
        game.check_options(self.options)
        guide = self._guide(game)
        name, engine = find_engine(game, self.engine)
        if guide and engine.guide == UNUSED and self.engine == BEST:
            name, engine = find_engine(game, GENERAL_BEST[game.kind])  # the best that takes it
        if guide and engine.guide == UNUSED:
            word = "heuristic" if game.kind == PUZZLE else "evaluation"
            raise UnfitError(message(f"errors.takes_no_{word}", engine=name))
        settings = read_settings(engine.settings, self.settings, "settings.of_engine", engine=name)
        if not guide and engine.guide == NEEDED:
            guide = game.default_guide or no_guide(game)
        return Prepared(game, name, engine, guide, settings)

    def _guide(self, game: Searched[Any, Any]) -> str:
        """The heuristic or evaluation of the question."""
        for kind in ("heuristic", "evaluation"):
            if getattr(self, kind):
                check_guide(game, kind, getattr(self, kind))
        return self.heuristic or self.evaluation

    def checked(self) -> Search:
        return dataclasses.replace(self, settings=self.prepare().settings)

    def answer(self, observer: Observer | None = None) -> Answer:
        """Run the search; the answer carries its cost."""
        check_type("observer", observer, Observer, optional=True)
        prepared = self.prepare()
        return search(prepared, self.start(), self.budget, observer)

    def analyse(self, observer: Observer | None = None) -> Analysis:
        """Every legal move with its score or the length of the solution it begins, best first."""
        check_type("observer", observer, Observer, optional=True)
        return ranked(analyse(self.prepare(), self.start(), self.budget, observer))

    def parameters(self) -> dict[str, str]:
        values = {"engine": self.engine} if self.engine != BEST else {}
        values |= {name: getattr(self, name) for name in ("heuristic", "evaluation") if getattr(self, name)}
        budget, usual = self.budget, Budget()
        if budget.seconds is not None:
            values["time"] = write_value(budget.seconds)
        limits = {name: getattr(budget, name) for name in ("nodes", "depth")}
        values |= {name: str(limit) for name, limit in limits.items() if limit is not None}
        if budget.memory != usual.memory:
            values["memory"] = write_value(budget.memory / MEGABYTE)
        return values

    @classmethod
    def _fields(cls, values: Mapping[str, Value]) -> dict[str, Any]:
        names = {name: values[name] for name in ("engine", "heuristic", "evaluation") if values.get(name)}
        return {**names, "budget": read_budget(values)}

    def json(self) -> dict[str, Any]:
        values = super().json()
        if "budget" in values:
            limits = dataclasses.asdict(self.budget).items()
            values["budget"] = {name: value for name, value in limits if value is not None}
        return values

    @classmethod
    def _typed(cls, given: dict[str, Any]) -> dict[str, Any]:
        return {**given, "budget": Budget(**given["budget"])} if "budget" in given else given

    def python(self) -> str:
        """The lines of Python that ask this."""
        options = [*(f"{name}={value!r}" for name, value in self.options.items())]
        lines = [f"ludion.load_game_file({file.path!r})" for file in self.files]
        lines.append(
            f"position = ludion.position({', '.join([repr(self.game), repr(self.position), *options])})"
        )
        arguments = [repr(self.engine)] if self.engine != BEST else []
        arguments += [
            f"{name}={getattr(self, name)!r}" for name in ("heuristic", "evaluation") if getattr(self, name)
        ]
        for each in dataclasses.fields(Budget):
            value = getattr(self.budget, each.name)
            arguments += [f"{each.name}={value!r}"] if value != each.default else []
        arguments += [f"{name}={value!r}" for name, value in self.settings.items()]
        lines.append(f"answer = ludion.solve({', '.join(['position', *arguments])})")
        return "\n".join(lines)

    @classmethod
    def from_python(cls, lines: str) -> Search:
        """The question that such lines ask."""
        calls = python_calls(lines)
        load_files(calls)
        first = [(positional, named) for name, positional, named in calls if name == "position"]
        second = [(positional, named) for name, positional, named in calls if name == "solve"]
        if len(first) != 1 or len(second) != 1:
            raise QuestionError(
                message(
                    "errors.question_not_text", text=lines[:60], why="ludion.position(...), ludion.solve(...)"
                )
            )
        (place, options), (asked, named) = first[0], second[0]
        game, text = [*place, "", ""][:2]
        engine = asked[1] if len(asked) > 1 else named.pop("engine", BEST)
        limits = {
            each.name: named.pop(each.name) for each in dataclasses.fields(Budget) if each.name in named
        }
        guides = {name: named.pop(name) for name in ("heuristic", "evaluation") if name in named}
        return cls(
            registry.find(game).name,
            text,
            options=options,
            settings=named,
            files=registry.files_of(game),
            engine=engine,
            budget=Budget(**limits),
            **guides,
        ).checked()


def python_calls(lines: str) -> list[tuple[str, list[Any], dict[str, Any]]]:
    """The calls `ludion.NAME(...)` of some lines of Python, with their literal arguments; nothing is executed."""
    check_type("lines", lines, str)
    try:
        tree = ast.parse(lines)
        calls = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                positional = [
                    None if isinstance(each, ast.Name) else ast.literal_eval(each) for each in node.args
                ]
                named = {str(each.arg): ast.literal_eval(each.value) for each in node.keywords}
                calls.append((node.func.attr, positional, named))
        return calls
    except (SyntaxError, ValueError) as error:
        raise QuestionError(message("errors.question_not_text", text=lines[:60], why=error)) from None


def load_files(calls: list[tuple[str, list[Any], dict[str, Any]]]) -> None:
    """Load the game files that such calls name."""
    for name, positional, _ in calls:
        if name == "load_game_file" and positional:
            registry.load_game_file(positional[0])


def read_budget(values: Mapping[str, Value]) -> Budget:
    """A budget by the names that people use: time in seconds, memory in megabytes."""
    limits: dict[str, Any] = {
        name: values[name] for name in ("nodes", "depth") if values.get(name) is not None
    }
    if values.get("time") is not None:
        limits["seconds"] = values["time"]
    memory = values.get("memory")
    if isinstance(memory, (int, float)):
        limits["memory"] = round(memory * MEGABYTE)
    return Budget(**limits)


# ------------------------------------------------------------------ runs of agents


@dataclass(frozen=True)
class Run(Question):
    """Let an agent play in the world of a quest.

        game, position, options    as in a `Search`
        agent                      NAME, or NAME:ARGUMENT; best is the game's own choice
        settings                   of the agent, by name
        seed                       of the world, if its rules are random, and of the agent
        steps                      maximum steps
        patience                   seconds after which a missing decision ends the run
        budget                     seconds of thinking per decision, for agents that have a choice

    `record()` plays it.
    """

    name: ClassVar[str] = "run"
    verb: ClassVar[str] = "run"
    fields_as_text: ClassVar[tuple[Setting, ...]] = (
        Setting("agent", "the agent that plays: NAME, or NAME:ARGUMENT", BEST),
        Setting("seed", "seed of the world and of the agent", 0, int),
        Setting("steps", "maximum steps", DEFAULT_STEPS, int, least=1),
        Setting("patience", "seconds after which a missing decision ends the run", None, float),
        Setting("budget", "seconds of thinking per decision, for agents that have a choice", None, float),
    )

    agent: str = BEST
    seed: int = 0  # of the world, if its rules are random and no option sets it; of the agent
    steps: int = DEFAULT_STEPS
    patience: float | None = None  # seconds after which a missing decision ends the run
    budget: float | None = None  # seconds of thinking per decision, for agents that have a choice

    __hash__ = Question.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("patience", "budget", "steps"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise QuestionError(message("errors.must_be_positive", name=name, value=value))

    def description(self) -> Quest[Any, Any]:
        game = super().description()
        if not isinstance(game, Quest):
            raise UnfitError(
                message(
                    "errors.not_a_quest", game=game.caption, kind=game.kind, name=registry.command_name(game)
                )
            )
        return game

    def world_options(self, game: Quest[Any, Any] | None = None) -> dict[str, str]:
        """The options of the rules, with the seed if the rules are random."""
        seed = {"seed": str(self.seed)} if (game or self.description()).seeded else {}
        return {**seed, **self.options}

    def start(self) -> Position:
        return position(self.description(), self.position, **self.world_options())

    def checked(self) -> Run:
        game = self.description()
        game.check_options(self.options)
        maker, _ = game.agent(self.agent)
        settings = read_settings(maker.settings, self.settings, "settings.of_agent", agent=self.agent)
        return dataclasses.replace(self, settings=settings)

    def parameters(self) -> dict[str, str]:
        usual = {each.name: each.default for each in dataclasses.fields(self)}
        names = ("agent", "seed", "steps", "patience", "budget")
        return {
            name: write_value(getattr(self, name)) for name in names if getattr(self, name) != usual[name]
        }

    @classmethod
    def _fields(cls, values: Mapping[str, Value]) -> dict[str, Any]:
        return {name: value for name, value in values.items() if value is not None}

    def python(self) -> str:
        """The lines of Python that ask this."""
        lines = [f"ludion.load_game_file({file.path!r})" for file in self.files]
        arguments = [repr(self.game), repr(self.position)]
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            if each.name not in ("game", "position", "files", "label") and value not in ({}, each.default):
                arguments.append(f"{each.name}={value!r}")
        return "\n".join([*lines, f"record = ludion.Run({', '.join(arguments)}).record()"])

    @classmethod
    def from_python(cls, lines: str) -> Run:
        """The question that such lines ask."""
        calls = python_calls(lines)
        load_files(calls)
        runs = [(positional, named) for name, positional, named in calls if name == "Run"]
        if len(runs) != 1:
            raise QuestionError(
                message("errors.question_not_text", text=lines[:60], why="ludion.Run(...).record()")
            )
        positional, named = runs[0]
        game, text = [*positional, "", ""][:2]
        check_fields(cls, named)
        return cls(registry.find(game).name, text, files=registry.files_of(game), **named).checked()

    # -------------------------------------------------------------- playing

    def make_agent(self, rules: Any, game: Quest[Any, Any] | None = None) -> Agent:
        """The agent, with the settings that it declares."""
        game = game or self.description()
        maker, argument = game.agent(self.agent)
        settings = read_settings(maker.settings, self.settings, "settings.of_agent", agent=self.agent)
        filled = {"seed": self.seed, "budget": self.budget}
        for setting in maker.settings:
            if filled.get(setting.name) is not None:
                settings.setdefault(setting.name, setting.read(filled[setting.name]))
        return maker.make(rules, **settings, **({"argument": argument} if maker.argument else {}))

    def play(
        self,
        rules: Any,
        world: Any,
        watch: Callable[[Agent, Any, Any, Any], None] | None = None,
        stop: threading.Event | None = None,
        game: Quest[Any, Any] | None = None,
        agent: Agent | None = None,
    ) -> tuple[Record, Agent]:
        """Let the agent act in this world; `watch(agent, world, percept, action)` sees each decision.

        The game and the agent may be passed as objects, for those defined in this process.
        """
        from ludion.kinds import quest

        game = game or self.description()
        agent = agent or self.make_agent(rules, game)
        more: dict[str, Any] = {} if stop is None else {"stop": stop}
        if watch is not None:
            more["watch"] = lambda world, percept, action: watch(agent, world, percept, action)
        try:
            referee = game.referee or quest.run
            return referee(world, agent, steps=self.steps, patience=self.patience, **more), agent
        finally:
            close = getattr(agent, "close", None)
            if close is not None:
                close()

    def decide(self, here: Position) -> AgentDecision:
        """What a new agent, which has seen only this percept, would do here, and why."""
        agent = self.make_agent(here.rules)
        percept = here.percept()
        action = agent.decide(percept)
        names = {"move": here.write_move(action), "spoken": here.say_move(action)}
        return AgentDecision(
            action, names["move"], {**names, **(thought_of(here.game, agent, percept) or {})}
        )

    def record(self, stop: threading.Event | None = None, thoughts: bool = False) -> dict[str, Any]:
        """Play, and return the record as plain values; position, options and moves are a replay. With `thoughts`, also
        the agent's reasons at each step."""
        start = self.start()
        return self.report(start.rules, start.state, stop, thoughts)

    def report(
        self,
        rules: Any,
        world: Any,
        stop: threading.Event | None = None,
        thoughts: bool = False,
        own_game: Quest[Any, Any] | None = None,
        own_agent: Agent | None = None,
    ) -> dict[str, Any]:
        """The same in an existing world."""
        game = own_game or self.description()
        write = game.write_move
        thought: list[dict[str, Any]] = []

        def watch(agent: Agent, world: Any, percept: Any, action: Any) -> None:
            here = Position(game, rules, world)
            names = {"move": here.write_move(action), "spoken": here.say_move(action)}
            thought.append({**names, **(thought_of(game, agent, percept) or {})})

        record, agent = self.play(rules, world, watch if thoughts else None, stop, game, own_agent)
        name, text, options = self.level_name(), self.position, self.world_options(game)
        if text.startswith("level:"):
            level = game.level(text.removeprefix("level:"))
            text, options = level.position, {**level.options, **options}
        fields: dict[str, Any] = {
            "game": self.game,
            "level": name,
            "position": text,
            "options": options,
            "status": record.outcome,
            "ended_by": record.ended_by,
            "reason": record.reason,
            "length": record.steps,
            "moves": [write(rules, record.world, action) if write else action for action in record.actions],
            "nodes": int(getattr(agent, "nodes", 0)),
            "seconds": record.seconds,
            "cpu_seconds": record.cpu_seconds,
            "slowest": record.slowest,
            "decisions_per_second": record.steps / record.seconds if record.seconds else None,
            "engine": self.agent,
            "seed": self.seed,
        }
        fields |= game.statistics(record) if game.statistics is not None else {}
        return {**fields, "thoughts": thought} if thoughts else fields

    def level_name(self) -> str:
        """The name of the world in results: the label, or the name of the level."""
        return self.label or (
            self.position.removeprefix("level:") if self.position.startswith("level:") else ""
        )


def weigh(question: Run, here: Position) -> list[ActionScore]:
    """Every legal action of a quest with its known chances; the agent's choice comes first."""
    game = question.description()
    chosen = question.decide(here)
    chances = dict(game.chances(here.rules, here.state)) if game.chances is not None else {}
    scores = [
        ActionScore(name, chances.get(name), str(chosen) if name == chosen.name else "")
        for name in here.moves() or chances  # a view that cannot be played has no legal actions
    ]
    return sorted(scores, key=lambda each: (each.name != chosen.name, -(each.chance or 0.0)))


def from_json(values: Mapping[str, Any]) -> Search | Run:
    """The question of a JSON object, of the kind that it names."""
    kind = values.get("question") if isinstance(values, Mapping) else None
    for question in (Search, Run):
        if kind == question.name:
            return question.from_json(values)
    raise QuestionError(
        message("errors.question_not_text", text=in_short(values), why="question: search, run")
    )
