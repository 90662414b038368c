"""Alpha-beta: negamax that leaves out what cannot matter, deeper and deeper until the budget ends.

What is in it, each to be switched off to see what it gains: move `ordering` (the table's move, the game's own
`promise`, moves that cut elsewhere), a `table` of known positions with bounded memory, `symmetry` (one entry for all
images of a position), and null windows (principal-variation search) for all but the first move. For an evaluation
that knows which moves are `forcing` it is also `selective`: a position is judged only after these moves, late
moves are searched less deeply unless they turn out well, and an iteration begins with a narrow window around the value
of the last one. Several `threads` search the same position and share the table.

The contract of the search of a position with a window alpha < beta, fail-soft; the value v returned is
    v <= alpha            the true value is at most v
    alpha < v < beta      the true value is v
    v >= beta             the true value is at least v
where "true" is what negamax to the same depth says. Values beyond HIGHEST are forced wins or losses, counted in plies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.engines.answers import LIMIT, OPTIMAL, SOLVED, Answer, Score
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
    STOP,
    STOPPED,
    Budget,
    Observer,
    helpers,
    record,
    run,
)
from ludion.kinds.duel import (
    DRAWN,
    HIGHEST,
    LOST,
    OPEN,
    WIN,
    copy,
    evaluate,
    forcing,
    key,
    mirror,
    mirror_move,
    most_moves,
    moves,
    play,
    promise,
    symmetries,
    undo,
    verdict,
)
from ludion.verbs import kernel
from ludion.words import load, save, size

DEEPEST = 120  # plies of one search
ALL_THE_WAY = 127  # the depth of a table entry whose lines were all searched to the end of the game
FIRST_ENTRIES, LARGEST_TABLE = 1 << 12, 128 << 20  # entries; bytes
AT_LEAST, AT_MOST, EXACTLY = 1, 2, 3
WHOLE_WINDOW, NULL_WINDOW, FEWER_PLIES = range(3)  # how a child is searched; again if it turns out well
INFINITE = WIN + 1
HISTORIES = 1 << 15
FORCED = 4  # plies of forcing moves beyond the depth
NARROW = 60  # points on both sides of the last value, for the first window of an iteration


class Settings(NamedTuple):
    """What is switched on."""

    ordering: int
    table: int
    symmetry: int
    selective: int
    first: int  # the depth of the first iteration


def solve(
    game: Any,
    start: Any,
    guide: Any,
    budget: Budget,
    observer: Observer | None = None,
    ordering: bool = True,
    table: bool = True,
    symmetry: bool = True,
    selective: bool = True,
    threads: int = 1,
) -> Answer:
    """Deepen until the value is proved, the depth is reached or the budget ends."""
    deepest = min(budget.depth or DEEPEST, DEEPEST)
    entries = 1 << (min(LARGEST_TABLE, budget.memory // 2) // 16).bit_length() - 1 if table else 2
    shared = table and threads > 1  # a shared table cannot grow
    known = np.zeros((entries if shared else min(entries, FIRST_ENTRIES), 2), np.int64)
    settings = Settings(int(ordering), int(table), int(symmetry), int(selective and forcing.has(guide)), 1)

    def work(control: Any, trace: Any, first: int = 1) -> Any:
        here, how = copy(game, start), settings._replace(first=first)
        return search(game, here, guide, deepest, how, known, entries, control, trace)

    with helpers(lambda control, trace: work(control, trace, min(2, deepest)), threads - 1 if shared else 0):
        outcome = run(work, budget, observer)
    ended, value, depth, complete, line = outcome.result
    control = outcome.control
    exact = bool(complete) or abs(int(value)) > HIGHEST
    found = len(line) > 0
    limit = outcome.limit_name(ended)
    return Answer(
        (OPTIMAL if exact else SOLVED) if found else LIMIT,
        tuple(line.tolist()),
        score=Score(int(value), exact) if found else None,
        nodes=int(control[NODES]),
        expanded=int(control[EXPANDED]),
        depth=int(depth),
        seconds=outcome.seconds,
        memory=int(control[MEMORY]) if table else 0,
        engine="alpha-beta",
        limit=limit,
        reason="" if found else f"no move was searched to the end ({limit})",
    )


@kernel
def search(
    game: Any,
    start: Any,
    evaluation: Any,
    deepest: int,
    settings: Settings,
    table: Any,
    most_entries: int,
    control: Any,
    trace: Any,
) -> Any:
    """Return how it ended, the value, the depth searched, whether it is proved, and the best line.

    One row a ply:
        rows: the position               buffers, ranks, counts, turns: its moves, their promise, how many, the next
        alphas, betas: the window        firsts: the lower end that it was entered with
        best, choices: value and move    lefts: plies left to search       whole: 1 while all lines ended by themselves
        scouts: how the child is searched                                  lines, lengths: the best line from here
    Table entry: (key ^ data, data), data = value + 2**15 | depth << 16 | bound << 24 | move << 26.
    """
    plies = deepest + FORCED + 2
    most = most_moves(game)
    rows = np.empty((plies, size(start) + 1), np.int64)
    buffers = np.empty((plies, most), np.int64)
    ranks = np.empty((plies, most), np.int64)
    counts = np.zeros(plies, np.int64)
    turns = np.zeros(plies, np.int64)
    alphas = np.zeros(plies, np.int64)
    betas = np.zeros(plies, np.int64)
    firsts = np.zeros(plies, np.int64)
    best = np.zeros(plies, np.int64)
    choices = np.zeros(plies, np.int64)
    lefts = np.zeros(plies, np.int64)
    whole = np.zeros(plies, np.int64)
    scouts = np.zeros(plies, np.int64)
    keys = np.zeros(plies, np.int64)
    images = np.zeros(plies, np.int64)  # the symmetry that gives the key
    killers = np.full((plies, 2), -1, np.int64)
    lines = np.zeros((plies + 1, plies + 1), np.int64)
    lengths = np.zeros(plies + 1, np.int64)
    ids = np.zeros(plies, np.int64)
    history = np.zeros(HISTORIES, np.int64)
    answer = np.zeros(plies, np.int64)  # the best line of the last iteration
    answer_length = 0
    answer_value = 0
    answer_depth = 0
    control[MEMORY] = table.size * 8
    nodes = 0
    expanded = 0
    ended = EXHAUSTED
    proved = False

    depth = settings.first
    low, high = -INFINITE, INFINITE
    while depth <= deepest:
        while expanded > table.shape[0] // 4 and table.shape[0] * 4 <= most_entries:
            table = enlarged(table)
            control[MEMORY] = table.size * 8
        position = start
        ply = 0
        alphas[0] = low
        betas[0] = high
        lefts[0] = depth
        counts[0] = 0
        interrupted = False
        while True:
            # ---- a position has just been entered at this ply, with its window and depth set
            nodes += 1
            lengths[ply] = 0
            turns[ply] = 0
            counts[ply] = 0
            result = verdict(game, position)
            if result != OPEN:
                whole[ply] = 1
                if result == DRAWN:
                    best[ply] = 0
                elif result == LOST:
                    best[ply] = ply - WIN
                else:
                    best[ply] = WIN - ply
            elif lefts[ply] <= 0:
                whole[ply] = 0
                best[ply] = evaluate(evaluation, game, position)
                if settings.selective != 0 and lefts[ply] > -FORCED and best[ply] < betas[ply]:
                    number = forcing(evaluation, game, position, buffers[ply])
                    if number > 0:
                        save(rows[ply], position)
                        counts[ply] = number
                        choices[ply] = -1
                        ranks[ply, :number] = 0
                        alphas[ply] = max(alphas[ply], best[ply])
            else:
                remembered = -1
                known = False
                if settings.table != 0:
                    smallest, image = canonical(game, position, settings.symmetry)
                    keys[ply] = smallest
                    images[ply] = image
                    slot = smallest & (table.shape[0] - 2)
                    for i in range(2):
                        data = table[slot + i, 1]
                        if data != 0 and table[slot + i, 0] ^ data == smallest:
                            remembered = data >> 26
                            if ply > 0 and (data >> 16) & 255 >= lefts[ply] and betas[ply] - alphas[ply] == 1:
                                value = from_table(data, ply)
                                bound = (data >> 24) & 3
                                if (
                                    bound == EXACTLY
                                    or (bound == AT_LEAST and value >= betas[ply])
                                    or (bound == AT_MOST and value <= alphas[ply])
                                ):
                                    known = True
                                    best[ply] = value
                                    whole[ply] = 1 if (data >> 16) & 255 == ALL_THE_WAY else 0
                            break
                if not known:
                    save(rows[ply], position)
                    number = moves(game, position, buffers[ply])
                    counts[ply] = number
                    best[ply] = -INFINITE
                    choices[ply] = -1
                    firsts[ply] = alphas[ply]
                    whole[ply] = 1
                    expanded += 1
                    if settings.ordering != 0:
                        for i in range(number):
                            move = buffers[ply, i]
                            rank = (promise(evaluation, game, position, move) << 20) + history[folded(move)]
                            if move == killers[ply, 0] or move == killers[ply, 1]:
                                rank += 1 << 40
                            if remembered >= 0 and mirror_move(game, move, images[ply]) == remembered:
                                rank += 1 << 50
                            ranks[ply, i] = rank
                    if trace.shape[0] > 0:
                        ids[ply] = nodes - 1
                        made = buffers[ply - 1, turns[ply - 1] - 1] if ply > 0 else -1
                        record(
                            control,
                            trace,
                            EXPAND,
                            nodes - 1,
                            ids[ply - 1] if ply > 0 else -1,
                            made,
                            ply,
                            alphas[ply],
                        )
                    if expanded & 255 == 0:
                        control[NODES] = nodes
                        control[EXPANDED] = expanded
                        control[FRONTIER] = ply
                        if control[STOP] != 0:
                            ended = STOPPED
                            interrupted = True
                    if nodes >= control[NODE_LIMIT]:
                        ended = OUT_OF_NODES
                        interrupted = True
            # ---- go back while there is nothing left to try, then try the next move
            while not interrupted and turns[ply] == counts[ply]:
                if counts[ply] > 0 and settings.table != 0 and lefts[ply] > 0:
                    remember(game, table, ply, keys, images, best, firsts, betas, lefts, whole, choices)
                if ply == 0:
                    break
                value = -best[ply]
                finished = whole[ply]
                ply -= 1
                move = buffers[ply, turns[ply] - 1]
                undo(game, position, move)
                position = load(rows[ply], start)
                if scouts[ply] == FEWER_PLIES and value > alphas[ply]:
                    # It turned out well: search the same move again as deeply as the others.
                    scouts[ply] = NULL_WINDOW
                    turns[ply] -= 1
                    continue
                if scouts[ply] == NULL_WINDOW and alphas[ply] < value < betas[ply]:
                    # The null window was wrong: search the same move again with the whole one.
                    scouts[ply] = WHOLE_WINDOW
                    turns[ply] -= 1
                    continue
                whole[ply] &= finished
                if value > best[ply]:
                    best[ply] = value
                    choices[ply] = move
                    if value > alphas[ply]:
                        alphas[ply] = value
                        lines[ply, 0] = move
                        for i in range(lengths[ply + 1]):
                            lines[ply, i + 1] = lines[ply + 1, i]
                        lengths[ply] = lengths[ply + 1] + 1
                        if ply == 0:
                            control[BEST] = value
                            record(control, trace, IMPROVE, ids[0], -1, move, depth, value)
                scouts[ply] = FEWER_PLIES
                if value >= betas[ply]:
                    record(control, trace, CUT, ids[ply], -1, move, ply, value)
                    whole[ply] = finished  # the cut rests on this move alone
                    turns[ply] = counts[ply]
                    if lefts[ply] > 0:
                        place = folded(move)
                        history[place] = min(history[place] + lefts[ply] * lefts[ply], 1 << 19)
                    if lefts[ply] > 0 and killers[ply, 0] != move:
                        killers[ply, 1] = killers[ply, 0]
                        killers[ply, 0] = move
            if interrupted or turns[ply] == counts[ply]:
                break
            turn = turns[ply]
            fewer = 0
            if turn == 0:
                scouts[ply] = WHOLE_WINDOW
            elif scouts[ply] == FEWER_PLIES:
                fewer = lateness(turn, lefts[ply]) if settings.selective != 0 else 0
                if fewer == 0:
                    scouts[ply] = NULL_WINDOW
            if settings.ordering != 0:
                bring_best(buffers, ranks, ply, turn, counts[ply])
            move = buffers[ply, turn]
            turns[ply] = turn + 1
            position = play(game, position, move)
            ply += 1
            lefts[ply] = lefts[ply - 1] - 1 - fewer
            betas[ply] = -alphas[ply - 1]
            alphas[ply] = -alphas[ply - 1] - 1 if scouts[ply - 1] != WHOLE_WINDOW else -betas[ply - 1]
        # ---- the iteration is over: keep what it found
        if not interrupted and not low < best[0] < high:
            low, high = -INFINITE, INFINITE  # the narrow window was wrong
            continue
        if interrupted:
            while ply > 0:  # take back the moves of the line that was being searched
                ply -= 1
                undo(game, position, buffers[ply, turns[ply] - 1])
                position = load(rows[ply], start)
        if lengths[0] > 0 and (not interrupted or turns[0] > 1 or answer_length == 0):
            answer_value = best[0]
            answer_depth = depth if not interrupted else depth - 1
            answer_length = lengths[0]
            for i in range(answer_length):
                answer[i] = lines[0, i]
        control[NODES] = nodes
        control[EXPANDED] = expanded
        control[DEPTH] = depth
        if interrupted:
            break
        if whole[0] != 0 or abs(best[0]) > HIGHEST:
            proved = True
            break
        if settings.selective != 0 and depth > 1:
            low, high = best[0] - NARROW, best[0] + NARROW
        depth += 1
    return ended, answer_value, answer_depth, proved, answer[:answer_length]


@kernel
def folded(move: int) -> int:
    """The place of a move in the history."""
    return (move ^ move >> 10) & (HISTORIES - 1)


@kernel
def lateness(turn: int, left: int) -> int:
    """How many plies less a move is searched when so many were tried before it."""
    if left < 3 or turn < 4:
        return 0
    return 1 if left < 5 or turn < 12 else 2


@kernel
def canonical(game: Any, position: Any, symmetry: int) -> tuple[int, int]:
    """The least key among the images of the position, and which image has it."""
    smallest = key(game, position)
    image = 0
    if symmetry != 0:
        for i in range(1, symmetries(game)):
            other = key(game, mirror(game, position, i))
            if other < smallest:
                smallest = other
                image = i
    return smallest, image


@kernel
def from_table(data: int, ply: int) -> int:
    """The value of a table entry, with wins counted from the root again."""
    value = (data & 0xFFFF) - 32768
    if value > HIGHEST:
        return value - ply
    if value < -HIGHEST:
        return value + ply
    return value


@kernel
def remember(
    game: Any,
    table: Any,
    ply: int,
    keys: Any,
    images: Any,
    best: Any,
    firsts: Any,
    betas: Any,
    lefts: Any,
    whole: Any,
    choices: Any,
) -> None:
    """Enter what was found at this ply: in the first slot if it went deeper, else in the second."""
    value = best[ply]
    if value <= firsts[ply]:
        bound = AT_MOST
    elif value >= betas[ply]:
        bound = AT_LEAST
    else:
        bound = EXACTLY
    if value > HIGHEST:  # wins are kept as counted from this position
        value += ply
    elif value < -HIGHEST:
        value -= ply
    depth = ALL_THE_WAY if whole[ply] != 0 else lefts[ply]
    move = max(0, mirror_move(game, choices[ply], images[ply])) if choices[ply] >= 0 else 0
    data = (value + 32768) | depth << 16 | bound << 24 | move << 26
    slot = keys[ply] & (table.shape[0] - 2)
    old = table[slot, 1]
    if old != 0 and table[slot, 0] ^ old != keys[ply] and (old >> 16) & 255 > depth:
        slot += 1
    table[slot, 0] = keys[ply] ^ data
    table[slot, 1] = data


@kernel
def enlarged(table: Any) -> Any:
    """A table of four times the size with the same entries: small searches stay in the processor's cache."""
    bigger = np.zeros((table.shape[0] * 4, 2), np.int64)
    for i in range(table.shape[0]):
        data = table[i, 1]
        if data != 0:
            slot = (table[i, 0] ^ data) & (bigger.shape[0] - 2)
            if bigger[slot, 1] != 0:
                slot += 1
            bigger[slot, 0] = table[i, 0]
            bigger[slot, 1] = data
    return bigger


@kernel
def bring_best(buffers: Any, ranks: Any, ply: int, turn: int, count: int) -> None:
    """Swap the most promising of the moves that are left to the front."""
    top = turn
    for i in range(turn + 1, count):
        if ranks[ply, i] > ranks[ply, top]:
            top = i
    if top != turn:
        buffers[ply, top], buffers[ply, turn] = buffers[ply, turn], buffers[ply, top]
        ranks[ply, top], ranks[ply, turn] = ranks[ply, turn], ranks[ply, top]
