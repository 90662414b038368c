"""A small linter for the page's modules, in place of one that npm would have to fetch.

    python tests/studio/check_scripts.py

Every imported name is exported where it comes from and used; every export is used; nothing is printed, parsed as HTML
or sent over a window-wide event bus; comparisons are strict. Where node is installed it also checks the syntax.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "ludion"
STATIC = PACKAGE / "studio" / "static"
IMPORT = re.compile(r'^import \{ ([^}]*) \} from "([^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:const|let|function|class) (\w+)", re.MULTILINE)
FORBIDDEN = {
    r"\bconsole\.": "prints",
    r"\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML": "parses HTML",
    r"(?<![\w.])dispatchEvent\(": "uses the window as an event bus",
    r"[^=!]==[^=]|!=[^=]": "compares loosely",
    r"^\s*var ": "declares with var",
}


def scripts() -> list[Path]:
    return [*sorted(STATIC.glob("*.js")), *sorted(PACKAGE.glob("games/*/page.js"))]


def without_texts(source: str) -> str:
    """The code without comments and strings in quotes."""
    source = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', source)
    return re.sub(r"(^|\s)//.*$", "", source, flags=re.MULTILINE)


def target_of(file: Path, address: str) -> Path:
    """The module that an import means; a game's page is served beside the others, one folder deeper."""
    return STATIC / address.removeprefix("../").removeprefix("./")


def problems() -> list[str]:
    files = scripts()
    sources = {file: file.read_text(encoding="utf-8") for file in files}
    exports = {file: set(EXPORT.findall(source)) for file, source in sources.items()}
    used: set[tuple[Path, str]] = set()
    lines = []
    for file, source in sources.items():
        name = file.relative_to(PACKAGE)
        code = without_texts(source)
        body = re.sub(r"^import .*$", "", source, flags=re.MULTILINE)
        for names, address in IMPORT.findall(source):
            target = target_of(file, address)
            for each in (part.strip() for part in names.split(",")):
                original, _, local = each.partition(" as ")
                used.add((target, original))
                if original not in exports.get(target, ()):
                    lines.append(f"{name}: {original} is not exported by {address}")
                if not re.search(rf"\b{local or original}\b", body):
                    lines.append(f"{name}: {local or original} is imported and not used")
        for target, original in re.findall(r'import\("\./([\w.]+)"\)\)\.(\w+)', source):
            used.add((STATIC / target, original))
        for pattern, what in FORBIDDEN.items():
            for match in re.finditer(pattern, code, re.MULTILINE):
                lines.append(f"{name}:{code.count(chr(10), 0, match.start()) + 1}: {what}")
        if re.search(r"[ \t]$", source, re.MULTILINE):
            lines.append(f"{name}: has spaces at the end of a line")
        for local in re.findall(r"^(?:const|let|function|class|async function) (\w+)", source, re.MULTILINE):
            if len(re.findall(rf"\b{local}\b", source)) < 2:
                lines.append(f"{name}: {local} is not used")
    for file, names in exports.items():
        for each in names - {"default"}:
            inside = len(re.findall(rf"\b{each}\b", sources[file]))
            if (file, each) not in used and inside < 2:
                lines.append(f"{file.relative_to(PACKAGE)}: {each} is exported and not used")
    return lines


def syntax_errors() -> list[str]:
    """What node says of every script; nothing where there is no node."""
    node = shutil.which("node")
    if node is None:
        return []
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for file in scripts():
            module = Path(folder) / "module.mjs"  # node takes a .js file for an old script
            module.write_bytes(file.read_bytes())
            result = subprocess.run(
                [node, "--check", str(module)], capture_output=True, text=True, check=False
            )
            if result.returncode:
                lines.append(f"{file.relative_to(PACKAGE)}: {result.stderr.strip()}")
    return lines


if __name__ == "__main__":
    found = [*problems(), *syntax_errors()]
    print("\n".join(found) or f"{len(scripts())} scripts checked")
    sys.exit(bool(found))
