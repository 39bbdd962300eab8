"""GeoQuery's questions as other languages might ask them, made of the English ones by rules.

`words` writes all words but names in another alphabet; `alphabet` writes names in it, too, so
that none can be copied; `backwards` turns the order around; `endings` makes prepositions endings
of what follows and drops articles. Alignments are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from amparser.corpora.example import Example

_LATIN = "abcdefghijklmnopqrstuvwxyz"
_GREEK = str.maketrans(
    _LATIN + _LATIN.upper(), "αβγδεζηθικλμνξοπρστυφχψωϋϊ" + "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΫΪ"
)
_ENDINGS = {"in": "da", "of": "in", "through": "dan", "the": ""}


def _is_name(tokens: Sequence[str], token: int) -> bool:
    """Whether a token inside a sentence has a capital."""
    return 0 < token < len(tokens) and tokens[token][0].isupper()


def _words(tokens: Sequence[str]) -> list[str]:
    return [t if _is_name(tokens, i) else t.translate(_GREEK) for i, t in enumerate(tokens)]


def _alphabet(tokens: Sequence[str]) -> list[str]:
    return [token.translate(_GREEK) for token in tokens]


def _backwards(tokens: Sequence[str]) -> list[str]:
    parts: list[list[str]] = []
    for i, token in enumerate(tokens[:-1]):
        if _is_name(tokens, i) and _is_name(tokens, i - 1):
            parts[-1].append(token)
        else:
            parts.append([token])
    return [*(token for part in reversed(parts) for token in part), *tokens[-1:]]


def _endings(tokens: Sequence[str]) -> list[str]:
    found: list[str] = []
    ending = ""
    for i, token in enumerate(tokens):
        if token.lower() in _ENDINGS:
            ending = _ENDINGS[token.lower()] or ending
        elif (_is_name(tokens, i) and _is_name(tokens, i + 1)) or not token.isalnum():
            found.append(token)
        else:
            found.append(token + ending)
            ending = ""
    return found


LANGUAGES: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "words": _words,
    "alphabet": _alphabet,
    "backwards": _backwards,
    "endings": _endings,
}


def spoken(row: Example, language: str) -> Example:
    """A question in one of the `LANGUAGES`, without its alignment."""
    tokens = tuple(LANGUAGES[language](row.tokens))
    return replace(row, tokens=tokens, alignment=None)
