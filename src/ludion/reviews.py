"""Reviews of games: what every move was worth, which one was better, and why.

A review first searches every position of the game (its `Standing`), which takes time and can be stopped, then judges
the moves between them. How a move is judged depends on the game:

    duel, proved      by the result that it keeps, then by how soon it wins or how late it loses
    duel, unproved    by the points that it costs of the expected score, 1 / (1 + e^(-value / scale)); an apparent
                      mistake is searched again with twice the budget
    puzzle            by the moves added until the distance to the goal is at its best again
    quest of chances  by its risk above the least risk, whatever the outcome: luck is reported separately
    other quests      by the steps it costs the game's best agent, or that this agent no longer wins

In a lost position no move is worse than an inaccuracy; a forced move is not judged, nor is a move about which too
little is known.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from ludion import asking, registry
from ludion.answers import OPTIMAL, Answer, Score, in_percent
from ludion.asking import BEST, Prepared
from ludion.engines.budget import Budget, Deadline, Observer, Session
from ludion.errors import UnfitError
from ludion.explanations import mark_object, reason_of
from ludion.kinds import puzzle, quest
from ludion.kinds.games import DUEL, PUZZLE, QUEST, RUNNING, Evaluation, Game, Quest
from ludion.kinds.parts import BoardMark, MoveReason
from ludion.messages import decimal, labelled, message
from ludion.positions import Position
from ludion.questions import Run

BEST_MOVE, GOOD, INACCURACY, MISTAKE, BLUNDER = "best", "good", "inaccuracy", "mistake", "blunder"
VERDICTS = (BEST_MOVE, GOOD, INACCURACY, MISTAKE, BLUNDER)  # from the best to the worst
FORCED, NOT_JUDGED = "forced", ""
SIGNS = {BEST_MOVE: "★", GOOD: "✓", INACCURACY: "?!", MISTAKE: "?", BLUNDER: "??"}

SECONDS = 1.0  # of looking at one position
RUN_SECONDS, RUN_STEPS, MOST_RUNS = 10.0, 2000, 60  # of an agent that plays on; and how often it does
ONCE_MORE = 8  # times the budget, for a position whose search gave no answer
LONGEST_LINE = 12  # moves of a line that is shown
NEARLY = 1e-9


# ------------------------------------------------------------------ verdicts


def outcome_of(score: Score) -> int | None:
    """1, 0 or -1 for a proved win, draw or loss of the player to move."""
    if score.plies is None and not score.exact:
        return None
    return (score.value > 0) - (score.value < 0)


def moves_to_end(score: Score) -> int | None:
    """The number of moves that the winner needs, if the end is forced."""
    return None if score.plies is None else (score.plies + 1) // 2


def expected(score: Score, scale: float) -> float:
    """The expected score of the player to move in per cent: 100 is a win, 50 a draw."""
    outcome = outcome_of(score)
    if outcome is not None:
        return 50.0 + 50 * outcome
    return 100 / (1 + math.exp(-score.value / scale))


def rank(score: Score, scale: float) -> tuple[float, float]:
    """The preference of a player: more is better."""
    outcome, plies = outcome_of(score), score.plies
    return expected(score, scale), 0 if plies is None or not outcome else -outcome * plies


def judge_scores(best: Score, played: Score, scale: float) -> tuple[str, float]:
    """The verdict on a move with the value `played` when `best` was possible, and the points of expected score that it
    costs. Both scores are for the player who moved."""
    loss = max(0.0, expected(best, scale) - expected(played, scale))
    before, after = outcome_of(best), outcome_of(played)
    if before is not None and before == after:
        slower = abs((moves_to_end(played) or 0) - (moves_to_end(best) or 0))
        is_slower = rank(played, scale) < rank(best, scale) and slower > 0
        verdict = BEST_MOVE if not is_slower else GOOD if slower <= 4 else INACCURACY
    elif after == -1 and (before == 1 or (moves_to_end(played) or 3) <= 2):
        verdict = BLUNDER
    elif before is not None and after is not None:
        verdict = MISTAKE if after < before else BEST_MOVE
    else:
        verdict = _by_limits(loss, (2, 5 - NEARLY, 10 - NEARLY, 20 - NEARLY))
    return (min(verdict, INACCURACY, key=VERDICTS.index) if before == -1 else verdict), loss


def judge_detour(added: int) -> str:
    """The verdict on a move of a puzzle that led to this many unnecessary moves."""
    return _by_limits(added, (0, 0, 2, 9))


def judge_risk(risk: float, least: float) -> str:
    """The verdict on an action with this chance to lose, when the safest had the chance `least`."""
    verdict = _by_limits(100 * (risk - least), (NEARLY, 3 + NEARLY, 10 + NEARLY, 25 + NEARLY))
    if risk > 1 - NEARLY > least:
        return BLUNDER
    return max(verdict, MISTAKE, key=VERDICTS.index) if least < NEARLY < risk else verdict


def judge_steps(left: int, after: int | None) -> tuple[str, int]:
    """The verdict on an action, and the steps that it cost: the agent needed `left` steps before it and `after` steps
    after it (None: the agent fails)."""
    if after is None:
        return BLUNDER, left
    lost = max(0, 1 + after - left)
    if lost > left / 4:
        return MISTAKE, lost
    return _by_limits(lost, (0, 10, math.inf, math.inf)), lost


def _by_limits(loss: float, limits: tuple[float, float, float, float]) -> str:
    """The first verdict whose limit is not exceeded."""
    return next((verdict for verdict, limit in zip(VERDICTS, limits, strict=False) if loss <= limit), BLUNDER)


# ------------------------------------------------------------------ what a review says


@dataclass(frozen=True)
class Standing:
    """How a position stands. In a duel, `outcome` and `expected` are for side 0, the player who moves first."""

    ply: int  # moves made before it
    words: tuple[str, ...]  # of a duel: for side 0 and for side 1
    # 1, 0, -1: a proved win, draw or loss; of a quest, whether the agent still wins
    outcome: int | None = None
    distance: int | None = None  # moves to the forced end or to the goal; steps that the agent needs
    # per cent: of a duel, of the expected score; of a quest, the risk of what was done
    expected: float | None = None
    least: float | None = None  # of a quest: the least risk

    def json(self) -> dict[str, object]:
        fields = dataclasses.asdict(self).items()
        return {name: value for name, value in fields if value is not None}


@dataclass(frozen=True)
class ReviewedMove:
    """A move with its judgement."""

    number: int  # counted from 1
    side: int  # 0 or 1; 0 in puzzles and quests
    move: str
    spoken: str  # the move in words
    verdict: str  # one of VERDICTS, FORCED, or nothing if it is not judged
    text: str = ""  # what it did and what was better, in words
    # Duels: points of 100 of the expected score; puzzles: moves added; quests: points of risk, or steps.
    loss: float = 0.0
    better: str = ""  # a move that was better
    better_spoken: str = ""
    line: tuple[str, ...] = ()  # the best play after the move: what punishes it
    better_line: tuple[str, ...] = ()  # the best play instead of it
    why: str = ""  # what the game itself says of the move
    marks: tuple[BoardMark, ...] = ()
    risk: float | None = None  # the chance to lose that it took

    @property
    def sign(self) -> str:
        """The verdict as in chess: ★ ✓ ?! ? ??"""
        return SIGNS.get(self.verdict, "")

    def __str__(self) -> str:
        return f"{self.number} {self.sign} {self.text or self.spoken}"

    def json(self) -> dict[str, object]:
        fields = dataclasses.asdict(self)
        fields["marks"] = [mark_object(mark) for mark in self.marks]
        return {**fields, "sign": self.sign}


@dataclass(frozen=True)
class Review:
    """A whole game, judged."""

    game: str
    kind: str
    standings: tuple[Standing, ...]  # by ply, those that are known
    moves: tuple[ReviewedMove, ...]
    accuracy: tuple[float | None, ...]  # per cent, by side; None if nothing could be judged
    complete: bool = True  # whether every position was looked at
    summary: str = ""  # the whole in one sentence, where there is something to say
    luck: float | None = None  # quests of chances: how likely it was to survive all risks that were taken

    @property
    def mistakes(self) -> tuple[ReviewedMove, ...]:
        """Inaccuracies, mistakes and blunders, in order."""
        return tuple(each for each in self.moves if each.verdict in (INACCURACY, MISTAKE, BLUNDER))

    @property
    def key_moments(self) -> tuple[ReviewedMove, ...]:
        """The moves that decided the game: mistakes and blunders, or else inaccuracies."""
        grave = tuple(each for each in self.mistakes if each.verdict != INACCURACY)
        return grave or self.mistakes

    def __str__(self) -> str:
        """The accuracy, and a line for each inaccuracy, mistake and blunder."""
        lines = [self.summary] if self.summary else []
        lines += [accuracy_words(side, share, len(self.accuracy)) for side, share in enumerate(self.accuracy)]
        lines += [str(each) for each in self.mistakes] or [message("review.no_mistake")]
        return "\n".join(lines if self.complete else [*lines, message("review.not_complete")])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a terminal."""
        printer.text(str(self))

    def json(self) -> dict[str, object]:
        """The review as a JSON object."""
        return {
            "game": self.game,
            "kind": self.kind,
            "accuracy": list(self.accuracy),
            "complete": self.complete,
            "summary": self.summary,
            "luck": self.luck,
            "moves": [each.json() for each in self.moves],
            "standings": [each.json() for each in self.standings],
        }


