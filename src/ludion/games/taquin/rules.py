"""The rules of Taquin: the blank changes places with a neighbour.

Cells are numbered row by row. Tiles are numbered by the goal: tile t > 0 belongs to the cell `home[t]`, the blank is 0.
A position packs the tile of every cell into 64-bit words, `bits` bits per cell, cell 0 lowest:

    4x4:  one word    | c15 | c14 | ... | c1 | c0 |          4 bits each
    5x5:  three words | c11 ... c0 | c23 ... c12 | c24 |     5 bits each, 12 cells per word

A move is the direction of the blank. In the metric `multi`, it also has the number of cells that the blank moves, n:

    | n - 1 | direction: 2 bits |
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import nonnegative, pick, popcount, replaced, signed
from ludion.kinds.puzzle import (
    NO_MOVE,
    feature,
    features,
    goal,
    is_goal,
    most_moves,
    moves,
    moves_after,
    pack,
    play,
    reverse,
    unpack,
)
from ludion.messages import message

# Directions of the blank. Opposite ones differ in both bits: `reverse` relies on it.
UP, LEFT, RIGHT, DOWN = range(4)
LONGEST_SIDE = 16


class Taquin(NamedTuple):
    """The rules of one size and one goal."""

    width: int
    height: int
    bits: int  # bits per cell
    per_word: int  # cells per word
    ones: int  # a word with the lowest bit of each cell
    target: tuple[int, ...]  # the words of the goal
    target_blank: int
    home: np.ndarray  # home[t]: the cell of tile t in the goal
    beside: np.ndarray  # beside[c, d]: the cell next to cell c in direction d, or -1
    choices: (
        np.ndarray
    )  # choices[c, 1 + m]: moves with the blank on c after move m or NO_MOVE; last how many they are
    word: np.ndarray  # word[c], shift[c]: where cell c is in the words
    shift: np.ndarray
    names: np.ndarray  # names[t]: the name of tile t, as a number or (negative) as a letter's code


class MultiTaquin(Taquin):
    """The same for the metric `multi`, in which a push of several tiles in a line counts once.

    Two pushes along the same line, one after the other, are never needed. So `choices[c, 0]` are the moves at the
    start, `choices[c, 1]` those after a push along a row and `choices[c, 2]` those after one along a column.
    """

    __slots__ = ()


class Tiles(NamedTuple):
    """A position: the tile of every cell, and where the blank is."""

    words: tuple[int, ...]
    blank: int


# ------------------------------------------------------------------ moves


@kernel(python_entry=False)
def make_move(direction: int, length: int) -> int:
    """The move of the blank by this many cells."""
    return direction | (length - 1) << 2


@kernel(python_entry=False)
def direction_of(move: int) -> int:
    """UP, LEFT, RIGHT or DOWN."""
    return move & 3


@kernel(python_entry=False)
def length_of(move: int) -> int:
    """The number of cells that the blank moves."""
    return (move >> 2) + 1


# ------------------------------------------------------------------ making rules and positions


def taquin(width: int, height: int, home: list[int], names: list[int], multi: bool = False) -> Taquin:
    """The rules for tiles with these homes (`home[0]` is the blank's)."""
    cells = width * height
    bits = max(2, (cells - 1).bit_length())
    per_word = 64 // bits
    beside = np.full((cells, 4), -1, np.int64)
    for cell in range(cells):
        row, column = divmod(cell, width)
        for direction, (down, right) in enumerate(((-1, 0), (0, -1), (0, 1), (1, 0))):
            if 0 <= row + down < height and 0 <= column + right < width:
                beside[cell, direction] = cell + down * width + right
    choices = _pushes(beside, max(width, height)) if multi else _steps(beside)
    rules = (MultiTaquin if multi else Taquin)(
        width,
        height,
        bits,
        per_word,
        sum(1 << bits * cell for cell in range(per_word)),
        (0,) * (-(-cells // per_word)),
        home[0],
        np.array(home),
        beside,
        choices,
        np.arange(cells) // per_word,
        bits * (np.arange(cells) % per_word),
        np.array(names),
    )
    in_order = [0] * cells
    for tile, cell in enumerate(home):
        in_order[cell] = tile
    return rules._replace(target=tiles(rules, in_order).words)


def _steps(beside: np.ndarray) -> np.ndarray:
    """`choices` where the blank goes one cell at a time."""
    choices = np.zeros((len(beside), 5, 5), np.int64)
    for cell in range(len(beside)):
        for last in (NO_MOVE, UP, LEFT, RIGHT, DOWN):
            legal = [move for move in range(4) if beside[cell, move] >= 0]
            if last != NO_MOVE:
                legal = [move for move in legal if move != last ^ 3]
            choices[cell, 1 + last] = _padded(legal, 4)
    return choices


def _pushes(beside: np.ndarray, longest: int) -> np.ndarray:
    """`choices` where the blank goes any number of cells."""
    most = 2 * (longest - 1)
    choices = np.zeros((len(beside), 3, most + 1), np.int64)
    for cell in range(len(beside)):
        legal = []
        for direction in (UP, LEFT, RIGHT, DOWN):
            there, length = beside[cell, direction], 1
            while there >= 0:
                legal.append(make_move(direction, length))
                there, length = beside[there, direction], length + 1
        for kind, allowed in enumerate(((UP, LEFT, RIGHT, DOWN), (UP, DOWN), (LEFT, RIGHT))):
            choices[cell, kind] = _padded([move for move in legal if direction_of(move) in allowed], most)
    return choices


def _padded(legal: list[int], most: int) -> list[int]:
    """The moves, padded to this length, and their number."""
    return [*legal, *[NO_MOVE] * (most - len(legal)), len(legal)]


def tiles(rules: Taquin, contents: list[int]) -> Tiles:
    """The position with these tiles, cell by cell."""
    words = [0] * len(rules.target)
    for cell, tile in enumerate(contents):
        words[cell // rules.per_word] |= tile << rules.bits * (cell % rules.per_word)
    return Tiles(tuple(signed(word) for word in words), contents.index(0))


def contents(rules: Taquin, position: Tiles) -> list[int]:
    """The tile of every cell."""
    mask = (1 << rules.bits) - 1
    return [
        position.words[cell // rules.per_word] >> rules.bits * (cell % rules.per_word) & mask
        for cell in range(rules.width * rules.height)
    ]


def why_unsolvable(rules: Taquin, position: Tiles) -> str | None:
    """The parity argument, or None if the position can be solved.

    A move of the blank swaps the contents of two cells and takes the blank one step, so the parity of the permutation
    and the parity of the blank's distance from home change together. On a board of one row or column the order of the
    tiles never changes: it must be that of the goal.
    """
    here = contents(rules, position)
    if min(rules.width, rules.height) == 1:
        order = [tile for tile in here if tile]
        order_in_goal = sorted(order, key=lambda tile: int(rules.home[tile]))
        return None if order == order_in_goal else message("taquin.order_is_fixed")
    seen = [False] * len(here)
    odd = False
    for cell in range(len(here)):  # a cycle of even length is an odd permutation
        cycle_length = 0
        while not seen[cell]:
            seen[cell] = True
            cell = int(rules.home[here[cell]])
            cycle_length += 1
        odd ^= cycle_length > 0 and cycle_length % 2 == 0
    steps = abs(position.blank // rules.width - rules.target_blank // rules.width)
    steps += abs(position.blank % rules.width - rules.target_blank % rules.width)
    if odd == bool(steps % 2):
        return None
    return message("taquin.odd_permutation" if odd else "taquin.even_permutation", n=steps)


# ------------------------------------------------------------------ words


@kernel(python_entry=False)
def add_to_word(words: Any, index: int, amount: int) -> Any:
    """The words with this number added to one of them."""
    if len(words) == 1:
        return (signed(words[0] + amount),)
    return replaced(words, index, signed(pick(words, index) + amount))


@kernel(python_entry=False)
def shift_of(rules: Taquin, words: Any, cell: int) -> int:
    """The shift of the cell in its word."""
    return rules.bits * cell if len(words) == 1 else int(rules.shift[nonnegative(cell)])


@kernel(python_entry=False)
def tile_at(rules: Taquin, position: Tiles, cell: int) -> int:
    """The tile on a cell."""
    words = position.words
    return pick(words, rules.word[nonnegative(cell)]) >> shift_of(rules, words, cell) & (
        (1 << rules.bits) - 1
    )


# ------------------------------------------------------------------ verbs


@moves.register(Taquin)
def _(rules: Taquin, position: Tiles, buffer: Any) -> int:
    return moves_after(rules, position, NO_MOVE, buffer)  # type: ignore[no-any-return]


@moves_after.register(Taquin)
def _(rules: Taquin, position: Tiles, last: int, buffer: Any) -> int:
    for i in range(4):  # all four, needed or not: no branches
        buffer[nonnegative(i)] = rules.choices[
            nonnegative(position.blank), nonnegative(1 + last), nonnegative(i)
        ]
    return rules.choices[nonnegative(position.blank), nonnegative(1 + last), 4]  # type: ignore[no-any-return]


@most_moves.register(Taquin)
def _(rules: Taquin) -> int:
    return 4


@play.register(Taquin)
def _(rules: Taquin, position: Tiles, move: int) -> Tiles:
    return slide(rules, position, int(rules.beside[nonnegative(position.blank), nonnegative(move)]))


@kernel(python_entry=False)
def slide(rules: Taquin, position: Tiles, there: int) -> Tiles:
    """The position after the tile there has moved to the blank's cell."""
    here = position.blank
    tile = tile_at(rules, position, there)
    words = position.words
    words = add_to_word(
        words, rules.word[nonnegative(there)], signed(-(tile << shift_of(rules, words, there)))
    )
    words = add_to_word(words, rules.word[nonnegative(here)], signed(tile << shift_of(rules, words, here)))
    return Tiles(words, there)


@moves.register(MultiTaquin)
def _(rules: MultiTaquin, position: Tiles, buffer: Any) -> int:
    return moves_after(rules, position, NO_MOVE, buffer)  # type: ignore[no-any-return]


@moves_after.register(MultiTaquin)
def _(rules: MultiTaquin, position: Tiles, last: int, buffer: Any) -> int:
    kind = 0 if last == NO_MOVE else 1 if direction_of(last) in (LEFT, RIGHT) else 2
    most = rules.choices.shape[2] - 1
    for i in range(most):
        buffer[i] = rules.choices[position.blank, kind, i]
    return rules.choices[position.blank, kind, most]  # type: ignore[no-any-return]


@most_moves.register(MultiTaquin)
def _(rules: MultiTaquin) -> int:
    return rules.choices.shape[2] - 1  # type: ignore[no-any-return]


@play.register(MultiTaquin)
def _(rules: MultiTaquin, position: Tiles, move: int) -> Tiles:
    for _ in range(length_of(move)):
        position = slide(rules, position, int(rules.beside[position.blank, direction_of(move)]))
    return position


@reverse.register(MultiTaquin)
@reverse.register(Taquin)
def _(rules: Taquin, move: int) -> int:
    return move ^ 3


@is_goal.register(MultiTaquin)
@is_goal.register(Taquin)
def _(rules: Taquin, position: Tiles) -> bool:
    return position.words == rules.target


@goal.register(MultiTaquin)
@goal.register(Taquin)
def _(rules: Taquin) -> Tiles:
    return Tiles(rules.target, rules.target_blank)


@pack.register(MultiTaquin)
@pack.register(Taquin)
def _(rules: Taquin, position: Tiles) -> tuple[int, ...]:
    return position.words


@unpack.register(MultiTaquin)
@unpack.register(Taquin)
def _(rules: Taquin, words: tuple[int, ...], like: Tiles) -> Tiles:
    for i in range(len(words)):
        word = pick(words, i)
        # The lowest cell that is 0: no other borrows from its highest bit without having it set.
        zeros = signed(word - rules.ones) & ~word & signed(rules.ones << rules.bits - 1)
        if zeros != 0:
            # The cells up to this one are counted: a division would take longer.
            cells = popcount((zeros - 1) & ~zeros & rules.ones)
            return Tiles(words, i * rules.per_word + cells - 1)
    return Tiles(words, -1)  # not a position


@features.register(MultiTaquin)
@features.register(Taquin)
def _(rules: Taquin, position: Tiles) -> int:
    return rules.width * rules.height


@feature.register(MultiTaquin)
@feature.register(Taquin)
def _(rules: Taquin, position: Tiles, number: int) -> int:
    return tile_at(rules, position, number)
