"""`amparser parse`: raw text to meanings, graphs or trees."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TextIO

import typer

from amparser.cli.options import (
    PRINTED,
    READ,
    BestOption,
    ConfidenceOption,
    DecoderOption,
    Device,
    DeviceOption,
    JobsOption,
    ModelOption,
    NotationOption,
    choices,
)
from amparser.cli.requests import Request, requests_of, strictly
from amparser.corpora.formats import FORMATS
from amparser.draw.formats import LISTINGS, PICTURES
from amparser.errors import AMParserError, InputError, one_of
from amparser.files import replacing

if TYPE_CHECKING:
    from amparser.corpora.example import Example
    from amparser.learn.system import Model
    from amparser.results import Result

MEANING = "meaning"
RANKED = "ranked"
"""What the best meanings are printed as, if there may be several."""
TEXTS = (MEANING, "tsv", "json")
"""The formats that need neither graphs nor trees."""
GRAPHS = ("penman", *PICTURES)
"""The formats that draw or write a graph where there is no tree, besides listings."""
NO_PARSE = "# no parse: "
NO_WORD = "_"
"""Stands for the tokens of a line without any, in formats that need some."""
MOST_UNKNOWN = 200
"""So many unknown words are remembered."""
PROGRESS = 10.0
"""The seconds after which a line on stderr says how far a long run is."""


def parse(
    text: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="Sentences, one per argument.")
    ] = None,
    input_: Annotated[
        str | None,
        typer.Option(
            "--input",
            "-i",
            metavar="FILE|-",
            help="A file of sentences, one per line, perhaps gzip'd; - is stdin.",
            rich_help_panel=READ,
        ),
    ] = None,
    text_file: Annotated[
        str | None,
        typer.Option(
            "--text",
            metavar="FILE|-",
            help="A file of running text, which is split into sentences.",
            rich_help_panel=READ,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write results there, all or nothing.",
            rich_help_panel=PRINTED,
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
            help=f"{MEANING} (default), who did what to whom ({choices(LISTINGS)}), a picture "
            f"({choices(PICTURES)}) or a corpus format ({choices(FORMATS)}).",
            rich_help_panel=PRINTED,
        ),
    ] = None,
    notation: NotationOption = None,
    device: DeviceOption = Device.AUTO,
    jobs: JobsOption = 1,
    tokenized: Annotated[
        bool,
        typer.Option(
            "--tokenized", help="Tokens stand between spaces already.", rich_help_panel=READ
        ),
    ] = False,
    k_best: BestOption = 1,
    min_confidence: ConfidenceOption = 0.0,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Stop at a line that is no sentence or has a word that the model never saw.",
            rich_help_panel=READ,
        ),
    ] = False,
) -> None:
    """Print what sentences mean: a formula, a graph, roles or a picture."""
    from amparser.api import load
    from amparser.cli.hint import better_models
    from amparser.corpora.sentences import pieces_of
    from amparser.corpora.tokens import split_tokens
    from amparser.learn.system import asking, tokenizer_of
    from amparser.results import Asked

    known = (MEANING, *FORMATS, *LISTINGS, *PICTURES)
    if format_ is not None and format_ not in known:
        raise InputError(f"--format {format_}: {one_of(format_, known)}")
    requests_of(text or [], input_, text_file)  # reports options that do not fit
    with ExitStack() as stack:
        file = sys.stdout if output is None else stack.enter_context(replacing(output))
        loaded = load(model, device=device.value, notation=notation)
        loaded = asking(loaded, Asked(k_best, min_confidence))
        format_ = format_ or str(getattr(loaded, "output_format", MEANING))
        can = [*TEXTS, *((*GRAPHS, *LISTINGS) if hasattr(loaded, "graph_of") else ())]
        if format_ not in can and not getattr(loaded, "has_trees", False):
            raise InputError(
                f"--format {format_}: this model has no trees, expected one of {choices(can)}"
            )
        if format_ == MEANING and k_best > 1:
            format_ = RANKED
        tokenizer = split_tokens if tokenized else tokenizer_of(loaded)
        read = partial(requests_of, text or [], input_, text_file, tokenizer)
        requests = strictly(read, loaded, input_ or text_file) if strict else read()
        printer = _Printer(file, format_, getattr(loaded, "languages", ()))
        printer.print_all(_answers(loaded, requests, decoder, format_, jobs))
    printer.print_counts()
    for line in better_models(list(printer.unknown)) if model is None else ():
        _say(line)
    if any(one.isprintable() and len(list(pieces_of(one))) > 1 for one in text or ()):
        _say("several sentences were read as one; --text FILE reads each (- is stdin)")
    if printer.failures:
        raise typer.Exit(1)


class Shown(NamedTuple):
    """A result as it is printed.

    Attributes:
        place: of the sentence.
        text: what is printed; empty for pictures.
        example: what is drawn; None for texts.
        failure: why there is no meaning.
        refused: whether there is no sentence at all.
        unknown, fallback: see `Result`.
    """

    place: str
    text: str
    example: Example | None
    failure: str | None
    refused: bool
    unknown: tuple[str, ...]
    fallback: bool


@dataclass
class _Printer:
    """Prints results as they come, and counts them."""

    file: TextIO
    format: str
    languages: Sequence[str] = ()
    count: int = 0
    failures: int = 0
    refused: int = 0
    guesses: int = 0
    fallbacks: int = 0
    drawn: list[Example] = field(default_factory=list)
    unknown: dict[str, None] = field(default_factory=dict)

    def print_all(self, batches: Iterator[list[Shown]]) -> None:
        """Print all results; failures and progress go to stderr."""
        started = said = time.monotonic()
        for batch in batches:
            for shown in batch:
                self._print(shown)
            self.file.flush()
            now = time.monotonic()
            if now - said >= PROGRESS and self.count > 1:
                said = now
                rate = self.count / (now - started)
                _say(f"{self.count} sentences, {rate:.0f} sentences/s")
        if self.drawn:
            self.file.write(PICTURES[self.format](self.drawn))
            self.file.flush()

    def _print(self, shown: Shown) -> None:
        if shown.example is None:
            self.file.write(shown.text)
        else:
            self.drawn.append(shown.example)
        self.count += 1
        self.refused += shown.refused
        self.guesses += bool(shown.unknown)
        if len(self.unknown) < MOST_UNKNOWN:
            self.unknown |= dict.fromkeys(shown.unknown)
        self.fallbacks += shown.fallback
        if shown.failure is not None:
            self.failures += 1
            print(f"{shown.place}: no parse: {shown.failure}", file=sys.stderr)

    def print_counts(self) -> None:
        """The last lines on stderr."""
        of_all = f"of {self.count} sentences"
        if self.guesses:
            read = f"; it reads: {', '.join(self.languages)}" if self.languages else ""
            _say(f"{self.guesses} {of_all} with words that the model never saw{read}")
        if self.fallbacks:
            _say(
                f"{self.fallbacks} {of_all} not by their best trees: "
                "the search was too large, or the best tree has no meaning"
            )
        if self.failures:
            refused = f", {self.refused} of them no sentence at all" if self.refused else ""
            _say(f"{self.failures} {of_all} without a parse{refused}")


def _say(text: str) -> None:
    print(f"amparser: {text}", file=sys.stderr, flush=True)


def _answers(
    loaded: Model,
    requests: Iterator[Request | None],
    decoder: str | None,
    output_format: str,
    jobs: int,
) -> Iterator[list[Shown]]:
    """The results of requests as they are printed, batch by batch."""
    from amparser.learn.streaming import answered, batches, length_of
    from amparser.processes import mapped

    def shown(batch: list[Request]) -> list[Shown]:
        results = answered(loaded, [request.item for request in batch], decoder)
        return [
            _shown(request, result, output_format)
            for request, result in zip(batch, results, strict=True)
        ]

    def length(request: Request) -> int:
        return length_of(request.item)

    def warm() -> None:
        loaded.answers([("a",)], () if decoder is None else (decoder,))

    for _, batch in mapped(shown, batches(requests, length, jobs), jobs, warm=warm):
        yield batch


def _shown(request: Request, result: Result, output_format: str) -> Shown:
    text, example = "", None
    result = result.altered(text=request.text, start=request.start)
    if output_format == MEANING:
        text = f"{_answer(result)}\n"
    elif output_format == RANKED:
        text = _readings(result)
    elif output_format in PICTURES:
        example = _example(result)
    elif output_format in LISTINGS:
        text = LISTINGS[output_format](_example(result))
    else:
        text = _written(_example(result), output_format)
    return Shown(
        request.place,
        text,
        example,
        None if result.failure is None else _reason(result),
        not isinstance(request.item, tuple),
        result.unknown,
        result.fallback is not None,
    )


def _answer(result: Result) -> str:
    return result.meaning or NO_PARSE + _reason(result)


def _readings(result: Result) -> str:
    """The best meanings, a line each, and an empty line."""
    ranked = enumerate((result, *result.alternatives), 1)
    lines = [f"{rank}\t{one.logp or 0.0:.2f}\t{_answer(one)}\n" for rank, one in ranked]
    return "".join((*lines, "\n"))


def _written(example: Example, output_format: str) -> str:
    """An example in a corpus format; a failure that it cannot hold is a comment."""
    write = FORMATS[output_format].write
    if example.failure is None:
        return write(example)
    for attempt in (example, replace(example, tokens=(NO_WORD,))):
        with suppress(AMParserError):
            return write(attempt)
    return f"{NO_PARSE}{example.failure}\n"


def _example(result: Result) -> Example:
    example = result.example()
    return example if result.failure is None else replace(example, failure=_reason(result))


def _reason(result: Result) -> str:
    """The reason why there is no meaning, followed by a malformed output if there is one."""
    return f"{result.failure}: {result.output}" if result.output else str(result.failure)
