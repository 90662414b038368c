"""Settings for all tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ludion", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ludion")

os.environ["LANGUAGE"] = "en"  # whoever runs the tests
os.environ.setdefault("LUDION_TIER", "compiled")  # also of the processes that tests start
INTERPRETED = os.environ["LUDION_TIER"] == "interpreted"


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
