"""Proof by contradiction: a fact follows from clauses if they cannot hold together with its negation.

`Prover` asks python-sat (one incremental solver, each question an assumption), `ExternalProver` any program
that reads a DIMACS file and answers in the usual way (`s SATISFIABLE`, `v` lines; gophersat, cadical,
minisat).
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludion.errors import LudionError
from ludion.logic.cnf import Formula
from ludion.messages import message

SOLVER = "glucose4"
UNSATISFIABLE_CODE, SATISFIABLE_CODE = 20, 10  # the exit codes of the SAT competition


class SolverError(LudionError):
    """A SAT solver that cannot be run or whose answer cannot be read."""


class AnyProver(ABC):
    """Decides whether the clauses of a formula are satisfiable under assumptions."""

    @abstractmethod
    def model(self, assumptions: Sequence[int] = ()) -> set[int] | None:
        """The literals of a model under the assumptions, or None if there is none."""

    def proves(self, literal: int) -> bool:
        """Whether the literal holds in all models."""
        return self.model([-literal]) is None

    def close(self) -> None:  # noqa: B027 (most solvers hold nothing)
        """Free what the solver holds."""


class Prover(AnyProver):
    """Asks python-sat. Clauses may be added to the formula between questions."""

    def __init__(self, formula: Formula) -> None:
        from pysat.solvers import Solver

        self.formula = formula
        self._solver = Solver(name=SOLVER)
        self._sent = 0  # clauses that the solver has

    def model(self, assumptions: Sequence[int] = ()) -> set[int] | None:
        for clause in self.formula.clauses[self._sent :]:
            if clause:
                self._solver.add_clause(clause)
            else:
                self._add_empty_clause()
        self._sent = len(self.formula.clauses)
        if not self._solver.solve(assumptions=list(assumptions)):
            return None
        return set(self._solver.get_model() or ())

    def _add_empty_clause(self) -> None:
        """The clause that no model satisfies, as python-sat understands it."""
        variable = self.formula.variable(("", "never"))
        self._solver.add_clause([variable])
        self._solver.add_clause([-variable])

    def close(self) -> None:
        self._solver.delete()


class ExternalProver(AnyProver):
    """Asks a program that reads DIMACS: `command FILE`, or with `{}` in the command for the file's place."""

    def __init__(self, formula: Formula, command: str, seconds: float = 60.0) -> None:
        self.formula, self.command, self.seconds = formula, command, seconds

    def model(self, assumptions: Sequence[int] = ()) -> set[int] | None:
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise SolverError(message("logic.bad_command", command=self.command, error=error)) from None
        if not words:
            raise SolverError(message("logic.empty_command"))
        program = words[0]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "question.cnf"
            text = self.formula.dimacs([[literal] for literal in assumptions], dictionary=False)
            file.write_text(text, encoding="ascii")
            if "{}" in self.command:
                words = [word.replace("{}", str(file)) for word in words]
            else:
                words.append(str(file))
            try:
                process = subprocess.run(
                    words, capture_output=True, text=True, timeout=self.seconds, check=False
                )
            except subprocess.TimeoutExpired:
                raise SolverError(
                    message("logic.solver_too_slow", program=program, seconds=self.seconds)
                ) from None
            except OSError as error:
                raise SolverError(
                    message("logic.cannot_run", program=program, error=error.strerror)
                ) from None
        return _read_answer(process.stdout, program, process.returncode)


def _read_answer(output: str, program: str, code: int) -> set[int] | None:
    """The model in a solver's output, or None if it reports that there is none."""
    literals: set[int] = set()
    satisfiable = code == SATISFIABLE_CODE
    for line in output.splitlines():
        words = line.removeprefix("s ").split()
        if not words or words[0] == "c":
            continue
        if words[0] in ("UNSATISFIABLE", "UNSAT"):
            return None
        if words[0] in ("SATISFIABLE", "SAT"):
            satisfiable = True
        elif words[0] == "v" or _is_number(words[0]):
            try:
                literals.update(int(word) for word in words if word not in ("v", "0"))
            except ValueError:
                raise SolverError(message("logic.unreadable_model", program=program, line=line)) from None
    if code == UNSATISFIABLE_CODE:
        return None
    if not satisfiable:
        raise SolverError(message("logic.unreadable_answer", program=program, code=code))
    return literals


