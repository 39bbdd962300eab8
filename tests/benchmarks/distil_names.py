"""Write the file of names that the package has, of Debian's `wordnet-base`.

    python tests/benchmarks/distil_names.py amparser/nn/vectors/names.txt.gz

A line is a kind and the number of the one above it, or, below an empty line, a name and the kinds
of each of its senses, the commonest first: WordNet's `instance` pointers (Miller 1995). Names begin
with a capital.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import NamedTuple

from amparser.lexicon import wordnet


class Synset(NamedTuple):
    """What `data.noun` says of a synset: its words, and the places of those above it."""

    words: tuple[str, ...]
    above: tuple[int, ...]
    instance_of: tuple[int, ...]


def synsets() -> dict[int, Synset]:
    """Those of nouns by their places (see `wndb(5WN)`)."""
    found = {}
    with (wordnet.FOLDER / "data.noun").open(encoding="utf-8") as file:
        for line in file:
            if line.startswith("  "):
                continue
            fields = line.split(" | ")[0].split()
            end = 4 + 2 * int(fields[3], 16)
            pointers = [*zip(fields[end + 1 :: 4], map(int, fields[end + 2 :: 4]), strict=False)]
            found[int(fields[0])] = Synset(
                tuple(word.replace("_", " ") for word in fields[4:end:2]),
                tuple(place for kind, place in pointers if kind == "@"),
                tuple(place for kind, place in pointers if kind == "@i"),
            )
    return found


def main() -> None:
    """Write the file."""
    known = synsets()
    names: dict[str, dict[tuple[int, ...], None]] = {}
    for places in wordnet.senses("n").values():
        for synset in (known[place] for place in places):
            for word in synset.words if synset.instance_of else ():
                if word[0].isupper():
                    names.setdefault(word, {})[synset.instance_of] = None
    kinds = [kind for senses in names.values() for sense in senses for kind in sense]
    for kind in kinds:  # grows
        kinds.extend(known[kind].above[:1])
    numbers = {kind: str(number) for number, kind in enumerate(sorted({*kinds}))}
    lines = [
        f"{known[kind].words[0]}\t{''.join(numbers[up] for up in known[kind].above[:1])}"
        for kind in numbers
    ]
    lines.append("")
    for name in sorted(names):
        senses = (",".join(numbers[kind] for kind in sense) for sense in names[name])
        lines.append(f"{name}\t{';'.join(senses)}")
    Path(sys.argv[1]).write_bytes(gzip.compress("\n".join(lines).encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
