"""Readings: from sentences to forms, by the grammar or by a trained parser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amparser.benchmarks.monotonicity.multiword import Multiword, placed
from amparser.errors import AMParserError, InputError
from amparser.grammar.library import load_library
from amparser.learn.systems import AMPARSER, system_of_model
from amparser.logic.form import Form, Reading
from amparser.logic.vf import fol_from_vf, vf_from_str, vf_to_str
from amparser.notations.quantified_graph import form_from_graph
from amparser.parser import ParsedSentence, Parser
from amparser.resources import package_data

DEFAULT_MODEL = "models/monotonicity"


def model_reading(folder: Path | None = None) -> Reading:
    """The reading of a parser that was trained on forms, by default the package's.

    A word that the parser never saw is refused, as is a sentence without a parse, and what
    has one that is no formula, such as a noun alone.

    Raises:
        ModelError: the folder is missing, damaged or of another program.
        InputError: the model was trained on other meanings.
    """
    folder = package_data(DEFAULT_MODEL) if folder is None else folder
    if (system := system_of_model(folder)) != AMPARSER:
        raise InputError(f"{folder}: {system} writes forms, expected a parser or a classifier")
    parser = Parser.load(folder)
    if parser.notation.name != "quantified":
        raise InputError(
            f"{folder}: expected a model of {'quantified'} forms, found {parser.notation.name}"
        )
    multiword = Multiword.of_grammar(load_library("monotonicity"))
    vocabulary = parser.model.network.vocabulary

    def read(sentences: Sequence[Sequence[str]]) -> list[Form | InputError]:
        found: list[Form | InputError | None] = []
        joined = [multiword.joined(tokens) for tokens in sentences]
        for tokens, _ in joined:
            unknown = list(dict.fromkeys(token for token in tokens if token not in vocabulary))
            names = ", ".join(map(repr, unknown))
            word = "word" if len(unknown) == 1 else "words"
            empty = None if tokens else InputError("expected a sentence, found only its end")
            found.append(InputError(f"unknown {word} {names}") if unknown else empty)
        known = [i for i, problem in enumerate(found) if problem is None]
        for i, result in zip(known, parser.parse([joined[i][0] for i in known]), strict=True):
            found[i] = _form_of(result, joined[i][1])
        return [form for form in found if form is not None]

    return read


def _form_of(result: ParsedSentence, places: Sequence[range]) -> Form | InputError:
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
