"""Candidate lexical labels for a word beyond those seen with it, and their features.

Candidates come from other forms of the same lemma in the training set, and from bilingual
dictionaries (`amparser.lexicon.bilingual`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log1p
from typing import NamedTuple

from amparser.errors import ConfigError
from amparser.lexicon.bilingual import Bilingual
from amparser.lexicon.dictionary import lemma_in
from amparser.lexicon.graph_inventory import MOST_CANDIDATES, Inventory, Slot
from amparser.remembered import Remembered

Features = tuple[float, ...]

NO_FEATURES: Features = (0.0,) * 6
"""Features of a lexical label that was seen with the word itself."""


class Candidate(NamedTuple):
    """Candidate lexical label.

    Attributes:
        filler: the lexical label.
        number: its index in the inventory (from 1), or the index shared by all unseen labels.
        good: log(1 + count of the label with other words); log(1 + count of its text with other
            words); 1 if another form of the lemma has it, else 0; 1 / sense number; 1 / (1 + rank
            of the translation); 1 if it is unseen with other words, else 0.
    """

    filler: str
    number: int
    good: Features


class CandidateLabels:
    """Candidate lexical labels for words of given languages.

    Args:
        inventory: the training set's inventory.
        languages: languages with lemma dictionaries; sentences of unknown language count as the
            first.
        bilingual: whether to look up bilingual dictionaries.

    Raises:
        ConfigError: if a bilingual dictionary is missing; names the packages to install.
    """

    def __init__(self, inventory: Inventory, languages: Sequence[str], bilingual: bool) -> None:
        self.languages = tuple(languages)
        self._inventory = inventory
        self._dictionaries = {name: Bilingual(name) for name in languages if bilingual}
        for name, one in self._dictionaries.items():
            if one.missing:
                message = f"install {one.missing} to look up concepts of {name!r} words"
                raise ConfigError(f"data.bilingual = true: {message}")
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
        """Return the candidates of a form at a slot, best first.

        The form's own counts are subtracted, so a label that only this form has gets the features
        of an unseen one. Training therefore sees the features of test time.
        """
        slot = self._inventory.slots[label]
        if not slot.kind or not language:
            return ()
        own = slot.forms.get(form.lower(), {})
        found: dict[str, Candidate] = {}
        for filler, is_kin, sense, rank in self._candidates(slot, label, form, language):
            if filler in found:
                continue
            count = self._counts[filler] - own.get(filler, 0)
            text = slot.text(filler)
            of_text = sum(slot.senses.get(text, {}).values())
            of_text -= sum(n for other, n in own.items() if slot.text(other) == text)
            number = self._inventory.filler_number[filler] if count else self.unknown
            good = (
                log1p(count),
                log1p(of_text),
                is_kin,
                1 / sense,
                1 / (1 + rank),
                float(not count),
            )
            found[filler] = Candidate(filler, number, good)
        best = sorted(
            found.values(),
            key=lambda one: -one.good[2] - one.good[0] / 4 - one.good[4] * one.good[3],
        )
        return tuple(best[:MOST_CANDIDATES])

    def known(self, fillers: Sequence[str]) -> Sequence[Candidate]:
        """Return labels seen with the word itself as candidates without features."""
        number = self._inventory.filler_number
        return [Candidate(filler, number.get(filler, 0), NO_FEATURES) for filler in fillers]

    @property
    def unknown(self) -> int:
        """The index shared by all unseen lexical labels."""
        return len(self._inventory.lexical_labels) + 1

    def _candidates(
        self, slot: Slot, label: str, form: str, language: str
    ) -> Iterator[tuple[str, float, int, int]]:
        """Yield (label, 1 if another form of the lemma has it else 0, sense, translation rank)."""
        word = lemma(language, form)
        for other in self._forms_of(label, language).get((word or form).lower(), ()):
            if other != form.lower():
                for filler in slot.forms[other]:
                    yield filler, 1.0, 1, 0
        if language in self._dictionaries:
            part = slot.kind.strip(".")
            width = len(slot.number)
            words = dict.fromkeys([word or form, form])
            for one in words:
                for text, sense, rank in self._dictionaries[language].offers(one, part):
                    yield f"{text}{slot.kind}{sense:0{width}d}", 0.0, sense, rank

    def _forms(self, label: str, language: str) -> dict[str, list[str]]:
        """Group the forms that a slot has in training by lemma."""
        found: dict[str, list[str]] = defaultdict(list)
        for form in self._inventory.slots[label].forms:
            found[(lemma(language, form) or form).lower()].append(form)
        return found


@lru_cache(maxsize=1 << 16)
def lemma(language: str, form: str) -> str | None:
    """Return the lemma of a form, or of the capitalised form if a dictionary has only that."""
    found = lemma_in(language, form)
    return lemma_in(language, form.capitalize()) if found is None else found
