"""The settings of a parser over pieces."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from amparser.conditions import Count, OneOf, Range
from amparser.decode.decoders import DecodersOf
from amparser.learn.settings import DataSettings, ScorerTrainSettings
from amparser.nn.settings import EncoderSettings, Rate, Size


@dataclass(frozen=True, slots=True)
class TreeDataSettings(DataSettings):
    """What is trained on.

    Attributes:
        held_out: the share of train that serves as dev if there is no dev file; 0 for no dev.
        alignment: whether alignments of words to nodes that the data gives are used; else all
            are induced.
    """

    held_out: Annotated[float, Range(0, maximum=0.5)] = 0.0
    alignment: bool = True


@dataclass(frozen=True, slots=True)
class TreeHeadSettings:
    """Sizes and dropout of what scores above the encoder.

    Attributes:
        hidden_size: width of the hidden layer of tags.
        dropout: on the hidden layer.
        arc_size: width of the vectors of head and dependent.
        context_dropout: probability that the tags of a sentence are predicted from each word
            alone in training.
        spelled_tags: whether the n-grams of a tag's label are part of its vector.
    """

    hidden_size: Size = 128
    dropout: Rate = 0.5
    arc_size: Size = 64
    context_dropout: Rate = 0.0
    spelled_tags: bool = True


def _encoder() -> EncoderSettings:
    return EncoderSettings(
        word_size=64,
        capitals=False,
        letter_size=64,
        beginning_size=64,
        shape_size=8,
        buckets=2048,
        hidden_size=128,
        layers=1,
        dropout=0.5,
        word_dropout=0.0,
        word_rate=0.25,
        letter_dropout=0.1,
        rare_dropout=1.0,
        word_scale=0.3,
        letter_scale=0.02,
    )


@dataclass(frozen=True, slots=True)
class TreeTrainSettings(ScorerTrainSettings):
    """How scorers are trained.

    Attributes:
        fresh: how many recombined sentences an epoch has for each sentence of train.
        again: the probability of another exchange of constituents after each.
        rarity: how much more often constituents with rare constants are drawn.
        variety: how much less often constituents of a frequent form are drawn; 0 for as often
            as they occur, 1 for each form as often as another.
        wide: how often a constituent's place is taken by one of its kind, else by one of its sort.
        likely: a constituent may stand in a place if its sort has this probability at least.
        invented: how often a name of a recombined sentence is replaced by an invented one.
    """

    epochs: Count = 50
    fresh: Annotated[float, Range(0)] = 2.0
    again: Annotated[float, Range(0, 1)] = 0.7
    rarity: Annotated[float, Range(0)] = 0.5
    variety: Annotated[float, Range(0, maximum=1)] = 0.5
    wide: Annotated[float, Range(0, maximum=1)] = 0.5
    likely: Rate = 0.005
    invented: Rate = 0.1


@dataclass(frozen=True, slots=True)
class SortSettings:
    """How sorts are induced.

    Attributes:
        most: how many sorts there are at most.
        free_root: every sort is as likely as any other at the root.
    """

    most: Size = 16
    free_root: bool = True


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
        prior_floor: a sort of a smaller probability counts as this one.
        violation: what such a sort costs besides, in nats.
        news_weight: of the log probability that a constant's name is one that train does not
            have, where it is.
        pair_weight: of the log ratio of what train has, and what sorts alone make likely, of
            the constant in a hole.
        pair_most: no constant gains more than this ratio.
        strange_weight: of the log probability that a hole takes a kind of constant that it never
            has in train, where it does.
        unheard_weight: of the log probability that a hole takes a constant that it never has in
            train where what it belongs to fills the same place, where it does.
        side_weight: of the log probability that a filler stands to the left or right of a constant
            with several holes.
        family_share: how much of its probability a family of constants, such as `loc_1` and
            `loc_2`, shares out among its members.
        name_share: how much of a word's probability the constants have whose names it spells, such
            as `traverse_2` of "traverses".
        candidates: the most constants that a token keeps at first.
        margin: a constant is kept if it is at most so much less likely than the best one, in
            nats.
    """

    decoder: Annotated[str, OneOf(DecodersOf("tree"))] = "wrap"
    wrap_limit: Annotated[int, Range(0, maximum=100)] = 30
    arc_weight: Annotated[float, Range(0)] = 0.6
    prior_weight: Annotated[float, Range(0)] = 0.2
    prior_floor: Annotated[float, Range(1e-12, maximum=1)] = 1e-3
    violation: Annotated[float, Range(0)] = 1.0
    news_weight: Annotated[float, Range(0)] = 1.5
    pair_weight: Annotated[float, Range(0)] = 0.8
    pair_most: Annotated[float, Range(0)] = 3.0
    strange_weight: Annotated[float, Range(0)] = 1.0
    unheard_weight: Annotated[float, Range(0)] = 0.5
    side_weight: Annotated[float, Range(0)] = 0.5
    family_share: Rate = 0.02
    name_share: Rate = 0.2
    candidates: Size = 6
    margin: Annotated[float, Range(0)] = 7.0


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """All settings of a parser over pieces.

    Attributes:
        constants: what the constants are (`amparser.compositions.composition`).
    """

    constants: Literal["tree"] = "tree"
    data: TreeDataSettings = field(default_factory=TreeDataSettings)
    encoder: EncoderSettings = field(default_factory=_encoder)
    heads: TreeHeadSettings = field(default_factory=TreeHeadSettings)
    train: TreeTrainSettings = field(default_factory=TreeTrainSettings)
    sorts: SortSettings = field(default_factory=SortSettings)
    decode: TreeDecodeSettings = field(default_factory=TreeDecodeSettings)
