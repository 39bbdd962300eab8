"""How fast the parts are, as ratios within one run: machines are noisy.

    python tests/benchmarks/speed.py [DATA.tsv.gz]

Scores the sentences once with the package's model and decodes them with every
decoder and every outside estimate of A*; then a nested sentence of 200 tokens.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from amparser.corpora.reading import read_examples
from amparser.decode import astar, astar_gap, fixed_tree
from amparser.decode.outside import HEURISTICS
from amparser.decode.parse import Parse
from amparser.decode.threads import in_threads
from amparser.parser import Parser

DEFAULT = Path(__file__).resolve().parents[3] / "shared/data/slog/cogs_lf/gen_sample.tsv.gz"


def seconds(call: Callable[[], object]) -> float:
    """The best of three runs, after one that compiles."""
    call()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def line(name: str, value: float, unit: float, count: int) -> None:
    """One row: milliseconds a sentence, sentences a second, ratio to the unit."""
    print(
        f"{name:32s} {1000 * value / count:9.3f} ms {count / value:9.0f} /s {value / unit:7.2f} x"
    )


def main(path: Path) -> None:
    """Print the table."""
    parser = Parser.load()
    sentences = [example.tokens for example in read_examples(path)]
    count, table = len(sentences), parser.composition.restrictions.table
    scoring = seconds(lambda: parser.score(sentences))
    scores = parser.score(sentences)
    print(f"{count} sentences; ratios to scoring")
    line("scoring", scoring, scoring, count)
    for heuristic in HEURISTICS:
        line(
            f"astar, {heuristic}",
            seconds(lambda h=heuristic: in_threads(astar.decode, scores, table, heuristic=h)),  # type: ignore[misc]
            scoring,
            count,
        )
    searches: dict[str, Callable[..., Parse]] = {
        "astar-gap": astar_gap.decode,
        "fixed-tree": fixed_tree.decode,
    }
    for name, search in searches.items():
        line(name, seconds(lambda s=search: in_threads(s, scores, table)), scoring, count)  # type: ignore[misc]
    line("astar, all of it", seconds(lambda: parser.parse(sentences, "astar")), scoring, count)
    line("astar-gap, all of it", seconds(lambda: parser.parse(sentences)), scoring, count)

    clauses = " ".join("that a cat" for _ in range(49))
    nested = f"Emma saw a dog {clauses} {'liked ' * 49}.".split()
    (long_scores,) = parser.score([nested])
    print(f"a nested sentence of {len(nested)} tokens; ratios to scoring it")
    unit = seconds(lambda: parser.score([nested]))
    line("scoring", unit, unit, 1)
    line("astar", seconds(lambda: astar.decode(long_scores, table)), unit, 1)
    line("astar-gap", seconds(lambda: astar_gap.decode(long_scores, table)), unit, 1)
    line("fixed-tree", seconds(lambda: fixed_tree.decode(long_scores, table)), unit, 1)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT)
