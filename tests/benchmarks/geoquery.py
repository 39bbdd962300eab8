"""Cross-validation inside GeoQuery's train splits, with which settings are chosen.

    python tests/benchmarks/geoquery.py DIR --splits standard length --folds 4 --repeat 2 \
        --set train.epochs=50 heads.dropout=0.2

Folds keep forms of meanings together; `--mixed` folds have them in common.

DIR has a folder for each split with `train.jsonl`. The test files stay closed: a model is
trained on all folds but one and asked for the rest, with several shufflings. Figures on test
come from `amparser experiment --benchmark geoquery`.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean, stdev
from tempfile import TemporaryDirectory

import torch

from amparser.compositions.settings import TreeSettings
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.graph.sgraph import SGraph
from amparser.learn.settings import with_overrides
from amparser.notations.term import TERM
from amparser.parser_system import AMPARSER
from amparser.results import Result


def folds(
    rows: Sequence[Example], count: int, seed: int, mixed: bool = False
) -> list[tuple[list[Example], list[Example]]]:
    """Folds in which the forms of meanings (literals left out) keep together, or none do."""
    groups: dict[str, list[Example]] = {}
    for number, row in enumerate(rows):
        key = " ".join(names_of(TERM.graph(row.tokens, row.meaning or "")).values())
        groups.setdefault(str(number) if mixed else key, []).append(row)
    order = sorted(groups)
    Random(seed).shuffle(order)
    parts: list[list[Example]] = [[] for _ in range(count)]
    for key in order:
        min(parts, key=len).extend(groups[key])
    return [
        ([row for j, part in enumerate(parts) if j != i for row in part], parts[i])
        for i in range(count)
    ]


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
    parser.add_argument("--mixed", action="store_true", help="folds with forms in common")
    parser.add_argument("--parts", type=int, default=0, help="only so many folds")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--wrong", type=Path, help="write wrong answers to this file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for split in options.splits:
        rows = read_examples(options.folder / split / "train.jsonl")
        parts = [
            p for r in range(options.repeat) for p in folds(rows, options.folds, r, options.mixed)
        ]
        figures = []
        for number, (learn, test) in enumerate(parts[: options.parts or None]):
            for seed in options.seeds:
                overrides = ["train.device=cpu", *options.set, f"train.seed={seed}"]
                started = time.perf_counter()
                settings = with_overrides(TreeSettings(), overrides)
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
