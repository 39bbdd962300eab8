"""Write commands to a robot and their meanings: python docs/robot_commands.py FOLDER.

`train.tsv` has 300 rows, `dev.tsv` 40. `gen.tsv` has places in places in places, where train has
one place in another at most.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

THINGS = ("box", "ball", "cup", "book", "key", "lamp")
PLACES = ("table", "shelf", "kitchen", "garage", "sofa", "garden")
COLOURS = ("red", "blue", "green", "small")
RELATIONS = ("in", "near", "behind")


class Command:
    """A sentence and its meaning, made from left to right."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.tokens: list[str] = []
        self.definites: list[str] = []
        # The atoms with the position that orders them.
        self.atoms: list[tuple[int, str]] = []

    def say(self, word: str) -> int:
        """Add a word; returns its position."""
        self.tokens.append(word)
        return len(self.tokens) - 1

    def noun(self, nouns: tuple[str, ...], depth: int = 0) -> int:
        """Add a noun phrase with so many places below it; returns the position of the noun."""
        definite = self.random.random() < 0.6
        self.say("the" if definite else "a")
        colour = None
        if self.random.random() < 0.4:
            colour = self.say(self.random.choice(COLOURS))
        word = self.random.choice(nouns)
        here = self.say(word)
        if definite:
            self.definites.append(f"* {word} ( x _ {here} )")
        else:
            self.atoms.append((here, f"{word} ( x _ {here} )"))
        if colour is not None:
            self.atoms.append(
                (colour, f"{self.tokens[colour]} . quality ( x _ {colour} , x _ {here} )")
            )
        if depth:
            relation = self.random.choice(RELATIONS)
            self.say(relation)
            at = len(self.atoms)
            place = self.noun(PLACES, depth - 1)
            atom = f"{word} . nmod . {relation} ( x _ {here} , x _ {place} )"
            self.atoms.insert(at, (here, atom))
        return here

    def row(self, depth: int) -> str:
        """A command: `grab` or `bring`, or with a goal `put`."""
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
        return f"{' '.join(self.tokens)}\t{meaning}\t{verb}\n"


def rows(count: int, depths: tuple[int, ...], seed: int) -> list[str]:
    """So many different rows."""
    random = Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[Command(random).row(random.choice(depths))] = None
    return list(found)


def main(folder: Path) -> None:
    """Write the files."""
    folder.mkdir(parents=True, exist_ok=True)
    known = rows(340, (0, 0, 1), seed=1)
    files = {"train": known[:300], "dev": known[300:], "gen": rows(100, (2, 3), seed=2)}
    for split, lines in files.items():
        (folder / f"{split}.tsv").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the files are written")
    main(parser.parse_args().folder)
