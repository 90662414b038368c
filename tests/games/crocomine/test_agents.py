"""The agents: never wrong when certain, calibrated when not, blind to what the referee does not tell."""

from __future__ import annotations

import itertools
import json
import sys

import numpy as np
import pytest
from benchmarks.crocomine import every_board

from ludion.games.crocomine import generator, notation
from ludion.games.crocomine.agents import BestAgent, CountingAgent, ProvingAgent, RulesAgent, SatRandomAgent
from ludion.games.crocomine.completions import list_completions
from ludion.games.crocomine.endgame import EXACT, FAILED, search_to_the_end
from ludion.games.crocomine.inference import (
    ContradictionError,
    counts,
    known_board,
)
from ludion.games.crocomine.rules import GUESS, Action, CrocoWorld, Grid, View, act_on, begin, neighbours
from ludion.games.crocomine.unavoidable import dead_cells, unavoidable_guesses
from ludion.kinds.quest import LOST, RUNNING, WON, percept, run

AGENTS = [RulesAgent, SatRandomAgent, CountingAgent, BestAgent]


def play(world: CrocoWorld, agent: ProvingAgent) -> list[tuple[bool, float, bool]]:
    """For every action: was it called certain, its risk, and did the agent survive it?"""
    decisions = []
    while world.view.status == RUNNING:
        action = agent.decide(percept(world))
        act_on(world, action)
        decisions.append((agent.sure, agent.risk, world.view.status != LOST))
    return decisions


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("name", ["8x8:3/3/3", "9x9:10:safe", "10x10:10/10/10"])
def test_a_certain_move_is_never_wrong(agent: type[ProvingAgent], name: str) -> None:
    for seed in range(8):
        decisions = play(begin(generator.from_name(name, seed)), agent(seed))
        assert all(survived for sure, _, survived in decisions if sure)


@pytest.mark.slow
def test_certain_moves_and_risks_over_many_boards() -> None:
    """10,000 boards: no certain move is wrong, and the risks taken are what they are said to be."""
    predicted = variance = observed = 0.0
    uncertain = 0
    for number in range(10_000):
        name = ("9x9:8/8/8", "9x9:6/6/6", "8x8:10:safe", "10x10:10/10/10")[number % 4]
        decisions = play(
            begin(generator.from_name(name, number)),
            BestAgent(number) if number % 2 else CountingAgent(number),
        )
        assert all(survived for sure, _, survived in decisions if sure), (name, number)
        for sure, risk, survived in decisions:
            if not sure:
                uncertain += 1
                predicted += 1 - risk
                variance += risk * (1 - risk)
                observed += survived
    assert uncertain >= 5000
    assert abs(predicted - observed) <= 3 * variance**0.5


@pytest.mark.parametrize("agent", [CountingAgent(), BestAgent(), BestAgent(endgame=False)])
@pytest.mark.parametrize(
    ("rows", "columns", "totals", "sea"), [(2, 3, (1, 1, 1), 3), (3, 4, (3, 0, 0), 0), (2, 4, (0, 1, 1), 2)]
)
def test_over_all_boards_the_risks_add_up_exactly(
    agent: ProvingAgent, rows: int, columns: int, totals: tuple[int, int, int], sea: int
) -> None:
    """Each board is equally likely, so there is no chance in this: as many risks end well as the agent expects."""
    risks, survivals = [], 0
    for grid in every_board(rows, columns, totals, sea):
        for sure, risk, survived in play(begin(grid), agent):
            assert survived or not sure
            if not sure:
                risks.append(risk)
                survivals += survived
    assert len(risks) > 100
    assert survivals == pytest.approx(sum(1 - risk for risk in risks), abs=1e-6)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_agent_sees_only_what_the_referee_tells(agent: type[ProvingAgent]) -> None:
    """While the agent thinks, the board is filled with nonsense: it decides the same."""
    for seed in range(4):
        honest = begin(generator.from_name("9x9:6/6/6", seed))
        plain = run(honest, agent(seed)).actions
        world = begin(generator.from_name("9x9:6/6/6", seed))
        secret = [world.grid.animals, world.grid.terrain, world.clues]
        blind, actions = agent(seed), []
        while world.view.status == RUNNING:
            seen = percept(world)
            copies = [array.copy() for array in secret]
            for array in secret:
                array[:] = 77
            actions.append(blind.decide(seen))
            for array, values in zip(secret, copies, strict=True):
                array[:] = values
            act_on(world, actions[-1])
        assert actions == plain


