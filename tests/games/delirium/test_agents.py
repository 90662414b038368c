"""The agents: what they see, what they do, and that nothing they do breaks a run."""

from __future__ import annotations

import itertools
import shutil
import stat
import sys
import time
import types
from pathlib import Path

import numpy as np
import pytest

from ludion.errors import LudionError
from ludion.games.delirium import GAME
from ludion.games.delirium import planner as planning
from ludion.games.delirium.layered import make as layered
from ludion.games.delirium.physics import STONE, STRIDE
from ludion.games.delirium.planner import find_solution
from ludion.games.delirium.planner import make as planner
from ludion.games.delirium.prolog import PrologError
from ludion.games.delirium.prolog import make as prolog
from ludion.games.delirium.waypoints import Purpose
from ludion.games.delirium.world import MineWorld, act, look, read
from ludion.kinds import quest
from ludion.messages import message, speaking
from ludion.questions import Run
from tests.games.delirium.test_physics import cave

OPEN = cave("P....d..", "..d.....", "......d.", ".d.....X", need=4)


def test_the_view_is_clipped_at_the_border() -> None:
    _, world = read(cave("P.r", "d..", "..X", need=1), view="1")
    percept = look(world)
    assert percept.cells == [5, 5, 5, 5, 22, 1, 5, 2, 1]
    assert (percept.x, percept.y, percept.position, percept.row, percept.can_exit) == (1, 1, 4, 3, 0)
    assert (percept.view_x, percept.view_y, len(percept)) == (1, 1, 11)
    assert len(percept.properties) == len(percept.cells)
    _, world = read(cave("P.r", "d..", "..X", need=1))
    assert look(world).row == 5


@pytest.mark.parametrize("view", range(1, 8))
def test_the_miner_is_where_the_percept_says(view: int) -> None:
    _, world = read(OPEN, view=str(view))
    for action in (1, 1, 4, 4, 1, 1, 1, 1, 1):
        act(world, action)
        percept = look(world)
        assert percept.cells[percept.position] == 22
        assert percept.grid().shape[1] == percept.row <= 2 * view + 1


def test_enlarging_the_view_takes_no_time() -> None:
    _, world = read(OPEN, view="1")
    act(world, 100_000)
    assert (world.ticks, look(world).view_x) == (0, 2)


def test_headings_are_seen_and_blasts_are_not() -> None:
    _, world = read(cave("P.....", "......", "..   .", "..O  .", "......", "X....."))
    act(world, 0)
    percept = look(world)
    assert percept.properties[percept.cells.index(25)] == 1


def test_the_layered_miner_says_which_layer_decided() -> None:
    briefing, world = read(OPEN)
    agent = layered(briefing)
    record = quest.run(world, agent, steps=200)
    assert record.outcome == quest.WON
    assert agent.thought.reason == "exit"
    assert agent.thought.path


def test_the_layers_can_be_switched_off() -> None:
    briefing, world = read(OPEN)
    agent = layered(briefing, diamonds=False, wander=False)
    assert agent.decide(look(world)) == 0
    assert agent.thought.reason == "nothing"


