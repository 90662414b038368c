"""Where peers are: packages in an environment of their own, programs by an environment variable or on the PATH.

What each program must do is in README.md. Nothing of a peer is part of this repository.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HOME = Path(__file__).parent / ".peers"
PACKAGES = ("bitbully", "open_spiel", "simpleai", "easyAI")
PROGRAMS = {  # name: the command that is looked for on the PATH
    "pons": "c4solver",
    "steininger": "c4-steininger",
    "nokamute": "nokamute",
    "kociemba": "fifteen-kociemba",
    "clausecker": "24puzzle-search",
    "fogleman": "fogleman-rush",
    "jsminesweeper": "jsminesweeper",
    "gdash": "gdash-replay",
}


def interpreter() -> Path:
    """The Python of the peers' environment."""
    return HOME / ("Scripts" if os.name == "nt" else "bin") / "python"


def install() -> None:
    """Make the environment and install what pip has, each by itself so that one failure stays one."""
    venv.create(HOME, with_pip=True)
    for package in PACKAGES:
        done = subprocess.run(
            [interpreter(), "-m", "pip", "install", "--quiet", package], capture_output=True, text=True
        )
        print(f"{package}: {'installed' if done.returncode == 0 else done.stderr.strip().splitlines()[-1]}")


def variable(name: str) -> str:
    """The environment variable that names a peer."""
    return f"LUDION_PEER_{name.upper()}"


def python(package: str) -> str | None:
    """An interpreter that can import this package: the one that LUDION_PEER_... names, the peers' own, or this one."""
    for candidate in (os.environ.get(variable(package), ""), str(interpreter()), sys.executable):
        if candidate and Path(candidate).exists():
            done = subprocess.run([candidate, "-c", f"import {package}"], capture_output=True)
            if done.returncode == 0:
                return candidate
    return None


def command(name: str) -> str | None:
    """A peer's program: the path that LUDION_PEER_... names, or the command on the PATH."""
    named = os.environ.get(variable(name))
    if named:
        if not Path(named).is_file():
            raise FileNotFoundError(f"{variable(name)}: no file {named}")
        return named
    return shutil.which(PROGRAMS[name])


def version(name: str) -> str:
    """What was used of a peer: a package's version, a program's commit if it lies in a checkout; empty if not there."""
    if name in PACKAGES:
        where = python(name)
        if where is None:
            return ""
        ask = f"from importlib.metadata import version; print(version('{name}'))"
        return subprocess.run([where, "-c", ask], capture_output=True, text=True).stdout.strip() or "?"
    program = command(name)
    if program is None:
        return ""
    folder = Path(program).resolve().parent
    said = subprocess.run(
        ["git", "-C", str(folder), "log", "-1", "--format=%h of %as"], capture_output=True, text=True
    ).stdout.strip()
    return said if said and not folder.is_relative_to(HOME.parent) else "local build"
