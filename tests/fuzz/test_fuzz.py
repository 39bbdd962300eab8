"""Damaged inputs of each surface, and every input that once failed.

    AMPARSER_FUZZ=5000 pytest tests/fuzz/test_fuzz.py
    python tests/fuzz/test_fuzz.py 20000 [SEED]

The second line draws so many inputs over all surfaces and prints a table. Inputs are drawn by
their number, so that one that fails can be drawn again. Those that failed are kept in `corpus/`:
the name of a file begins with that of its surface.
"""

import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parent), str(here.parents[1])]

from mutation import near
from surfaces import Surface, clear, problem, surfaces

from amparser.ahead import compile_all

COUNT = int(os.environ.get("AMPARSER_FUZZ", "400"))
"""How many inputs over all surfaces."""
SURFACES = {surface.name: surface for surface in surfaces()}
CORPUS = Path(__file__).parent / "corpus"


@pytest.fixture(scope="module", autouse=True)
def decoders_are_compiled() -> None:
    """Compiling takes longer than an input may, and only once."""
    for _ in compile_all():
        pass


def stem(surface: Surface) -> str:
    return surface.name.replace(" ", "-").replace(",", "")


def inputs(surface: Surface, count: int, seed: int = 1) -> list[bytes]:
    """So many damaged inputs of a surface."""
    dice = [Random(f"{surface.name} {seed} {number}") for number in range(count)]
    return [near(one.choice(surface.seeds), surface.seeds, one) for one in dice]


def counts(total: int) -> dict[str, int]:
    """How many inputs each surface gets, at least one."""
    whole = sum(surface.share for surface in SURFACES.values())
    return {s.name: max(1, round(total * s.share / whole)) for s in SURFACES.values()}


@pytest.mark.parametrize("name", SURFACES)
def test_inputs_keep_the_contract(name: str, tmp_path: Path) -> None:
    surface = SURFACES[name]
    tried = [*surface.seeds, *inputs(surface, counts(COUNT)[name])]
    for number, data in enumerate(tried):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert problem(surface, data, folder) is None, data[:300]


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_once_failed_does_not_fail_again(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    surface = next(s for s in SURFACES.values() if path.name.startswith(f"{stem(s)}--"))
    assert problem(surface, data, tmp_path) is None


def main(total: int, seed: int = 2) -> int:
    """Try inputs over all surfaces; print failures, and a table of surfaces."""
    for _ in compile_all():
        pass
    faults = Counter[str]()
    print("| surface | inputs | faults | seconds |\n|---|--:|--:|--:|", flush=True)
    for name, count in counts(total).items():
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "inside"
            folder.mkdir()
            for data in inputs(SURFACES[name], count, seed):
                if (found := problem(SURFACES[name], data, folder)) is not None:
                    faults[name] += 1
                    print(f"{name}: {found}: {data[:2000]!r}", file=sys.stderr, flush=True)
                clear(folder)
        spent = time.monotonic() - started
        print(f"| {name} | {count} | {faults[name]} | {spent:.0f} |", flush=True)
    print(f"{sum(counts(total).values())} inputs, {faults.total()} faults")
    return int(faults.total() > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
