"""What follows from what is seen: equal to trying every board, and to SAT."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ludion.errors import LudionError
from ludion.games.crocomine import generator, notation
from ludion.games.crocomine.agents import BestAgent
from ludion.games.crocomine.clauses import FACTS, LocalProver, fact_variable, formula_of
from ludion.games.crocomine.inference import (
    NOT_CERTAIN,
    ContradictionError,
    build_problem,
    certain_by_rules,
    counts,
    known_board,
    probabilities,
    shared_workspace,
)
from ludion.games.crocomine.reasons import reason
from ludion.games.crocomine.rules import (
    LAND,
    MOST_CELLS,
    SEA,
    Action,
    View,
    act_on,
    begin,
    count_around,
    neighbour_table,
)
from ludion.logic.cnf import read_dimacs
from ludion.logic.shares import COUNTED, make_workspace, solve


def some_view(seed: int, rows: int = 3, columns: int = 4) -> View:
    """A small board with a few cells opened or guessed."""
    random = np.random.default_rng(seed)
    counts = [int(n) for n in random.integers(0, 3, 3)]
    grid = generator.generate(rows, columns, *counts, seed=seed, rule="safe", sea=0.5)
    world = begin(grid)
    for cell in [grid.start, *random.permutation(rows * columns)[: int(random.integers(0, 5))].tolist()]:
        if world.view.status == "running" and world.view.seen[cell] == -1:
            animal = int(grid.animals[cell])
            verb = ("guess", "TSC"[animal - 1]) if animal else ("discover", "")
            act_on(world, Action(verb[0], *divmod(cell, columns), verb[1]))
    return world.view


def try_everything(view: View) -> tuple[int, np.ndarray]:
    """Every board that fits: how many, and in how many each cell holds what."""
    ways, models = np.zeros((view.cells, 4), np.int64), 0
    hidden = [cell for cell in range(view.cells) if view.seen[cell] == -1]
    unknown = [cell for cell in range(view.cells) if view.terrain[cell] < 0]
    missing_sea = view.sea - int((view.terrain == 1).sum())
    missing = [int(view.totals[kind] - (view.seen == kind + 1).sum()) for kind in range(3)]
    for wet in itertools.combinations(unknown, missing_sea):
        terrain = view.terrain.copy()
        terrain[unknown] = 0
        terrain[list(wet)] = 1
        for filling in itertools.product(*([0, 1 + int(terrain[cell]), 3] for cell in hidden)):
            if [filling.count(kind + 1) for kind in range(3)] != missing:
                continue
            animals = np.where(view.seen > 0, view.seen, 0).astype(np.int8)
            animals[hidden] = filling
            clues = np.zeros((view.cells, 3), np.int8)
            count_around(neighbour_table(view.rows, view.columns), animals, clues)
            if (clues[view.seen == 0] == view.clues[view.seen == 0]).all():
                models += 1
                ways[hidden, filling] += 1
    return models, ways


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize("seed", range(40))
def test_counts_equal_trying_every_board(seed: int) -> None:
    view = some_view(seed)
    if (view.seen == -1).sum() > 10:
        view = some_view(seed + 1000, 2, 4)
    models, ways = try_everything(view)
    exact, each = counts(view)
    assert exact == models
    hidden = view.seen == -1
    assert np.array_equal(np.array(each)[hidden], ways[hidden])
    chances = probabilities(view).chances
    np.testing.assert_allclose(chances[hidden], ways[hidden] / models, atol=1e-12)
    assert np.array_equal(chances[hidden] == 0, ways[hidden] == 0)


@pytest.mark.parametrize("name", ["12x12:8/8/8", "16x16:40:zero"])
@pytest.mark.parametrize("seed", range(6))
def test_what_sat_proves_counting_finds_too(name: str, seed: int) -> None:
    """Everything SAT proves is certain; what only counting finds needs the totals."""
    grid = generator.from_name(name, seed)
    world = begin(grid)
    act_on(world, Action("discover", *divmod(grid.start, grid.columns)))
    random = np.random.default_rng(seed)
    for cell in random.permutation(np.flatnonzero(grid.animals == 0))[:60].tolist():
        if world.view.seen[cell] == -1:
            act_on(world, Action("discover", *divmod(cell, grid.columns)))
    view = world.view
    proved = np.full(view.cells, NOT_CERTAIN, np.int8)
    LocalProver(view).write_certain(view, proved)
    chances = probabilities(view).chances
    for cell in np.flatnonzero(proved >= 0).tolist():
        assert chances[cell, proved[cell]] == pytest.approx(1.0)
        assert grid.animals[cell] == proved[cell]
    local = certain_by_rules(view)
    assert (proved[local >= 0] == local[local >= 0]).all()
    hidden = view.seen == -1
    certain = ((chances[hidden] > 0).sum(axis=1) == 1).sum()
    assert certain >= (proved >= 0).sum()
    # With totals that fit nothing but the frontier's own models left out of account, the two agree on the
    # frontier.
    frontier = np.flatnonzero(hidden & (proved < 0))
    for cell in frontier[:5].tolist():
        because = reason(view, cell)
        assert because is None or because.totals


def test_a_proof_names_the_clues_that_force_a_cell() -> None:
    view = notation.read_view("view 3 3 1 0 0 0;.(0/0/0) .(1/0/0) ?;.(0/0/0) .(1/0/0) ?;.(0/0/0) .(0/0/0) .?")
    because = reason(view, view.cell(2, 2))
    assert because is not None
    assert (because.content, because.clues, because.totals) == (0, (view.cell(2, 1),), False)
    assert because.words(view) == "(2, 2) is safe: forced by the clue at (2, 1)"


def test_totals_alone_can_make_a_cell_certain() -> None:
    view = notation.read_view("view 1 5 1 0 0 0;.(1/0/0) ? ? ? ?")
    because = reason(view, 4)
    assert because is not None
    assert (because.content, because.totals) == (0, True)
    assert "totals" in because.words(view)
    assert reason(view, 1) is not None
    assert reason(view, 0) is None


def test_the_dictionary_of_the_report() -> None:
    view = some_view(3)
    formula = formula_of(view, totals=False)
    for cell in range(view.cells):
        for fact, name in enumerate(FACTS):
            assert formula.names[*view.place(cell), name] == fact_variable(cell, fact)
    assert f"\nc {fact_variable(view.cell(1, 2), 4)} 1 2 crocodile\n" in formula.dimacs()
    variables, clauses = read_dimacs(formula.dimacs())
    assert variables == 5 * view.cells
    assert clauses == formula.clauses


def test_a_contradiction_is_said() -> None:
    view = notation.read_view("view 1 3 1 0 0 0;.(1/0/0) ? .(0/0/0)")
    with pytest.raises(ContradictionError):
        probabilities(view)
    with pytest.raises(ContradictionError):
        counts(view)


def lattice(size: int, clue: str, totals: str) -> str:
    """A view of a large board on which every third cell of every third row is open."""
    signs = [[f".({clue})" if r % 3 == c % 3 == 1 else ".?" for c in range(size)] for r in range(size)]
    return f"view {size} {size} {totals};" + ";".join(" ".join(row) for row in signs)


@pytest.mark.parametrize(
    "text", [lattice(57, "4/0/0", "1444 0 0 0 flags"), lattice(57, "2/0/2", "722 0 722 0")]
)
def test_more_boards_than_a_float_can_count(text: str) -> None:
    """361 open cells, each with four animals among eight cells of its own."""
    view = notation.read_view(text)
    beliefs = probabilities(view)
    chances = beliefs.chances[view.seen == -1]
    tigers, crocodiles = view.totals[0] / 1444, view.totals[2] / 1444
    np.testing.assert_allclose(chances, [[0.5, tigers / 2, 0, crocodiles / 2]] * len(chances), rtol=1e-9)
    models, _ = counts(view)
    assert beliefs.log_models == pytest.approx(math.log(models))
    agent = BestAgent()
    agent.decide(view)
    assert agent.risk == pytest.approx(0.5)


def test_the_largest_board_is_counted() -> None:
    """Memory for logarithms of factorials reaches as far as boards do."""
    assert len(shared_workspace().log_factorials) == MOST_CELLS + 1
    side = math.isqrt(MOST_CELLS)
    rows = ";".join([" ".join(["?"] * side)] * side)
    view = notation.read_view(f"view {side} {side} {MOST_CELLS // 4} 0 0 0;{rows}")
    assert probabilities(view).chances[0].tolist() == pytest.approx([0.75, 0.25, 0, 0])


RING = (
    "........",
    ".2.2.3..",
    "..112..3",
    ".21 2...",
    "..112.4.",
    ".3.2.2..",
)


@pytest.mark.interpreted
def test_a_ring_of_clues_takes_few_states() -> None:
    """Clues around an opening: an unlucky order of the boxes takes 36,000 states (a decision then took seconds)."""
    signs = {".": "?", " ": ".(0/0/0)"} | {str(n): f".({n}/0/0)" for n in range(1, 9)}
    rows = [" ".join(signs[sign] for sign in row.ljust(30, ".")) for row in RING]
    hidden = [" ".join("?" * 30)] * (16 - len(RING))
    view = notation.read_view(";".join(["view 16 30 99 0 0 0 flags", *rows, *hidden]))
    problem, _ = build_problem(known_board(view))
    shares, free_shares = np.zeros((len(problem.sizes), 4)), np.zeros((2, 4))
    ended, log_models = solve(make_workspace(4096, view.cells), problem, shares, free_shares)
    assert ended == COUNTED
    assert log_models == pytest.approx(math.log(counts(view)[0]))


@pytest.mark.parametrize("terrain", [SEA, LAND])
def test_terrain_that_contradicts_the_totals_is_a_contradiction(terrain: int) -> None:
    """Not from a text, which is refused, but from a server."""
    view = notation.read_view("view 2 2 1 0 0 2;? ?;? ?")
    view.terrain[:3] = terrain
    with pytest.raises(ContradictionError):
        probabilities(view)
    with pytest.raises(ContradictionError):
        counts(view)
    with pytest.raises(LudionError):
        BestAgent().decide(view)


@pytest.mark.slow
def test_loading_twice_from_one_cache_folder(ludion, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Kernels compiled by one process are loaded by the next."""
    arguments = ("analyse", "crocomine", "view 1 3 1 0 0 0;.(1/0/0) ? ?", "--json")
    first = ludion(*arguments, LUDION_CACHE_DIR=str(tmp_path))
    second = ludion(*arguments, LUDION_CACHE_DIR=str(tmp_path))
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert first.stdout == second.stdout
