"""Maps: both kinds of XML, BDCFF, and what is wrong with those that cannot be read."""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludion.errors import LudionError, NotationError
from ludion.games.delirium.actions import read_actions, write_actions
from ludion.games.delirium.bdcff import sign_of
from ludion.games.delirium.drawing import frame_rows
from ludion.games.delirium.maps import MapError, Mine, read_map, with_border, write_bdcff, write_xml
from ludion.games.delirium.physics import TICK, next_c64_random, tick
from ludion.games.delirium.world import act, read

OLD = """<Map Name="old" Width="4" Height="3">
<Data>
"Avatar1, ,StW1,Diam"
" Stone , . ,MW1,M1"
" , ,SlW1,Exit"
</Data>
<Infos GameDifficulty="Easy"><Goals Player="1" Time="80"><Goal Gather="1" Item="Diam" Points="10" /></Goals>
<Gravity Direction="0,1" /></Infos>
<Infos GameDifficulty="Hard"><Goals Time="40"><Goal Gather="2" Item="Diam" Points="10" /></Goals></Infos>
</Map>"""
NEW = """<Map Name="new" Width="4" Height="3">
 <Data>
  "       ,       ,    StW,   Diam"
  "  Stone,      .,     MW,     M1"
  "       ,       ,   SlW1,   Exit"
 </Data>
 <Parameters GameDifficulty="Easy">
  <Gravity Direction="Down" />
  <Gateways>
    "1,1"
  </Gateways>
  <Goals Time="80">
   <Goal Gather="1" Item="Diam" Points="10" />
  </Goals>
 </Parameters>
</Map>"""
CAVE = """[BDCFF]
Version=0.5
[game]
Name=two caves
[cave]
Name=Cave A: first
Size=6 5 0 0 5 4
DiamondsRequired=1 2 3 4 5
CaveTime=150 100 90 80 70
[map]
WWWWWW
WP.rRW
WdDwMW
WaQbXW
WWWWWW
[/map]
[/cave]
[cave]
Name=Cave B: drawn
Size=10 8 0 0 9 7
DiamondsRequired=2
RandSeed=7 8 9 10 11
RandomFill=SPACE 60 BOULDER 50 DIAMOND 20 SPACE 0
[objects]
Line=1 3 8 3 WALL
FillRect=2 4 4 6 WALL SPACE
Raster=6 5 2 2 1 1 DIAMOND
Point=1 1 INBOX
[Level=2,3]
Point=8 1 BOULDER
[/Level]
Point=8 6 OUTBOX
[/objects]
[/cave]
"""


def test_both_generations_describe_the_same_mine() -> None:
    old, new = read_map(OLD), read_map(NEW)
    assert old.rows == new.rows
    assert (old.need, old.seconds, old.limit) == (1, 80, 800)
    assert read_map(OLD, difficulty="Hard").need == 2


@pytest.mark.parametrize("generation", [2008, 2012])
def test_xml_is_written_and_read_back(generation: int) -> None:
    mine = replace(read_map(NEW), name='a <b> & "c"')
    assert read_map(write_xml(mine, generation)) == mine
    assert ("StW1" in write_xml(mine, generation)) == (generation == 2008)
    with pytest.raises(MapError):
        write_xml(mine, 1984)


def test_caves_are_chosen_by_number_letter_and_name() -> None:
    assert read_map(CAVE).name == "Cave A: first"
    for name in ("2", "b", "B", "Cave B: drawn"):
        assert read_map(CAVE, cave=name).name == "Cave B: drawn"
    with pytest.raises(LudionError, match="unknown cave"):
        read_map(CAVE, cave="C")


def test_a_cave_has_headings_and_falling_objects() -> None:
    mine = read_map(CAVE)
    assert mine.rules == "boulder-dash"
    assert mine.details == {(1, 4): 1, (2, 2): 1, (3, 2): 2, (3, 3): 1}
    assert read_map(write_bdcff(mine)) == mine


ELEMENTS_CAVE = """[mapcodes]
Length=1
!=DIAMONDBIRTH2
%=BOULDERBIRTH4
&=STEELWALLBIRTH1
[/mapcodes]
[cave]
Name=elements
Size=9 5 0 0 8 4
DiamondsRequired=-1
SlimePermeabilityC64=192
AmoebaThreshold=0.5
[map]
WWWWWWWWW
wPsxve
W.P!%&FEW
WdddGXa W
WWW WWWWW
[/map]
[/cave]
"""


