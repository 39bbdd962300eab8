"""Search for the best derivation of a sentence in the preset `tree`.

A *tag* is the index of a constant in the inventory. A *variant* is a constant at a token, as the
decoders see it. A *space* has the variants of all tokens and their scores, and so represents all
derivations of the sentence. The search has several rounds, each with more candidate constants than
the round before; it ends when a decoder finds a derivation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import groupby
from operator import attrgetter

import numpy as np

from amparser.decode.chart import Float, Tokens, Variants, bounds
from amparser.decode.decoders import DECODERS
from amparser.decode.next_best import ANY, SLACK, Choices, Limits, Parts, after_best
from amparser.decode.parse import NO_TREE, Best
from amparser.decode.scores import Scores
from amparser.decode.wrap import Constituents
from amparser.induction.contraction import chained
from amparser.induction.cooccurrence import CooccurrenceCounts, Place, is_part, long_names, new_to
from amparser.induction.inventory import Inventory
from amparser.lexicon.encoded import (
    CONTINUE_TAG,
    FIRST_FRAGMENT,
    IGNORE_TAG,
    NOBODY,
    Encoded,
)
from amparser.notations.ordered_trees import ABSENT
from amparser.presets.settings import TreeDecodeSettings
from amparser.presets.trees.space import (
    IMPOSSIBLE,
    Candidate,
    Space,
    choices_of,
    limited,
)
from amparser.remembered import Remembered

_ROUNDS = 3
"""Maximum number of rounds; each has twice as many candidates as the round before."""
_WORK = 10_000
"""Work limit of `Search.after`: sum of the squared sentence lengths over all searches."""
_MOST_WRAPPED = 5e8
"""Work limit of the decoder `wrap`; beyond it, the decoder is `projective`.

The work is tokens^4 * candidate constants * their sets of unfilled ports. Sentences with many
unknown words exceed the limit.
"""
_MOST_STEPS = 2e8
"""Work limit of all decoders; beyond it, only the most probable constants are candidates.

