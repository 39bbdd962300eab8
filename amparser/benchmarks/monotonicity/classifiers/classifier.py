"""Classifiers, which map pairs of sentences to one logit per label, and their trained models."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from amparser.baselines.system import Pair, Predictor, PredictorModel, in_batches
from amparser.benchmarks.monotonicity.pairs import BETWEEN, sides
from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL
from amparser.errors import InputError
from amparser.learn.batches import IntArray
from amparser.learn.system import timed
from amparser.results import Result

LABELS = (ENTAILMENT, NEUTRAL)
"""The labels in the order of the logits."""

Row: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""A pair as numbers, whose meaning the classifier defines."""

_BATCH = 128
_DECODER = "argmax"


class PairClassifier(Predictor):
    """A classifier of pairs."""

    @abstractmethod
    def read(self, premise: Sequence[str], hypothesis: Sequence[str]) -> Row:
        """A pair of tokenised sentences as numbers.

        Raises:
            InputError: a sentence cannot be taken; the message says which and why.
        """

    @abstractmethod
    def sizes(self, row: Row) -> tuple[int, int]:
        """The sizes of premise and hypothesis."""

    @abstractmethod
    def scores(self, rows: Sequence[Row]) -> Tensor:
        """Logits `[B, 2]`, in the order of `LABELS`."""

    @abstractmethod
    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """The words of a sentence that are read as `<unk>`, each once."""

    def row(self, pair: Pair) -> tuple[Row, int]:
        """The numbers of a pair and of its label."""
        return self.read(*sides(pair.tokens)), LABELS.index(pair.target)

    def lengths(self, row: tuple[Row, int]) -> tuple[int, int]:
        """See `sizes`."""
        return self.sizes(row[0])

    def logits(self, rows: Sequence[tuple[Row, int]]) -> tuple[Tensor, Tensor]:
        """Logits `[B, 1, 2]`, and the gold labels `[B, 1]`."""
        scores = self.scores([row for row, _ in rows])
        labels = torch.tensor([label for _, label in rows], device=scores.device)
        return scores[:, None], labels[:, None]


@dataclass(frozen=True)
class PairModel(PredictorModel[PairClassifier]):
    """A trained classifier; a `Model`.

    Its answers are labels. A sentence is a pair: `(*premise, "\\t", *hypothesis)`.
    """

    @property
    def decoders(self) -> tuple[str, ...]:
        """The only search: the likeliest label."""
        return (_DECODER,)

    def with_notation(self, notation: str) -> PairModel:
        """Raises InputError, since labels have no notation."""
        raise InputError(f"a {self.system} answers with labels, which have no notation {notation}")

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Why a pair cannot be classified, or None."""
        try:
            self.predictor.read(*sides(tokens))
        except InputError as error:
            return str(error)
        return None

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """The words of a sentence or pair that are read as `<unk>`, each once."""
        parts = sides(tokens) if BETWEEN in tokens else (tokens,)
        return list(dict.fromkeys(word for part in parts for word in self.predictor.unknown(part)))

    @torch.no_grad()
    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """See `Model`; `logp` is that of the label. The step of `seconds` is `classifying`."""
        if unknown := [name for name in decoders if name != _DECODER]:
            raise InputError(f"unknown decoder {unknown[0]!r}, expected {_DECODER}")
        with timed(seconds, "classifying"):
            rows = [self.predictor.read(*sides(tokens)) for tokens in sentences]

            def classified(members: IntArray) -> list[Result]:
                scores = self.predictor.scores([rows[i] for i in members])
                best = scores.float().log_softmax(1).max(1)
                return [
                    Result(tuple(sentences[i]), LABELS[label], logp=logp)
                    for i, label, logp in zip(
                        members, best.indices, best.values.tolist(), strict=True
                    )
                ]

            return {_DECODER: in_batches([*map(self.predictor.sizes, rows)], _BATCH, classified)}
