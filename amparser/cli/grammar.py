"""`amparser grammar`: inspect the package's grammars."""

from __future__ import annotations

from random import Random
from typing import Annotated

import typer

from amparser.cli.application import Command
from amparser.cli.options import SeedOption, VariantOption, option
from amparser.errors import InputError

grammar = typer.Typer(no_args_is_help=True, help="Inspect the package's grammars.")
GrammarName = Annotated[str, typer.Argument(metavar="NAME", help="Name of a packaged grammar.")]


@grammar.command(cls=Command)
def show(name: GrammarName) -> None:
    """Print a grammar with all its words in Alto's notation."""
    from amparser.grammar.library import load_library
    from amparser.grammar.reader import grammar_to_str

    print(grammar_to_str(load_library(name).grammar), end="")


@grammar.command(cls=Command)
def parse(
    name: GrammarName,
    text: Annotated[list[str], typer.Argument(metavar="TEXT")],
) -> None:
    """Print every derivation of a sentence with its meaning.

    Each line has a derivation, a tab and the meaning. The right-branching derivation comes first. A
    blank line ends a sentence.

    Args:
        text: Sentences, one per argument.
    """
    from amparser.benchmarks.fragments import meaning_of
    from amparser.corpora.tokens import tokenize
    from amparser.grammar.library import load_library

    library = load_library(name)
    missing = 0
    for sentence in text:
        tokens = tokenize(sentence)
        chart = library.chart(tokens)
        first = chart.right_branching()
        if first is None:
            missing += 1
            unknown = ", ".join(map(repr, library.unknown(tokens)))
            print(f"# no derivation: {f'unknown words {unknown}' if unknown else sentence}")
        else:
            others = [other for other in chart.derivations() if other != first]
            for derivation in (first, *others):
                print(f"{derivation}\t{meaning_of(library, derivation)}")
        print()
    if missing:
        raise typer.Exit(1)


@grammar.command(cls=Command)
def sample(
    name: GrammarName,
    type_: Annotated[str | None, option("--type TYPE")] = None,
    count: Annotated[int, option("--count -n", min=1)] = 10,
    seed: SeedOption = 0,
    variant: VariantOption = None,
) -> None:
    """Print random sentences with their meanings and types.

    Unlike in a generated corpus, sentences may repeat.

    Args:
        type_: Type of the sentences (default: random).
        count: Number of sentences.
    """
    from amparser.benchmarks.fragments import meaning_of
    from amparser.grammar.library import load_library

    library = load_library(name)
    plan = library.plan(variant)
    if type_ is not None and type_ not in plan.names:
        raise InputError(f"unknown type {type_!r}, expected one of {', '.join(plan.names)}")
    random = Random(seed)
    types = [plan.type_of(name_of_type) for name_of_type in ([type_] if type_ else plan.names)]
    for _ in range(count):
        drawn = random.choice(types)
        derivation = drawn.sample(random)
        words = " ".join(library.tokens(derivation))
        print(words, meaning_of(library, derivation), drawn.name, sep="\t")
