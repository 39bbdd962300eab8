"""`amparser monotonicity ...`, and `amparser infer`.

Each command imports what it needs when it runs, so that `--help` stays free of torch.
"""

from __future__ import annotations

import math
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amparser.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from amparser.benchmarks.monotonicity.inference import PlacedPair
    from amparser.learn.system import Model
    from amparser.logic.vf import Reading

app = typer.Typer(
    no_args_is_help=True,
    help="Monotonicity inference (Yanaka et al. 2020): pairs of premise and hypothesis.",
)


class Aspect(StrEnum):
    """What a protocol of the benchmark tests."""

    PREDICATE = "predicate"
    EMBEDDING = "embedding"
    PRODUCTIVITY = "productivity"
    LOCALISM = "localism"


class Device(StrEnum):
    """Where a network computes."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


AspectOption = Annotated[Aspect, typer.Option("--aspect", help="Which protocol.")]
DepthOption = Annotated[
    int | None,
    typer.Option(
        "--depth",
        metavar="N",
        help="Depth of train. Productivity: all depths up to N, 2 to 4 (default: 2). "
        "Localism: only depth N, 3 to 5 (default: 3).",
    ),
]
PermutationOption = Annotated[
    int,
    typer.Option(
        "--permutation",
        min=0,
        metavar="N",
        help="Order in which pairs of quantifiers are added: predicate 0-5, embedding 0-23.",
    ),
]
CountOption = Annotated[
    int | None,
    typer.Option(
        "--count",
        "-n",
        min=2,
        metavar="N",
        help="Rows of the largest training file (default: 300,000, as published).",
    ),
]
TestCountOption = Annotated[
    int | None,
    typer.Option(
        "--test-count",
        min=2,
        metavar="N",
        help="Rows of each test file (default: 20,000, as published).",
    ),
]
ParserOption = Annotated[
    bool, typer.Option("--parser", help="Read by the bundled parser, not by the grammar.")
]
DeviceOption = Annotated[Device, typer.Option("--device", help="Where the network computes.")]


@app.command()
def generate(
    aspect: AspectOption,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where to write.")],
    depth: DepthOption = None,
    permutation: PermutationOption = 0,
    count: CountOption = None,
    test_count: TestCountOption = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 0,
) -> None:
    """Write the training and test files of an aspect, generated from the grammar."""
    from amparser.benchmarks.generate import summary
    from amparser.benchmarks.monotonicity.corpus import PairCorpus

    corpus = PairCorpus(aspect.value, depth, permutation, count, test_count)
    print(*summary(corpus.generate(output, seed), output), sep="\n")


# Long: a parameter for each option of the command.
@app.command()
def experiment(
    aspect: AspectOption,
    config: Annotated[
        Path | None,
        typer.Argument(
            metavar="CONFIG.toml", help="A file of settings (default: the one of the system)."
        ),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            metavar="NAME",
            help="What to train: amparser, pair-lstm, pair-treelstm or pair-bert "
            "(default: the one that the settings name).",
        ),
    ] = None,
    depth: DepthOption = None,
    permutation: PermutationOption = 0,
    count: CountOption = None,
    test_count: TestCountOption = None,
    only: Annotated[
        str, typer.Option("--only", metavar="A,B", help="Only these training files, such as S1.")
    ] = "",
    own_sentences: Annotated[
        bool,
        typer.Option(
            "--own-sentences",
            help="The parser learns only from the sentences of the training pairs, not from "
            "the whole fragment at their depths.",
        ),
    ] = False,
    seeds: Annotated[int, typer.Option("--seeds", min=1, metavar="N", help="Seeds 1 to N.")] = 5,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a setting; repeatable."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="Name before the aspect in the records (default: the file's)."),
    ] = None,
    runs: Annotated[
        Path, typer.Option("--runs", metavar="DIR", help="Where models are kept.")
    ] = Path("runs"),
    results: Annotated[
        Path, typer.Option("--results", metavar="DIR", help="Where records are written.")
    ] = Path("training/results"),
    jobs: Annotated[
        int, typer.Option("--jobs", min=1, metavar="N", help="Trainings at a time.")
    ] = 1,
    allow_dirty: Annotated[
        bool,
        typer.Option("--allow-dirty", help="Also from a checkout that differs from its commit."),
    ] = False,
) -> None:
    """Train on each training file of an aspect over seeds, label its tests, write records.

    A classifier learns from the pairs. The parser learns from sentences with forms, and natural
    logic compares its readings. A pair is wrong if one of its sentences cannot be read.
    """
    from amparser.benchmarks.monotonicity.corpus import PairCorpus
    from amparser.benchmarks.monotonicity.experiments import planned
    from amparser.experiments.experiment import experiment as run
    from amparser.files import prepare_folder

    # Before pairs are generated, which takes long and is announced on stderr.
    for folder in (runs, results):
        prepare_folder(folder)
    plans = planned(
        PairCorpus(aspect.value, depth, permutation, count, test_count),
        config,
        system=system,
        settings=settings or [],
        name=name,
        seeds=range(1, seeds + 1),
        own=own_sentences,
        only=[part.strip() for part in only.split(",") if part.strip()],
        notice=_notice,
    )
    for plan in plans:
        record = run(plan, runs=runs, results=results, jobs=jobs, allow_dirty=allow_dirty)
        print(f"{results / record.name}.json")
        for split in record.splits():
            for decoder in record.decoders(split):
                print(split, decoder, record.figure([split], "", decoder, "label"), sep="\t")


def infer(
    text: Annotated[
        list[str] | None, typer.Argument(metavar="PREMISE HYPOTHESIS", help="Two sentences.")
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option(
            "--input",
            "-i",
            metavar="FILE|-",
            help="Pairs, one per line, separated by a tab; - is stdin.",
        ),
    ] = None,
    prover: Annotated[
        bool, typer.Option("--prover", help="By proofs of first-order formulas (z3).")
    ] = False,
    parser: ParserOption = False,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="DIR",
            help="A parser of forms, or a classifier, which prints probabilities.",
        ),
    ] = None,
    device: DeviceOption = Device.AUTO,
) -> None:
    """Print whether a hypothesis follows from a premise (entailment or neutral), and why."""
    from amparser.benchmarks.monotonicity.benchmark import CLASSIFIERS
    from amparser.benchmarks.monotonicity.inference import UNKNOWN, answered, method_of, pairs_of
    from amparser.benchmarks.monotonicity.reading import (
        bundled_reading,
        grammar_reading,
        parser_reading,
    )

    reading: Reading = grammar_reading
    if model is not None:
        from amparser.hub import model_folder
        from amparser.learn.systems import load

        loaded = load(model_folder(model), device.value)
        if loaded.system in CLASSIFIERS:
            if prover or parser:
                raise InputError(f"--prover, --parser: {model} is a classifier, reads no forms")
            _infer_by_classifier(loaded, pairs_of(text or [], input_))
            return
        reading = parser_reading(loaded)
    elif parser:
        reading = bundled_reading()
    answers = answered(pairs_of(text or [], input_), reading, method_of(prover=prover))
    for answer in answers:
        print(answer.label, answer.explanation, sep="\t")
    unsettled = sum(answer.label == UNKNOWN for answer in answers)
    if unsettled:
        sys.stdout.flush()
        _notice(f"amparser: {unsettled} of {len(answers)} pairs not settled")
        raise typer.Exit(1)


def _infer_by_classifier(model: Model, pairs: Sequence[PlacedPair]) -> None:
    """Print the label of each pair, a tab, and its probability."""
    from amparser.benchmarks.monotonicity.inference import classified

    results = classified(pairs, model)
    for result in results:
        print(result.meaning, f"{math.exp(result.logp or 0.0):.4f}", sep="\t")
    unknown_words: Any = getattr(model, "unknown", None)
    if unknown_words is not None:
        unknown = dict.fromkeys(word for result in results for word in unknown_words(result.tokens))
        if unknown:
            sys.stdout.flush()
            names = ", ".join(map(repr, unknown))
            _notice(f"amparser: read as <unk>, never seen in training: {names}")


def _notice(line: str) -> None:
    print(line, file=sys.stderr)
