"""Proof by contradiction: a fact follows from clauses if they cannot hold together with its negation.

`Prover` asks python-sat (one incremental solver, each question an assumption), `ExternalProver` any program
that reads a DIMACS file and answers in the usual way (`s SATISFIABLE`, `v` lines; gophersat, cadical,
minisat).
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ludion.errors import LudionError
from ludion.logic.cnf import Formula

SOLVER = "glucose4"


class SolverError(LudionError):
    """A SAT solver that cannot be run or whose answer cannot be read."""


class Solver(Protocol):
    """Whatever can tell whether clauses can hold under assumptions."""

    def model(self, assumptions: Sequence[int]) -> set[int] | None:
        """The literals of a model, or None if there is none."""


class Prover:
    """Asks python-sat. Clauses may be added to the formula between questions."""

    def __init__(self, formula: Formula) -> None:
        from pysat.solvers import Solver as PySat

        self.formula = formula
        self._solver = PySat(name=SOLVER)
        self._sent = 0
        self.questions = 0

    def model(self, assumptions: Sequence[int] = ()) -> set[int] | None:
        """The literals of a model under the assumptions, or None if there is none."""
        for clause in self.formula.clauses[self._sent :]:
            self._solver.add_clause(clause) if clause else self._refuse()
        self._sent = len(self.formula.clauses)
        self.questions += 1
        if not self._solver.solve(assumptions=list(assumptions)):
            return None
        return set(self._solver.get_model() or ())

    def _refuse(self) -> None:
        """The empty clause, which no model satisfies."""
        variable = self.formula.variable(("", "never"))
        self._solver.add_clause([variable])
        self._solver.add_clause([-variable])

    def proves(self, literal: int) -> bool:
        """Whether the literal holds in all models."""
        return self.model([-literal]) is None

    def close(self) -> None:
        self._solver.delete()


class ExternalProver:
    """Asks a program that reads DIMACS: `command FILE`, or with `{}` in the command for the file's place."""

    def __init__(self, formula: Formula, command: str, seconds: float = 60.0) -> None:
        self.formula, self.command, self.seconds = formula, command, seconds
        self.questions = 0

    def model(self, assumptions: Sequence[int] = ()) -> set[int] | None:
        """The literals of a model under the assumptions, or None if there is none."""
        self.questions += 1
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "question.cnf"
            file.write_text(
                self.formula.dimacs([[each] for each in assumptions], dictionary=False), encoding="ascii"
            )
            words = shlex.split(self.command)
            if not words:
                raise SolverError("the solver's command is empty")
            words = (
                [word.replace("{}", str(file)) for word in words]
                if "{}" in self.command
                else [*words, str(file)]
            )
            try:
                done = subprocess.run(
                    words, capture_output=True, text=True, timeout=self.seconds, check=False
                )
            except subprocess.TimeoutExpired:
                raise SolverError(f"'{words[0]}' gave no answer in {self.seconds} s") from None
            except OSError as error:
                raise SolverError(f"cannot run '{words[0]}': {error.strerror}") from None
        return _read_answer(done.stdout, words[0], done.returncode)

    def proves(self, literal: int) -> bool:
        """Whether the literal holds in all models."""
        return self.model([-literal]) is None

    def close(self) -> None:
        """Nothing is kept open."""


def _read_answer(output: str, name: str, code: int) -> set[int] | None:
    literals: set[int] = set()
    verdict = ""
    for line in output.splitlines():
        words = line.replace("s ", "", 1).split() if line.startswith("s ") else line.split()
        if not words or words[0] == "c":
            continue
        if words[0] in ("UNSATISFIABLE", "UNSAT"):
            return None
        if words[0] in ("SATISFIABLE", "SAT"):
            verdict = "yes"
        elif words[0] == "v" or words[0].lstrip("-").isdigit():
            literals.update(int(word) for word in words if word not in ("v", "0"))
    if code == 20:  # the exit codes of the SAT competition
        return None
    if not verdict and code != 10:
        raise SolverError(f"'{name}' gave no answer that can be read (exit code {code})")
    return literals


def make_prover(formula: Formula, command: str = "") -> Any:
    """A prover: python-sat, or the program of this command."""
    return ExternalProver(formula, command) if command else Prover(formula)


@dataclass(frozen=True)
class Cause:
    """Groups of clauses that force a fact, none of which can be left out."""

    groups: tuple[Hashable, ...]
    smallest: bool  # no set of fewer groups forces it; else only: no part of this one does


def why(
    formula: Formula, literal: int, always: Sequence[Hashable] = (None,), rounds: int = 300
) -> Cause | None:
    """The smallest set of groups that forces the literal; None if it does not follow.

    Groups in `always` (the rules) are used but not told. A set forces the literal if it meets every set of
    groups without which the rest no longer does; so the smallest set that meets all those found so far is
    tried, until it forces the literal or is as large as the minimal one found at first. If that takes more
    than so many `rounds`, the minimal one is given.
    """
    from pysat.examples.hitman import Hitman
    from pysat.solvers import Solver as PySat

    groups = list(dict.fromkeys(group for group in formula.groups if group not in always))
    switch = {group: formula.variables + 1 + index for index, group in enumerate(groups)}
    back = {number: group for group, number in switch.items()}
    with PySat(name=SOLVER) as solver:
        for clause, group in zip(formula.clauses, formula.groups, strict=True):
            solver.add_clause([*clause, -switch[group]] if group in switch else clause)
        solver.set_phases(list(back))

        def escapes(switches: Iterable[int]) -> bool:
            """Whether the literal can be false under these groups."""
            return bool(solver.solve(assumptions=[-literal, *switches]))

        if escapes(back):
            return None
        kept = [number for number in back if number in set(solver.get_core() or ())]
        for number in list(kept):
            fewer = [each for each in kept if each != number]
            if number in kept and not escapes(fewer):
                core = set(solver.get_core() or ())
                kept = [each for each in fewer if each in core]
        tried: list[int] = []
        with Hitman(solver=SOLVER, htype="sorted") as smallest:
            for _ in range(rounds):
                if len(tried) >= len(kept):
                    break
                if not escapes(tried):
                    kept = tried
                    break
                # Leave as few groups out as possible: one of those must be in every set that forces it.
                model = set(solver.get_model() or ())
                held = [number for number in back if number in model]
                for number in back:
                    if number not in model and escapes([*held, number]):
                        model = set(solver.get_model() or ())
                        held = [each for each in back if each in model]
                smallest.hit([number for number in back if number not in model])
                tried = list(smallest.get())
            else:
                return Cause(tuple(back[number] for number in kept), smallest=False)
        return Cause(tuple(back[number] for number in sorted(kept)), smallest=True)
