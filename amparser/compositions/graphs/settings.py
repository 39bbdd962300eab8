"""The settings of a parser of graphs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from amparser.conditions import Count, OneOf, Range
from amparser.decode.decoders import DecodersOf
from amparser.learn.settings import DataSettings, ScorerTrainSettings
from amparser.lexicon.dictionary import LANGUAGES
from amparser.nn.settings import EncoderSettings, Rate, Size, Width


@dataclass(frozen=True, slots=True)
class GraphDataSettings(DataSettings):
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
        before: files, or folders with `train`, as `also`, but for the first epochs alone
            (`train.before`).
        bilingual: whether concepts of words that train does not have are looked up in FreeDict
            and WordNet, where the machine has them; parsing needs them, too.
        boxes: whether membership in boxes is looked for; if not, boxes are nodes as others are.
    """

    held_out: Annotated[float, Range(0, maximum=0.5)] = 0.0
    words: str = ""
    features: str = ""
    anchors: str = ""
    alignment: str = ""
    auxiliary: str = ""
    texts: Rate = 0.03
    recombined: Annotated[float, Range(0, maximum=10)] = 0.0
    before: str = ""
    bilingual: bool = False
    boxes: bool = True


@dataclass(frozen=True, slots=True)
class GraphHeadSettings:
    """Sizes and dropout of what scores above the encoder.

    Attributes:
        arc_size: width of the vectors of head and dependent.
        distance_clip: arcs see the signed distance of their ends, and those beyond this are
            alike; 0 where they do not see it.
        label_size: width of the hidden layers of tags and labels.
        filler_size: width of the embeddings of what fills slots.
        filler_dropout: probability that the scorer of labels does not see a token's filler.
        dropout: on hidden layers.
    """

    arc_size: Size = 128
    distance_clip: Width = 0
    label_size: Size = 192
    filler_size: Size = 64
    filler_dropout: Rate = 0.3
    dropout: Rate = 0.33


def _encoder() -> EncoderSettings:
    return EncoderSettings(
        word_size=128,
        capitals=False,
        letter_size=96,
        affix_size=24,
        shape_size=8,
        buckets=4096,
        hidden_size=256,
        layers=2,
        dropout=0.33,
        word_dropout=0.5,
        word_scale=0.3,
        letter_scale=0.3,
    )


@dataclass(frozen=True, slots=True)
class GraphTrainSettings(ScorerTrainSettings):
    """How scorers are trained.

    Attributes:
        before: the number of epochs that learn from `data.before`, too.
        filler_weight: weight of the loss of what fills slots; those of all else have 1.
        auxiliary_weight: weight of the loss of each auxiliary layer.
    """

    epochs: Count = 24
    adam_beta2: Annotated[float, Range(0, 1)] = 0.95
    before: Count = 0
    filler_weight: Annotated[float, Range(0)] = 2.0
    auxiliary_weight: Annotated[float, Range(0)] = 0.5


@dataclass(frozen=True, slots=True)
class GraphDecodeSettings:
    """How scores become a graph.

    Attributes:
        decoder: the search for the tree, unless the command line names another.
        typed: no constant has an argument twice that train never gives twice, and the arguments
            of a constant are chosen together.
        frame_weight: of the log probabilities of a constant's arguments together.
        extra: whether arcs beside the tree are read off.
        scope: whether boxes are scored; if not, all nodes are in the first box.
        dictionary: the language (ISO 639) of simplemma's dictionary, which gives the lemmas of
            words that train does not have, in slots where it is right for those of train;
            empty for none.
    """

    decoder: Annotated[str, OneOf(DecodersOf("graph"))] = "tree"
    typed: bool = True
    frame_weight: Annotated[float, Range(0)] = 0.3
    extra: bool = True
    scope: bool = True
    dictionary: Annotated[str, OneOf(LANGUAGES, or_empty=True)] = "en"


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """All settings of a parser of graphs.

    Attributes:
        constants: what the constants are (`amparser.compositions.composition`).
    """

    constants: Literal["graph"] = "graph"
    data: GraphDataSettings = field(default_factory=GraphDataSettings)
    encoder: EncoderSettings = field(default_factory=_encoder)
    heads: GraphHeadSettings = field(default_factory=GraphHeadSettings)
    train: GraphTrainSettings = field(default_factory=GraphTrainSettings)
    decode: GraphDecodeSettings = field(default_factory=GraphDecodeSettings)
