"""The documentation builds without a warning, and what it shows is executed."""

import contextlib
import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ludion.core import tiers
from tests.commands import run

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
APART = {"_build", "reference", "tutorials", "fr"}  # written from the code, or tested in other files
PAGES = sorted(page for page in DOCS.rglob("*.md") if not APART & set(page.parts))
OWN = [page for page in PAGES if page.parent.name != "games"]  # commands on the games' pages may take long
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page, language):
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def named(page):
    return str(page.relative_to(DOCS))


def quick(page):
    """Small searches of the how-to pages and of own games: nothing there is worth compiling."""
    small = page.parent.name == "howto" or page.name == "own_games.md"
    return tiers.use(tiers.INTERPRETED) if small else contextlib.nullcontext()


COMMANDS = [
    pytest.param(page, command.strip(), expected, id=f"{named(page)}: {command.strip()}")
    for page in OWN
    for block in blocks(page, "console")
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize("page", [page for page in OWN if blocks(page, "python")], ids=named)
@pytest.mark.filterwarnings("default")
def test_python_lines(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = "\n".join(block for block in blocks(page, "python") if ">>>" in block)
    example = doctest.DocTestParser().get_doctest(text, {"__name__": "page"}, named(page), str(page), 0)
    said = []
    with quick(page):
        result = doctest.DocTestRunner(optionflags=FLAGS).run(example, out=said.append)
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize(("page", "command", "expected"), COMMANDS)
def test_commands(page, command, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    words = shlex.split(command)
    assert words[0] == "ludion"
    more = ["--store", str(tmp_path / "lab.sqlite")] if words[1] == "lab" else []
    with quick(page):
        done = run(capsys, *words[1:], *more)
    assert done.returncode == 0, done.stderr
    assert doctest.OutputChecker().check_output(expected, done.stdout, FLAGS), done.stdout


WITH_FILES = [DOCS / "own_games.md", *sorted((DOCS / "howto").glob("*.md"))]
FILES = [
    each
    for page in WITH_FILES
    for each in re.findall(r"```python\n# (\w+)\.py\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
]


GAMES_AND_AGENTS = [each for each in FILES if each[0] in ("frog", "cups", "walker")]  # of own_games.md


@pytest.mark.parametrize(("name", "source"), GAMES_AND_AGENTS, ids=[name for name, _ in GAMES_AND_AGENTS])
def test_games_and_agents_of_the_page_work_as_they_stand(name, source, tmp_path):
    import ludion

    file = tmp_path / f"{name}_of_the_page.py"
    file.write_text(source, encoding="utf-8")
    if "GAME = " not in source:
        cave = ludion.position(ROOT / "examples" / "wumpus.py", "4x4")
        assert ludion.run(cave, f"python:{file}", steps=30)["ended_by"] in ("won", "lost", "steps")
        return
    with tiers.use(tiers.INTERPRETED):
        assert ludion.check(file, compiled=False) == []
        start = ludion.position(file)
        if start.game.kind == "quest":
            assert ludion.run(start)["status"] in ("won", "lost")
        else:
            assert ludion.solve(start).found


PAGE_COMMANDS = [
    line
    for page in WITH_FILES
    for block in blocks(page, "text")
    for line in block.splitlines()
    if line.startswith("$ ludion")
]


@pytest.mark.parametrize("line", PAGE_COMMANDS)
def test_commands_on_the_files_of_the_page(line, tmp_path, monkeypatch, capsys):
    for name, source in FILES:
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    with tiers.use(tiers.INTERPRETED):
        done = run(capsys, *shlex.split(line)[2:])
    assert done.stdout, done.stderr
    assert "--agent" in line or done.returncode == 0, done.stderr  # the walker may walk for ever


def test_the_tutorial_s_game_is_short():
    lines = [line for line in (DOCS / "chomp.py").read_text(encoding="utf-8").splitlines() if line.strip()]
    assert len(lines) <= 40


def test_it_builds_without_a_warning(tmp_path):
    pytest.importorskip("sphinx")
    pytest.importorskip("myst_parser")
    pytest.importorskip("furo")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "index.html").exists()


def test_every_engine_has_a_page():
    from ludion.engines.catalogue import ENGINES

    text = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "engines").glob("*.md"))
    titles = re.findall(r"^# (.*)$", text, re.MULTILINE)
    for name in [name for engines in ENGINES.values() for name in engines]:
        assert any(name in title for title in titles), name
