"""The specialist for k in a row: is a position won, drawn or lost, on boards too large to search every line of play.

It asks one kind of question, "can this player, the attacker, force a line?", the other being the defender, who wants
no more than to prevent it (a line of the defender's own ends the game just as well). A position is won if the player to
move can force a line, lost if the opponent can, else drawn. Before it is searched, a position is *judged*:

- a line that can be completed is; a line that the other is about to complete must be stopped, and so on to the end of
  the chain; two such at once decide;
- an attacker without a line that is free of defenders has lost the argument;
- *weights* (Erdos and Selfridge): give a line that lacks n stones the weight 1 / 2**n. A defender who always takes the
  cell of most weight never lets the sum grow. A completed line weighs 1, so a sum below 1 (defender to move) or
  1 / 2 (attacker to move) is a defence;
- *pairs* (Hales and Jewett): if each of the attacker's lines can be given two empty cells that belong to no other line,
  the defender answers each cell by its partner, and no line is ever completed.

What is left open is searched, cells on the strongest lines first. Cells on no line that is still possible for anyone
are never played: a stone more never hurts, so neither player needs to wait.

Table entry, one word: | cells of the attacker and the defender, or a hash of them: 60 bits | turn | 1 | answer |
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ludion.answers import OPTIMAL, Answer, Sign
from ludion.core.verbs import kernel
from ludion.core.words import highest, lowest, mix, popcount
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import MEMORY, NODE_LIMIT, NODES, STOP, run
from ludion.engines.tables import new_row, new_rows
from ludion.games.tic_tac_toe.evaluation import make as make_evaluation
from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks
from ludion.kinds.duel import LOST, OPEN, moves, play, verdict

NO, YES, UNKNOWN = 0, 1, 2
STOPPED = -1
KEY_BITS = 60
LARGEST_TABLE = 1 << 24  # entries: 128 MB
SMALL = 16  # cells; up to here every line of play is searched at once
# A frame of the stack: its position, the child to enter next and how many there are, the children from CHILDREN on.
# A child is four words: attack, defend, turn, rank.
ATTACK, DEFEND, TURN, NEXT, COUNT, CHILDREN, CHILD = 0, 1, 2, 3, 4, 5, 4
# The matching: who has each cell and who asked for it; the cell of each wish, and the wishes to be asked.
OWNER, ASKED_BY, GIVEN, QUEUE = 0, 1, 2, 3


# ------------------------------------------------------------------ judging


@kernel(python_entry=False)
def judge(rules: AlignmentGame, attack: int, defend: int, turn: int, pairing: Any) -> Any:
    """Can the attacker force a line? `turn` is 1 if the attacker is to move.

    Return the verdict, the position that is left after forced moves, and the cells worth playing there.
    """
    lines, align = rules.alignments, rules.align
    while True:
        winning = stopping = hopeful = disturbing = 0
        weight = count = 0
        for i in range(lines.size):
            line = lines[i]
            if line & defend == 0:
                rest = line & ~attack
                lacking = popcount(rest)
                if lacking == 1:
                    winning |= rest
                hopeful |= rest
                weight += 1 << (align - lacking)
                count += 1
            elif line & attack == 0:
                rest = line & ~defend
                if rest & (rest - 1) == 0:
                    stopping |= rest
                disturbing |= rest
        if turn != 0:
            if winning:
                return YES, attack, defend, turn, 0
            if count == 0 or stopping & (stopping - 1):
                return NO, attack, defend, turn, 0
            if stopping == 0:
                break
            attack |= stopping
        else:
            if stopping or count == 0:
                return NO, attack, defend, turn, 0
            if winning & (winning - 1):
                return YES, attack, defend, turn, 0
            if winning == 0:
                break
            defend |= winning
        turn = 1 - turn
    if weight < 1 << (align - turn):
        return NO, attack, defend, turn, 0
    if 2 * count <= popcount(hopeful) and can_be_paired(rules, attack, defend, pairing):
        return NO, attack, defend, turn, 0
    return UNKNOWN, attack, defend, turn, hopeful | disturbing


@kernel(python_entry=False)
def can_be_paired(rules: AlignmentGame, attack: int, defend: int, pairing: Any) -> bool:
    """Whether each line open to the attacker can have two empty cells for itself.

    A matching of wishes and cells; wishes 2 i and 2 i + 1 are those of line i. A wish gets a cell that is free, or one
    whose owner can take another, and so on. The rows of `pairing` are named below.
    """
    lines = rules.alignments
    for cell in range(rules.columns * rules.rows):
        pairing[OWNER, cell] = -1
    for wish in range(2 * lines.size):
        pairing[GIVEN, wish] = -1
        if lines[wish >> 1] & defend != 0:
            continue
        pairing[QUEUE, 0] = wish
        begin, end, seen, found = 0, 1, 0, -1
        while begin < end and found < 0:
            asking = pairing[QUEUE, begin]
            begin += 1
            rest = lines[asking >> 1] & ~attack & ~seen
            seen |= rest
            while rest and found < 0:
                cell = lowest(rest)
                rest &= rest - 1
                pairing[ASKED_BY, cell] = asking
                if pairing[OWNER, cell] < 0:
                    found = cell
                else:
                    pairing[QUEUE, end] = pairing[OWNER, cell]
                    end += 1
        if found < 0:
            return False
        while found >= 0:  # each gives its cell to who asked for it
            asking = pairing[ASKED_BY, found]
            given_up = pairing[GIVEN, asking]
            pairing[OWNER, found] = asking
            pairing[GIVEN, asking] = found
            found = given_up
    return True


# ------------------------------------------------------------------ the search


@kernel(python_entry=False)
def key_of(rules: AlignmentGame, attack: int, defend: int, turn: int) -> int:
    """A name of the position, the same for its images while there are few stones."""
    cells = rules.columns * rules.rows
    smallest = named(cells, attack, defend)
    if 2 * popcount(attack | defend) <= cells:
        for image in range(1, rules.images.shape[0]):
            smallest = min(
                smallest, named(cells, image_of(rules, image, attack), image_of(rules, image, defend))
            )
    return smallest << 1 | turn


@kernel(python_entry=False)
def named(cells: int, attack: int, defend: int) -> int:
    """The two sets of cells in a word; on boards of more than 30 cells, a hash of them."""
    if 2 * cells <= KEY_BITS:
        return attack | defend << cells
    return mix(defend, mix(attack, 0)) & ((1 << KEY_BITS) - 1)


@kernel(python_entry=False)
def image_of(rules: AlignmentGame, image: int, stones: int) -> int:
    """Where a symmetry takes these cells."""
    found = 0
    while stones:
        found |= 1 << rules.images[image, lowest(stones)]
        stones &= stones - 1
    return found


@kernel
def can_force(rules: AlignmentGame, attack: int, defend: int, turn: int, table: Any, control: Any) -> int:
    """Can the attacker force a line? YES or NO, or STOPPED. Nobody has a line yet."""
    cells, lines = rules.columns * rules.rows, rules.alignments
    pairing = new_rows(4, max(cells, 2 * lines.size))
    stack = new_rows(cells + 2, CHILDREN + CHILD * cells)
    ranks = new_row(cells)
    answer, attack, defend, turn, playable = judge(rules, attack, defend, turn, pairing)
    ply = 0
    while True:
        if answer == UNKNOWN:  # a position has just been entered: judge all its children
            control[NODES] += 1
            if control[STOP] != 0 or control[NODES] > control[NODE_LIMIT]:
                return STOPPED
            wanted = YES if turn != 0 else NO
            stack[ply, ATTACK] = attack
            stack[ply, DEFEND] = defend
            stack[ply, TURN] = turn
            rank_cells(rules, attack, defend, playable, ranks)
            count = 0
            answer = 1 - wanted
            while playable:
                cell = lowest(playable)
                playable &= playable - 1
                stone = 1 << cell
                if turn != 0:
                    told, a, d, t, _ = judge(rules, attack | stone, defend, 0, pairing)
                else:
                    told, a, d, t, _ = judge(rules, attack, defend | stone, 1, pairing)
                if told == UNKNOWN:
                    told = look_up(table, key_of(rules, a, d, t))
                if told == wanted:
                    answer = wanted
                    break
                if told == UNKNOWN:
                    answer = UNKNOWN
                    place = count  # the highest rank first
                    while place > 0 and stack[ply, CHILDREN + CHILD * (place - 1) + 3] < ranks[cell]:
                        for i in range(CHILD):
                            at = CHILDREN + CHILD * place + i
                            stack[ply, at] = stack[ply, at - CHILD]
                        place -= 1
                    at = CHILDREN + CHILD * place
                    stack[ply, at] = a
                    stack[ply, at + 1] = d
                    stack[ply, at + 2] = t
                    stack[ply, at + 3] = ranks[cell]
                    count += 1
            stack[ply, NEXT] = 0
            stack[ply, COUNT] = count
            if answer != UNKNOWN:
                keep(table, key_of(rules, attack, defend, turn), answer)
        if answer == UNKNOWN:
            ply += 1
        else:  # tell the position above; it is answered too if this is what it wanted, or the last child
            ply -= 1
            while ply >= 0:
                wanted = YES if stack[ply, TURN] != 0 else NO
                if answer != wanted and stack[ply, NEXT] < stack[ply, COUNT]:
                    break
                keep(table, key_of(rules, stack[ply, ATTACK], stack[ply, DEFEND], stack[ply, TURN]), answer)
                ply -= 1
            if ply < 0:
                return answer  # type: ignore[no-any-return]
            ply += 1
        at = CHILDREN + CHILD * stack[ply - 1, NEXT]
        stack[ply - 1, NEXT] += 1
        attack, defend, turn = stack[ply - 1, at], stack[ply - 1, at + 1], stack[ply - 1, at + 2]
        answer = look_up(table, key_of(rules, attack, defend, turn))  # its siblings may have answered it
        if answer == UNKNOWN:
            answer, attack, defend, turn, playable = judge(rules, attack, defend, turn, pairing)


@kernel(python_entry=False)
def rank_cells(rules: AlignmentGame, attack: int, defend: int, playable: int, ranks: Any) -> None:
    """How much each cell counts: a line that is open to one player four times for each stone on it."""
    lines = rules.alignments
    for cell in range(ranks.size):
        ranks[cell] = 0
    for i in range(lines.size):
        line = lines[i]
        stones = line & attack if line & defend == 0 else line & defend if line & attack == 0 else -1
        if stones >= 0:
            rest = line & playable
            while rest:
                ranks[lowest(rest)] += 1 << 2 * min(popcount(stones), 20)
                rest &= rest - 1


@kernel(python_entry=False)
def look_up(table: Any, key: int) -> int:
    """What the table knows: YES, NO or UNKNOWN."""
    place = (mix(key, 0) >> 3) & (table.size - 2)
    if table[place] >> 2 == key and table[place] != 0:
        return table[place] & 1  # type: ignore[no-any-return]
    if table[place + 1] >> 2 == key and table[place + 1] != 0:
        return table[place + 1] & 1  # type: ignore[no-any-return]
    return UNKNOWN


@kernel(python_entry=False)
def keep(table: Any, key: int, answer: int) -> None:
    """Write an entry: in the first place if it has no more stones than the one there, which moves to the second."""
    place = (mix(key, 0) >> 3) & (table.size - 2)
    entry = key << 2 | 2 | answer
    if table[place] >> 2 == key or table[place] == 0:
        table[place] = entry
    elif popcount(table[place] >> 2) >= popcount(key):
        table[place + 1] = table[place]
        table[place] = entry
    else:
        table[place + 1] = entry


# ------------------------------------------------------------------ the engine


class _Asking:
    """Questions about one game that share a table."""

    def __init__(self, rules: AlignmentGame, memory: int) -> None:
        self.rules = rules
        entries = min(LARGEST_TABLE, max(memory // 16, 2), 1 << 2 * rules.columns * rules.rows)
        self.table = np.zeros(1 << highest(entries), np.int64)

    def can_force(self, attack: int, defend: int, turn: int, control: Any) -> int:
        told = int(can_force(self.rules, attack, defend, turn, self.table, control))
        if told == STOPPED:
            raise InterruptedError
        return told

    def value(self, position: Marks, control: Any) -> int:
        """1, 0 or -1 for the player to move."""
        if int(verdict(self.rules, position)) != OPEN:
            return int(verdict(self.rules, position))
        if self.can_force(position.own, position.other, 1, control) == YES:
            return 1
        if position.own | position.other == 0:
            return 0  # whatever the second player could force, the first could force too, with a stone more
        return -self.can_force(position.other, position.own, 0, control)

    def best(self, position: Marks, control: Any) -> tuple[int, int]:
        """The value, and a move that keeps it."""
        value = self.value(position, control)
        buffer = np.zeros(self.rules.columns * self.rules.rows, np.int64)
        found = [int(each) for each in buffer[: int(moves(self.rules, position, buffer))]]
        found.sort(key=lambda move: -int(self.rules.through[move]))
        children = [(move, play(self.rules, position, move)) for move in found]
        for move, child in children:
            if int(verdict(self.rules, child)) == LOST:
                return value, move
        for move, child in children:
            own, other = child.own, child.other
            if value == 1 and self.can_force(other, own, 0, control) == YES:
                return value, move
            if value == 0 and self.can_force(own, other, 1, control) == NO:
                return value, move
        return value, found[0]


def solve(
    rules: AlignmentGame, position: Marks, guide: Any, budget: Budget, observer: Observer | None = None
) -> Answer:
    """Whether the position is won, drawn or lost, and a move that keeps it so; on small boards also how soon.

    With a limit, half of it is for the proof; if that does not come, the general alpha-beta gets the rest.
    """
    guide = make_evaluation(rules) if guide is None else guide
    if budget.depth is not None or rules.columns * rules.rows <= SMALL:
        return alpha_beta.solve(rules, position, guide, budget, observer)

    def work(control: Any, trace: Any) -> tuple[int, int] | None:
        asking = _Asking(rules, budget.memory)
        control[MEMORY] = asking.table.nbytes
        try:
            return asking.best(position, control)
        except InterruptedError:
            return None

    half = dataclasses.replace(
        budget,
        seconds=budget.seconds / 2 if budget.seconds else budget.seconds,
        nodes=max(1, budget.nodes // 2) if budget.nodes else None,
    )
    outcome = run(work, half, observer)
    nodes = int(outcome.control[NODES])
    if outcome.result is None:
        guess = alpha_beta.solve(rules, position, guide, half, observer)
        return dataclasses.replace(guess, nodes=guess.nodes + nodes, seconds=guess.seconds + outcome.seconds)
    value, move = outcome.result
    return Answer(
        OPTIMAL,
        (move,),
        score=Sign(value, True),
        nodes=nodes,
        expanded=nodes,
        seconds=outcome.seconds,
        tier=outcome.tier,
        memory=int(outcome.control[MEMORY]),
        engine="solver",
    )
