"""Sentences written by hand, each with one reading in the fragment, and what they mean.

The meaning is a list of relations between words: `gave.agent=Liam` is the atom
`give . agent ( x _ i , Liam )` at the place of `gave`, and `cat.nmod.on=mat` a
modifier. Atoms of the nouns themselves follow from the articles in the sentence. A
word that stands there twice is told apart by a number: `said#2`.
"""

from __future__ import annotations

from collections.abc import Mapping

from probe_words import Probe

from amparser.logic.cogs import Atom, LogicalForm, Name, Question, Term, Variable

QUESTIONS = """
Who did Emma say that Liam gave a cake to ?
    say.agent=Emma say.ccomp=gave gave.agent=Liam gave.theme=cake gave.recipient=?
What did Ava hope that the cat on the mat said that Noah gave to a dog that ran ?
    hope.agent=Ava hope.ccomp=said cat.nmod.on=mat said.agent=cat said.ccomp=gave
    gave.agent=Noah gave.theme=? gave.recipient=dog dog.nmod=ran ran.agent=dog
What did Emma say that Liam hoped that Ava believed that the boy ate ?
    say.agent=Emma say.ccomp=hoped hoped.agent=Liam hoped.ccomp=believed believed.agent=Ava
    believed.ccomp=ate ate.agent=boy ate.theme=?
Who did Emma say that Liam hoped that Ava believed that the boy saw ?
    say.agent=Emma say.ccomp=hoped hoped.agent=Liam hoped.ccomp=believed believed.agent=Ava
    believed.ccomp=saw saw.agent=boy saw.theme=?
Who did Emma say that Liam hoped that Ava believed that the boy gave the cake to ?
    say.agent=Emma say.ccomp=hoped hoped.agent=Liam hoped.ccomp=believed believed.agent=Ava
    believed.ccomp=gave gave.agent=boy gave.theme=cake gave.recipient=?
What did the girl say that Liam hoped that the cat that the dog saw ate ?
    say.agent=girl say.ccomp=hoped hoped.agent=Liam hoped.ccomp=ate cat.nmod=saw saw.agent=dog
    saw.theme=cat ate.agent=cat ate.theme=?
Who did the boy that Emma helped say that the girl that Liam liked saw ?
    boy.nmod=helped helped.agent=Emma helped.theme=boy say.agent=boy say.ccomp=saw
    girl.nmod=liked liked.agent=Liam liked.theme=girl saw.agent=girl saw.theme=?
Who did the girl on the bed give the cake beside the book to ?
    girl.nmod.on=bed give.agent=girl give.theme=cake cake.nmod.beside=book give.recipient=?
Who did Emma give the cake that the dog that ran liked to ?
    give.agent=Emma give.theme=cake give.recipient=? cake.nmod=liked liked.agent=dog
    liked.theme=cake dog.nmod=ran ran.agent=dog
What did the boy in the house give to the girl that the dog that slept saw ?
    boy.nmod.in=house give.agent=boy give.theme=? give.recipient=girl girl.nmod=saw
    saw.agent=dog saw.theme=girl dog.nmod=slept slept.agent=dog
Who said that the girl believed that a dog in the garden ate the cake ?
    said.agent=? said.ccomp=believed believed.agent=girl believed.ccomp=ate
    dog.nmod.in=garden ate.agent=dog ate.theme=cake
Who wanted to sleep ?
    wanted.agent=? wanted.xcomp=sleep sleep.agent=?
"""

PASSIVES = """
Who ate the cake that was given to a girl by Liam ?
    ate.agent=? ate.theme=cake cake.nmod=given given.theme=cake given.recipient=girl
    given.agent=Liam
What did the girl that was seen by the boy that was liked by Emma eat ?
    girl.nmod=seen seen.theme=girl seen.agent=boy boy.nmod=liked liked.theme=boy
    liked.agent=Emma eat.agent=girl eat.theme=?
Who was seen by the dog that was given a cookie ?
    seen.theme=? seen.agent=dog dog.nmod=given given.recipient=dog given.theme=cookie
What was given to the girl that was helped by a boy on the bed ?
    given.theme=? given.recipient=girl girl.nmod=helped helped.theme=girl helped.agent=boy
    boy.nmod.on=bed
Who said that the cake that Emma ate was liked by Liam ?
    said.agent=? said.ccomp=liked cake.nmod=ate ate.agent=Emma ate.theme=cake
    liked.theme=cake liked.agent=Liam
What was liked by the girl that the boy that ran saw ?
    liked.theme=? liked.agent=girl girl.nmod=saw saw.agent=boy saw.theme=girl
    boy.nmod=ran ran.agent=boy
Who did Liam say that the cake was given to ?
    say.agent=Liam say.ccomp=given given.theme=cake given.recipient=?
What did Liam say that the girl was given ?
    say.agent=Liam say.ccomp=given given.recipient=girl given.theme=?
What did Ava believe that the girl that was helped by Emma was given by Noah ?
    believe.agent=Ava believe.ccomp=given girl.nmod=helped helped.theme=girl helped.agent=Emma
    given.recipient=girl given.theme=? given.agent=Noah
Emma was given the cake that the boy that ran liked by a girl .
    given.recipient=Emma given.theme=cake given.agent=girl cake.nmod=liked liked.agent=boy
    liked.theme=cake boy.nmod=ran ran.agent=boy
The box that was sent to the girl that ate a cake was held by Emma .
    box.nmod=sent sent.theme=box sent.recipient=girl girl.nmod=ate ate.agent=girl
    ate.theme=cake held.theme=box held.agent=Emma
The cake that the boy was given was liked by Emma .
    cake.nmod=given given.recipient=boy given.theme=cake liked.theme=cake liked.agent=Emma
"""

