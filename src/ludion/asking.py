"""Asking: which engines there are for a game, the search of a position, and the value of each of its moves."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from ludion import registry
from ludion.answers import LIMIT, OPTIMAL, SOLVED, UNSOLVABLE, Analysis, Answer, MoveScore, Score
from ludion.core.clock import Stopwatch, compile_seconds
from ludion.engines.budget import MEGABYTE, Budget, Observer, StoppedError
from ludion.engines.catalogue import ENGINES
from ludion.errors import UnfitError, unknown
from ludion.estimates import make_guide
from ludion.kinds.games import DUEL, OPEN, PUZZLE, Duel, Engine, Game, Puzzle, Searched
from ludion.kinds.settings import Value
from ludion.messages import decimal, message
from ludion.positions import Position

LEAST_TIME = 0.001  # seconds of a search whose heuristic took the rest
BEST = "best"
GENERAL_BEST = {PUZZLE: "a-star", DUEL: "alpha-beta"}  # if the game names none


def searched(game: Game[Any, Any]) -> Searched[Any, Any]:
    """The game; an error if engines cannot search it."""
    if not isinstance(game, Searched):
        raise UnfitError(message("errors.agent_plays", game=game.caption, name=registry.command_name(game)))
    return game


def engines_of(game: Searched[Any, Any]) -> dict[str, Engine]:
    """The engines that can be asked about this game: the general ones that fit, and its own."""
    general = {
        name: engine for name, engine in ENGINES[game.kind].items() if name not in game.unsupported_engines
    }
    return {**general, **game.engines}


def find_engine(game: Searched[Any, Any], name: str) -> tuple[str, Engine]:
    """The engine of this name, and its real name if that is `best`."""
    if name == BEST:
        name = game.best_engine or GENERAL_BEST[game.kind]
    engines = engines_of(game)
    if name in engines:
        return name, engines[name]
    if name in game.unsupported_engines:
        raise UnfitError(message("errors.engine_not_supported", engine=name, game=game.caption))
    for kind, others in ENGINES.items():
        if name in others:
            raise UnfitError(
                message(
                    "errors.engine_of_other_kind", engine=name, wanted=kind, game=game.caption, kind=game.kind
                )
            )
    raise unknown("errors.engine", name, [*engines, BEST])


# ------------------------------------------------------------------ asking


class Prepared(NamedTuple):
    """A search with its names resolved."""

    game: Searched[Any, Any]
    engine_name: str
    engine: Engine
    guide_name: str  # the heuristic or evaluation, or nothing if the engine takes none
    settings: dict[str, Value]


def search(prepared: Prepared, start: Position, budget: Budget, observer: Observer | None = None) -> Answer:
    """Let the engine search the position."""
    from ludion.core.words import array_bytes
    from ludion.engines.finish import without_proof

    game, name, engine, guide_name, settings = prepared
    if isinstance(game, Puzzle) and game.why_unsolvable is not None:
        reason = game.why_unsolvable(start.rules, start.state)
        if reason:
            return Answer(UNSOLVABLE, engine=name, reason=reason)
    if isinstance(game, Duel) and start.status != OPEN:
        return finished_game(game, start, name)
    if isinstance(game, Duel) and budget.depth == 0:
        return evaluated(prepared, start)
    watch = Stopwatch()
    try:
        guide = make_guide(game, guide_name, start.rules, budget, observer) if guide_name else None
    except StoppedError as error:  # while its tables were being made
        return Answer(LIMIT, engine=name, heuristic=guide_name, limit="stopped", reason=str(error))
    if budget.seconds is not None:
        budget = dataclasses.replace(budget, seconds=max(LEAST_TIME, budget.seconds - watch.seconds()))
    tables = array_bytes(guide) if game.kind == PUZZLE else 0
    if tables > budget.memory:
        sizes = {"needed": decimal(tables / MEGABYTE, 1), "allowed": decimal(budget.memory / MEGABYTE, 1)}
        return Answer(LIMIT, engine=name, limit="memory", reason=message("answers.tables_too_large", **sizes))
    answer = engine.solve(start.rules, start.state, guide, budget, observer, **settings)
    if game.kind == PUZZLE and not is_admissible(game, guide_name):
        answer = without_proof(answer)
    return dataclasses.replace(
        answer,
        engine=answer.engine or name,
        memory=answer.memory + tables,
        line=functools.partial(line_names, start, answer.moves),  # replayed when it is read
        heuristic=answer.heuristic or guide_name if game.kind == PUZZLE else "",
        evaluation=answer.evaluation or guide_name if game.kind == DUEL else "",
    )


def is_admissible(game: Searched[Any, Any], heuristic: str) -> bool:
    """Whether the heuristic never overestimates, as the trivial one does not."""
    return heuristic not in game.guides or bool(getattr(game.guides[heuristic], "admissible", False))


def finished_game(game: Duel[Any, Any], start: Position, engine: str) -> Answer:
    """The answer about a duel that is over."""
    if game.final_score is not None:
        score = game.final_score(start.rules, start.state)
    else:
        score = {"won": Score.win_in(0), "lost": Score.loss_in(0), "drawn": Score(0, True)}[start.status]
    reason = message("answers.game_over", status=start.status)
    return Answer(OPTIMAL, score=score, nodes=1, engine=engine, reason=reason)


def line_names(start: Position, moves: tuple[int, ...]) -> tuple[str, ...]:
    """The moves of an engine in the game's notation; engines play only legal moves."""
    game, rules = start.game, start.rules
    if game.write_move is None:
        return tuple(map(str, moves))
    names, state = [], start.state
    for move in moves:
        names.append(str(game.write_move(rules, state, move)))
        state = game.play(rules, state, move)
    return tuple(names)


