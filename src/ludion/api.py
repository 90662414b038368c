"""The Python interface: each function builds a question and asks it."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludion import asking, questions, registry, traces
from ludion.answers import ActionScore, Analysis, Answer
from ludion.asking import BEST
from ludion.engines.budget import DEFAULT_MEMORY, Budget, Observer, interrupts_end_all
from ludion.errors import LudionError, SettingError, UnfitError, in_short
from ludion.fields import check_type
from ludion.kinds.games import Game, Quest
from ludion.kinds.settings import Value, read_settings
from ludion.messages import message
from ludion.positions import Position
from ludion.positions import position as read_position
from ludion.questions import DEFAULT_STEPS, Run, Search
from ludion.thoughts import AgentDecision
from ludion.traces import MOST_EVENTS, Trace

if TYPE_CHECKING:
    from ludion.checks import ContractProblem
    from ludion.explanations import Explanation
    from ludion.kinds.quest import Agent
    from ludion.reviews import Review, Reviewer

DEEPEST_PERFT = 100


def check_position(position: object) -> None:
    """Raise an error of ours if this is not a position."""
    if not isinstance(position, Position):
        raise SettingError(message("errors.not_a_position", type=type(position).__name__))


def ask_about(position: Position, engine: str = BEST, **asked: Any) -> Search:
    """The question to an engine about a position, from the arguments of `solve`."""
    check_position(position)
    return _question(position, position.text, engine, **asked)


def _question(
    position: Position,
    text: str,
    engine: str,
    *,
    heuristic: str = "",
    evaluation: str = "",
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    depth: int | None = None,
    budget: Budget | None = None,
    **settings: Value,
) -> Search:
    """The question about a position; without its text if the position itself is passed along."""
    check_position(position)
    if "time" in settings or "timeout" in settings:  # as on the command line, or elsewhere
        raise SettingError(message("errors.time_is_seconds"))
    for name, value in (("engine", engine), ("heuristic", heuristic), ("evaluation", evaluation)):
        check_type(name, value, str, optional=True)
    check_type("budget", budget, Budget, optional=True)
    limits = Budget(seconds, nodes, memory, depth)
    return Search(
        position.game.name,
        text,
        options=position.options,
        settings=settings,
        files=registry.files_of(position.game.name),
        engine=engine,
        heuristic=heuristic or "",
        evaluation=evaluation or "",
        budget=limits if budget is None else limits.over(budget),
    )


def solve(
    position: Position,
    engine: str = BEST,
    *,
    heuristic: str = "",
    evaluation: str = "",
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = DEFAULT_MEMORY,
    depth: int | None = None,
    budget: Budget | None = None,
    observer: Observer | None = None,
    **settings: Value,
) -> Answer:
    """Ask an engine about a position: the solution of a puzzle, the value and best line of a duel.

        heuristic    puzzles: what guides the engine (the game's default if it is not named)
        evaluation   duels: the same
        seconds      at most so many seconds of searching; compiling does not count
        nodes        at most so many positions
        memory       at most so many bytes of tables
        depth        duels: look so many plies ahead; 0 judges the position itself
        budget       these four limits as one value; those that are also given here count
        observer     watches the search, and can stop it

    Further names are settings of the engine: `weight=2`.
    """
    check_type("observer", observer, Observer, optional=True)
    question = _question(
        position,
        "",
        engine,
        heuristic=heuristic,
        evaluation=evaluation,
        seconds=seconds,
        nodes=nodes,
        memory=memory,
        depth=depth,
        budget=budget,
        **settings,
    )
    return asking.search(question.prepare(position.game), position, question.budget, observer)


def analyse(
    position: Position, engine: str = BEST, *, observer: Observer | None = None, **asked: Any
) -> Analysis | list[ActionScore]:
    """Every legal move with its score (duels) or the length of the solution it begins (puzzles), best first.

    Arguments as for `solve`; the budget is for all moves together, and `depth` counts from the position itself. For a
    quest: every legal action with its chance of success, if known, the choice of the agent of this name first; further
    names are settings of the agent.
    """
    check_type("observer", observer, Observer, optional=True)
    check_position(position)
    if isinstance(position.game, Quest):
        return questions.weigh(agent_question(position, engine, **asked), position)
    question = _question(position, "", engine, **asked)
    return asking.ranked(asking.analyse(question.prepare(position.game), position, question.budget, observer))


def agent_question(position: Position, agent: str = BEST, **settings: Value) -> Run:
    """The question to an agent about a position of a quest."""
    name = position.game.name
    files = registry.files_of(name)
    return Run(name, options=position.options, settings=settings, files=files, agent=agent).checked()


def decide(position: Position, agent: str = BEST, **settings: Value) -> AgentDecision:
    """What an agent would do in a position of a quest, and why; further names are settings of the agent."""
    check_position(position)
    return agent_question(position, agent, **settings).decide(position)


def explain(
    position: Position, move: str = "", engine: str = BEST, *, observer: Observer | None = None, **asked: Any
) -> Explanation:
    """Why a move is good or bad; without a move, why the best one is best: a sentence, a line, marks on the board.

    Arguments as for `solve` (2 seconds without a budget); for a quest, the name and the settings of the agent.
    """
    from ludion import explanations

    check_position(position)
    check_type("move", move, str)
    check_type("observer", observer, Observer, optional=True)
    if isinstance(position.game, Quest):
        return explanations.explain(position, move, agent_question(position, engine, **asked), Budget())
    question = _question(position, "", engine, **asked)
    budget = limited(question.budget, explanations.SECONDS)
    return explanations.explain(position, move, question.prepare(position.game), budget, observer)


def limited(budget: Budget, seconds: float) -> Budget:
    """The budget; one without a limit gets this many seconds."""
    unlimited = budget.seconds is None and budget.nodes is None and budget.depth is None
    return dataclasses.replace(budget, seconds=seconds) if unlimited else budget


def review(
    start: Position,
    moves: Sequence[str],
    engine: str = BEST,
    *,
    observer: Observer | None = None,
    **asked: Any,
) -> Review:
    """Judge the moves of a game that began here: what each was worth, what was better, and why.

    Arguments as for `solve`; the budget is for each position (default for puzzles and duels 1 second; in quests, the
    seconds of each run of the best agent). If the observer stops it, it judges with what is known so far.
    """
    check_type("observer", observer, Observer, optional=True)
    check_type("moves", moves, Sequence)
    looking = reviewer_of(start, moves, engine, **asked)
    for _ in looking.look(observer or Observer()):
        pass
    return looking.review()


def reviewer_of(start: Position, moves: Sequence[str], engine: str = BEST, **asked: Any) -> Reviewer:
    """The reviewer of a game, which searches its positions one by one; arguments as for `review`."""
    from ludion import reviews

    check_position(start)
    if isinstance(moves, str):
        raise SettingError(message("errors.moves_not_a_text", moves=in_short(moves)))
    if isinstance(start.game, Quest):
        budget = Budget(asked.pop("seconds", None))
        if asked or engine != BEST:
            raise UnfitError(
                message("errors.agent_plays", game=start.game.caption, name=registry.command_name(start.game))
            )
        return reviews.reviewer(start, moves, None, budget)
    question = _question(start, "", engine, **asked)
    budget = limited(question.budget, reviews.SECONDS)
    return reviews.reviewer(start, moves, question.prepare(start.game), budget)


def trace(
    question: Search | Position, engine: str = BEST, *, events: int = MOST_EVENTS, **asked: Any
) -> Trace:
    """A search step by step: iterate over the result. The argument is a `Search`, or arguments as for `solve`.

    Each step says which node was taken with its f, g and h, which successors it has, and what is in the open and closed
    lists; in duels, values, windows and cuts. `events` limits the record.
    """
    if isinstance(question, Search):
        if asked or engine != BEST:
            raise SettingError(message("errors.asked_twice"))
    else:
        question = ask_about(question, engine, **asked)
    return traces.trace(question, events)


def best_move(position: Position, engine: str = BEST, **asked: Any) -> str:
    """The move that an engine would play here; arguments as for `solve`."""
    answer = solve(position, engine, **asked)
    if not answer.line:
        raise LudionError(message("errors.no_move", reason=answer.reason or answer.status))
    return answer.line[0]


def check(game: str | Path | Game[Any, Any], *, compiled: bool = True) -> list[ContractProblem]:
    """The problems of a game, given by name, file or description: a list with one line for each.

    `compiled` also compares a compiled random game with the same one in plain Python, which takes some seconds.
    """
    from ludion import checks

    check_type("compiled", compiled, bool)
    return checks.check(game, compiled=compiled)


def run(
    world: Position,
    agent: Agent | Callable[[Any], Any] | str = BEST,
    *,
    seed: int = 0,
    steps: int = DEFAULT_STEPS,
    patience: float | None = None,
    budget: float | None = None,
    **settings: Value,
) -> dict[str, Any]:
    """Let an agent play in the world of a quest and return the record; the given world does not change.

    The agent is a name (`best`, `python:FILE.py`), any object with `decide(percept)`, or such a function. `patience`
    is the seconds after which a missing decision ends the run, `budget` the seconds of thinking per decision for
    agents that have a choice; further names are settings of the agent.
    """
    check_position(world)
    game = world.game
    if not isinstance(game, Quest):
        raise UnfitError(
            message("errors.not_a_quest", game=game.caption, kind=game.kind, name=registry.command_name(game))
        )
    question = Run(
        game.name,
        world.text,
        options=world.options,
        settings=settings,
        files=registry.files_of(game.name),
        agent=agent if isinstance(agent, str) else getattr(agent, "__name__", type(agent).__name__),
        seed=seed,
        steps=steps,
        patience=patience,
        budget=budget,
    )
    own = None if isinstance(agent, str) else as_agent(agent)
    return question.report(world.rules, copy.deepcopy(world.state), own_game=game, own_agent=own)


def as_agent(agent: Agent | Callable[[Any], Any]) -> Agent:
    """An object, a class without arguments or a function as an agent."""
    from ludion.kinds.quest import FunctionAgent

    try:
        candidate: Any = agent() if isinstance(agent, type) else agent
    except TypeError as error:
        raise SettingError(message("errors.not_an_agent", value=in_short(agent), why=error)) from error
    if callable(getattr(candidate, "decide", None)):
        deciding: Agent = candidate
        return deciding
    if callable(candidate):
        return FunctionAgent(candidate)
    raise SettingError(message("errors.not_an_agent", value=in_short(agent), why="decide(percept)"))


def study(position: Position, **settings: object) -> dict[str, Any]:
    """The game's own further analysis of a position."""
    check_position(position)
    game = position.game
    if game.study is None and isinstance(game, Quest):
        raise UnfitError(message("errors.agent_plays", game=game.caption, name=registry.command_name(game)))
    if game.study is None:
        raise UnfitError(message("errors.no_study", game=game.caption))
    checked = read_settings(game.study.settings, settings, "settings.of_study", game=game.name)
    with interrupts_end_all():
        return dict(game.study.examine(position.rules, position.state, **checked))


def generate(game: str, seed: int = 0, **settings: object) -> Position:
    """A new position of a game from a seed: the same seed and settings give the same position."""
    description = registry.find(game)
    check_type("seed", seed, int)
    if description.generator is None:
        raise UnfitError(message("errors.no_generator", game=description.caption))
    checked = read_settings(
        description.generator.settings, settings, "settings.of_generator", game=description.name
    )
    with interrupts_end_all():
        text = description.generator.text(seed, **checked)
    return read_position(description, text)


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` moves (those that end sooner do not count)."""
    from ludion.engines.perft import count

    check_position(position)
    if isinstance(position.game, Quest):
        raise UnfitError(
            message(
                "errors.agent_plays", game=position.game.caption, name=registry.command_name(position.game)
            )
        )
    if not isinstance(depth, int) or isinstance(depth, bool) or not 0 <= depth <= DEEPEST_PERFT:
        raise SettingError(message("errors.depth_range", least=0, most=DEEPEST_PERFT, depth=in_short(depth)))
    return count(position.rules, position.state, depth, position.game.kind)
