"""Read corpus files of any format, plain or gzip'd."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice
from pathlib import Path
from typing import IO, TypeVar, cast

from amparser.corpora.example import Example
from amparser.corpora.format import CorpusFormat
from amparser.corpora.formats import GZIP, format_of
from amparser.errors import AMParserError, CorpusError, located
from amparser.files import GZIP_DAMAGE, NOT_UTF16, UTF16, gzip_damage, not_utf8
from amparser.limits import LONGEST_LINE, MAX_TOKENS, MOST_FAULTS, MOST_LINES

_LINE = re.compile(r"line (\d+)(?:, |: )(.*)", re.DOTALL)
_SAMPLE = 1000
"""Maximum number of items that a format inspects to adapt to a file."""

Item = TypeVar("Item")


def read_examples(
    path: str | Path, *, limit: int | None = None, faults: list[str] | None = None
) -> list[Example]:
    """Return the (first `limit`) examples of a file in order; see `iterate_examples`."""
    return list(islice(iterate_examples(path, faults), limit))


def iterate_examples(path: str | Path, faults: list[str] | None = None) -> Iterator[Example]:
    """Yield the examples of a file.

    Args:
        faults: collects malformed items as `FILE:LINE: REASON`; if None, they are errors.

    Raises:
        CorpusError: the file is missing, a folder, unreadable or truncated; its suffix is unknown;
            an item is malformed, or more than `MOST_FAULTS` are. The message begins with
            `path:line:`.
    """
    path = Path(path)
    return examples_of(format_of(path), _lines(path), path, faults)


def examples_of(
    chosen: CorpusFormat,
    lines: Iterable[tuple[int, str | CorpusError]],
    name: object,
    faults: list[str] | None = None,
) -> Iterator[Example]:
    """Yield the examples in lines; see `iterate_examples`.

    Args:
        lines: line numbers (from 1) with lines without line ends, or their faults.
    """
    items: Iterator[tuple[int, str | AMParserError]]
    items = iter(blocks(lines) if chosen.in_blocks else lines)
    if cut := getattr(chosen, "items", None):
        items = cut(lines)
    if of_items := getattr(chosen, "of_items", None):
        first = list(islice(items, _SAMPLE))
        chosen = of_items([item for _, item in first if isinstance(item, str)])
        items = chain(first, items)
    yield from parsed(items, chosen.example, name, faults)


def parsed(
    items: Iterable[tuple[int, Item | AMParserError]],
    parse: Callable[[Item], Example | None],
    name: object,
    faults: list[str] | None = None,
) -> Iterator[Example]:
    """Yield the examples of items with their line numbers; see `iterate_examples`."""
    for number, item in items:
        try:
            if isinstance(item, AMParserError):
                raise item
            if (example := parse(item)) is not None:
                yield replace(example, line=number)
        except AMParserError as error:
            fault = error
            if error is not item or not isinstance(error, CorpusError):
                in_block = _LINE.fullmatch(str(error))
                reason, line = (in_block[2], int(in_block[1])) if in_block else (str(error), 1)
                fault = CorpusError(located(reason, path=name, line=number + line - 1))
            if faults is None:
                raise fault from None
            if len(faults) >= MOST_FAULTS:
                before = f"{MOST_FAULTS} rows before it are malformed too"
                raise CorpusError(f"{fault}; {before}") from None
            faults.append(str(fault))


def blocks(
    lines: Iterable[tuple[int, str | CorpusError]],
) -> Iterator[tuple[int, str | CorpusError]]:
    """Yield runs of non-blank lines with the number of their first line."""
    for is_blank, run in groupby(lines, lambda line: not str(line[1]).strip()):
        if not is_blank:
            numbers, texts = zip(*run, strict=True)
            fault = next((text for text in texts if isinstance(text, CorpusError)), None)
            yield numbers[0], fault or "\n".join(texts)


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a UTF-8 file without line ends, with their numbers (from 1).

    Raises CorpusError if the file is missing, a folder, unreadable or truncated, or not UTF-8.
    """
    for number, line in _lines(path):
        if isinstance(line, CorpusError):
            raise line
        yield number, line


def _lines(path: Path) -> Iterator[tuple[int, str | CorpusError]]:
    for number, data in raw_lines(path):
        if number > MOST_LINES:
            limit = f"more than {MOST_LINES} lines, expected fewer"
            raise CorpusError(located(limit, path=path, line=number))
        try:
            text = data.decode("utf-8").rstrip("\r\n")
            yield number, text.removeprefix("\ufeff") if number == 1 else text
        except UnicodeDecodeError as error:
            reason = not_utf8(data, error, begins=False)
            yield number, CorpusError(located(reason, path=path, line=number))


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with line ends, with their numbers (from 1). Raises CorpusError."""
    number = 0
    try:
        with _open(path) as file:
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                if len(line) > LONGEST_LINE:
                    limit = f"a line of more than {LONGEST_LINE >> 20} MiB, expected shorter ones"
                    raise CorpusError(located(limit, path=path, line=number))
                if number == 1 and line.startswith(UTF16):
                    raise CorpusError(located(NOT_UTF16, path=path, line=number))
                yield number, line
    except GZIP_DAMAGE as error:
        raise CorpusError(located(gzip_damage(error), path=path, line=number + 1)) from None
    except OSError as error:
        raise CorpusError(located(error.strerror or str(error), path=path)) from None


def _open(path: Path) -> IO[bytes]:
    if path.suffix == GZIP:
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


def check_lengths(examples: Sequence[Example], path: Path) -> None:
    """Raise CorpusError, naming file and line, if a sentence is too long to train on."""
    for example in examples:
        if (count := len(example.tokens)) > MAX_TOKENS:
            reason = f"{count} tokens, expected at most {MAX_TOKENS}"
            raise CorpusError(located(reason, path=example.file or path, line=example.line))
