"""What WordNet (Miller 1995) says of English words, as vectors; Debian's `wordnet-base` has it.

The vector of a word adds up fixed signs for each file of lexicographers that its senses are in
(such as `noun.animal`), for each of its synsets, and for those above them. So synonyms are alike,
and so are words of the same kind. The first sense of a part of speech counts most.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from amparser.lexicon.bilingual import PARTS, WORDNET
from amparser.lexicon.dictionary import lemma_in
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
        if (WORDNET / "data.noun").is_file():
            return None
        return f"no WordNet in {WORDNET}; install wordnet-base (Debian)"

    def origin(self) -> Origin:
        """See `VectorSource`."""
        self._check_installed()
        return Origin(self.name, "wordnet-base", "3.0", "WordNet licence", self.sha256)

    @cached_property
    def _synsets(self) -> dict[str, bytes]:
        """The synsets of each part of speech, as their files have them."""
        self._check_installed()
        self._checked(WORDNET / "data.noun")
        return {part: (WORDNET / f"data.{name}").read_bytes() for part, name in PARTS.items()}

    @cached_property
    def _senses(self) -> dict[str, list[tuple[str, int]]]:
        """The parts of speech and places of the synsets of each word, the commonest first."""
        found: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for part, name in PARTS.items():
            for line in (WORDNET / f"index.{name}").read_text(encoding="utf-8").splitlines():
                if not line.startswith(" "):
                    word, _, count, *fields = line.split()
                    places = fields[-int(count) :]
                    found[word] += [(part, int(place)) for place in places[:_SENSES]]
        return found

    def signs(self, word: str) -> dict[str, float]:
        """See `SignVectors`: the synsets of a word, or else of its lemma."""
        self._synsets  # noqa: B018 - says what is missing
        places = self._senses.get(word) or self._senses.get(lemma_in("en", word) or "") or []
        weights: dict[str, float] = defaultdict(float)
        seen: dict[str, int] = defaultdict(int)
        for part, place in places:
            seen[part] += 1
            for level, (kind, synset) in enumerate(self._above(part, place)):
                weights[synset] += 1 / seen[part] / (1 + level)
                if not level:
                    weights[kind] += _FILE_WEIGHT / seen[part]
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
