"""The agents: layers of reasoning, each of which can be left out to see what it brings.

rules       the report's local rules; otherwise a random cell
sat-random  rules, then proof by SAT; otherwise a random cell: the report's plan
counting    rules, then exact counting with all totals; otherwise the action most likely to succeed
best        rules and counting; then, when nothing is certain (see `choice`):
            endgame      few completions left: search all ways to play
            look-ahead   otherwise the action with the best estimated chance to win

All of them order certain actions so that a board is won with few of them (see `certain`).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludion.errors import LudionError
from ludion.games.crocomine.certain import PICK_CHORD, PICK_NOTHING, pick_certain
from ludion.games.crocomine.choice import VALUE, look_ahead
from ludion.games.crocomine.clauses import LocalProver
from ludion.games.crocomine.completions import MOST_ENDGAME_CELLS, MOST_LISTING_NODES, list_completions
from ludion.games.crocomine.endgame import FAILED, search_to_the_end
from ludion.games.crocomine.inference import (
    NOT_CERTAIN,
    Beliefs,
    certain_by_rules,
    known_board,
    probabilities,
    shared_workspace,
    write_certain,
    write_known,
)
from ludion.games.crocomine.notation import view_of
from ludion.games.crocomine.rules import (
    CHORD,
    CONTENTS,
    DISCOVER,
    EMPTY,
    END,
    GUESS,
    HIDDEN,
    KINDS,
    NO_START,
    OPEN,
    SEA,
    TIGER,
    UNKNOWN,
    Action,
    View,
    neighbour_table,
)
from ludion.messages import joined, message

if TYPE_CHECKING:
    from ludion.games.crocomine.rules import CrocoRules
    from ludion.kinds.quest import Record


@dataclass(frozen=True)
class Reasoning:
    """How a decision was reached: the layer that made it, and the results of the layers before it."""

    layer: str
    proved: list[tuple[int, int, int, str]]  # row, column, content, and the layer that proved it
    weighed: list[tuple[int, int, int, float, float]]  # row, column, content, its probability, its value

    def __str__(self) -> str:
        parts = [message(f"crocomine.layer.{self.layer}")] if self.layer else []
        if self.proved:
            parts.append(message("crocomine.cells_proved", n=len(self.proved)))
        if self.weighed:
            parts.append(message("crocomine.actions_weighed", n=len(self.weighed)))
        return joined(parts)


ENDGAME, LOOK_AHEAD = "endgame", "look-ahead"  # layers

# Weights of the features of a position (see `choice`), fitted with `tuning`. Minesweeper: 17,872 positions of 7,500
# Expert games with a safe corner. Animals: 2,544 positions of 2,500 games on each of 15x15:22/22/24 and 30x16:33/33/33.
MINE_WEIGHTS = np.array([-2.13, -0.00373, -0.0481, -2.47, 0.378, 0.551, 1.65, 4.20, 0.000229])
ANIMAL_WEIGHTS = np.array([-2.02, -0.0021, -0.0803, 0.0, 0.150, 0.467, 0.883, 3.47, 0.0005])
LEAST_RISKS = 2  # an endgame search that is not this deep is not used


class StuckError(LudionError):
    """An agent that may not guess has nothing certain left."""


def nothing_left() -> StuckError:
    """The error to raise when no cell is left to decide about."""
    return StuckError(message("crocomine.nothing_left_to_discover"))


class ProvingAgent:
    """Plays everything that its layers prove; then calls `choose`. Subclasses add layers."""

    proof = "rules"  # the layer of `prove_more`
    proves_before_opening = False  # whether `prove_more` is fast enough for that

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.certain = np.zeros(0, np.int8)
        self.sure = True  # whether the last decision was proved
        self.risk = 0.0  # of the last decision, as the agent estimates it
        self.layer = ""  # the layer that made it
        self.certain_by_rules = self.certain  # by the local rules alone
        self.weighed: list[tuple[int, int, float, float]] = []  # cell, content, chance, value
        self.view: View | None = None

    @property
    def thought(self) -> Reasoning:
        """What led to the last decision."""
        if self.view is None:
            return Reasoning(self.layer, [], [])
        place, hidden = self.view.place, self.view.seen == HIDDEN
        proved = [
            (
                *place(int(cell)),
                int(self.certain[cell]),
                "rules" if self.certain_by_rules[cell] != NOT_CERTAIN else self.proof,
            )
            for cell in np.flatnonzero(hidden & (self.certain != NOT_CERTAIN))
        ]
        weighed = [(*place(cell), content, chance, value) for cell, content, chance, value in self.weighed]
        return Reasoning(self.layer, proved, weighed)

    def decide(self, view: View) -> Action:
        """The next action."""
        self.sure, self.risk = True, 0.0
        self.view, self.weighed = view, []
        if len(self.certain) != view.cells or (view.seen == HIDDEN).all():
            self.certain = np.full(view.cells, NOT_CERTAIN, np.int8)
            self.certain_by_rules = self.certain
        if view.start != NO_START and view.seen[view.start] == HIDDEN:
            self.layer = "start"
            return action_on(view, view.start, EMPTY)
        self.layer = "rules"
        certain_by_rules(view, self.certain)
        self.certain_by_rules = self.certain.copy()
        # Opening cells can wait: after more proofs and guesses, a chord may open more of them.
        patient = self.proves_before_opening and not view.flags
        action = self._certain_action(view, at_once=not patient)
        if action is None:
            self.layer = self.proof
            self.prove_more(view)
            action = self._certain_action(view, at_once=True)
        if action is not None:
            return action
        self.sure = False
        return self.choose(view)

    def _certain_action(self, view: View, at_once: bool) -> Action | None:
        """The certain action that saves most others; unless `at_once`, only a guess."""
        verb, cell = pick_certain(known_board(view), self.certain, at_once)
        if verb == PICK_NOTHING:
            return None
        if verb == PICK_CHORD:
            return Action(CHORD, *view.place(cell))
        return action_on(view, cell, int(self.certain[cell]))

    def uncertain(self, view: View) -> np.ndarray:
        """Which cells are hidden and not proved."""
        cells: np.ndarray = (view.seen == HIDDEN) & (self.certain == NOT_CERTAIN)
        return cells

    def prove_more(self, view: View) -> bool:
        """Apply the layers above the local rules; True if they decided the content of a cell."""
        return False

    def choose(self, view: View) -> Action:
        """The action when nothing is certain: a random cell."""
        cells = np.flatnonzero(self.uncertain(view))
        if not len(cells):
            raise nothing_left()
        self.risk, self.layer = float("nan"), "random"
        return action_on(view, int(self.random.choice(cells)), EMPTY)


def action_on(view: View, cell: int, content: int) -> Action:
    """Discover an empty cell, or guess its animal."""
    row, column = view.place(cell)
    if content == EMPTY:
        return Action(DISCOVER, row, column)
    return Action(GUESS, row, column, KINDS[content - 1])


def sums_around(view: View, amounts: np.ndarray) -> np.ndarray:
    """The sum of the amounts of the cells around each cell."""
    around = neighbour_table(view.rows, view.columns)
    padded = np.append(amounts.astype(float), 0.0)  # cells off the board add nothing
    return np.asarray(sum(padded[around[:, column]] for column in range(END + 1, around.shape[1])))


class RulesAgent(ProvingAgent):
    """The report's local rules; otherwise a random cell."""


