"""Notebooks without Jupyter: their code cells are executed in order, in one namespace, and their outputs are stored.

python -m tests.notebooks        executes all notebooks and writes their outputs
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))


def code_of(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def execute(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The outputs of each code cell."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    return [outputs_of(code_of(cell), scope) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def outputs_of(code: str, scope: dict[str, Any]) -> list[dict[str, Any]]:
    """What the cell prints, and the value of its last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, outputs, value = io.StringIO(), [], None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), scope)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), scope)
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines_of(printed.getvalue())})
    if value is not None:
        data = {"text/plain": lines_of(repr(value))}
        if getattr(value, "_repr_svg_", None) is not None and (picture := value._repr_svg_()):
            data["image/svg+xml"] = lines_of(picture)
        outputs.append(
            {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}
        )
    return outputs


def lines_of(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def write(file: Path) -> None:
    """Execute a notebook and store its outputs."""
    notebook = read(file)
    outputs = iter(execute(notebook))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = next(outputs)
    file.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for each in NOTEBOOKS:
        write(each)
