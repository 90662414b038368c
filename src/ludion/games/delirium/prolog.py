"""Agents written in Prolog for the game's own interfaces of all years, unchanged:

    2011 to 2017   a module file with `move/12` and `init/1`. If it, or `think.pl` beside it, has `startThinking/1`,
                   that is called instead of `init/1`, as the game did: agents of 2015 set up their memory there
    2007 to 2010   a file with `setViewPerimeter/2` and `move/8` or the older `move/12`: the codes of cells are those of
                   2008, the answer is a step (Dx, Dy) or, in `move/12`, a larger view, with which it is asked again

SWI-Prolog (`swipl`) runs the file in a separate process; percepts go in and actions come out as lines. Other output of
the agent is ignored. A missing answer within `wait` seconds, a failure or an error ends the run with a message that
says why; so does a file that cannot be loaded. Files that are not UTF-8 are read as Latin 1.
"""

from __future__ import annotations

import contextlib
import queue
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO

from ludion.errors import LudionError
from ludion.games.delirium.physics import (
    AMOEBA,
    BLUE,
    BORDER,
    DIAMOND,
    DIRT,
    DOWN,
    EMPTY,
    EXIT,
    GREEN,
    LEFT,
    MINER,
    PURPLE,
    RED,
    RIGHT,
    SILVER,
    STAY,
    STONE,
    UP,
    YELLOW,
)
from ludion.games.delirium.world import WHOLE_VIEW, Briefing, Percept
from ludion.messages import message

MARK = "ludion>"  # begins the lines that are meant for us
READY, READY_2008 = "ready", "ready_2008"  # what a loaded agent says, the second with its view

DRIVER = r"""
ludion_say(Format, Arguments) :-
    format("~n%MARK% "), format(Format, Arguments), nl, flush_output.

ludion_main :-
    current_prolog_flag(argv, Arguments),
    append(_, [Encoding, File], Arguments),
    set_prolog_flag(encoding, Encoding),
    ludion_load(File),
    ( current_predicate(startThinking/1) -> true ; ludion_load_beside(File) ),
    ( current_predicate(setViewPerimeter/2) -> ludion_begin_2008 ; ludion_begin ).

ludion_load(File) :-
    catch(load_files(File, [if(true)]), Error, (ludion_say("error ~q", [Error]), halt(1))).

ludion_load_beside(File) :-
    file_directory_name(File, Folder),
    directory_file_path(Folder, 'think.pl', Think),
    ( exists_file(Think) -> ludion_load(Think) ; true ).

ludion_begin :-
    ( current_predicate(move/12) -> true ; ludion_say("error no_move_12", []), halt(1) ),
    (   current_predicate(startThinking/1) -> Begin = startThinking(_)
    ;   current_predicate(init/1) -> Begin = init(_)
    ;   Begin = true
    ),
    ( catch(Begin, _, true) -> true ; true ),
    ludion_say("ready", []),
    ludion_loop(ludion_move).

ludion_begin_2008 :-
    (   current_predicate(move/12) -> Move = ludion_move_2008
    ;   current_predicate(move/8) -> Move = ludion_step_2008
    ;   ludion_say("error no_move_8", []), halt(1)
    ),
    setViewPerimeter(Width, Height),
    ludion_say("ready_2008 ~w ~w", [Width, Height]),
    ludion_loop(Move).

ludion_loop(Move) :-
    read(Percept),
    ( Percept == end_of_file -> halt ; true ),
    catch(
        ( once(call(Move, Percept, Kind, Answer))
        -> ludion_say("~w ~w", [Kind, Answer])
        ;  ludion_say("failed", [])
        ),
        Error,
        ludion_say("error ~q", [Error])
    ),
    ludion_loop(Move).

ludion_move(percept(L, LP, X, Y, Pos, Size, CGE, Energy, GEnergy, VPx, VPy), action, Action) :-
    move(L, LP, X, Y, Pos, Size, CGE, Energy, GEnergy, VPx, VPy, Action).

ludion_move_2008(percept(L, _, X, Y, Pos, Size, CGE, _, _, VPx, VPy), Kind, Answer) :-
    move(L, X, Y, Pos, Size, CGE, Dx, Dy, VPx, VPy, Width, Height),
    ( integer(Width), Width >= 0 -> Kind = view, Answer = Width/Height ; Kind = step, Answer = Dx/Dy ).

ludion_step_2008(percept(L, _, X, Y, Pos, Size, CGE, _, _, _, _), step, Dx/Dy) :-
    move(L, X, Y, Pos, Size, CGE, Dx, Dy).

:- initialization(ludion_main, main).
""".replace("%MARK%", MARK)

# The codes of 2008, in the order of its rules file; what it does not have counts as a wall.
WALL_2008 = 4
CODES_2008 = {
    EMPTY: 0,
    DIRT: 1,
    DIAMOND: 2,
    STONE: 3,
    SILVER: 8,
    BORDER: 9,
    MINER: 10,
    BLUE: 11,
    RED: 12,
    GREEN: 13,
    YELLOW: 14,
    PURPLE: 15,
    AMOEBA: 16,
    EXIT: 17,
}
STEPS_2008 = {(0, 0): STAY, (1, 0): RIGHT, (0, -1): UP, (-1, 0): LEFT, (0, 1): DOWN}


