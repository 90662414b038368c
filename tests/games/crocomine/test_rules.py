"""The rules, the notation, the drawing and the generator."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludion
from ludion.errors import NotationError
from ludion.games.crocomine import drawing, generator, notation
from ludion.games.crocomine.rules import (
    END,
    KINDS,
    Action,
    CrocoRules,
    CrocoWorld,
    act_on,
    actions,
    begin,
    neighbour_table,
    neighbours,
    three_bv,
)
from ludion.kinds.quest import LOST, RUNNING, WON, IllegalActionError, percept

BOARD = """two lakes
4 5
3 4
~ S - T -
~ ~ - - -
W ~ - - -
~ - C - -
"""


def world(text: str = BOARD) -> CrocoWorld:
    return begin(notation.read_grid(text))


def test_opening_floods_and_shows_the_terrain_around() -> None:
    here = world()
    act_on(here, Action("discover", 3, 4))
    view = here.view
    opened = {view.place(cell) for cell in np.flatnonzero(view.seen == 0).tolist()}
    assert opened == {(3, 4), (3, 3), (2, 4), (2, 3), (1, 4), (1, 3)}
    assert view.clues[view.cell(1, 3)].tolist() == [1, 0, 0]
    assert view.clues[view.cell(3, 3)].tolist() == [0, 0, 1]
    shown = {view.place(cell) for cell in np.flatnonzero(view.terrain >= 0).tolist()}
    assert shown == opened | {(0, 2), (0, 3), (0, 4), (1, 2), (2, 2), (3, 2)}


def test_the_game_is_won_when_all_animals_are_guessed_and_all_else_is_open() -> None:
    here = world()
    for cell in range(20):
        row, column = divmod(cell, 5)
        animal = int(here.grid.animals[cell])
        if here.view.status == WON:  # the rest was opened by a flood
            break
        assert here.view.status == RUNNING
        if animal:
            act_on(here, Action("guess", row, column, "TSC"[animal - 1]))
        elif here.view.seen[cell] == -1:
            act_on(here, Action("discover", row, column))
    assert here.view.status == WON


@pytest.mark.parametrize(
    "action", [Action("discover", 0, 1), Action("guess", 0, 1, "T"), Action("guess", 1, 1, "C")]
)
def test_a_mistake_ends_the_game(action: Action) -> None:
    here = world()
    act_on(here, action)
    assert here.view.status == LOST


def test_chord_opens_the_rest_once_all_animals_around_are_guessed() -> None:
    here = world()
    act_on(here, Action("discover", 3, 4))
    act_on(here, Action("guess", 3, 2, "C"))
    act_on(here, Action("chord", 3, 3))
    assert here.view.status == RUNNING
    assert here.view.seen[here.view.cell(2, 2)] == 0
    act_on(here, Action("chord", 1, 4))  # the tiger at (0, 3) was not guessed
    assert here.view.status == LOST


@pytest.mark.parametrize(
    "action",
    [
        Action("discover", 4, 0),
        Action("discover", -1, 0),
        Action("discover", 3, 4),
        Action("guess", 3, 4, "T"),
        Action("guess", 0, 0, "X"),
        Action("guess", 0, 0, ""),
        Action("guess", 0, 0, "TS"),
        Action("chord", 0, 0),
        Action("fly", 0, 0),
        "discover 0 0",
        None,
        ("discover", "a", 0, ""),
    ],
)
def test_illegal_actions_change_nothing(action: object) -> None:
    here = world()
    act_on(here, Action("discover", 3, 4))
    before = percept(here)
    with pytest.raises(IllegalActionError):
        act_on(here, action)  # type: ignore[arg-type]
    assert percept(here) == before


def test_flags_are_only_marks() -> None:
    here = begin(generator.from_name("9x9:10:safe", 1))
    assert here.grid.start == 0
    act_on(here, Action("guess", 0, 0, "T"))
    act_on(here, Action("guess", 0, 0, "T"))
    assert here.view.seen[0] == -1
    for cell in np.flatnonzero(here.grid.animals == 0).tolist():
        if here.view.seen[cell] == -1:
            act_on(here, Action("discover", *divmod(cell, 9)))
    assert here.view.status == WON


def test_a_percept_shares_nothing_with_the_world() -> None:
    here = world()
    seen = percept(here)
    for array in (seen.totals, seen.terrain, seen.seen, seen.clues):
        for own in (
            here.grid.terrain,
            here.grid.animals,
            here.clues,
            here.view.seen,
            here.view.terrain,
            here.view.clues,
        ):
            assert not np.shares_memory(array, own)
    assert not hasattr(seen, "grid")


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 5), (2, 2), (5, 1), (3, 4), (6, 7)])
def test_the_table_of_neighbours(rows: int, columns: int) -> None:
    table = neighbour_table(rows, columns)
    places = [(r, c) for r in range(rows) for c in range(columns)]
    for cell, (row, column) in enumerate(places):
        near = [
            other
            for other, (r, c) in enumerate(places)
            if other != cell and abs(r - row) <= 1 and abs(c - column) <= 1
        ]
        assert table[cell, 1 : table[cell, END]].tolist() == near
        assert neighbours(rows, columns, cell) == near


def legal_by_trying(here: CrocoWorld) -> set[Action]:
    """Every action that the world accepts."""
    legal = set()
    for row in range(here.view.rows):
        for column in range(here.view.columns):
            tries = [Action(verb, row, column) for verb in ("discover", "chord")]
            for action in [*tries, *(Action("guess", row, column, kind) for kind in KINDS)]:
                try:
                    act_on(copy.deepcopy(here), action)
                except IllegalActionError:
                    continue
                legal.add(action)
    return legal


@pytest.mark.parametrize("name", ["4x4:1/1/2:safe", "5x4:4:safe", "4x3:2:zero"])
def test_actions_are_all_that_the_world_accepts(name: str) -> None:
    chords = 0
    for seed in range(4):
        random = np.random.default_rng(seed)
        here = begin(generator.from_name(name, seed))
        rules = CrocoRules(here.view.flags)
        for step in range(12):
            listed = actions(rules, here)
            assert len(listed) == len(set(listed))
            assert set(listed) == legal_by_trying(here)
            order = [("discover", "guess", "chord").index(action.verb) for action in listed]
            assert order == sorted(order)
            chords += listed[-1].verb == "chord"
            # In turn any action, and one that is right; none that ends the game.
            right = [action for action in listed if is_right(here, action)] if step % 2 else listed
            after = copy.deepcopy(here)
            choices = right or listed
            act_on(after, choices[int(random.integers(len(choices)))])
            if after.view.status == RUNNING:
                here = after
    assert chords


def is_right(here: CrocoWorld, action: Action) -> bool:
    """Whether it discovers an empty cell, or guesses the right animal of one that is hidden."""
    cell = here.view.cell(action.row, action.column)
    animal = int(here.grid.animals[cell])
    return here.view.seen[cell] == -1 and action.animal == (KINDS[animal - 1] if animal else "")


def test_there_are_no_actions_when_the_game_is_over_or_cannot_be_played() -> None:
    here = world()
    rules = CrocoRules(False)
    listed = actions(rules, here)
    assert listed[:2] == [Action("discover", 0, 0), Action("discover", 0, 1)]
    assert len(listed) == 4 * 20
    assert actions(rules, percept(here)) == []
    act_on(here, Action("discover", 0, 1))
    assert here.view.status == LOST
    assert actions(rules, here) == []


def test_three_bv() -> None:
    assert three_bv(notation.read_grid("x\n3 3\n0 0\n- - -\n- - -\n- - T\n")) == 1
    assert three_bv(notation.read_grid("x\n1 5\n0 0\n- T - T -\n")) == 3


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 10_000))
def test_grids_and_views_round_trip(rows: int, columns: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    grid = generator.generate(
        rows,
        columns,
        *(int(n) for n in random.integers(0, 1 + rows * columns // 8, 3)),
        seed=seed,
        rule="safe",
        sea=0.4,
    )
    again = notation.read_grid(notation.write_grid(grid))
    assert again[:4] == grid[:4]
    assert np.array_equal(again.animals, grid.animals)
    assert np.array_equal(again.terrain, grid.terrain)
    here = begin(grid)
    act_on(here, Action("discover", *divmod(grid.start, columns)))
    for cell in random.permutation(rows * columns)[:3].tolist():
        if grid.animals[cell] and here.view.status == RUNNING:
            act_on(here, Action("guess", *divmod(cell, columns), "TSC"[grid.animals[cell] - 1]))
    for separator in ("\n", ";"):
        read = notation.read_view(notation.write_view(here.view, separator))
        assert np.array_equal(read.seen, here.view.seen)
        assert np.array_equal(read.terrain, here.view.terrain)
        assert np.array_equal(read.clues, here.view.clues)


@given(st.text(alphabet="~-TSCW 0123456789\n;?.()/view", max_size=80))
def test_the_readers_refuse_nonsense_with_a_typed_error(text: str) -> None:
    for read in (notation.read_grid, notation.read_view, notation.read):
        try:
            read(text)
        except NotationError:
            continue


def test_files_in_the_wild_are_read() -> None:
    wild = BOARD.replace("\n", "  \r\n").rstrip()
    assert np.array_equal(notation.read_grid(wild).animals, notation.read_grid(BOARD).animals)
    assert notation.read_grid(BOARD.replace(" - T -", " - T - ") + "\n\n").rows == 4


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "x\n2 2\n0 0\n- -\n",
        "x\n2 2\n0 0\n- -\n- Q\n",
        "x\n2 2\n0 0\nT -\n- -\n",
        "x\n2 2\n2 0\n- -\n- -\n",
        "x\n0 2\n0 0\n- -\n",
        "x\n999 999\n0 0\n- -\n",
        "9x9:80/80/80",
        "9x9:3/3",
    ],
)
def test_bad_boards_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        notation.read(text)


def test_the_report_notation() -> None:
    view = notation.read_view("view 3 4 1 1 2 5;T ~(1/0/2) .? ?;.? ~C .? .?;? ? ~? .(1/0/0)")
    assert drawing.text(None, view).splitlines()[1].split() == ["0", "T", "~(1/0/2)", ".?", "?"]
    assert notation.read_view("view 1 2 0 1 0 1;R .(0/1/0)").seen.tolist() == [2, 0]


def test_the_picture_is_wellformed_and_says_what_it_shows() -> None:
    position = ludion.position("crocomine", "view 3 4 1 1 2 5;T ~(1/0/2) .? ?;.? ~C .? .?;? ? ~? .(1/0/0)")
    root = ElementTree.fromstring(position.svg())
    assert "~(1/0/2)" in (root.find("{http://www.w3.org/2000/svg}desc").text or "")  # type: ignore[union-attr]
    assert ludion.position("crocomine", position.text) == position


def test_boards_are_the_same_for_the_same_seed() -> None:
    one, two = generator.from_name("30x16:33/33/33", 7), generator.from_name("30x16:33/33/33", 7)
    assert np.array_equal(one.animals, two.animals)
    assert [one.count(kind) for kind in (1, 2, 3)] == [33, 33, 33]
    assert int((one.terrain == 1).sum()) == 240
    assert not any(one.animals[cell] for cell in neighbours(16, 30, one.start))
    assert not np.array_equal(one.animals, generator.from_name("30x16:33/33/33", 8).animals)


def test_a_random_board_begins_where_it_is_told_to_and_needs_no_guess() -> None:
    from ludion.games.crocomine.agents import CountingAgent
    from ludion.kinds.quest import run

    position = ludion.position("crocomine", "9x9:10:zero", seed="4", first="8,0", guessing="never")
    grid = position.state.grid
    assert (grid.start, grid.flags, grid.count(1)) == (72, True, 10)
    assert not any(grid.animals[cell] for cell in (72, *neighbours(9, 9, 72)))
    assert run(begin(grid), CountingAgent(guesses=False)).outcome == WON
    for first in ("8", "9,0", "a,b", "1,2,3"):
        with pytest.raises(NotationError):
            ludion.position("crocomine", "9x9:10:zero", first=first)


def test_a_board_without_guesses_is_solved_by_proof_alone() -> None:
    from ludion.games.crocomine.agents import CountingAgent
    from ludion.kinds.quest import run

    text = generator.generate_text(3, rows=9, columns=9, density=0.18, no_guess=True)
    assert run(begin(notation.read_grid(text)), CountingAgent(guesses=False)).outcome == WON
