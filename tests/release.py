"""What a wheel and an sdist must hold: `python -m tests.release dist/*` checks files, `make dist` makes them first."""

import re
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ludion"
IN_SDIST = (
    "README.md",
    "README.fr.md",
    "LICENSE",
    "CHANGELOG.md",
    "pyproject.toml",
    "docs/index.md",
    "tests/conftest.py",
)
IN_SDIST += ("benchmarks/__main__.py", "examples/domineering.py")


def package_files() -> set[str]:
    """Every file of the package, as a wheel names it."""
    files = (file for file in PACKAGE.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {f"ludion/{file.relative_to(PACKAGE).as_posix()}" for file in files}


def problems_of_wheel(file: Path) -> list[str]:
    """What is wrong with a wheel."""
    with zipfile.ZipFile(file) as wheel:
        names = set(wheel.namelist())
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(wheel.read(about).decode())
    problems = [f"missing: {name}" for name in sorted(package_files() - names)]
    problems += [
        f"not of the package: {name}" for name in sorted(names) if not name.startswith(("ludion/", "ludion-"))
    ]
    if metadata["Description-Content-Type"] != "text/markdown":
        problems.append("the README is not said to be Markdown")
    description = str(metadata.get_payload())
    if not description.lstrip().startswith("# ludion"):
        problems.append("the README is not the description")
    problems += [
        f"leads nowhere in a package index: {link}"
        for link in re.findall(r"\]\((?!https:)[^)]*\)", description)
    ]
    problems += [
        f"no {field}"
        for field in ("Requires-Python", "License-Expression", "License-File")
        if not metadata[field]
    ]
    return problems


def problems_of_sdist(file: Path) -> list[str]:
    """What is wrong with an sdist."""
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {name.replace("ludion/", "src/ludion/", 1) for name in package_files()} | set(IN_SDIST)
    problems = [f"missing: {name}" for name in sorted(wanted - names)]
    stray = [
        name
        for name in names
        if "__pycache__" in name or name.startswith((".venv", "node_modules", "docs/_build"))
    ]
    return problems + [f"not for others: {name}" for name in sorted(stray)]


def main(files: list[str]) -> int:
    problems = []
    for file in map(Path, files):
        check = problems_of_wheel if file.suffix == ".whl" else problems_of_sdist
        problems += [f"{file.name}: {problem}" for problem in check(file)]
    print("\n".join(problems) or f"{len(files)} files: no problem")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
