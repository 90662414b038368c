"""Threats explained: who needs which cell, and why a column is bad, in words.

A threat is an empty cell that completes a line. What it is worth depends on its row: while nothing else happens the
first player gets the odd rows (1, 3, 5) of the columns that are filled last, the second player the even ones. So the
first player wants odd threats, the second even ones.

Why a column loses is told by the first of these that holds: a line is not stopped, or is allowed on top; two threats at
once follow; counting cells proves a zugzwang (the solver's rules of even cells and odd threats); or the solver's best
line ends in one of three ways that can be seen: a chain of forced answers, a zugzwang, or neither, and then the line
itself is all that can honestly be said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludion.answers import OPTIMAL
from ludion.engines.budget import Budget
from ludion.games.connect_four import engine
from ludion.games.connect_four.bitboards import board_of, has_four
from ludion.games.connect_four.judging import above_even_threats, even_bound, odd_threat_bound
from ludion.games.connect_four.rules import DropGame, Stones, has_line, open_columns, stones_of
from ludion.kinds.duel import OPEN, play, verdict
from ludion.kinds.parts import BoardMark, MoveReason, marks_at
from ludion.messages import joined, message

NODES = 2_000_000  # node limit of the searches that show why columns lose: half a second
REASON_NODES = 300_000  # the same for a single column
SHOWN = 12  # plies shown of a line
# Messages by whether the threat that decides is odd, and whether it is already there.
ZUGZWANG = {
    (True, True): "connect_four.loses_by_zugzwang_odd_present",
    (True, False): "connect_four.loses_by_zugzwang_odd_future",
    (False, True): "connect_four.loses_by_zugzwang_even_present",
    (False, False): "connect_four.loses_by_zugzwang_even_future",
}


class Cell(NamedTuple):
    """A cell, both numbers counted from 1."""

    column: int
    row: int


class Note(NamedTuple):
    """A remark on a column."""

    text: str
    wins: bool = False  # whether it says that the column wins, or loses
    loses: bool = False


def note(id: str, **values: object) -> Note:
    """The note with this message; the names of those for columns that win or lose begin with `wins` or `loses`."""
    name = id.partition(".")[2]
    return Note(message(id, **values), wins=name.startswith("wins"), loses=name.startswith("loses"))


# ------------------------------------------------------------------ cells


def threat_cells(rules: DropGame, stones: int, mask: int) -> int:
    """The empty cells that would complete a line (of any length; not for hot paths)."""
    threats = 0
    free = rules.full & ~mask
    while free:
        cell = free & -free
        free ^= cell
        if has_line(rules, stones | cell):
            threats |= cell
    return threats


def ready_cells(rules: DropGame, mask: int) -> int:
    """The cells where the next stones would fall."""
    return (mask + rules.bottom) & rules.full


def names(rules: DropGame, cells: int) -> list[Cell]:
    """The cells by column and row."""
    return [
        Cell(bit // rules.stride + 1, bit % rules.stride + 1)
        for bit in range(rules.columns * rules.stride)
        if cells >> bit & 1
    ]


def listed(cells: list[Cell]) -> str:
    """The cells in words."""
    return ", ".join(message("connect_four.cell", column=cell.column, row=cell.row) for cell in cells)


def threats_by_parity(rules: DropGame, position: Stones) -> dict[str, list[Cell]]:
    """`x_odd_threats`, `x_even_threats`, and the same for o."""
    is_over = int(verdict(rules, position)) != OPEN
    threats = {}
    for player, stones in zip("xo", stones_of(rules, position), strict=True):
        cells = [] if is_over else names(rules, threat_cells(rules, stones, position.mask))
        threats[f"{player}_odd_threats"] = [cell for cell in cells if cell.row % 2]
        threats[f"{player}_even_threats"] = [cell for cell in cells if cell.row % 2 == 0]
    return threats


# ------------------------------------------------------------------ without searching


def column_notes(rules: DropGame, position: Stones) -> dict[int, Note]:
    """Remarks on columns (counted from 0) that need no search."""
    if int(verdict(rules, position)) != OPEN:
        return {}
    notes = {column: _note_of(rules, position, column) for column in sorted(open_columns(rules, position))}
    return {column: found for column, found in notes.items() if found is not None}


def _note_of(rules: DropGame, position: Stones, column: int) -> Note | None:
    """The first remark that applies to this column."""
    own, mask = position.own, position.mask
    other = own ^ mask
    ready = ready_cells(rules, mask)
    cell = ready & (((1 << rules.stride) - 1) << column * rules.stride)
    before = threat_cells(rules, own, mask)
    blocks = threat_cells(rules, other, mask) & ready
    after = mask | cell
    next_ready = ready_cells(rules, after)
    mine = threat_cells(rules, own | cell, after)
    direct = mine & next_ready
    if cell & before:
        return note("connect_four.wins_by_line", align=rules.align)
    if blocks & ~cell:
        return note("connect_four.loses_unstopped_line", column=names(rules, blocks & ~cell)[0].column)
    if threat_cells(rules, other, after) & next_ready & (cell << 1):
        return note("connect_four.loses_line_on_top", row=names(rules, cell << 1)[0].row)
    if cell & blocks:
        return note("connect_four.must_be_played")
    if direct.bit_count() > 1:
        return note("connect_four.wins_by_two_threats")
    if direct and direct << 1 & mine:
        return note("connect_four.wins_by_stacked_threats")
    if reply := _two_threats(rules, own | cell, other, after):
        return note("connect_four.loses_to_two_threats", column=names(rules, reply)[0].column)
    if mine & ~before:
        return note("connect_four.makes_threats", cells=listed(names(rules, mine & ~before)))
    return None


def _two_threats(rules: DropGame, own: int, other: int, mask: int) -> int:
    """A cell with which the opponent, to move, makes two threats that cannot both be stopped; 0 if there is none.

    The player who has just moved must have no threat to win by.
    """
    ready = ready_cells(rules, mask)
    if threat_cells(rules, own, mask) & ready:
        return 0
    while ready:
        cell = ready & -ready
        ready ^= cell
        after = mask | cell
        next_ready = ready_cells(rules, after)
        if threat_cells(rules, own, after) & next_ready:
            continue
        threats = threat_cells(rules, other | cell, after)
        direct = threats & next_ready
        if direct.bit_count() > 1 or (direct and direct << 1 & threats):
            return cell
    return 0


# ------------------------------------------------------------------ why a column loses


def losses(
    rules: DropGame, position: Stones, nodes: int = NODES, columns: Iterable[int] | None = None
) -> dict[int, Note]:
    """Why columns (all by default) lose, except those that `column_notes` explains; for lines of four, within the node
    limit."""
    notes: dict[int, Note] = {}
    if rules.align != 4 or int(verdict(rules, position)) != OPEN:
        return notes
    seen = column_notes(rules, position)
    counted = _zugzwang_by_counting(rules, position)
    for column in open_columns(rules, position) if columns is None else columns:
        child = play(rules, position, column)
        is_decided = column in seen and (seen[column].wins or seen[column].loses)
        if is_decided or int(verdict(rules, child)) != OPEN:
            continue
        if counted is not None:
            notes[column] = counted
        elif nodes > 0:
            answer = engine.solve(rules, child, None, Budget(nodes=nodes))
            nodes -= answer.nodes
            if answer.status == OPTIMAL and answer.score is not None and answer.score.value > 0:
                notes[column] = _seen_in_line(rules, child, list(answer.moves), answer.score.plies)
    return notes


def _zugzwang_by_counting(rules: DropGame, position: Stones) -> Note | None:
    """Why every column loses, if the solver's rules of even cells and odd threats prove it."""
    board = board_of(rules)
    own, mask = position
    other, free, ready = own ^ mask, rules.full ^ mask, ready_cells(rules, mask)
    against = threat_cells(rules, other, mask)
    # Words name rows from the bottom; the solver's even cells are in odd rows if the number of rows is odd.
    if rules.rows % 2 or (against | threat_cells(rules, own, mask)) & ready:
        return None
    if mask.bit_count() & 1:
        if odd_threat_bound(board, own, mask, against) >= 0:
            return None
        # The rule used the lowest odd threat of the first column of odd height that has one.
        for column in range(rules.columns):
            cells = ((1 << rules.rows) - 1) << column * rules.stride
            odd = against & cells & board.odd
            if ready & cells & board.even and odd:
                return note(
                    "connect_four.loses_to_odd_threat", column=column + 1, row=names(rules, odd & -odd)[0].row
                )
    theirs = other | (board.even & free & ~ready)
    lost = above_even_threats(board, against & board.even & ~ready)
    if even_bound(board, theirs) < 0 and not has_four(board, (rules.full ^ theirs) & ~lost):
        return note("connect_four.loses_to_even_cells")
    return None


