"""Texts that make no sense are refused with one clear sentence; grids without a name are read everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludion as package
from ludion.errors import NotationError
from ludion.games.crocomine import notation
from ludion.games.crocomine.drawing import legend
from ludion.games.crocomine.server import read_folder
from ludion.messages import speaking

UNNAMED = "\n2 2\n0 0\n- -\n- T\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("view 2 2 1 0 0 0;~? ~?;~? ~?", "0 cells of land and 4 of sea are shown"),
        ("view 2 2 1 0 0 2;.? .?;.? .?", "4 cells of land and 0 of sea are shown"),
        ("view 2 2 1 0 0 2;~T .?;~? .?", "row 0, column 0: '~T' cannot be: tigers live on land"),
        ("view 2 2 0 1 0 2;~? .S;~? .?", "row 0, column 1: '.S' cannot be"),
        ("view 2 2 0 0 1 2;~? .W;~? .?", "row 0, column 1: '.W' cannot be"),
        ("view 2 2 1 0 0 0;T T;? ?", "2/0/0 tigers/sharks/crocodiles are guessed, but the board has 1/0/0"),
        ("view 1 2 0 1 1 1;C ?", "row 0, column 0: 'C' is not one of"),  # on land or in the sea?
        ("view 2 2 1 0 0 0 0 3;? ?;? ?", r"the start \(0, 3\) is not on a board of 2 rows and 2 columns"),
        ("view 2 2 1 0 0 0 2 0;? ?;? ?", r"the start \(2, 0\) is not on a board"),
        ("view 2 2 5 0 0 0;? ?;? ?", "5 tigers, 0 sharks, 0 crocodiles do not fit 4 cells"),
        ("view 3 ²4 1 0 0 0;? ?;? ?", "a view begins with"),
        (f"view {'9' * 5000} 1 0 0 0 0;?", "a view begins with"),
        ("view 1 2 0 0 0 0;.9 ?", "'.9' is not one of"),
        (f"9x{'9' * 5000}:10", "a .croco grid has"),
        ("view 1 3 1 0 0 1;.(1/0/0) ? ?", "row 0, column 1: an open cell is next to it"),
        ("x\n2 2\nhere\n- -\n- -", "'row column' of the start, such as '3 4', not 'here'"),
        ("x\ntwo\n0 0\n- -\n- -", "'rows columns', such as '9 9', not 'two'"),
    ],
)
def test_contradictory_and_odd_texts_are_one_clear_error(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        notation.read(text)


@pytest.mark.parametrize("seed", ["²", "--5", "-1", "", "1.5"])
def test_a_seed_is_a_whole_number(seed: str) -> None:
    with pytest.raises(NotationError, match="the seed must be a whole number"):
        notation.read("9x9:3/3/4", seed)
    assert notation.read("9x9:3/3/4", "12345678901234567890")


@pytest.mark.parametrize("text", ["discover ² 1", "discover 1 -1", "discover 1", ""])
def test_odd_actions_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not an action"):
        notation.read_action(text)


def test_a_grid_without_a_name_is_read_by_run_and_by_the_server(ludion: Any, tmp_path: Path) -> None:
    file = tmp_path / "unnamed.croco"
    file.write_text(UNNAMED)
    (grid,) = read_folder(tmp_path)
    assert (grid.name, grid.rows, grid.columns, grid.animals.tolist()) == ("", 2, 2, [0, 0, 0, 1])
    done = ludion("run", "crocomine", str(file), "--agent", "rules")
    assert done.returncode == 0, done.stderr
    for text in (UNNAMED, UNNAMED.strip(), notation.write(*notation.read(UNNAMED))):
        position = package.position("crocomine", text)
        assert np.array_equal(position.state.grid.animals, grid.animals)
        assert package.position("crocomine", position.text).text == position.text


def test_a_name_may_look_like_a_size() -> None:
    grid = notation.read_grid("3 3\n2 2\n0 0 flags\n- -\n- T\n")
    assert (grid.name, grid.rows, grid.flags) == ("3 3", 2, True)
    assert notation.read_grid(notation.write_grid(grid)).name == "3 3"
    assert notation.read_grid("2 2\n0 0 flags\n- -\n- T\n").flags


def test_errors_speak_french() -> None:
    with speaking("fr"), pytest.raises(NotationError, match="on voit 0 cases de terre et 4 de mer"):
        notation.read("view 2 2 1 0 0 0;~? ~?;~? ~?")


def test_rows_alone_are_a_grid() -> None:
    for text in ("~ ~ -;~ ~ -;- T R", "~~-\n~~-\n-TS\n"):
        grid = notation.read_grid(text)
        assert (grid.rows, grid.columns, grid.start, grid.count(1), grid.count(2)) == (3, 3, 0, 1, 1)
    assert notation.read_grid("T-;--").start == 1  # every cell has an animal around it
    assert package.position("crocomine", "~ ~ -;~ ~ -;- T R").play("discover 0 0").status == "running"
    with pytest.raises(NotationError, match="every cell has an animal"):
        notation.read("T T;T T")
    with pytest.raises(NotationError, match="row 1 has 1 cells, expected 2"):
        notation.read("- -;-")


REPORT_VIEW = "T ~(1/0/2) ? ?;? ~C ? ?;? ? ? .(1/0/0)"


def test_the_report_s_matrix_can_be_shown_but_not_counted() -> None:
    view = package.position("crocomine", REPORT_VIEW)
    assert view.text == REPORT_VIEW
    assert "~(1/0/2)" in str(view)
    assert view.svg().startswith("<svg")
    for ask in (package.analyse, package.decide):
        with pytest.raises(
            NotationError, match="write 'view 3 4 TIGERS SHARKS CROCODILES SEA' before the rows"
        ):
            ask(view)
    same = package.position("crocomine", "view 1 3 1 0 0 0;T ? .(0/0/0)")
    assert str(package.position("crocomine", "T ? .(0/0/0)")) == str(same)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("view 1 2 1 0 0 0 flags;.1 ?", "won"),  # only the mine is hidden
        ("view 1 2 1 0 0 0 flags;.1 T", "won"),
        ("view 1 2 0 0 0 0;.(0/0/0) .(0/0/0)", "won"),
        ("view 1 2 1 0 0 0;.(1/0/0) .?", "running"),  # the tiger has to be guessed
        ("view 1 2 0 0 0 0 flags;T .0", "running"),  # a wrong flag
    ],
)
def test_a_view_with_nothing_left_to_do_is_won(text: str, status: str) -> None:
    position = package.position("crocomine", text)
    assert position.status == status
    assert ("action" in package.study(position)) == (status == "running" and "?" in text)


def test_one_animal_is_not_plural():
    _, view = notation.read("view 1 3 0 1 1 2;? ? ?")
    assert legend(view) == "1 x 3, 0 tigers, 1 shark, 1 crocodile, 1 land, 2 sea, running"
    _, view = notation.read("view 1 3 1 0 0 0 flags;.1 ? ?")
    assert legend(view) == "1 x 3, 1 mine, running"
