"""Agents written in Prolog for the game's own interface: a module file with `init/1` and `move/12`.

The file is run by SWI-Prolog (`swipl`) in a process of its own; percepts go in and actions come out as lines. What the
agent prints itself is ignored. An answer that does not come within `wait` seconds, a failure or an error ends the run
with a message that says why; so does a file that cannot be loaded.
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
from ludion.games.delirium.world import Briefing, Percept
from ludion.messages import message

MARK = "ludion>"  # begins the lines that are meant for us

DRIVER = r"""
:- use_module(library(readutil)).

ludion_say(Format, Arguments) :-
    format("~n%MARK% "), format(Format, Arguments), nl, flush_output.

ludion_main :-
    current_prolog_flag(argv, Arguments),
    last(Arguments, File),
    catch(load_files(File, [if(true)]), Error, (ludion_say("error ~q", [Error]), halt(1))),
    ( catch(current_predicate(move/12), _, fail) -> true ; ludion_say("error no_move_12", []), halt(1) ),
    ( current_predicate(init/1) -> ( catch(init(_), _, true) -> true ; true ) ; true ),
    ludion_say("ready", []),
    ludion_loop.

ludion_loop :-
    read(Term),
    ( Term == end_of_file -> halt ; true ),
    Term = percept(L, LP, X, Y, Pos, Size, CGE, Energy, GEnergy, VPx, VPy),
    catch(
        ( once(move(L, LP, X, Y, Pos, Size, CGE, Energy, GEnergy, VPx, VPy, Action))
        -> ludion_say("action ~w", [Action])
        ;  ludion_say("failed", [])
        ),
        Error,
        ludion_say("error ~q", [Error])
    ),
    ludion_loop.

:- initialization(ludion_main, main).
""".replace("%MARK%", MARK)


class PrologError(LudionError):
    """A Prolog agent that cannot be run, or that gave no answer."""


class PrologAgent:
    """An agent in a process of its own."""

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
            [interpreter, "-q", str(driver), "--", str(path.resolve())],
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
            if answer != "ready":
                raise PrologError(message("delirium.unusable_prolog", file=path.name, answer=answer))
        except BaseException:
            self.close()
            raise

    def decide(self, percept: Percept) -> int:
        assert self.process.stdin is not None
        arguments = ",".join(_as_prolog(each) for each in percept)
        try:
            self.process.stdin.write(f"percept({arguments}).\n")
            self.process.stdin.flush()
        except OSError:
            raise PrologError(message("delirium.prolog_ended")) from None
        kind, _, rest = self._answer().partition(" ")
        if kind == "failed":
            raise PrologError(message("delirium.prolog_failed"))
        if kind != "action":
            raise PrologError(message("delirium.prolog_raised", error=rest))
        try:
            return int(rest)
        except ValueError:
            raise PrologError(message("delirium.prolog_not_an_action", answer=rest)) from None

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


def _as_prolog(value: list[int] | int) -> str:
    return f"[{','.join(map(str, value))}]" if isinstance(value, list) else str(value)


def make(briefing: Briefing, argument: str, wait: float = 5.0, program: str = "swipl") -> PrologAgent:
    """`--agent prolog:FILE`; `--set wait=30` for slow agents, `--set program=/path/swipl`."""
    return PrologAgent(argument, wait, program)
