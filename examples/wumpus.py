"""The Wumpus world: find the gold in a cave of pits and bring it out; a breeze is felt next to a pit, a
stench next to the Wumpus. A quest of your own, and an agent that enters only rooms it has proved to be safe.

    ludion run examples/wumpus.py 4x4 --games 100
"""

from dataclasses import dataclass, field
from random import Random

import ludion
from ludion.kinds.quest import LOST, RUNNING, WON, IllegalActionError, act, outcome, percept
from ludion.logic.cnf import Formula
from ludion.logic.sat import Prover


@dataclass
class Cave:
    size: int
    pits: set
    wumpus: tuple
    gold: tuple
    here: tuple = (0, 0)
    carried: bool = False
    status: str = RUNNING
    visited: set = field(default_factory=lambda: {(0, 0)})


@dataclass
class Senses:
    size: int
    here: tuple
    breeze: bool
    stench: bool
    carried: bool  # gold is picked up where it lies


def around(room, size):
    x, y = room
    return [
        (a, b) for a, b in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)) if 0 <= a < size and 0 <= b < size
    ]


def dig(text, seed="0"):
    """A random cave: one Wumpus, gold, and a pit in every fifth room; never in the room where one comes
    in."""
    size, again = (text.split("x") + [""])[:2]
    if size != again or not size.isdigit() or not 2 <= int(size) <= 20:
        raise ludion.NotationError(f"'{text}' is not a cave: 4x4 up to 20x20")
    chance, size = Random(int(seed)), int(size)
    rooms = [(x, y) for x in range(size) for y in range(size)][1:]
    wumpus, gold = chance.choice(rooms), chance.choice(rooms)
    return None, Cave(size, {room for room in rooms if room != gold and chance.random() < 0.2}, wumpus, gold)


@percept.register(Cave)
def _(cave):
    near = around(cave.here, cave.size)
    return Senses(
        cave.size, cave.here, any(room in cave.pits for room in near), cave.wumpus in near, cave.carried
    )


@act.register(Cave)
def _(cave, action):
    if action == "leave" and cave.here == (0, 0):
        cave.status = WON if cave.carried else LOST
    elif action in around(cave.here, cave.size):
        cave.here = action
        cave.visited.add(action)
        cave.carried |= action == cave.gold
        cave.status = LOST if action in cave.pits or action == cave.wumpus else RUNNING
    else:
        raise IllegalActionError(f"there is no way to {action} from {cave.here}")
    return cave


@outcome.register(Cave)
def _(cave):
    return cave.status


@dataclass
class Explorer:
    """Enters only rooms proved safe; leaves with the gold, or when nothing more can be proved."""

    known: Formula = field(default_factory=Formula)
    seen: set = field(default_factory=set)
    safe: set = field(default_factory=set)

    def decide(self, senses):
        pit, wumpus = (
            (lambda room: self.known.variable(("pit", room))),
            (lambda room: self.known.variable(("wumpus", room))),
        )
        if not self.seen:
            self.prover = Prover(self.known)
            self.safe.add(senses.here)
            self.known.at_most(1, [wumpus((x, y)) for x in range(senses.size) for y in range(senses.size)])
        if senses.here not in self.seen:
            self.seen.add(senses.here)
            near = around(senses.here, senses.size)
            self.known.add([-pit(senses.here)])
            self.known.add([-wumpus(senses.here)])
            for felt, danger in ((senses.breeze, pit), (senses.stench, wumpus)):
                for clause in (
                    [[danger(room) for room in near]] if felt else [[-danger(room)] for room in near]
                ):
                    self.known.add(clause)
            border = {room for each in self.seen for room in around(each, senses.size)} - self.safe
            self.safe |= {
                room for room in border if all(self.prover.proves(-danger(room)) for danger in (pit, wumpus))
            }
        targets = {(0, 0)} if senses.carried else self.safe - self.seen or {(0, 0)}
        return self.step(senses, targets) if senses.here not in targets else "leave"

    def step(self, senses, targets):
        """The first step of a shortest way through safe rooms."""
        first, reach = {senses.here: None}, [senses.here]
        for room in reach:
            if room in targets:
                return first[room]
            for other in around(room, senses.size):
                if other in self.safe and other not in first:
                    first[other] = first[room] or other
                    reach.append(other)


PIECES = {
    "@": ludion.Piece("you", "green", "@"),
    "b": ludion.Piece("breeze", "blue", "~", shape="plain"),
    "s": ludion.Piece("stench", "brown", "!", shape="plain"),
    "t": ludion.Piece("breeze and stench", "purple", "~!", shape="plain"),
    "?": ludion.Piece("unknown", "hidden", shape="block"),
    "G": ludion.Piece("gold", "yellow", "G"),
    "O": ludion.Piece("pit", "black"),
    "W": ludion.Piece("Wumpus", "red", "W"),
}


def draw(rules, cave):
    """What was felt where one has been; at the end, everything."""

    def sign(room):
        if room == cave.here:
            return "@"
        if cave.status != RUNNING:
            return {cave.gold: "G", **dict.fromkeys(cave.pits, "O"), cave.wumpus: "W"}.get(room, ".")
        near = around(room, cave.size)
        felt = (any(other in cave.pits for other in near), cave.wumpus in near)
        signs = {(False, False): ".", (True, False): "b", (False, True): "s", (True, True): "t"}
        return signs[felt] if room in cave.visited else "?"

    size = range(cave.size)
    return ludion.Board(["".join(sign((x, y)) for x in size) for y in size], PIECES)


def number(rules, cave, action):
    """The room of a step as the number of its cell; leaving leads over no cell."""
    return () if action == "leave" else action[0] + action[1] * cave.size


def actions(rules, cave):
    return [*around(cave.here, cave.size), *(["leave"] if cave.here == (0, 0) else [])]


GAME = ludion.Quest(
    name="wumpus",
    title="Wumpus world",
    summary="bring the gold out of a cave of pits, with breeze and stench for clues",
    read=dig,
    write=lambda rules, cave: f"{cave.size}x{cave.size}",
    start="4x4",
    board=draw,
    move_cells=number,
    actions=actions,
    options=(ludion.Setting("seed", "which cave", "0"),),
    agents={"best": ludion.AgentMaker(lambda rules: Explorer(), "enters only rooms proved safe")},
)
