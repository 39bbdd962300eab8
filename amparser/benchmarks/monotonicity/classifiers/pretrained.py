"""BERT and its like from Hugging Face's transformers, with a head for pairs of sentences.

Premise and hypothesis are read as one text, joined by the tokenizer: for BERT
`[CLS] premise [SEP] hypothesis [SEP]` (Devlin et al. 2019, section 4.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import torch
from torch import Tensor

from amparser.baselines.pretrained import SETTING, fingerprint, masked, read_checkpoint
from amparser.baselines.system import Pair
from amparser.baselines.vocabulary import padded
from amparser.benchmarks.monotonicity.classifiers.classifier import (
    LABELS,
    PairClassifier,
    PairSettings,
    PairSystem,
)
from amparser.errors import InputError, ModelError
from amparser.learn.model_folder import Head
from amparser.nn.transformers_library import TRIAL, checkpoint_from_dict, checkpoint_to_dict, tried

Numbers: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
_CLASS = "AutoModelForSequenceClassification"
# Parts that a checkpoint need not have: the head, and BERT's layer between states and head.
_FRESH = ("classifier", "score", "pooler", "pre_classifier", "classification_head")


@dataclass(frozen=True, slots=True)
class ClassifierCheckpoint:
    """The pretrained model, which is fine-tuned without dropout, as in the paper.

    Attributes:
        path: a folder with a checkpoint of Hugging Face's transformers; nothing is downloaded.
    """

    path: str = ""


@dataclass(frozen=True, slots=True)
class BertSettings(PairSettings):
    """All settings of a pretrained classifier that is fine-tuned."""

    pretrained: ClassifierCheckpoint = field(default_factory=ClassifierCheckpoint)


class PretrainedClassifier(PairClassifier):
    """A pretrained model with its tokenizer and a head of two labels."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        super().__init__(model.requires_grad_(True), int(model.config.hidden_size))
        self.model = model
        self.tokenizer = tokenizer
        padding = getattr(model.config, "pad_token_id", None)
        if type(padding) is not int:
            raise ModelError("its config.json has no pad_token_id")
        self._padding = padding
        positions = getattr(model.config, "max_position_embeddings", None)
        # RoBERTa's positions begin after that of padding.
        after = padding + 1 if "roberta" in str(model.config.model_type) else 0
        self._limit = positions - after if isinstance(positions, int) else None

    def read(self, premise: Sequence[str], hypothesis: Sequence[str]) -> Numbers:
        """Return ids of both sentences together, and the number of the sentence of each."""
        found = self.tokenizer.encode(" ".join(premise), " ".join(hypothesis))
        if self._limit is not None and len(found.ids) > self._limit:
            raise InputError(
                f"{len(found.ids)} tokens of the tokenizer in premise and hypothesis, "
                f"expected at most {self._limit}"
            )
        return tuple(found.ids), tuple(found.type_ids)

    def lengths(self, row: tuple[Numbers, int]) -> tuple[int, int]:
        """Return the number of the tokenizer's tokens."""
        return len(row[0][0]), 0

    def scores(self, rows: Sequence[Numbers]) -> Tensor:
        """See the base class."""
        inputs = masked([ids for ids, _ in rows], self._padding, self.device)
        if getattr(self.model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = padded([kinds for _, kinds in rows]).to(self.device)
        return cast("Tensor", self.model(**inputs).logits)

    def check(self, where: object) -> None:
        """See the base class."""
        tried(lambda: self.scores([self.read(TRIAL, TRIAL)]), where)

    def to_dict(self) -> dict[str, Any]:
        """Configuration and tokenizer as JSON values, without the weights."""
        return {"pretrained": checkpoint_to_dict(self.model.config, self.tokenizer)}


def read_classifier(settings: ClassifierCheckpoint) -> PretrainedClassifier:
    """The pretrained model that the settings name, with a fresh head; raises ConfigError."""

    def change(config: Any) -> None:
        for key, value in vars(config).items():
            # Names differ by architecture: hidden_dropout_prob, attn_pdrop, classifier_dropout.
            if "drop" in key and isinstance(value, float):
                setattr(config, key, 0.0)
        config.id2label = dict(enumerate(LABELS))
        config.label2id = {label: i for i, label in enumerate(LABELS)}

    return read_checkpoint(
        settings.path, _CLASS, "a classifier", PretrainedClassifier, change=change, fresh=_FRESH
    )


class BertSystem(PairSystem[PretrainedClassifier]):
    """A pretrained classifier that is fine-tuned."""

    @property
    def settings(self) -> BertSettings:
        """See `System`."""
        return BertSettings()

    def beginning(self, settings: BertSettings) -> object:
        """Return the fingerprint of the checkpoint."""
        return fingerprint(settings.pretrained.path)

    def fresh(self, settings: BertSettings, pairs: Sequence[Pair]) -> PretrainedClassifier:
        """The checkpoint with a fresh head."""
        return read_classifier(settings.pretrained)

    def rebuilt(self, settings: BertSettings, head: Head) -> PretrainedClassifier:
        """See the base class."""
        value = head.content.get("pretrained")
        return PretrainedClassifier(*checkpoint_from_dict(value, _CLASS, SETTING, torch.float32))


PAIR_BERT = BertSystem("pair-bert", "BERT fine-tuned on premise and hypothesis")
