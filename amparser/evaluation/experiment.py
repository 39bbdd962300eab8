"""`amparser experiment`: a configuration over seeds and shares of train, recorded.

What is done is kept: a run that is trained is not trained again, one that was
killed goes on from its last checkpoint, answers are not asked for twice.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import amparser
from amparser.baselines.notation import notation_of
from amparser.benchmarks.generate import generated
from amparser.benchmarks.monotonicity.generate_monotonicity import MONOTONICITY
from amparser.corpora.examples import checksum
from amparser.decode.decoders import DECODERS
from amparser.errors import CorpusError, InputError, located
from amparser.evaluation.aggregate import RESAMPLES, aggregate, counts
from amparser.evaluation.answers import read_gold
from amparser.evaluation.provenance import commit
from amparser.evaluation.results import curve_table, types_table
from amparser.evaluation.runs import Run
from amparser.evaluation.seq2seq_runs import Seq2SeqRun, beam_of, decoder_of
from amparser.learn.checkpoint import write_atomically
from amparser.learn.config import to_dict
from amparser.learn.pairs import pair_files, read_targets
from amparser.learn.preparation import training_files
from amparser.learn.systems import AMPARSER, CLASSIFIERS, system_of_settings
from amparser.learn.train import settings_of
from amparser.learn.train_seq2seq import seq2seq_settings
from amparser.notations.notation import notation
from amparser.resources import package_data


def experiment(
    config: Path | None,
    *,
    benchmark: str,
    data: Path | None,
    system: str | None = None,
    seeds: int = 5,
    fractions: Sequence[float] = (),
    decoders: Sequence[str] = (),
    splits: Sequence[str] = (),
    settings: Sequence[str] = (),
    name: str | None = None,
    runs: Path = Path("runs"),
    results: Path = Path("training/results"),
    jobs: int = 1,
    fresh: bool = False,
    setting: str | None = None,
) -> dict[str, Any]:
    """Train and evaluate, write `results/BENCHMARK-NAME.json`, print its tables; returns it.

    A share of train, decoder or split that is named twice counts once.

    Args:
        config: a file of settings; by default the benchmark's own for the system.
        benchmark: names runs and results.
        data: a folder with `train`, `dev` and what to evaluate on; None generates it.
        system: one of `SYSTEMS`; by default that of the file.
        seeds: how many, from 1 on.
        fractions: shares of train, each trained with every seed; by default the one
            of the settings.
        decoders: those to compare; by default the one of the settings. The baselines'
            are `greedy` and `beam-N`.
        splits: the files to evaluate on; by default all but train and dev.
        settings: `SECTION.KEY=VALUE`, over the file.
        name: of the results; by default the name of the config file, with
            `-fractions` where other shares of train than that of the settings are used.
        runs, results: where runs and results lie.
        jobs: so many trainings at a time, each with its share of the cores.
        fresh: ask for all answers again, trained models are kept.
        setting: of the data that is generated, where the benchmark has several.

    Raises:
        AMParserError: bad settings, data or folder, before any training; or a
            training failed.
    """
    if config is None:
        name_of_file = "default" if system in (None, AMPARSER) else system
        config = package_data(f"training/{benchmark}/{name_of_file}.toml")
    found_system = system_of_settings(config)
    if system not in (None, found_system):
        raise InputError(f"{config}: settings of {found_system}, not of {system}")
    if benchmark == MONOTONICITY and found_system in CLASSIFIERS:
        raise InputError(f"{found_system} classifies pairs: expected --aspect, and which")
    if data is None:
        data = generated(benchmark, setting=setting)
    elif setting is not None:
        raise InputError("give --data or --setting, not both")
    base: Any
    if found_system == AMPARSER:
        base = settings_of(benchmark, config, settings)
        own_decoder, kind = base.decode.decoder, Run
        files = training_files(data, base.data.notation)
    else:
        base = seq2seq_settings(benchmark, None, config, settings)
        own_decoder, kind = decoder_of(base.decode.beam_size), Seq2SeqRun
        files = pair_files(data, base.data.target)
    fractions = tuple(dict.fromkeys(fractions)) or (base.data.fraction,)
    decoders = tuple(dict.fromkeys(decoders)) or (own_decoder,)
    for decoder in decoders:
        if found_system != AMPARSER:
            beam_of(decoder)
        else:
            DECODERS.check(decoder)
    splits = tuple(dict.fromkeys(splits)) or tuple(
        name for name in files if name not in ("train", "dev")
    )
    # The baselines hold out a part of train where there is no dev.
    needed = ("train", "dev") if found_system == AMPARSER else ("train",)
    for split in (*needed, *splits):
        if split not in files:
            raise CorpusError(located(f"expected {split}.tsv or {split}.tsv.gz", path=data))
    planned = [
        kind(benchmark, _of_run(base, fraction, seed), data, runs)
        for fraction in fractions
        for seed in range(1, seeds + 1)
    ]
    shares = "" if fractions == (base.data.fraction,) else "-fractions"
    path = results / f"{benchmark}-{name or config.stem + shares}.json"
    trained_count = sum(run.trained() for run in planned)
    if trained_count < len(planned):
        for split in splits:
            if found_system == AMPARSER:
                read_gold(files[split], notation_=notation(base.data.notation))
            else:
                read_targets(files[split], notation_of(base.data.target))
    results.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True, markup=False, highlight=False)
    console.print(f"{len(planned)} runs, {trained_count} trained already")
    train_runs(planned, jobs, console)
    recorded, malformed = [], []
    with bar(console, "answering", len(planned)) as advance:
        for run in planned:
            answers = {split: run.answers(split, decoders, fresh=fresh) for split in splits}
            recorded.append(answers)
            malformed.append({split: run.malformed(split, decoders) for split in splits})
            advance()
    record = {
        "name": path.stem,
        "about": about(config),
        "benchmark": benchmark,
        "system": found_system,
        "config": to_dict(base),
        "data": {
            name: checksum(files[name]) for name in ("train", "dev", *splits) if name in files
        },
        "package_version": amparser.__version__,
        "commit": commit(),
        "machine": machine(base),
        "resamples": RESAMPLES,
        "fractions": {
            f"{fraction:g}": {
                split: {
                    decoder: aggregate(
                        [
                            answers[split][d]
                            for run, answers in zip(planned, recorded, strict=True)
                            if run.config.data.fraction == fraction
                        ]
                    )
                    for d, decoder in enumerate(decoders)
                }
                for split in splits
            }
            for fraction in fractions
        },
        "runs": [
            {
                "fraction": run.config.data.fraction,
                "seed": run.config.train.seed,
                **run.cost(),
                "counts": {
                    split: {d: counts(a) for d, a in zip(decoders, answers[split], strict=True)}
                    for split in splits
                },
                **({"malformed": wrong} if found_system != AMPARSER else {}),
            }
            for run, answers, wrong in zip(planned, recorded, malformed, strict=True)
        ],
    }
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    write_atomically(path, f"{text}\n".encode())
    for split in splits:
        print(f"{path}: {split}\n")
        print(types_table([record], split) if len(fractions) == 1 else curve_table([record], split))
        print()
    return record


def machine(config: Any) -> dict[str, Any]:
    """What the figures of time and memory were taken on."""
    device = config.train.device
    on_gpu = torch.cuda.is_available() and device != "cpu"
    return {
        "cores": os.cpu_count(),
        "processor": processor(),
        "device": torch.cuda.get_device_name() if on_gpu else "cpu",
        "python": platform.python_version(),
        "torch": torch.__version__,
    }


def processor() -> str:
    """The model of the processor, or its kind where the system does not name it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    names = re.findall(r"^model name\s*: (.+)", text, re.MULTILINE)
    return names[0] if names else platform.processor() or platform.machine()


def _of_run(base: Any, fraction: float, seed: int) -> Any:
    return replace(
        base,
        data=replace(base.data, fraction=fraction),
        train=replace(base.train, seed=seed),
    )


def about(config: Path) -> str:
    """What the first line of a file of settings says of it."""
    first = config.read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("#").strip() if first.startswith("#") else ""


def train_runs(planned: Sequence[Run], jobs: int, console: Console) -> None:
    """Train the runs that are not trained yet, so many at a time."""
    waiting = list({run.folder: run for run in planned if not run.trained()}.values())
    threads = max(1, (os.cpu_count() or 1) // jobs) if jobs > 1 else None
    stopped = Event()

    def train(run: Run) -> None:
        if not stopped.is_set():
            try:
                run.train(threads=threads)
            except BaseException:
                stopped.set()
                raise

    with bar(console, "training", len(waiting)) as advance, ThreadPoolExecutor(jobs) as pool:
        try:
            for future in as_completed([pool.submit(train, run) for run in waiting]):
                future.result()
                advance()
        finally:
            stopped.set()


@contextmanager
def bar(console: Console, what: str, total: int) -> Iterator[Any]:
    """A bar on a terminal, and what moves it on by one."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
