"""Represent functions of variable arity as chains of items.

    intersect(job(), loc('austin'), language(java))

    `intersect` -arg*-> `job()` -&-> `loc` -&-> `language` -&-> `()`

Such a function is a single constant for any number of items, and an item is the same constant in
any position. Arguments before the items keep their places (`arg0`, ...). Items are chained in the
order of the words that announce them, and written in train's order if it has one. A literal item
gets a node above it (`or *` -is-> `'bar'`). If train omits the function when there is a single
item, the graph has the function there as well (`intersect ?`), but it is not written.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from amparser.errors import TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.term import content_of, is_literal
from amparser.notations.announcing import Announced, announced, announcing_word
from amparser.notations.notation import Order
from amparser.notations.ordered_trees import ABSENT, ARGUMENT, PLACE
from amparser.notations.value_shapes import Links, usual_order
from amparser.notations.value_trees import IS, NEXT

FIRST = f"{ARGUMENT}*"
"""The edge from a function to its first item."""
_ITEM = " *"
"""Suffix of the label of a node above a literal item."""
_JOINT = " ?"
"""Suffix of the label of a function that is omitted if it has a single item."""
_DETERMINED = 0.95
"""Minimum share of uses in which the labels determine the number of arguments."""


@dataclass(frozen=True)
class Chains:
    """A corpus's functions of variable arity.

    Attributes:
        fixed: number of arguments before the items, by function.
        announced: P(word | key of an item).
        joints: functions that always join two or more items, by the label and edge above them.
        items: labels of the items of each of these functions.
    """

    fixed: Mapping[str, int] = field(default_factory=dict)
    announced: Announced = field(default_factory=dict)
    joints: Mapping[tuple[str, str], str] = field(default_factory=dict)
    items: Mapping[str, frozenset[str]] = field(default_factory=dict)


class Arguments:
    """The arguments of the functions of a graph: their labels, keys and words."""

    def __init__(self, graph: SGraph) -> None:
        self.graph = graph
        self.below: dict[int, list[Edge]] = defaultdict(list)
        for edge in graph.edges:
            self.below[edge.parent].append(edge)

    def label(self, node: int) -> str:
        """Return the label of a node; empty if it has none."""
        return self.graph.nodes[node].label or ""

    def ports(self) -> Iterator[tuple[tuple[str, str], int]]:
        """Yield each node with the label of its parent and of the edge between them."""
        yield ("", ""), self.graph.root
        for node, edges in self.below.items():
            yield from (((self.label(node), edge.label), edge.child) for edge in edges)

    def functions(self) -> Iterator[tuple[int, list[int]]]:
        """Yield the functions with their arguments without keys."""
        for node in self.graph.nodes:
            arguments = [edge.child for edge in self.below[node] if PLACE.fullmatch(edge.label)]
            if arguments:
                yield node, arguments

    def kind(self, node: int) -> str:
        """Return the label of an argument, or a common symbol for all numbers or all strings."""
        label = self.label(node)
        if self.below[node] or not is_literal(label):
            return label
        return "'" if label[:1] in "'\"" else "0"

    def is_item(self, node: int) -> bool:
        """Return True if a chain may continue at an argument."""
        return all(edge.label != NEXT for edge in self.below[node])

    def key(self, node: int) -> str:
        """Return the key of an item: its label, and the first of several children if a leaf."""
        first, *others = [edge.child for edge in self.below[node]] or [node]
        if not others or self.below[first]:
            return self.kind(node)
        return f"{self.label(node)} {self.label(first)}"

    def texts(self, node: int) -> list[str]:
        """Return the leaves of an item in lower case without quotes."""
        todo = [node]
        for inner in todo:
            todo += [edge.child for edge in self.below[inner]]
        return [content_of(self.label(inner)).lower() for inner in todo if not self.below[inner]]

    def position(self, node: int, words: Sequence[str], chains: Chains) -> int:
        """Return the position of the word that announces an item."""
        texts = [text for text in self.texts(node) if text]
        spelled = [
            i
            for i, word in enumerate(words)
            if any(word == text or (len(word) > 2 and word in text.split()) for text in texts)
        ]
        return announcing_word(self.key(node), spelled, words, chains.announced)


Rows = Sequence[tuple[Sequence[str], SGraph]]


def chains_of(rows: Rows, unordered: Sequence[str] = ()) -> Chains | None:
    """Return the functions of variable arity in a corpus; None if there are none.

    Args:
        unordered: functions to include even if their arity is constant in train.
    """
    uses: dict[str, list[list[str]]] = defaultdict(list)
    closed: set[str] = set()
    graphs = [Arguments(graph) for _, graph in rows]
    for graph in graphs:
        for node, arguments in graph.functions():
            uses[graph.label(node)].append([graph.kind(argument) for argument in arguments])
            if not all(map(graph.is_item, arguments)):
                closed.add(graph.label(node))
    fixed = {
        head: count
        for head, arities in uses.items()
        if head not in closed and (count := _fixed(arities)) is not None
    }
    given = (uses.keys() & set(unordered)) - closed - fixed.keys()
    fixed |= dict.fromkeys(sorted(given), 0)
    if not fixed:
        return None
    spoken = []
    for (tokens, _), graph in zip(rows, graphs, strict=True):
        keys = [
            graph.key(argument)
            for node, arguments in graph.functions()
            if graph.label(node) in fixed
            for argument in arguments[fixed[graph.label(node)] :]
        ]
        spoken.append(([token.lower() for token in tokens], keys))
    known = Chains(fixed, announced([row for row in spoken if row[1]]))
    return replace(
        known, **_joints(graphs, {head: uses[head] for head in fixed if not fixed[head]})
    )


def _joints(graphs: Sequence[Arguments], uses: Mapping[str, Sequence[Sequence[str]]]) -> Any:
    items = {
        head: frozenset(label for use in calls for label in use)
        for head, calls in uses.items()
        if min(map(len, calls)) >= 2
    }
    fillers: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for graph in graphs if items else ():
        for port, node in graph.ports():
            fillers[port][graph.kind(node)] += 1
    joints = {}
    for port, counts in fillers.items():
        for head in items.keys() & counts.keys():
            alone = sum(counts[label] for label in items[head])
            # Minimum share of joined items at a position.
            if counts[head] >= 0.1 * (counts[head] + alone) and not items[head] & {"'", "0"}:
                joints[port] = head
    kept = set(joints.values())
    return {"joints": joints, "items": {head: items[head] for head in kept}}


def _fixed(uses: Sequence[Sequence[str]]) -> int | None:
    """Return the number of arguments before the items; None if the arity is not free."""
    most = max(map(len, uses))
    places = [{use[place] for use in uses if len(use) > place} for place in range(most)]
    later: set[str] = set()
    shared = []
    for kinds in reversed(places):
        shared.append(bool(kinds & later))
        later |= kinds
    fixed = next((place for place, is_shared in enumerate(reversed(shared)) if is_shared), most)
    if fixed > min(map(len, uses)) or len(set(map(len, uses))) < 2:
        return None
    for place in range(fixed + 1):
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        for use in uses:
            counts[use[place] if place < len(use) else ""][len(use)] += 1
        usual = sum(max(counter.values()) for counter in counts.values())
        free = [counter for counter in counts.values() if len(counter) > 1]
        gaps = sum(c.total() for c in free if max(c) - min(c) >= len(c))
        if usual >= _DETERMINED * len(uses) or 2 * gaps >= len(uses):
            return None
    return fixed


def order_of(rows: Rows, chains: Chains | None) -> Order:
    """Return the orders of items that train follows more often than the order of words."""
    if chains is None:
        return {}
    uses_of: dict[str, list[tuple[list[str], list[int]]]] = defaultdict(list)
    for tokens, graph in rows:
        words = [token.lower() for token in tokens]
        arguments = Arguments(graph)
        for node, below in arguments.functions():
            head = arguments.label(node)
            items = below[chains.fixed[head] :] if head in chains.fixed else []
            if len(items) > 1:
                keys = [arguments.key(item) for item in items]
                uses_of[head].append(
                    (keys, [arguments.position(item, words, chains) for item in items])
                )
    orders = {}
    for head, uses in uses_of.items():
        order = usual_order([keys for keys, _ in uses])
        rank = {key: place for place, key in enumerate(order)}
        sorted_ = sum([rank[k] for k in keys] == sorted(rank[k] for k in keys) for keys, _ in uses)
        spoken = sum(places == sorted(places) for _, places in uses)
        if sorted_ > spoken:
            orders[head] = order
    return orders


def chained(graph: SGraph, tokens: Sequence[str], chains: Chains) -> SGraph:
    """Return a graph with its functions of variable arity as chains.

    Nodes keep their numbers; new nodes get the next ones.
    """
    words = [token.lower() for token in tokens]
    arguments = Arguments(graph)
    nodes, edges = dict(graph.nodes), list(graph.edges)
    for node, below in arguments.functions():
        fixed = chains.fixed.get(arguments.label(node))
        if fixed is None or len(below) < fixed or not all(map(arguments.is_item, below)):
            continue
        items = sorted(below[fixed:], key=lambda one: arguments.position(one, words, chains))
        gone = {f"{ARGUMENT}{place}" for place in range(fixed, len(below))}
        edges = [e for e in edges if e.parent != node or e.label not in gone]
        above, edge = node, FIRST
        for item in items:
            child = item
            if not arguments.below[item] and is_literal(arguments.label(item)):
                child = max(nodes) + 1
                nodes[child] = Node(f"{arguments.label(node)}{_ITEM}")
                edges.append(Edge(child, IS, item))
            edges.append(Edge(above, edge, child))
            above, edge = child, NEXT
        _end(nodes, edges, above, edge)
    root = graph.root
    for port, node in arguments.ports():
        head = chains.joints.get(port)
        label = arguments.label(node)
        if head is not None and label == head and arguments.below[node]:
            nodes[node] = nodes[node]._replace(label=f"{label}{_JOINT}")
        elif head is not None and label in chains.items[head] and arguments.is_item(node):
            joint = max(nodes) + 1
            nodes[joint] = Node(f"{head}{_JOINT}")
            # If the node is an item itself, its chain continues at the joint.
            edges = [
                e._replace(
                    parent=joint if (e.parent, e.label) == (node, NEXT) else e.parent,
                    child=joint if e.child == node else e.child,
                )
                for e in edges
            ]
            edges.append(Edge(joint, FIRST, node))
            _end(nodes, edges, node, NEXT)
            root = joint if node == root else root
    return replace(graph, nodes=nodes, edges=tuple(edges), root=root)


def _end(nodes: dict[int, Node], edges: list[Edge], above: int, edge: str) -> None:
    end = max(nodes) + 1
    nodes[end] = Node(ABSENT)
    edges.append(Edge(above, edge, end))


def flattened(graph: SGraph, order: Order) -> SGraph:
    """Return a graph with chains converted back to arguments, in the order of writing.

    Raises TranslateError if a function lacks its items, or an item its value.
    """
    links = Links(graph)
    nodes = dict(graph.nodes)
    made: list[Edge] = []
    # Replacements of the removed nodes.
    instead: dict[int, int] = {}
    for head in links.tops(FIRST):
        items = links.chain(head, FIRST)
        for item in items:
            if links.label(item).endswith(_ITEM):
                if set(links.below[item]) - {NEXT} != {IS}:
                    raise TranslateError(f"{links.label(item)!r} has no value")
                links.used.add((item, IS))
                instead[item] = links.below[item][IS]
        label = links.label(head).removesuffix(_JOINT)
        if label != links.label(head):
            if not items:
                raise TranslateError(f"{label!r} has no items")
            nodes[head] = nodes[head]._replace(label=label)
            if len(items) == 1:
                instead[head] = items[0]
                continue
        fixed = sum(PLACE.fullmatch(edge) is not None for edge in links.below[head])
        ordered = _in_order(graph, label, items, order)
        made += [Edge(head, f"{ARGUMENT}{fixed + i}", item) for i, item in enumerate(ordered)]

    def whole(node: int) -> int:
        while node in instead:
            node = instead[node]
        return node

    if not links.used:
        return graph
    gone = links.ends | instead.keys()
    return SGraph(
        {number: node for number, node in nodes.items() if number not in gone},
        tuple(e._replace(child=whole(e.child)) for e in (*links.kept(), *made)),
        whole(graph.root),
    )


def _in_order(graph: SGraph, head: str, items: Sequence[int], order: Order) -> Sequence[int]:
    keys = order.get(head)
    if not keys:
        return items
    arguments = Arguments(graph)
    arguments.below = defaultdict(
        list, {n: [e for e in es if e.label != NEXT] for n, es in arguments.below.items()}
    )
    rank = {key: number for number, key in enumerate(keys)}
    near: dict[str, int] = {}
    for key, number in rank.items():
        near.setdefault(key.split(" ")[0], number)

    def place(item: int) -> int:
        key = arguments.key(item)
        return rank.get(key, near.get(key.split(" ")[0], len(rank)))

    return sorted(items, key=place)
