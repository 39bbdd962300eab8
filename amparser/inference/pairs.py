"""Files of labelled pairs: premise, hypothesis, label and genre, separated by tabs."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from amparser.corpus import checked_tokens, iterate_rows
from amparser.errors import CorpusError, InputError, located
from amparser.inference.replacements import ENTAILMENT, NEUTRAL

COLUMNS = ("PREMISE", "HYPOTHESIS", "LABEL", "GENRE")
UP, DOWN = "up", "down"
_EXPECTED = "<TAB>".join(COLUMNS)
_GENRE = re.compile(r"depth([0-9]+)\.([a-z.]+)\.(up|down)(?:\.empty)?")


class LabelledPair(NamedTuple):
    """A row.

    Attributes:
        premise, hypothesis: as they are written.
        label: `entailment` or `neutral`.
        depth: the paper's, from 1; files count from 0.
        function: what was replaced; relative clauses are `rc` at each depth.
        direction: `up` or `down`.
        line: in its file, from 1.
    """

    premise: str
    hypothesis: str
    label: str
    depth: int
    function: str
    direction: str
    line: int


def read_pairs(path: str | Path, limit: int | None = None) -> list[LabelledPair]:
    """The first rows of a .tsv or .tsv.gz file, or all.

    Raises:
        CorpusError: naming file and line, and what was expected there.
    """
    pairs = [_pair(columns, path, line) for line, columns in islice(iterate_rows(path), limit)]
    if not pairs:
        raise CorpusError(located(f"empty, expected {_EXPECTED} a line", path=path))
    return pairs


def holds_pairs(path: str | Path) -> bool:
    """Whether the first row of a file has as many columns as pairs have.

    Raises:
        CorpusError: the file cannot be read.
    """
    return any(len(columns) == len(COLUMNS) for _, columns in islice(iterate_rows(path), 1))


def _pair(columns: list[str], path: str | Path, line: int) -> LabelledPair:
    def wrong(message: str) -> CorpusError:
        return CorpusError(located(message, path=path, line=line))

    if len(columns) != len(COLUMNS):
        raise wrong(f"expected {_EXPECTED}, found {len(columns)} columns")
    premise, hypothesis, label, genre = columns
    for name, text in (("premise", premise), ("hypothesis", hypothesis)):
        try:
            checked_tokens(text)
        except InputError as error:
            raise wrong(f"{name}: {error}") from None
    if label not in (ENTAILMENT, NEUTRAL):
        raise wrong(f"label {label!r}, expected {ENTAILMENT} or {NEUTRAL}")
    if not (found := _GENRE.fullmatch(genre)):
        raise wrong(f"genre {genre!r}, expected depthN.FUNCTION.up or depthN.FUNCTION.down")
    function = found[2].replace("rc.n", "rc")
    return LabelledPair(premise, hypothesis, label, int(found[1]) + 1, function, found[3], line)
