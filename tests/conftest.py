"""Settings for all tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ludion", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ludion")

os.environ["LANGUAGE"] = "en"  # whoever runs the tests
os.environ.setdefault("LUDION_TIER", "compiled")  # also of the processes that tests start

from ludion.core import tiers  # noqa: E402  # reads LUDION_TIER


@pytest.hookimpl(optionalhook=True)  # pytest-xdist need not be installed
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """With `--dist loadfile`, one worker runs all files of a game: its kernels are compiled by that one alone. So do
    the browser tests, which share a studio and a browser."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFolder(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return file.rpartition("/")[0] if file.startswith(("tests/games/", "tests/browser/")) else file

    return ByFolder(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What files of tests compute when they are imported runs interpreted: every worker would compile the same."""
    with tiers.use(tiers.INTERPRETED):
        return (yield)


@pytest.fixture(autouse=True)
def _tier(request: pytest.FixtureRequest) -> Iterator[None]:
    """`pytest.mark.tier(NAME)` of a test, or else of its file: kernels run in this tier, also in processes it starts.

    Files whose tests are about something else say INTERPRETED: small work needs no machine code, and compiling is what
    costs most of the time of all tests.
    """
    marker = request.node.get_closest_marker("tier")
    if marker is None:
        yield
        return
    (name,) = marker.args
    with pytest.MonkeyPatch.context() as patch, tiers.use(name):
        patch.setattr(tiers.State, "tier", name)  # of other threads
        patch.setenv("LUDION_TIER", name)
        yield


@pytest.fixture
def ludion() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the command line in a process of its own."""

    def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ludion", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=300,
            env={**os.environ, **environment},
        )

    return run
