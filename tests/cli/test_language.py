"""The command line in French: no English word is left in what a command prints."""

from __future__ import annotations

import io
import json
import re
import threading
import time

import click
import pytest

import ludion
from ludion import cli, registry
from ludion.cli._output import announce_compiling
from ludion.core import tiers
from ludion.engines.catalogue import ENGINES
from ludion.kinds.games import Quest, Searched
from ludion.messages import preferred, speaking, use

from ..commands import run

WORDS = """
    the of is are was and with not to for from by it its this that these which what how who when each every only
    must may can cannot after before then than more less most least so many few first second third other another
    move moves node nodes step steps game games level levels player players win wins won lost loss draw drawn
    found proved proven board search searches searched seen taken take taken known unknown given
    engine engines heuristic heuristics evaluation evaluations agent agents default help show print write read
    file files which where there here your best stopped ended solved unsolvable limit value values
    possible none both start goal known cheaper cell cells tile tiles row rows column columns piece pieces
    queen ant beetle spider grasshopper safe tiger shark crocodile discover holds forced clue clues
    danger dangerous diamonds gather exit planned wait left right up down dig yes no true false
    error missing such command option options setting settings name names line lines shown sampled
    """

ENGLISH = set(WORDS.split())
# Words that are French, too; and what is typed as it is in every language: commands, moves, actions, values.
SAME_WORDS = (
    "file option options points optimal position positions note notes second agent agents lines possible"
)
TYPED_WORDS = "crocodile up down left right wait discover yes no safe none games levels show"
SAME = {*SAME_WORDS.split(), *TYPED_WORDS.split()}

# `code`, [one|of|these], --flags, settings with values, levels, addresses, files
TYPED_SPANS = r"`[^`]*`|\[[^\]\s]*\|[^\]]*\]|(?<![\w-])--?[\w-]+|[\w,:]+=\S+|level:\S+|https?://\S+|\S+\.(py|pdf|svg|png)"

LECTURE = ["b h c/a f d/g _ e", "--goal", "a b c/h _ d/g f e"]


@pytest.fixture(autouse=True)
def only_installed_games(monkeypatch):
    """Games of other tests speak English."""
    monkeypatch.setattr(registry, "games", registry.installed)


def identifiers() -> set[str]:
    """Names that people type: they are the same in every language."""
    names = {"best", "random", "python", "level", "all", "report", "help"}
    for game in registry.installed().values():
        names |= {game.name, *(level.name for level in game.all_levels())}
        owners = [owner for owner in (game.generator, game.study) if owner is not None]
        if isinstance(game, Searched):
            names |= {*game.guides, *game.engines, *ENGINES[game.kind]}
            owners += [*game.engines.values(), *ENGINES[game.kind].values()]
        elif isinstance(game, Quest):
            names |= set(game.agents)
            owners += game.agents.values()
        for setting in [*game.options, *(each for owner in owners for each in owner.settings)]:
            names |= {setting.name, *setting.choices}
    return names


def english_words(text: str) -> set[str]:
    text = re.sub(TYPED_SPANS, " ", text)
    words = set(re.findall(r"(?<![\w-])[a-z]{2,}(?![\w-])", text))
    return (words & ENGLISH) - SAME