def test_an_external_solver_gives_the_same_game(tmp_path) -> None:  # type: ignore[no-untyped-def]
    program = tmp_path / "outside.py"
    program.write_text(
        "import sys\nfrom pysat.formula import CNF\nfrom pysat.solvers import Solver\n"
        "with Solver(name='minisat22', bootstrap_with=CNF(from_file=sys.argv[1]).clauses) as s:\n"
        "    yes = s.solve()\n    print('s SATISFIABLE' if yes else 's UNSATISFIABLE')\n"
        "    print('v', *s.get_model(), 0) if yes else None\n"
    )
    name = "4x4:1/1/1"
    inside = run(begin(generator.from_name(name, 3)), SatRandomAgent(3)).actions
    outside = run(
        begin(generator.from_name(name, 3)), SatRandomAgent(3, f"{sys.executable} {program}")
    ).actions
    assert sorted(inside) == sorted(outside)


# ------------------------------------------------------------------ the endgame


def completions(view: View) -> tuple[np.ndarray, np.ndarray]:
    cells, boards = np.zeros(30, np.int64), np.zeros((500, 30), np.int8)
    count, hidden = list_completions(known_board(view), True, 100_000, cells, boards)
    return cells[:hidden], boards[:count, :hidden]


def best_by_trying(view: View, cells: np.ndarray, boards: np.ndarray) -> int:
    """The most completions that any way to play wins, by trying every way on real boards."""
    worlds = []
    for row in boards:
        terrain = view.terrain.copy()
        terrain[cells] = row >> 2
        animals = np.where(view.seen > 0, view.seen, 0).astype(np.int8)
        animals[cells] = row & 3
        world = begin(Grid("", view.rows, view.columns, view.start, terrain, animals, view.flags))
        for cell in np.flatnonzero(view.seen == 0).tolist():
            if world.view.seen[cell] == -1:
                act_on(world, Action("discover", *view.place(cell)))
        for cell in np.flatnonzero(view.seen > 0).tolist():
            act_on(world, Action(GUESS, *view.place(cell), "TSC"[view.seen[cell] - 1]))
        worlds.append(world)
    return _best(worlds, {})


def _best(worlds: list[CrocoWorld], known: dict[str, int]) -> int:
    import copy

    view = worlds[0].view
    if view.status == WON:
        return len(worlds)
    key = notation.write_view(view)
    if key not in known:
        best = 0
        for cell in np.flatnonzero(view.seen == -1).tolist():
            kinds = [""] if view.flags else ["", "T", "S", "C"]
            for kind in kinds:
                groups: dict[str, list[CrocoWorld]] = {}
                for world in worlds:
                    after = copy.deepcopy(world)
                    act_on(after, Action(GUESS if kind else "discover", *view.place(cell), kind))
                    if after.view.status != LOST:
                        groups.setdefault(notation.write_view(after.view) + after.view.status, []).append(
                            after
                        )
                best = max(best, sum(_best(group, known) for group in groups.values()))
        known[key] = best
    return known[key]


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize(
    "text",
    [
        "view 2 4 2 0 0 0 flags;.1 ? ? ?;.1 ? ? ?",
        "view 2 3 1 0 1 0;.(1/0/1) .? .?;.(1/0/1) .? .?",
        "view 1 5 1 1 0 2;.(1/0/0) .? ~? ~? .?",
        "view 2 3 1 1 0 2;.(1/0/0) .? ~?;.(1/0/0) .? ~?",
        "view 1 5 1 1 0 2;.(1/0/0) .? ? ? ?",
        "view 1 5 0 1 1 2;.(0/0/0) .(0/0/1) .? ? ?",
    ],
)
def test_the_endgame_is_played_as_well_as_possible(text: str) -> None:
    view = notation.read_view(text)
    cells, boards = completions(view)
    assert len(boards) > 1
    result = search_to_the_end(known_board(view), cells, boards, 100_000_000)
    assert result.wins == best_by_trying(view, cells, boards)


@pytest.mark.parametrize("seed", range(12))
def test_completions_are_all_boards_that_fit(seed: int) -> None:
    grid = generator.from_name("4x3:1/1/1:safe", seed)
    world = begin(grid)
    act_on(world, Action("discover", *divmod(grid.start, 4)))
    try:
        models, ways = counts(world.view)
    except ContradictionError:
        pytest.fail("the true board fits")
    if models > 500:
        return
    cells, boards = completions(world.view)
    assert len(boards) == models
    assert len({tuple(row) for row in boards.tolist()}) == models
    for place, cell in enumerate(cells.tolist()):
        for content in range(4):
            assert ((boards[:, place] & 3) == content).sum() == ways[cell][content]


