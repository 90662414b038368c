"""Both languages: every message has its English and its French with the same gaps, every text of a description has its
French, and every id that is asked for exists."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import ludion
from ludion import cli, registry
from ludion.cli._options import OptionOfGame
from ludion.engines.catalogue import ENGINES
from ludion.kinds.games import Game, Quest, Searched
from ludion.kinds.settings import Setting
from ludion.messages import catalogue, speaking
from ludion.studio.descriptions import GUIDES, label

PACKAGE = Path(ludion.__file__).parent
STATIC = PACKAGE / "studio" / "static"
FILES = sorted([*(PACKAGE / "messages").glob("*.toml"), *(PACKAGE / "games").glob("*/messages.toml")])
GAMES = sorted(registry.installed())
# Texts of descriptions: their English is in the code.
PLACES = (
    "agent", "engine", "evaluation", "fact", "heuristic", "level", "name", "option", "option_name", "report", "setting",
    "summary", "title",
)  # fmt: skip
NAMES_OF_VALUES = ("study",)  # what an analysis returns: the English is its names
FRENCH_ONLY = ("help", "names")  # their English is in the code, too


def part_of(file: Path) -> str:
    return file.parent.name if file.stem == "messages" else file.stem


def gaps(sentence: str) -> set[str]:
    """The names of the gaps; {s}, the plural ending, is each language's own business."""
    names = {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}
    return {re.split(r"[.\[]", name)[0] for name in names} - {"s"}


# ------------------------------------------------------------------ the messages


@pytest.mark.parametrize("file", FILES, ids=part_of)
def test_every_message_is_there_in_both_languages_with_the_same_gaps(file):
    for name, sentences in catalogue(part_of(file)).items():
        assert sentences.get("fr"), f"{name} has no French"
        if part_of(file) in FRENCH_ONLY:
            assert "en" not in sentences, name
            continue
        if "en" in sentences:
            assert gaps(sentences["en"]) == gaps(sentences["fr"]), name
        else:
            assert name.partition(".")[0] in (*PLACES, *NAMES_OF_VALUES), f"{name} has no English"


def calls_of_message() -> Iterator[tuple[str, str, set[str] | None]]:
    """Each `message("ID", name=...)` of the package: where, the id, the names (None: they are not written out)."""
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            id = node.args[0]
            if node.func.id != "message" or not isinstance(id, ast.Constant):
                continue
            names = {keyword.arg for keyword in node.keywords}
            given = None if None in names else {name for name in names if name is not None}
            yield f"{file.relative_to(PACKAGE)}:{node.lineno}", str(id.value), given


def test_every_message_that_the_code_asks_for_is_there_with_its_values():
    wrong = []
    for where, id, given in calls_of_message():
        part, _, name = id.partition(".")
        sentences = catalogue(part).get(name, {})
        if "en" not in sentences:
            wrong.append(f"{where}: {id} is not there")
        elif given is not None and not gaps(sentences["en"]) <= given:
            wrong.append(f"{where}: {id} lacks {gaps(sentences['en']) - given}")
    assert wrong == []


# ------------------------------------------------------------------ the descriptions


GENERAL = {
    (each.name, each.help)
    for engines in ENGINES.values()
    for engine in engines.values()
    for each in engine.settings
}


def settings_of(game: Game[Any, Any]) -> list[Setting]:
    """All settings that a description declares."""
    owners: list[Any] = [owner for owner in (game.generator, game.study) if owner is not None]
    if isinstance(game, Searched):
        owners += game.engines.values()
    elif isinstance(game, Quest):
        owners += game.agents.values()
    return [setting for owner in owners for setting in owner.settings]


def places_of(game: Game[Any, Any]) -> Iterator[str]:
    """Every place of a description that has a text for people, except settings that general engines have too."""
    yield "summary"
    yield from (f"option.{option.name}" for option in game.options)
    yield from (f"fact.{number}" for number in range(1, len(game.facts) + 1))
    if isinstance(game, Searched):
        yield from (f"{GUIDES[game.kind]}.{name}" for name in game.guides)
        yield from (f"engine.{name}" for name in game.engines)
    elif isinstance(game, Quest):
        yield from (f"agent.{name}" for name in game.agents)
    yield from sorted(
        {f"setting.{each.name}" for each in settings_of(game) if (each.name, each.help) not in GENERAL}
    )


@pytest.mark.parametrize("name", GAMES)
def test_every_text_of_a_description_has_its_french(name):
    french = catalogue(name.replace("-", "_"))
    missing = [place for place in places_of(registry.find(name)) if "fr" not in french.get(place, {})]
    assert not missing, f"no French: {missing}"


@pytest.mark.parametrize("name", GAMES)
def test_no_translation_of_a_removed_text_is_left(name):
    game = registry.find(name)
    settings = settings_of(game)
    known = {*places_of(game), *(f"setting.{each.name}" for each in settings)}
    known |= {f"option_name.{each.name}" for each in [*game.options, *settings]} | {"title"}
    known |= {f"level.{level.name}" for level in game.all_levels()}
    known |= {"report.title", "report.note", "report.note_greedy"} if game.report is not None else set()
    written = [
        place
        for place, sentences in catalogue(name.replace("-", "_")).items()
        if "en" not in sentences and place.partition(".")[0] in PLACES
    ]
    assert not (gone := [place for place in written if place not in known]), gone


