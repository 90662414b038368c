"""`ludion run` and `ludion generate` with a quest of a few lines."""

import json
from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from ludion import registry
from ludion.cli.generate import command as generate
from ludion.cli.run import command as run
from ludion.errors import LudionError
from ludion.kinds import quest
from ludion.kinds.games import AgentMaker, Generator, Level, Quest
from ludion.kinds.settings import Setting


@dataclass
class Corridor:
    length: int
    place: int = 0


@quest.percept.register(Corridor)
def _(world: Corridor) -> int:
    return world.place


@quest.act.register(Corridor)
def _(world: Corridor, action: int) -> Corridor:
    if action not in (-1, 1):
        raise quest.IllegalActionError(f"no action {action}")
    world.place += action
    return world


@quest.outcome.register(Corridor)
def _(world: Corridor) -> str:
    return {world.length: quest.WON, -1: quest.LOST}.get(world.place, quest.RUNNING)


def read(text: str, extra: str = "0") -> tuple[None, Corridor]:
    return None, Corridor(int(text) + int(extra))


class Walker:
    def __init__(self, step: int) -> None:
        self.step, self.nodes, self.closed = step, 0, False

    def decide(self, percept: int) -> int:
        self.nodes += 1
        return self.step


def make(rules: None, step: int = 1) -> Walker:
    return Walker(step)


def generated(seed: int, longest: int = 9, steep: bool = False) -> str:
    return f"{seed % longest + 1}{'!' if steep else ''}"


CORRIDOR = Quest(
    name="corridor",
    title="Corridor",
    summary="walk",
    read=read,
    write=lambda rules, world: str(world.length),
    options=(Setting("extra", "more length", "0"),),
    agents={"best": AgentMaker(make, "walks", (Setting("step", "how far", 1, int),))},
    statistics=lambda record: {"place": record.world.place},
    generator=Generator(
        generated, (Setting("longest", "at most", 9, int), Setting("steep", "steep ones", False, bool))
    ),
    levels=(Level("short", "2"), Level("long", "3", options={"extra": "4"})),
)


@pytest.fixture(autouse=True)
def corridor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._registered, "corridor", CORRIDOR)


def lines(*arguments: str) -> tuple[int, list[str]]:
    result = CliRunner().invoke(run, list(arguments), standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.return_value, result.output.splitlines()


def test_a_run_is_printed_in_words_and_as_json() -> None:
    code, printed = lines("corridor", "level:all")
    assert code == 0
    assert printed[0].startswith("short: won after 2 steps, place 2")
    assert printed[-1].startswith("2 of 2 won")
    code, printed = lines("corridor", "level:long", "--games", "2", "--each", "--json")
    entry = json.loads(printed[1])
    assert (entry["status"], entry["moves"], entry["place"], entry["seed"]) == ("won", [1] * 7, 7, 1)
    assert entry["nodes"] == 7


def test_many_games_are_summarised() -> None:
    _, printed = lines("corridor", "level:long", "--games", "4", "--json")
    entry = json.loads(printed[0])
    assert len(printed) == 1
    assert (entry["games"], entry["won"], entry["win_rate"], entry["moves"]) == (4, 4, 1.0, 7)
    low, high = entry["interval"]
    assert 0.5 < low < 1.0 == high


def test_settings_and_options_reach_the_agent_and_the_world() -> None:
    code, printed = lines("corridor", "5", "--set", "step=-1")
    assert (code, printed[0].split(",")[0]) == (0, "corridor: lost after 1 steps")
    _, printed = lines("corridor", "5", "--extra", "2", "--json")
    assert json.loads(printed[0])["length"] == 7


def test_nonsense_and_endless_runs_are_ended_with_their_record() -> None:
    code, printed = lines("corridor", "5", "--set", "step=3")
    assert code == 1
    assert "ended by illegal" in printed[0]
    code, printed = lines("corridor", "5", "--steps", "3")
    assert code == 1
    assert "no end after 3 steps" in printed[0]


@pytest.mark.parametrize(
    "arguments",
    [
        ("corridor", "5", "--agent", "nobody"),
        ("corridor", "5", "--set", "step=many"),
        ("corridor", "5", "--set", "wings=2"),
        ("corridor", "5", "--set", "extra"),
        ("corridor", "5", "--agent", "best", "--set", "step="),
        ("corridor", "level:none"),
        ("corridor", "5", "--agent", "best:file"),
        ("corridor", "5", "--patience", "0"),
    ],
)
def test_bad_input_is_named(arguments: tuple[str, ...]) -> None:
    with pytest.raises(LudionError):
        lines(*arguments)


def test_generators_take_their_own_options() -> None:
    runner = CliRunner()
    said = runner.invoke(generate, ["corridor", "--seed", "3", "--count", "2", "--longest", "4"])
    assert said.output.split() == ["4", "1"]
    said = runner.invoke(generate, ["corridor", "--steep", "--longest=4"])
    assert said.output.split() == ["1!"]
    said = runner.invoke(generate, ["corridor", "--options"])
    assert "--longest" in said.output
    said = runner.invoke(generate, ["corridor", "--depth", "4"])
    assert "No such option" in said.output
    said = runner.invoke(generate, ["corridor", "--longest", "many"])
    assert isinstance(said.exception, LudionError)


def test_the_old_way_to_give_an_option_is_refused_with_a_hint() -> None:
    with pytest.raises(click.UsageError, match="written --extra 2"):
        lines("corridor", "5", "--option", "extra=2")
