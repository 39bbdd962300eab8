"""Prolog facts of GeoQuery, one per line: `parse([what,is,it,?], answer(A,it(A))).`"""

from __future__ import annotations

import re

from amparser.corpora.example import Example
from amparser.corpora.formats import ReadOnlyFormat
from amparser.errors import InputError

_FACT = re.compile(r"\w+\(\s*\[(.*?)\]\s*,\s*(.+)\)\s*\.")
_WORD = re.compile(r"'((?:[^'\\]|\\.|'')*)'|[^\s,]+")


class PrologFacts(ReadOnlyFormat):
    """Format of Prolog facts with a list of words and a meaning; it can only be read."""

    name = "prolog-facts"
    suffixes = (".pl",)
    sample = "parse([turn,on,the,lamp,'.'], on(lamp))."

    def example(self, text: str) -> Example | None:
        """Return the example of a fact, or None if the line is empty or a comment."""
        if not text.strip() or text.lstrip().startswith("%"):
            return None
        fact = _FACT.fullmatch(text.strip())
        words = [match[1] or match[0] for match in _WORD.finditer(fact[1])] if fact else []
        if fact is None or not words:
            raise InputError(f"expected a line such as {self.sample}")
        return Example(tuple(words), fact[2].strip())


PROLOG_FACTS = PrologFacts()
