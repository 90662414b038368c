"""Gymnasium environments: puzzles and quests.

    import gymnasium
    import ludion.adapters.gymnasium                  # registers the names
    env = gymnasium.make("ludion/taquin-v0", render_mode="ansi")

`info["action_mask"]` says which actions are legal. An illegal one changes nothing and says so in `info["illegal"]`.
Render modes: `ansi` (text), `svg` (the game's picture), `rgb_array` (coloured cells), `human` (prints the text).
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ludion import registry
from ludion.adapters.coding import (
    RENDER_MODES,
    AnyGame,
    coding_of,
    find_game,
    render,
    world_coding_of,
)
from ludion.errors import LudionError, UnfitError
from ludion.kinds import puzzle, quest
from ludion.kinds.games import Puzzle, Quest
from ludion.kinds.learning import Coding, WorldCoding
from ludion.messages import message
from ludion.positions import Position
from ludion.positions import position as read_position

LONGEST_EPISODE = 1000  # steps
MOST_SEED = 1 << 31

Info = dict[str, Any]
Step = tuple[np.ndarray, float, bool, bool, Info]  # observation, reward, terminated, truncated, info


class RenderedEnv(gymnasium.Env[Any, Any]):
    """What both kinds of environments have in common: a position that can be shown, on boards of one size."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

    position: Position

    def __init__(self, render_mode: str | None) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            modes = ", ".join(RENDER_MODES)
            raise LudionError(message("adapters.no_render_mode", mode=render_mode, modes=modes))
        self.render_mode = render_mode

    def _use(self, coding: Coding | WorldCoding, observation: np.ndarray) -> None:
        """Create the spaces for this coding."""
        self.action_space = spaces.Discrete(coding.actions)
        self.observation_space = spaces.Box(coding.low, coding.high, coding.shape, observation.dtype)

    def _fits(self, coding: Coding | WorldCoding) -> bool:
        """Whether a board has the size of the spaces."""
        return coding.shape == self.observation_space.shape and coding.actions == int(self.action_space.n)

    def _check(self, coding: Coding | WorldCoding) -> None:
        if not self._fits(coding):
            shape = self.observation_space.shape
            raise UnfitError(message("adapters.other_size", shape=shape, given=coding.shape))

    def _board(self) -> np.ndarray:
        """The position as small numbers, for colours."""
        raise NotImplementedError

    def render(self) -> str | np.ndarray | None:
        return render(self.render_mode, self.position, self._board())


