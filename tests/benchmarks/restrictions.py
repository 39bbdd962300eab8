"""What each restriction of the lexicon buys: trained parsers with one at a time switched off.

    python tests/benchmarks/restrictions.py GOLD.tsv.gz MODEL [MODEL ..]

For each decoder and restriction: the share of sentences that are right, the mean over
the models; for each model how many more, or fewer, than with all of them; and how many
items the search pops against that. Restrictions are of decoding: nothing is trained.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from amparser import api
from amparser.compositions.settings import RESTRICTIONS
from amparser.decode.decoders import DECODERS
from amparser.evaluation.evaluate import Answers, evaluate
from amparser.evaluation.gold import read_gold
from amparser.parser import Parser

VARIANTS: dict[str, tuple[str, ...]] = {
    "all": (),
    **{f"no {name}": (name,) for name in RESTRICTIONS},
    "none": RESTRICTIONS,
}


def without(parser: Parser, off: tuple[str, ...]) -> Parser:
    """The parser with some restrictions switched off."""
    lexicon = replace(parser.settings.lexicon, **dict.fromkeys(off, False))
    return parser.with_settings(replace(parser.settings, lexicon=lexicon))


def right(answers: Answers) -> int:
    """How many answers are right up to isomorphism."""
    return int(sum(counts["graph"].numerator for counts in answers.counts))


def popped(answers: Answers) -> int:
    """How many items the search popped."""
    return sum(result.parse.popped_count for result in answers.results if result.parse)


def main() -> None:
    """Print a table for each decoder."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("gold", type=Path)
    arguments.add_argument("models", type=Path, nargs="+")
    arguments.add_argument("--decoder", choices=DECODERS.names(), action="append")
    arguments.add_argument("-n", type=int)
    options = arguments.parse_args()
    decoders = options.decoder or list(DECODERS)
    answered: dict[str, list[dict[str, Answers]]] = {variant: [] for variant in VARIANTS}
    for folder in options.models:
        model = Parser.load(folder, "cpu")
        examples = read_gold(options.gold, model, api.benchmark_of(model), options.n)
        for variant, off in VARIANTS.items():
            evaluation = evaluate(
                without(model, off), examples, metrics=["match"], decoders=decoders
            )
            answered[variant].append(evaluation.answers)
    for decoder in decoders:
        table = Table("", "right %", "rows, by model", "popped", title=decoder)
        for variant, by_model in answered.items():
            answers = [each[decoder] for each in by_model]
            pairs = [(a, full[decoder]) for a, full in zip(answers, answered["all"], strict=True)]
            share = 100 * sum(map(right, answers)) / sum(len(a.results) for a in answers)
            gained = ", ".join(f"{right(a) - right(full):+d}" for a, full in pairs)
            work = sum(map(popped, answers)) / max(sum(popped(full) for _, full in pairs), 1)
            table.add_row(variant, f"{share:.2f}", gained, f"{work:.2f}")
        Console().print(table)


if __name__ == "__main__":
    main()
