"""Words with a typing error, read as the words of train that were meant: `grbb` as `grab`.

An error is a letter left out, added or replaced, or two neighbours exchanged (Damerau 1964). Of
the words of train that are one error away, an unknown word is read as the likeliest, if that is
much likelier than the others: by how often train has it, and by how many errors of that kind it
can have (Kernighan, Church and Gale 1990). It is frequent and no name. What an answer copies anew,
such as free text, is copied as typed (`LexicalLabels.as_typed`). Where train shows that new words
are common and look like others, as inflected forms do, an unknown word may well be a word of its
own, and is left as it is (`are_likely`). So is one that the dictionary of lemmas has, `talk` is not
`walk`, and, inside a sentence, one with a capital.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from amparser.lexicon.dictionary import lemma_in

_SHORTEST = 2
"""Letters of words that have typing errors, and of those that are meant, at least."""
_SHORTEST_FIRST = 3
"""A first word with a capital that is like a shorter one may well be a name: `Tod` is not `to`."""
_SURE = 0.8
"""The word that was meant has at least this probability among those that may be."""
_OF_DICTIONARY = 0.8
"""A dictionary of the language of train has at least such a share of its words, names aside."""
_RARE = 2
"""A word that train has so many times at most is not meant."""
_MOST_ASKED = 300
"""So many words that train has once are looked at."""
_MISTYPED = 0.0025
"""People mistype at least such a share of the words."""
_REMEMBERED = 10_000


class Typos:
    """Finds the words that were meant.

    Args:
        counts: how often train has each word, in lower case.
        cases: by a word in lower case, how train writes it, if never so (see
            `amparser.corpora.splitting`).
        dictionary: of lemmas (`amparser.lexicon.dictionary`), whose words are no errors if it has
            most words of train; empty for none.
    """

    def __init__(
        self, counts: Mapping[str, int], cases: Mapping[str, str], dictionary: str = ""
    ) -> None:
        self._words = {word: count for word, count in counts.items() if _is_word(word)}
        self._likely = frozenset(
            word for word in self._words if self._words[word] > _RARE and not _is_name(word, cases)
        )
        self._longest = max(map(len, self._words), default=0)
        self._letters = "".join(sorted({letter for word in self._words for letter in word}))
        self._cases = cases
        self._named = dictionary
        self._meant = lru_cache(_REMEMBERED)(self._find)

    def read(self, word: str, first: bool = True) -> str | None:
        """The word of train that an unknown word is read as, or None.

        Args:
            word: as it is typed.
            first: whether a sentence begins with it; otherwise one with a capital is a name.

        >>> typos = Typos({"grab": 5, "emma": 9, "ball": 2}, {"emma": "Emma"})
        >>> typos.read("Grbb"), typos.read("Ema"), typos.read("call"), typos.read("zebra")
        ('Grab', None, None, None)
        """
        found = self.alike(word)
        if (
            found not in self._likely
            or (word[:1].isupper() and (not first or len(found) < _SHORTEST_FIRST))
            or (self._dictionary and lemma_in(self._dictionary, word.lower()) is not None)
        ):
            return None
        form = self._cases.get(found, found)
        return form[:1].upper() + form[1:] if word[:1].isupper() else form

    @cached_property
    def _dictionary(self) -> str:
        """That of the language of train, if it is named; it is read where a word may be meant."""
        if not self._named:
            return ""
        known = sum(lemma_in(self._named, word) is not None for word in self._likely)
        return self._named if known >= _OF_DICTIONARY * len(self._likely) else ""

    def alike(self, word: str) -> str | None:
        """The word of train that is an error away; None if there is none, or several are likely."""
        return self._meant(word.lower())

    def _find(self, word: str) -> str | None:
        if not _is_word(word) or len(word) > self._longest + 1:
            return None
        found: dict[str, float] = {}
        for meant, share in _meant_by(word, self._letters):
            if meant in self._words and meant != word:
                found[meant] = found.get(meant, 0.0) + self._words[meant] * share
        best = max(found, key=found.__getitem__, default=None)
        sure = best is not None and found[best] >= _SURE * sum(found.values())
        return best if sure else None


class Reading(NamedTuple):
    """A sentence as it is read.

    Attributes:
        words: the tokens, those with a typing error as the words of train that they are read as.
        unknown: the other tokens that train does not have.
        typos: the tokens with a typing error, and these words.
    """

    words: tuple[str, ...]
    unknown: tuple[str, ...]
    typos: dict[str, str]

    @classmethod
    def by(
        cls, unknown: Callable[[Sequence[str]], Sequence[str]], typos: Callable[[], Typos | None]
    ) -> Callable[[Sequence[str]], Reading]:
        """That of each sentence.

        Args:
            unknown: the tokens of a sentence that train does not have.
            typos: what finds the words that were meant, or None; asked where a token is unknown.
        """

        def read(tokens: Sequence[str]) -> Reading:
            strange = unknown(tokens)
            finder = typos() if strange else None
            if finder is None:
                return cls(tuple(tokens), tuple(strange), {})
            found = ((token, finder.read(token, first=token == tokens[0])) for token in strange)
            meant = {token: word for token, word in found if word is not None}
            words = tuple(meant.get(token, token) for token in tokens)
            return cls(words, tuple(token for token in strange if token not in meant), meant)

        return read


def are_likely(counts: Mapping[str, int]) -> bool:
    """Whether an unknown word that looks like one of train is likelier mistyped than new.

    New words are as frequent as words that train has once (Good 1953), and look like others as
    often as these do.

    Args:
        counts: how often train has each word, in lower case.
    """
    once = sorted(word for word, count in counts.items() if count == 1 and _is_word(word))
    new = len(once) / max(1, sum(counts.values()))
    if new <= _MISTYPED:
        return True
    typos = Typos(counts, {})
    asked = Random(0).sample(once, min(_MOST_ASKED, len(once)))
    alike = sum(typos.alike(word) is not None for word in asked) / len(asked)
    return new * alike <= _MISTYPED


def _is_word(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha()


def _is_name(word: str, cases: Mapping[str, str]) -> bool:
    return cases.get(word, word)[:1].isupper()


def _meant_by(word: str, letters: str) -> Iterator[tuple[str, float]]:
    """What a word may be meant for, and the probability of the error, given its kind."""
    size, others = len(word), max(1, len(letters) - 1)
    for at in range(size + 1):
        before, after = word[:at], word[at:]
        yield from ((before + letter + after, 1 / (size + 1)) for letter in letters)
        if after:
            yield before + after[1:], 1 / (size * len(letters))
            yield from ((before + x + after[1:], 1 / (size * others)) for x in letters)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:], 1 / (size - 1)
