"""Neural pair classifiers: the base classes and fine-tuned BERT.

A classifier maps a pair of sentences to one logit per label. BERT reads both sentences as one text,
joined by the tokenizer: `[CLS] premise [SEP] hypothesis [SEP]` (Devlin et al. 2019, section 4.1).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import torch
from torch import Tensor

from amparser.baselines.checkpoints import SETTING, fingerprint
from amparser.baselines.settings import SearchSettings
from amparser.baselines.system import Pair, Predictor, PredictorSystem
from amparser.baselines.vocabulary import masked, padded
from amparser.benchmarks.monotonicity.pairs import ENTAILMENT, NEUTRAL, sides
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import InputError, ModelError
from amparser.learn.model_folder import Head
from amparser.learn.settings import DataSettings, PredictionTrainSettings
from amparser.nn.transformers_library import (
    TRIAL,
    checkpoint_from_dict,
    checkpoint_to_dict,
    read_checkpoint,
    tried,
)
from amparser.results import Result

LABELS = (ENTAILMENT, NEUTRAL)
"""Labels, in the order of their logits."""
_CLASS = "AutoModelForSequenceClassification"
# Parts that a checkpoint may lack: the classification head and BERT's pooling layer.
_FRESH = ("classifier", "score", "pooler", "pre_classifier", "classification_head")


@dataclass(frozen=True, slots=True)
class PairSettings:
    """Settings of all pair classifiers."""

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
    r"""Classifier of sentence pairs `(*premise, "\t", *hypothesis)`."""

    step = "classifying"

    @abstractmethod
    def read(self, premise: Sequence[str], hypothesis: Sequence[str]) -> tuple[Any, Any]:
        """Encode a pair of tokenized sentences. Raises InputError if that is impossible."""

    @abstractmethod
    def scores(self, rows: Sequence[Any]) -> Tensor:
        """Return logits `[B, 2]` in the order of `LABELS`."""

    def row(self, pair: Pair) -> tuple[Any, ...]:
        """Return an encoded pair with the index of its label."""
        return (*self.read(*sides(pair.tokens)), LABELS.index(pair.target))

    def logits(self, rows: Sequence[tuple[Any, ...]]) -> tuple[Tensor, Tensor]:
        """Return logits `[B, 1, 2]` and gold labels `[B, 1]`."""
        scores = self.scores([row[:2] for row in rows])
        labels = torch.tensor([row[2] for row in rows], device=scores.device)
        return scores[:, None], labels[:, None]

    def answers(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Result]:
        """See the base class. `logp` is the label's log probability."""
        scores = self.scores([self.read(*sides(tokens)) for tokens in sentences])
        logps, best = scores.float().log_softmax(1).max(1)
        return [
            Result(tuple(tokens), LABELS[label], logp=logp)
            for tokens, label, logp in zip(sentences, best, logps.tolist(), strict=True)
        ]

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Return why a pair cannot be classified, or None."""
        try:
            self.read(*sides(tokens))
        except InputError as error:
            return str(error)
        return None


class PairSystem(PredictorSystem):
    """System that trains a pair classifier; examples are pairs, and their meanings are labels."""

    def notation(self, corpus: Corpus, named: str) -> str:
        """Return an empty name: labels have no notation."""
        return ""

    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """Return the label. Raises InputError if the meaning is not a label."""
        if example.meaning not in LABELS:
            raise InputError(f"label {example.meaning!r}, expected {' or '.join(LABELS)}")
        return example.meaning


@dataclass(frozen=True, slots=True)
class ClassifierCheckpoint:
    """Settings of the pretrained model, which is fine-tuned without dropout, as in the paper.

    Attributes:
        path: a folder with a checkpoint of Hugging Face's transformers; nothing is downloaded.
    """

    path: str = ""


@dataclass(frozen=True, slots=True)
class BertSettings(PairSettings):
    """Settings of a fine-tuned classifier."""

    pretrained: ClassifierCheckpoint = field(default_factory=ClassifierCheckpoint)


class PretrainedClassifier(PairClassifier):
    """Pretrained model with its tokenizer and a classification head."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        super().__init__(model.requires_grad_(True), int(model.config.hidden_size))
        self.model = model
        self.tokenizer = tokenizer
        padding = getattr(model.config, "pad_token_id", None)
        if type(padding) is not int:
            raise ModelError(f"{SETTING}: its config.json has no pad_token_id")
        self._padding = padding
        positions = getattr(model.config, "max_position_embeddings", None)
        # RoBERTa's positions begin after the padding position.
        after = padding + 1 if "roberta" in str(model.config.model_type) else 0
        self._limit = positions - after if isinstance(positions, int) else None

    def read(self, premise: Sequence[str], hypothesis: Sequence[str]) -> tuple[Any, Any]:
        """Return the token ids of both sentences, and for each id the sentence number (0 or 1)."""
        encoded = self.tokenizer.encode(" ".join(premise), " ".join(hypothesis))
        if self._limit is not None and len(encoded.ids) > self._limit:
            raise InputError(
                f"{len(encoded.ids)} tokens of the tokenizer in premise and hypothesis, "
                f"expected at most {self._limit}"
            )
        return tuple(encoded.ids), tuple(encoded.type_ids)

    def scores(self, rows: Sequence[Any]) -> Tensor:
        """See the base class."""
        inputs = masked([ids for ids, _ in rows], self._padding, self.device)
        if getattr(self.model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = padded([kinds for _, kinds in rows]).to(self.device)
        return cast("Tensor", self.model(**inputs).logits)

    def check(self, where: object) -> None:
        """See the base class."""
        tried(lambda: self.scores([self.read(TRIAL, TRIAL)]), where)

    def to_dict(self) -> dict[str, Any]:
        """Return configuration and tokenizer, without weights."""
        return {"pretrained": checkpoint_to_dict(self.model.config, self.tokenizer)}


def _as_classifier(config: Any) -> None:
    for key, value in vars(config).items():
        # Names of dropout settings vary: hidden_dropout_prob, attn_pdrop, classifier_dropout.
        if "drop" in key and isinstance(value, float):
            setattr(config, key, 0.0)
    config.num_labels = len(LABELS)


class BertSystem(PairSystem):
    """Fine-tuned classifier."""

    def prefix(self, settings: BertSettings) -> object:
        """Return the fingerprint of the checkpoint."""
        return fingerprint(settings.pretrained.path)

    def fresh(self, settings: BertSettings, pairs: Sequence[Pair]) -> PretrainedClassifier:
        """Return the checkpoint with an untrained head."""
        checkpoint = read_checkpoint(
            settings.pretrained.path,
            _CLASS,
            "a classifier",
            SETTING,
            change=_as_classifier,
            fresh=_FRESH,
        )
        return PretrainedClassifier(*checkpoint)

    def rebuilt(self, settings: BertSettings, head: Head) -> PretrainedClassifier:
        """See the base class."""
        value = head.content.get("pretrained")
        return PretrainedClassifier(*checkpoint_from_dict(value, _CLASS, SETTING, torch.float32))


PAIR_BERT = BertSystem("pair-bert", "BERT fine-tuned on premise and hypothesis", BertSettings())
