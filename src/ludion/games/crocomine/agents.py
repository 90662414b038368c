"""The agents: layers of reasoning, each of which can be left out to see what it brings.

rules       the report's local rules; else any cell at random
sat-random  rules, then proof by SAT (neighbourhoods only); else any cell at random: the report's plan
counting    rules, then exact counting with all totals; else the action most likely to succeed
best        the same, and what follows decides (see `choice`), in this order:
            unavoidable  guesses that nothing can ever help with are taken at once
            endgame      few completions left: all ways to play are searched
            look-ahead   else the action after which most is left to hope for; cells that tell nothing come last
                         (`dead_last`), in Minesweeper 50/50s that may come are weighed (`pairs`), and where it
                         does not take too long the best few actions are compared by `playouts`
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.errors import LudionError
from ludion.games.crocomine.choice import (
    EXACT,
    FAILED,
    find_components,
    find_pairs,
    list_completions,
    look_ahead,
    search_to_the_end,
)
from ludion.games.crocomine.clauses import LocalProver
from ludion.games.crocomine.inference import (
    NOTHING,
    Beliefs,
    certain_by_rules,
    combine,
    hidden_cells,
    probabilities,
    settle,
    shared_space,
    sight_of,
)
from ludion.games.crocomine.playouts import compare
from ludion.games.crocomine.rules import (
    CHORD,
    CROCODILE,
    DISCOVER,
    EMPTY,
    GUESS,
    HIDDEN,
    KINDS,
    NO_START,
    SEA,
    SHARK,
    TIGER,
    Action,
    View,
)


@dataclass(frozen=True)
class Thought:
    """How a decision was reached: the layer that made it, and what the layers had found by then."""

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

    proof = "rules"  # the layer of `prove_more`

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.certain = np.zeros(0, np.int8)
        self.queue: list[int] = []
        self.sure = True  # whether the last decision was proved
        self.risk = 0.0  # of the last decision, as the agent sees it
        self.layer = ""  # what decided it
        self.ruled = self.certain  # what the local rules alone had settled
        self.weighed: list[tuple[int, int, float, float]] = []  # cell, content, chance, worth
        self.view: View | None = None

    @property
    def thought(self) -> Thought:
        """What led to the last decision."""
        if self.view is None:
            return Thought(self.layer, [], [])
        place, hidden = self.view.place, self.view.seen == HIDDEN
        proved = [
            (*place(int(cell)), int(self.certain[cell]), "rules" if self.ruled[cell] >= 0 else self.proof)
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
        if view.start != NO_START and view.seen[view.start] == HIDDEN:
            self.layer = "start"
            return self._act(view, view.start, EMPTY)
        while True:
            while self.queue:
                cell = self.queue.pop()
                if view.seen[cell] == HIDDEN:
                    return self._act(view, cell, int(self.certain[cell]))
            self.layer = "rules"
            certain_by_rules(view, self.certain)
            self.ruled = self.certain.copy()
            self.queue = self._playable(view)
            if not self.queue:
                self.layer = self.proof
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
        self.risk, self.layer = float("nan"), "random"
        return self._act(view, int(self.random.choice(hidden)), EMPTY)

    def _act(self, view: View, cell: int, content: int) -> Action:
        row, column = view.place(cell)
        if content == EMPTY:
            return Action(DISCOVER, row, column)
        return Action(GUESS, row, column, KINDS[content - 1])


def around(rows: int, columns: int, amounts: np.ndarray) -> np.ndarray:
    """The sum of the amounts of the cells around each cell."""
    padded = np.pad(amounts.reshape(rows, columns).astype(float), 1)
    sums = sum(padded[r : r + rows, c : c + columns] for r in range(3) for c in range(3) if (r, c) != (1, 1))
    return np.asarray(sums).ravel()


class RulesAgent(Layered):
    """The report's local rules; else any cell at random."""


class SatRandomAgent(Layered):
    """The report's plan: local rules, proof by SAT, else any cell at random."""

    proof = "sat"

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

    proof = "counting"

    def __init__(self, seed: int = 0, guesses: bool = True, kinds: bool = True) -> None:
        super().__init__(seed)
        self.guesses = guesses  # may it take risks at all
        self.kinds = kinds  # may it take the risk of guessing an animal, or only of discovering
        self.beliefs = Beliefs(np.zeros((0, 4)), 0.0)

    @property
    def chances(self) -> np.ndarray:
        """The probability of every content of every cell."""
        return np.asarray(self.beliefs.chances)

    def prove_more(self, view: View) -> bool:
        self.beliefs = probabilities(view, self.certain)
        return bool(settle(sight_of(view), self.chances, self.certain))

    def choose(self, view: View) -> Action:
        if not self.guesses:
            raise StuckError("no certain move")
        chances = np.where((view.seen == HIDDEN)[:, None] & (self.certain < 0)[:, None], self.chances, -1.0)
        if view.flags or not self.kinds:
            chances[:, 1:] = -1.0
        cell, content = divmod(int(chances.argmax()), 4)
        self.risk, self.layer = 1.0 - float(chances[cell, content]), "likeliest"
        return self._act(view, cell, content)


