"""`python tests/fuzz/run.py --inputs 20000`: mutated inputs over all surfaces, and a table."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from pathlib import Path
from random import Random

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path[:0] = [str(here), str(here.parent), str(here.parents[1])]

from surfaces import clear, problem, surfaces

from amparser.decode.ahead import compile_all


def main() -> int:
    """Try inputs; list each failure once, with its input in the folder of failures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--inputs", type=int, default=20_000, help="over all surfaces")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="surfaces whose name has this text")
    options.add_argument("--failures", type=Path, help="where inputs that fail are written")
    chosen = options.parse_args()
    logging.disable(logging.WARNING)
    for _ in compile_all():  # which takes longer than an input may, and only once
        pass
    tried = [one for one in surfaces() if chosen.only in one.name]
    each = max(chosen.inputs // len(tried), 1)
    total = failed = 0
    print(
        "| surface | inputs | failures | slowest, s | seconds |\n|---|--:|--:|--:|--:|", flush=True
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "inside"
        folder.mkdir()
        for surface in tried:
            dice = Random(f"{chosen.seed} {surface.name}")
            found: dict[str, bytes] = {}
            started = time.perf_counter()
            slowest, count = 0.0, 0
            for i in range(each):
                data = (
                    surface.seeds[i]
                    if i < len(surface.seeds)
                    else surface.mutate(surface.seeds, dice)
                )
                before = time.process_time()
                fault = problem(surface, data, folder)
                slowest = max(slowest, time.process_time() - before)
                clear(folder)
                if fault is not None:
                    count += 1
                    found.setdefault(fault.split(": ")[0], data)
                    if len(found) <= 8 and found[fault.split(": ")[0]] is data:
                        print(f"  {surface.name}: {fault}", file=sys.stderr, flush=True)
            seconds = time.perf_counter() - started
            print(
                f"| {surface.name} | {each:,} | {count} | {slowest:.1f} | {seconds:.0f} |",
                flush=True,
            )
            total, failed = total + each, failed + count
            if chosen.failures is not None:
                chosen.failures.mkdir(parents=True, exist_ok=True)
                for i, data in enumerate(found.values()):
                    stem = surface.name.replace(" ", "-").replace(",", "")
                    (chosen.failures / f"{stem}-{i}").write_bytes(data)
    print(f"| all | {total:,} | {failed} | | |")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
