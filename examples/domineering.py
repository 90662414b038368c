"""Domineering: one player lays dominoes upright, the other flat; who cannot move loses (up to 62 cells)."""
from typing import NamedTuple
import ludion
from ludion.kinds.duel import LOST, OPEN, evaluate, moves, play, verdict
from ludion.core.verbs import kernel
from ludion.core.words import lowest, popcount

class Domineering(NamedTuple):  # the rules; a set of cells is an int, cell = row * width + column
    width: int
    cells: int
    beginnings: tuple  # where an upright domino can begin, and where a flat one can

class Dominoes(NamedTuple):
    free: int
    turn: int  # 0: the player to move lays upright, 1: flat

class Room(NamedTuple): "The evaluation: places for own dominoes minus the opponent's."

@kernel
def places(rules, board, turn):
    return board.free & (board.free >> (1 if turn else rules.width)) & rules.beginnings[turn]

@moves.register(Domineering)
def _(rules, board, buffer):
    count, rest = 0, places(rules, board, board.turn)
    while rest:
        buffer[count] = lowest(rest)
        count, rest = count + 1, rest & (rest - 1)
    return count

@play.register(Domineering)
def _(rules, board, move):
    domino = 1 << move | 1 << move + (1 if board.turn else rules.width)
    return Dominoes(board.free & ~domino, 1 - board.turn)

@verdict.register(Domineering)
def _(rules, board):
    return OPEN if places(rules, board, board.turn) else LOST

@evaluate.register(Room)
def _(evaluation, rules, board):
    return popcount(places(rules, board, board.turn)) - popcount(places(rules, board, 1 - board.turn))

def read(text):  # rows of . (free) and # (covered) with / between them; upright begins
    rows = text.split("/")
    width, signs = len(rows[0]), "".join(rows)
    if len(signs) != width * len(rows) or not 0 < len(signs) <= 62 or set(signs) - set(".#"):
        raise ludion.NotationError(f"'{text}' is not a board: equal rows of . and #, at most 62 cells")
    upright = (1 << width * (len(rows) - 1)) - 1
    flat = sum(1 << cell for cell in range(len(signs)) if cell % width < width - 1)
    free = sum(1 << cell for cell, sign in enumerate(signs) if sign == ".")
    return Domineering(width, len(signs), (upright, flat)), Dominoes(free, signs.count("#") // 2 % 2)

def draw(rules, board):
    signs = "".join("." if board.free >> cell & 1 else "#" for cell in range(rules.cells))
    rows = [signs[cell : cell + rules.width] for cell in range(0, rules.cells, rules.width)]
    return ludion.Board(rows, {"#": ludion.Piece("domino", "brown", shape="block")}, turn=board.turn)

GAME = ludion.Duel(
    name="domineering", title="Domineering", summary="dominoes upright against flat", read=read,
    board=draw, move_cells=lambda rules, board, move: move,  # the cell of its upper or left half
    start="/".join(["......"] * 6), default_evaluation="room",
    evaluations={"room": ludion.Evaluation(Room, "own places minus the opponent's")})
