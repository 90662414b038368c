"""The statistics of the lab and the arena."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import TypeVar

K = TypeVar("K")

SIGNIFICANT = 0.05  # results with a smaller probability under chance alone are marked
Z_95 = 1.959964  # standard deviations on either side that hold 95 % of a normal distribution


def wilson_interval(won: float, games: int, variance: float | None = None) -> tuple[float, float]:
    """The 95 % confidence interval of a share of wins by Wilson's score: sound for few games, and near 0 and 1.

    `variance` is that of one game, where games have other results than won and lost.
    """
    if games == 0:
        return 0.0, 1.0
    share = won / games
    if variance is None:
        variance = share * (1 - share)
    middle = share + Z_95**2 / (2 * games)
    spread = Z_95 * math.sqrt(variance / games + Z_95**2 / (4 * games**2))
    scale = 1 + Z_95**2 / games
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return (max(0.0, low) if won > 0 else 0.0), (min(1.0, high) if won < games else 1.0)


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % confidence interval of a median, whatever the distribution: two of the values in order.

    The k-th from either end enclose the median unless fewer than k of n values lie on one side of it: with probability
    1 - 2 P(B < k), B binomial with n and 1/2. Below six values even the extremes do not reach 95 % (of five 93.75 %);
    they are the interval then.
    """
    ordered, count = sorted(values), len(values)
    outside, rank = 0.0, 1
    while rank <= count // 2:
        outside += 2 * math.comb(count, rank) / 2**count
        if outside + 2 / 2**count > SIGNIFICANT:
            break
        rank += 1
    return ordered[rank - 1], ordered[count - rank]


def relative_precision(values: Sequence[float]) -> float:
    """Half the width of the median's interval, as a share of the median."""
    low, high = median_interval(values)
    middle = statistics.median(values)
    return (high - low) / (2 * middle) if middle else 0.0


def sign_test(first: int, second: int) -> float:
    """The probability that a fair coin splits as unevenly as this, or more (two-sided, exact).

    Of pairs on the same seeds, those that only the first and only the second won: McNemar's test in its exact form.
    """
    count, fewer = first + second, min(first, second)
    tail = sum(math.comb(count, k) for k in range(fewer + 1))
    return min(1.0, 2 * tail / (1 << count))


def holm(probabilities: Mapping[K, float]) -> dict[K, float]:
    """The probabilities of several comparisons, corrected for their number (Holm, 1979)."""
    corrected: dict[K, float] = {}
    greatest = 0.0
    for rank, (name, probability) in enumerate(sorted(probabilities.items(), key=lambda each: each[1])):
        greatest = max(greatest, min(1.0, (len(probabilities) - rank) * probability))
        corrected[name] = greatest
    return {name: corrected[name] for name in probabilities}


def branching_factor(nodes: int, depth: int) -> float | None:
    """The effective branching factor: b with b + b^2 + ... + b^depth = nodes."""
    if depth < 1 or nodes < depth:
        return None
    low, high = 1.0, max(2.0, float(nodes))
    for _ in range(60):
        middle = (low + high) / 2
        try:
            total = depth if middle == 1 else middle * (middle**depth - 1) / (middle - 1)
        except OverflowError:
            total = math.inf
        low, high = (middle, high) if total < nodes else (low, middle)
    return (low + high) / 2
