"""Alpha-beta: negamax that leaves out what cannot matter, deeper and deeper until the budget ends.

What is in it, each to be switched off to see what it gains: move `ordering` (the table's move, the game's own
`move_order`, moves that cut elsewhere), a transposition `table` with bounded memory, `symmetry` (one entry for all
images of a position), and null windows (principal-variation search) for all but the first move. For an evaluation
that knows which moves are `forcing` it is also `selective`: a position is judged only after these moves, late
moves are searched less deeply unless they turn out well, positions without a move in the table are searched less
deeply, the last moves of a position near the depth are not searched at all, nor are positions there that look far too
good for the opponent to allow them, and an iteration begins with a narrow window around the value of the last one.
Several `threads` search the same position and share the table.

The contract of the search of a position with a window alpha < beta, fail-soft; the value v returned is
    v <= alpha            the true value is at most v
    alpha < v < beta      the true value is v
    v >= beta             the true value is at least v
where "true" is what negamax to the same depth says. Values beyond HIGHEST are forced wins or losses, counted in plies.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import borrowed, load, save, size
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import score_answer
from ludion.engines.limits import (
    BEST,
    CUT,
    DEPTH,
    EXHAUSTED,
    EXPAND,
    EXPANDED,
    FRONTIER,
    IMPROVE,
    MEMORY,
    NODE_LIMIT,
    NODES,
    OUT_OF_NODES,
    RETURN,
    SHORT,
    STOP,
    STOPPED,
    helpers,
    record,
    show_line,
)
from ludion.engines.tables import new_row, new_rows, unset_rows
from ludion.engines.trial import (
    BAD_EVALUATION,
    BAD_VERDICT,
    NO_MOVES,
    TOO_MANY_MOVES,
    run_safely,
    spare_rows,
)
from ludion.kinds.duel import (
    DRAWN,
    HIGHEST,
    LOST,
    OPEN,
    WIN,
    WON,
    copy,
    evaluate,
    forcing,
    key,
    mirror,
    mirror_move,
    most_moves,
    move_order,
    moves,
    play,
    symmetries,
    undo,
    verdict,
)
from ludion.kinds.games import DUEL
from ludion.kinds.values import Guide, Rules, State

DEEPEST = 120  # plies of one search
WHOLE_GAME = 127  # the depth of a table entry whose lines were all searched to the end of the game
ENTRY_BYTES = 16
FIRST_ENTRIES, LARGEST_TABLE = 1 << 12, 1 << 30  # entries; bytes
NODES_PER_SECOND = 2_000_000  # that a fast game may see
AT_LEAST, AT_MOST, EXACTLY = 1, 2, 3
WHOLE_WINDOW, NULL_WINDOW, FEWER_PLIES = range(3)  # how a child is searched; again if it turns out well
INFINITE = WIN + 1

# One frame per ply. Its moves: how many, and which is tried next. The window, and the lower end it was entered with.
# The best value and move so far. Plies left to search. Whether every line below ended by itself. How the child is
# searched (again, if it turns out well). The table's key, and the symmetry that gives it. Two moves that cut here. The
# number of the node, for events. The length of the best line.
MOVE_COUNT, NEXT_MOVE, ALPHA, BETA, ALPHA_AT_ENTRY, BEST_VALUE, BEST_MOVE, DEPTH_LEFT = range(8)
SEARCHED_TO_END, RETRY, KEY, SYMMETRY, KILLER, OTHER_KILLER, ID, LINE_LENGTH = range(8, 16)
FRAME = 16

# A table entry is two words, (key ^ data, data), so that one half written by another thread is never believed.
#     data = value + 2**15 (bits 0 to 15) | depth (16 to 23) | bound (24, 25) | move (26 and up)
VALUE_OFFSET = 1 << 15
DEPTH_SHIFT, BOUND_SHIFT, MOVE_SHIFT = 16, 24, 26

# The rank of a move: the place that the game gives it, then how often it cut elsewhere (below 1 << ORDER_SHIFT).
ORDER_SHIFT = 20
# A move that cut at this ply and that of the table come before all others.
KILLER_RANK, REMEMBERED_RANK = 1 << 40, 1 << 50
HISTORIES, MOST_HISTORY = 1 << 15, 1 << 19
FORCING_PLIES = 4  # plies of forcing moves beyond the depth
LEAST_REDUCED = 3  # plies left from which a position or a move is searched less deeply
FUTILE_PLIES, FUTILE_POINTS = 3, 80  # above beta, for each of so few plies left: not searched any further
LATE_PLIES, LATE_MOVES = 2, 10  # with so many plies left, only the first 10, 40 moves are searched
ASPIRATION = 60  # points on both sides of the last value, for the first window of an iteration


class Stack(NamedTuple):
    """What the search of one depth writes to: one row per ply, but for the history."""

    frames: np.ndarray  # what is named by the constants above
    rows: np.ndarray  # the position
    buffers: np.ndarray  # its moves
    ranks: np.ndarray  # and their order
    lines: np.ndarray  # the best line from here
    history: np.ndarray  # of moves that cut


class Settings(NamedTuple):
    """What is switched on."""

    ordering: int
    table: int
    symmetry: int
    selective: int
    first: int  # the depth of the first iteration


def solve(
    rules: Rules,
    start: State,
    evaluation: Guide,
    budget: Budget,
    observer: Observer | None = None,
    ordering: bool = True,
    table: bool = True,
    symmetry: bool = True,
    selective: bool = True,
    threads: int = 1,
    exclude: Sequence[int] = (),
) -> Answer:
    """Deepen until the value is proved, the depth is reached or the budget ends.

    The moves to `exclude` are not tried at the start: so the second best line can be found, and the next ones.
    """
    excluded = np.array(exclude, np.int64)
    deepest = min(budget.depth or DEEPEST, DEEPEST)
    affordable = max(2, min(LARGEST_TABLE, budget.memory // 2) // ENTRY_BYTES)
    entries = 1 << affordable.bit_length() - 1 if table else 2
    shared = table and threads > 1
    if shared:  # it cannot grow: room for what the threads may see, so that few pages of memory are touched
        expected = threads * (budget.nodes or round((budget.seconds or 1.0) * NODES_PER_SECOND))
        entries = min(entries, 1 << max(FIRST_ENTRIES, 2 * expected).bit_length())
    known = np.zeros((entries, 2), np.int64) if shared else None
    settings = Settings(
        int(ordering), int(table), int(symmetry), int(selective and forcing.has(evaluation)), 1
    )

    def work(control: np.ndarray, trace: np.ndarray, first: int = 1) -> Any:
        here, how = copy(rules, start), settings._replace(first=first)
        entered = np.zeros((min(entries, FIRST_ENTRIES), 2), np.int64) if known is None else known
        return search(rules, here, evaluation, deepest, how, entered, entries, excluded, control, trace)

    def work_together(control: np.ndarray, trace: np.ndarray) -> Any:
        help_from = functools.partial(work, first=min(2, deepest))
        with helpers(help_from, threads - 1 if shared else 0):
            return work(control, trace)

    # A shared table keeps what was entered; and a selective search deepens until its budget ends, if no depth is given.
    short = 0 if shared or (settings.selective and budget.depth is None) else SHORT
    outcome = run_safely(DUEL, rules, start, evaluation, work_together, budget, observer, short)
    ended, value, depth, complete, line = outcome.result
    return score_answer(
        "alpha-beta",
        outcome,
        ended,
        line,
        value=int(value),
        complete=bool(complete),
        unfinished="engines.no_move_searched",
        depth=int(depth),
        memory=int(outcome.control[MEMORY]) if table else 0,
    )


@kernel
def search(
    rules: Rules,
    start: State,
    evaluation: Guide,
    deepest: int,
    settings: Settings,
    table: Any,
    most_entries: int,
    excluded: np.ndarray,
    control: np.ndarray,
    trace: np.ndarray,
) -> Any:
    """Return how it ended, the value, the depth searched, whether it is proved, and the best line."""
    start = borrowed(start)
    plies = deepest + FORCING_PLIES + 2
    most = most_moves(rules)
    stack = Stack(
        new_rows(plies + 1, FRAME),
        unset_rows(plies, size(start) + 1),
        unset_rows(plies + spare_rows(most), most),
        unset_rows(plies, most),
        unset_rows(plies + 1, plies + 1),
        new_row(HISTORIES),
    )
    root = stack.frames[0]
    for ply in range(plies):
        stack.frames[ply, KILLER] = stack.frames[ply, OTHER_KILLER] = -1
    answer = stack.lines[plies]  # the best line of the last iteration
    answer_length = answer_value = answer_depth = 0
    control[MEMORY] = table.size * 8
    control[NODES] = control[EXPANDED] = 0
    ended = EXHAUSTED
    proved = False
    depth = settings.first
    low, high = -INFINITE, INFINITE
    while depth <= deepest:
        while control[EXPANDED] > table.shape[0] // 4 and table.shape[0] * 4 <= most_entries:
            table = enlarged(table)
            control[MEMORY] = table.size * 8
        root[ALPHA], root[BETA], root[DEPTH_LEFT] = low, high, depth
        ended = iterate(rules, start, evaluation, settings, stack, table, excluded, control, trace)
        if ended >= TOO_MANY_MOVES:
            return ended, 0, 0, False, answer[:0]
        if ended == EXHAUSTED and not low < root[BEST_VALUE] < high:
            low, high = -INFINITE, INFINITE  # the narrow window was wrong
            continue
        if root[LINE_LENGTH] > 0 and (ended == EXHAUSTED or root[NEXT_MOVE] > 1 or answer_length == 0):
            answer_value = root[BEST_VALUE]
            answer_depth = depth if ended == EXHAUSTED else depth - 1
            answer_length = root[LINE_LENGTH]
            for i in range(answer_length):
                answer[i] = stack.lines[0, i]
            show_line(control, answer, answer_length)
        control[DEPTH] = depth
        if ended != EXHAUSTED:
            break
        if root[SEARCHED_TO_END] != 0 or abs(root[BEST_VALUE]) > HIGHEST:
            proved = True
            break
        if settings.selective != 0 and depth > 1:
            low, high = root[BEST_VALUE] - ASPIRATION, root[BEST_VALUE] + ASPIRATION
        depth += 1
    return ended, answer_value, answer_depth, proved, answer[:answer_length]


@kernel(count_references=False)
def iterate(
    rules: Rules,
    start: State,
    evaluation: Guide,
    settings: Settings,
    stack: Stack,
    table: Any,
    excluded: np.ndarray,
    control: np.ndarray,
    trace: np.ndarray,
) -> int:
    """Search the window and the depth of the first frame: how it ended. The frame then has the value.

    Each round enters a position, goes back up while there is nothing left to try, and plays the next move.
    """
    frames, rows, buffers, ranks, lines, history = stack
    nodes = control[NODES]
    expanded = control[EXPANDED]
    ended = EXHAUSTED
    position = start
    ply = 0
    while True:
        nodes += 1
        ended = enter(rules, position, evaluation, settings, stack, table, excluded, ply)
        if ended >= TOO_MANY_MOVES:
            return ended
        frames[ply, ID] = nodes - 1
        if frames[ply, MOVE_COUNT] > 0 and frames[ply, DEPTH_LEFT] > 0:
            expanded += 1
            if trace.shape[0] > 0:
                alpha, beta = frames[ply, ALPHA], frames[ply, BETA]
                record_event(control, trace, EXPAND, frames, buffers, ply, alpha, beta)
            if expanded & 31 == 0:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                control[FRONTIER] = ply
                if control[STOP] != 0:
                    ended = STOPPED
            if nodes >= control[NODE_LIMIT]:
                ended = OUT_OF_NODES
        while ended == EXHAUSTED and frames[ply, NEXT_MOVE] == frames[ply, MOVE_COUNT]:
            if settings.table != 0 and frames[ply, MOVE_COUNT] > 0 and frames[ply, DEPTH_LEFT] > 0:
                store_entry(rules, table, frames[ply], ply)
            if trace.shape[0] > 0:
                record_event(control, trace, RETURN, frames, buffers, ply, frames[ply, BEST_VALUE], 0)
            if ply == 0:
                break
            ply -= 1
            move = buffers[ply, frames[ply, NEXT_MOVE] - 1]
            undo(rules, position, move)
            position = load(rows[ply], start)
            take_value(frames, lines, history, ply, move, control, trace)
            if settings.selective != 0 and settings.ordering != 0 and ply > 0:
                skip_late_moves(frames[ply])
        if ended != EXHAUSTED or frames[ply, NEXT_MOVE] == frames[ply, MOVE_COUNT]:
            break
        turn = frames[ply, NEXT_MOVE]
        if settings.ordering != 0:
            bring_best_forward(buffers, ranks, ply, turn, frames[ply, MOVE_COUNT])
        position = play(rules, position, buffers[ply, turn])
        set_window(frames, ply, turn, settings.selective)
        ply += 1
    while ply > 0:  # interrupted: take back the moves of the line that was being searched
        ply -= 1
        undo(rules, position, buffers[ply, frames[ply, NEXT_MOVE] - 1])
        position = load(rows[ply], start)
    control[NODES] = nodes
    control[EXPANDED] = expanded
    return ended


# ------------------------------------------------------------------ entering a position
#
# Its frame has the window and the plies left. These functions give it a value or moves to try. They return EXHAUSTED,
# or how the game or the evaluation breaks its contract.


@kernel(python_entry=False, inline=True)
def enter(
    rules: Rules,
    position: State,
    evaluation: Guide,
    settings: Settings,
    stack: Stack,
    table: Any,
    excluded: np.ndarray,
    ply: int,
) -> int:
    """Enter a position. It has its value at once if the game is over, the table knows enough, or it looks too good."""
    frames = stack.frames
    frames[ply, LINE_LENGTH] = frames[ply, NEXT_MOVE] = frames[ply, MOVE_COUNT] = 0
    result = verdict(rules, position)
    if result != OPEN:
        if result != DRAWN and result != LOST and result != WON:
            return BAD_VERDICT
        frames[ply, SEARCHED_TO_END] = 1
        frames[ply, BEST_VALUE] = result * (WIN - ply)
        return EXHAUSTED
    if frames[ply, DEPTH_LEFT] <= 0:
        return enter_leaf(rules, position, evaluation, settings, stack, ply)
    remembered = -1
    if settings.table != 0:
        frames[ply, KEY], frames[ply, SYMMETRY] = canonical(rules, position, settings.symmetry)
        remembered, is_known = probe(table, frames, ply)
        if is_known:
            return EXHAUSTED
    if settings.selective != 0 and ply > 0:
        if may_be_futile(frames[ply]):
            value = evaluate(evaluation, rules, position)
            if abs(value) > HIGHEST:
                return BAD_EVALUATION
            if value >= frames[ply, BETA] + FUTILE_POINTS * frames[ply, DEPTH_LEFT]:
                frames[ply, SEARCHED_TO_END] = 0
                frames[ply, BEST_VALUE] = value
                return EXHAUSTED
        if remembered < 0 and frames[ply, DEPTH_LEFT] >= LEAST_REDUCED:
            frames[ply, DEPTH_LEFT] -= 1  # no earlier search knows a good move: not worth the whole depth yet
    return enter_inner(rules, position, evaluation, settings, stack, excluded, ply, remembered)


@kernel(python_entry=False, inline=True)
def enter_leaf(
    rules: Rules, position: State, evaluation: Guide, settings: Settings, stack: Stack, ply: int
) -> int:
    """A position at the depth: it has its evaluation, and forcing moves to try if that does not reach beta."""
    frames = stack.frames
    value = evaluate(evaluation, rules, position)
    if abs(value) > HIGHEST:
        return BAD_EVALUATION
    frames[ply, SEARCHED_TO_END] = 0
    frames[ply, BEST_VALUE] = value
    if settings.selective == 0 or frames[ply, DEPTH_LEFT] <= -FORCING_PLIES or value >= frames[ply, BETA]:
        return EXHAUSTED
    number = forcing(evaluation, rules, position, stack.buffers[ply])
    if number > most_moves(rules):
        return TOO_MANY_MOVES
    if number > 0:
        save(stack.rows[ply], position)
        frames[ply, MOVE_COUNT] = number
        frames[ply, BEST_MOVE] = -1
        stack.ranks[ply, :number] = 0
        frames[ply, ALPHA] = max(frames[ply, ALPHA], value)
    return EXHAUSTED


@kernel(python_entry=False, inline=True)
def may_be_futile(frame: Any) -> bool:
    """Whether a position is so near the depth that it need not be searched if it looks far too good for the opponent.

    Such a position is FUTILE_POINTS above beta for each ply that is left: the opponent will avoid it.
    """
    left, alpha, beta = frame[DEPTH_LEFT], frame[ALPHA], frame[BETA]
    return left <= FUTILE_PLIES and beta - alpha == 1 and abs(beta) <= HIGHEST  # type: ignore[no-any-return]


@kernel(python_entry=False, inline=True)
def enter_inner(
    rules: Rules,
    position: State,
    evaluation: Guide,
    settings: Settings,
    stack: Stack,
    excluded: np.ndarray,
    ply: int,
    remembered: int,
) -> int:
    """A position whose moves are to be searched: list and rank them; the `remembered` one of the table comes first."""
    frames, buffer = stack.frames, stack.buffers[ply]
    save(stack.rows[ply], position)
    number = moves(rules, position, buffer)
    if number > most_moves(rules) or number <= 0:
        return TOO_MANY_MOVES if number > most_moves(rules) else NO_MOVES
    if ply == 0 and excluded.size > 0:
        number = without(buffer, number, excluded)
    frames[ply, MOVE_COUNT] = number
    frames[ply, BEST_VALUE] = -INFINITE
    frames[ply, BEST_MOVE] = -1
    frames[ply, ALPHA_AT_ENTRY] = frames[ply, ALPHA]
    frames[ply, SEARCHED_TO_END] = 1
    if settings.ordering != 0:
        for i in range(number):
            move = buffer[i]
            rank = (move_order(evaluation, rules, position, move) << ORDER_SHIFT) + stack.history[
                history_slot(move)
            ]
            if move == frames[ply, KILLER] or move == frames[ply, OTHER_KILLER]:
                rank += KILLER_RANK
            if remembered >= 0 and mirror_move(rules, move, frames[ply, SYMMETRY]) == remembered:
                rank += REMEMBERED_RANK
            stack.ranks[ply, i] = rank
    return EXHAUSTED


@kernel(python_entry=False)
def without(moves: Any, count: int, excluded: np.ndarray) -> int:
    """Take the excluded moves out of the first `count`; return how many are left."""
    left = 0
    for i in range(count):
        is_excluded = False
        for j in range(excluded.size):
            is_excluded |= moves[i] == excluded[j]
        if not is_excluded:
            moves[left] = moves[i]
            left += 1
    return left


@kernel(python_entry=False, inline=True)
def probe(table: Any, frames: Any, ply: int) -> tuple[int, bool]:
    """The move that the table remembers here (or -1), and whether its value is enough; then it is in the frame."""
    key_here = frames[ply, KEY]
    slot = key_here & (table.shape[0] - 2)
    for i in range(2):
        data = table[slot + i, 1]
        if data != 0 and table[slot + i, 0] ^ data == key_here:
            if (
                ply > 0
                and entry_depth(data) >= frames[ply, DEPTH_LEFT]
                and frames[ply, BETA] - frames[ply, ALPHA] == 1
            ):
                value = entry_value(data, ply)
                bound = entry_bound(data)
                if (
                    bound == EXACTLY
                    or (bound == AT_LEAST and value >= frames[ply, BETA])
                    or (bound == AT_MOST and value <= frames[ply, ALPHA])
                ):
                    frames[ply, BEST_VALUE] = value
                    frames[ply, SEARCHED_TO_END] = 1 if entry_depth(data) == WHOLE_GAME else 0
                    return entry_move(data), True
            return entry_move(data), False
    return -1, False


@kernel(python_entry=False)
def record_event(
    control: Any, trace: Any, event: int, frames: Any, buffers: Any, ply: int, value: int, beta: int
) -> None:
    """Write the event of a position whose moves are about to be tried, or that has its value."""
    above = max(ply - 1, 0)
    parent, led_here = -1, -1
    if ply > 0:
        parent, led_here = frames[above, ID], buffers[above, frames[above, NEXT_MOVE] - 1]
    record(control, trace, event, frames[ply, ID], parent, led_here, ply, value, beta)


@kernel(python_entry=False, inline=True)
def take_value(
    frames: Any, lines: Any, history: Any, ply: int, move: int, control: np.ndarray, trace: np.ndarray
) -> None:
    """The child after this move has its value: take it over, or search the child again, deeper or more widely."""
    value = -frames[ply + 1, BEST_VALUE]
    finished = frames[ply + 1, SEARCHED_TO_END]
    if frames[ply, RETRY] == FEWER_PLIES and value > frames[ply, ALPHA]:
        # It turned out well: search the same move again as deeply as the others.
        frames[ply, RETRY] = NULL_WINDOW
        frames[ply, NEXT_MOVE] -= 1
        return
    if frames[ply, RETRY] == NULL_WINDOW and frames[ply, ALPHA] < value < frames[ply, BETA]:
        # The null window was wrong: search the same move again with the whole one.
        frames[ply, RETRY] = WHOLE_WINDOW
        frames[ply, NEXT_MOVE] -= 1
        return
    frames[ply, SEARCHED_TO_END] &= finished
    if value > frames[ply, BEST_VALUE]:
        frames[ply, BEST_VALUE] = value
        frames[ply, BEST_MOVE] = move
        if value > frames[ply, ALPHA]:
            frames[ply, ALPHA] = value
            lines[ply, 0] = move
            for i in range(frames[ply + 1, LINE_LENGTH]):
                lines[ply, i + 1] = lines[ply + 1, i]
            frames[ply, LINE_LENGTH] = frames[ply + 1, LINE_LENGTH] + 1
            if ply == 0:
                control[BEST] = value
                record(control, trace, IMPROVE, frames[0, ID], -1, move, frames[0, DEPTH_LEFT], value)
    frames[ply, RETRY] = FEWER_PLIES
    if value >= frames[ply, BETA]:
        record(control, trace, CUT, frames[ply, ID], -1, move, ply, value)
        frames[ply, SEARCHED_TO_END] = finished  # the cut rests on this move alone
        frames[ply, NEXT_MOVE] = frames[ply, MOVE_COUNT]
        left = frames[ply, DEPTH_LEFT]
        if left > 0:
            place = history_slot(move)
            history[place] = min(history[place] + left * left, MOST_HISTORY)
            if frames[ply, KILLER] != move:
                frames[ply, OTHER_KILLER] = frames[ply, KILLER]
                frames[ply, KILLER] = move


@kernel(python_entry=False, inline=True)
def set_window(frames: Any, ply: int, turn: int, selective: int) -> None:
    """Choose how the child after this turn's move is searched: its window and depth."""
    fewer = 0
    if turn == 0:
        frames[ply, RETRY] = WHOLE_WINDOW
    elif frames[ply, RETRY] == FEWER_PLIES:
        fewer = reduction(turn, frames[ply, DEPTH_LEFT]) if selective != 0 else 0
        if fewer == 0:
            frames[ply, RETRY] = NULL_WINDOW
    frames[ply, NEXT_MOVE] = turn + 1
    alpha, beta = frames[ply, ALPHA], frames[ply, BETA]
    frames[ply + 1, DEPTH_LEFT] = frames[ply, DEPTH_LEFT] - 1 - fewer
    frames[ply + 1, BETA] = -alpha
    frames[ply + 1, ALPHA] = -beta if frames[ply, RETRY] == WHOLE_WINDOW else -alpha - 1


