"""`amparser parse`: raw text to meanings, graphs or trees."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from amparser.cli.options import (
    DecoderOption,
    Device,
    DeviceOption,
    ModelOption,
    NotationOption,
    choices,
)
from amparser.corpora.formats import FORMATS
from amparser.draw.formats import PICTURES
from amparser.errors import InputError
from amparser.files import lines_of, read_text, shown_name

if TYPE_CHECKING:
    from amparser.corpora.example import Example
    from amparser.learn.system import Model
    from amparser.results import Result

MEANING = "meaning"
TEXTS = (MEANING, "tsv", "json")
"""The formats that need neither graphs nor trees."""
GRAPHS = ("penman", "svg", "html", "dot")
"""The formats that draw or write a graph where there is no tree."""
NO_PARSE = "# no parse: "


def parse(
    text: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="Sentences, one per argument.")
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option(
            "--input", "-i", metavar="FILE|-", help="Sentences, one per line; - is stdin."
        ),
    ] = None,
    model: ModelOption = None,
    decoder: DecoderOption = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="NAME",
            help=f"What to print: {MEANING}, a corpus format ({choices(FORMATS)}) or one picture "
            f"of all sentences ({choices(PICTURES)}); default: {MEANING}, or AM-CoNLL of a model "
            "that learned from trees.",
        ),
    ] = None,
    notation: NotationOption = None,
    device: DeviceOption = Device.AUTO,
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="Tokens stand between spaces already.")
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Fail if a sentence has a word that the model never saw."),
    ] = False,
) -> None:
    """Parse raw text; print one result per line or block, in input order."""
    from amparser.api import load

    known = (MEANING, *FORMATS, *PICTURES)
    if format_ is not None and format_ not in known:
        raise InputError(f"--format {format_}: expected one of {choices(known)}")
    places, sentences = _sentences(text or [], input_, tokenized=tokenized)
    loaded = load(model, device=device.value, notation=notation)
    format_ = format_ or str(getattr(loaded, "output_format", MEANING))
    can = [*TEXTS, *(GRAPHS if hasattr(loaded, "graph_of") else ())]
    if format_ not in can and not hasattr(loaded, "tree_of"):
        expected = choices(can)
        raise InputError(f"--format {format_}: a {loaded.system} has no trees, expected {expected}")
    for place, tokens in zip(places, sentences, strict=True):
        if problem := loaded.problem(tokens):
            raise InputError(f"{place}: {problem}")
    if strict:
        _check_known(loaded, places, sentences)
    if _printed(places, _results(loaded, sentences, decoder), format_):
        raise typer.Exit(1)


def _check_known(
    loaded: Model, places: Sequence[str], sentences: Sequence[tuple[str, ...]]
) -> None:
    """Raises InputError if a sentence has a word that the model never saw."""
    unknown_of = getattr(loaded, "unknown", None)
    if unknown_of is None:
        raise InputError(f"--strict: a {loaded.system} does not know which words it has seen")
    found = [
        f"{place}: {', '.join(map(repr, unknown))}"
        for place, tokens in zip(places, sentences, strict=True)
        if (unknown := unknown_of(tokens))
    ]
    if found:
        raise InputError(f"words that the model never saw: {'; '.join(found)}")


def _results(
    loaded: Model, sentences: Sequence[tuple[str, ...]], decoder: str | None
) -> Iterator[Result]:
    from amparser.corpora.splits import chunks
    from amparser.learn.system import CHUNK_SIZE

    decoders = () if decoder is None else (decoder,)
    for chunk in chunks(sentences, CHUNK_SIZE):
        [answers] = loaded.answers(chunk, decoders).values()
        yield from answers


def _printed(places: Sequence[str], results: Iterator[Result], output_format: str) -> int:
    """Print the results, list failures on stderr; returns the number of failures."""
    failures = []
    guesses = fallbacks = 0
    drawn: list[Example] = []
    for place, result in zip(places, results, strict=True):
        if output_format in PICTURES:
            drawn.append(_example(result))
        else:
            print(_shown(result, output_format), end="")
        guesses += bool(result.unknown)
        fallbacks += result.fallback is not None
        if result.failure is not None:
            failures.append(f"{place}: no parse: {_reason(result)}")
    if drawn:
        print(PICTURES[output_format](drawn), end="")
    sys.stdout.flush()
    if guesses:
        print(
            f"amparser: {guesses} of {len(places)} sentences with words that the model never saw",
            file=sys.stderr,
        )
    if fallbacks:
        print(
            f"amparser: {fallbacks} of {len(places)} sentences by a smaller search, as theirs was "
            "too large",
            file=sys.stderr,
        )
    if failures:
        for line in failures:
            print(line, file=sys.stderr)
        print(
            f"amparser: {len(failures)} of {len(places)} sentences without a parse",
            file=sys.stderr,
        )
    return len(failures)


def _shown(result: Result, output_format: str) -> str:
    if output_format == MEANING:
        return f"{result.meaning or NO_PARSE + _reason(result)}\n"
    return FORMATS[output_format].write(_example(result))


def _example(result: Result) -> Example:
    example = result.example()
    return example if result.failure is None else replace(example, failure=_reason(result))


def _reason(result: Result) -> str:
    """The reason why there is no meaning, followed by a malformed output if there is one."""
    return f"{result.failure}: {result.output}" if result.output else str(result.failure)


def _sentences(
    texts: Sequence[str], input_name: str | None, *, tokenized: bool
) -> tuple[list[str], list[tuple[str, ...]]]:
    """The place of each sentence, and its tokens.

    Raises:
        InputError: there is no sentence, or one cannot be parsed; the message names its place.
    """
    from amparser.corpora.tokens import checked_tokens, split_tokens, tokenize

    if input_name is None:
        if not texts:
            raise InputError("nothing to parse: give sentences, or --input FILE")
        placed = [(f"sentence {number}", text) for number, text in enumerate(texts, 1)]
    elif texts:
        raise InputError("give sentences or --input FILE, not both")
    else:
        name = shown_name(input_name)
        lines = lines_of(read_text(input_name))
        if not lines:
            raise InputError(f"{name}: empty, expected a sentence per line")
        placed = [(f"{name}:{number}", line) for number, line in enumerate(lines, 1)]
    sentences = []
    for place, text in placed:
        try:
            sentences.append(checked_tokens(text, split_tokens if tokenized else tokenize))
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
    return [place for place, _ in placed], sentences
