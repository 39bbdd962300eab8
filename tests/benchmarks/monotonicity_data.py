"""Published pairs of the monotonicity benchmark."""

from pathlib import Path

from amparser.benchmarks.monotonicity import pairs
from amparser.benchmarks.monotonicity.pairs import LabelledPair

DEPTHS = range(5)


def read_pairs(data_dir: Path, depth: int, *, step: int = 1) -> list[LabelledPair]:
    """Return every `step`-th pair of a depth; depth 0 is the paper's D1."""
    return pairs.read_pairs(data_dir / f"monotonicity/depth{depth}_sample.tsv.gz")[::step]
