"""Graph constants: s-graphs of any number of nodes, whose ports take arguments.

A *port* is a place where an argument goes: what fills it is merged with the node of the port.
The edges of a port are those that the constant has at this node; a marker has none, since its
port is its root. A port may have a *default*, the label of the leaf that stands there when
nothing fills it. A *slot* is the part of a label that each word fills anew.

A supertag is a constant in which one label at most is a slot, and no port has a default.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from amparser.algebra.supertag import LEX, Supertag, source_problems, supertag_from_graph
from amparser.algebra.types import EMPTY, AMType
from amparser.errors import GraphError, InputError
from amparser.graph.sgraph import Edge, Node, SGraph

SLOT = "\x00"
"""Stands for the text in a label that is filled in for each word."""

_MARKS = "\"'/"
"""What a label may have behind the kind of its sense."""


class Port(NamedTuple):
    """Where an argument goes.

    Attributes:
        name: a source of the constant's type.
        node: what fills the port is merged with this node.
        default: the label of the leaf that stands there when nothing fills the port; None if
            it must be filled.
    """

    name: str
    node: int
    default: str | None = None


class Parts(NamedTuple):
    """What evaluation needs of a constant.

    Attributes:
        nodes: without labels at slots.
        slots: the nodes that have slots, each with its label.
        sources: the name of each port and its node.
        sound: whether this is a graph constant.
    """

    nodes: tuple[Node, ...]
    root: int
    slots: tuple[tuple[int, str], ...]
    edges: tuple[tuple[int, str, int], ...]
    sources: tuple[tuple[str, int], ...]
    type: AMType
    sound: bool


@dataclass(frozen=True)
class Fragment:
    """A graph constant with nodes 0..m-1.

    Attributes:
        labels: of the nodes. A label may have one `SLOT`, with the kind of sense that its
            filler has behind it (`SLOT` + ".v."); None is the unlabelled place of a port.
        edges: parent, label and child.
        root: a node.
        ports: where arguments go.
        type: what each port asks for.
        unboxed: the nodes that are in no box (names and numbers, for example).
        faults: why the text of a supertag is no graph constant; empty when it is one.
    """

    labels: tuple[str | None, ...]
    edges: tuple[tuple[int, str, int], ...] = ()
    root: int = 0
    ports: tuple[Port, ...] = ()
    type: AMType = EMPTY
    unboxed: frozenset[int] = frozenset()
    faults: tuple[str, ...] = ()

    def supertag(self) -> Supertag:
        """The supertag of this constant; `--LEX--` stands for a label that has a slot.

        Raises:
            InputError: the constant has several slots, a port with a default, or nodes that
                are in no box.
            AlgebraError, GraphError: it is no graph constant, or has no text.
        """
        return _supertag_of(self)

    @cached_property
    def parts(self) -> Parts:
        """What evaluation needs."""
        slots = self.slots
        return Parts(
            tuple(Node(None if i in slots else label) for i, label in enumerate(self.labels)),
            self.root,
            tuple((i, self.labels[i] or "") for i in slots),
            self.edges,
            tuple((port.name, port.node) for port in self.ports),
            self.type,
            not self.problems,
        )

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """The nodes that have slots."""
        return tuple(i for i, label in enumerate(self.labels) if label and SLOT in label)

    @cached_property
    def optional(self) -> frozenset[str]:
        """The names of the ports that have defaults."""
        return frozenset(port.name for port in self.ports if port.default is not None)

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """What keeps this from being a graph constant; empty when nothing does."""
        if self.faults:
            return self.faults
        size = len(self.labels)
        ends = [self.root, *(port.node for port in self.ports)]
        ends += [node for parent, _, child in self.edges for node in (parent, child)]
        if wrong := sorted({node for node in ends if not 0 <= node < size}):
            return (f"there are {size} nodes, but its root, edges or ports name {wrong}",)
        found = []
        names = [port.name for port in self.ports]
        if len(set(names)) < len(names):
            found.append(f"two ports have one name: {names}")
        for port in self.ports:
            if port.default is not None and self.labels[port.node] is not None:
                found.append(f"the port {port.name} has a default and a label")
        return (*found, *source_problems(names, self.type))

    def closing(self, names: Iterable[str]) -> Fragment:
        """This constant with its defaults at the ports of these names; all others must be filled.

        Raises:
            InputError: a port has no default.
        """
        return _closing(self, frozenset(names))

    def to_text(self, fillers: Sequence[str] = ()) -> str:
        """On one line: the root, and each edge with the node at its end.

        >>> Fragment((SLOT, "-"), ((0, "polarity", 1),)).to_text(["sleep"])
        'sleep, polarity -'
        >>> Fragment((f"{SLOT}.v.", None), ((1, "of", 0),), ports=(Port("S", 1),)).to_text()
        '_.v., of-of S'
        """
        texts = dict(zip(self.slots, fillers, strict=False))

        def name(node: int) -> str:
            label = self.labels[node] or ""
            text = filled(label, texts[node]) if node in texts else label.replace(SLOT, "_")
            marks = ",".join(port.name for port in self.ports if port.node == node)
            return " ".join(part for part in (text, marks) if part)

        parts, reached = [name(self.root)], {self.root}
        for parent, role, child in self.edges:
            turned = child in reached and parent not in reached
            parts.append(f"{role}-of {name(parent)}" if turned else f"{role} {name(child)}")
            reached |= {parent, child}
        return ", ".join([*parts, *(name(i) for i in range(len(self.labels)) if i not in reached)])

    def filled(self, fillers: Collection[str]) -> tuple[str | None, ...]:
        """The labels with these texts in the slots, in the order of the nodes."""
        texts = dict(zip(self.slots, fillers, strict=True))
        return tuple(
            filled(label, texts[i]) if label is not None and i in texts else label
            for i, label in enumerate(self.labels)
        )


def filled(label: str, text: str) -> str:
    """A label with a text in its slot, in place of the kind of sense behind it.

    >>> filled(f'"{SLOT}.v."', "fry.v.02"), filled(SLOT, "Tom")
    ('"fry.v.02"', 'Tom')
    """
    if label == SLOT:
        return text
    before, _, behind = label.partition(SLOT)
    return f"{before}{text}{behind[len(behind.rstrip(_MARKS)) :]}"


@lru_cache(maxsize=1 << 16)
def fragment_of(supertag: Supertag) -> Fragment:
    """The constant of a supertag; its nodes are in the order of the supertag's text."""
    try:
        graph = supertag.graph
    except GraphError as error:
        return Fragment((None,), faults=(str(error),))
    index = {node: i for i, node in enumerate(graph.nodes)}
    return Fragment(
        tuple(SLOT if node.label == LEX else node.label for node in graph.nodes.values()),
        tuple((index[e.parent], e.label, index[e.child]) for e in graph.edges),
        index[graph.root],
        tuple(Port(source, index[node]) for source, node in graph.sources.items()),
        supertag.lexical_type,
        faults=tuple(supertag.problems()),
    )


