"""The specialist for k in a row: whether a position is won, drawn or lost, on boards too large for a full search.

It asks only one kind of question, "can this player, the attacker, force a line?". The other player is the defender, who
only has to prevent it (a line of the defender's own also ends the game). A position is won if the player to move can
force a line, lost if the opponent can, else drawn. Before it is searched, a position is *judged*:

- a line that can be completed is completed; a line that the opponent is about to complete must be stopped, and so on
  to the end of the chain; two such threats at once decide;
- an attacker without a line that is free of defenders cannot force one;
- *weights* (Erdos and Selfridge): give a line that lacks n stones the weight 1 / 2**n. A defender who always takes the
  cell of most weight never lets the sum grow. A completed line weighs 1, so a sum below 1 (defender to move) or
  1 / 2 (attacker to move) is a defence;
- *pairs* (Hales and Jewett): if each of the attacker's lines can be given two empty cells that belong to no other line,
  the defender answers each cell by its partner, and no line is ever completed.

Undecided positions are searched, cells on the strongest lines first. Cells that are on no line still possible for
either player are never played: an extra stone never hurts, so neither player needs a waiting move. *Threats* cut the
search (threat-space search, Allis): an attacker to move who wins by a chain of moves that each threaten a line has won;
if the defender is to move and there is such a chain, only moves that disturb it are tried. A first attempt lets the
attacker make, after one free move, only moves that threaten such a chain: on large boards it finds wins quickly; its
failure proves nothing.

Table entry, one word; bit 1 is set in every entry that is used:

    | cells of the attacker and of the defender, or a hash of them: 60 bits | turn | 1 | answer |

Frame of the stack, one for each ply:

    | ATTACK | DEFEND | TURN | NEXT | COUNT | children, the highest rank first |
    child:  | CHILD_ATTACK | CHILD_DEFEND | CHILD_TURN | CHILD_RANK |
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ludion.answers import LIMIT, OPTIMAL, Answer, Sign
from ludion.core.verbs import kernel
from ludion.core.words import highest, lowest, mix, popcount
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import MEMORY, NODE_LIMIT, NODES, STOP, run
from ludion.engines.tables import new_row, new_rows
from ludion.games.tic_tac_toe.evaluation import Alignments
from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks, image_of
from ludion.kinds.duel import LOST, OPEN, Even, moves, play, verdict
from ludion.messages import message

NO, YES, UNKNOWN = 0, 1, 2  # answers to "can the attacker force a line?"
STOPPED = -1
KEY_BITS = 60
KEY_SHIFT, USED = 2, 2  # of a table entry
LARGEST_TABLE = 1 << 24  # entries: 128 MB
SMALL = 16  # cells; on boards up to this size every line of play is searched
# The words of a frame, and of a child in it.
ATTACK, DEFEND, TURN, NEXT, COUNT, CHILDREN = range(6)
CHILD_ATTACK, CHILD_DEFEND, CHILD_TURN, CHILD_RANK, CHILD_WORDS = range(5)
# The rows of a matching; each line requests two cells. The request that owns each cell, and the last one to ask for it;
# the cell of each request; a queue of requests.
OWNER, ASKED_BY, GIVEN, QUEUE = range(4)
# The words of a step of a chain of threats: the stones before it, and the moves that are left to try.
CHAIN_ATTACK, CHAIN_DEFEND, CHAIN_MOVES, CHAIN_WORDS = range(4)
MOST_CHAIN_MOVES = 200  # tried in one search for a chain
FREE_MOVES = 4  # first moves tried in the attempt by threats alone
ATTEMPT_NODES = 5_000  # of each


class Attack(NamedTuple):
    """A position with the roles of the question, and what is known of the answer."""

    answer: int
    attack: int  # cells of the attacker
    defend: int  # cells of the defender
    turn: int  # 1 if the attacker is to move
    playable: int  # the cells that are worth playing


class AttackWork(NamedTuple):
    """What a search reads and writes."""

    table: np.ndarray
    stack: np.ndarray
    pairing: np.ndarray  # see `can_be_paired`
    ranks: np.ndarray  # of cells
    chain: np.ndarray  # see `threat_zone`


# ------------------------------------------------------------------ judging


@kernel(python_entry=False)
def judge(rules: AlignmentGame, attack: int, defend: int, turn: int, pairing: Any) -> Attack:
    """Can the attacker force a line? If the answer is UNKNOWN, the position returned is the one after forced moves."""
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
                return Attack(YES, attack, defend, turn, 0)
            if count == 0 or stopping & (stopping - 1):
                return Attack(NO, attack, defend, turn, 0)
            if stopping == 0:
                break
            attack |= stopping
        else:
            if stopping or count == 0:
                return Attack(NO, attack, defend, turn, 0)
            if winning & (winning - 1):
                return Attack(YES, attack, defend, turn, 0)
            if winning == 0:
                break
            defend |= winning
        turn = 1 - turn
    if weight < 1 << (align - turn):
        return Attack(NO, attack, defend, turn, 0)
    if 2 * count <= popcount(hopeful) and can_be_paired(rules, attack, defend, pairing):
        return Attack(NO, attack, defend, turn, 0)
    return Attack(UNKNOWN, attack, defend, turn, hopeful | disturbing)


@kernel(python_entry=False)
def can_be_paired(rules: AlignmentGame, attack: int, defend: int, pairing: Any) -> bool:
    """Whether each line open to the attacker can be given two empty cells of its own.

    A bipartite matching of requests and cells; requests 2 i and 2 i + 1 belong to line i. A request gets a free cell,
    or one whose owner can take another (an augmenting path). The rows of `pairing` are named above.
    """
    lines = rules.alignments
    for cell in range(rules.columns * rules.rows):
        pairing[OWNER, cell] = -1
    for request in range(2 * lines.size):
        pairing[GIVEN, request] = -1
        if lines[request >> 1] & defend != 0:
            continue
        pairing[QUEUE, 0] = request
        begin, end, seen, free_cell = 0, 1, 0, -1
        while begin < end and free_cell < 0:
            asking = pairing[QUEUE, begin]
            begin += 1
            rest = lines[asking >> 1] & ~attack & ~seen
            seen |= rest
            while rest and free_cell < 0:
                cell = lowest(rest)
                rest &= rest - 1
                pairing[ASKED_BY, cell] = asking
                if pairing[OWNER, cell] < 0:
                    free_cell = cell
                else:
                    pairing[QUEUE, end] = pairing[OWNER, cell]
                    end += 1
        if free_cell < 0:
            return False
        while free_cell >= 0:  # each request passes its cell to the one that asked for it
            asking = pairing[ASKED_BY, free_cell]
            given_up = pairing[GIVEN, asking]
            pairing[OWNER, free_cell] = asking
            pairing[GIVEN, asking] = free_cell
            free_cell = given_up
    return True


# ------------------------------------------------------------------ threats


class LineCells(NamedTuple):
    """The empty cells of lines that lack one or two stones."""

    winning: int  # the attacker completes a line there
    threatening: int  # the attacker's lines that lack two stones
    stopping: int  # the defender completes a line there


@kernel(python_entry=False)
def line_cells(rules: AlignmentGame, attack: int, defend: int) -> LineCells:
    """The empty cells of the lines that lack one or two stones."""
    lines = rules.alignments
    winning = threatening = stopping = 0
    for i in range(lines.size):
        line = lines[i]
        rest = line & ~(attack | defend)
        more = rest & (rest - 1)
        if line & defend == 0:
            if more == 0:
                winning |= rest
            elif more & (more - 1) == 0:
                threatening |= rest
        elif line & attack == 0 and more == 0:
            stopping |= rest
    return LineCells(winning, threatening, stopping)


@kernel(python_entry=False)
def threat_zone(rules: AlignmentGame, attack: int, defend: int, chain: Any) -> int:
    """If the attacker, to move, wins by threats alone, the cells that matter to it; else 0. Nobody can win at once.

    Each move of the chain completes a line but for one cell, which the defender must take. A stone of the defender on a
    cell outside the zone changes nothing: it is on no line of the chain, and with the defender's answers in the chain
    it leaves two stones to lack on each line of the defender's.
    """
    ply = tried = 0
    chain[0, CHAIN_ATTACK], chain[0, CHAIN_DEFEND] = attack, defend
    chain[0, CHAIN_MOVES] = line_cells(rules, attack, defend).threatening
    while ply >= 0 and tried < MOST_CHAIN_MOVES:
        moves_left = int(chain[ply, CHAIN_MOVES])
        if moves_left == 0:
            ply -= 1
            continue
        tried += 1
        stone = moves_left & -moves_left
        chain[ply, CHAIN_MOVES] = moves_left ^ stone
        mine, theirs = int(chain[ply, CHAIN_ATTACK]) | stone, int(chain[ply, CHAIN_DEFEND])
        winning = line_cells(rules, mine, theirs).winning
        if winning & (winning - 1):
            return winning | (mine ^ attack) | cells_in_the_way(rules, attack, defend, theirs)
        theirs |= winning
        after = line_cells(rules, mine, theirs)
        ply += 1
        chain[ply, CHAIN_ATTACK], chain[ply, CHAIN_DEFEND] = mine, theirs
        if after.stopping == 0:
            chain[ply, CHAIN_MOVES] = after.threatening
        elif after.stopping & (after.stopping - 1) == 0:  # the answer threatens a line itself
            chain[ply, CHAIN_MOVES] = after.threatening & after.stopping
        else:
            chain[ply, CHAIN_MOVES] = 0
    return 0


@kernel(python_entry=False)
def cells_in_the_way(rules: AlignmentGame, attack: int, defend: int, answers: int) -> int:
    """The defender's answers in a chain, and the cells of their lines that lack at most two stones after these."""
    lines = rules.alignments
    cells = answers ^ defend
    for i in range(lines.size):
        line = lines[i]
        if line & attack == 0 and popcount(line & ~answers) <= 2:
            cells |= line & ~defend
    return cells


