"""Components, generated boards, levels, pictures and records."""

from xml.etree import ElementTree

import numpy as np
import pytest

import ludion
from ludion.engines.limits import CONTROL_SIZE, MEMORY_LIMIT, NODE_LIMIT, STOP, UNLIMITED
from ludion.errors import LudionError
from ludion.games.rush_hour import GAME, analysis, drawing, generator, notation, solver
from tests.commands import run
from tests.games.rush_hour import naive

LEVELS = {level.name: level for level in GAME.all_levels()}
KNOWN = [level for level in LEVELS.values() if "steps" in level.known]


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize("metric", ["moves", "steps"])
def test_a_component_agrees_with_the_naive_twin(metric):
    for seed in range(5):
        text = naive.random_board(seed, 5, 5, 7)
        component = analysis.explore(*notation.read(text, metric=metric))
        length, size = naive.component(text, metric == "steps")
        assert len(component) == size
        assert component.solvable == (length is not None)
        if length is not None:
            assert int(component.distances[0]) == length
            assert sum(component.layers()) == size
            hardest = notation.write(component.rules, component.position(component.hardest()))
            assert naive.component(hardest, metric == "steps") == (int(component.distances.max()), size)


class CountedLooks(list):
    """A status array that notes how many positions lie between two looks at its stop flag."""

    def __init__(self):
        super().__init__([0] * CONTROL_SIZE)
        self[NODE_LIMIT] = self[MEMORY_LIMIT] = UNLIMITED
        self.positions, self.most = 0, 0

    def __getitem__(self, index):
        if index == STOP:
            self.most, self.positions = max(self.most, self.positions), 0
        return super().__getitem__(index)

    def count(self, function):
        def counted(*arguments):
            self.positions += 1
            return function(*arguments)

        return counted


@pytest.mark.tier("interpreted")
@pytest.mark.parametrize("packed", [True, False])
def test_exploration_looks_at_the_stop_flag_every_few_hundred_positions(monkeypatch, packed):
    rules, start = notation.read(LEVELS["1"].position)
    control = CountedLooks()
    each_position = (
        {"expand": analysis.expand} if packed else {"moves": analysis.moves, "is_goal": analysis.is_goal}
    )
    for name, function in (each_position | {"estimate": analysis.estimate}).items():
        monkeypatch.setattr(analysis, name, control.count(function))
    if packed:
        analysis.component_of_keys.function(rules, start, analysis.new_graph(), control)
    else:
        analysis.component.function(rules, start, control)
    moves_of_a_position = 20
    assert 0 < control.most <= 256 * (1 if packed else moves_of_a_position)


def ways(text: str, left: int) -> int:
    """How many solutions of exactly this length there are, move by move."""
    board = ludion.position("rush-hour", text)
    if board.status == "solved":
        return int(left == 0)
    return sum(ways(board.play(move).text, left - 1) for move in board.moves()) if left else 0


def test_solutions_are_counted():
    text = "4x4:..B.AAB...CCDD.."
    facts = analysis.analysis(*notation.read(text))
    assert facts["optimal_solutions"] == ways(text, facts["length"]) > 0


@pytest.mark.parametrize("name", [str(number) for number in range(1, 11)])
def test_the_components_of_the_reports_levels(name):
    level = LEVELS[name]
    for metric in ("moves", "steps"):
        component = analysis.explore(*notation.read(level.position, metric=metric))
        assert len(component) == level.known["positions"]
        assert int(component.distances[0]) == level.known[metric]


def test_the_record_is_the_one_hardest_position_and_needs_all_its_vehicles():
    game, position = notation.read(LEVELS["record-93-steps"].position, metric="steps")
    facts = analysis.analysis(game, position)
    assert facts["hardest"] == LEVELS["record-93-steps"].position
    assert (facts["hardest_length"], facts["distances"][-1], facts["minimal"]) == (93, 1, True)
    extra = LEVELS["1"].position.replace("..F...", "..F.II", 1)
    if extra != LEVELS["1"].position:
        assert "I" in analysis.idle_vehicles(*notation.read(extra)) or analysis.optimum(extra, "moves") != 8


