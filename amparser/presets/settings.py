"""The settings of a parser: one dataclass for each preset, in sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

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
    """How scorers are trained.

    Attributes:
        members: how many scorers are trained; their log probabilities are averaged.
        start: the folder of a model that learned from almost the same corpus. The training begins
            with its weights and confidence and has a sixth of its epochs.
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
        """The weights of losses that are not 1, by the beginning of their names."""
        return {}


@dataclass(frozen=True, slots=True)
class PieceTrainSettings(ScorerTrainSettings):
    """How scorers of constants of several nodes are trained.

    Attributes:
        select: which weights are kept: `last`, or those of the best `accuracy` on dev.
    """

    batch_size: Count = 32
    select: Literal["last", "accuracy"] = "last"
    final_learning_rate: ClassVar[float] = 0.01
    weight_decay: ClassVar[float] = 0.01


@dataclass(frozen=True, slots=True)
class PieceDataSettings(DataSettings):
    """What constants of several nodes are induced from.

    Attributes:
        held_out: the share of train that serves as dev if there is no dev file; 0 for no dev.
    """

    held_out: Annotated[float, Range(0, maximum=0.5)] = 0.0


@dataclass(frozen=True, slots=True)
class LexiconSettings:
    """What the lexicon concludes from the supertags and words of the training trees.

    Attributes:
        supertag_count: occurrences in training from which on what a supertag, an operation or an
            ignored word never shows is ruled out.
        restricted: whether anything is ruled out (`amparser.lexicon.restrictions`).
        polymorphic: supertags that differ only in the name of a source they expect open in
            an argument become one.
        dictionary: the language (ISO 639) of simplemma's dictionary, or `wordnet`, which
            proposes lemmas of words that training does not have; empty for none. It is asked
            where it is right for four of five forms of training that it changes.
    """

    supertag_count: Size = 6
    restricted: bool = True
    polymorphic: bool = True
    dictionary: Annotated[str, OneOf(DICTIONARIES, or_empty=True)] = "en"


@dataclass(frozen=True, slots=True)
class NodeTrainSettings(ScorerTrainSettings):
    """How a parser is trained.

    Attributes:
        exchange: the share of sentences in which a constituent of another sentence replaces
            one of their own, drawn anew in each epoch.
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
    """How scores become a tree.

    Attributes:
        decoder: the search, unless the command line names another.
        supertag_limit: the decoder sees this many best supertags per token.
    """

    decoder: Annotated[str, OneOf(DecodersOf("node"))] = "astar-gap"
    supertag_limit: Size = 6


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """All settings of a parser with constants of one node.

    Attributes:
        preset: its name (`amparser.presets.registry`).
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
    """Sizes and dropout of what scores above the encoder.

    Attributes:
        hidden_size: width of the hidden layer of tags.
        dropout: on the hidden layer.
        arc_size: width of the vectors of head and dependent.
        context_dropout: probability that the tags of a sentence are predicted from each word
            alone in training.
    """

    hidden_size: Size = 128
    dropout: Rate = 0.5
    arc_size: Size = 64
    context_dropout: Rate = 0.0


@dataclass(frozen=True, slots=True)
class TreeEncoderSettings(EncoderSettings):
    """The encoder: words to vectors in context."""

    letter_size: Width = 64
    prefix_size: Width = 64
    buckets: Buckets = 2048
    dropout: Rate = 0.5
    word_dropout: Annotated[float, Range(0)] = 0.0
    word_rate: Rate = 0.25
    vectors: Annotated[str, SomeOf(VECTORS, AUTO)] = AUTO
    rare_dropout: Annotated[float, Range(0)] = 1.0
    capitals: ClassVar[bool] = False
    shape_size: ClassVar[int] = 8
    letter_dropout: ClassVar[float] = 0.1
    word_scale: ClassVar[float] = 0.3
    letter_scale: ClassVar[float] = 0.02


@dataclass(frozen=True, slots=True)
class TreeTrainSettings(PieceTrainSettings):
    """How scorers are trained.

    Attributes:
        fresh: how many recombined sentences an epoch has for each sentence of train.
        invented: how often a name of a recombined sentence is replaced by an invented one.
    """

    epochs: Count = 50
    fresh: Annotated[float, Range(0)] = 2.0
    invented: Rate = 0.1

    # Parts of one procedure, which no file sets.
    again: ClassVar[float] = 0.7
    """Probability of another exchange of constituents after each."""
    wide: ClassVar[float] = 0.5
    """Probability that a place is taken by a constituent of its kind, else by one of its sort."""


@dataclass(frozen=True, slots=True)
class SortSettings:
    """How sorts are induced.

    Attributes:
        most: how many sorts there are at most.
    """

    most: Size = 16


