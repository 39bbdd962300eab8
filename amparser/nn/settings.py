"""The settings of a network, which are sections of a parser's settings.

A field's annotation contains everything that a value must satisfy: its type, the choices
of a `Literal`, and the `Range` of a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from amparser.schema import Range

Size = Annotated[int, Range(1, maximum=100_000)]
Few = Annotated[int, Range(1, maximum=100)]
"""How many layers or networks there are: each costs time, also before it has weights."""
Buckets = Annotated[int, Range(2, maximum=10**7)]
Rate = Annotated[float, Range(0, 1)]

EncoderType = Literal[
    "bilstm",
    "allennlp-lstm",
    "allennlp-gru",
    "allennlp-alternating-lstm",
    "allennlp-stacked-bidirectional-lstm",
    "allennlp-transformer",
    "allennlp-feedforward",
]


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """The encoder: words to vectors in context.

    Attributes:
        type: `bilstm`, or an encoder of AllenNLP (extra `allennlp`).
        word_size: width of the word embeddings, learned from scratch.
        hidden_size: width of each direction.
        layers: how many layers.
        dropout: on the embeddings and on each layer's output.
        word_dropout: a; in training a word seen c times becomes the unknown
            word with probability a / (a + c) (Kiperwasser & Goldberg 2016).
        pretrained: a folder with an encoder of Hugging Face's transformers (extra
            `pretrained`), whose states are concatenated to the word embeddings; empty for none.
        pretrained_learning_rate: its own learning rate, which falls as `train.learning_rate`
            does; 0 freezes it.
    """

    type: EncoderType = "bilstm"
    word_size: Size = 64
    hidden_size: Size = 128
    layers: Few = 1
    dropout: Rate = 0.3
    word_dropout: Annotated[float, Range(0)] = 1.0
    pretrained: str = ""
    pretrained_learning_rate: Annotated[float, Range(0)] = 2e-5


@dataclass(frozen=True, slots=True)
class SupertagSettings:
    """The supertagger: one hidden layer over the encoder's states.

    Attributes:
        composed: score a supertag by its parts (label, edges with their
            sources, requests), so that supertags never seen can be built; otherwise
            each supertag is a separate class.
        hidden_size: width of the hidden layer.
        dropout: on the hidden layer.
    """

    composed: bool = True
    hidden_size: Size = 128
    dropout: Rate = 0.3


@dataclass(frozen=True, slots=True)
class EdgeSettings:
    """The scorer of edges: heads, and operations given the head.

    Attributes:
        type: `additive` sees the distance of the two tokens; `biaffine`
            (Dozat & Manning 2017) does not; `allennlp-bilinear` is the
            bilinear matrix attention of AllenNLP (extra `allennlp`).
        hidden_size: width of the head's and the dependent's content vectors.
        operation_size: width of these vectors for the choice of operation.
        distance_clip: signed distances beyond this share one embedding.
        content_dropout: on the content vectors, never on the distance.
        loss: `softmax` trains each token's head separately, `tree-crf` the
            projective tree as a whole.
    """

    type: Literal["additive", "biaffine", "allennlp-bilinear"] = "additive"
    hidden_size: Size = 64
    operation_size: Size = 64
    distance_clip: Size = 10
    content_dropout: Rate = 0.5
    loss: Literal["softmax", "tree-crf"] = "softmax"
