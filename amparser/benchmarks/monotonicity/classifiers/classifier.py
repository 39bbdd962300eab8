"""Neural classifiers of pairs, their trained models, and BERT and its like as one of them.

A classifier maps a pair of sentences to one logit per label. The files in `training/monotonicity/`
hold the paper's values (Yanaka et al. 2020, section 3.2) and mark what the paper leaves open.
A pretrained model of Hugging Face's transformers reads premise and hypothesis as one text, joined
by its tokenizer: for BERT `[CLS] premise [SEP] hypothesis [SEP]` (Devlin et al. 2019, section 4.1).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar, cast

import torch
from torch import Tensor

from amparser.baselines.pretrained import SETTING, fingerprint, masked, read_checkpoint
from amparser.baselines.system import Pair, Predictor, PredictorModel, PredictorSystem, in_batches
from amparser.baselines.vocabulary import padded
from amparser.benchmarks.monotonicity.pairs import BETWEEN, sides
from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, NEUTRAL
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import InputError, ModelError
from amparser.learn.batches import IntArray
from amparser.learn.model_folder import Head
from amparser.learn.prediction_task import PredictionTrainSettings
from amparser.learn.settings import DataSettings
from amparser.learn.system import timed
from amparser.nn.transformers_library import TRIAL, checkpoint_from_dict, checkpoint_to_dict, tried
from amparser.results import Result

LABELS = (ENTAILMENT, NEUTRAL)
"""The labels in the order of the logits."""
_BATCH = 128

Numbers: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
_CLASS = "AutoModelForSequenceClassification"
# Parts that a checkpoint need not have: the head, and BERT's layer between states and head.
_FRESH = ("classifier", "score", "pooler", "pre_classifier", "classification_head")


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
