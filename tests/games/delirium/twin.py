"""The delirium rules once more, written plainly over a dictionary of cells: the naive twin of the kernels."""

from __future__ import annotations

EMPTY, DIRT, DIAMOND, STONE, WALL, MAGIC, EXIT, MINER = 0, 1, 2, 3, 6, 7, 21, 22
SOLID = (4, 5)
SLIPPERY = (DIAMOND, STONE, WALL, MAGIC)
WAYS = ((1, 0), (0, -1), (-1, 0), (0, 1))


class Twin:
    """A mine without amoeba and magic walls, ticked over in full."""

    def __init__(self, rows: list[list[int]], need: int, blast: int = 3) -> None:
        self.cells = {(x, y): code for y, row in enumerate(rows) for x, code in enumerate(row)}
        self.width, self.height = len(rows[0]), len(rows)
        self.heading = {place: 0 for place, code in self.cells.items() if 24 <= code <= 29}
        self.place = next(place for place, code in self.cells.items() if code == MINER)
        self.falling: set[tuple[int, int]] = set()
        self.blasts: dict[tuple[int, int], tuple[int, int]] = {}
        self.got, self.need, self.blast, self.fate = 0, need, blast, "running"

    def tick(self, action: int) -> str:
        before = dict(self.cells)
        closed = set(self.blasts)
        fixed: set[tuple[int, int]] = set()  # stones that were pushed

        def free(place: tuple[int, int]) -> bool:
            return before[place] == EMPTY and self.cells[place] == EMPTY and place not in closed

        self.fresh: set[tuple[int, int]] = set()
        self._miner(action, fixed, free)
        fell: set[tuple[int, int]] = set()
        moved: set[tuple[int, int]] = set()
        for y in range(self.height - 2, -1, -1):
            for x in range(self.width):
                here = (x, y)
                code = self.cells[here]
                if code not in (STONE, DIAMOND) or here in moved or here in fixed:
                    continue
                below = (x, y + 1)
                goal = None
                if free(below):
                    goal = below
                    fell.add(below)
                elif before[below] in SLIPPERY:
                    for side in (-1, 1):
                        if goal is None and free((x + side, y)) and free((x + side, y + 1)):
                            goal = (x + side, y)
                if goal is not None:
                    self.cells[here], self.cells[goal] = EMPTY, code
                    moved.add(goal)
        self._monsters(free)
        for x, y in sorted(moved, key=lambda place: (place[1], place[0])):
            if self.cells[x, y] not in (STONE, DIAMOND):
                continue
            under = self.cells[x, y + 1]
            if 24 <= under <= 29:
                self._explode((x, y + 1))
            elif under == MINER and (x, y) in fell and self.fate == "running":
                self.fate = "crushed"
        for place, (left, product) in list(self.blasts.items()):
            if place not in closed or place in self.fresh:
                continue
            if left == 1:
                del self.blasts[place]
                self.cells[place] = product
            else:
                self.blasts[place] = (left - 1, product)
        for x, y in self.heading:
            if self.fate == "running" and any((x + dx, y + dy) == self.place for dx, dy in WAYS):
                self.fate = "caught"
        return self.fate

    def _miner(self, action: int, fixed: set[tuple[int, int]], free: object) -> None:
        if action == 0:
            return
        dx, dy = WAYS[(action - 1) % 4]
        target = (self.place[0] + dx, self.place[1] + dy)
        code = self.cells[target]
        if target in self.blasts:
            return
        if action > 4:
            if code in (DIRT, DIAMOND):
                self.got += code == DIAMOND
                self.cells[target] = EMPTY
            return
        if code == EXIT and self.got >= self.need:
            self.fate = "won"
        elif code == STONE and action != 4:
            last = target
            while self.cells[last] == STONE:
                last = (last[0] + dx, last[1] + dy)
            if self.cells[last] != EMPTY or last in self.blasts:
                return
            while last != target:
                self.cells[last] = STONE
                fixed.add(last)
                last = (last[0] - dx, last[1] - dy)
        elif code == DIAMOND:
            self.got += 1
        elif code not in (EMPTY, DIRT):
            return
        self.cells[self.place], self.cells[target] = EMPTY, MINER
        self.place = target

    def _monsters(self, free: object) -> None:
        for here in sorted(self.heading, key=lambda place: (place[1], place[0])):
            for turn in (1, 0, 3, 2):
                way = (self.heading[here] + turn) % 4
                goal = (here[0] + WAYS[way][0], here[1] + WAYS[way][1])
                if free(goal):  # type: ignore[operator]
                    self.cells[goal], self.cells[here] = self.cells[here], EMPTY
                    del self.heading[here]
                    self.heading[goal] = way
                    break

    def _explode(self, middle: tuple[int, int]) -> None:
        product = {24: DIAMOND, 26: STONE}.get(self.cells[middle], EMPTY)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                place = (middle[0] + dx, middle[1] + dy)
                code = self.cells.get(place, 5)
                if code in SOLID:
                    continue
                if code == MINER and self.fate == "running":
                    self.fate = "blown up"
                self.heading.pop(place, None)
                self.cells[place] = EMPTY
                self.blasts[place] = (self.blast, product)
                self.fresh.add(place)

    def rows(self) -> list[list[int]]:
        return [[self.cells[x, y] for x in range(self.width)] for y in range(self.height)]
