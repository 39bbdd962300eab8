"""Exchange of constituents by selectional classes, and invented names.

If a constant has few names in training, a tagger memorises them; any new name then gets a constant
that has many names. In some training sentences, names are therefore replaced by invented names:
random letters and digits in words of the same length. A name of three or more words (a *text*, such
as the text of a reminder) is replaced by a text of another length, mostly of words from training.
Half of these texts contain a constituent that never occurs beside such a text in training, such as
"about the heating", to teach the tagger that it is part of the text.
"""

from __future__ import annotations

import string
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from amparser.characters import text_of
from amparser.induction.augmentation.exchange import Augmentation, Constituent, Splice, constituents
from amparser.induction.selectional_classes import tag_tree
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, IGNORE_TAG, NOBODY, Encoded
from amparser.lexicon.spelling import content_of, is_spelled_alike


def spliced(old: Encoded, new: Encoded, splice: Splice, lower: Collection[str] = ()) -> Encoded:
    """Return `old` with `splice.site` replaced by `splice.part` of `new` (see `Splice`)."""
    site = splice.site

    def owner(token: int) -> int:
        # Words attached to the replaced constituent are now attached to the new one's head.
        inside = site.first <= token < site.end
        return splice.inner(splice.part.head) if inside else splice.outer(token)

    return Encoded(
        splice.words(old.tokens, new.tokens, lower),
        splice.row(old.tags, new.tags),
        splice.row(old.closed, new.closed),
        splice.heads(old.heads, new.heads),
        splice.placed(old.ports, new.ports),
        splice.row(old.labels, new.labels),
        splice.row(list(map(owner, old.owners)), list(map(splice.inner, new.owners))),
    )


class _Donors(NamedTuple):
    parts: list[tuple[Encoded, Constituent]]
    weights: list[float]

    def add(self, sample: Encoded, part: Constituent, weight: float) -> None:
        before = self.weights[-1] if self.weights else 0.0
        self.parts.append((sample, part))
        self.weights.append(before + weight)


class ClassAugmentation(Augmentation[Encoded]):
    """Exchange of constituents by selectional classes.

    A constituent is a token with its arguments, the other words of its name, and the ignored words
    attached to these. Another constituent may replace it if its head has the same selectional
    class.

    If a constituent at the beginning of a sentence is replaced, ignored words before it that mostly
    begin sentences (such as question words) stay. If such a word is not ignored, a constituent that
    begins with it never replaces another.

    Args:
        kinds: selectional class of each tag.
    """

    def __init__(self, derivations: Sequence[Encoded], kinds: Sequence[int]) -> None:
        super().__init__(derivations)
        self._kinds = kinds
        at_start: Counter[str] = Counter()
        anywhere: Counter[str] = Counter()
        ignored: Counter[str] = Counter()
        for derivation in derivations:
            words = [token.lower() for token in derivation.tokens]
            at_start[words[0]] += 1
            anywhere.update(words)
            ignored.update(
                w for w, tag in zip(words, derivation.tags, strict=True) if tag == IGNORE_TAG
            )
        self._mostly_initial = {w for w, c in at_start.items() if 2 * c > anywhere[w]}
        self.initial_words = {w for w in self._mostly_initial if 2 * ignored[w] > anywhere[w]}
        trees = [tag_tree(d) for d in derivations]
        forms = Counter(trees)
        self._begin = list(accumulate(forms[tree] ** -0.5 for tree in trees))
        self._donors = defaultdict[int, _Donors](lambda: _Donors([], []))
        self._add_donors()

    def _add_donors(self) -> None:
        tag_count = Counter(tag for sample in self.samples for tag in sample.tags)
        parts = [
            (sample, part, tag_tree(sample, part.head))
            for sample in self.samples
            for part in self._constituents(sample)
            if part.first or sample.tokens[0].lower() not in self._mostly_initial
        ]
        forms = Counter(tree for _, _, tree in parts)
        for sample, part, tree in parts:
            inside = sample.tags[part.first : part.end]
            rarest = min(tag_count[tag] for tag in inside if tag >= FIRST_FRAGMENT)
            # Draw rare fragments and rare trees more often.
            weight = rarest**-0.5 * forms[tree] ** -0.5
            self._donors[self._kinds[tree.tag]].add(sample, part, weight)

    def _constituents(self, derivation: Encoded) -> Iterator[Constituent]:
        for part in constituents(derivation.heads, derivation.owners):
            first = part.first
            while (
                part.first == 0
                and derivation.tags[first] == IGNORE_TAG
                and derivation.tokens[first].lower() in self.initial_words
            ):
                first += 1
            yield part._replace(first=first)

    def draw(self, random: Random, again: float = 0.5) -> Encoded:
        """Draw a derivation and exchange a constituent; repeat with probability `again`."""
        [sample] = random.choices(self.samples, cum_weights=self._begin)
        while True:
            sample = self.exchanged(sample, random)
            if random.random() >= again:
                return sample

    def sites(self, sample: Encoded) -> list[Constituent]:
        """Return all constituents except the whole sentence."""
        parts = self._constituents(sample)
        return [part for part in parts if sample.heads[part.head] != NOBODY]

    def donor(
        self, sample: Encoded, site: Constituent, random: Random
    ) -> tuple[Encoded, Constituent] | None:
        """Draw a constituent of the class of `site`; None if it cannot replace `site`."""
        kind = self._kinds[sample.tags[site.head]]
        if kind not in self._donors:
            return None
        parts, weights = self._donors[kind]
        [(new, part)] = random.choices(parts, cum_weights=weights)
        if sample.heads[site.head] >= site.end:
            # In "the state that borders Texas with the largest population", the last phrase
            # modifies Texas instead of the state: both are in one class, and Texas is nearer.
            own, *others = new.tags[part.head : part.end]
            if any(t >= FIRST_FRAGMENT and self._kinds[t] == self._kinds[own] for t in others):
                return None
        return new, part

    def replaced(self, old: Encoded, new: Encoded, splice: Splice) -> Encoded:
        """Implement `Augmentation.replaced`."""
        return spliced(old, new, splice, self._lower)


