"""The settings of classifiers of pairs.

The files in `training/monotonicity/` hold the paper's values (Yanaka et al. 2020, section
3.2) and mark what the paper leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from amparser.learn.prediction_task import PredictionTrainSettings
from amparser.learn.settings import DataSettings
from amparser.nn.settings import Few, Rate, Size

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
