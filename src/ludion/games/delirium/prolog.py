"""Agents written in Prolog to the game's own interface: a module file with `init/1` and `move/12`.

The file is run by SWI-Prolog (`swipl`) in a process of its own; percepts go in and actions come out as lines.
What the agent prints itself is passed over. An answer that does not come within `wait` seconds, a failure or
an error ends the run with a word on why; so does a file that cannot be loaded."""

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
from ludion.games.delirium.world import Game, Percept

MARK = "ludion>"

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
            raise PrologError(f"no Prolog file '{file}'")
        found = shutil.which(program)
        if found is None:
            raise PrologError(f"'{program}' is not installed: agents in Prolog need SWI-Prolog")
        self.wait = wait
        self.folder = tempfile.TemporaryDirectory(prefix="ludion-prolog-")
        driver = Path(self.folder.name) / "driver.pl"
        driver.write_text(DRIVER, encoding="utf-8")
        self.process = subprocess.Popen(
            [found, "-q", str(driver), "--", str(path.resolve())],
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
            said = self._answer()
            if said != "ready":
                raise PrologError(f"'{path.name}' cannot be used: {said}")
        except BaseException:
            self.close()
            raise

    def decide(self, percept: Percept) -> int:
        assert self.process.stdin is not None
        arguments = ",".join(_written(each) for each in percept)
        try:
            self.process.stdin.write(f"percept({arguments}).\n")
            self.process.stdin.flush()
        except OSError:
            raise PrologError("the Prolog process has ended") from None
        said = self._answer()
        kind, _, rest = said.partition(" ")
        if kind == "action":
            try:
                return int(rest)
            except ValueError:
                raise PrologError(f"move/12 answered '{rest}', which is no action") from None
        raise PrologError("move/12 failed" if kind == "failed" else f"move/12 raised {rest}")

    def _answer(self) -> str:
        try:
            said = self.lines.get(timeout=self.wait)
        except queue.Empty:
            self.close()
            raise PrologError(f"no answer within {self.wait:g} s") from None
        if said is None:
            raise PrologError("the Prolog process has ended")
        return said

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
    with contextlib.suppress(ValueError, OSError):
        for line in stream:
            if line.startswith(MARK):
                lines.put(line.removeprefix(MARK).strip())
    lines.put(None)


def _written(value: list[int] | int) -> str:
    return f"[{','.join(map(str, value))}]" if isinstance(value, list) else str(value)


def make(game: Game, argument: str, wait: float = 5.0, program: str = "swipl") -> PrologAgent:
    """`--agent prolog:FILE`; `--set wait=30` for slow ones, `--set program=/path/swipl`."""
    return PrologAgent(argument, wait, program)