# ------------------------------------------------------------------ the table


@kernel(python_entry=False)
def key_of(rules: AlignmentGame, attack: int, defend: int, turn: int) -> int:
    """A number that identifies the position; while there are few stones, it is the same for all its images."""
    cells = rules.columns * rules.rows
    smallest = packed(cells, attack, defend)
    if 2 * popcount(attack | defend) <= cells:
        for symmetry in range(1, rules.images.shape[0]):
            image = packed(cells, image_of(rules, symmetry, attack), image_of(rules, symmetry, defend))
            smallest = min(smallest, image)
    return smallest << 1 | turn


@kernel(python_entry=False)
def packed(cells: int, attack: int, defend: int) -> int:
    """The two sets of cells in a word; on boards of more than 30 cells, a hash of them."""
    if 2 * cells <= KEY_BITS:
        return attack | defend << cells
    return mix(defend, mix(attack, 0)) & ((1 << KEY_BITS) - 1)


@kernel(python_entry=False)
def look_up(table: Any, key: int) -> int:
    """The answer in the table: YES, NO or UNKNOWN."""
    place = (mix(key, 0) >> 3) & (table.size - 2)
    if table[place] >> KEY_SHIFT == key and table[place] != 0:
        return table[place] & 1  # type: ignore[no-any-return]
    if table[place + 1] >> KEY_SHIFT == key and table[place + 1] != 0:
        return table[place + 1] & 1  # type: ignore[no-any-return]
    return UNKNOWN