def test_an_idle_vehicle_is_found_and_limits_are_told():
    text = "6x4:AA..B.....B.........CC.."
    facts = analysis.analysis(*notation.read(text))
    assert (facts["idle_vehicles"], facts["minimal"]) == (["C"], False)
    game, position = notation.read(LEVELS["8"].position)
    facts = analysis.analysis(game, position, ludion.Budget(nodes=1000))
    assert facts["limit"] == "nodes"
    assert analysis.study(*notation.read("4x4:..CBAACB..DDEEFF"))["solvable"] is False


# ------------------------------------------------------------------ generated boards


@pytest.mark.parametrize(
    "wish",
    [
        {"difficulty": "easy"},
        {"moves": "12..16"},
        {"steps": "20..30"},
        {"moves": "8..14", "steps": "..30"},
        {"moves": "8..14", "vehicles": "10..12"},
        {"moves": "8..", "walls": 1},
        {"moves": "5..9", "size": "5x5"},
        {"moves": "10..14", "detours": "2..", "chain": "5.."},
        {"moves": "5..", "unique": True},
        {"moves": "37.."},
        pytest.param({"moves": "45.."}, marks=pytest.mark.slow),
        pytest.param({"steps": "80.."}, marks=pytest.mark.slow),
    ],
)
def test_generated_boards_keep_every_wish_and_are_minimal(wish):
    text = generator.generate(3, **wish)
    for metric in ("moves", "steps"):
        if metric in wish:
            low, high = generator.read_range(metric, wish[metric], 1, 200)
            assert low <= analysis.optimum(text, metric) <= high
    metric = "steps" if "steps" in wish and "moves" not in wish else "moves"
    assert analysis.idle_vehicles(*notation.read(text, metric=metric)) == []
    cells = text.rpartition(":")[2]
    assert cells.count("x") == wish.get("walls", 0)
    if "vehicles" in wish:
        assert 10 <= len(set(cells) - set(".x")) <= 12
    facts = analysis.analysis(*notation.read(text, metric=metric))
    if "chain" in wish:
        assert facts["detours"] >= 2
        assert facts["chain"] >= 5
    if "unique" in wish:
        assert facts["optimal_solutions"] == 1
    if (
        low_of(wish, metric) >= generator.LONG[metric]
    ):  # shorter ones may be levels: these were generated, too
        lines = generator.vehicle_lines(text)
        assert all(lines != generator.vehicle_lines(level.position) for level in LEVELS.values())


def low_of(wish, metric) -> int:
    """The least length that is asked for."""
    return generator.read_range(metric, wish.get(metric, "1.."), 1, 200).low


def test_the_lines_of_vehicles_are_the_same_for_a_whole_component():
    component = analysis.explore(*notation.read(LEVELS["5"].position))
    lines = generator.vehicle_lines(LEVELS["5"].position)
    boards = [notation.write(component.rules, component.position(n)) for n in range(0, len(component), 20)]
    assert {generator.vehicle_lines(board) for board in boards} == {lines}
    assert generator.vehicle_lines(analysis.without(LEVELS["5"].position, "B")) != lines


@pytest.mark.parametrize("wish", [{"difficulty": "easy"}, {"moves": "8..", "walls": 1}, {"moves": "37.."}])
def test_a_seed_gives_one_board(wish):
    assert generator.generate(3, **wish) == generator.generate(3, **wish)


