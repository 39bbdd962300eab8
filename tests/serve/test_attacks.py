"""The page and its interface under attack: slow clients, floods, other origins, markup, paths."""

import asyncio
import re
import select
import signal
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from page_client import ask, fault, send
from toml_tables import tables

from amparser.serve.requests import Limits, RequestError

SCRIPT = "<script>alert(1)</script>"
HOSTILE = tables(__file__)["hostile"]


@pytest.fixture(scope="module")
def impatient() -> Iterator[str]:
    """Yield the address of a server that waits one second for the head of a request."""
    for library in ("starlette", "uvicorn"):
        pytest.importorskip(library, reason=f"{library} is not installed (extra serve)")
    script = (
        "import sys; from amparser.serve import server; server.HEAD_SECONDS = 1.0\n"
        "from amparser.cli.main import main\n"
        "sys.argv = ['amparser', 'serve', '--port', '0', '--device', 'cpu', '--timeout', '6']\n"
        "main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    address = process.stdout.readline().strip()
    yield address
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=120)
    assert "Traceback" not in errors


def connected(server: str) -> socket.socket:
    place = urlsplit(server)
    return socket.create_connection((place.hostname, place.port or 80), timeout=30)


def test_slow_clients_do_not_block_others(impatient) -> None:
    """Three times the allowed clients connect; all are disconnected, even those that send bytes."""
    slow = [connected(impatient) for _ in range(900)]
    for one in slow:
        one.sendall(b"POST /api/parse HTTP/1.1\r\nhost: localhost\r\nx: ")
    ends = time.monotonic() + 120
    closed: set[socket.socket] = set()
    while len(closed) < len(slow):
        assert time.monotonic() < ends, f"{len(closed)} of {len(slow)} were hung up on"
        for one in slow:
            if one not in closed and select.select([one], [], [], 0)[0]:
                closed.add(one)
        time.sleep(0.2)
        for one in slow[:50]:
            if one not in closed:
                try:
                    one.sendall(b"y")
                except OSError:
                    closed.add(one)
    for one in slow:
        one.close()
    assert ask(impatient, "parse", sentence="Emma slept .")["tokens"]


def test_missing_body_is_a_timeout(impatient) -> None:
    with connected(impatient) as client:
        head = b"POST /api/parse HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        client.sendall(head + b'content-length: 100\r\n\r\n{"sent')
        assert ask(impatient, "parse", sentence="Emma slept .")["tokens"]
        client.settimeout(40)
        assert client.recv(100).startswith(b"HTTP/1.1 408 ")
    with connected(impatient) as client:  # and one that goes away
        client.sendall(head + b'content-length: 100\r\n\r\n{"sent')
    assert ask(impatient, "parse", sentence="Emma slept .")["tokens"]


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 20_000 + b"\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00" * 100,
        b"POST /api/parse HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        b"POST /api/parse HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n"
        b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_malformed_heads_are_rejected(server, head) -> None:
    with connected(server) as client:
        try:
            client.sendall(head)
            answer = client.recv(1000)
        except OSError:  # hung up on before all was sent
            answer = b""
    assert not answer or 400 <= int(answer.split()[1]) < 500, answer
    assert send(server, "/", method="GET")[0] == 200


def test_other_origins_get_no_cors_header_and_other_hosts_an_error(server) -> None:
    status, headers, _ = send(server, "/api/parse", method="OPTIONS", origin="http://evil.example")
    assert status == 405
    assert not any(name.startswith("access-control") for name in headers)
    body = b'{"sentence": "Emma slept ."}'
    _, headers, _ = send(server, "/api/parse", body, origin="http://evil.example")
    assert not any(name.startswith("access-control") for name in headers)
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "[::ffff:1.2.3.4]"):
        assert send(server, "/api/parse", body, host=host)[0] == 400
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert send(server, "/api/parse", body, content_type=kind)[0] == 415


@pytest.mark.parametrize("name", ["../slog", "/etc", "slog/../slog", "..", "slog\0", "%2e%2e", ""])
def test_only_served_models_can_be_named(server, name) -> None:
    found = fault(server, "parse", {"sentence": "Emma slept .", "model": name})
    assert found.startswith("400 "), found
    assert fault(server, "parse", {"sentence": "a", "notation": name or "../x"}).startswith("400 ")


@pytest.mark.parametrize("path", ["/..%2f..%2fetc/passwd", "/%2e%2e/", "/page.js/../../x", "//etc"])
def test_paths_outside_the_page_are_not_found(server, path) -> None:
    assert send(server, path, method="GET")[0] == 404


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_in_a_sentence_is_escaped_in_pictures(server, text) -> None:
    tokens = text.split()
    found = ask(server, "parse", sentence=f"Emma saw {text} .")
    for answer in found["answers"].values():
        for picture in answer["pictures"]:
            tree = ElementTree.fromstring(picture["svg"])
            tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
            assert not tags & {"script", "img", "b", "foreignObject", "a"}
            names = {name for element in tree.iter() for name in element.attrib}
            assert not any(name.startswith("on") or "href" in name for name in names)
            if tokens[0] == SCRIPT:
                assert SCRIPT in "".join(tree.itertext())


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_in_a_sentence_is_escaped_in_pages(text, tmp_path) -> None:
    from command_line import run

    data = tmp_path / "gold.tsv"
    data.write_text(f"Emma saw {text} .\tsee . agent ( x _ 1 , Emma )\t{text}\n", encoding="utf-8")
    found = run("evaluate", "--data", data, "--html", tmp_path / "page.html", "--device", "cpu")
    assert found.exit_code in (0, 1), found.output
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not re.search(r"<(img|b|iframe|script)\b", page)


def test_json_in_another_encoding_is_rejected(server) -> None:
    body = '{"sentence": "Emma ran ."}'
    for name, status in (("utf-16", 415), ("utf-8", 200)):
        kind = f"APPLICATION/JSON;charset={name}"
        assert send(server, "/api/parse", body.encode(name), content_type=kind)[0] == status


@pytest.mark.parametrize("rest", ['; a="' + ";" * 60_000, f"; charset*{'9' * 5000}=x"])
def test_long_content_type_is_parsed_fast(rest) -> None:
    from amparser.serve.application import _body

    async def stream() -> AsyncIterator[bytes]:
        yield b"{}"

    request = SimpleNamespace(headers={"content-type": f"application/json{rest}"}, stream=stream)
    started = time.process_time()
    with suppress(RequestError):
        assert asyncio.run(_body(request, Limits())) == {}
    assert time.process_time() - started < 0.5
