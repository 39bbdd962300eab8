"""Values (objects, calls, arrays, strings, numbers, words such as `true`) as trees.

    {"intent": "timer", "minutes": 10, "loud": true}

    {"intent": "timer"} -minutes-> `minutes=` -=-> 10
                        -{minutes,loud-> `loud=true` -&-> `-.`

The node of an object is labelled with the key that it stands below and, between braces, the pair
that says of what type it is, if a corpus has such a pair. An edge leads to each value whose key all
objects of the type have. The other pairs are a chain, in the order in which words of the sentence
announce them: any of them may follow any other, or be left out. The edge to the chain has the order
of all keys in its name. Items of arrays are a chain, too:

    time=        above a literal: a number, or a string between quotes if words mostly spell it
    loud=true    a symbol: a string that they do not spell, or `true`, `false`, `null`
    room{}       an object without a type
    at(time      a call of `time`
    people[=     such an item of an array; `people[[=` of an array in one; `people[]` has no items

    -&-> -,->    the next pair of the object; the next item of the array, `,,` of the inner one
    -. -: -,     where there is no next pair, no pair at all, no next item
    -room        where a pair is missing of which an object may lack few: it is in no chain
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.term import content_of, is_number
from amparser.notations.announcing import Announced, announcing_word, spelled_texts
from amparser.notations.json_text import Number, text_of, value_of

IS, NEXT, FIRST, ITEM = "=", "&", "{", ","
LAST, NO_PAIR, NO_ITEM, ABSENT = "-.", "-:", "-,", "-"
"""What ends a chain of pairs, stands for an empty one, and ends a chain of items."""
_WORDS = {"true": True, "false": False, "null": None}
_SYMBOL = re.compile(r"[^\W\d][^\[{\"'=]*")
KEY = re.compile(r"(?!-)[^\[\]{}(\"'=,&\\/]+")
_LABEL = re.compile(r"(?P<name>[^\[{(=]*)(?P<arrays>\[*)(?P<rest>=.*|\{.*\}|\(.+|\[\])", re.DOTALL)


class Written(str):
    """A leaf of a term as it is written: a number, a string with its quotes, or a symbol."""

    __slots__ = ()


class Call(dict[str, Any]):
    """A call: the arguments by their keys, which are `arg0`, `arg1`, ... for those without."""

    def __init__(self, head: str, arguments: Iterable[tuple[str, Any]] = ()) -> None:
        super().__init__(arguments)
        self.head = head


Shape = tuple[str, str]
"""The key above an object and its type, or a parenthesis and what is called."""


@dataclass(frozen=True)
class Shapes:
    """What a corpus shows of its objects.

    Attributes:
        types: for the key above objects the key of the pair that says their type.
        keys: for each shape of objects their keys in order.
        optional: the same for the keys that some of them lack.
        around: for shapes the key of the literal that is part of the object itself.
        symbols: the strings that are no words of their sentences; None if nothing is known of any.
        announced: how well words go with pairs.
    """

    types: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[Shape, Sequence[str]] = field(default_factory=dict)
    optional: Mapping[Shape, frozenset[str]] = field(default_factory=dict)
    around: Mapping[Shape, str] = field(default_factory=dict)
    symbols: frozenset[str] | None = None
    announced: Announced = field(default_factory=dict)


class Builder:
    """The tree of a value, for a sentence."""

    def __init__(self, tokens: Sequence[str], shapes: Shapes) -> None:
        self._words = [token.lower() for token in tokens]
        self._spelled = spelled_texts(tokens)
        self._shapes = shapes
        self.nodes: dict[int, Node] = {}
        self.edges: list[Edge] = []

    def add(
        self, value: Any, name: str, parent: int, role: str, arrays: int = 0, *, alone: bool = True
    ) -> int:
        """Add a value, an item of so many arrays in each other, below a node (from 0).

        Where a pair may follow, it is not `alone`.
        """
        if isinstance(value, list) and value:
            node = self.add(value[0], name, parent, role, arrays + 1)
            items = [node]
            for item in value[1:]:
                items.append(self.add(item, name, items[-1], _next_item(arrays), arrays + 1))
            self._leaf(f"{NO_ITEM}{ITEM * arrays}", items[-1], _next_item(arrays))
            # Each item has the same edges, so that all have one constant.
            for later in () if alone else items[1:]:
                self._leaf(LAST, later, NEXT)
            return node
        label = self._label(value, name, arrays)
        node = self._leaf(label, parent, role)
        if isinstance(value, dict):
            self._object(value, self.shape(value, name), node)
        elif label.endswith(IS):
            self._leaf(self._text(value)[0], node, IS)
        return node

    def _leaf(self, label: str, parent: int, role: str) -> int:
        number = len(self.nodes)
        self.nodes[number] = Node(label)
        if parent >= 0:
            self.edges.append(Edge(parent, role, number))
        return number

    def _label(self, value: Any, name: str, arrays: int = 0) -> str:
        """The label of a value that is no array with items."""
        name = f"{name}{'[' * arrays}"
        if isinstance(value, dict):
            _, kind = self.shape(value, name.rstrip("["))
            if isinstance(value, Call):
                return f"{name}({kind}"
            own = self._shapes.types.get(name.rstrip("[")) if kind else None
            return f"{name}{{}}" if own is None else f"{name}{text_of({own: kind})}"
        if isinstance(value, list):
            return f"{name}[]"
        text, literal = self._text(value)
        return f"{name}{IS}{'' if literal else text}"

    def shape(self, value: Mapping[str, Any], name: str) -> Shape:
        """The shape of an object below a key."""
        if isinstance(value, Call):
            return "(", value.head
        key = self._shapes.types.get(name)
        kind = value.get(key) if key else None
        return name, kind if isinstance(kind, str) else ""

    def _text(self, value: Any) -> tuple[str, bool]:
        """The text of a leaf, and whether it is a literal."""
        if isinstance(value, Number):
            return str(value), True
        if not isinstance(value, str):
            return json.dumps(value), False
        text = content_of(value) if isinstance(value, Written) else value
        known = self._shapes.symbols
        symbol = text.lower() not in self._spelled if known is None else text in known
        symbol &= bool(_SYMBOL.fullmatch(text))
        if isinstance(value, Written):
            return str(value), is_number(value) or (value[:1] in "'\"" and not symbol)
        symbol &= value not in _WORDS
        return (value, False) if symbol else (f'"{value}"', True)

    def _object(self, value: Mapping[str, Any], shape: Shape, node: int) -> None:
        own = self._shapes.types.get(shape[0]) if shape[1] else None
        inside = {key: below for key, below in value.items() if key != own}
        optional = self._shapes.optional.get(shape, frozenset())
        known = self._shapes.keys.get(shape, ())
        around = self._shapes.around.get(shape) if node else None
        # Objects that lack so many keys at most have a node for each that is missing, and no chain:
        # train need not have two of them together. Where the object has a word of its own, it may
        # stand between those of its pairs, where no chain could be projective.
        few = len(optional) <= (5 if around else 2)
        chain = []
        for key in [k for k in known if k != own] + [k for k in inside if k not in known]:
            if key not in inside:
                if few:
                    self._leaf(f"{ABSENT}{key}", node, _edge(key))
                continue
            below = inside[key]
            if key in optional and few:
                self._leaf(LAST, self.add(below, key, node, _edge(key), alone=False), NEXT)
            elif key in optional or (optional and key not in known and KEY.fullmatch(key)):
                chain.append((self._place(below, key), key, below))
            elif key == around and self.is_literal(below):
                self._leaf(self._text(below)[0], node, _edge(key))
            else:
                # What is called says enough where it must stand.
                name = "" if isinstance(below, Call) else _name(key)
                if isinstance(value, Call) and name.startswith("arg"):
                    name = _name(f"{value.head} {name}")
                self.add(below, name, node, _edge(key))
        if not optional or (few and not chain):
            return
        role = f"{FIRST}{ITEM.join(key for key in known if key != own)}"
        before, end = node, NO_PAIR
        for _, key, below in sorted(chain, key=lambda pair: pair[0]):
            before, role, end = self.add(below, key, before, role, alone=False), NEXT, LAST
        self._leaf(end, before, role)

    def is_literal(self, value: Any) -> bool:
        """Whether a value is a leaf that is a literal."""
        return not isinstance(value, dict | list) and self._text(value)[1]

    def _place(self, value: Any, name: str) -> int:
        return announcing_word(
            self.key(value, name),
            [i for text in texts_in(value) for i in starts(self._words, text)],
            self._words,
            self._shapes.announced,
        )

    def key(self, value: Any, name: str) -> str:
        """What a pair is known by: its label, that of its first item if it is an array."""
        arrays = 0
        while isinstance(value, list) and value:
            value, arrays = value[0], arrays + 1
        return self._label(value, name, arrays)


def graph_of_value(value: Any, tokens: Sequence[str], shapes: Shapes | None = None) -> SGraph:
    """The tree of a value; `shapes` are those of its corpus, if there is one."""
    builder = Builder(tokens, shapes or Shapes())
    builder.add(value, "", -1, "")
    return SGraph(builder.nodes, tuple(builder.edges), 0)


def is_of_values(graph: SGraph) -> bool:
    """Whether a graph is that of a call as a value."""
    return (graph.nodes[graph.root].label or "").lstrip("[")[:1] == "("


# Long: its parts read one tree together.
def value_of_graph(graph: SGraph, *, written: bool = False) -> Any:
    """The value of a tree.

    Args:
        graph: the tree.
        written: whether leaves are as they are written, and there are calls.

    Raises:
        TranslateError: it is no tree, or a label or an edge stands for nothing.
    """
    below: dict[int, list[Edge]] = defaultdict(list)
    for edge in graph.edges:
        below[edge.parent].append(edge)
    seen: set[int] = set()
    items: dict[int, list[int]] = {}
    """The items of each array by the first."""

    def following(node: int, role: str) -> int | None:
        """The node that an edge of this label leads to, if it is no end."""
        links = [edge.child for edge in below[node] if edge.label == role]
        if len(links) > 1:
            raise TranslateError(f"two edges {role!r} at one node")
        for child in links:
            visit(child)
            if not is_end(graph.nodes[child].label or ""):
                return child
        return None

    def chain(node: int | None, role: str) -> Iterator[int]:
        """A node and those that follow it by edges of this label."""
        while node is not None:
            yield node
            node = following(node, role)

    def visit(node: int) -> None:
        if node in seen:
            raise TranslateError("the graph is not a tree")
        seen.add(node)

    def item(node: int, level: int, pairs: list[int]) -> Any:
        """The value at a node; pairs that follow it in an object are added to `pairs`."""
        label = graph.nodes[node].label or ""
        if is_literal(label) and not below[node]:
            return leaf(label)
        parts = parts_of(node)
        if level > len(parts["arrays"]):
            raise TranslateError(f"{parts[0]!r} is no item of an array")
        if level == len(parts["arrays"]):
            if (pair := following(node, NEXT)) is not None:
                pairs.append(pair)
            return base(node, parts)
        nodes = list(chain(node, _next_item(level)))
        if level == 0:
            items[node] = nodes
        return [item(one, level + 1, pairs) for one in nodes]

    def parts_of(node: int) -> re.Match[str]:
        label = graph.nodes[node].label or ""
        parts = _LABEL.fullmatch(label)
        if parts is None:
            raise TranslateError(f"{label!r} is no label of a value")
        return parts

    def base(node: int, parts: re.Match[str]) -> Any:
        rest = parts["rest"]
        inside = [edge for edge in below[node] if edge.label[:1] not in (NEXT, ITEM)]
        if rest == IS:
            if len(inside) != 1 or inside[0].label != IS or below[inside[0].child]:
                raise TranslateError(f"{parts[0]!r} has no literal")
            visit(inside[0].child)
            return leaf(graph.nodes[inside[0].child].label or "")
        if rest[0] == "(" and written:
            return Call(rest[1:], members(inside, {}, []))
        if rest[0] == "{" and not written:
            found = head(rest)
            return dict(members(inside, found, list(found)))
        if inside:
            raise TranslateError(f"the value {parts[0]!r} has edges")
        return [] if rest == "[]" else leaf(rest[1:])

    def leaf(label: str) -> Any:
        return Written(label) if written else _leaf_value(label)

    def head(rest: str) -> dict[str, Any]:
        try:
            found: dict[str, Any] = value_of(rest)
        except LogicError as error:
            raise TranslateError(f"{rest!r} is no label of an object: {error}") from None
        return found

    def members(
        inside: Sequence[Edge], found: Mapping[str, Any], order: list[str]
    ) -> list[tuple[str, Any]]:
        pairs: list[tuple[str, int, Any]] = []
        keys = {_key(edge.label) for edge in inside}

        def add(name: str, node: int) -> None:
            chained = [node]
            for one in chained:
                pairs.append((name or parts_of(one)["name"], one, item(one, 0, chained)))
                name = ""

        for edge in inside:
            if edge.label.startswith(FIRST):
                order += edge.label[1:].split(ITEM)
                if (first := following(edge.parent, edge.label)) is not None:
                    add("", first)
                continue
            visit(edge.child)
            if not is_end(label := graph.nodes[edge.child].label or ""):
                own = "" if is_literal(label) else parts_of(edge.child)["name"]
                # A pair that stands in the place of another one is still itself.
                add(own if own and own in keys else _key(edge.label), edge.child)
        made: dict[str, Any] = dict(found)
        arrays: dict[str, list[tuple[int, Any]]] = defaultdict(list)
        for key, node, value in sorted(pairs, key=lambda pair: _index(order, pair[0])):
            said = [(graph.nodes[one].token or 0) for one in items.get(node, ())]
            if key in made and not (arrays[key] and said):
                raise TranslateError(f"the key {key!r} stands twice in one object")
            arrays[key] += zip(said, value if said else (), strict=True)
            if key in made:
                # More items than train has may be in several arrays, here as they are said.
                arrays[key].sort(key=itemgetter(0))
                value = [one for _, one in arrays[key]]
            made[key] = value
        return list(made.items())

    def alone(node: int) -> Any:
        pairs: list[int] = []
        value = item(node, 0, pairs)
        if pairs:
            raise TranslateError(
                f"a pair follows {graph.nodes[node].label!r}, which is in no chain"
            )
        return value

    seen.add(graph.root)
    value = alone(graph.root)
    if len(seen) < len(graph.nodes) or graph.sources:
        raise TranslateError("the graph is not a tree")
    return value


def texts_in(value: Any) -> Iterator[str]:
    """The strings and numbers of a value, in lower case."""
    for _, inside in inside_of(value, ""):
        if isinstance(inside, str):
            yield (content_of(inside) if isinstance(inside, Written) else inside).lower()


def starts(words: Sequence[str], text: str) -> list[int]:
    """Where words in lower case begin to spell a text.

    >>> starts(["in", "the", "living", "room"], "living room")
    [2]
    """
    parts = text.split()
    return [i for i in range(len(words)) if parts and list(words[i : i + len(parts)]) == parts]


def is_literal(label: str) -> bool:
    """Whether a label is a string between quotes or a number."""
    return label.startswith('"') or is_number(label)


def _leaf_value(label: str) -> Any:
    if label[:1] in ('"', "'"):
        return label[1:-1]
    if label in _WORDS:
        return _WORDS[label]
    return Number(label.removeprefix("+")) if is_number(label) else label


def _next_item(arrays: int) -> str:
    return ITEM * (arrays + 1)


def is_end(label: str) -> bool:
    """Whether a label stands for nothing: no next pair or item, or the lack of a pair."""
    return label.startswith(ABSENT) and not is_number(label)


def _index(order: Sequence[str], key: str) -> int:
    return order.index(key) if key in order else len(order)


def _name(key: str) -> str:
    """The key as a part of labels."""
    return key if KEY.fullmatch(key) else ""


def _edge(key: str) -> str:
    """The edge to the value of a key."""
    return f"\\{key}" if key[:1] in (NEXT, FIRST, ITEM, "\\") else key


def _key(edge: str) -> str:
    return edge[1:] if edge[:1] == "\\" else edge


def inside_of(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A value and all values in it, each with the key above."""
    yield name, value
    if isinstance(value, dict):
        for key, below in value.items():
            yield from inside_of(below, _name(key))
    elif isinstance(value, list):
        for item in value:
            yield from inside_of(item, name)
