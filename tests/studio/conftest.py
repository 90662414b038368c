"""One studio for all tests of the server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.studio.serving import OWN_GAME, Client, studio


@pytest.fixture(scope="session")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    records = tmp_path_factory.mktemp("records") / "studio.sqlite"
    with studio(records, OWN_GAME, LUDION_TIER="interpreted") as port:  # small searches: nothing to compile
        yield port


@pytest.fixture
def client(port: int) -> Client:
    return Client(port)
