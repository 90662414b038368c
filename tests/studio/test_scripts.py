"""The page's modules are checked, and the checks find what they are for."""

from __future__ import annotations

from tests.studio import check_scripts


def test_the_scripts_pass_the_linter():
    assert check_scripts.scripts()
    assert [*check_scripts.problems(), *check_scripts.syntax_errors()] == []


def test_the_linter_finds_mistakes(tmp_path, monkeypatch):
    static = tmp_path / "studio" / "static"
    static.mkdir(parents=True)
    (static / "one.js").write_text(
        'import { gone, here } from "./two.js";\nconst idle = 1;\nconsole.log(here == 2);\n'
    )
    (static / "two.js").write_text("export const here = 1;\nexport const alone = 2;\ndispatchEvent(here);\n")
    monkeypatch.setattr(check_scripts, "PACKAGE", tmp_path)
    monkeypatch.setattr(check_scripts, "STATIC", static)
    found = "\n".join(check_scripts.problems())
    for words in (
        "gone is not exported",
        "gone is imported and not used",
        "idle is not used",
        "prints",
        "compares loosely",
        "alone is exported and not used",
        "uses the window as an event bus",
    ):
        assert words in found
