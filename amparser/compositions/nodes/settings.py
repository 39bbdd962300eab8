"""The settings of a parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from amparser.conditions import OneOf, Range
from amparser.decode.decoders import DecodersOf
from amparser.learn.settings import DataSettings, TrainSettings
from amparser.lexicon.dictionary import DICTIONARIES
from amparser.nn.settings import EdgeSettings, EncoderSettings, Few, Rate, Size, SupertagSettings

RESTRICTIONS = (
    "words", "followers", "markers", "bare_forms", "sides", "displaced", "orders", "modified",
)  # fmt: skip
"""The settings of a lexicon that exclude what train never shows, one thing each."""


@dataclass(frozen=True, slots=True)
class LexiconSettings:
    """What the lexicon concludes from the supertags and words of the training trees.

    Attributes:
        polymorphic: supertags that differ only in the name of a source they expect open in
            an argument become one.
        words: a word has a supertag that words of its class had, or one with the same roles; a
            rare one seldom has another.
        followers: what follows an ignored word is what followed it in training.
        markers: an operation that only markers used takes nothing else, and a marker hangs only by
            operations by which it was seen.
        bare_forms: a marker that only had uninflected words below it has no inflected one.
        sides: the dependents of an operation are on the side where they were seen.
        displaced: only what was seen on the other side may be displaced.
        orders: the dependents on one side of a head keep the order seen there.
        modified: nothing modifies what would often have been modified, but never was.
        dictionary: the language (ISO 639) of simplemma's dictionary, or `wordnet` (Debian), which
            proposes lemmas of words that training does not have; empty for none. It is asked
            where it gives the lemmas of training better than rules that are counted without them.
        word_count: occurrences in training that make a word frequent; 0 to read it off train
            (`amparser.lexicon.thresholds`), after which the model's settings have the number.
        supertag_count: occurrences that make a supertag or operation frequent; 0 likewise.
    """

    polymorphic: bool = True
    words: bool = True
    followers: bool = True
    markers: bool = True
    bare_forms: bool = True
    sides: bool = True
    displaced: bool = True
    orders: bool = True
    modified: bool = True
    dictionary: Annotated[str, OneOf(DICTIONARIES, or_empty=True)] = "en"
    word_count: Annotated[int, Range(0)] = 0
    supertag_count: Annotated[int, Range(0)] = 0


@dataclass(frozen=True, slots=True)
class NodeTrainSettings(TrainSettings):
    """How a parser is trained.

    Attributes:
        exchange: the share of sentences in which a constituent of another sentence replaces
            one of their own, drawn anew in each epoch.
        members: how many scorers are trained; their log probabilities are averaged.
    """

    exchange: Rate = 0.9
    members: Few = 1


@dataclass(frozen=True, slots=True)
class DecodeSettings:
    """How scores become a tree.

    Attributes:
        decoder: the search, unless the command line names another.
        supertag_limit: the decoder sees this many best supertags per token.
    """

    decoder: Annotated[str, OneOf(DecodersOf("node"))] = "astar-gap"
    supertag_limit: Size = 6


def _train() -> NodeTrainSettings:
    return NodeTrainSettings(
        epochs=8,
        max_steps=0,
        epoch_sentences=10_000,
        batch_size=0,
        batch_tokens=1024,
        learning_rate=2e-3,
        schedule="fall",
        gradient_clip=5.0,
        fused=True,
        validate_every=0,
        select="accuracy",
        patience=3,
    )


@dataclass(frozen=True, slots=True)
class NodeSettings:
    """All settings of a parser with constants of one node.

    Attributes:
        constants: what the constants are (`amparser.compositions.composition`).
    """

    constants: Literal["node"] = "node"
    data: DataSettings = field(default_factory=DataSettings)
    lexicon: LexiconSettings = field(default_factory=LexiconSettings)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    supertag: SupertagSettings = field(default_factory=SupertagSettings)
    edge: EdgeSettings = field(default_factory=EdgeSettings)
    train: NodeTrainSettings = field(default_factory=_train)
    decode: DecodeSettings = field(default_factory=DecodeSettings)