def accuracy_words(side: int, share: float | None, sides: int) -> str:
    """The accuracy of a side, in words."""
    who = message(f"review.side_{side}") if sides > 1 else message("review.accuracy")
    return labelled(who, message("review.unknown") if share is None else in_percent(share / 100))


# ------------------------------------------------------------------ looking and judging


class Reviewer:
    """Searches the positions of a game one by one, and judges its moves with the results so far."""

    kind: ClassVar[str]

    def __init__(
        self, start: Position, moves: Sequence[str], prepared: Prepared | None, budget: Budget
    ) -> None:
        self.positions = [start]
        self.codes: list[Any] = []
        self.names: list[str] = []
        self.spoken: list[str] = []
        self.prepared, self.budget = prepared, budget
        self.standings: dict[int, Standing] = {}
        for move in moves:
            self._forward(move)

    @property
    def game(self) -> Game[Any, Any]:
        return self.positions[0].game

    @property
    def count(self) -> int:
        """The number of positions to search."""
        return len(self.positions)

    def _forward(self, move: str) -> None:
        here = self.positions[-1]
        game = here.game
        if isinstance(game, Quest) and game.read_move is not None:
            code = game.read_move(here.rules, here.state, move)  # the world itself refuses what it must
            state = game.play(here.rules, here.state, code)
            after = Position.trusted(game, here.rules, state, here.options)
        else:
            code = here.read_move(move)
            after = here.play(code)
        self.codes.append(code)
        self.names.append(here.write_move(code))
        self.spoken.append(here.say_move(code))
        self.positions.append(after)

    def look(self, observer: Observer) -> Iterator[Standing]:
        """Search the positions in the cheapest order; yield each standing when it is known."""
        raise NotImplementedError

    def review(self) -> Review:
        """The review with the results so far."""
        raise NotImplementedError

    def _result(self, moves: Sequence[ReviewedMove], accuracy: Sequence[float | None], **more: Any) -> Review:
        standings = tuple(self.standings[ply] for ply in sorted(self.standings))
        fields = {"complete": len(standings) == self.count, **more}
        return Review(self.game.name, self.kind, standings, tuple(moves), tuple(accuracy), **fields)

    def _move(self, ply: int, verdict: str, **fields: Any) -> ReviewedMove:
        """The move made at this ply; the better line is a list of moves."""
        better = fields.pop("better_codes", ())
        if better:
            here = self.positions[ply]
            fields["better"], fields["better_spoken"] = here.write_move(better[0]), here.say_move(better[0])
        side = ply % 2 if self.kind == DUEL else 0
        return ReviewedMove(ply + 1, side, self.names[ply], self.spoken[ply], verdict, **fields)

    def _reason(self, ply: int) -> MoveReason:
        """The game's own reason for the move made at this ply."""
        return reason_of(self.positions[ply], self.codes[ply])


