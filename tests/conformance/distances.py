"""True distances to a goal, by exhaustive search in plain Python, and what they say of a heuristic's claims."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import ludion
from ludion.core.words import flat
from ludion.errors import UnfitError
from ludion.kinds import puzzle
from ludion.kinds.games import Puzzle
from ludion.kinds.moving import legal_moves

MOST_POSITIONS = 30_000


def true_distances(
    start: ludion.Position,
) -> tuple[dict[tuple[int, ...], object], dict[tuple[int, ...], int]]:
    """All positions that can be reached, by their ints, and the least cost from each to a goal (if there is one)."""
    rules = start.rules
    positions = {flat(start.state): start.state}
    arriving: dict[tuple[int, ...], list[tuple[tuple[int, ...], int]]] = {}
    queue = [start.state]
    for position in queue:
        for move in legal_moves(rules, position):
            child = puzzle.play(rules, position, move)
            cost = int(puzzle.cost(rules, position, move))
            arriving.setdefault(flat(child), []).append((flat(position), cost))
            if flat(child) not in positions:
                positions[flat(child)] = child
                queue.append(child)
        assert len(positions) <= MOST_POSITIONS, "take a smaller position"
    distances: dict[tuple[int, ...], int] = {}
    open_list = [(0, key) for key, position in positions.items() if puzzle.is_goal(rules, position)]
    heapq.heapify(open_list)
    while open_list:
        distance, key = heapq.heappop(open_list)
        if key in distances:
            continue
        distances[key] = distance
        for before, cost in arriving.get(key, ()):
            if before not in distances:
                heapq.heappush(open_list, (distance + cost, before))
    return positions, distances


def broken_claims(game: Puzzle, start: ludion.Position) -> Iterator[str]:
    """One line for each heuristic whose claims are false somewhere, with the first position that shows it."""
    positions, distances = true_distances(start)
    rules = start.rules
    for name, entry in game.heuristics.items():
        try:
            heuristic = entry.value(rules)
        except UnfitError:
            continue
        for key, position in positions.items():
            estimate = int(puzzle.estimate(heuristic, rules, position))
            distance = distances.get(key)
            text = game.write(rules, position)
            if estimate < 0:
                yield f"{name}: {estimate} at {text} is negative"
                break
            if entry.admissible and distance is not None and estimate > distance:
                yield f"{name}: {estimate} at {text}, but a goal is {distance} away"
                break
            for move in legal_moves(rules, position):
                child = puzzle.play(rules, position, move)
                after = int(puzzle.estimate_after(heuristic, rules, estimate, position, move, child))
                if after != int(puzzle.estimate(heuristic, rules, child)):
                    yield f"{name}: estimate_after differs from estimate after move {move} at {text}"
                    break
            else:
                continue
            break
