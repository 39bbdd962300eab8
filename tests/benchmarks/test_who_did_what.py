"""Floors of the packaged model of running text on sentences with expected roles."""

import pytest
from who_did_what import measured

from amparser.parser import Parser

RIGHT = {"who_did_what": 59, "negation": 40, "structures": 20}
"""Right items of each file; one may be lost, since rounding differs between machines."""


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.load("eds")


@pytest.mark.parametrize("name", RIGHT)
def test_roles_stay_right(parser: Parser, name: str) -> None:
    items = measured(parser, name)
    assert sum(not item for item in items) >= RIGHT[name] - 1, [fault for i in items for fault in i]
