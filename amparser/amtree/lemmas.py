"""Lemmas of word forms: counted where seen, by suffix rules where not.

A rule says "strip this suffix, add that one" and is counted, over word types,
under every ending of the form that contains the stripped suffix. An unseen
form follows the commonest rule of its longest known ending, among the words
with the same supertag. No rule is given by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

_CONTEXT = 3
"""How many letters before the stripped suffix a rule may look at."""

Rule = tuple[str, str]


@dataclass
class LemmaTable:
    """Lemmas by (word form, class); a class is a supertag's index.

    `counts[form, class]` counts the lemmas seen. Forms are looked up as they
    are, then in lower case; with their class, then with any.
    """

    counts: dict[tuple[str, int], Counter[str]] = field(default_factory=dict)
    _of_form: dict[str, Counter[str]] = field(default_factory=dict, repr=False)
    _rules: dict[tuple[int, str], Counter[Rule]] = field(default_factory=dict, repr=False)

    @classmethod
    def from_observations(cls, observations: Iterable[tuple[str, int, str]]) -> LemmaTable:
        """Count (form, class, lemma) triples."""
        table = cls()
        for form, klass, lemma in observations:
            table.counts.setdefault((form, klass), Counter())[lemma] += 1
        table._induce_rules()
        return table

    def _induce_rules(self) -> None:
        for (form, klass), lemmas in self.counts.items():
            self._of_form.setdefault(form, Counter()).update(lemmas)
            lemma = max(sorted(lemmas), key=lemmas.__getitem__)
            pairs = zip(form, lemma, strict=False)
            shared = next(
                (i for i, (a, b) in enumerate(pairs) if a != b), min(len(form), len(lemma))
            )
            rule = (form[shared:], lemma[shared:])
            for before in range(min(_CONTEXT, shared) + 1):
                ending = form[shared - before :]
                self._rules.setdefault((klass, ending), Counter())[rule] += 1
            # The empty ending is where every form arrives at last.
            self._rules.setdefault((klass, ""), Counter())[rule] += 1

    def lemmas_of(self, form: str) -> set[str]:
        """All lemmas a form was seen with, as it is or in lower case."""
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
                return max(sorted(seen), key=seen.__getitem__)
        for spelling in dict.fromkeys((form, form.lower())):
            seen = self._of_form.get(spelling)
            if seen:
                return max(sorted(seen), key=seen.__getitem__)
        return self._by_rule(form, klass)

    def _by_rule(self, form: str, klass: int) -> str:
        for start in range(len(form) + 1):
            rules = self._rules.get((klass, form[start:]))
            if not rules:
                continue
            fitting = [rule for rule in sorted(rules) if form.endswith(rule[0])]
            if fitting:
                strip, add = max(fitting, key=rules.__getitem__)
                return form.removesuffix(strip) + add
        return form
