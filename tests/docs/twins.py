"""French twins of pages: which there must be, and what each says of the English page that it follows.

The first line of a twin is a comment with a hash of the English page, without tables that the benchmarks write. After
the French has been brought up to date, `python -m tests.docs.twins` writes the hashes anew.
"""

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MEASURED = re.compile(r"<!-- benchmarks: .*?<!-- end of benchmarks -->", re.DOTALL)
MARK = re.compile(r"<!-- follows (\S+) ([0-9a-f]{16}) -->\n")


def twins() -> dict[Path, Path]:
    """English page -> French page."""
    pages = {ROOT / "README.md": ROOT / "README.fr.md"}
    for folder in ("tutorials", "games"):
        pages |= {page: DOCS / "fr" / folder / page.name for page in sorted((DOCS / folder).glob("*.md"))}
    return pages


def mark_of(english: Path) -> str:
    """The first line of a twin of the page as it is now."""
    text = " ".join(MEASURED.sub("", english.read_text(encoding="utf-8")).split())
    return f"<!-- follows {english.relative_to(ROOT).as_posix()} {hashlib.sha256(text.encode()).hexdigest()[:16]} -->\n"


def write_marks() -> None:
    for english, french in twins().items():
        text = MARK.sub("", french.read_text(encoding="utf-8"), count=1)
        french.write_text(mark_of(english) + text, encoding="utf-8")


if __name__ == "__main__":
    write_marks()
