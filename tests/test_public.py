"""Public names are listed in docs/python.md, and invalid arguments raise errors of this package."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import amparser
from amparser import Parser, Result
from amparser.errors import AMParserError, InputError

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "python.md").read_text(encoding="utf-8")


def listed(heading: str) -> dict[str, list[str] | None]:
    """Return the names in the first column below a heading; functions with their parameters."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found: dict[str, list[str] | None] = {}
    for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE):
        for name, call, parameters in re.findall(r"`(\w+)(\(([^)]*)\))?`", row):
            found[name] = re.findall(r"\w+", parameters) if call else None
    return found


def parameters(function: Callable[..., Any]) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_functions_are_listed() -> None:
    functions = listed("Functions")
    assert {*functions, "Parser", "Result", "__version__"} == {*amparser.__all__}
    assert {*amparser.__all__} <= {*dir(amparser)}
    assert functions == {name: parameters(getattr(amparser, name)) for name in functions}


@pytest.mark.parametrize(("heading", "kind"), [("`Parser`", Parser), ("`Result`", Result)])
def test_listed_attributes_exist(heading, kind, parser) -> None:
    [result] = parser.parse(["Emma slept ."])
    instance = parser if kind is Parser else result
    names = listed(heading)
    assert len(names) > 10
    for name, wanted in names.items():
        value = getattr(instance, name)
        if wanted is not None:
            assert parameters(value) == wanted, name
        elif name != "tokenizer":
            assert not callable(value), name


def test_json_keys_are_listed(parser) -> None:
    [result] = parser.parse(["Emma slept ."])
    assert {*listed("JSON")} == {*result.to_dict()}


PARSER_CALLS: dict[str, Callable[[Parser], object]] = {
    "sentences None": lambda p: p.parse(None),  # type: ignore[arg-type]
    "a sentence 5": lambda p: p.parse([5]),  # type: ignore[list-item]
    "an unknown token None": lambda p: p.unknown([None]),  # type: ignore[list-item]
    "a token 5": lambda p: p.parse([["a", 5]]),  # type: ignore[list-item]
    "decoder": lambda p: p.parse(["a"], decoder=5),  # type: ignore[arg-type]
    "processes": lambda p: p.parse(["a"], processes="2"),  # type: ignore[arg-type]
    "tokenizer": lambda p: p.parse(["a"], tokenizer=5),  # type: ignore[arg-type]
    "k_best": lambda p: p.with_options(k_best=1.5),  # type: ignore[arg-type]
    "min_confidence": lambda p: p.with_options(min_confidence="high"),  # type: ignore[arg-type]
    "notation": lambda p: p.with_notation(5),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", PARSER_CALLS)
def test_invalid_parser_argument_is_an_input_error(name, parser) -> None:
    with pytest.raises(InputError):
        PARSER_CALLS[name](parser)


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "load": (lambda: amparser.load(5), "folder = 5: expected a path"),  # type: ignore[arg-type]
    "device": (lambda: amparser.load(device=5), "device = 5: expected a name"),  # type: ignore[arg-type]
    "check": (lambda: amparser.check(None), "data = None: expected a path"),  # type: ignore[arg-type]
    "train": (lambda: amparser.train("x", None), "output = None: expected a path"),  # type: ignore[arg-type]
    "overrides": (lambda: amparser.check("x", overrides="a=b"), "expected a list of texts"),
    "model": (lambda: amparser.evaluate(5, "x"), "model = 5: expected a model"),  # type: ignore[arg-type]
    "limit": (lambda: amparser.evaluate(None, "x", limit=2.5), "limit = 2.5: expected a whole"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", CALLS)
def test_invalid_function_argument_error_names_it(name) -> None:
    call, message = CALLS[name]
    with pytest.raises(AMParserError, match=re.escape(message)):
        call()


def test_tokenizer_without_texts_is_a_failure(parser) -> None:
    for tokens in (5, "Emma", [5]):
        [result] = parser.parse(["Emma slept."], tokenizer=lambda text, t=tokens: t)  # type: ignore[misc]
        assert result.failure.startswith(f"the tokenizer returned {tokens!r}, expected ")