def wins_by_sets(flags: bool, shown: list[list[int]], kinds: list[list[int]], members: frozenset[int]) -> int:
    """The most completions of a set that can be won, by trying every action on every set."""
    best = 1
    for place in range(len(kinds[0])):
        for kind in {kinds[each][place] for each in members} if not flags else {0}:
            alive = [each for each in members if kinds[each][place] == kind]
            parts = [
                frozenset(each for each in alive if shown[each][place] == value)
                for value in {shown[each][place] for each in alive}
            ]
            if 0 < len(alive) < len(members) or len(parts) > 1:
                best = max(best, sum(wins_by_sets(flags, shown, kinds, part) for part in parts))
    return best


@pytest.mark.parametrize("name", ["4x4:5:safe", "4x3:1/1/2:safe"])
def test_the_endgame_search_agrees_with_trying_everything(name: str) -> None:
    """On positions in the middle of small games; less work allowed gives an upper bound."""
    searched = 0
    for seed in range(60):
        world, agent = begin(generator.from_name(name, seed)), CountingAgent(seed)
        act_on(world, agent.decide(percept(world)))
        while world.view.status == RUNNING:
            view = percept(world)
            action = agent.decide(view)
            cells, boards = completions(view)
            if not agent.sure and 1 < len(boards) <= 9:
                places = {int(cell): place for place, cell in enumerate(cells)}
                around = [
                    [places[n] for n in neighbours(view.rows, view.columns, int(cell)) if n in places]
                    for cell in cells
                ]
                unknown = [view.terrain[cell] < 0 for cell in cells]
                shown = [
                    [
                        hash(
                            (
                                tuple(sorted(int(row[o]) & 3 for o in around[p])) if row[p] & 3 == 0 else (),
                                tuple(int(row[o]) >> 2 for o in [p, *around[p]] if unknown[o]),
                            )
                        )
                        for p in range(len(cells))
                    ]
                    for row in boards
                ]
                kinds = [[int(content) & 3 for content in row] for row in boards]
                where = (known_board(view), cells, boards)
                result = search_to_the_end(*where, 100_000_000)
                expected = wins_by_sets(view.flags, shown, kinds, frozenset(range(len(boards))))
                assert (result.wins, result.risks) == (expected, EXACT)
                for work in (100, 1000):
                    bound = search_to_the_end(*where, work).wins
                    assert bound == FAILED or bound >= expected
                searched += 1
            act_on(world, action)
    assert searched >= 10


TWO_PAIRS = "view 2 5 2 0 0 0 flags;? .1 .0 .1 ?;? .1 .0 .1 ?"


def test_unavoidable_guesses_and_dead_cells_are_found() -> None:
    view = notation.read_view(TWO_PAIRS)
    agent = BestAgent()
    agent.decide(view)  # which has no start: no hidden cell is promised to be safe
    assert (agent.layer, agent.risk) == ("endgame", pytest.approx(0.5))
    guesses = [(sorted(cells.tolist()), len(ways)) for cells, ways in unavoidable_guesses(agent, view)]
    assert guesses == [([0, 5], 2), ([4, 9], 2)]
    assert dead_cells(agent, view) == [0, 4, 5, 9]
    linked = notation.read_view("view 2 5 3 0 0 0 flags;? .2 ? .2 ?;? .2 ? .2 ?")
    agent.decide(linked)
    assert list(unavoidable_guesses(agent, linked)) == []


def test_a_huge_board_is_played() -> None:
    record = run(begin(generator.from_name("51x51:156/156/156", 1)), BestAgent(1), steps=20_000)
    assert record.outcome in (WON, LOST)


@pytest.mark.interpreted
@pytest.mark.bounds
def test_every_combination_of_layers_plays() -> None:
    from ludion.games.crocomine.agents import make_best

    for look_ahead, endgame in itertools.product((True, False), repeat=2):
        agent = make_best(None, 1, look_ahead, endgame)
        assert run(begin(generator.from_name("9x9:8/8/8", 1)), agent).outcome in (WON, LOST)


@pytest.mark.interpreted
@pytest.mark.parametrize("board", ["2x3:1/1/0:safe", "3x3:2:safe"])
def test_actions_can_be_sent_to_a_server(board: str) -> None:
    """Places are plain integers, also in interpreted code, where arrays hold NumPy's own."""
    layers = set()
    for seed in range(8):
        world, agent = begin(generator.from_name(board, seed)), BestAgent(seed)
        while world.view.status == RUNNING:
            action = agent.decide(percept(world))
            assert json.loads(json.dumps([action.row, action.column])) == [action.row, action.column]
            act_on(world, action)
            layers.add(agent.layer)
    assert "endgame" in layers
