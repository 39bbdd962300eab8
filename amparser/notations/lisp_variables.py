"""Lisp with variables as trees: what a variable's place says of it is part of labels.

    (lambda $0 e (and (flight $0) (from $0 boston : ci)))

    `lambda: ! e *` -arg2-> `flight: $` -&and-> `from: $ *` -&and-> `.`
                                                `from: $ *` -arg1-> `_ : ci` -arg0-> `"boston"`

A list whose second item is a variable that nothing above binds is a *binder*. The label of a list
that binds or has variables ends with what its items are:

    !       the variable that it binds; `!?x` if its name is not the next of `$0`, `$1`, ...
    e       the word behind it, its type
    $       the variable that was bound last; `^` the one before, `^^` the one before that
    *       anything else, which an edge leads to
    *::ci   a literal with this type, `*:ci` for one without spaces

So no name of a variable is kept, and constants say nothing of what stands around them. A binder and
the one that is all of its scope are one node (`lambda: ! e ; exists: ! *`).

With a corpus (`Shapes`), the conjuncts in the scope of a binder are a chain in the order in which
the sentence announces them, as one may follow any other. The edges of the chain have the name of
what joins them (`&and`), and the last leads to `.`. If a corpus writes conjuncts in an order of its
own, labels end with their place in it (`from: $ * /2`). The one conjunct of a binder that has a
variable from outside is then a part of its label (`exists: ! * ~1/9 by: $ ^`); its edges begin with
`in-`. Constants with types (`boston : ci`) are literals if the words of sentences spell most of
their type, and are symbols otherwise. A type whose literals stand in one place alone is a part of
the label above (`*::ci`): one word says both.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, count
from typing import NamedTuple

import networkx as nx

from amparser.errors import LogicError, nesting
from amparser.graph.sgraph import SGraph
from amparser.logic.sexpr import Sexpr
from amparser.notations.announcing import Announced, announced, announcing_word, spelled_texts
from amparser.notations.ordered_trees import graph_of_tree

CHAIN, END, NOTHING, BINDS, LINK, INSIDE = "&", ".", "()", ": !", "~", "in-"
"""What edges of a chain begin with, what ends it, the head of a list that has none, what the labels
of binders have, and what a conjunct in them and its edges begin with."""
LITERAL_NODE = re.compile(r"_ :( ?)(\S+)")
PATTERN = re.compile(r"(\S+): (.+)")
RANKED = re.compile(r"(.+) /(\d+)")
"""The labels of what is above a literal, of a list with variables, and with a place in an order."""
_VARIABLE = re.compile(r"[$?][^\s()\"]+")
_TYPED = re.compile(r"([^\s:\"|$?][^\s:\"|]*)( ?):\2([^\s:\"|]+)")
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")


class Conjunct(NamedTuple):
    """A conjunct of a scope: what it is known by, and the names that it contains."""

    key: str
    names: tuple[str, ...]


@dataclass
class Term:
    """A node of the tree and what is below it, in the order of the text."""

    label: str
    below: list[tuple[str, Term]] = field(default_factory=list)

    def conjunct(self) -> Conjunct:
        """What is looked at of a conjunct."""
        inner = next((t.label for _, t in self.below if t.below or ": " in t.label), "")
        names, todo = [], [self]
        for term in todo:
            todo += [below for _, below in term.below]
            if term.label[:1] == '"' or _NUMBER.fullmatch(term.label):
                names.append(term.label.strip('"').lower())
        return Conjunct(f"{self.label} {inner}".strip(), tuple(names))


@dataclass(frozen=True)
class Shapes:
    """What a corpus shows of its variables.

    Attributes:
        joint: what joins conjuncts in the scope of binders, such as `and`; empty for nothing.
        places: the labels and edges of binders below which it stands.
        copied: the types whose constants the words of sentences spell.
        alone: the types whose literals stand in one place of one list.
        announced: how well a word goes with a conjunct, by its key.
        ranks: the place of conjuncts in the order of a scope, by their keys.
    """

    joint: str = ""
    places: frozenset[tuple[str, str]] = frozenset()
    copied: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    announced: Announced = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)


def has_variables(sexpr: Sexpr) -> bool:
    """Whether an s-expression binds a variable."""
    todo = [sexpr]
    for one in todo:
        todo += one.items
        if len(one.items) > 1 and is_variable(one.items[1]) and head_of(one):
            return True
    return False


def graph_of_variables(
    sexpr: Sexpr, tokens: Sequence[str] = (), shapes: Shapes | None = None
) -> SGraph:
    """The tree of an s-expression; `shapes` are those of its corpus, if there is one."""
    term = term_of(sexpr, shapes)
    if shapes is not None:
        term = _chained(term, [token.lower() for token in tokens], shapes)
    return graph_of_tree(term, lambda one: (one.label, one.below))


def term_of(sexpr: Sexpr, shapes: Shapes | None = None) -> Term:
    """The tree of an s-expression, its conjuncts not yet chained.

    Raises:
        LogicError: nested too deeply.
    """
    numbers = count()

    def list_term(one: Sexpr, scope: tuple[str, ...]) -> Term:
        head = head_of(one)
        items = _typed_items(one.items[1:] if head and not one.quoted else one.items)
        marks = []
        if head and items and is_variable(items[0]) and items[0].atom not in scope:
            name = items[0].atom
            scope = (name, *scope)
            marks = ["!" if name == f"${next(numbers)}" else f"!{name}"]
            if len(items) > 2 and not items[1].items and re.fullmatch(r"[^\W\d]\w*", items[1].atom):
                marks.append(items[1].atom)
        for item in items[len(marks) :]:
            free = not is_variable(item) or item.atom not in scope
            marks.append("*" if free else "^" * scope.index(item.atom) or "$")
        label = head or (f"{one.atom}{NOTHING}" if one.quoted else NOTHING)
        if not items and not one.quoted:
            return Term(f"({head})" if head else label)
        below = [(f"arg{i}", term(item, scope)) for i, item in enumerate(items) if marks[i] == "*"]
        for number, (place, inner) in enumerate(below):
            typed = LITERAL_NODE.fullmatch(inner.label)
            if typed and shapes is not None and typed[2] in shapes.alone:
                marks[int(place[3:])] = f"*{'::' if typed[1] else ':'}{typed[2]}"
                below[number] = place, inner.below[0][1]
        if marks and marks[0][0] == "!" and marks[-1] == "*" and len(below) == 1:
            [(_, inner)] = below
            if BINDS in inner.label:
                return Term(f"{label}: {' '.join(marks[:-1])} ; {inner.label}", inner.below)
        told = any(mark != "*" for mark in marks)
        return Term(f"{label}: {' '.join(marks)}" if told else label, below)

    def term(one: Sexpr, scope: tuple[str, ...]) -> Term:
        if one.is_list or one.quoted:
            return list_term(one, scope)
        typed = _TYPED.fullmatch(one.atom)
        if typed is None:
            return Term(one.atom)
        name, space, kind = typed.groups()
        number = _NUMBER.fullmatch(name) is not None
        if not number and (shapes is None or kind not in shapes.copied):
            return Term(one.atom)
        return Term(f"_ :{space}{kind}", [("arg0", Term(name if number else f'"{name}"'))])

    with nesting(LogicError):
        return term(sexpr, ())


def head_of(one: Sexpr) -> str:
    """The atom that a list begins with; empty if it begins with none, or one with spaces."""
    if one.quoted or not one.items or one.items[0].items or is_variable(one.items[0]):
        return ""
    return "" if " " in one.items[0].atom else one.items[0].atom


def is_variable(one: Sexpr) -> bool:
    """Whether this is an atom such as `$0` or `?x`."""
    return not one.items and _VARIABLE.fullmatch(one.atom) is not None


def _typed_items(items: Sequence[Sexpr]) -> list[Sexpr]:
    """The items of a list, `X : T` as one atom."""
    found: list[Sexpr] = []
    place = 0
    while place < len(items):
        three = items[place : place + 3]
        text = " ".join(one.atom for one in three)
        if len(three) == 3 and not any(one.items for one in three) and _TYPED.fullmatch(text):
            found.append(Sexpr(text))
            place += 3
        else:
            found.append(items[place])
            place += 1
    return found


def _conjuncts(term: Term, joint: str) -> list[Term]:
    """What a scope says, one by one; empty if that is no chain."""
    several = term.label == joint and len(term.below) > 1
    found = [below for _, below in term.below] if several else [term]
    literal = any(not one.below and one.label[:1] in "\"'|+-0123456789" for one in found)
    return [] if literal else found


def _chained(term: Term, words: Sequence[str], shapes: Shapes) -> Term:
    """The tree with chains of conjuncts in the order of the words that announce them."""
    below, label = [], term.label
    for place, one in term.below:
        inside = _conjuncts(one, shapes.joint) if (term.label, place) in shapes.places else []
        link = _link(inside, shapes) if BINDS in label and LINK not in label else None
        if link is not None:
            inside.remove(link)
            rank = shapes.ranks[link.conjunct().key]
            label = f"{label} {LINK}{place[3:]}/{rank} {link.label}"
            below += [(f"{INSIDE}{edge}", leaf) for edge, leaf in link.below]
        chain = [(_place(part.conjunct(), words, shapes), part) for part in inside]
        following = Term(END)
        for _, part in sorted(chain, key=lambda pair: -pair[0]):
            made = _chained(part, words, shapes)
            if shapes.ranks:
                made.label = _ranked(made.label, shapes.ranks.get(part.conjunct().key, 0))
            made.below.append((f"{CHAIN}{shapes.joint}", following))
            following = made
        below.append((place, following if inside else _chained(one, words, shapes)))
    return Term(label, below)


def _link(conjuncts: Sequence[Term], shapes: Shapes) -> Term | None:
    """The only conjunct with a variable from outside, if its place in the order is its own."""
    found = [one for one in conjuncts if "^" in one.label.split(" ")]
    if len(found) != 1 or len(conjuncts) < 2 or any(leaf.below for _, leaf in found[0].below):
        return None
    ranks = [shapes.ranks.get(one.conjunct().key) for one in conjuncts]
    own = shapes.ranks.get(found[0].conjunct().key)
    return found[0] if own is not None and ranks.count(own) == 1 else None


def _ranked(label: str, rank: int) -> str:
    return f"{label} /{rank}" if PATTERN.fullmatch(label) else f"{label}: /{rank}"


def _place(conjunct: Conjunct, words: Sequence[str], shapes: Shapes) -> int:
    """The word that announces a conjunct: one of its names, or else the one that goes with it."""
    spelled = [i for i, word in enumerate(words) if _names(word, conjunct.names)]
    return announcing_word(conjunct.key, spelled, words, shapes.announced)


def _names(word: str, names: Iterable[str]) -> bool:
    return any(word == name or (len(word) > 2 and word in name.split("_")) for name in names)


def shapes_of(rows: Iterable[tuple[Sequence[str], Sexpr]]) -> Shapes | None:
    """What a corpus shows of its variables; None if it has none."""
    found = [([token.lower() for token in tokens], sexpr) for tokens, sexpr in rows]
    if not any(has_variables(sexpr) for _, sexpr in found):
        return None
    shapes = Shapes(copied=_copied(found))
    shapes = replace(shapes, alone=_alone([term_of(sexpr, shapes) for _, sexpr in found]))
    terms = [(words, term_of(sexpr, shapes)) for words, sexpr in found]
    joints: Counter[str] = Counter()
    places: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for _, term in terms:
        for label, place, below in _scopes(term):
            if len(below.below) > 1 and re.fullmatch(r"\w+", below.label):
                joints[below.label] += 1
                places[below.label].add((label, place))
    if not joints:
        return shapes
    joint = max(sorted(joints), key=joints.__getitem__)
    chains: list[list[str]] = []
    spoken: list[tuple[list[str], list[str]]] = []
    for words, term in terms:
        others, names = [term.label], set[str]()
        first = len(chains)
        for label, place, below in _scopes(term):
            if (label, place) in places[joint]:
                conjuncts = [one.conjunct() for one in _conjuncts(below, joint)]
                chains.append([one.key for one in conjuncts])
                names.update(name for one in conjuncts for name in one.names)
                others.append(label)
            else:
                others.append(f"{label} {below.label}")
        left = [word for word in words if not _names(word, names)]
        spoken.append((left, [*others, *(key for keys in chains[first:] for key in keys)]))
    return replace(
        shapes,
        joint=joint,
        places=frozenset(places[joint]),
        announced=announced(spoken),
        ranks=_ranks(chains),
    )


def _scopes(term: Term) -> Iterator[tuple[str, str, Term]]:
    """The labels of binders, the edges below them, and what these lead to."""
    todo = [term]
    for one in todo:
        todo += [below for _, below in one.below]
        if BINDS in one.label:
            yield from ((one.label, place, below) for place, below in one.below)


def _copied(rows: Sequence[tuple[Sequence[str], Sexpr]]) -> frozenset[str]:
    """The types most of whose constants the words of their sentences spell."""
    seen: Counter[str] = Counter()
    spelled: Counter[str] = Counter()
    for words, sexpr in rows:
        texts = spelled_texts(words)
        todo = [sexpr]
        for one in todo:
            todo += one.items
            for item in _typed_items(one.items[1:]):
                if typed := _TYPED.fullmatch(item.atom):
                    seen[typed[3]] += 1
                    spelled[typed[3]] += typed[1].lower() in texts
    return frozenset(kind for kind, count in seen.items() if 2 * spelled[kind] > count)


def _alone(terms: Sequence[Term]) -> frozenset[str]:
    """The types whose literals stand below one edge of one label."""
    places: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for term in terms:
        todo = [term]
        for one in todo:
            for place, below in one.below:
                todo.append(below)
                if typed := LITERAL_NODE.fullmatch(below.label):
                    places[typed[2]].add((one.label, place))
    return frozenset(kind for kind, found in places.items() if len(found) == 1)


def _ranks(scopes: Iterable[Sequence[str]]) -> Mapping[str, int]:
    """The places of conjuncts in an order that all scopes keep; empty if there is none.

    Those that stand now before and now behind each other have one place. Of two that never meet,
    the one that more of the others stand behind comes first.
    """
    order: nx.DiGraph[str] = nx.DiGraph()
    for keys in {tuple(keys) for keys in scopes}:
        order.add_nodes_from(keys)
        order.add_edges_from(pair for pair in combinations(keys, 2) if pair[0] != pair[1])
    whole = nx.condensation(order)
    members = {part: sorted(whole.nodes[part]["members"]) for part in whole}

    def place(part: int) -> tuple[float, str]:
        before = sum(order.in_degree(key) for key in members[part])
        behind = sum(order.out_degree(key) for key in members[part])
        return before / max(1, before + behind), members[part][0]

    ranks: dict[str, int] = {}
    for rank, part in enumerate(nx.lexicographical_topological_sort(whole, key=place)):
        ranks.update(dict.fromkeys(members[part], rank))
    return ranks if any(ranks.values()) else {}
