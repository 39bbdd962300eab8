"""The notations that a model may write: their words, and when an output is right."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from amparser.corpora.examples import Example
from amparser.errors import AMParserError, ConfigError, CorpusError, LogicError, located
from amparser.evaluation.metrics import Counts
from amparser.evaluation.metrics.forms import comparison
from amparser.evaluation.metrics.varfree import compare_varfree
from amparser.logic.cogs import logical_form_from_str
from amparser.logic.fol import NLTK
from amparser.logic.varfree import varfree_from_str, varfree_to_str
from amparser.notations.registry import NOTATIONS as GRAPHS
from amparser.notations.varfree_conversion import varfree_from_logical_form

_WORD = re.compile(r"\w+")
_SPACED = frozenset({"&", "|", "->"})


@dataclass(frozen=True)
class Notation:
    """A notation of targets.

    Attributes:
        name: as in the settings, and in the names of SyGNS's data files.
        split: a text to its words.
        join: words to a text; of a well-formed text the inverse of `split`.
        read: raises LogicError for a malformed text.
        compare: tokens of the sentence, gold text, predicted text or None.
    """

    name: str
    split: Callable[[str], Sequence[str]]
    join: Callable[[Sequence[str]], str]
    read: Callable[[str], object]
    compare: Callable[[Sequence[str], str, str | None], Counts]

    def readable(self, text: str) -> bool:
        """Whether a text follows the notation."""
        try:
            self.read(text)
        except LogicError:
            return False
        return True


def join_fol(words: Sequence[str]) -> str:
    """The words of a first-order formula as NLTK writes them.

    >>> join_fol(["exists", "x1", ".", "(", "dog", "(", "x1", ")", "&", "-", "run", "(", "x1"])
    'exists x1.(dog(x1) & -run(x1'
    """
    text = "".join(words[:1])
    for left, right in pairwise(words):
        both = _WORD.fullmatch(left) and _WORD.fullmatch(right)
        text += f" {right}" if both or left in _SPACED or right in _SPACED else right
    return text


def _of_graphs(
    name: str,
    split: Callable[[str], Sequence[str]] = str.split,
    join: Callable[[Sequence[str]], str] = " ".join,
) -> Notation:
    """One that is a notation of graphs too, read and compared in the same way."""
    compare = comparison(name)
    return Notation(
        name, split, join, GRAPHS[name].read, lambda _, gold, found: compare(gold, found)
    )


NOTATIONS = {
    found.name: found
    for found in (
        _of_graphs("cogs"),
        Notation("varfree", str.split, " ".join, varfree_from_str, compare_varfree),
        _of_graphs("fol", NLTK.tokens.findall, join_fol),
        _of_graphs("clf"),
        _of_graphs("vf"),
    )
}


def notation_of(name: str) -> Notation:
    """The notation of a name; raises ConfigError where there is none."""
    if name not in NOTATIONS:
        raise ConfigError(f"no target {name!r}, expected one of {', '.join(NOTATIONS)}")
    return NOTATIONS[name]


def target_of(notation: Notation, example: Example, *, path: object = None) -> str:
    """The meaning of an example in a notation; of COGS forms `varfree` is made.

    Raises:
        CorpusError: naming file and line; the meaning is malformed, or its words do not
            make up its text.
    """
    text = example.meaning
    try:
        if notation.name == "varfree" and not notation.readable(text):
            text = varfree_to_str(varfree_from_logical_form(logical_form_from_str(text)))
        notation.read(text)
    except AMParserError as error:
        reason = f"expected a meaning in the notation {notation.name!r}: {error}"
        raise CorpusError(located(reason, path=path, line=example.line)) from None
    if notation.join(notation.split(text)) != text:
        reason = f"expected {notation.join(notation.split(text))!r}, found {text!r}"
        raise CorpusError(located(reason, path=path, line=example.line))
    return text
