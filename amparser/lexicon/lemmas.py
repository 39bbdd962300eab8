"""Lemmas of word forms: counts for seen forms, rules for others.

A dictionary (`amparser.lexicon.dictionary`) goes before the rules for a group of words if it is
trusted with the group's lemmas of train.

Rules are counted over word types. Supertags share rules if they have some rule that
changes the form in common: what is seen of one verb's frame holds for
another's, but not for supertags whose words are their own lemmas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Annotated, TypeAlias

from amparser.conditions import Filled, OneOf
from amparser.lexicon.dictionary import DICTIONARIES, is_trusted, lemma_in
from amparser.lexicon.observed import SupertagId
from amparser.lexicon.spelling import case_of, cased, common_letters

Rule: TypeAlias = tuple[str, str]

_WINDOW = 5
"""How many letters at the end of a word a rule may depend on."""
_BORDER = " "
_SAME = "="
_VOWEL, _CONSONANT = "V", "C"


def rule_of(form: str, lemma: str) -> Rule:
    """The shortest suffixes to strip and to add.

    >>> rule_of("flooshed", "floosh"), rule_of("stabbed", "stab"), rule_of("saw", "see")
    (('ed', ''), ('=ed', ''), ('aw', 'ee'))
    """
    shared = common_letters(form, lemma)
    strip = form[shared:]
    if shared and strip[:1] == form[shared - 1]:
        strip = _SAME + strip[1:]
    return strip, lemma[shared:]


def applied(rule: Rule, form: str) -> str | None:
    """The lemma that a rule makes of a form, or None if it does not fit.

    >>> applied(("=ed", ""), "wugged"), applied(("=ed", ""), "flooshed")
    ('wug', None)
    """
    strip, add = rule
    stem = form[: len(form) - len(strip)]
    lemma = stem + add
    return lemma if lemma and rule_of(form, lemma) == rule else None


def vowels(words: Iterable[str]) -> frozenset[str]:
    """The letters that are next to many different ones (Sukhotin's algorithm).

    The letter that most often has other letters next to it is a vowel. Then the count of
    each letter falls by its occurrences next to that vowel, and the search goes on.

    >>> sorted(vowels(["banana", "tomato", "pepper", "melon"]))
    ['a', 'e', 'o']
    """
    beside: dict[str, Counter[str]] = {}
    for word in words:
        for left, right in pairwise(word):
            if left != right:
                beside.setdefault(left, Counter())[right] += 1
                beside.setdefault(right, Counter())[left] += 1
    weight = {letter: counts.total() for letter, counts in sorted(beside.items())}
    found: set[str] = set()
    while weight:
        letter = max(weight, key=weight.__getitem__)
        if weight.pop(letter) <= 0:
            break
        found.add(letter)
        for other in weight:
            weight[other] -= 2 * beside[letter][other]
    return frozenset(found)


class BackOff:
    """P(outcome | contexts), the narrowest context last.

    A context seen rarely passes its remaining probability to the one before (Witten & Bell
    1991). Any context but the last counts how many different next contexts an outcome was
    seen with, not how often it was seen (Kneser & Ney 1995).
    """

    def __init__(self, seen: Iterable[tuple[tuple[Hashable, ...], Hashable]]) -> None:
        self._counts: dict[tuple[int, Hashable], Counter[Hashable]] = {}
        outcomes: dict[Hashable, None] = {}
        counted: set[tuple[int, Hashable, Hashable, Hashable]] = set()
        for contexts, outcome in seen:
            outcomes[outcome] = None
            for depth, context in enumerate(contexts):
                below = contexts[depth + 1] if depth + 1 < len(contexts) else object()
                if (depth, context, outcome, below) not in counted:
                    counted.add((depth, context, outcome, below))
                    self._counts.setdefault((depth, context), Counter())[outcome] += 1
        self._count = max(len(outcomes), 1)

    def probability(self, outcome: Hashable, contexts: tuple[Hashable, ...]) -> float:
        """Between 0 and 1; an outcome never seen has the lowest."""
        probability = 1 / self._count
        for depth, context in enumerate(contexts):
            counts = self._counts.get((depth, context))
            if counts is not None:
                kinds = len(counts)
                probability = (counts[outcome] + kinds * probability) / (counts.total() + kinds)
        return probability


class LemmaRules:
    """The rules behind pairs of a form and its lemma.

    A rule says "strip this suffix, add that one". A suffix may begin with a repeated
    letter, written `=`:

        flooshed -> floosh  (ed, )      studied -> study  (ied, y)
        baked    -> bake    (d, )       stabbed -> stab   (=ed, )

    Of the lemmas that the rules make of a form, the best one maximises a product of three
    probabilities: of the rule given the form, of the rule given the lemma, and of the
    lemma's letters. The first two depend on the word's end: on its last letters as they
    are, and on those before as vowels, consonants and repetitions. Sukhotin's algorithm
    (Guy 1991) finds which letters are vowels, so nothing is given by hand.

    Args:
        pairs: the pairs of one class of words, each once.
        lemmas: all lemmas known, which show what a lemma looks like.
    """

    def __init__(self, pairs: Collection[tuple[str, str]], lemmas: Collection[str]) -> None:
        self._case = case_of(pairs)
        self._pairs = sorted({(cased(form, self._case), lemma) for form, lemma in pairs})
        self._lemmas = sorted(set(lemmas))
        self._trusted: dict[str, bool] = {}

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule of the pairs, in alphabetical order."""
        return tuple(sorted({rule_of(*pair) for pair in self._pairs}))

    def lemma(self, form: str) -> str:
        """The likeliest lemma of an unseen form; the form itself if no rule fits.

        >>> LemmaRules([("Emma", "emma"), ("Ava", "ava")], ["emma", "ava"]).lemma("Liam")
        'liam'
        """
        form = cased(form, self._case)
        found = {rule: lemma for rule in self.rules if (lemma := applied(rule, form))}
        scores = {lemma: self._score(rule, form, lemma) for rule, lemma in found.items()}
        return max(scores, key=scores.__getitem__, default=form)

    def trusts(self, dictionary: str) -> bool:
        """Whether a dictionary gives the lemmas of these pairs (see `is_trusted`)."""
        if dictionary not in self._trusted:
            pairs = ((form, (lemma,)) for form, lemma in self._pairs)
            self._trusted[dictionary] = is_trusted(dictionary, pairs)
        return self._trusted[dictionary]

    def _score(self, rule: Rule, form: str, lemma: str) -> float:
        given_form = self._of_form.probability(rule, self._ending(form))
        given_lemma = self._of_lemma.probability(rule, self._ending(lemma))
        score = given_form * given_lemma
        for letter, contexts in _bigrams(lemma):
            score *= self._letters.probability(letter, contexts)
        return score

    @cached_property
    def _of_form(self) -> BackOff:
        return BackOff((self._ending(form), rule_of(form, lemma)) for form, lemma in self._pairs)

    @cached_property
    def _of_lemma(self) -> BackOff:
        seen = {(lemma, rule_of(form, lemma)): None for form, lemma in self._pairs}
        return BackOff((self._ending(lemma), rule) for lemma, rule in seen)

    @cached_property
    def _letters(self) -> BackOff:
        # A letter bigram counts as often as lemmas contain it.
        return BackOff(
            ((*contexts, (i, lemma)), letter)
            for lemma in self._lemmas
            for i, (letter, contexts) in enumerate(_bigrams(lemma))
        )

    @cached_property
    def _vowels(self) -> frozenset[str]:
        return vowels({*self._lemmas, *(form for form, _ in self._pairs)})

    def _ending(self, word: str) -> tuple[Hashable, ...]:
        """Contexts, from wide to narrow: only letters, then all of a window.

        In the window, letters replace their shapes one by one, from the end.
        """
        padded = _BORDER * _WINDOW + word
        shape = "".join(
            _SAME if a == b else _VOWEL if b in self._vowels else _CONSONANT
            for a, b in pairwise(padded[-_WINDOW - 1 :])
        )
        # How many of them form contexts as letters, before shapes of the others count.
        return (
            *(word[len(word) - k :] for k in range(2 + 1)),
            *(shape[: _WINDOW - k] + padded[len(padded) - k :] for k in range(_WINDOW + 1)),
        )


def _bigrams(word: str) -> list[tuple[str, tuple[str, ...]]]:
    """Each letter and the end of a word, with the letter before."""
    return [(b, ("", a)) for a, b in pairwise(_BORDER + word + _BORDER)]


@dataclass
class LemmaTable:
    """Lemmas by (word form, class); a class is a supertag's index.

    `counts[form, class]` counts the lemmas seen. Forms are looked up as they
    are, then in lower case; with their class, then with any. An unseen form that
    is the lemma of seen ones is its own lemma. `dictionary` is the language of the dictionary;
    empty for none.
    """

    counts: dict[tuple[Annotated[str, Filled()], SupertagId], Annotated[Counter[str], Filled()]] = (
        field(default_factory=dict)
    )
    dictionary: Annotated[str, OneOf(DICTIONARIES, or_empty=True)] = ""

    @classmethod
    def from_observations(
        cls, observations: Iterable[tuple[str, int, str]], dictionary: str = ""
    ) -> LemmaTable:
        """Count (form, class, lemma) triples."""
        counts: dict[tuple[str, int], Counter[str]] = {}
        for form, klass, lemma in observations:
            counts.setdefault((form, klass), Counter())[lemma] += 1
        return cls(counts, dictionary)

    def __post_init__(self) -> None:
        self._of_form: dict[str, Counter[str]] = {}
        self._endings: dict[str, bool] = {}
        pairs: dict[int, set[tuple[str, str]]] = {}
        for (form, klass), lemmas in self.counts.items():
            self._of_form.setdefault(form, Counter()).update(lemmas)
            pairs.setdefault(klass, set()).add((form, _commonest(lemmas)))
        self._lemmas = {lemma for found in pairs.values() for _, lemma in found}
        self._longest = max(map(len, self._lemmas), default=0)
        groups = [
            (rules, sorted({pair for klass in classes for pair in pairs[klass]}), classes)
            for rules, classes in _groups(pairs)
        ]
        # A supertag never seen consists of parts of others, most likely of these.
        inflected = max(groups, key=lambda group: (bool(group[0]), len(group[1])), default=None)
        of_none = [] if inflected is None else inflected[1]
        self._rules: dict[int | None, LemmaRules] = {None: LemmaRules(of_none, self._lemmas)}
        for _, of_group, classes in groups:
            self._rules.update(dict.fromkeys(classes, LemmaRules(of_group, self._lemmas)))

    def lemmas_of(self, form: str) -> set[str]:
        """All lemmas seen with a form, as it is or in lower case."""
        return {*self._of_form.get(form, ()), *self._of_form.get(form.lower(), ())}

    def lemma(self, form: str, klass: int) -> str:
        """The lemma of a form used with a class.

        >>> seen = [("cooked", 1, "cook"), ("walked", 1, "walk"), ("baked", 1, "bake")]
        >>> table = LemmaTable.from_observations(seen)
        >>> table.lemma("baked", 1), table.lemma("flooshed", 1)
        ('bake', 'floosh')
        """
        forms = form, form.lower()
        of_class = (self.counts.get((spelling, klass)) for spelling in forms)
        if seen := next(filter(None, (*of_class, *map(self._of_form.get, forms))), None):
            return _commonest(seen)
        if form in self._lemmas:
            return form
        return self._proposed(form, klass) or self._rules_of(klass).lemma(form)

    def likely_lemmas(self, form: str) -> set[str]:
        """All lemmas seen with a form; that of a dictionary that is trusted if it is unseen."""
        found = self.lemmas_of(form)
        if not found and (proposed := self._proposed(form, None)) is not None:
            found = {proposed}
        return found

    def _rules_of(self, klass: int | None) -> LemmaRules:
        return self._rules.get(klass, self._rules[None])

    def _proposed(self, form: str, klass: int | None) -> str | None:
        """The lemma of the dictionary, None if it has none or is not trusted."""
        if not self._rules_of(klass).trusts(self.dictionary):
            return None
        found = lemma_in(self.dictionary, form)
        # A form that the dictionary does not have, or has as a lemma, may still be inflected.
        return self._inflected(form) or found if found in (None, form) else found

    def _inflected(self, form: str) -> str | None:
        """The longest lemma of train that gives the form with an ending (`_is_ending`).

        So `means` is a form of `mean`, although the dictionary has it as a noun.
        """
        # Neither a lemma nor an ending is longer than all lemmas.
        longest, length = self._longest, len(form)
        for cut in range(min(length - 1, longest), max(length - longest - 1, 0), -1):
            if form[:cut] in self._lemmas and self._is_ending(form[cut:]):
                return form[:cut]
        return None

    def _is_ending(self, ending: str) -> bool:
        """Whether the dictionary takes the ending off most lemmas of train that have it there."""
        if ending not in self._endings:
            inflected = {lemma: lemma_in(self.dictionary, lemma + ending) for lemma in self._lemmas}
            known = [lemma == found for lemma, found in inflected.items() if found is not None]
            # An ending has been seen on so many words.
            self._endings[ending] = 2 * sum(known) > len(known) and len(known) >= 10
        return self._endings[ending]


def _commonest(lemmas: Counter[str]) -> str:
    return max(sorted(lemmas), key=lemmas.__getitem__)


def _groups(pairs: dict[int, set[tuple[str, str]]]) -> list[tuple[set[Rule], list[int]]]:
    """The classes, grouped if they share a rule by which a form differs from its lemma.

    Each group comes with all such rules of its classes.
    """
    groups: list[tuple[set[Rule], list[int]]] = []
    for klass, of_class in sorted(pairs.items()):
        rules = {rule_of(*pair) for pair in of_class} - {("", "")}
        members = [klass]
        for group in [group for group in groups if group[0] & rules]:
            groups.remove(group)
            rules |= group[0]
            members += group[1]
        groups.append((rules, members))
    return groups