@kernel(python_entry=False)
def store(table: Any, key: int, answer: int) -> None:
    """Write an entry: to the first slot if it has no more stones than the entry there, which moves to the second."""
    place = (mix(key, 0) >> 3) & (table.size - 2)
    entry = key << KEY_SHIFT | USED | answer
    if table[place] >> KEY_SHIFT == key or table[place] == 0:
        table[place] = entry
    elif popcount(table[place] >> KEY_SHIFT) >= popcount(key):
        table[place + 1] = table[place]
        table[place] = entry
    else:
        table[place + 1] = entry


# ------------------------------------------------------------------ the search


@kernel
def can_force(
    rules: AlignmentGame, attack: int, defend: int, turn: int, by_threats: int, table: Any, control: Any
) -> int:
    """Can the attacker force a line? YES or NO, or STOPPED. Nobody has a line yet.

    With `by_threats` the attacker makes only moves that threaten to win by a chain of threats: then NO is no proof.
    """
    cells, lines = rules.columns * rules.rows, rules.alignments
    stack = new_rows(cells + 2, CHILDREN + CHILD_WORDS * cells)
    pairing = new_rows(4, max(cells, 2 * lines.size))
    work = AttackWork(table, stack, pairing, new_row(cells), new_rows(cells + 2, CHAIN_WORDS))
    return ask(rules, attack, defend, turn, by_threats, work, control)


