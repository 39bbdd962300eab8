"""Tokens of raw text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from unicodedata import normalize

from amparser.characters import Token
from amparser.errors import InputError
from amparser.limits import MAX_TOKENS

Tokenizer = Callable[[str], Iterable[str]]
"""From raw text to tokens."""

SIGNS = ".?,;!"
"""What is a token by itself, if nothing says otherwise."""
ENDS = ".?!"
"""What ends a sentence."""
JOINTS = "_~ "
"""What joins words to one token."""
WORD = re.compile(r"(?<!\s)(\s*)(\S+)")
"""What stands between two spaces, with the spaces before it."""
_UNEXPECTED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Unicode's categories Cc, Cs, Zl and Zp."""
_PIECE = re.compile(rf"(?:[^\s{SIGNS}]|(?<=[0-9])[.,](?=[0-9]))+|[{SIGNS}]")


def tokenize(text: str) -> tuple[str, ...]:
    """The tokens of raw text: words, and each of `. ? , ; !` by itself.

    A point or comma inside a number stays there. Tokenised text
    comes out unchanged; empty text has no tokens.

    >>> tokenize("Who did Emma give a cake to?")
    ('Who', 'did', 'Emma', 'give', 'a', 'cake', 'to', '?')
    """
    return tuple(_PIECE.findall(text))


def split_tokens(text: str) -> tuple[str, ...]:
    """The tokens of text that is tokenised already: what stands between spaces.

    >>> split_tokens("ein z.B. genannter Hund")
    ('ein', 'z.B.', 'genannter', 'Hund')
    """
    words = tuple(text.split())
    if " ".join(words) == text.strip():
        return words
    return tuple(Token(word, gap) for gap, word in WORD.findall(text))


def places_in(text: str, tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Where each token stands in its text, in characters from 0, the end behind the last one.

    A token may be in other case or compatible characters than in the text, and have another sign
    where the text has a space. One that is not in the rest of the text has no characters: it starts
    and ends where the token before it ends.

    >>> places_in("Dr. Smith can't at  least sleep", ["Dr.", "smith", "ca", "n't", "at_least"])
    [(0, 3), (4, 9), (10, 12), (12, 15), (16, 25)]
    >>> places_in("\ufb01ne \u0130s", ["fine", "is"])
    [(0, 3), (4, 6)]
    """
    folded = [_folded(character) for character in text]
    at = [number for number, characters in enumerate(folded) for _ in characters]
    whole = "".join(folded)
    places: list[tuple[int, int]] = []
    end = 0
    for token in tokens:
        if isinstance(token, Token) and text.startswith(token.gap + token.written, end):
            start = end + len(token.gap)
            end = start + len(token.written)
            places.append((start, end))
            continue
        written = "".join(
            rf"(?:{re.escape(sign)}|\s+)" if sign in JOINTS else re.escape(sign)
            for sign in "".join(map(_folded, token))
        )
        if token and (match := re.compile(written).search(whole, bisect_left(at, end))):
            end = at[match.end() - 1] + 1
            places.append((at[match.start()], end))
        else:
            places.append((places[-1][1],) * 2 if places else (0, 0))
    return places


def _folded(character: str) -> str:
    """A character in lower case, without marks that only its lower case has.

    >>> _folded("\u0130"), _folded("\ufb01")
    ('i', 'fi')
    """
    if character.isspace():
        return character
    plain = normalize("NFKC", character)
    lower = plain.lower()
    return lower if len(lower) == len(plain) else lower[:1]


def checked_tokens(text: str, tokenizer: Tokenizer = tokenize) -> tuple[str, ...]:
    """The tokens of a sentence that a parser can take.

    Raises:
        InputError: the sentence is empty or too long, or contains a control character,
            surrogate, tab or line break; the message names the column.
    """
    check_characters(text)
    if tokenizer is not tokenize:
        tokens = tokenizer(text)
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            raise InputError(f"the tokenizer gave {tokens!r:.80}, expected a list of texts")
        tokens = list(tokens)
        if not all(isinstance(token, str) for token in tokens):
            raise InputError(f"the tokenizer gave {tokens!r:.80}, expected texts")
        return checked_sentence(tokens)
    # Its tokens are parts of the text, and none is empty.
    return _checked_length(tokenize(text))


def checked_sentence(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens themselves, if a parser can take them; raises InputError as `checked_tokens`."""
    tokens = tuple(tokens)
    check_characters(" ".join(tokens))
    if not all(token.strip() for token in tokens):
        raise InputError("an empty token")
    return _checked_length(tokens)


def _checked_length(tokens: tuple[str, ...]) -> tuple[str, ...]:
    if not tokens:
        raise InputError("empty, expected a sentence")
    if len(tokens) > MAX_TOKENS:
        raise InputError(f"{len(tokens)} tokens, expected at most {MAX_TOKENS}")
    return tokens


def check_characters(text: str) -> None:
    """Raise InputError, naming the column, if a sentence has a character that no file can hold."""
    if match := _UNEXPECTED.search(text):
        where = f"column {match.start() + 1}: unexpected character U+{ord(match[0]):04X}"
        what = ", expected a space" if match[0].isspace() else ""
        raise InputError(f"{where} in a sentence{what}")
