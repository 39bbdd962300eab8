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

from amparser.commands.answers import Answers, answers_to, read_gold
from amparser.learn.config import RESTRICTIONS
from rich.console import Console
from rich.table import Table

from amparser.learn.checkpoint import Model, load_model
from amparser.parser import DECODERS, Parser

VARIANTS: dict[str, tuple[str, ...]] = {
    "all": (),
    **{f"no {name}": (name,) for name in RESTRICTIONS},
    "none": RESTRICTIONS,
}


def without(model: Model, off: tuple[str, ...]) -> Model:
    """The model with some restrictions switched off."""
    lexicon = replace(model.config.lexicon, **dict.fromkeys(off, False))
    return replace(model, config=replace(model.config, lexicon=lexicon))


def right(answers: Answers) -> int:
    """How many answers are right up to isomorphism."""
    return sum(count.exact + count.reformatted + count.graph > 0 for count in answers.counts)


def popped(answers: Answers) -> int:
    """How many items the search popped."""
    return sum(result.parse.popped_count for result in answers.results)


def main() -> None:
    """Print a table for each decoder."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("gold", type=Path)
    arguments.add_argument("models", type=Path, nargs="+")
    arguments.add_argument("--decoder", choices=DECODERS, action="append")
    options = arguments.parse_args()
    decoders = options.decoder or DECODERS
    found: dict[str, list[dict[str, Answers]]] = {variant: [] for variant in VARIANTS}
    for folder in options.models:
        model = load_model(folder, "cpu")
        for variant, off in VARIANTS.items():
            parser = Parser.of_model(without(model, off), folder)
            examples = read_gold(options.gold, notation_=parser.notation)
            found[variant].append(dict(answers_to(parser, examples, decoders)))
    for decoder in decoders:
        table = Table("", "right %", "rows, by model", "popped", title=decoder)
        for variant, by_model in found.items():
            answers = [each[decoder] for each in by_model]
            pairs = [(a, full[decoder]) for a, full in zip(answers, found["all"], strict=True)]
            share = 100 * sum(map(right, answers)) / sum(len(a.results) for a in answers)
            gained = ", ".join(f"{right(a) - right(full):+d}" for a, full in pairs)
            work = sum(map(popped, answers)) / sum(popped(full) for _, full in pairs)
            table.add_row(variant, f"{share:.2f}", gained, f"{work:.2f}")
        Console().print(table)


if __name__ == "__main__":
    main()
