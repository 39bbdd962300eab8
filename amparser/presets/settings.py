"""Settings of parsers: one dataclass per preset, in sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, Self

from amparser.conditions import Count, OneOf, Range, SomeOf
from amparser.decode.decoders import DecodersOf
from amparser.learn.settings import DataSettings, TrainSettings
from amparser.lexicon.dictionary import DICTIONARIES
from amparser.nn.registry import AUTO, VECTORS
from amparser.nn.settings import (
    Buckets,
    EdgeSettings,
    EncoderSettings,
    Few,
    Rate,
    Size,
    SupertagSettings,
    Width,
)


@dataclass(frozen=True, slots=True)
class ScorerTrainSettings(TrainSettings):
    """Training of scorers.

    Attributes:
        members: number of scorers to train; their log-probabilities are averaged.
        start: folder of a model trained on almost the same corpus. Training starts with its weights
            and its calibrated confidence, and the number of epochs is divided by six.
    """

    max_steps: Count = 0
    learning_rate: Annotated[float, Range(0)] = 2e-3
    schedule: Literal["constant", "linear", "fall", "noam"] = "fall"
    gradient_clip: Annotated[float, Range(0)] = 5.0
    validate_every: Count = 0
    members: Few = 1
    start: str = ""
    fused: ClassVar[bool] = True

    @property
    def loss_weights(self) -> Mapping[str, float]:
        """Weights of losses by prefix of their names; all other losses have the weight 1."""
        return {}


@dataclass(frozen=True, slots=True)
class PieceTrainSettings(ScorerTrainSettings):
    """Training of scorers of fragments.

    Attributes:
        select: epoch whose weights are used: `last`, or the one with the best `accuracy` on dev.
    """

    batch_size: Count = 32
    select: Literal["last", "accuracy"] = "last"
    final_learning_rate: ClassVar[float] = 0.01
    weight_decay: ClassVar[float] = 0.01


@dataclass(frozen=True, slots=True)
class PieceDataSettings(DataSettings):
    """Data from which fragments are induced.

    Attributes:
        held_out: share of train that is used as dev if the corpus has no dev file; 0 for none.
    """

    held_out: Annotated[float, Range(0, maximum=0.5)] = 0.0


@dataclass(frozen=True, slots=True)
class LexiconSettings:
    """Constraints and lemmas of the lexicon.

    Attributes:
        supertag_count: if a supertag, operation or ignored word occurs at least this often in
            training, its combinations that training lacks are excluded.
        restricted: whether unseen combinations are excluded (`amparser.lexicon.restrictions`).
        polymorphic: whether to merge supertags that differ only in the name of an open source in a
            request, such as `C(L1_UNIFY_M)` and `C(R1_UNIFY_M)`.
        dictionary: lemma dictionary for unseen words: a language (ISO 639) of simplemma, or
            `wordnet`; empty for none. It is used only if it is right for at least 80 % of the
            training forms that it changes.
    """

    supertag_count: Size = 6
    restricted: bool = True
    polymorphic: bool = True
    dictionary: Annotated[str, OneOf(DICTIONARIES, or_empty=True)] = "en"


@dataclass(frozen=True, slots=True)
class NodeTrainSettings(ScorerTrainSettings):
    """Training of the scorer.

    Attributes:
        exchange: in each epoch, share of the sentences in which a constituent is replaced by one
            from another sentence.
    """

    epochs: Count = 8
    epoch_sentences: Count = 10_000
    batch_size: Count = 0
    batch_tokens: Count = 1024
    select: Literal["last", "loss", "accuracy"] = "accuracy"
    patience: Count = 3
    exchange: Rate = 0.9


@dataclass(frozen=True, slots=True)
class NodeDecodeSettings:
    """Decoding of scores into a tree.

    Attributes:
        decoder: default decoder; the command line may name another.
        supertag_limit: maximum number of supertags per token that the decoder considers.
    """

    decoder: Annotated[str, OneOf(DecodersOf("node"))] = "astar-gap"
    supertag_limit: Size = 6


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """All settings of a parser with constants of one node.

    Attributes:
        preset: name of the preset (`amparser.presets.registry`).
    """

    preset: Literal["node"] = "node"
    data: DataSettings = field(default_factory=DataSettings)
    lexicon: LexiconSettings = field(default_factory=LexiconSettings)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    supertag: SupertagSettings = field(default_factory=SupertagSettings)
    edge: EdgeSettings = field(default_factory=EdgeSettings)
    train: NodeTrainSettings = field(default_factory=NodeTrainSettings)
    decode: NodeDecodeSettings = field(default_factory=NodeDecodeSettings)


@dataclass(frozen=True, slots=True)
class TreeHeadSettings:
    """Sizes and dropout of the layers above the encoder.

    Attributes:
        hidden_size: width of the tagger's hidden layer.
        dropout: dropout on the hidden layer.
        arc_size: width of the vectors for heads and dependents in the edge scorer.
        context_dropout: probability in training that the tags of a sentence are predicted from
            each word without its context.
    """

    hidden_size: Size = 128
    dropout: Rate = 0.5
    arc_size: Size = 64
    context_dropout: Rate = 0.0


@dataclass(frozen=True, slots=True)
class TreeEncoderSettings(EncoderSettings):
    """Encoder of words in context."""

    letter_size: Width = 64
    prefix_size: Width = 64
    buckets: Buckets = 2048
    dropout: Rate = 0.5
    word_dropout: Annotated[float, Range(0)] = 0.0
    word_rate: Rate = 0.1
    vectors: Annotated[str, SomeOf(VECTORS, AUTO)] = AUTO
    pretrained: str = AUTO
    rare_dropout: Annotated[float, Range(0)] = 1.0
    capitals: ClassVar[bool] = False
    shape_size: ClassVar[int] = 8
    letter_dropout: ClassVar[float] = 0.1
    word_scale: ClassVar[float] = 0.3
    letter_scale: ClassVar[float] = 0.02
    pretrained_seen: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class TreeTrainSettings(PieceTrainSettings):
    """Training of scorers of tree fragments.

    Attributes:
        epochs: maximum number of epochs; 0 means 50, or 8 to 50 if train has more than 1,200
            sentences.
        fresh: number of recombined sentences in each epoch, per sentence of train.
        invented: share of the names in recombined sentences that are replaced by invented names.
    """

    epochs: Count = 0
    fresh: Annotated[float, Range(0)] = 2.0
    invented: Rate = 0.1

    # These constants belong to the procedure; settings files cannot change them.
    again: ClassVar[float] = 0.7
    """Probability of another exchange of constituents after each exchange."""

    def with_epochs(self, sentences: int) -> Self:
        """Return the settings with the number of epochs for a corpus of this size."""
        if self.epochs or self.max_steps:
            return self
        return replace(self, epochs=max(8, min(50, 60_000 // sentences)))


@dataclass(frozen=True, slots=True)
class TreeDecodeSettings:
    """Decoding of scores into a tree.

    Attributes:
        decoder: `wrap` also finds trees with a head inside its only argument; `projective` does
            not. `wrap` becomes `projective` if train has almost no such trees.
        wrap_limit: maximum number of tokens for `wrap`; longer sentences use `projective`. Time
            and memory grow with the fourth power of the length.
        arc_weight: weight of the edge scores.
        candidates: maximum number of constants per token in the first round of the search.
        margin: maximum difference in nats between the log-probability of a candidate and of the
            best constant of its token.
    """

    decoder: Annotated[str, OneOf(DecodersOf("tree"))] = "wrap"
    wrap_limit: Annotated[int, Range(0, maximum=100)] = 30
    arc_weight: Annotated[float, Range(0)] = 0.6
    candidates: Size = 6
    margin: Annotated[float, Range(0)] = 7.0

    # Settings files cannot change these weights of co-occurrence statistics
    # (`amparser.induction.cooccurrence`).
    news_weight: ClassVar[float] = 1.5
    """Weight of the penalties for new names, and for parts of known multiword names."""
    pair_weight: ClassVar[float] = 0.8
    """Weight of the log ratio of P(argument | port) and P(argument)."""
    pair_most: ClassVar[float] = 3.0
    """Maximum of the difference that `pair_weight` multiplies."""
    strange_weight: ClassVar[float] = 1.0
    """Weight of the penalty for an argument whose selectional class is new to its port."""


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """All settings of a parser with tree fragments.

    Attributes:
        preset: name of the preset (`amparser.presets.registry`).
    """

    preset: Literal["tree"] = "tree"
    data: PieceDataSettings = field(default_factory=PieceDataSettings)
    encoder: EncoderSettings = field(default_factory=TreeEncoderSettings)
    heads: TreeHeadSettings = field(default_factory=TreeHeadSettings)
    train: TreeTrainSettings = field(default_factory=TreeTrainSettings)
    decode: TreeDecodeSettings = field(default_factory=TreeDecodeSettings)


@dataclass(frozen=True, slots=True)
class GraphDataSettings(PieceDataSettings):
    """Training data, and annotation layers of the corpus that align graphs with words.

    Attributes:
        words: layer with the annotated words of a sentence; if empty, the tokens are used.
        features: layers of word features used to align nodes, separated by spaces.
        anchors: layer with the node label of each word; empty if there is none.
        alignment: layer with the number (from 1) of each node's word, or `-` for none; if empty,
            the alignment in the corpus file is used, if there is one.
        auxiliary: layers that the network learns to predict as a further task, separated by spaces;
            parsing does not need them.
        texts: number of texts that are created by joining training sentences, as a share of the
            training sentences; none are created if train itself has no texts of several sentences.
    """

    words: str = ""
    features: str = ""
    anchors: str = ""
    alignment: str = ""
    auxiliary: str = ""
    texts: Rate = 0.03


@dataclass(frozen=True, slots=True)
class GraphHeadSettings:
    """Sizes and dropout of the layers above the encoder.

    Attributes:
        arc_size: width of the vectors for heads and dependents in the edge scorer.
        distance_clip: the edge scorer reads the signed distance from head to dependent; longer
            distances are clipped to this value. 0 if it does not read distances.
        hidden_size: width of the hidden layers of the scorers of tags and labels.
        label_dropout: probability in training that the label scorer does not see a token's lexical
            label.
        dropout: dropout on hidden layers.
    """

    arc_size: Size = 128
    distance_clip: Width = 0
    hidden_size: Size = 192
    label_dropout: Rate = 0.3
    dropout: Rate = 0.33
    filler_size: ClassVar[int] = 64
    """Width of the embeddings of lexical labels."""


@dataclass(frozen=True, slots=True)
class GraphEncoderSettings(EncoderSettings):
    """Encoder of words in context."""

    word_size: Width = 128
    letter_size: Width = 96
    hidden_size: Size = 256
    layers: Few = 2
    dropout: Rate = 0.33
    word_dropout: Annotated[float, Range(0)] = 0.5
    capitals: ClassVar[bool] = False
    affix_size: ClassVar[int] = 24
    shape_size: ClassVar[int] = 8
    word_scale: ClassVar[float] = 0.3


@dataclass(frozen=True, slots=True)
class GraphTrainSettings(PieceTrainSettings):
    """Training of scorers of graph fragments.

    Attributes:
        label_weight: weight of the loss of lexical labels; most other losses have weight 1.
    """

    epochs: Count = 24
    adam_beta2: Annotated[float, Range(0, 1)] = 0.95
    label_weight: Annotated[float, Range(0)] = 2.0
    auxiliary_weight: ClassVar[float] = 0.5
    """Weight of the loss of each annotation layer in `data.auxiliary`."""

    @property
    def loss_weights(self) -> Mapping[str, float]:
        """Return the weights of the losses of lexical labels and auxiliary annotation layers."""
        return {"fillers": self.label_weight, "auxiliary": self.auxiliary_weight}


@dataclass(frozen=True, slots=True)
class GraphDecodeSettings:
    """Decoding of scores into a graph.

    Attributes:
        decoder: default decoder of the tree; the command line may name another.
        dictionary: lemma dictionary for unseen words: a language (ISO 639) of simplemma, or
            `wordnet`; empty for none. It is used only in slots in which it is right for at least
            80 % of the training forms that it changes.
    """

    decoder: Annotated[str, OneOf(DecodersOf("graph"))] = "tree"
    dictionary: Annotated[str, OneOf(DICTIONARIES, or_empty=True)] = "en"


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """All settings of a parser with graph fragments.

    Attributes:
        preset: name of the preset (`amparser.presets.registry`).
    """

    preset: Literal["graph"] = "graph"
    data: GraphDataSettings = field(default_factory=GraphDataSettings)
    encoder: EncoderSettings = field(default_factory=GraphEncoderSettings)
    heads: GraphHeadSettings = field(default_factory=GraphHeadSettings)
    train: GraphTrainSettings = field(default_factory=GraphTrainSettings)
    decode: GraphDecodeSettings = field(default_factory=GraphDecodeSettings)