@kernel(count_references=False)
def ask(
    rules: AlignmentGame, attack: int, defend: int, turn: int, by_threats: int, work: AttackWork, control: Any
) -> int:
    """Answer the question of `can_force`."""
    table, stack, pairing = work.table, work.stack, work.pairing
    here = judge(rules, attack, defend, turn, pairing)
    answer, ply = here.answer, 0
    while True:
        if answer == UNKNOWN:
            control[NODES] += 1
            if control[STOP] != 0 or control[NODES] > control[NODE_LIMIT]:
                control[NODES] -= 1
                return STOPPED
            answer = enter(rules, here, by_threats, work, ply)
            if answer != UNKNOWN:
                store(table, key_of(rules, here.attack, here.defend, here.turn), answer)
        if answer == UNKNOWN:
            ply += 1
        else:  # go back to the last position that is neither answered by this nor out of children
            ply -= 1
            while ply >= 0:
                if answer != goal_of(stack[ply, TURN]) and stack[ply, NEXT] < stack[ply, COUNT]:
                    break
                store(table, key_of(rules, stack[ply, ATTACK], stack[ply, DEFEND], stack[ply, TURN]), answer)
                ply -= 1
            if ply < 0:
                return answer
            ply += 1
        child = CHILDREN + CHILD_WORDS * stack[ply - 1, NEXT]
        stack[ply - 1, NEXT] += 1
        attack = stack[ply - 1, child + CHILD_ATTACK]
        defend = stack[ply - 1, child + CHILD_DEFEND]
        turn = stack[ply - 1, child + CHILD_TURN]
        answer = look_up(table, key_of(rules, attack, defend, turn))  # its siblings may have answered it
        if answer == UNKNOWN:
            here = judge(rules, attack, defend, turn, pairing)
            answer = here.answer


@kernel(python_entry=False, inline=True)
def enter(rules: AlignmentGame, here: Attack, by_threats: int, work: AttackWork, ply: int) -> int:
    """Answer the question of a position by a chain of threats or by its children, or write these into the frame."""
    stack = work.stack
    stack[ply, ATTACK], stack[ply, DEFEND], stack[ply, TURN] = here.attack, here.defend, here.turn
    zone = threat_zone(rules, here.attack, here.defend, work.chain)
    if zone and here.turn != 0:
        return YES
    playable = here.playable & zone if zone else here.playable
    rank_cells(rules, here.attack, here.defend, here.turn | by_threats, playable, work.ranks)
    return judge_children(rules, here, playable, by_threats, work, ply)


@kernel(python_entry=False)
def goal_of(turn: int) -> int:
    """The answer that is good for the player to move."""
    return YES if turn != 0 else NO


