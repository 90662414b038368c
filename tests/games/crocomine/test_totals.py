"""The totals of the board (the report's "contrainte 2") in the clauses, the DIMACS text and `sat-random`."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ludion
from ludion.games.crocomine.clauses import LocalProver, formula_of
from ludion.games.crocomine.inference import NOT_CERTAIN, counts
from ludion.games.crocomine.notation import read_view
from ludion.games.crocomine.rules import EMPTY
from ludion.logic.cnf import Formula, read_dimacs
from ludion.logic.sat import Prover

# One tiger somewhere around the open corner, and it is the only animal: the far cells are safe by the totals alone.
FAR = "view 1 4 1 0 0 0;.(1/0/0) .? .? .?"


@pytest.mark.parametrize(("count", "number"), [(c, n) for c in range(6) for n in range(c + 1)])
def test_the_encoding_allows_exactly_so_many(count, number):
    formula = Formula()
    literals = [formula.variable(index) for index in range(count)]
    formula.exactly_encoded(number, literals, "total")
    prover = Prover(formula)
    for chosen in itertools.product((False, True), repeat=count):
        assumed = [literal if on else -literal for literal, on in zip(literals, chosen, strict=True)]
        assert (prover.model(assumed) is not None) == (sum(chosen) == number)


def test_totals_prove_cells_far_from_the_open_ones():
    view = read_view(FAR)
    for totals, expected in ((False, NOT_CERTAIN), (True, EMPTY)):
        certain = np.full(view.cells, NOT_CERTAIN, np.int8)
        prover = LocalProver(view, totals=totals)
        while prover.write_certain(view, certain):
            pass
        prover.close()
        assert certain[3] == expected
    assert counts(view)[1][3][EMPTY] == counts(view)[0]  # exact counting says the same


def test_the_dimacs_text_holds_the_totals():
    view = read_view(FAR)
    with_totals, without = formula_of(view).dimacs(), formula_of(view, totals=False).dimacs()
    assert len(read_dimacs(with_totals)[1]) > len(read_dimacs(without)[1])
    assert ludion.study(ludion.position("crocomine", FAR), dimacs=True)["dimacs"] == with_totals


def test_sat_random_plays_with_and_without():
    for totals in (True, False):
        record = ludion.Run(
            "crocomine", "5x5:1/1/1", agent="sat-random", settings={"totals": totals}
        ).record()
        assert record["ended_by"] in ("won", "lost")
