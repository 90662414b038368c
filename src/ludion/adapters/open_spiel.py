"""OpenSpiel, both ways: our duels as its games, and its games for our engines.

    game = as_open_spiel("hive")                       # a pyspiel.Game; its name is python_ludion_hive
    answer = ask("monte-carlo", state, nodes=2000)     # about any pyspiel.State of two players who alternate
    bot = LudionBot("negamax", depth=3)                # a pyspiel.Bot

OpenSpiel's states are Python objects, so our engines run on them interpreted: the same source, uncompiled.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import pyspiel

from ludion import registry
from ludion.adapters.coding import AnyGame, coding_of, find_game
from ludion.answers import Answer
from ludion.core import tiers
from ludion.engines.budget import Budget
from ludion.engines.catalogue import ENGINES
from ludion.errors import UnfitError, unknown
from ludion.kinds import duel
from ludion.kinds.games import DUEL, Duel
from ludion.kinds.learning import Coding
from ludion.messages import message
from ludion.positions import Position, position
from ludion.registry import GameFile

INTERPRETED_ENGINES = ("monte-carlo", "negamax")
DEFAULT_NODES = 2000  # of a bot without a budget
RETURNS = {"won": 1.0, "lost": -1.0}  # for the player to move

# ------------------------------------------------------------------ our games for OpenSpiel


class OpenSpielEntry(NamedTuple):
    """One of our duels as OpenSpiel knows it."""

    short_name: str
    game: Duel[Any, Any]
    start: Position
    coding: Coding


_entries: dict[str, OpenSpielEntry] = {}


def as_open_spiel(game: AnyGame) -> pyspiel.Game:
    """Our game as an OpenSpiel game; the first call registers it."""
    return pyspiel.load_game(entry_for(find_game(game, Duel)).short_name)


def entry_for(game: Duel[Any, Any]) -> OpenSpielEntry:
    """The entry of a game in OpenSpiel's registry, created if there is none; a game file that was edited and loaded
    again gets a new one."""
    name = short_name = f"python_ludion_{game.name.replace('-', '_')}"
    number = 1
    while short_name in _entries and _entries[short_name].game is not game:
        number += 1
        short_name = f"{name}_{number}"
    if short_name not in _entries:
        start = position(game)
        entry = _entries[short_name] = OpenSpielEntry(short_name, game, start, coding_of(start))
        # A class for each game: OpenSpiel lets go of it after Python has ended, when no other object may be freed.
        pyspiel.register_game(game_type(entry), type("OpenSpielDuel", (OpenSpielGame,), {"entry": entry}))
    return _entries[short_name]


def game_type(entry: OpenSpielEntry) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=entry.short_name,
        long_name=f"ludion's {entry.game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def game_info(entry: OpenSpielEntry) -> pyspiel.GameInfo:
    return pyspiel.GameInfo(
        num_distinct_actions=entry.coding.actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=entry.coding.longest_game,
    )


class OpenSpielGame(pyspiel.Game):
    """One of our duels; a subclass says which."""

    entry: ClassVar[OpenSpielEntry]

    def __init__(self, params: Any = None) -> None:
        super().__init__(game_type(self.entry), game_info(self.entry), params or {})

    def new_initial_state(self, state: Any = None) -> OpenSpielState:
        return OpenSpielState(self, SharedPosition(self.entry, self.entry.start))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(self.entry.coding)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SharedPosition:
    """A position that copies of a state share: it never changes."""

    def __init__(self, entry: OpenSpielEntry, position: Position) -> None:
        self.entry, self.position = entry, position

    def choices(self) -> dict[int, int]:
        """The legal actions with their moves."""
        return self.entry.coding.choices(self.position.state, self.position.codes())

    def after(self, action: int) -> SharedPosition:
        return SharedPosition(self.entry, self.position.play(self.choices()[action]))

    def __deepcopy__(self, memo: object) -> SharedPosition:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        game, here = self.entry.game, self.position
        files = registry.files_of(game.name)
        return _read_again, (self.entry.short_name, game.name, files, here.text, here.options)


def _read_again(
    short_name: str, name: str, files: tuple[GameFile, ...], text: str, options: dict[str, str]
) -> SharedPosition:
    """The position of a serialized state, also in a process that has not seen its game yet."""
    if short_name not in _entries:
        for file in files:
            registry.load(file)
    entry = _entries.get(short_name) or entry_for(find_game(name, Duel))
    return SharedPosition(entry, position(entry.game, text, **options))


class OpenSpielState(pyspiel.State):
    """A position with the number of plies; OpenSpiel copies and serializes what is in these two attributes."""

    def __init__(self, game: OpenSpielGame, shared: SharedPosition) -> None:
        super().__init__(game)
        self.shared = shared
        self.plies = 0

    def current_player(self) -> Any:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.plies % 2

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.shared.choices())

    def _apply_action(self, action: int) -> None:
        self.shared = self.shared.after(action)
        self.plies += 1

    def _action_to_string(self, player: int, action: int) -> str:
        move = self.shared.choices().get(action)
        return self.shared.position.write_move(move) if move is not None else str(action)

    def is_terminal(self) -> bool:
        return not self.shared.position.is_open or self.plies >= self.shared.entry.coding.longest_game

    def returns(self) -> list[float]:
        to_move = RETURNS.get(self.shared.position.status, 0.0)
        return [to_move, -to_move] if self.plies % 2 == 0 else [-to_move, to_move]

    def __str__(self) -> str:
        return str(self.shared.position)


class BoardObserver:
    """The board as an array and as text."""

    def __init__(self, coding: Coding) -> None:
        self.coding = coding
        self.tensor = np.zeros(int(np.prod(coding.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(coding.shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        board = self.coding.observe(state.shared.position.state, state.plies % 2 == player)
        self.dict["observation"][...] = board

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return str(state)


# ------------------------------------------------------------------ OpenSpiel's games for our engines


class OpenSpielRules:
    """An OpenSpiel game as our engines see it: states by number, so that a position is a plain value."""

    def __init__(self, state: pyspiel.State) -> None:
        kind = state.get_game().get_type()
        if (
            state.num_players() != 2
            or kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL
            or kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
            or kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION
            or kind.utility != pyspiel.GameType.Utility.ZERO_SUM
        ):
            raise UnfitError(message("adapters.not_a_duel", game=kind.short_name))
        self.states = {0: state}
        self.next_number = 1
        self.actions = state.num_distinct_actions()

    def add(self, state: pyspiel.State) -> int:
        """Store a state and return its number."""
        number = self.next_number
        self.states[number] = state
        self.next_number += 1
        return number


class NumberedState(NamedTuple):
    """A position: the number of a state, and the player whose turn it is (or would be)."""

    number: int
    turn: int


@duel.most_moves.register(OpenSpielRules)
def _(rules: OpenSpielRules) -> int:
    return int(rules.actions)


@duel.moves.register(OpenSpielRules)
def _(rules: OpenSpielRules, position: NumberedState, buffer: Any) -> int:
    legal = rules.states[position.number].legal_actions()
    buffer[: len(legal)] = legal
    return len(legal)


@duel.play.register(OpenSpielRules)
def _(rules: OpenSpielRules, position: NumberedState, move: int) -> NumberedState:
    child = rules.states[position.number].child(int(move))
    if child.current_player() == position.turn:
        raise UnfitError(message("adapters.players_do_not_alternate"))
    return NumberedState(rules.add(child), 1 - position.turn)


@duel.undo.register(OpenSpielRules)
def _(rules: OpenSpielRules, child: NumberedState, move: int) -> None:
    rules.states.pop(child.number, None)


@duel.copy.register(OpenSpielRules)
def _(rules: OpenSpielRules, position: NumberedState) -> NumberedState:
    # A search copies its start when it begins a new line: the states of the last one are not needed any more.
    rules.states = {0: rules.states[0], position.number: rules.states[position.number]}
    return position


@duel.verdict.register(OpenSpielRules)
def _(rules: OpenSpielRules, position: NumberedState) -> int:
    state = rules.states[position.number]
    if not state.is_terminal():
        return duel.OPEN
    gain = state.returns()[position.turn]
    return duel.WON if gain > 0 else duel.LOST if gain < 0 else duel.DRAWN


def ask(engine: str, state: pyspiel.State, **budget: Any) -> Answer:
    """The answer of `monte-carlo` or `negamax` about an OpenSpiel state; its moves are OpenSpiel's actions."""
    if engine not in INTERPRETED_ENGINES:
        raise unknown("adapters.engine", engine, INTERPRETED_ENGINES)
    if state.is_terminal():
        raise UnfitError(message("adapters.game_over"))
    rules = OpenSpielRules(state.clone())
    start = NumberedState(0, state.current_player())
    with tiers.use(tiers.INTERPRETED):
        return ENGINES[DUEL][engine].solve(rules, start, duel.Even(), Budget(**budget), None)


class LudionBot(pyspiel.Bot):
    """One of our engines as an OpenSpiel bot."""

    def __init__(self, engine: str = "monte-carlo", **budget: Any) -> None:
        super().__init__()
        self.engine, self.budget = engine, budget or {"nodes": DEFAULT_NODES}

    def step(self, state: pyspiel.State) -> int:
        """The action to play; any legal one if the budget was too small for an answer."""
        answer = ask(self.engine, state, **self.budget)
        return int(answer.moves[0] if answer.moves else state.legal_actions()[0])

    def restart_at(self, state: pyspiel.State) -> None:
        """Nothing is remembered between moves."""