RELATIVES = """
The girl that the boy that a dog that ran liked saw gave a cat on the mat a cake .
    girl.nmod=saw saw.agent=boy saw.theme=girl boy.nmod=liked liked.agent=dog liked.theme=boy
    dog.nmod=ran ran.agent=dog gave.agent=girl gave.recipient=cat gave.theme=cake cat.nmod.on=mat
Noah said that a boy that was given a cake by the girl that Liam helped ran .
    said.agent=Noah said.ccomp=ran ran.agent=boy boy.nmod=given given.recipient=boy
    given.theme=cake given.agent=girl girl.nmod=helped helped.agent=Liam helped.theme=girl
Emma gave a cake to the girl that the boy that the dog that the cat saw liked helped .
    gave.agent=Emma gave.theme=cake gave.recipient=girl girl.nmod=helped helped.agent=boy
    helped.theme=girl boy.nmod=liked liked.agent=dog liked.theme=boy dog.nmod=saw
    saw.agent=cat saw.theme=dog
The cake that the girl on the bed beside the table ate was liked by the boy in the house .
    cake.nmod=ate ate.agent=girl ate.theme=cake girl.nmod.on=bed bed.nmod.beside=table
    liked.theme=cake liked.agent=boy boy.nmod.in=house
The girl that wanted to run gave the boy in the house a cake .
    girl.nmod=wanted wanted.agent=girl wanted.xcomp=run run.agent=girl gave.agent=girl
    gave.recipient=boy boy.nmod.in=house gave.theme=cake
Liam hoped that Emma said that the cake that the dog ate was given to the boy .
    hoped.agent=Liam hoped.ccomp=said said.agent=Emma said.ccomp=given cake.nmod=ate
    ate.agent=dog ate.theme=cake given.theme=cake given.recipient=boy
A girl in the house said that a boy in the garden hoped that a dog in the car ran .
    girl.nmod.in=house said.agent=girl said.ccomp=hoped boy.nmod.in=garden hoped.agent=boy
    hoped.ccomp=ran dog.nmod.in=car ran.agent=dog
"""

OUT_OF_COMPLEMENTS = """
The cake that Emma said that Liam ate was liked .
    cake.nmod=said said.agent=Emma said.ccomp=ate ate.agent=Liam ate.theme=cake liked.theme=cake
Who was given the cake that Emma said that Liam hoped that the boy ate ?
    given.recipient=? given.theme=cake cake.nmod=said said.agent=Emma said.ccomp=hoped
    hoped.agent=Liam hoped.ccomp=ate ate.agent=boy ate.theme=cake
What did Emma want to eat ?
    want.agent=Emma want.xcomp=eat eat.agent=Emma eat.theme=?
"""

STRANDED = """
The boy that the cake was given to ran .
    boy.nmod=given given.theme=cake given.recipient=boy ran.agent=boy
Emma said that the boy that a girl gave a cake to slept .
    said.agent=Emma said.ccomp=slept boy.nmod=gave gave.agent=girl gave.theme=cake
    gave.recipient=boy slept.agent=boy
The girl that Emma believed that Liam gave a cake to slept .
    girl.nmod=believed believed.agent=Emma believed.ccomp=gave gave.agent=Liam gave.theme=cake
    gave.recipient=girl slept.agent=girl
"""

GROUPS = {
    "by hand, questions": QUESTIONS,
    "by hand, passives": PASSIVES,
    "by hand, relatives": RELATIVES,
    "by hand, out of complements": OUT_OF_COMPLEMENTS,
    "by hand, stranded before a verb": STRANDED,
}


def hand_probes(lemmas: Mapping[str, str]) -> list[Probe]:
    """All of them, in order; `lemmas` are those of verb forms."""
    return [
        probe_from_text(sentence, relations, kind, lemmas)
        for kind, text in GROUPS.items()
        for sentence, relations in _entries(text)
    ]


def probe_from_text(sentence: str, relations: str, kind: str, lemmas: Mapping[str, str]) -> Probe:
    """One sentence with its relations; a verb form not in `lemmas` is its own lemma."""
    tokens = tuple(sentence.split())

    def position(word: str) -> int:
        form, _, number = word.partition("#")
        return [i for i, token in enumerate(tokens) if token == form][int(number or 1) - 1]

    def term(word: str) -> Term:
        if word == "?":
            return Question()
        return Name(word) if word[0].isupper() else Variable(position(word))

    nouns = {i + 1: tokens[i].lower() for i in range(len(tokens)) if tokens[i].lower() in _ARTICLES}
    atoms = [Atom((tokens[i],), (Variable(i),)) for i, a in nouns.items() if a != "the"]
    for relation in relations.split():
        left, argument = relation.split("=")
        head, *roles = left.split(".")
        at = position(head)
        lemma = tokens[at] if at in nouns else lemmas.get(tokens[at], tokens[at])
        atoms.append(Atom((lemma, *roles), (Variable(at), term(argument))))
    definites = tuple(Atom((tokens[i],), (Variable(i),)) for i, a in nouns.items() if a == "the")
    return Probe(tokens, LogicalForm(tuple(atoms), definites), kind)


_ARTICLES = ("a", "an", "the")


def _entries(text: str) -> list[tuple[str, str]]:
    entries: list[tuple[str, str]] = []
    for line in text.strip().splitlines():
        if line.startswith(" "):
            sentence, relations = entries[-1]
            entries[-1] = (sentence, f"{relations} {line.strip()}")
        else:
            entries.append((line, ""))
    return entries
