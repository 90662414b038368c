"""Where peers are: packages in an environment of their own, programs on the PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HOME = Path(__file__).parent / ".peers"
PACKAGES = ("bitbully", "open_spiel")


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


def python(package: str) -> str | None:
    """An interpreter that can import this package: the peers' own, or this one."""
    for candidate in (str(interpreter()), sys.executable):
        if Path(candidate).exists():
            done = subprocess.run([candidate, "-c", f"import {package}"], capture_output=True)
            if done.returncode == 0:
                return candidate
    return None


def command(name: str) -> str | None:
    """A program on the PATH."""
    return shutil.which(name)