@kernel(python_entry=False, inline=True)
def skip_late_moves(frame: Any) -> None:
    """Leave out the rest of the moves near the depth, if those before them were searched in vain.

    Only with a null window, and never if all moves so far lose: a loss is proved by all moves.
    """
    left, tried = frame[DEPTH_LEFT], frame[NEXT_MOVE]
    if (
        0 < left <= LATE_PLIES
        and LATE_MOVES * left * left <= tried < frame[MOVE_COUNT]
        and frame[RETRY] == FEWER_PLIES
        and frame[BETA] - frame[ALPHA] == 1
        and frame[BEST_VALUE] >= -HIGHEST
    ):
        frame[MOVE_COUNT] = tried
        frame[SEARCHED_TO_END] = 0


@kernel(python_entry=False)
def history_slot(move: int) -> int:
    """The place of a move in the history."""
    return (move ^ move >> 10) & (HISTORIES - 1)


@kernel(python_entry=False)
def reduction(turn: int, left: int) -> int:
    """How many plies less a move is searched that comes late in the order."""
    if left < LEAST_REDUCED or turn < 4:
        return 0
    return 1 if left < 5 or turn < 12 else 2


@kernel(python_entry=False)
def canonical(rules: Rules, position: State, symmetry: int) -> tuple[int, int]:
    """The least key among the images of the position, and which image has it."""
    smallest = key(rules, position)
    image = 0
    if symmetry != 0:
        for i in range(1, symmetries(rules)):
            other = key(rules, mirror(rules, position, i))
            if other < smallest:
                smallest = other
                image = i
    return smallest, image


