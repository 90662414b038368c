"""Errors in a user's input: each says what is wrong and where, on one line."""

from collections.abc import Iterable
from pathlib import Path

from ludion.messages import message


class LudionError(ValueError):
    """The root of all errors that a user can cause: one line, which the command line prints before it exits with 2."""

    def __init__(self, sentence: object = "") -> None:
        super().__init__(" ".join(str(sentence).splitlines()))


class NotationError(LudionError):
    """A text that names no position or move of its game."""


class IllegalMoveError(LudionError):
    """A well-formed move that the rules do not allow here."""


class UnknownNameError(LudionError):
    """No game, level, engine, heuristic or option of this name."""


class UnfitError(LudionError):
    """Things that exist but do not fit together: an engine and a game, a heuristic and a metric."""


class SettingError(LudionError):
    """A value that an option or setting cannot have."""


class QuestionError(LudionError):
    """A text or an object that is not a question: a command, an address, a JSON object of another form."""


class GameFileError(LudionError):
    """A game file that cannot be loaded or breaks its contract; it may have the file and line of the cause."""

    def __init__(self, sentence: object = "", file: str = "", line: int = 0) -> None:
        super().__init__(f"{Path(file).name}:{line}: {sentence}" if file else sentence)
        self.sentence, self.file, self.line = str(sentence), file, line


def in_short(value: object, longest: int = 60) -> str:
    """A value in one short line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = object.__repr__(value)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def unknown(what: str, name: object, known: Iterable[object], /, **values: object) -> UnknownNameError:
    """The error for a name that is not among the known ones, which are listed (the nearest first).

    `what` is the id of the message that says what the name stands for: "errors.game".
    """
    import difflib

    names = [str(each) for each in known]
    near = difflib.get_close_matches(str(name), names, n=1)
    hint = message("errors.did_you_mean", name=near[0]) if near else ""
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return UnknownNameError(
        message(
            "errors.unknown",
            what=message(what, **values),
            name=in_short(name, 100) if not isinstance(name, str) else " ".join(name.split())[:100],
            hint=hint,
            known=listed or message("errors.none"),
        )
    )
