"""The threads that answer long questions: a few at once, a queue with reported positions, and Stop.

A question is a function `answer(job)` that calls `job.send(kind, value)` as often as it likes and checks `job.stop`.
The values go to the browser that asked, as server-sent events.
"""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import json
import logging
import secrets
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable

from ludion.core import tiers
from ludion.errors import LudionError
from ludion.messages import message

LONGEST_QUEUE = 64
MOST_OF_ONE_BROWSER = 6
HEARTBEAT = 5.0  # seconds; a line that keeps the connection alive and notices that it is gone

log = logging.getLogger("ludion.studio")


class BusyError(LudionError):
    """Too many questions at once."""


class Job:
    """A question that waits or is being answered, in the language of its request."""

    def __init__(self, owner: str, answer: Callable[[Job], None], loop: asyncio.AbstractEventLoop) -> None:
        self.id, self.owner, self.answer = secrets.token_urlsafe(12), owner, answer
        self.stop = threading.Event()
        self.abandoned = False  # nobody listens any more
        self.loop = loop
        self.context = contextvars.copy_context()
        self.events: asyncio.Queue[tuple[str, object] | None] = asyncio.Queue()  # None ends them

    def send(self, kind: str, value: object) -> None:
        """Send something to the browser."""
        self._put((kind, value))

    def _put(self, item: tuple[str, object] | None) -> None:
        if not self.abandoned:
            try:
                self.loop.call_soon_threadsafe(self.events.put_nowait, item)
            except RuntimeError:  # the server is shutting down
                self.abandoned = True
                self.stop.set()

    def run(self) -> None:
        self.context.run(self._run)

    def _run(self) -> None:
        try:
            if not self.abandoned:
                self.send("started", {})
                self.answer(self)
        except LudionError as error:
            self.send("error", {"error": str(error)})
        except MemoryError:
            self.send("error", {"error": message("studio.out_of_memory")})
        except Exception:
            log.exception("a question failed")
            self.send("error", {"error": message("studio.engine_failed")})
        finally:
            self._put(None)


class JobQueue:
    """The jobs that wait, and the threads that work on them."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.waiting: deque[Job] = deque()
        self.running: dict[str, Job] = {}
        self.changed = threading.Condition()
        self.numbers = itertools.count(1)
        self.open = True
        for _ in range(at_once):
            threading.Thread(target=self._work, daemon=True, name=f"studio-{next(self.numbers)}").start()
        tiers.listeners.append(self._compiling)

    def _compiling(self, kernels: list[str]) -> None:
        for job in list(self.running.values()):
            job.send("compiling", {"kernels": kernels})

    def submit(self, owner: str, answer: Callable[[Job], None]) -> Job:
        """Put a question at the end of the queue."""
        job = Job(owner, answer, asyncio.get_running_loop())
        with self.changed:
            count = sum(each.owner == owner for each in [*self.waiting, *self.running.values()])
            if count >= MOST_OF_ONE_BROWSER:
                raise BusyError(message("studio.busy_browser", count=count))
            if len(self.waiting) >= LONGEST_QUEUE:
                raise BusyError(message("studio.busy_queue", count=LONGEST_QUEUE))
            self.waiting.append(job)
            ahead = len(self.waiting) - 1 if len(self.running) >= self.at_once else 0
            if len(self.running) + len(self.waiting) > self.at_once:
                job.send("queued", {"ahead": ahead, "at_once": self.at_once})
            self.changed.notify()
        return job

    def _work(self) -> None:
        while self.open:
            with self.changed:
                while not self.waiting:
                    self.changed.wait()
                    if not self.open:
                        return
                job = self.waiting.popleft()
                self.running[job.id] = job
                for ahead, other in enumerate(self.waiting):
                    other.send("queued", {"ahead": ahead, "at_once": self.at_once})
            try:
                job.run()
            finally:
                with self.changed:
                    self.running.pop(job.id, None)

    def stop(self, owner: str, number: str) -> bool:
        """Stop a job of this browser; whether there was one."""
        with self.changed:
            for job in [*self.waiting, *self.running.values()]:
                if job.id == number and job.owner == owner:
                    job.stop.set()
                    return True
        return False

    def leave(self, job: Job) -> None:
        """The browser has disconnected: end its job, or drop it if it is still waiting."""
        job.abandoned = True
        job.stop.set()
        with self.changed:
            if job in self.waiting:
                self.waiting.remove(job)

    def close(self) -> None:
        with self.changed:
            self.open = False
            for job in [*self.waiting, *self.running.values()]:
                job.abandoned = True
                job.stop.set()
            self.waiting.clear()
            self.changed.notify_all()
        tiers.listeners.remove(self._compiling)

    async def stream(self, job: Job) -> AsyncIterator[str]:
        """The events of a job, as server-sent events."""
        try:
            yield server_event("job", {"id": job.id})
            while True:
                try:
                    item = await asyncio.wait_for(job.events.get(), HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if item is None:
                    return
                yield server_event(*item)
        finally:
            self.leave(job)


def server_event(kind: str, value: object) -> str:
    return f"event: {kind}\ndata: {json.dumps(value, default=plain)}\n\n"


def plain(value: object) -> object:
    """Values of NumPy and the like for JSON."""
    for name in ("tolist", "_asdict"):
        method = getattr(value, name, None)
        if method is not None:
            converted: object = method()
            return converted
    return str(value)
