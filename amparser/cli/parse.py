"""`amparser parse`: parse raw text to meanings, graphs or trees."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TextIO

import typer

from amparser.cli import options
from amparser.cli.options import choices, option
from amparser.cli.outputs import say, written
from amparser.corpora.formats import FORMATS
from amparser.draw.formats import LISTINGS, PICTURES
from amparser.errors import AMParserError, InputError, one_of

if TYPE_CHECKING:
    from amparser.cli.requests import Request
    from amparser.corpora.example import Example
    from amparser.learn.system import Model
    from amparser.misses import Log
    from amparser.results import Result

MEANING = "meaning"
RANKED = "ranked"
"""Output format for several meanings per sentence."""
ASK_BACK = "ask-back"
"""Output format with one meaning, or with the two best meanings if they tie."""
TEXTS = (MEANING, ASK_BACK, "tsv", "json")
"""Formats that need neither graphs nor trees."""
AMCONLL = "amconll"
NO_PARSE = "# no parse: "
NO_WORD = "_"
"""Placeholder token for an empty line, in formats that need a token."""
PROGRESS = 10.0
"""Seconds between two progress messages on stderr."""


def parse(
    text: Annotated[list[str] | None, typer.Argument(metavar="TEXT")] = None,
    input_: Annotated[str | None, option("--input -i FILE|-", options.READ)] = None,
    text_file: Annotated[str | None, option("--text FILE|-", options.READ)] = None,
    output: Annotated[Path | None, option("--output -o FILE", options.PRINTED)] = None,
    model: options.ModelOption = None,
    decoder: options.DecoderOption = None,
    format_: Annotated[str | None, option("--format -f NAME", options.PRINTED)] = None,
    notation: options.NotationOption = None,
    device: options.DeviceOption = options.Device.AUTO,
    jobs: options.JobsOption = 1,
    tokenized: Annotated[bool, option("--tokenized", options.READ)] = False,
    k_best: options.BestOption = 1,
    min_confidence: options.ConfidenceOption = 0.0,
    allow_unknown: options.UnknownOption = False,
    log: options.LogOption = None,
    strict: Annotated[bool, option("--strict", options.READ)] = False,
) -> None:
    """Print what sentences mean: a formula, a graph, roles or a picture.

    Args:
        text: Sentences, one per argument.
        input_: A file with one sentence per line, plain or gzipped; - is stdin.
        text_file: A file of running text, which is split into sentences; - is stdin.
        output: Write the results to this file, completely or not at all.
        format_: meaning (default), ask-back (the two best meanings if they tie), who did what
            to whom ({listings}), a picture ({pictures}) or a corpus format ({formats}).
        strict: Stop at a malformed line or an unknown word.
    """
    from amparser.api import load
    from amparser.cli.requests import check_request, requests_of, strictly
    from amparser.corpora.tokens import split_tokens
    from amparser.learn.system import tokenizer_of, with_options
    from amparser.misses import Log
    from amparser.results import AnswerOptions

    known = (MEANING, ASK_BACK, *FORMATS, *LISTINGS, *PICTURES)
    if format_ is not None and format_ not in known:
        raise InputError(f"--format {format_}: {one_of(format_, known)}")
    texts = text or []
    check_request(texts, input_, text_file)
    with written(output) as file:
        loaded = load(model, device=device.value, notation=notation)
        k_best = max(k_best, 2) if format_ == ASK_BACK else k_best
        answer_options = AnswerOptions(k_best, min_confidence, allow_unknown)
        loaded = with_options(loaded, answer_options)
        format_ = format_ or str(getattr(loaded, "output_format", MEANING))
        if format_ not in TEXTS and not hasattr(loaded, "graph_of"):
            raise InputError(
                f"--format {format_}: this model has no graphs, expected one of {choices(TEXTS)}"
            )
        if format_ == MEANING and k_best > 1:
            format_ = RANKED
        tokenizer = split_tokens if tokenized else tokenizer_of(loaded)
        requests = requests_of(texts, input_, text_file, tokenizer)
        if strict:
            requests = strictly(requests, loaded)
        misses = None if log is None else Log(log).checked()
        answers = _answers(loaded, requests, decoder, format_, jobs, misses)
        counts, unknown = _print_all(answers, file, format_)
    for line in _notes(counts, unknown, getattr(loaded, "languages", ()), texts):
        say(line)
    if counts["failures"]:
        raise typer.Exit(1)


_NAMED = 10
"""Maximum number of unknown words listed after all answers."""


class Shown(NamedTuple):
    """Output for a sentence: a text or an example to draw, a line for stderr, and counts."""

    text: str
    example: Example | None
    complaint: str | None
    counts: dict[str, int]
    unknown: tuple[str, ...]


def _print_all(
    batches: Iterable[list[Shown]], file: TextIO, output_format: str
) -> tuple[Counter[str], list[str]]:
    counts: Counter[str] = Counter()
    unknown: dict[str, None] = {}
    drawn: list[Example] = []
    started = said = time.monotonic()
    for batch in batches:
        for printed in batch:
            file.write(printed.text)
            if printed.example is not None:
                drawn.append(printed.example)
            if printed.complaint is not None:
                print(printed.complaint, file=sys.stderr)
            counts.update(printed.counts)
            if len(unknown) <= _NAMED:
                unknown |= dict.fromkeys(printed.unknown)
        file.flush()
        now, count = time.monotonic(), counts["sentences"]
        if now - said >= PROGRESS and count > 1:
            said = now
            say(f"{count} sentences, {count / (now - started):.0f} sentences/s")
    if drawn:
        file.write(PICTURES[output_format](drawn))
        file.flush()
    return counts, list(unknown)


def _notes(
    counts: Counter[str], unknown: Sequence[str], languages: Sequence[str], texts: Sequence[str]
) -> Iterator[str]:
    from amparser.corpora.sentences import pieces_of

    of_all = f"of {counts['sentences']} sentences"
    if guesses := counts["guesses"]:
        reads = f"; its languages: {', '.join(languages)}" if languages else ""
        words = ", ".join(map(repr, unknown[:_NAMED])) + " .." * (len(unknown) > _NAMED)
        yield f"{guesses} {of_all} with words that the model never saw: {words}{reads}"
    if fallbacks := counts["fallbacks"]:
        yield (
            f"{fallbacks} {of_all} answered by a fallback: "
            "the search exceeded its limits, or the best tree has no meaning"
        )
    if failures := counts["failures"]:
        refused = counts["refused"]
        yield f"{failures} {of_all} without a parse" + (
            f", {refused} of them invalid input" if refused else ""
        )
    if any(text.isprintable() and len(list(pieces_of(text))) > 1 for text in texts):
        yield "several sentences were read as one; --text FILE splits a text (- is stdin)"


def _answers(
    loaded: Model,
    requests: Iterator[Request | None],
    decoder: str | None,
    output_format: str,
    jobs: int,
    misses: Log | None = None,
) -> Iterator[list[Shown]]:
    from amparser.learn.streaming import answered, batches, length_of
    from amparser.processes import mapped

    def shown(batch: list[Request]) -> list[Shown]:
        results = [
            result.altered(text=request.text, start=request.start)
            for request, result in zip(
                batch, answered(loaded, [one.item for one in batch], decoder), strict=True
            )
        ]
        if misses is not None:
            misses.add(results)
        pairs = zip(batch, results, strict=True)
        return [_shown(request, result, output_format) for request, result in pairs]

    def warm() -> None:
        loaded.answers([("a",)], () if decoder is None else (decoder,))

    parts = batches(requests, lambda request: length_of(request.item), jobs)
    return (found for _, found in mapped(shown, parts, jobs, warm=warm))


def _shown(request: Request, result: Result, output_format: str) -> Shown:
    text, example, complaint = "", None, None
    asks_back = "tie" in result.reasons and bool(result.alternatives)
    if output_format == MEANING or (output_format == ASK_BACK and not asks_back):
        text = f"{_answer(result)}\n"
    elif output_format in (RANKED, ASK_BACK):
        text = _readings(result)
    elif output_format in PICTURES:
        example = _example(result)
    elif output_format in LISTINGS:
        text = LISTINGS[output_format](_example(result))
    else:
        drawable = result.with_derivation() if output_format == AMCONLL else result
        text = _written(_example(drawable), output_format)
    if result.failure is not None:
        complaint = f"{request.place}: no parse: {_reason(result)}"
    counts = {
        "sentences": 1,
        "guesses": int(bool(result.unknown)),
        "fallbacks": int(result.fallback is not None),
        "failures": int(result.failure is not None),
        "refused": int(not isinstance(request.item, tuple)),
    }
    return Shown(text, example, complaint, counts, result.unknown)


def _answer(result: Result) -> str:
    return result.meaning or NO_PARSE + _reason(result)


def _readings(result: Result) -> str:
    ranked = enumerate((result, *result.alternatives), 1)
    lines = [f"{rank}\t{reading.logp or 0.0:.2f}\t{_answer(reading)}\n" for rank, reading in ranked]
    return "".join((*lines, "\n"))


def _written(example: Example, output_format: str) -> str:
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
    return f"{result.failure}: {result.output}" if result.output else str(result.failure)