class PuzzleEnv(RenderedEnv):
    """A puzzle: a step costs what its move costs; the episode ends at the goal, or where no move is left.

    An episode begins at `position` (here, or in the options of `reset`), or else at a shuffled one: `shuffle` random
    moves from the goal if the game has a single one, otherwise one of its levels with a board of this size.
    """

    def __init__(
        self,
        game: AnyGame,
        position: str = "",
        shuffle: int = 60,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        super().__init__(render_mode)
        self.game = find_game(game, Puzzle)
        self.start, self.shuffle = position, shuffle
        self.options = {name: str(value) for name, value in options.items()}
        self.position = self._read(position)
        self.coding = coding_of(self.position)
        self._use(self.coding, self._board())
        self.levels: list[str] | None = None  # texts of the levels that fit, once they are needed

    def _read(self, text: str) -> Position:
        return read_position(self.game, text, **self.options)

    def _begin(self) -> Position:
        """The first position of an episode."""
        if self.start:
            return self._read(self.start)
        first = self._read("")
        if puzzle.goal.has(first.rules):
            return self._shuffled(first)
        if self.levels is None:
            self.levels = list(self._fitting_levels())
        if not self.levels:
            return first
        return self._read(self.levels[self.np_random.integers(len(self.levels))])

    def _shuffled(self, first: Position) -> Position:
        """The goal after random moves."""
        rules = first.rules
        buffer = np.zeros(puzzle.most_moves(rules), np.int64)
        state = puzzle.goal(rules)
        for _ in range(self.shuffle):
            count = puzzle.moves(rules, state, buffer)
            state = puzzle.play(rules, state, int(buffer[self.np_random.integers(count)]))
        if puzzle.is_goal(rules, state):
            puzzle.moves(rules, state, buffer)
            state = puzzle.play(rules, state, int(buffer[0]))
        return Position.trusted(self.game, rules, state, first.options)

    def _fitting_levels(self) -> list[str]:
        levels = [
            read_position(self.game, level.position, **{**level.options, **self.options})
            for level in self.game.all_levels()
        ]
        return [level.text for level in levels if self._fits(coding_of(level))]

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[np.ndarray, Info]:
        super().reset(seed=seed)
        text = (options or {}).get("position")
        self.position = self._read(text) if text else self._begin()
        self.coding = coding_of(self.position)
        self._check(self.coding)
        return self._board(), self._info()

    def _info(self) -> Info:
        return {
            "action_mask": self.coding.mask(self.position.state, self.position.codes()),
            "position": self.position.text,
            "illegal": False,
        }

    def step(self, action: int) -> Step:
        move = self.coding.choices(self.position.state, self.position.codes()).get(int(action))
        cost = 1
        if move is not None:
            cost = int(puzzle.cost(self.position.rules, self.position.state, move))
            self.position = self.position.play(move)
        info = self._info() | {"illegal": move is None}
        ended = not self.position.is_open or not info["action_mask"].any()
        return self._board(), float(-cost), ended, False, info

    def _board(self) -> np.ndarray:
        return self.coding.observe(self.position.state, True)


class QuestEnv(RenderedEnv):
    """A quest: what the agent may see, as an array.

    An episode begins at `level` (here, or in the options of `reset`): a position of the game, `level:NAME`, or nothing
    for the game's start. If the rules are random, each episode draws its own seed.
    """

    def __init__(
        self, game: AnyGame, level: str = "", render_mode: str | None = None, **options: object
    ) -> None:
        super().__init__(render_mode)
        self.game = find_game(game, Quest)
        self.level = level
        self.options = {name: str(value) for name, value in options.items()}
        self._open(0)
        self.coding = world_coding_of(self.position)
        self._use(self.coding, self._observe())

    def _open(self, seed: int) -> None:
        """Begin in a world of this seed, unless the options or the level name another."""
        named = self.level.removeprefix("level:") if self.level.startswith("level:") else ""
        fixed = {**(self.game.level(named).options if named else {}), **self.options}
        more = {"seed": str(seed)} if self.game.seeded and "seed" not in fixed else {}
        self.position = read_position(self.game, self.level, **self.options, **more)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[np.ndarray, Info]:
        super().reset(seed=seed)
        if options and "level" in options:
            self.level = str(options["level"])
        self._open(int(self.np_random.integers(MOST_SEED)))
        self.coding = world_coding_of(self.position)
        self._check(self.coding)
        return self._observe(), self._info()

    def step(self, action: int) -> Step:
        here = self.position
        before = self.coding.gain(here.state)
        illegal = False
        try:
            world = quest.act(here.state, self.coding.decode(here.state, int(action)))
            self.position = Position.trusted(self.game, here.rules, world, here.options)
        except quest.IllegalActionError:
            illegal = True
        status = self.position.status
        prize = {quest.WON: self.coding.prize, quest.LOST: -self.coding.prize}.get(status, 0.0)
        reward = float(self.coding.gain(self.position.state) - before) + prize
        info = self._info() | {"illegal": illegal}
        return self._observe(), reward, not self.position.is_open, False, info

    def _info(self) -> Info:
        return {
            "action_mask": self.coding.mask(self.position.state),
            "illegal": False,
            "outcome": self.position.status,
        }

    def _observe(self) -> np.ndarray:
        return self.coding.observe(self.position.state)

    def _board(self) -> np.ndarray:
        return self.coding.picture(self._observe())


def register() -> None:
    """Register all puzzles, and the quests that have a coding for learners, with Gymnasium as `ludion/NAME-v0`.

    Importing this module does it; calling it again adds games loaded since then.
    """
    for game in registry.games().values():
        if isinstance(game, Puzzle):
            env = "PuzzleEnv"
        elif isinstance(game, Quest) and (game.learning is not None or game.move_cells is not None):
            env = "QuestEnv"
        else:
            continue
        name = f"ludion/{game.name}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name, f"{__name__}:{env}", max_episode_steps=LONGEST_EPISODE, kwargs={"game": game.name}
            )


register()
