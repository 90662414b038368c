"""`ludion check`: checks whether a game keeps the contract of its kind, with one line for each broken promise.

`ludion.kinds` states the contracts. Verbs are called in plain Python, with buffers that check every index, on
the start, the example, some levels and the positions of random games; the spaces of small puzzles are searched whole.
Then a compiled random game is compared with the same one in plain Python.

If a heuristic claims to be admissible, this is checked. No description claims that one is consistent, and no engine
needs it (A* reopens a position when it finds a cheaper path to it), so that is not checked.
"""

from __future__ import annotations

from ludion.checks.contract import check
from ludion.engines.trial import ContractProblem

__all__ = ["ContractProblem", "check"]
