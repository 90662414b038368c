"""The README, the tutorials and the pages of the games have French twins that are not older."""

import doctest
import re
import shlex

import pytest

from ludion.core import tiers
from ludion.messages import speaking
from tests.commands import run
from tests.docs.twins import DOCS, MARK, ROOT, mark_of, twins

TWINS = twins()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def named(page):
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("english", TWINS, ids=named)
def test_every_page_has_a_twin_that_is_not_older(english):
    french = TWINS[english]
    assert french.is_file(), f"no French page: {named(french)}"
    text = french.read_text(encoding="utf-8")
    assert MARK.match(text)
    assert text.startswith(mark_of(english)), (
        f"{named(english)} has changed: bring {named(french)} up to date, then run python -m tests.docs.twins"
    )


def blocks(page, language):
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


@pytest.mark.parametrize("english", sorted((DOCS / "tutorials").glob("*.md")), ids=named)
def test_tutorials_have_the_same_code_and_commands(english):
    french = TWINS[english]
    assert blocks(french, "python") == blocks(english, "python")
    commands = [
        re.findall(r"^\$ .*", "".join(blocks(page, "console")), re.MULTILINE) for page in (english, french)
    ]
    assert commands[0] == commands[1]


SHOWN = [
    pytest.param(command, expected, id=f"{named(page)}: {command}")
    for page in (ROOT / "README.fr.md", *sorted((DOCS / "fr" / "games").glob("*.md")))
    for block in blocks(page, "console")
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.mark.parametrize(("command", "expected"), SHOWN)
def test_commands(command, expected, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    with tiers.use(tiers.INTERPRETED), speaking("fr"):
        done = run(capsys, *shlex.split(command)[1:])
    assert done.returncode == 0, done.stderr
    assert doctest.OutputChecker().check_output(expected, done.stdout, FLAGS), done.stdout
