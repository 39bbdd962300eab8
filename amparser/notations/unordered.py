"""Functions with unordered arguments, and comparison of meanings as sets.

    intersect(a, b) = intersect(b, a)
    filter(filter(x, a), b) = filter(filter(x, b), a)

Such a function takes any number of items, or is nested in itself. Its items are unordered if a
corpus has the same items in both orders, independently of the order of words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from amparser.graph.sgraph import Edge, SGraph
from amparser.notations.announcing import Announced, announced, announcing_word
from amparser.notations.notation import Unordered
from amparser.notations.ordered_trees import ARGUMENT, PLACE, tree_of_graph
from amparser.notations.repeated import Arguments, Rows, chains_of

NESTED = -1
"""Marks a function that is nested in itself instead of a number of fixed arguments."""
_LEAST = 3
"""Minimum number of uses with items that occur in both orders."""
_FREE = 0.05
"""Minimum share of these uses that do not follow the order of words."""


@dataclass(frozen=True)
class Sets:
    """A corpus's functions with unordered arguments.

    Attributes:
        unordered: number of arguments before the items, or `NESTED`, for each function; a function
            that is named by its first argument has both names (`call SW.filter`).
        announced: P(word | key of an item), by function.
    """

    unordered: Unordered = field(default_factory=dict)
    announced: Mapping[str, Announced] = field(default_factory=dict)


class _Use(NamedTuple):
    """A use of a function: its nodes from outside in, and the nodes of each of its items."""

    nodes: Sequence[int]
    items: Sequence[Sequence[int]]


class _Functions:
    """Uses of a graph's functions; `callers` are named by their first argument."""

    def __init__(self, graph: SGraph, callers: frozenset[str]) -> None:
        self.arguments = Arguments(graph)
        self.named: dict[int, tuple[str, list[int]]] = {}
        for node, places in self.arguments.functions():
            label = self.arguments.label(node)
            if label in callers:
                label = f"{label} {self.arguments.label(places[0])}"
                places = places[1:]
            self.named[node] = label, places

    def name(self, node: int) -> str:
        return self.named[node][0] if node in self.named else ""

    def uses(self, unordered: Unordered) -> list[tuple[str, _Use]]:
        """Return the uses of functions; nested calls of one function are a single use."""
        inner = {
            places[0]
            for name, places in self.named.values()
            if unordered.get(name) == NESTED and places and self.name(places[0]) == name
        }
        named_uses = []
        for node, (name, places) in self.named.items():
            fixed = unordered.get(name)
            if fixed is None or node in inner:
                continue
            if fixed != NESTED:
                named_uses.append(
                    (name, _Use([node], [[node_of_item] for node_of_item in places[fixed:]]))
                )
                continue
            nodes = [node]
            while self.name(below := self.named[nodes[-1]][1][0]) == name:
                nodes.append(below)
            named_uses.append(
                (name, _Use(nodes, [self.named[node_of_item][1][1:] for node_of_item in nodes]))
            )
        return named_uses

    def key(self, item: Sequence[int]) -> str:
        """Return the key of an item: its labels, with numbers and strings replaced by a symbol."""
        todo = list(item)
        for inner in todo:
            todo += [edge.child for edge in self.arguments.below[inner]]
        return " ".join(map(self.arguments.kind, todo))

    def position(self, item: Sequence[int], words: Sequence[str], table: Announced) -> int:
        texts = {text for node in item for text in self.arguments.texts(node) if text}
        spelled = [i for i, word in enumerate(words) if word in texts]
        return announcing_word(self.key(item), spelled, words, table)


def callers_of(graphs: Iterable[SGraph]) -> frozenset[str]:
    """Return functions whose first argument is a leaf that occurs in no other argument."""
    first: dict[str, set[str]] = defaultdict(set)
    other: dict[str, set[str]] = defaultdict(set)
    for graph in graphs:
        arguments = Arguments(graph)
        for node, places in arguments.functions():
            label = arguments.label(node)
            leaf = arguments.label(places[0]) if not arguments.below[places[0]] else ""
            first[label].add(leaf)
            other[label].update(arguments.label(argument) for argument in places[1:])
    return frozenset(
        label
        for label, leaves in first.items()
        if "" not in leaves and len(leaves) > 1 and other[label] and not leaves & other[label]
    )