@dataclass(frozen=True, slots=True)
class TreeDecodeSettings:
    """How scores become a tree.

    Attributes:
        decoder: `wrap` also searches trees in which a head stands inside its only argument;
            `projective` does not. `wrap` becomes `projective` where train has almost no such tree.
        wrap_limit: of a sentence with more tokens, `wrap` searches the projective trees alone;
            time and memory grow with the fourth power of the length.
        arc_weight: of the scores of edges.
        prior_weight: of the log probabilities of sorts.
        candidates: the most constants that a token keeps at first.
        margin: a constant is kept if it is at most so much less likely than the best one, in
            nats.
    """

    decoder: Annotated[str, OneOf(DecodersOf("tree"))] = "wrap"
    wrap_limit: Annotated[int, Range(0, maximum=100)] = 30
    arc_weight: Annotated[float, Range(0)] = 0.6
    prior_weight: Annotated[float, Range(0)] = 0.2
    candidates: Size = 6
    margin: Annotated[float, Range(0)] = 7.0

    # Weights of what train shows of pairs of constants, which no file sets.
    prior_floor: ClassVar[float] = 1e-3
    """Least probability of a sort."""
    violation: ClassVar[float] = 1.0
    """Cost of a sort below this probability, in nats."""
    news_weight: ClassVar[float] = 1.5
    """Weight of log P(the name is new) of a new name, and of log P(part of a name) of a part."""
    pair_weight: ClassVar[float] = 0.8
    """Weight of log (P(filler | port) / P(filler | sorts))."""
    pair_most: ClassVar[float] = 3.0
    """Greatest log ratio that a filler gains by."""
    strange_weight: ClassVar[float] = 1.0
    """Weight of log P(kind | port) of a kind of constant that train never has in the port."""
    unheard_weight: ClassVar[float] = 0.5
    """Weight of log P(filler | port, what is above) of a filler that train never has there."""
    side_weight: ClassVar[float] = 0.5
    """Weight of log P(side | port) of a constant with several ports."""
    family_share: ClassVar[float] = 0.02
    """Share of its probability that a family (`loc_1`, `loc_2`) gives to all its members."""
    name_share: ClassVar[float] = 0.2
    """Share of a word's probability for constants whose names it spells ("traverses")."""


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """All settings of a parser whose constants are pieces of trees.

    Attributes:
        preset: its name (`amparser.presets.registry`).
    """

    preset: Literal["tree"] = "tree"
    data: PieceDataSettings = field(default_factory=PieceDataSettings)
    encoder: EncoderSettings = field(default_factory=TreeEncoderSettings)
    heads: TreeHeadSettings = field(default_factory=TreeHeadSettings)
    train: TreeTrainSettings = field(default_factory=TreeTrainSettings)
    sorts: SortSettings = field(default_factory=SortSettings)
    decode: TreeDecodeSettings = field(default_factory=TreeDecodeSettings)


@dataclass(frozen=True, slots=True)
class GraphDataSettings(PieceDataSettings):
    """What is trained on, and which layers of the corpus align graphs to words.

    Attributes:
        words: the layer with the words of a sentence, as annotators cut it; empty for tokens.
        features: the layers that tell which word a node comes from, separated by spaces.
        anchors: the layer that has labels of nodes; empty for none.
        alignment: the layer that has the word of each node, from 1, or `-`; empty for that of its
            token, if a file has one.
        auxiliary: the layers whose items the network learns to tell beside all else, separated
            by spaces; nothing else reads them, and parsing does not need them.
        texts: so many texts of sentences of train are made to learn from, as a share of these,
            if train shows how texts are joined.
        recombined: so many sentences are made of train's, each with constituents of others in
            place of its own, as a share of these.
        bilingual: whether concepts of words that train does not have are looked up in FreeDict
            (Debian) and WordNet; parsing needs them, too.
    """

    words: str = ""
    features: str = ""
    anchors: str = ""
    alignment: str = ""
    auxiliary: str = ""
    texts: Rate = 0.03
    recombined: Annotated[float, Range(0, maximum=10)] = 0.0
    bilingual: bool = False


@dataclass(frozen=True, slots=True)
class GraphHeadSettings:
    """Sizes and dropout of what scores above the encoder.

    Attributes:
        arc_size: width of the vectors of head and dependent.
        distance_clip: arcs see the signed distance of their ends, and those beyond this are
            alike; 0 where they do not see it.
        hidden_size: width of the hidden layers of tags and labels.
        label_dropout: probability that the scorer of labels does not see a token's filler.
        dropout: on hidden layers.
    """

    arc_size: Size = 128
    distance_clip: Width = 0
    hidden_size: Size = 192
    label_dropout: Rate = 0.3
    dropout: Rate = 0.33
    filler_size: ClassVar[int] = 64
    """Width of the embeddings of what fills slots."""


@dataclass(frozen=True, slots=True)
class GraphEncoderSettings(EncoderSettings):
    """The encoder: words to vectors in context."""

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
    """How scorers are trained.

    Attributes:
        label_weight: weight of the loss of what fills slots; those of all else have 1.
    """

    epochs: Count = 24
    adam_beta2: Annotated[float, Range(0, 1)] = 0.95
    label_weight: Annotated[float, Range(0)] = 2.0
    auxiliary_weight: ClassVar[float] = 0.5
    """Weight of the loss of each auxiliary layer."""

    @property
    def loss_weights(self) -> Mapping[str, float]:
        """See `ScorerTrainSettings`."""
        return {"fillers": self.label_weight, "auxiliary": self.auxiliary_weight}


@dataclass(frozen=True, slots=True)
class GraphDecodeSettings:
    """How scores become a graph.

    Attributes:
        decoder: the search for the tree, unless the command line names another.
        dictionary: the language (ISO 639) of simplemma's dictionary, or `wordnet`, which
            gives the lemmas of words that train does not have, in slots where it is right for
            those of train; empty for none.
    """

    decoder: Annotated[str, OneOf(DecodersOf("graph"))] = "tree"
    dictionary: Annotated[str, OneOf(DICTIONARIES, or_empty=True)] = "en"


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """All settings of a parser whose constants are pieces of graphs.

    Attributes:
        preset: its name (`amparser.presets.registry`).
    """

    preset: Literal["graph"] = "graph"
    data: GraphDataSettings = field(default_factory=GraphDataSettings)
    encoder: EncoderSettings = field(default_factory=GraphEncoderSettings)
    heads: GraphHeadSettings = field(default_factory=GraphHeadSettings)
    train: GraphTrainSettings = field(default_factory=GraphTrainSettings)
    decode: GraphDecodeSettings = field(default_factory=GraphDecodeSettings)
