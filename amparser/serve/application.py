"""The web application: the page, and JSON under `/api/`.

    POST /api/parse      {"sentence": "...", "model": "...", "decoders": ["..."]}
    POST /api/about      {}

Every response with a status other than 200 has the body `{"error": MESSAGE}`. Two threads answer
requests (`amparser.serve.requests`); the number of waiting requests is limited. The server writes
no file except the log. The content security policy keeps the page from contacting other hosts.
"""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from email.message import Message as Head
from pathlib import Path
from typing import Any, TypeAlias

from amparser.draw.html import PAGE_STYLE
from amparser.draw.svg import STYLE
from amparser.errors import AMParserError
from amparser.files import RepeatedKeyError, once
from amparser.resources import library
from amparser.serve.requests import Limits, RequestError, Requests

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
    "connection": "close",
}
LOCAL = ("127.0.0.1", "localhost")
OPERATIONS = ("about", "parse")
"""Names of the methods of `amparser.serve.service.Service` that requests may call."""

Message: TypeAlias = MutableMapping[str, Any]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
App: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]


def create_app(requests: Requests, *, hosts: Sequence[str] = LOCAL) -> App:
    """Return the ASGI application.

    Args:
        hosts: host names under which the page can be reached; `*` allows any name. Requests for
            other hosts are refused, which prevents DNS rebinding.

    Raises:
        ConfigError: Starlette is not installed.
    """
    library("starlette.applications", "the page", "serve")
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    async def operation(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            if name not in OPERATIONS:
                known = ", ".join(OPERATIONS)
                raise RequestError(404, f"no operation {name!r}, expected one of {known}")
            answer = await requests.run(name, await _body(request, requests.limits))
        except RequestError as error:
            retry = {"retry-after": "1"} if error.status == 503 else {}
            return JSONResponse({"error": str(error)}, error.status, retry)
        except AMParserError as error:
            return JSONResponse({"error": str(error)}, 400)
        except ClientDisconnect:  # the client is gone and does not read the response
            return JSONResponse({"error": "the request was not finished"}, 400)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            return JSONResponse({"error": "an internal error, see the terminal"}, 500)
        return JSONResponse(answer)

    async def refused(request: Request, error: Any) -> Response:
        return JSONResponse({"error": str(error.detail)}, error.status_code)

    routes = [
        Route(path, _file_route(Response, content, media_type), methods=["GET"])
        for path, (content, media_type) in _files().items()
    ]
    routes.append(Route("/api/{name}", operation, methods=["POST"]))
    trusted = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    app = Starlette(
        routes=routes, middleware=[trusted], exception_handlers={404: refused, 405: refused}
    )
    return _with_headers(app)


async def _body(request: Any, limits: Limits) -> dict[str, Any]:
    header = Head()
    # The header is cut because parsing it takes time quadratic in its length.
    header["content-type"] = request.headers.get("content-type", "")[:200]
    if header.get_content_type() != "application/json":
        raise RequestError(415, "expected the content type application/json")
    if header.get_content_charset("utf-8") not in ("utf-8", "utf8", "us-ascii"):
        raise RequestError(415, "expected JSON in UTF-8")
    body = bytearray()
    try:
        async with asyncio.timeout(limits.seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limits.body:
                    raise RequestError(413, f"expected a body of at most {limits.body} bytes")
    except TimeoutError:
        raise RequestError(
            408, f"the body did not arrive within {limits.seconds:g} seconds"
        ) from None
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=once)
    except RepeatedKeyError as error:
        raise RequestError(400, str(error)) from None
    except (ValueError, RecursionError) as error:
        raise RequestError(400, f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise RequestError(400, "expected a JSON object")
    return value


def _files() -> dict[str, tuple[bytes, str]]:
    folder = Path(__file__).parent / "static"
    page = (folder / "index.html").read_bytes()
    script = (folder / "page.js").read_bytes()
    icon = (folder / "icon.svg").read_bytes()
    style = (folder / "page.css").read_text(encoding="utf-8")
    return {
        "/": (page, "text/html"),
        "/page.js": (script, "text/javascript"),
        "/icon.svg": (icon, "image/svg+xml"),
        "/page.css": ((PAGE_STYLE + STYLE + style).encode(), "text/css"),
    }


def _file_route(response: Any, content: bytes, kind: str) -> Callable[[Any], Awaitable[Any]]:
    async def file(request: Any) -> Any:
        return response(content, media_type=kind)

    return file


def _with_headers(app: App) -> App:
    added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def wrapped(scope: Message, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await app(scope, receive, send_with_headers)

    return wrapped
