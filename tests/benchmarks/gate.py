"""Compare training data and figures before and after a change of the code.

    python tests/benchmarks/gate.py --digest               # checksums of training data
    python tests/benchmarks/gate.py --seeds 1 2 3          # trains, and prints dev figures
    python tests/benchmarks/gate.py slog-1 home --seeds 1  # some of the cases

A digest covers the sentences and the tensors of each batch in the first epochs, and the shapes of
the network's parameters, but not the names of fields. A change with equal digests needs no figures.
Published files are read from the folder `AMPARSER_DATA`; cases that lack them are listed.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import torch
from geoquery import folds
from published import DATA, missing

from amparser import api, parser_training
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.evaluation.evaluate import evaluate
from amparser.evaluation.gold import read_gold
from amparser.learn.checkpoint import seed_generators
from amparser.learn.loop import Training
from amparser.parser_system import AMPARSER

DOCS = Path(__file__).parents[2] / "docs"
EPOCHS = 2
"""Epochs that a digest covers: augmentation differs between epochs."""


@dataclass(frozen=True)
class Case:
    """A training of the gate.

    Attributes:
        folder: training data below the folder of published files, or a script of `docs/`.
        benchmark: its name; empty for own data.
        overrides: settings, `SECTION.KEY=VALUE`.
        asked: files of the folder to evaluate on, or the GeoQuery split whose folds are used.
        limit: maximum number of sentences per file.
        metric: the metric to print; empty for the notation's first metric.
    """

    folder: str
    benchmark: str = ""
    overrides: tuple[str, ...] = ()
    asked: tuple[str, ...] = ("dev.tsv.gz",)
    limit: int = 500
    metric: str = ""


_TENTH = ("data.fraction=0.1",)
CASES = {
    "slog-1": Case(
        "slog/cogs_lf", "slog", ("data.fraction=0.01",), ("dev.tsv.gz", "gen_sample.tsv.gz"), 1700
    ),
    "slog-10": Case("slog/cogs_lf", "slog", _TENTH, ("dev.tsv.gz", "gen_sample.tsv.gz"), 1700),
    "cogs-10": Case("cogs", "cogs", _TENTH, ("dev.tsv.gz", "gen_sample.tsv.gz"), 2100),
    "sygns-depth": Case(
        "sygns/depth", "sygns", (), tuple(f"test_d{d}_sample.fol.tsv.gz" for d in (2, 3, 4)), 200
    ),
    **{
        f"geoquery-{split}": Case(f"geoquery/{split}", "geoquery", asked=(split,))
        for split in ("standard", "length")
    },
    "pmb-25": Case(
        "pmb/pmb4",
        "pmb",
        ("data.fraction=0.25", "train.members=1"),
        ("dev.penman.gz",),
        metric="smatch",
    ),
    "eds-10": Case(
        "erg",
        "eds",
        (*_TENTH, "train.members=1", "train.epochs=12"),
        ("dev.penman.gz",),
        300,
        metric="roles-f1",
    ),
    "home": Case("smart_home.py", asked=("test.tsv", "gen.tsv")),
    "flights": Case("flights.py", asked=("test.tsv", "gen.tsv"), limit=300),
}
FOLDS = 4


@dataclass(frozen=True)
class Task:
    corpus: Corpus
    settings: Any
    asked: Mapping[str, Sequence[Example] | Path]


def tasks(case: Case, seed: int, work: Path, parts: int) -> Iterator[Task]:
    """Yield the trainings of a case: one, or one for each fold of GeoQuery (at most `parts`)."""
    overrides = [*case.overrides, f"train.seed={seed}", "train.device=cpu"]
    folder = DATA / case.folder
    if case.folder.endswith(".py"):
        folder = work / "data"
        subprocess.run([sys.executable, DOCS / case.folder, folder], check=True)
    if case.benchmark == "geoquery":
        [split] = case.asked
        _, settings = api.choose_settings(benchmark="geoquery", overrides=overrides)
        rows = read_examples(folder / "train.jsonl")
        for number, (learn, test) in enumerate(folds(rows, FOLDS, 0, split)[:parts]):
            yield Task(Corpus(learn, (), "term"), settings, {f"{split} {number}": test})
        return
    _, settings, corpus = api.learned_from(
        folder, benchmark=case.benchmark or None, overrides=overrides
    )
    yield Task(corpus, settings, {name: folder / name for name in case.asked})


def digest(task: Task, work: Path) -> str:
    """Return counts and a checksum of the training data, without training."""
    lines: list[str] = []

    def look(training: Training[Any], **_: object) -> None:
        seed_generators(training.settings.seed, 0)
        learned = training.start(torch.device("cpu"))
        shapes = sorted(str(tuple(p.shape)) for p in learned.network.parameters())
        lines.append(" ".join(shapes))
        batches = 0
        for epoch in range(1, EPOCHS + 1):
            for batch in learned.epoch(epoch):
                words = [list(map(str, row.tokens)) for row in batch.examples]
                gold = learned._samples.collated(batch.examples)
                lines.append(f"{words} {sorted(checksums(gold))}")
                batches += 1
        lines.append(f"{batches} batches")

    # Hold out no rows, as in the last epochs.
    with (
        mock.patch.object(parser_training, "train", look),
        mock.patch.object(parser_training, "held_out", return_value=frozenset()),
    ):
        AMPARSER.train(task.corpus, task.settings, work / "model")
    checksum = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    return f"{len(task.corpus.train)} rows, {lines[-1]}, {checksum}"


def checksums(value: Any) -> Iterator[str]:
    if isinstance(value, torch.Tensor):
        content = value.detach().contiguous()
        form = f"{content.dtype} {tuple(content.shape)}".encode()
        yield hashlib.sha256(form + content.numpy().tobytes()).hexdigest()
    elif is_dataclass(value):
        for entry in fields(value):
            yield from checksums(getattr(value, entry.name))
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from checksums(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from checksums(inner)


def figures(case: Case, task: Task, work: Path) -> Iterator[str]:
    started = time.process_time()
    model = AMPARSER.train(task.corpus, task.settings, work / "model")
    trained = time.process_time()
    benchmark = api.benchmark_of(model)
    for name, rows in task.asked.items():
        if isinstance(rows, Path):
            rows = read_gold(rows, model, benchmark, None)[: case.limit]
        metrics = [case.metric] if case.metric else None
        answers = evaluate(model, rows, metrics=metrics, benchmark=benchmark)
        [(decoder, _)] = answers.answers.items()
        measure, count = next(iter(answers.table(decoder)[""].items()))
        share = "none" if count.share is None else f"{100 * count.share:.2f}"
        yield f"{name}: {measure} {share} of {len(rows)}"
    asked = time.process_time() - trained
    yield f"{trained - started:.0f} s of CPU to train, {asked:.0f} s to ask"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", help=f"of {' '.join(CASES)}")
    parser.add_argument("--digest", action="store_true", help="print checksums; train nothing")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    parser.add_argument("--folds", type=int, default=FOLDS, help="maximum folds of GeoQuery")
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE", help="settings")
    options = parser.parse_args()
    if unknown := set(options.cases) - CASES.keys():
        parser.error(f"unknown cases {sorted(unknown)}, expected some of {', '.join(CASES)}")
    torch.set_num_threads(1)
    seeds = options.seeds[:1] if options.digest else options.seeds
    for name in options.cases or CASES:
        case = replace(CASES[name], overrides=(*CASES[name].overrides, *options.set))
        if not case.folder.endswith(".py") and not (DATA / case.folder).is_dir():
            print(f"{name}: not measured, {missing(DATA / case.folder)}", flush=True)
            continue
        for seed in seeds:
            with TemporaryDirectory() as folder:
                parts = 1 if options.digest else options.folds
                for task in tasks(case, seed, Path(folder), parts):
                    look = digest if options.digest else partial(figures, case)
                    found = look(task, Path(folder))
                    text = found if isinstance(found, str) else "; ".join(found)
                    print(f"{name} seed {seed}: {text}", flush=True)


if __name__ == "__main__":
    main()
