"""What WordNet (Miller 1995) says of English words and of names, as vectors.

The vector of a word adds up fixed signs for each file of lexicographers that its senses are in
(such as `noun.animal`), for the kind of each sense, and for those above it. So words of the same
kind are alike. The first sense of a part of speech counts most.

The vector of a name does so for what it names: `New Mexico` an American state, `Ohio` also a river.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from amparser.lexicon import names, wordnet
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


class Names(InPackage, SignVectors):
    """The names of the package; a `NameSource`."""

    def __init__(self, size: int) -> None:
        InPackage.__init__(self, "names", names.PATH, "WordNet licence")
        SignVectors.__init__(self, size)

    def spans(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        """See `NameSource`."""
        return names.spans(tokens)

    def signs(self, word: str) -> dict[str, float]:
        """See `SignVectors`; nothing of what is no name."""
        kinds, kinds_of = names.read()
        weights: dict[str, float] = defaultdict(float)
        senses = kinds_of[word].split(";") if word in kinds_of else ()
        for number, sense in enumerate(senses, 1):
            for first in sense.split(","):
                kind = int(first) if first else None
                # So many kinds, each above the one before, are read.
                for level in range(4):
                    if kind is not None:
                        what, kind = kinds[kind]
                        weights[what] += 1 / number / (1 + level)
        return weights


WORDNET_SOURCE, NAMES = WordNet(128), Names(128)
