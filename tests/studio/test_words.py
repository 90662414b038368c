"""Moves and cells in words, in English and French."""

from __future__ import annotations

import re

import pytest

import ludion
from ludion import registry
from ludion.messages import speaking

CASES = {
    ("hive", "Base;InProgress;White[2];wG1;bG1 wG1-", "wQ -wG1"): (
        "white queen to the left of the white grasshopper",
        "reine blanche à gauche de la sauterelle blanche",
    ),
    ("hive", "", "wA1"): ("white ant in the middle", "fourmi blanche au milieu"),
    ("rush-hour", "...B.....B..AA.B....................", "B+3"): (
        "truck B down 3",
        "camion B de 3 vers le bas",
    ),
    ("rush-hour", "............AA......................", "A+4"): (
        "red car right 4",
        "voiture rouge de 4 à droite",
    ),
    ("taquin", "1 2 3/4 5 6/7 0 8", "right"): ("tile 8 left", "tuile 8 vers la gauche"),
    ("tic-tac-toe", "", "b2"): ("cross at b2", "croix en b2"),
    ("connect-four", "4", "3"): ("red in column 3", "rouge dans la colonne 3"),
    ("crocomine", "9x9:10", "guess 0 3 T"): ("flag on row 1, column 4", "drapeau en ligne 1, colonne 4"),
    ("crocomine", "9x9:3/3/4", "guess 0 3 C"): (
        "crocodile at row 1, column 4",
        "crocodile en ligne 1, colonne 4",
    ),
    ("delirium", "level:nearest", "7"): ("dig left", "creuser à gauche"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_move_in_words(case):
    game, text, move = case
    here = ludion.position(game, text)
    code = here.read_move(move)
    assert here.say_move(code) == CASES[case][0]
    with speaking("fr"):
        assert here.say_move(code) == CASES[case][1]


@pytest.mark.parametrize("game", sorted(registry.installed()))
def test_every_cell_of_a_picture_has_words(game):
    start = registry.find(game).example or registry.find(game).start
    for language in ("en", "fr"):
        with speaking(language):
            picture = ludion.position(game, start).svg()
        cells = re.findall(r"<[^>]*data-cell=[^>]*>", picture)
        assert cells
        assert all(re.search(r'aria-label="[^"]+"', cell) for cell in cells)


def test_legal_moves_of_a_whole_game_have_different_words():
    here = ludion.position("hive", "Base;InProgress;White[4];wG1;bG1 wG1-;wQ -wG1;bQ bG1-;wA1 \\wQ;bA1 bQ/")
    ants = [here.say_move(code) for code in here.codes() if here.write_move(code).startswith("wA1")]
    assert len(set(ants)) == len(ants) == 13