def test_loading_machine_code_takes_no_time_from_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first decision of a session finds its plan, however long the machine code takes to load."""
    loading, seconds = itertools.count(step=100), itertools.count(step=100)
    monkeypatch.setattr(planning, "compile_seconds", lambda: next(loading))
    monkeypatch.setattr(planning, "time", types.SimpleNamespace(perf_counter=lambda: next(seconds)))
    briefing, world = read(cave("P..d.X", need=1))
    assert GAME.write_move is not None
    agent = planner(briefing)
    assert GAME.write_move(briefing, world, agent.decide(look(world))) == "right"


def test_thoughts_are_in_the_language_in_use() -> None:
    briefing, world = read(cave("P..d.X", need=1))
    for make, english, french in (
        (
            layered,
            "diamonds, 3 steps away",
            "diamants, à 3 pas",
        ),
        (planner, "1 diamond, then leaves", "1 diamant, puis la sortie"),
    ):
        agent = make(briefing)
        agent.decide(look(world))
        assert str(agent.thought).endswith(english)
        with speaking("fr"):
            assert str(agent.thought).endswith(french)


@pytest.mark.parametrize("purpose", Purpose)
def test_every_purpose_has_words(purpose: Purpose) -> None:
    english = message(f"delirium.purpose.{purpose}")
    with speaking("fr"):
        assert message(f"delirium.purpose.{purpose}") != english


def test_every_layer_says_something() -> None:
    briefing, world = read(cave("P..d.X", need=1))
    agent = layered(briefing, wander=False)
    agent.decide(look(world))
    assert agent.thought.layers == [
        ("loops", "0 cells barred"),
        ("dangers", "0 dangerous cells"),
        ("memory", "24 cells known, 24 in view"),
        ("stop", "not on an open exit"),
        ("exit", "closed: diamonds are missing"),
        ("diamonds", "path to 4,1: 3 steps, cost 7, 4 cells searched"),
        ("wander", "switched off"),
    ]
    assert agent.thought.search == [(1, 1, 0), (2, 1, 3), (3, 1, 6), (4, 1, 7)]
    with speaking("fr"):
        assert agent.thought.layers[0] == ("boucles", "0 case interdite")
    best = planner(briefing)
    best.decide(look(world))
    assert [name for name, _ in best.thought.layers] == ["belief", "search", "plan"]
    assert best.thought.layers[-1][1] == "gather a diamond (3), go to the exit (2)"


def test_of_equally_near_diamonds_the_last_is_sought() -> None:
    briefing, world = read(cave("...d...", "dP.....", "......X", need=2))
    agent = layered(briefing)
    agent.decide(look(world))
    assert agent.thought.target == (1, 2)
    briefing, world = read(cave("..d..", "d.P.d", "..d.X", need=3))
    agent = layered(briefing)
    agent.decide(look(world))
    assert agent.thought.target == (3, 3)


def test_the_layered_miner_does_not_stay_under_a_stone_when_no_layer_answers() -> None:
    # The left stone falls on him at once; the only step leads below the right one, which cannot fall on him yet.
    briefing, world = read(cave("Wr  W", "W r W", "WP  W", "WWWWW", "X...d", need=1))
    agent = layered(briefing)
    act(world, agent.decide(look(world)))
    assert agent.thought.reason == "wander_escape"
    assert world.fate == "running"


def test_dangers_are_marked_under_stones_and_around_monsters() -> None:
    briefing, world = read(cave("P.....", "...r..", "...  .", "... ..", ".   O.", "X....."))
    agent = layered(briefing)
    agent.decide(look(world))
    assert {(4, 3), (4, 4)} <= set(agent.thought.dangers)
    act(world, 0)
    agent.decide(look(world))
    assert len(agent.thought.dangers) > 4


def test_loops_are_barred_and_waiting_is_not_one() -> None:
    briefing, _ = read(OPEN)
    agent = layered(briefing)
    for place in (70, 71, 70, 71, 70, 71):
        agent._bar_loops(place)
    assert agent.barred[70]
    assert agent.barred[71]
    agent = layered(briefing)
    for _ in range(8):
        agent._bar_loops(70)
    assert not agent.barred.any()


CASES = {
    "monster": cave("P         ", "wwww wwww ", "d  O      ", "ww wwwwww ", "d        X", need=2),
    "trap": cave("P.......d", ".........", "ww..ww.ww", "X  r    d", need=2),
    "breach": cave(
        "P    r    ", "  ........", "  r   B  r", "wwwwwwwwww", "   d      ", "d        X", need=2
    ),
    "up": cave("X.....", "....  ", "dwwwrw", "    rw", "   wPw", need=1),
}


@pytest.mark.parametrize("name", CASES)
def test_the_planner_wins_what_needs_a_plan(name: str) -> None:
    briefing, world = read(CASES[name])
    agent = planner(briefing, budget=0.5)
    record = quest.run(world, agent, steps=300)
    assert record.outcome == quest.WON, world.fate
    assert "leaves" in str(agent.thought)


@pytest.mark.parametrize("view", [2, 3])
def test_the_planner_explores_what_it_cannot_see(view: int) -> None:
    briefing, world = read(OPEN, view=str(view))
    record = quest.run(world, planner(briefing, budget=0.5), steps=300)
    assert record.outcome == quest.WON, world.fate


def test_the_exit_of_a_cave_may_lie_in_its_border() -> None:
    text = cave("P.....d.", "........", "d.......", need=2, engine="BD1")
    briefing, world = read(text.replace("W........W", "W........X"))
    assert find_solution(world, 50_000) is not None
    agent = planner(briefing, budget=0.5)
    agent.decide(look(world))
    assert agent.plans.mine_known


def test_a_shaft_of_diamonds_is_opened_from_below() -> None:
    # The stone must fall two cells: the lower one has to be dug from above, and left before it comes down.
    _, world = read(cave("P.....", "X.www.", "..wdw.", "..wdw.", "..wrw.", "..w...", "..w.w.", need=2))
    solution = find_solution(world, 300_000)
    assert solution is not None
    for action in solution:
        act(world, action)
    assert world.fate == "won"


def test_exploring_leaves_stones_and_dens_alone() -> None:
    briefing, world = read(CASES["breach"], view="3")
    agent = planner(briefing, budget=0.5)
    before = world.state.cells.copy()
    for _ in range(3):
        act(world, agent.decide(look(world)))
    stones = np.flatnonzero(before == STONE)
    assert (world.state.cells[stones] == STONE).all()
    assert (world.state.cells[stones + STRIDE] == before[stones + STRIDE]).all()


HARD = cave("P.......", "..r.r...", "wwwwwwww", "d......X", need=1)  # no plan leads out


def test_a_decision_is_cut_short_after_five_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count()
    monkeypatch.setattr(planning, "CLOCK", lambda: float(next(clock)))  # each reading is a second later
    briefing, world = read(HARD)
    hasty = planner(briefing, budget=1.0)
    hasty.decide(look(world))
    assert next(clock) < 12


def test_runs_are_the_same_on_slow_and_fast_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    records = []
    for pace in (0.0, 0.001):
        clock = itertools.count()
        monkeypatch.setattr(planning, "CLOCK", lambda pace=pace, clock=clock: pace * next(clock))
        briefing, world = read(CASES["trap"])
        records.append(quest.run(world, planner(briefing, budget=0.2), steps=300).actions)
    assert records[0] == records[1]


@pytest.mark.parametrize("settings", [{"budget": 0.0}, {"budget": -1.0}, {"budget": 1e9}, {"patience": -1}])
def test_settings_of_the_planner_that_make_no_sense_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(LudionError):
        planner(read(OPEN)[0], **settings)  # type: ignore[arg-type]


def test_effort_is_counted_in_nodes() -> None:
    briefing, world = read(HARD)
    agent = planner(briefing, budget=0.02)
    agent.decide(look(world))
    hasty = planner(briefing, budget=1e-6)
    hasty.decide(look(world))
    most = 3 * planning.NODES_PER_SECOND * 0.02 + 50_000  # with what was saved, and the search under way
    assert hasty.plans.effort < agent.plans.effort < most


def test_a_stuck_miner_says_so_and_thinks_less_and_less_often() -> None:
    walled = cave("P.wO ", "..w. ", "wwwww", "d...X", need=1)  # the monster moves: no two ticks are alike
    briefing, world = read(walled)
    agent = planner(briefing, budget=0.002)
    quest.run(world, agent, steps=400)
    assert agent.thought.reason == "stuck"
    nodes = agent.nodes
    record = quest.run(world, agent, steps=400)
    assert record.outcome == quest.RUNNING
    assert agent.nodes - nodes < 400 * 20


def test_a_monster_that_leaves_the_view_is_followed() -> None:
    # It walks back and forth in a corridor of nine cells, of which the miner sees four.
    briefing, world = read(cave("wwwwwwwww", "P..w....X", "wwwwwwwww", "      O  ", "wwwwwwwww"), view="3")
    agent = planner(briefing, budget=0.01)
    for _ in range(100):
        agent.decide(look(world))
        agent.last_action = 0
        act(world, 0)
    assert agent.belief.quiet_ticks > 30


def test_a_monster_is_watched_before_a_stone_is_dropped() -> None:
    level = next(each for each in GAME.all_levels() if each.name == "breach")
    briefing, world = read(level.position, view="3")
    agent = planner(briefing, budget=0.2)
    reasons = []
    while quest.outcome(world) == quest.RUNNING and len(reasons) < 200:
        act(world, agent.decide(look(world)))
        reasons.append(agent.thought.reason)
    assert world.fate == "won"
    assert reasons.index("watch") < reasons.index("kill")


def test_solutions_are_the_same_each_time() -> None:
    _, world = read(OPEN)
    solution = find_solution(world, 100_000)
    assert solution == find_solution(world, 100_000)
    for action in solution or ():
        act(world, action)
    assert world.fate == "won"


def test_a_stuck_miner_does_not_repeat_the_same_thoughts() -> None:
    briefing, world = read(cave("P.rd", "wwww", "X...", need=1))
    agent = planner(briefing, budget=5.0)
    quest.run(world, agent, steps=5)
    nodes = agent.nodes
    assert nodes > 0
    quest.run(world, agent, steps=20)
    assert agent.nodes == nodes


def test_unwinnable_mines_have_no_solution() -> None:
    _, world = read(cave("Pw.d", "ww..", "...X", need=1))
    assert find_solution(world, 20_000) is None


# ------------------------------------------------------------------ agents in Prolog

FAKE = """#!{python}
import sys, time
file = sys.argv[-1]
kind = open(file).read().strip()
if kind == "broken":
    print("ludion> error syntax"); sys.exit(1)
