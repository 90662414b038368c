"""What a running search shows in the terminal."""

from __future__ import annotations

import threading

import ludion
from ludion.cli._output import ShownSearch
from ludion.core import tiers
from ludion.engines.budget import Observer, Progress


def progress(depth: int, best: int, line: tuple[int, ...] = ()) -> Progress:
    return Progress(1000, 100, depth, 0, best, 0, 1.0, line)


def test_the_best_line_and_the_history_of_the_value_are_shown():
    start = ludion.position("tic-tac-toe")
    shown = ShownSearch(start)
    for each in (progress(1, 3), progress(2, 3), progress(3, -1)):
        shown.progress(each)
    lines = shown.text(progress(3, -1, (4, 0))).plain.splitlines()
    assert "depth 3" in lines[0]
    assert lines[1].strip() == "best line so far: b2 a1"
    assert lines[2].strip() == "value or bound by depth: 1: 3, 3: -1"


class Stopping(Observer):
    """Notes what it sees, and stops the search when there is a best line of some length."""

    def __init__(self) -> None:
        super().__init__(stop=threading.Event())
        self.lines: list[tuple[int, ...]] = []

    def progress(self, progress: Progress) -> None:
        self.lines.append(progress.line)
        if progress.line:
            self.stop.set()


def test_alpha_beta_shows_its_best_line_while_it_runs_and_stop_keeps_it():
    start = ludion.position("tic-tac-toe", "6x5/4")
    observer = Stopping()
    with tiers.use(tiers.INTERPRETED):
        answer = ludion.solve(start, "alpha-beta", observer=observer, seconds=20)
    line = observer.lines[-1]
    assert line
    assert set(line) <= set(start.codes())
    assert answer.limit == "stopped"
    assert answer.found
    assert start.play(*answer.line[:1]).is_open
