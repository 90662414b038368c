"""`ludion crocomine-server`: the course's server, for any number of groups."""

from __future__ import annotations

from pathlib import Path

import click

from ludion.messages import message


def server() -> click.Command:
    """The command."""
    return command


@click.command("crocomine-server")
@click.option(
    "--grids", required=True, metavar="FOLDER", help="The .croco files to play, in the order of their names."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 accepts other machines.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port to listen on."
)
@click.option("--again", is_flag=True, help="After the last grid, start again with the first.")
def command(grids: str, host: str, port: int, again: bool) -> None:
    """Serve CrocoMine grids over HTTP as the course IA02 did.

    The requests are register, new_grid, discover, guess and chord.
    """
    from ludion.games.crocomine.server import Contest, read_folder, serve
    from ludion.network import listen

    with listen(host, port) as listener:
        boards = read_folder(Path(grids))
        address = f"http://{host}:{listener.getsockname()[1]}/crocomine"
        click.echo(message("crocomine.serving", n=len(boards), address=address), err=True)
        serve(Contest(boards, again=again), listener)