def _is_number(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit()


def make_prover(formula: Formula, command: str = "") -> AnyProver:
    """A prover: python-sat, or the program of this command."""
    return ExternalProver(formula, command) if command else Prover(formula)


@dataclass(frozen=True)
class Cause:
    """A minimal set of groups of clauses that force a fact."""

    groups: tuple[Hashable, ...]
    smallest: bool  # no set of fewer groups forces it; else only: no part of this one does


class CauseFinder:
    """Finds the groups of clauses that force a fact: one incremental solver for any number of questions.

    Every group has a switch, a variable that must hold for its clauses to count. Clauses may be added to the formula
    between questions. Groups in `always` (the rules) are used but not named.
    """

    def __init__(self, formula: Formula, always: Sequence[Hashable] = (None,)) -> None:
        from pysat.solvers import Solver

        self.formula, self.always = formula, frozenset(always)
        self._solver = Solver(name=SOLVER)
        self._sent = 0  # clauses that the solver has
        self._switches: dict[Hashable, int] = {}

    def close(self) -> None:
        """Free what the solver holds."""
        self._solver.delete()

    def _switch(self, group: Hashable) -> int:
        if group not in self._switches:
            self._switches[group] = self.formula.variable(("", "switch", group))
        return self._switches[group]

    def _send(self) -> None:
        """Give the solver the clauses that are new."""
        clauses, groups = self.formula.clauses, self.formula.groups
        for clause, group in zip(clauses[self._sent :], groups[self._sent :], strict=True):
            self._solver.add_clause(clause if group in self.always else [*clause, -self._switch(group)])
        self._sent = len(clauses)

    def why(
        self, literal: int, groups: Iterable[Hashable] | None = None, at_least: int = 0, rounds: int = 300
    ) -> Cause | None:
        """The smallest set of the `groups` (of all, if not given) that forces the literal; None if they do not.

        A set forces the literal if it meets every set of groups without which the rest no longer does; so the
        smallest set that meets all those known so far is tried, until it forces the literal or is as large as the
        minimal one found first. If that takes more than `rounds` rounds, the minimal one is returned. `at_least`
        is a known lower bound of the number of groups.
        """
        self._send()
        if groups is None:
            groups = dict.fromkeys(group for group in self.formula.groups if group not in self.always)
        group_of = {self._switch(group): group for group in groups}
        switches = list(group_of)
        if self._can_be_false(literal, switches):
            return None
        minimal = self._minimise(literal, switches)
        smallest = len(minimal) <= at_least
        if not smallest:
            minimal, smallest = self._find_smallest(literal, switches, minimal, rounds)
        return Cause(tuple(group_of[number] for number in minimal), smallest)

    def _can_be_false(self, literal: int, active: Iterable[int]) -> bool:
        """Whether the literal can be false under the groups of these switches."""
        return bool(self._solver.solve(assumptions=[-literal, *active]))

    def _minimise(self, literal: int, switches: Sequence[int]) -> list[int]:
        """A minimal set of switches that force the literal, after the solver has proved that all of them do."""
        core = set(self._solver.get_core() or ())
        minimal = [number for number in switches if number in core]
        for number in list(minimal):
            fewer = [each for each in minimal if each != number]
            if number in minimal and not self._can_be_false(literal, fewer):
                core = set(self._solver.get_core() or ())
                minimal = [each for each in fewer if each in core]
        return minimal

    def _find_smallest(
        self, literal: int, switches: Sequence[int], minimal: list[int], rounds: int
    ) -> tuple[list[int], bool]:
        """The smallest set of switches that forces the literal, not larger than the `minimal` one; or that one and
        False, if it takes too many rounds."""
        from pysat.examples.hitman import Hitman

        candidate: list[int] = []
        with Hitman(solver=SOLVER, htype="sorted") as hitting_sets:
            for _ in range(rounds):
                if len(candidate) >= len(minimal):
                    return minimal, True
                if not self._can_be_false(literal, candidate):
                    return sorted(candidate), True
                hitting_sets.hit(self._grow(literal, switches))
                candidate = list(hitting_sets.get())
        return minimal, False

    def _grow(self, literal: int, switches: Sequence[int]) -> list[int]:
        """After a model in which the literal is false: as few switches as possible that are off in such a model. One
        of them must be in every set that forces the literal."""
        model = set(self._solver.get_model() or ())
        active = [number for number in switches if number in model]
        for number in switches:
            if number not in model and self._can_be_false(literal, [*active, number]):
                model = set(self._solver.get_model() or ())
                active = [each for each in switches if each in model]
        return [number for number in switches if number not in model]


def why(
    formula: Formula, literal: int, always: Sequence[Hashable] = (None,), rounds: int = 300
) -> Cause | None:
    """The smallest set of groups that forces the literal; None if it does not follow. See `CauseFinder`."""
    finder = CauseFinder(formula, always)
    try:
        return finder.why(literal, rounds=rounds)
    finally:
        finder.close()