class SatRandomAgent(ProvingAgent):
    """The report's plan: local rules, proof by SAT, otherwise a random cell."""

    proof = "sat"

    def __init__(self, seed: int = 0, solver: str = "", totals: bool = True) -> None:
        super().__init__(seed)
        self.totals = totals  # whether the clauses include the totals of the board
        self.solver = solver  # the command of an external SAT solver
        self.prover: LocalProver | None = None

    def prove_more(self, view: View) -> bool:
        if self.prover is not None and self.prover.has_seen_more(view):  # another game has begun
            self.prover.close()
            self.prover = None
        if self.prover is None:
            self.prover = LocalProver(view, self.solver, self.totals)
        return self.prover.write_certain(view, self.certain) > 0


class CountingAgent(ProvingAgent):
    """Exact probabilities with all totals; otherwise the action most likely to succeed."""

    proof = "counting"
    proves_before_opening = True

    def __init__(self, seed: int = 0, guesses: bool = True, kinds: bool = True) -> None:
        super().__init__(seed)
        self.guesses = guesses  # whether it may take risks
        self.kinds = kinds  # whether it may risk guessing an animal, or only discover cells
        self.beliefs = Beliefs(np.zeros((0, CONTENTS)), 0.0)

    @property
    def chances(self) -> np.ndarray:
        """The probability of every content of every cell."""
        return self.beliefs.chances

    def prove_more(self, view: View) -> bool:
        self.beliefs = probabilities(view, self.certain)
        return bool(write_certain(known_board(view), self.chances, self.certain))

    def choose(self, view: View) -> Action:
        if not self.guesses:
            raise StuckError(message("crocomine.no_certain_move"))
        chances = np.where(self.uncertain(view)[:, None], self.chances, -1.0)
        if view.flags or not self.kinds:
            chances[:, TIGER:] = -1.0
        if chances.max() <= 0.0:
            raise nothing_left()
        cell, content = divmod(int(chances.argmax()), CONTENTS)
        self.risk, self.layer = 1.0 - float(chances[cell, content]), "likeliest"
        return action_on(view, cell, content)


