"""Recognise the notation of a corpus from a sample of its meanings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from amparser.corpora.example import Example
from amparser.errors import AMParserError, nearest
from amparser.notations.notation import Notation, without_layout
from amparser.notations.registry import NOTATIONS

SAMPLE = 200
"""Maximum number of meanings from which a notation is recognised."""


_SHOWN = 60


def recognised(examples: Iterable[Example]) -> list[str]:
    """Return the names of notations that can read all meanings of a sample, most likely first.

    The sample is the first `SAMPLE` examples with a meaning; without such examples, the result is
    empty. Notations that build graphs for most sentences come first, and among these, generic ones
    such as nested terms come last. Ties are broken by the number of meanings that are unchanged
    after reading and writing. If the examples name a notation, only this notation is tried.

    >>> recognised([Example(("Emma", "slept"), "answer(sleep(emma, _))")])
    ['term']
    """
    having = (example for example in examples if example.meaning is not None)
    sample = list(islice(having, SAMPLE))
    named = {example.notation for example in sample} - {None}
    names = [name for name in NOTATIONS if not named or named == {name}]
    texts = [example.meaning or "" for example in sample]
    readers = [name for name in names if texts and all(map(NOTATIONS[name].is_readable, texts))]
    return sorted(readers, key=lambda name: _rank(NOTATIONS[name], sample))


def fits(example: Example, name: str) -> bool:
    """Return True if the meaning of an example has a graph in the named notation."""
    try:
        NOTATIONS[name].graph(example.tokens, example.meaning or "")
    except AMParserError:
        return False
    return True


def unread(examples: Sequence[Example]) -> tuple[Example, str]:
    """Return the first example that no notation can read, and a message about it.

    The message names the most likely notation.
    """
    readers = NOTATIONS.values()
    unreadable = (e for e in examples if not any(n.is_readable(e.meaning or "") for n in readers))
    example = next(unreadable, examples[0])
    meaning = example.meaning or ""
    samples = {name: NOTATIONS[name].sample for name in NOTATIONS if NOTATIONS[name].sample}
    likely = nearest(meaning, samples)
    reason = ""
    try:
        NOTATIONS[likely].read(meaning)
    except AMParserError as error:
        reason = f": {error}"
    meant = meaning if len(meaning) <= _SHOWN else f"{meaning[:_SHOWN]}..."
    return example, (
        f"the notation of the meanings is not recognised: no notation reads {meant!r}; "
        f"{likely} is nearest{reason}; write a meaning such as {samples[likely]}, "
        f"or name one of {', '.join(NOTATIONS)}"
    )


def _rank(notation: Notation, sample: Sequence[Example]) -> tuple[bool, bool, int]:
    fitting = written = 0
    for example in sample:
        meaning = example.meaning or ""
        try:
            graph = notation.graph(example.tokens, meaning)
            fitting += 1
            written += notation.write(without_layout(graph)) == meaning
        except AMParserError:
            continue
    return 2 * fitting <= len(sample), notation.generic, -written
