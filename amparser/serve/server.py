"""Serve the application on a socket with uvicorn."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from amparser.errors import InputError
from amparser.limits import HEAD_SECONDS
from amparser.resources import library
from amparser.serve.application import LOCAL, App

EVERYWHERE = ("0.0.0.0", "::")


def allowed_hosts(host: str) -> tuple[str, ...]:
    """Return the host names that requests to a server on this address may use."""
    name = f"[{host}]" if ":" in host else host
    return ("*",) if host in EVERYWHERE else tuple(dict.fromkeys((*LOCAL, name)))


def open_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free port. Raises InputError."""
    if not host:
        raise InputError("--host: expected an address, such as 127.0.0.1")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot listen on {host}, port {port}: {reason}") from None


def serve(app: App, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests until the process is interrupted. Raises ConfigError without uvicorn."""
    uvicorn = library("uvicorn", "the page", "serve")
    config = uvicorn.Config(
        app,
        http=_impatient(HEAD_SECONDS),
        log_level="error",
        access_log=False,
        server_header=False,
        limit_concurrency=300,
        lifespan="off",
    )
    server = uvicorn.Server(config)
    ready()
    server.run(sockets=[listening])


def _impatient(seconds: float) -> Any:
    """Return a uvicorn protocol that drops clients whose request headers do not arrive in time.

    One timer per connection is enough, because a connection carries a single request.
    """
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Impatient(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.loop.call_later(seconds, self.hang_up)

        def hang_up(self) -> None:
            if self.cycle is None:
                self.transport.close()

    return Impatient
