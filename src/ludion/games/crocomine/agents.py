"""The agents: layers of reasoning, each of which can be left out to see what it brings.

rules       the report's local rules; else any cell at random
sat-random  rules, then proof by SAT (neighbourhoods only); else any cell at random: the report's plan
counting    rules, then exact counting with all totals; else the action most likely to succeed
best        the same, and what follows decides: see `choice`
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.errors import LudionError
from ludion.games.crocomine.choice import list_completions, look_ahead, search_to_the_end
from ludion.games.crocomine.clauses import LocalProver
from ludion.games.crocomine.inference import (
    NOTHING,
    certain_by_rules,
    combine,
    hidden_cells,
    probabilities,
    settle,
    shared_space,
)
from ludion.games.crocomine.rules import CHORD, DISCOVER, EMPTY, GUESS, HIDDEN, KINDS, SEA, Action, View


@dataclass(frozen=True)
class Thought:
    """How a decision was reached: the layer that made it, and what each layer before it had found."""

    layer: str
    proved: list[tuple[int, int, int, str]]  # row, column, content, and the layer that proved it
    weighed: list[tuple[int, int, int, float, float]]  # row, column, content, its chance, what it is worth

    def __str__(self) -> str:
        found = f"{self.layer}; {len(self.proved)} proved"
        return f"{found}; {len(self.weighed)} weighed" if self.weighed else found


class StuckError(LudionError):
    """An agent that may not guess has nothing certain left."""


class Layered:
    """Plays everything that its layers prove, then `choose`s. Subclasses add layers."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.certain = np.zeros(0, np.int8)
        self.queue: list[int] = []
        self.sure = True  # whether the last decision was proved
        self.risk = 0.0  # of the last decision, as the agent sees it
        self.layer = ""  # that made the last decision
        self.ruled = self.certain  # what the local rules alone had settled
        self.weighed: list[tuple[int, int, float, float]] = []  # cell, content, chance, worth
        self.view: View | None = None

    above_rules = ""  # the name of the layer that proves more

    @property
    def thought(self) -> Thought:
        """What led to the last decision."""
        if self.view is None:
            return Thought(self.layer, [], [])
        place, hidden = self.view.place, self.view.seen == HIDDEN
        proved = [
            (
                *place(int(cell)),
                int(self.certain[cell]),
                "rules" if self.ruled[cell] >= 0 else self.above_rules,
            )
            for cell in np.flatnonzero(hidden & (self.certain >= 0))
        ]
        weighed = [(*place(cell), content, chance, worth) for cell, content, chance, worth in self.weighed]
        return Thought(self.layer, proved, weighed)

    def decide(self, view: View) -> Action:
        """The next action."""
        self.sure, self.risk = True, 0.0
        self.view, self.weighed = view, []
        if len(self.certain) != view.cells or (view.seen == HIDDEN).all():
            self.certain = np.full(view.cells, NOTHING, np.int8)
            self.queue, self.ruled = [], self.certain
        if view.seen[view.start] == HIDDEN:
            self.layer = "start"
            return self._act(view, view.start, EMPTY)
        while True:
            while self.queue:
                cell = self.queue.pop()
                if view.seen[cell] == HIDDEN:
                    return self._act(view, cell, int(self.certain[cell]))
            certain_by_rules(view, self.certain)
            self.queue = self._playable(view)
            self.layer, self.ruled = "rules", self.certain.copy()
            if not self.queue:
                self.layer = self.above_rules
                more = self.prove_more(view)
                self.queue = self._playable(view)
                if not more and not self.queue:
                    break
        self.sure = False
        return self.choose(view)

    def _playable(self, view: View) -> list[int]:
        """The certain cells that are still to be played; on a board of flags only the safe ones."""
        wanted = (view.seen == HIDDEN) & (self.certain >= 0)
        if view.flags:
            wanted &= self.certain == EMPTY
        return [int(cell) for cell in np.flatnonzero(wanted)]

    def prove_more(self, view: View) -> bool:
        """What the layers above the local rules add; True if a cell was settled."""
        return False

    def choose(self, view: View) -> Action:
        """What to do when nothing is certain."""
        return self._at_random(view)

    def _at_random(self, view: View) -> Action:
        hidden = [cell for cell in hidden_cells(view) if view.seen[cell] == HIDDEN and self.certain[cell] < 0]
        if not hidden:
            raise StuckError("nothing is left to discover")
        self.risk, self.layer = float("nan"), "at random"
        return self._act(view, int(self.random.choice(hidden)), EMPTY)

    def _act(self, view: View, cell: int, content: int) -> Action:
        row, column = view.place(cell)
        if content == EMPTY:
            return Action(DISCOVER, row, column)
        return Action(GUESS, row, column, KINDS[content - 1])


