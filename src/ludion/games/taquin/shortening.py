"""A solution of a board of any size, shortened piece by piece.

Beams and line-by-line construction take turns for the first solution (`beams_and_lines`). It is shortened by beams
between two of its positions (`reroute`), then by exact searches (`shorten`): a window slides along the
solution. The positions at its start and its end are known; IDA* looks for a shorter path between them, with the
distances of the tiles from their cells at the end of the window:

    path      | done, in `shorter` | window: `length` moves | not looked at yet |
                                   ^ board                  ^ target

A shorter path replaces the window's moves, and the window is tried again from the same position; otherwise its first
moves are final. Whenever it stops, the final moves and the rest form a solution.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludion.answers import OPTIMAL, SOLVED, Answer
from ludion.core.verbs import kernel
from ludion.core.words import nonnegative
from ludion.engines import beam
from ludion.engines.budget import A_MOMENT, Budget, Expenses, Observer
from ludion.engines.limits import BEST, EXPANDED, NODE_LIMIT, NODES, STOP, run
from ludion.games.taquin.heuristics import Manhattan, manhattan
from ludion.games.taquin.line_by_line import finish_lines, first_solution, joined_pushes, lines_in_order
from ludion.games.taquin.rules import Taquin, Tiles, contents
from ludion.kinds.puzzle import estimate, is_goal, play
from ludion.messages import message

if TYPE_CHECKING:
    from ludion.games.taquin.heuristics import Heuristic

FIRST_WINDOW, FIRST_NODES = 24, 2_000  # moves; nodes for each place of the window
LONGEST_WINDOW = 120
FIRST_BEAM, WIDER = 128, 4  # positions; how many times as many in the next beam
BEAM_SHARE = 0.5  # of the time that is left, for the beams of one width
FIRST_WEIGHT, LAST_WEIGHT, FINISHED_WEIGHT = 24, 2, 48  # of the distances of tiles, by line
REROUTES = ((60, 200), (100, 600), (140, 1800))  # lengths of windows, widths of beams
REROUTE_SHARE = 0.5  # of the time that is left, for these
LOOK = 256  # nodes between two looks at the budget


def solve(
    rules: Taquin, start: Tiles, heuristic: Heuristic, budget: Budget, observer: Observer | None = None
) -> Answer:
    """A first solution, shortened until the budget ends."""
    expenses = Expenses(budget, observer)
    solution = first_solution(rules, start)
    first = len(solution)
    bound = int(estimate(heuristic, rules, start))
    if type(rules) is Taquin:
        solution = beam_first(rules, start, expenses, solution)
        solution = reroute(rules, start, expenses, solution)
    outcome = run(lambda control, trace: shorten(rules, start, solution, control), expenses.left(), observer)
    moves = outcome.result if type(rules) is Taquin else joined_pushes(outcome.result)
    control = outcome.control
    limit = outcome.limit or ("nodes" if control[NODES] >= control[NODE_LIMIT] else "")
    is_shortest = len(moves) == bound
    expenses.nodes += int(control[NODES])
    expenses.expanded += int(control[EXPANDED])
    return Answer(
        OPTIMAL if is_shortest else SOLVED,
        tuple(moves),
        length=len(moves),
        depth=len(moves),
        bound=bound,
        engine="anytime",
        limit="" if is_shortest else limit,
        reason="" if is_shortest else how_near(len(moves), bound),
        details={"first": first, "begun": len(solution)},
        tier=outcome.tier,
        **expenses.fields(),
    )


def beam_first(
    rules: Taquin, start: Tiles, expenses: Expenses, solution: list[int], share: float = 1.0
) -> list[int]:
    """This solution or a shorter one by beams, within a share of the time that is left. Wider beams follow while they
    take no more than a share of that.
    """
    budget = expenses.left(share)
    if budget.seconds is None:
        return solution
    own, width = Expenses(budget, expenses.observer), FIRST_BEAM
    while not own.limit():
        begun = own.seconds()
        path = beams_and_lines(rules, start, own, width, begun + BEAM_SHARE * (budget.seconds - begun))
        solution = min(solution, path, key=len)
        now = own.seconds()
        if WIDER * (now - begun) > BEAM_SHARE * (budget.seconds - now):
            break
        width *= WIDER
    expenses.nodes += own.nodes
    return solution


def beams_and_lines(rules: Taquin, start: Tiles, expenses: Expenses, width: int, end: float) -> list[int]:
    """A solution: a beam goes as far as it gets, the next line is finished by construction, and so on until that time.

    A beam moves many tiles nearer to their cells at once, which line by line move one by one; but it cannot bring the
    last ones home. The distances of outer lines, which are finished first, count more: so what is left to do when a
    beam is stuck is further inside, where fewer moves do it.
    """
    distances = manhattan(rules)[0]  # of a single move per tile: `Manhattan`
    lines = lines_in_order(rules, start)
    weights = np.full(rules.home.size, LAST_WEIGHT)
    tile_at_home = np.argsort(rules.home)
    for index, line in enumerate(lines):
        weights[tile_at_home[line]] = round(
            FIRST_WEIGHT * (LAST_WEIGHT / FIRST_WEIGHT) ** (index / len(lines))
        )
    position, path, finished = start, list[int](), 0
    while True:
        if expenses.limit() or expenses.seconds() >= end:
            return path + first_solution(rules, position)
        rest = replace(expenses.left(), seconds=max(A_MOMENT, end - expenses.seconds()))
        guide = Manhattan(distances * weights[:, None])
        moves, nodes = beam.way_to_the_nearest(rules, position, guide, rest, expenses.observer, width)
        expenses.nodes += nodes
        position, path = play_moves(rules, position, moves), path + moves
        if is_goal(rules, position):
            return path
        moves, finished = finish_lines(rules, position, finished + 1)
        position, path = play_moves(rules, position, moves), path + moves
        if finished == len(lines):
            return path + first_solution(rules, position)
        for line in lines[:finished]:
            weights[tile_at_home[line]] = FINISHED_WEIGHT


def reroute(rules: Taquin, start: Tiles, expenses: Expenses, solution: list[int]) -> list[int]:
    """The solution with shorter paths, found by beams, in place of windows of it.

    A window ends in a position of the solution: this is the goal, and paths that cannot be shorter are left out.
    """
    budget = expenses.left(REROUTE_SHARE)
    if budget.seconds is None:
        return solution
    own, path = Expenses(replace(expenses.left(), seconds=budget.seconds), expenses.observer), list(solution)
    for length, width in REROUTES:
        position, at = start, 0
        while at < len(path) and not own.limit():
            window = path[at : at + length]
            target = play_moves(rules, position, window)
            home = np.argsort(contents(rules, target))  # of each tile, its cell there
            inner = rules._replace(target=target.words, home=home)
            moves, nodes = beam.way_to_the_nearest(
                inner, position, manhattan(inner), own.left(), own.observer, width, cheaper_than=len(window)
            )
            own.nodes += nodes
            if len(moves) < len(window) and play_moves(rules, position, moves) == target:
                path[at : at + len(window)] = moves
            else:
                step = max(1, length // 4)
                position = play_moves(rules, position, path[at : at + step])
                at += step
    expenses.nodes += own.nodes
    return path


def play_moves(rules: Taquin, position: Tiles, moves: list[int]) -> Tiles:
    """The position after these moves."""
    for move in moves:
        position = play(rules, position, move)
    return position


def how_near(length: int, bound: int) -> str:
    """The bound on the ratio of a solution to the shortest, in words."""
    return message("taquin.near_the_shortest", ratio=f"{length / bound:.3f}", bound=bound)


def shorten(
    rules: Taquin, start: Tiles, solution: list[int], control: np.ndarray, nodes: int = FIRST_NODES
) -> list[int]:
    """The solution after passes with growing windows and more nodes, until the budget ends or they cannot help."""
    path = np.array(solution, np.int64)
    length = FIRST_WINDOW
    cells = np.array(contents(rules, start), np.int64)
    while len(path) and not control[STOP] and control[NODES] < control[NODE_LIMIT]:
        before = len(path)
        path = pass_along(cells, rules.beside, rules.width, path, length, nodes, control)
        if before - len(path) < before // 50:
            if length >= min(LONGEST_WINDOW, before):
                break
            length, nodes = length * 5 // 4, nodes * 2
    return path.tolist()  # type: ignore[no-any-return]


@kernel
def pass_along(
    start: Any, beside: Any, width: int, path: Any, length: int, node_limit: int, control: Any
) -> Any:
    """Slide the window along the path once; return the resulting path."""
    board, target, path = start.copy(), start.copy(), path.copy()
    cell_at_end = np.zeros(start.size, np.int64)  # of each tile
    shorter = np.empty(path.size, np.int64)
    line = np.empty(length + 1, np.int64)  # moves of the path that is tried
    done = 0
    at = 0
    blank = find_blank(board)
    while at < path.size:
        window = min(length, path.size - at)
        target[:] = board
        play_all(target, beside, blank, path, at, window)
        new_length = window
        if control[STOP] == 0 and control[NODES] < control[NODE_LIMIT]:
            new_length = find_shorter(
                board, target, cell_at_end, beside, width, blank, window, node_limit, line, control
            )
        if new_length < window:
            at += window - new_length
            for i in range(new_length):
                path[at + i] = line[i]
            continue
        step = max(1, window // 4)
        shorter[done : done + step] = path[at : at + step]
        blank = play_all(board, beside, blank, path, at, step)
        done += step
        at += step
        control[EXPANDED] += 1
        control[BEST] = done + path.size - at
    return shorter[:done]


@kernel(python_entry=False)
def find_blank(board: Any) -> int:
    """The cell of the blank."""
    for cell in range(board.size):
        if board[cell] == 0:
            return cell
    return -1


@kernel(python_entry=False, inline=True)
def slide(board: Any, blank: int, there: int) -> int:
    """Move the blank to a neighbour; return its new cell."""
    board[blank] = board[there]
    board[there] = 0
    return there


@kernel(python_entry=False)
def play_all(board: Any, beside: Any, blank: int, path: Any, at: int, count: int) -> int:
    """Play this many moves of the path; return the cell of the blank."""
    for i in range(at, at + count):
        blank = slide(board, blank, beside[blank, path[i]])
    return blank


@kernel(python_entry=False)
def take_back(board: Any, beside: Any, blank: int, line: Any, count: int) -> None:
    """Undo the first moves of the line, last to first."""
    for i in range(count - 1, -1, -1):
        blank = slide(board, blank, beside[blank, 3 - line[i]])


@kernel(python_entry=False, inline=True)
def distance(width: int, one: int, other: int) -> int:
    """Rows and columns between two cells."""
    return abs(one // width - other // width) + abs(one % width - other % width)


@kernel(python_entry=False)
def find_shorter(
    board: Any,
    target: Any,
    cell_at_end: Any,
    beside: Any,
    width: int,
    blank: int,
    window: int,
    node_limit: int,
    line: Any,
    control: Any,
) -> int:
    """The length of a path from board to target that is shorter than the window, in `line`; the window's if none is.

    Every move changes the estimate by one, so all lengths have its parity. The board is as before in the end.
    """
    estimate = 0
    for cell in range(board.size):
        cell_at_end[target[cell]] = cell
    for cell in range(board.size):
        if board[cell] != 0 and board[cell] != target[cell]:
            estimate += distance(width, cell, cell_at_end[board[cell]])
    nodes = 0
    nodes_before = control[NODES]
    length = window
    for bound in range(estimate, window, 2):
        depth = 0
        line[0] = -1
        left = estimate  # from here
        while depth >= 0 and left > 0 and nodes < node_limit:
            after = 0
            there = -1
            move = line[depth] + 1
            while move < 4:
                there = beside[blank, nonnegative(move)]
                if there >= 0 and not (depth > 0 and move + line[depth - 1] == 3):
                    end = cell_at_end[board[there]]
                    after = left + distance(width, blank, end) - distance(width, there, end)
                    if depth + 1 + after <= bound:
                        break
                move += 1
            line[depth] = move
            if move < 4:
                blank = slide(board, blank, there)
                left = after
                depth += 1
                line[depth] = -1
                nodes += 1
                if nodes % LOOK == 0:
                    control[NODES] = nodes_before + nodes
                    if control[STOP] != 0:
                        nodes = node_limit
            else:
                depth -= 1
                if depth >= 0:
                    there = beside[blank, 3 - line[depth]]
                    end = cell_at_end[board[there]]
                    left += distance(width, blank, end) - distance(width, there, end)
                    blank = slide(board, blank, there)
        if depth >= 0:  # met the end of the window (all tiles are in place, hence the blank), or a limit
            take_back(board, beside, blank, line, depth)
            if left == 0:
                length = depth
            break
    control[NODES] = nodes_before + nodes
    return length
