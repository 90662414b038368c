"""Compilation in another process, at low priority, while this one goes on interpreted.

A request names a kernel and the types of its arguments. The worker (`python -m ludion.core.background`) imports the
same modules, compiles the kernel for such arguments into the cache on disk and leaves a marker beside the code; this
process then loads it. Types are described without Numba, so that a process that only interprets never imports it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludion.core import tiers
from ludion.core.sources import cache_folder, fingerprint
from ludion.core.words import Wide, is_wide

if TYPE_CHECKING:
    from ludion.core.verbs import Kernel

LOW_PRIORITY = 10

Description = Any  # nested lists and texts, for JSON

# ------------------------------------------------------------------ types without Numba


def describe(value: object) -> Description:
    """The type of an argument; raises TypeError for types that no kernel takes."""
    if value is None:
        return "none"
    if isinstance(value, (bool, np.bool_)):
        return "bool"
    if isinstance(value, np.generic):
        return ["scalar", value.dtype.str]
    if isinstance(value, int):
        return "wide" if is_wide(value) else "int"
    if isinstance(value, float):
        return "float"
    if isinstance(value, np.ndarray):
        layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        return ["array", value.dtype.str, value.ndim, layout, bool(value.flags.writeable)]
    if isinstance(value, tuple):
        parts = [describe(each) for each in value]
        cls = type(value)
        if cls is tuple:
            return ["tuple", parts]
        return [
            "class",
            cls.__module__,
            cls.__qualname__,
            cls.__name__,
            parts,
        ]  # it may have been named apart
    raise TypeError(f"no kernel takes a {type(value).__name__}")


def sample(description: Description) -> Any:
    """Some value of the described type."""
    simple = {"none": None, "bool": False, "int": 0, "wide": Wide(0), "float": 0.0}
    if isinstance(description, str):
        return simple[description]
    kind, *rest = description
    if kind == "scalar":
        return np.dtype(rest[0]).type(0)
    if kind == "array":
        dtype, dimensions, layout, writeable = rest
        array = np.zeros((2,) * dimensions, dtype, order="F" if layout == "F" else "C")
        if layout == "A":
            array = np.zeros((4,) * dimensions, dtype)[(slice(None, None, 2),) * dimensions]
        array.flags.writeable = writeable
        return array
    parts = [sample(each) for each in rest[-1]]
    if kind == "tuple":
        return tuple(parts)
    cls = find(rest[0], rest[1])
    cls.__name__ = rest[2]  # as in the process that asks: machine code knows classes by name
    return cls(*parts)


def find(module: str, name: str) -> Any:
    """The object of a module with this (dotted) name."""
    here: Any = importlib.import_module(module)
    for part in name.split("."):
        here = getattr(here, part)
    return here


def classes_in(description: Description) -> set[str]:
    """The modules of all classes in a description."""
    if isinstance(description, str):
        return set()
    inner = (
        [each for each in description[-1] if not isinstance(description[-1], (str, bool))]
        if isinstance(description[-1], list)
        else []
    )
    modules = {description[1]} if description[0] == "class" else set()
    for each in inner:
        modules |= classes_in(each)
    return modules


# ------------------------------------------------------------------ requests


def marker(kernel: Kernel, types: list[Description]) -> Path | None:
    """The marker file of this kernel's code on disk for these types; None if a source is unknown."""
    modules = {kernel.function.__module__}
    for each in types:
        modules |= classes_in(each)
    prints = [fingerprint(module) for module in sorted(modules)]
    if None in prints:
        return None
    name = (kernel.function.__module__, kernel.function.__qualname__)
    key = repr((prints, name, types, os.environ.get("NUMBA_BOUNDSCHECK")))
    return cache_folder() / f"{kernel.name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.ready"


def is_on_disk(kernel: Kernel, arguments: tuple[Any, ...]) -> bool:
    """Whether the machine code for such arguments is on disk."""
    try:
        file = marker(kernel, [describe(each) for each in arguments])
    except TypeError:
        return False
    return file is not None and file.exists()


def is_loadable(kernel: Kernel, arguments: tuple[Any, ...]) -> bool:
    """Whether a call with such arguments would run compiled without waiting: the code is on disk, Numba is loaded."""
    return kernel.dispatcher is not None and is_on_disk(kernel, arguments)


def want(kernel: Kernel, arguments: tuple[Any, ...]) -> None:
    """Request the kernel for such arguments: loaded if it is on disk, else compiled by the worker."""
    try:
        types = [describe(each) for each in arguments]
    except TypeError:
        return
    file = marker(kernel, types)
    if file is None:
        return
    if file.exists() or not tiers.is_available():
        tiers.load_compiler()
        return
    worker().request(kernel, types, file)


class Worker:
    """The process that compiles, and its pending requests."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.asked: dict[Path, str] = {}  # markers of what is under way, with the kernels' names
        self.lock = threading.Lock()

    def request(self, kernel: Kernel, types: list[Description], file: Path) -> None:
        """Ask for a kernel, once."""
        with self.lock:
            if file in self.asked:
                return
            self.asked[file] = kernel.name
            if self.process is None or self.process.poll() is not None:
                self._start()
            modules = {kernel.function.__module__}
            for each in types:
                modules |= classes_in(each)
            files = {name: getattr(sys.modules.get(name), "__file__", None) for name in sorted(modules)}
            line = {
                "kernel": [kernel.function.__module__, kernel.qualified_name],
                "types": types,
                "files": files,
            }
            assert self.process is not None
            assert self.process.stdin is not None
            try:
                self.process.stdin.write(json.dumps({**line, "marker": str(file)}) + "\n")
                self.process.stdin.flush()
            except OSError:
                self.process = None
        self._tell()

    def _start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ludion.core.background"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Ctrl-C is for this process alone
            env={**os.environ, "LUDION_TIER": tiers.COMPILED},
        )
        threading.Thread(target=self._listen, args=(self.process,), daemon=True).start()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.asked.pop(Path(line.strip()), None)
            self._tell()
        self.asked.clear()
        self._tell()

    def _tell(self) -> None:
        tiers.report_compiling(list(self.asked.values()))


@functools.cache
def worker() -> Worker:
    """The worker of this process."""
    return Worker()


# ------------------------------------------------------------------ the worker process


def main() -> None:
    """Compile what the lines of standard input name, until there are no more."""
    if hasattr(os, "nice"):
        os.nice(LOW_PRIORITY)
    requests: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            requests.put(line)
        requests.put(
            None
        )  # the requesting process has ended; pending requests are still compiled, for the next start

    threading.Thread(target=read, daemon=True).start()
    out = os.fdopen(os.dup(1), "w")
    while (line := requests.get()) is not None:
        request = json.loads(line)
        try:
            make(request)
        except Exception:  # it stays interpreted
            continue
        try:
            print(request["marker"], file=out, flush=True)
        except OSError:
            out = open(os.devnull, "w")  # noqa: SIM115


def make(request: dict[str, Any]) -> None:
    """Compile one kernel into the cache and leave its marker."""
    for name, file in request["files"].items():
        if name not in sys.modules and file is not None and importlib.util.find_spec(name) is None:
            load_file(name, file)
    kernel = find(*request["kernel"])
    tiers.load_compiler()
    kernel.dispatcher.compile_types(tuple(sample(each) for each in request["types"]))
    Path(request["marker"]).touch()


def load_file(name: str, file: str) -> None:
    """Import a user's file under the name that it has in the process that asks."""
    sys.path.insert(0, str(Path(file).parent))
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


if __name__ == "__main__":
    main()
