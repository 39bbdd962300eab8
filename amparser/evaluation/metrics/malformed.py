"""What is wrong with an output that no notation can read, as counts by kind.

Networks that write word by word may write anything. Each malformed output is of one kind,
the first that holds:

    repeated loop           the end says one and the same thing three times or more
    length limit            it was cut off before it had ended
    unclosed parenthesis    more are opened than closed
    superfluous parenthesis one is closed that was not opened
    empty                   there is nothing
    ill-formed              anything else
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.notations.notation import Notation
from amparser.results import Result

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

    Args:
        tokens: of the output.
        finished: whether it ended by itself.
        readable: whether it follows its notation.
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
    """Whether the end is a piece that holds a word, three times in a row; quadratic time.

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


MEASURE = "malformed"


class MalformedMetric:
    """How many outputs follow no notation, and what is wrong with them.

    Of answers that were not written as text, such as trees, none is malformed.
    """

    name = "malformed"
    measures = (MEASURE, *(f"{MEASURE}:{kind}" for kind in KINDS))

    def problem(self, notation: Notation | None) -> str | None:
        """Labels follow no notation."""
        return "labels follow no notation" if notation is None else None

    def compare(
        self,
        notation: Notation | None,
        gold: Example,  # noqa: ARG002
        result: Result,
    ) -> Mapping[str, Count]:
        """0 or 1 of 1."""
        found = kind_of(notation, result)
        counts = {f"{MEASURE}:{kind}": Count(int(kind == found), 1) for kind in KINDS}
        return {MEASURE: Count(int(found is not None), 1), **counts}


def kind_of(notation: Notation | None, result: Result) -> str | None:
    """What is wrong with an answer that is malformed, or None.

    A system may say so in `failure`; a `failure` of `length limit` says that the output was
    cut off.
    """
    if result.output is None or result.meaning is not None or notation is None:
        return None
    if result.failure in KINDS and result.failure != LENGTH_LIMIT:
        return result.failure
    readable = notation.is_readable(result.output)
    words = notation.split(result.output)
    return malformed_kind(words, finished=result.failure != LENGTH_LIMIT, readable=readable)


MALFORMED = MalformedMetric()
