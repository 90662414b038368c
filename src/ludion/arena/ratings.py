"""Strength from results: Elo differences with their errors, the sequential test, and a rating list."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ludion.lab.statistics import Z_95, wilson_interval
from ludion.messages import message


@dataclass(frozen=True)
class Tally:
    """The results of one player against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def add(self, points: float) -> Tally:
        return Tally(self.wins + (points == 1), self.draws + (points == 0.5), self.losses + (points == 0))


def expected(elo: float) -> float:
    """The share of points that a player this much stronger gets."""
    return 1 / (1 + 10 ** (-elo / 400))


def difference(score: float) -> float:
    """The Elo difference that corresponds to this share of points."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def elo(tally: Tally) -> tuple[float, float, float]:
    """The Elo difference and its 95 % interval; infinite if all games ended the same way."""
    if tally.games == 0:
        return 0.0, -math.inf, math.inf
    low, high = score_interval(tally)
    return difference(tally.score), difference(low), difference(high)


def score_interval(tally: Tally) -> tuple[float, float]:
    """The 95 % interval of the share of points."""
    count, score = tally.games, tally.score
    if count == 0:
        return 0.0, 1.0
    variance = (tally.wins + tally.draws / 4) / count - score * score
    if variance <= 0 or score in (0.0, 1.0):  # Wilson's bounds, which do not collapse
        low, high = wilson_interval(score * count, count, variance=0.0)
    else:
        spread = Z_95 * math.sqrt(variance / count)
        low, high = score - spread, score + spread
    return (max(0.0, low) if score > 0 else 0.0), (min(1.0, high) if score < 1 else 1.0)


def superiority(tally: Tally) -> float:
    """The probability that the first player is the stronger one, given the games that were decided."""
    decided = tally.wins + tally.losses
    return 0.5 if not decided else 0.5 * (1 + math.erf((tally.wins - tally.losses) / math.sqrt(2 * decided)))


def signed(elo: float) -> str:
    """An Elo number for people: +12, -3, 0, +inf."""
    return "0" if abs(elo) < 0.5 else f"{elo:+.0f}"


def strength_in_words(tally: Tally) -> str:
    """The strength of the first player according to the results, in one line."""
    gain, low, high = elo(tally)
    probability = f"{100 * superiority(tally):.1f}".removesuffix(".0")
    return message(
        "arena.strength", elo=signed(gain), low=signed(low), high=signed(high), probability=probability
    )


@dataclass(frozen=True)
class Sprt:
    """The sequential probability ratio test: is the first player `low` or `high` Elo stronger?"""

    low: float = 0.0
    high: float = 50.0
    alpha: float = 0.05  # chance to accept `high` wrongly
    beta: float = 0.05  # chance to accept `low` wrongly

    def ratio(self, tally: Tally) -> float:
        """The logarithm of the likelihood ratio (normal approximation; half a game added to each count)."""
        wins, draws, losses = tally.wins + 0.5, tally.draws + 0.5, tally.losses + 0.5
        count = wins + draws + losses
        score = (wins + draws / 2) / count
        variance = (wins + draws / 4) / count - score * score
        low, high = expected(self.low), expected(self.high)
        return tally.games * (high - low) * (2 * score - low - high) / (2 * variance)

    @property
    def bounds(self) -> tuple[float, float]:
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, tally: Tally) -> str:
        """`high` or `low` once the games decide it, else nothing."""
        ratio, (lower, upper) = self.ratio(tally), self.bounds
        return "high" if ratio >= upper else "low" if ratio <= lower else ""


@dataclass(frozen=True)
class Rating:
    """A player's place in the list."""

    name: str
    elo: float
    error: float  # 95 %, relative to the mean of all players
    games: int
    points: float


def tallies(records: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], Tally]:
    """The results of every player against every other, both ways."""
    results: dict[tuple[str, str], Tally] = {}
    for record in records:
        first, second, points = record["first"], record["second"], record["points"]
        results[first, second] = results.get((first, second), Tally()).add(points)
        if first != second:
            results[second, first] = results.get((second, first), Tally()).add(1 - points)
    return results


def rate(results: Mapping[tuple[str, str], Tally]) -> list[Rating]:
    """The most likely ratings (Bradley and Terry; a draw is half a win), best first; their mean is 0.

    One drawn game between every two players who met is added, so that nobody is infinitely strong.
    """
    import numpy as np

    names = sorted({name for pair in results for name in pair})
    place = {name: i for i, name in enumerate(names)}
    count = len(names)
    games, points = np.zeros((count, count)), np.zeros(count)
    for (one, other), tally in results.items():
        if one != other:
            games[place[one], place[other]] += tally.games + 1
            points[place[one]] += tally.wins + tally.draws / 2 + 0.5
    strength = np.zeros(count)
    scale = math.log(10) / 400
    information = np.zeros((count, count))
    for _ in range(200):  # Newton's method on the log-likelihood, in the space of mean 0
        chance = 1 / (1 + np.exp(-scale * (strength[:, None] - strength[None, :])))
        gradient = scale * (points - (games * chance).sum(1))
        weight = scale * scale * games * chance * (1 - chance)
        information = np.diag(weight.sum(1)) - weight
        step = np.linalg.pinv(information) @ gradient
        strength = strength + np.clip(step, -200, 200)
        strength -= strength.mean()
        if np.abs(step).max() < 1e-9:
            break
    errors = Z_95 * np.sqrt(np.maximum(0, np.diag(np.linalg.pinv(information))))
    ratings = []
    for name in names:
        mine = [tally for (one, other), tally in results.items() if one == name and one != other]
        total = sum(tally.games for tally in mine)
        won = sum(tally.wins + tally.draws / 2 for tally in mine)
        ratings.append(Rating(name, float(strength[place[name]]), float(errors[place[name]]), total, won))
    return sorted(ratings, key=lambda rating: -rating.elo)
