"""How long inference takes, on the published pairs of all depths.

    python tests/benchmarks/infer_speed.py [--count 1000] [--data ../shared/data]

Pairs are drawn by seed; the time is from text to answers, for natural logic and for proofs,
after grammar and model were read.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from monotonicity_data import DEPTHS, read_pairs

from amparser.benchmarks.monotonicity.fragment import Fragment
from amparser.benchmarks.monotonicity.judge import method_of
from amparser.benchmarks.monotonicity.reading import model_reading
from amparser.benchmarks.monotonicity.typed_pairs import answered


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    shared = Path(__file__).resolve().parents[3] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=shared)
    arguments = parser.parse_args()
    pairs = [pair for depth in DEPTHS for pair in read_pairs(arguments.data, depth)]
    sample = Random(arguments.seed).sample(pairs, arguments.count)
    typed = [("", pair.premise, pair.hypothesis) for pair in sample]
    by_grammar, by_parser = Fragment().read, model_reading()
    for name, reading, method in (
        ("natural logic", by_grammar, method_of()),
        ("prover", by_grammar, method_of(prover=True)),
        ("parser, natural logic", by_parser, method_of()),
    ):
        started = time.perf_counter()
        answers = answered(typed, reading, method)
        seconds = time.perf_counter() - started
        agreed = sum(a.label == pair.label for a, pair in zip(answers, sample, strict=True))
        print(
            f"{name:21} {len(sample)} pairs in {seconds:6.2f} s, "
            f"{1000 * seconds / len(sample):5.2f} ms each; {agreed} labels as published"
        )


if __name__ == "__main__":
    main()
