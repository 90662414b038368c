"""Hive as text: the GameStrings and MoveStrings of the Universal Hive Protocol.

`Base+MLP;InProgress;White[3];wS1;bG1 -wS1;wA1 wS1/;bG2 /bG1` is a game: type, state, turn and moves. When
read, the type and the moves count; a type alone is the start of such a game. A move names a piece and where
it goes:

       \\wS1  wS1/         north-west, north-east
    -wS1   wS1   wS1-     west, on top of it, east
       /wS1  wS1\\         south-west, south-east

Any piece next to the target will do as reference, also one that is buried in a stack, or the moving piece
itself (the cell it leaves). On top of a stack is written with its top piece.
"""

from __future__ import annotations

import re

import numpy as np

from ludion.core.verbs import kernel
from ludion.errors import IllegalMoveError, NotationError
from ludion.games.hive.rules import (
    BUG_OF,
    BUGS,
    FIRST,
    HEIGHT,
    HISTORY,
    MANY,
    ORIGIN,
    PASS,
    PIECES,
    SIDE,
    STEPS,
    TOP,
    UNDER,
    WHERE,
    Hive,
    HiveGame,
    empty_hive,
    hive_game,
    is_surrounded,
)
from ludion.kinds.duel import OPEN, copy, most_moves, moves, play, verdict

STATES = ("NotStarted", "InProgress", "Draw", "WhiteWins", "BlackWins")
NOT_STARTED, IN_PROGRESS, DRAW, WHITE_WINS, BLACK_WINS = STATES
TYPES = ("Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP", "Base+MLP")
# Before and after the name, by direction.
SIGNS = (("", "-"), ("", "\\"), ("/", ""), ("-", ""), ("\\", ""), ("", "/"))
NAMES = tuple(
    colour + BUGS[bug] + (str(number + 1) if MANY[bug] > 1 else "")
    for colour in "wb"
    for bug in range(8)
    for number in range(MANY[bug])
)
_PIECE = {name.lower(): piece for piece, name in enumerate(NAMES)}
_PIECE |= {f"{name.lower()}1": piece for piece, name in enumerate(NAMES) if len(name) == 2}
_MOVE = re.compile(r"(\w{2,3})(?:\s+([-/\\]?)\s*(\w{2,3})\s*([-/\\]?))?$", re.ASCII)
SHOWN = 40  # characters of a bad text that an error repeats


def shown(text: str) -> str:
    """The text for an error message."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


# ------------------------------------------------------------------ games


def read_type(text: str) -> str:
    """The expansions that a GameTypeString names, as letters in the order M, L, P."""
    match = re.fullmatch(r"base(?:\+([mlp]{1,3}))?", text.strip(), re.IGNORECASE)
    letters = (match.group(1) or "").upper() if match else ""
    if match is None or len(set(letters)) != len(letters):
        raise NotationError(f"'{shown(text)}' is no type of game (known: {', '.join(TYPES)})")
    return "".join(letter for letter in "MLP" if letter in letters)


def write_type(rules: HiveGame) -> str:
    """The GameTypeString."""
    letters = "".join(letter for letter in "MLP" if rules.bugs >> BUGS.index(letter) & 1)
    return f"Base+{letters}" if letters else "Base"


def read(text: str, queen: str = "later", repetition: str = "draw") -> tuple[HiveGame, Hive]:
    """The game that a GameString (or GameTypeString) names, replayed. A third repetition does not end it."""
    kind, *fields = [field.strip() for field in text.strip().split(";")]
    rules = hive_game(read_type(kind), queen == "first", 3 if repetition == "draw" else 0)
    lasting = rules._replace(repetition=0)
    if fields and fields[0].lower() not in [name.lower() for name in STATES]:
        raise NotationError(f"'{shown(fields[0])}' is no state of a game (InProgress, Draw, WhiteWins, ...)")
    if len(fields) > 1 and not re.fullmatch(r"(white|black)\[\d{1,6}\]", fields[1], re.IGNORECASE):
        raise NotationError(f"'{shown(fields[1])}' is no turn (White[1], Black[1], ...)")
    position = empty_hive(rules, max(0, len(fields) - 2))
    for number, move in enumerate(fields[2:], 1):
        if not move and number == len(fields) - 2:
            break  # a `;` at the end
        try:
            position = play_text(lasting, position, move)
        except (NotationError, IllegalMoveError) as error:
            raise type(error)(f"move {number}: {error}") from None
    return rules, position


def play_text(rules: HiveGame, position: Hive, text: str) -> Hive:
    """Play a MoveString on the position's own board, if it is legal."""
    move = read_move(rules, position, text)
    if move not in legal_moves(rules, position):
        raise IllegalMoveError(f"'{shown(text)}' is not legal: {why_illegal(rules, position, move)}")
    if HISTORY + 2 * position.ply >= position.board.size:
        position = copy(rules, position)  # with more room
    return Hive(*played(rules, position, move))


