"""Which variables of a position are worth knowing: projections chosen by hill climbing, as planners do for any domain.

A pattern is a set of variables, variable v as bit v; its table has the distances of the puzzle that knows only those.
Patterns are compared by what their tables say of sample positions. Where the game shares the costs, patterns have no
variable in common and their distances are added: two of them are joined, whichever pair raises the most samples. Else
the largest distance counts: one pattern grows, variable by variable, while there is room; then others, for what they
add to it.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from ludion.engines.trial import with_spare
from ludion.kinds.moving import legal_moves
from ludion.kinds.puzzle import (
    goals,
    most_moves,
    moves_back,
    pack,
    play,
    play_back,
    project,
    share,
    variables,
)
from ludion.kinds.values import Rules, State

if TYPE_CHECKING:
    from ludion.engines.projections import ProjectionTable, TableBuilder

SAMPLES = 200  # positions that patterns are compared on
LONGEST_WALK = 100  # moves between a goal and a sample
EFFORT = 10  # positions computed while patterns are chosen, for each position of the tables
LEAST_GAIN = 0.02  # of the samples, that one more step or pattern raises
DEAD_END = 10_000  # what counts of the distance of a dead end, when distances are summed up


def automatic_patterns(builder: TableBuilder, positions: int) -> list[int]:
    """Useful sets of variables whose tables have at most this many positions in total."""
    choice = PatternChoice(builder, positions)
    patterns = choice.joined() if share.has(builder.rules) else choice.grown()
    return patterns or [(1 << variables(builder.rules)) - 1]


class PatternChoice:
    """The tables that were tried: their sizes, and the distances of the samples where there was room for all of it."""

    def __init__(self, builder: TableBuilder, positions: int) -> None:
        self.builder, self.positions, self.effort = builder, positions, EFFORT * positions
        self.variable_count = int(variables(builder.rules))
        self.samples = walked_positions(builder.rules)
        self.sizes: dict[int, int] = {}
        self.values: dict[int, np.ndarray] = {}

    def distances(self, pattern: int, room: int) -> np.ndarray | None:
        """Of the samples; None if the table is larger than the room, or there is no time to compute it."""
        if pattern not in self.sizes and self.effort > 0 and not self.builder.is_late:
            table = self.builder.table(pattern, room)
            self.effort -= table.size
            self.sizes[pattern] = table.size
            if table.complete:
                self.values[pattern] = self.looked_up(table)
        return self.values.get(pattern) if self.sizes.get(pattern, 0) <= room else None

    def looked_up(self, table: ProjectionTable) -> np.ndarray:
        rules = self.builder.rules
        words = [tuple(map(int, pack(rules, project(rules, each, table.number)))) for each in self.samples]
        rows = np.isin(
            table.words[:, 0], [first for first, *_ in words]
        )  # those that may be among the samples
        distance_of = dict(
            zip(map(tuple, table.words[rows].tolist()), table.distances[rows].tolist(), strict=True)
        )
        return np.array([distance_of.get(each, table.beyond) for each in words], np.int64)

    def room_beside(self, patterns: list[int]) -> int:
        return self.positions - sum(self.sizes[each] for each in patterns)

    def joined(self) -> list[int]:
        """Patterns without a common variable: each variable alone at first, then joined."""
        singles = [1 << variable for variable in range(self.variable_count)]
        patterns = [each for each in singles if self.distances(each, self.positions) is not None]
        while True:
            best_gain, best_pair = LEAST_GAIN * len(self.samples), None
            for pair in combinations(patterns, 2):
                room = self.room_beside([each for each in patterns if each not in pair])
                together = self.distances(pair[0] | pair[1], room)
                if together is not None:
                    gain = int((together > self.values[pair[0]] + self.values[pair[1]]).sum())
                    if gain > best_gain:
                        best_gain, best_pair = gain, pair
            if best_pair is None:
                return patterns
            patterns = [each for each in patterns if each not in best_pair] + [best_pair[0] | best_pair[1]]

    def grown(self) -> list[int]:
        """Patterns one after the other, each as large as there is room for."""
        patterns: list[int] = []
        highest = np.zeros(len(self.samples), np.int64)
        while True:
            pattern = self.grown_beside(patterns, highest)
            if pattern == 0:
                return patterns
            gain = int((self.values[pattern] > highest).sum())
            if patterns and gain <= LEAST_GAIN * len(self.samples):
                return patterns
            patterns.append(pattern)
            highest = np.maximum(highest, self.values[pattern])

    def grown_beside(self, patterns: list[int], highest: np.ndarray) -> int:
        """One more pattern, which raises many samples above the highest distances so far; 0 if there is no room."""
        room = self.room_beside(patterns)
        pattern, worth = 0, (0, 0)
        while True:
            best, best_worth = 0, worth
            for variable in range(self.variable_count):
                larger = pattern | 1 << variable
                if larger == pattern or larger in patterns:
                    continue
                distances = self.distances(larger, room)
                if distances is not None:
                    gain = int((distances > highest).sum())
                    larger_worth = gain, int(np.minimum(distances, DEAD_END).sum())
                    if larger_worth > best_worth or (best == 0 and larger_worth == best_worth):
                        best, best_worth = larger, larger_worth
            if best == 0:
                return pattern
            pattern, worth = best, best_worth


def walked_positions(rules: Rules) -> list[State]:
    """Positions some random moves before a goal, and some random moves on: those may be dead ends."""
    chance = random.Random(0)
    ends = list(goals(rules))
    buffer = np.zeros(with_spare(int(most_moves(rules))), np.int64)
    samples = []
    for sample in range(SAMPLES):
        position = chance.choice(ends)
        for _ in range(chance.randrange(1, LONGEST_WALK)):
            count = int(moves_back(rules, position, buffer))
            if count == 0:
                break
            position = play_back(rules, position, int(buffer[chance.randrange(count)]))
        for _ in range(chance.randrange(10) if sample % 2 else 0):
            codes = legal_moves(rules, position)
            if not codes:
                break
            position = play(rules, position, chance.choice(codes))
        samples.append(position)
    return samples
