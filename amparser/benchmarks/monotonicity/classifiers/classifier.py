"""Neural classifiers of pairs: what a classifier does, and its trained model.

A classifier maps a pair of sentences to one logit per label. The files in `training/monotonicity/`
hold the paper's values (Yanaka et al. 2020, section 3.2) and mark what the paper leaves open.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import torch
from torch import Tensor

from amparser.baselines.system import Pair, Predictor, PredictorModel, PredictorSystem, in_batches
from amparser.benchmarks.monotonicity.pairs import BETWEEN, sides
from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.learn.batches import IntArray
from amparser.learn.prediction_task import PredictionTrainSettings
from amparser.learn.settings import DataSettings
from amparser.learn.system import timed
from amparser.results import Result

LABELS = (ENTAILMENT, NEUTRAL)
"""The labels in the order of the logits."""
_BATCH = 128


@dataclass(frozen=True, slots=True)
class PairSettings:
    """The settings that all classifiers have."""

    data: DataSettings = field(default_factory=lambda: DataSettings(held_out=0.05))
    train: PredictionTrainSettings = field(
        default_factory=lambda: PredictionTrainSettings(
            epochs=25,
            max_steps=0,
            batch_size=64,
            learning_rate=1e-3,
            gradient_clip=5.0,
            validate_every=0,
            select="accuracy",
            patience=3,
        )
    )


class PairClassifier(Predictor):
    """A classifier of pairs; it defines the numbers that stand for a pair."""

    @abstractmethod
    def read(self, premise: Sequence[str], hypothesis: Sequence[str]) -> Any:
        """Return a pair of tokenised sentences as numbers; raises InputError."""

    @abstractmethod
    def scores(self, rows: Sequence[Any]) -> Tensor:
        """Return logits `[B, 2]`, in the order of `LABELS`."""

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """Return the words of a sentence that are read as `<unk>`."""
        return []

    def row(self, pair: Pair) -> tuple[Any, int]:
        """Return the numbers of a pair and of its label."""
        return self.read(*sides(pair.tokens)), LABELS.index(pair.target)

    def logits(self, rows: Sequence[tuple[Any, int]]) -> tuple[Tensor, Tensor]:
        """Return logits `[B, 1, 2]`, and the gold labels `[B, 1]`."""
        scores = self.scores([numbers for numbers, _ in rows])
        labels = torch.tensor([label for _, label in rows], device=scores.device)
        return scores[:, None], labels[:, None]


@dataclass(frozen=True)
class PairModel(PredictorModel[PairClassifier]):
    """A trained classifier: a `Model` of labels of pairs `(*premise, "\\t", *hypothesis)`."""

    decoders = ("argmax",)

    def with_notation(self, notation: str) -> PairModel:
        """Raise InputError, since labels have no notation."""
        raise InputError(f"a {self.system} answers with labels, which have no notation {notation}")

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Return why a pair cannot be classified, or None."""
        try:
            self.predictor.read(*sides(tokens))
        except InputError as error:
            return str(error)
        return None

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """Return the words of a sentence or pair that are read as `<unk>`, each once."""
        return self.predictor.unknown([token for token in tokens if token != BETWEEN])

    @torch.no_grad()
    def answers(
        self,
        sentences: Sequence[Sequence[str]],
        decoders: Sequence[str] = (),
        *,
        seconds: MutableMapping[str, float] | None = None,
    ) -> Mapping[str, list[Result]]:
        """See `Model`; `logp` belongs to the label. The step of `seconds` is `classifying`."""
        if unknown := [name for name in decoders if name not in self.decoders]:
            raise InputError(f"unknown decoder {unknown[0]!r}, expected argmax")
        with timed(seconds, "classifying"):
            rows = [(self.predictor.read(*sides(tokens)), 0) for tokens in sentences]

            def classified(members: IntArray) -> list[Result]:
                scores = self.predictor.scores([rows[i][0] for i in members])
                logps, best = scores.float().log_softmax(1).max(1)
                return [
                    Result(tuple(sentences[i]), LABELS[label], logp=logp)
                    for i, label, logp in zip(members, best, logps.tolist(), strict=True)
                ]

            return {"argmax": in_batches([*map(self.predictor.lengths, rows)], _BATCH, classified)}


ClassifierType = TypeVar("ClassifierType", bound=PairClassifier)


class PairSystem(PredictorSystem[ClassifierType]):
    """A kind of classifier; examples are pairs, their meanings labels."""

    kind = PairModel

    def notation(self, corpus: Corpus, named: str) -> str:
        """Return no name, since labels have no notation."""
        return ""

    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """Return the label; InputError if it is none."""
        if example.meaning not in LABELS:
            raise InputError(f"label {example.meaning!r}, expected {' or '.join(LABELS)}")
        return example.meaning
