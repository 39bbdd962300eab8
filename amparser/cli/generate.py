"""`amparser generate`: generate a benchmark's corpus from its grammar."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from amparser.benchmarks.registry import BENCHMARKS
from amparser.cli.options import CountOption, SeedOption, VariantOption, choices, option
from amparser.errors import InputError


def generate(
    benchmark: Annotated[str, typer.Argument(metavar="NAME")],
    output: Annotated[Path, option("--output -o DIR")],
    seed: SeedOption = 0,
    count: CountOption = None,
    variant: VariantOption = None,
) -> None:
    """Generate a benchmark's files from its grammar.

    `--count` sets the number of train rows; the other splits are scaled in proportion.

    Args:
        benchmark: A benchmark with a grammar: {benchmarks}.
        output: Output folder.
    """
    from amparser.benchmarks.generate import summary
    from amparser.cli.terminal import counting_bar

    chosen = BENCHMARKS[benchmark]
    if chosen.generate is None:
        raise InputError(
            f"{benchmark} cannot be generated from a grammar, expected one of "
            f"{choices(name for name in BENCHMARKS if BENCHMARKS[name].generate)}"
        )
    with counting_bar("generating") as advance:
        card = chosen.generate(output, variant=variant, seed=seed, count=count, on_progress=advance)
    print(*summary(card, output), sep="\n")


def generated_or_given(benchmark: str | None, data: Path | None) -> Path:
    """Return the folder of training data; generate the data if no folder is given.

    Raises InputError if there is neither a benchmark nor a folder, or the benchmark generates no
    corpus.
    """
    if data is not None:
        return data
    if benchmark is None:
        raise InputError("no training data: name a benchmark, or --data DIR")
    generated = BENCHMARKS[benchmark].generated
    if generated is None:
        raise InputError(f"{benchmark} generates no corpus: name a folder with --data DIR")
    from amparser.cli.terminal import counting_bar

    with counting_bar("generating") as advance:
        return generated(notice=lambda line: print(line, file=sys.stderr), on_progress=advance)
