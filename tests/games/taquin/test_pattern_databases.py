"""The tables: right, kept once, checked when read, made anew when damaged."""

import multiprocessing
import threading
import zlib
from math import perm
from pathlib import Path

import numpy as np
import pytest

import ludion
from ludion.core import tiers
from ludion.core.words import array_bytes
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import STOP, new_control
from ludion.games.taquin import pattern_databases as tables
from ludion.games.taquin import pattern_making as making
from ludion.games.taquin.additive import pattern_database
from ludion.games.taquin.best import choose
from ludion.games.taquin.rules import contents
from ludion.kinds.puzzle import estimate

from . import naive
from .test_heuristics import walk


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(tables, "_held", {})
    return tmp_path / "taquin"


@pytest.mark.bounds
@pytest.mark.interpreted
@pytest.mark.parametrize("goal", ["1 2 3/4 5 6/7 8 0", "a b c/h _ d/g f e", "1 2 3/4 5 6/7 0 8"])
@pytest.mark.parametrize("wanted", ["2-3-3", "4-4", "5-3"])
def test_sums_of_naive_tables(goal, wanted, folder):
    """Without reflection: the plain sum is in the trace."""
    from ludion.kinds.puzzle import begin

    start = ludion.position("taquin", goal, goal=goal)
    game = start.rules
    groups = tables.partition(game, wanted)
    at_home = {int(cell): tile for tile, cell in enumerate(game.home)}
    twins = []
    for group in groups:
        home = {at_home[cell]: cell for cell in group}
        twins.append((sorted(home), naive.group_distances(home, int(game.home[0]), 3, 3)))
    heuristic = pattern_database(game, wanted)
    for _, _, state in walk(start, 60, 3):
        here = contents(game, state)
        expected = sum(twin[tuple(here.index(tile) for tile in names)] for names, twin in twins)
        assert begin(heuristic, game, state).plain == expected


@pytest.mark.bounds
def test_a_file_is_made_once_and_mapped(folder, monkeypatch):
    game = ludion.position("taquin", "level:korf-1").rules
    plan = tables.layout(game, tables.partition(game, "3-4-4-4"))
    built = tables.tables(plan)
    assert [file.name for file in folder.iterdir()] == [plan.path.name]
    monkeypatch.setattr(tables, "_held", {})
    monkeypatch.setattr(tables, "make", lambda *_: pytest.fail("made again"))
    again = tables.tables(plan)
    assert np.array_equal(built, again)
    assert not again.flags.writeable
    assert isinstance(again.base, np.memmap)


@pytest.mark.parametrize("harm", ["cut short", "magic", "byte", "description", "empty"])
def test_a_damaged_file_is_dropped_and_made_again(folder, harm, monkeypatch, capsys):
    game = ludion.position("taquin", "level:korf-1").rules
    plan = tables.layout(game, tables.partition(game, "3-4-4-4"))
    good = np.array(tables.tables(plan))
    content = bytearray(plan.path.read_bytes())
    if harm == "cut short":
        content = content[:-1]
    elif harm == "magic":
        content[0] ^= 1
    elif harm == "byte":
        content[-100] ^= 1
    elif harm == "description":
        content[40] ^= 1
    else:
        content = bytearray()
    plan.path.unlink()
    plan.path.write_bytes(content)
    monkeypatch.setattr(tables, "_held", {})
    assert np.array_equal(tables.tables(plan), good)
    said = capsys.readouterr().err
    assert "damaged" in said
    assert plan.path.name in said


def make_beside_another(folder, barrier, results):
    """In a process of its own: make the tables when the other one does, and tell what came of it."""
    tables.data_folder = lambda: Path(folder)
    game = ludion.position("taquin", "level:korf-1").rules
    plan = tables.layout(game, tables.partition(game, "3-4-4-4"))
    tables.make(plan)  # compiled by now
    assert not tables.are_made(plan)
    barrier.wait(60)
    results.put(zlib.crc32(tables.tables(plan)))


def test_two_processes_make_the_same_tables_at_once(folder):
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(2), context.Queue()
    processes = [
        context.Process(target=make_beside_another, args=(folder.parent, barrier, results)) for _ in range(2)
    ]
    for process in processes:
        process.start()
    numbers = [results.get(timeout=100) for _ in processes]
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0]
    game = ludion.position("taquin", "level:korf-1").rules
    plan = tables.layout(game, tables.partition(game, "3-4-4-4"))
    assert [file.name for file in folder.iterdir()] == [plan.path.name]
    assert numbers == [zlib.crc32(tables.read(plan.path, plan))] * 2


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize(("cells", "size"), [(5, 1), (6, 3), (5, 5)])
def test_the_order_of_ranked_tables(cells, size):
    sets = [bits for bits in range(1 << cells) if bits.bit_count() == size]
    places = [tuple(int(place) for place in order) for order in making.orders(size)]
    by_sets = np.arange(perm(cells, size), dtype=np.int64)
    ranked = np.zeros(by_sets.size, np.int64)
    making.copy_to_ranked(by_sets, ranked, np.array(sets), size, cells)
    for entry, number in enumerate(ranked.tolist()):
        here = tables.arrangement(entry, cells, size)
        occupied = sorted(here)
        bits = sum(1 << cell for cell in here)
        order = tuple(occupied.index(cell) for cell in here)
        assert number == sets.index(bits) * len(places) + places.index(order)


