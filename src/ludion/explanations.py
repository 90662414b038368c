"""Why a move is good or bad: one sentence, the line that follows, and marks on the board.

This module gives the reasons that are common to all games: the forced line of a duel, the bound that excludes a shorter
solution of a puzzle, the deciding layer of an agent. Reasons that only the game itself knows (a threat, a pin, the
clues that prove a cell) come from its `reason`.
"""

from __future__ import annotations

import dataclasses
import html
from dataclasses import dataclass
from typing import Any

from ludion import asking, svg
from ludion.answers import OPTIMAL, Answer
from ludion.asking import Prepared, searched
from ludion.core import tiers
from ludion.engines.budget import Budget, Observer
from ludion.errors import LudionError, UnfitError
from ludion.estimates import Estimate, place_object
from ludion.kinds import puzzle
from ludion.kinds.games import DUEL, Quest
from ludion.kinds.parts import BoardMark, MoveReason, marks_at
from ludion.messages import joined, labelled, message, named
from ludion.positions import Position
from ludion.questions import Run

SECONDS = 2.0  # of searching, if no budget is given
# Moves said in words after the move itself: of a forced line, of any other.
LONGEST_FORCED, LONGEST_LINE = 6, 2
SIGNS = {
    "line": "=", "threat": "!", "clue": "o", "pin": "x", "danger": "!", "path": "·", "target": "o", "bound": "_",
}  # fmt: skip  # of the marks, in a picture without a page around it


@dataclass(frozen=True)
class Explanation:
    """Why a move is good or bad."""

    position: Position
    move: str
    spoken: str  # the move in words
    why: str  # one sentence without the move
    line: tuple[str, ...] = ()  # the move and the best play after it
    marks: tuple[BoardMark, ...] = ()

    def __str__(self) -> str:
        return labelled(self.spoken, self.why)

    def svg(self) -> str:
        """The board with the marks."""
        game = self.position.game
        if game.svg is None:
            raise UnfitError(message("errors.no_picture", game=game.caption))
        return svg.marked(self.position.svg(), {mark.place: SIGNS[mark.role] for mark in self.marks})

    def _repr_html_(self) -> str:
        picture = self.svg() if self.position.game.svg is not None else ""
        return f"{picture}<p>{html.escape(str(self))}</p>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a terminal."""
        printer.text(str(self))

    def json(self) -> dict[str, object]:
        """The explanation as a JSON object."""
        return {
            "move": self.move,
            "spoken": self.spoken,
            "why": self.why,
            "line": list(self.line),
            "marks": [mark_object(mark) for mark in self.marks],
        }


def mark_object(mark: BoardMark) -> dict[str, object]:
    """A mark as a JSON object."""
    return {"place": place_object(mark.place), "role": mark.role}


def reason_of(here: Position, move: Any) -> MoveReason:
    """The game's own reason for a move."""
    reason = here.game.reason(here.rules, here.state, move) if here.game.reason is not None else None
    return reason or MoveReason("")


# ------------------------------------------------------------------ puzzles and duels


def explain_search(
    prepared: Prepared, here: Position, move: str, budget: Budget, observer: Observer | None = None
) -> Explanation:
    """Explain this move of a puzzle or duel; without one, the best move."""
    answer = asking.search(prepared, here, budget, observer)
    # At the first use the time may be up before the machine code is there.
    too_early = answer.limit == "time" and answer.tier == tiers.INTERPRETED and tiers.is_available()
    if too_early and not answer.moves:
        with tiers.compiled_first():
            answer = asking.search(prepared, here, budget, observer)
    if not move and not answer.moves:
        raise LudionError(message("errors.no_move", reason=answer.reason or answer.status))
    code = here.read_move(move) if move else answer.moves[0]
    with_move = answer
    if not answer.moves or code != answer.moves[0]:
        after = asking.search(prepared, here.play(code), budget, observer)
        with_move = _before(here, code, after)
    reason = reason_of(here, code)
    explain = _duel_words if prepared.game.kind == DUEL else _puzzle_words
    words, marks = explain(here, answer, with_move)
    return Explanation(
        here,
        here.write_move(code),
        here.say_move(code),
        joined([reason.text, *words]),
        asking.line_names(here, with_move.moves),
        reason.marks or marks,
    )


