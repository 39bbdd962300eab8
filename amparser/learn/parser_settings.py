"""The settings of a parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from amparser.decode.decoders import DECODERS
from amparser.learn.settings import DataSettings, OneOf, TrainSettings
from amparser.nn.settings import EdgeSettings, EncoderSettings, Rate, Size, SupertagSettings


@dataclass(frozen=True, slots=True)
class LexiconSettings:
    """What is made of the supertags and words of the training trees.

    Attributes:
        polymorphic: supertags that differ only in the name of a source they expect open in
            an argument become one.
        words: what was never seen of a frequent word is ruled out
            (`amparser.lexicon.restrictions`).
        sides: what was never seen of the sides of dependents is ruled out.
        orders: what was never seen of the order of dependents is ruled out.
        frames: a frequent word keeps the roles of its supertags, not these themselves.
        word_count: how often a frequent word was seen in training.
        supertag_count: how often a frequent supertag or operation was seen.
    """

    polymorphic: bool = True
    words: bool = True
    sides: bool = True
    orders: bool = True
    frames: bool = False
    word_count: Size = 40
    supertag_count: Size = 20


@dataclass(frozen=True, slots=True)
class ParserTrainSettings(TrainSettings):
    """How a parser is trained.

    Attributes:
        exchange: the share of sentences that get one constituent of another sentence in the
            place of their own, anew in each epoch.
    """

    exchange: Rate = 0.9


@dataclass(frozen=True, slots=True)
class DecodeSettings:
    """How scores become a tree.

    Attributes:
        decoder: the search, unless the command line names another.
        supertag_limit: the decoder sees this many best supertags a token.
    """

    decoder: Annotated[str, OneOf(DECODERS)] = "astar-gap"
    supertag_limit: Size = 6


def _train() -> ParserTrainSettings:
    return ParserTrainSettings(
        epochs=8,
        max_steps=0,
        epoch_sentences=10_000,
        batch_size=0,
        batch_tokens=1024,
        learning_rate=2e-3,
        schedule="fall",
        gradient_clip=5.0,
        validate_every=0,
        select="accuracy",
        patience=3,
    )


@dataclass(frozen=True, slots=True)
class ParserSettings:
    """All settings of a parser."""

    data: DataSettings = field(default_factory=DataSettings)
    lexicon: LexiconSettings = field(default_factory=LexiconSettings)
    encoder: EncoderSettings = field(default_factory=EncoderSettings)
    supertag: SupertagSettings = field(default_factory=SupertagSettings)
    edge: EdgeSettings = field(default_factory=EdgeSettings)
    train: ParserTrainSettings = field(default_factory=_train)
    decode: DecodeSettings = field(default_factory=DecodeSettings)
