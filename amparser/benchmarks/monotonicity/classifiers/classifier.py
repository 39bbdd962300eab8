"""Neural classifiers of pairs: settings, what a classifier does, and its trained model.

A classifier maps a pair of sentences to one logit per label. The files in `training/monotonicity/`
hold the paper's values (Yanaka et al. 2020, section 3.2) and mark what the paper leaves open. The
`content` of a model folder holds `vocabulary`, or the configuration and tokenizer of a pretrained
classifier (`pretrained`). The folder holds all weights.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

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
from amparser.nn.settings import Few, Rate, Size
from amparser.results import Result

Composition = Literal["binary", "child-sum"]


@dataclass(frozen=True, slots=True)
class EncoderSizes:
    """The encoder of a sentence, and the classifier above two of them.

    Attributes:
        hidden_size: width of the states, and so of a sentence's representation.
        embedding_size: width of word embeddings.
        layers: layers of the LSTM; a tree has one.
        classifier_size: width of the classifier's one hidden layer.
        dropout: on embeddings, between layers and in the classifier.
        composition: how a TreeLSTM makes one state of two: `binary` distinguishes left and right,
            `child-sum` does not.
        vectors: a file of word vectors in GloVe's text format, `embedding_size` wide. Embeddings
            start from them, and the grammar's words that training lacks keep them; if empty,
            embeddings are random.
        unknown: in each batch a word is replaced by `<unk>` with this probability, at all
            its places, which trains the vector of words that training lacks.
    """

    hidden_size: Size = 200
    embedding_size: Size = 300
    layers: Few = 3
    classifier_size: Size = 200
    dropout: Rate = 0.0
    composition: Composition = "binary"
    vectors: str = ""
    unknown: Rate = 0.002


@dataclass(frozen=True, slots=True)
class ClassifierCheckpoint:
    """The pretrained model.

    Attributes:
        path: a folder with a checkpoint of Hugging Face's transformers; nothing is downloaded.
        dropout: dropout of all layers; the paper has none in fine-tuning.
    """

    path: str = ""
    dropout: Rate = 0.0


def _data() -> DataSettings:
    return DataSettings(held_out=0.05)


def _train() -> PredictionTrainSettings:
    return PredictionTrainSettings(
        epochs=25,
        max_steps=0,
        batch_size=64,
        learning_rate=1e-3,
        gradient_clip=5.0,
        validate_every=0,
        select="accuracy",
        patience=3,
    )


@dataclass(frozen=True, slots=True)
class ScratchSettings:
    """All settings of a classifier that is trained from scratch."""

    data: DataSettings = field(default_factory=_data)
    network: EncoderSizes = field(default_factory=EncoderSizes)
    train: PredictionTrainSettings = field(default_factory=_train)


@dataclass(frozen=True, slots=True)
class BertSettings:
    """All settings of a pretrained classifier that is fine-tuned."""

    data: DataSettings = field(default_factory=_data)
    pretrained: ClassifierCheckpoint = field(default_factory=ClassifierCheckpoint)
    train: PredictionTrainSettings = field(default_factory=_train)


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


ClassifierType = TypeVar("ClassifierType", bound=PairClassifier)


class PairSystem(PredictorSystem[ClassifierType]):
    """A kind of classifier; examples are pairs, their meanings labels."""

    kind = PairModel

    def notation(self, corpus: Corpus, named: str) -> str:
        """None, since labels have no notation."""
        return ""

    def target(self, example: Example, corpus: Corpus, notation: str) -> str:
        """The label; InputError if it is none."""
        if example.meaning not in LABELS:
            raise InputError(f"label {example.meaning!r}, expected {' or '.join(LABELS)}")
        return example.meaning
