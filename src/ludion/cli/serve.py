"""`ludion serve`: the studio, a web page for all games on your own machine."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser

import click

from ludion.errors import LudionError

PORT = 8765


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"Where to listen (default {PORT}, or a free one).",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="H", help="Which address to listen on."
)
@click.option("--game-file", multiple=True, metavar="F", help="A Python file with a game of your own.")
@click.option(
    "--searches",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Searches at once; others queue.",
)
@click.option("--open", "opened", is_flag=True, help="Open it in the browser.")
@click.option(
    "--records", metavar="F", help="The file that keeps games in progress (default: in your data folder)."
)
def command(
    port: int | None, host: str, game_file: tuple[str, ...], searches: int, opened: bool, records: str | None
) -> None:
    """Start the studio and print its address (Ctrl-C ends it)."""
    import uvicorn

    from ludion.records.players import PlayerRecords
    from ludion.registry import load_game_file
    from ludion.studio.server import make_app

    for file in game_file:
        load_game_file(file)
    listener = listen(host, port)
    player_records = PlayerRecords(records)
    player_records.prune()
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"the studio is at http://{shown}:{listener.getsockname()[1]}/  (Ctrl-C ends it)")
    app = make_app(player_records, searches, (host,))
    if opened:
        show(f"http://{shown}:{listener.getsockname()[1]}/")
    config = uvicorn.Config(
        app, log_level="warning", timeout_graceful_shutdown=1, access_log=False, server_header=False
    )
    uvicorn.Server(config).run(sockets=[listener])
    player_records.close()


def show(address: str) -> None:
    """Open the page, where there is a desktop to open it on."""
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Timer(0.5, webbrowser.open, (address,)).start()


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on this port; without one, on the usual port or any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in [port] if port is not None else [PORT, 0]:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, wanted))
            listener.listen(1024)
            return listener
        except OSError as error:
            listener.close()
            reason = error
    raise LudionError(f"cannot listen on {host} port {port if port is not None else PORT}: {reason.strerror}")