print("noise"); print("ludion> ready", flush=True)
for line in sys.stdin:
    assert line.startswith("percept([") and line.count(",") > 10 and line.endswith(").\\n")
    if kind == "loops": time.sleep(60)
    if kind == "dies": sys.exit(3)
    print("thinking ..."); print("ludion> " + kind, flush=True)
"""


@pytest.fixture
def swipl(tmp_path: Path) -> str:
    """A stand-in for SWI-Prolog that speaks the driver's protocol."""
    program = tmp_path / "swipl"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    return str(program)


def test_the_interface_of_2008_has_its_own_codes_and_views(tmp_path: Path, swipl: str) -> None:
    """The agent asks for a larger view until he sees the diamond, and then steps."""
    program = Path(swipl)
    program.write_text(
        f"""#!{sys.executable}
import sys
print("ludion> ready_2008 1 1", flush=True)
for line in sys.stdin:
    assert " " not in line.strip() and ",[]," in line
    cells = line[len("percept(["):].split("]")[0].split(",")
    view = int(line.split(",")[-1].split(")")[0])
    assert len(cells) == (view + 2) ** 2 and cells[view + 3] == "10"
    print("ludion> " + ("step 0/1" if "2" in cells else f"view {{view + 1}}/{{view + 1}}"), flush=True)
"""
    )
    file = tmp_path / "agent.pl"
    file.write_text("")
    briefing, world = read(cave("P....", ".....", "...d.", ".....", "....X", need=1))
    agent = prolog(briefing, str(file), wait=10.0, program=swipl)
    try:
        assert quest.run(world, agent, steps=1).actions == [4]
    finally:
        agent.close()


