"""Lessons: one TOML file each, English and French side by side, so that a teacher can add one (docs/lessons.md).

A lesson is a sequence of steps. A step has a text, may show a board to play on, and may ask a question: the reader
predicts the answer, then the command of the step (`ask`) measures it; if that takes long, the step shows the answer and
the command that measured it before (`measured`).
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludion import registry
from ludion.errors import LudionError, unknown
from ludion.kinds.games import Quest
from ludion.messages import LANGUAGES, language, message
from ludion.positions import position
from ludion.questions import Run, Search
from ludion.studio.asks import MOST_STEPS

FOLDER = Path(__file__).parent
FIGURES = ("nodes", "expanded", "length", "score", "status")  # of an answer, or of the record of a run

Texts = Mapping[str, str]  # by language


class LessonError(LudionError):
    """A lesson's file that cannot be read; it says where."""


@dataclass(frozen=True)
class LessonStep:
    """A step of a lesson.

    The task of a board is done after one of the `moves` or, without `moves`, when the game is solved or won.
    """

    text: Texts
    start: str | None = None  # the board: a position, or level:NAME
    options: Mapping[str, str] = field(default_factory=dict)
    task: Texts | None = None  # what to do on the board; without one, it is looked at
    moves: tuple[str, ...] = ()
    question: Texts | None = None
    choices: tuple[Texts, ...] = ()  # of answers; without any, the reader says a number
    ask: Search | Run | None = None  # what is measured before his eyes
    figure: str = "nodes"  # of the answer: one of FIGURES
    measured: str = ""  # the command that measured the answer before
    answer: int | str | None = (
        None  # as measured; with choices, the number of the one that is right, from 1 on
    )
    after: Texts | None = None  # the text shown with the answer


@dataclass(frozen=True)
class Lesson:
    """A lesson about a game."""

    name: str
    game: str
    title: Texts
    summary: Texts
    steps: tuple[LessonStep, ...]


# ------------------------------------------------------------------ reading


