"""Constraints on the scores of supertags and edges, derived from counts of the training trees.

Combinations that training lacks are excluded if the supertag, operation or ignored word is
*frequent*, that is, occurs at least `supertag_count` times. A *marker* is a word whose supertag has
no lexical label ("to", "that"); the constituent after it is its dependent. The *home side* of a
frequent operation is the side of the head on which most of its dependents are in training. A word
is *displaced* if it is on the other side, like most question words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import source_of
from amparser.decode.scores import Scores
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.observed import Observed
from amparser.lexicon.word_classes import WordClasses, novelty_of
from amparser.remembered import Remembered

Bool = NDArray[np.bool_]
Counts = NDArray[np.int64]

_MARKER_SHARE = 0.99
"""Only markers ("to") are allowed if they are this share of an operation's dependents."""

_LIKELY = math.log(0.01)
"""Minimum log-probability (natural log) of a supertag that counts as likely; see `Followers`."""


@dataclass(frozen=True, eq=False)
class Restrictions:
    """Decoding constraints of a lexicon with K supertags and O operations.

    Attributes:
        supertag_count: minimum occurrences of a frequent supertag, operation or ignored word.
    """

    supertag_count: int
    lexicon: Lexicon = field(kw_only=True)

    def apply(self, sentences: Sequence[Sequence[str]], scores: Sequence[Scores]) -> list[Scores]:
        """Return the scores with -inf for the supertags and edges that the constraints exclude.

        The arrays of edge scores are changed in place.
        """
        if not any(sentences):
            return list(scores)
        operation_count = len(self.lexicon.operations)
        supertag_logp = np.concatenate([one.supertag_logp for one in scores])
        of_words = np.stack([self.word(token) for tokens in sentences for token in tokens])
        behind = self._followers.allowed(sentences, of_words >= _LIKELY)
        np.copyto(supertag_logp, -np.inf, where=~behind)
        supertag_logp += of_words
        possible = supertag_logp > -np.inf
        # An operation is allowed if at least one possible supertag of the token allows it.
        allowed = possible.astype(np.float32) @ self._places > 0
        allowed = allowed.reshape(len(of_words), 3, operation_count)
        forbidden, in_place = ~allowed[:, :1], np.ascontiguousarray(allowed[:, 1:])
        mobile = self.mobile[supertag_logp.argmax(axis=1)]
        found = []
        first = 0
        for tokens, one in zip(sentences, scores, strict=True):
            rows = slice(first, first := first + len(tokens))
            one.edge_logp[:, 1:][self.inflected(tokens)] = -np.inf
            np.copyto(one.edge_logp, -np.inf, where=forbidden[rows])
            found.append(Scores(supertag_logp[rows], one.edge_logp, in_place[rows], mobile[rows]))
        return found

    @cached_property
    def _places(self) -> NDArray[np.float32]:
        """Concatenation of `fills` and both sides of `side_allowed`, as 0 or 1, `[K, 3 * O]`."""
        places = np.concatenate([self.fills[:, None], self.side_allowed], axis=1)
        return places.reshape(len(places), -1).astype(np.float32)

    @cached_property
    def table(self) -> TypeTable:
        """Types of the lexicon, restricted by the order of operations on each side of a head.

        A dependent by operation `a` must be nearer to the head than one by `b` if training has this
        order but not the reverse. Sources that markers fill cannot be left open for other tokens.
        """
        types = [None if s is None else s.type for s in self.lexicon.supertags]
        seen = self.lexicon.observed.orders
        count = len(self.lexicon.operations)
        nearer = np.zeros((2, count, count), dtype=np.bool_)
        for (side, near, far), times in seen.items():
            if times >= self.supertag_count and (side, far, near) not in seen:
                nearer[side, near, far] = True
        return type_table(types, self.lexicon.operations, nearer, self._marked)

    @cached_property
    def word(self) -> Callable[[str], NDArray[np.float32]]:
        """Function that returns scores to add to a word's supertag scores, `[K]` (natural log).

        A word that occurs n times in training has a new supertag with the probability a / (n + a)
        (see `novelty`), or less if words of its class (`WordClasses`) rarely have this supertag.
        All forms of a lemma are counted together. Unseen tokens without letters and digits are
        ignored. The score -inf excludes a supertag.
        """
        return Remembered(self._find_word, 1 << 14)

    def _find_word(self, form: str) -> NDArray[np.float32]:
        lexicon, observed = self.lexicon, self.lexicon.observed
        seen: Counter[int] = Counter()
        lemmas = lexicon.lemmas.lemmas_of(form)
        if not lemmas and form.lower() not in observed.uses:
            lemmas = lexicon.lemmas.likely_lemmas(form)
        for lemma in lemmas or {form.lower()}:
            seen.update(observed.uses.get(lemma, {}))
        count = seen.total()
        if count == 0 and not any(map(str.isalnum, form)):
            logp = np.full(len(lexicon.supertags), -np.inf, dtype=np.float32)
            logp[0] = 0.0
            return logp
        other = math.log(self.novelty / (count + self.novelty))
        kind = np.log(self._classes.predicted(seen)) - self._unseen
        logp = np.minimum(other + kind, 0).astype(np.float32)
        logp[list(seen)] = 0.0
        if count >= self.supertag_count:
            # For frequent words, less probable supertags are excluded, unless `_kept` allows them.
            logp[(logp < math.log(1e-6)) & ~self._kept(seen)] = -np.inf
        return logp

    def _kept(self, seen: Mapping[int, int]) -> Bool:
        """Return a mask `[K]` of the supertags that a word with these supertag counts may have.

        Such a supertag occurs in training with the word or its class, or has the roles of one of
        the word's supertags.
        """
        roles = {self._frames[k] for k in seen}
        kept = np.array([frame in roles for frame in self._frames]) | self._classes.had(seen)
        kept[list(seen)] = True
        return kept

    @cached_property
    def _frames(self) -> list[tuple[object, ...]]:
        """Template and sorted roles of each supertag; its index if it has no lexical label."""
        found: list[tuple[object, ...]] = []
        for k, supertag in enumerate(self.lexicon.supertags):
            if supertag is None or not supertag.slots:
                found.append((k,))
                continue
            roles = (role for parent, role, _ in supertag.edges if parent in supertag.slots)
            found.append((self.lexicon.templates[k], *sorted(roles)))
        return found

    @cached_property
    def _classes(self) -> WordClasses:
        return WordClasses.of(self.lexicon.observed.uses, len(self.lexicon.supertags))

    @cached_property
    def _unseen(self) -> NDArray[np.float64]:
        """P(supertag) of an unseen word (natural log), `[K]`."""
        found: NDArray[np.float64] = np.log(self._classes.predicted({}))
        return found

    def inflected(self, tokens: Sequence[str]) -> Bool:
        """Return `[n, n]`: whether token i cannot depend on the marker j, because i is inflected.

        Such a marker has many dependents in training, and all of them equal their lemmas:
        "to" is followed by "run" but never by "ran".
        """
        forms = self.lexicon.observed.forms
        never = [forms.get(token.lower(), (0, 0)) for token in tokens]
        bare = [same >= self.supertag_count and not other for same, other in never]
        lemmas = map(self.lexicon.lemmas.lemmas_of, tokens if any(bare) else ())
        pairs = zip(tokens, lemmas, strict=False)
        inflected = [bool(known) and token.lower() not in known for token, known in pairs]
        return np.outer(inflected or [False] * len(tokens), bare)

    @cached_property
    def novelty(self) -> float:
        """Pseudo-count of new supertags of a known word; see `novelty_of`."""
        return novelty_of(self.lexicon.observed.uses)

    @cached_property
    def _followers(self) -> Followers:
        return Followers(self.lexicon.observed, len(self.lexicon.supertags), self.supertag_count)

    @cached_property
    def fills(self) -> Bool:
        """Mask of the operations by which a supertag may depend on a head, `[K, O]`.

        If almost all dependents by a frequent operation are markers ("to", "that"), only markers
        may have this operation: a content word needs its marker. A displaced word does not need it
        if training shows that the marker is then left out ("What did Emma say?"). A frequent marker
        may have only the operations that it has in training.
        """
        seen, is_marker = self._counts > 0, self._is_marker[:, None]
        frequent = self._counts.sum(axis=1, keepdims=True) >= self.supertag_count
        allowed = ~self._marked | self._unmarked | (seen & is_marker)
        found: Bool = allowed & (seen | ~(is_marker & frequent))
        return found

    @cached_property
    def side_allowed(self) -> Bool:
        """Mask of the sides of a head on which a supertag may be a dependent, `[K, 2, O]`.

        Side 0 is left, 1 is right. A supertag may be on the home side, where most dependents by the
        operation are in training. It may be on the other side if training has it there. If the
        supertag is displaced and its marker is left out (`_unmarked`), the two sides are exchanged.
        """
        away = self._away
        return np.where(self._unmarked[:, None], away, ~away) | (self._sides > 0)

    @cached_property
    def mobile(self) -> Bool:
        """Mask `[K]` of the supertags that are often on the unusual side of their heads.

        They belong to words that can be displaced, such as question words.
        """
        elsewhere = (self._sides * self._away).sum(axis=1)
        # At least 1 % of the supertag's tokens with the operation must be on the unusual side.
        least = 0.01 * self._counts.sum(axis=1, keepdims=True)
        found: Bool = ((elsewhere > 0) & (elsewhere >= least)).any(axis=1)
        return found

    @cached_property
    def _counts(self) -> Counts:
        """Number of dependents by supertag and operation, `[K, O]`."""
        found = np.zeros((len(self.lexicon.supertags), len(self.lexicon.operations)), np.int64)
        for k, places in self.lexicon.observed.places.items():
            found[k, list(places)] = list(places.values())
        return found

    @cached_property
    def _sides(self) -> Counts:
        """Number of dependents by supertag, side of the head and operation, `[K, 2, O]`."""
        supertag_count, operation_count = self._counts.shape
        found = np.zeros((supertag_count, 2, operation_count), np.int64)
        for (o, k), counts in self.lexicon.observed.sides.items():
            found[k, :, o] = counts
        return found

    @cached_property
    def _away(self) -> Bool:
        """Mask `[2, O]` of the side on which a frequent operation has fewer dependents."""
        left, right = totals = self._sides.sum(axis=0)
        frequent = totals.sum(axis=0) >= self.supertag_count
        found: Bool = frequent & np.stack([right > left, right <= left])
        return found

    @cached_property
    def _is_marker(self) -> Bool:
        templates = self.lexicon.templates
        return np.array([k > 0 and template is None for k, template in enumerate(templates)])

    @cached_property
    def _marked(self) -> Bool:
        """Mask `[O]` of the frequent operations whose dependents are almost always markers."""
        totals = self._counts.sum(axis=0)
        share = self._counts[self._is_marker].sum(axis=0) / np.maximum(totals, 1)
        found: Bool = (totals >= self.supertag_count) & (share >= _MARKER_SHARE)
        return found

    @cached_property
    def _unmarked(self) -> Bool:
        """Mask `[K, O]` of the mobile supertags that may have an operation of markers themselves.

        In "What did Emma say?", "what" replaces a clause together with its marker "that". Such a
        supertag is unlike almost all dependents of the marker. In "Who did Emma give a cake to?",
        however, "who" is a dependent of the marker "to", which stays.
        """
        lexicon, seen = self.lexicon, self._counts > 0
        found = np.zeros_like(seen)
        content = [template is not None for template in lexicon.templates]
        for o in np.flatnonzero(self._marked).tolist():
            # Dependents of the markers have all kinds of supertags, so the operations by which they
            # depend on the markers are not compared.
            markers = np.flatnonzero(self._is_marker & seen[:, o]).tolist()
            supertags = [s for k in markers if (s := lexicon.supertags[k]) is not None]
            sources = {source for supertag in supertags for source in supertag.type.sources}
            own = [source_of(name) in sources for name in lexicon.operations[2:]]
            places = seen.copy()
            places[:, 2:][:, own] = False
            alike = seen.astype(np.int64) @ places.T > 0
            below = np.zeros(len(seen), np.int64)
            for k, count in lexicon.observed.below.get(o, {}).items():
                below[k] = count
            found[:, o] = self.mobile & content & (below.sum() > 100 * (below @ alike))
        return found


