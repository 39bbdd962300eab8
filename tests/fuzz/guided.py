"""`python tests/fuzz/guided.py SURFACE [libFuzzer's options]`: inputs that coverage guides.

Needs `pip install atheris`. Begins with the seeds of the surface, and ends at the first input that
breaks its contract; that input is written to the current folder.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parent), str(here.parents[1])]


def main() -> None:
    """Instrument the package, then fuzz."""
    import atheris  # type: ignore[import-not-found,unused-ignore]

    with atheris.instrument_imports(include=["amparser"]):
        from surfaces import clear, problem, surfaces

    name = sys.argv.pop(1)
    surface = next(one for one in surfaces() if one.name == name)
    with tempfile.TemporaryDirectory() as place:
        seeds, folder = Path(place) / "seeds", Path(place) / "inside"
        seeds.mkdir()
        folder.mkdir()
        for number, seed in enumerate(surface.seeds):
            (seeds / str(number)).write_bytes(seed)

        def one(data: bytes) -> None:
            fault = problem(surface, data, folder)
            clear(folder)
            if fault is not None:
                raise AssertionError(fault)

        atheris.Setup([*sys.argv, str(seeds)], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
