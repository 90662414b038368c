"""`ludion play`: play in the terminal, with undo, hints, and an opponent or a world."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ludion import api, registry
from ludion.answers import Answer
from ludion.cli._options import EngineCommand, game_file_option, rule_options, whole_text
from ludion.cli._output import announce_compiling
from ludion.engines.budget import Budget
from ludion.errors import LudionError, UnfitError
from ludion.kinds.games import Duel, Game, Quest
from ludion.kinds.settings import Setting
from ludion.messages import labelled, message, named
from ludion.positions import Position
from ludion.positions import position as read_position

if TYPE_CHECKING:
    from ludion.kinds.players import Player

Words = tuple[str, ...]  # any of which may stand in a place of a move

# What can be typed besides moves, in both languages.
WORDS = {
    "help": ("help", "aide", "?"),
    "moves": ("moves", "coups"),
    "hint": ("hint", "indice"),
    "why": ("why", "pourquoi"),
    "solve": ("solve", "solution"),
    "undo": ("undo", "annuler"),
    "redo": ("redo", "refaire"),
    "text": ("text", "texte"),
    "restart": ("restart", "recommencer"),
    "quit": ("quit", "exit", "q", "quitter"),
}


class PlayCommand(EngineCommand):
    """A game command with the settings of opponents, or of the agents that give hints."""

    def settings_of(self, game: Game[Any, Any]) -> Iterable[tuple[str, Setting]]:
        yield from super().settings_of(game)
        if isinstance(game, Quest):
            for name, maker in game.agents.items():
                yield from ((name, setting) for setting in maker.settings)


class GameInProgress:
    """A game in progress: positions with a past and a future."""

    def __init__(
        self,
        position: Position,
        start: str,
        options: dict[str, str],
        settings: dict[str, Any],
        seconds: float,
    ) -> None:
        self.past = [position]
        self.future: list[Position] = []
        self.start, self.options, self.settings, self.seconds = start, options, settings, seconds
        self.opponent_name = ""
        self.opponent: Player | None = None
        self.agent = "best"  # who gives hints in a quest
        self.hinted = ""  # the position of the last hint
        self.hint = self.reason = ""  # a move, and why
        self.person_moved = False  # who made the last move
        self.helped = False  # by a hint or a solution: such a game is no record

    @property
    def now(self) -> Position:
        return self.past[-1]

    def play(self, move: str | int) -> None:
        self.past.append(self.now.play(move))
        self.future.clear()

    def back(self, steps: int) -> None:
        for _ in range(min(steps, len(self.past) - 1)):
            self.future.append(self.past.pop())

    def forward(self, steps: int) -> None:
        for _ in range(min(steps, len(self.future))):
            self.past.append(self.future.pop())

    def ask(self) -> Answer:
        return api.solve(self.now, seconds=self.seconds)


@click.command(cls=PlayCommand)
@click.argument("game")
@click.argument("position", default="")
@game_file_option
@click.option(
    "--opponent",
    metavar="E",
    help="The opponent (duels; default best): an engine, ENGINE:attack=2, random, python:FILE.py.",
)
@click.option("--alone", is_flag=True, help="Duels: play both sides yourself.")
@click.option("--second", is_flag=True, help="Duels: let the opponent begin.")
@click.option(
    "--agent", metavar="A", default="best", help="Quests: the agent that gives hints (default best)."
)
@click.option(
    "--time", "seconds", type=float, default=1.0, show_default=True, help="Seconds per move of an engine."
)
def command(
    game: str,
    position: str,
    opponent: str | None,
    alone: bool,
    second: bool,
    agent: str,
    seconds: float,
    **given: Any,
) -> None:
    """Play in the terminal (`help` lists what can be typed)."""
    description = registry.find(game)
    options = rule_options(description, given)
    settings = {name: value for name, value in given.items() if value is not None and name not in options}
    text = position or description.first_position()
    start = read_position(description, whole_text(description, text), **options)
    table = GameInProgress(start, text, options, settings, seconds)
    table.agent = agent
    if isinstance(description, Quest):
        api.agent_question(
            start, agent, **settings
        )  # say what is wrong with a name before anything is played
    elif isinstance(description, Duel) and not alone:
        from ludion.arena.players import make_player

        pairs = ",".join(f"{name}={value}" for name, value in settings.items())
        table.opponent_name = opponent or "best"
        table.opponent = make_player(
            description, f"{table.opponent_name}:{pairs}" if pairs else table.opponent_name
        )
    announce_compiling()
    click.echo(table.now.with_goal())
    try:
        if table.opponent is not None and second:
            reply(table)
        elif table.opponent is not None:
            click.echo(
                message("play.you_begin", opponent=named("engine", table.opponent_name.partition(":")[0]))
            )
        example = next(iter(table.now.moves()), "")
        click.echo(message("play.type_a_move", move=example) if example else message("play.help_lists"))
        converse(table)
    finally:
        if table.opponent is not None:
            table.opponent.close()


def converse(table: GameInProgress) -> None:
    """Read lines and carry them out, until the player quits."""
    while True:
        try:
            line = click.prompt(prompt_of(table), default="", show_default=False, prompt_suffix=" > ").strip()
        except (click.Abort, EOFError):
            click.echo()
            return
        word = meaning(line)
        if word == "quit":
            return
        try:
            if line:
                obey(table, word, line)
        except LudionError as error:
            click.echo(str(error))


def prompt_of(table: GameInProgress) -> str:
    number = len(table.past) - 1
    return f"{number}" if table.now.is_open else f"{number} ({named('status', table.now.status)})"


def meaning(line: str) -> str:
    """The command that a line begins with, by its English name; nothing for a move."""
    first = line.split()[0].lower() if line else ""
    return next((name for name, words in WORDS.items() if first in words and len(line.split()) == 1), "")


def obey(table: GameInProgress, word: str, line: str) -> None:
    """Carry out one line of input."""
    step = 2 if table.opponent is not None else 1
    if word == "help":
        click.echo(message("play.help_quest" if isinstance(table.now.game, Quest) else "play.help"))
    elif word == "moves":
        status = named("status", table.now.status)
        click.echo(list_moves(table.now) or message("play.no_moves", status=status))
    elif word == "text":
        click.echo(table.now.text)
    elif word in ("hint", "why"):
        table.helped = True
        hint(table, word == "why")
    elif word == "solve" and not isinstance(table.now.game, Quest):
        answer = table.ask()
        table.helped = True
        click.echo(" ".join(answer.line) or answer.reason or named("status", answer.status))
    elif word in ("undo", "redo", "restart"):
        if word == "redo":
            table.forward(step)
        else:
            table.back(len(table.past) if word == "restart" else step)
            table.helped = table.helped or isinstance(
                table.now.game, Quest
            )  # something hidden may have been seen
        click.echo(table.now.with_goal())
    else:
        table.play(line)
        table.person_moved = True
        click.echo(table.now.with_goal())
        if not table.now.is_open:
            click.echo(f"{after_moves(table)}{record(table)}")
        elif table.opponent is not None:
            reply(table)


def list_moves(here: Position) -> str:
    """The legal moves; those of several words, numbers among them, in short."""
    moves = here.moves()
    if all(" " in move and any(map(str.isdecimal, move.split())) for move in moves):
        return "\n".join(in_ranges(moves))
    return (", " if any(" " in move for move in moves) else " ").join(moves)


def in_ranges(moves: Iterable[str]) -> list[str]:
    """Moves that differ in a single word as one: `discover 0-2 0-8`, `guess 4 7 T/S/C`."""
    groups: list[tuple[Words, ...]] = [tuple((word,) for word in move.split()) for move in moves]
    for place in reversed(range(max(map(len, groups), default=0))):
        alike: dict[tuple[tuple[Words, ...], tuple[Words, ...]], Words] = {}
        for group in groups:
            others = group[:place], group[place + 1 :]
            alike[others] = alike.get(others, ()) + (group[place] if place < len(group) else ())
        groups = [(*before, words, *after) if words else before for (before, after), words in alike.items()]
    return [" ".join(map(_any_of, group)) for group in groups]


def _any_of(words: Words) -> str:
    """`0-3,5` for numbers; other words with slashes."""
    if not all(map(str.isdecimal, words)):
        return "/".join(words)
    numbers = sorted(map(int, words))
    runs = itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    ends = [(run[0][1], run[-1][1]) for run in (list(pairs) for _, pairs in runs)]
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ends)


def hint(table: GameInProgress, why: bool) -> None:
    """The best move; with `why`, or when asked again at the same position, also the reason."""
    again = table.hinted == repr(table.now)
    if not again:
        table.hint, table.reason = advice(table)
        table.hinted = repr(table.now)
    click.echo(table.reason if why or again else table.hint)


def advice(table: GameInProgress) -> tuple[str, str]:
    """The best move, or what the agent would do in a quest; and the same with the reason."""
    here = table.now
    if not isinstance(here.game, Quest):
        explanation = api.explain(here, seconds=table.seconds)
        return explanation.move, labelled(explanation.move, explanation.why)
    if not here.is_open:
        raise UnfitError(message("play.no_moves", status=named("status", here.status)))
    decision = api.decide(here, table.agent, **table.settings)
    spoken = decision.thought["spoken"]
    action = decision.name if spoken == decision.name else f"{decision.name} ({spoken})"
    return decision.name, message("play.advice", action=action, why=str(decision))


def reply(table: GameInProgress) -> None:
    """Let the opponent move."""
    assert table.opponent is not None
    choice = table.opponent.choose(table.now, Budget(seconds=table.seconds), len(table.past))
    move = table.now.write_move(choice.move)
    engine = table.opponent_name.partition(":")[0]
    click.echo(message("play.opponent_plays", opponent=named("engine", engine), move=move))
    table.play(choice.move)
    table.person_moved = False
    click.echo(table.now.with_goal())
    if not table.now.is_open:
        click.echo(after_moves(table))


def after_moves(table: GameInProgress) -> str:
    """How the game ended, and after how many moves."""
    return message("play.after_moves", n=len(table.past) - 1, ending=ending(table))


def ending(table: GameInProgress) -> str:
    """How the game ended, for the person at the keyboard."""
    state = table.now.status
    if isinstance(table.now.game, Quest):
        return message("play.you_win" if state == "won" else "play.you_lose")
    if table.opponent is None or state not in ("won", "lost"):
        if state in ("won", "lost"):
            return message(f"play.mover_has_{state}")
        return named("status", state)
    return message("play.you_win" if (state == "lost") == table.person_moved else "play.you_lose")


def record(table: GameInProgress) -> str:
    """Save the result of a level that was solved without help, and say whether it is the best so far."""
    if table.now.status != "solved" or table.helped or not table.start.startswith("level:"):
        return ""
    from ludion.records.players import TERMINAL, PlayerRecords, instance

    records = PlayerRecords()
    played = instance(table.start, table.options.items())
    new = records.achieved(TERMINAL, table.now.game.name, played, len(table.past) - 1)
    best = records.best(TERMINAL, table.now.game.name, played)
    records.close()
    return message("play.your_best") if new else message("play.your_best_is", best=best)
