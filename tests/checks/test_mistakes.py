"""Typical mistakes in a game of one's own: each gives one line that names the file, the line and what is wrong."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

import ludion
from ludion.engines import trial

from .sources import DUEL, PUZZLE, QUEST, line, load, spoilt


class Mistake(NamedTuple):
    name: str
    source: str
    old: str
    new: str
    place: str  # a text in the line that is named, after the change
    words: str  # in the complaint
    compiled: bool = False  # only the compiler notices


OPEN_OR_LOST = "return OPEN if heap.stones > 0 else LOST"
PLAYED = "return Heap(heap.stones - move, 1 - heap.turn)"
MOVED = "return Spot(spot.at + (move if move < 3 else 2 - move))"
ESTIMATED = (
    "@estimate.register(Left)\ndef _(heuristic, rules, spot):\n    return (rules.length - spot.at + 1) // 2"
)

MISTAKES = [
    # the file and the description
    Mistake("syntax error", DUEL, "def read(text):", "def read(text:", "def read(text:", "SyntaxError"),
    Mistake("unknown name", DUEL, "GAME = ludion.Duel(", "GAME = ludion.Duet(", "GAME =", "Duet"),
    Mistake("unknown field", DUEL, 'name="nim",', 'name="nim", colour=3,', "GAME =", "colour"),
    Mistake("missing field", DUEL, 'title="Nim", ', "", "GAME =", "title"),
    Mistake("missing import", DUEL, "import numpy as np\n", "", "table: np", "'np' is not defined"),
    Mistake("name with capitals", DUEL, 'name="nim"', 'name="My Nim"', "GAME =", "lower case"),
    Mistake("no summary", DUEL, 'summary="take the last stone"', 'summary=""', "GAME =", "summary must be a text"),
    Mistake("default that does not exist", DUEL, 'default_evaluation="parity"', 'default_evaluation="pairity"',
            "GAME =", "'pairity' is not among parity"),
    Mistake("read is no function", DUEL, "read=read,", 'read="read",', "GAME =", "read must be a function"),
    Mistake("evaluation is a class", DUEL, 'ludion.Evaluation(Parity, "stones modulo four")', "Parity",
            "GAME =", "Duel.evaluations must be Mapping[str, Evaluation]"),
    # read and write
    Mistake("read returns no pair", DUEL, "return Nim(3, np.arange(8), PAD), Heap(int(stones), int(turn or 0))",
            "return Heap(int(stones), int(turn or 0), 3)", "return Heap(int(", "read raises TypeError"),
    Mistake("start is refused", DUEL, 'start="15 0"', 'start="fifteen"', "def read", "read refuses the game's own"),
    Mistake("float in the position", DUEL, "Heap(int(stones), int(turn or 0))", "Heap(float(stones), int(turn or 0))",
            "class Heap", "Heap has stones: float"),
    Mistake("text in the position", DUEL, "Heap(int(stones), int(turn or 0))", "Heap(int(stones), turn)",
            "class Heap", "Heap has turn: str"),
    Mistake("list in the rules", DUEL, "np.arange(8), PAD", "[1, 2], PAD", "class Nim", "Nim has table: list"),
    Mistake("array of objects in the rules", DUEL, "np.arange(8), PAD", "np.array([None]), PAD",
            "class Nim", "object"),
    Mistake("write forgets the turn", DUEL, 'return f"{heap.stones} {heap.turn}"', 'return f"{heap.stones}"',
            "def read", "must read back the position"),
    Mistake("write returns a number", DUEL, 'return f"{heap.stones} {heap.turn}"', "return heap.stones",
            "def write", "write must return str, but returns int"),
    Mistake("write divides by zero", DUEL, 'return f"{heap.stones} {heap.turn}"',
            "return str(1 // (heap.stones - 15))",
            "return str(1", "write raises ZeroDivisionError"),
    Mistake("two moves of one name", DUEL, 'return f"take {move}"', 'return "take"', "def write_move",
            "'take' is both"),
    Mistake("read_move reads another move", DUEL, 'return int(text.removeprefix("take "))',
            'return int(text.removeprefix("take ")) + 1', "def read_move", "as the move 1, but gives 2"),
    # the board
    Mistake("board returns a text", DUEL, 'name="nim",', 'name="nim", board=lambda rules, heap: "x",', 'board=lambda',
            "board must return Board, but returns 'x'"),
    Mistake("board fails", DUEL, 'name="nim",', 'name="nim", board=lambda rules, heap: ludion.Board([heap.stone]),',
            'board=lambda', "AttributeError"),
    Mistake("a form that does not exist", DUEL, 'name="nim",',
            'name="nim", board=lambda rules, heap: ludion.Board(["x"], form="round"),', 'board=lambda',
            "Board.form must be square, centred, slanted, not 'round'"),
    Mistake("a cell that does not exist", DUEL, 'write_move=write_move, read_move=read_move',
            'board=lambda rules, heap: ludion.Board(["."]), move_cells=lambda rules, heap, move: move',
            'board=lambda', "the board has no cell"),
    Mistake("cells without a board", DUEL, 'name="nim",', 'name="nim", move_cells=lambda rules, heap, move: move,',
            'GAME =', "move_cells needs a board"),
    # moves
    Mistake("no moves", DUEL, "@moves.register(Nim)\n", "", "class Nim", "Nim has no verb 'moves'"),
    Mistake("moves forgets its count", DUEL, "    return count\n", "", "@moves", "but returns NoneType"),
    Mistake("moves returns a list", DUEL, "    return count\n", "    return [1, 2]\n", "@moves", "but returns list"),
    Mistake("moves gives a move twice", DUEL, "buffer[count] = taken", "buffer[count] = 1", "@moves", "move 1 twice"),
    Mistake("moves writes a float", DUEL, "buffer[count] = taken", "buffer[count] = taken / 1", "buffer[count]",
            "a move must be a whole number, not 1.0"),
    Mistake("moves counts from the end", DUEL, "buffer[count] = taken", "buffer[-1 - count] = taken", "buffer[-1",
            "no index -1"),
    Mistake("negative moves", DUEL, "buffer[count] = taken", "buffer[count] = -taken", "@moves", "but gives -1"),
    Mistake("too many moves", DUEL, "for taken in range(1, min(rules.most, heap.stones) + 1):",
            "for taken in range(1, 400):", "@moves", "most_moves allows 256"),
    Mistake("moves changes from call to call", DUEL, "        buffer[count] = taken\n",
            "        rules.table[0] += 1\n        buffer[count] = rules.table[0]\n", "@moves",
            "the same moves each time"),
    Mistake("moves never ends", DUEL, "        count += 1\n", "        while True:\n            pass\n", "while True",
            "does not end"),
    Mistake("unknown attribute", DUEL, "min(rules.most, heap.stones)", "min(rules.most, heap.stone)", "heap.stone)",
            "moves raises AttributeError"),
    # play and verdict
    Mistake("play returns a float", DUEL, PLAYED, "return Heap(heap.stones - move / 1, 1 - heap.turn)", "@play",
            "play must return Heap(int, int), but returns Heap(float, int)"),
    Mistake("play returns nothing", DUEL, PLAYED, "Heap(heap.stones - move, 1 - heap.turn)", "@play",
            "returns NoneType"),
    Mistake("play forgets a field", DUEL, PLAYED, "return Heap(heap.stones - move)", "return Heap(heap.stones - move)",
            "missing 1 required positional argument: 'turn'"),
    Mistake("play changes the rules", DUEL, PLAYED, f"rules.table[1] += 1\n    {PLAYED}", "@play",
            "must not change the rules"),
    Mistake("verdict returns a bool", DUEL, OPEN_OR_LOST, "return heap.stones > 0", "@verdict",
            "but returns bool True"),
    Mistake("verdict returns a text", DUEL, OPEN_OR_LOST, "return 'open'", "@verdict", "but returns str 'open'"),
    Mistake("verdict of another number", DUEL, OPEN_OR_LOST, "return 2 if heap.stones else 5", "@verdict", "int 5"),
    Mistake("open without moves", DUEL, OPEN_OR_LOST, "return OPEN", "@moves", "gives no move, but verdict says OPEN"),
    Mistake("evaluation beyond a win", DUEL, "return heap.stones % 4", "return heap.stones * 9999", "@evaluate",
            "evaluate must return a whole number"),
    Mistake("evaluation is a float", DUEL, "return heap.stones % 4", "return heap.stones / 4", "@evaluate",
            "but returns float 3.75"),
    Mistake("key of one value", DUEL, "@evaluate.register",
            "@key.register(Nim)\ndef _(rules, heap):\n    return 1\n\n\n"
            "@evaluate.register", "@key", "key must differ"),
    Mistake("mirror_move that is none", DUEL, "@evaluate.register",
            "@symmetries.register(Nim)\ndef _(rules):\n    return 2\n\n\n@mirror_move.register(Nim)\n"
            "def _(rules, move, symmetry):\n    return move + 7 * symmetry\n\n\n@evaluate.register",
            "@mirror_move", "moves of the image under symmetry 1"),
    Mistake("a local import", DUEL, OPEN_OR_LOST, f"import math\n    {OPEN_OR_LOST}", "import math",
            "the compiler does not understand this", True),
    Mistake("numbers beyond 64 bits", DUEL, PLAYED, "return Heap(heap.stones - move, heap.turn + (1 << 70))", "@play",
            "64 bits"),
    # puzzles
    Mistake("is_goal returns a number", PUZZLE, "return spot.at == rules.length", "return spot.at", "@is_goal",
            "is_goal must return bool, but returns int 2"),
    Mistake("a move that costs nothing", PUZZLE, "    return 1\n", "    return 0\n", "@cost", "from 1 to"),
    Mistake("pack loses something", PUZZLE, "return (spot.at,)", "return (spot.at // 2,)", "@unpack",
            "unpack must return"),
    Mistake("pack returns an int", PUZZLE, "return (spot.at,)", "return spot.at", "@pack", "but returns int"),
    Mistake("reverse is wrong", PUZZLE, "return move + 2 if move < 3 else move - 2", "return move", "@reverse",
            "takes 1 back, 1 does not"),
    Mistake("goal is none", PUZZLE, "    return Spot(rules.length)\n", "    return Spot(0)\n", "@goal",
            "is_goal accepts"),
    Mistake("heuristic overestimates", PUZZLE, ESTIMATED, ESTIMATED.replace("+ 1) // 2", "+ 1)"), "@estimate.register",
            "claims to be admissible"),
    Mistake("negative estimate", PUZZLE, ESTIMATED, ESTIMATED.replace("return (", "return -("), "@estimate.register",
            "from 0 to"),
    Mistake("estimate_after differs", PUZZLE, "return (rules.length - child.at + 1) // 2", "return before",
            "@estimate_after", "estimate_after must return"),
    Mistake("play leaves the board", PUZZLE, MOVED, "return Spot(spot.at + [0, 1, 2][move])", "[0, 1, 2]",
            "IndexError"),
    # quests
    Mistake("percept is the world", QUEST, "Hint(list(world.guesses),", "Hint(world.guesses,", "@percept",
            "must share nothing with the world"),
    Mistake("no percept", QUEST, "@percept.register(Secret)\n", "", "@dataclass", "no verb 'percept'"),
    Mistake("nonsense is accepted", QUEST, "if not isinstance(action, int) or not 0 <= action < 10:",
            "if action == 99:",
            "@act", "but accepts 'no such action'"),
    Mistake("nonsense raises another error", QUEST, "raise IllegalActionError(f", "raise KeyError(f", "raise KeyError",
            "act raises KeyError"),
    Mistake("illegal action changes the world", QUEST, "    if not isinstance(action, int)",
            "    world.guesses.append(0)\n    if not isinstance(action, int)", "@act", "changes the world"),
    Mistake("act returns nothing", QUEST, "    return world\n\n\n@outcome", "\n\n@outcome", "@act",
            "returns NoneType"),
    Mistake("outcome is a bool", QUEST, "        return RUNNING\n", "        return False\n", "@outcome",
            "bool False"),
    Mistake("agent without decide", QUEST, "def decide(", "def think(", "class Counter", "must have a method decide"),
    Mistake("agent that fails", QUEST, "return len(hint.guesses)", "return hint.guess", "return hint.guess",
            "AttributeError"),
    Mistake("agent by chance", QUEST, "        return len(hint.guesses)",
            "        import random\n        return random.randrange(10)", "def decide", "two runs differ"),
    Mistake("actions that are refused", QUEST, "return list(range(10)) if", "return [77] if", "def actions",
            "refuses 77"),
]  # fmt: skip


def complaints(folder, source, compiled):
    """What is said of a game: when it is loaded, or when it is checked."""
    try:
        game = load(folder, source)
    except ludion.GameFileError as error:
        return [str(error)]
    from ludion.checks import check

    return [str(problem) for problem in check(game, compiled=compiled, seconds=60.0)]


def test_there_are_enough():
    assert len(MISTAKES) >= 39
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize("source", [DUEL, PUZZLE, QUEST], ids=["duel", "puzzle", "quest"])
def test_games_without_a_mistake(tmp_path, source):
    assert complaints(tmp_path, source, compiled=False) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_one_line(tmp_path, monkeypatch, mistake):
    monkeypatch.setattr(trial, "LONGEST_CALL", 2.0)  # of processor time: these verbs need some microseconds
    source = spoilt(mistake.source, (mistake.old, mistake.new))
    lines = complaints(tmp_path, source, mistake.compiled)
    assert lines, "accepted"
    match = re.match(r"mine\.py:(\d+): ", lines[0])
    assert match is not None, lines
    assert mistake.words in lines[0]
    assert int(match[1]) == line(source, mistake.place), lines
    assert len(lines[0].splitlines()) == 1
