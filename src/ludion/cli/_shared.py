"""What several commands share: naming a game and a position, budgets, progress, and printing."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ludion.batch.records import as_object as as_object
from ludion.engines import ENGINES
from ludion.errors import LudionError, UnfitError
from ludion.kinds.card import QUEST, Card


class GameCommand(click.Command):
    """A command whose first argument is a game: a name, or a path to a game file (`mine.py`).

    The options of the game (such as `--goal`) and of its engines become options of the command.
    """

    engine_options = False

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        card = self._find_card(arguments)
        if card is not None:
            self.params = [each for each in self.params if not getattr(each, "of_game", False)]
            taken = {name for each in self.params for name in each.opts}
            for option in card.options:
                self._offer(option.name, option.help, option.choices, taken)
            if self.engine_options:
                for setting in card.settings:
                    self._offer(setting.name, setting.help, setting.choices, taken, setting.flag)
                for name in sorted(
                    {name for e in ENGINES.values() if e.kind == card.kind for name in e.options}
                ):
                    self._offer(name, f"Setting of the engine that has it: {name}.", (), taken)
        return super().parse_args(context, arguments)

    def _offer(
        self, name: str, text: str, choices: tuple[str, ...], taken: set[str], bare: bool = False
    ) -> None:
        flag = f"--{name.replace('_', '-')}"
        if flag not in taken:
            taken.add(flag)
            kind = click.Choice(choices) if choices else click.STRING
            made = click.Option(
                [flag, name], help=text, **({"is_flag": True, "default": None} if bare else {"type": kind})
            )
            made.of_game = True  # type: ignore[attr-defined]
            self.params.append(made)

    def _find_card(self, arguments: list[str]) -> Card | None:
        from ludion import registry

        words = iter(arguments)
        named: Card | None = None
        for word in words:
            if word == "--game-file":
                named = registry.load_game_file(next(words, ""))
            elif word.startswith("--game-file="):
                named = registry.load_game_file(word.partition("=")[2])
            elif not word.startswith("-"):
                return find_game(word) if word.endswith(".py") or word in registry.games() else named
        return named


class EngineCommand(GameCommand):
    """A game command that runs an engine."""

    engine_options = True


def game_file_option(function: Any) -> Any:
    return click.option(
        "--game-file", multiple=True, metavar="F", help="A Python file with a game of your own."
    )(function)


def find_game(name: str) -> Card:
    """The card of a game, by name or by the path of its file."""
    from ludion import registry

    return registry.load_game_file(name) if name.endswith(".py") else registry.card(name)


def budget_options(function: Any) -> Any:
    """`--time`, `--nodes`, `--depth` and `--memory`."""
    for option in (
        click.option(
            "--memory", type=float, metavar="MB", help="Megabytes of tables, at most (default 2048)."
        ),
        click.option("--nodes", type=int, metavar="N", help="Positions, at most."),
        click.option("--time", "seconds", type=float, metavar="S", help="Seconds, at most."),
        click.option("--depth", type=int, metavar="D", help="Plies to look ahead (duels)."),
    ):
        function = option(function)
    return function


def batch_options(function: Any) -> Any:
    """`--jobs`, `--cluster` and `--out`, for many pieces of work."""
    for option in (
        click.option(
            "--out", metavar="FILE", help="Keep results as JSON lines; a stopped run goes on with them."
        ),
        click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler to work on: tcp://HOST:PORT."),
        click.option(
            "--jobs", type=click.IntRange(1), default=1, show_default=True, help="How many at a time."
        ),
    ):
        function = option(function)
    return function


def make_budget(seconds: float | None, nodes: int | None, depth: int | None, memory: float | None) -> Any:
    from ludion.engines.limits import Budget, BudgetError

    if memory is not None and not memory > 0:
        raise BudgetError(f"the budget's memory must be positive, not {memory}")
    more: dict[str, Any] = {} if memory is None else {"memory": max(1, int(memory * 1_000_000))}
    return Budget(seconds=seconds, nodes=nodes, depth=depth, **more)


def split_options(card: Card, given: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """The options that were given, as those of the game and those of the engine."""
    of_game = {option.name for option in card.options}
    chosen = {name: value for name, value in given.items() if value is not None}
    game = {name: value for name, value in chosen.items() if name in of_game}
    return game, {name: number(value) for name, value in chosen.items() if name not in of_game}


def number(text: Any) -> Any:
    """The text as an int or a float if it is one, as a truth value if it says yes or no."""
    if not isinstance(text, str):
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"yes": True, "true": True, "no": False, "false": False}.get(text.lower(), text)


def settings_of(pairs: tuple[str, ...]) -> dict[str, Any]:
    """`NAME=VALUE` pairs as a mapping."""
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise LudionError(f"setting '{pair}' is not of the form NAME=VALUE")
        found[name.replace("-", "_")] = number(value)
    return found


def read_positions(words: tuple[str, ...], file: str | None) -> Iterator[tuple[int, str]]:
    """The positions that are named, numbered from 1: the words, `-` for standard input, or the lines of a file."""
    if file is not None:
        if words:
            raise LudionError("give positions or --file, not both")
        lines = sys.stdin if file == "-" else Path(file).open(encoding="utf-8", errors="replace")  # noqa: SIM115
    elif words == ("-",):
        lines = sys.stdin
    else:
        yield from enumerate(words or ("",), 1)
        return
    with lines:
        for index, line in enumerate(lines, 1):
            if line.strip() and not line.lstrip().startswith("#"):
                yield index, line.strip()


def whole_text(card: Card, word: str) -> str:
    """The text of one position: quests keep theirs in files, `-` is standard input."""
    if word == "-":
        return sys.stdin.read()
    if card.kind == QUEST and word and len(word) < 1000 and "\n" not in word and Path(word).is_file():
        return Path(word).read_text(encoding="utf-8", errors="replace")
    return word


def save(file: str, text: str) -> None:
    """Write a text to a file that the user named."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise LudionError(f"cannot write {file}: {error.strerror}") from None


