"""The choice of a risk when nothing is certain and there are too many completions for an endgame search.

`look_ahead` estimates the chance to win after each of the safest actions, two risks deep:

    value(action)    = sum over its possible observations of  chance(observation) * value(position after it)
    value(position)  = best chance to survive the next risk * estimate(position)

The estimate is a logistic function of a few features of a position, with weights fitted to games (see `tuning`).
"""

from __future__ import annotations

import numpy as np

from ludion.core.verbs import kernel
from ludion.games.crocomine.inference import Beliefs, KnownBoard, fill_probabilities
from ludion.games.crocomine.rules import (
    CONTENTS,
    CROCODILE,
    EMPTY,
    END,
    HIDDEN,
    OPEN,
    SHARK,
    TIGER,
    are_near,
)
from ludion.logic.shares import COUNTED, Workspace

UNCERTAIN, CERTAINTY = 1e-12, 1.0 - 1e-12  # probabilities beyond them are 0 or 1, apart from rounding
LEAST_PAIR = 1e-4  # less likely pairs are ignored
SURVIVAL, VALUE, OBSERVATIONS = 0, 1, 2  # the columns of the scores of actions


@kernel(python_entry=False, inline=True)
def with_seen(board: KnownBoard, seen: np.ndarray, clues: np.ndarray) -> KnownBoard:
    """The same board with other arrays for what is seen, which can be changed in place."""
    columns, around, flags, totals, sea, terrain, _, _ = board
    return KnownBoard(columns, around, flags, totals, sea, terrain, seen, clues)


# The features of a position after its next risk: indices of `features` and `weights`.
CONSTANT = 0  # 1
BOARDS = 1  # the logarithm of the number of boards that fit
FRONTIER = 2  # the sum of the entropies of the cells next to an open one
PAIRS = 3  # the expected number of 50/50 guesses that no clue can decide, roughly (Minesweeper)
SAFE_CELLS = 4  # the logarithm of 1 + the number of cells known to be safe
NO_SAFE_CELL = 5  # 1 if the next action is a risk, else 0
SECOND_CHANCE = 6  # before a risk, the logarithm of the second-best chance to survive it; else 0
FREE_CELLS = 7  # the chance that a cell next to no open one is empty; 0 if there is none
FRONTIER_BY_BOARDS = 8  # the product of both: an undecided frontier costs most near the end
FEATURES = 9


@kernel
def fill_features(
    board: KnownBoard, open_around: np.ndarray, beliefs: Beliefs, features: np.ndarray
) -> float:
    """Fill the features of a position. Returns the best chance to survive the next action: 1 if a cell is known to be
    safe. `open_around` has the number of open cells around each cell."""
    chances = beliefs.chances
    best = second = entropy = free = 0.0
    safe, all_certain = 0, True
    for cell in range(board.seen.shape[0]):
        if board.seen[cell] != HIDDEN:
            continue
        likeliest = 0.0  # among the contents that can be played
        for content in range(CONTENTS):
            chance = chances[cell, content]
            if chance <= 0.0:
                continue
            if chance >= CERTAINTY:
                safe += content == EMPTY
                continue
            all_certain = False
            if content == EMPTY or not board.flags:
                likeliest = max(likeliest, chance)
            if open_around[cell]:
                entropy -= chance * np.log(chance)
        if likeliest > best:
            best, second = likeliest, best
        elif likeliest > second:
            second = likeliest
        if open_around[cell] == 0:
            free = chances[cell, EMPTY]
    risk_next = safe == 0 and not all_certain
    features[CONSTANT] = 1.0
    features[BOARDS] = beliefs.log_models
    features[FRONTIER] = entropy
    features[PAIRS] = expected_pairs(board, chances) if board.flags else 0.0
    features[SAFE_CELLS] = np.log(1.0 + safe)
    features[NO_SAFE_CELL] = 1.0 if risk_next else 0.0
    features[SECOND_CHANCE] = np.log(second) if risk_next and second > 0.0 else 0.0
    features[FREE_CELLS] = free
    features[FRONTIER_BY_BOARDS] = entropy * beliefs.log_models
    return best if risk_next else 1.0


@kernel
def expected_pairs(board: KnownBoard, chances: np.ndarray) -> float:
    """Roughly how many pairs of cells will stay undecided, treating the contents of cells as independent.

    Two cells that touch along a side, just one of them a mine, are such a pair if all cells that touch only one of
    them are mines: then no clue can distinguish them.
    """
    seen, columns, cells = board.seen, board.columns, board.seen.shape[0]
    total = 0.0
    for cell in range(cells):
        if seen[cell] != HIDDEN or not UNCERTAIN < chances[cell, EMPTY] < CERTAINTY:
            continue
        for below in range(2):
            if cell + columns >= cells if below else cell % columns == columns - 1:
                continue
            other = cell + columns if below else cell + 1
            if seen[other] != HIDDEN or not UNCERTAIN < chances[other, EMPTY] < CERTAINTY:
                continue
            one, two = chances[cell, EMPTY], chances[other, EMPTY]
            chance = one * (1.0 - two) + two * (1.0 - one)
            total += mines_beside(
                board, chances, cell, other, mines_beside(board, chances, other, cell, chance)
            )
    return total


