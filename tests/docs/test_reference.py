"""The generated reference names everything that there is."""

import importlib
import re
import sys
from pathlib import Path

import pytest

import ludion
from ludion import cli

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def generate():
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        return importlib.import_module("generate")
    finally:
        sys.path.remove(str(ROOT / "docs"))


def test_every_public_name_is_there(generate):
    page = generate.python_page()
    assert [name for name in ludion.__all__ if f"### `ludion.{name}`" not in page] == []
    assert "| `admissible` | `bool` | `False` | it never overestimates |" in page


def test_every_command_with_its_options_is_there(generate):
    page = generate.commands_page()
    for name, command in generate.commands().items():
        assert f"## ludion {name}\n" in page
        for option in command.params:
            assert option.param_type_name != "option" or option.hidden or option.opts[-1] in page
    assert set(generate.commands()) == set(cli.ludion.list_commands(None))


def test_every_verb_is_there(generate):
    page = generate.verbs_page()
    for module in generate.KINDS:
        verbs = generate.verbs_of(module)
        assert verbs
        assert [name for name in verbs if f"`{name}(" not in page] == []
    assert "`most_moves(rules)`" in page


def test_every_field_of_an_answer_is_explained(generate):
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", generate.json_page(), re.MULTILINE)
    explained = {name for name, meaning in rows if meaning}
    answer = ludion.solve(ludion.position("tic-tac-toe", "xx./oo./..."), "negamax", depth=2)
    assert set(answer.json()) <= explained


def test_every_game_s_notation_is_there(generate):
    page = generate.notations_page()
    for game in ludion.games().values():
        if game.name in generate.notation_folders():
            assert f"## {game.title}" in page


def test_every_file_has_its_line_in_the_map(generate):
    missing = [str(file) for file in generate.code_files() if not generate.summary_of(file)]
    assert missing == []


def test_plots_are_drawn_from_stored_runs(generate):
    for plot in generate.PLOTS.values():
        picture = generate.bars(plot)
        assert picture.startswith("<svg")
        assert picture.count("<rect") >= 2, plot.title


def test_every_board_of_the_pages_is_drawn_by_the_script():
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        pictures = importlib.import_module("pictures")
    finally:
        sys.path.remove(str(ROOT / "docs"))
    names = {file.stem for file in (ROOT / "docs" / "pictures").glob("*.svg")}
    assert names == {*pictures.BOARDS, *pictures.SOLVED}
    assert pictures.draw(pictures.BOARDS["tic_tac_toe"]).startswith('<svg width="240"')


def test_every_route_of_the_studio_is_there(generate):
    page = generate.http_page()
    assert "`POST /api/games/{game}/ask/{what}`" in page
    assert "`GET /api/openapi.json`" in page