def run_prolog(tmp_path: Path, swipl: str, behaviour: str) -> quest.Record:
    file = tmp_path / "agent.pl"
    file.write_text(behaviour)
    briefing, world = read(OPEN)
    agent = prolog(briefing, str(file), wait=0.5 if behaviour == "loops" else 10.0, program=swipl)
    try:
        return quest.run(world, agent, steps=5)
    finally:
        agent.close()


def test_a_prolog_agent_acts(tmp_path: Path, swipl: str) -> None:
    record = run_prolog(tmp_path, swipl, "action 1")
    assert record.actions == [1] * 5


@pytest.mark.parametrize(
    ("behaviour", "ended_by", "why"),
    [
        ("failed", quest.CRASHED, "failed"),
        ("error type_error(x)", quest.CRASHED, "type_error"),
        ("action jump", quest.CRASHED, "jump"),
        ("action 77", quest.ILLEGAL, "77"),
        ("loops", quest.CRASHED, "no answer within"),
        ("dies", quest.CRASHED, "has ended"),
    ],
)
def test_bad_prolog_agents_end_the_run_cleanly(
    tmp_path: Path, swipl: str, behaviour: str, ended_by: str, why: str
) -> None:
    record = run_prolog(tmp_path, swipl, behaviour)
    assert record.ended_by == ended_by
    assert why in record.reason


HEAD = ":- module(decision, [init/1, move/12]).\ninit(_).\n"
REAL = {
    "loops": ("move(_,_,_,_,_,_,_,_,_,_,_,_) :- repeat, fail.", "no answer within"),
    "fails": ("move(_,_,_,_,_,_,_,_,_,_,_,_) :- fail.", "move/12 failed"),
    "raises": ("move(_,_,_,_,_,_,_,_,_,_,_,A) :- A is foo + 1.", "foo"),
    "answers nonsense": ("move(_,_,_,_,_,_,_,_,_,_,_,jump(high)).", "jump"),
    "answers nothing": ("move(_,_,_,_,_,_,_,_,_,_,_,_).", "not an action"),
    "halts": ("move(_,_,_,_,_,_,_,_,_,_,_,_) :- halt.", "has ended"),
}
needs_prolog = pytest.mark.skipif(shutil.which("swipl") is None, reason="SWI-Prolog is not installed")