def _seen_in_line(rules: DropGame, child: Stones, line: list[int], plies: int | None) -> Note:
    """Why a column loses, from the best line after it."""
    shown = " ".join(str(column + 1) for column in line[:SHOWN]) + (" ..." if len(line) > SHOWN else "")
    plain = note("connect_four.loses_in_moves", n=((plies or len(line)) + 1) // 2, line=shown)
    if len(line) != plies or len(line) < 3:
        return plain
    states = [child]
    for column in line:
        states.append(play(rules, states[-1], column))
    if all(_threatens_to_win(rules, state) for state in states[1:-2:2]):
        return note("connect_four.loses_by_force", line=shown)
    before = states[-3]  # the loser's last choice
    waiting = threat_cells(rules, before.own ^ before.mask, before.mask)
    ready = ready_cells(rules, before.mask)
    if waiting & ready or ready & ~(waiting >> 1):
        return plain
    winning = states[-1].mask ^ states[-2].mask
    (cell,) = names(rules, winning)
    is_odd, is_present = cell.row % 2 == 1, bool(winning & threat_cells(rules, child.own, child.mask))
    return note(
        ZUGZWANG[is_odd, is_present],
        player="o" if child.mask.bit_count() & 1 else "x",
        column=cell.column,
        row=cell.row,
        line=shown,
    )


def _threatens_to_win(rules: DropGame, state: Stones) -> bool:
    """Whether the player who moved last threatens to win at once."""
    return bool(threat_cells(rules, state.own ^ state.mask, state.mask) & ready_cells(rules, state.mask))


def move_reason(rules: DropGame, position: Stones, column: int) -> MoveReason | None:
    """Why a column is good or bad, with the stones that complete a line or the threats that there are after it."""
    child = play(rules, position, column)
    cell = child.mask ^ position.mask
    own, other = child.own ^ child.mask, child.own
    why = _note_of(rules, position, column)
    if why is None or not (why.wins or why.loses):
        why = losses(rules, position, REASON_NODES, (column,)).get(column, why)
    if has_line(rules, own):
        winning = next(line for line in lines_through(rules, cell) if own & line == line)
        return MoveReason(
            message("connect_four.wins_by_line", align=rules.align), _marks(rules, "line", winning)
        )
    threats = threat_cells(rules, own, child.mask) | threat_cells(rules, other, child.mask)
    if why is None:
        return None
    text, threats = why.text, threats or _two_threats(rules, own, other, child.mask)
    if not (why.wins or why.loses) and threat_cells(rules, own, child.mask) & ~ready_cells(rules, child.mask):
        text = joined((text, message("connect_four.parity")))
    return MoveReason(text, _marks(rules, "threat", threats))


def lines_through(rules: DropGame, cell: int) -> Iterator[int]:
    """The lines of the winning length that hold a cell, also those that leave the board."""
    for step in (1, rules.stride - 1, rules.stride, rules.stride + 1):
        for before in range(rules.align):
            if (cell >> before * step) << before * step == cell:
                yield sum((cell >> before * step) << each * step for each in range(rules.align))


def _marks(rules: DropGame, role: str, cells: int) -> tuple[BoardMark, ...]:
    return marks_at(role, [(rules.rows - cell.row, cell.column - 1) for cell in names(rules, cells)])


# ------------------------------------------------------------------ in words


def in_words(threats: dict[str, list[Cell]], notes: dict[int, Note]) -> list[str]:
    """The explanation in sentences."""
    sentences = []
    for name, cells in threats.items():
        if cells:
            player, parity, _ = name.split("_")
            id = "connect_four.odd_threats" if parity == "odd" else "connect_four.even_threats"
            sentence = message(id, player=player, cells=listed(cells))
            if (player, parity) in (("x", "odd"), ("o", "even")):
                sentence += message("connect_four.good_kind")
            sentences.append(sentence)
    for column, found in sorted(notes.items()):
        sentences.append(message("connect_four.column_note", column=column + 1, note=found.text))
    return sentences or [message("connect_four.no_threats")]


def study(rules: DropGame, position: Stones, nodes: int = NODES) -> dict[str, object]:
    """For `ludion analyse`: threats, and why columns lose."""
    threats = threats_by_parity(rules, position)
    notes = {**column_notes(rules, position), **losses(rules, position, nodes)}
    plain = {name: [tuple(cell) for cell in cells] for name, cells in threats.items()}
    to_move = "o" if position.mask.bit_count() & 1 else "x"
    return {"text": "\n".join(in_words(threats, notes)), **plain, "to_move": to_move}
