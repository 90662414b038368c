"""The studio in a process of its own: RECORDS and game files -> prints its port and serves."""

from __future__ import annotations

import sys

import uvicorn

from ludion import registry
from ludion.network import listen
from ludion.records.players import PlayerRecords
from ludion.studio.server import make_app


def main(records: str, *game_files: str) -> None:
    for file in game_files:
        registry.load_game_file(file)
    listener = listen("127.0.0.1", 0)
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(
        make_app(PlayerRecords(records)), log_level="warning", timeout_graceful_shutdown=1, access_log=False
    )
    uvicorn.Server(config).run(sockets=[listener])


main(*sys.argv[1:])
