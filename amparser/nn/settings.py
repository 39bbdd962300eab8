"""The settings of a network, which are sections of a parser's settings.

A field's annotation contains everything that a value must satisfy: its type, the choices
of a `Literal`, and the `Range` of a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from amparser.conditions import OneOf, Range, SomeOf
from amparser.nn.registry import AUTO, ENCODERS, VECTORS

Size = Annotated[int, Range(1, maximum=100_000)]
Width = Annotated[int, Range(0, maximum=100_000)]
"""The width of a part that is left out if it is 0."""
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
        kind: the encoder by name: `words-letters`, or one that another package adds.
        type: the layer that reads the sentence: `bilstm`, or an encoder of AllenNLP (extra
            `allennlp`).
        word_size: width of the word embeddings, learned from scratch.
        letter_size: width of the embeddings of n-grams of letters; 0 for none.
        prefix_size: width of the embeddings of words' prefixes of five letters; 0 for none.
        buckets: number of hashed n-grams of letters, of prefixes, and of affixes.
        hidden_size: width of each direction.
        layers: how many layers.
        dropout: on the embeddings and on each layer's output.
        word_dropout: a; in training a word seen c times becomes the unknown
            word with probability a / (a + c) (Kiperwasser & Goldberg 2016).
        word_rate: probability that a word becomes the unknown word besides, however frequent.
        rare_dropout: a word seen c times in train is unknown with its letters with the
            probability rare_dropout / (rare_dropout + c^2): a new sentence's unknown words are
            mostly of the kinds of which train has many words once.
        vectors: sources of word vectors from outside train, separated by spaces: `english`,
            `names`, `translated` (dictionaries of Debian), or one that another package
            adds. A layer over the vectors is concatenated to the embeddings; empty for none.
            `auto` is `english names` for your own data that have many words once, if most words
            are known to `english`; else none.
        vector_size: width of this layer.
        vector_names: whether a word with a capital inside a sentence has vectors of words, too.
            Those of names lie near each other: few names of train do not tell a city from a state.
        pretrained: an encoder whose states are concatenated to the embeddings: `english`, which
            is part of the package, or a folder of Hugging Face's transformers (extra
            `pretrained`); empty for none.
        pretrained_size: width of a layer over its states, which is trained as all else is; 0 for
            the states themselves.
        pretrained_learning_rate: its own learning rate, such as 2e-5, which falls as
            `train.learning_rate` does; 0 freezes it.
    """

    kind: Annotated[str, OneOf(ENCODERS)] = "words-letters"
    type: EncoderType = "bilstm"
    word_size: Width = 64
    letter_size: Width = 0
    prefix_size: Width = 0
    buckets: Buckets = 4096
    hidden_size: Size = 128
    layers: Few = 1
    dropout: Rate = 0.3
    word_dropout: Annotated[float, Range(0)] = 1.0
    word_rate: Rate = 0.0
    rare_dropout: Annotated[float, Range(0)] = 0.0
    vectors: Annotated[str, SomeOf(VECTORS, AUTO)] = ""
    vector_size: Size = 96
    vector_names: bool = False
    pretrained: str = ""
    pretrained_size: Width = 192
    pretrained_learning_rate: Annotated[float, Range(0)] = 0.0

    # The presets differ in these, which no file sets.
    capitals: ClassVar[bool] = True
    """Whether a vector that says if a word begins with a capital is added to the word's vector."""
    affix_size: ClassVar[int] = 0
    """Width of the embeddings of six prefixes and suffixes of words, if there are letters."""
    shape_size: ClassVar[int] = 0
    """Width of the embeddings of words' shapes (capitals, digits)."""
    letter_dropout: ClassVar[float] = 0.0
    """Probability that the letters of an unknown word are unknown too."""
    word_scale: ClassVar[float] = 1.0
    """Standard deviation of the initial word embeddings."""
    letter_scale: ClassVar[float] = 0.3
    """Standard deviation of the initial embeddings of n-grams, prefixes and affixes."""
    vector_dropout: ClassVar[float] = 0.1
    """Probability that a word's vectors are not seen in training."""

    @property
    def affix_width(self) -> int:
        """The width of the embedding of an affix that there really is."""
        return self.affix_size if self.letter_size else 0


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
