"""Settings of a network: sections of the settings of a parser.

A field's annotation states all constraints on its value: the type, the choices of a `Literal`, and
the `Range` of a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from amparser.conditions import OneOf, Range, SomeOf
from amparser.nn.registry import AUTO, ENCODERS, VECTORS

Size = Annotated[int, Range(1, maximum=100_000)]
Width = Annotated[int, Range(0, maximum=100_000)]
"""Width of an optional layer or embedding; 0 omits it."""
Few = Annotated[int, Range(1, maximum=100)]
"""Number of layers or networks; it is limited because building them takes time."""
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
    """Settings of the encoder, which maps words to vectors in context.

    Attributes:
        kind: name of the encoder: `words-letters`, or an encoder added by another package.
        type: layer that reads the sentence: `bilstm`, or an encoder of AllenNLP (extra `allennlp`).
        word_size: width of the word embeddings, which are learned from scratch.
        letter_size: width of the letter n-gram embeddings; 0 for none.
        prefix_size: width of the embeddings of five-letter prefixes; 0 for none.
        buckets: number of buckets of hashed n-grams, of prefixes, and of affixes.
        hidden_size: width of each direction.
        layers: number of layers.
        dropout: dropout on the embeddings and on the states.
        word_dropout: constant a; in training, a word with c occurrences is replaced by the unknown
            word with the probability a / (a + c) (Kiperwasser & Goldberg 2016).
        word_rate: additional probability that a word is replaced by the unknown word.
        rare_dropout: constant a; in training, a word with c occurrences has neither a word
            embedding nor spelling features with the probability a / (a + c^2).
        vectors: sources of external word vectors, separated by spaces: `english`, `names`,
            or a source added by another package; empty for none. The output of a layer over these
            vectors is concatenated to the embeddings. `auto` means `english names` for your own
            data if many of its words occur once and `english` knows most words; otherwise none.
        vector_size: width of the layer over external word vectors.
        pretrained: encoder whose states are concatenated to the embeddings: `multilingual`, shipped
            with the package, or a folder of Hugging Face's transformers (extra `pretrained`); empty
            for none. `auto` means `multilingual` for your own data if its states predict the
            constants of train better than words do; otherwise none.
        pretrained_size: width of a trained layer over the states of the pretrained encoder; 0 if
            the states are used without such a layer.
        pretrained_learning_rate: learning rate of the pretrained encoder, such as 2e-5, with the
            schedule of `train.learning_rate`; 0 freezes it.
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
    pretrained: str = ""
    pretrained_size: Width = 192
    pretrained_learning_rate: Annotated[float, Range(0)] = 0.0

    # Presets may change these values; settings files cannot.
    capitals: ClassVar[bool] = True
    """Switch for embeddings of initial capitals."""
    affix_size: ClassVar[int] = 0
    """Width of the embeddings of a word's six affixes; used only if `letter_size` is positive."""
    shape_size: ClassVar[int] = 0
    """Width of the embeddings of word shapes (capitals, digits)."""
    letter_dropout: ClassVar[float] = 0.0
    """If `word_dropout` hides a word: probability of hiding its spelling features, too."""
    word_scale: ClassVar[float] = 1.0
    """Standard deviation of the initial word embeddings."""
    letter_scale: ClassVar[float] = 0.3
    """Standard deviation of the initial embeddings of n-grams, prefixes and affixes."""
    vector_dropout: ClassVar[float] = 0.1
    """Probability that a word's external vectors are hidden in training."""

    pretrained_seen: ClassVar[bool] = False
    """Switch for reusing frozen states in recombined sentences (`nn.seen_states`)."""

    @property
    def affix_width(self) -> int:
        """Width of an affix embedding; 0 if the encoder reads no letters."""
        return self.affix_size if self.letter_size else 0


@dataclass(frozen=True, slots=True)
class SupertagSettings:
    """Settings of the supertagger, one hidden layer over the encoder's states.

    Attributes:
        composed: whether a supertag is scored by its parts (label, edges with their sources,
            requests), which makes unseen supertags possible; otherwise each supertag is a class.
        hidden_size: width of the hidden layer.
        dropout: dropout on the hidden layer.
    """

    composed: bool = True
    hidden_size: Size = 128
    dropout: Rate = 0.3


@dataclass(frozen=True, slots=True)
class EdgeSettings:
    """Settings of the edge scorer, which scores heads, and operations given the head.

    Attributes:
        type: name of the scorer: `additive`, which reads the distance of the two tokens;
            `biaffine` (Dozat & Manning 2017), which does not; or `allennlp-bilinear`, the bilinear
            matrix attention of AllenNLP (extra `allennlp`).
        hidden_size: width of the content vectors of head and dependent.
        operation_size: width of the content vectors for the operation.
        distance_clip: maximum signed distance with an embedding of its own; longer distances share
            the last one.
        content_dropout: dropout on the content vectors, but not on the distance.
        loss: `softmax` trains each token's head separately, `tree-crf` the projective tree as a
            whole.
    """

    type: Literal["additive", "biaffine", "allennlp-bilinear"] = "additive"
    hidden_size: Size = 64
    operation_size: Size = 64
    distance_clip: Size = 10
    content_dropout: Rate = 0.5
    loss: Literal["softmax", "tree-crf"] = "softmax"
