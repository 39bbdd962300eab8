"""Senses of words in context: WordNet 3.0 (Miller 1995), learned from annotated sentences.

Senses with the same hypernyms form a class, which has a vector v. Each sense has a prior b. A
frozen encoder gives a state h to the word, from which

    log P(sense | word, h) = log softmax(b + v tanh(P h + p))

Because classes are shared, words without annotated examples have scores, too. The packaged
file was written by `tests/benchmarks/learn_senses.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from amparser.lexicon import dictionary

PATH = Path(__file__).with_name("senses.safetensors")
ENCODER = "multilingual"
"""Name of the packaged encoder from whose states the senses were learned."""
CHECKSUM = "encoder_sha256"
"""Metadata key of the file for the checksum of the encoder's weights."""

_NAME = re.compile(rf"\.([{dictionary.PARTS}])\.\d\d")


@dataclass(frozen=True)
class Senses:
    """Parameters for the S senses, in K classes, of all words with two senses or more.

    Attributes:
        first: index of the first sense by part of speech and word.
        prior: prior b of each sense, `[S]`.
        of_class: class of each sense, `[S]`.
        vectors: vector v of each class, `[K, D]`.
        projection: matrix P for states of width H, `[D, H]`.
        offset: vector p, `[D]`.
    """

    first: dict[tuple[str, str], int]
    prior: NDArray[Any]
    of_class: NDArray[Any]
    vectors: NDArray[Any]
    projection: NDArray[Any]
    offset: NDArray[Any]

    def scores(self, part: str, word: str, state: NDArray[Any]) -> NDArray[Any]:
        """Return the unnormalised log-probabilities of a word's senses.

        Args:
            part: part of speech, one of `dictionary.PARTS`.
            word: a word in `first`.
            state: the encoder's state of the word, `[H]`.
        """
        start = self.first[part, word]
        rows = slice(start, start + dictionary.senses(part)[word])
        query = np.tanh(self.projection @ state + self.offset)
        return np.asarray(self.prior[rows] + self.vectors[self.of_class[rows]] @ query)


def ambiguous_words() -> dict[tuple[str, str], int]:
    """Return the index of the first sense of each word with two senses or more."""
    first, count = {}, 0
    for part in dictionary.PARTS:
        for word, senses in dictionary.senses(part).items():
            if senses > 1:
                first[part, word] = count
                count += senses
    return first


@cache
def packaged_senses() -> Senses:
    """Return the senses in the packaged file, which is read once."""
    tensors = load_file(PATH)
    tensors["vectors"] = tensors["vectors"] * tensors.pop("scale")
    for name in ("prior", "projection", "offset"):
        tensors[name] = tensors[name].astype(np.float32)
    return Senses(ambiguous_words(), **tensors)


def part_of(kind: str, number: str) -> str | None:
    """Return the part of speech of a label like `dog.n.01`, or None for labels of another form.

    Args:
        kind: separator between word and sense number.
        number: a sense number.

    >>> part_of(".n.", "01"), part_of("_n_", "1")
    ('n', None)
    """
    found = _NAME.fullmatch(kind + number)
    return found and found[1]
