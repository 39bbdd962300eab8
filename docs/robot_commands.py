"""Write commands to a robot and their meanings: python docs/robot_commands.py FOLDER.

`train.tsv` has 300 rows, `dev.tsv` 40. `gen.tsv` has 100 rows of each of three types: places in
places in places, where train has one place in another at most, and nouns with two or with three
adjectives, where train has one at most.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

THINGS = ("box", "ball", "cup", "book", "key", "lamp")
PLACES = ("table", "shelf", "kitchen", "garage", "sofa", "garden")
ADJECTIVES = ("red", "blue", "green", "small")
RELATIONS = ("in", "near", "behind")


class Command:
    """A sentence and its meaning, made from left to right.

    Args:
        random: decides everything.
        adjectives: how many each noun has; with 1, some nouns have none.
    """

    def __init__(self, random: Random, adjectives: int = 1) -> None:
        self.random = random
        self.adjectives = adjectives
        self.tokens: list[str] = []
        self.definites: list[str] = []
        # The atoms with the position that orders them.
        self.atoms: list[tuple[int, str]] = []

    def say(self, word: str) -> int:
        """Add a word; returns its position."""
        self.tokens.append(word)
        return len(self.tokens) - 1

    def noun(self, nouns: tuple[str, ...], depth: int = 0) -> int:
        """Add a noun phrase with `depth` nested places, and return the position of its noun."""
        definite = self.random.random() < 0.6
        self.say("the" if definite else "a")
        described: list[int] = []
        if self.adjectives > 1 or self.random.random() < 0.4:
            chosen = self.random.sample(ADJECTIVES, self.adjectives)
            described = [self.say(adjective) for adjective in chosen]
        word = self.random.choice(nouns)
        here = self.say(word)
        if definite:
            self.definites.append(f"* {word} ( x _ {here} )")
        else:
            self.atoms.append((here, f"{word} ( x _ {here} )"))
        for at in described:
            quality = f"{self.tokens[at]} . quality ( x _ {at} , x _ {here} )"
            self.atoms.append((at, quality))
        if depth:
            relation = self.random.choice(RELATIONS)
            self.say(relation)
            at = len(self.atoms)
            place = self.noun(PLACES, depth - 1)
            atom = f"{word} . nmod . {relation} ( x _ {here} , x _ {place} )"
            self.atoms.insert(at, (here, atom))
        return here

    def row(self, depth: int) -> tuple[str, str, str]:
        """A command (`grab` or `bring`, or with a goal `put`), its meaning and its verb."""
        verb = self.random.choice(("grab", "bring", "put"))
        self.say(verb.capitalize())
        theme = self.noun(THINGS, 0 if verb == "put" else depth)
        roles = [f"{verb} . theme ( x _ 0 , x _ {theme} )"]
        if verb == "put":
            self.say("on")
            roles.append(f"put . goal ( x _ 0 , x _ {self.noun(PLACES, depth)} )")
        elif verb == "bring":
            self.say("to")
            name = self.random.choice(("Emma", "Liam", "Ava"))
            self.say(name)
            roles.append(f"bring . recipient ( x _ 0 , {name} )")
        self.say(".")
        atoms = [(0, role) for role in roles] + self.atoms
        atoms.sort(key=lambda item: item[0])
        meaning = " ; ".join([*self.definites, " AND ".join(text for _, text in atoms)])
        return " ".join(self.tokens), meaning, verb


def rows(
    count: int, depths: tuple[int, ...], seed: int, adjectives: int = 1, name: str = ""
) -> list[str]:
    """Return `count` different rows, with a type: `name`, or else the verb."""
    random = Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        sentence, meaning, verb = Command(random, adjectives).row(random.choice(depths))
        found["\t".join((sentence, meaning, name or verb))] = None
    return [f"{line}\n" for line in found]


def main(folder: Path) -> None:
    """Write the files."""
    folder.mkdir(parents=True, exist_ok=True)
    known = rows(340, (0, 0, 1), seed=1)
    gen = [
        *rows(100, (2, 3), seed=2),
        *rows(100, (0, 0, 1), seed=3, adjectives=2, name="two adjectives"),
        *rows(100, (0, 0, 1), seed=4, adjectives=3, name="three adjectives"),
    ]
    files = {"train": known[:300], "dev": known[300:], "gen": gen}
    for split, lines in files.items():
        (folder / f"{split}.tsv").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the files are written")
    main(parser.parse_args().folder)
