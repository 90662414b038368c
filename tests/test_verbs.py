"""Dispatch, and the two hazards of compiled code on disk, each with a test that fails without its cure."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import ludion
from ludion.core import files
from ludion.core.verbs import kernel, verb

ROOT = Path(__file__).parents[1]


class Cat(NamedTuple):
    lives: int


class Dog(NamedTuple):
    age: int


class Fish(NamedTuple):
    pass


@verb
def noise(animal, loudness):
    """How loud it is."""


@noise.register(Cat)
def _(cat, loudness):
    return cat.lives * loudness


@noise.register(Dog)
def _(dog, level):  # the parameter's name is the implementation's own affair
    return 100 + dog.age + level


@kernel
def both(first, second, loudness):
    return noise(first, loudness), noise(second, loudness)


@pytest.mark.interpreted
def test_dispatch_by_the_first_argument():
    assert noise(Cat(9), 2) == 18
    assert noise(Dog(3), 2) == 105
    assert both(Cat(9), Dog(3), 2) == (18, 105)
    assert both(Dog(3), Cat(9), 2) == (105, 18)
    assert noise.has(Cat(1))
    assert not noise.has(Fish())


@pytest.mark.interpreted
def test_a_type_without_implementation():
    with pytest.raises(TypeError, match="Fish has no verb 'noise'"):
        noise(Fish(), 1)


@pytest.mark.interpreted
def test_otherwise():
    @verb
    def legs(animal):
        """How many."""

    @legs.otherwise
    def _(animal):
        return 4

    @legs.register(Fish)
    def _(animal):
        return 0

    assert (legs(Cat(1)), legs(Fish())) == (4, 0)


# ---- hazards: each runs the same program twice over one cache folder


def run(script: Path, cache: Path, package: Path | None = None, cured: bool = True) -> str:
    package = package or Path(ludion.__file__).parent
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("NUMBA")},
        "LUDION_CACHE_DIR": str(cache),
        "PYTHONPATH": str(package.parent),
    }
    program = (
        ""
        if cured
        else "import ludion.core.compiler; ludion.core.compiler.fingerprint = lambda module: 'the same';"
    )
    program += f"import runpy; runpy.run_path({str(script)!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


GAME = """
from typing import NamedTuple
from ludion.core.verbs import kernel, verb

@verb
def value(game): "A number."

class Game(NamedTuple):
    x: int

@value.register(Game)
def _(game):
    return game.x + {bonus}

@kernel
def ask(game):
    return value(game)

if __name__ == "__main__":
    import sys
    print(ask(Game(1)), len(ask.stats.cache_hits) if hasattr(ask, "stats") else "")
"""

USER = """
import sys, types
sys.path.insert(0, {folder!r})
import {name}
print({name}.ask({name}.Game(1)))
"""


@pytest.mark.parametrize("cured", [True, False])
def test_two_scripts_with_a_class_of_the_same_name(tmp_path, cured):
    """Two files define `game.Game` with different rules: they must not share machine code."""
    seen = []
    for folder, bonus in (("one", 10), ("two", 20)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.py").write_text(GAME.format(bonus=bonus))
        script = tmp_path / folder / "main.py"
        script.write_text(USER.format(folder=str(tmp_path / folder), name="game"))
        seen.append(run(script, tmp_path / "cache", cured=cured))
    assert seen == (
        ["11", "21"] if cured else ["11", "11"]
    )  # without the cure the second runs the first's code


ONE_VERDICT = """
import ludion
from ludion.core.verbs import kernel
from ludion.kinds.duel import LOST, verdict

@kernel
def is_lost(rules, position):
    return verdict(rules, position) == LOST

