"""What a lexicon rules out: the facts of the training trees as constraints of the decoders.

A count restricts only if a supertag, an operation or an ignored word was seen
`supertag_count` times. Rare items are not restricted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import EMPTY, AMType, source_of
from amparser.decode.scores import Scores
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.observed import Observed
from amparser.lexicon.word_classes import WordClasses, novelty_of
from amparser.remembered import Remembered

Bool = NDArray[np.bool_]

_MARKER_SHARE = 0.99
"""A word is a marker, or a place a marker's, if it was so in this share of its occurrences."""

_LIKELY = math.log(0.01)
"""A word hardly has a supertag below this probability; see `Followers`."""


@dataclass(frozen=True, eq=False)
class Restrictions:
    """The restrictions of a lexicon with K supertags and O operations.

    Attributes:
        supertag_count: occurrences that make a supertag, an operation or an ignored word frequent.
        lexicon: the lexicon with its counts.
    """

    supertag_count: int
    lexicon: Lexicon = field(kw_only=True)

    def apply(self, sentences: Sequence[Sequence[str]], scores: Sequence[Scores]) -> list[Scores]:
        """Return the scores of sentences, with -inf for what the lexicon rules out.

        The arrays of edges of the given scores are overwritten.
        """
        if not any(sentences):
            return list(scores)
        operation_count = len(self.lexicon.operations)
        supertag_logp = np.concatenate([one.supertag_logp for one in scores])
        of_words = self._words(token for tokens in sentences for token in tokens)
        behind = self._followers.allowed(sentences, of_words >= _LIKELY)
        np.copyto(supertag_logp, -np.inf, where=~behind)
        supertag_logp += of_words
        possible = supertag_logp > -np.inf
        # Whether a possible supertag may be there, for all places at once: a product of matrices.
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
        """`[K, 3 * O]`: 1 where `fills` holds, and where `side_allowed` does, left and right."""
        places = np.concatenate([self.fills[:, None], self.side_allowed], axis=1)
        return places.reshape(len(places), -1).astype(np.float32)

    @cached_property
    def table(self) -> TypeTable:
        """The lexicon's types, with the order of operations on each side.

        `a` is nearer than `b` if that order was seen and the reverse never was. The place of a
        marker is not left open for others to fill.
        """
        types = [None if s is None else s.type for s in self.lexicon.supertags]
        unbound = np.zeros(len(self.lexicon.operations), dtype=np.bool_)
        unbound[list(self._marked)] = True
        seen = self.lexicon.observed.orders
        count = len(self.lexicon.operations)
        nearer = np.zeros((2, count, count), dtype=np.bool_)
        for (side, near, far), times in seen.items():
            if times >= self.supertag_count and (side, far, near) not in seen:
                nearer[side, near, far] = True
        return type_table(types, self.lexicon.operations, nearer, unbound)

    def word(self, form: str) -> NDArray[np.float32]:
        """`[K]`, added to the scores of a word's supertags (natural log, -inf: ruled out).

        A word seen n times has a supertag that it did not have with probability a / (n + a), see
        `novelty`, and that less often if words of its class (`WordClasses`) seldom have it. A word
        is as frequent as its lemma. A sign without letters and digits that training never had,
        such as a full stop, is ignored.
        """
        return self._cached_word(form)

    @cached_property
    def _cached_word(self) -> Callable[[str], NDArray[np.float32]]:
        return Remembered(self._find_word, 1 << 14)

    def _words(self, forms: Iterable[str]) -> NDArray[np.float32]:
        return np.stack([self._cached_word(form) for form in forms])

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
            # A word that is not rare has no supertag below this probability.
            logp[(logp < math.log(1e-6)) & ~self._kept(seen)] = -np.inf
        return logp

    def _kept(self, seen: Mapping[int, int]) -> Bool:
        """`[K]`: the supertags of a word, those of its class, and others with the same roles."""
        roles = {self._frames[k] for k in seen}
        kept = np.array([frame in roles for frame in self._frames]) | self._classes.had(seen)
        kept[list(seen)] = True
        return kept

    @cached_property
    def _frames(self) -> list[tuple[object, ...]]:
        """For each supertag its label with its roles; one without a label is a key of its own."""
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
        """`[K]`: log P(supertag) of a word that train does not have."""
        found: NDArray[np.float64] = np.log(self._classes.predicted({}))
        return found

    def inflected(self, tokens: Sequence[str]) -> Bool:
        """`[n, n]`: whether token i is an inflected form and token j a marker of bare forms.

        Such a marker has enough words below it in train, all spelled like their lemmas: "to" has
        "run", never "ran".
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
        """How readily words of train have a supertag that is new to them; see `novelty_of`."""
        return novelty_of(self.lexicon.observed.uses)

    @cached_property
    def _followers(self) -> Followers:
        return Followers(self.lexicon.observed, len(self.lexicon.supertags), self.supertag_count)

    @cached_property
    def fills(self) -> Bool:
        """`[K, O]`: whether a dependent with a supertag may hang from its head by an operation.

        A frequent operation that only markers used (supertags without a
        lexical label) takes only those; a content word needs its marker, or is displaced and
        has left it behind ("What did Emma say?"). A frequent marker
        in turn hangs only by the operations by which it was seen.
        """
        lexicon = self.lexicon
        allowed = np.ones((len(lexicon.supertags), len(lexicon.operations)), dtype=np.bool_)
        for o, markers in self._marked.items():
            allowed[:, o] = self._unmarked[o]
            allowed[markers, o] = True
        for k, places in lexicon.observed.places.items():
            marker = k and lexicon.templates[k] is None
            if marker and sum(places.values()) >= self.supertag_count:
                seen = np.zeros(len(lexicon.operations), dtype=np.bool_)
                seen[list(places)] = True
                allowed[k] &= seen
        return allowed

    @cached_property
    def _marked(self) -> dict[int, list[int]]:
        """The frequent operations that markers used, hardly anything else, and their supertags."""
        lexicon = self.lexicon
        fillers: dict[int, Counter[int]] = {}
        for k, places in lexicon.observed.places.items():
            for o, count in places.items():
                fillers.setdefault(o, Counter())[k] += count
        found: dict[int, list[int]] = {}
        for o, counts in fillers.items():
            markers = sorted(k for k in counts if k and lexicon.templates[k] is None)
            share = sum(counts[k] for k in markers) / counts.total()
            if counts.total() >= self.supertag_count and share >= _MARKER_SHARE:
                found[o] = markers
        return found

    @cached_property
    def side_allowed(self) -> Bool:
        """`[K, 2, O]`: whether a dependent with a supertag may be left (0), right (1) of its head.

        The dependents of a frequent operation are on the side where most of
        them were, its home side; the other side is for what was seen there.
        """
        lexicon = self.lexicon
        allowed = np.ones((len(lexicon.supertags), 2, len(lexicon.operations)), dtype=np.bool_)
        for o, home in self._home_sides.items():
            allowed[:, 1 - home, o] = False
        for o in self._marked:
            allowed[self._unmarked[o], :, o] = False
            if o in self._home_sides:
                allowed[self._unmarked[o], 1 - self._home_sides[o], o] = True
        for (o, k), counts in lexicon.observed.sides.items():
            allowed[k, :, o] |= np.array(counts) > 0
        return allowed

    @cached_property
    def mobile(self) -> Bool:
        """`[K]`: the supertags that were often seen on another side than an operation's home side.

        They belong to words that can be displaced, such as question words. A noun that stands
        in front of its verb now and then is not displaced: it stands beside its verb.
        """
        found = np.zeros(len(self.lexicon.supertags), dtype=np.bool_)
        homes = self._home_sides
        observed = self.lexicon.observed
        for (o, k), counts in observed.sides.items():
            elsewhere = counts[1 - homes[o]] if o in homes else 0
            total = sum(observed.places[k].values())
            # What is displaced in a smaller share of its occurrences is not mobile.
            found[k] |= elsewhere > 0 and elsewhere >= 0.01 * total
        return found

    def _type_of(self, k: int) -> AMType:
        supertag = self.lexicon.supertags[k]
        return EMPTY if supertag is None else supertag.type

    @cached_property
    def _unmarked(self) -> dict[int, Bool]:
        """`[K]` for each operation of markers: what is displaced and takes the marker's place.

        What could stand below the marker leaves it behind ("Who did Emma give a cake to?"). What
        is of another kind than all below it asks for the whole ("What did Emma say?").
        """
        observed = self.lexicon.observed
        found = {o: np.zeros_like(self.mobile) for o in self._marked}
        for k in np.flatnonzero(self.mobile).tolist():
            for o, markers in self._marked.items():
                # All kinds of words hang from markers, so that these places tell no kinds apart.
                own = {
                    operation
                    for operation, name in enumerate(self.lexicon.operations[2:], 2)
                    for marker in markers
                    if source_of(name) in self._type_of(marker).sources
                }
                places = observed.places[k].keys() - own
                alike = {j for j, others in observed.places.items() if others.keys() & places}
                below = Counter(observed.below.get(o, {}))
                of_its_kind = sum(count for j, count in below.items() if j in alike)
                content = self.lexicon.templates[k] is not None
                found[o][k] = content and below.total() > 100 * of_its_kind
        return found

    @cached_property
    def _home_sides(self) -> dict[int, int]:
        """0 (left) or 1 (right) for each frequent operation, unless its sides are free."""
        totals: Counter[tuple[int, int]] = Counter()
        for (o, _), (left, right) in self.lexicon.observed.sides.items():
            totals[o, 0] += left
            totals[o, 1] += right
        return {
            o: int(totals[o, 1] > totals[o, 0])
            for o, side in totals
            if side == 0 and totals[o, 0] + totals[o, 1] >= self.supertag_count
        }


class Followers:
    """Rules on what may stand behind the words that training ignores, for K supertags.

    Two facts are read off the training trees:

    - what followed a frequent ignored word (`did` is followed by a noun phrase);
    - which frequent supertags always followed one and the same ignored word: they *need* it (a
      participle needs `was`).

    They hold for neighbours, with two exceptions:

    - An ignored word of which neither is known, such as a filled pause, is *transparent*: what
      stands behind it stands behind the word before it.
    - A sentence may contradict the first fact: no supertag that a word is likely to have ever stood
      behind the ignored word before it ("Who was the cake given to?"). Then the ignored word
      belongs to something further on. It leaves its neighbour free, and what needs it may stand
      anywhere behind it.

    Args:
        observed: the counts of the training trees.
        supertag_count: K.
        frequent: occurrences from which on a word or supertag is frequent.
    """

    def __init__(self, observed: Observed, supertag_count: int, frequent: int) -> None:
        self._observed = observed
        self._size = supertag_count
        self._frequent = frequent
        self._of_key: dict[str, Bool] = {}

    def after(self, word: str | None) -> Bool:
        """`[K]`: the supertags of a token right behind a word (None: the first token)."""
        key = self._key(word)
        if key not in self._of_key:
            self._of_key[key] = self._find(key)
        return self._of_key[key]

    def allowed(self, sentences: Sequence[Sequence[str]], likely: Bool) -> Bool:
        """`[N, K]`: what all tokens of some sentences may have, one sentence after the other.

        Args:
            sentences: their tokens, N in all.
            likely: `[N, K]`, what each token may well have for itself.
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
        """What one sentence allows if some ignored words belong to something further on."""
        found = found.copy()
        # What stands behind an ignored word that was left without a follower.
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
        """The word in lower case; empty for all that training never ignored, which are alike."""
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
        """`[K]` for each frequent ignored word: what followed it."""
        observed = self._observed
        found: dict[str, Bool] = {}
        for word, followers in observed.after.items():
            total = sum(followers.values())
            if not word or total < self._frequent or set(observed.uses.get(word, ())) != {0}:
                continue
            once = sum(count == 1 for count in followers.values())
            # What follows a word is known unless it did so only once for a larger share of its
            # occurrences: then the next follower may well be new (Good 1953).
            if once <= 0.1 * total:
                found[word] = np.zeros(self._size, dtype=np.bool_)
                found[word][list(followers)] = True
        return found

    @cached_property
    def _transparent(self) -> frozenset[str]:
        """Words that training only ever ignored and that no fact is known of."""
        uses = self._observed.uses
        ignored = {word for word in self._observed.after if word and set(uses.get(word, ())) == {0}}
        return frozenset(ignored - self._known.keys())

    @cached_property
    def _needing(self) -> dict[str, Bool]:
        """`[K]` for ignored words: the frequent supertags that always followed this one."""
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
