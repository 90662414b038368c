"""All games: those of this package, of other packages (entry points `ludion.games`), and of files."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

from ludion.core.files import data_folder, write_atomically
from ludion.errors import GameFileError, LudionError, unknown
from ludion.kinds.games import Game
from ludion.messages import message

ENTRY_POINTS = "ludion.games"


class GameFile(NamedTuple):
    """A user's game file, with its source so that another machine can load it too."""

    path: str
    source: str


_registered: dict[str, Game[Any, Any]] = {}
_from_files: dict[str, tuple[Game[Any, Any], GameFile]] = {}
_loaded: dict[GameFile, Game[Any, Any]] = {}  # a file is executed once


@functools.cache
def installed() -> dict[str, Game[Any, Any]]:
    """The games of this package and of other packages."""
    games = {}
    for module in pkgutil.iter_modules(importlib.import_module("ludion.games").__path__):
        game = importlib.import_module(f"ludion.games.{module.name}").GAME
        games[game.name] = game
    for point in entry_points(group=ENTRY_POINTS):
        game = point.load()
        games.setdefault(game.name, game)
    return games


def games() -> dict[str, Game[Any, Any]]:
    """All games by name."""
    return {**installed(), **{name: game for name, (game, _) in _from_files.items()}, **_registered}


def register(game: Game[Any, Any]) -> None:
    """Register a game that was defined in this process; other processes do not know it."""
    if not isinstance(game, Game):
        raise GameFileError(message("errors.not_a_description", type=type(game).__name__))
    _registered[game.name] = game


def find(name: str | Path) -> Game[Any, Any]:
    """The game of this name; a path that ends in .py is loaded as a game file."""
    if isinstance(name, (str, Path)) and str(name).endswith(".py"):
        return load_game_file(name)
    known = games()
    if not isinstance(name, str) or name not in known:
        raise unknown("errors.game", name, sorted(known))
    return known[name]


def files_of(game: str) -> tuple[GameFile, ...]:
    """The file that defines this game, if it was loaded from one."""
    return (_from_files[game][1],) if game in _from_files else ()


def command_name(game: Game[Any, Any]) -> str:
    """The argument that names a game on the command line: its file or its name."""
    return next((Path(file.path).name for file in files_of(game.name)), game.name)


def load_game_file(path: str | Path) -> Game[Any, Any]:
    """Load a user's game file, register its `GAME` and return it."""
    if not isinstance(path, (str, Path)):
        raise GameFileError(message("errors.not_a_path", type=type(path).__name__))
    try:
        path = Path(path).resolve()
    except (OSError, ValueError) as error:
        raise GameFileError(message("errors.bad_path", path=repr(path)[:60], reason=error)) from None
    try:
        file = GameFile(str(path), path.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError):
        raise GameFileError(message("errors.no_game_file", name=path.name, folder=path.parent)) from None
    except UnicodeDecodeError:
        raise GameFileError(message("errors.not_python", name=path.name)) from None
    except OSError as error:
        reason = error.strerror or error
        raise GameFileError(message("errors.bad_path", path=repr(str(path))[:60], reason=reason)) from None
    if file not in _loaded:
        _loaded[file] = _execute(path, file.source)
    game = _loaded[file]
    _from_files[game.name] = game, file
    return game


def load(file: GameFile) -> Game[Any, Any]:
    """Load a game file from its path or, on another machine, from a copy of its source."""
    if file in _loaded:
        _from_files[_loaded[file].name] = _loaded[file], file
        return _loaded[file]
    path = Path(file.path)
    try:
        here = path.read_text(encoding="utf-8") == file.source
    except (OSError, UnicodeDecodeError):
        here = False
    if not here:
        mark = hashlib.sha256(file.source.encode()).hexdigest()[:16]
        path = data_folder() / "game-files" / mark / path.name
        write_atomically(path, file.source.encode())
    return load_game_file(path)


def _execute(path: Path, source: str) -> Game[Any, Any]:
    """The GAME of a file."""
    name = path.stem
    if (
        name in sys.modules
    ):  # never replace a module: machine code is kept by its name, also that of an earlier version
        mark = hashlib.sha256(f"{path}\0{source}".encode()).hexdigest()[:12]
        name = f"{name}_{mark}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise GameFileError(message("errors.not_python", name=path.name))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))  # so that it can import from beside itself
    try:
        # From the source just read: Python's bytecode files cannot tell two versions of one second and size apart.
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    except Exception as error:
        del sys.modules[name]
        line = _line_of(error, path)
        if isinstance(error, LudionError):
            raise GameFileError(f"{path.name}{line}: {error}") from error
        raise GameFileError(
            message(
                "errors.game_file_failed",
                file=f"{path.name}{line}",
                error=type(error).__name__,
                text=error.msg if isinstance(error, SyntaxError) else error,
            )
        ) from error
    finally:
        sys.path.remove(str(path.parent))
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise GameFileError(message("errors.no_description", name=path.name))
    return game


def _line_of(error: BaseException, path: Path) -> str:
    """`:N` of the file in which the error arose."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f":{error.lineno}"
    numbers = []
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            numbers.append(trace.tb_lineno)
        trace = trace.tb_next
    return f":{numbers[-1]}" if numbers else ""
