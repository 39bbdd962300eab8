"""What a lexicon rules out: the facts of the training trees as constraints of the decoders.

A count restricts only if enough was seen: a word `word_count` times; a
supertag, an operation or an ignored word `supertag_count` times. Rare items
are not restricted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.type_table import TypeTable, type_table
from amparser.decode.scores import Scores
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.word_classes import WordClasses

Bool = NDArray[np.bool_]

NEVER = 1_000_000_000
"""So many occurrences no corpus has: nothing is ruled out."""


class Rows:
    """Rows of equal width, found by a word; words with equal rows share one.

    There are as many rows as the lexicon tells kinds of words apart. Words are forgotten when
    there are many of them, as in an endless stream of new ones.

    Attributes:
        numbers: the row of each word.
        count: R, the number of rows.
    """

    def __init__(self) -> None:
        self.count = 0
        self._room: NDArray[Any] = np.zeros((0, 0))
        self.numbers: dict[str | None, int] = {}
        self._of_content: dict[bytes, int] = {}

    @property
    def array(self) -> NDArray[Any]:
        """`[R, K]`."""
        return self._room[: self.count]

    def add(self, word: str | None, row: NDArray[Any]) -> int:
        """Remember the row of a word; returns its number."""
        number = self._of_content.setdefault(row.tobytes(), len(self._of_content))
        if number == self.count:
            if number == len(self._room):  # twice as much, so that each row is seldom copied
                room = np.empty((max(64, 2 * number), len(row)), row.dtype)
                if number:
                    room[:number] = self._room
                self._room = room
            self._room[number] = row
            self.count += 1
        if len(self.numbers) >= MOST_WORDS:
            self.numbers.clear()
        self.numbers[word] = number
        return number


MOST_WORDS = 1 << 16
"""How many words are remembered."""


@dataclass(frozen=True, eq=False)
class Restrictions:
    """The restrictions of a lexicon with K supertags and O operations.

    Attributes:
        lexicon: the lexicon with its counts.

    The other fields are settings: see `amparser.learn.parser_settings.LexiconSettings`.
    """

    lexicon: Lexicon
    word_count: int = 40
    supertag_count: int = 20
    words: bool = True
    followers: bool = True
    markers: bool = True
    bare_forms: bool = True
    sides: bool = True
    displaced: bool = True
    orders: bool = True

    @classmethod
    def of_settings(cls, lexicon: Lexicon, settings: object) -> Restrictions:
        """The restrictions of a lexicon; the settings have an attribute for each field.

        Where the settings leave a count to training (0), nothing is frequent.
        """
        names = [entry.name for entry in fields(cls) if entry.name != "lexicon"]
        given = {name: getattr(settings, name) for name in names}
        for name in ("word_count", "supertag_count"):
            given[name] = given[name] or NEVER
        return cls(lexicon, **given)

    def apply(self, tokens: Sequence[str], scores: Scores) -> Scores:
        """The scores, with -inf for what the lexicon rules out for these words.

        The arrays of edges of the given scores are overwritten.
        """
        return self.apply_all([tokens], [scores])[0]

    def apply_all(
        self, sentences: Sequence[Sequence[str]], scores: Sequence[Scores]
    ) -> list[Scores]:
        """`apply` for each sentence; all their tokens are looked up at once."""
        words = [self._word_number(token) for tokens in sentences for token in tokens]
        if not words:
            return list(scores)
        operation_count = len(self.lexicon.operations)
        before = [
            self._after_number(word)
            for tokens in sentences
            for word in (None, *tokens[:-1])[: len(tokens)]
        ]
        supertag_logp = np.concatenate([one.supertag_logp for one in scores])
        np.copyto(supertag_logp, -np.inf, where=~self._after_rows.array[before])
        supertag_logp += self._word_rows.array[words]
        possible = supertag_logp > -np.inf
        # Whether a possible supertag may be there, for all places at once: a product of matrices.
        allowed = possible.astype(np.float32) @ self._places > 0
        allowed = allowed.reshape(len(words), 3, operation_count)
        forbidden, in_place = ~allowed[:, :1], np.ascontiguousarray(allowed[:, 1:])
        mobile = self.mobile[supertag_logp.argmax(axis=1)]
        found = []
        first = 0
        for tokens, one in zip(sentences, scores, strict=True):
            rows = slice(first, first := first + len(tokens))
            heads = self.heads(tokens)
            if heads is not None:
                one.edge_logp[:, 1:][~heads] = -np.inf
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

        `a` is nearer than `b` if that order was seen and the reverse never was.
        """
        if not self.orders:
            return self.lexicon.table
        seen = self.lexicon.observed.orders
        count = len(self.lexicon.operations)
        nearer = np.zeros((2, count, count), dtype=np.bool_)
        for (side, near, far), times in seen.items():
            if times >= self.supertag_count and (side, far, near) not in seen:
                nearer[side, near, far] = True
        types = [None if s is None else s.lexical_type for s in self.lexicon.supertags]
        return type_table(types, self.lexicon.operations, nearer)

    def word(self, form: str) -> NDArray[np.float32] | None:
        """`[K]`, added to the scores of a word's supertags (natural log, -inf: ruled out).

        A frequent word has one of the supertags that words of its class had in training
        (`WordClasses`), or one with the same roles. A rarer one, seen n times, has one that it
        did not have with probability a / (n + a), see `novelty`, and that less often if words
        of its class seldom have it, but none that is `closed`. A word is as frequent as its
        lemma. A sign without letters and digits that training never had, such as a full stop,
        is ignored. None if nothing is known.
        """
        if not self.words:
            return None
        number = self._word_number(form)
        found: NDArray[np.float32] = self._word_rows.array[number]
        return found

    def _word_number(self, form: str) -> int:
        """The row of `_word_rows` that has `word(form)`, or zeros if nothing is known."""
        number = self._word_rows.numbers.get(form)
        if number is None:
            number = self._word_rows.add(form, self._find_word(form))
        return number

    @cached_property
    def _word_rows(self) -> Rows:
        return Rows()

    def _find_word(self, form: str) -> NDArray[np.float32]:
        lexicon, observed = self.lexicon, self.lexicon.observed
        if not self.words:
            return np.zeros(len(lexicon.supertags), np.float32)
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
        if count < self.word_count:
            other = math.log(self.novelty / (count + self.novelty))
            kind = np.log(self._classes.predicted(seen)) - self._unseen
            logp = np.where(self.closed, -np.inf, np.minimum(other + kind, 0)).astype(np.float32)
            logp[list(seen)] = 0.0
            return logp
        logp = np.full(len(lexicon.supertags), -np.inf, dtype=np.float32)
        logp[list(seen)] = 0.0
        logp[self._classes.had(seen)] = 0.0
        roles = {self._frames[k] for k in seen}
        logp[[k for k, frame in enumerate(self._frames) if frame in roles]] = 0.0
        return logp

    @cached_property
    def _frames(self) -> list[tuple[object, ...]]:
        """For each supertag its label with its roles; one without a label is a key of its own."""
        found: list[tuple[object, ...]] = []
        for k, supertag in enumerate(self.lexicon.supertags):
            if supertag is None or supertag.anchor is None:
                found.append((k,))
                continue
            roles = (edge.label for edge in supertag.graph.outgoing(supertag.anchor))
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

    def heads(self, tokens: Sequence[str]) -> Bool | None:
        """`[n, n]`: whether token i may hang from token j; None if each may from any.

        A marker with enough words below it, all spelled like their lemmas, takes
        no word that is known to differ from its lemma ("to" has "run", never "ran").
        """
        bare = self._bare
        markers = [token.lower() in bare for token in tokens]
        if True not in markers:
            return None
        changed = [self._changed(token) for token in tokens]
        return ~np.outer(np.array(changed), np.array(markers))

    @cached_property
    def _bare(self) -> frozenset[str]:
        below = self.lexicon.observed.below if self.bare_forms else {}
        return frozenset(
            word
            for word, (same, other) in below.items()
            if same >= self.supertag_count and not other
        )

    def _changed(self, form: str) -> bool:
        lemmas = self.lexicon.lemmas.lemmas_of(form)
        return bool(lemmas) and form.lower() not in lemmas

    @cached_property
    def closed(self) -> Bool:
        """`[K]`: supertags without content (no lexical label of the word's own) of a closed class.

        A class is closed if there are `word_count` rare words and none of them has the
        supertag: an unseen word will not have it either.
        """
        lexicon = self.lexicon
        rare = [c for c in lexicon.observed.uses.values() if sum(c.values()) < self.word_count]
        found = np.zeros(len(lexicon.supertags), dtype=np.bool_)
        if len(rare) >= self.word_count:
            found[:] = [label is None or "$" not in label for label in lexicon.templates]
            found[[k for counts in rare for k in counts]] = False
        return found

    @cached_property
    def novelty(self) -> float:
        """The a that best predicts, for each training token, whether its supertag is new to it.

        Each token is predicted from the n others with its lemma: its supertag is new
        with probability a / (n + a). A grid search finds a, to a factor of 1.2.
        """
        new, old = Counter[int](), Counter[int]()
        for counts in self.lexicon.observed.uses.values():
            total = sum(counts.values())
            for count in counts.values() if total > 1 else ():
                if count == 1:
                    new[total - 1] += 1
                else:
                    old[total - 1] += count

        def log_likelihood(a: float) -> float:
            return math.fsum(times * math.log(a / (n + a)) for n, times in new.items()) + math.fsum(
                times * math.log(n / (n + a)) for n, times in old.items()
            )

        return max((1.2**power for power in range(-40, 41)), key=log_likelihood)

    def allowed_after(self, word: str | None) -> Bool:
        """`[K]`: the supertags of a token after a word (None: the first token).

        A frequent word that training ignores is followed by what followed it
        there. A frequent supertag that always followed one and the same
        ignored word occurs nowhere else.
        """
        number = self._after_number(word)
        allowed: Bool = self._after_rows.array[number]
        return allowed

    def _after_number(self, word: str | None) -> int:
        """The row of `_after_rows` that has `allowed_after(word)`."""
        number = self._after_rows.numbers.get(word)
        if number is None:
            # All words that training never ignored are alike.
            key = word.lower() if word is not None else ""
            key = key if key in self.lexicon.observed.after else ""
            if key not in self._after_keys:
                self._after_keys[key] = self._find_allowed_after(key)
            number = self._after_rows.add(word, self._after_keys[key])
        return number

    @cached_property
    def _after_keys(self) -> dict[str, Bool]:
        """`allowed_after` of each ignored word that was found out; "" stands for all others."""
        return {}

    @cached_property
    def _after_rows(self) -> Rows:
        return Rows()

    def _find_allowed_after(self, word: str) -> Bool:
        observed = self.lexicon.observed
        allowed = np.ones(len(self.lexicon.supertags), dtype=np.bool_)
        if not self.followers:
            return allowed
        followers = observed.after.get(word, {}) if word else {}
        # Uses are those of lemmas, which an ignored word may have in trees from elsewhere.
        ignored = set(observed.uses.get(word, ())) == {0}
        if ignored and sum(followers.values()) >= self.supertag_count:
            allowed[:] = False
            allowed[list(followers)] = True
        for k in range(1, len(allowed)):
            behind = {w: counts[k] for w, counts in observed.after.items() if k in counts}
            if len(behind) == 1 and "" not in behind and word not in behind:
                allowed[k] = sum(behind.values()) < self.supertag_count
        return allowed

    @cached_property
    def fills(self) -> Bool:
        """`[K, O]`: whether a dependent with a supertag may hang from its head by an operation.

        A frequent operation that only markers used (supertags without a
        lexical label) takes only those; a content word needs its marker. A frequent marker
        in turn hangs only by the operations by which it was seen.
        """
        lexicon = self.lexicon
        allowed = np.ones((len(lexicon.supertags), len(lexicon.operations)), dtype=np.bool_)
        if not self.markers:
            return allowed
        fillers: dict[int, Counter[int]] = {}
        for k, places in lexicon.observed.places.items():
            for o, count in places.items():
                fillers.setdefault(o, Counter())[k] += count
        for o, counts in fillers.items():
            marked = all(k and lexicon.templates[k] is None for k in counts)
            if marked and counts.total() >= self.supertag_count:
                allowed[:, o] = False
                allowed[list(counts), o] = True
        for k, places in lexicon.observed.places.items():
            marker = k and lexicon.templates[k] is None
            if marker and sum(places.values()) >= self.supertag_count:
                seen = np.zeros(len(lexicon.operations), dtype=np.bool_)
                seen[list(places)] = True
                allowed[k] &= seen
        return allowed

    @cached_property
    def side_allowed(self) -> Bool:
        """`[K, 2, O]`: whether a dependent with a supertag may be left (0), right (1) of its head.

        The dependents of a frequent operation are on the side where most of
        them were, its home side; the other side is for what was seen there.
        """
        lexicon = self.lexicon
        allowed = np.ones((len(lexicon.supertags), 2, len(lexicon.operations)), dtype=np.bool_)
        if not self.sides:
            return allowed
        for o, home in self._home_sides.items():
            allowed[:, 1 - home, o] = False
        for (o, k), counts in lexicon.observed.sides.items():
            allowed[k, :, o] |= np.array(counts) > 0
        return allowed

    @cached_property
    def mobile(self) -> Bool:
        """`[K]`: the supertags that were seen on another side than the operation's home side.

        They belong to words that can be displaced, such as fronted ones.
        """
        if not self.displaced:
            return np.ones(len(self.lexicon.supertags), dtype=np.bool_)
        found = np.zeros(len(self.lexicon.supertags), dtype=np.bool_)
        homes = self._home_sides
        for (o, k), counts in self.lexicon.observed.sides.items():
            found[k] |= o in homes and counts[1 - homes[o]] > 0
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
