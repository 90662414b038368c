"""The house rules that a machine can check."""

import ast
import subprocess
import sys
from pathlib import Path

import ludion

PACKAGE = Path(ludion.__file__).parent

# Imports point one way: a layer may import those on lower levels, and itself.
LEVELS = {
    "errors": 0, "svg": 0, "verbs": 0, "words": 0,
    "kinds": 1,
    "engines": 2, "logic": 2,
    "games": 3,
    "registry": 4,
    "api": 5,
    "lab": 6, "arena": 6, "batch": 6, "adapters": 6,
    "cli": 7, "studio": 7, "__main__": 8,
}  # fmt: skip


def layer_of(name: str) -> str:
    return name.split(".")[1] if "." in name else "ludion"


def imports_of(file: Path) -> set[str]:
    """The modules of this package that a file imports, at the top or inside functions."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.split(".")[0] == "ludion"}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "ludion":
            if node.module == "ludion":
                found |= {f"ludion.{alias.name}" for alias in node.names}
            else:
                found.add(node.module)
    return found


def test_imports_point_one_way():
    wrong = []
    for file in PACKAGE.rglob("*.py"):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        if parts == ("__init__",):
            continue  # the package's own face names everything, lazily
        own = parts[0]
        assert own in LEVELS, f"{file} is in no layer: give it a level"
        for name in imports_of(file):
            other = layer_of(name)
            if other in LEVELS and LEVELS[other] > LEVELS[own]:
                wrong.append(f"{'/'.join(parts)} imports {name}")
            if own == other == "games" and len(parts) > 2:  # games know nothing of each other
                target = name.split(".")
                if len(target) > 2 and target[2] != parts[1]:
                    wrong.append(f"{'/'.join(parts)} imports {name}")
    assert wrong == []


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
    assert knowing == {"verbs.py", "words.py"}


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


def test_every_command_has_help():
    done = subprocess.run([sys.executable, "-m", "ludion", "--help"], capture_output=True, text=True)
    for module in (PACKAGE / "cli").glob("[!_]*.py"):
        name = module.stem.replace("_", "-")
        assert f"  {name} " in done.stdout
        one = subprocess.run([sys.executable, "-m", "ludion", name, "--help"], capture_output=True, text=True)
        assert one.returncode == 0, one.stderr
        assert "Usage: ludion" in one.stdout