def sets_of(rows: Rows, names: Sequence[str] = ()) -> Sets:
    """Return the functions of a corpus with unordered items.

    Args:
        names: functions that are declared unordered, whatever the rows show.
    """
    callers = callers_of(graph for _, graph in rows) - set(names)
    graphs = [_Functions(graph, callers) for _, graph in rows]
    words = [[token.lower() for token in tokens] for tokens, _ in rows]
    unordered, tables = {}, {}
    for name, fixed in _candidates(rows, graphs).items():
        uses = [
            (number, use)
            for number, graph in enumerate(graphs)
            for _, use in graph.uses({name: fixed})
            if len(use.items) > 1
        ]
        keys = [[graphs[number].key(item) for item in use.items] for number, use in uses]
        table = announced([(words[i], some) for (i, _), some in zip(uses, keys, strict=True)])
        places = [
            [graphs[number].position(item, words[number], table) for item in use.items]
            for number, use in uses
        ]
        if name.rpartition(" ")[2] in names or _is_free(keys, places):
            unordered[name], tables[name] = fixed, table
    given = {name for graph in graphs for name, _ in graph.named.values()} & set(names)
    return Sets({**dict.fromkeys(sorted(given), 0), **unordered}, tables)


def _candidates(rows: Rows, graphs: Sequence[_Functions]) -> Unordered:
    """Return the functions that take any number of items or are nested in themselves."""
    chains = chains_of(rows)
    arities = dict(chains.fixed) if chains is not None else {}
    most: dict[str, int] = defaultdict(int)
    around: set[str] = set()
    for graph in graphs:
        for name, places in graph.named.values():
            most[name] = max(most[name], len(places))
            if places and graph.name(places[0]) == name:
                around.add(name)
    return {**{name: NESTED if most[name] > 2 else 0 for name in sorted(around)}, **arities}


def _is_free(keys: Sequence[Sequence[str]], places: Sequence[Sequence[int]]) -> bool:
    """Return True if items occur in both orders, independently of the order of their words."""
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
    """A meaning as a text that is independent of order, and the items of its function."""

    text: str
    name: str = ""
    base: str = ""
    items: tuple[str, ...] = ()


def as_set(graph: SGraph, unordered: Unordered) -> str:
    """Return a text that is equal for meanings that differ only in the order of items.

    Raises TranslateError, see `tree_of_graph`.
    """
    callers = frozenset(name.partition(" ")[0] for name in unordered if " " in name)

    def made(label: str, below: Sequence[tuple[str, _Part]]) -> _Part:
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

    return tree_of_graph(graph, made).text


def in_order_of_words(graph: SGraph, tokens: Sequence[str], sets: Sets) -> SGraph:
    """Return a graph whose self-nested functions are in the order of their words."""
    nested = {name: fixed for name, fixed in sets.unordered.items() if fixed == NESTED}
    if not nested:
        return graph
    callers = frozenset(name.partition(" ")[0] for name in nested if " " in name)
    functions = _Functions(graph, callers)
    words = [token.lower() for token in tokens]
    taken: set[tuple[int, str]] = set()
    placed: dict[tuple[int, str], int] = {}
    for name, use in functions.uses(nested):
        table = sets.announced.get(name, {})
        ordered = sorted(
            use.items, key=lambda item: functions.position(item, words, table), reverse=True
        )
        for node, old, new in zip(use.nodes, use.items, ordered, strict=True):
            below = [e for e in functions.arguments.below[node] if PLACE.fullmatch(e.label)]
            first = len(below) - len(old)
            taken |= {(node, edge.label) for edge in below[first:]}
            placed |= {(node, f"{ARGUMENT}{first + i}"): child for i, child in enumerate(new)}
    edges = [
        Edge(e.parent, e.label, placed.pop((e.parent, e.label), e.child))
        for e in graph.edges
        if (e.parent, e.label) not in taken or (e.parent, e.label) in placed
    ]
    # A longer item needs places that its new call did not have.
    edges += [Edge(*place, child) for place, child in placed.items()]
    return SGraph(graph.nodes, tuple(edges), graph.root, graph.sources)
