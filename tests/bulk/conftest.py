"""Rows to parse, some without an answer."""

from typing import Any

import pytest

SENTENCES = (
    "Emma slept.",
    "A cat saw the dog on the mat .",
    "",
    "Who did Emma give a cake to ?",
    "the the the",
)


@pytest.fixture(scope="session")
def rows() -> list[dict[str, Any]]:
    """Return 90 rows with an id; of every five, the third is empty and the fifth has no parse."""
    return [{"id": i, "sentence": SENTENCES[i % 5], "note": f"n {i} é"} for i in range(90)]
