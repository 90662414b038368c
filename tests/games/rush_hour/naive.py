"""Rush Hour on dictionaries of cells: slow, short, and independent of the real rules."""

from __future__ import annotations

import random
from collections import deque

Board = dict[str, frozenset[tuple[int, int]]]  # vehicle -> (row, column) of its cells; "x": walls


def read(text: str) -> tuple[Board, int, int]:
    size, _, cells = text.rpartition(":")
    width, height = map(int, size.split("x")) if size else (6, 6)
    board: dict[str, set[tuple[int, int]]] = {"x": set()}
    for index, name in enumerate(cells):
        if name not in ".o":
            board.setdefault(name, set()).add(divmod(index, width))
    return {name: frozenset(body) for name, body in board.items()}, width, height


def successors(board: Board, width: int, height: int, by_step: bool) -> dict[str, Board]:
    """What each move, by name, leads to."""
    children = {}
    for name, body in board.items():
        if name == "x":
            continue
        others = {cell for other, cells in board.items() if other != name for cell in cells}
        in_row = len({row for row, _ in body}) == 1
        for sign in (-1, 1):
            for distance in range(1, 2 if by_step else 16):
                far = sign * distance
                moved = frozenset(
                    (row, column + far) if in_row else (row + far, column) for row, column in body
                )
                inside = all(0 <= row < height and 0 <= column < width for row, column in moved)
                if not inside or moved & others:
                    break
                children[f"{name}{far:+d}"] = {**board, name: moved}
    return children


def solved(board: Board, width: int, exit_left: bool) -> bool:
    return any(column == (0 if exit_left else width - 1) for _, column in board["A"])


def frozen(board: Board) -> frozenset[tuple[str, frozenset[tuple[int, int]]]]:
    return frozenset(board.items())


def component(text: str, by_step: bool, exit_left: bool = False) -> tuple[int | None, int]:
    """The length of a shortest solution, and how many positions can be reached."""
    board, width, height = read(text)
    seen, queue, length = {frozen(board)}, deque([(board, 0)]), None
    while queue:
        here, depth = queue.popleft()
        if length is None and solved(here, width, exit_left):
            length = depth
        for child in successors(here, width, height, by_step).values():
            if frozen(child) not in seen:
                seen.add(frozen(child))
                queue.append((child, depth + 1))
    return length, len(seen)


def random_board(seed: int, width: int, height: int, vehicles: int, walls: int = 0) -> str:
    """Vehicles of lengths 2 to 4 at random."""
    chance = random.Random(seed)
    board = ["."] * (width * height)
    names = iter("BCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz0123456789")
    row, column = chance.randrange(height), chance.randrange(width - 2)
    board[row * width + column] = board[row * width + column + 1] = "A"
    for _ in range(walls):
        cell = chance.randrange(len(board))
        board[cell] = "x" if board[cell] == "." else board[cell]
    for _ in range(vehicles):
        length, upright = chance.choice((2, 2, 3, 4)), chance.random() < 0.5
        top = chance.randrange(height - length + 1 if upright else height)
        left = chance.randrange(width if upright else width - length + 1)
        cells = [(top + i) * width + left if upright else top * width + left + i for i in range(length)]
        if all(board[cell] == "." for cell in cells):
            name = next(names)
            for cell in cells:
                board[cell] = name
    text = "".join(board)
    return text if (width, height) == (6, 6) else f"{width}x{height}:{text}"
