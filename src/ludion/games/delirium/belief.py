"""The planner's belief: the mine as far as it was seen, advanced by the exact rules and corrected by each percept.

Cells that were never seen are UNKNOWN; nothing enters them. A monster that should be in view and is not must have
entered unknown cells, and is placed there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludion.games.delirium.drops import monsters_in
from ludion.games.delirium.mine import MOST_ROWS
from ludion.games.delirium.physics import (
    AHEAD,
    AMOEBA,
    AWAKE,
    BLAST,
    BORDER,
    DIAMOND,
    EMPTY,
    ENLARGE_VIEW,
    GATHERED,
    HEADING_STEPS,
    HEIGHT,
    MINER,
    MINER_CELL,
    NEEDED,
    RUNNING,
    STATUS,
    STRIDE,
    TIME_LIMIT,
    TURN_BACK,
    TURN_LEFT,
    TURN_RIGHT,
    UNKNOWN,
    WIDTH,
    Bytes,
    MineState,
    cell_at,
    column_of,
    empty_state,
    rebuild_masks,
    row_of,
    tick,
    turned,
)
from ludion.games.delirium.world import Briefing, Percept

OUT_OF_VIEW = -1
FIRST_HEIGHT = MOST_ROWS // 2  # rows of a belief whose mine is not seen as a whole
FARTHEST_ASTRAY = 8  # cells that a monster out of view may be from where it is believed
LIKELY_TURNS = (AHEAD, TURN_LEFT, TURN_RIGHT, TURN_BACK)  # of a monster that has left the view
ALL_COLUMNS = (1 << (STRIDE - 1)) - 1


class VisiblePart(NamedTuple):
    """The part of the mine in view."""

    cells: Bytes  # as rows
    left: int
    top: int

    def contains(self, cell: int) -> bool:
        row, column = row_of(cell) - self.top, column_of(cell) - self.left
        return bool(0 <= row < self.cells.shape[0] and 0 <= column < self.cells.shape[1])

    def code_at(self, cell: int) -> int:
        """The code seen in a cell, or OUT_OF_VIEW."""
        if not self.contains(cell):
            return OUT_OF_VIEW
        return int(self.cells[row_of(cell) - self.top, column_of(cell) - self.left])


class Belief:
    """The mine as it is believed to be."""

    def __init__(self, briefing: Briefing) -> None:
        self.briefing = briefing
        self.state = self._unknown_mine(0)
        self.visible = VisiblePart(np.zeros((0, 0), np.int8), 0, 0)
        self.guesses: set[int] = set()  # cells that are known only because a monster has left the view there
        self.quiet_ticks = 0  # in which all monsters in view were where they were expected
        self.surprises = 0
        self.only_amoeba_differs = False  # whether the last surprise was only how an amoeba grew

    def _unknown_mine(self, rows: int) -> MineState:
        state = empty_state(STRIDE - 1, rows)
        state.cells[:] = UNKNOWN
        state.info[NEEDED], state.info[TIME_LIMIT] = self.briefing.need, self.briefing.limit
        state.info[MINER_CELL] = -1
        return state

    @property
    def height(self) -> int:
        """The number of rows of the arrays."""
        return int(self.state.info[HEIGHT])

    def update(self, percept: Percept, last_action: int | None) -> bool:
        """Carry out the last action in the belief and correct it; return whether it was wrong, or more was seen."""
        left, top, _, height = percept.window
        visible = VisiblePart(percept.grid(), left, top)
        first = self.height == 0
        if first:
            seen = visible.cells
            whole = seen[0, 0] == BORDER and seen[-1, -1] == BORDER and top == 0 and left == 0
            self.state = self._unknown_mine(height if whole else FIRST_HEIGHT)
        elif last_action is not None and last_action != ENLARGE_VIEW:
            self._move_on(last_action, visible)
        self.visible = visible
        if top + height > self.height:
            self._make_room(MOST_ROWS)
        self._mark_border(percept)
        changed = self._correct(percept, first)
        self._correct_diamonds(percept)
        return changed and not first

    def forget_guesses(self) -> None:
        """Make the guessed cells unknown again."""
        for cell in self.guesses:
            self.state.cells[cell] = UNKNOWN
        self.guesses.clear()
        rebuild_masks(self.state)

    def _make_room(self, rows: int) -> None:
        """Enlarge the arrays to this many rows."""
        old = self.state
        grown = empty_state(int(old.info[WIDTH]), rows)
        grown.cells[:] = UNKNOWN
        grown.cells[: len(old.cells)] = old.cells
        grown.details[: len(old.details)] = old.details
        grown.info[:] = old.info
        grown.info[HEIGHT] = rows
        rebuild_masks(grown)
        self.state = grown

    # ---------------------------------------------------------------- correction

    def _mark_border(self, percept: Percept) -> None:
        """The mine ends where the view is clipped."""
        grid = self.state.cells.reshape(-1, STRIDE)
        left, top, width, height = percept.window
        if left + width <= percept.x + percept.view_x:
            grid[:, left + width :] = BORDER
        if top + height <= percept.y + percept.view_y:
            grid[top + height :] = BORDER

    def _correct(self, percept: Percept, first: bool) -> bool:
        """Write the view into the belief; return whether anything but headings was different."""
        state = self.state
        left, top, width, height = percept.window
        window = (slice(top, top + height), slice(left, left + width))
        cells = state.cells.reshape(-1, STRIDE)[window]
        details = state.details.reshape(-1, STRIDE)[window]
        seen, seen_details = self.visible.cells, percept.property_grid()
        place = cell_at(percept.y, percept.x)
        in_blast = (cells == BLAST) & (seen == EMPTY)  # blasts are seen as empty
        wrong = (cells != seen) & ~in_blast
        wrong_details = (details != seen_details) & ~in_blast & (seen >= DIAMOND)
        changed = bool(wrong.any()) or place != state.info[MINER_CELL]
        is_amoeba = (cells == AMOEBA) | (seen == AMOEBA)
        self.only_amoeba_differs = place == state.info[MINER_CELL] and not bool((wrong & ~is_amoeba).any())
        if not first and bool((wrong & (cells != UNKNOWN)).any()):
            self.surprises += 1
        if changed or bool(wrong_details.any()):
            cells[~in_blast] = seen[~in_blast]
            details[~in_blast] = seen_details[~in_blast]
            old_place = int(state.info[MINER_CELL])
            if old_place >= 0 and old_place != place and state.cells[old_place] == MINER:
                state.cells[old_place] = EMPTY
            state.info[MINER_CELL] = place
            rebuild_masks(state)
            state.masks[AWAKE, :] |= ALL_COLUMNS
        return changed

    def _correct_diamonds(self, percept: Percept) -> None:
        """Make the number of gathered diamonds agree with whether the exit is open."""
        info = self.state.info
        if percept.can_exit and info[GATHERED] < info[NEEDED]:
            info[GATHERED] = info[NEEDED]
        elif not percept.can_exit and info[GATHERED] >= info[NEEDED]:
            info[GATHERED] = info[NEEDED] - 1

    # ---------------------------------------------------------------- monsters that leave the view

    def _move_on(self, action: int, visible: VisiblePart) -> None:
        """Advance the belief by one tick; follow monsters that should be in view and are not."""
        cells_before, details_before = self.state.cells.copy(), self.state.details.copy()
        tick(self.briefing.rules, self.state, action)
        self.state.info[STATUS] = RUNNING
        cells = self.state.cells
        expected = np.flatnonzero(monsters_in(cells)).tolist()
        missing = [
            cell for cell in expected if visible.contains(cell) and visible.code_at(cell) != cells[cell]
        ]
        rows, columns = np.nonzero(monsters_in(visible.cells))
        in_view = [
            cell_at(int(row) + visible.top, int(column) + visible.left)
            for row, column in zip(rows, columns, strict=True)
        ]
        unexpected = [cell for cell in in_view if visible.code_at(cell) != cells[cell]]
        self.quiet_ticks = 0 if missing or unexpected else self.quiet_ticks + 1
        for cell in missing:
            self._follow(cell, cells_before, details_before, visible, unexpected)
        for cell in unexpected:
            self._remove_hidden_twin(cell, visible, expected)

    def _follow(
        self,
        cell: int,
        cells_before: Bytes,
        details_before: Bytes,
        visible: VisiblePart,
        unexpected: list[int],
    ) -> None:
        """Find the monster that was expected in this cell: among the unexpected ones, or else out of view."""
        cells, details = self.state.cells, self.state.details
        code, expected_heading = int(cells[cell]), int(details[cell])
        origin = cell - HEADING_STEPS[expected_heading]
        if cells_before[origin] != code:
            origin = cell
        if visible.contains(origin) and not self.visible.contains(origin):
            return  # it was never there
        heading = int(details_before[origin])
        headings = [turned(heading, turn) for turn in LIKELY_TURNS]
        choices = [(origin + HEADING_STEPS[each], each) for each in headings]
        for other, _ in choices:
            if other in unexpected and visible.code_at(other) == code:
                unexpected.remove(other)
                return
        if not visible.contains(origin):  # it was expected back, so it went farther
            back = turned(expected_heading, TURN_BACK)
            while cells[origin] == EMPTY and not visible.contains(origin):
                origin += HEADING_STEPS[back]
            choices = [(origin, back)]
        for other, new_heading in choices:
            if not visible.contains(other) and (cells[other] == UNKNOWN or cells[other] == EMPTY):
                if cells[other] == UNKNOWN:
                    self.guesses.add(other)
                cells[other], details[other] = code, new_heading
                return

    def _remove_hidden_twin(self, cell: int, visible: VisiblePart, expected: list[int]) -> None:
        """Identify an unexpected monster with one that is believed nearby and out of view, which is removed."""
        cells = self.state.cells
        code = visible.code_at(cell)
        distances = [
            (abs(column_of(other) - column_of(cell)) + abs(row_of(other) - row_of(cell)), other)
            for other in expected
            if not visible.contains(other) and cells[other] == code
        ]
        if distances and min(distances)[0] <= FARTHEST_ASTRAY:
            cells[min(distances)[1]] = EMPTY
