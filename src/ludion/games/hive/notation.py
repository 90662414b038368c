"""Hive as text: the GameStrings and MoveStrings of the Universal Hive Protocol.

`Base+MLP;InProgress;White[3];wS1;bG1 -wS1;wA1 wS1/;bG2 /bG1` is a game: type, state, turn and moves. Only the
type and the moves are used to read it; a type alone is the start of such a game. A move names a piece and
where it goes:

       \\wS1  wS1/         north-west, north-east
    -wS1   wS1   wS1-     west, on top of it, east
       /wS1  wS1\\         south-west, south-east

Any piece next to the target can be the reference, also one that is buried in a stack, or the moving piece
itself (the cell it leaves). A climb names the top piece of the stack, without a sign.

The old report's names are read too: `ab` (queen), `ar` (spider), `fo` (ant), `sa` (grasshopper), `sc` (beetle), a
number, and `b` (white) or `n` (black). Its hexagons lie on a flat side, with neighbours n, ne, se, s, so and no; ours
stand on a corner, with neighbours east and west. Its board is ours turned by 30 degrees:

    report   n    ne   se   s    so   no
    ours     NE   E    SE   SW   W    NW

So `fo1b ab1n ne` puts a white ant to the right of the black queen, `sc1b ab1n` climbs it, and a board is a list of
[piece, X, Y, height] with X to the east (the report's ne) and Y to the south-east (se), such as
`[[sa1b,0,0,0],[fo1n,1,0,0]]`: it is read if placing the pieces one after the other, white first, leads to it.
A board that begins with queens, such as `[[ab1b,0,0,0],[ab1n,1,0,0]]`, needs the rule that allows it, `queen="first"`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ludion.core.verbs import kernel
from ludion.errors import IllegalMoveError, NotationError
from ludion.games.hive.board import (
    BLACK,
    BUG_OF,
    BUGS,
    COUNT_OF,
    MIDDLE,
    ORIGIN,
    PASS,
    PIECES,
    QUEEN,
    WHITE,
    cell_of,
    colour_at,
    colour_of,
    column_of,
    exists,
    has,
    has_room,
    height_of,
    left_in_hand,
    make_move,
    make_placement,
    move_at,
    next_to_place,
    opposite,
    piece_of,
    piece_under,
    queen_of,
    row_of,
    side_hand,
    source_of,
    step,
    target_of,
    top_of,
)
from ludion.games.hive.rules import Hive, HiveRules, empty_hive, hive_rules, is_surrounded
from ludion.kinds.duel import OPEN, copy, most_moves, moves, play, verdict
from ludion.messages import message

STATES = ("NotStarted", "InProgress", "Draw", "WhiteWins", "BlackWins")
NOT_STARTED, IN_PROGRESS, DRAW, WHITE_WINS, BLACK_WINS = STATES
TYPES = ("Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP", "Base+MLP")
# Before and after the name of the reference, by the direction from it to the target.
SIGNS = (("", "-"), ("", "\\"), ("/", ""), ("-", ""), ("\\", ""), ("", "/"))
AXIAL_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # x and y of a step, by direction
NAMES = tuple(
    colour + BUGS[bug] + (str(number + 1) if COUNT_OF[bug] > 1 else "")
    for colour in "wb"
    for bug in range(8)
    for number in range(COUNT_OF[bug])
)
_PIECE = {name.lower(): piece for piece, name in enumerate(NAMES)}
_PIECE |= {f"{name.lower()}1": piece for piece, name in enumerate(NAMES) if len(name) == 2}
REPORT_BUGS = {"ab": "q", "ar": "s", "fo": "a", "sa": "g", "sc": "b"}
REPORT_DIRECTIONS = {"n": 5, "ne": 0, "se": 1, "s": 2, "so": 3, "no": 4}  # to directions of ours
_REPORT_PIECE = re.compile(r"(ab|ar|fo|sa|sc)([1-3]?)([bn])", re.IGNORECASE)
_REPORT_MOVE = re.compile(r"(\w{3,4})\s+(\w{3,4})(?:\s+(n|ne|se|s|so|no))?", re.IGNORECASE)
_REPORT_ENTRY = re.compile(r"\[\s*(\w+)\s*,\s*(-?\d{1,2})\s*,\s*(-?\d{1,2})\s*,\s*(\d)\s*\]")
MOST_ORDERS = 20_000  # of placements that are tried for a board of the report
_MOVE = re.compile(r"(\w{2,3})(?:\s+([-/\\]?)\s*(\w{2,3})\s*([-/\\]?))?$", re.ASCII)
SHOWN_CHARACTERS = 40  # of a bad text that an error repeats


def shortened(text: str) -> str:
    """The text for an error message."""
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}..."


# ------------------------------------------------------------------ games


def read_type(text: str) -> str:
    """The expansions that a GameTypeString names, as letters in the order M, L, P."""
    match = re.fullmatch(r"base(?:\+([mlp]{1,3}))?", text.strip(), re.IGNORECASE)
    letters = (match.group(1) or "").upper() if match else ""
    if match is None or len(set(letters)) != len(letters):
        raise NotationError(message("hive.unknown_type", text=shortened(text), known=", ".join(TYPES)))
    return "".join(letter for letter in "MLP" if letter in letters)


def write_type(rules: HiveRules) -> str:
    """The GameTypeString."""
    letters = "".join(letter for letter in "MLP" if has(rules.bugs, BUGS.index(letter)))
    return f"Base+{letters}" if letters else "Base"


def read(text: str, queen: str = "later", repetition: str = "draw") -> tuple[HiveRules, Hive]:
    """The rules and the position of a GameString (or GameTypeString), or of the report's list of pieces. Moves after a
    third repetition are read, too."""
    if text.strip().startswith("["):
        rules = hive_rules("", queen == "first", 3 if repetition == "draw" else 0)
        position = read_board(rules, text)
        if position is None:
            by_queen_first = read_board(rules._replace(queen_first=1), text) is not None
            reason = "board_needs_queen_first" if by_queen_first else "board_not_reached"
            raise NotationError(message(f"hive.{reason}"))
        return rules, position
    type_string, *fields = [field.strip() for field in text.strip().split(";")]
    rules = hive_rules(read_type(type_string), queen == "first", 3 if repetition == "draw" else 0)
    without_repetition = rules._replace(repetition=0)
    if fields and fields[0].lower() not in [name.lower() for name in STATES]:
        raise NotationError(message("hive.unknown_state", text=shortened(fields[0])))
    if len(fields) > 1 and not re.fullmatch(r"(white|black)\[\d{1,6}\]", fields[1], re.IGNORECASE):
        raise NotationError(message("hive.unknown_turn", text=shortened(fields[1])))
    position = empty_hive(rules, max(0, len(fields) - 2))
    for number, move in enumerate(fields[2:], 1):
        if not move and number == len(fields) - 2:
            break  # a `;` at the end
        try:
            position = play_text(without_repetition, position, move)
        except (NotationError, IllegalMoveError) as error:
            raise type(error)(message("hive.at_move", number=number, error=error)) from None
    return rules, position


def play_text(rules: HiveRules, position: Hive, text: str) -> Hive:
    """Play a MoveString on the position's own board, if it is legal."""
    move = read_move(rules, position, text)
    if move not in legal_moves(rules, position):
        reason = why_illegal(rules, position, move)
        raise IllegalMoveError(message("hive.illegal_move", text=shortened(text), reason=reason))
    if not has_room(position.board, position.ply):
        position = copy(rules, position)  # with more room
    return played(rules, position, move)


