"""Functions with unordered arguments, and comparison of meanings as sets.

    intersect(a, b) = intersect(b, a)
    filter(filter(x, a), b) = filter(filter(x, b), a)

The *items* of a function such as `intersect` are its arguments (see `repeated`). A function such as
`filter` is *nested*: its first argument is a call of the same function, and the other arguments of
each call form an item. Items are unordered if a corpus has the same items in both orders, and the
order of the words that announce them (`announcing`) does not explain the difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from amparser.notations.announcing import Announced, announced, announcing_word
from amparser.notations.notation import Unordered
from amparser.notations.ordered_trees import PLACE, Tree, arguments
from amparser.notations.repeated import Rows, chains_of, functions, kind_of, texts_of

NESTED = -1
"""Value of a nested function in `Sets.unordered`."""
_LEAST = 3
"""Minimum number of calls whose items occur in both orders."""
_FREE = 0.05
"""Minimum share of calls whose items follow neither the words' order nor its reverse."""


@dataclass(frozen=True)
class Sets:
    """Functions with unordered arguments in a corpus.

    Attributes:
        unordered: number of arguments before the items, or `NESTED`, by function. If the first
            argument names the function, the name consists of both labels (`call SW.filter`).
        announced: P(word | key of an item), by function.
    """

    unordered: Unordered = field(default_factory=dict)
    announced: Mapping[str, Announced] = field(default_factory=dict)


class _Use(NamedTuple):
    """Call of a function: its nodes (several if it is nested), outermost first, and its items.

    An item is a sequence of trees.
    """

    nodes: Sequence[Tree]
    items: Sequence[Sequence[Tree]]


class _Functions:
    """Functions in a tree, by name (see `Sets.unordered`)."""

    def __init__(self, tree: Tree, callers: frozenset[str]) -> None:
        self.named: dict[Tree, tuple[str, list[Tree]]] = {}
        for function, inside in functions(tree):
            name = function.label
            if name in callers:
                name = f"{name} {inside[0].label}"
                inside = inside[1:]
            self.named[function] = name, inside

    def name(self, tree: Tree) -> str:
        return self.named[tree][0] if tree in self.named else ""

    def uses(self, unordered: Unordered) -> list[tuple[str, _Use]]:
        inner = {
            inside[0]
            for name, inside in self.named.values()
            if unordered.get(name) == NESTED and inside and self.name(inside[0]) == name
        }
        uses = []
        for function, (name, inside) in self.named.items():
            fixed = unordered.get(name)
            if fixed is None or function in inner:
                continue
            if fixed != NESTED:
                uses.append((name, _Use([function], [[item] for item in inside[fixed:]])))
                continue
            nodes = [function]
            while self.name(below := self.named[nodes[-1]][1][0]) == name:
                nodes.append(below)
            uses.append((name, _Use(nodes, [self.named[node][1][1:] for node in nodes])))
        return uses


def _key(item: Sequence[Tree]) -> str:
    """Return the key of an item (see `announcing`): its labels, without the values of literals."""
    return " ".join(kind_of(part) for tree in item for part in tree.subtrees())


def _position(item: Sequence[Tree], words: Sequence[str], table: Announced) -> int:
    texts = set[str]().union(*map(texts_of, item))
    spelled = [i for i, word in enumerate(words) if word in texts]
    return announcing_word(_key(item), spelled, words, table)


def callers_of(trees: Iterable[Tree]) -> frozenset[str]:
    """Return the functions whose first argument is a function's name: `call(SW.filter, x)`.

    All first arguments must be leaves, and their labels must not occur in later arguments.
    """
    first: dict[str, set[str]] = defaultdict(set)
    other: dict[str, set[str]] = defaultdict(set)
    for tree in trees:
        for function, inside in functions(tree):
            first[function.label].add("" if inside[0].below else inside[0].label)
            other[function.label].update(argument.label for argument in inside[1:])
    return frozenset(
        label
        for label, leaves in first.items()
        if "" not in leaves and len(leaves) > 1 and other[label] and not leaves & other[label]
    )


