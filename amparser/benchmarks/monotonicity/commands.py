"""`amparser infer`: whether a hypothesis follows from a premise, and why."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amparser.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from amparser.benchmarks.monotonicity.inference import PlacedPair
    from amparser.learn.system import Model
    from amparser.logic.vf import Reading


def infer(
    text: Annotated[
        list[str] | None, typer.Argument(metavar="PREMISE HYPOTHESIS", help="Two sentences.")
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option("--input", "-i", metavar="FILE|-", help="Pairs with a tab, one per line."),
    ] = None,
    prover: Annotated[
        bool, typer.Option("--prover", help="By proofs of first-order formulas (z3).")
    ] = False,
    parser: Annotated[
        bool, typer.Option("--parser", help="Read by the bundled parser, not by the grammar.")
    ] = False,
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="DIR",
            help="A parser of forms, or a classifier, which prints probabilities.",
        ),
    ] = None,
    device: Annotated[
        str, typer.Option("--device", help="Device of a network: auto, cpu or cuda.")
    ] = "auto",
) -> None:
    """Print whether a hypothesis follows from a premise (entailment or neutral), and why."""
    from amparser.benchmarks.monotonicity.benchmark import CLASSIFIERS
    from amparser.benchmarks.monotonicity.inference import UNKNOWN, answered, method_of, pairs_of
    from amparser.benchmarks.monotonicity.reading import (
        bundled_reading,
        grammar_reading,
        parser_reading,
    )

    reading: Reading = bundled_reading() if parser and model is None else grammar_reading
    if model is not None:
        from amparser.hub import model_folder
        from amparser.learn.systems import load

        loaded = load(model_folder(model), device)
        if loaded.system in CLASSIFIERS:
            if prover or parser:
                raise InputError(f"--prover, --parser: {model} is a classifier, reads no forms")
            _infer_by_classifier(loaded, pairs_of(text or [], input_))
            return
        reading = parser_reading(loaded)
    answers = answered(pairs_of(text or [], input_), reading, method_of(prover=prover))
    for answer in answers:
        print(answer.label, answer.explanation, sep="\t")
    unsettled = sum(answer.label == UNKNOWN for answer in answers)
    if unsettled:
        sys.stdout.flush()
        print(f"amparser: {unsettled} of {len(answers)} pairs not settled", file=sys.stderr)
        raise typer.Exit(1)


def _infer_by_classifier(model: Model, pairs: Sequence[PlacedPair]) -> None:
    """Print the label of each pair, a tab, and its probability."""
    from amparser.benchmarks.monotonicity.inference import classified

    results = classified(pairs, model)
    for result in results:
        print(result.meaning, f"{math.exp(result.logp or 0.0):.4f}", sep="\t")
    unknown_words: Any = getattr(model, "unknown", lambda tokens: [])
    unknown = dict.fromkeys(word for result in results for word in unknown_words(result.tokens))
    if unknown:
        sys.stdout.flush()
        names = ", ".join(map(repr, unknown))
        print(f"amparser: read as <unk>, never seen in training: {names}", file=sys.stderr)
