"""Default tokenizer of raw text, positions of tokens in text, and checks of sentences."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from unicodedata import normalize

from amparser.characters import Token
from amparser.errors import InputError
from amparser.limits import MAX_TOKENS

Tokenizer = Callable[[str], Iterable[str]]
"""Function that returns the tokens of raw text."""

SIGNS = ".?,;!"
"""Punctuation characters that are separate tokens by default."""
ENDS = ".?!"
"""Characters that end a sentence."""
JOINTS = "_~ "
"""Characters that may join several words into one token, such as `at_least`."""
WORD = re.compile(r"(?<!\s)(\s*)(\S+)")
"""Pattern of a word between spaces, with the spaces before it."""
_UNEXPECTED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Pattern of invalid characters: the Unicode categories Cc, Cs, Zl and Zp."""
_PIECE = re.compile(rf"(?:[^\s{SIGNS}]|(?<=[0-9])[.,](?=[0-9]))+|[{SIGNS}]")


def tokenize(text: str) -> tuple[str, ...]:
    """Return the tokens of raw text: words, and each of `. ? , ; !` as a separate token.

    Periods and commas inside numbers are part of the number. Text that is already tokenized is
    split at its spaces.

    >>> tokenize("Who did Emma give a cake to?")
    ('Who', 'did', 'Emma', 'give', 'a', 'cake', 'to', '?')
    """
    return tuple(_PIECE.findall(text))


def split_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of a text that is already tokenized: it is split at its spaces.

    >>> split_tokens("ein z.B. genannter Hund")
    ('ein', 'z.B.', 'genannter', 'Hund')
    """
    words = tuple(text.split())
    if " ".join(words) == text.strip():
        return words
    return tuple(Token(word, gap) for gap, word in WORD.findall(text))


def places_in(text: str, tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the start and end (exclusive) of each token in its text, in characters from 0.

    A token may differ from the text in its case, in compatible characters (NFKC), or by a joining
    character instead of a space. If a token is not in the text, its span is empty and follows the
    previous token.

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
            rf"(?:{re.escape(sign)}|\s+)" if number and sign in JOINTS else re.escape(sign)
            for number, sign in enumerate("".join(map(_folded, token)))
        )
        if token and (match := re.compile(written).search(whole, bisect_left(at, end))):
            end = at[match.end() - 1] + 1
            places.append((at[match.start()], end))
        else:
            places.append((places[-1][1],) * 2 if places else (0, 0))
    return places


def _folded(character: str) -> str:
    """Return the compatible form (NFKC) of a character in lower case.

    Combining marks that the conversion to lower case adds are removed. An accent that is a
    character of its own is unchanged.

    >>> _folded("\u0130"), _folded("\ufb01"), _folded("\u00b4")
    ('i', 'fi', '\u00b4')
    """
    plain = normalize("NFKC", character)
    if " " in plain:
        return character
    lower = plain.lower()
    return lower if len(lower) == len(plain) else lower[:1]


def checked_tokens(text: str, tokenizer: Tokenizer = tokenize) -> tuple[str, ...]:
    """Return the tokens of a sentence. Raises InputError if a parser cannot read them."""
    check_characters(text)
    tokens = tokenizer(text)
    if isinstance(tokens, str) or not isinstance(tokens, Iterable):
        raise InputError(f"the tokenizer returned {tokens!r:.80}, expected a list of texts")
    tokens = list(tokens)
    if not all(isinstance(token, str) for token in tokens):
        raise InputError(f"the tokenizer returned {tokens!r:.80}, expected texts")
    return checked_sentence(tokens)


def checked_sentence(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens as a tuple. Raises InputError as `checked_tokens` does."""
    tokens = tuple(tokens)
    check_characters(" ".join(tokens))
    if not all(token.strip() for token in tokens):
        raise InputError("an empty token")
    if not tokens:
        raise InputError("empty, expected a sentence")
    if len(tokens) > MAX_TOKENS:
        raise InputError(f"{len(tokens)} tokens, expected at most {MAX_TOKENS}")
    return tokens


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, which do not depend on its tokenization."""
    return "".join(filter(str.isalnum, text))


def check_characters(text: str) -> None:
    """Raise InputError, naming the column, for control characters and other invalid characters."""
    if match := _UNEXPECTED.search(text):
        where = f"column {match.start() + 1}: unexpected character U+{ord(match[0]):04X}"
        what = ", expected a space" if match[0].isspace() else ""
        raise InputError(f"{where} in a sentence{what}")