def test_every_element_is_read_and_written_back() -> None:
    mine = read_map(ELEMENTS_CAVE)
    assert (mine.width, mine.height) == (9, 5)  # no ring around it, though its edge is not a border
    assert mine.rows[1] == (6, 22, 51, 52, 53, 54, 4, 4, 5)  # the border fills short rows
    assert mine.rows[2] == (5, 1, 23, 49, 49, 49, 56, 57, 5)  # a second miner, three births
    assert mine.rows[4][3] == 0
    assert mine.details == {(2, 3): 8 * 4 + 1, (2, 4): 8 + 2, (2, 5): 8 * 4 + 4}
    assert mine.need == 2  # all but one of the three
    assert (mine.settings["slime_bits"], mine.settings["largest_amoeba"]) == (192, 21)
    assert read_map(write_bdcff(mine)) == mine
    with pytest.raises(MapError, match="no name in XML maps"):
        write_xml(mine)


def test_births_come_to_an_end() -> None:
    mine = read_map(ELEMENTS_CAVE.replace("Name=", "HatchingDelay=0\nName="))
    state = mine.state()
    frames = []
    for _ in range(4):
        tick(mine.rule_set(), state, 0)
        frames.append(frame_rows(state)[2][3:6])
    assert frames == ["*r*", "*r*", "*r*", "drW"]


def test_nothing_leaves_a_cave_without_a_border() -> None:
    rows = ["r r O", " P   ", "O d B", " r  r", "X   s"]
    head = "[cave]\nSize=5 5 0 0 4 4\nDiamondsRequired=0\nHatchingDelay=0\n[map]\n"
    mine = read_map(head + "\n".join(rows) + "\n[/map]\n[/cave]")
    assert (mine.width, mine.height) == (5, 5)
    for seed in range(20):
        chance = random.Random(seed)
        state = mine.state()
        for _ in range(60):
            tick(mine.rule_set(), state, chance.randrange(9))
            outside = state.cells.reshape(-1, 64).copy()
            outside[:5, :5] = 5
            assert (outside == 5).all()
        assert state.info[TICK] > 0


def test_the_cave_moves_before_the_miner_is_born() -> None:
    text = "[cave]\n{}\n[map]\nWWWWWW\nWP..rW\nW... W\nWX.. W\nWWWWWW\n[/map]\n[/cave]"
    started = "CaveTime=100\nDiamondsRequired=0\nHatchingDelay=0"
    assert frame_rows(read_map(text.format(started)).state())[1] == "WP..rW"
    mine = read_map(text.format("CaveTime=100\nDiamondsRequired=0"))
    state = mine.state()
    assert frame_rows(state)[1:4] == ["WP.. W", "W... W", "WX..rW"]
    assert state.info[TICK] == 0
    # 21 ticks, the next even one, and three of birth; the clock of 200 ms a tick runs from the 22nd on.
    assert (mine.clock, mine.clock.birth, mine.limit) == ((200, 1000, 21), 25, 496)


def test_the_pace_is_that_of_the_c64() -> None:
    flat = "[cave]\nName=x\n{}\n[map]\nWWWWW\nWPrXW\nWWWWW\n[/map]\n[/cave]"
    base = "DiamondsRequired=0\n"
    for properties, clock in (
        ("Engine=BD1", (131, 1200, 19)),  # 88 + 3.66 * 12
        ("Engine=BD1\nIntermission=true", (103, 1200, 24)),
        ("CaveScheduling=bd1\nPALTiming=true\nCaveDelay=6\nFrameTime=200", (109, 1200, 23)),
        ("Engine=BD2", (180, 1200, 14)),
        ("CaveDelay=4", (80, 1000, 25)),
        ("FrameTime=150 100\nHatchingDelay=7", (150, 1000, 7)),
    ):
        assert read_map(flat.format(base + properties)).clock == clock, properties
    with pytest.raises(MapError, match="unknown scheduling"):
        read_map(flat.format(base + "CaveScheduling=never"))


@pytest.mark.parametrize(
    ("cells", "most"),
    [
        ("d d r", 2),
        ("d d M", 2),
        ("r d M", 2),
        ("B  .M", 0),  # nothing to kill it with
        ("Br   ", 9),
        ("5 d  ", 10),
        ("3r  M", 10),
        ("a    ", 1_000_000),
    ],
)
def test_a_map_that_asks_for_more_diamonds_than_there_can_be_is_refused(cells: str, most: int) -> None:
    text = f"[cave]\nName=x\nEngine=Delirium\nDiamondsRequired={{}}\n[map]\nP{cells}X\n[/map]\n[/cave]"
    assert read_map(text.format(most)).most_diamonds == most
    if most < 1_000_000:
        with pytest.raises(MapError, match=f"never be more than {most}"):
            read_map(text.format(most + 1))


