"""What a fixed set of searches costs, counted and not timed: nodes, expansions, sizes of tables, steps of agents.

`searches.txt` has a command on one line and its golden result, indented, on the next. A change that alters a
result on purpose says so by writing the file anew, which then shows in the commit:

    python -m tests.golden

To add a search, add its command and run the same. Commands with a limit of time are refused: they would not give
the same result twice.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from ludion import registry
from ludion.asking import engines_of
from ludion.errors import LudionError
from ludion.kinds.games import Quest
from ludion.questions import Run, Search

FILE = Path(__file__).with_name("searches.txt")
HEAD = "# Golden results: a command, and below it what it costs. Written by `python -m tests.golden`.\n"
UNFIT = {
    ("taquin", "anytime"): "widens its beams by the clock",
    ("delirium", "prolog"): "needs a program",
}


def read() -> dict[str, str]:
    """The golden result of each command; empty where a command was added and not yet asked."""
    golden: dict[str, str] = {}
    command = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            golden[command] = line.strip()
        elif line and not line.startswith("#"):
            command = line
            golden[command] = ""
    return golden


def write(golden: dict[str, str]) -> None:
    lines = [f"{command}\n  {result}\n" for command, result in golden.items()]
    FILE.write_text(HEAD + "".join(lines), encoding="utf-8")


def question_of(command: str) -> Search | Run:
    """The question that a command of the file asks."""
    kind = Run if shlex.split(command)[1] == Run.verb else Search
    question = kind.from_command(command)
    if isinstance(question, Search) and question.budget.seconds is not None:
        raise LudionError(f"a golden search has no limit of time: {command}")
    return question


def result_of(command: str) -> str:
    """What the command costs, in one line."""
    question = question_of(command)
    if isinstance(question, Run):
        record = question.record()
        return f"{record['status']}, {record['length']} steps, {record['nodes']:,} nodes"
    answer = question.answer()
    value = "" if answer.length is None else f" in {answer.length}"
    if answer.score is not None:
        value = f" {int(answer.score):+d}"
    costs = [
        f"{answer.nodes:,} nodes",
        f"{answer.expanded:,} expanded",
        f"depth {answer.depth}",
        f"{answer.memory:,} bytes",
        *([f"limit {answer.limit}"] if answer.limit else []),
    ]
    return f"{answer.status}{value}, {', '.join(costs)}"


def expected_pairs() -> set[tuple[str, str]]:
    """Every game with every engine or agent of it that does not depend on the clock."""
    pairs = set()
    for name in registry.installed():
        game = registry.find(name)
        names = game.agents if isinstance(game, Quest) else engines_of(game)
        pairs |= {(name, each) for each in names if each != "python"}
    return pairs - set(UNFIT)
