"""Phrases and events drawn at random, with the words of the package's own grammars.

No word comes twice in a sentence. A noun has one modifier at most, and a modifier belongs to the
noun before it, as everywhere in the language fragment, so a sentence has one reading.
"""

from __future__ import annotations

import csv
from functools import cache
from random import Random

from family_events import (
    ACTIVE,
    ALONE,
    CHANGED,
    CLAUSAL,
    CONTROL,
    DOUBLE,
    GIVEN_TO,
    PASSIVE,
    SHORT,
    Event,
    Frame,
    Phrase,
    Verb,
)

from amparser.resources import package_data

PLACES = ("in", "on", "beside")
OBJECT_VERBS = ("transitive", "omissible", "unaccusative")


@cache
def words_of() -> dict[str, list[Verb]]:
    """The words of `grammars/lexicon.tsv` by class; nouns and names have one form.

    The class `clausal alone` has those of `clausal` that are in no other class.
    """
    found: dict[str, list[Verb]] = {}
    with (package_data("grammars") / "lexicon.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            kind, lemma, form = row["class"], row["lemma"], row["form"]
            if "{" in form or "held" in kind or kind.startswith("primitive"):
                continue
            found.setdefault(kind, []).append(Verb(lemma, form, row["participle"] or ""))
    others = {verb.lemma for kind in found if kind != "clausal" for verb in found[kind]}
    found["clausal alone"] = [verb for verb in found["clausal"] if verb.lemma not in others]
    return found


class Draw:
    """The words that are left for a sentence."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.used: set[str] = set()

    def word(self, *kinds: str) -> Verb:
        """A word of one of the classes that the sentence does not have yet."""
        words = words_of()[self.random.choice(kinds)]
        fresh = [word for word in words if word.lemma not in self.used]
        chosen = self.random.choice(fresh)
        self.used.add(chosen.lemma)
        return chosen

    def noun(self, *kinds: str) -> Phrase:
        """A noun with an article."""
        article = self.random.choice(["a", "the"])
        return Phrase(self.word(*kinds).lemma, article, animate="animate" in kinds)

    def name(self) -> Phrase:
        """A person's name."""
        return Phrase(self.word("name").lemma)

    def person(self) -> Phrase:
        """A noun or name."""
        return self.name() if self.random.random() < 0.4 else self.being()

    def being(self) -> Phrase:
        """A noun for a person or animal."""
        return self.noun("animate")

    def thing(self) -> Phrase:
        """A noun for what has no life."""
        return self.noun("inanimate")

    def placed(self, phrase: Phrase, depth: int = 1) -> Phrase:
        """The noun with a place, and that one with its own."""
        preposition = self.random.choice(PLACES)
        noun = self.noun(preposition)
        phrase.place = (preposition, self.placed(noun, depth - 1) if depth > 1 else noun)
        return phrase

    def related(self, phrase: Phrase) -> Phrase:
        """The noun with a short relative clause, in which it is subject or object."""
        if phrase.animate and self.random.random() < 0.5:
            choice = self.random.randrange(2)
            phrase.relative = self.runs(phrase) if choice else self.does(phrase, self.thing())
        else:
            phrase.relative = self.does(self.person(), phrase)
        return phrase

    def seen(self, phrase: Phrase) -> Phrase:
        """The noun with a relative clause that ends in its verb."""
        if phrase.animate and self.random.random() < 0.5:
            phrase.relative = self.runs(phrase)
        else:
            phrase.relative = self.does(self.person(), phrase)
        return phrase

    def modified(self, phrase: Phrase) -> Phrase:
        """The noun with a place or a relative clause that ends in its verb."""
        return self.placed(phrase) if self.random.random() < 0.5 else self.seen(phrase)

    def runs(self, subject: Phrase) -> Event:
        """What someone does alone."""
        return Event(self.word("unergative"), ALONE, {"agent": subject})

    def changes(self, subject: Phrase) -> Event:
        """What happens to something."""
        return Event(self.word("unaccusative"), CHANGED, {"theme": subject})

    def does(self, agent: Phrase | None, theme: Phrase, frame: Frame = ACTIVE) -> Event:
        """What someone does to something."""
        verb = self.word(*OBJECT_VERBS)
        if agent is None:
            return Event(verb, SHORT if frame is ACTIVE else frame, {"theme": theme})
        return Event(verb, frame, {"agent": agent, "theme": theme})

    def done(self, theme: Phrase, agent: Phrase) -> Event:
        """The same in the passive, with `by`."""
        return self.does(agent, theme, PASSIVE)

    def gives(
        self, agent: Phrase | None, theme: Phrase, recipient: Phrase, frame: Frame | None = None
    ) -> Event:
        """Something goes to someone; by default in one of the two active frames."""
        frame = frame or self.random.choice([GIVEN_TO, DOUBLE])
        roles: dict[str, Phrase | Event] = {"theme": theme, "recipient": recipient}
        if agent is not None:
            roles["agent"] = agent
        return Event(self.word("dative"), frame, roles)

    def says(self, agent: Phrase, clause: Event, kind: str = "clausal") -> Event:
        """Someone says a clause."""
        return Event(self.word(kind), CLAUSAL, {"agent": agent, "ccomp": clause})

    def wants(self, agent: Phrase, event: Event) -> Event:
        """Someone wants to do something; the event has the same agent."""
        return Event(self.word("control"), CONTROL, {"agent": agent, "xcomp": event})
