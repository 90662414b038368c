"""The tutorials are followed step by step, as a reader would: the file grows, and every command is tried on it."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import ludion
from ludion.core import tiers
from ludion.studio.positions import describe, read_place
from tests.commands import run

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"# (\w+\.py)(?:, continued)?\n")


def follow(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Do what a page says in a folder; the file that it has written."""
    file = folder / "none"
    for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "console":
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                words = shlex.split(command)
                store = ["--store", str(folder / "lab.sqlite")] if words[1] == "lab" else []
                done = run(capsys, *words[1:], *store)
                assert done.returncode == 0, (command, done.stderr)
                assert doctest.OutputChecker().check_output(expected, done.stdout, FLAGS), (
                    command,
                    done.stdout,
                )
        elif match := FILE.match(block):
            file = folder / match[1]
            with file.open("a", encoding="utf-8") as written:
                written.write(block[match.end() :] + "\n\n")
        else:
            example = doctest.DocTestParser().get_doctest(
                block, {"__name__": "page"}, page.name, str(page), 0
            )
            said: list[str] = []
            assert doctest.DocTestRunner(optionflags=FLAGS).run(example, out=said.append).failed == 0, (
                "".join(said)
            )
    return file


@pytest.mark.parametrize("page", sorted(TUTORIALS.glob("*.md")), ids=lambda page: page.stem)
@pytest.mark.filterwarnings("default")
def test_from_an_empty_file_to_the_studio_s_page(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with tiers.use(tiers.INTERPRETED):  # small searches: nothing is worth compiling
        game = ludion.load_game_file(follow(page, tmp_path, capsys))
    state = describe(read_place(game, {"start": "", "moves": []}))  # what the studio's page shows
    assert state["legal"]
    assert "data-cell" in state["svg"]
    assert f"ludion serve {game.name}.py --open" in page.read_text(encoding="utf-8")
