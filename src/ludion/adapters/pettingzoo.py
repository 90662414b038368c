"""PettingZoo environments (AEC): any duel.

    from ludion.adapters.pettingzoo import env
    hive = env("hive", render_mode="ansi")

An observation has the board as the agent sees it (`observation`) and the legal actions (`action_mask`); how
both are numbered is told in `ludion.adapters.coding`. An illegal action loses the game. A game of more than
`longest` plies is cut off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ludion import api
from ludion.adapters.coding import coding, picture
from ludion.errors import UnfitError
from ludion.kinds.card import DUEL
from ludion.registry import card as find_card

VERSION = "v0"


def env(game: str, **settings: Any) -> AECEnv[str, Any, Any]:
    """The environment of a duel, with the usual checks around it."""
    made: Any = DuelEnv(game, **settings)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class DuelEnv(AECEnv[str, Any, Any]):
    """A duel between `player_0`, who begins, and `player_1`: a win is worth 1, a loss -1."""

    def __init__(
        self,
        game: str,
        position: str = "",
        longest: int = 400,
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        super().__init__()
        card = find_card(game)
        if card.kind != DUEL:
            raise UnfitError(f"{card.title} is a {card.kind}, not a duel")
        self.metadata = {
            "name": f"ludion_{card.name.replace('-', '_')}_{VERSION}",
            "render_modes": ["ansi", "svg", "rgb_array", "human"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.start = api.position(card, position or card.start, **options)
        self.position = self.start
        self.longest = longest
        code = self.coding = coding(self.start)
        kind = code.observe(self.start, True).dtype
        self.possible_agents = ["player_0", "player_1"]
        self.agents = list(self.possible_agents)
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(code.low, code.high, code.shape, kind),
                    "action_mask": spaces.Box(0, 1, (code.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(code.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        text = (options or {}).get("position")
        self.position = api.position(self.start.card, text, **self.start.options) if text else self.start
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.plies = 0
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        moving = agent == self.agent_selection
        finished = self.position.status != api.OPEN
        legal = moving and not finished
        mask = self.coding.mask(self.position) if legal else np.zeros(self.coding.actions, np.int8)
        to_move = self.possible_agents[self.plies % 2] == agent
        return {"observation": self.coding.observe(self.position, to_move), "action_mask": mask}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        choices = self.coding.choices(self.position)
        if int(action) not in choices:
            raise UnfitError(f"action {action} is not legal here (see action_mask)")
        self.position = self.position.play(choices[int(action)])
        self.plies += 1
        other = self.possible_agents[self.plies % 2]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.position.status != api.OPEN:
            gain = {"won": 1.0, "lost": -1.0, "drawn": 0.0}[
                self.position.status
            ]  # as the player to move sees it
            self.rewards = {other: gain, agent: -gain}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.plies >= self.longest:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = other
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return str(self.position)
        if self.render_mode == "svg":
            return self.position.svg()
        if self.render_mode == "rgb_array":
            return picture(self.coding.observe(self.position, self.plies % 2 == 0))
        if self.render_mode == "human":
            print(self.position)
        return None

    def close(self) -> None:
        """Nothing to close."""
