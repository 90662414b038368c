"""`ludion play`: play in the terminal, with undo, hints and an opponent."""

from __future__ import annotations

from typing import Any

import click

from ludion import api, registry
from ludion.answers import Answer
from ludion.cli._options import EngineCommand, game_file_option, rule_options, whole_text
from ludion.cli._output import announce_compiling
from ludion.errors import LudionError
from ludion.kinds.games import OPEN, Duel, Quest
from ludion.messages import message
from ludion.positions import Position
from ludion.positions import position as read_position

HELP = """\
a move      play it (moves lists them)
moves       list the legal moves
hint        the best move; hint again says what it is worth
solve       the whole solution, or the best line
undo, redo  take back, go forward (as often as you like)
text        the position in one line
restart, help, quit"""


class GameInProgress:
    """A game in progress: positions with a past and a future."""

    def __init__(
        self, position: Position, opponent: str | None, seconds: float, start: str, options: dict[str, str]
    ) -> None:
        self.past = [position]
        self.future: list[Position] = []
        self.opponent, self.seconds = opponent, seconds
        self.hinted = ""
        self.person_moved = False  # who made the last move
        self.start, self.options = start, options
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

    def ask(self, engine: str = "best") -> Answer:
        return api.solve(self.now, engine, seconds=self.seconds)


@click.command(cls=EngineCommand)
@click.argument("game")
@click.argument("position", default="")
@game_file_option
@click.option("--opponent", metavar="E", help="The engine that plays the other side (duels; default best).")
@click.option("--alone", is_flag=True, help="Duels: play both sides yourself.")
@click.option("--second", is_flag=True, help="Duels: let the opponent begin.")
@click.option(
    "--time", "seconds", type=float, default=1.0, show_default=True, help="Seconds an engine may think."
)
def command(
    game: str,
    position: str,
    opponent: str | None,
    alone: bool,
    second: bool,
    seconds: float,
    **given: Any,
) -> None:
    """Play a puzzle or a duel in the terminal (`help` lists the commands)."""
    description = registry.find(game)
    if isinstance(description, Quest):
        raise LudionError(message("cli.quest_not_played", game=description.title, name=description.name))
    options = rule_options(description, given)
    start = read_position(description, whole_text(description, position), **options)
    engine = None if alone or not isinstance(description, Duel) else opponent or "best"
    if engine:
        api.ask_about(start, engine).prepare(description)
    announce_compiling()
    table = GameInProgress(start, engine, seconds, position, options)
    click.echo(f"{table.now}\n(help lists the commands)")
    if engine and second:
        reply(table)
    while True:
        try:
            line = click.prompt(prompt_of(table), default="", show_default=False, prompt_suffix=" > ").strip()
        except (click.Abort, EOFError):
            click.echo()
            return
        if line in ("quit", "exit", "q"):
            return
        try:
            if line:
                obey(table, line)
        except LudionError as error:
            click.echo(str(error))


def prompt_of(table: GameInProgress) -> str:
    number = len(table.past) - 1
    state = table.now.status
    return f"{number}" if state == OPEN else f"{number} ({state})"


def obey(table: GameInProgress, line: str) -> None:
    """Carry out one line of input."""
    step = 2 if table.opponent else 1
    word = line.split()[0].lower()
    if word == "help":
        click.echo(HELP)
    elif word == "moves":
        click.echo(" ".join(table.now.moves()) or f"none: {table.now.status}")
    elif word == "text":
        click.echo(table.now.text)
    elif word == "hint":
        hint(table)
    elif word == "solve":
        answer = table.ask()
        table.helped = True
        click.echo(" ".join(answer.line) or answer.reason or answer.status)
    elif word in ("undo", "redo", "restart"):
        if word == "redo":
            table.forward(step)
        else:
            table.back(len(table.past) if word == "restart" else step)
        click.echo(str(table.now))
    else:
        table.play(line)
        table.person_moved = True
        click.echo(str(table.now))
        if table.now.status != OPEN:
            click.echo(f"after {len(table.past) - 1} moves: {ending(table)}{record(table)}")
        elif table.opponent:
            reply(table)


def hint(table: GameInProgress) -> None:
    """The best move; asked again at the same position, what it is worth."""
    answer = table.ask()
    table.helped = True
    if not answer.line:
        click.echo(answer.reason or answer.status)
        return
    said = answer.line[0]
    if table.hinted == table.now.text:
        worth = str(answer.score) if answer.score is not None else f"{answer.length} moves to the goal"
        click.echo(f"{said}: {worth}; then {' '.join(answer.line[1:6]) or 'it is done'}")
    else:
        click.echo(said)
    table.hinted = table.now.text


def reply(table: GameInProgress) -> None:
    """Let the opponent move."""
    assert table.opponent is not None
    answer = table.ask(table.opponent)
    if not answer.line:
        click.echo(f"the opponent has no move: {answer.reason or answer.status}")
        return
    click.echo(f"{table.opponent} plays {answer.line[0]}")
    table.play(answer.moves[0])
    table.person_moved = False
    click.echo(str(table.now))
    if table.now.status != OPEN:
        click.echo(f"after {len(table.past) - 1} moves: {ending(table)}")


def ending(table: GameInProgress) -> str:
    """How the game ended, as the person at the keyboard sees it."""
    state = table.now.status
    if table.opponent is None or state not in ("won", "lost"):
        return {"won": "the player to move has won", "lost": "the player who just moved has won"}.get(
            state, state
        )
    return "you win" if (state == "lost") == table.person_moved else "you lose"


def record(table: GameInProgress) -> str:
    """Keep the result of a level that was solved without help, and say whether it is the best so far."""
    if table.now.status != "solved" or table.helped or not table.start.startswith("level:"):
        return ""
    from ludion.records.players import TERMINAL, PlayerRecords, instance

    records = PlayerRecords()
    played = instance(table.start, table.options.items())
    new = records.achieved(TERMINAL, table.now.game.name, played, len(table.past) - 1)
    best = records.best(TERMINAL, table.now.game.name, played)
    records.close()
    return ", your best" if new else f" (your best: {best})"
