"""Probes of any depth, built from the constructions of train by composition.

Each has one spine of embeddings, each embedding of a kind that train shows. A noun
has one modifier at most, and a phrase is attached to the nearest noun, as
everywhere in SLOG; so there is one reading.
"""

from __future__ import annotations

from random import Random

from probe_words import Probe, Words

from amparser.logic.cogs import Atom, LogicalForm, Name, Term, Variable


class Sentence:
    """A sentence as it grows from left to right, and its logical form with it."""

    def __init__(self, words: Words, random: Random) -> None:
        self.words = words
        self.random = random
        self.tokens: list[str] = []
        self.definites: list[Atom] = []
        self.atoms: list[Atom] = []
        self.used: set[str] = set()

    def add(self, *tokens: str) -> int:
        """Append tokens; the position of the last one."""
        self.tokens += tokens
        return len(self.tokens) - 1

    def relate(self, predicate: tuple[str, ...], *terms: int | Term) -> None:
        """Add an atom; a number stands for the variable of a position."""
        variables = (Variable(term) if isinstance(term, int) else term for term in terms)
        self.atoms.append(Atom(predicate, tuple(variables)))

    def choose(self, words: list[str]) -> str:
        """One of the words, none twice while others are left."""
        fresh = [word for word in words if word not in self.used] or words
        word = self.random.choice(fresh)
        self.used.add(word)
        return word

    def noun(self, nouns: list[str]) -> int:
        """A common noun with its article."""
        word = self.choose(nouns)
        definite = self.random.random() < 0.5
        position = self.add("the" if definite else "a", word)
        atom = Atom((word,), (Variable(position),))
        (self.definites if definite else self.atoms).append(atom)
        return position

    def simple(self, nouns: list[str]) -> int | Term:
        """A noun phrase without modifiers: a name or a noun."""
        if self.random.random() < 0.4:
            name = self.choose(self.words.names)
            self.add(name)
            return Name(name)
        return self.noun(nouns)

    def verb(self, *roles: str) -> tuple[int, str]:
        """A verb in the past; its position and lemma."""
        form, lemma = self.random.choice(self.words.past[roles])
        return self.add(form), lemma

    def transitive(self, subject: int | Term, levels: list[str]) -> None:
        """A verb and its object, with the embeddings of `noun_phrase`."""
        event, lemma = self.verb("agent", "theme")
        self.relate((lemma, "agent"), event, subject)
        self.relate((lemma, "theme"), event, self.noun_phrase(self.words.themes, levels))

    def leaf(self, subject: int | Term) -> None:
        """What a subject does, with nothing embedded."""
        choice = self.random.randrange(3)
        if choice == 0:
            form, lemma, role = self.random.choice(self.words.intransitive)
            self.relate((lemma, role), self.add(form), subject)
        elif choice == 1:
            self.transitive(subject, [])
        else:
            event, lemma = self.verb("agent", "theme", "recipient")
            self.relate((lemma, "agent"), event, subject)
            self.relate((lemma, "theme"), event, self.simple(self.words.themes))
            self.add("to")
            self.relate((lemma, "recipient"), event, self.simple(self.words.agents))

    def noun_phrase(self, nouns: list[str], levels: list[str]) -> int | Term:
        """A noun phrase with the embeddings `pp`, `object-rc`, `subject-rc`, outermost first.

        `noun` stands for one without any, which is no name.
        """
        if not levels:
            return self.simple(nouns)
        kind, *below = levels
        noun = self.noun(nouns)
        if kind == "pp":
            word = self.random.choice(sorted(self.words.places))
            self.add(word)
            inner = self.noun_phrase(self.words.places[word], below or ["noun"])
            self.relate((self.tokens[noun], "nmod", word), noun, inner)
        elif kind == "object-rc":
            self.add("that")
            subject = self.noun_phrase(self.words.agents, below)
            self.relate((self.tokens[noun], "nmod"), noun, len(self.tokens))
            event, lemma = self.verb("agent", "theme")
            self.relate((lemma, "agent"), event, subject)
            self.relate((lemma, "theme"), event, noun)
        elif kind == "subject-rc":
            self.add("that")
            self.relate((self.tokens[noun], "nmod"), noun, len(self.tokens))
            self.clause_of(noun, below)
        return noun

    def clause_of(self, subject: int | Term, levels: list[str]) -> None:
        """What a subject does, with embeddings on the right: `cp`, or those of an object."""
        if not levels:
            self.leaf(subject)
        elif levels[0] == "cp":
            event, lemma = self.verb("agent", "ccomp")
            self.relate((lemma, "agent"), event, subject)
            self.add("that")
            inner = self.clause(levels[1:])
            self.relate((lemma, "ccomp"), event, inner)
        else:
            self.transitive(subject, levels)

    def clause(self, levels: list[str]) -> int:
        """A clause; the position of its verb."""
        if levels and levels[0] != "cp" and self.random.random() < 0.5:
            subject = self.noun_phrase(self.words.agents, levels)
            levels = []
        else:
            subject = self.simple(self.words.agents)
        verb = len(self.tokens)
        self.clause_of(subject, levels)
        return verb

    def finished(self, kind: str) -> Probe:
        """The sentence as a probe."""
        self.add(".")
        first = self.tokens[0]
        self.tokens[0] = first[0].upper() + first[1:]
        return Probe(
            tuple(self.tokens), LogicalForm(tuple(self.atoms), tuple(self.definites)), kind
        )


LEVELS: dict[str, tuple[str, ...]] = {
    "PP chain": ("pp",),
    "CP chain": ("cp",),
    "center embedding": ("object-rc",),
    "mixed": ("pp", "cp", "object-rc", "subject-rc"),
}


def recursive(words: Words, kind: str, depth: int, random: Random) -> Probe:
    """A sentence of a kind of `LEVELS`, with so many embeddings in each other."""
    levels: list[str] = []
    while len(levels) < depth:
        # A clause stands in a clause; a noun phrase opens one again with `subject-rc`.
        inside_noun = bool(levels) and levels[-1] in ("pp", "object-rc")
        choices = [level for level in LEVELS[kind] if not (inside_noun and level == "cp")]
        levels.append(random.choice(choices))
    sentence = Sentence(words, random)
    sentence.clause(levels)
    return sentence.finished(f"{kind}, depth {depth}")


def recursive_probes(
    words: Words, *, depths: tuple[int, ...], count: int, seed: int
) -> list[Probe]:
    """For each kind and depth `count` sentences."""
    return [
        recursive(words, kind, depth, Random(f"{seed} {kind} {depth} {i}"))
        for kind in LEVELS
        for depth in depths
        for i in range(count)
    ]