class BestAgent(CountingAgent):
    """All layers: exhaustive search of the endgame, and look-ahead before that."""

    completions = 20_000  # search to the end when no more remain
    hidden_cells = 90
    listing = 3_000_000  # steps to list them
    search_work = 100_000_000  # cells of completions looked at
    near = 0.9  # actions that are at least this good, compared with the best, are looked at further
    actions = 16  # of the frontier
    pool_actions = 6  # of the cells that no clue touches: likeliest to open others, nearest to the frontier
    weighings = 1000
    taste = (1.2, 0.02, 0.03)  # see `worth`
    threat = 0.02  # the least chance of a 50/50 to come that is looked at
    finalists = 8  # the best by look-ahead are compared by playouts
    boards = 40  # that all of them play
    playable = 256  # cells of a board; on larger ones playouts take too long
    playable_flags = 100  # hidden cells, in Minesweeper, where there is more to guess

    def __init__(
        self,
        seed: int = 0,
        look_ahead: bool = True,
        endgame: bool = True,
        unavoidable: bool = True,
        dead_last: bool = True,
        pairs: bool = True,
        playouts: bool = True,
    ) -> None:
        super().__init__(seed)
        self.dead_last, self.pairs, self.playouts = dead_last, pairs, playouts
        self.choices = {  # layer: how it finds an action, or None if it has none to offer
            name: find
            for name, find, wanted in (
                ("unavoidable", self._take_unavoidable, unavoidable),
                ("endgame", self._search, endgame),
                ("look-ahead", self._look_ahead, look_ahead),
            )
            if wanted
        }

    def choose(self, view: View) -> Action:
        known = np.zeros(view.cells, np.int8)
        combine(sight_of(view), self.certain, known)
        for layer, find in self.choices.items():
            found = find(view, known)
            if found is not None:
                self.layer = layer
                self.risk = 1.0 - float(self.chances[found])
                return self._act(view, *found)
        return super().choose(view)

    def _search(self, view: View, known: np.ndarray) -> tuple[int, int] | None:
        """The action that wins most of the completions, when there are few enough."""
        unknown = int((view.terrain < 0).sum())  # the ways to spread land and sea over these cells count too
        spreads = math.comb(unknown, view.sea - int((view.terrain == SEA).sum()))
        if self.beliefs.log_models + math.log(spreads) > math.log(self.completions + 0.5):
            return None
        cells, found = self._complete(view, known, True)
        return self._play_out(view, cells, found, 2) if len(found) else None

    def _take_unavoidable(self, view: View, known: np.ndarray) -> tuple[int, int] | None:
        """The best action where waiting tells nothing more: it costs nothing to take the risk now."""
        for cells, found in self.unavoidable(view, known):
            action = self._play_out(view, cells, found, EXACT)
            if action is not None:
                return action
        return None

    def unavoidable(self, view: View, known: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The parts of the board that nothing outside can ever tell more about: their cells, and the ways to
        fill them.

        Nothing played outside shows anything of a component but through the totals; these tell nothing if it
        holds the same number of each animal in whatever way it is filled.
        """
        component = np.zeros(view.cells, np.int64)
        count = find_components(sight_of(view, known), component)
        for number in range(count if count > 1 else 0):  # the whole rest is the endgame's business
            cells = np.flatnonzero(component == number)
            expected = self.chances[cells, 1:].sum(axis=0)
            varies = np.abs(expected - expected.round()).max() > 1e-9
            if varies or len(cells) > self.hidden_cells or (view.terrain[cells] < 0).any():
                continue
            alone = np.where(component == number, known, np.maximum(known, EMPTY))
            cells, found = self._complete(view, alone, False)
            animals = np.stack([(found & 3 == kind).sum(axis=1) for kind in (TIGER, SHARK, CROCODILE)])
            if len(found) > 1 and (animals == animals[:, :1]).all():
                yield cells, found

    def _complete(self, view: View, known: np.ndarray, whole: bool) -> tuple[np.ndarray, np.ndarray]:
        """The hidden cells and the ways to fill them, none if there are too many."""
        cells = np.zeros(self.hidden_cells, np.int64)
        completions = np.zeros((self.completions, self.hidden_cells), np.int8)
        count, hidden, _ = list_completions(
            sight_of(view, known), whole, self.completions, self.listing, cells, completions
        )
        return cells[:hidden], completions[: max(count, 0)]

    def _play_out(
        self, view: View, cells: np.ndarray, found: np.ndarray, risks: int
    ) -> tuple[int, int] | None:
        """The best action if these completions are all there are, unless it was searched fewer risks deep."""
        answer = np.zeros(4, np.int64)
        wins = search_to_the_end(sight_of(view), cells, found, self.search_work, answer)
        if wins == FAILED or answer[2] < risks:
            return None
        cell, content = int(answer[0]), int(answer[1])
        self.weighed = [(cell, content, float(self.chances[cell, content]), wins / len(found))]
        return cell, content

    def _relief(self, view: View, known: np.ndarray) -> np.ndarray:
        """What surviving a discovery is worth more, as a factor, because a 50/50 that may have to be played
        later is settled by it: else it would cost half of the games in which it arises."""
        threat = np.zeros(view.cells)
        if view.flags and self.pairs:  # with several kinds, fewer pairs are alike
            find_pairs(shared_space(), sight_of(view, known), self.beliefs, self.threat, threat)
        return np.asarray(1.0 / (1.0 - threat / 2))

    def _candidates(self, view: View, known: np.ndarray, relief: np.ndarray) -> np.ndarray:
        """The actions worth a closer look, the safest first."""
        rows, columns = view.rows, view.columns
        chances = np.where((known == HIDDEN)[:, None], self.chances, -1.0) * relief[:, None]
        if view.flags:
            chances[:, 1:] = -1.0
        least = self.near * chances.max()
        touched = around(rows, columns, known == EMPTY) > 0
        order = np.argsort(-chances, axis=None, kind="stable")
        order = order[: int((chances >= least).sum())]
        kept = [divmod(int(index), 4) for index in order if touched[index // 4] or index % 4]
        kept = kept[: self.actions]
        loose = np.array(
            [index // 4 for index in order if not touched[index // 4] and index % 4 == 0], np.int64
        )
        if len(loose):
            animals = around(rows, columns, np.where(known == HIDDEN, 1.0 - self.chances[:, 0], known > 0))
            doubts = around(rows, columns, np.where(touched & (known == HIDDEN), 1.0, 0.0))
            for rank in (animals, -doubts):
                best = loose[np.argsort(rank[loose], kind="stable")]
                kept += [(int(cell), EMPTY) for cell in best[: self.pool_actions]]
        return np.array(list(dict.fromkeys(kept)), np.int64).reshape(-1, 2)

    def _look_ahead(self, view: View, known: np.ndarray) -> tuple[int, int]:
        """The action after which most is left to hope for."""
        relief = self._relief(view, known)
        actions = self._candidates(view, known, relief)
        scores = self._weigh_actions(view, known, actions)
        scores[:, 1] *= relief[actions[:, 0]]
        lives = scores[:, 2] > 1
        if self.dead_last and lives.any():
            actions, scores = actions[lives], scores[lives]
        best = np.argsort(-scores[:, 1], kind="stable")
        actions, scores = actions[best], scores[best]
        chosen = 0
        few_hidden = not view.flags or (known == HIDDEN).sum() <= self.playable_flags
        if self.playouts and view.cells <= self.playable and few_hidden:
            actions, scores = actions[: self.finalists], scores[: self.finalists]
            chosen = self._play_boards(view, known, actions, scores[:, 1])
        self.weighed = [
            (int(cell), int(content), float(chance), float(worth))
            for (cell, content), (chance, worth, _) in zip(actions, scores, strict=True)
        ]
        cell, content = actions[chosen]
        return int(cell), int(content)

    def _play_boards(self, view: View, known: np.ndarray, actions: np.ndarray, worths: np.ndarray) -> int:
        """Which of the actions wins most playouts, the first if that cannot be told; fills what they are worth."""
        found = np.array(worths)
        chosen = compare(
            shared_space(),
            sight_of(view),
            self.certain,
            known,
            self.beliefs,
            actions,
            self.boards,
            np.array([self.random.integers(1, 1 << 62)]),
            found,
        )
        if chosen == FAILED:
            return 0
        worths[:] = found
        return int(chosen)

    def _weigh_actions(self, view: View, known: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Of each action: its chance, the same times what follows, how many different things it can show."""
        scores = np.zeros((len(actions), 3))
        look_ahead(
            shared_space(),
            sight_of(view, known),
            self.beliefs,
            actions,
            scores,
            np.array(self.taste),
            self.weighings,
        )
        return scores

    def dead_cells(self, view: View, known: np.ndarray) -> list[int]:
        """The cells that tell nothing when discovered: where they are empty, they always show the same."""
        doubtful = (known == HIDDEN) & (self.chances[:, EMPTY] > 0) & (self.chances[:, EMPTY] < 1)
        cells = np.flatnonzero(doubtful)
        scores = self._weigh_actions(view, known, np.stack([cells, np.zeros_like(cells)], axis=1))
        return [int(cell) for cell in cells[scores[:, 2] == 1]]


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
    agent._take_unavoidable(world.view, world.view.seen)
    for flags in (False, True):
        world.view.flags = flags
        agent._look_ahead(world.view, world.view.seen)


def make_best(
    game: Any,
    seed: int = 0,
    look_ahead: bool = True,
    endgame: bool = True,
    unavoidable: bool = True,
    dead_last: bool = True,
    pairs: bool = True,
    playouts: bool = True,
) -> BestAgent:
    """All layers; each way to choose can be switched off."""
    warm_up()
    return BestAgent(seed, look_ahead, endgame, unavoidable, dead_last, pairs, playouts)


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