def french(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    try:
        # The words are the same in both tiers: agents of three steps and small boards need no machine code.
        with tiers.use(tiers.INTERPRETED if {"run", "crocomine"} & {*arguments} else tiers.state.tier):
            done = run(capsys, "--lang", "fr", *arguments)
    finally:
        use("en")
    return done.stdout + done.stderr


def commands() -> list[str]:
    return cli.ludion.list_commands(click.Context(cli.ludion))


@pytest.mark.parametrize("name", ["", *commands()])
def test_help_is_french(capsys, name):
    said = french(capsys, *([name] if name else []), "--help")
    assert "Utilisation : ludion" in said
    described = re.sub(r"^  (-\S|--|[a-z-]+  ).*?  ", " ", said, flags=re.MULTILINE)
    assert english_words(described) - identifiers() == set()


COMMANDS = [
    ["games"],
    ["games", "taquin"],
    ["games", "crocomine"],
    ["levels", "taquin"],
    ["levels", "rush-hour"],
    ["show", "taquin"],
    ["solve", "taquin", *LECTURE],
    ["solve", "taquin", *LECTURE, "--engine", "a-star", "--heuristic", "manhattan", "--trace"],
    ["solve", "tic-tac-toe", "--engine", "negamax", "--depth", "2"],
    ["solve", "tic-tac-toe", "xo./.x./o..", "--engine", "alpha-beta", "--depth", "2", "--trace", "30"],
    ["solve", "taquin", "2 1 3/4 5 6/7 8 0"],
    ["solve", "taquin", "--nodes", "5", "--engine", "a-star"],
    ["explain", "taquin", *LECTURE],
    ["explain", "rush-hour", "level:1"],
    ["explain", "tic-tac-toe"],
    ["explain", "connect-four", "44"],
    ["explain", "hive", "level:beetle-gate"],
    ["analyse", "tic-tac-toe", "x.o/.x./..o"],
    ["analyse", "taquin", *LECTURE],
    ["analyse", "taquin", *LECTURE, "--why"],
    ["analyse", "tic-tac-toe", "xox/.../o..", "--why", "c3"],
    ["analyse", "crocomine", "5x5:1/1/1", "--why"],
    ["review", "tic-tac-toe", "--moves", "b2;b1;a1;c3;c1"],
    ["review", "taquin", "1 2 3/4 0 6/7 5 8", "--moves", "up;down;down;right"],
    ["review", "crocomine", "a;2 3;0 0;- - T;- - -", "--moves", "discover 0 0;discover 0 2"],
    ["review", "taquin"],
    ["run", "delirium", "level:nearest", "--agent", "layered", "--explain"],
    ["run", "crocomine", "5x5:1/1/1", "--agent", "counting", "--show"],
    ["run", "crocomine", "5x5:1/1/1", "--agent", "rules", "--games", "3"],
    ["match", "tic-tac-toe", "random", "random", "--games", "2", "--sprt", "0,50"],
    ["tournament", "tic-tac-toe", "random", "negamax:depth=1", "--games", "2"],
    ["perft", "tic-tac-toe", "3"],
    ["generate", "taquin", "--options"],
    ["generate", "crocomine", "--options"],
    ["solve", "taquin", "1 2 3/4 5 6/7 8 8"],
    ["solve", "taquin", "--engine", "a-start"],
    ["solve", "crocomine"],
    ["solve", "taquin", "--foo"],
    ["sovle"],
    ["solve"],
    ["run", "taquin", "level:report-1"],
    ["levels", "delirium"],
    ["levels", "hive"],
    ["levels", "crocomine"],
    ["levels", "tic-tac-toe"],
    ["analyse", "connect-four", "6x5:44"],
    ["analyse", "rush-hour", "............AA......................"],
    ["run", "delirium", "level:nearest", "--steps", "3"],
    ["book", "connect-four", "info"],
    ["lab", "taquin", "--levels", "report-1", "--engines", "a-star", "--repeat", "1"],
    ["lab", "tic-tac-toe", "--report", "seed-tic-tac-toe", "--repeat", "1"],
    ["solve", "taquin", "--jobs", "x2"],
    ["solve", "taquin", "--jobs", "0"],
    ["solve", "taquin", "--time"],
    ["solve", "taquin", "--json=3"],
    ["book", "connect-four", "demolish"],
    ["levels", "taquin", "rush-hour", "hive"],
    ["serve", "--port", "99999"],
]


def test_what_is_announced_from_another_thread_is_french(capsys, monkeypatch):
    monkeypatch.setattr(tiers, "listeners", [])
    with speaking("fr"):
        announce_compiling()
    thread = threading.Thread(target=lambda: [each(["search"]) for each in list(tiers.listeners)])
    thread.start()
    thread.join()
    assert capsys.readouterr().err.startswith("compilation")


def test_an_agent_that_ends_early_says_so_in_french():
    world = ludion.position("delirium", "level:nearest")
    with speaking("fr"):
        record = ludion.run(world, Sleepy(), patience=0.05)
    assert record["reason"] == "pas de décision en 0,050 s au pas 0"


class Sleepy:
    def decide(self, percept: object) -> str:
        time.sleep(1)
        return "left"


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_english_word_is_left(capsys, arguments, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDION_DATA_DIR", str(tmp_path))
    said = french(capsys, *arguments)
    assert said.strip()
    assert english_words(said) - identifiers() == set()


PLAYED = [
    (
        ["play", "taquin", "1 2 3/4 5 6/7 0 8"],
        ["aide", "coups", "indice", "pourquoi", "solution", "texte", "right"],
    ),
    (
        ["play", "tic-tac-toe", "--opponent", "negamax:depth=1"],
        ["aide", "b2", "annuler", "refaire", "zz", "quitter"],
    ),
    (["play", "crocomine", "5x5:1/1/1"], ["aide", "indice", "pourquoi", "recommencer", "quitter"]),
    (["play", "delirium", "--agent", "layered"], ["aide", "indice", "pourquoi", "r", "annuler", "quitter"]),
]


@pytest.mark.parametrize(
    ("arguments", "lines"), PLAYED, ids=lambda each: each[1] if isinstance(each[1], str) else ""
)
def test_playing_is_french(capsys, monkeypatch, arguments, lines):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    said = french(capsys, *arguments)
    assert english_words(said) - identifiers() == set()


def test_numbers_have_decimal_commas_for_people_only(capsys):
    said = french(capsys, "solve", "taquin", *LECTURE)
    assert re.search(r"\d,\d{3} s", said)
    record = json.loads(french(capsys, "solve", "taquin", *LECTURE, "--json").splitlines()[-1])
    assert isinstance(record["seconds"], float)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "fr_CA"}, "fr"),
        ({"LANGUAGE": "fr:en", "LANG": "en_US"}, "fr"),
        ({"LANG": "de_DE"}, "en"),
    ],
)
def test_the_environment_chooses_the_language(environment, language):
    assert preferred(environment) == language


def test_an_unknown_language_is_refused(capsys):
    done = run(capsys, "--lang", "de", "games")
    assert (done.returncode, done.stderr) == (2, "ludion: no language 'de': en or fr\n")


def test_the_language_can_be_named_anywhere_but_behind_two_hyphens(capsys):
    assert "Utilisation" in french(capsys, "solve", "--help")
    assert run(capsys, "solve", "tic-tac-toe", "--", "--lang").returncode == 2


def test_what_click_adds_to_a_help_line_is_french(capsys):
    said = french(capsys, "crocomine-server", "--help")
    assert "[obligatoire]" in said
    assert "required" not in said
    assert "[par défaut : 1]" in french(capsys, "play", "--help")
    assert "True" not in french(capsys, "check", "--help")


def test_a_run_says_once_how_it_stands(capsys):
    said = french(capsys, "run", "delirium", "level:nearest", "--steps", "2", "--agent", "still")
    assert said.count("en cours") == 1


def test_an_unknown_benchmark_is_refused_in_french(capsys):
    said = french(capsys, "bench", "taqin")
    assert "banc d'essai inconnu : « taqin »" in said
    assert "taquin" in said