@kernel(python_entry=False, inline=True)
def mines_beside(board: KnownBoard, chances: np.ndarray, one: int, two: int, chance: float) -> float:
    """`chance` times the probability of mines in all cells that touch `one` but not `two`."""
    for i in range(1, board.around[one, END]):
        here = board.around[one, i]
        if board.seen[here] > EMPTY or are_near(board.columns, here, two, 1):
            continue
        chance *= 1.0 - chances[here, EMPTY] if board.seen[here] == HIDDEN else 0.0
        if chance < LEAST_PAIR:
            return 0.0
    return chance


@kernel(python_entry=False, inline=True)
def win_probability(
    board: KnownBoard, open_around: np.ndarray, beliefs: Beliefs, features: np.ndarray, weights: np.ndarray
) -> float:
    """The estimated chance to win: to survive the next risk, times a logistic function of the features."""
    survival = fill_features(board, open_around, beliefs, features)
    total = 0.0
    for i in range(FEATURES):
        total += weights[i] * features[i]
    return float(survival / (1.0 + np.exp(-total)))


@kernel
def add_around(around: np.ndarray, cell: int, numbers: np.ndarray, amount: int) -> None:
    """Add the amount to the number of each neighbour."""
    for i in range(1, around[cell, END]):
        numbers[around[cell, i]] += amount


MOST_CLUES = 165  # ways to choose tigers, sharks and crocodiles, eight of them at most


@kernel
def list_clues(board: KnownBoard, chances: np.ndarray, cell: int, possible: np.ndarray) -> int:
    """Fill `possible` with the clues that the cell may show if it is empty, by the possible contents of each
    neighbour alone. Returns how many there are."""
    least, most = np.zeros(CONTENTS, np.int64), np.zeros(CONTENTS, np.int64)  # of each animal
    hidden = surely_animals = 0
    for i in range(1, board.around[cell, END]):
        other = board.around[cell, i]
        if board.seen[other] > EMPTY:
            least[board.seen[other]] += 1
        elif board.seen[other] == HIDDEN:
            hidden += 1
            surely_animals += chances[other, EMPTY] == 0.0
            for animal in range(TIGER, CONTENTS):
                most[animal] += chances[other, animal] > 0.0
    count = 0
    for tigers in range(most[TIGER] + 1):
        for sharks in range(most[SHARK] + 1):
            for crocodiles in range(most[CROCODILE] + 1):
                if surely_animals <= tigers + sharks + crocodiles <= hidden:
                    possible[count, TIGER - 1] = least[TIGER] + tigers
                    possible[count, SHARK - 1] = least[SHARK] + sharks
                    possible[count, CROCODILE - 1] = least[CROCODILE] + crocodiles
                    count += 1
    return count


@kernel
def look_ahead(
    workspace: Workspace,
    board: KnownBoard,
    beliefs: Beliefs,
    actions: np.ndarray,
    scores: np.ndarray,
    weights: np.ndarray,
    most: int,
) -> int:
    """For each action (cell, content) fill `scores`: SURVIVAL, the chance to survive it; VALUE, the estimated chance to
    win; OBSERVATIONS, the number of its possible observations.

    Returns how many positions were counted; stops at `most` (the other actions are scored by SURVIVAL alone).
    """
    chances, log_models = beliefs
    cells = board.seen.shape[0]
    assumed = with_seen(board, board.seen.copy(), board.clues.copy())
    open_around = np.zeros(cells, np.int64)
    for cell in range(cells):
        if board.seen[cell] == OPEN:
            add_around(board.around, cell, open_around, 1)
    new, features = np.zeros((cells, CONTENTS)), np.zeros(FEATURES)
    possible = np.zeros((MOST_CLUES, board.clues.shape[1]), np.int8)
    counted = 0
    now = win_probability(board, open_around, beliefs, features, weights)
    for index in range(actions.shape[0]):
        cell, content = actions[index, 0], actions[index, 1]
        chance = chances[cell, content]
        scores[index, SURVIVAL] = chance
        scores[index, VALUE] = chance * now  # used if its observations are not counted
        scores[index, OBSERVATIONS] = 1.0
        if counted >= most:
            continue
        discovers = content == EMPTY
        shown = list_clues(board, chances, cell, possible) if discovers else 1
        assumed.seen[cell] = OPEN if discovers else content
        add_around(board.around, cell, open_around, int(discovers))
        reached = value_sum = 0.0
        observations = 0
        for i in range(shown):
            if discovers:
                assumed.clues[cell] = possible[i]
            ended, log_after = fill_probabilities(workspace, assumed, new)
            counted += 1
            if ended == COUNTED:
                share = np.exp(log_after - log_models)
                after_it = Beliefs(new, log_after)
                reached += share
                value_sum += share * win_probability(assumed, open_around, after_it, features, weights)
                observations += 1
        assumed.seen[cell] = board.seen[cell]
        assumed.clues[cell] = board.clues[cell]
        add_around(board.around, cell, open_around, -int(discovers))
        if reached > 0.0:
            scores[index, VALUE] = chance * value_sum / reached
            scores[index, OBSERVATIONS] = observations
    return counted
