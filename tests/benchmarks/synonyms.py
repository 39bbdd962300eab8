"""Commands to a robot with one word that train never had, and what becomes of them.

    python tests/benchmarks/synonyms.py FOLDER MODEL ..

Writes `synonyms.tsv` to FOLDER: 300 of the commands of `docs/robot_commands.py`, each with one of
its words replaced by another word of the same kind ("Fetch a ball" for "Bring a ball"), in the
sentence and in the meaning. Each model is asked; the table says what share of the sentences of each
kind of word is right. No answer names the word as unknown for nothing: all are flagged.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import robot_commands

from amparser.parser import Parser

KINDS = {
    "verb": {
        "grab": ("take", "seize", "lift", "clutch"),
        "bring": ("fetch", "carry", "deliver", "hand"),
        "put": ("place", "set", "lay", "drop"),
    },
    "thing": {
        "box": ("crate", "parcel", "bag"),
        "ball": ("football", "marble", "toy"),
        "cup": ("mug", "glass", "bottle"),
        "book": ("novel", "magazine", "letter"),
        "key": ("wallet", "phone", "ring"),
        "lamp": ("lantern", "torch", "candle"),
    },
    "place": {
        "table": ("desk", "counter", "bench"),
        "shelf": ("rack", "cupboard", "drawer"),
        "kitchen": ("bathroom", "hall", "office"),
        "garage": ("shed", "basement", "attic"),
        "sofa": ("couch", "armchair", "bed"),
        "garden": ("yard", "park", "porch"),
    },
    "adjective": {
        "red": ("crimson", "mauve", "orange"),
        "blue": ("purple", "turquoise", "navy"),
        "green": ("yellow", "olive", "white"),
        "small": ("tiny", "little", "large"),
    },
    "relation": {
        "in": ("inside", "within"),
        "near": ("beside", "by"),
        "behind": ("under", "above"),
    },
}
COUNT = 60


def replaced(text: str, word: str, other: str) -> str:
    """A sentence or meaning with another word in place of one, whose capital it takes."""
    words = [other if token.lower() == word else token for token in text.split()]
    if text.split()[0] == word.capitalize():
        words[0] = other.capitalize()
    return " ".join(words)


def rows() -> list[tuple[str, str, str]]:
    """Sentence, meaning, and the kind of the word."""
    found: dict[str, tuple[str, str, str]] = {}
    for kind, words in KINDS.items():
        random = Random(kind)
        wanted = len(found) + COUNT
        while len(found) < wanted:
            sentence, meaning, _ = robot_commands.Command(random).row(random.choice((0, 0, 1)))
            word = random.choice([*words])
            other = random.choice(words[word])
            if [token.lower() for token in sentence.split()].count(word) == 1:
                new = replaced(sentence, word, other)
                found[new] = (new, replaced(meaning, word, other), kind)
    return [*found.values()]


def main() -> None:
    """Write the file, and ask the models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="*", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    made = rows()
    lines = ["\t".join(row) + "\n" for row in made]
    (options.folder / "synonyms.tsv").write_text("".join(lines), encoding="utf-8")
    for folder in options.models:
        model = Parser.load(folder, "cpu")
        results = model.parse([sentence.split() for sentence, _, _ in made])
        right: Counter[str] = Counter()
        for (sentence, meaning, kind), result in zip(made, results, strict=True):
            right[kind] += result.meaning == meaning
            if result.meaning != meaning:
                print(f"{kind}\t{sentence}\n  gold {meaning}\n  sys  {result.meaning}")
        shares = ", ".join(f"{kind} {100 * right[kind] / COUNT:.0f}" for kind in KINDS)
        print(f"{folder}: {100 * right.total() / len(made):.1f} % of {len(made)}; {shares}")


if __name__ == "__main__":
    main()
