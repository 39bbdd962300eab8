"""Vectors of proper names, from the kinds of names in `amparser.lexicon.names`.

Each kind has a random vector of 1 and -1. The vector of a name is the weighted sum of the vectors
of its kinds and of more general kinds: `New Mexico` is an American state, `Ohio` a state and a
river. Names of one kind therefore have similar vectors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from amparser.lexicon import names
from amparser.nn.vectors.source import InPackage, SignVectors


class Names(InPackage, SignVectors):
    """`NameSource` of the names in the package."""

    def __init__(self, size: int) -> None:
        InPackage.__init__(self, "names", names.PATH, "WordNet licence")
        SignVectors.__init__(self, size)

    def spans(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        """See `NameSource`."""
        return names.spans(tokens)

    def signs(self, word: str) -> dict[str, float]:
        """See `SignVectors`; empty if the word is not a name."""
        kinds, kinds_of = names.read()
        weights: dict[str, float] = defaultdict(float)
        senses = kinds_of[word].split(";") if word in kinds_of else ()
        for number, sense in enumerate(senses, 1):
            for first in sense.split(","):
                index = int(first) if first else None
                # Up to three levels of more general kinds are used.
                for level in range(4):
                    if index is not None:
                        name, index = kinds[index]
                        weights[name] += 1 / number / (1 + level)
        return weights


NAMES = Names(128)
