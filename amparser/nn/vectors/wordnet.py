"""What WordNet (Miller 1995) says of English words, as vectors.

The vector of a word adds up fixed signs for each file of lexicographers that its senses are in
(such as `noun.animal`), for the kind of each sense, and for those above it. So words of the same
kind are alike. The first sense of a part of speech counts most.
"""

from __future__ import annotations

from collections import defaultdict

from amparser.lexicon import wordnet
from amparser.nn.vectors.source import InPackage, SignVectors

_SENSES = 4
"""So many senses of each part of speech are read."""
_LEVELS = 4
"""So many kinds, each above the one before, are read."""
_FILE_WEIGHT = 2.0


class WordNet(InPackage, SignVectors):
    """The senses of words and what is above them; a `VectorSource`."""

    def __init__(self, size: int) -> None:
        InPackage.__init__(self, "wordnet", wordnet.PATH, "WordNet licence")
        SignVectors.__init__(self, size)

    def signs(self, word: str) -> dict[str, float]:
        """See `SignVectors`: the kinds of a word's senses, or else of its lemma's."""
        weights: dict[str, float] = defaultdict(float)
        kinds = wordnet.kinds()
        for form in dict.fromkeys([word, wordnet.lemma_of(word) or word]):
            for part in wordnet.PARTS:
                for number, kind in enumerate(wordnet.senses(part).get(form, ())[:_SENSES], 1):
                    *lower, file = wordnet.above(kind)
                    weights[kinds[file].name] += _FILE_WEIGHT / number
                    for level, one in enumerate(lower[:_LEVELS], 1):
                        weights[kinds[one].name] += 1 / number / level
            if weights:
                break
        return weights


WORDNET_SOURCE = WordNet(128)
