"""What COGS and SLOG hold out for generalization, recognised in a sentence and its meaning.

Written from the papers' descriptions of the types, without the grammars: `constructs` gives
the types of generalization that a row shows. Rows of a training split show none.
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


def slog_constructs(tokens: Sequence[str], text: str) -> set[str]:
    """The types of SLOG's generalization that a row shows."""
    form = logical_form_from_str(text)
    if form.bound or form.name is not None:
        return set()
    meaning = Meaning(tokens, form)
    found = set()
    for name, depth in (
        ("PP", meaning.depth("nmod.")),
        ("CP", meaning.depth("ccomp")),
        ("center_embed", meaning.embedding()),
    ):
        if depth == 3:
            found.add(f"{name}_3")
        if depth >= 5:
            found.add(f"{name}_5-12")
    for kind, relative in (("PP", False), ("RC", True)):
        for noun in meaning.modified(relative):
            for role, before in meaning.places(noun):
                if before or role == "agent":
                    found.add(f"{kind}_modif_subj")
                elif role == "recipient":
                    found.add(f"{kind}_modif_iobj")
    stranded = any(
        a == "to" and (b in (".", "?") or (b[0].islower() and b not in ("the", "a")))
        for a, b in pairwise(tokens)
    ) and not any(e.role == ("xcomp",) for e in meaning.edges)
    if tokens[0] in ("Who", "What"):
        found |= _questions(tokens, meaning, stranded)
    elif stranded:
        found.add("RC_iobj_extracted")
    return found


def _questions(tokens: Sequence[str], meaning: Meaning, stranded: bool) -> set[str]:
    found = set()
    asked = [e for e in meaning.edges if isinstance(e.filler, Question)]
    roles = {e.role[0] for e in asked}
    verb = max(e.head for e in asked) if tokens[1] == "did" else min(e.head for e in asked)
    of_verb = {e.role[0] for e in meaning.edges if e.head == verb}
    if any(e.role[0] == "nmod" for e in meaning.edges):
        found.add("Q_modified_NPs")
    if tokens[1] == "did":
        if any(e.role[0] == "ccomp" for e in meaning.edges):
            found.add("Q_long_mv")
        elif stranded:
            found.add("Q_iobj_ditransV")
        elif "recipient" in of_verb:
            found.add("Q_dobj_ditransV")
    elif tokens[1] == "was":
        found.add("Q_subj_passive")
    elif of_verb != {"agent", "theme"} or roles != {"agent"}:
        found.add("Q_subj_active")
    return found


def cogs_constructs(tokens: Sequence[str], text: str) -> set[str]:
    """The types of COGS's generalization that a row shows."""
    form = logical_form_from_str(text)
    if form.bound or form.name is not None:
        return set()
    meaning = Meaning(tokens, form)
    found = set()
    if meaning.depth("nmod.") >= 3:
        found.add("pp_recursion")
    if meaning.depth("ccomp") >= 3:
        found.add("cp_recursion")
    for noun in meaning.modified(relative=False):
        if any(before or role == "agent" for role, before in meaning.places(noun)):
            found.add("obj_pp_to_subj_pp")
    for word, kinds in _WORDS.items():
        if word in tokens:
            for role, before in meaning.places(tokens.index(word)):
                found |= {kinds[0]} if before and role == "agent" else set()
                found |= {kinds[1]} if not before and role == "theme" else set()
    subjects = {
        word: {
            frozenset(o.role[0] for o in meaning.edges if o.head == e.head)
            for e in meaning.edges
            if e.role[0] in IN_SUBJECT and tokens[meaning.position(e.filler)] == word
        }
        for word in ("cobra", "hippo")
    }
    if frozenset({"theme"}) in subjects["cobra"]:
        found.add("only_seen_as_transitive_subj_as_unacc_subj")
    if frozenset({"agent"}) in subjects["hippo"]:
        found |= {
            "only_seen_as_unacc_subj_as_obj_omitted_transitive_subj",
            "only_seen_as_unacc_subj_as_unerg_subj",
        }
    for verb, lemma in meaning.lemmas.items():
        roles = {e.role[0] for e in meaning.edges if e.head == verb}
        passive = tokens[verb - 1] == "was"
        for kind, wanted_lemma, wanted_roles, wanted_passive, to in _FRAMES:
            fits = lemma == wanted_lemma and passive == wanted_passive
            if fits and wanted_roles <= roles and (to is None or to == ("to" in tokens[verb:])):
                found.add(kind)
    return found - {""}


# As an agent before its verb; as a theme after it.
_WORDS = {
    "shark": ("prim_to_subj_common", "prim_to_obj_common"),
    "Paula": ("prim_to_subj_proper", "prim_to_obj_proper"),
    "hedgehog": ("", "subj_to_obj_common"),
    "Lina": ("", "subj_to_obj_proper"),
    "cockroach": ("obj_to_subj_common", ""),
    "Charlie": ("obj_to_subj_proper", ""),
}
# Kind, lemma, roles, passive, and is there a `to`?
_FRAMES: tuple[tuple[str, str, set[str], bool, bool | None], ...] = (
    ("prim_to_inf_arg", "crawl", {"agent"}, False, None),
    ("active_to_passive", "bless", {"theme"}, True, None),
    ("passive_to_active", "squeeze", {"agent", "theme"}, False, None),
    ("obj_omitted_transitive_to_transitive", "bake", {"agent", "theme"}, False, None),
    ("unacc_to_transitive", "shatter", {"agent", "theme"}, False, None),
    ("do_dative_to_pp_dative", "teleport", {"recipient"}, False, True),
    ("pp_dative_to_do_dative", "ship", {"recipient"}, False, False),
)
