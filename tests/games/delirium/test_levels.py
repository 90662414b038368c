"""The shipped levels: each is won by its stored solution; and new ones by chance."""

from __future__ import annotations

import pytest

import ludion
from ludion.errors import LudionError
from ludion.games.delirium import GAME, layered
from ludion.games.delirium.actions import read_actions, write_actions
from ludion.games.delirium.drawing import svg, text
from ludion.games.delirium.generator import DIFFICULTIES, generate
from ludion.games.delirium.maps import read_map, write_bdcff, write_xml
from ludion.games.delirium.planner import find_solution
from ludion.games.delirium.world import act, read, write
from ludion.kinds import quest
from ludion.kinds.games import Level

LEVELS = GAME.all_levels()


def test_there_are_enough_levels_and_all_have_names_of_their_own() -> None:
    assert len(LEVELS) >= 20
    assert len({level.name for level in LEVELS}) == len(LEVELS)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_the_stored_solution_wins(level: Level) -> None:
    briefing, world = read(level.position, **level.options)
    for action in read_actions(level.known["solution"]):
        assert quest.outcome(world) == quest.RUNNING
        act(world, action)
    assert world.fate == "won"
    assert world.ticks == level.known["ticks"]
    replay = write(briefing, world)
    again = read(replay)[1]
    assert (again.fate, again.ticks, again.diamonds) == ("won", world.ticks, world.diamonds)


@pytest.mark.parametrize("number", range(1, 6))
def test_the_reports_miner_wins_the_figures_of_his_report(number: int) -> None:
    level = next(level for level in LEVELS if level.name == f"figure-{number}")
    briefing, world = read(level.position)
    agent = layered.make(briefing)
    while quest.outcome(world) == quest.RUNNING and world.ticks < 300:
        act(world, agent.decide(quest.percept(world)))
    assert (world.fate, write_actions(world.actions)) == ("won", level.known["solution"])


@pytest.mark.parametrize("level", LEVELS[::5], ids=lambda level: level.name)
def test_levels_are_drawn_and_round_trip(level: Level) -> None:
    briefing, world = read(level.position, **level.options)
    assert text(briefing, world).count("P") == 1
    picture = svg(briefing, world)
    assert picture.startswith("<svg")
    assert "Delirium 2" in picture
    mine = read_map(level.position)
    assert read_map(write_bdcff(mine)) == mine
    assert read_map(write_xml(mine)).rows == mine.rows
    position = ludion.position("delirium", f"level:{level.name}")
    assert "diamonds" in str(position)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_generated_mines_depend_on_the_seed_and_can_be_won(difficulty: str) -> None:
    text_of_mine = generate(3, difficulty=difficulty)
    assert text_of_mine == generate(3, difficulty=difficulty)
    assert text_of_mine != generate(4, difficulty=difficulty)
    _, world = read(text_of_mine)
    width, height, need = DIFFICULTIES[difficulty][:3]
    assert (world.mine.width, world.mine.height, world.mine.need) == (width + 2, height + 2, need)
    actions = find_solution(world, 400_000)
    assert actions is not None
    for action in actions:
        act(world, action)
    assert world.fate == "won"


def test_generated_mines_come_in_all_formats() -> None:
    assert generate(1, difficulty="easy", format="xml").startswith("<Map")
    old = generate(1, difficulty="easy", format="xml-2008")
    assert "<Infos" in old
    assert read_map(old).rows == read_map(generate(1, difficulty="easy")).rows


@pytest.mark.parametrize(
    "options",
    [
        {"difficulty": "mad"},
        {"format": "png"},
        {"width": 2},
        {"width": 90},
        {"diamonds": 5000},
        {"monsters": 1_000_000_000},
    ],
)
def test_bad_settings_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(LudionError):
        generate(1, **options)  # type: ignore[arg-type]


def test_the_smallest_mines_have_room_for_monsters() -> None:
    assert read_map(generate(1, width=4, height=4, diamonds=1, monsters=1)).find(25)
