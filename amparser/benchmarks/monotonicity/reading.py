"""Readings: from sentences to forms, by the grammar or by a trained parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from amparser.benchmarks.monotonicity.multiword import Multiword, placed
from amparser.corpora.splits import chunks
from amparser.errors import AMParserError, InputError
from amparser.grammar.library import load_library
from amparser.hub import model_folder
from amparser.learn.system import CHUNK_SIZE
from amparser.logic.form import Form, Reading
from amparser.logic.vf import fol_from_vf, vf_from_str, vf_to_str
from amparser.notations.quantified_graph import form_from_graph
from amparser.resources import bundled_model
from amparser.results import Result

if TYPE_CHECKING:
    from amparser.learn.system import Model
    from amparser.parser import Parser

QUANTIFIED = "quantified"
"""The notation of the forms that natural logic compares."""
BUNDLED = "monotonicity"
"""The name of the package's own parser of forms."""


def model_reading(folder: Path | None = None) -> Reading:
    """The reading of a parser trained on forms, by default the package's own.

    Raises:
        ModelError: the folder is missing, damaged or of another program.
        InputError: the model was trained on another notation.
    """
    from amparser.parser import Parser

    folder = bundled_model(BUNDLED) if folder is None else model_folder(folder)
    parser = Parser.load(folder)
    if parser.notation != QUANTIFIED:
        raise InputError(
            f"{folder}: expected a model of {QUANTIFIED} forms, found {parser.notation or 'graphs'}"
        )
    return parser_reading(parser)


def parser_reading(parser: Model, decoder: str | None = None) -> Reading:
    """The reading of a parser by one decoder, by default the one of its settings."""
    name = parser.decoders[0] if decoder is None else decoder
    return lambda sentences: readings(parser, sentences, [name])[name]


def readings(
    model: Model, sentences: Sequence[Sequence[str]], decoders: Sequence[str]
) -> Mapping[str, list[Form | InputError]]:
    """The forms of sentences by decoder, or the reasons why they have none.

    A sentence is rejected if a word of it was never seen in training (punctuation is no word), if
    it has no parse, or if its parse is not a formula, as that of a noun phrase.

    Raises:
        InputError: the model is not a parser.
    """
    from amparser.parser import Parser

    if not isinstance(model, Parser):
        raise InputError(f"expected a parser of {QUANTIFIED} forms, found {model.system}")
    multiword = Multiword.of_grammar(load_library("monotonicity"))
    joined = [multiword.joined(tokens) for tokens in sentences]
    problems = [_problem(model, tokens) for tokens, _ in joined]
    known = [i for i, problem in enumerate(problems) if problem is None]
    found: dict[str, list[Form | InputError]] = {}
    results: dict[str, list[Result]] = {name: [] for name in decoders}
    for chunk in chunks((joined[i][0] for i in known), CHUNK_SIZE):
        for name, answers in model.answers(chunk, decoders).items():
            results[name] += answers
    for name in decoders:
        forms = {
            i: _form_of(result, joined[i][1])
            for i, result in zip(known, results[name], strict=True)
        }
        found[name] = [
            forms[i] if problem is None else problem for i, problem in enumerate(problems)
        ]
    return found


def _problem(parser: Parser, tokens: Sequence[str]) -> InputError | None:
    if not tokens:
        return InputError("expected a sentence, found only its end")
    words = [token for token in tokens if any(map(str.isalnum, token))]
    unknown = list(dict.fromkeys(parser.unknown(words)))
    if unknown:
        word = "word" if len(unknown) == 1 else "words"
        return InputError(f"unknown {word} {', '.join(map(repr, unknown))}")
    problem = parser.problem(tokens)
    return None if problem is None else InputError(problem)


def _form_of(result: Result, places: Sequence[range]) -> Form | InputError:
    if result.failure is not None or result.graph is None:
        return InputError(f"no parse: {result.failure}")
    try:
        form = placed(form_from_graph(result.graph), places)
    except AMParserError as error:
        return InputError(f"no form: {error}")
    text = vf_to_str(form.term)
    try:
        fol_from_vf(vf_from_str(text))
    except AMParserError as error:
        return InputError(f"no sentence, its form is {text.strip()!r}: {error}")
    return form
