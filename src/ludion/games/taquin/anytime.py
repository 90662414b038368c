"""A good solution soon, then better ones until the budget ends: beam searches of growing width, with lower bounds.

Wider beams find shorter solutions; positions that cannot lead to a shorter solution than the best known are dropped.
The lower bound is the heuristic at the start, and then that of IDA*, which runs between the beams and finishes more
iterations each time:

    bound <= shortest <= length        proved optimal when bound = length

A large board is first solved line by line (`line_by_line`). Boards of more than `MOST_CELLS_FOR_BEAMS` cells are too
large for beams: that solution is shortened piece by piece (`shortening`).
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from ludion.answers import LIMIT, OPTIMAL, SOLVED, Answer
from ludion.core.clock import Stopwatch, compile_seconds
from ludion.engines import beam, ida_star
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import UNLIMITED
from ludion.games.taquin import shortening
from ludion.games.taquin.line_by_line import first_solution, joined_pushes
from ludion.games.taquin.rules import Taquin, Tiles
from ludion.kinds.puzzle import estimate, is_goal
from ludion.messages import message

if TYPE_CHECKING:
    from ludion.games.taquin.heuristics import Heuristic

MOST_CELLS_FOR_TABLES, MOST_CELLS_FOR_BEAMS = 36, 64
FIRST_WIDTH = 100
WIDEN = 5  # the next beam is this many times as wide as the last one, or less if that would not end in time
WIDEN_AT_LEAST = 1.5
GROWTH = 1.25  # a beam n times as wide takes about n ** GROWTH times as long: it no longer fits the caches
FIRST_SHARE = 0.3  # of the time, for the first solution of a large board
BEAM_SHARE = 0.65  # of the time that is left, for the last beam; the rest is for the lower bound
DEFAULT_SECONDS = 5.0
SHORTEST_BOUND = 0.1  # seconds for a lower bound, at least; else as long as the beam before it took
FINAL_LIMITS = ("memory", "nodes", "stopped")  # after which no wider beam can run


def solve(
    rules: Taquin,
    start: Tiles,
    heuristic: Heuristic,
    budget: Budget,
    observer: Observer | None = None,
    width: int = 0,
    bounds: bool = True,
) -> Answer:
    """A solution soon, then better ones until the budget ends (5 s without a time limit), with a lower bound.

    `width` fixes the beam instead of widening it; `bounds=False` leaves lower bounds to the heuristic.
    """
    begun = time.perf_counter() - compile_seconds()

    def elapsed() -> float:  # compiling is not searching
        return time.perf_counter() - compile_seconds() - begun

    seconds = budget.seconds if budget.seconds is not None else DEFAULT_SECONDS
    if is_goal(rules, start):
        return Answer(OPTIMAL, length=0, bound=0, nodes=1, engine="anytime")
    cells = rules.width * rules.height
    if cells > MOST_CELLS_FOR_BEAMS and not width:
        return shortening.solve(rules, start, heuristic, replace(budget, seconds=seconds), observer)
    watch, nodes, expanded, memory = Stopwatch(), 0, 0, 0
    bound = int(estimate(heuristic, rules, start))
    best: tuple[int, ...] | None = None
    if cells > MOST_CELLS_FOR_TABLES and not width:
        first = first_solution(rules, start)
        if type(rules) is Taquin:
            rest = _rest(budget, seconds * FIRST_SHARE, 0)
            first, nodes = shortening.beam_first(rules, start, rest, observer, first, watch)
        best = tuple(first if type(rules) is Taquin else joined_pushes(first))
    searching, searching_cpu = watch.seconds(), watch.cpu_seconds()
    tier = ""
    beam_width, best_width = width or FIRST_WIDTH, 0
    limit = "nodes" if budget.nodes is not None and nodes >= budget.nodes else ""
    is_last_round = False  # the next one would not end in time
    while not is_last_round and limit not in FINAL_LIMITS and elapsed() < seconds:
        round_begun = elapsed()
        answer = beam.solve(
            rules,
            start,
            heuristic,
            _rest(budget, seconds - elapsed(), nodes),
            observer,
            width=beam_width,
            cheaper_than=len(best) if best is not None else UNLIMITED,
        )
        nodes += answer.nodes
        expanded += answer.expanded
        searching += answer.seconds
        searching_cpu += answer.cpu_seconds
        tier = answer.tier
        memory = max(memory, answer.memory)
        limit = answer.limit if answer.limit != "width" else ""
        if answer.found:
            best, best_width = answer.moves, beam_width
        if budget.nodes is not None and nodes >= budget.nodes:
            limit = "nodes"
        beam_seconds = elapsed() - round_begun
        factor = _widen_by(beam_seconds, seconds - elapsed()) if best is not None else WIDEN
        is_last_round = bool(width) or factor < WIDEN_AT_LEAST
        if best is not None and len(best) <= bound:
            break
        seconds_left = seconds - elapsed()
        if best is not None and bounds and seconds_left > 0 and limit not in ("nodes", "stopped"):
            share = seconds_left if is_last_round else min(seconds_left, max(SHORTEST_BOUND, beam_seconds))
            answer = ida_star.solve(rules, start, heuristic, _rest(budget, share, nodes), observer)
            nodes += answer.nodes
            expanded += answer.expanded
            searching += answer.seconds
            searching_cpu += answer.cpu_seconds
            bound = max(bound, answer.bound or 0)
            limit = answer.limit if answer.limit in ("nodes", "stopped") else limit
            if answer.status == OPTIMAL:
                best = answer.moves
            if len(best) <= bound:
                break
        beam_width = int(beam_width * factor)
    if best is None:
        status, reason = LIMIT, message("taquin.beams_found_nothing", bound=bound, width=beam_width)
    elif len(best) <= bound:
        status, reason, limit = OPTIMAL, "", ""
    else:
        status, reason = SOLVED, shortening.how_near(len(best), bound)
    return Answer(
        status,
        best or (),
        length=len(best) if best is not None else None,
        nodes=nodes,
        expanded=expanded,
        depth=len(best or ()),
        bound=bound,
        seconds=searching,
        cpu_seconds=searching_cpu,
        tier=tier,
        memory=memory,
        engine="anytime",
        limit=limit or ("time" if status != OPTIMAL else ""),
        reason=reason,
        details={"width": best_width},
    )


def _widen_by(beam_seconds: float, seconds_left: float) -> float:
    """The factor by which the next beam may be wider, given the time of the last one.

    The lower bound in between takes about as long as the last beam.
    """
    room = BEAM_SHARE * (seconds_left - max(beam_seconds, SHORTEST_BOUND))
    return float(min(WIDEN, max(0.0, room / max(beam_seconds, 1e-6)) ** (1 / GROWTH)))


def _rest(budget: Budget, seconds: float, nodes: int) -> Budget:
    """The remaining budget after this many nodes, for this many seconds."""
    return replace(budget, seconds=seconds, nodes=None if budget.nodes is None else budget.nodes - nodes)