position = ludion.position("tic-tac-toe", "oo./xxx/...")
print(is_lost(position.rules, position.state))
"""


@pytest.mark.parametrize("cured", [True, False])
def test_an_edited_rule_never_runs_old_code(tmp_path, cured):
    """A game of the package whose helper is edited: the next run must see the new rule."""
    package = tmp_path / "ludion"
    source = Path(ludion.__file__).parent
    shutil.copytree(
        source, package, ignore=shutil.ignore_patterns("__pycache__", "games", "studio", "levels")
    )
    shutil.copytree(source / "games" / "tic_tac_toe", package / "games" / "tic_tac_toe")
    (package / "games" / "__init__.py").write_text("")
    script = tmp_path / "main.py"
    script.write_text(ONE_VERDICT)
    before = run(script, tmp_path / "cache", package, cured)
    rules = package / "games" / "tic_tac_toe" / "rules.py"
    text = rules.read_text()
    assert "        return LOST\n" in text
    rules.write_text(text.replace("        return LOST\n", "        return OPEN\n"))  # nobody ever wins
    after = run(script, tmp_path / "cache", package, cured)
    assert before == "True"
    assert after == ("False" if cured else "True")


def test_two_classes_of_one_name_in_one_process(tmp_path):
    """Two game files both define `class Rules` with the same fields: each runs its own code."""
    (tmp_path / "common.py").write_text(
        "from ludion.core.verbs import kernel, verb\n"
        "@verb\ndef worth(rules): 'A number.'\n"
        "@kernel\ndef ask(rules): return worth(rules)\n"
    )
    for name, bonus in (("one", 1), ("two", 100)):
        (tmp_path / f"{name}.py").write_text(
            "from typing import NamedTuple\nfrom common import worth\n"
            "class Rules(NamedTuple):\n    x: int\n    y: int\n"
            f"@worth.register(Rules)\ndef _(rules): return rules.x + {bonus}\n"
        )
    script = tmp_path / "main.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import one, two\nfrom common import ask\n"
        "print(ask(one.Rules(1, 2)), ask(two.Rules(1, 2)), ask(one.Rules(1, 2)))"
    )
    for _ in range(2):  # compiled, then loaded from disk
        assert run(script, tmp_path / "cache") == "2 101 2"


def test_a_class_without_source_is_never_cached(tmp_path):
    cache = tmp_path / "cache"
    program = GAME.format(bonus=5)
    environment = {**os.environ, "LUDION_CACHE_DIR": str(cache)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-"], input=program, capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert done.stdout.split()[0] == "6", done.stderr
    assert not list(cache.rglob("ask-*.code"))


def test_damaged_code_is_compiled_again(tmp_path):
    script = tmp_path / "game.py"
    script.write_text(GAME.format(bonus=7))
    main = tmp_path / "main.py"
    main.write_text(USER.format(folder=str(tmp_path), name="game"))
    cache = tmp_path / "cache"
    assert run(main, cache) == "8"
    (code,) = cache.rglob("ask-*.code")
    code.write_bytes(code.read_bytes()[:100])
    assert run(main, cache) == "8"
    assert len(code.read_bytes()) > 100


def test_an_unwritable_cache_folder_is_no_obstacle(tmp_path):
    script = tmp_path / "game.py"
    script.write_text(GAME.format(bonus=7))
    main = tmp_path / "main.py"
    main.write_text(USER.format(folder=str(tmp_path), name="game"))
    (tmp_path / "file").write_text("not a folder")
    assert run(main, tmp_path / "file" / "cache") == "8"


def test_a_write_that_fails_leaves_nothing(tmp_path):

    with pytest.raises(TypeError):
        files.write_atomically(tmp_path / "it", "text, not bytes")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ counting references


class Shelf(NamedTuple):
    books: np.ndarray
    taken: int


@verb
def take(shelf):
    """The shelf with one book less on it."""


@take.register(Shelf)
def _(shelf):
    return Shelf(shelf.books, shelf.taken + 1)


@kernel(count_references=False)
def take_without_counting(shelf, times):
    for _ in range(times):
        shelf = take(shelf)
    return shelf.taken


@kernel
def take_all(shelf, times):
    return take_without_counting(shelf, times)


@kernel
def take_and_compare(shelf, times):
    total = 0
    for _ in range(times):
        other = take(shelf)
        total += other.taken + take_without_counting(shelf, 1)
    return total


def test_parts_count_references_if_their_caller_does_whoever_is_compiled_first():
    """A part that was compiled for a kernel without counting was used by others, too: arrays were freed in use."""
    program = """
import numpy as np
from tests.test_verbs import Shelf, take_all, take_and_compare
for _ in range(20):
    shelf = Shelf(np.zeros(1000), 0)
    for kernel in (take_all, take_and_compare):
        kernel(shelf, 100)
    others = [np.ones(size) for size in range(1, 1000)]
    assert not shelf.books.any()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
