"""Both rule sets once more, written plainly over dictionaries of cells: the naive twins of the kernels."""

from __future__ import annotations

from ludion.core.words import mix, signed
from ludion.games.delirium.physics import RuleSet

EMPTY, DIRT, DIAMOND, STONE, WALL, MAGIC, EXIT, MINER = 0, 1, 2, 3, 6, 7, 21, 22
AMOEBA, BLUE, GREEN, YELLOW, BLACK, BLAST = 30, 24, 26, 27, 29, 49
ROOM = (EMPTY, DIRT)
SOLID = (4, 5)
SLIPPERY = (DIAMOND, STONE, WALL, MAGIC)
WAYS = ((1, 0), (0, -1), (-1, 0), (0, 1))


def chance(seed: int, below: int) -> tuple[int, int]:
    """The next seed, and a number below the bound."""
    seed = signed(mix(seed, 0x2545F4914F6CDD1D))
    return seed, ((seed >> 20) & 0x3FFFFFFF) % below


class Twin:
    """A mine under the delirium rules, without magic walls, ticked over in full."""

    def __init__(self, rows: list[list[int]], need: int, rules: RuleSet, seed: int = 0) -> None:
        self.cells = {(x, y): code for y, row in enumerate(rows) for x, code in enumerate(row)}
        self.width, self.height = len(rows[0]), len(rows)
        self.heading = {place: 0 for place, code in self.cells.items() if 24 <= code <= 29}
        self.place = next(place for place, code in self.cells.items() if code == MINER)
        self.falling: set[tuple[int, int]] = set()
        self.blasts: dict[tuple[int, int], tuple[int, int]] = {}
        self.got, self.need, self.rules, self.fate = 0, need, rules, "running"
        self.seed, self.ticks, self.calm = seed, 0, 0

    def tick(self, action: int) -> str:
        self.ticks += 1
        before = dict(self.cells)
        closed = set(self.blasts)
        living = {place for place, code in before.items() if 24 <= code <= AMOEBA} | closed
        amoebas = list(before.values()).count(AMOEBA)
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
        room = False
        for y in range(self.height):
            for x in range(self.width):
                here = (x, y)
                if here not in living or here in self.fresh:
                    continue
                if here in self.blasts:
                    left, product = self.blasts.pop(here)
                    if left == 1:
                        self.cells[here] = product
                    else:
                        self.blasts[here] = (left - 1, product)
                elif self.cells[here] == AMOEBA:
                    room |= self._grow(here)
        if amoebas:
            self._turn_amoeba(room)
        for x, y in sorted(self.heading, key=lambda place: (place[1], place[0])):
            around = [(x + dx, y + dy) for dx, dy in WAYS]
            for beside in around if (x, y) in self.heading else ():
                if self.fate == "running" and beside == self.place:
                    self.fate = "caught"
                if self.cells[beside] == AMOEBA:
                    self._explode((x, y))
                    break
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

    def _grow(self, here: tuple[int, int]) -> bool:
        """Perhaps let the amoeba grow from here; whether it has room."""
        around = [(here[0] + dx, here[1] + dy) for dx, dy in WAYS]
        fit = [place for place in around if self.cells[place] in ROOM and place not in self.blasts]
        if fit:
            self.seed, number = chance(self.seed, 1000)
            if number < (self.rules.growth if self.ticks < self.rules.late_ticks else self.rules.late_growth):
                self.seed, side = chance(self.seed, 4)
                if around[side] in fit:
                    self.cells[around[side]] = AMOEBA
        return bool(fit)

    def _turn_amoeba(self, room: bool) -> None:
        self.calm = 0 if room else self.calm + 1
        cells = [place for place, code in self.cells.items() if code == AMOEBA]
        if len(cells) > self.rules.largest_amoeba or self.calm > self.rules.shut_ticks:
            small = len(cells) <= min(self.rules.largest_amoeba, self.rules.largest_diamond_amoeba)
            for place in cells:
                self.cells[place] = DIAMOND if small else STONE

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
                self.blasts[place] = (self.rules.blast_ticks, product)
                self.fresh.add(place)

    def rows(self) -> list[list[int]]:
        return [[self.cells[x, y] for x in range(self.width)] for y in range(self.height)]


