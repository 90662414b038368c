"""Every parser of a text that users write, fed with spoilt texts: a result that reads back, or one line of ours.

python -m tests.fuzz.parsers 100000 [PARSER...]      # cases of each parser; prints what is wrong, and the slowest case
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import ludion
from ludion.errors import LudionError
from ludion.kinds.games import Game
from ludion.kinds.settings import read_pairs
from ludion.questions import from_json

LONGEST_SEED = 700  # characters; longer texts are cut down to some of their lines
PIECES = [
    "", " ", "\n", "\t", "/", ";", ":", ",", "-", "--", "=", "#", "_", ".", "0", "1", "9", "-1", "00", "9" * 30,
    "10000000000000000001", "1e9", "²", "٣", "é", "\x00", "\ufeff", "\u2028", "'", '"', "(", ")", "[", "]", "{}", "<",
    ">", "&", "%", "\\", "x", "o", "X", "level:", "level:1", "view ", "None", "True", "null", "3x3", "99x99", "=None",
    "?", "*", "+", "a1", "wQ",
]  # fmt: skip


class Parser(NamedTuple):
    """A parser by name, texts that it reads, and how it is tried: what is wrong with the result, or nothing."""

    name: str
    seeds: list[str]
    check: Callable[[str], str]


def spoilt(text: str, seeds: list[str], chance: random.Random) -> str:
    """The text with some mistakes."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        at = chance.randrange(len(text) + 1)
        size = chance.choice((0, 1, 1, 1, 2, 5, 20))
        kind = chance.randrange(7)
        if kind == 0:
            text = text[:at] + text[at + size :]
        elif kind == 1:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif kind == 2:
            text = text[:at] + chance.choice(PIECES) + text[at + size :]
        elif kind == 3:
            text = text[:at] + text[at : at + size] * chance.choice((2, 3, 40)) + text[at + size :]
        elif kind == 4:
            other = chance.choice(seeds)
            text = text[:at] + other[chance.randrange(len(other) + 1) :]
        elif kind == 5 and text:
            a, b = sorted((at % len(text), chance.randrange(len(text))))
            text = (
                text[:a] + text[b] + text[a + 1 : b] + (text[a] + text[b + 1 :] if a < b else text[b + 1 :])
            )
        else:
            text = (
                text[:at]
                + chr(chance.choice((chance.randrange(128), chance.randrange(0x3000))))
                + text[at + size :]
            )
    return text


def shortened(text: str) -> str:
    return (
        text
        if len(text) <= LONGEST_SEED
        else text[: text.rfind("\n", 0, LONGEST_SEED) + 1] or text[:LONGEST_SEED]
    )


def check_position(game: Game[Any, Any], text: str) -> str:
    """A position that was read is written, and read back as the same."""
    here = ludion.position(game, text)
    again = ludion.position(game, here.text, **here.options)
    return "" if again.text == here.text else f"is written {here.text!r}, then {again.text!r}"


def check_move(here: ludion.Position, text: str) -> str:
    """A move that was read is legal."""
    after = here.play(text)
    return "" if isinstance(after, ludion.Position) else "gives no position"


def check_question(read: Callable[[str], Any], write: Callable[[Any], str], text: str) -> str:
    """A question that was read is written, and read back as the same."""
    question = read(text)
    return "" if read(write(question)) == question else "is not read back"


def check_json(text: str) -> str:
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LudionError(error) from error  # no business of ours
    question = from_json(value)
    return "" if from_json(question.json()) == question else "is not read back"


def check_setting(setting: ludion.Setting, text: str) -> str:
    value = setting.read(text)
    return "" if setting.read(setting.write(value)) == value else "is not read back"


def check_pairs(text: str) -> str:
    pairs = read_pairs(text.splitlines())
    return "" if all(pairs) else "has no name"


