"""Clauses: a formula in conjunctive normal form, with names for its variables, and its DIMACS text.

A variable is a positive int, a literal a variable or its negation `-variable`, a clause a list of literals of
which at least one must hold. Clauses come in *groups*, one for each fact (a clue, a rule); a proof names the groups
it uses.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from ludion.errors import NotationError
from ludion.messages import message

Clause = list[int]


@dataclass
class Formula:
    """Clauses over named variables."""

    names: dict[Hashable, int] = field(default_factory=dict)  # name -> variable, in order
    clauses: list[Clause] = field(default_factory=list)
    groups: list[Hashable] = field(default_factory=list)  # of each clause

    def variable(self, name: Hashable) -> int:
        """The variable of this name, created if it is new."""
        return self.names.setdefault(name, len(self.names) + 1)

    @property
    def variables(self) -> int:
        """The number of variables."""
        return len(self.names)

    def add(self, clause: Iterable[int], group: Hashable = None) -> None:
        """At least one of these literals holds."""
        self.clauses.append(list(clause))
        self.groups.append(group)

    def at_most(self, number: int, literals: Sequence[int], group: Hashable = None) -> None:
        """At most this many of these literals hold."""
        for subset in itertools.combinations(literals, number + 1):
            self.add([-literal for literal in subset], group)

    def at_least(self, number: int, literals: Sequence[int], group: Hashable = None) -> None:
        """At least this many of these literals hold."""
        for subset in itertools.combinations(literals, len(literals) - number + 1):
            self.add(subset, group)

    def exactly(self, number: int, literals: Sequence[int], group: Hashable = None) -> None:
        """Exactly this many of these literals hold."""
        if not 0 <= number <= len(literals):
            self.add([], group)
            return
        self.at_most(number, literals, group)
        self.at_least(number, literals, group)

    def exactly_encoded(self, number: int, literals: Sequence[int], group: Hashable) -> None:
        """The same for many literals: with further variables, named after the group, instead of all subsets."""
        from pysat.card import CardEnc, EncType

        if number in (0, len(literals)):
            for literal in literals:
                self.add([literal if number else -literal], group)
            return
        if not 0 <= number <= len(literals):
            self.add([], group)
            return
        before = self.variables
        encoded = CardEnc.equals(list(literals), number, top_id=before, encoding=EncType.totalizer)
        for variable in range(before + 1, encoded.nv + 1):
            self.variable((group, variable))
        for clause in encoded.clauses:
            self.add(clause, group)

    def dimacs(self, extra: Iterable[Clause] = (), dictionary: bool = True) -> str:
        """The formula as DIMACS text; comments give the dictionary `name <-> variable`."""
        clauses = [*self.clauses, *extra]
        lines = []
        if dictionary:
            lines += [f"c {variable} {_word(name)}" for name, variable in self.names.items()]
        lines.append(f"p cnf {self.variables} {len(clauses)}")
        lines += [" ".join(str(literal) for literal in [*clause, 0]) for clause in clauses]
        return "\n".join(lines) + "\n"


def _word(name: Hashable) -> str:
    return " ".join(str(part) for part in name) if isinstance(name, tuple) else str(name)


def read_dimacs(text: str) -> tuple[int, list[Clause]]:
    """The number of variables and the clauses of a DIMACS text."""
    variables, declared = -1, 0
    clauses: list[Clause] = []
    clause: Clause = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] in ("c", "%"):
            continue
        try:
            if words[0] == "p":
                if words[1] != "cnf":
                    raise ValueError
                variables, declared = int(words[2]), int(words[3])
                continue
            for literal in map(int, words):
                if literal == 0:
                    clauses.append(clause)
                    clause = []
                elif abs(literal) > variables:
                    raise ValueError
                else:
                    clause.append(literal)
        except (ValueError, IndexError):
            raise NotationError(message("logic.bad_dimacs_line", number=number, line=line)) from None
    if variables < 0:
        raise NotationError(message("logic.no_dimacs_header"))
    if clause:
        clauses.append(clause)
    if len(clauses) != declared:
        raise NotationError(message("logic.wrong_clause_count", count=len(clauses), declared=declared))
    return variables, clauses
