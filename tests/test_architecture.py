"""The house rules that a machine can check."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import ludion
from ludion.registry import installed
from tests.commands import run

PACKAGE = Path(ludion.__file__).parent

# Imports point one way: a layer may import those on lower levels, and itself.
LEVELS = {
    "messages": 0, "svg": 0, "core": 0,
    "errors": 1, "tables": 1,
    "answers": 2, "fields": 2, "network": 2,
    "kinds": 3,
    "engines": 4, "logic": 4,
    "games": 5,
    "registry": 6, "estimates": 6,
    "positions": 7,
    "thoughts": 7, "asking": 8,
    "questions": 9,
    "checks": 10, "traces": 10, "explanations": 10, "reviews": 10, "api": 11, "records": 11,
    "batch": 12,
    "lab": 13, "arena": 13, "adapters": 13,
    "cli": 14, "studio": 14,
    "__main__": 15,
}  # fmt: skip
APART = {"cli": "studio", "studio": "cli"}  # on one level, and yet not to import each other
ALLOWED = {
    ("cli", "ludion.studio.server"),  # `ludion serve` starts it
    ("games", "ludion.arena.ratings"),  # a game's tuning script judges by the arena's sequential test
}


def layer_of(name: str) -> str:
    return name.split(".")[1] if "." in name else "ludion"


def is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports_of(file: Path) -> set[str]:
    """The modules of this package that a file imports, at the top or inside functions; not those for types only."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if is_type_checking(node):
            node.body = []
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names if alias.name.split(".")[0] == "ludion"}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "ludion":
            if node.module == "ludion":
                imported |= {f"ludion.{alias.name}" for alias in node.names}
            else:
                imported.add(node.module)
    return imported


def test_imports_point_one_way():
    wrong = []
    for file in PACKAGE.rglob("*.py"):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        if parts == ("__init__",):
            continue  # the package's own face names everything
        own = parts[0]
        assert own in LEVELS, f"{file} is in no layer: give it a level"
        for name in imports_of(file):
            other = layer_of(name)
            if (own, name) in ALLOWED:
                continue
            if other in LEVELS and (LEVELS[other] > LEVELS[own] or APART.get(own) == other):
                wrong.append(f"{'/'.join(parts)} imports {name}")
            if own == other == "games" and len(parts) > 2:  # games know nothing of each other
                target = name.split(".")
                if len(target) > 2 and target[2] != parts[1]:
                    wrong.append(f"{'/'.join(parts)} imports {name}")
    assert wrong == []


def names_in(file: Path) -> Iterator[str]:
    """The texts (but docstrings) and imported names of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_nothing_general_knows_a_game_by_name():
    games = installed()
    words = {word for name in games for word in (name, name.replace("-", "_"))}
    guilty = [
        f"{file.relative_to(PACKAGE)}: {text[:60]!r}"
        for file in PACKAGE.rglob("*.py")
        if file.relative_to(PACKAGE).parts[0] != "games"
        for text in names_in(file)
        if any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) for word in words)
    ]
    assert guilty == []
    for file in (PACKAGE / "studio" / "static").rglob("*.js"):
        text = file.read_text(encoding="utf-8")
        assert not [word for word in words if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)], (
            file.name
        )


def test_only_two_modules_know_the_compiler():
    knowing = {
        str(file.relative_to(PACKAGE))
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (
            isinstance(node, ast.Import)
            and any(alias.name.split(".")[0] in ("numba", "llvmlite") for alias in node.names)
        )
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("numba", "llvmlite"))
    }
    assert knowing == {"core/compiler.py", "core/compiled_words.py"}


def test_no_two_classes_share_a_name():
    """A reader who has met a class meets no other thing of that name."""
    places: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, set()).add(str(file.relative_to(PACKAGE)))
    assert {name: sorted(files) for name, files in places.items() if len(files) > 1} == {}


HEAVY = ("numba", "numpy", "starlette", "uvicorn", "rich", "pysat", "matplotlib")


def modules_loaded_by(*arguments: str) -> set[str]:
    program = (
        f"import sys\nsys.argv = ['ludion', *{arguments!r}]\n"
        "from ludion.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print('\\n' + ' '.join(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_help_and_games_start_without_the_compiler_or_the_web():
    for arguments in (("--help",), ("games",), ("solve", "--help"), ("levels", "taquin")):
        loaded = modules_loaded_by(*arguments)
        assert "ludion.cli" in loaded
        assert not loaded & set(HEAVY), arguments


def test_every_command_has_help(capsys):
    listed = run(capsys, "--help").stdout
    modules = [module.stem.replace("_", "-") for module in (PACKAGE / "cli").glob("[!_]*.py")]
    own = [name for game in installed().values() for name in game.commands]
    for name in [*modules, *own]:
        assert f"  {name} " in listed
        one = run(capsys, name, "--help")
        assert one.returncode == 0, one.stderr
        assert "Usage: ludion" in one.stdout
