"""`ludion analyse`, `run`, `generate` and the levels, as a user calls them; and the Wumpus world."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import ludion as package
from ludion.api import study
from ludion.kinds.quest import run
from ludion.logic.cnf import read_dimacs
from ludion.registry import find, load_game_file
from tests.commands import run as command

VIEW = "view 3 4 2 0 0 0;.(0/0/0) .(1/0/0) ? ?;.(0/0/0) .(2/0/0) ? ?;.(0/0/0) .(1/0/0) ? ?"


def test_a_position_is_told_in_whole_numbers_with_reasons() -> None:
    analysis = study(package.position("crocomine", VIEW))
    cells = {(cell["row"], cell["column"]): cell for cell in analysis["cells"]}
    assert analysis["models"] == 1
    assert cells[0, 2]["certain"] == "tiger"
    assert cells[1, 2]["certain"] == "safe"
    assert cells[1, 2]["clues"]
    assert cells[0, 3]["reason"].endswith("by the totals, all tigers are around the clue at (1, 1)")
    assert sum(cells[2, 3]["ways"]) == analysis["models"]


def test_layers_are_told() -> None:
    view = "view 2 5 2 0 0 0 flags;? .1 .0 .1 ?;? .1 .0 .1 ?"
    analysis = study(package.position("crocomine", view))
    assert (analysis["layer"], analysis["proved"], analysis["risk"]) == ("endgame", False, 0.5)
    assert analysis["unavoidable"][1] == {"cells": [[0, 4], [1, 4]], "ways": 2}
    assert analysis["dead"] == [[0, 0], [0, 4], [1, 0], [1, 4]]
    assert study(package.position("crocomine", VIEW))["layer"] == "counting"


def test_analyse_writes_clauses_and_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    clauses, picture = tmp_path / "p.cnf", tmp_path / "p.svg"
    done = command(
        capsys,
        "analyse",
        "crocomine",
        VIEW,
        "--set",
        "why=1,2",
        "--save",
        f"dimacs={clauses}",
        "--save",
        f"picture={picture}",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    assert "(1, 2) is safe: forced by the clues at" in json.loads(done.stdout)["why"]
    facts = r"^c \d+ \d+ \d+ (?:land|sea|tiger|shark|crocodile)$"
    assert len(re.findall(facts, clauses.read_text(), re.MULTILINE)) == 60
    assert read_dimacs(clauses.read_text())[0] > 60  # the totals have variables of their own
    assert picture.read_text().startswith("<svg")
    for wrong in ("why=9,9", "why=x", "why=0,0"):
        assert command(capsys, "analyse", "crocomine", VIEW, "--set", wrong).returncode == 2
    assert command(capsys, "analyse", "crocomine", VIEW.replace("2/0/0", "8/0/0")).returncode == 2
    for wrong in ("nonsense=x", f"picture={tmp_path}", "picture"):
        refused = command(capsys, "analyse", "crocomine", VIEW, "--save", wrong)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
    missing = command(capsys, "run", "crocomine", "missing.croco")
    assert (missing.returncode, missing.stderr.strip()[-13:]) == (2, "missing.croco'"[-13:])


def test_many_games_give_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    done = command(
        capsys,
        "run",
        "crocomine",
        "9x9:3/3/4",
        "--agent",
        "counting",
        "--games",
        "4",
        "--seed",
        "5",
        "--json",
    )
    summary = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert summary["games"] == 4
    assert summary["interval"][0] <= summary["win_rate"] <= summary["interval"][1]
    assert command(capsys, "run", "crocomine", "9x9:3/3/4", "--agent", "nobody").returncode == 2
    assert command(capsys, "run", "crocomine", "9x9:80/3/4").returncode == 2
    assert command(capsys, "run", "crocomine").returncode == 0  # the start


def test_every_level_can_be_read() -> None:
    names = {level.name for level in find("crocomine").all_levels()}
    for size in ("beginner", "intermediate", "expert"):
        assert {f"minesweeper-{size}-zero", f"minesweeper-{size}-safe"} <= names
    for name in names:
        assert package.position("crocomine", f"level:{name}").status == "running"


def test_a_generated_board_is_a_level(ludion: Any) -> None:
    made = ludion(
        "generate",
        "crocomine",
        "--rows",
        "6",
        "--columns",
        "7",
        "--density",
        "0.15",
        "--no-guess",
        "--seed",
        "2",
    )
    assert made.returncode == 0, made.stderr
    done = ludion(
        "run", "crocomine", "-", "--agent", "counting", "--set", "guesses=no", "--json", stdin=made.stdout
    )
    assert json.loads(done.stdout)["status"] == "won"
    assert ludion("generate", "crocomine", "--density", "2").returncode == 2
    assert ludion("generate", "crocomine", "--rows", "4", "--columns", "4", "--tigers", "40").returncode == 2


def test_the_wumpus_explorer_enters_only_safe_rooms() -> None:
    found = load_game_file(Path(__file__).parents[3] / "examples" / "wumpus.py")
    won = 0
    for seed in range(60):
        _, cave = found.read("5x5", seed=str(seed))
        record = run(cave, found.agents["best"].make(None))
        assert cave.here not in cave.pits
        assert cave.here != cave.wumpus
        won += record.outcome == "won"
    assert won >= 10
    lines = Path(sys.modules[type(cave).__module__].__file__).read_text().split("class Explorer")[1]  # type: ignore[arg-type,type-var]
    assert len(lines.split("def draw")[0].splitlines()) <= 60


def test_a_view_is_no_board_to_play() -> None:
    """What its hidden cells hold is not known: a run of it ends at once and says why."""
    record = package.Run("crocomine", "view 2 2 1 0 0 0;? ?;? ?").record()
    assert (record["ended_by"], record["length"], record["opened"]) == ("illegal", 0, 0)
    assert "this is a view" in record["reason"]


def test_cells_with_the_same_chances_share_a_line():
    fresh = study(package.position("crocomine", "level:minesweeper-expert-zero"))
    said = fresh["text"].splitlines()[18:]
    assert said[0] == "5.60 x 10^104 boards fit"
    assert said[1].startswith("empty 79.38 %, mine 20.62 %: (0, 0) (0, 1) ")
    assert said[1].endswith(" and 468 more")
    assert len(said) == 3