def analyse(
    prepared: Prepared, start: Position, budget: Budget, observer: Observer | None = None
) -> Iterator[MoveScore]:
    """Yield every legal move with its value. The budget is for all moves together, the depth counts from the position
    itself: at depth 1, the value of a move is the evaluation of the position after it."""
    game = prepared.game
    if isinstance(game, Duel) and game.analyse is not None and prepared.engine_name == game.best_engine:
        scores = game.analyse(start.rules, start.state, budget, observer, **prepared.settings)
        if scores is not None:
            yield from scores
            return
    moves = start.codes()
    observer = observer or Observer()
    begin = time.perf_counter() - compile_seconds()
    budget = budget.to_move()
    for index, move in enumerate(moves):
        child = start.play(move)
        spent = time.perf_counter() - compile_seconds() - begin
        share = _share(budget, len(moves), index, spent)
        if isinstance(game, Duel) and budget.depth == 1 and child.status == OPEN:
            answer = evaluated(prepared, child)
        else:
            answer = search(prepared, child, share, observer)
        yield move_score(start, move, answer)
        if answer.limit == "stopped" or observer.stop.is_set():
            return


def _share(budget: Budget, count: int, index: int, spent: float) -> Budget:
    """The share of the remaining budget for one of the remaining moves."""
    left = count - index
    seconds = None if budget.seconds is None else max(0.01, (budget.seconds - spent) / left)
    nodes = None if budget.nodes is None else max(1, budget.nodes // count)
    depth = None if budget.depth is None else max(1, budget.depth - 1)
    return dataclasses.replace(budget, seconds=seconds, nodes=nodes, depth=depth)


def evaluated(prepared: Prepared, here: Position) -> Answer:
    """The evaluation of an open position, without a search."""
    estimate = here.evaluate(prepared.guide_name)
    return Answer(
        SOLVED,
        score=Score(estimate.value),
        nodes=1,
        engine=prepared.engine_name,
        evaluation=estimate.name,
        reason=message("answers.not_searched"),
    )


def move_score(start: Position, move: int, answer: Answer) -> MoveScore:
    """The value of a move, from the answer about the position after it."""
    from ludion.kinds import puzzle

    score = answer.score.before() if answer.score is not None else None
    length = moves = None
    if answer.length is not None:
        length = answer.length + int(puzzle.cost(start.rules, start.state, move))
        moves = 1 + len(answer.moves)
    return MoveScore(move, start.write_move(move), score, length, answer.status, answer.nodes, moves=moves)


def ranked(scores: Iterator[MoveScore]) -> Analysis:
    """Best first."""

    def rank(each: MoveScore) -> tuple[bool, int]:
        if each.score is not None:
            return False, -each.score.value
        return each.length is None, each.length or 0

    return Analysis(sorted(scores, key=rank))
