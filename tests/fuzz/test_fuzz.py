"""Damaged inputs of each surface, and every input that once failed.

    AMPARSER_FUZZ=20000 AMPARSER_SEED=2 pytest tests/fuzz/test_fuzz.py [-k "text and slog"]

Inputs are drawn by seed and number, so that one that fails can be drawn again. Those that failed
are kept in `corpus/`: the name of a file begins with that of its surface.
"""

import os
from contextlib import suppress
from pathlib import Path

import pytest
from surfaces import problem, surfaces

pytestmark = pytest.mark.slow
COUNT = int(os.environ.get("AMPARSER_FUZZ", "400"))
"""Inputs over all surfaces, at least one of each."""
SEED = int(os.environ.get("AMPARSER_SEED", "1"))
SURFACES = {surface.name: surface for surface in surfaces()}
WHOLE = sum(surface.share for surface in SURFACES.values())
CORPUS = Path(__file__).parent / "corpus"


@pytest.mark.parametrize("name", SURFACES)
def test_inputs_keep_the_contract(name, tmp_path) -> None:
    surface = SURFACES[name]
    count = max(1, round(COUNT * surface.share / WHOLE))
    tried = [*surface.seeds, *(surface.drawn(SEED, number) for number in range(count))]
    (first := tmp_path / "first").mkdir()
    with suppress(Exception):  # the first input may compile a search, which takes long
        surface.check(tried[0], first)
    for number, data in enumerate(tried):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert problem(surface, data, folder) is None, data[:300]


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_once_failed_does_not_fail_again(path, tmp_path) -> None:
    surface = next(
        surface
        for name, surface in SURFACES.items()
        if path.name.startswith(f"{name.replace(' ', '-')}--")
    )
    assert problem(surface, path.read_bytes(), tmp_path) is None
