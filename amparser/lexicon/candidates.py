"""Candidate lexical labels of a word, taken from other forms of its lemma.

For example, `throws` may get a label that training has only with `threw`. A network scores the
candidates by their features.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from math import log1p
from typing import NamedTuple

from amparser.lexicon.dictionary import lemma_in
from amparser.lexicon.graph_inventory import MOST_CANDIDATES, Inventory
from amparser.remembered import Remembered

Features = tuple[float, ...]

NO_FEATURES: Features = (0.0,) * 3
"""Features of a lexical label that the word itself has in training."""


class Candidate(NamedTuple):
    """Candidate lexical label.

    Attributes:
        filler: the lexical label.
        number: index of the label in the inventory (from 1).
        good: three features: log(1 + count of the label with other words), log(1 + count of its
            text with other words), and 1. All are 0 if the word itself has the label in training.
    """

    filler: str
    number: int
    good: Features


class CandidateLabels:
    """Candidate lexical labels for words of given languages.

    Args:
        languages: languages with lemma dictionaries; the first is used for sentences whose language
            is unknown.
    """

    def __init__(self, inventory: Inventory, languages: Sequence[str]) -> None:
        self.languages = tuple(languages)
        self._inventory = inventory
        self._counts: Counter[str] = Counter()
        for slot in inventory.slots.values():
            for fillers in slot.senses.values():
                self._counts.update(fillers)
        self.of = Remembered(self._of)
        self._forms_of = Remembered(self._forms)

    def language_of(self, words: Sequence[str]) -> str:
        """Return the language whose dictionary has most of the words."""
        if len(self.languages) < 2:
            return next(iter(self.languages), "")
        return max(
            self.languages,
            key=lambda name: sum(lemma(name, word.lower()) is not None for word in words),
        )

    def _of(self, label: str, form: str, language: str) -> tuple[Candidate, ...]:
        """Return the candidates of a form in slots with a given node label, best first.

        The form's own occurrences are not counted, as if it were unseen.
        """
        slot = self._inventory.slots[label]
        if not slot.kind or not language:
            return ()
        own = slot.forms.get(form.lower(), {})
        kin = self._forms_of(label, language).get((lemma(language, form) or form).lower(), ())
        forms = (other for other in kin if other != form.lower())
        candidates: dict[str, Candidate] = {}
        for filler in dict.fromkeys(filler for other in forms for filler in slot.forms[other]):
            count = self._counts[filler] - own.get(filler, 0)
            text = slot.text(filler)
            of_text = sum(slot.senses.get(text, {}).values())
            of_text -= sum(n for other, n in own.items() if slot.text(other) == text)
            good = (log1p(count), log1p(of_text), 1.0)
            candidates[filler] = Candidate(filler, self._inventory.filler_number[filler], good)
        best = sorted(candidates.values(), key=lambda candidate: -candidate.good[0])
        return tuple(best[:MOST_CANDIDATES])

    def known(self, fillers: Sequence[str]) -> Sequence[Candidate]:
        """Return candidates for training labels of the word itself; all their features are 0."""
        number = self._inventory.filler_number
        return [Candidate(filler, number.get(filler, 0), NO_FEATURES) for filler in fillers]

    def _forms(self, label: str, language: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for form in self._inventory.slots[label].forms:
            found[(lemma(language, form) or form).lower()].append(form)
        return found


@lru_cache(maxsize=1 << 16)
def lemma(language: str, form: str) -> str | None:
    """Return the lemma of a form; a form that the dictionary lacks is looked up with a capital."""
    found = lemma_in(language, form)
    return lemma_in(language, form.capitalize()) if found is None else found