@kernel
def played(rules: HiveRules, position: Hive, move: int) -> Hive:
    """The position after a move, on the same board."""
    return play(rules, position, move)  # type: ignore[no-any-return]


@kernel
def list_moves(rules: HiveRules, position: Hive, buffer: np.ndarray) -> int:
    """Fill the buffer with the legal moves; none when the game is over."""
    return moves(rules, position, buffer) if verdict(rules, position) == OPEN else 0


def legal_moves(rules: HiveRules, position: Hive) -> list[int]:
    """The legal moves; none when the game is over."""
    buffer = np.zeros(most_moves(rules), np.int64)
    return [int(move) for move in buffer[: list_moves(rules, position, buffer)]]


def write(rules: HiveRules, position: Hive) -> str:
    """The GameString."""
    names = []
    replayed = empty_hive(rules, position.ply)
    for ply in range(position.ply):
        move = move_at(position.board, ply)
        names.append(write_move(rules, replayed, move))
        replayed = played(rules, replayed, move)
    return ";".join([write_type(rules), state(rules, position), turn(position), *names])


def state(rules: HiveRules, position: Hive) -> str:
    """The GameStateString."""
    white = is_surrounded(position.board, queen_of(WHITE))
    black = is_surrounded(position.board, queen_of(BLACK))
    if white or black:
        return DRAW if white and black else BLACK_WINS if white else WHITE_WINS
    if verdict(rules, position) != OPEN:
        return DRAW
    return IN_PROGRESS if position.ply else NOT_STARTED


def turn(position: Hive) -> str:
    """The TurnString."""
    return f"{('White', 'Black')[colour_at(position.ply)]}[{position.ply // 2 + 1}]"


# ------------------------------------------------------------------ moves