@kernel(python_entry=False, inline=True)
def judge_children(
    rules: AlignmentGame, here: Attack, playable: int, by_threats: int, work: AttackWork, ply: int
) -> int:
    """Judge the position after each playable move, and write the undecided ones into the frame.

    Return the answer to this position if its children decide it: one has the answer that the player to move wants, or
    all have the other answer.
    """
    goal = goal_of(here.turn)
    answer = 1 - goal
    count = 0
    while playable:
        cell = lowest(playable)
        playable &= playable - 1
        stone = 1 << cell
        if here.turn != 0:
            after = judge(rules, here.attack | stone, here.defend, 0, work.pairing)
        else:
            after = judge(rules, here.attack, here.defend | stone, 1, work.pairing)
        known = after.answer
        if known == UNKNOWN:
            known = look_up(work.table, key_of(rules, after.attack, after.defend, after.turn))
        if known == goal:
            return goal
        if known == UNKNOWN and by_threats > after.turn and here.turn != 0:
            if threat_zone(rules, after.attack, after.defend, work.chain) == 0:
                known = NO  # it does not threaten anything
        if known == UNKNOWN:
            answer = UNKNOWN
            insert_child(work.stack, ply, count, after, work.ranks[cell])
            count += 1
    work.stack[ply, NEXT], work.stack[ply, COUNT] = 0, count
    return answer


@kernel(python_entry=False, inline=True)
def insert_child(stack: Any, ply: int, count: int, after: Attack, rank: int) -> None:
    """Insert a child among the `count` children of the frame, the highest rank first."""
    child = CHILDREN + CHILD_WORDS * count
    while child > CHILDREN and stack[ply, child - CHILD_WORDS + CHILD_RANK] < rank:
        for i in range(CHILD_WORDS):
            stack[ply, child + i] = stack[ply, child - CHILD_WORDS + i]
        child -= CHILD_WORDS
    stack[ply, child + CHILD_ATTACK] = after.attack
    stack[ply, child + CHILD_DEFEND] = after.defend
    stack[ply, child + CHILD_TURN] = after.turn
    stack[ply, child + CHILD_RANK] = rank


@kernel(python_entry=False)
def rank_cells(
    rules: AlignmentGame, attack: int, defend: int, by_stones: int, playable: int, ranks: Any
) -> None:
    """The weight of each cell: the sum over the lines through it that are open to one player.

    With `by_stones` 4 ** stones on the line, which finds wins; else 2 ** stones, the weights above, and four times as
    much for a line of the attacker, which finds defences.
    """
    lines = rules.alignments
    for cell in range(ranks.size):
        ranks[cell] = 0
    for i in range(lines.size):
        line = lines[i]
        if line & attack and line & defend:
            continue
        value = line_rank(popcount(line & (attack | defend)), by_stones, line & defend == 0)
        rest = line & playable
        while rest:
            ranks[lowest(rest)] += value
            rest &= rest - 1


@kernel(python_entry=False, inline=True)
def line_rank(stones: int, by_stones: int, is_open_to_attacker: bool) -> int:
    """How much a line with so many stones counts."""
    if by_stones != 0:
        return 1 << 2 * min(stones, 20)
    return (4 if is_open_to_attacker else 1) << stones


# ------------------------------------------------------------------ the engine


class LimitMetError(Exception):
    """The search was stopped before it had an answer."""


