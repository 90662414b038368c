"""What is released: version, contents, licences, and what an installed package says of what it lacks."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.release import ROOT, problems_of_sdist, problems_of_wheel

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_changelog_has_the_version():
    heads = re.findall(
        r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert heads[0] == PROJECT["version"]
    assert f"version: {PROJECT['version']}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_wheel_and_the_sdist_hold_what_they_should(tmp_path):
    build = pytest.importorskip("hatchling.build", reason="hatchling is not installed")
    wheel_and_sdist = (
        f"import os; os.chdir({str(ROOT)!r}); import hatchling.build as build; "
        f"print(build.build_wheel({str(tmp_path)!r})); print(build.build_sdist({str(tmp_path)!r}))"
    )
    assert build is not None
    done = subprocess.run([sys.executable, "-c", wheel_and_sdist], capture_output=True, text=True, check=True)
    wheel, sdist = done.stdout.split()
    assert problems_of_wheel(tmp_path / wheel) == []
    assert problems_of_sdist(tmp_path / sdist) == []


def test_private_parts_of_a_dependency_have_an_upper_bound():
    bounds = {re.match(r"[\w-]+", each)[0]: each for each in PROJECT["dependencies"]}
    assert "<" in bounds["numba"]
    assert "==" in bounds["python-sat"]


def test_the_readme_is_markdown_whose_files_are_there():
    from markdown_it import MarkdownIt

    for name in ("README.md", "README.fr.md"):
        tokens = MarkdownIt().parse((ROOT / name).read_text(encoding="utf-8"))
        links = [child.attrs.get("href") or child.attrs.get("src") for token in tokens for child in token.children or ()
                 if child.type in ("link_open", "image")]  # fmt: skip
        assert len(links) > 5
        missing = [link for link in links if "://" not in str(link) and not (ROOT / str(link)).exists()]
        assert not missing, (name, missing)


def test_dependencies_are_listed_with_licences_that_allow_use(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    import generate

    listed = {name.lower().replace("_", "-"): licence for name, _, licence in generate.dependencies()}
    for each in PROJECT["dependencies"]:
        assert re.match(r"[\w-]+", each)[0].lower() in listed
    assert all(listed.values()), listed
    assert not [name for name, licence in listed.items() if "GPL" in licence]


def test_bench_says_what_it_needs_where_there_is_only_the_package(tmp_path, monkeypatch, capsys):
    from ludion.cli import bench
    from tests.commands import run

    monkeypatch.setattr(bench, "__file__", str(tmp_path / "site-packages" / "ludion" / "cli" / "bench.py"))
    monkeypatch.chdir(tmp_path)
    done = run(capsys, "bench", "taquin")
    assert done.returncode == 2
    assert "not in the installed package" in done.stderr
    assert "ludion bench FILE.py" in done.stderr


def test_ci_names_the_pythons_that_are_supported():
    recipe = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    least = PROJECT["requires-python"].removeprefix(">=")
    assert f'"{least}"' in recipe
    assert Path(ROOT / ".ci" / "run").is_file()