def test_two_at_once_do_no_harm(folder):
    game = ludion.position("taquin", "level:korf-1").rules
    plan = tables.layout(game, tables.partition(game, "3-4-4-4"))
    content = tables.make(plan)
    threads = [threading.Thread(target=tables.write, args=(plan.path, plan, content)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.array_equal(tables.read(plan.path, plan), content)
    assert [file.name for file in folder.iterdir()] == [plan.path.name]


def test_a_folder_that_cannot_be_written_costs_only_time(folder, monkeypatch, capsys):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tables, "write", refuse)
    position = ludion.position("taquin", "level:report-5")
    assert estimate(pattern_database(position.rules), position.rules, position.state) == 30
    assert "No space left" in capsys.readouterr().err


def test_the_memory_budget_is_kept(folder):
    game = ludion.position("taquin", "level:korf-1").rules
    with pytest.raises(making.TablesError):
        pattern_database(game, "7-8", budget=Budget(memory=1 << 28))
    assert not folder.exists()


def test_tables_that_are_there_count(folder):
    """A table that is mapped from disk is reported, and not used where the budget has no room for it."""
    position = ludion.generate("taquin", 1, size="3x4")
    heuristic = pattern_database(position.rules)
    size = array_bytes(heuristic)
    with tiers.use(tiers.INTERPRETED):
        answers = [
            ludion.solve(position, "a-star", heuristic="pattern-database", memory=memory, nodes=20)
            for memory in (size - 1, 10 * size)
        ]
        too_little = Budget(memory=heuristic.table.nbytes - 1)
        assert choose(position.rules, None, "", None, too_little)[0] == "linear-conflict"
        assert choose(position.rules, None, "", None, Budget(memory=10 * size))[0].startswith(
            "pattern-database"
        )
    assert (answers[0].status, answers[0].limit, answers[0].nodes) == ("limit", "memory", 0)
    assert answers[1].nodes > 0
    assert answers[1].memory > size


def test_making_stops_at_once(folder):
    game = ludion.position("taquin", "level:korf-1").rules
    stop = threading.Event()
    stop.set()
    with pytest.raises(making.MakingStoppedError):
        pattern_database(game, "7-8", Observer(stop=stop))
    assert not folder.exists()


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ("5-5", "10 tiles, the board 15"),
        ("0-15", "15"),
        ("1 2 3/4 5", "in no group"),
        ("1 2 3/3 4", "twice"),
        ("1 2 99", "no tile 99"),
        ("1//2", "without tiles"),
        ("15", "needs a table"),
    ],
)
def test_bad_partitions_are_refused(wanted, says):
    game = ludion.position("taquin", "level:farthest-1").rules
    with pytest.raises(ludion.UnfitError, match=says):
        tables.partition(game, wanted)


def test_symmetric_boards_and_groups_share_tables():
    first, last = (ludion.position("taquin", f"level:{name}").rules for name in ("korf-1", "farthest-1"))
    for wanted in ("5-5-5", "6-6-3", "7-8"):
        plans = [tables.layout(game, tables.partition(game, wanted)) for game in (first, last)]
        assert plans[0].path == plans[1].path
    plan = tables.layout(first, tables.partition(first, "5 6 9 10 11 14 15/1 2 3 7/4 8 12 13"))
    assert (len(plan.tables), len(plan.uses), plan.direct) == (2, 3, False)


def test_symmetric_groups_share_a_table():
    game = ludion.position("taquin", "level:korf-24-40").rules
    plan = tables.layout(game, tables.partition(game, "6-6-6-6"))
    assert (len(plan.tables), len(plan.uses), plan.direct) == (2, 4, True)
    assert sum(plan.sizes) == 2 * 25**6
    game = ludion.position("taquin", "level:korf-1").rules
    plan = tables.layout(game, tables.partition(game, "7-8"))
    assert (plan.direct, sum(plan.sizes)) == (False, 576_576_000)


def test_listing_slides_can_be_stopped_and_begun_again():
    control = new_control(Budget())
    control[STOP] = 1
    assert making.slides_of(3, 2, 2, control) is None
    slides = making.slides_of(3, 2, 2, new_control(Budget()))
    assert slides is not None
    assert len(slides.sets) == 15
    assert slides.starts[-1] == len(slides.targets)
