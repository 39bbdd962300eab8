"""Words with a typing error, read as the words of train that were meant: `grbb` as `grab`.

An unknown word is read as a word of train if exactly one is a single error away: a letter left
out, added or replaced, or two neighbours exchanged (Damerau 1964). The word that was meant is
frequent, is not short and is no name. What an answer copies anew, such as free text, is copied as
typed (`LexicalLabels.as_typed`). Where rare words of train look like others, as inflected forms
do, an unknown word may well be a word of its own, and is left as it is (`are_told_apart`). So is
one that the dictionary of lemmas has: `talk` is not `walk`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from amparser.lexicon.dictionary import lemma_in

_SHORTEST, _SHORTEST_MEANT = 2, 3
"""Letters of the words that have typing errors, and of those that are meant, at least."""
_RARE, _RARE_LETTERS = 2, 4
"""Words of at least so many letters that train has so many times at most are like unknown ones."""
_LEAST_RARE, _MOST_RARE = 50, 300
"""So many of the rarest words are looked at; the least, whether they are rare or not."""
_ALIKE = 0.15
"""At most such a share of them may look like other words."""
_REMEMBERED = 10_000


class Typos:
    """Finds the words that were meant.

    Args:
        counts: how often train has each word, in lower case.
        cases: by a word in lower case, how train writes it, if never so (see
            `amparser.corpora.splitting`).
        dictionary: of lemmas (`amparser.lexicon.dictionary`), whose words are no errors; empty
            for none.
    """

    def __init__(
        self, counts: Mapping[str, int], cases: Mapping[str, str], dictionary: str = ""
    ) -> None:
        self._words = frozenset(filter(_is_word, counts))
        self._likely = frozenset(
            word
            for word in self._words
            if counts[word] > _RARE and len(word) >= _SHORTEST_MEANT and not _is_name(word, cases)
        )
        self._letters = "".join(sorted({letter for word in self._words for letter in word}))
        self._cases = cases
        self._dictionary = dictionary
        self._meant = lru_cache(_REMEMBERED)(self._find)

    def read(self, word: str) -> str | None:
        """The word of train that an unknown word is read as, or None.

        >>> typos = Typos({"grab": 5, "emma": 9, "ball": 2}, {"emma": "Emma"})
        >>> typos.read("Grbb"), typos.read("Ema"), typos.read("call"), typos.read("zebra")
        ('Grab', None, None, None)
        """
        found = self.alike(word)
        if found not in self._likely or (
            self._dictionary and lemma_in(self._dictionary, word.lower()) is not None
        ):
            return None
        form = self._cases.get(found, found)
        return form[:1].upper() + form[1:] if word[:1].isupper() else form

    def alike(self, word: str) -> str | None:
        """The only word of train that is an error away; None if there is none, or several."""
        return self._meant(word.lower())

    def _find(self, word: str) -> str | None:
        if not _is_word(word):
            return None
        found = set(_one_error(word, self._letters)) & self._words - {word}
        return found.pop() if len(found) == 1 else None


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
    def of(cls, tokens: Sequence[str], unknown: Sequence[str], typos: Typos | None) -> Reading:
        """That of a sentence, given its tokens that train does not have."""
        found = ((token, typos.read(token)) for token in unknown) if typos is not None else ()
        meant = {token: word for token, word in found if word is not None}
        words = (meant.get(token, token) for token in tokens)
        return cls(tuple(words), tuple(token for token in unknown if token not in meant), meant)


def are_told_apart(counts: Mapping[str, int]) -> bool:
    """Whether rare words seldom look like others, so that an unknown one may be read as another.

    Args:
        counts: how often train has each word, in lower case.
    """
    words = [word for word in counts if len(word) >= _RARE_LETTERS and _is_word(word)]
    rarest = sorted(words, key=lambda word: (counts[word], word))
    rare = [word for word in rarest if counts[word] <= _RARE]
    asked = Random(0).sample(rare, min(_MOST_RARE, len(rare)))
    asked += rarest[len(rare) : _LEAST_RARE]
    typos = Typos(counts, {})
    return sum(typos.alike(word) is not None for word in asked) <= _ALIKE * len(asked)


def _is_word(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha()


def _is_name(word: str, cases: Mapping[str, str]) -> bool:
    return cases.get(word, word)[:1].isupper()


def _one_error(word: str, letters: str) -> Iterator[str]:
    """What is a single error away from a word."""
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        yield from (before + letter + after for letter in letters)
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in letters)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
