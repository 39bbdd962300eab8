"""Write the package's extracts of WordNet 3.0 (Miller 1995) from Debian's `wordnet-base`.

    python tests/benchmarks/distil_wordnet.py /usr/share/wordnet amparser

An empty line separates the two parts of a file. Lines of `lexicon/wordnet.txt.xz` are

- part of speech, irregular form, lemma;
- word, then for each part of speech its letter and the number of senses.

Lines of `lexicon/names.txt.gz` are

- class of names, number of its hypernym;
- capitalised name, then the classes of each sense (WordNet's `instance` pointers), most frequent
  sense first.

A line of `lexicon/other_names.txt.gz` lists synonymous names (`United States`, `America`, `USA`).
"""

import gzip
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

Place = tuple[str, int]
"""Part of speech and byte offset of a synset in its data file."""


class Synset(NamedTuple):
    """A synset of a `data.*` file (see `wndb(5WN)`).

    Attributes:
        file: number of the lexicographer's file.
        satellite: whether it is an adjective that is similar to another, its head.
        words: the words as written.
        pointers: symbol and target of each pointer.
    """

    file: int
    satellite: bool
    words: tuple[str, ...]
    pointers: tuple[tuple[str, Place], ...]

    def to(self, *kinds: str) -> list[Place]:
        return [place for kind in kinds for found, place in self.pointers if found == kind]


class WordNet:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.synsets: dict[Place, Synset] = {}
        for part, name in _PARTS.items():
            for line in self.lines(f"data.{name}"):
                fields = line.split(" | ")[0].split()
                end = 4 + 2 * int(fields[3], 16)
                rest = fields[end + 1 : end + 1 + 4 * int(fields[end])]
                self.synsets[part, int(fields[0])] = Synset(
                    int(fields[1]),
                    fields[2] == "s",
                    tuple(fields[4:end:2]),
                    tuple(
                        (kind, ("a" if to == "s" else to, int(place)))
                        for kind, place, to in zip(rest[::4], rest[1::4], rest[2::4], strict=False)
                    ),
                )
        self.index = [
            (fields[0], part, [(part, int(at)) for at in fields[-int(fields[2]) :]])
            for part, name in _PARTS.items()
            for fields in map(str.split, self.lines(f"index.{name}"))
        ]

    def lines(self, name: str) -> Iterator[str]:
        with (self.folder / name).open(encoding="utf-8") as file:
            yield from (line for line in file if not line.startswith("  "))


def words(wordnet: WordNet) -> str:
    lines = []
    for part, name in _PARTS.items():
        rows = map(str.split, wordnet.lines(f"{name}.exc"))
        lines.extend(f"{part}\t{row[0]}\t{row[1]}" for row in rows)
    lines.append("")
    senses: dict[str, str] = {}
    for word, part, places in wordnet.index:
        senses[word] = f"{senses.get(word, word)}\t{part}{len(places)}"
    return "\n".join([*lines, *(senses[word] for word in sorted(senses))])


def _names(synset: Synset) -> list[str]:
    return [word.replace("_", " ") for word in synset.words if word[0].isupper()]


def groups(wordnet: WordNet) -> str:
    found = (_names(synset) for synset in wordnet.synsets.values() if synset.to("@i"))
    return "\n".join("\t".join(group) for group in found if len(group) > 1)


def proper_names(wordnet: WordNet) -> str:
    known = wordnet.synsets
    names: dict[str, dict[tuple[Place, ...], None]] = {}
    for _, _, places in (row for row in wordnet.index if row[1] == "n"):
        for synset in (known[place] for place in places):
            for name in _names(synset) if synset.to("@i") else ():
                names.setdefault(name, {})[tuple(synset.to("@i"))] = None
    kinds = [kind for senses in names.values() for sense in senses for kind in sense]
    for kind in kinds:  # The list grows by hypernyms.
        kinds.extend(known[kind].to("@")[:1])
    numbers = {kind: str(number) for number, kind in enumerate(sorted({*kinds}))}
    lines = [
        f"{known[kind].words[0].replace('_', ' ')}\t"
        f"{''.join(numbers[up] for up in known[kind].to('@')[:1])}"
        for kind in numbers
    ]
    lines.append("")
    for name in sorted(names):
        senses = (",".join(numbers[kind] for kind in sense) for sense in names[name])
        lines.append(f"{name}\t{';'.join(senses)}")
    return "\n".join(lines)


def main() -> None:
    wordnet, package = WordNet(Path(sys.argv[1])), Path(sys.argv[2])
    packed = lzma.compress(words(wordnet).encode(), preset=9 | lzma.PRESET_EXTREME)
    (package / "lexicon" / "wordnet.txt.xz").write_bytes(packed)
    for path, text in (
        ("lexicon/names.txt.gz", proper_names(wordnet)),
        ("lexicon/other_names.txt.gz", groups(wordnet)),
    ):
        (package / path).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