class RulesAgent(Layered):
    """The report's local rules; else any cell at random."""


class SatRandomAgent(Layered):
    """The report's plan: local rules, proof by SAT, else any cell at random."""

    above_rules = "SAT"

    def __init__(self, seed: int = 0, solver: str = "") -> None:
        super().__init__(seed)
        self.solver = solver  # the command of an external SAT solver
        self.prover: LocalProver | None = None

    def prove_more(self, view: View) -> bool:
        if self.prover is None or (view.seen != HIDDEN).sum() < (self.prover.told[:, 1] >= 0).sum():
            self.prover = LocalProver(view, self.solver)
        return self.prover.settle(view, self.certain) > 0


class CountingAgent(Layered):
    """Exact probabilities with all totals; else the action most likely to succeed."""

    above_rules = "counting"

    def __init__(self, seed: int = 0, guesses: bool = True, kinds: bool = True) -> None:
        super().__init__(seed)
        self.guesses = guesses  # may it take risks at all
        self.kinds = kinds  # may it take the risk of guessing an animal, or only of discovering
        self.chances: Any = None
        self.size = 0.0

    def prove_more(self, view: View) -> bool:
        beliefs = probabilities(view, self.certain)
        self.chances, self.size = beliefs.chances, beliefs.log_models
        return bool(settle(view.cells, view.flags, view.seen, self.chances, self.certain))

    def choose(self, view: View) -> Action:
        if not self.guesses:
            raise StuckError("no certain move")
        chances = np.where((view.seen == HIDDEN)[:, None] & (self.certain < 0)[:, None], self.chances, -1.0)
        if view.flags or not self.kinds:
            chances[:, 1:] = -1.0
        cell, content = divmod(int(chances.argmax()), 4)
        self.layer, self.risk = "the likeliest", 1.0 - float(chances[cell, content])
        return self._act(view, cell, content)


