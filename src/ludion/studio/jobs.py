"""The threads that answer what takes time: a few at once, a queue before them that says so, and Stop.

A question is a function `answer(job)` that calls `job.tell(kind, value)` as often as it likes and looks at
`job.stop`. What it tells goes to the one browser that asked, as server-sent events.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import secrets
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any

from ludion.core.verbs import announce_compilation
from ludion.errors import LudionError

LONGEST_QUEUE = 64
MOST_OF_ONE_BROWSER = 6
HEARTBEAT = 5.0  # seconds; a line that keeps the connection alive and notices that it is gone

log = logging.getLogger("ludion.studio")


class BusyError(LudionError):
    """Too many questions at once."""


class Job:
    """A question on its way to an answer."""

    def __init__(self, owner: str, answer: Callable[[Job], None], loop: asyncio.AbstractEventLoop) -> None:
        self.id, self.owner, self.answer = secrets.token_urlsafe(12), owner, answer
        self.stop = threading.Event()
        self.gone = False  # nobody listens any more
        self.loop = loop
        self.told: asyncio.Queue[tuple[str, Any] | None] = asyncio.Queue()

    def tell(self, kind: str, value: Any) -> None:
        """Send something to the browser."""
        self._put((kind, value))

    def _put(self, item: tuple[str, Any] | None) -> None:
        if not self.gone:
            try:
                self.loop.call_soon_threadsafe(self.told.put_nowait, item)
            except RuntimeError:  # the server is shutting down
                self.gone = True
                self.stop.set()

    def run(self) -> None:
        try:
            if not self.gone:
                self.tell("started", {})
                self.answer(self)
        except LudionError as error:
            self.tell("error", {"error": str(error)})
        except MemoryError:
            self.tell("error", {"error": "out of memory"})
        except Exception:
            log.exception("a question failed")
            self.tell("error", {"error": "the engine failed on this question"})
        finally:
            self._put(None)


class Pool:
    """The threads and the queue."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.waiting: deque[Job] = deque()
        self.running: dict[str, Job] = {}
        self.ready = threading.Condition()
        self.numbers = itertools.count(1)
        self.open = True
        for _ in range(at_once):
            threading.Thread(target=self._work, daemon=True, name=f"studio-{next(self.numbers)}").start()
        announce_compilation(self._compiling)

    def _compiling(self, kernel: str) -> None:
        for job in list(self.running.values()):
            job.tell("compiling", {"kernel": kernel})

    def submit(self, owner: str, answer: Callable[[Job], None]) -> Job:
        """Put a question at the end of the queue."""
        job = Job(owner, answer, asyncio.get_running_loop())
        with self.ready:
            mine = sum(each.owner == owner for each in [*self.waiting, *self.running.values()])
            if mine >= MOST_OF_ONE_BROWSER:
                raise BusyError(f"this browser already has {mine} questions under way; stop one first")
            if len(self.waiting) >= LONGEST_QUEUE:
                raise BusyError(f"{LONGEST_QUEUE} questions are waiting already; try again later")
            self.waiting.append(job)
            ahead = len(self.waiting) - 1 if len(self.running) >= self.at_once else 0
            if len(self.running) + len(self.waiting) > self.at_once:
                job.tell("queued", {"ahead": ahead, "at_once": self.at_once})
            self.ready.notify()
        return job

    def _work(self) -> None:
        while self.open:
            with self.ready:
                while not self.waiting:
                    self.ready.wait()
                    if not self.open:
                        return
                job = self.waiting.popleft()
                self.running[job.id] = job
                for ahead, other in enumerate(self.waiting):
                    other.tell("queued", {"ahead": ahead, "at_once": self.at_once})
            try:
                job.run()
            finally:
                with self.ready:
                    self.running.pop(job.id, None)

    def stop(self, owner: str, number: str) -> bool:
        """Stop a job of this browser; whether there was one."""
        with self.ready:
            for job in [*self.waiting, *self.running.values()]:
                if job.id == number and job.owner == owner:
                    job.stop.set()
                    return True
        return False

    def leave(self, job: Job) -> None:
        """The browser is gone: end its job, or forget it if it is still waiting."""
        job.gone = True
        job.stop.set()
        with self.ready:
            if job in self.waiting:
                self.waiting.remove(job)

    def close(self) -> None:
        with self.ready:
            self.open = False
            for job in [*self.waiting, *self.running.values()]:
                job.gone = True
                job.stop.set()
            self.waiting.clear()
            self.ready.notify_all()
        announce_compilation(None)

    async def stream(self, job: Job) -> AsyncIterator[str]:
        """What a job tells, as server-sent events."""
        try:
            yield event("job", {"id": job.id})
            while True:
                try:
                    item = await asyncio.wait_for(job.told.get(), HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if item is None:
                    return
                yield event(*item)
        finally:
            self.leave(job)


def event(kind: str, value: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps(value, default=plain)}\n\n"


def plain(value: Any) -> Any:
    """Values of NumPy and the like for JSON."""
    for name in ("tolist", "_asdict"):
        if hasattr(value, name):
            return getattr(value, name)()
    return str(value)