_TEXT = 3
"""Minimum words of a name that counts as a text."""


class NewNames:
    """Generator of invented names.

    Args:
        share: share of the copied lexical labels that are replaced by invented names.
        only: function that returns whether a name may be replaced; by default, always true.
    """

    def __init__(
        self,
        derivations: Sequence[Encoded],
        share: float,
        only: Callable[[str], bool] = bool,
    ) -> None:
        self._only = only
        self._share = share
        words = {word for derivation in derivations for word in derivation.tokens if word.isalpha()}
        self._words = sorted(words)
        self._foreign = _never_beside(derivations)

    def invented(self, derivation: Encoded, random: Random) -> Encoded:
        """Return a derivation with some names replaced."""
        if not self._share:
            return derivation
        names: list[tuple[int, list[str]]] = []
        for token, label in enumerate(derivation.labels):
            content, words = content_of(label or ""), derivation.words(token)
            copied = is_spelled_alike(text_of(words), content) and self._only(content)
            if copied and random.random() < self._share:
                head = derivation.heads[token]
                above = derivation.tags[head] if head != NOBODY else NOBODY
                names.append((token, self._other(words, self._foreign.get(above, ()), random)))
        for token, name in reversed(names):
            derivation = _renamed(derivation, token, name)
        return derivation

    def _other(
        self, words: Sequence[str], foreign: Sequence[tuple[str, ...]], random: Random
    ) -> list[str]:
        if len(words) < _TEXT or not self._words:
            return [_scrambled(word, random) for word in words]
        length = random.randint(1, len(words) + _TEXT)
        texts = random.choices(self._words, k=length)
        if foreign and random.random() < 0.5:
            at = random.randint(1, length)
            texts[at:at] = random.choice(foreign)
        return [_scrambled(w, random) if random.random() < 0.3 else w for w in texts]


def _never_beside(derivations: Sequence[Encoded]) -> dict[int, list[tuple[str, ...]]]:
    """Return, by tag, constituents that never occur in sentences where the tag governs a text.

    A constituent is the tuple of its words.
    """
    tags = [
        frozenset(tag for tag in derivation.tags if tag >= FIRST_FRAGMENT)
        for derivation in derivations
    ]
    counts = Counter(tag for some in tags for tag in some)
    beside: dict[int, set[int]] = defaultdict(set)
    for derivation, some in zip(derivations, tags, strict=True):
        for above in _above_texts(derivation):
            beside[above] |= some
    foreign: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for derivation in derivations:
        for part in constituents(derivation.heads, derivation.owners):
            if derivation.heads[part.head] == NOBODY:
                continue
            own = {tag for tag in derivation.tags[part.first : part.end] if tag >= FIRST_FRAGMENT}
            least = min(counts[tag] for tag in own)
            for above, known in beside.items():
                # By chance alone, at least three joint occurrences must be expected.
                enough = counts[above] * least >= 3.0 * len(derivations)
                if enough and not own & known:
                    foreign[above].add(derivation.tokens[part.first : part.end])
    return {above: sorted(parts) for above, parts in foreign.items()}


def _above_texts(derivation: Encoded) -> Iterator[int]:
    for token, (head, label) in enumerate(zip(derivation.heads, derivation.labels, strict=True)):
        if head != NOBODY and label is not None and len(derivation.words(token)) >= _TEXT:
            yield derivation.tags[head]


def _scrambled(word: str, random: Random) -> str:
    def other(character: str) -> str:
        if character.isdigit():
            return random.choice(string.digits)
        if not character.isalpha():
            return character
        letter = random.choice(string.ascii_lowercase)
        return letter.upper() if character.isupper() else letter

    return "".join(map(other, word))


def _renamed(old: Encoded, token: int, words: Sequence[str]) -> Encoded:
    others = len(words) - 1
    name = Encoded(
        tuple(words),
        (old.tags[token], *[CONTINUE_TAG] * others),
        (old.closed[token], *[0] * others),
        (NOBODY,) * len(words),
        (NOBODY,) * len(words),
        (old.labels[token], *[None] * others),
        (0,) * len(words),
    )
    site = Constituent(token, token, token + len(old.words(token)))
    return spliced(old, name, Splice(site, Constituent(0, 0, len(words))))
