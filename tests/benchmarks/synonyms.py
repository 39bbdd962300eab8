"""Commands with one word that train never had, and what becomes of them.

    python tests/benchmarks/synonyms.py robots FOLDER MODEL ..
    python tests/benchmarks/synonyms.py home FOLDER MODEL ..

Writes `synonyms.tsv` to FOLDER: 300 commands of `docs/robot_commands.py`, or calls of
`docs/smart_home.py`, each with one of its words replaced by another word of the same kind ("Fetch a
ball" for "Bring a ball"). What meanings spell is replaced in the meaning too (`fetch`); the other
words mean what they stand for ("Dial Ann" is a `call`). Each model is asked; the last line says
which share of the sentences of each kind of word is right, and how many of the others have no
answer or say that a word is unknown.
"""

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import robot_commands
import smart_home

from amparser.parser import Parser

ROBOTS = {
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
HOME = {
    "command": {
        "turn": ("switch", "flip", "put"),
        "set": ("create", "add", "run"),
        "start": ("begin", "launch", "open"),
        "make": ("paint", "colour", "render"),
        "call": ("phone", "ring", "dial"),
    },
    "other": {
        "loud": ("noisy", "deafening"),
        "minutes": ("mins",),
        "named": ("titled",),
        "called": ("named", "labelled", "for"),
    },
    "device": {
        "lamp": ("light", "lantern", "chandelier"),
        "heater": ("radiator", "boiler", "oven"),
        "fan": ("ventilator", "cooler"),
        "tv": ("television", "projector"),
        "blinds": ("curtains", "shutters"),
        "speaker": ("stereo", "loudspeaker"),
    },
    "room": {
        "kitchen": ("pantry", "cellar"),
        "garage": ("shed", "attic"),
        "office": ("study", "library"),
        "bathroom": ("toilet", "sauna"),
    },
    "colour": {
        "red": ("crimson", "mauve", "orange"),
        "blue": ("purple", "turquoise"),
        "green": ("yellow", "pink"),
    },
}
ALIKE = frozenset({"command", "other"})
"""These words mean what the word of train means."""
COUNT = 60


def replaced(text: str, word: str, other: str) -> str:
    """A sentence or meaning with another word in place of one, whose capital it takes."""
    text = re.sub(rf"\b{word}\b", other, text)
    return re.sub(rf"\b{word.capitalize()}\b", other.capitalize(), text)


def pair(corpus: str, random: Random) -> tuple[str, str]:
    """A sentence of a corpus, and its meaning."""
    if corpus == "robots":
        sentence, meaning, _ = robot_commands.Command(random).row(random.choice((0, 0, 1)))
        return sentence, meaning
    text, value = smart_home.call(random)
    return text, json.dumps(value)


def rows(corpus: str) -> list[tuple[str, str, str]]:
    """Sentence, meaning, and the kind of the word."""
    found: dict[str, tuple[str, str, str]] = {}
    for kind, words in (ROBOTS if corpus == "robots" else HOME).items():
        random = Random(kind)
        wanted = len(found) + COUNT
        while len(found) < wanted:
            sentence, meaning = pair(corpus, random)
            word = random.choice([*words])
            other = random.choice(words[word])
            said = re.findall(r"\w+", sentence.lower())
            if said.count(word) == 1 and (kind != "command" or said.index(word) < 2):
                new = replaced(sentence, word, other)
                meant = meaning if kind in ALIKE else replaced(meaning, word, other)
                found[new] = (new, meant, kind)
    return [*found.values()]


def main() -> None:
    """Write the file, and ask the models."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=("robots", "home"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="*", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    made = rows(options.corpus)
    lines = ["\t".join(row) + "\n" for row in made]
    (options.folder / "synonyms.tsv").write_text("".join(lines), encoding="utf-8")
    kinds = dict.fromkeys(kind for _, _, kind in made)
    for folder in options.models:
        model = Parser.load(folder, "cpu")
        split = str.split if options.corpus == "robots" else model.tokenizer
        results = model.parse([tuple(split(sentence)) for sentence, _, _ in made])
        right: Counter[str] = Counter()
        flagged = 0
        for (sentence, meaning, kind), result in zip(made, results, strict=True):
            is_right = same(result.meaning, meaning)
            right[kind] += is_right
            if not is_right:
                flagged += bool(result.meaning is None or result.unknown)
                print(f"{kind}\t{sentence}\n  gold {meaning}\n  sys  {result.meaning}")
        shares = ", ".join(f"{kind} {100 * right[kind] / COUNT:.0f}" for kind in kinds)
        wrong = len(made) - right.total()
        print(f"{folder}: {100 * right.total() / len(made):.1f} % of {len(made)}; {shares}")
        print(f"{flagged} of {wrong} others are refused or flagged")


def same(one: str | None, other: str) -> bool:
    """Whether two meanings are equal; objects of JSON whatever the order of their keys."""
    if one is None or not other.startswith("{"):
        return one == other
    return bool(json.loads(one) == json.loads(other))


if __name__ == "__main__":
    main()
