"""`ludion serve`: the studio, a web page for all games on your own machine."""

from __future__ import annotations

import io
import os
import secrets
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import click

from ludion.messages import message
from ludion.network import PortError, listen

PORT = 8765
EVERY_ADDRESS = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}  # hosts to listen on, not to ask
LOOPBACK = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}
ELSEWHERE = {
    socket.AF_INET: "192.0.2.1",
    socket.AF_INET6: "2001:db8::1",
}  # addresses for documentation: nobody's


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"Port to listen on (default {PORT}, or a free one).",
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="H", help="Address to listen on.")
@click.argument("files", nargs=-1, metavar="[GAME.py]...")
@click.option("--game-file", multiple=True, metavar="F", help="A Python file with a game of your own.")
@click.option("--lesson", multiple=True, metavar="F", help="A lesson of your own (docs/lessons.md).")
@click.option(
    "--searches",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Searches that run at once; others wait in a queue.",
)
@click.option(
    "--lan",
    is_flag=True,
    help="For phones on your network: listen on every address, print one with a token, and its QR code.",
)
@click.option("--open", "opened", is_flag=True, help="Open the studio in the browser.")
@click.option("--records", metavar="F", help="File of the games in progress (default: in your data folder).")
def command(
    files: tuple[str, ...],
    port: int | None,
    host: str,
    game_file: tuple[str, ...],
    lesson: tuple[str, ...],
    searches: int,
    lan: bool,
    opened: bool,
    records: str | None,
) -> None:
    """Start the studio, a page in your browser.

    It also opens games of your own, if you name them. Ctrl-C stops it.
    """
    import uvicorn

    from ludion.records.players import PlayerRecords
    from ludion.registry import load_game_file
    from ludion.studio.server import make_app

    for file in (*files, *game_file):
        load_game_file(file)
    if lan:
        host = "0.0.0.0"
    token = secrets.token_urlsafe(9) if lan else ""
    listener = listen_somewhere(host, port)
    player_records = PlayerRecords(records)
    player_records.prune()
    app = make_app(player_records, searches, (host,), token, [Path(each) for each in lesson])
    addresses = addresses_of(host, listener.getsockname()[1])
    if lan:
        addresses = [addresses[0], *(f"{each}?token={token}" for each in addresses[1:])]
    click.echo(message("cli.studio_is_at", addresses=message("cli.and").join(addresses)))
    if lan:
        click.echo(qr_code(addresses[-1]) if len(addresses) > 1 else message("cli.no_network"))
    if opened:
        show(addresses[0])
    config = uvicorn.Config(
        app, log_level="warning", timeout_graceful_shutdown=1, access_log=False, server_header=False
    )
    uvicorn.Server(config).run(sockets=[listener])
    player_records.close()


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses for a browser. If the server listens on every address, these are the loopback address and that of
    this machine on its network."""
    hosts = [host]
    if host in EVERY_ADDRESS:
        family = EVERY_ADDRESS[host]
        hosts = [LOOPBACK[family], *network_address(family)]
    return [f"http://{f'[{each}]' if ':' in each else each}:{port}/" for each in hosts]


def network_address(family: socket.AddressFamily) -> list[str]:
    """The address of this machine on its network, if it has one. (Nothing is sent: a datagram socket only gets a
    destination.)"""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ELSEWHERE[family], 9))
        except OSError:
            return []
        address = str(probe.getsockname()[0])
    return [] if address == LOOPBACK[family] else [address]


def qr_code(address: str) -> str:
    """The address as a QR code in characters, light on dark whatever the colours of the terminal; without segno, how to
    install it."""
    try:
        import segno
    except ImportError:
        return message("cli.no_segno")
    text = io.StringIO()
    segno.make(address, micro=False).terminal(text, compact=True)
    return "\n".join(
        click.style(line, fg="bright_white", bg="black") for line in text.getvalue().splitlines()
    )


def show(address: str) -> None:
    """Open the page, where there is a desktop to open it on."""
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Timer(0.5, webbrowser.open, (address,)).start()


def listen_somewhere(host: str, port: int | None) -> socket.socket:
    """A socket on this port; without one, on the usual port or any free one."""
    if port is not None:
        return listen(host, port)
    try:
        return listen(host, PORT)
    except PortError:
        return listen(host, 0)