class SearchReviewer(Reviewer):
    """Asks an engine about each position."""

    def __init__(self, start: Position, moves: Sequence[str], prepared: Prepared, budget: Budget) -> None:
        super().__init__(start, moves, prepared, budget)
        self.answers: dict[int, Answer] = {}
        self.session = Session()

    def ask(self, ply: int, observer: Observer, budget: Budget) -> Answer | None:
        """The engine's answer; None if it was stopped."""
        watching = Observer(stop=observer.stop, session=self.session)
        assert self.prepared is not None
        answer = asking.search(self.prepared, self.positions[ply], budget, watching)
        return None if answer.limit == "stopped" else answer


class DuelReviewer(SearchReviewer):
    kind = DUEL

    @property
    def scale(self) -> float:
        """The scale of the evaluation, in points."""
        assert self.prepared is not None
        game, name = self.prepared.game, self.prepared.guide_name
        guide = game.guides.get(name or game.default_guide)
        return guide.scale if isinstance(guide, Evaluation) else Evaluation.scale

    def look(self, observer: Observer) -> Iterator[Standing]:
        """From the end backwards: proofs of late positions help early ones. Unproved mistakes are searched again."""
        for ply in reversed(range(self.count)):
            for times in (1, ONCE_MORE):  # not even one ply, while there is no machine code yet
                answer = self.ask(ply, observer, self._times(times))
                if answer is None or answer.score is not None:
                    break
            if answer is None:
                return
            self._note(ply, answer)
            if ply in self.standings:
                yield self.standings[ply]
        for ply in [ply for ply in range(self.count - 1) if self._is_doubtful(ply)]:
            for each in (ply + 1, ply):
                answer = self.ask(each, observer, self._times(2))
                if answer is None:
                    return
                self._note(each, answer)
                yield self.standings[each]

    def _times(self, factor: int) -> Budget:
        """This multiple of the budget."""
        seconds, nodes = self.budget.seconds, self.budget.nodes
        return dataclasses.replace(
            self.budget, seconds=seconds and factor * seconds, nodes=nodes and factor * nodes
        )

    def _note(self, ply: int, answer: Answer) -> None:
        """Store an answer; a position is worth at least as much as the move that was made in it."""
        if answer.score is None:
            return
        after = self.answers.get(ply + 1)
        if after is not None and after.score is not None and ply < len(self.codes):
            played = after.score.before()
            if rank(played, self.scale) > rank(answer.score, self.scale):
                line = {"moves": (self.codes[ply], *after.moves), "line": (self.names[ply], *after.line)}
                answer = dataclasses.replace(answer, score=played, **line)  # type: ignore[arg-type]
        self.answers[ply] = answer
        score = cast(Score, answer.score)
        sign, outcome, share = (-1 if ply % 2 else 1), outcome_of(score), expected(score, self.scale)
        words = (str(score), other_words(score))
        self.standings[ply] = Standing(
            ply,
            words if sign > 0 else words[::-1],
            None if outcome is None else sign * outcome,
            moves_to_end(score),
            share if sign > 0 else 100 - share,
        )

    def _judged(self, ply: int) -> tuple[str, float, Score, Score] | None:
        """The verdict, the loss, the best possible score and that of the move; None if too little is known."""
        before, after = self.answers.get(ply), self.answers.get(ply + 1)
        if before is None or after is None or before.score is None or after.score is None:
            return None
        played = after.score.before()
        verdict, loss = judge_scores(before.score, played, self.scale)
        return verdict, loss, before.score, played

    def _is_doubtful(self, ply: int) -> bool:
        """Whether the move looks like a mistake that is not proved."""
        judged = self._judged(ply)
        if judged is None or judged[0] not in (MISTAKE, BLUNDER):
            return False
        return outcome_of(judged[2]) is None or outcome_of(judged[3]) is None

    def review(self) -> Review:
        moves = [self._reviewed(ply) for ply in range(len(self.codes))]
        losses: tuple[list[float], list[float]] = ([], [])
        for each in moves:
            if each.verdict in VERDICTS:
                losses[each.side].append(each.loss)
        return self._result(moves, [100 - sum(each) / len(each) if each else None for each in losses])

    def _reviewed(self, ply: int) -> ReviewedMove:
        judged = self._judged(ply)
        if judged is None:
            return self._move(ply, NOT_JUDGED)
        if len(self.positions[ply].codes()) == 1:
            return self._move(ply, FORCED)
        verdict, loss, best, played = judged
        if verdict in (BEST_MOVE, GOOD):
            return self._move(ply, verdict, loss=loss)
        before, after = self.answers[ply], self.answers[ply + 1]
        reason = self._reason(ply)
        worth = {"move": self.positions[ply].say_move(before.moves[0]), "worth": best} if before.moves else {}
        parts = [
            message("review.did", move=self.spoken[ply], cost=cost_words(best, played, loss)),
            message(f"review.better_{benefit(best, played)}", **worth) if worth else "",
        ]
        return self._move(
            ply,
            verdict,
            text=" ".join(part for part in parts if part),
            loss=loss,
            better_codes=before.moves[:1],
            line=after.line[:LONGEST_LINE],
            better_line=before.line[:LONGEST_LINE],
            why=reason.text,
            marks=reason.marks,
        )


