"""Sockets to listen on."""

from __future__ import annotations

import socket

import pytest

from ludion.network import PortError, listen


def test_a_connection_sends_small_packets_at_once() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_busy_port_is_named() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(PortError, match=f"port {port} of 127.0.0.1 is in use"):
            listen("127.0.0.1", port)