def _before(here: Position, code: int, after: Answer) -> Answer:
    """The answer about the position before a move, if that move is made."""
    cost = int(puzzle.cost(here.rules, here.state, code)) if after.length is not None else 0
    return dataclasses.replace(
        after,
        moves=(code, *after.moves),
        score=None if after.score is None else after.score.before(),
        length=None if after.length is None else after.length + cost,
    )


def _duel_words(here: Position, best: Answer, answer: Answer) -> tuple[list[str], tuple[BoardMark, ...]]:
    """The value of the move, the line that it begins, and a better move, if there is one."""
    words = [str(answer.score)] if answer.score is not None else []
    forced = answer.score is not None and answer.score.plies is not None
    rest = _spoken(here, answer.moves[: 1 + (LONGEST_FORCED if forced else LONGEST_LINE)])[1:]
    if rest:
        words.append(message("why.forced" if forced else "why.best_play", line=", ".join(rest)))
    if best.score is not None and answer.score is not None and best.score > answer.score:
        words.append(message("why.better", move=here.say_move(best.moves[0]), worth=best.score))
    return words, ()


def _puzzle_words(here: Position, best: Answer, answer: Answer) -> tuple[list[str], tuple[BoardMark, ...]]:
    """The number of moves left after it, and what excludes a shorter solution."""
    if answer.length is None:
        return [answer.result()], ()
    words = [message("why.to_go", n=answer.length)]
    if best.length is not None and best.length < answer.length:
        words.append(message("why.shorter", move=here.say_move(best.moves[0]), n=best.length))
        return words, ()
    try:
        estimate = here.estimate(best.heuristic if best.heuristic in searched(here.game).guides else "")
    except LudionError:
        return words, ()
    return [*words, _bound_words(estimate, answer)], _bound_marks(estimate)


def _bound_words(estimate: Estimate, answer: Answer) -> str:
    """What proves that no solution is shorter."""
    name = named("heuristic", estimate.name)
    if not estimate.admissible or (answer.status != OPTIMAL and answer.bound != answer.length):
        return message("why.not_proved")
    if estimate.value == answer.length:
        return message("why.bound_proves", name=name, n=estimate.value)
    return message("why.search_proves", name=name, bound=estimate.value, n=answer.length)


def _bound_marks(estimate: Estimate) -> tuple[BoardMark, ...]:
    """Where the bound comes from: the pieces that have to move."""
    return marks_at("bound", [place for place, value in estimate.marks().items() if value > 0])


def _spoken(here: Position, moves: tuple[int, ...]) -> list[str]:
    words = []
    for move in moves:
        words.append(here.say_move(move))
        here = here.play(move)
    return words


# ------------------------------------------------------------------ quests


def explain_action(question: Run, here: Position, action: str) -> Explanation:
    """Explain this action of a quest; without one, the agent's choice."""
    decision = None if action else question.decide(here)
    code = here.read_move(action) if decision is None else decision.action
    reason = reason_of(here, code)
    words, line = [reason.text], (here.write_move(code),)
    if not reason.text:
        decision = decision or question.decide(here)
        spoken = decision.thought["spoken"]
        own = decision.name == line[0]
        words.append(str(decision) if own else message("why.agent_would", move=spoken, why=str(decision)))
    return Explanation(here, line[0], here.say_move(code), joined(words), line, reason.marks)


def explain(
    here: Position, move: str, question: Prepared | Run, budget: Budget, observer: Observer | None = None
) -> Explanation:
    """Explain a move, or without one the best move, with the given search or agent."""
    if not here.is_open:
        raise LudionError(message("errors.no_move_left", status=here.status))
    if isinstance(question, Run):
        assert isinstance(here.game, Quest)
        return explain_action(question, here, move)
    return explain_search(question, here, move, budget, observer)
