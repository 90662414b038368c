"""Write log.txt: mines, what the miner does, and every frame. Run after a wanted change of the rules, and
read it.

python -m tests.games.delirium.make_log
"""

from __future__ import annotations

from pathlib import Path

from ludion.games.delirium.actions import LETTERS, read_actions
from ludion.games.delirium.drawing import text
from ludion.games.delirium.world import act, read
from tests.games.delirium.test_physics import cave

SCENES = {
    "a stone falls in waves": (cave(" r   ", " r   ", "P.   ", " .   ", "     ", "X...."), "r2d.6"),
    "rolling off both sides": (cave("P  d  ", "...r..", "...w..", "  ... ", "      ", "X....."), ".9"),
    "a row is pushed": (cave("P rr    ", "....  ..", "......X."), "r4.3"),
    "two monsters go round": (cave("P....   ", "..... O ", ".   .   ", ". B ....", ".   ...X"), ".9"),
    "a monster is crushed": (
        cave("P...r....", ".........", "....    w", "..... B w", ".......ww", "X........"),
        "drd.20",
    ),
    "running under a stone": (cave("..r....", "P......", ".. ....", ".......", "......X"), "r2d3r.4"),
    "magic": (cave("P r r ", ".    .", "wMMMMw", ".    .", "......", "X....."), ".9"),
    "boulder dash": (cave("P.r.d.", "..r. .", ".. Q .", "..   .", "X....B", engine="BD1"), "rdr.9"),
}


def written() -> str:
    parts = ["A log of our own making; see make_log.py."]
    for name, (cave_text, actions) in SCENES.items():
        _, world = read(cave_text)
        parts.append(f"=== {name}\n{cave_text}")
        for action in read_actions(actions):
            act(world, action)
            parts.append(f"--- {LETTERS[action]}\n{text(world.briefing, world)}")
            if world.fate != "running":
                break
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    (Path(__file__).parent / "log.txt").write_text(written(), encoding="utf-8")