class BestAgent(CountingAgent):
    """All layers: exhaustive search of the endgame, and look-ahead before that."""

    completions = 20_000  # most completions for which the endgame is searched
    endgame_cells = MOST_ENDGAME_CELLS
    listing_nodes = MOST_LISTING_NODES
    search_work = 100_000_000  # most work of an endgame search, in cells of completions
    near = 0.9  # candidates survive with at least this share of the best probability
    actions = 16  # most candidates next to open cells
    free_actions = 6  # most candidates away from clues: likeliest to open others, and nearest to the frontier
    most_counted = 1000  # most positions that a look-ahead counts

    def __init__(self, seed: int = 0, look_ahead: bool = True, endgame: bool = True) -> None:
        super().__init__(seed)
        layers = ((ENDGAME, self._search, endgame), (LOOK_AHEAD, self._look_ahead, look_ahead))
        self.choices = {layer: find for layer, find, in_use in layers if in_use}

    def choose(self, view: View) -> Action:
        known = self.known(view)
        for layer, find in self.choices.items():
            choice = find(view, known)
            if choice is not None:
                self.layer = layer
                self.risk = 1.0 - float(self.chances[choice])
                return action_on(view, *choice)
        return super().choose(view)

    def known(self, view: View) -> np.ndarray:
        """The seen content of each cell, with the animals that are certain."""
        known = np.zeros(view.cells, np.int8)
        write_known(known_board(view), self.certain, known)
        return known

    def _search(self, view: View, known: np.ndarray) -> tuple[int, int] | None:
        """The action that wins most of the completions, when there are few enough."""
        unknown = int((view.terrain == UNKNOWN).sum())  # the possible terrains multiply the completions
        spreads = math.comb(unknown, view.sea - int((view.terrain == SEA).sum()))
        if self.beliefs.log_models + math.log(spreads) > math.log(self.completions + 0.5):
            return None
        cells, completions = self.complete(view, known, True)
        return self._play_out(view, cells, completions) if completions.size else None

    def complete(self, view: View, known: np.ndarray, whole: bool) -> tuple[np.ndarray, np.ndarray]:
        """The hidden cells and all ways to fill them; none if there are too many."""
        cells = np.zeros(self.endgame_cells, np.int64)
        completions = np.zeros((self.completions, self.endgame_cells), np.int8)
        board = known_board(view, known)
        count, hidden = list_completions(board, whole, self.listing_nodes, cells, completions)
        return cells[:hidden], completions[: max(count, 0)]

    def _play_out(self, view: View, cells: np.ndarray, completions: np.ndarray) -> tuple[int, int] | None:
        """The best action for these completions; None if the search did not get two risks deep."""
        result = search_to_the_end(known_board(view), cells, completions, self.search_work)
        if result.wins == FAILED or result.risks < LEAST_RISKS:
            return None
        cell, content = int(result.cell), int(result.content)  # interpreted kernels return NumPy's integers
        value = result.wins / len(completions)
        self.weighed = [(cell, content, float(self.chances[cell, content]), value)]
        return cell, content

    def _candidates(self, view: View, known: np.ndarray) -> np.ndarray:
        """The candidates for the look-ahead, the safest first."""
        chances = np.where((known == HIDDEN)[:, None], self.chances, -1.0)
        if view.flags:
            chances[:, TIGER:] = -1.0
        least = max(self.near * chances.max(), 0.0)
        touched = sums_around(view, known == OPEN) > 0
        order = np.argsort(-chances, axis=None, kind="stable")[: int((chances >= least).sum())]
        ranked = [divmod(int(index), CONTENTS) for index in order]
        candidates = [(cell, content) for cell, content in ranked if touched[cell] or content != EMPTY]
        candidates = candidates[: self.actions]
        free = np.array(
            [cell for cell, content in ranked if not touched[cell] and content == EMPTY], np.int64
        )
        if len(free):
            animals = sums_around(
                view, np.where(known == HIDDEN, 1.0 - self.chances[:, EMPTY], known > EMPTY)
            )
            frontier = sums_around(view, touched & (known == HIDDEN))
            for rank in (animals, -frontier):
                best = free[np.argsort(rank[free], kind="stable")]
                candidates += [(int(cell), EMPTY) for cell in best[: self.free_actions]]
        return np.array(list(dict.fromkeys(candidates)), np.int64).reshape(-1, 2)

    def _look_ahead(self, view: View, known: np.ndarray) -> tuple[int, int] | None:
        """The action with the best estimated chance to win, if there is any."""
        actions = self._candidates(view, known)
        if not len(actions):
            return None
        scores = self.score_actions(view, known, actions)
        best = np.argsort(-scores[:, VALUE], kind="stable")
        self.weighed = [
            (int(cell), int(content), float(chance), float(value))
            for (cell, content), (chance, value, _) in zip(actions[best], scores[best], strict=True)
        ]
        cell, content, _, _ = self.weighed[0]
        return cell, content

    def score_actions(self, view: View, known: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """For each action: its SURVIVAL, VALUE and OBSERVATIONS (see `look_ahead`)."""
        scores = np.zeros((len(actions), 3))
        look_ahead(
            shared_workspace(),
            known_board(view, known),
            self.beliefs,
            actions,
            scores,
            MINE_WEIGHTS if view.flags else ANIMAL_WEIGHTS,
            self.most_counted,
        )
        return scores


@functools.cache
def warm_up() -> None:
    """Load or compile all kernels, so that no decision has to wait for it."""
    from ludion.games.crocomine.generator import generate
    from ludion.games.crocomine.rules import act_on, begin

    grid = generate(4, 4, 1, 1, 2, rule="safe")
    world = begin(grid)
    act_on(world, Action(DISCOVER, *divmod(grid.start, 4)))
    agent = BestAgent()
    agent.certain = np.full(16, NOT_CERTAIN, np.int8)
    certain_by_rules(world.view, agent.certain)
    agent.prove_more(world.view)
    agent._search(world.view, world.view.seen)
    agent._look_ahead(world.view, world.view.seen)
    pick_certain(known_board(world.view), agent.certain, True)


def make_best(
    rules: CrocoRules | None, seed: int = 0, look_ahead: bool = True, endgame: bool = True
) -> BestAgent:
    """All layers; endgame search and look-ahead can be switched off."""
    warm_up()
    return BestAgent(seed, look_ahead, endgame)


def make_counting(
    rules: CrocoRules | None, seed: int = 0, guesses: bool = True, kinds: bool = True
) -> CountingAgent:
    """Exact counting; `guesses` allows risks, `kinds` also the risk of guessing an animal."""
    warm_up()
    return CountingAgent(seed, guesses, kinds)


def make_sat_random(
    rules: CrocoRules | None, seed: int = 0, solver: str = "", totals: bool = True
) -> SatRandomAgent:
    """The report's plan; `solver` is the command of an external SAT solver."""
    warm_up()
    return SatRandomAgent(seed, solver, totals)


def make_rules(rules: CrocoRules | None, seed: int = 0) -> RulesAgent:
    """Local rules, otherwise random cells."""
    warm_up()
    return RulesAgent(seed)


def report(record: Record) -> dict[str, str | int]:
    """Further statistics of a run."""
    view = view_of(record.world)
    opened, guessed = int((view.seen == OPEN).sum()), int((view.seen > EMPTY).sum())
    return {"name": view.name, "opened": opened, "guessed": guessed}
