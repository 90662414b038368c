"""Names for values whose type only a game knows. Their contracts are in `puzzle`, `duel` and `quest`."""

from __future__ import annotations

from typing import Any, TypeAlias

Rules: TypeAlias = Any  # the NamedTuple of tables that verbs take first
State: TypeAlias = Any  # a position: a NamedTuple of ints; of a quest, the world
Guide: TypeAlias = Any  # a heuristic or an evaluation: a NamedTuple
