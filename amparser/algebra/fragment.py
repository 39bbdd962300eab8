"""Graph constants: s-graphs of any number of nodes, whose ports take arguments.

A *port* is a node that takes an argument (a source): the root of the argument is merged with it. A
port may have a *default*, which labels the node if the argument is missing. A *slot* is the part of
a label that depends on the word; a lexical label fills it.

A supertag is a constant without defaults. It has at most one slot, which is a complete label. Its
text is PENMAN with root and sources in angle brackets and `--LEX--` for the slot, followed by its
type:

    (i1<root> / --LEX-- :agent (i2<L1>) :theme (i3<R1>))      (L1(), R1())
    (i1<root,C>)                                              (C())

The second supertag is a single unlabelled node that is both root and source. It is the identity:
its value is its argument.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated, NamedTuple

from amparser.algebra.types import EMPTY, AMType, type_from_str, type_to_str
from amparser.conditions import AsText, Index, Sized
from amparser.errors import AlgebraError, InputError
from amparser.graph.penman_codec import sgraph_from_penman, sgraph_to_penman
from amparser.graph.sgraph import INVERSE, Edge, Node, SGraph
from amparser.limits import MOST_SOURCES

LEX = "--LEX--"
"""Label of a slot in PENMAN text."""

SLOT = "\x00"
"""Placeholder in a label, which a lexical label replaces."""

_MARKS = "\"'/"
"""Final characters of a label, such as quotes, that remain when its slot is filled."""


NodeId = Annotated[int, Index("node")]


class Port(NamedTuple):
    """Port: a node that takes an argument.

    Attributes:
        name: name of the source.
        node: the node with which the argument's root is merged.
        default: label of the node without an argument; None if an argument is required.
    """

    name: str
    node: NodeId
    default: str | None = None


@dataclass(frozen=True)
class Fragment:
    """Graph constant with the nodes 0 .. m - 1.

    Attributes:
        labels: node labels. A label may contain `SLOT` once, possibly followed by a part of speech
            (`SLOT` + ".v."). The label of a port usually is None.
        edges: (parent, label, child) of each edge.
        root: the root.
        ports: the ports.
        type: the type, which states the request of each port.
        unboxed: nodes outside all boxes, such as names and numbers.
    """

    labels: Annotated[tuple[str | None, ...], Sized("node")]
    edges: tuple[tuple[NodeId, str, NodeId], ...] = ()
    root: NodeId = 0
    ports: tuple[Port, ...] = ()
    type: Annotated[AMType, AsText(type_to_str, type_from_str)] = EMPTY
    unboxed: frozenset[NodeId] = frozenset()

    def __hash__(self) -> int:
        # Labels and edges are enough, because few constants differ only in other fields.
        return hash((self.labels, self.edges))

    @cached_property
    def penman(self) -> str:
        """Canonical PENMAN of the graph; labels with a slot become `--LEX--`. Raises GraphError."""
        return sgraph_to_penman(self.graph)

    @cached_property
    def graph(self) -> SGraph:
        """The s-graph; labels with a slot become `--LEX--`."""
        labels = [LEX if i in self.slots else label for i, label in enumerate(self.labels)]
        return SGraph(
            dict(enumerate(map(Node, labels))),
            tuple(Edge(*edge) for edge in self.edges),
            self.root,
            {port.name: port.node for port in self.ports},
        )

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - constants live as long as the lexicon
    def supertag(self) -> Fragment:
        """Return the supertag: a label with a slot becomes a bare slot; nodes are in PENMAN order.

        Raises:
            InputError: the constant has several slots, a port with a default, or nodes outside all
                boxes.
            AlgebraError, GraphError: it is not a graph constant, or cannot be written in PENMAN.
        """
        if len(self.slots) > 1:
            raise InputError(f"its constant has {len(self.slots)} slots, expected at most one")
        if self.optional:
            optional = ", ".join(sorted(self.optional))
            raise InputError(f"optional ports are left open: {optional}")
        if self.unboxed:
            raise InputError("its constant has nodes that are in no box")
        return fragment_from_graph(self.graph, self.type)

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """Nodes that have slots, in order."""
        return tuple(i for i, label in enumerate(self.labels) if label and SLOT in label)

    @cached_property
    def optional(self) -> frozenset[str]:
        """Names of the ports that have defaults."""
        return frozenset(port.name for port in self.ports if port.default is not None)

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """Reasons why this is not a graph constant; empty if it is one."""
        size = len(self.labels)
        ends = [self.root, *(port.node for port in self.ports)]
        ends += [node for parent, _, child in self.edges for node in (parent, child)]
        if wrong := sorted({node for node in ends if not 0 <= node < size}):
            return (f"there are {size} nodes, but its root, edges or ports name {wrong}",)
        reasons = []
        names = [port.name for port in self.ports]
        if len(set(names)) < len(names):
            reasons.append(f"two ports have one name: {names}")
        for port in self.ports:
            if port.default is not None and self.labels[port.node] is not None:
                reasons.append(f"the port {port.name} has a default and a label")
        if missing := sorted({*names} - self.type.sources):
            reasons.append(f"sources {missing} are missing from type {type_to_str(self.type)}")
        # Only origins must mark a node; other sources may come from an argument (raising;
        # Groschwitz 2019, definition 5.3).
        if nowhere := sorted(self.type.origins - {*names}):
            reasons.append(f"sources {nowhere} of type {type_to_str(self.type)} mark no node")
        return tuple(reasons)

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - constants live as long as the lexicon
    def rooted(self, root: int) -> Fragment:
        """Return this constant with another root."""
        return self if root == self.root else replace(self, root=root)

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - constants live as long as the lexicon
    def closing(self, names: tuple[str, ...]) -> Fragment:
        """Fill the named ports with their defaults; the other ports then require arguments.

        Raises InputError if a named port has no default.
        """
        if missing := {*names} - self.optional:
            raise InputError(f"ports without defaults: {', '.join(sorted(missing))}")
        labels, ports, type_ = list(self.labels), [], self.type
        for port in self.ports:
            if port.name in names:
                labels[port.node] = port.default
                type_ = type_.without(port.name)
            else:
                ports.append(port._replace(default=None))
        return replace(self, labels=tuple(labels), ports=tuple(ports), type=type_)

    def to_text(self, fillers: Sequence[str] = ()) -> str:
        """Return the constant on one line, from the root down.

        A port is written in brackets: its default, or its name if it has no default.

        >>> Fragment((SLOT, "-"), ((0, "polarity", 1),)).to_text(["sleep"])
        'sleep(polarity -)'
        >>> ports = (Port("S", 1), Port("O", 2, "all"))
        >>> Fragment((f"{SLOT}.v.", None, None), ((1, "of", 0), (0, "in", 2)), 0, ports).to_text()
        '--LEX--.v.(<-of [S], in [all])'
        """
        texts = dict(zip(self.slots, fillers, strict=False))
        marks = {port.node: f"[{port.default or port.name}]" for port in self.ports}
        around: dict[int, list[tuple[str, int, int]]] = {}
        for number, (parent, label, child) in enumerate(self.edges):
            around.setdefault(parent, []).append((label, child, number))
            around.setdefault(child, []).append((INVERSE + label, parent, number))
        used: set[int] = set()
        reached: set[int] = set()

        def write(node: int) -> str:
            reached.add(node)
            label = self.labels[node] or ""
            text = filled(label, texts[node]) if node in texts else label.replace(SLOT, LEX)
            inside = []
            for place, other, number in around.get(node, ()):
                if number not in used:
                    used.add(number)
                    inside.append(f"{place} {write(other)}")
            below = f"({', '.join(inside)})" if inside else ""
            return f"{text}{marks.get(node, '')}{below}"

        nodes = (self.root, *range(len(self.labels)))
        return ", ".join(write(node) for node in nodes if node not in reached)

    def filled(self, fillers: Collection[str]) -> tuple[str | None, ...]:
        """Fill the slots with lexical labels, in the order of the nodes; return all node labels."""
        texts = dict(zip(self.slots, fillers, strict=True))
        return tuple(
            filled(label, texts[i]) if label is not None and i in texts else label
            for i, label in enumerate(self.labels)
        )


def filled(label: str, text: str) -> str:
    """Fill the slot of a label with a text; drop a part of speech after it (such as `.v.`).

    >>> filled(f'"{SLOT}.v."', "fry.v.02"), filled(SLOT, "Tom")
    ('"fry.v.02"', 'Tom')
    """
    if label == SLOT:
        return text
    before, _, behind = label.partition(SLOT)
    return f"{before}{text}{behind[len(behind.rstrip(_MARKS)) :]}"


@lru_cache(maxsize=1 << 16)
def fragment_from_penman(penman: str, type_: AMType) -> Fragment:
    """Return the supertag of a PENMAN text, with its nodes in text order; results are cached.

    Raises GraphError if the text is not an s-graph in PENMAN.
    """
    graph = sgraph_from_penman(penman)
    index = {node: i for i, node in enumerate(graph.nodes)}
    return Fragment(
        tuple(SLOT if node.label == LEX else node.label for node in graph.nodes.values()),
        tuple((index[e.parent], e.label, index[e.child]) for e in graph.edges),
        index[graph.root],
        tuple(Port(source, index[node]) for source, node in graph.sources.items()),
        type_,
    )


def fragment_from_graph(graph: SGraph, type_: AMType) -> Fragment:
    """Return the supertag of a delexicalised constant, with its nodes in text order.

    Raises AlgebraError or GraphError if the graph is not a graph constant, or cannot be written in
    PENMAN.
    """
    supertag = fragment_from_penman(sgraph_to_penman(graph), type_)
    if problems := supertag.problems:
        raise AlgebraError(f"{supertag.penman}: {'; '.join(problems)}")
    if len(supertag.slots) > 1:
        raise AlgebraError(f"{supertag.penman}: {LEX} labels more than one node")
    return supertag


def supertag_from_str(text: str) -> Fragment:
    """Read a supertag and its type, as `supertag_to_str` writes them.

    >>> supertag_from_str("(i1<root> / --LEX-- :agent (i2<L1>)) (L1())").to_text()
    '--LEX--(agent [L1])'

    Raises:
        AlgebraError, GraphError: the text is not a supertag.
    """
    start = text.rfind(") (") + 1
    supertag = fragment_from_penman(text[:start], type_from_str(text[start:].strip()))
    if len(supertag.slots) > 1:
        raise AlgebraError(f"{LEX} labels more than one node")
    if len(supertag.type.sources) > MOST_SOURCES:
        count = len(supertag.type.sources)
        raise AlgebraError(f"a type of {count} sources, expected at most {MOST_SOURCES}")
    return supertag


def supertag_to_str(supertag: Fragment) -> str:
    """Write a supertag as PENMAN followed by its type, on one line."""
    return f"{supertag.penman} {type_to_str(supertag.type)}"
