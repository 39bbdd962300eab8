"""An experiment: a system over seeds and shares of train, and the record of its figures.

A trained run is not trained again, and a killed one goes on from its last checkpoint.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import amparser
from amparser.conditions import Name
from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError
from amparser.evaluation.answers import ask
from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.evaluate import by_tag, chosen_metrics, measured
from amparser.evaluation.gold import labelled
from amparser.evaluation.metric import Count
from amparser.evaluation.metric_registry import METRICS
from amparser.experiments.bootstrap import RESAMPLES, summaries
from amparser.experiments.dataset import DataSet
from amparser.experiments.record import FORMAT, Interval, Record, Row
from amparser.experiments.run import Run
from amparser.files import begins, checksum, prepare_folder
from amparser.learn.system import System
from amparser.notations.registry import NOTATIONS
from amparser.provenance import commit, is_dirty, machine
from amparser.resources import settings_path
from amparser.schema import from_json

OnStep = Callable[[str, int, int], None]
"""Called with the step (`training`, `answering`), how much of it is done, and its total."""

RowCounts = Sequence[Mapping[str, Count]]
Gold = Mapping[str, Sequence[Example]]


@dataclass(frozen=True)
class Experiment:
    """The plan of an experiment.

    Attributes:
        name: the middle of the record's name, after the benchmark and before the data set.
        settings: all settings of the system; seed and share of train come from the runs.
        fractions: shares of train, each trained with every seed; by default the share of the
            settings.
        decoders: by default the one of the settings.
        splits: the tests to evaluate on; by default all.
        metrics: by default `match`, or `label` for labels; the one that has the benchmark's
            measure; and `malformed`, which counts the texts that a system writes.
    """

    name: str
    benchmark: Benchmark
    system: System
    settings: Any
    dataset: DataSet
    about: str = ""
    seeds: Sequence[int] = (1, 2, 3, 4, 5)
    fractions: Sequence[float] = ()
    decoders: Sequence[str] = ()
    splits: Sequence[str] = ()
    metrics: Sequence[str] | None = None

    @property
    def record_name(self) -> str:
        """The name of the record."""
        parts = (self.benchmark.name, self.name, self.dataset.name)
        return "-".join(part for part in parts if part)

    @property
    def notation(self) -> str:
        """The name of the notation of meanings in the data; empty if there is none."""
        data = getattr(self.settings, "data", None)
        named = str(getattr(data, "notation", ""))
        return named or next(iter(self.benchmark.notations), "")

    def tests(self) -> tuple[str, ...]:
        """The splits to evaluate on; raises CorpusError if the data set lacks a split."""
        chosen = tuple(dict.fromkeys(self.splits)) or tuple(self.dataset.tests)
        for split in chosen:
            if split not in self.dataset.tests:
                known = ", ".join(self.dataset.tests) or "none"
                raise CorpusError(f"no split {split!r} to test on, expected one of {known}")
        return chosen

    def runs(self, folder: Path) -> list[Run]:
        """The runs, in the order of shares and seeds.

        Raises:
            InputError: the system cannot learn from a share of train.
        """
        data = getattr(self.settings, "data", None)
        own = getattr(data, "fraction", 1.0)
        fractions = tuple(dict.fromkeys(self.fractions)) or (own,)
        if not hasattr(data, "fraction") and fractions != (1.0,):
            raise InputError(f"{self.system.name} has no setting data.fraction")
        return [
            Run(
                self.benchmark,
                self.system,
                _settings_of_run(self.settings, fraction, seed),
                self.dataset,
                self.notation,
                folder,
            )
            for fraction in fractions
            for seed in dict.fromkeys(self.seeds)
        ]


def experiment(
    plan: Experiment,
    folder: Path = Path("runs"),
    *,
    jobs: int = 1,
    on_step: OnStep | None = None,
) -> Record:
    """Train and evaluate, and write the record `FOLDER/NAME.json`.

    Args:
        folder: has the folders of runs, too.
        jobs: the number of trainings at a time, which share the cores.

    Raises:
        AMParserError: bad settings, data or folder, before any training; or a training failed.
    """
    now = commit()
    from_json(plan.record_name, Name, "the record", "name", error=InputError)
    splits = plan.tests()
    check = getattr(plan.system, "check_decoders", None)
    if check is not None:
        check(plan.settings, plan.decoders)
    planned = plan.runs(folder)
    gold = {split: planned[0].gold(split) for split in splits}
    _metrics(plan, labels=any(map(labelled, gold.values())))
    file = f"{plan.record_name}.json"
    prepare_folder(folder, [file], is_ours=begins(folder / file, FORMAT))
    train_runs(planned, jobs, on_step)
    decoders = tuple(dict.fromkeys(plan.decoders)) or planned[0].load().decoders[:1]
    answers: list[_Answers] = []
    for done, run in enumerate(planned, 1):
        answers += _answers(plan, run, decoders, gold)
        if on_step is not None:
            on_step("answering", done, len(planned))
    record = _record(plan, planned, gold, answers, now)
    record.write(folder)
    return record


def about_of(settings: Path) -> str:
    """The description in the first line of a file of settings."""
    first = settings_path(settings).read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""


def train_runs(planned: Sequence[Run], jobs: int, on_step: OnStep | None = None) -> None:
    """Train the runs that are not trained yet, `jobs` at a time.

    Raises:
        InputError: a training failed; no other is started after it.
    """
    waiting = list({run.folder: run for run in planned if not run.is_trained()}.values())
    threads = max(1, (os.cpu_count() or 1) // jobs) if jobs > 1 else None
    stopped = Event()

    def train(run: Run) -> None:
        if not stopped.is_set():
            try:
                run.train(threads=threads)
            except BaseException:
                stopped.set()
                raise

    with ThreadPoolExecutor(jobs) as pool:
        try:
            futures = [pool.submit(train, run) for run in waiting]
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                if on_step is not None:
                    on_step("training", done, len(waiting))
        finally:
            stopped.set()


def _settings_of_run(settings: Any, fraction: float, seed: int) -> Any:
    changes: dict[str, Any] = {"train": replace(settings.train, seed=seed)}
    if hasattr(getattr(settings, "data", None), "fraction"):
        changes["data"] = replace(settings.data, fraction=fraction)
    return replace(settings, **changes)


def _metrics(plan: Experiment, *, labels: bool) -> tuple[str, ...]:
    """Return the metrics that were asked for, or the usual ones; raises InputError."""
    notation = NOTATIONS[plan.notation] if plan.notation and not labels else None
    if plan.metrics is not None:
        return chosen_metrics(plan.metrics, notation)[0]
    first, measure = "label" if labels else "match", plan.benchmark.measure
    found = [first]
    if measure not in METRICS[first].measures:
        others = (name for name in METRICS if measure in METRICS[name].measures)
        found += (name for name in others if METRICS[name].problem(notation) is None)
    return (*found, *(("malformed",) if notation is not None else ()))


class _Answers(NamedTuple):
    """The counts of each example of a split, by one decoder of one run."""

    run: Run
    split: str
    decoder: str
    counts: RowCounts
    sentences_per_second: float


def _answers(plan: Experiment, run: Run, decoders: Sequence[str], gold: Gold) -> Iterator[_Answers]:
    model = run.load()
    for split, examples in gold.items():
        answers = ask(model, examples, decoders, benchmark=plan.benchmark)
        labels = labelled(examples)
        metrics = _metrics(plan, labels=labels)
        notation = NOTATIONS[plan.notation] if plan.notation and not labels else None
        for name in decoders:
            counts = measured(metrics, notation, examples, answers[name].results)
            yield _Answers(run, split, name, counts, round(answers[name].sentences_per_second, 1))


def _record(
    plan: Experiment,
    planned: Sequence[Run],
    gold: Gold,
    answers: Sequence[_Answers],
    now: str | None,
) -> Record:
    train = getattr(plan.settings, "train", None)
    files = {**plan.dataset.train, **{split: plan.dataset.tests[split] for split in gold}}
    costs = [run.cost() for run in planned]
    trained_by = [cost.get("training_commit") for cost in costs]
    speeds: dict[Path, dict[str, dict[str, float]]] = {run.folder: {} for run in planned}
    for one in answers:
        speeds[one.run.folder].setdefault(one.split, {})[one.decoder] = one.sentences_per_second
    return Record(
        name=plan.record_name,
        about=plan.about,
        benchmark=plan.benchmark.name,
        system=plan.system.name,
        dataset=plan.dataset.name,
        settings=asdict(plan.settings),
        data={
            **plan.dataset.about,
            "sha256": {split: checksum(path) for split, path in files.items()},
        },
        package_version=amparser.__version__,
        evaluation_commit=now,
        dirty=any(map(is_dirty, (now, *trained_by))),
        machine=machine(getattr(train, "device", "auto")),
        resamples=RESAMPLES,
        runs=[
            {
                "seed": run.seed,
                "fraction": run.fraction,
                **cost,  # type: ignore[typeddict-item]
                "answering_commits": [now],
                "sentences_per_second": speeds[run.folder],
            }
            for run, cost in zip(planned, costs, strict=True)
        ],
        rows=list(_rows(gold, answers)),
        intervals=list(_intervals(gold, answers)),
    )


def _rows(gold: Gold, answers: Sequence[_Answers]) -> Iterator[Row]:
    for one in answers:
        where = (one.run.seed, one.run.fraction, one.split)
        tags = [example.tags for example in gold[one.split]]
        for tag, by_measure in by_tag(tags, one.counts).items():
            for measure, count in by_measure.items():
                yield Row(*where, tag, one.decoder, measure, *map(_number, count))


def _intervals(gold: Gold, answers: Sequence[_Answers]) -> Iterator[Interval]:
    groups: dict[tuple[float, str, str], list[RowCounts]] = {}
    for one in answers:
        groups.setdefault((one.run.fraction, one.split, one.decoder), []).append(one.counts)
    for (fraction, split, decoder), of_runs in groups.items():
        tags = [example.tags for example in gold[split]]
        measures = list(dict.fromkeys(name for rows in of_runs for row in rows for name in row))
        for tag, measure, of in summaries(tags, of_runs, measures):
            limits = (of.mean, of.deviation, of.low, of.high)
            yield Interval(fraction, split, tag, decoder, measure, *limits)


def _number(value: float) -> int | float:
    return int(value) if value == int(value) else value