@pytest.mark.parametrize("name", GAMES)
def test_the_names_of_options_are_read_in_french(name):
    game = registry.find(name)
    options = [*game.options, *(game.generator.settings if game.generator else ())]
    own, shared = catalogue(name.replace("-", "_")), catalogue("studio")
    missing = [
        option.name
        for option in options
        if f"option_name.{option.name}" not in own and f"name.{option.name}" not in shared
    ]
    assert not missing, f"no French: {missing}"
    with speaking("fr"):
        assert all(label(game, option.name) for option in options)


@pytest.mark.parametrize("kind", ENGINES)
def test_general_engines_have_their_french(kind):
    french = catalogue("engines")
    for name, engine in ENGINES[kind].items():
        assert "fr" in french[f"engine.{name}"]
        for setting in engine.settings:
            assert "fr" in french[f"setting.{setting.name}"]


# ------------------------------------------------------------------ the page


def page_modules() -> list[Path]:
    return [*STATIC.glob("*.js"), *(PACKAGE / "games").glob("*/page.js")]


def asked_ids(source: str) -> tuple[set[str], set[str]]:
    """The ids that a module asks `t` for, and the beginnings of those that it puts together."""
    ids, beginnings = set(), set()
    for call in re.finditer(r"(?<![\w.])(?<!function )t\(", source):
        argument = re.match(r'(?:[^()"`,]|"[^"]*"|`[^`]*`|\([^()]*\))*', source[call.end() :])
        assert argument is not None
        text = argument.group()
        choices = re.findall(r'[?:] "([\w.]+)"', text)
        if choices:
            ids |= set(choices)
        elif match := re.match(r'"([\w.]+)"$', text):
            ids.add(match.group(1))
        elif match := re.match(r"`([\w.]+)\$\{", text):
            beginnings.add(match.group(1))
        else:
            raise AssertionError(f"what does t({text}) ask for?")
    return ids, beginnings


def test_the_page_uses_every_message_and_no_unknown_one():
    known = {*catalogue("page"), *(f"answers.{name}" for name in catalogue("answers"))}
    used = set()
    for file in page_modules():
        ids, beginnings = asked_ids(file.read_text(encoding="utf-8"))
        where = file.relative_to(PACKAGE)
        assert ids <= known, (where, ids - known)
        for beginning in beginnings:
            matches = {name for name in known if name.startswith(beginning)}
            assert matches, (where, beginning)
            used |= matches
        used |= ids
    assert set(catalogue("page")) - used == set()


# ------------------------------------------------------------------ the command line


def options_of_commands() -> Iterator[tuple[str, click.Command, click.Option]]:
    context = click.Context(cli.ludion)
    for name in cli.ludion.list_commands(context):
        command = cli.ludion.get_command(context, name)
        assert command is not None
        for option in command.params:
            if (
                isinstance(option, click.Option)
                and not option.hidden
                and not isinstance(option, OptionOfGame)
            ):
                yield name.replace("-", "_"), command, option


def test_all_help_has_its_french_and_none_is_left_over():
    used = {f"{heading}.{name}" for heading in ("heading", "value") for name in french_names("help", heading)}
    used |= {"ludion.help", "option.version", "option.lang"}
    names = cli.ludion.list_commands(click.Context(cli.ludion))
    assert all(f"{name.replace('-', '_')}.help" in catalogue("help") for name in names)
    used |= {f"{name.replace('-', '_')}.help" for name in names}
    for part, _, option in options_of_commands():
        own, shared = f"{part}.{option.name}", f"option.{option.name}"
        assert own in catalogue("help") or shared in catalogue("help"), own
        used.add(own if own in catalogue("help") else shared)
    assert set(catalogue("help")) - used == set()


def french_names(part: str, place: str) -> list[str]:
    return [name.partition(".")[2] for name in catalogue(part) if name.partition(".")[0] == place]


def test_names_that_people_see_have_their_french():
    expected = {"engine": set(), "heuristic": set(), "evaluation": set(), "agent": set()}
    for game in map(registry.find, GAMES):
        if isinstance(game, Searched):
            expected["engine"] |= {*game.engines, *ENGINES[game.kind]}
            expected[GUIDES[game.kind]] |= set(game.guides)
        elif isinstance(game, Quest):
            expected["agent"] |= set(game.agents)
    for place, names in expected.items():
        assert names <= set(french_names("names", place)), place


@pytest.mark.parametrize("name", GAMES)
def test_levels_have_names_for_people_in_both_languages(name):
    game = registry.find(name)
    titled = 0
    for level in game.all_levels():
        names = []
        for spoken in ("en", "fr"):
            with speaking(spoken):
                names.append(game.level_title(level.name))
        assert all(names) or not any(names), level.name
        titled += any(names)
    assert titled, "no level has a name of its own"
    stems = {level.name for level in game.all_levels()} | {
        level.name.rpartition("-")[0] for level in game.all_levels()
    }
    entries = [place for place in catalogue(name.replace("-", "_")) if place.startswith("level.")]
    assert {place.removeprefix("level.") for place in entries} <= stems