@kernel
def played(rules: HiveGame, position: Hive, move: int) -> Hive:
    return play(rules, position, move)  # type: ignore[no-any-return]


@kernel
def listed(rules: HiveGame, position: Hive, buffer: np.ndarray) -> int:
    return moves(rules, position, buffer) if verdict(rules, position) == OPEN else 0


def legal_moves(rules: HiveGame, position: Hive) -> list[int]:
    """The legal moves; none when the game is over."""
    buffer = np.zeros(most_moves(rules), np.int64)
    return [int(move) for move in buffer[: listed(rules, position, buffer)]]


def write(rules: HiveGame, position: Hive) -> str:
    """The GameString."""
    names = []
    here = empty_hive(rules, position.ply)
    for ply in range(position.ply):
        move = int(position.board[HISTORY + 2 * ply])
        names.append(write_move(rules, here, move))
        here = played(rules, here, move)
    return ";".join([write_type(rules), state(rules, position), turn(position), *names])


def state(rules: HiveGame, position: Hive) -> str:
    """The GameStateString."""
    white, black = is_surrounded(position.board, 0), is_surrounded(position.board, SIDE)
    if white or black:
        return DRAW if white and black else BLACK_WINS if white else WHITE_WINS
    if verdict(rules, position) != OPEN:
        return DRAW
    return IN_PROGRESS if position.ply else NOT_STARTED


def turn(position: Hive) -> str:
    """The TurnString."""
    return f"{('White', 'Black')[position.ply & 1]}[{position.ply // 2 + 1}]"


# ------------------------------------------------------------------ moves


def read_piece(text: str) -> int:
    """The piece of this name."""
    piece = _PIECE.get(text.lower())
    if piece is None:
        raise NotationError(f"'{shown(text)}' is no piece (wQ, bS1, wA3, ...)")
    return piece


def read_move(rules: HiveGame, position: Hive, text: str) -> int:
    """The move that the text names, be it legal or not."""
    given = text.strip()
    if given.lower() == "pass":
        return PASS
    match = _MOVE.match(given)
    if match is None:
        raise NotationError(f"'{shown(given)}' is no move (wS1, bG1 -wS1, wB1 bQ, pass)")
    piece, board = read_piece(match.group(1)), position.board
    if not rules.bugs >> int(BUG_OF[piece]) & 1:
        raise NotationError(f"there is no {NAMES[piece]} in a game of type {write_type(rules)}")
    origin = int(board[WHERE + piece])
    if match.group(3) is None:
        if position.ply:
            raise NotationError(f"'{given}' does not say where (only a game's first move may)")
        return piece << 20 | ORIGIN << 10 | ORIGIN
    before, reference, after = match.group(2), read_piece(match.group(3)), match.group(4)
    near = int(board[WHERE + reference])
    if near < 0:
        raise NotationError(f"'{given}': {NAMES[reference]} is not in play")
    if before and after:
        raise NotationError(f"'{given}' has signs on both sides of {NAMES[reference]}")
    if before or after:
        target = near + int(STEPS[SIGNS.index((before, after))]) & 1023
        if board[TOP + target]:
            raise NotationError(f"'{given}': that cell is occupied by {NAMES[board[TOP + target] - 1]}")
    else:
        target = near
        if board[TOP + target] != reference + 1:
            raise NotationError(
                f"'{given}': {NAMES[board[TOP + target] - 1]} is on top of {NAMES[reference]}"
            )
    return piece << 20 | (target if origin < 0 else origin) << 10 | target