class Followers:
    """Constraints on the supertags of tokens after ignored words, over K supertags.

    The training trees give two constraints:

    - A frequent ignored word has a set of *followers*, the supertags that occur directly after it
      (`did` is followed by a noun phrase).
    - A frequent supertag *needs* an ignored word if it occurs only directly after this word (a
      participle needs `was`).

    There are two exceptions:

    - An ignored word without known followers, such as a filled pause, is *transparent*: the token
      after it counts as following the word before it.
    - In "Who was the cake given to?", no likely supertag of "the" is a follower of "was", because
      "was" belongs to a later token. The token after such a word is then unrestricted, and all
      later tokens may have supertags that need the word.
    """

    def __init__(self, observed: Observed, supertag_count: int, frequent: int) -> None:
        self._observed = observed
        self._size = supertag_count
        self._frequent = frequent
        self._of_key = Remembered(self._find)

    def after(self, word: str | None) -> Bool:
        """Return a mask `[K]` of the supertags that may follow a word (None: begin a sentence)."""
        return self._of_key(self._key(word))

    def allowed(self, sentences: Sequence[Sequence[str]], likely: Bool) -> Bool:
        """Return a mask of the supertags that each token may have, `[N, K]`.

        Args:
            sentences: tokens of the sentences, N tokens in all.
            likely: whether each supertag is likely for each token before constraints, `[N, K]`.
        """
        before: list[str | None] = []
        unseen: list[int] = []
        for tokens in sentences:
            last: str | None = None
            for token in tokens:
                before.append(last)
                if token.lower() in self._transparent:
                    unseen.append(len(before) - 1)
                else:
                    last = token
        found: Bool = np.stack([self.after(word) for word in before])
        found[unseen, 0] = True
        contradicted = np.logical_not((found & likely).any(axis=1))
        if contradicted.any():
            first = 0
            for tokens in sentences:
                rows = slice(first, first := first + len(tokens))
                if contradicted[rows].any():
                    found[rows] = self._loosened(before[rows], found[rows], contradicted[rows])
        return found

    def _loosened(self, before: Sequence[str | None], found: Bool, contradicted: Bool) -> Bool:
        """Allow more supertags in a sentence in which ignored words belong to later tokens.

        If no likely supertag of a token is allowed (`contradicted`), the word before it belongs to
        a later token.
        """
        found = found.copy()
        # Supertags that need an ignored word which belongs to a later token.
        free = np.zeros(self._size, dtype=np.bool_)
        for i, word in enumerate(before):
            key = self._key(word)
            if contradicted[i] and key in self._known:
                free |= self._needing.get(key, False)
                found[i] = True
            elif free.any():
                found[i] |= free & self._known.get(key, free)
        return found

    def _key(self, word: str | None) -> str:
        """Return a word in lower case, or "" if training never ignores it."""
        key = word.lower() if word is not None else ""
        return key if key in self._observed.after else ""

    def _find(self, key: str) -> Bool:
        allowed = self._known.get(key, np.ones(self._size, dtype=np.bool_)).copy()
        for word, needing in self._needing.items():
            if word != key:
                allowed &= ~needing
        return allowed

    @cached_property
    def _known(self) -> dict[str, Bool]:
        """For each frequent ignored word, a mask `[K]` of the supertags that may follow it."""
        observed = self._observed
        found: dict[str, Bool] = {}
        for word, followers in observed.after.items():
            total = sum(followers.values())
            if not word or total < self._frequent or set(observed.uses.get(word, ())) != {0}:
                continue
            once = sum(count == 1 for count in followers.values())
            # The share of followers that occur once estimates the probability of a new follower
            # (Good 1953). It must be at most 10 %.
            if once <= 0.1 * total:
                found[word] = np.zeros(self._size, dtype=np.bool_)
                found[word][list(followers)] = True
        return found

    @cached_property
    def _transparent(self) -> frozenset[str]:
        uses = self._observed.uses
        ignored = {word for word in self._observed.after if word and set(uses.get(word, ())) == {0}}
        return frozenset(ignored - self._known.keys())

    @cached_property
    def _needing(self) -> dict[str, Bool]:
        """For each ignored word, a mask `[K]` of frequent supertags that occur only after it."""
        found: dict[str, Bool] = {}
        for k in range(1, self._size):
            behind = {
                word: counts[k]
                for word, counts in self._observed.after.items()
                if k in counts and word not in self._transparent
            }
            if len(behind) == 1 and "" not in behind and sum(behind.values()) >= self._frequent:
                (word,) = behind
                found.setdefault(word, np.zeros(self._size, dtype=np.bool_))[k] = True
        return found
