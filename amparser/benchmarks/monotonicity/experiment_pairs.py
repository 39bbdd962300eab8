"""`amparser experiment --aspect`: an aspect of monotonicity inference, over seeds, recorded.

Each training file of the aspect makes a record of its own: `BENCHMARK-NAME-predicate-S1` and so
on, or `-productivity-2` and `-localism-3` where there is one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

import amparser
from amparser.benchmarks.generate import CARD, grammar_checksum
from amparser.benchmarks.monotonicity.generate_monotonicity import (
    FORMS,
    GENERATION,
    MONOTONICITY,
    OWN_FORMS,
    generate_monotonicity,
    is_test,
)
from amparser.benchmarks.monotonicity.pair_runs import ClassifierRun, PairRun, coarse, name_of
from amparser.benchmarks.monotonicity.train_nli import classifier_settings
from amparser.errors import InputError
from amparser.evaluation.aggregate import RESAMPLES, aggregate, counts
from amparser.evaluation.experiment import about, bar, machine, train_runs
from amparser.evaluation.provenance import commit
from amparser.evaluation.results import types_table
from amparser.grammar.library import load_library
from amparser.learn.checkpoint import write_atomically
from amparser.learn.config import to_dict
from amparser.learn.systems import AMPARSER, system_of_settings, systems_of
from amparser.learn.train import settings_of
from amparser.resources import cache_folder, package_data

_TRAIN = "train"
_DEPTHS = {"productivity": 2, "localism": 3}
NATURAL_LOGIC = "natural logic"


def experiment_pairs(
    config: Path | None,
    *,
    aspect: str,
    depth: int | None = None,
    permutation: int = 0,
    train_count: int | None = None,
    test_count: int | None = None,
    system: str | None = None,
    seeds: int = 5,
    settings: Sequence[str] = (),
    only: Sequence[str] = (),
    own_forms: bool = False,
    name: str | None = None,
    runs: Path = Path("runs"),
    results: Path = Path("training/results"),
    jobs: int = 1,
    fresh: bool = False,
) -> list[dict[str, Any]]:
    """Train on each training file of an aspect, label its tests; returns the records.

    A classifier learns from the pairs; the parser from sentences with forms at the same depths,
    and natural logic compares its readings. A pair with a sentence that is not read is wrong.

    Args:
        config: a file of settings; by default that of the system.
        aspect, depth, permutation, train_count, test_count: as of
            `generate_monotonicity`. The pairs are the same for all seeds;
            they are generated once, and kept in the user's cache.
        system: by default that of the file, or the parser.
        seeds: how many, from 1 on.
        settings: `SECTION.KEY=VALUE`, over the file.
        only: of the training files those with these names, such as `S1`; by default all.
        own_forms: the parser learns from the training pairs' own sentences alone.
        name: of the results, before the aspect; by default the name of the file, with
            `-own-forms` where these are learned from. `-pN` ends it for permutation N.
        runs, results, jobs, fresh: as of `amparser.evaluation.experiment`.

    Raises:
        AMParserError: bad settings, aspect or folder, before any training; or a training
            failed.
    """
    if system not in (None, *systems_of(MONOTONICITY)):
        expected = ", ".join(systems_of(MONOTONICITY))
        raise InputError(f"no system {system!r} of {MONOTONICITY}, expected one of {expected}")
    if config is None:
        of_file = "default" if system in (None, AMPARSER) else system
        config = package_data(f"training/{MONOTONICITY}/{of_file}.toml")
    found_system = system_of_settings(config)
    if system not in (None, found_system) or found_system not in systems_of(MONOTONICITY):
        expected = system or " or ".join(systems_of(MONOTONICITY))
        raise InputError(f"{config}: settings of {found_system}, expected those of {expected}")
    base: Any
    kind: type[PairRun]
    if found_system == AMPARSER:
        base, kind, method = settings_of(MONOTONICITY, config, settings), PairRun, NATURAL_LOGIC
    else:
        base, kind = classifier_settings(found_system, config, settings), ClassifierRun
        method = found_system
        if own_forms:
            raise InputError(f"own forms: {found_system} learns from pairs")
    forms = OWN_FORMS if own_forms else FORMS
    data = _generated(aspect, depth, permutation, train_count, test_count)
    card = json.loads((data / CARD).read_text(encoding="utf-8"))
    trained_on = [file for file in card["rows"] if not is_test(file)]
    # Of the embedding aspect's first set nothing is left to test.
    known = [file for file in trained_on if _tests(file, card["rows"])]
    if unknown := [file for file in only if file not in known]:
        raise InputError(f"no training file {unknown[0]}, {aspect} has {', '.join(known)}")
    suffix = f"-{OWN_FORMS}" if own_forms else ""
    results.mkdir(parents=True, exist_ok=True)
    console = Console(stderr=True, markup=False, highlight=False)
    records = []
    for file in known:
        if only and file not in only:
            continue
        source = data / forms / file if kind is PairRun else data / f"{file}.tsv"
        planned = [
            kind(MONOTONICITY, _with_seed(base, seed), source, runs) for seed in range(1, seeds + 1)
        ]
        console.print(f"{file}: {len(planned)} runs, {sum(r.trained() for r in planned)} trained")
        train_runs(planned, jobs, console)
        tests = [data / f"{test}.tsv" for test in _tests(file, card["rows"])]
        answers, unanswered = [], []
        with bar(console, "answering", len(planned)) as advance:
            for run in planned:
                of_tests = {name_of(test): run.labels(test, fresh=fresh) for test in tests}
                answers.append({test: digits for test, (digits, _) in of_tests.items()})
                unanswered.append({test: {method: count} for test, (_, count) in of_tests.items()})
                advance()
        part = str(card["depth"]) if file == _TRAIN else file
        if permutation:
            part += f"-p{permutation}"
        stem = f"{MONOTONICITY}-{name or config.stem + suffix}-{aspect}-{part}"
        record = {
            "name": stem,
            "about": about(config),
            "benchmark": MONOTONICITY,
            "system": found_system,
            "config": to_dict(base),
            "data": {
                "aspect": aspect,
                "permutation": permutation,
                "rows": {
                    key: sum(card["rows"][key].values())
                    for key in (file, *_tests(file, card["rows"]))
                },
                "files": card["files"],
            },
            "package_version": amparser.__version__,
            "commit": commit(),
            "machine": machine(base),
            "resamples": RESAMPLES,
            "fractions": {
                "1": {
                    test: {method: aggregate([coarse(run[test]) for run in answers])}
                    for test in answers[0]
                }
            },
            "runs": [
                {
                    "fraction": 1.0,
                    "seed": run.config.train.seed,
                    **run.cost(),
                    "counts": {test: {method: counts(d)} for test, d in of_run.items()},
                    "unanswered": missing,
                }
                for run, of_run, missing in zip(planned, answers, unanswered, strict=True)
            ],
        }
        path = results / f"{stem}.json"
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        write_atomically(path, f"{text}\n".encode())
        print(f"{path}\n")
        for test in answers[0]:
            print(f"{types_table([record], test)}\n")
        records.append(record)
    return records


def _generated(
    aspect: str, depth: int | None, permutation: int, train: int | None, test: int | None
) -> Path:
    """The folder of an aspect's pairs, generated when first wanted."""
    depth = _DEPTHS.get(aspect) if depth is None else depth
    grammar = grammar_checksum(load_library(MONOTONICITY))[:10]
    made_by = (amparser.__version__, GENERATION, depth, permutation, train, test, grammar)
    folder = cache_folder() / "-".join((MONOTONICITY, aspect, *map(str, made_by)))
    if not (folder / CARD).exists():
        generate_monotonicity(
            folder,
            aspect=aspect,
            depth=depth,
            permutation=permutation,
            train_count=train,
            test_count=test,
        )
    return folder


def _tests(file: str, names: Sequence[str]) -> list[str]:
    """The test files that belong to a training file."""
    if file == _TRAIN:
        return [name for name in names if name.startswith("test")]
    own = f"T{file.removeprefix('S')}"
    return [name for name in names if name.partition("-")[0] == own]


def _with_seed(base: Any, seed: int) -> Any:
    return replace(base, train=replace(base.train, seed=seed))