@lru_cache(maxsize=1 << 16)
def _supertag_of(constant: Fragment) -> Supertag:
    if len(constant.slots) > 1:
        raise InputError(f"its constant has {len(constant.slots)} slots, expected one at most")
    if constant.optional:
        raise InputError(f"optional ports are left open: {', '.join(sorted(constant.optional))}")
    if constant.unboxed:
        raise InputError("its constant has nodes that are in no box")
    nodes = {
        i: Node(LEX if i in constant.slots else label) for i, label in enumerate(constant.labels)
    }
    sources = {port.name: port.node for port in constant.ports}
    edges = tuple(Edge(*edge) for edge in constant.edges)
    return supertag_from_graph(SGraph(nodes, edges, constant.root, sources), constant.type)


@lru_cache(maxsize=1 << 16)
def _closing(constant: Fragment, names: frozenset[str]) -> Fragment:
    if missing := names - constant.optional:
        raise InputError(f"no ports with defaults: {', '.join(sorted(missing))}")
    labels, ports, type_ = list(constant.labels), [], constant.type
    for port in constant.ports:
        if port.name in names:
            labels[port.node] = port.default
            type_ = type_.without(port.name)
        else:
            ports.append(port._replace(default=None))
    return replace(constant, labels=tuple(labels), ports=tuple(ports), type=type_)
