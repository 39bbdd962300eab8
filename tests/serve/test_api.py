"""The JSON interface, tested through a socket."""

import asyncio
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from command_line import refused
from numba.core.event import install_recorder
from page_client import Echo, ask, fault, send
from toml_tables import tables

from amparser.errors import ConfigError, InputError
from amparser.parser import Parser
from amparser.serve.application import LOCAL, create_app
from amparser.serve.requests import Limits, Requests
from amparser.serve.server import allowed_hosts
from amparser.serve.service import Service

QUESTION = "Who did Emma give a cake to?"


def test_answer_equals_the_answer_of_the_parser(server) -> None:
    found = ask(server, "parse", sentence=QUESTION, decoders=["astar-gap", "astar", "fixed-tree"])
    [result] = Parser.load(device="cpu").parse([QUESTION])
    answer = found["answers"]["astar-gap"]
    assert answer["meaning"] == result.meaning
    assert answer["logp"] == pytest.approx(result.logp)
    assert answer["result"].keys() == result.to_dict().keys()
    assert answer["result"]["tree"] == result.to_dict()["tree"]
    assert answer["projective"] is False
    assert answer["pictures"][1]["svg"] == result.to_svg().strip()
    assert answer["texts"]["AM-CoNLL"] == result.to_amconll()
    assert found["answers"]["astar"]["failure"] == "no well-typed tree"
    assert "scoring" in found["milliseconds"]


def test_another_notation_of_the_family_is_written(server) -> None:
    found = ask(server, "parse", sentence="Emma slept .", notation="varfree")
    [answer] = found["answers"].values()
    assert answer["meaning"] == "sleep ( agent = Emma )"


def test_the_next_readings_are_alternatives(server) -> None:
    found = ask(server, "parse", model="pmb", sentence="I saw the man.", best=3)
    [answer] = found["answers"].values()
    [result] = Parser.load("pmb", device="cpu").with_options(k_best=3).parse(["I saw the man."])
    expected = [one.meaning for one in result.alternatives]
    assert [one["meaning"] for one in answer["alternatives"]] == expected
    assert len(expected) == 2


def test_answers_never_wait_for_compilation() -> None:
    service = Service()
    service.wait()
    with install_recorder("numba:compile") as compilations:
        for name in service.folders:
            service.parse({"model": name, "sentence": "Few small wugs ran ."})
    assert compilations.buffer == []


@pytest.mark.parametrize(("body", "expected"), tables(__file__)["bad"])
def test_bad_requests_are_refused(server, body, expected) -> None:
    body = re.sub(r"<(.+?) (\d+)>", lambda match: match[1] * int(match[2]), body)
    operation = "nothing" if expected.startswith("404") else "parse"
    assert fault(server, operation, body.encode("latin-1")).startswith(expected)


def test_every_answer_has_the_policy(server) -> None:
    for path, method in (("/", "GET"), ("/page.js", "GET"), ("/api/about", "POST"), ("/x", "GET")):
        _, headers, _ = send(server, path, b"{}", method)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_the_page_names_no_other_host(server) -> None:
    for path in ("/", "/page.js", "/page.css"):
        status, _, content = send(server, path, method="GET")
        assert status == 200
        assert b"://" not in content.replace(b"http://www.w3.org/2000/svg", b"")


def test_wrong_methods_and_paths_are_json(server) -> None:
    status, _, content = send(server, "/api/parse", method="GET")
    assert (status, json.loads(content)) == (405, {"error": "Method Not Allowed"})
    assert send(server, "/../../etc/passwd", method="GET")[0] == 404


def test_fifty_requests_at_once_are_answered_right(server) -> None:
    names = ("Emma", "Liam", "Ava", "Noah", "Olivia")
    sentences = [f"{a} said that {b} slept ." for a in names for b in names] * 2
    with ThreadPoolExecutor(50) as pool:
        found = list(pool.map(lambda s: ask(server, "parse", sentence=s), sentences))
    parser = Parser.load(device="cpu")
    expected = [result.meaning for result in parser.parse(sentences)]
    assert [next(iter(one["answers"].values()))["meaning"] for one in found] == expected


# --- without a server


def test_a_late_answer_is_a_timeout_and_the_next_is_answered() -> None:
    async def ask_all() -> list[str]:
        requests = Requests(Echo(), Limits(seconds=1.0, waiting=3))
        asked = [requests.run("sleep", {"text": 1.5})]
        asked += [requests.run("echo", {"text": n}) for n in (0, 1, 2)]
        first = await asyncio.gather(*asked, return_exceptions=True)
        assert requests.count == 0
        last = [await requests.run("echo", {"text": n}) for n in (3, 4)]
        return [str(one) for one in (*first, *last)]

    late, full = "no answer within 1 seconds", "3 requests are waiting: try again later"
    assert asyncio.run(ask_all()) == [late, late, late, full, "3", "4"]


def test_costly_requests_do_not_delay_others() -> None:
    costly = {"text": 1.5, "sentence": "a " * 30, "decoders": ["x", "y"]}

    async def ask_all() -> object:
        requests = Requests(Echo())
        asked = asyncio.ensure_future(requests.run("sleep", costly))
        light = await asyncio.wait_for(requests.run("echo", {"text": 1}), 1.0)
        done = asked.done(), await asked
        nice = [await requests.run("nice", request) for request in (costly, {})]
        return light, done[0], nice[0] > nice[1] or sys.platform != "linux"

    assert asyncio.run(ask_all()) == (1, False, True)


def test_error_of_a_service_reaches_the_request() -> None:
    with pytest.raises(InputError, match="no sleep"):
        asyncio.run(Requests(Echo()).run("sleep", {"text": "no sleep"}))


def test_without_starlette_the_extra_is_named(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    with pytest.raises(ConfigError, match=r"amparser\[serve\]"):
        create_app(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("host", "names"),
    [
        ("127.0.0.1", LOCAL),
        ("0.0.0.0", ("*",)),
        ("lab.local", (*LOCAL, "lab.local")),
        ("::1", (*LOCAL, "[::1]")),
    ],
)
def test_allowed_hosts_of_an_address(host, names) -> None:
    assert allowed_hosts(host) == names


def test_models_have_different_names(tmp_path) -> None:
    for place in ("a", "b"):
        (tmp_path / place / "x").mkdir(parents=True)
    with pytest.raises(InputError, match="different names"):
        Service([tmp_path / "a" / "x", tmp_path / "b" / "x"])


def test_a_missing_model_is_named(tmp_path) -> None:
    pytest.importorskip("starlette")
    assert "nothing" in refused("serve", "--model", tmp_path / "nothing", "--port", "0")


def test_a_used_port_is_named(server) -> None:
    port = str(urlsplit(server).port)
    assert f"cannot listen on 127.0.0.1, port {port}" in refused("serve", "--port", port)
