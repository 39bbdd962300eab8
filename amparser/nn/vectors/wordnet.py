"""What WordNet (Miller 1995) says of English words, as vectors.

The vector of a word adds up fixed signs for each file of lexicographers that its senses are in
(such as `noun.animal`), for the kind of each sense, and for those above it. So words of the same
kind are alike. The first sense of a part of speech counts most.
"""

from __future__ import annotations

from collections import defaultdict

from amparser.lexicon import wordnet
from amparser.nn.vectors.source import InPackage, SignVectors


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
                # So many senses of each part of speech are read.
                for number, kind in enumerate(wordnet.senses(part).get(form, ())[:4], 1):
                    *lower, file = wordnet.above(kind)
                    # A lexicographer file weighs more than a synset above.
                    weights[kinds[file].name] += 2.0 / number
                    # So many kinds, each above the one before, are read.
                    for level, one in enumerate(lower[:4], 1):
                        weights[kinds[one].name] += 1 / number / level
            if weights:
                break
        return weights


WORDNET_SOURCE = WordNet(128)
