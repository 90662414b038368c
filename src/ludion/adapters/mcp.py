"""The Model Context Protocol: assistants ask for a proof instead of guessing (`ludion mcp`, extra `mcp`).

Every tool takes and returns plain values: positions in the notation of their game (or `level:NAME`), answers as the
objects that `--json` prints. An error in a request is returned as one line.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from ludion import api, estimates, registry
from ludion.asking import BEST, engines_of
from ludion.batch.searches import answer_record
from ludion.errors import LudionError, SettingError
from ludion.kinds.games import Game, Quest, Searched
from ludion.messages import message
from ludion.positions import Position
from ludion.positions import position as read_position

MOST_SECONDS = 60.0  # of one search
INSTRUCTIONS = (
    "Exact answers for classical games. Positions are texts in the notation of each game; `games` lists the games with"
    " an example of it, `level:NAME` names a level. An answer whose status is `optimal` is proved."
)

Tool = TypeVar("Tool", bound=Callable[..., Any])
Fields = dict[str, Any]


def make_server() -> MCPServer[Any]:
    """A server with all tools."""
    server: MCPServer[Any] = MCPServer("ludion", instructions=INSTRUCTIONS)
    for tool in (games, levels, show, play, solve, analyse, explain, generate):
        server.tool()(_one_line_errors(tool))
    return server


def _one_line_errors(tool: Tool) -> Tool:
    @functools.wraps(tool)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return tool(*arguments, **named)
        except LudionError as error:
            raise ToolError(str(error)) from error

    return call  # type: ignore[return-value]


def games() -> list[Fields]:
    """The games: what each is about, its engines and heuristics, and an example of its notation."""
    return [
        {
            "name": game.name,
            "title": game.title,
            "kind": game.kind,
            "summary": game.summary,
            "start": game.start,
            "levels": len(list(game.all_levels())),
            "engines": engine_names(game),
            "guides": list(game.guides) if isinstance(game, Searched) else [],
        }
        for game in registry.installed().values()
    ]


def engine_names(game: Game[Any, Any]) -> list[str]:
    """The engines, or the agents of a quest."""
    if isinstance(game, Searched):
        return list(engines_of(game))
    return list(game.agents) if isinstance(game, Quest) else []


def levels(game: str) -> list[Fields]:
    """The levels of a game: ask about one as the position `level:NAME`."""
    return [
        {"name": level.name, "source": level.source, **level.known}
        for level in registry.find(game).all_levels()
    ]


def show(game: str, position: str = "", options: dict[str, str] | None = None) -> Fields:
    """A position: the board as text, whose turn or how it ended, and the legal moves."""
    return _state(_read(game, position, options))


def play(game: str, position: str, moves: list[str], options: dict[str, str] | None = None) -> Fields:
    """The position after some moves, given in the notation that `show` lists."""
    return _state(_read(game, position, options).play(*moves))


def solve(
    game: str,
    position: str = "",
    engine: str = BEST,
    heuristic: str = "",
    evaluation: str = "",
    seconds: float = 10.0,
    options: dict[str, str] | None = None,
) -> Fields:
    """The solution of a puzzle, the value and best line of a duel, the next action of an agent."""
    here = _read(game, position, options)
    if isinstance(here.game, Quest):
        decision = api.decide(here, engine)
        return {**_named(here), "moves": [decision.name], "reason": str(decision)}
    limit = _at_most(seconds)
    answer = api.solve(here, engine, heuristic=heuristic, evaluation=evaluation, seconds=limit)
    return {**answer_record(here.game.name, here.text, here.options, answer), "result": answer.result()}


def analyse(
    game: str,
    position: str = "",
    engine: str = BEST,
    seconds: float = 10.0,
    options: dict[str, str] | None = None,
) -> Fields:
    """Every legal move with its value, best first."""
    here = _read(game, position, options)
    limits: Fields = {} if isinstance(here.game, Quest) else {"seconds": _at_most(seconds)}
    return {**_named(here), "moves": [each.json() for each in api.analyse(here, engine, **limits)]}


def explain(game: str, position: str = "", guide: str = "", options: dict[str, str] | None = None) -> Fields:
    """The value of a heuristic (puzzles) or evaluation (duels) with its parts."""
    here = _read(game, position, options)
    kind = estimates.GUIDES.get(here.game.kind, "")
    return {
        **_named(here),
        **estimates.estimate(here.game, here.rules, here.state, kind, guide).json(),
    }


def generate(game: str, seed: int = 0, settings: dict[str, Any] | None = None) -> Fields:
    """A new position; the same seed and settings give the same one."""
    return _state(api.generate(game, seed, **(settings or {})))


# ------------------------------------------------------------------ positions


def _read(game: str, position: str, options: dict[str, str] | None) -> Position:
    return read_position(registry.find(game), position, **(options or {}))


def _named(here: Position) -> Fields:
    return {"game": here.game.name, "position": here.text, "options": here.options}


def _state(here: Position) -> Fields:
    return {**_named(here), "board": str(here), "status": here.status, "moves": here.moves()}


def _at_most(seconds: float) -> float:
    if not 0 < seconds <= MOST_SECONDS:
        raise SettingError(message("errors.seconds_range", most=MOST_SECONDS, seconds=seconds))
    return seconds