The work is tokens^3 * candidate constants * their sets of unfilled ports.
"""


class Search:
    """Search with the inventory and the co-occurrence counts of a model."""

    def __init__(
        self,
        inventory: Inventory,
        cooccurrence: CooccurrenceCounts,
        settings: TreeDecodeSettings,
    ) -> None:
        self.inventory = inventory
        self.cooccurrence = cooccurrence
        self._worth: dict[tuple[int, int, int], float] = {}
        self.settings = settings
        self._chained = chained(inventory.fragments, FIRST_FRAGMENT)
        self._defaults = inventory.defaults
        none = [0] * FIRST_FRAGMENT
        self._lexical = [*map(bool, none), *(bool(piece.slots) for piece in inventory.fragments)]
        self._names = [*map(str, none), *(piece.to_text() for piece in inventory.fragments)]
        weight = settings.news_weight
        self._news = [weight * cooccurrence.news(tag) for tag in range(len(self._names))]
        self._spelled = Remembered(self._spelling)
        self._parting, self._keeping = weight * cooccurrence.parting, cooccurrence.keeping

    def best(self, sentence: Sequence[str], scores: Scores, decoder: str = "wrap") -> Best[Encoded]:
        """Return the best derivation of a sentence."""
        return self._first(sentence, scores, decoder)[1]

    def after(
        self,
        sentence: Sequence[str],
        scores: Scores,
        decoder: str = "wrap",
        slack: float = SLACK,
    ) -> Iterator[Best[Encoded]]:
        """Yield the derivations after the best one in the order of their scores."""
        space, best = self._first(sentence, scores, decoder)
        least = best.logp - slack

        def search(limits: Limits) -> tuple[Best[Encoded], float]:
            return self._best_of(space, limits, sentence, least), len(sentence) ** 2

        def most(_: object, choices: Choices, whole: Limits, parts: Parts) -> Iterator[float]:
            assert space is not None
            for _, limits in parts:
                part = limited(space, limits)
                yield bounds(part.tokens, part.variants)[0].sum() + 1e-4  # for rounding errors

        return after_best(best, lambda best: choices_of(best.analysis), search, _WORK, most, slack)

    def _first(
        self, sentence: Sequence[str], scores: Scores, decoder: str
    ) -> tuple[Space | None, Best[Encoded]]:
        """Return the space of the first round with a derivation, and the best derivation in it."""
        for number in range(_ROUNDS):
            space = self._space(sentence, scores, decoder, number)
            best = self._best_of(space, ANY, sentence)
            if best.found:
                break
        return space, best

    def within(
        self, limits: Limits, sentence: Sequence[str], scores: Scores, decoder: str = "wrap"
    ) -> Best[Encoded]:
        """Return the best derivation that respects limits, with the candidates of the first round.

        Args:
            limits: allowed values of the choices in `choices_of`.
        """
        return self._best_of(self._space(sentence, scores, decoder, 0), limits, sentence)

    def _space(
        self, sentence: Sequence[str], scores: Scores, decoder: str, number: int
    ) -> Space | None:
        if not sentence:
            return None
        tags = np.asarray(scores.supertag_logp, np.float64)
        continues = tags[:, CONTINUE_TAG].copy()
        known = long_names(sentence)
        for first, end in known:
            continues[first + 1 : end] = np.maximum(continues[first + 1 : end], self._keeping)
        tokens = Tokens(
            tags[:, IGNORE_TAG].copy(),
            continues,
            np.ascontiguousarray(self.settings.arc_weight * scores.head_logp),
        )
        candidates = self._affordable(self._candidates(scores, number), len(sentence))
        if not candidates:
            return None
        work = len(sentence) ** 4 * _pairs(candidates)
        if decoder == "wrap" and (len(sentence) > self.settings.wrap_limit or work > _MOST_WRAPPED):
            decoder = "projective"
        return Space(tokens, candidates, self._variants(sentence, known, candidates), decoder)

    def _best_of(
        self,
        space: Space | None,
        limits: Limits,
        sentence: Sequence[str],
        least: float = IMPOSSIBLE,
    ) -> Best[Encoded]:
        if space is None:
            return Best(failure=NO_TREE)
        if limits is not ANY:
            space = limited(space, limits)
        decoder = DECODERS[space.decoder]
        parse: Best[Constituents] = decoder.chart(space.tokens, space.variants, least)
        if parse.analysis is None or parse.logp <= IMPOSSIBLE:
            return Best(failure=NO_TREE)
        names = [candidate.tag for candidate in space.candidates]
        return Best(self._derivation(sentence, parse.analysis, names), parse.logp)

    def _pair(self, place: Place, filler: int) -> float:
        if place in self._chained:
            return 0.0
        key = (*place, filler)
        if key not in self._worth:
            cooccurrence, settings = self.cooccurrence, self.settings
            worth = settings.strange_weight * cooccurrence.strange(place, filler)
            if not self._lexical[filler]:
                ratio = cooccurrence.attested(place, filler)
                worth += settings.pair_weight * min(settings.pair_most, ratio)
            self._worth[key] = worth
        return self._worth[key]

    def _variants(
        self,
        sentence: Sequence[str],
        known: Sequence[tuple[int, int]],
        candidates: Sequence[Candidate],
    ) -> Variants:
        names = [candidate.tag for candidate in candidates]
        token = np.array([candidate.token for candidate in candidates], np.int64)
        ports = np.array([len(self._defaults.of_tag[tag]) for tag in names], np.int64)
        most = max([1, *ports.tolist()])
        closed = np.full((len(names), 1 << most), -np.inf)
        for row, candidate in zip(closed, candidates, strict=True):
            row[: len(candidate.closed)] = candidate.closed
        return Variants(
            token,
            ports,
            np.array([candidate.logp for candidate in candidates], np.float64),
            closed,
            self._spans(sentence, known, token.tolist(), names),
            self._fillers(names, most),
            self.settings.strange_weight
            * np.array([self.cooccurrence.strange_root(tag) for tag in names], np.float64),
        )

    def _fillers(self, names: Sequence[int], most: int) -> Float:
        """Return `[V, H, V]`: the score at [v, h, w] of variant w as argument in port h of v."""
        tags, tag = np.unique(names, return_inverse=True)
        # Scores by tag, port, and tag of the argument.
        worth = np.full((len(tags), most, len(tags)), -np.inf)
        for number, head in enumerate(tags.tolist()):
            for port in range(len(self._defaults.of_tag[head])):
                worth[number, port] = [self._pair((head, port), filler) for filler in tags.tolist()]
        ports = np.arange(most)[None, :, None]
        return np.ascontiguousarray(worth[tag[:, None, None], ports, tag[None, None, :]])

    def _affordable(self, candidates: Sequence[Candidate], length: int) -> Sequence[Candidate]:
        by_token = [list(some) for _, some in groupby(candidates, key=attrgetter("token"))]
        most = max(map(len, by_token), default=0)
        while most > 1 and length**3 * _pairs(candidates) > _MOST_STEPS:
            most //= 2
            candidates = [
                candidate
                for some in by_token
                for candidate in nlargest(most, some, key=attrgetter("logp"))
            ]
        return candidates

    def _candidates(self, scores: Scores, number: int) -> list[Candidate]:
        margin = 2**number * self.settings.margin
        candidates = 2**number * self.settings.candidates
        defaults = scores.default_logp
        assert defaults is not None
        kept = []
        for t, tag_logp in enumerate(scores.supertag_logp):
            least = tag_logp.max() - margin
            order = np.argsort(-tag_logp, kind="stable")[: candidates + FIRST_FRAGMENT]
            for tag in order.tolist():
                if tag < FIRST_FRAGMENT or tag_logp[tag] < least:
                    continue
                closed, ports = np.zeros(1), self.inventory.fragments[tag - FIRST_FRAGMENT].ports
                for port, default in zip(ports, self._defaults.of_tag[tag], strict=True):
                    if default < 0:
                        # The default `ABSENT` has no output of the network and no cost.
                        filled, left = 0.0, 0.0 if port.default == ABSENT else -np.inf
                    else:
                        filled, left = map(float, defaults[t, default])
                    closed = np.concatenate([closed + filled, closed + left])
                closed[tag_logp[tag] + closed < least] = -np.inf
                if closed.max() > -np.inf:
                    kept.append(Candidate(t, tag, float(tag_logp[tag]), closed))
        return kept

    def _spans(
        self,
        sentence: Sequence[str],
        known: Sequence[tuple[int, int]],
        tokens: Sequence[int],
        tags: Sequence[int],
    ) -> Float:
        """Return `[V, n]`: score of a variant (constant at a token) for names of 1 to n tokens."""
        span = np.full((len(tags), len(sentence)), -np.inf)
        for v, (token, tag) in enumerate(zip(tokens, tags, strict=True)):
            if not self._lexical[tag]:
                span[v, 0] = 0.0
                continue
            for end in range(token + 1, len(sentence) + 1):
                score = self._parting if known and is_part(token, end, known) else 0.0
                span[v, end - token - 1] = score + self._spelled(tag, tuple(sentence[token:end]))
        return span

    def _spelling(self, tag: int, words: tuple[str, ...]) -> float:
        """Return the score of words as the label of a tag; -inf if it needs a number instead."""
        labels, name = self.inventory.labels, self._names[tag]
        strangers = labels.strangers(name, words)
        if strangers is None:
            return 0.0
        if labels.lacks_number(name, words):
            return -np.inf
        strange = self.settings.news_weight * new_to(strangers) if strangers else 0.0
        return self._news[tag] + strange

    def _derivation(
        self, sentence: Sequence[str], parse: Constituents, names: Sequence[int]
    ) -> Encoded:
        n = len(sentence)
        unnamed = {-1: IGNORE_TAG, -2: CONTINUE_TAG}
        tags = [unnamed[v] if v < 0 else names[v] for v in parse.variants]
        bare = Encoded(
            tuple(sentence),
            tuple(tags),
            parse.closed,
            parse.heads,
            parse.ports,
            (None,) * n,
            (NOBODY,) * n,
        )
        labels = [
            self.inventory.labels.label(self._names[tag], bare.words(t))
            if tag >= FIRST_FRAGMENT and self._lexical[tag]
            else None
            for t, tag in enumerate(tags)
        ]
        return replace(bare, labels=tuple(labels))


def _pairs(candidates: Sequence[Candidate]) -> int:
    return len(candidates) * sum(candidate.states for candidate in candidates)
