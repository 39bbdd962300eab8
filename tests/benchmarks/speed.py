"""How fast the parts are, in one run on one machine; machines are noisy, so ratios count.

    python tests/benchmarks/speed.py decoders|systems|logic|inference [MODEL ...]

- `decoders`: scoring the SLOG sample with the package's model, decoding it with every decoder, and
  both; then a nested sentence of 201 tokens.
- `systems`: sentences to meanings, by the package's parser with each of its decoders and by the
  models in folders; the rows are taken from each type in turn.
- `logic`: the evaluators of SyGNS: z3 proves the three forms of a row equivalent, in a circle of
  three entailments; Counter compares clauses with damaged ones.
- `inference`: published pairs of the monotonicity benchmark, from text to answers.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any

from monotonicity_data import DEPTHS, read_pairs
from published import DATA
from sygns_data import FILES, Row, read_rows

from amparser.api import load
from amparser.benchmarks.monotonicity.inference import answered, method_of
from amparser.benchmarks.monotonicity.reading import bundled_reading, grammar_reading
from amparser.benchmarks.sygns.counter import compare_clauses
from amparser.benchmarks.sygns.entailment import Verdict, z3_prover
from amparser.corpora.reading import read_examples
from amparser.corpora.splits import chunks
from amparser.decode import astar, astar_gap, fixed_tree
from amparser.decode.threads import in_threads
from amparser.learn.system import CHUNK_SIZE, Model
from amparser.logic.clf import Clause, clauses_from_str, clauses_to_str, drs_from_clauses
from amparser.logic.drs import fol_from_drs
from amparser.logic.fol import fol_from_str
from amparser.logic.vf import fol_from_vf, vf_from_str
from amparser.parser import Parser

SAMPLE = DATA / "slog/cogs_lf/gen_sample.tsv.gz"
SEARCHES: dict[str, Callable[..., Any]] = {
    "astar": astar.decode,
    "astar-gap": astar_gap.decode,
    "fixed-tree": fixed_tree.decode,
}


def show(count: int, calls: dict[str, Callable[[], object]], *, rounds: int = 3) -> None:
    """Print the best of some runs of each call, after one that compiles, for so many items."""
    unit = 0.0
    for name, call in calls.items():
        times = []
        for _ in range(rounds + 1):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
        best = min(times[1:])
        unit = unit or best
        each = f"{1000 * best / count:9.3f} ms {count / best:9.0f} /s"
        print(f"{name:46}{each} {best / unit:7.2f} times {next(iter(calls))}", flush=True)


def decoders(_: Sequence[Path]) -> None:
    """Scoring and decoding, together and apart."""
    parser = Parser.load()
    table = parser.composition.restrictions.table
    clauses = " ".join("that a cat" for _ in range(49))
    nested = tuple(f"Emma saw a dog {clauses} {'liked ' * 49}.".split())
    sample = [example.tokens for example in read_examples(SAMPLE)]
    for sentences in (sample, [nested]):
        scores = parser.score(sentences)
        calls: dict[str, Callable[[], object]] = {"scoring": partial(parser.score, sentences)}
        for name, search in SEARCHES.items():
            calls[name] = partial(in_threads, search, scores, table)
        for name in ("astar", "astar-gap"):
            calls[f"{name}, all of it"] = partial(parser.parse, sentences, name)
        print(f"{len(sentences)} sentences")
        show(len(sentences), calls)


def systems(folders: Sequence[Path], count: int = 170) -> None:
    """Sentences to meanings of the package's parser and of models in folders."""
    types: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for example in read_examples(SAMPLE):
        types.setdefault(example.tags, []).append(example.tokens)
    rows = [tokens for tokens in chain(*zip_longest(*types.values())) if tokens is not None]

    def answer(model: Model, decoder: str) -> None:
        for chunk in chunks(rows[:count], CHUNK_SIZE):
            model.answers(chunk, [decoder])

    calls: dict[str, Callable[[], object]] = {}
    for folder in (None, *folders):
        model = load(folder)
        # A parser's decoders search different trees; other models search as they are set to.
        for decoder in model.decoders if isinstance(model, Parser) else model.decoders[:1]:
            calls[f"{folder or model.system}, {decoder}"] = partial(answer, model, decoder)
    show(count, calls, rounds=2)


def circle(row: Row) -> list[Verdict]:
    """Whether FOL entails DRS, DRS entails VF and VF entails FOL."""
    prove = z3_prover()
    formula = fol_from_str(row.fol)
    boxes = fol_from_drs(drs_from_clauses(clauses_from_str(row.clf)))
    terms = fol_from_vf(vf_from_str(row.vf))
    return [prove(formula, boxes), prove(boxes, terms), prove(terms, formula)]


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


def counter(pair: tuple[str, str]) -> tuple[int, int]:
    """How many comparisons are certified, of how many."""
    certified = compare_clauses(*pair)["certified"]
    return int(certified.numerator), int(certified.denominator)


def logic(_: Sequence[Path], count: int = 1000) -> None:
    """The evaluators of SyGNS on published rows, one process."""
    random = Random(0)
    deep = list(read_rows(DATA, "depth/test_d4_sample"))
    rows = [row for file in FILES for row in read_rows(DATA, file, step=5)]
    sample = random.sample(deep, count)
    pairs = [
        (row.clf, clauses_to_str(damaged(clauses_from_str(row.clf), random))) for row in sample
    ]
    with ProcessPoolExecutor(1) as pool:

        def every(work: Callable[..., object], items: Sequence[object]) -> list[object]:
            return list(pool.map(work, items, chunksize=10))

        assert {v for row in pool.map(circle, sample[:100]) for v in row} == {Verdict.ENTAILED}
        assert all(part == whole for part, whole in pool.map(counter, pairs[:100]))
        show(
            count,
            {
                "z3, three forms, all files": partial(every, circle, random.sample(rows, count)),
                "z3, three forms, depth 4": partial(every, circle, sample),
                "Counter, depth 4, damaged": partial(every, counter, pairs),
            },
            rounds=1,
        )


def inference(_: Sequence[Path], count: int = 1000) -> None:
    """Pairs of all depths, after grammar and model were read."""
    pairs = [pair for depth in DEPTHS for pair in read_pairs(DATA, depth)]
    typed = [("", pair.premise, pair.hypothesis) for pair in Random(0).sample(pairs, count)]
    calls: dict[str, Callable[[], object]] = {
        "natural logic": partial(answered, typed, grammar_reading, method_of()),
        "prover": partial(answered, typed, grammar_reading, method_of(prover=True)),
        "parser, natural logic": partial(answered, typed, bundled_reading(), method_of()),
    }
    show(count, calls, rounds=1)


PARTS = {one.__name__: one for one in (decoders, systems, logic, inference)}


def main() -> None:
    """Print the table of one part."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("part", choices=PARTS)
    arguments.add_argument("models", type=Path, nargs="*")
    options = arguments.parse_args()
    PARTS[options.part](options.models)


if __name__ == "__main__":
    main()