def read_piece(text: str) -> int:
    """The piece of this name, or of the report's."""
    if match := _REPORT_PIECE.fullmatch(text):
        bug, number, colour = (part.lower() for part in match.groups())
        text = {"b": "w", "n": "b"}[colour] + REPORT_BUGS[bug] + number
    piece = _PIECE.get(text.lower())
    if piece is None:
        raise NotationError(message("hive.unknown_piece", text=shortened(text)))
    return piece


def read_move(rules: HiveRules, position: Hive, text: str) -> int:
    """The move that the text names, legal or not."""
    text = text.strip()
    if text.lower() == "pass":
        return PASS
    if (match := _REPORT_MOVE.fullmatch(text)) and _REPORT_PIECE.fullmatch(match[1]):
        before, after = SIGNS[REPORT_DIRECTIONS[match[3].lower()]] if match[3] else ("", "")
        text = f"{NAMES[read_piece(match[1])]} {before}{NAMES[read_piece(match[2])]}{after}"
    elif _REPORT_PIECE.fullmatch(text):
        text = NAMES[read_piece(text)]
    match = _MOVE.match(text)
    if match is None:
        raise NotationError(message("hive.unknown_move", text=shortened(text)))
    piece_name, before, reference_name, after = match.groups()
    piece = read_piece(piece_name)
    if not has(rules.bugs, int(BUG_OF[piece])):
        raise NotationError(message("hive.bug_not_in_game", piece=NAMES[piece], type=write_type(rules)))
    if reference_name is None:
        if position.ply:
            raise NotationError(message("hive.no_target", text=text))
        return make_placement(piece, ORIGIN)
    target = read_target(position, text, before, read_piece(reference_name), after)
    source = cell_of(position.board, piece)
    return make_move(piece, source, target) if exists(source) else make_placement(piece, target)


def read_target(position: Hive, text: str, before: str, reference: int, after: str) -> int:
    """The cell beside the reference, or the reference's own cell if there is no sign before or after it."""
    board = position.board
    cell = cell_of(board, reference)
    if not exists(cell):
        raise NotationError(message("hive.reference_in_hand", text=text, piece=NAMES[reference]))
    if before and after:
        raise NotationError(message("hive.two_signs", text=text, piece=NAMES[reference]))
    if before or after:
        target = step(cell, SIGNS.index((before, after)))
        top = top_of(board, target)
        if exists(top):
            raise NotationError(message("hive.cell_occupied", text=text, piece=NAMES[top]))
        return target
    top = top_of(board, cell)
    if top != reference:
        names = {"top": NAMES[top], "piece": NAMES[reference]}
        raise NotationError(message("hive.reference_covered", text=text, **names))
    return cell


def write_move(rules: HiveRules, position: Hive, move: int) -> str:
    """The MoveString, by a neighbour of the target: an own top if there is one, the queen first."""
    if move == PASS:
        return "pass"
    board, piece, target = position.board, piece_of(move), target_of(move)
    if position.ply == 0:
        return NAMES[piece]
    top = top_of(board, target)
    if exists(top):
        return f"{NAMES[piece]} {NAMES[top]}"
    references = []
    for direction, (before, after) in enumerate(SIGNS):
        reference = top_of(board, step(target, opposite(direction)))
        if reference == piece:  # it leaves that cell: the piece below it stays
            reference = piece_under(board, piece)
        if exists(reference):
            is_enemy = colour_of(reference) != colour_of(piece)
            references.append((is_enemy, reference, f"{before}{NAMES[reference]}{after}"))
    return f"{NAMES[piece]} {min(references)[2]}" if references else f"{NAMES[piece]} ?"


def line_names(rules: HiveRules, position: Hive, line: Sequence[int]) -> tuple[str, ...]:
    """The names of moves one after the other."""
    names, here = [], copy(rules, position)
    for move in line:
        names.append(write_move(rules, here, move))
        here = played(rules, here, move)
    return tuple(names)


def why_illegal(rules: HiveRules, position: Hive, move: int) -> str:
    """Why this move is not legal, in words."""
    if verdict(rules, position) != OPEN:
        return message("hive.game_over")
    if move == PASS:
        return message("hive.cannot_pass")
    board, piece, source = position.board, piece_of(move), source_of(move)
    if not exists(cell_of(board, piece)):
        return why_no_placement(rules, position, move)
    if not exists(cell_of(board, queen_of(colour_at(position.ply)))):
        return message("hive.queen_before_movement")
    top = top_of(board, source)
    if top != piece:
        return message("hive.piece_covered", top=NAMES[top], piece=NAMES[piece])
    if piece == position.stunned:
        return message("hive.piece_stunned", piece=NAMES[piece])
    if colour_of(piece) != colour_at(position.ply):
        return message("hive.no_throw", piece=NAMES[piece])
    can_move = any(piece_of(legal) == piece for legal in legal_moves(rules, position))
    if not can_move and height_of(board, source) == 1:
        return message("hive.piece_blocked", piece=NAMES[piece])
    return message("hive.out_of_reach", piece=NAMES[piece])


