"""Clauses and proofs, against truth tables."""

from __future__ import annotations

import itertools
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludion.errors import NotationError
from ludion.logic.cnf import Formula, read_dimacs
from ludion.logic.sat import ExternalProver, Prover, SolverError, why

# A SAT solver in a few lines, for want of another on every machine: tries everything, answers as solvers do.
TINY = """
import itertools, sys
lines = [l.split() for l in open(sys.argv[-1]) if l.strip() and l[0] != 'c']
n = int(lines[0][2]); clauses = [[int(w) for w in l[:-1]] for l in lines[1:]]
for signs in itertools.product((1, -1), repeat=n):
    model = {s * (i + 1) for i, s in enumerate(signs)}
    if all(any(x in model for x in c) for c in clauses):
        print('s SATISFIABLE'); print('v', *sorted(model, key=abs), 0); sys.exit(10)
print('s UNSATISFIABLE'); sys.exit(20)
"""

clause = st.lists(st.integers(-5, 5).filter(bool), min_size=1, max_size=3)


def formula_of(clauses: list[list[int]]) -> Formula:
    formula = Formula()
    for number in range(1, 6):
        formula.variable(number)
    for index, each in enumerate(clauses):
        formula.add(each, index)
    return formula


def models(clauses: list[list[int]]) -> list[set[int]]:
    every = ({s * (i + 1) for i, s in enumerate(signs)} for signs in itertools.product((1, -1), repeat=5))
    return [model for model in every if all(any(x in model for x in each) for each in clauses)]


@given(st.lists(clause, max_size=14), st.integers(-5, 5).filter(bool))
def test_a_proof_is_what_all_models_share(clauses: list[list[int]], literal: int) -> None:
    prover = Prover(formula_of(clauses))
    holds = all(literal in model for model in models(clauses))
    assert prover.proves(literal) == holds
    cause = why(formula_of(clauses), literal)
    prover.close()
    assert (cause is not None) == holds
    if cause is not None:  # it suffices, and no fewer clauses do
        assert cause.smallest
        assert all(literal in model for model in models([clauses[index] for index in cause.groups]))
        for fewer in itertools.combinations(clauses, max(0, len(cause.groups) - 1)):
            assert not cause.groups or not all(literal in model for model in models(list(fewer)))


@given(st.lists(clause, max_size=14), st.integers(-5, 5).filter(bool))
def test_without_time_a_cause_is_at_least_minimal(clauses: list[list[int]], literal: int) -> None:
    cause = why(formula_of(clauses), literal, rounds=0)
    if cause is not None and cause.groups:
        needed = [clauses[index] for index in cause.groups]
        assert not cause.smallest
        assert all(literal in model for model in models(needed))
        for index in range(len(needed)):
            assert not all(literal in model for model in models(needed[:index] + needed[index + 1 :]))


@pytest.mark.parametrize("number", range(-1, 6))
def test_exactly_k_of_n(number: int) -> None:
    formula = Formula()
    literals = [formula.variable(index) for index in range(4)]
    formula.exactly(number, literals)
    prover = Prover(formula)
    for signs in itertools.product((1, -1), repeat=4):
        fits = (
            prover.model([sign * literal for sign, literal in zip(signs, literals, strict=True)]) is not None
        )
        assert fits == (signs.count(1) == number)


@given(st.lists(clause, max_size=10))
def test_dimacs_round_trips(clauses: list[list[int]]) -> None:
    assert read_dimacs(formula_of(clauses).dimacs()) == (5, clauses)


@pytest.mark.parametrize(
    "text", ["", "p cnf", "p cnf 1 1\n2 0", "p cnf 1 2\n1 0", "1 0", "p cnf 2 1\nx 0", "p dnf 1 1\n1 0"]
)
def test_bad_dimacs_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_dimacs(text)


def test_an_external_solver_takes_python_sats_place(tmp_path) -> None:  # type: ignore[no-untyped-def]
    program = tmp_path / "tiny.py"
    program.write_text(TINY)
    clauses = [[1, 2], [-1, 2], [3, 4, 5], [-3], [-4]]
    outside = ExternalProver(formula_of(clauses), f"{sys.executable} {program} {{}}")
    inside = Prover(formula_of(clauses))
    for literal in (1, -1, 2, -2, 5, -5, 3, -3):
        assert outside.proves(literal) == inside.proves(literal)
    with pytest.raises(SolverError, match="cannot run"):
        ExternalProver(formula_of(clauses), "no-such-solver").model([])
    with pytest.raises(SolverError, match="no readable answer"):
        ExternalProver(formula_of(clauses), f"{sys.executable} -c pass").model([])
