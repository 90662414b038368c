"""Commands run in this process: the compiler is loaded and the kernels are there already."""

from typing import NamedTuple

import pytest

from ludion.cli import main


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    """The command line with these arguments."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    said = capsys.readouterr()
    return Done(ended.value.code or 0, said.out, said.err)  # type: ignore[arg-type]
