"""A board as data: cells with pieces, in rows. Text, picture, clicks and arrays for learners come from it.

    PIECES = {"x": Piece("cross", "red", "x", side=0), "o": Piece("nought", "blue", "o", side=1)}

    def board(rules, position):
        return Board(["x.o", ".x.", "..."], PIECES, turn=1)

A cell is named by its column and row, `a1` in the top left corner, unless the grid has names of its own. A description
with `board=board` and `move_cells=...` (the cells of a move) needs no drawing and no names of moves.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ludion.core.sources import user_line
from ludion.errors import GameFileError, in_short
from ludion.fields import TypedFields
from ludion.messages import message
from ludion.svg import Picture

if TYPE_CHECKING:
    import numpy as np

SQUARE, CENTRED, SLANTED = "square", "centred", "slanted"
DISC, BLOCK, PLAIN = "disc", "block", "plain"
NO_CELL = " "
UNIT, EDGE, MARGIN = 100, 10, 40  # of a picture: a cell, around the board, for the names of rows and columns
RADIUS = UNIT / math.sqrt(3)  # of a hexagon as wide as a cell


@dataclass(frozen=True)
class Piece(TypedFields):
    """A piece on a cell.

    name    in words, for screen readers
    colour  of the palette (red, blue, yellow, green, purple, brown, sea, land, white, black, ...) or of CSS
    label   one or two letters drawn on it
    shape   disc, block (fills the cell) or plain (only the label)
    side    the owner in a duel: 0 for the player who begins, 1 for the other, None for nobody
    """

    name: str
    colour: str = "ink"
    label: str = ""
    shape: str = DISC
    side: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("Piece.shape", self.shape, (DISC, BLOCK, PLAIN))
        check_choice("Piece.side", self.side, (None, 0, 1))


class BoardCell(NamedTuple):
    """A cell of a grid: its place, its name, and its sign."""

    row: int
    column: int
    name: str
    sign: str


@dataclass(frozen=True)
class Board(TypedFields):
    """A board: rows of signs, one for each cell.

    rows    from the top; a space is a place without a cell
    pieces  by their signs; any other sign is an empty cell
    form    square; centred: hexagons, each row centred above the next; slanted: hexagons, each row half a cell to the
            right of the one above
    names   the names of the cells, row by row, if they are not a1, b1, ...
    marks   colours of cells, by name: targets, the last move
    turn    whose turn it is in a duel: 0 or 1
    """

    rows: Sequence[str]
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    form: str = SQUARE
    names: Sequence[str] = ()
    marks: Mapping[str, str] = field(default_factory=dict)
    turn: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("Board.form", self.form, (SQUARE, CENTRED, SLANTED))
        check_choice("Board.turn", self.turn, (None, 0, 1))
        if not any(row.strip() for row in self.rows):
            raise GameFileError(message("boards.no_cells"))
        for sign in self.pieces:
            if len(sign) != 1 or sign == NO_CELL:
                raise GameFileError(message("boards.sign", sign=in_short(sign)))
        count = sum(sign != NO_CELL for row in self.rows for sign in row)
        if self.names and (len(self.names) != count or len(set(self.names)) != count):
            raise GameFileError(message("boards.names", n=count, given=len(set(self.names))))

    @property
    def width(self) -> int:
        """Cells of the longest row."""
        return max(map(len, self.rows))

    def cells(self) -> list[BoardCell]:
        """All cells, row by row."""
        names = iter(self.names)
        return [
            BoardCell(r, c, next(names) if self.names else f"{column_name(c)}{r + 1}", sign)
            for r, row in enumerate(self.rows)
            for c, sign in enumerate(row)
            if sign != NO_CELL
        ]

    def name(self, cell: object) -> str:
        """The name of a cell, given by its name or its number, row by row from 0."""
        cells = self.cells()
        if isinstance(cell, int) and 0 <= cell < len(cells):
            return cells[cell].name
        if isinstance(cell, str) and any(each.name == cell for each in cells):
            return cell
        raise GameFileError(message("boards.no_such_cell", cell=in_short(cell), last=cells[-1].name))

    def indent(self, row: int) -> int:
        """How far a row is shifted to the right, in halves of a cell."""
        if self.form == CENTRED:
            return self.width - len(self.rows[row])
        return row if self.form == SLANTED else 0

    # -------------------------------------------------------------- in text

    def text(self) -> str:
        """The rows, with the names of rows and columns where cells are named by them."""
        lines = [" " * self.indent(r) + " ".join(row).rstrip() for r, row in enumerate(self.rows)]
        if self.form != SQUARE or self.names:
            return "\n".join(lines)
        wide = len(str(len(lines)))
        numbered = [f"{r:>{wide}} {line}" for r, line in enumerate(lines, 1)]
        return "\n".join([*numbered, " " * (wide + 1) + " ".join(map(column_name, range(self.width)))])

    # -------------------------------------------------------------- as a picture

    def svg(self, title: str) -> str:
        """The board as an SVG picture, in which every cell can be pressed: `data-cell` is its name."""
        named = self.form == SQUARE and not self.names
        left = EDGE + (MARGIN if named else 0)
        down = UNIT if self.form == SQUARE else 1.5 * RADIUS
        halves = max(self.indent(r) + 2 * len(row) for r, row in enumerate(self.rows))
        width = left + halves * UNIT / 2 + EDGE
        tall = UNIT if self.form == SQUARE else 2 * RADIUS
        height = 2 * EDGE + down * (len(self.rows) - 1) + tall + (MARGIN if named else 0)
        picture = Picture(width, height, title, self.text())
        picture.root.set("data-columns", str(self.width))
        if self.turn is not None:
            picture.turn(self.turn)
        picture.rect(0, 0, width, height, fill="paper")
        for cell in self.cells():
            x = left + (self.indent(cell.row) + 2 * cell.column + 1) * UNIT / 2
            self._draw(picture, cell, x, EDGE + tall / 2 + down * cell.row)
        if named:
            for row in range(len(self.rows)):
                picture.text(EDGE + MARGIN / 2 - 4, EDGE + (row + 0.5) * UNIT, str(row + 1), 28, fill="soft")
            for column in range(self.width):
                x = left + (column + 0.5) * UNIT
                picture.text(x, height - EDGE - MARGIN / 2 + 4, column_name(column), 28, fill="soft")
        return str(picture)

    def _draw(self, picture: Picture, cell: BoardCell, x: float, y: float) -> None:
        piece = self.pieces.get(cell.sign)
        ground = self.marks.get(cell.name, "board")
        self._shape(picture, x, y, 1.0, fill=ground, stroke="line", stroke_width=2)
        if piece is not None and piece.shape == BLOCK:
            self._shape(picture, x, y, 0.94, fill=piece.colour, stroke="line", stroke_width=2)
        elif piece is not None and piece.shape == DISC:
            picture.circle(x, y, UNIT * 0.36, fill=piece.colour, stroke="ink", stroke_width=2)
        if piece is not None and piece.label:
            size = UNIT * (0.5 if len(piece.label) == 1 else 0.34)
            ink = piece.colour if piece.shape == PLAIN else "white"
            look = (
                {}
                if piece.shape == PLAIN
                else {"stroke": "black", "stroke_width": 5, "paint_order": "stroke"}
            )
            picture.text(x, y, piece.label, size, fill=ink, font_weight="bold", **look)
        words = piece.name if piece is not None else message("boards.empty")
        frame = self._shape(picture, x, y, 0.96, fill="none", pointer_events="all", data_cell=cell.name)
        frame.set("aria-label", f"{cell.name}: {words}")
        if piece is None:
            frame.set("data-empty", "")

    def _shape(self, picture: Picture, x: float, y: float, scale: float, **look: Any) -> Any:
        """A cell's outline, somewhat smaller or not."""
        if self.form == SQUARE:
            half = UNIT * scale / 2
            return picture.rect(x - half, y - half, 2 * half, 2 * half, **look)
        radius = RADIUS * scale
        turns = [math.pi * corner / 3 for corner in range(6)]
        return picture.polygon([(x + radius * math.sin(a), y - radius * math.cos(a)) for a in turns], **look)

    # -------------------------------------------------------------- for learners

    def array(self, viewer: int | None = None) -> np.ndarray:
        """The board as planes of 0 and 1: one for each piece, in order, and one for the turn if there is one.

        For a viewer (0 or 1) the planes of the viewer's own pieces come first, then the opponent's, then nobody's, and
        the last plane says whether it is the viewer's turn.
        """
        import numpy as np

        check_choice("viewer", viewer, (None, 0, 1))
        numbers = self.numbers()
        signs = list(self.pieces)
        if viewer is not None:
            order = {viewer: 0, 1 - viewer: 1, None: 2}
            signs.sort(key=lambda sign: order[self.pieces[sign].side])
        order_of_pieces = list(self.pieces)
        planes = [numbers == 1 + order_of_pieces.index(sign) for sign in signs]
        if self.turn is not None:
            planes.append(np.full_like(numbers, self.turn if viewer is None else self.turn == viewer))
        return np.array(planes, np.int8).reshape(len(planes), len(self.rows), self.width)

    def numbers(self) -> np.ndarray:
        """A number for each place: 0 for an empty cell, 1 for the first of the pieces, -1 where there is no cell."""
        import numpy as np

        number = {NO_CELL: -1} | {sign: index for index, sign in enumerate(self.pieces, 1)}
        return np.array(
            [[number.get(sign, 0) for sign in row.ljust(self.width)] for row in self.rows], np.int8
        )


