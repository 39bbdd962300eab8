"""What is wrong with an output that no notation can read.

Networks that write word by word may write anything. Each malformed output is of one kind,
the first in this list that applies:

    repeated loop           the end repeats one piece three times or more
    length limit            it was cut off before its end
    unclosed parenthesis    it opens more parentheses than it closes
    superfluous parenthesis it closes a parenthesis that was not opened
    empty                   it has no words
    ill-formed              anything else
"""

from __future__ import annotations

from collections.abc import Sequence

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
        tokens: the tokens of the output.
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
