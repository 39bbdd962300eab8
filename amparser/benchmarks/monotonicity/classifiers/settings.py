"""What can be set about a classifier of pairs; `learn.config` reads the sections.

The files in `training/monotonicity/` hold the paper's values (Yanaka et al. 2020, section
3.2) and say what it leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from amparser.baselines.settings import FitSettings
from amparser.nn.settings import Range, Rate, Size

ScratchSystem = Literal["lstm", "treelstm"]
Composition = Literal["binary", "child-sum"]


@dataclass(frozen=True, slots=True)
class InferenceData:
    """What is trained on.

    Attributes:
        fraction: the share of the pairs to learn from that is used, picked at random by
            `train.seed`.
        held_out: the share of all pairs that is looked at after each epoch, and not
            learned from; picked by `train.seed` too.
    """

    fraction: Annotated[float, Range(0.001, maximum=1)] = 1.0
    held_out: Annotated[float, Range(0.001, maximum=0.5)] = 0.05


@dataclass(frozen=True, slots=True)
class EncoderSizes:
    """The encoder of a sentence, and the classifier above two of them.

    Attributes:
        hidden_size: width of the states, and so of a sentence's representation.
        embedding_size: width of word embeddings.
        layers: of the LSTM; a tree has one.
        classifier_size: width of the classifier's one hidden layer.
        dropout: on embeddings, between layers and in the classifier.
        composition: how a TreeLSTM makes a state of two: `binary` tells left from right,
            `child-sum` does not.
        vectors: a file of word vectors in GloVe's text format, `embedding_size` wide, from
            which embeddings begin, and those of the grammar's words that training does not
            have stay; random where it is empty.
        unknown: in each batch a word is replaced by `<unk>` with this probability, in all
            its places, which trains the vector of words that training never had.
    """

    hidden_size: Size = 200
    embedding_size: Size = 300
    layers: Size = 3
    classifier_size: Size = 200
    dropout: Rate = 0.0
    composition: Composition = "binary"
    vectors: str = ""
    unknown: Rate = 0.002


@dataclass(frozen=True, slots=True)
class ClassifierCheckpoint:
    """The pretrained model.

    Attributes:
        path: a folder with a checkpoint of Hugging Face's transformers, or the name of
            one on its hub, which is then downloaded.
        dropout: of all layers; the paper has none in fine-tuning.
    """

    path: str = ""
    dropout: Rate = 0.0


def _fit() -> FitSettings:
    return FitSettings(
        max_steps=1_000_000_000,
        max_epochs=25,
        batch_size=64,
        learning_rate=1e-3,
        gradient_clip=5.0,
        validate_every=0,
        select="accuracy",
        patience=3,
    )


@dataclass(frozen=True, slots=True)
class ScratchConfig:
    """All settings of a classifier that is trained from scratch."""

    system: ScratchSystem = "lstm"
    data: InferenceData = field(default_factory=InferenceData)
    network: EncoderSizes = field(default_factory=EncoderSizes)
    train: FitSettings = field(default_factory=_fit)


@dataclass(frozen=True, slots=True)
class BertConfig:
    """All settings of a pretrained classifier that is fine-tuned."""

    system: Literal["bert"] = "bert"
    data: InferenceData = field(default_factory=InferenceData)
    pretrained: ClassifierCheckpoint = field(default_factory=ClassifierCheckpoint)
    train: FitSettings = field(default_factory=_fit)