def write_move(rules: HiveGame, position: Hive, move: int) -> str:
    """The MoveString, by a neighbour of the target: an own top if there is one, the queen first."""
    if move == PASS:
        return "pass"
    piece, origin, target = move >> 20, move >> 10 & 1023, move & 1023
    board = position.board
    if position.ply == 0:
        return NAMES[piece]
    below = int(board[TOP + target]) - 1
    if below >= 0:
        return f"{NAMES[piece]} {NAMES[below]}"
    references = []
    for direction in range(6):
        top = int(board[TOP + (target - int(STEPS[direction]) & 1023)]) - 1
        if top == piece and origin != target:  # it leaves that cell: what is below it remains
            top = int(board[UNDER + piece])
        if top >= 0:
            before, after = SIGNS[direction]
            references.append(((top >= SIDE) != (piece >= SIDE), top, f"{before}{NAMES[top]}{after}"))
    return f"{NAMES[piece]} {min(references)[2]}" if references else f"{NAMES[piece]} ?"


def why_illegal(rules: HiveGame, position: Hive, move: int) -> str:
    """In words, why this move is not among the legal ones."""
    if verdict(rules, position) != OPEN:
        return "the game is over"
    if move == PASS:
        return "there are moves, so you cannot pass"
    board, own = position.board, SIDE * (position.ply & 1)
    piece, origin, target = move >> 20, move >> 10 & 1023, move & 1023
    bug, name = int(BUG_OF[piece]), NAMES[piece]
    mine = own <= piece < own + SIDE
    if board[WHERE + piece] < 0:
        if not mine:
            return f"{name} is the other player's"
        if bug == 0 and position.ply < 2:
            return "the queen is not placed on a player's first turn"
        if position.ply >= 6 and board[WHERE + own] < 0 and bug:
            return "the queen must be placed by the fourth turn"
        left = position.hand >> 3 * bug + 24 * (position.ply & 1) & 7
        following = own + int(FIRST[bug] + MANY[bug]) - left
        if piece != following:
            return f"{NAMES[following]} is placed before {name}"
        if board[TOP + target]:
            return "a piece is placed on an empty cell"
        return "a piece is placed beside own pieces only"
    if board[WHERE + own] < 0:
        return "no piece moves before the own queen is placed"
    if board[TOP + origin] != piece + 1:
        return f"{NAMES[board[TOP + origin] - 1]} is on top of {name}"
    if piece == position.stunned:
        return f"{name} was moved just now"
    if not mine:
        return f"{name} is the other player's, and no pillbug can throw it there"
    alone = [m for m in legal_moves(rules, position) if m >> 20 == piece]
    if not alone and board[HEIGHT + origin] == 1:
        return f"{name} cannot move: it holds the hive together or has no way out"
    return f"{name} cannot go there"


# ------------------------------------------------------------------ places


def coordinates(position: Hive) -> dict[int, tuple[int, int, int]]:
    """Each piece in play with its place: x to the east, y to the south-east, and its height from 0.

    The first piece of the game is placed at (0, 0). A hive that wanders further than 16 cells comes in again
    from the other side as a whole.
    """
    board = position.board
    inside = [piece for piece in range(PIECES) if board[WHERE + piece] >= 0]
    if not inside:
        return {}
    start = int(board[WHERE + inside[0]])
    row, column = (start >> 5) - 16, (start & 31) - 16
    places, waiting = {start: (column - row, row)}, [start]
    axial = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    while waiting:
        cell = waiting.pop()
        for direction, (across, down) in enumerate(axial):
            near = cell + int(STEPS[direction]) & 1023
            if board[TOP + near] and near not in places:
                places[near] = (places[cell][0] + across, places[cell][1] + down)
                waiting.append(near)
    found = {}
    for cell, (x, y) in places.items():
        piece, height = int(board[TOP + cell]) - 1, int(board[HEIGHT + cell]) - 1
        while piece >= 0:
            found[piece] = (x, y, height)
            piece, height = int(board[UNDER + piece]), height - 1
    return dict(sorted(found.items()))


def pieces(position: Hive) -> list[tuple[str, int, int, int]]:
    """The report's model of the board: (piece, x, y, height) for every piece in play."""
    return [(NAMES[piece], *place) for piece, place in coordinates(position).items()]
