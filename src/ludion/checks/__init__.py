"""`ludion check`: whether a game keeps the contract of its kind, with one line for each promise that it breaks.

The contracts are in words in `ludion.kinds`. Verbs are called in plain Python, with buffers that check every index, on
the start, the example, some levels and the positions of random games; the spaces of small puzzles are searched whole.
Then a compiled random game is compared with the same one in plain Python.

Of a heuristic, what it claims is checked: that it is admissible. No description claims that one is consistent, and no
engine needs it (A* opens a position again when it finds a cheaper path to it), so that is not checked.
"""

from __future__ import annotations

from ludion.checks.contract import check
from ludion.engines.trial import ContractProblem

__all__ = ["ContractProblem", "check"]
