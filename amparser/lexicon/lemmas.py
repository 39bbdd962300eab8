"""Lemmas of word forms: counts for seen forms, the rules of `lemma_rules` for others.

A dictionary (`amparser.lexicon.dictionary`) goes before the rules for a group of words if it
gives the lemmas of train more often than rules that were counted without them.

Rules are counted over word types. Supertags share rules if they have some rule that
changes the form in common: what is seen of one verb's frame holds for
another's, but not for supertags whose words are their own lemmas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated

from amparser.conditions import Filled, OneOf
from amparser.lexicon.dictionary import DICTIONARIES, lemma_in
from amparser.lexicon.lemma_rules import LemmaRules, Rule, rule_of
from amparser.lexicon.observed import SupertagId

_ENOUGH = 10
"""An ending has been seen on so many words."""


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
    _of_form: dict[str, Counter[str]] = field(default_factory=dict, repr=False, compare=False)
    _lemmas: set[str] = field(default_factory=set, repr=False, compare=False)
    _longest: int = field(default=0, repr=False, compare=False)
    _rules: dict[int | None, LemmaRules] = field(default_factory=dict, repr=False, compare=False)
    _endings: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)

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
        pairs: dict[int, set[tuple[str, str]]] = {}
        for (form, klass), lemmas in self.counts.items():
            self._of_form.setdefault(form, Counter()).update(lemmas)
            pairs.setdefault(klass, set()).add((form, _commonest(lemmas)))
        self._lemmas.update(lemma for found in pairs.values() for _, lemma in found)
        self._longest = max(map(len, self._lemmas), default=0)
        groups = [
            (rules, sorted({pair for klass in classes for pair in pairs[klass]}), classes)
            for rules, classes in _groups(pairs)
        ]
        # A supertag never seen consists of parts of others, most likely of these.
        inflected = max(groups, key=lambda group: (bool(group[0]), len(group[1])), default=None)
        self._rules[None] = LemmaRules([] if inflected is None else inflected[1], self._lemmas)
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
        for spelling in dict.fromkeys((form, form.lower())):
            seen = self.counts.get((spelling, klass))
            if seen:
                return _commonest(seen)
        for spelling in dict.fromkeys((form, form.lower())):
            seen = self._of_form.get(spelling)
            if seen:
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
        if not self.dictionary or not self._rules_of(klass).trusts(self.dictionary):
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
            self._endings[ending] = 2 * sum(known) > len(known) and len(known) >= _ENOUGH
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
