"""Damaged inputs of each surface, and every input that once failed.

    AMPARSER_FUZZ=5000 pytest tests/fuzz/test_fuzz.py
    python tests/fuzz/test_fuzz.py 20000 [SEED [SURFACE ...]]

The second line draws so many inputs over all surfaces and prints a table. Inputs are drawn by
their number, so that one that fails can be drawn again. Those that failed are kept in `corpus/`:
the name of a file begins with that of its surface.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), *(str(here.parent / name) for name in ("", "oracles", ".."))]

from surfaces import problem, surfaces

from amparser.ahead import compile_all

pytestmark = pytest.mark.slow
COUNT = int(os.environ.get("AMPARSER_FUZZ", "400"))
"""Inputs over all surfaces."""
SURFACES = {surface.name: surface for surface in surfaces()}
CORPUS = Path(__file__).parent / "corpus"


@pytest.fixture(scope="module", autouse=True)
def decoders_are_compiled() -> None:
    """Compile once, which takes longer than an input may."""
    for _ in compile_all():
        pass


def counts(total: int, names: list[str]) -> dict[str, int]:
    """Return the number of inputs of each surface, at least one."""
    whole = sum(SURFACES[name].share for name in names)
    return {name: max(1, round(total * SURFACES[name].share / whole)) for name in names}


@pytest.mark.parametrize("name", SURFACES)
def test_inputs_keep_the_contract(name: str, tmp_path: Path) -> None:
    surface, count = SURFACES[name], counts(COUNT, [*SURFACES])[name]
    tried = [*surface.seeds, *(surface.drawn(1, number) for number in range(count))]
    for number, data in enumerate(tried):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert problem(surface, data, folder) is None, data[:300]


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_once_failed_does_not_fail_again(path: Path, tmp_path: Path) -> None:
    surface = next(
        surface
        for name, surface in SURFACES.items()
        if path.name.startswith(f"{name.replace(' ', '-')}--")
    )
    assert problem(surface, path.read_bytes(), tmp_path) is None


def main(total: int, seed: int = 2, *names: str) -> int:
    """Try inputs over surfaces; print failures, and a table."""
    for _ in compile_all():
        pass
    whole = 0
    print("| surface | inputs | faults | seconds |\n|---|--:|--:|--:|", flush=True)
    for name, count in counts(total, [*(names or SURFACES)]).items():
        started, faults = time.monotonic(), 0
        for number in range(count):
            with tempfile.TemporaryDirectory() as place:
                (folder := Path(place) / "inside").mkdir()
                data = SURFACES[name].drawn(seed, number)
                if (found := problem(SURFACES[name], data, folder)) is not None:
                    faults += 1
                    print(f"{name}: {found}: {data[:2000]!r}", file=sys.stderr, flush=True)
        spent = time.monotonic() - started
        print(f"| {name} | {count} | {faults} | {spent:.0f} |", flush=True)
        whole += faults
    print(f"{whole} faults")
    return int(whole > 0)


if __name__ == "__main__":
    total, *more = sys.argv[1:]
    sys.exit(main(int(total), *map(int, more[:1]), *more[1:]))
