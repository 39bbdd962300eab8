"""Client of the page's JSON interface."""

import http.client
import json
import os
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from amparser.errors import InputError


def send(
    server: str, path: str, body: bytes = b"", method: str = "POST", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=60)
    sent = {"content-type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    connection.request(method, path, body, sent)
    response = connection.getresponse()
    found = {name.lower(): value for name, value in response.getheaders()}
    content = response.read()
    connection.close()
    return response.status, found, content


def ask(server: str, operation: str, **request: Any) -> dict[str, Any]:
    status, _, content = send(server, f"/api/{operation}", json.dumps(request).encode())
    answer: dict[str, Any] = json.loads(content)
    assert status == 200, answer
    return answer


def fault(server: str, operation: str, body: bytes | dict[str, Any], **headers: str) -> str:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    status, _, content = send(server, f"/api/{operation}", sent, **headers)
    return f"{status} {json.loads(content)['error']}"


class Echo:
    """Service that returns the text of a request or the priority of its thread, or sleeps."""

    def echo(self, request: Mapping[str, Any]) -> Any:
        return request["text"]

    def nice(self, _: Mapping[str, Any]) -> int:
        return os.nice(0)

    def sleep(self, request: Mapping[str, Any]) -> None:
        text = request["text"]
        if isinstance(text, str):
            raise InputError(text)
        time.sleep(text)