def positions(game: Game[Any, Any]) -> list[str]:
    """Texts of positions: the start, the example, some levels, and what a random game writes."""
    chance = random.Random(1)
    levels = game.all_levels()
    texts = [game.start, game.example, *(level.position for level in levels[:: max(1, len(levels) // 12)])]
    texts += [f"level:{level.name}" for level in levels[:3]]
    here = ludion.position(game, game.start or f"level:{levels[0].name}")
    for _ in range(12):
        texts.append(here.text)
        codes = here.codes()
        if not codes:
            break
        here = here.play(chance.choice(codes))
    return [shortened(text) for text in dict.fromkeys(texts) if text]


def parsers() -> Iterator[Parser]:
    """All of them."""
    import json

    for game in ludion.games().values():
        yield Parser(f"{game.name} positions", positions(game), partial(check_position, game))
        start = ludion.position(game, game.start or f"level:{game.all_levels()[0].name}")
        names = start.moves()[:40] or ["0 0", "1 1 T", "up", "1"]
        yield Parser(f"{game.name} moves", names, partial(check_move, start))
    searches = [
        ludion.Search("taquin", "1 2 3/4 5 6/0 7 8", {"goal": "1 2 3/4 5 6/7 8 0"}, engine="a-star"),
        ludion.Search("tic-tac-toe", "", engine="negamax", budget=ludion.Budget(1.5, 1000, 10**6, 3)),
        ludion.Search("taquin", engine="weighted-a-star", settings={"weight": 2.0}),
    ]
    runs = [ludion.Run("delirium", "level:nearest", agent="layered", seed=3, steps=10, patience=1.5)]
    for kind, questions in ((ludion.Search, searches), (ludion.Run, runs)):
        for form in ("command", "python", "url"):
            write = getattr(kind, form)
            read = getattr(kind, f"from_{form}")
            yield Parser(
                f"{kind.name} as {form}",
                [write(question) for question in questions],
                partial(check_question, read, write),
            )
    yield Parser("questions as JSON", [json.dumps(each.json()) for each in [*searches, *runs]], check_json)
    for setting in (
        ludion.Setting("whole", "a whole number", 1, int, least=0, most=10**9),
        ludion.Setting("number", "a number", 1.5, float),
        ludion.Setting("choice", "yes or no", False, bool),
    ):
        yield Parser(
            f"settings: {setting.name}", ["1", "12.5", "yes", "-3", "1e3"], partial(check_setting, setting)
        )
    yield Parser("NAME=VALUE", ["weight=2", "no-guess=yes\na=b"], check_pairs)


class Fuzzed(NamedTuple):
    """What came of many cases."""

    wrong: list[str]
    accepted: int
    slowest: float  # seconds of the processor
    slowest_text: str


def fuzz(parser: Parser, cases: int, seed: int = 0) -> Fuzzed:
    """Try so many spoilt texts."""
    chance = random.Random(f"{parser.name} {seed}")
    wrong: list[str] = []
    accepted, slowest, slowest_text = 0, 0.0, ""
    for case in range(cases):
        text = chance.choice(parser.seeds)
        if case >= len(parser.seeds):
            text = spoilt(text, parser.seeds, chance)
        begin = time.process_time()
        try:
            problem = parser.check(text)
            accepted += not problem
        except LudionError as error:
            problem = "" if str(error).strip() and "\n" not in str(error) else f"complains in {str(error)!r}"
        except Exception as error:
            problem = f"raises {type(error).__name__}: {error}"
        if problem:
            wrong.append(f"{text!r} {problem}"[:400])
        taken = time.process_time() - begin
        if taken > slowest:
            slowest, slowest_text = taken, text
    return Fuzzed(wrong, accepted, slowest, slowest_text)


def main() -> None:
    cases, *names = sys.argv[1:]
    for parser in parsers():
        if names and parser.name not in names:
            continue
        begin = time.perf_counter()
        result = fuzz(parser, int(cases))
        seconds = time.perf_counter() - begin
        print(
            f"{parser.name}: {len(result.wrong)} wrong of {cases}, {result.accepted} accepted, {seconds:.0f} s, "
            f"slowest {result.slowest:.2f} s {result.slowest_text[:80]!r}",
            flush=True,
        )
        for line in result.wrong[:8]:
            print("   ", line, flush=True)


if __name__ == "__main__":
    main()
