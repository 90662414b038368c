"""Both rule sets once more, written plainly over dictionaries of cells: the naive twins of the kernels."""

from __future__ import annotations

from ludion.core.words import mix, signed
from ludion.games.delirium.physics import RuleSet

EMPTY, DIRT, DIAMOND, STONE, SILVER, WALL, MAGIC, EXIT, MINER, SECOND = 0, 1, 2, 3, 4, 6, 7, 21, 22, 23
AMOEBA, BLUE, RED, GREEN, YELLOW, PURPLE, BLACK, BLAST = 30, 24, 25, 26, 27, 28, 29, 49
SLIME, ASIDE, UPRIGHT, ALL_WAYS, DOLL, SOFT = 51, 52, 53, 54, 56, 57
PRODUCTS = (EMPTY, DIAMOND, STONE, WALL, SILVER, BLUE, YELLOW)
SIGNS = {0: " ", 1: ".", 4: "W", 5: "W", 6: "w", 7: "M", 21: "X", 22: "P", 23: "P", 30: "a", 49: "*"} | {
    SLIME: "s",
    ASIDE: "x",
    UPRIGHT: "v",
    ALL_WAYS: "e",
    DOLL: "F",
    SOFT: "E",
}
DETAILED_SIGNS = {DIAMOND: "dD", STONE: "rR", BLUE: "BbCc", RED: "OoQq"}
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
            if under == PURPLE:
                self.cells[x, y + 1] = BLUE
            elif 24 <= under <= 29:
                self._explode((x, y + 1), self.cells[x, y])
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
                        if 24 <= product <= 29:
                            self.heading[here] = 0
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
                    self._explode((x, y), EMPTY)
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

    def _explode(self, middle: tuple[int, int], hitter: int) -> None:
        victim = self.cells[middle]
        product = {BLUE: DIAMOND, GREEN: STONE, BLACK: WALL}.get(victim, EMPTY)
        plus = victim == BLACK or (victim == YELLOW and hitter == STONE)
        if victim == YELLOW and plus:
            product = YELLOW
        size = 2 if victim == BLACK else 1
        for dy in range(-size, size + 1):
            for dx in range(-size, size + 1):
                place = (middle[0] + dx, middle[1] + dy)
                code = self.cells.get(place, 5)
                if code in SOLID or (plus and dx and dy):
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

    def __init__(
        self,
        rows: list[list[int]],
        need: int,
        rules: RuleSet,
        seed: int,
        details: dict[tuple[int, int], int] | None = None,
        slime_seed: int = 0x1E,
    ) -> None:
        self.cells = {(x, y): code for y, row in enumerate(rows) for x, code in enumerate(row)}
        self.width, self.height = len(rows[0]), len(rows)
        # Heading, falling, or 8 * ticks left of a blast + what it leaves.
        self.details = dict.fromkeys(self.cells, 0) | {(x, y): d for (y, x), d in (details or {}).items()}
        self.got, self.need, self.rules, self.seed = 0, need, rules, seed
        self.fate, self.ticks, self.magic = "running", 0, -1
        self.phase = "asleep"  # of the amoeba
        self.c64 = divmod(slime_seed, 256)
        self.cursed = False  # a doll was touched
        self.open_exits = {place for place, code in self.cells.items() if code == EXIT and need <= 0}

    def tick(self, action: int) -> str:
        self.ticks += 1
        self.moved: set[tuple[int, int]] = set()
        self.unready: set[tuple[int, int]] = set()  # new things that count from the next tick on
        self.room = False
        self.amoebas = 0
        cursed = self.cursed
        for y in range(self.height):
            for x in range(self.width):
                if self.cells[x, y] == EXIT and self.got >= self.need:
                    self.open_exits.add((x, y))
                if (x, y) in self.moved:
                    self.unready.discard((x, y))
                else:
                    self.visit((x, y), action, cursed)
        if self.phase == "growing":
            if self.amoebas > self.rules.largest_amoeba:
                self.phase = "too large"
            if not self.room:
                self.phase = "shut in"
        if self.magic > 0:
            if self.rules.magic_ends_amoeba:
                self.phase = "shut in"
            self.magic -= 1
        if self.fate not in ("running", "won"):
            heirs = [place for place, code in self.cells.items() if code == SECOND]
            if heirs:
                self.put(min(heirs, key=lambda place: (place[1], place[0])), MINER, 0)
                self.fate = "running"
        return self.fate

    def visit(self, here: tuple[int, int], action: int, cursed: bool) -> None:
        code = self.cells[here]
        if code in (STONE, DIAMOND):
            self.heavy(here, code)
        elif code in (MINER, SECOND):
            if cursed:
                if code == MINER:
                    self.die("blown up")
                self.explode(here, EMPTY)
            else:
                self.moved.add(here)
                self.miner(here, code, action)
        elif BLUE <= code <= BLACK:
            self.monster(here, code)
        elif code == AMOEBA:
            self.amoeba(here)
        elif code == BLAST:
            left, product = divmod(self.details[here], 8)
            if left > 1:
                self.details[here] -= 8
            else:
                self.put(here, PRODUCTS[product], 0)
            self.moved.add(here)
        elif code == SLIME:
            self.slime(here)
        elif code in (ASIDE, UPRIGHT, ALL_WAYS):
            self.wall(here, code)

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

    def miner(self, here: tuple[int, int], who: int, action: int) -> None:
        if action == 0:
            return
        x, y = here
        dx, dy = WAYS[(action - 1) % 4]
        target, beyond = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        code = self.cells[target]
        if code in (STONE, DIAMOND) and self.details[target]:
            return  # it falls
        if code == EXIT:
            if target not in self.open_exits:
                return
            self.fate = "won"
        elif code == STONE:
            if dy or self.cells[beyond] != EMPTY:
                return
            self.move(target, beyond, 0)
            self.unready.add(beyond)
        elif code == DIAMOND:
            self.got += 1
        elif code not in (EMPTY, DIRT):
            return
        if action > 4:
            self.put(target, EMPTY, 0)
        else:
            self.move(here, target, 0)

    def heavy(self, here: tuple[int, int], code: int) -> None:
        x, y = here
        below, falling = (x, y + 1), self.details[here]
        under = self.cells[below]
        if falling and under == MAGIC:
            self.magic = self.rules.magic_ticks if self.magic < 0 else self.magic
            self.put(here, EMPTY, 0)
            if self.magic and self.cells[x, y + 2] == EMPTY:
                self.put((x, y + 2), DIAMOND if code == STONE else STONE, 1)
                self.moved.add((x, y + 2))
        elif falling and under == PURPLE:
            self.cells[below] = BLUE
        elif falling and (under in (MINER, SECOND) or BLUE <= under <= BLACK):
            if under == MINER:
                self.die("crushed")
            self.explode(below, code)
        elif under == EMPTY:
            self.move(here, below, 1)
        else:
            if under == WALL or (under in (STONE, DIAMOND) and not self.details[below]):
                for side in (x - 1, x + 1):
                    if self.cells[side, y] == self.cells[side, y + 1] == EMPTY:
                        self.move(here, (side, y), 1)
                        return
            self.details[here] = 0

    def monster(self, here: tuple[int, int], code: int) -> None:
        x, y = here
        around = [(x + dx, y + dy) for dx, dy in WAYS]
        touched = [self.cells[place] for place in around if place not in self.unready]
        self.cursed |= DOLL in touched
        if {MINER, SECOND, AMOEBA, DOLL} & set(touched):
            if MINER in touched:
                self.die("caught")
            self.explode(here, EMPTY)
            return
        turn, heading = (-1 if code == BLUE else 1), self.details[here]
        for way in ((heading + turn) % 4, heading):
            if self.cells[around[way]] == EMPTY:
                self.move(here, around[way], way)
                return
        self.details[here] = (heading - turn) % 4

    def amoeba(self, here: tuple[int, int]) -> None:
        self.amoebas += 1
        if self.phase in ("too large", "shut in"):
            self.put(here, STONE if self.phase == "too large" else DIAMOND, 0)
            return
        around = [(here[0] + dx, here[1] + dy) for dx, dy in WAYS]
        if not any(self.cells[place] in ROOM for place in around):
            return
        self.room, self.phase = True, "growing"
        late = self.ticks >= self.rules.late_ticks
        if self.chance(1000) < (self.rules.late_growth if late else self.rules.growth):
            target = around[self.chance(4)]
            if self.cells[target] in ROOM:
                self.put(target, AMOEBA, 0)
                self.moved.add(target)
                self.unready.add(target)

    def slime(self, here: tuple[int, int]) -> None:
        if self.rules.slime_chance >= 0:
            works = self.chance(1000) < self.rules.slime_chance
        else:
            works = self.c64_number() & self.rules.slime_bits == 0
        above, below = (here[0], here[1] - 1), (here[0], here[1] + 1)
        code = self.cells[above]
        lies = code in (STONE, DIAMOND) and not self.details[above] and above not in self.unready
        if works and lies and self.cells[below] == EMPTY:
            self.put(above, EMPTY, 0)
            self.put(below, code, 1)
            self.moved.add(below)

    def c64_number(self) -> int:
        """As in GDash, which has it from the C64."""
        one, two = self.c64
        low, half = (one & 1) << 7, two >> 1
        total = two + ((two & 1) << 7)
        carry, total = total >> 8, total & 255
        total += carry + 0x13
        carry, two = total >> 8, total & 255
        total = one + carry + low
        carry, total = total >> 8, total & 255
        self.c64 = ((total + carry + half) & 255, two)
        return self.c64[0]

    def wall(self, here: tuple[int, int], code: int) -> None:
        right, up, left, down = [(here[0] + dx, here[1] + dy) for dx, dy in WAYS]
        ways = {ASIDE: [left, right], UPRIGHT: [up, down], ALL_WAYS: [left, right, up, down]}[code]
        free = [place for place in ways if self.cells[place] == EMPTY]
        for place in free if code == ALL_WAYS else free[:1]:
            self.put(place, code, 0)
            self.moved.add(place)

    def explode(self, middle: tuple[int, int], hitter: int) -> None:
        code = self.cells[middle]
        plus = code == BLACK or (code == YELLOW and hitter == STONE)
        product = {BLUE: DIAMOND, GREEN: STONE, BLACK: WALL, YELLOW: YELLOW if plus else EMPTY}.get(
            code, EMPTY
        )
        size = 2 if code == BLACK else 1
        for dy in range(-size, size + 1):
            for dx in range(-size, size + 1):
                place = (middle[0] + dx, middle[1] + dy)
                if (plus and dx and dy) or self.cells.get(place, 5) in SOLID:
                    continue
                if self.cells[place] == MINER:
                    self.die("blown up")
                self.put(place, BLAST, self.rules.blast_ticks * 8 + PRODUCTS.index(product))
                self.moved.add(place)

    def rows(self) -> list[list[int]]:
        return [[self.cells[x, y] for x in range(self.width)] for y in range(self.height)]

    def frame(self) -> str:
        """The cave in BDCFF letters, `*` for blasts, rows joined by `/`."""
        signs = {
            place: SIGNS[code] if code in SIGNS else DETAILED_SIGNS[code][self.details[place]]
            for place, code in self.cells.items()
        }
        return "/".join("".join(signs[x, y] for x in range(self.width)) for y in range(self.height))
