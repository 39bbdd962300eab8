"""Errors: one base class, one class per layer.

Every message names where the fault is (file, line, token or column) and what
was expected. The command line prints only the message and exits with 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches

LONGEST_MESSAGE = 2000
"""Characters of a message; what is between the ends of a longer one is left out."""
_SHOWN = 60


class AMParserError(Exception):
    """Base class of every error that this package raises on purpose."""

    def __str__(self) -> str:
        """The message, in which a label or a number of the input may not be endless."""
        text = super().__str__()
        half = LONGEST_MESSAGE // 2
        return text if len(text) <= LONGEST_MESSAGE else f"{text[: half - 5]} ... {text[-half:]}"


class LogicError(AMParserError):
    """A logical form that does not follow its notation."""


class GraphError(AMParserError):
    """An s-graph, or its PENMAN notation, that is malformed."""


class TranslateError(AMParserError):
    """A logical form without a graph, or a graph without a logical form."""


class GrammarError(AMParserError):
    """A malformed grammar, or a term without a value; the message names line and column."""


class CorpusError(AMParserError):
    """A data file that cannot be read; the message names file, line and column."""


class AlgebraError(AMParserError):
    """An undefined type, graph constant or operation."""


class AMTreeError(AMParserError):
    """An AM dependency tree, or AM-CoNLL text, that is malformed."""


class DecomposeError(AMParserError):
    """A graph that has no AM dependency tree under the given lexicon."""


class ConfigError(AMParserError):
    """An unknown or ill-typed setting."""


class ModelError(AMParserError):
    """A model folder that is missing, truncated or of another program."""


class InputError(AMParserError):
    """Text or a path given by the user that cannot be used."""


class ProcessError(AMParserError):
    """A process that worked for this one has died."""


@contextmanager
def nesting(error: type[AMParserError], message: str = "nested too deeply") -> Iterator[None]:
    """Turn nesting that is too deep for Python's stack into an error."""
    try:
        yield
    except RecursionError:
        raise error(message) from None


def one_of(name: object, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: what was expected, and which name is alike.

    >>> one_of("asta", ["astar", "fixed-tree"])
    "expected one of astar, fixed-tree; did you mean 'astar'?"
    """
    names = list(known)
    alike = get_close_matches(str(name), names, 1)
    hint = f"; did you mean {alike[0]!r}?" if alike else ""
    return f"expected one of {', '.join(names) or 'none'}{hint}"


def nearest(text: str, samples: Mapping[str, str]) -> str:
    """Return the name of the sample whose signs between words are most like a text's.

    >>> nearest("[a b (c d]", {"list": "[x, y]", "call": "f(x, y)", "Lisp": "(f (x y))"})
    'list'
    """

    def likeness(name: str) -> float:
        one, other = (re.sub(r"[\w ]+", "w", part[:300]) for part in (text, samples[name]))
        # The first signs say most.
        begin = sum(one[:count] == other[:count] for count in (1, 2, 3))
        return begin / 3 + SequenceMatcher(None, one, other, autojunk=False).ratio()

    return max(samples, key=likeness)


def located(message: str, *, path: object = None, line: int | None = None) -> str:
    """Prefix a message with where it happened, in the form editors understand.

    >>> located("expected ')'", path="a.tsv", line=3)
    "a.tsv:3: expected ')'"
    """
    if path is None:
        return message
    return f"{path}:{line}: {message}" if line is not None else f"{path}: {message}"


def shown(value: object) -> str:
    """A value in a message, cut where it is long.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    # Values of a list that are written out.
    if isinstance(value, dict | list) and len(value) > 5:
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # more digits than Python writes
        return "a huge value"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
