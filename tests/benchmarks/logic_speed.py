"""How fast the evaluators of SyGNS are, on the published rows.

    python tests/benchmarks/logic_speed.py [--count 1000] [--threads 2] [--data ../shared/data]

Equivalence: the three forms of each row, by z3, in a circle of three entailments (FOL, DRS, VF,
FOL), so that all three are equivalent; and pairs of which one is changed, both ways. Counter:
a depth-4 DRS against its own with arguments swapped, conditions dropped and boxes moved,
and against that of another row. Rows are drawn from all files by seed.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sygns_data import FILES, Row, read_rows

from amparser.benchmarks.sygns.counter import compare_clauses
from amparser.benchmarks.sygns.entailment import Verdict, z3_prover
from amparser.evaluation.metric import Count
from amparser.logic.clf import Clause, clauses_from_str, clauses_to_str, drs_from_clauses
from amparser.logic.drs import fol_from_drs
from amparser.logic.fol import fol_from_str
from amparser.logic.vf import fol_from_vf, vf_from_str

Item = TypeVar("Item")
Result = TypeVar("Result")


def circle(row: Row) -> list[Verdict]:
    """Whether FOL entails DRS, DRS entails VF and VF entails FOL."""
    prove = z3_prover()
    formula = fol_from_str(row.fol)
    boxes = fol_from_drs(drs_from_clauses(clauses_from_str(row.clf)))
    terms = fol_from_vf(vf_from_str(row.vf))
    return [prove(formula, boxes), prove(boxes, terms), prove(terms, formula)]


def changed(row: Row) -> list[Verdict]:
    """Both entailments between a formula and the same with the arguments of a verb swapped."""
    prove = z3_prover()
    left = fol_from_str(row.fol)
    right = fol_from_str(re.sub(r"\((x\d+),(x\d+)\)", r"(\2,\1)", row.fol, count=1))
    return [prove(left, right), prove(right, left)]


def damaged(clauses: Sequence[Clause], random: Random) -> list[Clause]:
    """Clauses as a poor parser has them: dropped, with arguments swapped, in another box."""
    boxes = [clause[0] for clause in clauses]
    found = []
    for clause in clauses:
        fate = random.random()
        if fate < 0.1:
            continue
        if fate < 0.2:
            clause = (random.choice(boxes), *clause[1:])
        elif fate < 0.3 and len(clause) == 4:
            clause = (*clause[:2], clause[3], clause[2])
        found.append(clause)
    return found


def counter(pair: tuple[str, str]) -> tuple[dict[str, Count], float]:
    """The counts of a gold and a predicted DRS, and the seconds that they took."""
    start = time.perf_counter()
    return compare_clauses(*pair), time.perf_counter() - start


def timed(
    name: str, work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> list[Result]:
    """The results of all items, and a line that says how long they took."""
    items = list(items)
    with ProcessPoolExecutor(threads) as pool:
        list(pool.map(work, items[:threads]))  # imports, in every process
        start = time.perf_counter()
        results = list(pool.map(work, items, chunksize=10))
        seconds = time.perf_counter() - start
    print(
        f"{name:34} {len(items):6} in {seconds:6.2f} s  {1000 * seconds / len(items):6.2f} ms each"
    )
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    shared = Path(__file__).resolve().parents[3] / "shared" / "data"
    parser.add_argument("--data", type=Path, default=shared)
    arguments = parser.parse_args()
    random = Random(arguments.seed)

    deep = list(read_rows(arguments.data, "depth/test_d4_sample"))
    rows = [row for file in FILES for row in read_rows(arguments.data, file, step=5)]
    for name, source in (("all files", rows), ("depth 4", deep)):
        sample = random.sample(source, arguments.count)
        for what, work in (("three forms", circle), ("swapped", changed)):
            verdicts = timed(f"z3, {what}, {name}", work, sample, arguments.threads)
            print("   ", dict(Counter(verdict.value for each in verdicts for verdict in each)))

    sample = random.sample(deep, arguments.count)
    own = [(row.clf, clauses_to_str(damaged(clauses_from_str(row.clf), random))) for row in sample]
    others = [(row.clf, other.clf) for row, other in pairwise([*sample, sample[0]])]
    for name, pairs in (("damaged", own), ("other row", others)):
        results = timed(f"Counter, depth 4, {name}", counter, pairs, arguments.threads)
        certified, f_score = (
            sum((counts[measure] for counts, _ in results), Count())
            for measure in ("certified", "counter_f")
        )
        longest = max(seconds for _, seconds in results)
        print(
            f"    certified {certified.numerator} of {certified.denominator}, "
            f"F {f_score.share:.3f}, longest {1000 * longest:.0f} ms"
        )


if __name__ == "__main__":
    main()