def column_name(column: int) -> str:
    """a to z, then aa to zz."""
    letter = chr(ord("a") + column % 26)
    return letter if column < 26 else column_name(column // 26 - 1) + letter


def check_choice(name: str, value: object, choices: Sequence[object]) -> None:
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        allowed = ", ".join(map(str, choices))
        raise GameFileError(message("errors.field_type", name=name, wanted=allowed, value=in_short(value)))


# ------------------------------------------------------------------ what a description gets from it


@contextlib.contextmanager
def blaming(function: Callable[..., Any]) -> Iterator[None]:
    """Add a line of the user's file to an error: the line that raised it, or else that of the function."""
    try:
        yield
    except GameFileError as error:
        code = getattr(function, "__code__", None)
        place = user_line(error.__traceback__) or (code and (code.co_filename, code.co_firstlineno))
        if error.file or not place:
            raise
        raise GameFileError(error.sentence, *place) from error


class FromBoard:
    """A function of a description that is derived from its board; its source is that of the board."""

    def __init__(self, title: str, board: Callable[..., Board], use: Callable[..., str], *more: Any) -> None:
        self.title, self.board, self.use, self.more = title, board, use, more
        self.__wrapped__ = board

    def __call__(self, rules: Any, position: Any, *rest: Any) -> str:
        return self.use(self, rules, position, *rest)

    def describe(self, rules: Any, position: Any) -> Board:
        """The board; an error if the function returns anything else."""
        with blaming(self.board):
            grid = self.board(rules, position)
            if not isinstance(grid, Board):
                raise GameFileError(
                    message("checks.returns", verb="board", expected="Board", came=in_short(grid))
                )
        return grid


def text_of_board(description: FromBoard, rules: Any, position: Any) -> str:
    return description.describe(rules, position).text()


def rows_of_board(description: FromBoard, rules: Any, position: Any) -> str:
    return "/".join(description.describe(rules, position).rows)


def svg_of_board(description: FromBoard, rules: Any, position: Any) -> str:
    grid = description.describe(rules, position)
    if grid.turn is None:
        return grid.svg(description.title)
    return grid.svg(message(f"boards.turn_{grid.turn}", game=description.title))


def not_written(rules: Any, position: Any) -> str:
    """Default of `write`."""
    raise NotImplementedError


def name_of_move(description: FromBoard, rules: Any, position: Any, move: Any) -> str:
    """The names of the cells of a move, joined; for a move without cells, the move itself."""
    grid = description.describe(rules, position)
    with blaming(description.more[0]):
        names = list(cell_names(grid, description.more[0](rules, position, move)))
    return "-".join(names) or str(move)


def cell_names(grid: Board, cells: object) -> Iterator[str]:
    """The names of the cells of a move, given by name or number, in a sequence or as a single cell."""
    several = cells if isinstance(cells, (tuple, list)) else (cells,)
    for cell in several:
        yield grid.name(cell)
