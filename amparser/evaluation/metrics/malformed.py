"""Outputs that no notation can read: what is wrong with one, and how many there are.

Networks that write word by word may write anything. Each malformed output is of one kind,
the first in this list that applies:

    repeated loop           the end repeats one piece three times or more
    length limit            it was cut off before its end
    unclosed parenthesis    it opens more parentheses than it closes
    superfluous parenthesis it closes a parenthesis that was not opened
    empty                   it has no words
    ill-formed              anything else

A system that writes texts puts the kind of an output into `Result.failure`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.notations.notation import Notation
from amparser.results import Result

MEASURE = "malformed"
LOOP = "repeated loop"
LENGTH_LIMIT = "length limit"
UNCLOSED = "unclosed parenthesis"
SUPERFLUOUS = "superfluous parenthesis"
EMPTY = "empty"
ILL_FORMED = "ill-formed"
KINDS = (LOOP, LENGTH_LIMIT, UNCLOSED, SUPERFLUOUS, EMPTY, ILL_FORMED)

_TIMES = 3


def malformed_kind(tokens: Sequence[str], *, finished: bool, readable: bool) -> str | None:
    """The kind of a malformed output, or None for a well-formed one that has ended.

    >>> malformed_kind("cake ( x _ 1".split(), finished=True, readable=False)
    'unclosed parenthesis'
    """
    if finished and readable:
        return None
    if repeats(tokens):
        return LOOP
    if not finished:
        return LENGTH_LIMIT
    depth = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if depth < 0:
            return SUPERFLUOUS
    if depth:
        return UNCLOSED
    return ILL_FORMED if tokens else EMPTY


def repeats(tokens: Sequence[str]) -> bool:
    """Whether the end is one piece with a word, three times in a row; takes quadratic time.

    >>> repeats("a in ( b ) in ( b ) in ( b )".split()), repeats("a ( b ( c ) ) )".split())
    (True, False)
    """
    for size in range(1, len(tokens) // _TIMES + 1):
        end = tokens[-size:]
        if any(token.isalpha() for token in end) and all(
            tokens[len(tokens) - size * (i + 1) : len(tokens) - size * i] == end
            for i in range(1, _TIMES)
        ):
            return True
    return False


class MalformedMetric:
    """How many outputs follow no notation, and what is wrong with them.

    An answer that was not written as text, such as a tree, is never malformed.
    """

    name = "malformed"
    measures = (MEASURE, *(f"{MEASURE}:{kind}" for kind in KINDS))

    def problem(self, notation: Notation | None) -> str | None:
        """Labels follow no notation."""
        return "labels follow no notation" if notation is None else None

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """The counts, each 0 or 1 of 1."""
        found = kind_of(result)
        counts = {f"{MEASURE}:{kind}": Count(int(kind == found), 1) for kind in KINDS}
        return {MEASURE: Count(int(found is not None), 1), **counts}


def kind_of(result: Result) -> str | None:
    """What is wrong with a malformed answer that was written as text, or None."""
    return result.failure if result.output is not None and result.failure in KINDS else None


MALFORMED = MalformedMetric()
