"""The words that probes are made of, read off the published training file.

A `Probe` is a sentence of its own with its gold logical form. Verbs come with the
roles that the training file gives them; the function words that SLOG's grammar has
(`was`, `did`, `to`) tell their forms apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from amparser.corpora.example import Example
from amparser.logic.cogs import Atom, LogicalForm, Name, Term, Variable, logical_form_from_str

PASSIVE, INFINITIVE, QUESTION = "was", "to", "did"


@dataclass(frozen=True, slots=True)
class Probe:
    """A sentence with its gold logical form.

    Attributes:
        kind: the row of the table that it counts in.
        nonce: the lemma or name that train does not have, if there is one.
    """

    tokens: tuple[str, ...]
    gold: LogicalForm
    kind: str
    nonce: str = ""


class Verb(NamedTuple):
    """A verb in a sentence: its position, lemma, and roles in the order of the logical form."""

    position: int
    lemma: str
    roles: tuple[str, ...]


def verbs_of(gold: LogicalForm) -> list[Verb]:
    """The verbs of a logical form, by position."""
    roles: dict[tuple[int, str], list[str]] = defaultdict(list)
    for atom in gold.atoms:
        event = atom.terms[0]
        if len(atom.predicate) == 2 and atom.predicate[1] != "nmod" and isinstance(event, Variable):
            roles[event.position, atom.predicate[0]].append(atom.predicate[1])
    return [Verb(position, lemma, tuple(r)) for (position, lemma), r in sorted(roles.items())]


def nouns_of(gold: LogicalForm) -> list[tuple[int, str]]:
    """Position and lemma of the common nouns, by position."""
    return sorted(
        (term.position, atom.predicate[0])
        for atom in (*gold.definites, *gold.atoms)
        for term in atom.terms
        if len(atom.predicate) == 1 and isinstance(term, Variable)
    )


def names_of(gold: LogicalForm) -> list[str]:
    """The proper nouns, each once."""
    terms = (term for atom in gold.atoms for term in atom.terms)
    return sorted({term.name for term in terms if isinstance(term, Name)})


def with_lemma(gold: LogicalForm, position: int, lemma: str) -> LogicalForm:
    """The logical form with another lemma at a position."""

    def changed(atom: Atom) -> Atom:
        if atom.terms[0] != Variable(position):
            return atom
        return replace(atom, predicate=(lemma, *atom.predicate[1:]))

    return replace(
        gold,
        atoms=tuple(map(changed, gold.atoms)),
        definites=tuple(map(changed, gold.definites)),
    )


def with_name(gold: LogicalForm, old: str, new: str) -> LogicalForm:
    """The logical form with another name in the place of one."""

    def changed(term: Term) -> Term:
        return Name(new) if term == Name(old) else term

    atoms = (replace(atom, terms=tuple(map(changed, atom.terms))) for atom in gold.atoms)
    return replace(gold, atoms=tuple(atoms))


@dataclass
class Words:
    """Nouns, names and verbs of the training file, each list in a fixed order.

    Attributes:
        vocabulary: every word and lemma, in lower case.
        forms: for each verb's lemma its forms.
        past: for each set of roles (in order) the past forms of verbs that have
            it in active sentences, with the lemma; those seen once or twice left out.
        agents, themes: nouns seen in these roles.
        places: for each preposition the nouns that follow it.
    """

    vocabulary: set[str] = field(default_factory=set)
    names: list[str] = field(default_factory=list)
    forms: dict[str, Counter[str]] = field(default_factory=dict)
    past: dict[tuple[str, ...], list[tuple[str, str]]] = field(default_factory=dict)
    agents: list[str] = field(default_factory=list)
    themes: list[str] = field(default_factory=list)
    places: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def from_examples(cls, examples: Iterable[Example]) -> Words:
        """Collect the words of training rows; primitives are left out."""
        words = cls()
        names: set[str] = set()
        past: dict[tuple[str, ...], Counter[tuple[str, str]]] = defaultdict(Counter)
        of_role: dict[str, set[str]] = defaultdict(set)
        places: dict[str, set[str]] = defaultdict(set)
        for example in examples:
            words.vocabulary.update(token.lower() for token in example.tokens)
            gold = logical_form_from_str(example.meaning or "")
            if gold.bound or gold.name:
                continue
            names.update(names_of(gold))
            for verb in verbs_of(gold):
                form = example.tokens[verb.position]
                words.forms.setdefault(verb.lemma, Counter())[form] += 1
                words.vocabulary.add(verb.lemma)
                if is_past(example.tokens, verb.position):
                    past[verb.roles][form, verb.lemma] += 1
            noun_at = dict(nouns_of(gold))
            for atom in gold.atoms:
                last = atom.terms[-1]
                if isinstance(last, Variable) and last.position in noun_at:
                    to = places if len(atom.predicate) == 3 else of_role
                    to[atom.predicate[-1]].add(noun_at[last.position])
        words.names = sorted(names)
        words.past = {
            roles: sorted(verb for verb, count in found.items() if count > 2)
            for roles, found in sorted(past.items())
        }
        words.agents, words.themes = sorted(of_role["agent"]), sorted(of_role["theme"])
        words.places = {word: sorted(nouns) for word, nouns in sorted(places.items())}
        return words

    @cached_property
    def lemmas(self) -> dict[str, str]:
        """The lemma of each verb form."""
        return {form: lemma for lemma, forms in self.forms.items() for form in forms}

    @cached_property
    def intransitive(self) -> list[tuple[str, str, str]]:
        """(Form, lemma, role) of verbs that have one and the same role whenever they have one."""
        seen: dict[tuple[str, str], set[str]] = defaultdict(set)
        for role in ("agent", "theme"):
            for verb in self.past.get((role,), []):
                seen[verb].add(role)
        return sorted(
            (form, lemma, role)
            for (form, lemma), roles in seen.items()
            if len(roles) == 1
            for role in roles
        )

    @cached_property
    def ending(self) -> str:
        """What most verbs append to their lemma in the past."""
        added = Counter(
            form.removeprefix(lemma)
            for lemma, forms in self.forms.items()
            for form in forms
            if form.startswith(lemma) and form != lemma
        )
        return max(sorted(added), key=added.__getitem__)

    def is_bare(self, form: str, lemma: str) -> bool | None:
        """Whether a form is the verb's bare one; None where its forms do not tell."""
        if form != lemma:
            return False
        return None if len(self.forms.get(lemma, ())) < 2 else True


def is_past(tokens: Sequence[str], position: int) -> bool:
    """Whether a verb is an active past form, by the function words around it."""
    return QUESTION not in tokens[:2] and tokens[position - 1] not in (PASSIVE, INFINITIVE)