@kernel(python_entry=False)
def entry_depth(data: int) -> int:
    return (data >> DEPTH_SHIFT) & 255


@kernel(python_entry=False)
def entry_bound(data: int) -> int:
    return (data >> BOUND_SHIFT) & 3


@kernel(python_entry=False)
def entry_move(data: int) -> int:
    return data >> MOVE_SHIFT


@kernel(python_entry=False)
def entry_value(data: int, ply: int) -> int:
    """The value of a table entry, with wins counted from the root again."""
    value = (data & 0xFFFF) - VALUE_OFFSET
    if value > HIGHEST:
        return value - ply
    if value < -HIGHEST:
        return value + ply
    return value


@kernel(python_entry=False)
def store_entry(rules: Rules, table: Any, frame: Any, ply: int) -> None:
    """Store the result of this ply: in the first slot if it went deeper, else in the second."""
    value = frame[BEST_VALUE]
    if value <= frame[ALPHA_AT_ENTRY]:
        bound = AT_MOST
    elif value >= frame[BETA]:
        bound = AT_LEAST
    else:
        bound = EXACTLY
    if value > HIGHEST:  # wins are kept as counted from this position
        value += ply
    elif value < -HIGHEST:
        value -= ply
    depth = WHOLE_GAME if frame[SEARCHED_TO_END] != 0 else frame[DEPTH_LEFT]
    move = max(0, mirror_move(rules, frame[BEST_MOVE], frame[SYMMETRY])) if frame[BEST_MOVE] >= 0 else 0
    data = (value + VALUE_OFFSET) | depth << DEPTH_SHIFT | bound << BOUND_SHIFT | move << MOVE_SHIFT
    slot = frame[KEY] & (table.shape[0] - 2)
    old = table[slot, 1]
    if old != 0 and table[slot, 0] ^ old != frame[KEY] and entry_depth(old) > depth:
        slot += 1
    table[slot, 0] = frame[KEY] ^ data
    table[slot, 1] = data


@kernel(python_entry=False)
def enlarged(table: Any) -> Any:
    """A table of four times the size with the same entries: small searches stay in the processor's cache."""
    bigger = new_rows(table.shape[0] * 4, 2)
    for i in range(table.shape[0]):
        data = table[i, 1]
        if data != 0:
            slot = (table[i, 0] ^ data) & (bigger.shape[0] - 2)
            if bigger[slot, 1] != 0:
                slot += 1
            bigger[slot, 0] = table[i, 0]
            bigger[slot, 1] = data
    return bigger


@kernel(python_entry=False)
def bring_best_forward(buffers: Any, ranks: Any, ply: int, turn: int, count: int) -> None:
    """Swap the most promising of the moves that are left to the front."""
    top = turn
    for i in range(turn + 1, count):
        if ranks[ply, i] > ranks[ply, top]:
            top = i
    if top != turn:
        buffers[ply, top], buffers[ply, turn] = buffers[ply, turn], buffers[ply, top]
        ranks[ply, top], ranks[ply, turn] = ranks[ply, turn], ranks[ply, top]