def test_ctrl_c_prints_the_longest_board_so_far(capsys, monkeypatch):
    explored = generator.component_of
    looked_at = []

    def component_of(text, metric):
        if len(looked_at) == 4:
            raise KeyboardInterrupt
        looked_at.append(explored(text, metric))
        return looked_at[-1]

    monkeypatch.setattr(generator, "component_of", component_of)
    done = run(capsys, "generate", "rush-hour", "--moves", "51..", "--seed", "2")
    assert done.returncode == 130
    longest = max(int(component.distances.max()) for component in looked_at if component is not None)
    assert analysis.optimum(done.stdout.strip(), "moves") == longest


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"moves": "many"}, "not a range"),
        ({"moves": "9..5"}, "must ascend"),
        ({"moves": "5..900"}, "a range must ascend"),
        ({"walls": 30}, "walls must be"),
        ({"walls": -1}, "walls must be"),
        ({"size": "3x3"}, "size '3x3'"),
        ({"size": "big"}, "size 'big'"),
        ({"difficulty": "mild"}, "difficulty 'mild'"),
        ({"vehicles": "0"}, "must ascend"),
    ],
)
def test_bad_wishes_are_named(wish, said):
    with pytest.raises(LudionError, match=said):
        generator.generate(1, **wish)


def test_a_wish_that_cannot_be_met_ends_with_a_word(monkeypatch):
    monkeypatch.setattr(generator, "TRIES", 3)
    with pytest.raises(LudionError, match="no 4x4 board with moves 150"):
        generator.generate(1, moves="150", size="4x4")


# ------------------------------------------------------------------ levels


def test_every_level_has_the_length_it_claims():
    for metric in ("moves", "steps"):
        answers = solver.batch([level.position for level in KNOWN], {"metric": metric})
        for level, (_, answer) in zip(KNOWN, answers, strict=True):
            assert answer.length == level.known[metric], level.name


def test_there_are_graded_levels_from_easy_to_expert():
    graded = [level for level in KNOWN if level.name.partition("-")[0] in generator.DIFFICULTIES]
    assert len(graded) >= 60
    assert len({level.position for level in graded}) == len(graded)
    for grade, wanted in generator.DIFFICULTIES.items():
        low, high = generator.read_range("moves", wanted, 1, 200)
        lengths = [level.known["moves"] for level in graded if level.name.startswith(grade)]
        assert len(lengths) >= 15
        assert lengths == sorted(lengths)
        assert low <= lengths[0] <= lengths[-1] <= high


def made_again(level) -> str:
    """What the command that is named as a level's source makes."""
    grade, seed = level.source.removeprefix("generated: --difficulty ").split(" --seed ")
    return generator.generate(int(seed), grade)


def test_graded_levels_are_what_their_seeds_make():
    for name in ("easy-1", "medium-8", "hard-1"):
        assert made_again(LEVELS[name]) == LEVELS[name].position


@pytest.mark.slow
def test_all_graded_levels_are_minimal_and_what_their_seeds_make():
    for level in KNOWN:
        if level.name.partition("-")[0] in generator.DIFFICULTIES:
            assert analysis.idle_vehicles(*notation.read(level.position)) == [], level.name
            assert made_again(level) == level.position


# ------------------------------------------------------------------ pictures and records


def test_pictures_are_well_formed_and_show_the_board():
    for text, exit in ((LEVELS["record-60-moves"].position, "right"), ("4x4:..B.AAB...CCDD..", "left")):
        game, position = notation.read(text, exit=exit)
        drawn = drawing.text(game, position)
        assert ("<" in drawn) == (exit == "left")
        assert "".join(cell for cell in drawn if cell.isalpha() or cell == ".") == text.rpartition(":")[2]
        root = ElementTree.fromstring(drawing.svg(game, position))
        assert len(root.findall("{*}g")) == len(game.vehicles)


def test_the_animation_ends_where_the_solution_does():
    board = ludion.position("rush-hour", "level:1")
    answer = ludion.solve(board)
    picture = drawing.animate(board.rules, board.state, answer.moves)
    ElementTree.fromstring(picture)
    end = board.play(*answer.line)
    red = int(end.state.offsets[0] & 7) - int(board.state.offsets[0] & 7)
    assert f"100.000%{{transform:translateX({100 * red}px)}}" in picture
    assert f"{len(answer.moves)}/{len(answer.moves)}" in picture
    ElementTree.fromstring(drawing.animate(board.rules, board.state, ()))


def test_distances_are_plain_numbers():
    component = analysis.explore(*notation.read(LEVELS["2"].position))
    assert component.distances.dtype == np.int64