@needs_prolog
def test_a_miner_in_real_prolog_wins() -> None:
    briefing, world = read(cave("P..d..", "......", ".....d", ".....X", need=2), view="2")
    agent = prolog(briefing, str(Path(__file__).parent / "miner.pl"), wait=60.0)
    try:
        record = quest.run(world, agent, steps=20)
    finally:
        agent.close()
    assert (record.outcome, record.actions) == (quest.WON, [1, 1, 1, 1, 1, 4, 4, 4])


THINK = """:- use_module(decision).
startThinking(X) :- init(X), nb_setval(direction, 4).
"""
OF_2008 = """setViewPerimeter(1, 1).
move(L, _, _, _, _, _, 1, 0, _, _, -1, _) :- member(17, L), !.
move(_, _, _, _, _, _, _, _, VPx, VPy, NewX, NewY) :- VPx < 2, !, NewX is VPx + 1, NewY is VPy + 1.
move(_, _, _, _, _, _, 0, 1, _, _, -1, _).
"""


@needs_prolog
def test_agents_of_2015_begin_in_the_file_beside_them(tmp_path: Path) -> None:
    (tmp_path / "think.pl").write_text(THINK)
    file = tmp_path / "decision.pl"
    file.write_text(
        HEAD + "% \u00e9t\u00e9\nmove(_,_,_,_,_,_,_,_,_,_,_,A) :- nb_getval(direction, A).",
        encoding="latin-1",
    )
    for agent_file in ("decision.pl", "think.pl"):
        _, world = read(OPEN)
        agent = prolog(world.briefing, str(tmp_path / agent_file), wait=60.0)
        try:
            assert quest.run(world, agent, steps=2).actions == [4, 4]
        finally:
            agent.close()


@needs_prolog
def test_agents_of_2008_run_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "ai-00.pl"
    file.write_text(OF_2008)
    _, world = read(cave("P....", ".....", ".....", "..X.."))
    agent = prolog(world.briefing, str(file), wait=60.0)
    try:
        assert quest.run(world, agent, steps=4).actions == [4, 1, 1, 1]
    finally:
        agent.close()


@needs_prolog
@pytest.mark.parametrize("name", REAL)
def test_bad_agents_in_real_prolog_end_the_run_cleanly(tmp_path: Path, name: str) -> None:
    clause, why = REAL[name]
    file = tmp_path / "agent.pl"
    file.write_text(HEAD + clause)
    briefing, world = read(OPEN)
    agent = prolog(briefing, str(file), wait=60.0)
    if name == "loops":
        agent.wait = 1.0
    try:
        record = quest.run(world, agent, steps=5)
    finally:
        agent.close()
    assert record.ended_by == quest.CRASHED
    assert why in record.reason
    assert agent.process.poll() is not None


@needs_prolog
def test_files_that_real_prolog_cannot_use_are_named(tmp_path: Path) -> None:
    briefing, _ = read(OPEN)
    file = tmp_path / "agent.pl"
    file.write_text(":- module(decision, [init/1]).\ninit(_).\n")
    with pytest.raises(PrologError, match="no_move_12"):
        prolog(briefing, str(file), wait=60.0)


def test_prolog_files_that_cannot_be_used_are_named(tmp_path: Path, swipl: str) -> None:
    briefing, _ = read(OPEN)
    with pytest.raises(PrologError, match="no Prolog file"):
        prolog(briefing, str(tmp_path / "none.pl"), program=swipl)
    with pytest.raises(PrologError, match="error syntax"):
        run_prolog(tmp_path, swipl, "broken")
    with pytest.raises(PrologError, match="not installed"):
        prolog(briefing, str(tmp_path / "agent.pl"), program="no-such-prolog")
    with pytest.raises(LudionError, match="needs an argument"):
        Run("delirium", agent="prolog").make_agent(briefing)


class Nonsense:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def decide(self, percept: object) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Sleeper:
    def decide(self, percept: object) -> object:
        time.sleep(0.05)
        raise ValueError("asleep")


@pytest.mark.parametrize("patience", [None, 5.0])
def test_the_time_until_a_crash_counts(patience: float | None) -> None:
    _, world = read(OPEN)
    record = quest.run(world, Sleeper(), patience=patience)
    assert record.ended_by == quest.CRASHED
    assert record.seconds >= record.slowest >= 0.05


@pytest.mark.parametrize("answer", [None, "left", 42, -3, 2.5, ValueError("oh")])
def test_nonsense_ends_a_run_with_its_record(answer: object) -> None:
    _, world = read(OPEN)
    record = quest.run(world, Nonsense(answer))
    assert record.ended_by in (quest.ILLEGAL, quest.CRASHED)
    assert record.actions == []
    assert isinstance(record.world, MineWorld)
