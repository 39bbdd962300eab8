r"""Files of labelled sentence pairs, and conversion of pairs to examples.

A row is PREMISE <tab> HYPOTHESIS <tab> LABEL <tab> GENRE. As a corpus example, a pair has the
tokens `(*premise, "\t", *hypothesis)`; a tab is never a token of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from amparser.benchmarks.monotonicity.reading import fragment, joined
from amparser.corpora.example import Example
from amparser.corpora.reading import numbered_lines, read_examples
from amparser.corpora.tokens import checked_tokens, tokenize
from amparser.errors import CorpusError, InputError, located
from amparser.evaluation.metric import Count
from amparser.grammar.chart import string_sequence
from amparser.notations.notation import Notation
from amparser.results import Result

ENTAILMENT, NEUTRAL = "entailment", "neutral"
COLUMNS = ("PREMISE", "HYPOTHESIS", "LABEL", "GENRE")
BETWEEN = "\t"
"""Token that separates premise and hypothesis."""
SIDES = ("premise", "hypothesis")
NO_QUANTIFIER = "none"
_EXPECTED = "<TAB>".join(COLUMNS)
_GENRES = "depthN.FUNCTION.up or depthN.FUNCTION.down"
_GENRE = re.compile(r"depth([0-9]+)\.([a-z.]+)\.(up|down)(?:\.empty)?")

Tokens = tuple[str, ...]


class LabelledPair(NamedTuple):
    """Row of a file of pairs.

    Attributes:
        genre: text `depthN.FUNCTION.DIRECTION`, N from 0, optionally followed by `.empty`.
    """

    premise: str
    hypothesis: str
    label: str
    genre: str
    line: int = 0


def pair_tokens(premise: Sequence[str], hypothesis: Sequence[str]) -> Tokens:
    """Return the tokens of a pair."""
    return (*premise, BETWEEN, *hypothesis)


def sides(tokens: Sequence[str]) -> tuple[Tokens, Tokens]:
    r"""Split the tokens of a pair into premise and hypothesis.

    >>> sides(("Ann", "ran", "\t", "Bob", "ran"))
    (('Ann', 'ran'), ('Bob', 'ran'))

    Raises:
        InputError: there is not exactly one tab.
    """
    if tokens.count(BETWEEN) != 1:
        message = f"expected a premise, a tab and a hypothesis, found {tokens.count(BETWEEN)} tabs"
        raise InputError(message)
    place = tokens.index(BETWEEN)
    return tuple(tokens[:place]), tuple(tokens[place + 1 :])


def checked_pair(texts: Sequence[str]) -> tuple[Tokens, Tokens]:
    """Return the tokens of two raw sentences. Raises InputError if one is faulty."""
    tokens = []
    for side, text in zip(SIDES, texts, strict=True):
        try:
            tokens.append(checked_tokens(text))
        except InputError as error:
            raise InputError(f"{side}: {error}") from None
    return tokens[0], tokens[1]


def read_pairs(path: str | Path, limit: int | None = None) -> list[LabelledPair]:
    """Return the first `limit` rows (or all) of a .tsv or .tsv.gz file. Raises CorpusError."""
    lines = islice(numbered_lines(Path(path)), limit)
    pairs = [_pair(line.split("\t"), path, number) for number, line in lines]
    if not pairs:
        raise CorpusError(located(f"no pairs, expected {_EXPECTED} on each line", path=path))
    return pairs


def holds_pairs(path: Path) -> bool:
    """Return True if the first row of a file has the four columns of a pair."""
    try:
        first = next(numbered_lines(path), None)
    except CorpusError:
        return False
    return first is not None and len(first[1].split("\t")) == len(COLUMNS)


def read_rows(path: Path, limit: int | None = None) -> list[Example]:
    """Read pairs if the first row has four columns, else training data of the parser."""
    if holds_pairs(path):
        return [*map(example_of, read_pairs(path, limit))]
    return read_examples(path, limit=limit)


def example_of(pair: LabelledPair) -> Example:
    """Return a pair as an example; the meaning is the label and the tag is the genre."""
    tokens = pair_tokens(tokenize(pair.premise), tokenize(pair.hypothesis))
    return Example(tokens, pair.label, tags=(pair.genre,), line=pair.line)


def tags_of(example: Example) -> tuple[str, ...]:
    """Return depth (`D3`), depth with direction (`D3 up`), function, direction and quantifier."""
    genre = _GENRE.fullmatch(example.tags[0]) if len(example.tags) == 1 else None
    if genre is None:
        return example.tags
    # The paper counts depths from 1. Relative clauses have the function `rc` at every depth.
    depth, function, direction = f"D{int(genre[1]) + 1}", genre[2].replace("rc.n", "rc"), genre[3]
    quantifier = innermost(sides(example.tokens)[0])
    return (depth, f"{depth} {direction}", function, direction, quantifier)


@cache
def _quantifiers() -> frozenset[str]:
    rules = fragment().grammar.rules
    kinds = ("Upward_", "Downward_")
    return frozenset(
        "_".join(map(str, string_sequence(rule))) for rule in rules if rule.parent.startswith(kinds)
    )


def innermost(tokens: Sequence[str]) -> str:
    """Return the last quantifier of a sentence, or `none`."""
    quantifiers = [token for token in joined(tokens)[0] if token in _quantifiers()]
    return quantifiers[-1].replace("_", " ") if quantifiers else NO_QUANTIFIER


def _pair(columns: list[str], path: str | Path, line: int) -> LabelledPair:
    try:
        if len(columns) != len(COLUMNS):
            raise InputError(f"expected {_EXPECTED}, found {len(columns)} columns")
        premise, hypothesis, label, genre = columns
        checked_pair((premise, hypothesis))
        if label not in (ENTAILMENT, NEUTRAL):
            raise InputError(f"label {label!r}, expected {ENTAILMENT} or {NEUTRAL}")
        if not _GENRE.fullmatch(genre):
            raise InputError(f"genre {genre!r}, expected {_GENRES}")
    except InputError as error:
        raise CorpusError(located(str(error), path=path, line=line)) from None
    return LabelledPair(premise, hypothesis, label, genre, line)


class LabelMetric:
    """Share of correct labels, and share of missing answers; a missing answer counts as wrong."""

    name = "label"
    measures = ("label", "unanswered")

    def problem(self, notation: Notation | None) -> str | None:
        """Return why the metric cannot judge meanings, or None."""
        if notation is None:
            return None
        return f"{notation.name} meanings are not labels"

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the counts, each 0 or 1 out of 1."""
        return {
            "label": Count(int(result.meaning == gold.meaning), 1),
            "unanswered": Count(int(result.meaning is None), 1),
        }


LABEL = LabelMetric()
