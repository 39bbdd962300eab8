"""Exact match on a corpus of questions with terms, over seeds; prints one line a run.

    python tests/benchmarks/geoquery.py FOLDER --splits standard length --seeds 0 1

FOLDER holds a folder for each split with `train.jsonl` and `test.jsonl`: one JSON object a
line with `tokens`, `meaning` (a term) and, optionally, `alignment` (for each token the numbers
of its nodes). With `--folds K` the test files stay closed: a model is trained on each
(K - 1) / K of train and asked for the rest, with `--repeat` different shufflings.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
from pathlib import Path
from random import Random
from statistics import mean, stdev

import torch

from amparser.induction.derivations import AlignedGraph, derive
from amparser.learn.tagging import TaggerParser, TaggerTraining, train_tagger_parser
from amparser.nn.tagger import TaggerSettings
from amparser.notations.term import graph_from_text, text_from_graph

Row = tuple[AlignedGraph, str]


def read(path: Path, aligned: bool) -> list[Row]:
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        given = item.get("alignment") if aligned else None
        alignment = None if given is None else tuple(map(tuple, given))
        graph = graph_from_text(item["meaning"])
        rows.append((AlignedGraph(tuple(item["tokens"]), graph, alignment), item["meaning"]))
    return rows


def answers(parser: TaggerParser, rows: list[Row]) -> list[str]:
    graphs = parser.graphs([example.tokens for example, _ in rows])
    return ["" if graph is None else text_from_graph(graph) for graph in graphs]


def exact(found: list[str], rows: list[Row]) -> float:
    return 100 * sum(a == gold for a, (_, gold) in zip(found, rows, strict=True)) / len(rows)


def folds(rows: list[Row], count: int, seed: int) -> list[tuple[list[Row], list[Row]]]:
    """Folds in which the forms of meanings (literals left out) keep together."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        labels = [node.label or "" for node in row[0].graph.nodes.values()]
        key = " ".join("'" if label[:1] == "'" else label for label in labels)
        groups.setdefault(key, []).append(row)
    order = sorted(groups)
    Random(seed).shuffle(order)
    parts: list[list[Row]] = [[] for _ in range(count)]
    for key in order:
        min(parts, key=len).extend(groups[key])
    return [
        ([row for j, part in enumerate(parts) if j != i for row in part], parts[i])
        for i in range(count)
    ]


def settings_from(pairs: list[str], seed: int) -> TaggerTraining:
    """Settings with some changed: `epochs=50`, `network.dropout=0.2`."""
    settings, network = TaggerTraining(seed=seed), TaggerSettings()
    for pair in pairs:
        name, _, text = pair.partition("=")
        value = json.loads(text)
        if name.startswith("network."):
            network = dataclasses.replace(network, **{name.removeprefix("network."): value})
        else:
            settings = dataclasses.replace(settings, **{name: value})
    return dataclasses.replace(settings, network=network)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", nargs="+", default=["standard", "template", "length", "tmcd"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--unaligned", action="store_true")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--wrong", type=Path, help="write wrong answers to this file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for split in options.splits:
        train = read(options.folder / split / "train.jsonl", not options.unaligned)
        if options.folds:
            parts = [p for r in range(options.repeat) for p in folds(train, options.folds, r)]
        else:
            parts = [(train, read(options.folder / split / "test.jsonl", False))]
        figures = []
        for part, (learn, test) in enumerate(parts):
            induced = derive([example for example, _ in learn])
            for seed in options.seeds:
                started = time.perf_counter()
                settings = settings_from(options.set, seed)
                model = train_tagger_parser([e for e, _ in learn], settings, induced=induced)
                trained = time.perf_counter()
                found = answers(model, test)
                parsed = time.perf_counter()
                figures.append(exact(found, test))
                print(
                    f"{split} part {part} seed {seed}: exact {figures[-1]:.1f} of {len(test)}"
                    f" (train {trained - started:.0f} s, parse {parsed - trained:.1f} s,"
                    f" {len(induced.inventory.pieces)} pieces, {model.sorts.sort_count} sorts,"
                    f" none {found.count('')})",
                    flush=True,
                )
                if options.wrong:
                    with options.wrong.open("a", encoding="utf-8") as file:
                        for answer, (example, gold) in zip(found, test, strict=True):
                            if answer != gold:
                                file.write(f"{split}\t{seed}\t{' '.join(example.tokens)}\n")
                                file.write(f"  gold {gold}\n  sys  {answer}\n")
        spread = stdev(figures) if len(figures) > 1 else 0.0
        print(
            f"{split}: mean {mean(figures):.2f}, sd {spread:.2f}, {len(figures)} runs", flush=True
        )


if __name__ == "__main__":
    main()
