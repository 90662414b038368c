"""The process in which a user's Python player runs: `python -m ludion.arena.guest FILE`.

One question a line comes in (JSON: game, position, options, seconds), one answer a line goes out (`move`, or
`error`). What the player prints goes nowhere, so it cannot disturb the answers.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from typing import Any


def main() -> None:
    """Answer until there are no more questions."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)

    def say(**said: Any) -> None:
        answers.write(json.dumps(said) + "\n")
        answers.flush()

    try:
        choose = load(sys.argv[1])
        from ludion import api  # before the first question, so that its time is the player's own
    except BaseException as error:
        say(error=f"{type(error).__name__}: {error}")
        return
    say(ready=True)
    for line in sys.stdin:
        question = json.loads(line)
        try:
            position = api.position(question["game"], question["position"], **question["options"])
            move = choose(position, question["seconds"])
            say(move=move if isinstance(move, str) else int(move))
        except Exception as error:
            say(error=f"{type(error).__name__}: {error}"[:300])


def load(file: str) -> Any:
    """The function `choose` of the file."""
    spec = importlib.util.spec_from_file_location("guest_player", file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    spec.loader.exec_module(module)
    return module.choose


if __name__ == "__main__":
    main()
