"""Convert s-expressions with variables to trees whose labels contain the variables.

    (answer (city "a" _))
    `answer` -arg0-> `city` -arg0-> `"a"`, `city` -arg1-> `_`

    (lambda $0 e (and (flight $0) (from $0 boston : ci)))
    `(lambda ! e _)` -arg0-> `(flight $)` -&and-> `(from $ _)` -&and-> `.`
                                                  `(from $ _)` -arg0-> `_ : ci` -arg0-> `"boston"`

A list is a node. Its label is its first item if this is an atom; other lists have the label `()`. A
list of one atom has the label `(f)`, and `'x` has the label `'()`. Edges `arg0`, `arg1`, ... lead
to the other items. A list is a *binder* if its second item is a variable that no outer list binds;
its other items are its *scope*. If a list binds or contains variables, its label is the whole list,
in which these marks replace the items after the first:

    !       the variable that the list binds; `!?x` if its name is not the next of `$0`, `$1`, ...
    $       the variable that was bound last; `^` is the one before, `^^` the one before that, ...
    _       any other item, to which an edge leads; `_ : ci` for a literal of type `ci`

The names of variables are therefore not part of the graph. If the scope of a binder is another
binder, the two are a single node, `(lambda ! e (exists ! _))`.

Statistics of a corpus (`Shapes`) change the graphs further:

- The conjuncts in the scope of a binder form a *chain*: each conjunct has an edge to the next, in
  the order of the words that announce them (`announcing`). The edges are named after the connective
  (`&and`), and the last edge leads to `.`.
- If a corpus writes conjuncts in a fixed order, the label of a conjunct ends with its rank in this
  order, `(from $ _) #2`.
- If exactly one conjunct in the scope of a binder has a variable that an outer binder binds, this
  conjunct is part of the binder's label, `(exists ! (and (by $ ^) #9 _))`.
- Typed constants (`boston : ci`) are literals (`"boston"`) if words of the sentences spell most
  constants of the type; otherwise they are symbols. If literals of a type occur only below one
  edge label of one node label, the type is part of this node label.
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
from amparser.logic.sexpr import Sexpr
from amparser.notations.announcing import Announced, announced, announcing_word, spelled_texts
from amparser.notations.ordered_trees import Tree, arguments

CHAIN, END, NOTHING = "&", ".", "()"
"""Prefix of a chain's edges, label of a chain's end, and label of a list without a head."""
LITERAL_NODE = re.compile(r"_ :( ?)(\S+)")
"""Pattern of the label above a literal, such as `_ : ci`."""
RANKED = re.compile(r"(.+) #(\d+)")
"""Pattern of a label with a rank, such as `(from $ _) #2`."""
HOLE = re.compile(r"(?<= )_(?=[ ):])")
"""Pattern of a placeholder `_` in a label, such as `(from $ _)`."""
_TELLING = re.compile(r"\(.* |.+: ").match
_BINDER = re.compile(r"\([^\s()]+ !")
_OUTSIDE = re.compile(r" \^(?=[ )])")
_VARIABLE = re.compile(r"[$?][^\s()\"]+")
TYPED = re.compile(r"([^\s:\"|$?][^\s:\"|]*)( ?):\2([^\s:\"|]+)")
_WORD = re.compile(r"[^\W\d_]\w*")
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")


class Conjunct(NamedTuple):
    """Conjunct of a scope: its key (see `announcing`), and the names and numbers in it."""

    key: str
    names: tuple[str, ...]


def _conjunct(tree: Tree) -> Conjunct:
    labels = (inner.label for _, inner in tree.below if inner.below or _TELLING(inner.label))
    names = (
        part.label.strip('"').lower()
        for part in tree.subtrees()
        if part.label[:1] == '"' or _NUMBER.fullmatch(part.label)
    )
    return Conjunct(f"{tree.label} {next(labels, '')}".strip(), tuple(names))


@dataclass(frozen=True)
class Shapes:
    """Statistics of a corpus with variables; see the module's docstring.

    Attributes:
        joint: connective of conjuncts in the scope of binders, such as `and`, or `""`.
        places: pairs (label of a binder, label of an edge from it to the connective).
        copied: types of constants that are usually spelled by words of the sentence.
        alone: types whose literals occur only below one edge label of one node label.
        announced: P(word | key of a conjunct).
        ranks: rank of each conjunct in the order in which the corpus writes conjuncts, by key.
    """

    joint: str = ""
    places: frozenset[tuple[str, str]] = frozenset()
    copied: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    announced: Announced = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)


def is_pattern(label: str) -> bool:
    """Return True if a label is a list with marks (see the module's docstring)."""
    return label.startswith("(") and " " in label


def has_variables(sexpr: Sexpr) -> bool:
    """Return True if an s-expression binds a variable."""
    todo = [sexpr]
    for part in todo:
        todo += part.items
        if len(part.items) > 1 and is_variable(part.items[1]) and head_of(part):
            return True
    return False


def tree_of_sexpr(sexpr: Sexpr, tokens: Sequence[str] = (), shapes: Shapes | None = None) -> Tree:
    """Return the tree of an s-expression; `shapes` determine the chains of conjuncts."""
    tree = _unchained(sexpr, shapes)
    words = [token.lower() for token in tokens]
    return tree if shapes is None else _chained(tree, words, shapes)


def _unchained(sexpr: Sexpr, shapes: Shapes | None = None) -> Tree:
    numbers = count()

    def list_term(part: Sexpr, scope: tuple[str, ...]) -> Tree:
        head = head_of(part)
        items = _typed_items(part.items[1:] if head else part.items)
        label = head or f"{part.atom}{NOTHING}"
        marks: list[str] = []
        below: list[Tree] = []
        binds = False
        for place, item in enumerate(items):
            if is_variable(item) and item.atom in scope:
                marks.append("^" * scope.index(item.atom) or "$")
            elif head and not place and is_variable(item):
                marks.append("!" if item.atom == f"${next(numbers)}" else f"!{item.atom}")
                scope, binds = (item.atom, *scope), True
            elif binds and place == 1 and len(items) > 2 and _WORD.fullmatch(item.atom):
                marks.append(item.atom)
            else:
                mark, inner = "_", term(item, scope)
                typed = LITERAL_NODE.fullmatch(inner.label)
                if typed and inner.below and shapes is not None and typed[2] in shapes.alone:
                    mark = f"_{typed[1]}:{typed[1]}{typed[2]}"
                    [(_, inner)] = inner.below
                marks.append(mark)
                below.append(inner)
        if binds and marks[-1] == "_" and len(below) == 1 and _BINDER.search(below[0].label):
            return Tree(f"({label} {' '.join(marks[:-1])} {below[0].label})", below[0].below)
        if any(mark != "_" for mark in marks):
            label = f"({label} {' '.join(marks)})"
        elif head and not items:
            label = f"({head})"
        return Tree(label, arguments(below))

    def term(part: Sexpr, scope: tuple[str, ...]) -> Tree:
        if part.is_list or part.quoted:
            return list_term(part, scope)
        typed = TYPED.fullmatch(part.atom)
        if typed is None:
            return Tree(part.atom)
        name, space, type_name = typed.groups()
        number = _NUMBER.fullmatch(name) is not None
        if not number and (shapes is None or type_name not in shapes.copied):
            return Tree(part.atom)
        return Tree(f"_ :{space}{type_name}", arguments([Tree(name if number else f'"{name}"')]))

    with nesting(LogicError):
        return term(sexpr, ())


def head_of(sexpr: Sexpr) -> str:
    """Return a list's first item; `""` if that item is a list or a variable, or has spaces."""
    if sexpr.quoted or not sexpr.items or sexpr.items[0].items or is_variable(sexpr.items[0]):
        return ""
    return "" if " " in sexpr.items[0].atom else sexpr.items[0].atom


def is_variable(sexpr: Sexpr) -> bool:
    """Return True for an atom such as `$0` or `?x`."""
    return not sexpr.items and _VARIABLE.fullmatch(sexpr.atom) is not None


def _typed_items(items: Sequence[Sexpr]) -> list[Sexpr]:
    """Return the items of a list; the items `X`, `:`, `T` become the atom `X : T`."""
    typed: list[Sexpr] = []
    place = 0
    while place < len(items):
        three = items[place : place + 3]
        text = " ".join(item.atom for item in three)
        if len(three) == 3 and not any(item.items for item in three) and TYPED.fullmatch(text):
            typed.append(Sexpr(text))
            place += 3
        else:
            typed.append(items[place])
            place += 1
    return typed


def _conjuncts(term: Tree, joint: str) -> list[Tree]:
    """Return the conjuncts that `joint` connects, or `[]` if one of them is a literal."""
    several = term.label == joint and len(term.below) > 1
    conjuncts = [below for _, below in term.below] if several else [term]
    literal = any(
        not conjunct.below and conjunct.label[:1] in "\"'|+-0123456789" for conjunct in conjuncts
    )
    return [] if literal else conjuncts


def _chained(term: Tree, words: Sequence[str], shapes: Shapes) -> Tree:
    below: list[Tree] = []
    label, linked = term.label, False
    for place, child in term.below:
        inside = _conjuncts(child, shapes.joint) if (term.label, place) in shapes.places else []
        link = None if linked else _link(inside, shapes)
        if link is not None:
            inside.remove(link)
            linked = True
            rank = shapes.ranks[_conjunct(link).key]
            hole = list(HOLE.finditer(label))[len(below)].start()
            joined = f"({shapes.joint} {link.label} #{rank} _)"
            label = label[:hole] + joined + label[hole + 1 :]
            below += [leaf for _, leaf in link.below]
        chain = [(_place(_conjunct(part), words, shapes), part) for part in inside]
        following = Tree(END)
        for _, part in sorted(chain, key=lambda pair: -pair[0]):
            made = _chained(part, words, shapes)
            if shapes.ranks:
                made.label = f"{made.label} #{shapes.ranks.get(_conjunct(part).key, 0)}"
            made.below.append((f"{CHAIN}{shapes.joint}", following))
            following = made
        below.append(following if inside else _chained(child, words, shapes))
    return Tree(label, arguments(below))


def _link(conjuncts: Sequence[Tree], shapes: Shapes) -> Tree | None:
    """Return the conjunct that becomes part of its binder's label, or None.

    It is the only conjunct with a variable of an outer binder, and no other conjunct has its rank.
    """
    outer = [conjunct for conjunct in conjuncts if _OUTSIDE.search(conjunct.label)]
    if len(outer) != 1 or len(conjuncts) < 2 or any(leaf.below for _, leaf in outer[0].below):
        return None
    ranks = [shapes.ranks.get(_conjunct(conjunct).key) for conjunct in conjuncts]
    rank = shapes.ranks.get(_conjunct(outer[0]).key)
    return outer[0] if rank is not None and ranks.count(rank) == 1 else None


def _place(conjunct: Conjunct, words: Sequence[str], shapes: Shapes) -> int:
    spelled = [i for i, word in enumerate(words) if _names(word, conjunct.names)]
    return announcing_word(conjunct.key, spelled, words, shapes.announced)


def _names(word: str, names: Iterable[str]) -> bool:
    return any(word == name or (len(word) > 2 and word in name.split("_")) for name in names)


def shapes_of(rows: Iterable[tuple[Sequence[str], Sexpr]]) -> Shapes | None:
    """Return statistics of a corpus; None if it has no variables."""
    sentences = [([token.lower() for token in tokens], sexpr) for tokens, sexpr in rows]
    if not any(has_variables(sexpr) for _, sexpr in sentences):
        return None
    shapes = Shapes(copied=_copied(sentences))
    shapes = replace(shapes, alone=_alone([_unchained(sexpr, shapes) for _, sexpr in sentences]))
    terms = [(words, _unchained(sexpr, shapes)) for words, sexpr in sentences]
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
                conjuncts = [_conjunct(conjunct) for conjunct in _conjuncts(below, joint)]
                chains.append([conjunct.key for conjunct in conjuncts])
                names.update(name for conjunct in conjuncts for name in conjunct.names)
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


def _scopes(term: Tree) -> Iterator[tuple[str, str, Tree]]:
    """Yield (label of the binder, edge label, child) for each edge below a binder."""
    for subterm in term.subtrees():
        if _BINDER.search(subterm.label):
            yield from ((subterm.label, place, below) for place, below in subterm.below)


def _copied(rows: Sequence[tuple[Sequence[str], Sexpr]]) -> frozenset[str]:
    seen: Counter[str] = Counter()
    spelled: Counter[str] = Counter()
    for words, sexpr in rows:
        texts = spelled_texts(words)
        todo = [sexpr]
        for part in todo:
            todo += part.items
            for item in _typed_items(part.items[1:]):
                if typed := TYPED.fullmatch(item.atom):
                    seen[typed[3]] += 1
                    spelled[typed[3]] += typed[1].lower() in texts
    return frozenset(
        type_name for type_name, count in seen.items() if 2 * spelled[type_name] > count
    )


def _alone(terms: Sequence[Tree]) -> frozenset[str]:
    places: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for term in terms:
        for subterm in term.subtrees():
            for place, below in subterm.below:
                if typed := LITERAL_NODE.fullmatch(below.label):
                    places[typed[2]].add((subterm.label, place))
    return frozenset(type_name for type_name, ports in places.items() if len(ports) == 1)


def _ranks(scopes: Iterable[Sequence[str]]) -> Mapping[str, int]:
    """Rank conjuncts by the order in which the corpus writes them; `{}` if all ranks are equal.

    Conjuncts that occur in both orders have the same rank. If two conjuncts never occur in the
    same scope, the one that more often precedes other conjuncts comes first.
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
