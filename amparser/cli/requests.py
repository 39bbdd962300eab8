"""Input of `amparser parse`: arguments, lines of a file, or sentences in running text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from amparser.corpora.lines import raw_lines, text_or_fault
from amparser.corpora.sentences import pieces_of
from amparser.corpora.tokens import Tokenizer
from amparser.errors import InputError
from amparser.files import read_text, shown_name
from amparser.learn.streaming import EMPTY_LINE, Item, checked
from amparser.learn.system import Model
from amparser.limits import LONGEST_STREAMED_LINE
from amparser.results import Result


class Request(NamedTuple):
    """A sentence of the input, or the reason why a line is malformed.

    Attributes:
        place: location in the input, for messages, such as FILE:LINE.
        item: tokens of the sentence, or a result that gives the failure.
        start: offset of the sentence in running text, in characters.
    """

    place: str
    item: Item
    text: str | None = None
    start: int = 0


def check_request(texts: Sequence[str], input_name: str | None, text_name: str | None) -> None:
    """Raise InputError unless exactly one kind of input is given."""
    count = bool(texts) + (input_name is not None) + (text_name is not None)
    if count > 1:
        raise InputError("give only one: sentences, --input FILE or --text FILE")
    if not count:
        raise InputError("nothing to parse: give sentences, --input FILE or --text FILE")


def requests_of(
    texts: Sequence[str], input_name: str | None, text_name: str | None, tokenizer: Tokenizer
) -> Iterator[Request | None]:
    """Yield the requested sentences, and None if the next line has not arrived yet."""
    if input_name is not None:
        return _requests_of_lines(input_name, tokenizer)
    if text_name is not None:
        return _requests_of_text(text_name, tokenizer)
    return (
        Request(f"sentence {number}", checked(text, tokenizer), text)
        for number, text in enumerate(texts, 1)
    )


def _requests_of_text(name: str, tokenizer: Tokenizer) -> Iterator[Request]:
    text = read_text(name)
    if not text.strip():
        raise InputError(f"{shown_name(name)}: empty, expected a text")
    line, seen = 1, 0
    for piece in pieces_of(text, getattr(tokenizer, "whole", ())):
        line, seen = line + text.count("\n", seen, piece.start), piece.start
        place = f"{shown_name(name)}:{line}"
        yield Request(place, checked(piece.line, tokenizer), piece.text, piece.start)


def _requests_of_lines(input_name: str, tokenizer: Tokenizer) -> Iterator[Request | None]:
    name = shown_name(input_name)
    number = 0
    for line in raw_lines(input_name):
        if line is None:
            yield None
            continue
        number, text = line[0], text_or_fault(line[1], LONGEST_STREAMED_LINE)
        if isinstance(text, str):
            text = re.sub(r"\s", " ", text)
            yield Request(f"{name}:{number}", checked(text, tokenizer), text)
        else:
            yield Request(f"{name}:{number}", Result((), failure=str(text)), "")
    if not number:
        raise InputError(f"{name}: empty, expected a sentence per line")


def strictly(requests: Iterator[Request | None], loaded: Model) -> Iterator[Request | None]:
    """Yield the requests; raise InputError at a malformed line or an unknown word."""
    unknown_of: Callable[[Sequence[str]], Sequence[str]] | None
    unknown_of = getattr(loaded, "unknown", None)
    if unknown_of is None:
        raise InputError(
            f"--strict: a {loaded.system} does not store its vocabulary: expected a parser"
        )
    for request in requests:
        if request is not None:
            if not isinstance(request.item, tuple):
                expected = ", expected a sentence" if request.item.failure == EMPTY_LINE else ""
                raise InputError(f"{request.place}: {request.item.failure}{expected}")
            if problem := loaded.problem(request.item):
                raise InputError(f"{request.place}: {problem}")
            if unknown := unknown_of(request.item):
                words = ", ".join(map(repr, unknown))
                raise InputError(f"{request.place}: words that the model never saw: {words}")
        yield request
