"""Searches cost what the golden file says: a change that alters a count updates the file on purpose."""

import pytest

from ludion.errors import LudionError
from ludion.questions import Run
from tests import golden

RESULTS = golden.read()


@pytest.mark.parametrize("command", RESULTS)
def test_a_search_costs_what_it_did(command):
    assert golden.result_of(command) == RESULTS[command], "if on purpose: python -m tests.golden"


def test_every_game_and_engine_is_guarded():
    questions = [golden.question_of(command) for command in RESULTS]
    pairs = {(each.game, each.agent if isinstance(each, Run) else each.engine) for each in questions}
    assert pairs >= golden.expected_pairs()


def test_the_file_is_as_it_is_written(tmp_path, monkeypatch):
    text = golden.FILE.read_text(encoding="utf-8")
    monkeypatch.setattr(golden, "FILE", tmp_path / "searches.txt")
    golden.write(RESULTS)
    assert golden.FILE.read_text(encoding="utf-8") == text


def test_a_limit_of_time_is_refused():
    with pytest.raises(LudionError, match="no limit of time"):
        golden.question_of("ludion solve taquin --time 1")
