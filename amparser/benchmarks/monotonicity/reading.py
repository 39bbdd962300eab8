"""Readings: functions that map sentences to forms, by the grammar or by a parser.

A *form* is a variable-free formula (`logic.vf`). The parser reads some expressions as one token:

    At most three dogs in the area ran .    at_most_three dogs in_the_area ran

These expressions of the lexicon are quantifiers, prepositional phrases, and short relative clauses
without the pronoun. The parser's sentences start with a lower-case letter and have no final period.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from amparser.corpora.example import Example
from amparser.errors import AMParserError, InputError
from amparser.evaluation.answers import answers_of
from amparser.grammar.algebras import LAMBDA, value
from amparser.grammar.chart import string_sequence
from amparser.grammar.irtg import Derivation, Term
from amparser.grammar.library import Library, load_library
from amparser.learn.streaming import batches
from amparser.logic.vf import Form, Reading, Term as VFTerm, fol_from_vf, vf_from_str
from amparser.notations.quantified_graph import form_from_graph
from amparser.results import Result

if TYPE_CHECKING:
    from amparser.learn.system import Model

QUANTIFIED = "quantified"
"""Name of the notation of the forms that natural logic compares."""
_MARK, _JOINT, _END = "@", "_", "."


def fragment() -> Library:
    """Return the grammar of the fragment of English in this benchmark."""
    return load_library("monotonicity")


def derivation_of(tokens: Sequence[str]) -> Derivation:
    """Return the derivation of a sentence. The final period is optional. Raises InputError."""
    if tokens and tokens[-1] != _END:
        tokens = (*tokens, _END)
    if (derivation := fragment().chart(tokens).right_branching()) is not None:
        return derivation
    if not tokens:
        raise InputError("expected a sentence, found nothing")
    if unknown := fragment().unknown(tokens):
        raise InputError(_unknown_words(unknown))
    raise InputError("not a sentence of the grammar")


def _unknown_words(words: Sequence[str]) -> str:
    different = list(dict.fromkeys(words))
    name = "word" if len(different) == 1 else "words"
    return f"unknown {name} {', '.join(map(repr, different))}"


def grammar_reading(sentences: Sequence[Sequence[str]]) -> list[Form | InputError]:
    """Return the form that the grammar gives each sentence, or an error; this is a `Reading`."""

    def read(tokens: Sequence[str]) -> Form | InputError:
        try:
            return form_of(derivation_of(tokens))
        except InputError as error:
            return error

    return [*map(read, sentences)]


def form_of(derivation: Derivation) -> Form:
    """Return the form of a derivation, with the symbols of words aligned to tokens."""
    marked, _ = _marked(derivation, 0)
    return _form(value(marked, "form", LAMBDA))


def _marked(derivation: Derivation, start: int) -> tuple[Derivation, int]:
    """Add a token span to each symbol; return the derivation and the index after its last token."""
    rule = derivation.rule
    if not rule.children:
        end = start + len(string_sequence(rule))
        terms = {**rule.terms, "form": Term(f"{rule.terms['form'].label}{_MARK}{start}:{end}")}
        return Derivation(rule._replace(terms=terms)), end
    children: list[Derivation] = list(derivation.children)
    for part in string_sequence(rule):
        if isinstance(part, str):
            start += 1
        else:
            children[part], start = _marked(children[part], start)
    return derivation._replace(children=tuple(children)), start


def _form(meaning: Term) -> Form:
    symbol, _, span = meaning.label.partition(_MARK)
    start, _, end = span.partition(":")
    parts = tuple(map(_form, meaning.children))
    words = tuple(range(int(start), int(end))) if span else ()
    return Form(VFTerm(symbol.upper(), tuple(part.term for part in parts)), parts, words)


@cache
def _expressions() -> Mapping[str, Sequence[tuple[str, ...]]]:
    expressions: dict[str, list[tuple[str, ...]]] = {}
    leaves = (rule for rule in fragment().grammar.rules if not rule.children)
    words = {string_sequence(rule)[rule.parent == "Relative" :] for rule in leaves}
    for unit in sorted((unit for unit in words if len(unit) > 1), key=len, reverse=True):
        expressions.setdefault(str(unit[0]), []).append(tuple(map(str, unit)))
    return expressions


def joined(tokens: Sequence[str]) -> tuple[tuple[str, ...], tuple[range, ...]]:
    """Join multi-word expressions; return tokens and the original positions (from 0) of each."""
    words = [tokens[0][:1].lower() + tokens[0][1:], *tokens[1:]] if tokens else []
    end = len(words) - (words[-1:] == [_END])
    joined_tokens: list[str] = []
    places: list[range] = []
    at = 0
    while at < end:
        units = _expressions().get(words[at], ())
        unit = next((u for u in units if tuple(words[at : at + len(u)]) == u), (words[at],))
        joined_tokens.append(_JOINT.join(unit))
        places.append(range(at, at + len(unit)))
        at += len(unit)
    return tuple(joined_tokens), tuple(places)


def placed(form: Form, places: Sequence[range]) -> Form:
    """Replace the indices of joined tokens in a form by indices of the original tokens."""
    words = tuple(place for word in form.words for place in places[word])
    return replace(form, parts=tuple(placed(part, places) for part in form.parts), words=words)


def parser_reading(model: Model, decoder: str = "") -> Reading:
    """Return a `Reading` by a parser with the named decoder (default: the parser's first).

    A sentence is rejected if it contains a word unseen in training, if it has no parse, or if its
    parse is not a formula. Raises InputError if the model is not a parser of forms.
    """
    from amparser.parser import Parser

    if not isinstance(model, Parser) or model.notation != QUANTIFIED:
        notation = model.notation or "graphs"
        actual = model.system if notation == QUANTIFIED else f"a model of {notation}"
        raise InputError(
            f"expected a classifier of pairs or a parser of {QUANTIFIED} forms, found {actual}"
        )
    name = decoder or model.decoders[0]

    def read(sentences: Sequence[Sequence[str]]) -> list[Form | InputError]:
        units, places = zip(*map(joined, sentences), strict=True) if sentences else ((), ())
        results: list[Result] = []
        for chunk in batches(units, len):
            results += answers_of(model, [*map(Example, chunk)], [name])[name]
        return [*map(_read_form, results, places)]

    return read


def _read_form(result: Result, places: Sequence[range]) -> Form | InputError:
    if not result.tokens:
        return InputError("expected a sentence, found only punctuation")
    if unknown := [token for token in result.unknown if any(map(str.isalnum, token))]:
        return InputError(_unknown_words(unknown))
    if result.failure is not None or result.graph is None:
        return InputError(f"no parse: {result.failure}")
    try:
        form = placed(form_from_graph(result.graph), places)
    except AMParserError as error:
        return InputError(f"no form: {error}")
    text = str(form.term)
    try:
        fol_from_vf(vf_from_str(text))
    except AMParserError as error:
        return InputError(f"not a sentence, its form is {text.strip()!r}: {error}")
    return form
