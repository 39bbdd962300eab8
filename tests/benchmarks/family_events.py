"""Events, and the sentences and logical forms that say them.

An event is a verb with what fills its roles. From one event come a statement, the question about
each phrase in it, and the relative clause of each; so their meanings agree by construction:

- a statement is the subject, the verb and the other roles in the order of the `Frame`;
- a question leaves one phrase out, with `Who` or `What` in front;
- a relative clause leaves out the noun that it belongs to, after `that`.

What is left out leaves its marker behind (`to`, `by`), but `that` goes with its clause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeAlias

from amparser.logic.cogs import Atom, LogicalForm, Name, Question, Term, Variable

THAT = "that"


class Verb(NamedTuple):
    """The forms of a verb."""

    lemma: str
    past: str
    participle: str

    @property
    def present(self) -> str:
        """The third person singular.

        >>> [Verb(word, "", "").present for word in ("eat", "pass", "try", "enjoy", "go")]
        ['eats', 'passes', 'tries', 'enjoys', 'goes']
        """
        if self.lemma.endswith(("s", "x", "ch", "sh", "o")):
            return self.lemma + "es"
        if self.lemma[-1] == "y" and self.lemma[-2] not in "aeiou":
            return self.lemma[:-1] + "ies"
        return self.lemma + "s"


class Frame(NamedTuple):
    """How a verb's roles are said: the subject's, and of the others their markers."""

    subject: str
    others: tuple[tuple[str, str], ...] = ()
    passive: bool = False


ALONE = Frame("agent")
CHANGED = Frame("theme")
ACTIVE = Frame("agent", (("", "theme"),))
PASSIVE = Frame("theme", (("by", "agent"),), passive=True)
SHORT = Frame("theme", passive=True)
GIVEN_TO = Frame("agent", (("", "theme"), ("to", "recipient")))
DOUBLE = Frame("agent", (("", "recipient"), ("", "theme")))
WAS_GIVEN_TO = Frame("theme", (("to", "recipient"),), passive=True)
WAS_GIVEN_TO_BY = Frame("theme", (("to", "recipient"), ("by", "agent")), passive=True)
WAS_GIVEN = Frame("recipient", (("", "theme"),), passive=True)
WAS_GIVEN_BY = Frame("recipient", (("", "theme"), ("by", "agent")), passive=True)
CLAUSAL = Frame("agent", ((THAT, "ccomp"),))
CONTROL = Frame("agent", (("to", "xcomp"),))


@dataclass(eq=False)
class Phrase:
    """A noun phrase.

    Attributes:
        word: a noun, or a name.
        article: `a` or `the`; empty for a name.
        animate: whether `Who` asks for it.
        place: a preposition and the noun phrase after it.
        relative: the event of its relative clause, which has this phrase in it.
    """

    word: str
    article: str = ""
    animate: bool = True
    place: tuple[str, Phrase] | None = None
    relative: Event | None = None


@dataclass(eq=False)
class Event:
    """A verb with what fills its roles; the event of an infinitive shares its agent."""

    verb: Verb
    frame: Frame
    roles: Mapping[str, Phrase | Event]


Part: TypeAlias = Phrase | Event


class Tense(NamedTuple):
    """The words that tell a tense, and whether verbs are in the past."""

    passive: str = "was"
    question: str = "did"
    past: bool = True


PAST, PRESENT = Tense(), Tense("is", "does", False)


@dataclass(frozen=True)
class Row:
    """A sentence with its meaning."""

    tokens: tuple[str, ...]
    form: LogicalForm

    @property
    def text(self) -> str:
        """The sentence, its tokens separated by spaces."""
        return " ".join(self.tokens)


@dataclass
class _Speaker:
    """A sentence as it is said from left to right."""

    tense: Tense = PAST
    tokens: list[str] = field(default_factory=list)
    at: dict[int, int] = field(default_factory=dict)
    said: list[Part] = field(default_factory=list)
    silent: list[Part] = field(default_factory=list)

    def add(self, *words: str) -> int:
        self.tokens += words
        return len(self.tokens) - 1

    def head(self, part: Part, word: str) -> None:
        self.at[id(part)] = self.add(word)
        self.said.append(part)

    def is_silent(self, part: Part) -> bool:
        return any(part is one for one in self.silent)

    def phrase(self, phrase: Phrase) -> None:
        """A noun phrase with what belongs to it; nothing if it is left out."""
        if self.is_silent(phrase):
            return
        self.add(*filter(None, [phrase.article]))
        self.head(phrase, phrase.word)
        if phrase.place is not None:
            self.add(phrase.place[0])
            self.phrase(phrase.place[1])
        if phrase.relative is not None:
            self.add(THAT)
            self.silent.append(phrase)
            self.clause(phrase.relative)
            self.silent.remove(phrase)

    def clause(self, event: Event, front: str = "") -> None:
        """Subject, verb, others; with an auxiliary of questions `front` before the subject."""
        frame, verb = event.frame, event.verb
        subject = event.roles[frame.subject]
        assert isinstance(subject, Phrase)
        if front:
            self.add(front)
        self.phrase(subject)
        if frame.passive:
            if not front:
                self.add(self.tense.passive)
            self.head(event, verb.participle)
        else:
            finite = verb.past if self.tense.past else verb.present
            self.head(event, verb.lemma if front else finite)
        self.others(event)

    def others(self, event: Event) -> None:
        """What follows the verb."""
        for marker, role in event.frame.others:
            part = event.roles[role]
            if marker and not (marker == THAT and self.is_silent(part)):
                self.add(marker)
            if isinstance(part, Phrase):
                self.phrase(part)
            elif self.is_silent(part):
                continue
            elif marker == THAT:
                self.clause(part)
            else:
                self.head(part, part.verb.lemma)
                self.others(part)

    def row(self, stop: str, asked: Part | None = None) -> Row:
        self.add(*filter(None, [stop]))
        if stop:
            self.tokens[0] = self.tokens[0][0].upper() + self.tokens[0][1:]
        definites: list[Atom] = []
        atoms: list[Atom] = []

        def term(part: Part) -> Term:
            if part is asked:
                return Question()
            if isinstance(part, Phrase) and not part.article:
                return Name(part.word)
            return Variable(self.at[id(part)])

        for part in self.said:
            here = term(part)
            if isinstance(part, Event):
                for role, filler in part.roles.items():
                    atoms.append(Atom((part.verb.lemma, role), (here, term(filler))))
                continue
            if part.article:
                into = definites if part.article == "the" else atoms
                into.append(Atom((part.word,), (here,)))
            if part.place is not None:
                word, place = part.place
                atoms.append(Atom((part.word, "nmod", word), (here, term(place))))
            if part.relative is not None:
                atoms.append(Atom((part.word, "nmod"), (here, term(part.relative))))
        return Row(tuple(self.tokens), LogicalForm(tuple(atoms), tuple(definites)))


def statement(event: Event, tense: Tense = PAST) -> Row:
    """The event as a sentence."""
    speaker = _Speaker(tense)
    speaker.clause(event)
    return speaker.row(".")


def preposed(event: Event, front: Phrase) -> Row:
    """The event as a sentence with an unmarked phrase in front."""
    speaker = _Speaker()
    speaker.phrase(front)
    speaker.silent.append(front)
    speaker.clause(event)
    return speaker.row(".")


def alone(phrase: Phrase) -> Row:
    """A noun phrase that is no sentence."""
    speaker = _Speaker()
    speaker.phrase(phrase)
    return speaker.row("")


def question(event: Event, asked: Part, tense: Tense = PAST) -> Row:
    """The question for a phrase or a clause anywhere in the event."""
    speaker = _Speaker(tense)
    wh = "who" if isinstance(asked, Phrase) and asked.animate else "what"
    speaker.at[id(asked)] = speaker.add(wh)
    speaker.silent.append(asked)
    subject = event.roles[event.frame.subject] is asked
    auxiliary = tense.passive if event.frame.passive else tense.question
    speaker.clause(event, "" if subject else auxiliary)
    return speaker.row("?", asked)


# Relations between words: what a form says, wherever its words stand.

Relation: TypeAlias = tuple[str, ...]


def relations(form: LogicalForm) -> Counter[Relation]:
    """Predicates with the words of their arguments; definites are marked by `*`.

    >>> from amparser.logic.cogs import logical_form_from_str
    >>> form = "* cat ( x _ 1 ) ; see . agent ( x _ 2 , x _ 1 ) AND see . theme ( x _ 2 , ? )"
    >>> sorted(relations(logical_form_from_str(form)))
    [('*', 'cat'), ('see', 'agent', 'cat'), ('see', 'theme', '?')]
    """
    labels = {atom.terms[0]: atom.predicate[0] for atom in (*form.definites, *form.atoms)}

    def words(atom: Atom) -> Relation:
        return (*atom.predicate, *(labels.get(term, str(term)) for term in atom.terms[1:]))

    found = Counter(("*", *words(atom)) for atom in form.definites)
    return found + Counter(map(words, form.atoms))


class Answer(NamedTuple):
    """What answers a question: the word for `?`, and what is said of it."""

    word: str
    said: Counter[Relation]


def answer(asked: Part) -> Answer:
    """The answer that an event has for a question about one of its parts."""
    speaker = _Speaker()
    if isinstance(asked, Phrase):
        speaker.phrase(asked)
        word = asked.word
    else:
        speaker.clause(asked)
        word = asked.verb.lemma
    return Answer(word, relations(speaker.row("").form))


def answered(form: LogicalForm, reply: Answer) -> Counter[Relation]:
    """What a question says with its answer put in the place of `?`."""
    filled: Counter[Relation] = Counter()
    for relation, count in relations(form).items():
        filled[tuple(reply.word if word == "?" else word for word in relation)] += count
    return filled + reply.said


def hesitant(random: Random, row: Row) -> Row:
    """The sentence with one or two pauses, none behind its last word or before `Who`."""
    places = range(row.tokens[-1] == "?", len(row.tokens) - 1)
    chosen = random.sample(places, min(random.choice([1, 1, 2]), len(places)))
    return with_words(row, [(place, random.choice(["um", "uh"])) for place in chosen])


def with_words(row: Row, words: Sequence[tuple[int, str]]) -> Row:
    """The sentence with meaningless words put in, each before the token at a 0-based position."""
    before = Counter(place for place, _ in words)

    def moved(term: Term) -> Term:
        if not isinstance(term, Variable):
            return term
        position = term.position
        return Variable(position + sum(n for place, n in before.items() if place <= position))

    def changed(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(map(moved, atom.terms)))

    tokens = list(row.tokens)
    for place, word in sorted(words, reverse=True):
        tokens.insert(place, word)
    if before[0]:
        first = before[0]
        name = any(Name(row.tokens[0]) in atom.terms for atom in row.form.atoms)
        tokens[first] = row.tokens[0] if name else row.tokens[0].lower()
        tokens[0] = tokens[0][0].upper() + tokens[0][1:]
    form = LogicalForm(tuple(map(changed, row.form.atoms)), tuple(map(changed, row.form.definites)))
    return Row(tuple(tokens), form)
