"""From sentences of the grammar `monotonicity` to forms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from amparser.errors import InputError
from amparser.grammar.algebras import LAMBDA, STRING, value
from amparser.grammar.chart import Chart
from amparser.grammar.irtg import Derivation, Term
from amparser.grammar.library import Library, load_library
from amparser.logic.form import Form
from amparser.logic.vf import Term as VFTerm

_MARK = "@"


class Fragment:
    """The fragment of English that the grammar derives."""

    @cached_property
    def library(self) -> Library:
        """The grammar."""
        return load_library("monotonicity")

    def __call__(self, tokens: Sequence[str]) -> Form:
        """The form of a sentence.

        Raises:
            InputError: the sentence is outside the fragment; the message says where.
        """
        return form_of(self.derivation(tokens))

    def read(self, sentences: Sequence[Sequence[str]]) -> list[Form | InputError]:
        """The forms of sentences, or the reasons why they have none: a `Reading`."""
        found: list[Form | InputError] = []
        for tokens in sentences:
            try:
                found.append(self(tokens))
            except InputError as error:
                found.append(error)
        return found

    def derivation(self, tokens: Sequence[str]) -> Derivation:
        """The derivation of a sentence, with or without its final point.

        Raises:
            InputError: as above.
        """
        if tokens and tokens[-1] != ".":
            tokens = (*tokens, ".")
        chart = self.library.chart(tokens)
        found = chart.right_branching()
        if found is None:
            raise InputError(self._reason(tokens, chart))
        return found

    def _reason(self, tokens: Sequence[str], chart: Chart) -> str:
        if not tokens:
            return "expected a sentence, found nothing"
        if unknown := self.library.unknown(tokens):
            words = list(dict.fromkeys(unknown))
            name = "word" if len(words) == 1 else "words"
            return f"unknown {name} {', '.join(map(repr, words))}"
        pieces = [" ".join(tokens[start:end]) for start, end in _pieces(chart, len(tokens))]
        return f"no sentence, only these parts: {' | '.join(pieces)}"


def _pieces(chart: Chart, length: int) -> list[tuple[int, int]]:
    """The fewest constituents and single words that make up a string."""
    spans = {(c.start, c.end) for c in chart.steps} | {(i, i + 1) for i in range(length)}
    best: list[list[tuple[int, int]]] = [[]]
    for end in range(1, length + 1):
        ways = [[*best[start], (start, end)] for start in range(end) if (start, end) in spans]
        best.append(min(ways, key=len))
    return best[-1]


def form_of(derivation: Derivation) -> Form:
    """The form of a derivation; only symbols of words are aligned."""
    marked, _ = _marked(derivation, 0)
    return _form(value(marked, "form", LAMBDA))


def _marked(derivation: Derivation, start: int) -> tuple[Derivation, int]:
    """The derivation with spans in the symbols of its words, and where its words end."""
    rule = derivation.rule
    if not rule.children:
        end = start + len(value(derivation, "string", STRING))
        terms = {**rule.terms, "form": Term(f"{rule.terms['form'].label}{_MARK}{start}:{end}")}
        return Derivation(rule._replace(terms=terms)), end
    children: list[Derivation] = list(derivation.children)
    for part in in_order(rule.terms["string"]):
        if part.variable:
            number = part.variable - 1
            children[number], start = _marked(children[number], start)
        else:
            start += 1
    return derivation._replace(children=tuple(children)), start


def in_order(term: Term) -> Iterator[Term]:
    """The words and variables of a term of the string algebra."""
    if not term.children:
        yield term
    for child in term.children:
        yield from in_order(child)


def _form(meaning: Term) -> Form:
    symbol, _, span = meaning.label.partition(_MARK)
    start, _, end = span.partition(":")
    parts = tuple(map(_form, meaning.children))
    words = tuple(range(int(start), int(end))) if span else ()
    return Form(VFTerm(symbol.upper(), tuple(part.term for part in parts)), parts, words)
