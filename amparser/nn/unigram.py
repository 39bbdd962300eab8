"""Tokenization into subwords by a unigram model (Kudo 2018), as SentencePiece does it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from amparser.remembered import Remembered

_START, _END, _UNKNOWN = "<s>", "</s>", "<unk>"
SPACE = "\u2581"
"""Mark at the beginning of each word's first subword."""


class Encoding(NamedTuple):
    """Subwords of a sentence.

    Attributes:
        ids: subword ids, with the start and end marks.
        word_ids: index (from 0) of each subword's word, or None for the start and end marks.
    """

    ids: list[int]
    word_ids: list[int | None]


class Unigram:
    """Tokenizer with the interface that `PretrainedEncoder` needs.

    Args:
        pieces: subwords and special marks, in the order of their ids.
        scores: log-probability (natural log) of each subword.
    """

    def __init__(self, pieces: Sequence[str], scores: Sequence[float]) -> None:
        self._scored = {p: (i, s) for i, (p, s) in enumerate(zip(pieces, scores, strict=True))}
        marks = (_START, _END, _UNKNOWN)
        self._start, self._end, self._unknown = (self._scored[mark][0] for mark in marks)
        self._longest = max(map(len, pieces))
        # Score of an unknown character, as in SentencePiece.
        self._least = min(scores) - 10
        self.ids_of = Remembered(self._ids_of, 100_000)

    def scored(self) -> list[tuple[str, float]]:
        """Return each subword with its score, in the order of the ids."""
        return [(piece, score) for piece, (_, score) in self._scored.items()]

    def word_logp(self, word: str) -> float:
        """Return the log-probability of a word if it is a single subword, else minus infinity."""
        _, score = self._scored.get(SPACE + word, (0, -inf))
        return score

    def encode_batch(self, sentences: Sequence[Sequence[str]], **_: bool) -> list[Encoding]:
        """Return the subwords of tokenized sentences."""
        return [self._encoding(tokens) for tokens in sentences]

    def _encoding(self, tokens: Sequence[str]) -> Encoding:
        encoding = Encoding([self._start], [None])
        for index, token in enumerate(tokens):
            ids = self.ids_of(token)
            encoding.ids.extend(ids)
            encoding.word_ids.extend([index] * len(ids))
        encoding.ids.append(self._end)
        encoding.word_ids.append(None)
        return encoding

    def _ids_of(self, token: str) -> tuple[int, ...]:
        plain = "".join(
            c for c in unicodedata.normalize("NFKC", token) if c.isspace() or c.isprintable()
        )
        return tuple(number for word in plain.split() for number in self._best(SPACE + word))

    def _best(self, word: str) -> list[int]:
        """Return the most likely segmentation of a word (Viterbi).

        Adjacent unknown characters form one unknown subword.
        """
        # A word of more than 100 characters counts as unknown, as in WordPiece.
        if len(word) > 100:
            return [self._unknown]
        # For each end position: score of the best segmentation; start and id of its last subword.
        best: list[tuple[float, int, int]] = [(0.0, 0, -1)]
        for end in range(1, len(word) + 1):
            options = [(best[end - 1][0] + self._least, end - 1, self._unknown)]
            for start in range(max(0, end - self._longest), end):
                if piece := self._scored.get(word[start:end]):
                    options.append((best[start][0] + piece[1], start, piece[0]))
            best.append(max(options))
        ids: list[int] = []
        end = len(word)
        while end:
            _, start, number = best[end]
            if not (ids and number == ids[-1] == self._unknown):
                ids.append(number)
            end = start
        return ids[::-1]