def other_words(score: Score) -> str:
    """A score in words, for the player who is not to move."""
    if score.plies is None:
        return str(-score)
    id = "answers.score_loss" if score.value > 0 else "answers.score_win"
    return message(id, n=moves_to_end(score)) if score.plies else message(f"{id}_now")


def cost_words(best: Score, played: Score, loss: float) -> str:
    """What a move gives away, in words."""
    before, after = outcome_of(best), outcome_of(played)
    if before == 1 != after or (before == 0 and after == -1):
        return message("review.gives_win_away" if before == 1 else "review.gives_draw_away", worth=played)
    if before is not None and before == after:
        n = abs((moves_to_end(played) or 0) - (moves_to_end(best) or 0))
        return message("review.wins_later" if before == 1 else "review.loses_sooner", n=n)
    return message("review.costs_points", loss=decimal(loss, 0), worth=played)


def benefit(best: Score, played: Score) -> str:
    """What the better move kept: the name of a message."""
    before, after = outcome_of(best), outcome_of(played)
    if before == 1 != after:
        return "kept_win"
    return "kept_draw" if before == 0 and after == -1 else "was"


class PuzzleReviewer(SearchReviewer):
    kind = PUZZLE

    def __init__(self, start: Position, moves: Sequence[str], prepared: Prepared, budget: Budget) -> None:
        super().__init__(start, moves, prepared, budget)
        self.costs = [
            int(puzzle.cost(here.rules, here.state, code))
            for here, code in zip(self.positions[:-1], self.codes, strict=True)
        ]
        self.distances: dict[int, int] = {}
        self.lines: dict[int, tuple[int, ...]] = {}

    def look(self, observer: Observer) -> Iterator[Standing]:
        """From the start forwards: a move along a shortest path needs no search."""
        seen: dict[str, int] = {}
        for ply, here in enumerate(self.positions):
            line = self.lines.get(ply - 1, ())
            earlier = seen.setdefault(here.text, ply)
            if ply and line and line[0] == self.codes[ply - 1]:
                self.distances[ply] = self.distances[ply - 1] - self.costs[ply - 1]
                self.lines[ply] = line[1:]
            elif earlier in self.distances:
                self.distances[ply], self.lines[ply] = self.distances[earlier], self.lines[earlier]
            else:
                answer = self.ask(ply, observer, self.budget)
                if answer is None:
                    return
                if answer.length is not None and (answer.status == OPTIMAL or answer.bound == answer.length):
                    self.distances[ply], self.lines[ply] = answer.length, answer.moves
            distance = self.distances.get(ply)
            words = message("review.unknown") if distance is None else message("review.to_go", n=distance)
            self.standings[ply] = Standing(ply, (words,), distance=distance)
            yield self.standings[ply]

    def review(self) -> Review:
        moves: list[ReviewedMove] = []
        judged = added = 0
        detour_ends = -1  # the ply at which the distance is at its best again
        for ply, cost in enumerate(self.costs):
            before, after = self.distances.get(ply), self.distances.get(ply + 1)
            if before is None or after is None:
                moves.append(self._move(ply, NOT_JUDGED))
                continue
            judged += cost
            if cost + after == before:
                moves.append(self._move(ply, BEST_MOVE))
            elif ply < detour_ends:  # it belongs to a detour that is counted already
                moves.append(self._move(ply, NOT_JUDGED))
            else:
                detour_ends, extra = self._detour(ply)
                added += extra
                moves.append(self._left_path(ply, detour_ends, extra))
        accuracy = 100 * (1 - added / judged) if judged else None
        return self._result(moves, [accuracy], summary=self._summary())

    def _detour(self, ply: int) -> tuple[int, int]:
        """Where a detour that begins at this ply ends, and how much it costs."""
        before = self.distances[ply]
        known = [each for each in range(ply + 1, self.count) if each in self.distances]
        end = next((each for each in known if self.distances[each] < before), known[-1])
        return end, sum(self.costs[ply:end]) + self.distances[end] - before

    def _left_path(self, ply: int, end: int, extra: int) -> ReviewedMove:
        line = self.lines[ply]
        here = self.positions[ply]
        better = here.say_move(line[0])
        return self._move(
            ply,
            judge_detour(extra),
            text=message("review.detour", move=self.spoken[ply], n=extra, ply=end)
            + " "
            + message("review.better_path", move=better, n=self.distances[ply]),
            loss=float(extra),
            better_codes=line[:1],
            line=self._names(ply + 1)[:LONGEST_LINE],
            better_line=self._names(ply)[:LONGEST_LINE],
        )

    def _names(self, ply: int) -> tuple[str, ...]:
        return asking.line_names(self.positions[ply], self.lines.get(ply, ()))

    def _summary(self) -> str:
        own, fewest = sum(self.costs), self.distances.get(0)
        if self.positions[-1].is_open or fewest is None:
            return ""
        return message("review.solved_best" if own == fewest else "review.solved", own=own, n=fewest)


