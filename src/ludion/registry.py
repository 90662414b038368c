"""Which games there are: those of this package, of other packages (entry points `ludion.games`), and of files."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import sys
from importlib.metadata import entry_points
from pathlib import Path

from ludion.errors import GameFileError, unknown
from ludion.kinds.card import Card

_from_files: dict[str, Card] = {}
_loaded: dict[tuple[Path, bytes], Card] = {}  # by path and content: a file is executed once


@functools.cache
def installed() -> dict[str, Card]:
    """The games of this package and of other packages."""
    cards = {}
    for module in pkgutil.iter_modules(importlib.import_module("ludion.games").__path__):
        found = importlib.import_module(f"ludion.games.{module.name}").GAME
        cards[found.name] = found
    for point in entry_points(group="ludion.games"):
        found = point.load()
        cards.setdefault(found.name, found)
    return cards


def games() -> dict[str, Card]:
    """All games by name."""
    return {**installed(), **_from_files}


def card(name: str) -> Card:
    """The card of the game of this name."""
    known = games()
    if name not in known:
        raise unknown("game", name, sorted(known))
    return known[name]


def load_game_file(path: str | Path) -> Card:
    """Load a user's game file, register its `GAME` card and return it."""
    path = Path(path).resolve()
    if not path.is_file():
        raise GameFileError(f"no game file {path.name} in {path.parent}")
    known = path, path.read_bytes()
    if known in _loaded:
        _from_files[_loaded[known].name] = _loaded[known]
        return _loaded[known]
    name = path.stem
    if name in sys.modules and getattr(sys.modules[name], "__file__", None) != str(path):
        name = f"{name}_game_file"  # never shadow a module that is already there
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameFileError(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))  # so that it can import from beside itself
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        line = _line_of(error, path)
        raise GameFileError(f"{path.name}{line}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(path.parent))
    found = getattr(module, "GAME", None)
    if not isinstance(found, Card):
        raise GameFileError(f"{path.name} defines no GAME card (GAME = ludion.Card(...))")
    _from_files[found.name] = _loaded[known] = found
    return found


def _line_of(error: BaseException, path: Path) -> str:
    """`, line N` of the file in which the error arose."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f", line {error.lineno}"
    numbers = []
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            numbers.append(trace.tb_lineno)
        trace = trace.tb_next
    return f", line {numbers[-1]}" if numbers else ""
