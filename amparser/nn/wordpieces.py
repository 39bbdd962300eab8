"""WordPiece tokenization (Wu et al. 2016), as in BERT's uncased models.

Equivalent to the library `tokenizers`, but without its dependency on a hub client.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from amparser.nn.unigram import Encoding
from amparser.remembered import Remembered

_UNKNOWN, _START, _END = "[UNK]", "[CLS]", "[SEP]"
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
"""Code point ranges of ideographs; each ideograph is a word."""
_CONTROLS = ("Cc", "Cf", "Co")
"""Unicode categories of characters that are dropped."""


class WordPieces:
    """Tokenizer with the interface that `PretrainedEncoder` needs.

    Args:
        pieces: subwords in the order of their ids; a word-internal subword starts with `##`.

    Attributes:
        numbers: id of each subword.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self.numbers = {piece: number for number, piece in enumerate(pieces)}
        self.ids_of = Remembered(self._ids_of, 100_000)

    def encode_batch(self, sentences: Sequence[Sequence[str]], **_: bool) -> list[Encoding]:
        """Return the subwords of tokenized sentences.

        Only the first subword of a word has its index: the states of others are not used.
        """
        return [self._encoding(tokens) for tokens in sentences]

    def _encoding(self, tokens: Sequence[str]) -> Encoding:
        encoding = Encoding([self.numbers[_START]], [None])
        for index, token in enumerate(tokens):
            ids = self.ids_of(token)
            encoding.ids.extend(ids)
            encoding.word_ids.extend([index, *[None] * len(ids)][: len(ids)])
        encoding.ids.append(self.numbers[_END])
        encoding.word_ids.append(None)
        return encoding

    def _ids_of(self, token: str) -> tuple[int, ...]:
        """Return the subword ids of a token; empty if all its characters are dropped."""
        return tuple(number for word in _words(token) for number in self._pieces(word))

    def _pieces(self, word: str) -> list[int]:
        """Split a word greedily into its longest known subwords."""
        numbers: list[int] = []
        start = 0
        # A word of more than 100 characters is unknown, as in BERT.
        while start < len(word) <= 100:
            before = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((e for e in ends if before + word[start:e] in self.numbers), None)
            if end is None:
                break
            numbers.append(self.numbers[before + word[start:end]])
            start = end
        return numbers if start == len(word) else [self.numbers[_UNKNOWN]]


def _words(token: str) -> list[str]:
    """Return a token in lower case without accents, split at punctuation and ideographs."""
    kept = "".join(f" {c} " if _is_ideograph(c) else c for c in token if not _is_control(c))
    plain = "".join(
        c for c in unicodedata.normalize("NFD", kept) if unicodedata.category(c) != "Mn"
    )
    return "".join(f" {c} " if _is_punctuation(c) else c for c in plain.lower()).split()


def _is_ideograph(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in _IDEOGRAPHS)


def _is_control(char: str) -> bool:
    return char == "\ufffd" or (char not in "\t\n\r" and unicodedata.category(char) in _CONTROLS)


def _is_punctuation(char: str) -> bool:
    return (
        char.isascii() and not char.isalnum() and char.isprintable() and not char.isspace()
    ) or unicodedata.category(char)[0] == "P"