class ChanceReviewer(Reviewer):
    """Judges the actions of a quest by their chances before the outcome is known."""

    kind = QUEST

    def __init__(
        self, start: Position, moves: Sequence[str], prepared: Prepared | None, budget: Budget
    ) -> None:
        super().__init__(start, moves, prepared, budget)
        assert isinstance(start.game, Quest)
        assert start.game.chances is not None
        self.chances = start.game.chances
        self.risks: dict[int, tuple[float, float, str]] = {}  # of the action; the least risk, and its action

    def look(self, observer: Observer) -> Iterator[Standing]:
        for ply, here in enumerate(self.positions):
            if observer.stop.is_set():
                return
            words = ""
            shares: tuple[float | None, float | None] = (None, None)
            if ply < len(self.codes) and here.status == RUNNING:
                chances = dict(self.chances(here.rules, here.state))
                own = chances.get(self.names[ply])
                if own is not None:
                    safest = max(chances, key=lambda name: chances[name])
                    risk, least = 1 - own, 1 - chances[safest]
                    self.risks[ply] = risk, least, safest
                    words, shares = message("review.risk", risk=in_percent(risk)), (100 * risk, 100 * least)
            self.standings[ply] = Standing(ply, (words,), expected=shares[0], least=shares[1])
            yield self.standings[ply]

    def review(self) -> Review:
        moves = [self._reviewed(ply) for ply in range(len(self.codes))]
        losses = [each.loss for each in moves if each.verdict in VERDICTS]
        taken = [each.risk for each in moves if each.risk is not None and each.risk > NEARLY]
        luck = math.prod(1 - risk for risk in taken)
        end = self.positions[-1].status
        how = {quest.WON: "survived", quest.LOST: "died"}.get(end, "so_far")
        summary = message(f"review.guesses_{how}", n=len(taken), chance=in_percent(luck)) if taken else ""
        accuracy = 100 - sum(losses) / len(losses) if losses else None
        return self._result(moves, [accuracy], summary=summary, luck=luck if taken else None)

    def _reviewed(self, ply: int) -> ReviewedMove:
        if ply not in self.risks:
            return self._move(ply, NOT_JUDGED)
        risk, least, safest = self.risks[ply]
        verdict, loss = judge_risk(risk, least), 100 * (risk - least)
        if risk < NEARLY:
            return self._move(ply, verdict, risk=0.0)
        here = self.positions[ply]
        better = here.say_move(here.read_move(safest))
        parts = [message("review.took_risk", move=self.spoken[ply], risk=in_percent(risk))]
        if verdict == BEST_MOVE:
            parts.append(message("review.no_safer"))
        elif least < NEARLY:
            parts.append(message("review.was_safe", move=better))
        else:
            parts.append(message("review.was_safer", move=better, risk=in_percent(least)))
        if self.positions[ply + 1].status == quest.LOST:
            parts.append(message("review.bad_luck" if risk < 0.5 else "review.it_lost"))
        reason = self._reason(ply) if verdict not in (BEST_MOVE, GOOD) else MoveReason("")
        fields = {"better": safest, "better_spoken": better} if verdict != BEST_MOVE else {}
        return self._move(
            ply,
            verdict,
            text=" ".join(parts),
            loss=loss,
            risk=risk,
            better_line=(safest,) if fields else (),
            why=reason.text,
            marks=reason.marks,
            **fields,
        )


