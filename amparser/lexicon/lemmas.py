"""Lemmatizer: a table for the forms of training, suffix rules for all other forms.

A suffix rule turns the end of a form into the end of its lemma (`cooked` -> `cook`). Supertags that
have a rule in common form a group, which shares all rules: verbs are inflected alike, whatever
their arguments are. A supertag whose forms all equal their lemmas is a group of its own. If a
dictionary (`amparser.lexicon.dictionary`) is right about a group's lemmas in training, it takes
precedence over the rules. Rules are counted once for each form and lemma.
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
"""Number of final letters of a word on which the choice of a rule depends."""
_BORDER = " "
_SAME = "="
_VOWEL, _CONSONANT = "V", "C"


def rule_of(form: str, lemma: str) -> Rule:
    """Return the shortest rule (see `LemmaRules`) that derives a lemma from a form.

    >>> rule_of("flooshed", "floosh"), rule_of("stabbed", "stab"), rule_of("saw", "see")
    (('ed', ''), ('=ed', ''), ('aw', 'ee'))
    """
    shared = common_letters(form, lemma)
    strip = form[shared:]
    if shared and strip[:1] == form[shared - 1]:
        strip = _SAME + strip[1:]
    return strip, lemma[shared:]


def applied(rule: Rule, form: str) -> str | None:
    """Return the lemma that a rule derives from a form, or None if the rule does not apply.

    >>> applied(("=ed", ""), "wugged"), applied(("=ed", ""), "flooshed")
    ('wug', None)
    """
    strip, add = rule
    stem = form[: len(form) - len(strip)]
    lemma = stem + add
    return lemma if lemma and rule_of(form, lemma) == rule else None


def vowels(words: Iterable[str]) -> frozenset[str]:
    """Return the vowels of a vocabulary (Sukhotin's algorithm, Guy 1991).

    The letter that is most often next to another letter is a vowel. The count of each other letter
    is then reduced by its occurrences next to this vowel, and the search for vowels continues.

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
    """P(outcome | contexts), where contexts are ordered from the widest to the narrowest.

    The probability in each context is interpolated with the probability in the wider context before
    it (Witten & Bell 1991). In the narrowest context, the count of an outcome is its number of
    occurrences. In all others, it is the number of different narrower contexts in which the outcome
    occurs (Kneser & Ney 1995).
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
        """Return the probability of an outcome in contexts; it is never 0."""
        probability = 1 / self._count
        for depth, context in enumerate(contexts):
            counts = self._counts.get((depth, context))
            if counts is not None:
                kinds = len(counts)
                probability = (counts[outcome] + kinds * probability) / (counts.total() + kinds)
        return probability


class LemmaRules:
    """Suffix rules induced from (form, lemma) pairs.

    A rule strips a suffix and adds another one. `=` at the start of a suffix stands for a repeated
    letter:

        flooshed -> floosh  (ed, )      studied -> study  (ied, y)
        baked    -> bake    (d, )       stabbed -> stab   (=ed, )

    The rule that is applied to a form maximises P(rule | form) * P(rule | lemma) * P(letters of the
    lemma), where the lemma is the rule's result. The first two factors depend on the end of the
    form and of the lemma: on the last letters, and on whether the letters before them are vowels,
    consonants or repetitions. Sukhotin's algorithm finds the vowels of each language.

    Args:
        pairs: distinct (form, lemma) pairs of one class of words.
        lemmas: all known lemmas, for the letter model.
    """

    def __init__(self, pairs: Collection[tuple[str, str]], lemmas: Collection[str]) -> None:
        self._case = case_of(pairs)
        self._pairs = sorted({(cased(form, self._case), lemma) for form, lemma in pairs})
        self._lemmas = sorted(set(lemmas))
        self._trusted: dict[str, bool] = {}

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """All rules of the pairs, in alphabetical order."""
        return tuple(sorted({rule_of(*pair) for pair in self._pairs}))

    def lemma(self, form: str) -> str:
        """Return the most probable lemma of an unseen form, or the form if no rule applies.

        >>> LemmaRules([("Emma", "emma"), ("Ava", "ava")], ["emma", "ava"]).lemma("Liam")
        'liam'
        """
        form = cased(form, self._case)
        found = {rule: lemma for rule in self.rules if (lemma := applied(rule, form))}
        scores = {lemma: self._score(rule, form, lemma) for rule, lemma in found.items()}
        return max(scores, key=scores.__getitem__, default=form)

    def trusts(self, dictionary: str) -> bool:
        """Return whether a dictionary is right about these pairs (see `is_trusted`)."""
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
        # A bigram counts once for each lemma that contains it.
        return BackOff(
            ((*contexts, (i, lemma)), letter)
            for lemma in self._lemmas
            for i, (letter, contexts) in enumerate(_bigrams(lemma))
        )

    @cached_property
    def _vowels(self) -> frozenset[str]:
        return vowels({*self._lemmas, *(form for form, _ in self._pairs)})

    def _ending(self, word: str) -> tuple[Hashable, ...]:
        """Return the contexts of a word's end, from the widest to the narrowest.

        First come the last 0, 1 and 2 letters, then six contexts of five characters each. The
        last 0 to 5 characters are letters, the others shapes (vowel, consonant or repetition).
        """
        padded = _BORDER * _WINDOW + word
        shape = "".join(
            _SAME if a == b else _VOWEL if b in self._vowels else _CONSONANT
            for a, b in pairwise(padded[-_WINDOW - 1 :])
        )
        return (
            *(word[len(word) - k :] for k in range(2 + 1)),
            *(shape[: _WINDOW - k] + padded[len(padded) - k :] for k in range(_WINDOW + 1)),
        )


def _bigrams(word: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(b, ("", a)) for a, b in pairwise(_BORDER + word + _BORDER)]


@dataclass
class LemmaTable:
    """Lemmas by form and class (the index of a supertag).

    A form is looked up with its class, then with any class, each time unchanged and then in lower
    case. A form that training has only as a lemma is its own lemma.
    """

    counts: dict[tuple[Annotated[str, Filled()], SupertagId], Annotated[Counter[str], Filled()]] = (
        field(default_factory=dict)
    )
    dictionary: Annotated[str, OneOf(DICTIONARIES, or_empty=True)] = ""

    @classmethod
    def from_observations(
        cls, observations: Iterable[tuple[str, int, str]], dictionary: str = ""
    ) -> LemmaTable:
        """Return the table of (form, class, lemma) triples.

        Args:
            dictionary: name of a lemma dictionary; empty for none.
        """
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
        # An unseen supertag is composed of parts of others; it most likely inflects like the
        # largest group with rules.
        inflected = max(groups, key=lambda group: (bool(group[0]), len(group[1])), default=None)
        of_none = [] if inflected is None else inflected[1]
        self._rules: dict[int | None, LemmaRules] = {None: LemmaRules(of_none, self._lemmas)}
        for _, of_group, classes in groups:
            self._rules.update(dict.fromkeys(classes, LemmaRules(of_group, self._lemmas)))

    def lemmas_of(self, form: str) -> set[str]:
        """Return the lemmas that a form, unchanged or in lower case, has in training."""
        return {*self._of_form.get(form, ()), *self._of_form.get(form.lower(), ())}

    def lemma(self, form: str, klass: int) -> str:
        """Return the lemma of a form with a class.

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
        """Return the lemmas of a form in training, or else its lemma in a trusted dictionary."""
        found = self.lemmas_of(form)
        if not found and (proposed := self._proposed(form, None)) is not None:
            found = {proposed}
        return found

    def _rules_of(self, klass: int | None) -> LemmaRules:
        return self._rules.get(klass, self._rules[None])

    def _proposed(self, form: str, klass: int | None) -> str | None:
        if not self._rules_of(klass).trusts(self.dictionary):
            return None
        found = lemma_in(self.dictionary, form)
        # A form may be inflected even if the dictionary lacks it, or has it as a lemma.
        return self._inflected(form) or found if found in (None, form) else found

    def _inflected(self, form: str) -> str | None:
        """Return the longest training lemma to which the form adds an ending (see `_is_ending`).

        For example, `means` is a form of `mean`, although the dictionary lists `means` as a noun.
        """
        # Only endings up to the length of the longest training lemma are tried.
        longest, length = self._longest, len(form)
        for cut in range(min(length - 1, longest), max(length - longest - 1, 0), -1):
            if form[:cut] in self._lemmas and self._is_ending(form[cut:]):
                return form[:cut]
        return None

    def _is_ending(self, ending: str) -> bool:
        """Return whether most dictionary words of the form `lemma + ending` have this lemma."""
        if ending not in self._endings:
            inflected = {lemma: lemma_in(self.dictionary, lemma + ending) for lemma in self._lemmas}
            known = [lemma == found for lemma, found in inflected.items() if found is not None]
            # At least ten of these words must be in the dictionary.
            self._endings[ending] = 2 * sum(known) > len(known) and len(known) >= 10
        return self._endings[ending]


def _commonest(lemmas: Counter[str]) -> str:
    return max(sorted(lemmas), key=lemmas.__getitem__)


def _groups(pairs: dict[int, set[tuple[str, str]]]) -> list[tuple[set[Rule], list[int]]]:
    """Group the classes that share a suffix rule; return the rules and classes of each group.

    The rule that leaves a form unchanged does not join classes.
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
