"""`ludion delirium-replay`: carry out actions in a mine and print every frame."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ludion.kinds.games import Tools

LONGEST_NAME = 1000  # of a file
INPUT = "-"  # stands for standard input


def replay() -> click.Command:
    """The command."""
    return command


@click.command("delirium-replay")
@click.argument("mine", metavar="MAP")
@click.argument("actions")
@click.option(
    "--option",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the rules: cave=B, rules=boulder-dash, seed=3, ...",
)
@click.option("--json", "as_json", is_flag=True, help="One object with all frames.")
@click.pass_obj
def command(tools: Tools, mine: str, actions: str, pairs: tuple[str, ...], as_json: bool) -> int:
    """Carry out actions in a mine and print every frame.

    MAP is level:NAME, a file, - or the text of a map. ACTIONS are `.` wait, `r u l d` move, `R U L D` dig (fire and
    a direction); `r12` is twelve times `r`. Frames are in the letters of BDCFF: capital `D` and `R` fall, `*` is a
    blast. The JSON object has the fields of recorded frames: map, need, actions, frames (rows joined by `/`),
    gathered and exited.
    """
    from ludion.games.delirium.actions import LETTERS, read_actions
    from ludion.games.delirium.drawing import frame_rows, status
    from ludion.games.delirium.game import GAME
    from ludion.games.delirium.world import act
    from ludion.kinds.quest import RUNNING, outcome

    options = dict(pair.partition("=")[::2] for pair in pairs)
    _, world, _ = GAME.begin(text_of(mine), options)
    steps = read_actions(actions)
    start = frame_rows(world.state)
    frames: list[str] = []
    gathered: list[int] = []
    if not as_json:
        click.echo("\n".join([*start, status(world)]))
    for step in steps:
        if outcome(world) != RUNNING:
            break
        act(world, step)
        rows = frame_rows(world.state)
        frames.append("/".join(rows))
        gathered.append(world.diamonds)
        if not as_json:
            click.echo("\n".join(["", LETTERS[step], *rows, status(world)]))
    if as_json:
        tools.show_json(
            {
                "map": start,
                "need": world.mine.need,
                "rules": world.mine.rules,
                "actions": "".join(LETTERS[step] for step in steps[: len(frames)]),
                "frames": frames,
                "gathered": gathered,
                "exited": world.fate == "won",
                "fate": world.fate,
                "ticks": world.ticks,
                "unused_actions": len(steps) - len(frames),
            }
        )
    return 0


def text_of(mine: str) -> str:
    """The text of the map: what a file or standard input holds, or the word itself."""
    if mine == INPUT:
        return sys.stdin.read()
    if len(mine) < LONGEST_NAME and "\n" not in mine and Path(mine).is_file():
        return Path(mine).read_text(encoding="utf-8", errors="replace")
    return mine
