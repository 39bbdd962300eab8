"""A few damaged inputs of each surface, and every input that once failed.

`AMPARSER_FUZZ=1000 pytest tests/fuzz` is the long run. Inputs that failed are kept in `corpus/`:
the name of a file begins with that of its surface.
"""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import inputs
from surfaces import Surface, problem, surfaces

from amparser.ahead import compile_all

COUNT = int(os.environ.get("AMPARSER_FUZZ", "6"))
SURFACES = {surface.name: surface for surface in surfaces()}
CORPUS = Path(__file__).parent / "corpus"


@pytest.fixture(scope="module", autouse=True)
def decoders_are_compiled() -> None:
    """Compiling takes longer than an input may, and only once."""
    for _ in compile_all():
        pass


def stem(surface: Surface) -> str:
    return surface.name.replace(" ", "-").replace(",", "")


@pytest.mark.parametrize("name", SURFACES)
def test_valid_inputs_keep_the_contract(name: str, tmp_path: Path) -> None:
    surface = SURFACES[name]
    for i, data in enumerate(surface.seeds):
        folder = tmp_path / str(i)
        folder.mkdir()
        assert problem(surface, data, folder) is None, data[:300]


@pytest.mark.parametrize("name", SURFACES)
@settings(max_examples=2 + COUNT)
@given(data=st.data())
def test_damaged_inputs_keep_the_contract(name: str, data: st.DataObject) -> None:
    surface = SURFACES[name]
    tried: bytes = data.draw(inputs(surface))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "inside"
        folder.mkdir()
        assert problem(surface, tried, folder) is None


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_once_failed_does_not_fail_again(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    surface = next(s for s in SURFACES.values() if path.name.startswith(f"{stem(s)}--"))
    assert problem(surface, data, tmp_path) is None
