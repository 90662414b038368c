"""Gymnasium environments: puzzles and quests.

    import gymnasium
    import ludion.adapters.gymnasium                  # registers the names
    env = gymnasium.make("ludion/taquin-v0", render_mode="ansi")

`info["action_mask"]` says which actions are legal. An illegal one changes nothing and says so in
`info["illegal"]`. Render modes: `ansi` (text), `svg` (the game's picture), `rgb_array` (coloured cells),
`human` (prints the text).
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ludion import api
from ludion.adapters.coding import coding, picture
from ludion.errors import LudionError, UnfitError
from ludion.kinds import quest
from ludion.kinds.card import PUZZLE, QUEST, resolve
from ludion.registry import card as find_card

LONGEST = 1000  # steps of an episode
MODES = ["ansi", "svg", "rgb_array", "human"]
NAMES = ("taquin", "rush-hour", "crocomine", "delirium")


class Rendered(gymnasium.Env[Any, Any]):
    """What both kinds of environments show of themselves."""

    metadata = {"render_modes": MODES, "render_fps": 4}  # noqa: RUF012

    def __init__(self, render_mode: str | None) -> None:
        if render_mode is not None and render_mode not in MODES:
            raise LudionError(f"no render mode '{render_mode}' (there are {', '.join(MODES)})")
        self.render_mode = render_mode

    def _text(self) -> str:
        raise NotImplementedError

    def _svg(self) -> str:
        raise NotImplementedError

    def _grid(self) -> Any:
        raise NotImplementedError

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return self._text()
        if self.render_mode == "svg":
            return self._svg()
        if self.render_mode == "rgb_array":
            return picture(self._grid())
        if self.render_mode == "human":
            print(self._text())
        return None


class PuzzleEnv(Rendered):
    """A puzzle: a step costs what its move costs; the episode ends at the goal.

    An episode begins at `position` (here, or in the options of `reset`), or else at a shuffled one: Taquin by
    `shuffle` random moves from the goal, other games at one of their levels that fits the first one's board.
    """

    def __init__(
        self, game: str, position: str = "", shuffle: int = 60, render_mode: str | None = None, **options: str
    ) -> None:
        super().__init__(render_mode)
        card = find_card(game)
        if card.kind != PUZZLE:
            raise UnfitError(f"{card.title} is a {card.kind}, not a puzzle")
        self.card, self.fixed, self.shuffle, self.options = card, position, shuffle, options
        self.position = api.position(card, position or card.start, **options)
        self.coding = coding(self.position)
        code = self.coding
        self.action_space = spaces.Discrete(code.actions)
        kind = self.coding.observe(self.position, True).dtype
        self.observation_space = spaces.Box(code.low, code.high, code.shape, kind)
        self.starts: list[str] = []

    def _begin(self) -> api.Position:
        if self.fixed:
            return api.position(self.card, self.fixed, **self.options)
        if self.card.name == "taquin":
            return self._shuffled()
        if not self.starts:
            for level in self.card.all_levels():
                found = api.position(self.card, level.position, **{**level.options, **self.options})
                if coding(found).shape == self.coding.shape:
                    self.starts.append(found.text)
        if not self.starts:
            return api.position(self.card, self.card.start, **self.options)
        return api.position(self.card, self.starts[self.np_random.integers(len(self.starts))], **self.options)

    def _shuffled(self) -> api.Position:
        from ludion.kinds import puzzle

        start = api.position(self.card, self.card.start, **self.options)
        now = api.Position(self.card, start.rules, puzzle.goal(start.rules), self.options)
        buffer = np.zeros(puzzle.most_moves(now.rules), np.int64)
        state = now.state
        for _ in range(self.shuffle):
            count = puzzle.moves(now.rules, state, buffer)
            state = puzzle.play(now.rules, state, int(buffer[self.np_random.integers(count)]))
        if puzzle.is_goal(now.rules, state):
            state = puzzle.play(now.rules, state, int(buffer[: puzzle.moves(now.rules, state, buffer)][0]))
        return api.Position(self.card, now.rules, state, self.options)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        text = (options or {}).get("position")
        self.position = api.position(self.card, text, **self.options) if text else self._begin()
        if coding(self.position).shape != self.coding.shape:
            raise UnfitError(f"this environment has boards of {self.coding.shape}")
        return self.coding.observe(self.position, True), self._info()

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.coding.mask(self.position),
            "position": self.position.text,
            "illegal": False,
        }

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        from ludion.kinds import puzzle

        move = self.coding.choices(self.position).get(int(action))
        cost = 1
        if move is not None:
            cost = int(puzzle.cost(self.position.rules, self.position.state, move))
            self.position = self.position.play(move)
        info = self._info() | {"illegal": move is None}
        solved = self.position.status != api.OPEN
        return self.coding.observe(self.position, True), float(-cost), solved, False, info

    def _text(self) -> str:
        return str(self.position)

    def _svg(self) -> str:
        return self.position.svg()

    def _grid(self) -> Any:
        return self.coding.observe(self.position, True)


class QuestEnv(Rendered):
    """A quest: what the agent may see, as an array; subclasses say how it is numbered."""

    def __init__(self, game: str, level: str, render_mode: str | None, options: dict[str, str]) -> None:
        super().__init__(render_mode)
        self.card = find_card(game)
        if self.card.kind != QUEST:
            raise UnfitError(f"{self.card.title} is a {self.card.kind}, not a quest")
        self.level, self.options = level, options
        self.seeded = any(option.name == "seed" for option in self.card.options)
        self.game: Any = None
        self.world: Any = None
        self._open("0")

    def _open(self, seed: str) -> None:
        text, options = self.level, dict(self.options)
        if text.startswith("level:"):
            found = api.level(self.card, text.removeprefix("level:"))
            text, options = found.position, {**found.options, **options}
        if self.seeded:
            options.setdefault("seed", seed)
        self.game, self.world = resolve(self.card.read)(text, **options)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if options and "level" in options:
            self.level = str(options["level"])
        self._open(str(int(self.np_random.integers(1 << 31))))
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        before = self._gains()
        illegal = False
        try:
            self.world = quest.act(self.world, self._action(int(action)))
        except quest.IllegalActionError:
            illegal = True
        outcome = quest.outcome(self.world)
        reward = float(self._gains() - before) + {quest.WON: self.prize, quest.LOST: -self.prize}.get(
            outcome, 0.0
        )
        info = self._info() | {"illegal": illegal, "outcome": outcome}
        return self._observe(), reward, outcome != quest.RUNNING, False, info

    prize = 1.0

    def _action(self, action: int) -> Any:
        raise NotImplementedError

    def _observe(self) -> Any:
        raise NotImplementedError

    def _mask(self) -> Any:
        raise NotImplementedError

    def _gains(self) -> float:
        return 0.0

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask(), "illegal": False, "outcome": quest.outcome(self.world)}

    def _text(self) -> str:
        return str(resolve(self.card.text)(self.game, self.world))

    def _svg(self) -> str:
        return str(resolve(self.card.svg)(self.game, self.world))


class CrocoMineEnv(QuestEnv):
    """CrocoMine: action = cell for discover, then cells + cell, 2 cells + cell, 3 cells + cell to guess T, S,
    C.

    The observation has five numbers a cell: terrain (-1 unknown, 0 land, 1 sea), what is seen (-1 hidden, 0
    open, 1 to 3 guessed), and the tigers, sharks and crocodiles around it. Won is worth 1, lost -1.
    """

    def __init__(self, level: str = "9x9:3/3/4", render_mode: str | None = None, **options: str) -> None:
        super().__init__("crocomine", level, render_mode, options)
        view = quest.percept(self.world)
        self.cells = view.rows * view.columns
        self.shape = (view.rows, view.columns, 5)
        self.action_space = spaces.Discrete(4 * self.cells)
        self.observation_space = spaces.Box(-1, 8, self.shape, np.int8)

    def _action(self, action: int) -> Any:
        from ludion.games.crocomine.rules import DISCOVER, GUESS, KINDS, Action

        kind, cell = divmod(action, self.cells)
        row, column = divmod(cell, self.shape[1])
        return Action(DISCOVER, row, column) if kind == 0 else Action(GUESS, row, column, KINDS[kind - 1])

    def _observe(self) -> Any:
        view = quest.percept(self.world)
        parts = [view.terrain[:, None], view.seen[:, None], view.clues]
        return np.concatenate(parts, 1).astype(np.int8).reshape(self.shape)

    def _mask(self) -> Any:
        hidden = quest.percept(self.world).seen < 0
        return np.tile(hidden, 4).astype(np.int8)

    def _grid(self) -> Any:
        observed = self._observe()
        return np.where(observed[..., 1] < 0, 9, np.where(observed[..., 1] > 0, 2, observed[..., 0] * 3))


class DeliriumEnv(QuestEnv):
    """Delirium 2: nine actions; the view of 2 v + 1 by 2 v + 1 cells around the miner, -1 beyond the border.

    A diamond is worth 1, the exit 10, death -10.
    """

    prize = 10.0

    def __init__(
        self, level: str = "", view: int = 4, render_mode: str | None = None, **options: str
    ) -> None:
        card = find_card("delirium")
        levels = card.all_levels()
        if not level and not levels:
            raise UnfitError("name a level: there are none")
        self.view = view
        super().__init__(
            "delirium", level or f"level:{levels[0].name}", render_mode, {"view": str(view), **options}
        )
        side = 2 * view + 1
        self.action_space = spaces.Discrete(9)
        self.observation_space = spaces.Box(-1, 127, (side, side), np.int8)

    def _action(self, action: int) -> Any:
        return action

    def _observe(self) -> Any:
        seen = quest.percept(self.world)
        grid, side = seen.grid(), 2 * self.view + 1
        row, column = divmod(seen.position, seen.row)
        found = np.full((side, side), -1, np.int8)
        top, left = self.view - row, self.view - column
        found[top : top + grid.shape[0], left : left + grid.shape[1]] = grid
        return found

    def _mask(self) -> Any:
        return np.ones(9, np.int8)

    def _gains(self) -> float:
        return float(self.world.diamonds)

    def _grid(self) -> Any:
        return self._observe()


def register() -> None:
    """Make the names known to Gymnasium; importing this module does it."""
    here = "ludion.adapters.gymnasium"
    for game in NAMES:
        name = f"ludion/{game}-v0"
        if name in gymnasium.registry:
            continue
        point = {"crocomine": "CrocoMineEnv", "delirium": "DeliriumEnv"}.get(game, "PuzzleEnv")
        settings = {"game": game} if point == "PuzzleEnv" else {}
        gymnasium.register(name, f"{here}:{point}", max_episode_steps=LONGEST, kwargs=settings)


register()
