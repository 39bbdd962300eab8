"""Tokens of raw text."""

from __future__ import annotations

import re
import unicodedata

from amparser.errors import InputError

MAX_TOKENS = 400
"""Longer sentences are rejected, since memory grows with the square of the length."""
_PIECE = re.compile(r"(?:[^\s.?,;!]|(?<=[0-9])[.,](?=[0-9]))+|[.?,;!]")


def tokenize(text: str) -> tuple[str, ...]:
    """The tokens of raw text: words, and each of `. ? , ; !` by itself.

    A point or comma inside a number stays there. Tokenised text
    comes out unchanged; empty text has no tokens.

    >>> tokenize("Who did Emma give a cake to?")
    ('Who', 'did', 'Emma', 'give', 'a', 'cake', 'to', '?')
    """
    return tuple(_PIECE.findall(text))


def checked_tokens(text: str) -> tuple[str, ...]:
    """The tokens of a sentence that a parser can take.

    Raises:
        InputError: the sentence is empty or too long, or contains a control character,
            surrogate, tab or line break; the message names the column.
    """
    for column, character in enumerate(text, 1):
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            raise InputError(
                f"column {column}: unexpected character U+{ord(character):04X} in a sentence"
            )
    tokens = tokenize(text)
    if not tokens:
        raise InputError("empty, expected a sentence")
    if len(tokens) > MAX_TOKENS:
        raise InputError(f"{len(tokens)} tokens, expected at most {MAX_TOKENS}")
    return tokens
