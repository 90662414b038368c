"""Sockets to listen on."""

from __future__ import annotations

import errno
import socket

from ludion.errors import LudionError
from ludion.messages import message


class PortError(LudionError):
    """A port that cannot be listened on."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        name = "port_is_busy" if error.errno == errno.EADDRINUSE else "cannot_listen"
        reason = error.strerror or str(error)
        raise PortError(message(f"errors.{name}", host=host, port=port, reason=reason)) from None
    # Inherited by each connection: without it the second packet of an answer waits 40 ms for an acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
