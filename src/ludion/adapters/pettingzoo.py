"""PettingZoo environments (AEC): any duel.

    from ludion.adapters.pettingzoo import env
    hive = env("hive", render_mode="ansi")

An observation has the board as the agent sees it (`observation`) and the legal actions (`action_mask`); the game's
`learning.py` defines their numbering, or `ludion.adapters.coding` for a user's own game. An illegal action loses the
game. A game of more than `longest` plies is cut off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ludion.adapters.coding import RENDER_MODES, AnyGame, coding_of, find_game, render
from ludion.errors import UnfitError
from ludion.kinds.games import Duel
from ludion.messages import message
from ludion.positions import position as read_position

VERSION = "v0"
REWARDS = {"won": 1.0, "lost": -1.0, "drawn": 0.0}  # for the player to move


def env(game: AnyGame, **settings: Any) -> AECEnv[str, Any, Any]:
    """The environment of a duel, with the usual checks around it."""
    wrapped: Any = DuelEnv(game, **settings)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class DuelEnv(AECEnv[str, Any, Any]):
    """A duel between `player_0`, who begins, and `player_1`: a win is worth 1, a loss -1."""

    def __init__(
        self,
        game: AnyGame,
        position: str = "",
        longest: int | None = None,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        super().__init__()
        self.game = find_game(game, Duel)
        self.metadata = {
            "name": f"ludion_{self.game.name.replace('-', '_')}_{VERSION}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.options = {name: str(value) for name, value in options.items()}
        self.start = read_position(self.game, position, **self.options)
        self.position = self.start
        self.coding = coding_of(self.start)
        self.longest = self.coding.longest_game if longest is None else longest
        self.possible_agents = ["player_0", "player_1"]
        self.agents = list(self.possible_agents)
        number_type = self._board(True).dtype
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(
                        self.coding.low, self.coding.high, self.coding.shape, number_type
                    ),
                    "action_mask": spaces.Box(0, 1, (self.coding.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(self.coding.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        text = (options or {}).get("position")
        self.position = read_position(self.game, text, **self.options) if text else self.start
        coding = coding_of(self.position)
        if (coding.shape, coding.actions) != (self.coding.shape, self.coding.actions):
            raise UnfitError(message("adapters.other_size", shape=self.coding.shape, given=coding.shape))
        self.coding = coding
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.plies = 0
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        if agent == self.agent_selection and self.position.is_open:
            mask = self.coding.mask(self.position.state, self.position.codes())
        else:
            mask = np.zeros(self.coding.actions, np.int8)
        to_move = self.possible_agents[self.plies % 2] == agent
        return {"observation": self._board(to_move), "action_mask": mask}

    def _board(self, to_move: bool) -> np.ndarray:
        """The board as the player to move sees it, or the other one."""
        return self.coding.observe(self.position.state, to_move)

    def step(self, action: int) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        choices = self.coding.choices(self.position.state, self.position.codes())
        if int(action) not in choices:
            raise UnfitError(message("adapters.illegal_action", action=action))
        self.position = self.position.play(choices[int(action)])
        self.plies += 1
        other = self.possible_agents[self.plies % 2]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if not self.position.is_open:
            reward = REWARDS[self.position.status]
            self.rewards = {other: reward, agent: -reward}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.plies >= self.longest:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = other
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray | None:
        return render(self.render_mode, self.position, self._board(self.plies % 2 == 0))

    def close(self) -> None:
        """Nothing to close."""
