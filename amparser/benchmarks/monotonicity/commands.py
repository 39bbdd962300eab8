"""`amparser infer`: decide whether a hypothesis follows from a premise."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from amparser.errors import InputError


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
    model: Annotated[
        Path | None,
        typer.Option(
            "--model",
            "-m",
            metavar="DIR",
            help="A parser of forms, such as monotonicity (default: the grammar reads them), or a "
            "classifier, which prints probabilities.",
        ),
    ] = None,
    device: Annotated[
        str, typer.Option("--device", help="Device of a network: auto, cpu or cuda.")
    ] = "auto",
) -> None:
    """Print whether a hypothesis follows from a premise (entailment or neutral), and why."""
    from amparser.benchmarks.monotonicity.inference import UNKNOWN, decided, pairs_of

    loaded = None
    if model is not None:  # the grammar and the prover need no torch
        from amparser.hub import model_folder
        from amparser.learn.systems import load

        loaded = load(model_folder(model), device)
    places, pairs = zip(*pairs_of(text or [], input_), strict=True)
    answers = decided(pairs, loaded, prover=prover)
    for place, answer in zip(places, answers, strict=True):
        if not answer.label:
            raise InputError(f"{place}{answer.explanation}")
    for answer in answers:
        print(answer.label, answer.explanation, sep="\t")
    unsettled = sum(answer.label == UNKNOWN for answer in answers)
    if unsettled:
        sys.stdout.flush()
        print(f"amparser: {unsettled} of {len(answers)} pairs not settled", file=sys.stderr)
        raise typer.Exit(1)
