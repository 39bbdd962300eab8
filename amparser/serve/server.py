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
    """Return the host names under which a page on this address is reached."""
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
    """Answer requests until the process is interrupted. Raises ConfigError."""
    uvicorn = library("uvicorn", "the page", "serve")
    config = uvicorn.Config(
        app,
        http=_impatient(HEAD_SECONDS),
        log_level="error",
        access_log=False,
        server_header=False,
        limit_concurrency=300,
        timeout_keep_alive=5,
        lifespan="off",
    )
    server = uvicorn.Server(config)
    ready()
    server.run(sockets=[listening])


def _impatient(seconds: float) -> Any:
    """Return a uvicorn protocol that drops clients whose request headers do not arrive in time."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Impatient(H11Protocol):
        deadline: Any = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self.watch()

        def connection_lost(self, exc: Exception | None) -> None:
            self.forget()
            super().connection_lost(exc)

        @property
        def waits(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def watch(self) -> None:
            if not self.waits:
                self.forget()
            elif self.deadline is None:
                self.deadline = self.loop.call_later(seconds, self.hang_up)

        def forget(self) -> None:
            if self.deadline is not None:
                self.deadline.cancel()
                self.deadline = None

        def hang_up(self) -> None:
            self.deadline = None
            if self.waits:
                self.transport.close()

    return Impatient
