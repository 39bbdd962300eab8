"""Errors: a base class, and a subclass for each layer of the package.

Each message names the place (file, line, token or column) and the expected input. The command line
prints the message without a traceback, and exits with 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches

LONGEST_MESSAGE = 2000
"""Maximum characters of a message; the middle of a longer one is cut."""
_SHOWN = 60


class AMParserError(Exception):
    """Base class of all errors that this package raises on purpose."""

    def __str__(self) -> str:
        """Return the message; the middle of a message that is too long is left out."""
        text = super().__str__()
        half = LONGEST_MESSAGE // 2
        return text if len(text) <= LONGEST_MESSAGE else f"{text[: half - 5]} ... {text[-half:]}"


class LogicError(AMParserError):
    """Malformed logical form."""


class GraphError(AMParserError):
    """Malformed s-graph or PENMAN text."""


class TranslateError(AMParserError):
    """Logical form without a graph, or graph without a logical form."""


class GrammarError(AMParserError):
    """Malformed grammar, or a term that has no value; the message names line and column."""


class CorpusError(AMParserError):
    """Unreadable data file; the message names file, line and column."""


class AlgebraError(AMParserError):
    """Undefined type, graph constant or operation."""


class AMTreeError(AMParserError):
    """Malformed AM dependency tree or AM-CoNLL text."""


class DecomposeError(AMParserError):
    """Graph without an AM dependency tree under the given lexicon."""


class ConfigError(AMParserError):
    """Unknown setting, or setting with an invalid value."""


class ModelError(AMParserError):
    """Missing, truncated or incompatible model folder."""


class InputError(AMParserError):
    """Unusable text or path from the user."""


class ProcessError(AMParserError):
    """Worker process that ended unexpectedly."""


@contextmanager
def nesting(error: type[AMParserError], message: str = "nested too deeply") -> Iterator[None]:
    """Raise an error of the given class if the block raises a RecursionError."""
    try:
        yield
    except RecursionError:
        raise error(message) from None


def one_of(name: object, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the known names, and a similar one.

    >>> one_of("asta", ["astar", "fixed-tree"])
    "expected one of astar, fixed-tree; did you mean 'astar'?"
    """
    names = list(known)
    alike = get_close_matches(str(name), names, 1)
    hint = f"; did you mean {alike[0]!r}?" if alike else ""
    return f"expected one of {', '.join(names) or 'none'}{hint}"


def nearest(text: str, samples: Mapping[str, str]) -> str:
    """Return the name of the sample whose punctuation is most similar to the text's punctuation.

    >>> nearest("[a b (c d]", {"list": "[x, y]", "call": "f(x, y)", "Lisp": "(f (x y))"})
    'list'
    """

    def likeness(name: str) -> float:
        one, other = (re.sub(r"[\w ]+", "w", part[:300]) for part in (text, samples[name]))
        # The first characters of a text are the most typical of its notation.
        begin = sum(one[:count] == other[:count] for count in (1, 2, 3))
        return begin / 3 + SequenceMatcher(None, one, other, autojunk=False).ratio()

    return max(samples, key=likeness)


def located(message: str, *, path: object = None, line: int | None = None) -> str:
    """Return a message that begins with file and line, in the format that editors understand.

    >>> located("expected ')'", path="a.tsv", line=3)
    "a.tsv:3: expected ')'"
    """
    if path is None:
        return message
    return f"{path}:{line}: {message}" if line is not None else f"{path}: {message}"


def shown(value: object) -> str:
    """Return a value for a message, shortened if it is long.

    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."
    """
    # Only short collections are written out.
    if isinstance(value, dict | list) and len(value) > 5:
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # ValueError: an integer with too many digits to print
        return "a huge value"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