def announce() -> None:
    """Say on stderr when something has to be compiled, once."""
    from ludion.core.verbs import announce_compilation

    def tell(kernel: str) -> None:
        announce_compilation(None)
        click.echo("compiling once (some seconds; later runs start at once) ...", err=True)

    announce_compilation(tell)


def progress_observer() -> Any:
    """An observer that shows a running search on stderr, if that is a terminal."""
    from ludion.engines.limits import Observer

    class Shown(Observer):
        def __init__(self) -> None:
            super().__init__()
            self.status: Any = None

        def progress(self, progress: Any) -> None:
            if progress.seconds < 0.5 or not sys.stderr.isatty():
                return
            if self.status is None:
                from rich.console import Console

                self.status = Console(stderr=True).status("")
                self.status.start()
            self.status.update(in_words(progress))

        def close(self) -> None:
            if self.status is not None:
                self.status.stop()
                self.status = None

    return Shown()


def in_words(progress: Any) -> str:
    """A look at a running search in words."""
    rate = progress.nodes / progress.seconds if progress.seconds else 0
    words = [
        f"{progress.seconds:.0f} s",
        f"{progress.nodes:,} nodes",
        f"{rate / 1e6:.2f} M nodes/s",
        f"depth {progress.depth}",
    ]
    if progress.frontier:
        words.append(f"frontier {progress.frontier:,}")
    if progress.best is not None:
        words.append(f"best {progress.best}")
    return ", ".join(words) + "  (Ctrl-C stops and keeps the best so far)"


def dump(value: Any) -> None:
    """One JSON object on a line."""
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def in_sentence(position: Any, answer: Any) -> str:
    """An answer for people."""
    lines = []
    if answer.status == "unsolvable":
        lines.append(f"unsolvable: {answer.reason}")
    elif not answer.found:
        lines.append(f"no answer within the limit ({answer.limit}): {answer.reason}")
    else:
        if answer.score is not None:
            lines.append(
                str(answer.score) + (" (proved)" if answer.score.exact else f" (at depth {answer.depth})")
            )
        else:
            count = f"{answer.length} moves" if answer.length != 1 else "1 move"
            lines.append(f"{count}, {'optimal' if answer.status == 'optimal' else 'not proved optimal'}")
            if answer.status != "optimal" and answer.bound:
                lines[-1] += f" (no solution is shorter than {answer.bound})"
        if answer.line:
            lines.append(" ".join(answer.line))
        if answer.reason:
            lines.append(answer.reason)
    rate = answer.nodes / answer.seconds / 1e6 if answer.seconds > 0.001 else 0
    cost = [f"{answer.nodes:,} nodes", f"{answer.seconds:.3f} s"]
    if rate:
        cost.append(f"{rate:.1f} M nodes/s")
    if answer.memory:
        cost.append(f"{answer.memory / 1e6:.1f} MB")
    who = answer.engine + (f" with {answer.guide}" if answer.guide else "")
    return "\n".join(
        [*lines, f"{who}: " + ", ".join(cost) + (f"; ended by {answer.limit}" if answer.limit else "")]
    )


def not_for_quests(card: Card, command: str) -> None:
    if card.kind == QUEST:
        raise UnfitError(
            f"{card.title} is a quest: an agent plays it (`ludion run {card.name}`); no `{command}`"
        )


def kept_results(
    work: Any, items: list[Any], *, jobs: int, cluster: str | None, out: str | None, by: str, **job: Any
) -> Iterator[tuple[Any, bool]]:
    """The results (JSON objects) of all items, and whether each is new; those that `out` holds already are not."""
    from ludion.batch import carry_out
    from ludion.batch.output import Lines

    if out is None:
        for result in carry_out(work, items, jobs=jobs, by=by, cluster=cluster):
            yield result, True
        return
    with Lines(out, {"items": len(items), "work": digest(items), **job}) as lines:
        yield from ((told, False) for told in lines.done)
        if lines.done:
            click.echo(f"{len(lines.done)} of {len(items)} are in {out} already", err=True)
        try:
            for result in carry_out(work, items[len(lines.done) :], jobs=jobs, by=by, cluster=cluster):
                lines.write(result)
                yield result, True
        except KeyboardInterrupt:
            lines.flush()
            click.echo(
                f"stopped; {len(lines.done) + lines.written} of {len(items)} are kept in {out}", err=True
            )
            raise


def digest(value: Any) -> str:
    """A short mark of a value, equal for equal values."""
    import hashlib

    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


class Progress:
    """How many pieces of work are done, on stderr, if that is a terminal and the results go elsewhere."""

    def __init__(self, wanted: bool = True, total: int | None = None, noun: str = "results") -> None:
        self.shown = wanted and sys.stderr.isatty()
        self.total, self.noun = total, noun
        self.begin = self.last = time.monotonic()
        self.first: int | None = None  # how many were there before this run

    def show(self, count: int) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = count - 1
        if not self.shown or now - self.last < 0.2:
            return
        self.last = now
        rate = (count - self.first) / (now - self.begin)
        words = (
            f"{count:,}"
            + (f" of {self.total:,}" if self.total else "")
            + f" {self.noun}, {rate:,.1f} a second"
        )
        if self.total and rate:
            words += f", {(self.total - count) / rate:,.0f} s to go"
        click.echo(f"\r{words}\x1b[K", nl=False, err=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self.shown and self.last != self.begin:
            click.echo("\r\x1b[K", nl=False, err=True)
