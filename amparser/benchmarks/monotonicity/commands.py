"""`amparser infer`: decide whether a hypothesis follows from a premise."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from amparser.errors import InputError


def infer(
    text: Annotated[
        list[str] | None, typer.Argument(metavar="PREMISE HYPOTHESIS", help="Two sentences.")
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option(
            "--input", "-i", metavar="FILE|-", help="Read tab-separated pairs, one per line."
        ),
    ] = None,
    prover: Annotated[
        bool, typer.Option("--prover", help="Decide by proofs of first-order formulas (z3).")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="DIR",
            help="Parser of forms, such as monotonicity, or pair classifier, which prints "
            "probabilities (default: parse with the grammar).",
        ),
    ] = None,
    device: Annotated[
        str, typer.Option("--device", help="Device of a network: auto, cpu or cuda.")
    ] = "auto",
) -> None:
    """Print whether a hypothesis follows from a premise (entailment or neutral), and why."""
    from amparser.benchmarks.monotonicity.inference import UNKNOWN, decided, pairs_of

    loaded = None
    if model is not None:  # The grammar and the prover do not need torch.
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
        print(f"amparser: {unsettled} of {len(answers)} pairs undecided", file=sys.stderr)
        raise typer.Exit(1)
