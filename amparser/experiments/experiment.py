"""Train and evaluate a system with several seeds and shares of train, and record the figures.

    runs/BENCHMARK-NAME.json           the record
    runs/BENCHMARK-NAME/0.1-3/         the model trained on a tenth of train with seed 3

Finished runs are not trained again. Interrupted runs continue from their last checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import amparser
from amparser.conditions import Name
from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError, located
from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.evaluate import Evaluation, chosen_metrics, evaluate
from amparser.evaluation.gold import labelled, read_gold
from amparser.evaluation.metric_registry import METRICS
from amparser.experiments.record import FORMAT, Record, Row, RunRow
from amparser.files import begins, checksum, prepare_folder, read_json
from amparser.learn.corpus_reading import read_corpus
from amparser.learn.system import Model, System
from amparser.notations.registry import NOTATIONS
from amparser.processes import mapped
from amparser.provenance import commit
from amparser.resources import settings_path
from amparser.schema import from_json

OnStep = Callable[[str, int, int], None]
"""Function called with the step (`training` or `answering`), finished runs and total runs."""


class Run(NamedTuple):
    """A training run of an experiment; its settings include the seed and the share of train."""

    settings: Any
    seed: int
    fraction: float
    folder: Path


@dataclass(frozen=True)
class Experiment:
    """The plan of an experiment.

    Attributes:
        name: name of the record without its benchmark.
        settings: settings of the system. Seed and share of train are replaced for each run.
        data: folder with `train` and test splits.
        seeds: seeds to train with.
        fractions: shares of train; a run is trained for every share and seed (default: the share
            in the settings).
        decoders: decoders to evaluate (default: the decoder in the settings).
        splits: splits to evaluate on (default: all except train and dev; if none is left, dev).
        metrics: metrics to compute. Default: `match` (`label` if meanings are labels), the metric
            of the benchmark's measure, and `malformed`, the count of malformed output texts.
    """

    name: str
    benchmark: Benchmark
    system: System
    settings: Any
    data: Path
    about: str = ""
    seeds: Sequence[int] = (1, 2, 3, 4, 5)
    fractions: Sequence[float] = ()
    decoders: Sequence[str] = ()
    splits: Sequence[str] = ()
    metrics: Sequence[str] | None = None

    @property
    def record_name(self) -> str:
        """The name of the record, BENCHMARK-NAME."""
        return f"{self.benchmark.name}-{self.name}"

    @property
    def notation(self) -> str:
        """The notation of meanings in the data; empty if meanings have no notation."""
        return self.settings.data.notation or next(iter(self.benchmark.notations), "")

    @cached_property
    def files(self) -> Mapping[str, Path]:
        """The data files by split. Raises CorpusError if train is missing."""
        files = self.benchmark.files(self.data, self.notation)
        if "train" not in files:
            raise CorpusError(located("expected train.tsv or train.tsv.gz", path=self.data))
        return files

    def tests(self) -> list[str]:
        """Return the splits to evaluate on. Raises CorpusError if a split is not in the data."""
        others = [split for split in self.files if split not in ("train", "dev")]
        known = [*others, *(["dev"] if "dev" in self.files else [])]
        for split in self.splits:
            if split not in known:
                expected = ", ".join(known) or "none"
                raise CorpusError(f"no split {split!r} to test on, expected one of {expected}")
        return list(dict.fromkeys(self.splits)) or others or known

    def runs(self, folder: Path) -> list[Run]:
        """Return the runs, ordered by share and seed."""
        default = self.settings.data.fraction
        return [
            Run(
                replace(
                    self.settings,
                    data=replace(self.settings.data, fraction=fraction),
                    train=replace(self.settings.train, seed=seed),
                ),
                seed,
                fraction,
                folder / self.record_name / f"{fraction:g}-{seed}",
            )
            for fraction in dict.fromkeys(self.fractions or (default,))
            for seed in dict.fromkeys(self.seeds)
        ]

    def gold(self, split: str) -> list[Example]:
        """Return the tagged examples of a split. Raises CorpusError if they are malformed."""
        notation = NOTATIONS[self.notation] if self.notation else None
        return read_gold(self.files[split], notation, self.benchmark)

    def trained(self, run: Run) -> RunRow:
        """Train a run, or continue it from a checkpoint; a finished run is not trained again."""
        corpus = read_corpus(
            self.data,
            run.settings.data,
            seed=run.seed,
            notation=self.notation,
            benchmark=self.benchmark.name,
            files=self.benchmark.files,
            read=self.benchmark.read,
        )
        run.folder.mkdir(parents=True, exist_ok=True)
        self.system.train(corpus, run.settings, run.folder, resume=True)
        kept = read_json(run.folder / "model.json")
        return RunRow(seed=run.seed, fraction=run.fraction, training_commit=kept.get("commit"))

    def load(self, run: Run) -> Model:
        """Return the trained model of a run."""
        return self.system.load(run.folder, run.settings.train.device)


def experiment(
    plan: Experiment,
    folder: Path = Path("runs"),
    *,
    jobs: int = 1,
    on_step: OnStep = lambda step, done, total: None,
) -> Record:
    """Train and evaluate all runs, and write the record `FOLDER/NAME.json`.

    Raises AMParserError if settings, data or folder are invalid (before training begins), or if a
    training run fails.
    """
    now = commit()
    from_json(plan.record_name, Name, "the record", "name", error=InputError)
    gold = {split: plan.gold(split) for split in plan.tests()}
    check = getattr(plan.system, "check_decoders", None)
    if check is not None:
        check(plan.settings, plan.decoders)
    metrics = _metrics(plan, labels=any(map(labelled, gold.values())))
    file = f"{plan.record_name}.json"
    prepare_folder(folder, [file], is_ours=begins(folder / file, FORMAT))
    planned = plan.runs(folder)
    runs: list[RunRow] = []
    for _, [row] in mapped(
        lambda runs: [plan.trained(run) for run in runs], ([run] for run in planned), jobs
    ):
        runs.append(row)
        on_step("training", len(runs), len(planned))
    rows: list[Row] = []
    for done, run in enumerate(planned, 1):
        model = plan.load(run)
        for split, examples in gold.items():
            evaluation = evaluate(
                model, examples, metrics=metrics, decoders=plan.decoders, benchmark=plan.benchmark
            )
            rows += _rows(run, split, evaluation)
        on_step("answering", done, len(planned))
    trained_on = [split for split in ("train", "dev") if split in plan.files]
    record = Record(
        name=plan.record_name,
        about=plan.about,
        benchmark=plan.benchmark.name,
        system=plan.system.name,
        settings=asdict(plan.settings),
        data={"sha256": {split: checksum(plan.files[split]) for split in (*trained_on, *gold)}},
        package_version=amparser.__version__,
        evaluation_commit=now,
        runs=runs,
        rows=rows,
    )
    record.write(folder)
    return record


def about_of(settings: Path) -> str:
    """Return the description in the first line of a settings file."""
    first = settings_path(settings).read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""


def _metrics(plan: Experiment, *, labels: bool) -> list[str]:
    notation = NOTATIONS[plan.notation] if plan.notation and not labels else None
    if plan.metrics is not None:
        return list(chosen_metrics(plan.metrics, notation)[0])
    first, measure = "label" if labels else "match", plan.benchmark.measure
    others = (name for name in METRICS if measure in METRICS[name].measures)
    usual = [first, *(name for name in others if METRICS[name].problem(notation) is None)]
    return [*dict.fromkeys(usual), *(["malformed"] if notation is not None else [])]


def _rows(run: Run, split: str, found: Evaluation) -> Iterator[Row]:
    for decoder in found.answers:
        for tag, counts in found.table(decoder).items():
            for measure, count in counts.items():
                where = (run.seed, run.fraction, split, tag, decoder, measure)
                yield Row(*where, *count)
