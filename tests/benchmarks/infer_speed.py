"""How long inference takes, on the published pairs of all depths.

    python tests/benchmarks/infer_speed.py [--count 1000] [--data ../shared/data]

Pairs are drawn by seed; the time is from text to answers, for natural logic and for proofs,
after grammar and model were read.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from monotonicity_data import DEPTHS, read_pairs

from amparser.benchmarks.monotonicity.infer_command import infer
from amparser.benchmarks.monotonicity.reading import model_reading


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    shared = Path(__file__).resolve().parents[3] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=shared)
    arguments = parser.parse_args()
    pairs = [pair for depth in DEPTHS for pair in read_pairs(arguments.data, depth)]
    sample = Random(arguments.seed).sample(pairs, arguments.count)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.tsv"
        lines = (f"{pair.premise}\t{pair.hypothesis}\n" for pair in sample)
        path.write_text("".join(lines), encoding="utf-8")
        parser_reading = model_reading()
        for name, prover, reading in (
            ("natural logic", False, None),
            ("prover", True, None),
            ("parser, natural logic", False, parser_reading),
        ):
            output = io.StringIO()
            started = time.perf_counter()
            with contextlib.redirect_stdout(output):
                infer([], input_name=str(path), prover=prover, reading=reading)
            seconds = time.perf_counter() - started
            labels = [line.split("\t")[0] for line in output.getvalue().splitlines()]
            agreed = sum(pair.label == label for pair, label in zip(sample, labels, strict=True))
            print(
                f"{name:21} {len(sample)} pairs in {seconds:6.2f} s, "
                f"{1000 * seconds / len(sample):5.2f} ms each; "
                f"{agreed} labels as published"
            )


if __name__ == "__main__":
    main()
