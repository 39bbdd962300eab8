"""What WordNet (Miller 1995) says of English words, as vectors; Debian's `wordnet-base` has it.

The vector of a word adds up fixed signs for each file of lexicographers that its senses are in
(such as `noun.animal`), for each of its synsets, and for those above them. So synonyms are alike,
and so are words of the same kind. The first sense of a part of speech counts most.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from amparser.lexicon import wordnet
from amparser.lexicon.wordnet import PARTS
from amparser.nn.vectors.source import Origin, SignVectors

_SENSES = 4
"""So many senses of each part of speech are read."""
_ABOVE, _LEVELS = ("@", "@i", "&"), 4
"""Pointers to more general and to similar synsets, and so many steps."""
_FILE_WEIGHT = 2.0


class WordNet(SignVectors):
    """The senses of words and what is above them; a `VectorSource`."""

    name = "wordnet"
    sha256 = "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2"
    """Of `data.noun` of version 3.0."""

    @property
    def missing(self) -> str | None:
        """See `VectorSource`."""
        package = wordnet.missing()
        return f"no WordNet in {wordnet.FOLDER}; install {package} (Debian)" if package else None

    def origin(self) -> Origin:
        """See `VectorSource`."""
        self._check_installed()
        return Origin(self.name, "wordnet-base", "3.0", "WordNet licence", self.sha256)

    @cached_property
    def _synsets(self) -> dict[str, bytes]:
        """The synsets of each part of speech, as their files have them."""
        self._check_installed()
        self._checked(wordnet.FOLDER / "data.noun")
        return {p: (wordnet.FOLDER / f"data.{name}").read_bytes() for p, name in PARTS.items()}

    def signs(self, word: str) -> dict[str, float]:
        """See `SignVectors`: the synsets of a word, or else of its lemma."""
        self._synsets  # noqa: B018 - says what is missing
        weights: dict[str, float] = defaultdict(float)
        for form in dict.fromkeys([word, wordnet.lemma_of(word) or word]):
            for part in PARTS:
                places = wordnet.senses(part).get(form, ())
                for number, place in enumerate(places[:_SENSES], 1):
                    for level, (kind, synset) in enumerate(self._above(part, place)):
                        weights[synset] += 1 / number / (1 + level)
                        if not level:
                            weights[kind] += _FILE_WEIGHT / number
            if weights:
                break
        return weights

    def _above(self, part: str, place: int) -> list[tuple[str, str]]:
        """The file and the name of a synset and of those above it, from below."""
        found: list[tuple[str, str]] = []
        while len(found) < _LEVELS:
            content = self._synsets[part]
            fields = content[place : content.index(b"\n", place)].decode().split(" ")
            found.append((f"file {fields[1]}", f"{part}{place}"))
            pointers = fields[4 + 2 * int(fields[3], 16) + 1 :]
            above = [
                int(pointers[i + 1])
                for i in range(0, 4 * int(fields[4 + 2 * int(fields[3], 16)]), 4)
                if pointers[i] in _ABOVE
            ]
            if not above:
                break
            place = above[0]
        return found


WORDNET_SOURCE = WordNet(128)