class AttackSearch:
    """Questions about one board that share a table."""

    def __init__(self, rules: AlignmentGame, memory: int) -> None:
        self.rules = rules
        entries = min(LARGEST_TABLE, max(memory // 16, 2), 1 << 2 * rules.columns * rules.rows)
        self.table = np.zeros(1 << highest(entries), np.int64)
        self.attempts = np.zeros(1 << highest(min(entries, 2 * ATTEMPT_NODES)), np.int64)

    def can_force(self, attack: int, defend: int, turn: int, control: np.ndarray) -> bool:
        """Whether the attacker can force a line."""
        if self.wins_by_threats(attack, defend, turn, control):
            return True
        answer = int(can_force(self.rules, attack, defend, turn, 0, self.table, control))
        if answer == STOPPED:
            raise LimitMetError
        return answer == YES

    def wins_by_threats(self, attack: int, defend: int, turn: int, control: np.ndarray) -> bool:
        """Whether short attempts find a win: by threats alone, or after a first move into the middle."""
        attempts = [(attack, turn)]
        if turn:
            middle = sorted(range(self.rules.through.size), key=lambda cell: -int(self.rules.through[cell]))
            free = [1 << cell for cell in middle if not (attack | defend) >> cell & 1]
            attempts += [(attack | stone, 0) for stone in free[:FREE_MOVES]]
        limit = int(control[NODE_LIMIT])
        for stones, mover in attempts:
            control[NODE_LIMIT] = min(limit, int(control[NODES]) + ATTEMPT_NODES)
            answer = int(can_force(self.rules, stones, defend, mover, 1, self.attempts, control))
            control[NODE_LIMIT] = limit
            if answer == YES:
                return True
        return False

    def value(self, position: Marks, control: np.ndarray) -> int:
        """1, 0 or -1 for the player to move."""
        end = int(verdict(self.rules, position))
        if end != OPEN:
            return end
        if self.can_force(position.own, position.other, 1, control):
            return 1
        if position.own | position.other == 0:
            return 0  # anything that the second player could force, the first could force too, with an extra stone
        return -1 if self.can_force(position.other, position.own, 0, control) else 0

    def best(self, position: Marks, control: np.ndarray) -> tuple[int, int]:
        """The value, and a move that keeps it."""
        value = self.value(position, control)
        buffer = np.zeros(self.rules.columns * self.rules.rows, np.int64)
        cells = [int(cell) for cell in buffer[: int(moves(self.rules, position, buffer))]]
        cells.sort(key=lambda cell: -int(self.rules.through[cell]))
        children = [(cell, play(self.rules, position, cell)) for cell in cells]
        for cell, child in children:
            if int(verdict(self.rules, child)) == LOST:
                return value, cell
        for cell, child in children:
            if value == 1 and self.wins_by_threats(child.other, child.own, 0, control):
                return value, cell
        for cell, child in children:
            if value == 1 and self.can_force(child.other, child.own, 0, control):
                return value, cell
            if value == 0 and not self.can_force(child.own, child.other, 1, control):
                return value, cell
        return value, cells[0]


def solve(
    rules: AlignmentGame,
    position: Marks,
    evaluation: Alignments | Even | None,
    budget: Budget,
    observer: Observer | None = None,
) -> Answer:
    """Whether the position is won, drawn or lost, and a move that keeps this result; on small boards also its distance.

    With a limit, half of it is for the proof; if no proof is found, the general alpha-beta gets the other half.
    """
    evaluation = Alignments() if evaluation is None else evaluation
    if budget.depth is not None or rules.columns * rules.rows <= SMALL:
        return alpha_beta.solve(rules, position, evaluation, budget, observer)

    def work(control: np.ndarray, trace: np.ndarray) -> tuple[int, int] | None:
        search = AttackSearch(rules, budget.memory)
        control[MEMORY] = search.table.nbytes
        try:
            return search.best(position, control)
        except LimitMetError:
            return None

    half_seconds = budget.seconds / 2 if budget.seconds else None
    half_nodes = budget.nodes // 2 if budget.nodes else None
    for_proof = dataclasses.replace(budget, seconds=half_seconds, nodes=half_nodes or budget.nodes)
    outcome = run(work, for_proof, observer)
    nodes = int(outcome.control[NODES])
    if outcome.result is not None:
        value, move = outcome.result
        return Answer(
            OPTIMAL,
            (move,),
            score=Sign(value, True),
            nodes=nodes,
            expanded=nodes,
            memory=int(outcome.control[MEMORY]),
            engine="solver",
            **outcome.costs(),
        )
    if half_nodes == 0:  # a single node leaves none for the estimate
        return Answer(
            LIMIT,
            nodes=nodes,
            memory=int(outcome.control[MEMORY]),
            engine="solver",
            **outcome.costs(),
            limit=outcome.limit or "nodes",
            reason=message("tic_tac_toe.no_proof", n=nodes),
        )
    for_guess = dataclasses.replace(for_proof, nodes=half_nodes)
    guess = alpha_beta.solve(rules, position, evaluation, for_guess, observer)
    return dataclasses.replace(
        guess,
        nodes=guess.nodes + nodes,
        seconds=guess.seconds + outcome.seconds,
        cpu_seconds=guess.cpu_seconds + outcome.cpu_seconds,
    )