class PrologError(LudionError):
    """A Prolog agent that cannot be run, or that gave no answer."""


class PrologAgent:
    """An agent in a separate process."""

    def __init__(self, file: str, wait: float, program: str) -> None:
        path = Path(file)
        if not path.is_file():
            raise PrologError(message("delirium.no_prolog_file", file=file))
        interpreter = shutil.which(program)
        if interpreter is None:
            raise PrologError(message("delirium.no_prolog", program=program))
        self.wait = wait
        self.folder = tempfile.TemporaryDirectory(prefix="ludion-prolog-")
        driver = Path(self.folder.name) / "driver.pl"
        driver.write_text(DRIVER, encoding="utf-8")
        self.process = subprocess.Popen(
            [interpreter, "-q", str(driver), "--", _encoding(path.resolve().parent), str(path.resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=path.resolve().parent,
        )
        self.lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        assert self.process.stdout is not None
        threading.Thread(target=_listen, args=(self.process.stdout, self.lines), daemon=True).start()
        try:
            answer = self._answer()
            kind, *view = answer.split()
            if kind not in (READY, READY_2008):
                raise PrologError(message("delirium.unusable_prolog", file=path.name, answer=answer))
            self.view_2008 = _numbers(view, answer) if kind == READY_2008 else None
        except BaseException:
            self.close()
            raise

    def decide(self, percept: Percept) -> int:
        if self.view_2008 is None:
            kind, answer = self._ask(percept)
            if kind == "action" and answer.removeprefix("-").isdecimal():
                return int(answer)
            raise PrologError(message("delirium.prolog_not_an_action", answer=answer))
        view_x, view_y = self.view_2008
        while True:
            kind, answer = self._ask(_percept_2008(percept, view_x, view_y))
            numbers = _numbers(answer.split("/"), answer)
            if kind == "step":
                if numbers not in STEPS_2008:
                    raise PrologError(message("delirium.prolog_not_an_action", answer=answer))
                return STEPS_2008[numbers]
            if max(view_x, view_y) >= WHOLE_VIEW or min(numbers) <= min(view_x, view_y):
                return STAY  # there is no more to see
            view_x, view_y = numbers

    def _ask(self, percept: Percept) -> tuple[str, str]:
        """The answer to a percept: its kind, and the rest."""
        assert self.process.stdin is not None
        arguments = ",".join(_as_prolog(each) for each in percept)
        try:
            self.process.stdin.write(f"percept({arguments}).\n")
            self.process.stdin.flush()
        except OSError:
            raise PrologError(message("delirium.prolog_ended")) from None
        kind, _, answer = self._answer().partition(" ")
        if kind == "failed":
            raise PrologError(message("delirium.prolog_failed"))
        if kind == "error":
            raise PrologError(message("delirium.prolog_raised", error=answer))
        return kind, answer

    def _answer(self) -> str:
        """The next line that is meant for us."""
        try:
            answer = self.lines.get(timeout=self.wait)
        except queue.Empty:
            self.close()
            raise PrologError(message("delirium.prolog_timeout", seconds=f"{self.wait:g}")) from None
        if answer is None:
            raise PrologError(message("delirium.prolog_ended"))
        return answer

    def close(self) -> None:
        """End the process."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self.folder.cleanup()


def _listen(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    """Pass on the lines that are meant for us, and None at the end."""
    with contextlib.suppress(ValueError, OSError):
        for line in stream:
            if line.startswith(MARK):
                lines.put(line.removeprefix(MARK).strip())
    lines.put(None)


def _encoding(folder: Path) -> str:
    """The encoding of the Prolog files in a folder, by its name in Prolog."""
    try:
        for file in sorted(folder.glob("*.pl")):
            file.read_text(encoding="utf-8")
    except (UnicodeDecodeError, OSError):
        return "iso_latin_1"
    return "utf8"


def _numbers(words: list[str], answer: str) -> tuple[int, int]:
    """Two numbers of an answer."""
    try:
        first, second = map(int, words)
    except ValueError:
        raise PrologError(message("delirium.prolog_not_an_action", answer=answer)) from None
    return first, second


def _percept_2008(percept: Percept, view_x: int, view_y: int) -> Percept:
    """The part of a percept that a view of this half-size shows (0: all of it), in the codes of 2008."""
    row, column = divmod(percept.position, percept.row)
    cells = percept.grid()
    window = (
        slice(max(0, row - view_y), row + view_y + 1) if view_y else slice(None),
        slice(max(0, column - view_x), column + view_x + 1) if view_x else slice(None),
    )
    seen = cells[window]
    top, left = window[0].start or 0, window[1].start or 0
    return percept._replace(
        cells=[CODES_2008.get(code, WALL_2008) for code in seen.ravel().tolist()],
        properties=[],
        position=(row - top) * seen.shape[1] + column - left,
        row=seen.shape[1],
        view_x=view_x,
        view_y=view_y,
    )


def _as_prolog(value: list[int] | int) -> str:
    return f"[{','.join(map(str, value))}]" if isinstance(value, list) else str(value)


def make(briefing: Briefing, argument: str, wait: float = 5.0, program: str = "swipl") -> PrologAgent:
    """`--agent prolog:FILE`; `--set wait=30` for slow agents, `--set program=/path/swipl`."""
    return PrologAgent(argument, wait, program)
