"""Events drawn at random for the expressions of `families.toml`.

The words are those of the package's own grammars. No word comes twice in a sentence while there
are others. A noun has one modifier at most, and a modifier belongs to the noun before it, as
everywhere in the language fragment, so a sentence has one reading.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import family_events as frames
from family_events import Event, Frame, Part, Phrase, Verb
from nonce_words import SPELLINGS, nonce_verb, stem

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
    """Draws a part from an expression: names and calls of `families.toml` are methods here.

    Attributes:
        asked_for: the part that a question asks for, or that stands in front.
        coined: `noun`, `name` or a spelling of verbs: such a word is made up, until one was.
    """

    def __init__(self, random: Random, coined: str = "") -> None:
        self.random = random
        self.coined = coined
        self.used: set[str] = set()
        self.asked_for: Part | None = None

    def part(self, expression: str) -> Event | Phrase:
        """What an expression says."""
        part: Event | Phrase = self._drawn(ast.parse(expression.strip(), mode="eval").body, {})
        return part

    def _drawn(self, node: ast.expr, bound: dict[str, Part]) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            if node.id in bound or node.id == "nobody":
                return bound.get(node.id)
            return getattr(frames, node.id) if node.id.isupper() else getattr(self, node.id)()
        assert isinstance(node, ast.Call)
        assert isinstance(node.func, ast.Name)
        first = self._drawn(node.args[0], bound)
        if node.func.id == "that":
            first.relative = self._drawn(node.args[1], {**bound, "it": first})
            return first
        if node.func.id == "wants":
            event = self._drawn(node.args[1], {**bound, "agent": first})
            return Event(self.word("control"), frames.CONTROL, {"agent": first, "xcomp": event})
        others = (self._drawn(argument, bound) for argument in node.args[1:])
        return getattr(self, node.func.id)(first, *others)

    def word(self, *kinds: str) -> Verb:
        """A word of one of the classes that the sentence does not have yet."""
        kind = self.random.choice(kinds)
        if self._is_coined(kind) and self.random.random() < 0.5:
            return self._coin()
        words = words_of()[kind]
        chosen = self.random.choice([w for w in words if w.lemma not in self.used] or words)
        self.used.add(chosen.lemma)
        return chosen

    def _is_coined(self, kind: str) -> bool:
        if self.coined in SPELLINGS:
            return kind in (*OBJECT_VERBS, "dative", "clausal")
        return kind in {"noun": ("animate", "inanimate"), "name": ("name",)}.get(self.coined, ())

    def _coin(self) -> Verb:
        coined, self.coined = self.coined, ""
        known = {form for words in words_of().values() for word in words for form in word}
        while True:
            if coined in SPELLINGS:
                word = Verb(*nonce_verb(self.random, coined))
            elif coined == "noun":
                word = Verb(stem(self.random), "", "")
            else:
                word = Verb(f"{stem(self.random)}{self.random.choice('aio')}".title(), "", "")
            if not known & {word.lemma, word.past} - {""}:
                return word

    def noun(self, *kinds: str) -> Phrase:
        """A noun with an article."""
        article = self.random.choice(["a", "the"])
        return Phrase(self.word(*kinds).lemma, article, animate="animate" in kinds)

    def person(self) -> Phrase:
        """A name, or a noun for a person or animal."""
        named = self.random.random() < 0.4
        return Phrase(self.word("name").lemma) if named else self.being()

    def being(self) -> Phrase:
        """A noun for a person or animal."""
        return self.noun("animate")

    def thing(self) -> Phrase:
        """A noun for what has no life."""
        return self.noun("inanimate")

    def asked(self, part: Part) -> Part:
        """The part, which a question asks for."""
        self.asked_for = part
        return part

    def who(self) -> Part:
        """The person that a question asks for."""
        return self.asked(self.person())

    def what(self) -> Part:
        """The thing that a question asks for."""
        return self.asked(self.thing())

    def placed(self, noun: Phrase) -> Phrase:
        """The noun with a place."""
        preposition = self.random.choice(PLACES)
        noun.place = (preposition, self.noun(preposition))
        return noun

    def related(self, noun: Phrase) -> Phrase:
        """The noun with a short relative clause, in which it is subject or object."""
        if noun.animate and self.random.random() < 0.25:
            noun.relative = self.does(noun, self.thing())
            return noun
        return self.seen(noun)

    def seen(self, noun: Phrase) -> Phrase:
        """The noun with a relative clause that ends in its verb."""
        runs = noun.animate and self.random.random() < 0.5
        noun.relative = self.runs(noun) if runs else self.does(self.person(), noun)
        return noun

    def modified(self, noun: Phrase) -> Phrase:
        """The noun with a place or a relative clause that ends in its verb."""
        return self.placed(noun) if self.random.random() < 0.5 else self.seen(noun)

    def runs(self, subject: Phrase) -> Event:
        """What someone does alone."""
        return Event(self.word("unergative"), frames.ALONE, {"agent": subject})

    def changes(self, subject: Phrase) -> Event:
        """What happens to something."""
        return Event(self.word("unaccusative"), frames.CHANGED, {"theme": subject})

    def does(self, agent: Phrase, theme: Phrase, frame: Frame = frames.ACTIVE) -> Event:
        """What someone does to something."""
        return Event(self.word(*OBJECT_VERBS), frame, {"agent": agent, "theme": theme})

    def done(self, theme: Phrase, agent: Phrase) -> Event:
        """The same in the passive, with `by`."""
        return self.does(agent, theme, frames.PASSIVE)

    def gives(
        self, agent: Phrase | None, theme: Phrase, recipient: Phrase, frame: Frame | None = None
    ) -> Event:
        """Something goes to someone; by default in one of the two active frames."""
        frame = frame or self.random.choice([frames.GIVEN_TO, frames.DOUBLE])
        roles: dict[str, Part] = {"theme": theme, "recipient": recipient}
        if agent is not None:
            roles["agent"] = agent
        return Event(self.word("dative"), frame, roles)

    def says(self, agent: Phrase, clause: Event, kind: str = "clausal") -> Event:
        """Someone says a clause."""
        return Event(self.word(kind), frames.CLAUSAL, {"agent": agent, "ccomp": clause})

    def says_alone(self, agent: Phrase, clause: Event) -> Event:
        """Someone says a clause, with a verb that has no other use."""
        return self.says(agent, clause, "clausal alone")

    def chained(self, depth: int, event: Event) -> Event:
        """The event below so many verbs of saying."""
        return self.chained(depth - 1, self.says(self.person(), event)) if depth else event

    def centered(self, low: int, high: int) -> Phrase:
        """A noun with so many relative clauses, one in the subject of the other."""
        return self.nested(self.being(), self.random.randint(low, high), "object")

    def nested(self, noun: Phrase, depth: int, *kinds: str) -> Phrase:
        """The noun with so many embeddings in each other: `place`, `object`, `subject`."""
        kind = self.random.choice([k for k in kinds if k != "clause"]) if depth else ""
        if kind == "place":
            self.placed(noun)
            assert noun.place is not None
            self.nested(noun.place[1], depth - 1, *kinds)
        elif kind == "object":
            noun.relative = self.does(self.nested(self.being(), depth - 1, *kinds), noun)
        elif kind == "subject":
            noun.relative = self.clause(depth - 1, *kinds, subject=noun)
        return noun

    def clause(self, depth: int, *kinds: str, subject: Phrase | None = None) -> Event:
        """A clause with so many embeddings in each other; `clause` is one more kind."""
        if depth and self.random.choice(kinds) == "clause":
            return self.says(subject or self.person(), self.clause(depth - 1, *kinds))
        if depth and subject is None and self.random.random() < 0.5:
            return self.does(self.nested(self.being(), depth, *kinds), self.thing())
        return self.does(subject or self.person(), self.nested(self.thing(), depth, *kinds))

    def any_being(self, depth: int) -> Phrase:
        """A noun phrase with embeddings that end in a verb or a place."""
        return self._any(self.being(), depth) if depth else self.person()

    def any_thing(self, depth: int) -> Phrase:
        """The same for what has no life."""
        return self._any(self.thing(), depth)

    def _any(self, noun: Phrase, depth: int) -> Phrase:
        choice = self.random.randrange(4)
        if choice == 0:
            return self.nested(noun, depth, "place")
        if choice < 3:
            event = self.does(self.any_being(depth - 1), noun)
            noun.relative = event if choice == 1 else self.says(self.person(), event)
        return noun

    def any_clause(self, depth: int) -> Event:
        """A clause with embeddings in all its places; one of its phrases is asked for."""
        choice = self.random.randrange(5) if depth else self.random.randrange(3)
        agent, theme, recipient = self.any_being(depth), self.thing(), self.person()
        if choice == 1:
            self.asked(self.random.choice([theme, recipient]))
            return self.gives(agent, theme, recipient, frames.GIVEN_TO)
        if choice == 2:
            return self.gives(None, theme, self.asked(recipient), frames.WAS_GIVEN_TO)
        if choice == 3:
            return self.says(agent, self.any_clause(depth - 1))
        self.asked(agent if choice == 4 else theme)
        return self.done(theme, agent) if choice == 4 else self.does(agent, theme)

    def simple_clause(self) -> Event:
        """A clause as train has them, without modifiers."""
        shapes: Sequence[str] = (
            "does(person, thing)",
            "done(thing, person)",
            "gives(person, thing, person)",
            "gives(nobody, thing, person, WAS_GIVEN_TO)",
            "says(person, does(person, thing))",
            "does(placed(being), thing)",
            "does(person, seen(thing))",
        )
        event = self.part(self.random.choice(shapes))
        assert isinstance(event, Event)
        return event
