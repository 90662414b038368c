"""The board in text and as a picture."""

from __future__ import annotations

from ludion.games.connect_four.notation import signs
from ludion.games.connect_four.rules import DropGame, Stones
from ludion.svg import Picture


def text(game: DropGame, position: Stones) -> str:
    """Rows from the top, columns numbered below."""
    rows = [" ".join(line) for line in signs(game, position)]
    return "\n".join([*rows, " ".join(str(column + 1) for column in range(game.columns))])


def winning_cells(game: DropGame, position: Stones) -> int:
    """The cells of the lines that the last move made."""
    other = position.own ^ position.mask
    cells = 0
    for step in (1, game.stride, game.stride - 1, game.stride + 1):
        run = other
        for i in range(1, game.align):
            run &= other >> i * step
        for i in range(game.align):
            cells |= run << i * step
    return cells


def svg(game: DropGame, position: Stones) -> str:
    """The board as SVG."""
    width, height = game.columns * 100 + 20, game.rows * 100 + 70
    turn = "o" if position.mask.bit_count() & 1 else "x"
    picture = Picture(width, height, f"Connect 4, {turn} to move", text(game, position))
    picture.grid(game.columns, game.rows, 10)
    picture.turn(position.mask.bit_count() & 1)
    picture.rect(0, 0, width, height, fill="paper")
    picture.rect(5, 5, game.columns * 100 + 10, game.rows * 100 + 10, rx=22, fill="blue")
    winning = winning_cells(game, position)
    for r, line in enumerate(signs(game, position)):
        for c, sign in enumerate(line):
            x, y = 60 + c * 100, 60 + r * 100
            fill = {"x": "yellow", "o": "red"}.get(sign, "paper")
            # A stone's column, and its row from the ground.
            stone = None if sign == "." else f"{c + 1} {game.rows - r}"
            picture.circle(x, y, 40, fill=fill, stroke="line", stroke_width=3, data_stone=stone)
            if sign == "x":  # a ring, so that the sides differ by more than their colour
                ring = f"M{x - 25} {y}a25 25 0 1 0 50 0a25 25 0 1 0 -50 0"
                picture.add("path", d=ring, fill="none", stroke="ink", stroke_width=4, stroke_opacity=0.45)
            if winning >> c * game.stride + game.rows - 1 - r & 1:
                picture.circle(x, y, 16, fill="paper")
    for column in range(game.columns):
        picture.text(60 + column * 100, height - 26, str(column + 1), 34, fill="soft")
    return str(picture)
