"""A second, slow implementation of the rules of Hive from the rule sheets: dictionaries, floods, paths."""

from __future__ import annotations

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
BUGS = {"Q": 1, "S": 2, "B": 2, "G": 3, "A": 3, "M": 1, "L": 1, "P": 1}


def neighbours(cell):
    return [(cell[0] + x, cell[1] + y) for x, y in DIRECTIONS]


class Naive:
    """A position: stacks of names by cell. A move is (piece, cell), or None for a pass."""

    def __init__(self, expansions=""):
        self.bugs = [bug for bug in BUGS if bug in "QSBGA" + expansions]
        self.stacks = {}
        self.ply = 0
        self.last = None

    def names(self, colour, bug):
        return [f"{colour}{bug}{n + 1}" if BUGS[bug] > 1 else colour + bug for n in range(BUGS[bug])]

    def place_of(self, piece):
        return next((cell for cell, pile in self.stacks.items() if piece in pile), None)

    def play(self, move):
        self.ply += 1
        self.last = move and move[0]
        if move:
            piece, target = move
            origin = self.place_of(piece)
            if origin is not None:
                self.stacks[origin].pop()
                if not self.stacks[origin]:
                    del self.stacks[origin]
            self.stacks.setdefault(target, []).append(piece)

    def lost(self, colour):
        cell = self.place_of(colour + "Q")
        return cell is not None and all(near in self.stacks for near in neighbours(cell))

    def over(self):
        return self.lost("w") or self.lost("b")

    def height(self, cell):
        return len(self.stacks.get(cell, ()))

    def beside(self, one, two):
        return [cell for cell in neighbours(one) if cell in neighbours(two)]

    def connected_without(self, cell):
        cells = set(self.stacks) - {cell}
        if not cells:
            return True
        waiting = [cells.pop()]
        while waiting:
            for near in neighbours(waiting.pop()):
                if near in cells:
                    cells.remove(near)
                    waiting.append(near)
        return not cells

    # ---- single steps, with the mover lifted

    def slides(self, cell):
        return [
            near
            for near in neighbours(cell)
            if near not in self.stacks and sum(side in self.stacks for side in self.beside(cell, near)) == 1
        ]

    def may_climb(self, one, two):
        level = max(self.height(one), self.height(two))
        return not all(self.height(side) > level for side in self.beside(one, two))

    def walks(self, bug, cell):
        """Where a bug lifted from the ground of this cell can go."""
        if bug in "QP":
            return set(self.slides(cell))
        if bug == "A":
            reached, waiting = {cell}, [cell]
            while waiting:
                for near in self.slides(waiting.pop()):
                    if near not in reached:
                        reached.add(near)
                        waiting.append(near)
            return reached - {cell}
        if bug == "S":
            paths = [[cell]]
            for _ in range(3):
                paths = [
                    [*path, near] for path in paths for near in self.slides(path[-1]) if near not in path
                ]
            return {path[-1] for path in paths}
        if bug == "G":
            ends = set()
            for x, y in DIRECTIONS:
                end = (cell[0] + x, cell[1] + y)
                if end in self.stacks:
                    while end in self.stacks:
                        end = (end[0] + x, end[1] + y)
                    ends.add(end)
            return ends
        if bug == "B":
            up = [near for near in neighbours(cell) if near in self.stacks and self.may_climb(cell, near)]
            return {*up, *self.slides(cell)}
        assert bug == "L"
        ends = [cell]
        for _ in range(2):
            ends = [n for end in ends for n in neighbours(end) if n in self.stacks and self.may_climb(end, n)]
        return {n for e in ends for n in neighbours(e) if n not in self.stacks and self.may_climb(e, n)} - {
            cell
        }

    def copied(self, cell):
        return {self.stacks[near][-1][1] for near in neighbours(cell) if near in self.stacks} - {"M"}

    def moves(self):
        colour = "wb"[self.ply % 2]
        moves = set()
        in_hand = [
            [name for name in self.names(colour, bug) if self.place_of(name) is None] for bug in self.bugs
        ]
        queen_in = self.place_of(colour + "Q") is not None
        for names in in_hand:
            if not names or (self.ply < 2 and names[0][1] == "Q"):
                continue
            if self.ply >= 6 and not queen_in and names[0][1] != "Q":
                continue
            if self.ply == 0:
                moves.add((names[0], (0, 0)))
            for cell in {near for pile in self.stacks for near in neighbours(pile)} - set(self.stacks):
                tops = {self.stacks[near][-1][0] for near in neighbours(cell) if near in self.stacks}
                if tops == {colour} or self.ply == 1:
                    moves.add((names[0], cell))
        if queen_in:
            for cell in list(self.stacks):
                moves |= self.moves_from(cell, colour)
        return moves or {None}

    def moves_from(self, cell, colour):
        pile = self.stacks[cell]
        piece = pile[-1]
        moves = set()
        if piece == self.last or (len(pile) == 1 and not self.connected_without(cell)):
            return moves
        if piece[0] == colour:
            pile.pop()
            if not pile:
                del self.stacks[cell]
            if pile:
                moves |= {(piece, near) for near in neighbours(cell) if self.may_climb(cell, near)}
            else:
                for bug in self.copied(cell) if piece[1] == "M" else {piece[1]}:
                    moves |= {(piece, end) for end in self.walks(bug, cell)}
            self.stacks.setdefault(cell, pile).append(piece)
        if len(pile) == 1:
            for near in neighbours(cell):
                thrower = self.stacks.get(near, [""])[-1]
                if len(self.stacks.get(near, ())) == 1 and thrower[0] == colour and thrower != self.last:
                    if thrower[1] == "P" or (thrower[1] == "M" and "P" in self.copied(near)):
                        del self.stacks[cell]
                        if self.may_climb(cell, near):
                            moves |= {
                                (piece, end)
                                for end in neighbours(near)
                                if end not in self.stacks and end != cell and self.may_climb(near, end)
                            }
                        self.stacks[cell] = pile
        return moves