def sets_of(rows: Rows, names: Sequence[str] = ()) -> Sets:
    """Return the functions with unordered arguments in a corpus.

    Args:
        rows: the sentences and trees of the corpus.
        names: functions whose arguments are unordered in any case.
    """
    callers = callers_of(tree for _, tree in rows) - set(names)
    found = [_Functions(tree, callers) for _, tree in rows]
    words = [[token.lower() for token in tokens] for tokens, _ in rows]
    unordered, tables = {}, {}
    for name, fixed in _candidates(rows, found).items():
        uses = [
            (said, use.items)
            for said, functions_of_row in zip(words, found, strict=True)
            for _, use in functions_of_row.uses({name: fixed})
            if len(use.items) > 1
        ]
        keys = [list(map(_key, items)) for _, items in uses]
        table = announced([(said, some) for (said, _), some in zip(uses, keys, strict=True)])
        places = [[_position(item, said, table) for item in items] for said, items in uses]
        if name.rpartition(" ")[2] in names or _is_free(keys, places):
            unordered[name], tables[name] = fixed, table
    given = {name for row in found for name, _ in row.named.values()} & set(names)
    return Sets({**dict.fromkeys(sorted(given), 0), **unordered}, tables)


def _candidates(rows: Rows, found: Sequence[_Functions]) -> Unordered:
    """Return the functions with a variable number of items, or nested in themselves."""
    chains = chains_of(rows)
    arities = dict(chains.fixed) if chains is not None else {}
    most: dict[str, int] = defaultdict(int)
    around: set[str] = set()
    for row in found:
        for name, inside in row.named.values():
            most[name] = max(most[name], len(inside))
            if inside and row.name(inside[0]) == name:
                around.add(name)
    return {**{name: NESTED if most[name] > 2 else 0 for name in sorted(around)}, **arities}


def _is_free(keys: Sequence[Sequence[str]], places: Sequence[Sequence[int]]) -> bool:
    """Return True if items occur in both orders and the order of words does not explain this.

    `keys` has the keys of each call's items, `places` the positions of the words announcing them.
    """
    pairs = [list(combinations(some, 2)) for some in keys]
    before = {pair for some in pairs for pair in some}
    both = [
        number
        for number, some in enumerate(pairs)
        if any(first != other and (other, first) in before for first, other in some)
    ]
    forward = sum(list(places[i]) == sorted(places[i]) for i in both)
    backward = sum(list(places[i]) == sorted(places[i], reverse=True) for i in both)
    against = len(both) - max(forward, backward)
    return len(both) >= _LEAST and against >= max(1, _FREE * len(both))


class _Part(NamedTuple):
    """Text of a subtree with its items in sorted order; `items` are the texts of the items.

    `base` is the text of the arguments before the items.
    """

    text: str
    name: str = ""
    base: str = ""
    items: tuple[str, ...] = ()


def as_set(tree: Tree, unordered: Unordered) -> str:
    """Return a text that is the same for all trees that differ only in the order of items."""
    callers = frozenset(name.partition(" ")[0] for name in unordered if " " in name)

    def made(tree: Tree, parts: Sequence[_Part]) -> _Part:
        label = tree.label
        below = [(edge, part) for (edge, _), part in zip(tree.below, parts, strict=True)]
        places = [part for edge, part in below if PLACE.fullmatch(edge)]
        keyed = sorted(f"{edge}={part.text}" for edge, part in below if not PLACE.fullmatch(edge))
        if label in callers and places:
            label, places = f"{label} {places[0].text}", places[1:]
        fixed = unordered.get(label)
        base: list[str] = []
        further: list[str] = []
        items = [part.text for part in places]
        if fixed == NESTED and places:
            inner = places[0]
            base = [inner.base if inner.name == label else inner.text]
            items_text = f"({','.join(items[1:])})"
            items = sorted([*inner.items, items_text] if inner.name == label else [items_text])
        elif fixed is not None:
            base = items[:fixed]
            for part in places[fixed:]:
                further += part.items if part.name == label and not fixed else [part.text]
            items = sorted(further)
        text = f"{label}({','.join([*base, *items, *keyed])})" if below else label
        name = label if fixed is not None else ""
        return _Part(text, name, ",".join(base), tuple(items) if name else ())

    return tree.folded(made).text


def in_order_of_words(tree: Tree, tokens: Sequence[str], sets: Sets) -> None:
    """Sort the items of nested functions, in place, by the words that announce them."""
    nested = {name: fixed for name, fixed in sets.unordered.items() if fixed == NESTED}
    callers = frozenset(name.partition(" ")[0] for name in nested if " " in name)
    words = [token.lower() for token in tokens]
    for name, (nodes, items) in _Functions(tree, callers).uses(nested):
        places = [_position(item, words, sets.announced.get(name, {})) for item in items]
        order = sorted(range(len(items)), key=places.__getitem__, reverse=True)
        for node, old, new in zip(nodes, items, order, strict=True):
            inside = node.arguments()
            fixed = inside[: len(inside) - len(old)]
            keyed = [pair for pair in node.below if not PLACE.fullmatch(pair[0])]
            node.below = [*arguments([*fixed, *items[new]]), *keyed]
