"""From a tagger's scores to the best derivation of a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import groupby
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from amparser.compositions.settings import TreeDecodeSettings
from amparser.compositions.trees.copies import Copier, Copies
from amparser.decode.decoders import DECODERS
from amparser.decode.next_best import ANY, Limits, after_best_within
from amparser.decode.parse import NO_TREE, Best
from amparser.decode.scores import Scores
from amparser.decode.wrap import Tokens, Variants, WrapParse
from amparser.induction.constants import chained
from amparser.induction.derivation import (
    CONTINUE_TAG,
    FIRST_PIECE,
    IGNORE_TAG,
    NOBODY,
    Derivation,
    words_of,
)
from amparser.induction.evidence import Evidence, Place, new_to
from amparser.induction.inventory import Inventory
from amparser.induction.sorts import SortModel, typing_prior
from amparser.lexicon.families import Names, families_of, named, shared
from amparser.notations.value_trees import NEXT

Float = NDArray[np.float64]

_ROUNDS = 3
"""Where there is no tree, the search is repeated with twice the candidates, so often at most."""
CONSTANT, PLACE = "constant", "place"
"""The choices for each token (see `choices_of`)."""
Candidate = tuple[int, int, int, float]
"""A constant at a token: token, tag, closed holes (bits) and log probability."""
_IMPOSSIBLE = -1e8
_WORK = 60_000
"""There are no further derivations after so many squares of tokens searched."""
_MOST_WRAPPED = 5e8
"""No heads inside their arguments are searched for where this takes more steps: the fourth power of
tokens times constants times sets of their open holes, as a sentence of unknown words has them."""
_MOST_STEPS = 2e8
"""A sentence has the likeliest constants alone where a search takes more steps: the third power of
tokens times constants times sets of their open holes."""
_MOST_CLOSED = 8
"""So many sets of closed holes are tried of a constant, the likeliest."""
_MOST_VARIANTS = 300
"""With more of them, as long sentences of unknown words have, constants have one copy each."""


class Search:
    """The best derivations over an inventory and its sorts.

    Args:
        inventory: the pieces.
        sorts: which piece may stand where.
        evidence: how often train has what.
        settings: of decoding.
    """

    def __init__(
        self,
        inventory: Inventory,
        sorts: SortModel,
        evidence: Evidence,
        settings: TreeDecodeSettings,
    ) -> None:
        self.inventory = inventory
        self.sorts = sorts
        self.evidence = evidence
        self._likely: dict[Place, Float] = {}
        self._worth: dict[tuple[int, int, int], float] = {}
        self.settings = settings
        self._chained = chained(inventory.pieces, FIRST_PIECE)
        # Whether another pair follows, the words of that pair say.
        self._following = {
            (tag, hole)
            for tag, piece in enumerate(inventory.pieces, FIRST_PIECE)
            for hole, (_, place, _) in enumerate(piece.holes)
            if place == NEXT
        }
        self._copier = Copier(evidence, settings.unheard_weight, self._chained)
        self._defaults = inventory.defaults
        none = [0] * FIRST_PIECE
        self._prior = typing_prior(
            sorts,
            [*none, *(len(piece.holes) for piece in inventory.pieces)],
            weight=settings.prior_weight,
            floor=settings.prior_floor,
            violation=settings.violation,
        )
        self._lexical = [*map(bool, none), *(piece.lexical for piece in inventory.pieces)]
        self._names = [*map(str, none), *map(str, inventory.pieces)]
        labels = inventory.tag_labels
        self._families = families_of(labels)
        self._named = Names(labels)
        weight = settings.news_weight
        self._news = [weight * evidence.news(tag) for tag in range(len(self._names))]

    def best(
        self, sentence: Sequence[str], scores: Scores, decoder: str = "wrap"
    ) -> Best[Derivation]:
        """The best derivation of a sentence."""
        found = (self.within(ANY, sentence, scores, decoder, i) for i in range(_ROUNDS))
        return next((one for one in found if one.found), Best(failure=NO_TREE))

    def after(
        self,
        sentence: Sequence[str],
        scores: Scores,
        best: Best[Derivation],
        decoder: str = "wrap",
    ) -> Iterator[Best[Derivation]]:
        """The derivations after the best one, in the order of their scores.

        The order is exact as far as the constants of each token that the best one chose from.
        """
        if not best.found:
            return iter(())
        rounds = range(_ROUNDS - 1)
        tried = (i for i in rounds if self.within(ANY, sentence, scores, decoder, i).found)
        enough = next(tried, _ROUNDS - 1)

        def search(limits: Limits) -> tuple[Best[Derivation], float]:
            found = self.within(limits, sentence, scores, decoder, enough)
            return found, len(sentence) ** 2

        return after_best_within(best, choices_of, search, _WORK)

    def within(
        self,
        limits: Limits,
        sentence: Sequence[str],
        scores: Scores,
        decoder: str = "wrap",
        number: int = 0,
    ) -> Best[Derivation]:
        """The best derivation whose choices are within limits (see `choices_of`).

        Args:
            limits: of its choices.
            sentence, scores, decoder: as `best` has them.
            number: of the round, from 0; each has twice the constants of the one before.
        """
        if not sentence:
            return Best(failure=NO_TREE)
        spelled = [self._named.spelled_by(word) for word in sentence]
        tags = np.asarray(scores.supertag_logp, np.float64)
        tags = named(tags, spelled, self.settings.name_share)
        tags = shared(tags, self._families, self.settings.family_share)
        scores = replace(scores, supertag_logp=tags)
        tokens = Tokens(
            tags[:, IGNORE_TAG].copy(),
            tags[:, CONTINUE_TAG].copy(),
            np.ascontiguousarray(self.settings.arc_weight * scores.head_logp),
            self._prior.root,
        )
        candidates = self._affordable(self._candidates(scores, number), len(sentence))
        work = len(sentence) ** 4 * self._pairs(candidates)
        if decoder == "wrap" and (len(sentence) > self.settings.wrap_limit or work > _MOST_WRAPPED):
            decoder = "projective"
        if limits is not ANY:
            _limit_tokens(tokens, limits)
        variants, names = self._variants(sentence, candidates, limits)
        parse: WrapParse = DECODERS[decoder].chart(tokens, variants)
        if parse.logp <= _IMPOSSIBLE:
            return Best(failure=NO_TREE)
        return Best(self._derivation(sentence, parse, names), parse.logp)

    def _pair(
        self, copies: Copies, place: Place, copy: int, filler: int, filler_copy: int
    ) -> float:
        """What a copy of a filler is worth in a hole of a copy of a constant.

        How often train has a name there says nothing: `_news` judges it, but for its kind.
        """
        if place in self._chained:
            return copies.cost(place, copy, filler, filler_copy)
        key = (*place, filler)
        if key not in self._worth:
            evidence, settings = self.evidence, self.settings
            worth = settings.strange_weight * evidence.strange(place, filler)
            if not self._lexical[filler]:
                if place not in self._likely:
                    self._likely[place] = self.sorts.fillers(*place)
                ratio = evidence.attested(place, filler, float(self._likely[place][filler]))
                worth += settings.pair_weight * min(settings.pair_most, ratio)
            self._worth[key] = worth
        return self._worth[key] + copies.cost(place, copy, filler, filler_copy)

    def _variants(
        self,
        sentence: Sequence[str],
        candidates: Sequence[Candidate],
        limits: Limits,
    ) -> tuple[Variants, list[tuple[int, int]]]:
        """The variants of a sentence, and for each its tag and closed holes."""
        sorts = self.sorts.sort_count
        seen = [
            (t, tag, closed, score)
            for t, tag, closed, score in candidates
            if limits.allow((t, CONSTANT), (tag, closed))
        ]
        tags = sorted({tag for _, tag, _, _ in seen})
        # On which side a filler stands counts where there are several holes; with limits, so does
        # which token it is. Elsewhere its constant alone counts, and equal rows are one.
        several = {tag for tag in tags if len(self._defaults.of_tag[tag]) > 1}
        sided = several if self.settings.side_weight else frozenset()
        apart = limits is not ANY
        copies = self._copier.copies(tags)
        if sum(len(copies.costs[tag]) for _, tag, _, _ in seen) > _MOST_VARIANTS:
            copies = Copies.single(tags)
        names: list[tuple[int, int]] = []
        token, holes, logp, rows, kinds = [], [], [], [], []
        row_of: dict[tuple[int, int, int, int], int] = {}
        kind_of: dict[tuple[int, int, int], int] = {}
        for t, tag, closed, score in seen:
            count = len(self._defaults.of_tag[tag])
            for copy in range(len(copies.costs[tag])):
                names.append((tag, closed))
                token.append(t)
                holes.append((1 << count) - 1 & ~closed)
                logp.append(score + self._prior.result[tag])
                at = t if apart or tag in sided else NOBODY
                rows.append(
                    [row_of.setdefault((at, tag, h, copy), len(row_of)) for h in range(count)]
                )
                at = t if apart or sided else NOBODY
                kinds.append(kind_of.setdefault((at, tag, copy), len(kind_of)))
        row = np.full((len(rows), max([1, *map(len, rows)])), NOBODY, np.int64)
        for v, r in enumerate(rows):
            row[v, : len(r)] = r
        filler, pair = self._fillers(copies, row_of, kind_of, limits)
        variants = Variants(
            np.array(token, np.int64),
            np.array(holes, np.int64),
            np.array(logp, np.float64).reshape(len(token), sorts),
            row,
            self._spans(sentence, token, [tag for tag, _ in names]),
            filler,
            np.array(kinds, np.int64),
            pair,
            self.settings.strange_weight
            * np.array([self.evidence.strange_root(tag) for tag, _ in names], np.float64),
        )
        return variants, names

    def _fillers(
        self,
        copies: Copies,
        row_of: Mapping[tuple[int, int, int, int], int],
        kind_of: Mapping[tuple[int, int, int], int],
        limits: Limits,
    ) -> tuple[Float, Float]:
        """What fillers are worth: `[R, Z, Z]` by their sorts, `[R, K]` by their kinds.

        A row is a token, its tag, a hole and a copy; a kind is a token, its tag and a copy. The
        token is `NOBODY` where it does not count.
        """
        sorts = self.sorts.sort_count
        filler = np.zeros((max(1, len(row_of)), sorts, sorts))
        pair = np.zeros((max(1, len(row_of)), max(1, len(kind_of))))
        for (head, tag, hole, copy), number in row_of.items():
            filler[number] = self._prior.filler[tag, hole]
            pair[number] = [
                self._pair(copies, (tag, hole), copy, *other)
                if limits.allow((t, PLACE), (head, hole))
                else 2 * _IMPOSSIBLE
                for t, *other in kind_of
            ]
            if self.settings.side_weight and len(self._defaults.of_tag[tag]) > 1:
                sides = [self.evidence.side((tag, hole), is_left=t < head) for t, *_ in kind_of]
                pair[number] += self.settings.side_weight * np.array(sides)
        return filler, pair

    def _pairs(self, candidates: Sequence[Candidate]) -> int:
        """The number of constants times that of all sets of their open holes."""
        open_holes = (
            len(self._defaults.of_tag[tag]) - closed.bit_count() for _, tag, closed, _ in candidates
        )
        return len(candidates) * sum(1 << count for count in open_holes)

    def _affordable(self, candidates: Sequence[Candidate], length: int) -> Sequence[Candidate]:
        """The likeliest constants of each of so many tokens, as many as can be searched for."""
        by_token = [list(some) for _, some in groupby(candidates, key=itemgetter(0))]
        most = max(map(len, by_token), default=0)
        while most > 1 and length**3 * self._pairs(candidates) > _MOST_STEPS:
            most //= 2
            candidates = [
                one for some in by_token for one in nlargest(most, some, key=itemgetter(3))
            ]
        return candidates

    def _candidates(self, scores: Scores, number: int) -> list[Candidate]:
        """The likely constants of all tokens."""
        margin = 2**number * self.settings.margin
        candidates = 2**number * self.settings.candidates
        defaults = scores.default_logp
        assert defaults is not None
        found = []
        for t, tag_logp in enumerate(scores.supertag_logp):
            least = tag_logp.max() - margin
            order = np.argsort(-tag_logp, kind="stable")[: candidates + FIRST_PIECE]
            for tag in order.tolist():
                if tag < FIRST_PIECE or tag_logp[tag] < least:
                    continue
                kinds = self._defaults.of_tag[tag]
                scores_of = {
                    closed: float(
                        tag_logp[tag]
                        + sum(
                            defaults[t, kind, closed >> hole & 1]
                            for hole, kind in enumerate(kinds)
                            if kind >= 0 and (tag, hole) not in self._following
                        )
                    )
                    for closed in _subsets(kinds)
                }
                enough = sorted(scores_of.values(), reverse=True)[:_MOST_CLOSED][-1]
                found += [
                    (t, tag, closed, score)
                    for closed, score in scores_of.items()
                    if score >= max(least, enough)
                ]
        return found

    def _spans(self, sentence: Sequence[str], tokens: Sequence[int], tags: Sequence[int]) -> Float:
        """What each variant gets for covering a token and so many that follow, `[V, n]`."""
        span = np.full((len(tags), len(sentence)), -np.inf)
        for v, (token, tag) in enumerate(zip(tokens, tags, strict=True)):
            if not self._lexical[tag]:
                span[v, 0] = 0.0
                continue
            for end in range(token + 1, len(sentence) + 1):
                labels, words = self.inventory.labels, sentence[token:end]
                if labels.knows(self._names[tag], words):
                    span[v, end - token - 1] = 0.0
                    continue
                strangers = labels.strangers(self._names[tag], words)
                strange = self.settings.news_weight * new_to(strangers) if strangers else 0.0
                span[v, end - token - 1] = self._news[tag] + strange
        return span

    def _derivation(
        self, sentence: Sequence[str], parse: WrapParse, names: Sequence[tuple[int, int]]
    ) -> Derivation:
        n = len(sentence)
        tags = [IGNORE_TAG] * n
        closed = [0] * n
        for t, variant in enumerate(parse.variants):
            if variant >= 0:
                tags[t], closed[t] = names[variant]
            elif variant == -2:
                tags[t] = CONTINUE_TAG
        bare = Derivation(
            tuple(sentence),
            tuple(tags),
            tuple(closed),
            parse.heads,
            parse.holes,
            (None,) * n,
            (NOBODY,) * n,
        )
        labels = [
            self.inventory.labels.label(str(self.inventory.piece(tag)), words_of(bare, t))
            if tag >= FIRST_PIECE and self._lexical[tag]
            else None
            for t, tag in enumerate(tags)
        ]
        return replace(bare, labels=tuple(labels))


def choices_of(derivation: Derivation) -> list[tuple[tuple[int, str], tuple[int, int]]]:
    """What was chosen for each token: its constant and closed holes, then its head and hole."""
    found = []
    for t, tag in enumerate(derivation.tags):
        found.append(((t, CONSTANT), (tag, derivation.closed[t])))
        if tag >= FIRST_PIECE:
            found.append(((t, PLACE), (derivation.heads[t], derivation.holes[t])))
    return found


def _limit_tokens(tokens: Tokens, limits: Limits) -> None:
    """Make impossible, in the scores of tokens alone, what is not within limits."""
    for t in range(len(tokens.ignored)):
        for row, tag in ((tokens.ignored, IGNORE_TAG), (tokens.continues, CONTINUE_TAG)):
            if not limits.allow((t, CONSTANT), (tag, 0)):
                row[t] = 2 * _IMPOSSIBLE
        if not limits.allow((t, PLACE), (NOBODY, NOBODY)):
            tokens.arc[t, 0] = 2 * _IMPOSSIBLE


def _subsets(kinds: Sequence[int]) -> list[int]:
    """All sets (bits) of the holes that have defaults, the fullest first."""
    optional = sum(1 << hole for hole, kind in enumerate(kinds) if kind >= 0)
    found = [optional]
    while found[-1]:
        found.append((found[-1] - 1) & optional)
    return found
