"""As few vehicles as are needed: for boards that are too large for a search with all of them.

A solution of a board also solves it when some vehicles are taken away. So without them a shortest solution is no
longer, and if there is none, the board has none either. The search begins with the red car alone. The solution is tried
on the whole board, and the first vehicle that it runs into is added for the next search:

    length with few vehicles <= length with more <= ... <= length of the board

A solution that runs into no vehicle is a shortest one of the board. Where the budget ends before, the last search has a
bound for the board: with fewer vehicles A* gets farther.
"""

from __future__ import annotations

from dataclasses import replace

from ludion.answers import LIMIT, OPTIMAL, Answer
from ludion.engines import best_first
from ludion.engines.budget import Budget, Expenses, Observer
from ludion.engines.finish import limit_reason
from ludion.games.rush_hour.analysis import exit_of, metric_of
from ludion.games.rush_hour.heuristics import Chains, Heuristic, chains
from ludion.games.rush_hour.notation import RED, board, cells_of, names_of, read, write
from ludion.games.rush_hour.rules import STRIDE, RushHour, Traffic, distance_of, make_move, vehicle_of
from ludion.kinds.puzzle import play


def solve(
    rules: RushHour, start: Traffic, heuristic: Heuristic, budget: Budget, observer: Observer | None = None
) -> Answer:
    """A* with the red car, then also with each vehicle that the solution so far runs into."""
    observer = observer or Observer()
    quiet = Observer(stop=observer.stop)  # events of boards with fewer vehicles would number them otherwise
    quiet.progress = observer.progress  # type: ignore[method-assign]
    expenses, text, names = Expenses(budget, observer), write(rules, start), names_of(rules)
    options = {"metric": metric_of(rules), "exit": exit_of(rules)}
    present, answer, bound = {RED}, Answer(LIMIT), 0
    while True:
        if limit := expenses.limit():
            answer = Answer(LIMIT, limit=limit)
            break
        smaller, position = read(only(text, present), **options)
        guide = chains(smaller) if isinstance(heuristic, Chains) else heuristic  # of these vehicles
        answer = best_first.a_star(smaller, position, guide, expenses.left(), quiet)
        expenses.add(answer)
        bound = max(bound, answer.bound or 0)
        if not answer.found:
            break
        numbers = [names.index(name) for name in names_of(smaller)]
        moves = tuple(make_move(numbers[vehicle_of(move)], distance_of(move)) for move in answer.moves)
        answer = replace(answer, moves=moves)
        obstacle = first_obstacle(rules, start, moves)
        if obstacle is None:
            break
        present.add(obstacle)
    return replace(
        answer,
        engine="relaxed",
        bound=bound if answer.status in (OPTIMAL, LIMIT) else None,
        reason=limit_reason(expenses.nodes, bound) if answer.status == LIMIT else answer.reason,
        details={"vehicles": len(present)},
        **expenses.fields(),
    )


def only(text: str, present: set[str]) -> str:
    """The board with these vehicles and its walls."""
    size, colon, cells = text.rpartition(":")
    return size + colon + "".join(cell if cell in present or cell == "x" else "." for cell in cells)


def first_obstacle(rules: RushHour, start: Traffic, moves: tuple[int, ...]) -> str | None:
    """The name of the first vehicle that these moves run into, played on the whole board; None if they are legal."""
    cells, position = board(rules, start), start
    for move in moves:
        vehicle, distance = vehicle_of(move), distance_of(move)
        step = 1 if distance > 0 else -1
        for _ in range(abs(distance)):
            covered = cells_of(rules, position, vehicle)[::step]
            ahead = covered[-1] + step * int(rules.vehicles[vehicle, STRIDE])
            if cells[ahead] != ".":
                return cells[ahead]
            cells[ahead], cells[covered[0]] = cells[covered[0]], "."
            position = play(rules, position, make_move(vehicle, step))
    return None
