"""Cross-validation inside GeoQuery's train splits, with which settings are chosen.

    python tests/benchmarks/geoquery.py DIR --splits standard length --folds 4 --repeat 2 \
        --set train.epochs=50 heads.dropout=0.2

Folds are as different as train and test of their split are (see `folds`); settings are those of the
benchmark, but for `--set`.

DIR has a folder for each split with `train.jsonl`. The test files stay closed: a model is
trained on all folds but one and asked for the rest, with several shufflings. Figures on test
come from `amparser experiment geoquery`.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean, stdev
from tempfile import TemporaryDirectory

import torch

from amparser.api import choose_settings
from amparser.compositions.settings import TreeSettings
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.graph.sgraph import SGraph
from amparser.notations.term import TERM
from amparser.parser_system import AMPARSER
from amparser.results import Result

Fold = tuple[list[Example], list[Example]]


def folds(rows: Sequence[Example], count: int, seed: int, split: str) -> list[Fold]:
    """What to learn from and what to ask, so many times, as different as train and test of a split.

    Args:
        rows: those of train.
        count: how many folds there are.
        seed: of what is random.
        split: `standard` cuts at random, `template` keeps the forms of meanings together, `length`
            asks for the longest fifth or more, and `tmcd` for pairs of symbols that what is learned
            from does not have, though it has each symbol.
    """
    random = Random(seed)
    if split == "length":
        return [_longest(rows, count, random) for _ in range(count)]
    if split == "tmcd":
        return [_new_pairs(rows, count, random) for _ in range(count)]
    groups: dict[str, list[Example]] = {}
    for number, row in enumerate(rows):
        key = str(number) if split == "standard" else " ".join(names_of(graph_of(row)).values())
        groups.setdefault(key, []).append(row)
    order = sorted(groups)
    random.shuffle(order)
    parts: list[list[Example]] = [[] for _ in range(count)]
    for key in order:
        min(parts, key=len).extend(groups[key])
    return [
        ([row for j, part in enumerate(parts) if j != i for row in part], parts[i])
        for i in range(count)
    ]


def _longest(rows: Sequence[Example], count: int, random: Random) -> Fold:
    """The longest rows, and the others but a random share of them."""
    lengths = sorted(len(row.tokens) for row in rows)
    most = lengths[-len(rows) // 5] - 1
    short = [row for row in rows if len(row.tokens) <= most]
    learn = random.sample(short, len(short) - len(short) // (2 * count))
    return learn, [row for row in rows if len(row.tokens) > most]


def _new_pairs(rows: Sequence[Example], count: int, random: Random) -> Fold:
    """Rows with some pairs of symbols, one below the other, and the others, with each symbol."""
    symbols, pairs = [], []
    for row in rows:
        graph = graph_of(row)
        names = names_of(graph)
        symbols.append(set(names.values()))
        pairs.append({(names[edge.parent], names[edge.child]) for edge in graph.edges})
    order = sorted(set().union(*pairs))
    random.shuffle(order)
    learn, ask = set(range(len(rows))), set[int]()
    for pair in order:
        moved = {i for i in learn if pair in pairs[i]}
        rest = learn - moved
        known = set[str]().union(*(symbols[i] for i in rest))
        if len(ask) + len(moved) <= len(rows) // count and all(symbols[i] <= known for i in moved):
            learn, ask = rest, ask | moved
    return [rows[i] for i in sorted(learn)], [rows[i] for i in sorted(ask)]


def graph_of(row: Example) -> SGraph:
    """The term of a row."""
    return TERM.graph(row.tokens, row.meaning or "")


def names_of(graph: SGraph) -> dict[int, str]:
    """The labels of nodes; all literals have the same."""
    labels = {number: node.label or "" for number, node in graph.nodes.items()}
    return {number: "'" if label[:1] == "'" else label for number, label in labels.items()}


def trained_and_asked(
    learn: Sequence[Example], test: Sequence[Example], settings: TreeSettings
) -> list[Result]:
    """The answers to one fold."""
    with TemporaryDirectory() as folder:
        model = AMPARSER.train(Corpus(learn, (), "term"), settings, Path(folder))
        [answers] = model.answers([row.tokens for row in test]).values()
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", nargs="+", default=["standard", "template", "length", "tmcd"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--parts", type=int, default=0, help="only so many folds")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--wrong", type=Path, help="write wrong answers to this file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for split in options.splits:
        rows = read_examples(options.folder / split / "train.jsonl")
        parts = [p for r in range(options.repeat) for p in folds(rows, options.folds, r, split)]
        figures = []
        for number, (learn, test) in enumerate(parts[: options.parts or None]):
            for seed in options.seeds:
                overrides = ["train.device=cpu", *options.set, f"train.seed={seed}"]
                started = time.perf_counter()
                _, settings = choose_settings(benchmark="geoquery", overrides=overrides)
                answers = trained_and_asked(learn, test, settings)
                pairs = list(zip(test, answers, strict=True))
                right = sum(result.meaning == row.meaning for row, result in pairs)
                figures.append(100 * right / len(test))
                seconds = time.perf_counter() - started
                none = sum(result.meaning is None for result in answers)
                print(
                    f"{split} part {number} seed {seed}: exact {figures[-1]:.1f} of {len(test)}"
                    f" ({seconds:.0f} s, none {none})",
                    flush=True,
                )
                if options.wrong:
                    with options.wrong.open("a", encoding="utf-8") as file:
                        for row, result in pairs:
                            if result.meaning != row.meaning:
                                file.write(f"{split}\t{seed}\t{row.sentence}\n")
                                file.write(f"  gold {row.meaning}\n  sys  {result.meaning}\n")
        spread = stdev(figures) if len(figures) > 1 else 0.0
        print(f"{split}: mean {mean(figures):.2f}, sd {spread:.2f}, {len(figures)} runs")


if __name__ == "__main__":
    main()
