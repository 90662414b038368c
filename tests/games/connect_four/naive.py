"""A naive twin of the solver: plain negamax on lists of stones, no bit tricks, no rules of thumb."""

from __future__ import annotations


def lines(columns: int, rows: int, align: int) -> list[tuple[tuple[int, int], ...]]:
    every_line = []
    for column in range(columns):
        for row in range(rows):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + i * dc, row + i * dr) for i in range(align)]
                if all(0 <= c < columns and 0 <= r < rows for c, r in cells):
                    every_line.append(tuple(cells))
    return every_line


class NaiveBoard:
    """Stones as a dictionary from cell to player."""

    def __init__(self, text: str, columns: int = 7, rows: int = 6, align: int = 4) -> None:
        self.columns, self.rows, self.align = columns, rows, align
        self.lines = lines(columns, rows, align)
        self.stones: dict[tuple[int, int], int] = {}
        self.heights = [0] * columns
        self.memory: dict[tuple[tuple[tuple[int, int], int], ...], int] = {}
        for sign in text:
            self.drop(int(sign) - 1)

    def drop(self, column: int) -> None:
        self.stones[column, self.heights[column]] = len(self.stones) % 2
        self.heights[column] += 1

    def lift(self, column: int) -> None:
        self.heights[column] -= 1
        del self.stones[column, self.heights[column]]

    def won(self) -> bool:
        """Whether who moved last has a line."""
        last = 1 - len(self.stones) % 2
        return any(all(self.stones.get(cell) == last for cell in line) for line in self.lines)

    def open_columns(self) -> list[int]:
        return [column for column in range(self.columns) if self.heights[column] < self.rows]

    def score(self) -> int:
        """Pons' score of an open position: 0 draw, k: the winner's k-th stone from the end decides."""
        key = tuple(sorted(self.stones.items()))
        if key in self.memory:
            return self.memory[key]
        left = self.columns * self.rows - len(self.stones)
        best = None
        for column in self.open_columns():
            self.drop(column)
            value = (left + 1) // 2 if self.won() else -self.score() if left > 1 else 0
            self.lift(column)
            best = value if best is None else max(best, value)
        assert best is not None
        self.memory[key] = best
        return best
