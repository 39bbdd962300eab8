"""Read corpus files of any format; files may be compressed by gzip."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, islice
from pathlib import Path
from typing import TypeVar

from amparser.corpora.example import Example
from amparser.corpora.formats import CorpusFormat, format_of
from amparser.corpora.lines import raw_lines, text_or_fault
from amparser.errors import AMParserError, CorpusError, located
from amparser.limits import MAX_TOKENS, MOST_FAULTS, MOST_LINES

_LINE = re.compile(r"line (\d+)(?:, |: )(.*)", re.DOTALL)
_SAMPLE = 1000
"""Maximum number of items that are read in advance, for example to find the columns of a file."""

Item = TypeVar("Item")


def read_examples(
    path: str | Path, *, limit: int | None = None, faults: list[str] | None = None
) -> list[Example]:
    """Return the first `limit` examples of a file (default: all); see `iterate_examples`."""
    return list(islice(iterate_examples(path, faults), limit))


def iterate_examples(path: str | Path, faults: list[str] | None = None) -> Iterator[Example]:
    """Yield the examples of a file.

    Args:
        faults: list to which malformed items are added as `FILE:LINE: REASON`; if None, malformed
            items are errors.

    Raises:
        CorpusError: the file is missing, unreadable, truncated or a folder; its suffix is unknown;
            an item is malformed and `faults` is None; or more than `MOST_FAULTS` items are
            malformed. The message begins with `path:line:`.
    """
    path = Path(path)
    return examples_of(format_of(path), _lines(path), path, faults)


def examples_of(
    chosen: CorpusFormat,
    lines: Iterable[tuple[int, str | CorpusError]],
    name: object,
    faults: list[str] | None = None,
) -> Iterator[Example]:
    """Yield the examples in the lines of a file; see `iterate_examples`.

    Args:
        lines: pairs of a line number (from 1), and the line (without line end) or an error.
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
    """Yield the examples of numbered items; see `iterate_examples`.

    Args:
        parse: function that returns the example of an item, or None if it contains none.
    """
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
    """Yield the blocks between blank lines, with the number of their first line."""
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
    for number, data in filter(None, raw_lines(path)):
        if number > MOST_LINES:
            limit = f"more than {MOST_LINES} lines, expected fewer"
            raise CorpusError(located(limit, path=path, line=number))
        line = text_or_fault(data)
        if isinstance(line, CorpusError):
            line = CorpusError(located(str(line), path=path, line=number))
        yield number, line


def check_lengths(examples: Sequence[Example], path: Path) -> None:
    """Raise CorpusError, naming file and line, if a sentence is too long to train on."""
    for example in examples:
        if (count := len(example.tokens)) > MAX_TOKENS:
            reason = f"{count} tokens, expected at most {MAX_TOKENS}"
            raise CorpusError(located(reason, path=example.file or path, line=example.line))
