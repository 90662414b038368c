"""The card of a game: what it is, in data, so that generic code need not know it.

Each game has one `GAME` card in its folder's `__init__.py` (or in a user's game file). What needs compiled code is
named by a dotted path, `"package.module:name"`, and imported only when used, so that listing the games is instant;
a user's file may also put the function itself.
"""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PUZZLE, DUEL, QUEST = "puzzle", "duel", "quest"

Reference = Any  # a value, or "module:name" of one


def resolve(reference: Reference) -> Any:
    """The value that a reference names."""
    if isinstance(reference, str):
        module, _, name = reference.partition(":")
        found = importlib.import_module(module)
        return getattr(found, name) if name else found
    return reference


@dataclass(frozen=True)
class Option:
    """A setting of a game that changes its rules or its goal: `--goal`, `--metric`."""

    name: str
    help: str
    default: str | None = None
    choices: tuple[str, ...] = ()
    flag: bool = False  # given or not, without a value


@dataclass(frozen=True)
class Guide:
    """A heuristic (puzzles) or an evaluation (duels): how to make its value, and what is known of it."""

    make: Reference  # make(game, **options) -> heuristic or evaluation value
    help: str
    admissible: bool = False  # a heuristic that never overestimates


@dataclass(frozen=True)
class Level:
    """A named position with its source and what is known of it."""

    name: str
    position: str
    source: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Any] = field(default_factory=dict)  # e.g. {"moves": 8, "steps": 16}


@dataclass(frozen=True)
class Card:
    """Everything that generic code knows of a game."""

    name: str
    kind: str
    title: str
    summary: str
    # Notation: read(text, **options) -> (game, position); write(game, position) -> text;
    # read_move(game, position, text) -> move; write_move(game, position, move) -> text.
    read: Reference
    write: Reference
    read_move: Reference = None
    write_move: Reference = None
    # Drawing: text(game, position) -> str; svg(game, position) -> str.
    text: Reference = None
    svg: Reference = None
    start: str = ""  # the position to begin with
    options: tuple[Option, ...] = ()
    counting: Mapping[str, str] = field(default_factory=dict)  # options that perft sets unless told otherwise
    guides: Mapping[str, Guide] = field(default_factory=dict)  # heuristics or evaluations by name
    guide: str = ""  # the one to use when none is named
    best: str | Reference = (
        ""  # the name of the general engine that serves best, or a solver of the game's own
    )
    engines: Mapping[str, Reference] = field(default_factory=dict)  # engines of the game's own, by name
    settings: tuple[Option, ...] = ()  # of these engines, for the command line
    without: tuple[str, ...] = ()  # general engines of its kind that do not fit
    # Quests: agents by name. `make(game, **settings) -> agent` gets those settings it has parameters for: seed,
    # view, budget (seconds a decision), argument (FILE in `--agent prolog:FILE`), and those of `--set NAME=VALUE`.
    agents: Mapping[str, Guide] = field(default_factory=dict)
    referee: Reference = None  # quests: referee(world, agent, steps=, patience=) -> Record, if not quest.run
    report: Reference = None  # quests: report(record) -> what else to tell of a run, plain values by name
    remote: Reference = None  # quests: remote(server, group=, password=) -> worlds played over a network
    generate: Reference = None  # generate(seed, **options) -> position; its keywords become --options
    final: Reference = (
        None  # duels: final(game, position) -> Score of a finished game, if it counts its own way
    )
    analyse: Reference = None  # analyse(position, **settings) -> MoveScores, if the game has a better way
    study: Reference = None  # study(game, position, **settings) -> dict: what else is known of a position
    animate: Reference = None  # animate(game, position, moves) -> SVG of a solution that moves
    batch: Reference = (
        None  # batch(texts, options, jobs, budget) -> iterator of (text, Answer or LudionError)
    )
    explain: Reference = None  # explain(game, position) -> one line why there is no answer, or None
    levels: Reference = ()  # a folder of TOML files, or Level values
    example: str = ""  # a position for the guided tour
    facts: tuple[str, ...] = ()  # where the rules and figures come from

    def all_levels(self) -> list[Level]:
        """The shipped levels, in order."""
        found = resolve(self.levels)
        return read_levels(found) if isinstance(found, Path) else list(found)


def read_levels(folder: Path) -> list[Level]:
    """The levels of all TOML files of a folder, in the order of the files and in them."""
    levels = []
    for file in sorted(folder.glob("*.toml")):
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        for entry in content["level"]:
            levels.append(
                Level(
                    entry["name"],
                    entry["position"],
                    entry.get("source", content.get("source", "")),
                    {**content.get("options", {}), **entry.get("options", {})},
                    entry.get("known", {}),
                )
            )
    return levels