class ClassicTwin:
    """The classic order of 1984: every cell from the top left, whatever is in it as it is met."""

    def __init__(self, rows: list[list[int]], need: int, rules: RuleSet, seed: int) -> None:
        self.cells = {(x, y): code for y, row in enumerate(rows) for x, code in enumerate(row)}
        self.width, self.height = len(rows[0]), len(rows)
        # Heading, falling, or 4 * ticks left of a blast + what it leaves.
        self.details = dict.fromkeys(self.cells, 0)
        self.place = next(place for place, code in self.cells.items() if code == MINER)
        self.got, self.need, self.rules, self.seed = 0, need, rules, seed
        self.fate, self.ticks, self.magic, self.calm = "running", 0, -1, 0

    def tick(self, action: int) -> str:
        self.ticks += 1
        self.moved: set[tuple[int, int]] = set()
        self.room = False
        amoebas = self.count(AMOEBA)
        for y in range(self.height):
            for x in range(self.width):
                if (x, y) not in self.moved:
                    self.visit((x, y), action)
        if amoebas:
            self.calm = 0 if self.room else self.calm + 1
            now = self.count(AMOEBA)
            if now > self.rules.largest_amoeba or self.calm > self.rules.shut_ticks:
                small = now <= min(self.rules.largest_amoeba, self.rules.largest_diamond_amoeba)
                for place in [place for place, code in self.cells.items() if code == AMOEBA]:
                    self.put(place, DIAMOND if small else STONE, 0)
        self.magic -= self.magic > 0
        return self.fate

    def visit(self, here: tuple[int, int], action: int) -> None:
        code = self.cells[here]
        if code in (STONE, DIAMOND):
            self.heavy(here, code)
        elif code == MINER and self.fate == "running":
            self.miner(action)
            self.moved.add(self.place)
        elif BLUE <= code <= BLACK:
            self.monster(here, code)
        elif code == AMOEBA:
            self.grow(here)
        elif code == BLAST:
            left, product = divmod(self.details[here], 4)
            if left > 1:
                self.details[here] -= 4
            else:
                self.put(here, (EMPTY, DIAMOND, STONE, WALL)[product], 0)
            self.moved.add(here)

    def count(self, code: int) -> int:
        return list(self.cells.values()).count(code)

    def put(self, place: tuple[int, int], code: int, detail: int) -> None:
        self.cells[place], self.details[place] = code, detail

    def move(self, here: tuple[int, int], target: tuple[int, int], detail: int) -> None:
        self.put(target, self.cells[here], detail)
        self.put(here, EMPTY, 0)
        self.moved.add(target)

    def die(self, fate: str) -> None:
        if self.fate == "running":
            self.fate = fate

    def chance(self, below: int) -> int:
        self.seed, number = chance(self.seed, below)
        return number

    def miner(self, action: int) -> None:
        if action == 0:
            return
        x, y = self.place
        dx, dy = WAYS[(action - 1) % 4]
        target, beyond = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        code = self.cells[target]
        self.got += code == DIAMOND
        if action > 4:
            if code in (DIRT, DIAMOND):
                self.put(target, EMPTY, 0)
            return
        if code == EXIT:
            if self.got < self.need:
                return
            self.fate = "won"
        elif code == STONE:
            if dy or self.cells[beyond] != EMPTY:
                return
            self.move(target, beyond, 0)
        elif code not in (EMPTY, DIRT, DIAMOND):
            return
        self.move(self.place, target, 0)
        self.place = target

    def heavy(self, here: tuple[int, int], code: int) -> None:
        x, y = here
        below, falling = (x, y + 1), self.details[here]
        under = self.cells[below]
        if falling and under == MAGIC and self.magic:
            self.magic = self.rules.magic_ticks if self.magic < 0 else self.magic
            self.put(here, EMPTY, 0)
            if self.cells[x, y + 2] == EMPTY:
                self.put((x, y + 2), DIAMOND if code == STONE else STONE, 1)
                self.moved.add((x, y + 2))
        elif falling and (under == MINER or BLUE <= under <= BLACK):
            if under == MINER:
                self.die("crushed")
            self.explode(below)
        elif under == EMPTY:
            self.move(here, below, 1)
        else:
            if under in SLIPPERY and not (under in (STONE, DIAMOND) and self.details[below]):
                for side in (x - 1, x + 1):
                    if self.cells[side, y] == self.cells[side, y + 1] == EMPTY:
                        self.move(here, (side, y), 1)
                        return
            self.details[here] = 0

    def monster(self, here: tuple[int, int], code: int) -> None:
        x, y = here
        around = [(x + dx, y + dy) for dx, dy in WAYS]
        touched = [self.cells[place] for place in around]
        if MINER in touched or AMOEBA in touched:
            if MINER in touched:
                self.die("caught")
            self.explode(here)
            return
        turn, heading = (-1 if code == BLUE else 1), self.details[here]
        for way in ((heading + turn) % 4, heading):
            if self.cells[around[way]] == EMPTY:
                self.move(here, around[way], way)
                return
        self.details[here] = (heading - turn) % 4

    def grow(self, here: tuple[int, int]) -> None:
        around = [(here[0] + dx, here[1] + dy) for dx, dy in WAYS]
        if not any(self.cells[place] in ROOM for place in around):
            return
        self.room = True
        late = self.ticks >= self.rules.late_ticks
        if self.chance(1000) < (self.rules.late_growth if late else self.rules.growth):
            target = around[self.chance(4)]
            if self.cells[target] in ROOM:
                self.put(target, AMOEBA, 0)
                self.moved.add(target)

    def explode(self, middle: tuple[int, int]) -> None:
        code = self.cells[middle]
        product = {BLUE: 1, GREEN: 2, BLACK: 3}.get(code, 0)
        size = 2 if code == BLACK else 1
        for dy in range(-size, size + 1):
            for dx in range(-size, size + 1):
                place = (middle[0] + dx, middle[1] + dy)
                if (code in (YELLOW, BLACK) and dx and dy) or self.cells.get(place, 5) in SOLID:
                    continue
                if self.cells[place] == MINER:
                    self.die("blown up")
                self.put(place, BLAST, self.rules.blast_ticks * 4 + product)
                self.moved.add(place)

    def rows(self) -> list[list[int]]:
        return [[self.cells[x, y] for x in range(self.width)] for y in range(self.height)]
