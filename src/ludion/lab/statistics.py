"""The statistics of the lab and the arena."""

from __future__ import annotations

import math

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
    return round((low + high) / 2, 4)
