"""The notebooks of the courses: they run as they are, give the outputs that are stored, and use the public API only."""

from __future__ import annotations

import ast

import pytest

from .notebooks import FOLDER, NOTEBOOKS, code_of, execute, read

LARGEST = 40_000  # bytes of a notebook with its outputs


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_gives_the_outputs_that_are_stored(file):
    notebook = read(file)
    stored = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert execute(notebook) == stored
    assert file.stat().st_size < LARGEST


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_uses_the_public_api_only(file):
    for cell in read(file)["cells"]:
        if cell["cell_type"] == "code":
            for node in ast.walk(ast.parse(code_of(cell))):
                if isinstance(node, ast.Import):
                    assert [alias.name for alias in node.names] == ["ludion"]
                assert not isinstance(node, ast.ImportFrom)


def test_every_notebook_has_a_twin_in_the_other_language():
    names = {file.stem for file in FOLDER.glob("*.ipynb")}
    french, english = ({name[:-3] for name in names if name.endswith(end)} for end in ("_fr", "_en"))
    assert french == english != set()
    for name in sorted(french):
        codes = [
            [
                code_of(cell)
                for cell in read(FOLDER / f"{name}_{language}.ipynb")["cells"]
                if cell["cell_type"] == "code"
            ]
            for language in ("fr", "en")
        ]
        assert codes[0] == codes[1], name
