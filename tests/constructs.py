"""What a row of COGS or SLOG shows, by its sentence and its meaning: some of it is held out.

Written without the grammars: depths, places of modified nouns, frames of verbs, questions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from amparser.logic.cogs import LogicalForm, Name, Question, Term, Variable, logical_form_from_str

IN_SUBJECT = ("agent", "theme", "recipient")


@dataclass(frozen=True)
class Edge:
    """A verb or noun, a role, and what fills it."""

    head: int
    role: tuple[str, ...]
    filler: Term


class Meaning:
    """The edges of a logical form, by the positions of their heads."""

    def __init__(self, tokens: Sequence[str], form: LogicalForm) -> None:
        self.tokens = tokens
        self.edges = [
            Edge(atom.terms[0].position, atom.predicate[1:], atom.terms[1])
            for atom in form.atoms
            if len(atom.terms) == 2 and isinstance(atom.terms[0], Variable)
        ]
        self.lemmas = {
            atom.terms[0].position: atom.predicate[0]
            for atom in (*form.atoms, *form.definites)
            if isinstance(atom.terms[0], Variable)
        }

    def position(self, term: Term) -> int:
        """Where a term stands in the sentence."""
        if isinstance(term, Variable):
            return term.position
        if isinstance(term, Question):
            return 0
        assert isinstance(term, Name)
        return self.tokens.index(term.name)

    def below(self, head: int, role: str) -> Iterator[int]:
        """What fills a role, of any preposition where the role is `nmod.`."""
        for edge in self.edges:
            name = ".".join(edge.role)
            if edge.head == head and (name.startswith(role) if role[-1] == "." else name == role):
                yield self.position(edge.filler)

    def depth(self, role: str) -> int:
        """How many edges of a role follow each other."""

        def of(head: int) -> int:
            return max((1 + of(filler) for filler in self.below(head, role)), default=0)

        return max((of(edge.head) for edge in self.edges), default=0)

    def embedding(self) -> int:
        """How deep relative clauses on objects' subjects nest."""

        def of(noun: int) -> int:
            found = 0
            for verb in self.below(noun, "nmod"):
                # A subject of its own, before the verb, not the noun that is modified.
                agents = [of(a) for a in self.below(verb, "agent") if noun < a < verb]
                found = max(found, 1 + max(agents, default=0))
            return found

        return max((of(edge.head) for edge in self.edges), default=0)

    def places(self, noun: int) -> Iterator[tuple[str, bool]]:
        """The roles of a noun outside its own relative clause; is it before the verb?"""
        own = set(self.below(noun, "nmod"))
        own |= {verb for clause in own for verb in self.below(clause, "xcomp")}
        for edge in self.edges:
            fills = edge.role[0] in IN_SUBJECT and self.position(edge.filler) == noun
            if fills and edge.head not in own:
                yield edge.role[0], noun < edge.head

    def modified(self, relative: bool) -> Iterator[int]:
        """The nouns with a relative clause, or with a place, that no relative clause is in."""
        clauses = {verb for e in self.edges for verb in self.below(e.head, "nmod")}
        for noun in {e.head for e in self.edges if e.role[0] == "nmod"}:
            if (relative and any(self.below(noun, "nmod"))) or (
                not relative and any(self.below(noun, "nmod."))
            ):
                governors = {e.head for e in self.edges if self.position(e.filler) == noun}
                if not governors & (clauses - set(self.below(noun, "nmod"))):
                    yield noun


def features(tokens: Sequence[str], text: str) -> set[tuple[object, ...]]:
    """What may be new in a row for who learned from others."""
    form = logical_form_from_str(text)
    if form.bound or form.name is not None:
        return set()
    meaning = Meaning(tokens, form)
    found: set[tuple[object, ...]] = {(role, meaning.depth(role)) for role in ("nmod.", "ccomp")}
    found.add(("embedding", meaning.embedding()))
    for kind, relative in (("PP", False), ("RC", True)):
        for noun in meaning.modified(relative):
            found |= {(kind, *place) for place in meaning.places(noun)}
    asked = frozenset(e.role[0] for e in meaning.edges if isinstance(e.filler, Question))
    inner = frozenset(e.role[0] for e in meaning.edges) & {"nmod", "ccomp", "xcomp"}
    stranded = any(a == "to" and (b in ".?" or (b[0].islower() and b not in ("the", "a")))
                   for a, b in pairwise(tokens))  # fmt: skip
    for e in meaning.edges:
        filler = meaning.position(e.filler)
        if e.role[0] in (*IN_SUBJECT, "xcomp"):
            found.add((tokens[filler], e.role[0], filler < e.head))
    for verb, lemma in meaning.lemmas.items():
        roles = frozenset(e.role[0] for e in meaning.edges if e.head == verb)
        if roles.intersection(IN_SUBJECT):
            found.add((lemma, roles, tokens[verb - 1] == "was", "to" in tokens[verb:]))
            if any(e.head == verb and isinstance(e.filler, Question) for e in meaning.edges):
                found.add(("asked", tokens[1] in ("did", "was") and tokens[1], asked, roles, inner))
    if "xcomp" not in inner:
        found.add(("stranded", stranded, bool(asked)))
    return found
