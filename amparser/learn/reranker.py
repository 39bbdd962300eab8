"""Reranking: a score of a whole meaning, given the words of its sentence.

The network scores one constant per token. The reranker scores the parts of a meaning (pairs and
triples of labels, values) by independent logistic regressions over the n-grams of the sentence. It
recognises parts that depend on several words, or on a distant word. The answer maximises the
log-linear combination (Collins & Koo 2005)

    log P(derivation) + factor * log P(parts | sentence)

with a factor that is fitted on held-out sentences.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray

from amparser.characters import is_private
from amparser.conditions import AsText, Range
from amparser.errors import ModelError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Float = NDArray[np.float64]


def _text_of(weights: NDArray[np.float16]) -> str:
    return b64encode(np.ascontiguousarray(weights, "<f2").tobytes()).decode()


def _weights_of(text: str) -> NDArray[np.float16]:
    try:
        weights = np.frombuffer(b64decode(text, validate=True), "<f2").astype(np.float16)
    except (Error, ValueError):
        raise ModelError("expected numbers of 16 bits in base64") from None
    if not np.isfinite(weights).all():
        raise ModelError("expected finite numbers")
    return weights


@dataclass(frozen=True)
class Reranker:
    """Logistic regressions of F n-grams on the presence of P parts.

    Attributes:
        ngrams: n-grams of words (lower case, separated by spaces).
        parts: parts of meanings (see `amparser.lexicon.local_shapes.parts_of`), but only one of
            several parts that always occur together in train.
        weights: weights `[F + 1, P]` as one row. The last weight of each part is its bias.
        factor: weight of the log-probability of the parts; that of the derivation has weight 1.
    """

    ngrams: Sequence[str]
    parts: Sequence[str]
    weights: Annotated[NDArray[np.float16], AsText(_text_of, _weights_of)]
    factor: Annotated[float, Range(0)] = 0.0

    def misfit(self) -> str | None:
        """Return an error message if the number of weights is wrong, or None."""
        expected = (len(self.ngrams) + 1) * len(self.parts)
        return None if len(self.weights) == expected else f".weights: expected {expected} numbers"

    @classmethod
    def learned(
        cls, rows: Sequence[tuple[Sequence[str], Set[str]]], factor: float = 0.0
    ) -> Reranker:
        """Fit the regressions to sentences (as tokens) and the parts of their meanings."""
        sentences = [ngrams_of(tokens) for tokens, _ in rows]
        counts = Counter(ngram for ngrams in sentences for ngram in ngrams)
        # An n-gram must occur twice; at most 5,000 are used.
        ngrams = [ngram for ngram, count in counts.most_common(5000) if count > 1]
        rows_of: dict[str, list[int]] = {}
        for number, (_, parts) in enumerate(rows):
            for part in sorted(parts):
                rows_of.setdefault(part, []).append(number)
        # At most 500 parts are used; each must occur in three rows, and be absent from three.
        kept = {
            tuple(held): part
            for part, held in sorted(rows_of.items(), reverse=True)
            if 3 <= len(held) <= len(rows) - 3
        }
        columns = sorted(kept, key=lambda held: (-len(held), kept[held]))[:500]
        wanted = np.zeros((len(rows), len(columns)))
        for column, held in enumerate(columns):
            wanted[list(held), column] = 1.0
        weights = _regressions(_matrix(sentences, ngrams), wanted)
        chosen = [kept[held] for held in columns]
        return cls(ngrams, chosen, weights.astype(np.float16).ravel(), factor)

    @cached_property
    def _number(self) -> Mapping[str, int]:
        return {ngram: number for number, ngram in enumerate(self.ngrams)}

    @cached_property
    def _table(self) -> Float:
        shape = len(self.ngrams) + 1, len(self.parts)
        return self.weights.astype(np.float64).reshape(shape)

    def loss(self, tokens: Sequence[str], parts: Set[str]) -> float:
        """Return log P(most probable parts) - log P(given parts) (natural log), at least 0."""
        rows = [self._number[n] for n in sorted(ngrams_of(tokens)) if n in self._number]
        odds = self._table[[*rows, -1]].sum(axis=0)
        has = np.array([part in parts for part in self.parts], dtype=bool)
        return float(np.abs(odds[has != (odds > 0)]).sum())


def ngrams_of(tokens: Sequence[str]) -> set[str]:
    """Return the n-grams (n up to 3) of a sentence, without addresses and long numbers."""
    words = [token.lower() for token in tokens if not is_private(token)]
    return {
        " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(start + 3, len(words)) + 1)
    }


def _matrix(sentences: Iterable[Set[str]], ngrams: Sequence[str]) -> csr_array:
    """Return the presence of n-grams in sentences `[N, F + 1]`; the last column is one."""
    from scipy.sparse import csr_array

    number = {ngram: column for column, ngram in enumerate(ngrams)}
    rows = [[*sorted(number[n] for n in held if n in number), len(ngrams)] for held in sentences]
    columns = np.array([column for row in rows for column in row], np.int64)
    ends = np.cumsum([0, *map(len, rows)])
    return csr_array((np.ones(len(columns)), columns, ends), shape=(len(rows), len(ngrams) + 1))


def _regressions(features: csr_array, wanted: Float) -> Float:
    """Return the weights `[F + 1, P]` of ridge-penalised logistic regressions."""
    from scipy.optimize import minimize

    shape = features.shape[1], wanted.shape[1]

    def objective(flat: Float) -> tuple[float, Float]:
        weights = flat.reshape(shape)
        odds = features @ weights
        ridge = weights.copy()
        ridge[-1] = 0.0
        value = np.logaddexp(0.0, odds).sum() - odds[wanted > 0].sum() + 0.25 * (ridge**2).sum()
        slope = features.T @ (1 / (1 + np.exp(-odds)) - wanted) + 0.5 * ridge
        return float(value), slope.ravel()

    weights = np.zeros(shape)
    if weights.size:
        options = {"maxiter": 60}
        found = minimize(objective, weights.ravel(), jac=True, method="L-BFGS-B", options=options)
        weights = found.x.reshape(shape)
    return weights


def factor_of(rows: Iterable[Sequence[tuple[float, float, bool]]]) -> float:
    """Return the factor that makes the right candidates of held-out sentences most probable.

    P(candidate) is proportional to exp(a * logp - b * loss), and the factor is b / a.

    Args:
        rows: for each sentence, the log-probability, loss and correctness of each candidate
            meaning.
    """
    from scipy.optimize import minimize

    tables = [
        np.array(row, dtype=np.float64) for row in rows if 0 < sum(r for *_, r in row) < len(row)
    ]
    if len(tables) < 10:
        return 0.0  # too few sentences with both right and wrong candidates

    def objective(weights: Float) -> float:
        a, b = weights
        value = 0.1 * float((weights**2).sum())
        for table in tables:
            scores = a * table[:, 0] - b * table[:, 1]
            scores -= scores.max()
            likely = np.exp(scores)
            value -= float(np.log(likely[table[:, 2] > 0].sum() / likely.sum() + 1e-300))
        return value

    bounds = [(1e-3, None), (0.0, None)]
    a, b = minimize(objective, np.array([1.0, 0.1]), method="L-BFGS-B", bounds=bounds).x
    return float(b / a) if b > 0.05 * a else 0.0