class BestAgent(CountingAgent):
    """All layers: exhaustive search of the endgame, and look-ahead before that."""

    completions = 4000  # search to the end when no more remain
    hidden_cells = 90
    search_nodes = 200_000
    near = 0.9  # actions that are at least this good, compared with the best, are looked at further
    actions = 16
    weighings = 600
    progress = 0.05  # what a certain next move is worth, as a share
    looks_ahead = True
    searches = True

    def choose(self, view: View) -> Action:
        known = np.zeros(view.cells, np.int8)
        combine(view.flags, view.terrain, view.seen, self.certain, known)
        found = self._search(view, known) if self.searches else None
        if found is None:
            if not self.looks_ahead:
                return super().choose(view)
            found = self._look_ahead(view, known)
        cell, content = found
        self.risk = 1.0 - float(self.chances[cell, content])
        return self._act(view, cell, content)

    def _search(self, view: View, known: np.ndarray) -> tuple[int, int] | None:
        """The action that wins most of the completions, when there are few enough."""
        unknown = int((view.terrain < 0).sum())  # the ways to spread land and sea over these cells count too
        spreads = math.comb(unknown, view.sea - int((view.terrain == SEA).sum()))
        if self.size + math.log(spreads) > math.log(self.completions + 0.5):
            return None
        cells = np.zeros(self.hidden_cells, np.int64)
        completions = np.zeros((self.completions, self.hidden_cells), np.int8)
        count, hidden = list_completions(
            view.rows,
            view.columns,
            view.terrain,
            known,
            view.clues,
            view.totals,
            view.sea,
            self.completions,
            self.search_nodes,
            cells,
            completions,
        )
        if count <= 0:
            return None
        answer = np.zeros(3, np.int64)
        wins = search_to_the_end(
            view.rows,
            view.columns,
            view.flags,
            view.terrain,
            cells,
            hidden,
            completions,
            count,
            self.search_nodes,
            answer,
        )
        if wins < 0:
            return None
        cell, content = int(answer[0]), int(answer[1])
        self.layer = "endgame"
        self.weighed = [(cell, content, float(self.chances[cell, content]), wins / count)]
        return cell, content

    def _candidates(self, view: View, known: np.ndarray) -> np.ndarray:
        """The actions worth a closer look, the safest first."""
        chances = np.where((known == HIDDEN)[:, None], self.chances, -1.0)
        if view.flags:
            chances[:, 1:] = -1.0
        best = chances.max()
        order = np.argsort(-chances, axis=None, kind="stable")
        flat = chances.ravel()
        kept: list[tuple[int, int]] = []
        for index in order:
            chance = flat[index]
            if chance < best * self.near or len(kept) >= self.actions:
                break
            cell, content = divmod(int(index), 4)
            kept.append((cell, content))
        return np.array(kept, np.int64).reshape(-1, 2)

    def _look_ahead(self, view: View, known: np.ndarray) -> tuple[int, int]:
        actions = self._candidates(view, known)
        self.layer = "look-ahead"
        if len(actions) == 1:
            return int(actions[0, 0]), int(actions[0, 1])
        scores = np.zeros((len(actions), 3))
        look_ahead(
            shared_space(),
            view.rows,
            view.columns,
            view.flags,
            view.terrain,
            known,
            view.clues,
            view.totals,
            view.sea,
            self.chances,
            self.size,
            actions,
            scores,
            self.weighings,
        )
        value = scores[:, 1] * (1 + self.progress * scores[:, 2] / np.maximum(scores[:, 0], 1e-9))
        self.weighed = [
            (int(cell), int(content), float(chance), float(worth))
            for (cell, content), chance, worth in zip(actions, scores[:, 0], value, strict=True)
        ]
        best = self.weighed[int(value.argmax())]
        return best[0], best[1]


@functools.cache
def warm_up() -> None:
    """Load or compile all kernels, so that no decision has to wait for it."""
    from ludion.games.crocomine.generator import generate
    from ludion.games.crocomine.rules import Action, act_on, begin

    grid = generate(4, 4, 1, 1, 2, rule="safe")
    world = begin(grid)
    act_on(world, Action(DISCOVER, *divmod(grid.start, 4)))
    agent = BestAgent()
    agent.certain = np.full(16, NOTHING, np.int8)
    certain_by_rules(world.view, agent.certain)
    agent.prove_more(world.view)
    agent._search(world.view, world.view.seen)
    agent._look_ahead(world.view, world.view.seen)


def make_best(game: Any, seed: int = 0, look_ahead: bool = True, endgame: bool = True) -> BestAgent:
    """All layers; `look_ahead` and `endgame` can be switched off."""
    warm_up()
    agent = BestAgent(seed)
    agent.looks_ahead, agent.searches = look_ahead, endgame
    return agent


def make_counting(game: Any, seed: int = 0, guesses: bool = True, kinds: bool = True) -> CountingAgent:
    """Exact counting; `guesses` may be forbidden, or only those of `kinds`."""
    warm_up()
    return CountingAgent(seed, guesses, kinds)


def make_sat_random(game: Any, seed: int = 0, solver: str = "") -> SatRandomAgent:
    """The report's plan; `solver` is the command of an external SAT solver."""
    warm_up()
    return SatRandomAgent(seed, solver)


def make_rules(game: Any, seed: int = 0) -> RulesAgent:
    """Local rules, else at random."""
    warm_up()
    return RulesAgent(seed)


def report(record: Any) -> dict[str, Any]:
    """What else to tell of a run."""
    view = record.world.view
    return {"name": view.name, "opened": int((view.seen == 0).sum()), "guessed": int((view.seen > 0).sum())}


__all__ = ["CHORD", "CountingAgent", "Layered", "RulesAgent", "StuckError"]
