"""The lexicon: what a model has to know of the algebra and of words.

Supertags and operations are numbered for network and decoder: supertag 0 is
the empty one of ignored tokens, operation 0 is IGNORE and 1 is ROOT. A
supertag with two ways to write its lexical label (`$LEMMA$`, `"$FORM$"`, or
a fixed label) counts as two. All is learned from decomposed training trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.operations import IGNORE, ROOT
from amparser.algebra.supertag import Supertag
from amparser.algebra.type_table import TypeTable, type_table
from amparser.algebra.types import type_from_str, type_to_str
from amparser.amtree.lemmas import LemmaTable
from amparser.amtree.polymorphism import generalise, instantiate
from amparser.amtree.tree import AMTree, Entry


class MinCounts(NamedTuple):
    """From how many occurrences on a word or a supertag is known well enough to restrict it."""

    word: int
    supertag: int


class Allowed(NamedTuple):
    """The supertags `[K]` and operations `[O]` a word may have (bool), or None for all."""

    supertags: NDArray[np.bool_] | None
    operations: NDArray[np.bool_] | None


@dataclass(frozen=True)
class Lexicon:
    """Inventory of supertags and operations, and the lemmas of word forms.

    Attributes:
        supertags: K supertags; `supertags[0]` is None.
        templates: for each supertag how its lexical label is written, or None
            where the constant has no lexical label.
        operations: O operations, `("IGNORE", "ROOT", ...)`.
        lemmas: lemmas by word form and supertag index.
        general: supertags of the training trees that stand in `supertags` in
            their polymorphic form, with that form.
        uses: for each lemma (for words without one, the form in lower case)
            how often it had which supertag in training.
        places: for each supertag how often it hung from its head by which
            operation.
        sides: for each operation and supertag of the dependent how often it
            stood to the left and to the right of its head.
        after: for each ignored word (lower case) how often the token behind it
            had which supertag; under "" those of all tokens not behind one.
    """

    supertags: tuple[Supertag | None, ...]
    templates: tuple[str | None, ...]
    operations: tuple[str, ...]
    lemmas: LemmaTable
    general: Mapping[Supertag, Supertag] = field(default_factory=dict)
    uses: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    places: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    sides: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    after: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @classmethod
    def from_trees(cls, trees: Sequence[AMTree], *, polymorphic: bool = False) -> Lexicon:
        """Collect the inventory of a corpus, commonest first.

        With `polymorphic`, supertags that differ only in the name of a source
        they expect open become one (see `amparser.amtree.polymorphism`).
        """
        seen: Counter[tuple[Supertag, str | None]] = Counter()
        operations: Counter[str] = Counter()
        for tree in trees:
            for entry in tree.entries:
                operations[entry.operation] += 1
                if entry.supertag is not None:
                    seen[entry.supertag, entry.lexical_label] += 1
        general = generalise(s for s, _ in seen) if polymorphic else {s: s for s, _ in seen}
        constants: Counter[tuple[Supertag, str | None]] = Counter()
        for (supertag, template), count in seen.items():
            constants[general[supertag], template] += count
        ranked = sorted(
            constants,
            key=lambda c: (-constants[c], c[0].penman, type_to_str(c[0].lexical_type), c[1] or ""),
        )
        rest = sorted(set(operations) - {IGNORE, ROOT}, key=lambda o: (-operations[o], o))
        index = {constant: k for k, constant in enumerate(ranked, 1)}
        observed = (
            (entry.form, index[general[entry.supertag], entry.lexical_label], entry.lemma)
            for tree in trees
            for entry in tree.entries
            if entry.supertag is not None and entry.lemma is not None
        )
        return cls(
            (None, *(supertag for supertag, _ in ranked)),
            (None, *(template for _, template in ranked)),
            (IGNORE, ROOT, *rest),
            LemmaTable.from_observations(observed),
            {concrete: g for concrete, g in general.items() if concrete != g},
            *_counts(trees, index, general, (IGNORE, ROOT, *rest)),
        )

    @cached_property
    def table(self) -> TypeTable:
        """The types compiled for the decoders."""
        return type_table(
            [None if s is None else s.lexical_type for s in self.supertags], self.operations
        )

    @cached_property
    def _index(self) -> dict[tuple[Supertag, str | None], int]:
        pairs = zip(self.supertags, self.templates, strict=True)
        index = {(s, t): k for k, (s, t) in enumerate(pairs) if s is not None}
        for concrete, general in self.general.items():
            index |= {(concrete, t): k for (s, t), k in index.items() if s == general}
        return index

    @cached_property
    def _operation_index(self) -> dict[str, int]:
        return {operation: o for o, operation in enumerate(self.operations)}

    def allowed(self, form: str, counts: MinCounts) -> Allowed:
        """What a word may be, judged by what it was in training.

        A word that is frequent has one of the supertags it had there; a word is
        as frequent as its lemma. A frequent supertag without a lexical label (a
        marker's) fills the places it filled there; words with content fill any
        place of their type. Of what is rare too little is known, and all is allowed.
        """
        key = (form, counts)
        if key not in self._allowed:
            self._allowed[key] = self._find_allowed(form, counts)
        return self._allowed[key]

    @cached_property
    def _allowed(self) -> dict[tuple[str, MinCounts], Allowed]:
        return {}

    def _find_allowed(self, form: str, counts: MinCounts) -> Allowed:
        seen: Counter[int] = Counter()
        for lemma in self.lemmas.lemmas_of(form) or {form.lower()}:
            seen.update(self.uses.get(lemma, {}))
        if seen.total() < counts.word:
            return Allowed(None, None)
        supertags = np.zeros(len(self.supertags), dtype=np.bool_)
        supertags[list(seen)] = True
        operations = np.zeros(len(self.operations), dtype=np.bool_)
        for k in seen:
            places = self.places.get(k, {})
            if self.templates[k] is not None or sum(places.values()) < counts.supertag:
                return Allowed(supertags, None)
            operations[list(places)] = True
        return Allowed(supertags, operations)

    def side_allowed(self, min_count: int) -> NDArray[np.bool_]:
        """`[K, 2, O]`: may a dependent with a supertag stand left (0), right (1) of its head?

        The dependents of an operation that was seen `min_count` times stand on
        the side where most of them stood, its home side; on the other side may
        stand what was seen there.
        """
        allowed = np.ones((len(self.supertags), 2, len(self.operations)), dtype=np.bool_)
        for o, home in self._home_sides(min_count).items():
            allowed[:, 1 - home, o] = False
        for (o, k), counts in self.sides.items():
            allowed[k, :, o] |= np.array(counts) > 0
        return allowed

    def mobile(self, min_count: int) -> NDArray[np.bool_]:
        """`[K]`: the supertags that were seen on another side than the operation's home side.

        They are those of words that can be displaced, such as fronted ones.
        """
        found = np.zeros(len(self.supertags), dtype=np.bool_)
        homes = self._home_sides(min_count)
        for (o, k), counts in self.sides.items():
            found[k] |= o in homes and counts[1 - homes[o]] > 0
        return found

    def _home_sides(self, min_count: int) -> dict[int, int]:
        """0 (left) or 1 (right) for each operation seen `min_count` times on one side mostly."""
        totals: dict[int, list[int]] = {}
        for (o, _), counts in self.sides.items():
            total = totals.setdefault(o, [0, 0])
            total[0] += counts[0]
            total[1] += counts[1]
        return {
            o: int(right > left) for o, (left, right) in totals.items() if left + right >= min_count
        }

    def allowed_after(self, word: str | None, min_count: int) -> NDArray[np.bool_]:
        """`[K]`: the supertags of a token that stands behind a word (None: the first token).

        A word that is ignored in training and was seen `min_count` times has
        behind it what it had there; a supertag seen as often that always stood
        behind one and the same ignored word stands nowhere else.
        """
        key = (word.lower() if word is not None else "", min_count)
        if key not in self._allowed_after:
            self._allowed_after[key] = self._find_allowed_after(*key)
        return self._allowed_after[key]

    @cached_property
    def _allowed_after(self) -> dict[tuple[str, int], NDArray[np.bool_]]:
        return {}

    def _find_allowed_after(self, word: str, min_count: int) -> NDArray[np.bool_]:
        allowed = np.ones(len(self.supertags), dtype=np.bool_)
        followers = self.after.get(word, {}) if word else {}
        if sum(followers.values()) >= min_count and set(self.uses.get(word, {})) == {0}:
            allowed[:] = False
            allowed[list(followers)] = True
        for k in range(1, len(self.supertags)):
            behind = {w: counts[k] for w, counts in self.after.items() if k in counts}
            if len(behind) == 1 and "" not in behind and word not in behind:
                allowed[k] = sum(behind.values()) < min_count
        return allowed

    def encode(self, tree: AMTree) -> tuple[list[int], list[int], list[int]] | None:
        """A tree as indices (supertags, heads, operations), or None if it has an unknown part.

        Each list has one number a token; heads are 1-based, 0 the artificial root.
        """
        supertags, heads, operations = [], [], []
        for entry in tree.entries:
            k = 0
            if entry.supertag is not None:
                k = self._index.get((entry.supertag, entry.lexical_label), -1)
            o = self._operation_index.get(entry.operation, -1)
            if k < 0 or o < 0:
                return None
            supertags.append(k)
            heads.append(entry.head)
            operations.append(o)
        return supertags, heads, operations

    def tree(
        self,
        tokens: Sequence[str],
        supertags: Sequence[int],
        heads: Sequence[int],
        operations: Sequence[int],
    ) -> AMTree:
        """The AM dependency tree that indices stand for, one of each a token.

        Polymorphic supertags are made concrete.
        """
        entries = []
        for form, k, head, o in zip(tokens, supertags, heads, operations, strict=True):
            template = self.templates[k]
            lemma = self.lemmas.lemma(form, k) if template == "$LEMMA$" else None
            entries.append(
                Entry(form, head, self.operations[o], self.supertags[k], template, lemma=lemma)
            )
        return instantiate(AMTree(tuple(entries)))

    def to_dict(self) -> dict[str, Any]:
        """This lexicon as JSON values."""
        return {
            "supertags": [
                [s.penman, type_to_str(s.lexical_type), t]
                for s, t in zip(self.supertags, self.templates, strict=True)
                if s is not None
            ],
            "general": [
                [c.penman, type_to_str(c.lexical_type), g.penman, type_to_str(g.lexical_type)]
                for c, g in self.general.items()
            ],
            "operations": list(self.operations),
            "uses": {word: sorted(counts.items()) for word, counts in sorted(self.uses.items())},
            "places": [[k, sorted(counts.items())] for k, counts in sorted(self.places.items())],
            "sides": [[*key, *counts] for key, counts in sorted(self.sides.items())],
            "after": {word: sorted(counts.items()) for word, counts in sorted(self.after.items())},
            "lemmas": [
                [form, k, sorted(lemmas.items())]
                for (form, k), lemmas in sorted(self.lemmas.counts.items())
            ],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Lexicon:
        """Read what `to_dict` wrote; raises KeyError, TypeError or ValueError on other data."""
        supertags = [(Supertag(p, type_from_str(t)), label) for p, t, label in data["supertags"]]
        return cls(
            (None, *(s for s, _ in supertags)),
            (None, *(label for _, label in supertags)),
            tuple(data["operations"]),
            LemmaTable.from_observations(_expanded(data["lemmas"])),
            {
                Supertag(concrete, type_from_str(t)): Supertag(general, type_from_str(u))
                for concrete, t, general, u in data["general"]
            },
            {word: dict(counts) for word, counts in data["uses"].items()},
            {k: dict(counts) for k, counts in data["places"]},
            {(o, k): (left, right) for o, k, left, right in data["sides"]},
            {word: dict(counts) for word, counts in data["after"].items()},
        )


def _counts(
    trees: Sequence[AMTree],
    index: Mapping[tuple[Supertag, str | None], int],
    general: Mapping[Supertag, Supertag],
    operations: Sequence[str],
) -> tuple[
    dict[str, Counter[int]],
    dict[int, Counter[int]],
    dict[tuple[int, int], tuple[int, int]],
    dict[str, Counter[int]],
]:
    """The counts `uses`, `places`, `sides` and `after` of a lexicon."""
    operation_index = {operation: o for o, operation in enumerate(operations)}
    uses: dict[str, Counter[int]] = {}
    places: dict[int, Counter[int]] = {}
    sides: dict[tuple[int, int], tuple[int, int]] = {}
    after: dict[str, Counter[int]] = {}
    for tree in trees:
        before = ""
        for token, entry in enumerate(tree.entries, 1):
            k, o = 0, operation_index[entry.operation]
            if entry.supertag is not None:
                k = index[general[entry.supertag], entry.lexical_label]
            uses.setdefault(entry.lemma or entry.form.lower(), Counter())[k] += 1
            places.setdefault(k, Counter())[o] += 1
            after.setdefault(before, Counter())[k] += 1
            before = entry.form.lower() if k == 0 else ""
            if entry.head:
                left, right = sides.get((o, k), (0, 0))
                stands_left = token < entry.head
                sides[o, k] = (left + stands_left, right + (not stands_left))
    return uses, places, sides, after


def _expanded(
    rows: Iterable[tuple[str, int, Sequence[tuple[str, int]]]],
) -> Iterable[tuple[str, int, str]]:
    for form, k, lemmas in rows:
        for lemma, count in lemmas:
            for _ in range(count):
                yield form, k, lemma