def test_a_miner_may_give_his_life_for_diamonds_that_another_takes() -> None:
    text = "[cave]\nName=x\nDiamondsRequired=9\n[map]\nP.BX{}\n[/map]\n[/cave]"
    assert read_map(text.format("P")).most_diamonds == 9
    with pytest.raises(MapError, match="never be more than 0"):
        read_map(text.format("."))


def test_maps_of_the_editor_of_2015_are_read() -> None:
    sloppy = NEW.replace("StW", "Stw").replace("SlW1", "S1W1")
    assert read_map(sloppy).rows == read_map(NEW).rows
    assert read_map(NEW.replace('Width="4" Height="3"', 'Width="5" Height="5"')).height == 7
    short = read_map(NEW.replace("    StW,   Diam", "    StW"))
    assert short.rows[1] == (5, 22, 0, 6, 0, 5)
    assert len(read_map(OLD.replace('" , ,SlW1,Exit"', '"Avatar1, ,SlW1,Exit"')).find(22)) == 1


def test_objects_are_drawn_over_the_random_fill() -> None:
    mine = read_map(CAVE, cave="B")
    assert mine.rows[3][1:9] == (6,) * 8
    assert mine.rows[5][3] == 0
    assert mine.rows[5][6] == mine.rows[6][7] == 2
    assert set(mine.rows[0]) == {5}


def test_the_random_numbers_of_the_c64() -> None:
    # With this seed the fill is that of cave A, checked cell by cell against two other decoders.
    state, numbers = 10, []
    for _ in range(6):
        state = int(next_c64_random(state))
        numbers.append(state >> 8)
    assert numbers == [5, 147, 108, 205, 121, 110]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty text"),
        ("hello", "begins neither"),
        ("<Map", "broken"),
        ("<Level></Level>", "<Map>"),
        ("<Map Name='x' Width='1' Height='1'></Map>", "no <Data>"),
        (NEW.replace('"1,1"', ""), "no miner"),
        (NEW.replace('"1,1"', '"9,1"'), "outside"),
        (NEW.replace("Exit", "    "), "no exit"),
        (NEW.replace('Gather="1"', 'Gather="5"').replace("M1", "M2").replace(" MW", "StW"), "asks for 5"),
        (NEW.replace('Diam"', 'Diam,  ."', 1), "row 1 .* has 5 cells, expected 4"),
        (
            NEW.replace('"       ,       ,    StW', '"    StW').replace('"4"', '"100"'),
            "has 2 cells, expected 100",
        ),
        (NEW.replace("SlW1", "Gold"), "row 3, column 3 .* unknown item 'Gold'"),
        (NEW.replace('Width="4"', 'Width="four"'), "not a number"),
        (NEW.replace('"Down"', '"Up"'), "gravity"),
        (NEW.replace('Item="Diam"', 'Item="Key"'), "cannot gather"),
        (CAVE.replace("[/map]", "", 1).split("[cave]\nName=Cave B")[0], "not closed"),
        (CAVE.replace("WaQbXW", "WaQ?XW"), "unknown item"),
        (CAVE.replace("DiamondsRequired=1 2 3 4 5", "DiamondsRequired=many"), "not a number"),
        ("[cave]\nName=x\n[/cave]", "no cave"),
    ],
)
def test_errors_say_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(LudionError, match=why):
        read_map(text)


def drawn_cave(more: str = "", *objects: str) -> str:
    lines = ["Point=1 1 INBOX", *objects, "Point=8 6 OUTBOX"]
    head = f"[cave]\nName=x\nSize=10 8 0 0 9 7\nDiamondsRequired=0\n{more}\n[objects]\n"
    return head + "\n".join(lines) + "\n[/objects]\n[/cave]"


