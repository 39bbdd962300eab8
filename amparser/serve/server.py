"""Serving the application on a socket, by uvicorn."""

from __future__ import annotations

import socket
from collections.abc import Callable

from amparser.errors import ConfigError, InputError
from amparser.serve.application import INSTALL, LOCAL, App

EVERYWHERE = ("0.0.0.0", "::")


def allowed_hosts(host: str) -> tuple[str, ...]:
    """The names under which a page on this address is reached."""
    return ("*",) if host in EVERYWHERE else tuple(dict.fromkeys((*LOCAL, host)))


def open_socket(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes any free port.

    Raises:
        InputError: the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot listen on {host}, port {port}: {reason}") from None


def serve(app: App, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests until the process is interrupted.

    Args:
        app: the application.
        listening: an open socket.
        ready: called before the first request is answered.

    Raises:
        ConfigError: uvicorn is not installed.
    """
    try:
        import uvicorn
    except ImportError:
        raise ConfigError(f"the page needs uvicorn, which is not installed: {INSTALL}") from None
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=300,
        timeout_keep_alive=5,
        lifespan="off",
    )
    server = uvicorn.Server(config)
    ready()
    server.run(sockets=[listening])
