"""Notation of actions: names for people, letters in replays.

    number   0     1      2   3     4     5          6       7         8         100000
    name     wait  right  up  left  down  dig-right  dig-up  dig-left  dig-down  enlarge-view
    letter   .     r      u   l     d     R          U       L         D         +

In a replay, `r12` is twelve times `r`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from ludion.errors import NotationError
from ludion.games.delirium.mine import MapError, shortened
from ludion.games.delirium.physics import (
    DIG_DOWN,
    DIG_LEFT,
    DIG_RIGHT,
    DIG_UP,
    DOWN,
    ENLARGE_VIEW,
    LEFT,
    RIGHT,
    STAY,
    UP,
)
from ludion.messages import message

ACTIONS = tuple(range(STAY, DIG_DOWN + 1))  # all that take a tick, in order
NAMES = {
    STAY: "wait",
    RIGHT: "right",
    UP: "up",
    LEFT: "left",
    DOWN: "down",
    DIG_RIGHT: "dig-right",
    DIG_UP: "dig-up",
    DIG_LEFT: "dig-left",
    DIG_DOWN: "dig-down",
    ENLARGE_VIEW: "enlarge-view",
}
LETTERS = dict(zip(NAMES, ".ruldRULD+", strict=True))
MOST_ACTIONS = 100_000  # that a text may hold

_BY_NAME = {name: action for action, name in NAMES.items()}
_BY_LETTER = {letter: action for action, letter in LETTERS.items()}
_BY_NUMBER = {str(action): action for action in NAMES}


def action_name(action: object) -> str:
    """The name of the action; any other value unchanged."""
    if isinstance(action, (int, np.integer)) and not isinstance(action, bool):
        return NAMES.get(int(action), str(action))
    return str(action)


def parse_action(text: str) -> int:
    """The action with this name, number or letter."""
    word = text.strip()
    action = _BY_NUMBER.get(word, _BY_LETTER.get(word, _BY_NAME.get(word.lower())))
    if action is None:
        names = ", ".join(_BY_NAME)
        raise NotationError(message("delirium.unknown_action", text=shortened(word), names=names))
    return action


def write_actions(actions: Sequence[int]) -> str:
    """A sequence of actions in letters, repetitions shortened."""
    text = ""
    for letter, run in groupby(LETTERS[action] for action in actions):
        count = len(list(run))
        text += f"{letter}{count}" if count > 1 else letter
    return text


def read_actions(text: str) -> list[int]:
    """The actions that a sequence of letters stands for."""
    actions: list[int] = []
    compact = "".join(text.split())
    end = 0
    for match in re.finditer(r"([.ruldRULD+])(\d*)", compact):
        if match.start() != end:
            break
        end = match.end()
        count = int(match[2][:7] or 1)
        if len(actions) + count > MOST_ACTIONS:
            raise MapError(message("delirium.too_many_actions", most=MOST_ACTIONS))
        actions += [_BY_LETTER[match[1]]] * count
    if end != len(compact):
        raise MapError(message("delirium.bad_replay", text=compact[end : end + 10]))
    return actions
