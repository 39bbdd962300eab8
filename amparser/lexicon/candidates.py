"""What may fill a slot besides what train has with the word: offers, and how good they are.

They come from other forms of the word's lemma, as train has them, and from dictionaries of this
machine (`amparser.lexicon.bilingual`).
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
"""What is said of a filler that train has with the word."""


class Candidate(NamedTuple):
    """A filler, its number for the network, and how good it is as an offer.

    Attributes:
        filler: what fills the slot.
        number: that of the filler in train, or the one of all fillers that train does not have.
        good: how often train has the filler with other words, and its text; whether another form
            of the lemma has it; one divided by the number of its sense, and by that of the
            translation; whether train does not have it.
    """

    filler: str
    number: int
    good: Features


class CandidateLabels:
    """The offers for words of some languages.

    Args:
        inventory: of train.
        languages: whose lemmas are known; the first is that of sentences of no other.
        bilingual: whether dictionaries are asked.

    Raises:
        ConfigError: a dictionary is missing; names the packages to install.
    """

    def __init__(self, inventory: Inventory, languages: Sequence[str], bilingual: bool) -> None:
        self.languages = tuple(languages)
        self._inventory = inventory
        self._dictionaries = {name: Bilingual(name) for name in languages if bilingual}
        for name, one in self._dictionaries.items():
            if one.missing:
                message = f"concepts of words of {name!r} are looked up: install {one.missing}"
                raise ConfigError(f"data.bilingual = true: {message}")
        self._counts: Counter[str] = Counter()
        for slot in inventory.slots.values():
            for fillers in slot.senses.values():
                self._counts.update(fillers)
        self.of = Remembered(self._of)
        self._forms_of = Remembered(self._forms)

    def language_of(self, words: Sequence[str]) -> str:
        """The language that has most of the words."""
        if len(self.languages) < 2:
            return next(iter(self.languages), "")
        return max(
            self.languages,
            key=lambda name: sum(lemma(name, word.lower()) is not None for word in words),
        )

    def _of(self, label: str, form: str, language: str) -> tuple[Candidate, ...]:
        """The offers for a form at a slot, the likeliest first; none that train has with it alone.

        A filler counts as one that train does not have if only this form has it.
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
        """Fillers that train has with the word itself."""
        number = self._inventory.filler_number
        return [Candidate(filler, number.get(filler, 0), NO_FEATURES) for filler in fillers]

    @property
    def unknown(self) -> int:
        """The number of all fillers that train does not have."""
        return len(self._inventory.lexical_labels) + 1

    def _candidates(
        self, slot: Slot, label: str, form: str, language: str
    ) -> Iterator[tuple[str, float, int, int]]:
        """Fillers, whether another form of the lemma has them, their senses and ranks."""
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
        """The forms that a slot has in train by their lemmas."""
        found: dict[str, list[str]] = defaultdict(list)
        for form in self._inventory.slots[label].forms:
            found[(lemma(language, form) or form).lower()].append(form)
        return found


@lru_cache(maxsize=1 << 16)
def lemma(language: str, form: str) -> str | None:
    """The lemma of a form, which a dictionary may have with a capital alone."""
    found = lemma_in(language, form)
    return lemma_in(language, form.capitalize()) if found is None else found
