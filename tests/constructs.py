"""Constructions in rows of COGS and SLOG, which some splits hold out.

Derived from sentence and meaning without the grammars: depths, positions of modified nouns, frames
of verbs, questions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from amparser.logic.cogs import LogicalForm, Name, Question, Term, Variable, logical_form_from_str

IN_SUBJECT = ("agent", "theme", "recipient")


@dataclass(frozen=True)
class Edge:
    """A verb or noun, a role, and the role's filler."""

    head: int
    role: tuple[str, ...]
    filler: Term


class Meaning:
    """Edges of a logical form, by the positions of their heads."""

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
        if isinstance(term, Variable):
            return term.position
        if isinstance(term, Question):
            return 0
        assert isinstance(term, Name)
        return self.tokens.index(term.name)

    def below(self, head: int, role: str) -> Iterator[int]:
        """Yield the fillers of a role; the role `nmod.` stands for all prepositions."""
        for edge in self.edges:
            name = ".".join(edge.role)
            if edge.head == head and (name.startswith(role) if role[-1] == "." else name == role):
                yield self.position(edge.filler)

    def depth(self, role: str) -> int:
        def of(head: int) -> int:
            return max((1 + of(filler) for filler in self.below(head, role)), default=0)

        return max((of(edge.head) for edge in self.edges), default=0)

    def embedding(self) -> int:
        """Return the depth of relative clauses on subjects within relative clauses."""

        def of(noun: int) -> int:
            found = 0
            for verb in self.below(noun, "nmod"):
                # The clause's own subject before the verb, not the modified noun.
                agents = [of(a) for a in self.below(verb, "agent") if noun < a < verb]
                found = max(found, 1 + max(agents, default=0))
            return found

        return max((of(edge.head) for edge in self.edges), default=0)

    def places(self, noun: int) -> Iterator[tuple[str, bool]]:
        """Yield each role of a noun outside its relative clause, and if it precedes the verb."""
        own = set(self.below(noun, "nmod"))
        own |= {verb for clause in own for verb in self.below(clause, "xcomp")}
        for edge in self.edges:
            fills = edge.role[0] in IN_SUBJECT and self.position(edge.filler) == noun
            if fills and edge.head not in own:
                yield edge.role[0], noun < edge.head

    def modified(self, relative: bool) -> Iterator[int]:
        """Yield nouns with a relative clause (or preposition) that are not in another clause."""
        clauses = {verb for e in self.edges for verb in self.below(e.head, "nmod")}
        for noun in {e.head for e in self.edges if e.role[0] == "nmod"}:
            if (relative and any(self.below(noun, "nmod"))) or (
                not relative and any(self.below(noun, "nmod."))
            ):
                governors = {e.head for e in self.edges if self.position(e.filler) == noun}
                if not governors & (clauses - set(self.below(noun, "nmod"))):
                    yield noun


def features(tokens: Sequence[str], text: str) -> set[tuple[object, ...]]:
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