HUGE = "10000000000000000001"
MAGIC_CAVE = "[cave]\nName=x\n{}\n[map]\nWWWWW\nWPMXW\nWWWWW\n[/map]\n[/cave]"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (MAGIC_CAVE.format(f"DiamondsRequired=0\nCaveTime={HUGE}"), "CaveTime of cave 'x': numbers go from"),
        (MAGIC_CAVE.format("DiamondsRequired=0\nCaveTime=-2"), "CaveTime of cave 'x': numbers go from -1"),
        (
            MAGIC_CAVE.format(f"DiamondsRequired={HUGE}"),
            "DiamondsRequired of cave 'x': numbers go from -1000000",
        ),
        (
            MAGIC_CAVE.format(f"DiamondsRequired=0\nMagicWallTime={HUGE}"),
            "MagicWallTime .* numbers go from 0",
        ),
        (MAGIC_CAVE.format(f"DiamondsRequired=0\nAmoebaTime={HUGE}"), "AmoebaTime .* numbers go from 0"),
        (MAGIC_CAVE.format("DiamondsRequired=" + "9" * 5000), "DiamondsRequired of cave 'x' is not a number"),
        (drawn_cave(f"RandSeed={HUGE}"), "RandSeed of cave 'x': numbers go from"),
        (drawn_cave("RandSeed=1e9"), "RandSeed of cave 'x' is not a number"),
        (drawn_cave("RandomFill=DIRT " + "9" * 5000), "RandomFill of cave 'x' is not a number"),
        (drawn_cave("", "Raster=1 1 3 3 0 1 WALL"), "step of a raster cannot be 0"),
        (drawn_cave("", "Raster=1 1 99999999 99999999 0 0 WALL"), "numbers go from -1000 to 1000"),
        (drawn_cave("", "Raster=1 1 3 3 1 -0 WALL"), "step of a raster cannot be 0"),
        (drawn_cave("", "Line=1 1 999999999999 1 WALL"), "numbers go from -1000 to 1000"),
        (drawn_cave("", "FillRect=1 1 999999999999 99999999999 WALL"), "numbers go from -1000 to 1000"),
        (drawn_cave("", f"Point={'9' * 5000} 1 WALL"), "is not a number"),
        (NEW.replace('Time="80"', f'Time="{HUGE}"'), "Time of map 'new': numbers go from -1"),
        (NEW.replace('Gather="1"', f'Gather="{HUGE}"'), "Gather of map 'new': numbers go from 0"),
        (NEW.replace('"1,1"', f'"{"1" * 5000},1"'), "Gateways of map 'new' is not a number"),
        ("<Map \ud800", "broken"),
    ],
)
def test_numbers_out_of_range_are_one_line(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why) as error:
        read_map(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


def test_numbers_at_the_edge_of_their_range_are_played() -> None:
    text = MAGIC_CAVE.format("DiamondsRequired=1000000\nCaveTime=10000000\nMagicWallTime=10000000")
    text = text.replace("WPMXW", "WPMXaW").replace("WWWWW", "WWWWWW")
    for seed in (1 << 40, -(1 << 40)):
        _, world = read(text, seed=str(seed))
        act(world, 1)
        assert world.fate == "running"


def test_drawn_caves_may_be_as_large_as_others_and_have_no_seed() -> None:
    text = drawn_cave("RandSeed=").replace("Size=10 8 0 0 9 7", "Size=60 120")
    assert len(read_map(text).rows) == 120


def test_objects_of_a_single_cell_and_beyond_the_edge_are_drawn() -> None:
    text = drawn_cave("", "Line=3 3 3 3 WALL", "Raster=5 5 1 2 0 1 WALL", "Rectangle=-9 2 900 2 STEELWALL")
    mine = read_map(text)
    assert (mine.rows[3][3], mine.rows[5][5], mine.rows[6][5]) == (6, 6, 6)
    assert set(mine.rows[2][1:-1]) == {4}


DRAWN = """[cave]
Size=20 11 0 0 19 10
InitialFill=SPACE
DiamondsRequired=1
[objects]
RandomFillC64=1 1 8 9 7 0 0 0 0 DIRT BOULDER 60 NONE 20
RandomFillC64=1 6 8 9 9 0 0 0 0 WALL DIAMOND 90 BOULDER
Line=18 1 13 4 BOULDER
Line=16 9 14 4 WALL
Raster=10 9 2 -3 3 2 BUTTERFLYl
Line=10 1 10 3 DIAMOND
Add=0 1 DIAMOND MAGICWALL
Line=18 6 18 8 DIAMOND
AddBackward=0 1 DIAMOND SLIME
Point=1 1 INBOX
Point=18 9 OUTBOX
[/objects]
[/cave]"""
DRAWN_BY_GDASH = """
WWWWWWWWWWWWWWWWWWWW
WP.r..r.. d  C    rW
W..r..... s     rr W
W...rrr . d  Crr   W
W. ....r. s  rw    W
W..r....r C  Cw    W
W.. .d...      w  dW
W....s... C  C w  sW
W...dd.w.       w sW
W.d.ss... C  C  w XW
WWsWWWWWWWWWWWWWWWWW
"""


def test_objects_are_drawn_as_in_gdash() -> None:
    """The rounding of lines, rasters counted backwards, objects beside objects just drawn, random rectangles."""
    mine = read_map(DRAWN)
    rows = (
        "".join(sign_of(code, mine.details.get((r, c), 0)) for c, code in enumerate(row))
        for r, row in enumerate(mine.rows)
    )
    assert "\n".join(rows) == DRAWN_BY_GDASH.strip()


@pytest.mark.parametrize(
    "fill", ["1 1 3 3 0 0 0 0", "1 1 3 3 0 0 0 0 0 GOLD", "1 1 3 3 0 0 0 0 0 DIRT WALL x"]
)
def test_bad_random_rectangles_are_refused(fill: str) -> None:
    with pytest.raises(MapError):
        read_map(DRAWN.replace("Point=1 1 INBOX", f"Point=1 1 INBOX\nRandomFillC64={fill}"))


def test_rows_of_spaces_belong_to_a_cave_whose_size_has_a_place_for_them() -> None:
    sized = "[cave]\nSize=4 4 0 0 3 3\nDiamondsRequired=0\n[map]\nWWWW\nWPXW\n    \n    \n[/map]\n[/cave]"
    assert read_map(sized).rows[2:] == ((0, 0, 0, 0),) * 2
    assert read_map(sized.replace("4 4 0 0 3 3", "4 3 0 0 3 2")).height == 3


def test_letters_of_elements_that_we_do_not_have_are_refused() -> None:
    codes, rows = "[mapcodes]\n3=FALLINGWALL\n[/mapcodes]", "WWWWW\nWP3XW\nWWWWW"
    text = f"{codes}\n[cave]\nDiamondsRequired=0\n[map]\n{rows}\n[/map]\n[/cave]"
    with pytest.raises(MapError, match="FALLINGWALL"):
        read_map(text)
    assert read_map(text.replace("P3X", "P X")).width == 5


@pytest.mark.parametrize("choice", ["²", "(", "*", "[", ".", "9" * 5000, "0"])
def test_no_name_of_a_cave_breaks_the_reader(choice: str) -> None:
    with pytest.raises(LudionError, match="unknown cave"):
        read_map(CAVE, cave=choice)


@pytest.mark.parametrize("line", ["Maze=1 2 3", "Point=1 INBOX", "Line=1 1 2 2 GOLD"])
def test_unknown_objects_are_refused(line: str) -> None:
    with pytest.raises(MapError):
        read_map(CAVE.replace("Point=1 1 INBOX", f"Point=1 1 INBOX\n{line}"), cave="B")


def test_too_large_mines_are_refused() -> None:
    with pytest.raises(MapError, match="largest"):
        Mine("", with_border([[22, 21] + [0] * 70]), 0).validated()


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(LudionError):
        read_map(text)


@given(st.data())
def test_no_damaged_map_breaks_the_reader(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([OLD, NEW, CAVE]))
    for _ in range(3):
        place = data.draw(st.integers(0, len(text) - 1))
        text = (
            text[:place]
            + data.draw(st.sampled_from(["", "<", '"', ",", "\n", "Diam", "[", "="]))
            + text[place + 1 :]
        )
    with contextlib.suppress(LudionError):
        read_map(text)


def test_random_mines_round_trip_through_every_format() -> None:
    chance = random.Random(1)
    for _ in range(30):
        width, height = chance.randrange(2, 20), chance.randrange(2, 15)
        grid = [
            [chance.choice([0, 1, 2, 3, 4, 6, 7, 24, 25, 30]) for _ in range(width)] for _ in range(height)
        ]
        grid[0][0], grid[-1][-1] = 22, 21
        mine = Mine("m", with_border(grid), chance.randrange(2), chance.choice([-1, 30]))
        for text in (write_xml(mine), write_xml(mine, 2008), write_bdcff(mine)):
            again = read_map(text)
            assert again.rows == mine.rows
            assert (again.need, again.seconds, again.rules) == (mine.need, mine.seconds, "delirium")


@given(st.lists(st.sampled_from([*range(9), 100_000]), max_size=60))
def test_actions_are_letters(actions: list[int]) -> None:
    assert read_actions(write_actions(actions)) == actions


def test_bad_replays_are_refused() -> None:
    with pytest.raises(MapError, match="not a sequence of actions"):
        read_actions("rr?d")
