"""The process in which a user's Python player runs: `python -m ludion.arena.guest FILE`.

The first line that comes in names the `game` and has the user's game `files` (JSON, each with `path` and `source`);
each further one is a question (`position`, `options`, `seconds`). One answer per line goes out: `ready`, `move` or
`error`. Output of the player is dropped, so it cannot disturb the answers.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable
from typing import Any

Choose = Callable[..., str | int]  # choose(position, seconds) -> the move by name, or as the engines' int


def main() -> None:
    """Answer until there are no more questions."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def answer(**fields: Any) -> None:
        answers.write(json.dumps(fields) + "\n")
        answers.flush()

    try:
        from ludion import registry
        from ludion.errors import LudionError
        from ludion.kinds.quest import place
        from ludion.positions import position

        setup = json.loads(sys.stdin.readline())
        for file in setup["files"]:
            registry.load(registry.GameFile(**file))
        game = registry.find(setup["game"])
        with contextlib.suppress(LudionError):
            position(game).codes()  # load the rules before the first question: its time is the player's own
        choose = load(sys.argv[1])
    except BaseException as error:
        answer(error=f"{type(error).__name__}: {error}")
        return
    answer(ready=True)
    for line in sys.stdin:
        question = json.loads(line)
        try:
            here = position(game, question["position"], **question["options"])
            move = choose(here, question["seconds"])
            answer(move=move if isinstance(move, str) else int(move))
        except Exception as error:
            answer(error=f"{place(error)}{type(error).__name__}: {error}"[:300])


def load(file: str) -> Choose:
    """The function `choose` of the file."""
    spec = importlib.util.spec_from_file_location("guest_player", file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    spec.loader.exec_module(module)
    choose: Choose = module.choose
    return choose


if __name__ == "__main__":
    main()