def why_no_placement(rules: HiveRules, position: Hive, move: int) -> str:
    """Why the piece in hand may not be placed there, in words."""
    colour, piece = colour_at(position.ply), piece_of(move)
    bug = int(BUG_OF[piece])
    if colour_of(piece) != colour:
        return message("hive.enemy_piece", piece=NAMES[piece])
    if bug == QUEEN and position.ply < 2 and not rules.queen_first:
        return message("hive.queen_on_first_turn")
    if bug != QUEEN and position.ply >= 6 and not exists(cell_of(position.board, queen_of(colour))):
        return message("hive.queen_by_fourth_turn")
    first = next_to_place(colour, bug, left_in_hand(side_hand(position.hand, colour), bug))
    if piece != first:
        return message("hive.placed_in_order", first=NAMES[first], piece=NAMES[piece])
    if exists(top_of(position.board, target_of(move))):
        return message("hive.placed_on_piece")
    return message("hive.placed_beside_enemy")


# ------------------------------------------------------------------ places


def coordinates(position: Hive) -> dict[int, tuple[int, int, int]]:
    """Each piece in play with its place: x to the east, y to the south-east, and its height from 0.

    The first piece of the game is placed at (0, 0). A hive that moves more than 16 cells away wraps around
    to the other side as a whole.
    """
    board = position.board
    in_play = [piece for piece in range(PIECES) if has(position.placed, piece)]
    if not in_play:
        return {}
    start = cell_of(board, in_play[0])
    row, column = row_of(start) - MIDDLE, column_of(start) - MIDDLE
    cells, waiting = {start: (column - row, row)}, [start]
    while waiting:
        cell = waiting.pop()
        for direction, (x, y) in enumerate(AXIAL_STEPS):
            near = step(cell, direction)
            if height_of(board, near) and near not in cells:
                cells[near] = (cells[cell][0] + x, cells[cell][1] + y)
                waiting.append(near)
    places = {}
    for piece in in_play:
        x, y = cells[cell_of(board, piece)]
        places[piece] = (x, y, pieces_below(position, piece))
    return places


def read_board(rules: HiveRules, text: str) -> Hive | None:
    """The position of the report's list of [piece, X, Y, height], if some order of placements leads to it."""
    entries = _REPORT_ENTRY.findall(text)
    if not entries or re.sub(r"[\[\],\s]", "", _REPORT_ENTRY.sub("", text)):
        raise NotationError(message("hive.bad_board", text=shortened(text)))
    places = {read_piece(name): (int(x), int(y)) for name, x, y, _ in entries}
    if len(places) < len(entries) or len(set(places.values())) < len(entries):
        raise NotationError(message("hive.board_has_stacks"))
    first = [piece for piece in places if colour_of(piece) == WHITE]
    tried = [0]

    def place_rest(position: Hive, left: frozenset[int], origin: tuple[int, int]) -> Hive | None:
        if not left:
            return position
        for piece in sorted(left):
            tried[0] += 1
            if colour_of(piece) != colour_at(position.ply) or tried[0] > MOST_ORDERS:
                continue
            cell = ORIGIN
            for distance, direction in zip(
                (places[piece][0] - origin[0], places[piece][1] - origin[1]), (0, 1), strict=True
            ):
                for _ in range(abs(distance)):
                    cell = step(cell, direction if distance > 0 else opposite(direction))
            move = make_placement(piece, cell)
            if move in legal_moves(rules, position):
                done = place_rest(played(rules, copy(rules, position), move), left - {piece}, origin)
                if done is not None:
                    return done
        return None

    for piece in first:
        start = empty_hive(rules, len(places))
        move = make_placement(piece, ORIGIN)
        if move in legal_moves(rules, start):
            done = place_rest(played(rules, start, move), frozenset(places) - {piece}, places[piece])
            if done is not None:
                return done
    return None


def pieces_below(position: Hive, piece: int) -> int:
    """The number of pieces below this one in its stack."""
    below = piece_under(position.board, piece)
    return 1 + pieces_below(position, below) if exists(below) else 0


def pieces(position: Hive) -> list[tuple[str, int, int, int]]:
    """The report's model of the board: (piece, x, y, height) for every piece in play."""
    return [(NAMES[piece], *place) for piece, place in coordinates(position).items()]
