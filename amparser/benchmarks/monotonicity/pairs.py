"""Files of labelled pairs: premise, hypothesis, label and genre, separated by tabs."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL
from amparser.corpora.examples import checked_tokens, iterate_rows
from amparser.errors import CorpusError, InputError, located

COLUMNS = ("PREMISE", "HYPOTHESIS", "LABEL", "GENRE")
UP, DOWN = "up", "down"
_EXPECTED = "<TAB>".join(COLUMNS)
_GENRES = "depthN.FUNCTION.up or depthN.FUNCTION.down"
_GENRE = re.compile(r"depth([0-9]+)\.([a-z.]+)\.(up|down)(?:\.empty)?")


class LabelledPair(NamedTuple):
    """A row.

    Attributes:
        premise, hypothesis: as they are written.
        label: `entailment` or `neutral`.
        genre: depthN.FUNCTION.DIRECTION, N from 0; the published files have `.empty` after some.
        line: in its file, from 1.
    """

    premise: str
    hypothesis: str
    label: str
    genre: str
    line: int = 0

    @property
    def depth(self) -> int:
        """The paper's depth, from 1."""
        return int(self._parts()[1]) + 1

    @property
    def function(self) -> str:
        """What was replaced; a relative clause is `rc` at each depth."""
        return self._parts()[2].replace("rc.n", "rc")

    @property
    def direction(self) -> str:
        """`up` or `down`."""
        return self._parts()[3]

    def _parts(self) -> re.Match[str]:
        found = _GENRE.fullmatch(self.genre)
        if found is None:
            raise InputError(f"genre {self.genre!r}, expected {_GENRES}")
        return found


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
    """Whether the first row of a file has as many columns as pairs have, if it can be read."""
    try:
        return any(len(columns) == len(COLUMNS) for _, columns in islice(iterate_rows(path), 1))
    except CorpusError:
        return False


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
    if not _GENRE.fullmatch(genre):
        raise wrong(f"genre {genre!r}, expected {_GENRES}")
    return LabelledPair(premise, hypothesis, label, genre, line)
