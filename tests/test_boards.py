"""Boards described as data: text, pictures with cells to press, arrays, names of moves."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludion
from ludion.errors import GameFileError, LudionError
from ludion.messages import speaking

ROOT = Path(__file__).parents[1]
CROSS, NOUGHT = ludion.Piece("cross", "red", "x", side=0), ludion.Piece("nought", "blue", side=1)
PIECES = {"x": CROSS, "o": NOUGHT}


def elements(grid, wanted="data-cell"):
    root = ElementTree.fromstring(grid.svg("a board"))
    return [each for each in root.iter() if wanted in each.attrib]


def test_text_has_the_names_of_rows_and_columns():
    assert ludion.Board(["x.o", "..."], PIECES).text() == "1 x . o\n2 . . .\n  a b c"
    assert ludion.Board(["o", "oo", "ooo"], PIECES, form="centred").text() == "  o\n o o\no o o"
    assert ludion.Board(["xo", "ox"], PIECES, form="slanted").text() == "x o\n o x"
    named = ludion.Board(["x o"], PIECES, names=["left", "right"])
    assert named.text() == "x   o"
    assert [cell.name for cell in named.cells()] == ["left", "right"]
    wide = ludion.Board(["." * 28])
    assert wide.cells()[27].name == "ab1"


@pytest.mark.parametrize(
    ("form", "tag"), [("square", "rect"), ("centred", "polygon"), ("slanted", "polygon")]
)
def test_every_cell_of_a_picture_can_be_pressed_and_heard(form, tag):
    grid = ludion.Board(["x.", " o"], PIECES, form=form, marks={"b2": "yellow"}, turn=1)
    cells = elements(grid)
    assert [each.attrib["data-cell"] for each in cells] == ["a1", "b1", "b2"]
    assert [each.attrib["aria-label"] for each in cells] == ["a1: cross", "b1: empty", "b2: nought"]
    assert [("data-empty" in each.attrib) for each in cells] == [False, True, False]
    assert all(each.tag.endswith(tag) and each.attrib["pointer-events"] == "all" for each in cells)
    with speaking("fr"):
        assert elements(grid)[1].attrib["aria-label"] == "b1: vide"
    assert elements(grid, "data-turn")[0].attrib["data-turn"] == "1"


def test_pictures_stay_within_their_frame():
    """Every cell of every form lies inside the view box."""
    for form in ("square", "centred", "slanted"):
        grid = ludion.Board(["x", "xo", "xox"], PIECES, form=form)
        root = ElementTree.fromstring(grid.svg("a board"))
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for each in elements(grid):
            if "points" in each.attrib:
                points = [tuple(map(float, pair.split(","))) for pair in each.attrib["points"].split()]
            else:
                x, y, wide, high = (float(each.attrib[name]) for name in ("x", "y", "width", "height"))
                points = [(x, y), (x + wide, y + high)]
            assert all(0 <= x <= width and 0 <= y <= height for x, y in points), (form, each.attrib)


def test_arrays_for_learners():
    grid = ludion.Board(["xo", ". "], PIECES, turn=0)
    assert grid.numbers().tolist() == [[1, 2], [0, -1]]
    assert grid.array().tolist() == [[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [0, 0]]]
    own, other, turn = grid.array(1).tolist()
    assert (own, other) == ([[0, 1], [0, 0]], [[1, 0], [0, 0]])
    assert turn == [[0, 0], [0, 0]]  # it is the turn of player 0
    assert grid.array(0)[2].tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: ludion.Board([]), "at least one cell"),
        (lambda: ludion.Board("x."), "Board.rows must be"),
        (lambda: ludion.Board(["x."], {"xx": CROSS}), "one character"),
        (lambda: ludion.Board(["x."], {"x": "cross"}), "Board.pieces must be"),
        (lambda: ludion.Board(["x."], names=["a"]), "each of the 2 cells once"),
        (lambda: ludion.Board(["x."], form="round"), "square, centred, slanted"),
        (lambda: ludion.Piece("cross", shape="star"), "disc, block, plain"),
        (lambda: ludion.Piece("cross", side=2), "None, 0, 1"),
        (lambda: ludion.Board(["x."]).name(2), "no cell 2"),
        (lambda: ludion.Board(["x."]).name("c1"), "no cell 'c1'"),
    ],
)
def test_mistakes_in_a_board_are_named(make, complaint):
    with pytest.raises(GameFileError) as caught:
        make()
    assert complaint in str(caught.value)


def test_moves_are_named_by_their_cells():
    pegs = ludion.position(ludion.load_game_file(ROOT / "examples" / "peg_solitaire.py"))
    assert pegs.moves() == ["a3-a1", "c3-a1"]
    assert pegs.play("a3-a1").text == "o/.o/.oo/oooo/ooooo"
    dominoes = ludion.position(ludion.load_game_file(ROOT / "examples" / "domineering.py"))
    assert str(dominoes.play("c2")).splitlines()[1:3] == ["2 . . # . . .", "3 . . # . . ."]
    cave = ludion.position(ludion.load_game_file(ROOT / "examples" / "wumpus.py"), "4x4")
    assert cave.moves() == ["b1", "a2", "leave"]
    assert cave.play("b1")._repr_svg_().startswith("<svg")
    with pytest.raises(LudionError, match="legal: b1, a2, leave"):
        cave.play("d4")


def test_the_drawing_follows_the_board_when_a_description_is_changed():
    import dataclasses

    game = ludion.load_game_file(ROOT / "examples" / "domineering.py")
    other = dataclasses.replace(game, board=lambda rules, board: ludion.Board(["z"]))
    assert str(ludion.position(other)) == "1 z\n  a"
    with pytest.raises(GameFileError, match="move_cells needs a board"):
        dataclasses.replace(game, board=None, text=None, svg=None, write_move=None)
