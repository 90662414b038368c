"""What can be wrong with what a user gives: each error says what and where, on one line."""


class LudionError(ValueError):
    """The root of all errors that a user can cause; the command line prints it and exits with 2."""


class NotationError(LudionError):
    """A text that names no position or move of its game."""


class IllegalMoveError(LudionError):
    """A well-formed move that the rules do not allow here."""


class UnknownNameError(LudionError):
    """No game, level, engine, heuristic or option of this name."""


class UnfitError(LudionError):
    """Things that exist but do not go together: an engine and a game, a heuristic and a metric."""


class GameFileError(LudionError):
    """A game file that cannot be loaded or does not keep its contract."""


def unknown(what: str, name: str, known: object) -> UnknownNameError:
    """The error for a name that is not among the known ones, which are listed (the nearest first)."""
    import difflib

    names = [str(each) for each in known]  # type: ignore[attr-defined]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return UnknownNameError(f"unknown {what} '{name}'{hint} (known: {listed or 'none'})")
