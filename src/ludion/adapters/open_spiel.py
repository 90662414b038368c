"""OpenSpiel, both ways: our duels as its games, and its games for our engines.

    game = as_open_spiel("hive")                       # a pyspiel.Game; its name is python_ludion_hive
    answer = ask("monte-carlo", state, nodes=2000)     # of any pyspiel.State of two players who alternate
    bot = LudionBot("negamax", depth=3)                # a pyspiel.Bot

OpenSpiel's states are Python objects, so our engines run on them interpreted: the very same source,
uncompiled.
"""

from __future__ import annotations

import types
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from ludion import api
from ludion.adapters.coding import coding
from ludion.engines import ENGINES
from ludion.engines.answers import Answer
from ludion.engines.limits import Budget
from ludion.errors import UnfitError, unknown
from ludion.kinds import duel
from ludion.kinds.card import DUEL, resolve
from ludion.registry import card as find_card

LONGEST = {"tic-tac-toe": 9, "connect-four": 42}  # plies; of other games:
CUT_OFF = 400

# ------------------------------------------------------------------ ours as theirs


class Held:
    """A position that copies of a state share: it never changes."""

    def __init__(self, position: api.Position) -> None:
        self.position = position

    def __deepcopy__(self, memo: Any) -> Held:
        return self


def as_open_spiel(name: str) -> Any:
    """Our game of this name as an OpenSpiel game; the first call registers it."""
    card = find_card(name)
    if card.kind != DUEL:
        raise UnfitError(f"{card.title} is a {card.kind}, not a duel")
    short = f"python_ludion_{card.name.replace('-', '_')}"
    if short not in pyspiel.registered_names():
        _register(card, short)
    return pyspiel.load_game(short)


def _register(card: Any, short: str) -> None:
    start = api.position(card, card.start)
    numbering = coding(start)
    longest = LONGEST.get(card.name, CUT_OFF)
    kind = pyspiel.GameType(
        short_name=short,
        long_name=f"ludion's {card.title}",
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
    facts = pyspiel.GameInfo(
        num_distinct_actions=numbering.actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=longest,
    )

    class Game(pyspiel.Game):
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, facts, params or {})

        def new_initial_state(self, state: Any = None) -> Any:
            return State(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return Seen()
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    class State(pyspiel.State):
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.held = Held(start)
            self.plies = 0

        def current_player(self) -> Any:
            return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.plies % 2

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(numbering.choices(self.held.position))

        def _apply_action(self, action: int) -> None:
            self.held = Held(self.held.position.play(numbering.choices(self.held.position)[action]))
            self.plies += 1

        def _action_to_string(self, player: int, action: int) -> str:
            move = numbering.choices(self.held.position).get(action)
            return self.held.position.write_move(move) if move is not None else str(action)

        def is_terminal(self) -> bool:
            return self.held.position.status != api.OPEN or self.plies >= longest

        def returns(self) -> list[float]:
            gain = {"won": 1.0, "lost": -1.0}.get(self.held.position.status, 0.0)  # of the player to move
            return [gain, -gain] if self.plies % 2 == 0 else [-gain, gain]

        def __str__(self) -> str:
            return str(self.held.position)

    class Seen:
        """The board as an array and as text."""

        def __init__(self) -> None:
            self.tensor = np.zeros(int(np.prod(numbering.shape)), np.float32)
            self.dict = {"observation": self.tensor.reshape(numbering.shape)}

        def set_from(self, state: Any, player: int) -> None:
            seen = numbering.observe(state.held.position, state.plies % 2 == player)
            self.dict["observation"][...] = seen

        def string_from(self, state: Any, player: int) -> str:
            return str(state)

    pyspiel.register_game(kind, Game)


# ------------------------------------------------------------------ theirs for our engines


class Foreign:
    """An OpenSpiel game as our engines see it: states by number, so that a position is a plain value."""

    def __init__(self, state: Any) -> None:
        kind = state.get_game().get_type()
        if (
            state.num_players() != 2
            or kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL
            or kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
            or kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION
            or kind.utility != pyspiel.GameType.Utility.ZERO_SUM
        ):
            raise UnfitError(f"{kind.short_name} is no duel: two players, all seen, no chance, zero sum")
        self.states = {0: state}
        self.next = 1
        self.actions = state.num_distinct_actions()

    def keep(self, state: Any) -> int:
        self.states[self.next] = state
        self.next += 1
        return self.next - 1


class Numbered(NamedTuple):
    """A position: the number of a state, and whose turn it is (or would be)."""

    number: int
    turn: int


@duel.most_moves.register(Foreign)
def _(game: Foreign) -> int:
    return int(game.actions)


@duel.moves.register(Foreign)
def _(game: Foreign, position: Numbered, buffer: Any) -> int:
    legal = game.states[position.number].legal_actions()
    buffer[: len(legal)] = legal
    return len(legal)


@duel.play.register(Foreign)
def _(game: Foreign, position: Numbered, move: int) -> Numbered:
    child = game.states[position.number].child(int(move))
    if child.current_player() == position.turn:
        raise UnfitError("the players of this game do not alternate")
    return Numbered(game.keep(child), 1 - position.turn)


@duel.undo.register(Foreign)
def _(game: Foreign, child: Numbered, move: int) -> None:
    game.states.pop(child.number, None)


@duel.copy.register(Foreign)
def _(game: Foreign, position: Numbered) -> Numbered:
    # A search copies its start when it begins a line anew: what it had before is not needed any more.
    game.states = {0: game.states[0], position.number: game.states[position.number]}
    return position


@duel.verdict.register(Foreign)
def _(game: Foreign, position: Numbered) -> int:
    state = game.states[position.number]
    if not state.is_terminal():
        return duel.OPEN
    gain = state.returns()[position.turn]
    return duel.WON if gain > 0 else duel.LOST if gain < 0 else duel.DRAWN


def ask(engine: str, state: Any, **budget: Any) -> Answer:
    """What `monte-carlo` or `negamax` says of an OpenSpiel state; the moves are OpenSpiel's actions."""
    known = ("monte-carlo", "negamax")
    if engine not in known:
        raise unknown("engine for OpenSpiel's games", engine, known)
    if state.is_terminal():
        raise UnfitError("the game is over")
    game = Foreign(state.clone())
    solve = interpreted(resolve(ENGINES[engine].solve))
    answer: Answer = solve(game, Numbered(0, state.current_player()), duel.Even(), Budget(**budget), None)
    return answer


def interpreted(solve: Any) -> Any:
    """The same engine with its kernel uncompiled."""
    kernel = solve.__globals__["search"]
    scope = {**solve.__globals__, "search": getattr(kernel, "py_func", kernel)}
    twin = types.FunctionType(solve.__code__, scope, solve.__name__, solve.__defaults__, solve.__closure__)
    twin.__kwdefaults__ = solve.__kwdefaults__
    return twin


class LudionBot(pyspiel.Bot):
    """One of our engines as an OpenSpiel bot."""

    def __init__(self, engine: str = "monte-carlo", **budget: Any) -> None:
        super().__init__()
        self.engine, self.budget = engine, budget or {"nodes": 2000}

    def step(self, state: Any) -> int:
        return int(ask(self.engine, state, **self.budget).moves[0])

    def restart_at(self, state: Any) -> None:
        """Nothing is remembered between moves."""
