"""Graph constants: s-graphs of any number of nodes, whose ports take arguments.

A *port* is a place where an argument goes: what fills it is merged with the node of the port.
The edges of a port are those that the constant has at this node; a marker has none, since its
port is its root. A port may have a *default*, the label of the leaf that stands there when
nothing fills it. A *slot* is the part of a label that each word fills anew.

A supertag is a constant in which one label at most is a slot, and no port has a default. Its text
is PENMAN with root and sources in angle brackets and `--LEX--` for the slot, beside its type:

    (i1<root> / --LEX-- :agent (i2<L1>) :theme (i3<R1>))      (L1(), R1())
    (i1<root,C>)                                              (C())

The second one, a single unlabelled node that is root and source at once, is the identity: it
passes its argument on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
"""Stands for a slot in PENMAN."""

SLOT = "\x00"
"""Stands for the text in a label that is filled in for each word."""

_MARKS = "\"'/"
"""What a label may have behind the kind of its sense."""


NodeId = Annotated[int, Index("node")]


class Port(NamedTuple):
    """Where an argument goes.

    Attributes:
        name: a source of the constant's type.
        node: what fills the port is merged with this node.
        default: the label of the leaf that stands there when nothing fills the port; None if
            it must be filled.
    """

    name: str
    node: NodeId
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
    """

    labels: Annotated[tuple[str | None, ...], Sized("node")]
    edges: tuple[tuple[NodeId, str, NodeId], ...] = ()
    root: NodeId = 0
    ports: tuple[Port, ...] = ()
    type: Annotated[AMType, AsText(type_to_str, type_from_str)] = EMPTY
    unboxed: frozenset[NodeId] = frozenset()

    def __hash__(self) -> int:
        # Few constants differ only in their ports, types or boxes.
        return hash((self.labels, self.edges))

    @cached_property
    def penman(self) -> str:
        """The graph in PENMAN, in canonical form; `--LEX--` is a label that has a slot.

        Raises:
            GraphError: the graph has no notation.
        """
        return sgraph_to_penman(self.graph)

    @cached_property
    def graph(self) -> SGraph:
        """The s-graph; the label of a node that has a slot is `--LEX--`."""
        labels = [LEX if i in self.slots else label for i, label in enumerate(self.labels)]
        return SGraph(
            dict(enumerate(map(Node, labels))),
            tuple(Edge(*edge) for edge in self.edges),
            self.root,
            {port.name: port.node for port in self.ports},
        )

    def supertag(self) -> Fragment:
        """Return the supertag: the slot is a whole label, and nodes are numbered as in its text.

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
        return (*found, *_source_problems(names, self.type))

    def rooted(self, root: int) -> Fragment:
        """This constant with another root."""
        return self if root == self.root else _rooted(self, root)

    def closing(self, names: Iterable[str]) -> Fragment:
        """This constant with its defaults at the ports of these names; all others must be filled.

        Raises:
            InputError: a port has no default.
        """
        return _closing(self, frozenset(names))

    def to_text(self, fillers: Sequence[str] = ()) -> str:
        """Write it from the root down, on one line; ports are in brackets.

        A port without a default is shown by its name.

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
def fragment_from_penman(penman: str, type_: AMType) -> Fragment:
    """Read a supertag; its nodes are in the order of the text, and equal texts are one object.

    Raises:
        GraphError: the text is not an s-graph in PENMAN.
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
    """Return the supertag of a delexicalised constant; its nodes are numbered as in its text.

    Raises:
        AlgebraError, GraphError: it is no graph constant, or has no text.
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
        AlgebraError, GraphError: it is not the text of a supertag.
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
    """Write a supertag in PENMAN with its type behind it, on one line."""
    return f"{supertag.penman} {type_to_str(supertag.type)}"


def _source_problems(marked: Iterable[str], type_: AMType) -> list[str]:
    """How the sources that mark nodes disagree with a type; empty if they agree."""
    found = []
    marked = set(marked)
    if missing := sorted(marked - type_.sources):
        found.append(f"sources {missing} are missing from type {type_to_str(type_)}")
    # Other sources may come with an argument (raising); Groschwitz 2019, definition 5.3.
    if nowhere := sorted(type_.origins - marked):
        found.append(f"sources {nowhere} of type {type_to_str(type_)} mark no node")
    return found


@lru_cache(maxsize=1 << 16)
def _supertag_of(constant: Fragment) -> Fragment:
    if len(constant.slots) > 1:
        raise InputError(f"its constant has {len(constant.slots)} slots, expected one at most")
    if constant.optional:
        raise InputError(f"optional ports are left open: {', '.join(sorted(constant.optional))}")
    if constant.unboxed:
        raise InputError("its constant has nodes that are in no box")
    return fragment_from_graph(constant.graph, constant.type)


@lru_cache(maxsize=1 << 16)
def _rooted(constant: Fragment, root: int) -> Fragment:
    return replace(constant, root=root)


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
