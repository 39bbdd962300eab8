"""`amparser parse`: raw text to meanings, graphs or trees."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
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
from amparser.cli.outputs import written
from amparser.cli.requests import Request, check_request, requests_of, strictly
from amparser.corpora.formats import FORMATS
from amparser.draw.formats import LISTINGS, PICTURES
from amparser.errors import AMParserError, InputError, one_of

if TYPE_CHECKING:
    from amparser.corpora.example import Example
    from amparser.learn.system import Model
    from amparser.results import Result

MEANING = "meaning"
RANKED = "ranked"
"""Format of several meanings of a sentence."""
TEXTS = (MEANING, "tsv", "json")
"""The formats that need neither graphs nor trees."""
GRAPHS = ("penman", *PICTURES)
"""Formats of graphs, besides listings."""
NO_PARSE = "# no parse: "
NO_WORD = "_"
"""Placeholder for the tokens of an empty line, in formats that need some."""
SENTENCE, GUESS, FALLBACK = "sentence", "guess", "fallback"
FAILURE, REFUSED = "failure", "refused"
"""Kinds of results that are counted."""
MOST_UNKNOWN = 200
"""Maximum number of unknown words kept for the hint."""
PROGRESS = 10.0
"""Seconds between two lines of progress on stderr."""


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
            "--tokenized",
            help="The sentences are tokenized: split at spaces alone.",
            rich_help_panel=READ,
        ),
    ] = False,
    k_best: BestOption = 1,
    min_confidence: ConfidenceOption = 0.0,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Stop at a malformed line or an unknown word.",
            rich_help_panel=READ,
        ),
    ] = False,
) -> None:
    """Print what sentences mean: a formula, a graph, roles or a picture."""
    from amparser.api import load
    from amparser.corpora.tokens import split_tokens
    from amparser.learn.system import asking, tokenizer_of
    from amparser.results import Asked

    known = (MEANING, *FORMATS, *LISTINGS, *PICTURES)
    if format_ is not None and format_ not in known:
        raise InputError(f"--format {format_}: {one_of(format_, known)}")
    texts = text or []
    check_request(texts, input_, text_file)
    with written(output) as file:
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
        requests = requests_of(texts, input_, text_file, tokenizer)
        if strict:
            requests = strictly(requests, loaded)
        printer = _Printer(file, format_)
        printer.print_all(_answers(loaded, requests, decoder, format_, jobs))
    for line in _notes(printer, getattr(loaded, "languages", ()), texts, by_default=model is None):
        _say(line)
    if printer.counts[FAILURE]:
        raise typer.Exit(1)


class Shown(NamedTuple):
    """A result as it is printed.

    Attributes:
        text: what is printed; empty for pictures.
        example: what is drawn; None for texts.
        complaint: a line for stderr, or None.
        counted: what is counted of it: `FAILURE` and other constants.
        unknown: see `Result`.
    """

    text: str
    example: Example | None
    complaint: str | None
    counted: tuple[str, ...]
    unknown: tuple[str, ...]


@dataclass
class _Printer:
    """Prints results as they come, and counts them."""

    file: TextIO
    format: str
    counts: Counter[str] = field(default_factory=Counter)
    drawn: list[Example] = field(default_factory=list)
    unknown: dict[str, None] = field(default_factory=dict)

    def print_all(self, batches: Iterator[list[Shown]]) -> None:
        """Print all results; failures and progress go to stderr."""
        started = said = time.monotonic()
        for batch in batches:
            for shown in batch:
                self._print(shown)
            self.file.flush()
            now, count = time.monotonic(), self.counts[SENTENCE]
            if now - said >= PROGRESS and count > 1:
                said = now
                _say(f"{count} sentences, {count / (now - started):.0f} sentences/s")
        if self.drawn:
            self.file.write(PICTURES[self.format](self.drawn))
            self.file.flush()

    def _print(self, shown: Shown) -> None:
        self.file.write(shown.text)
        if shown.example is not None:
            self.drawn.append(shown.example)
        if shown.complaint is not None:
            print(shown.complaint, file=sys.stderr)
        self.counts.update(shown.counted)
        if len(self.unknown) < MOST_UNKNOWN:
            self.unknown |= dict.fromkeys(shown.unknown)


def _notes(
    printer: _Printer, languages: Sequence[str], texts: Sequence[str], *, by_default: bool
) -> Iterator[str]:
    """Yield the last lines on stderr.

    Args:
        printer: has the counts.
        languages: those that the model reads, as far as they are known.
        texts: sentences on the command line.
        by_default: whether no model was named.
    """
    from amparser.cli.hint import better_models
    from amparser.corpora.sentences import pieces_of

    counts = printer.counts
    of_all = f"of {counts[SENTENCE]} sentences"
    if counts[GUESS]:
        reads = f"; it reads: {', '.join(languages)}" if languages else ""
        yield f"{counts[GUESS]} {of_all} with words that the model never saw{reads}"
    if counts[FALLBACK]:
        yield (
            f"{counts[FALLBACK]} {of_all} not by their best trees: "
            "the search was too large, or the best tree has no meaning"
        )
    if counts[FAILURE]:
        refused = f", {counts[REFUSED]} of them no sentence at all" if counts[REFUSED] else ""
        yield f"{counts[FAILURE]} {of_all} without a parse{refused}"
    if by_default:
        yield from better_models(list(printer.unknown))
    if any(one.isprintable() and len(list(pieces_of(one))) > 1 for one in texts):
        yield "several sentences were read as one; --text FILE reads each (- is stdin)"


def _say(text: str) -> None:
    print(f"amparser: {text}", file=sys.stderr, flush=True)


def _answers(
    loaded: Model,
    requests: Iterator[Request | None],
    decoder: str | None,
    output_format: str,
    jobs: int,
) -> Iterator[list[Shown]]:
    """Yield the results of requests as they are printed, batch by batch."""
    from amparser.learn.streaming import answered, batches, length_of
    from amparser.processes import mapped

    def shown(batch: list[Request]) -> list[Shown]:
        results = answered(loaded, [request.item for request in batch], decoder)
        return [
            _shown(request, result, output_format)
            for request, result in zip(batch, results, strict=True)
        ]

    def warm() -> None:
        loaded.answers([("a",)], () if decoder is None else (decoder,))

    parts = batches(requests, lambda request: length_of(request.item), jobs)
    return (found for _, found in mapped(shown, parts, jobs, warm=warm))


def _shown(request: Request, result: Result, output_format: str) -> Shown:
    text, example, complaint = "", None, None
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
    if result.failure is not None:
        complaint = f"{request.place}: no parse: {_reason(result)}"
    counted = {
        SENTENCE: True,
        GUESS: bool(result.unknown),
        FALLBACK: result.fallback is not None,
        FAILURE: result.failure is not None,
        REFUSED: not isinstance(request.item, tuple),
    }
    kinds = tuple(kind for kind, is_so in counted.items() if is_so)
    return Shown(text, example, complaint, kinds, result.unknown)


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