class RunReviewer(Reviewer):
    """Lets the best agent play on from some positions of a quest: whether it still wins, and how fast."""

    kind = QUEST

    def __init__(
        self, start: Position, moves: Sequence[str], prepared: Prepared | None, budget: Budget
    ) -> None:
        super().__init__(start, moves, prepared, budget)
        self.runs: dict[int, tuple[Any, ...] | None] = {}  # by ply: the agent's actions, if it wins
        self.finished = False

    def look(self, observer: Observer) -> Iterator[Standing]:
        """Try the start and the end; then, if much is lost between two positions, the middle between them. If the agent
        fails at first, try again with twice the time."""
        last = self.count - 1
        for ply in dict.fromkeys((0, last)):
            if not self._let_play(ply, observer):
                return
            yield self.standings[ply]
        tried_again: set[int] = set()
        while len(self.runs) < MOST_RUNS:
            spans = list(itertools.pairwise(sorted(self.runs)))
            wide = [(low, high) for low, high in spans if high - low > 1 and self._loses_much(low, high)]
            lost = [high for low, high in spans if self._steps(low) is not None and self._steps(high) is None]
            if wide:
                ply, times = sum(wide[0]) // 2, 1
            elif lost and lost[0] not in tried_again and self.positions[lost[0]].status == RUNNING:
                ply, times = lost[0], 2
                tried_again.add(ply)
            else:
                break
            if not self._let_play(ply, observer, times):
                return
            yield self.standings[ply]
        self.finished = True

    def _let_play(self, ply: int, observer: Observer, times: int = 1) -> bool:
        """Whether the agent reached an end from this position, within this multiple of the seconds."""
        here = self.positions[ply]
        if here.status == RUNNING:
            run = Run(
                here.game.name, options=here.options, files=registry.files_of(here.game.name), steps=RUN_STEPS
            )
            deadline = Deadline(observer.stop, times * (self.budget.seconds or RUN_SECONDS))
            assert isinstance(here.game, Quest)
            record, _ = run.play(here.rules, copy.deepcopy(here.state), None, deadline, here.game)
            if observer.stop.is_set():
                return False
            self.runs[ply] = tuple(record.actions) if record.outcome == quest.WON else None
        else:
            self.runs[ply] = () if here.status == quest.WON else None
        steps = self._steps(ply)
        words = message("review.agent_fails") if steps is None else message("review.agent_wins", n=steps)
        self.standings[ply] = Standing(ply, (words,), -1 if steps is None else 1, steps)
        return True

    def _steps(self, ply: int) -> int | None:
        actions = self.runs[ply]
        return None if actions is None else len(actions)

    def _loses_much(self, low: int, high: int) -> bool:
        """Whether a move between these positions may be worse than good."""
        before, after = self._steps(low), self._steps(high)
        if before is None:
            return False
        if after is None:
            return True
        lost = high - low + after - before
        return lost > 10 or lost > before / 4

    def review(self) -> Review:
        moves, known = [], sorted(self.runs)
        for low, high in itertools.pairwise(known):
            moves += [self._reviewed(ply, low, high) for ply in range(low, high)]
        moves += [self._move(ply, NOT_JUDGED) for ply in range(len(moves), len(self.codes))]
        fewest, won = self.runs.get(0), self.positions[-1].status == quest.WON
        accuracy = min(100.0, 100 * len(fewest) / len(self.codes)) if fewest and won else None
        summary = ""
        if fewest is not None and won:
            summary = message("review.run_won", own=len(self.codes), n=len(fewest))
        fatal = next((each for each in moves if each.verdict == BLUNDER), None)
        if fatal is not None:
            summary = message("review.run_lost", ply=fatal.number)
        elif known and self._steps(known[-1]) is None and self._steps(known[0]) is None:
            summary = message("review.run_never")
        return self._result(moves, [accuracy], summary=summary, complete=self.finished)

    def _reviewed(self, ply: int, low: int, high: int) -> ReviewedMove:
        """The move at a ply between two positions that are known, with nothing known between them."""
        before, after = self._steps(low), self._steps(high)
        if before is None or (after is None and high - low > 1):
            return self._move(ply, NOT_JUDGED)
        if high - low > 1:
            lost = max(0, high - low + cast(int, after) - before)
            return self._move(ply, NOT_JUDGED if self._loses_much(low, high) else GOOD if lost else BEST_MOVE)
        verdict, lost = judge_steps(before, after)
        if verdict in (BEST_MOVE, GOOD):
            return self._move(ply, verdict, loss=float(lost))
        actions = cast(tuple[Any, ...], self.runs[ply])
        here = self.positions[ply]
        id = "review.run_fatal" if after is None else "review.run_slower"
        better = message("review.better_run", move=here.say_move(actions[0]), n=before)
        reason = self._reason(ply)
        return self._move(
            ply,
            verdict,
            text=f"{message(id, move=self.spoken[ply], n=lost)} {better}",
            loss=float(lost),
            better_codes=actions[:1],
            better_line=tuple(here.write_move(action) for action in actions[:LONGEST_LINE]),
            why=reason.text,
            marks=reason.marks,
        )


# ------------------------------------------------------------------ asking for one


def reviewer(start: Position, moves: Sequence[str], prepared: Prepared | None, budget: Budget) -> Reviewer:
    """The reviewer for a game from this start; `prepared` is the search to use in puzzles and duels."""
    game = start.game
    if isinstance(game, Quest):
        if game.chances is not None:
            return ChanceReviewer(start, moves, prepared, budget)
        if BEST in game.agents:
            return RunReviewer(start, moves, prepared, budget)
        raise UnfitError(message("review.no_reviewer", game=game.caption))
    assert prepared is not None
    kind = DuelReviewer if game.kind == DUEL else PuzzleReviewer
    return kind(start, moves, prepared, budget)