def read_lesson(file: Path) -> Lesson:
    """The lesson of a file."""
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise LessonError(message("studio.lesson_unreadable", file=file, reason=error.strerror)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LessonError(message("studio.lesson_unreadable", file=file, reason=error)) from error
    reader = LessonReader(file.name)
    steps = content.pop("step", None)
    game = reader.text(content, "game")
    if game not in registry.games():
        raise reader.error("studio.lesson_game", game=game, known=", ".join(sorted(registry.games())))
    if not isinstance(steps, list) or not steps:
        raise reader.error("studio.lesson_missing", field="[[step]]")
    lesson = Lesson(
        file.stem,
        game,
        reader.texts(content, "title"),
        reader.texts(content, "summary"),
        tuple(reader.step(game, entry, number) for number, entry in enumerate(steps, 1)),
    )
    reader.number = 0
    reader.only(content, ("game", "title", "summary"))
    return lesson


def check_lesson(file: Path) -> Lesson:
    """The lesson of a file; an error if a board cannot be read or a question cannot be asked."""
    lesson, reader = read_lesson(file), LessonReader(file.name)
    for number, step in enumerate(lesson.steps, 1):
        reader.check(lesson.game, step, number)
    return lesson


class LessonReader:
    """Reads the parts of a lesson's file; an error names the file, the step and the field."""

    def __init__(self, name: str) -> None:
        self.name, self.number = name, 0

    def error(self, id: str, **gaps: object) -> LessonError:
        where = self.name
        if self.number:
            where = message("studio.lesson_step", file=self.name, step=self.number)
        return LessonError(f"{where}: {message(id, **gaps)}")

    def only(self, entry: Mapping[str, Any], known: Iterable[str]) -> None:
        for name in entry:
            if name not in known:
                raise self.error("studio.lesson_field", field=name, known=", ".join(sorted(known)))

    def text(self, entry: Mapping[str, Any], name: str) -> str:
        value = entry.get(name)
        if not isinstance(value, str) or not value:
            raise self.error("studio.lesson_missing", field=name)
        return value

    def texts(self, entry: Mapping[str, Any], name: str) -> Texts:
        value = entry.get(name)
        if not isinstance(value, dict):
            raise self.error("studio.lesson_missing", field=name)
        for code in LANGUAGES:
            if not isinstance(value.get(code), str):
                raise self.error("studio.lesson_missing", field=f"{name}.{code}")
        return value

    def step(self, game: str, entry: Any, number: int) -> LessonStep:
        self.number = number
        if not isinstance(entry, dict):
            raise self.error("studio.lesson_missing", field="text")
        self.only(entry, [each.name for each in dataclasses.fields(LessonStep)])
        optional = {name: self.texts(entry, name) for name in ("task", "question", "after") if name in entry}
        choices = entry.get("choices", [])
        if not isinstance(choices, list):
            raise self.error("studio.lesson_missing", field="choices")
        step = LessonStep(
            self.texts(entry, "text"),
            start=entry.get("start"),
            options=entry.get("options", {}),
            moves=tuple(entry.get("moves", ())),
            choices=tuple(self.texts({"choices": each}, "choices") for each in choices),
            ask=self.question(game, entry["ask"]) if "ask" in entry else None,
            figure=entry.get("figure", "nodes"),
            measured=entry.get("measured", ""),
            answer=entry.get("answer"),
            **optional,
        )
        if step.question is not None and step.answer is None:
            raise self.error("studio.lesson_missing", field="answer")
        if step.figure not in FIGURES:
            raise self.error("studio.lesson_figure", figure=step.figure, known=", ".join(FIGURES))
        if step.choices and not (isinstance(step.answer, int) and 1 <= step.answer <= len(step.choices)):
            raise self.error("studio.lesson_choice", most=len(step.choices))
        return step

    def check(self, game: str, step: LessonStep, number: int) -> None:
        """Raise an error if the board of a step cannot be read or its question cannot be asked."""
        self.number = number
        try:
            if step.start is not None:
                position(registry.find(game), step.start, **step.options)
        except LudionError as error:
            raise self.error("studio.lesson_position", reason=error) from error
        try:
            if isinstance(step.ask, Search):
                step.ask.prepare()
            if step.ask is not None:
                step.ask.start()
        except LudionError as error:
            raise self.error("studio.lesson_command", reason=error) from error

    def question(self, game: str, command: object) -> Search | Run:
        """The question of a command, which is about the lesson's game."""
        kind = Run if isinstance(registry.find(game), Quest) else Search
        try:
            question = kind.from_command(str(command))
            if question.game != game:
                raise self.error("studio.lesson_other_game", game=question.game)
            return question
        except LudionError as error:
            raise (
                error if isinstance(error, LessonError) else self.error("studio.lesson_command", reason=error)
            ) from error


def own_lessons() -> list[Path]:
    """The files of the lessons that come with the studio, in their order."""
    return sorted(FOLDER.glob("*.toml"))


# ------------------------------------------------------------------ for the page


class Lessons:
    """The lessons of a studio by name: its own, each read on first use, and further ones."""

    def __init__(self, more: Iterable[Path] = ()) -> None:
        self.known = {file.stem: check_lesson(file) for file in more}
        self.files = {file.stem: file for file in own_lessons()} | {name: Path(name) for name in self.known}

    def file(self, name: str) -> Path:
        if name not in self.files:
            raise unknown("studio.lesson", name, list(self.files))
        return self.files[name]

    def find(self, name: str) -> Lesson:
        if name not in self.known:
            self.known[name] = read_lesson(self.file(name))
        return self.known[name]

    def all(self) -> list[dict[str, Any]]:
        """Every lesson in a few words."""
        return [summary_object(self.find(name)) for name in self.files]

    def object(self, name: str) -> dict[str, Any]:
        """A lesson for the page, in the language in use."""
        lesson = self.find(name)
        steps = [step_object(step) for step in lesson.steps]
        names = list(self.files)
        following = names[names.index(name) + 1 :]
        return {**summary_object(lesson), "steps": steps, "next": following[0] if following else None}


def summary_object(lesson: Lesson) -> dict[str, Any]:
    first = next((step for step in lesson.steps if step.start is not None), None)
    return {
        "name": lesson.name,
        "game": lesson.game,
        "title": lesson.title[language()],
        "summary": lesson.summary[language()],
        "length": len(lesson.steps),
        "board": None if first is None else {"start": first.start, "options": dict(first.options)},
    }


def step_object(step: LessonStep) -> dict[str, Any]:
    code = language()
    sentences = {
        name: texts[code]
        for name in ("text", "task", "question", "after")
        if (texts := getattr(step, name)) is not None
    }
    return {
        **sentences,
        "start": step.start,
        "options": dict(step.options),
        "moves": list(step.moves),
        "choices": [each[code] for each in step.choices],
        "answer": step.answer,
        "figure": step.figure,
        "command": step.ask.command() if step.ask is not None else step.measured,
        "ask": None if step.ask is None else asked_object(step.ask),
        "watch": step.ask.url().replace("/play/", "/watch/", 1) if isinstance(step.ask, Search) else None,
    }


def asked_object(question: Search | Run) -> dict[str, Any]:
    """The question as the page asks it."""
    body: dict[str, Any] = {
        "start": question.position,
        "options": dict(question.options),
        "settings": dict(question.settings),
        "seconds": 60,
    }
    if isinstance(question, Run):
        steps = min(question.steps, MOST_STEPS)
        body |= {"agent": question.agent, "seed": question.seed, "steps": steps}
        return {"what": "run", "body": body}
    return {
        "what": "solve",
        "body": {
            **body,
            "engine": question.engine,
            "heuristic": question.heuristic,
            "evaluation": question.evaluation,
            "depth": question.budget.depth,
            "nodes": question.budget.nodes,
        },
    }
