"""The two rule sets: against a naive twin, against a log of our own, and one thing at a time."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from ludion.games.delirium import physics
from ludion.games.delirium.actions import read_actions
from ludion.games.delirium.drawing import text as drawn
from ludion.games.delirium.maps import Mine, read_map, with_border
from ludion.games.delirium.world import MineWorld, act, read
from tests.games.delirium.twin import ClassicTwin, Twin

pytestmark = [pytest.mark.interpreted, pytest.mark.bounds]
LOG = Path(__file__).parent / "log.txt"


def cave(*rows: str, need: int = 0, engine: str = "Delirium") -> str:
    """A cave without its border."""
    width = max(map(len, rows))
    wall = "W" * (width + 2)
    lines = [f"W{row.ljust(width)}W" for row in rows]
    head = f"Name=test\nEngine={engine}\nDiamondsRequired={need}\nCaveTime=-1\nHatchingDelay=0"
    return "\n".join(["[cave]", head, "[map]", wall, *lines, wall, "[/map]", "[/cave]"])


def played(text: str, actions: str, **options: str) -> MineWorld:
    _, world = read(text, **options)
    for action in read_actions(actions):
        act(world, action)
    return world


def rows(world: MineWorld) -> list[str]:
    return [row[1:-1].rstrip() for row in drawn(world.briefing, world).splitlines()[1:-2]]


def random_rows(chance: random.Random, width: int, height: int) -> list[list[int]]:
    kinds = [0] * 5 + [1] * 8 + [2] * 2 + [3] * 5 + [6] * 2 + [24, 25, 26]
    grid = [[chance.choice(kinds) for _ in range(width)] for _ in range(height)]
    grid[chance.randrange(height)][chance.randrange(width)] = 21
    grid[chance.randrange(height)][chance.randrange(width)] = 22
    return grid


@pytest.mark.parametrize("amoeba", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_kernels_and_their_naive_twin_agree(seed: int, amoeba: bool) -> None:
    chance = random.Random(seed)
    quick = physics.DELIRIUM._replace(growth=200, largest_amoeba=20, largest_diamond_amoeba=10, shut_ticks=5)
    for _ in range(6):
        grid = random_rows(chance, chance.randrange(4, 14), chance.randrange(4, 12))
        for row in grid if amoeba else ():
            for column, code in enumerate(row):
                if code in (0, 1) and chance.random() < 0.08:
                    row[column] = 30
        if not any(22 in row for row in grid):
            continue
        mine = Mine("", with_border(grid), chance.randrange(3))
        state = mine.state(seed)
        rules = chance.choice((physics.DELIRIUM, quick))
        twin = Twin([list(row) for row in mine.rows], mine.need, rules, int(state.info[physics.RANDOM_STATE]))
        for step in range(60):
            action = chance.choice((0, 0, 0, *range(9)))
            status = physics.tick(rules, state, action)
            fate = twin.tick(action)
            assert physics.FATES[status] == fate, (seed, step)
            shown = state.cells.reshape(-1, physics.STRIDE)[: mine.height, : mine.width]
            shown = np.where(shown == physics.BLAST, 0, shown).tolist()
            if fate == "running":
                assert shown == twin.rows(), (seed, step)
                assert state.info[physics.GATHERED] == twin.got
            else:
                break


@pytest.mark.parametrize("seed", range(16))
def test_the_classic_pass_and_its_naive_twin_agree(seed: int) -> None:
    chance = random.Random(seed)
    quick = physics.BOULDER_DASH._replace(
        growth=200, late_ticks=30, largest_amoeba=25, largest_diamond_amoeba=12, magic_ticks=8
    )
    for _ in range(6):
        grid = random_rows(chance, chance.randrange(4, 16), chance.randrange(4, 12))
        for row in grid:
            for column, code in enumerate(row):
                if code in (1, 6, 24, 25, 26) and chance.random() < 0.25:
                    rare = chance.choice((30, 51, 52, 53, 54, 56, 57, 23)) if chance.random() < 0.4 else 0
                    row[column] = chance.choice((7, 27, 28, 29, rare, rare))
        if not any(22 in row for row in grid):
            continue
        mine = Mine("", with_border(grid), chance.randrange(3))
        state = mine.state(seed)
        rules = chance.choice((physics.BOULDER_DASH, quick))
        rules = rules._replace(slime_bits=chance.choice((0, 128, 192)), slime_chance=chance.choice((-1, 500)))
        rules = rules._replace(magic_ends_amoeba=chance.randrange(2))
        twin = ClassicTwin(
            [list(row) for row in mine.rows], mine.need, rules, int(state.info[physics.RANDOM_STATE])
        )
        for step in range(80):
            action = chance.choice((0, 0, 0, *range(9)))
            status = physics.tick(rules, state, action)
            fate = twin.tick(action)
            assert physics.FATES[status] == fate, (seed, step)
            if fate != "running":
                break
            shown = state.cells.reshape(-1, physics.STRIDE)[: mine.height, : mine.width]
            assert shown.tolist() == twin.rows(), (seed, step)
            details = state.details.reshape(-1, physics.STRIDE)[: mine.height, : mine.width]
            assert {
                place: int(details[place[1], place[0]]) for place, code in twin.cells.items() if code > 1
            } == {place: twin.details[place] for place, code in twin.cells.items() if code > 1}, (seed, step)
            assert state.info[physics.GATHERED] == twin.got


@pytest.mark.parametrize("rules", [physics.DELIRIUM, physics.BOULDER_DASH])
def test_examining_only_what_changed_misses_nothing(rules: physics.RuleSet) -> None:
    chance = random.Random(5)
    for _ in range(12):
        grid = random_rows(chance, 12, 10)
        if not any(22 in row for row in grid):
            continue
        state = Mine("", with_border(grid), 1).state()
        full = physics.copied(state)
        for _ in range(50):
            action = chance.randrange(5)
            full.masks[physics.AWAKE, :] = (1 << 62) - 1
            assert physics.tick(rules, state, action) == physics.tick(rules, full, action)
            assert (state.cells == full.cells).all()
            assert state.info[physics.OBJECT_HASH] == full.info[physics.OBJECT_HASH]


def test_hashes_depend_on_the_cells_alone() -> None:
    chance = random.Random(9)
    state = Mine("", with_border(random_rows(chance, 12, 10)[:-1] + [[22] + [0] * 11]), 1).state()
    for _ in range(40):
        physics.tick(physics.DELIRIUM, state, chance.randrange(5))
        again = physics.copied(state)
        physics.rebuild_masks(again)
        assert again.info[physics.OBJECT_HASH] == state.info[physics.OBJECT_HASH]


def test_copies_move_on_their_own() -> None:
    _, world = read(cave("P....", "..r..", ".....", "....X"))
    twin = world.copy()
    act(world, 1)
    assert twin.ticks == 0
    assert twin.state.cells.tolist() != world.state.cells.tolist()


def test_the_log_is_replayed_frame_for_frame() -> None:
    entries = LOG.read_text(encoding="utf-8").split("\n=== ")
    assert len(entries) > 4
    for entry in entries[1:]:
        head, *frames = entry.split("\n--- ")
        cave_text = head.split("\n", 1)[1]
        _, world = read(cave_text)
        for frame in frames:
            action, picture = frame.split("\n", 1)
            act(world, read_actions(action)[0])
            assert drawn(world.briefing, world) == picture.strip("\n"), head.split("\n")[0]


def test_a_stone_falls_one_tick_after_its_support_is_gone() -> None:
    text = cave("  r", "P .", "   ", "X  ")
    assert rows(played(text, "r2l"))[0] == "  r"  # dug, and left in this tick: closed for it
    assert rows(played(text, "r2l."))[1][2] == "r"


def test_what_falls_rolls_off_stones_diamonds_and_walls_but_not_off_dirt() -> None:
    for sign, rolled in (("r", True), ("d", True), ("w", True), (".", False), ("W", False)):
        world = played(cave("P r ", f"  {sign} ", "  ..", "X   "), ".")
        assert (rows(world)[0][2:3] != "r") == rolled, sign


def test_rows_of_stones_are_pushed_sideways_and_up_but_not_down() -> None:
    assert rows(played(cave("Prr  ", ".....", "X...."), "r"))[0] == " Prr"
    assert rows(played(cave("     ", "..r..", "..r..", "..P..", "X...."), "u"))[0] == "  r"
    assert rows(played(cave("..P..", "..r..", ".. ..", "X...."), "d"))[0] == "..P.."[:5].rstrip()
    assert rows(played(cave("Prr  ", ".....", "X....", engine="BD1"), "r"))[0] == "Prr"
    assert rows(played(cave("Pr   ", ".....", "X....", engine="BD1"), "r"))[0] == " Pr"


def test_monsters_turn_left_ahead_right_back() -> None:
    world = played(cave("P.....", "......", "..   .", "..O  .", "......", "X....."), ".")
    assert rows(world)[2] == "..O  ."  # to the left of right is up
    world = played(cave("P.....", "......", "..Ow..", "...w..", "......", "X....."), ".3")
    assert rows(world)[2] == "..Ow.."  # nowhere to go


def test_a_purple_monster_becomes_blue_and_a_yellow_one_a_plus_of_yellow_ones() -> None:
    text = cave("P..r.....", "wwW Wwwww", "wwW5Wwwww", "wwwwwwwww", "X........", need=0)
    world = played(text, ".9")
    assert rows(world)[2] == "wwWBWwwww"
    text = cave("P..r.....", "wwW Wwwww", "wwW4Wwwww", "wwwwwwwww", "X........")
    assert rows(played(text, ".6"))[1:4] == ["wwW4Wwwww", "wwW4Wwwww", "www4wwwww"]
    text = text.replace("P..r", "P..d")  # a diamond has no such effect
    assert rows(played(text, ".6"))[1:4] == ["wwW Wwwww", "wwW Wwwww", "ww   wwww"]


def test_falling_stones_and_diamonds_are_neither_pushed_nor_taken() -> None:
    for sign in "rd":
        falling = cave(f"..{sign}..", ".. ..", ".. ..", ".P ..", "X....", engine="BD1")
        world = played(falling, ".2r")
        assert rows(world)[3] == f".P{sign}.."  # it falls past him
        assert world.diamonds == 0


def test_fire_and_a_direction_pushes_a_stone_without_a_step() -> None:
    text = cave(".Pr ..", "......", "X.....", engine="BD1")
    assert rows(played(text, "R"))[0] == ".P r.."
    assert rows(played(text, "r"))[0] == ". Pr.."


def test_a_classic_magic_wall_is_not_slippery_and_swallows_things_when_it_is_spent() -> None:
    text = cave("P r  ", "  M  ", "     ", ".....", "X....", engine="BD1")
    assert rows(played(text, ".3"))[0] == "P r"
    spent = text.replace("[map]", "MagicWallTime=1\n[map]").replace("WP r  W", "WP r  W\nW     W")
    world = played(spent, ".4")
    assert (world.state.info[physics.DIAMONDS_MADE], "d" in "".join(rows(world))) == (1, True)


def test_a_blue_monster_leaves_diamonds_and_a_red_one_nothing() -> None:
    for sign, left in (("B", 5), ("O", 0), ("3", 0)):  # four of the nine cells are silver
        text = cave("P..r.....", "wwW Wwwww", f"wwW{sign}Wwwww", "wwwwwwwww", "X........")
        world = played(text, ".9")
        assert "".join(rows(world)).count("d") == left, sign
        assert world.state.info[physics.KILLS] == 1


def test_the_miner_dies_of_what_falls_and_of_what_touches_him() -> None:
    assert played(cave("..r..", ".. ..", ". P ."[:5], "X...."), ".2").fate == "crushed"
    assert played(cave("..r..", "..P..", "X...."), ".9").fate == "running"  # a stone at rest is a hat
    assert played(cave("P  O ", "wwwww", "X...."), "r.3").fate == "caught"


def test_the_exit_opens_with_the_last_diamond_needed() -> None:
    text = cave("PdX", need=1)
    assert played(text, "r2").fate == "won"
    assert played(cave("P X", need=0), "r2").fate == "won"
    blocked = played(cave("P Xd", need=1), "r3")
    assert (blocked.fate, rows(blocked)[0]) == ("running", " PXd")


def test_digging_takes_dirt_and_diamonds_without_a_step() -> None:
    world = played(cave("P.d", "d..", "..X", need=1), "RD")
    assert rows(world)[:2] == ["P d", " .."]
    assert world.diamonds == 1


def test_time_runs_out() -> None:
    text = cave("P.d", "d..", "..X", need=1).replace("CaveTime=-1", "CaveTime=1")
    assert played(text, ".9").fate == "running"
    assert played(text, ".10").fate == "out of time"


def test_magic_walls_turn_stones_into_diamonds_while_they_work() -> None:
    text = cave("P r  ", ".   .", ".wMw.", ".   .", ".....", "X....", need=0)
    world = played(text, ".8")
    assert "d" in "".join(rows(world))
    assert world.state.info[physics.DIAMONDS_MADE] == 1


@pytest.mark.parametrize("engine", ["Delirium", "BD1"])
def test_an_amoeba_grows_and_turns_when_shut_in(engine: str) -> None:
    grown = played(cave("P....", ".....", "..a..", ".....", "....X", engine=engine), ".400")
    assert "".join(rows(grown)).count("a") != 1 or "d" in "".join(rows(grown))
    text = cave("P....", "..w..", ".waw.", "..w..", "....X", engine=engine)
    assert "".join(rows(played(text, ".60"))).count("d") == (engine == "Delirium")


def test_a_classic_amoeba_sleeps_until_it_has_had_room_to_grow() -> None:
    text = cave("  w  ", " waw ", "  wP ", "X....", engine="BD1")
    assert rows(played(text, ".60"))[1] == " waw"  # shut in from the start
    # Room for a tick, then shut in by the stone: it turns in the tick after the one in which it was seen to be.
    text = cave("  r  ", " w w ", " w w ", " waw ", " www ", "P    ", "X....", engine="BD1")
    assert [rows(played(text, f".{ticks}"))[3] for ticks in (1, 2, 3)] == [" waw", " waw", " wdw"]


def test_slime_lets_stones_and_diamonds_seep_through() -> None:
    text = cave("P r d", "..s.s", "     ", ".....", "X....", engine="BD1")
    assert rows(played(text, ".")) == ["P", "..s.s", "  r d", ".....", "X...."]
    never = text.replace("[map]", "SlimePermeability=0.0\n[map]")
    assert rows(played(never, ".9"))[0] == "P r d"


def test_walls_grow_into_empty_cells() -> None:
    text = cave("P......", ".  x  .", ". . . .", ".  v  .", ". ... .", ".  e  .", "X......", engine="BD1")
    assert rows(played(text, ".")) == [
        "P......",
        ". xx  .",
        ". .v. .",
        ".  v  .",
        ". ... .",
        ". eee .",
        "X......",
    ]
    assert rows(played(text, ".2"))[1] == ".xxxx ."
    assert rows(played(text.replace("Engine=BD1", "Engine=Delirium"), "."))[1] == ". xx  ."


def test_a_monster_that_touches_the_doll_kills_the_miner_in_the_next_tick() -> None:
    text = cave("P......", ".....F.", ".....O.", ".......", "X......", engine="BD1")
    assert played(text, ".").fate == "running"
    assert played(text, ".2").fate == "blown up"


def test_the_exit_opens_when_the_pass_reaches_it() -> None:
    """As GDash recorded it: the second miner cannot leave in the tick in which the first gathers the last diamond."""
    text = cave("Pd  ", " PX ", need=1, engine="BD1")
    assert rows(played(text, "r")) == [" P", " PX"]
    assert played(text, "r").fate == "running"
    assert played(text, "rr").fate == "won"


def test_several_miners_act_alike_and_one_of_them_is_enough() -> None:
    text = cave("P...", "....", "P..X", engine="BD1")
    assert rows(played(text, "r")) == [" P..", "....", " P.X"]
    assert played(text, "r3").fate == "won"
    text = cave("  r ", "    ", "P P.", "P..X", engine="BD1")
    world = played(text, ".5")
    assert (world.fate, "".join(rows(world)).count("P")) == ("running", 2)


def test_the_same_seed_gives_the_same_mine() -> None:
    text = cave("P....", ".....", "..a..", ".....", "....X")
    one, other = played(text, ".300", seed="4"), played(text, ".300", seed="4")
    assert rows(one) == rows(other)
    assert any(rows(played(text, ".300", seed=str(seed))) != rows(one) for seed in range(5, 9))


def test_ties_are_an_option() -> None:
    text = cave("P .. ", "  r  ", "  r  ", "X....")
    assert rows(played(text, "."))[1].index("r") == 1
    assert rows(played(text, ".", tie="right"))[1].index("r") == 3


def test_the_classic_order_starts_at_the_top_left() -> None:
    # Two stones over a hole: in one classic tick the upper one follows only in the next.
    world = played(cave("P.r..", "..r..", ".. ..", ".. ..", "X....", engine="BD1"), ".")
    assert rows(world)[1:3] == ["..r..", ".. .."] or rows(world)[2] == "..r.."
    world = played(cave("P....", "..O ..", "..  ..", "......", "X....", engine="BD1"), ".")
    assert "O" in "".join(rows(world))


def test_unknown_actions_change_nothing() -> None:
    from ludion.kinds.quest import IllegalActionError

    _, world = read(cave("P....", "....X"))
    for nonsense in (-1, 9, 99_999, "right", None, 1.0, True):
        with pytest.raises(IllegalActionError):
            act(world, nonsense)
    assert world.ticks == 0


def test_read_map_gives_the_same_mine_again() -> None:
    text = cave("P.d", "d..", "..X", need=1)
    assert read_map(text) == read_map(text)
