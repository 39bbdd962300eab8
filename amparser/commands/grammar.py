"""`amparser grammar`: look inside the grammars that come with the package."""

from __future__ import annotations

from collections.abc import Sequence

from amparser.corpus import tokenize
from amparser.errors import InputError
from amparser.grammar.library import load_library
from amparser.grammar.reader import grammar_to_str
from amparser.logic.cogs import logical_form_to_str


def show(name: str) -> None:
    """Print a grammar with all its words, in plain Alto notation.

    Raises:
        InputError: there is no such grammar.
    """
    print(grammar_to_str(load_library(name).grammar), end="")


def parse(name: str, sentences: Sequence[str]) -> int:
    """Print each derivation of some sentences, with its logical form; how many have none.

    A line holds the derivation and the logical form, with a tab between, the
    right-branching one first; a blank line ends a sentence.

    Raises:
        InputError: there is no such grammar, or no sentence.
    """
    library = load_library(name)
    if not sentences:
        raise InputError("no sentence, expected one an argument")
    missing = 0
    for sentence in sentences:
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
                form = logical_form_to_str(library.logical_form(derivation))
                print(f"{derivation}\t{form}")
        print()
    return missing
