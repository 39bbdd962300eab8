"""JSON as graphs: one node a value, one edge to each value inside.

    {"intent": "set_timer", "minutes": 10}    {"intent": "set_timer"} -minutes-> 10

The node of an object is labelled with the key that it stands below and, between braces, the pair
that says of what type it is, if a corpus has such a pair (see `JsonNotation.for_corpus`); its edges
are labelled with keys. The node of an array has `[]` for the braces and the edges `item0`, `item1`,
... A string is a literal between quotes if words of the sentence spell it, and else a symbol
without quotes; numbers are literals too, and `true`, `false` and `null` symbols. Above a literal is
a node with the key that it stands below, so that constants tell minutes from rooms. A key that
other objects of the type have and this one lacks leads to a node that says so, a default
for it: any of the keys may be left out.

Objects are equal whatever the order of their keys; they are written in that of train.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.logic.term import is_number
from amparser.notations.notation import Equality, Notation
from amparser.notations.spelling import spelled_texts
from amparser.schema import RepeatedKeyError, once

ITEM = "item"
IS = "="
ABSENT = "-"
"""What the label of a node begins with that stands for the lack of a key."""
_MOST_OPTIONAL = 8
"""With more keys that may be left out, what is left out has no node."""
_TYPES = 0.2
"""There are at most so many types of objects, as a share of these."""
_WORDS = {"true": True, "false": False, "null": None}
_SYMBOL = re.compile(r"[^\W\d][^\[{\"'=]*")
_MARKED = re.compile(r"[\[{]")


class Number(str):
    """A number as it is written."""

    __slots__ = ()


@dataclass(frozen=True)
class Shapes:
    """What a corpus shows of its objects.

    Attributes:
        types: for the key above objects the key of the pair that says their type.
        keys: for the key above and the type of objects their keys in order.
        symbols: the strings that are no words of their sentences.
    """

    types: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    symbols: frozenset[str] = frozenset()


def value_of(text: str) -> Any:
    """The value of a JSON text; raises LogicError, naming the column."""
    try:
        return json.loads(
            text,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_no_constant,
            object_pairs_hook=once,
        )
    except json.JSONDecodeError as error:
        raise LogicError(f"column {error.colno}: not JSON: {error.msg}") from None
    except RepeatedKeyError as error:
        raise LogicError(str(error)) from None
    except RecursionError:
        raise LogicError("nested too deeply") from None


def _no_constant(name: str) -> Any:
    raise LogicError(f"not JSON: {name} is no value")


def text_of(value: Any, separators: tuple[str, str] = (", ", ": ")) -> str:
    """The text of a value; numbers are as they were written."""
    comma, colon = separators
    match value:
        case dict():
            pairs = (f"{json.dumps(k, ensure_ascii=False)}{colon}{text_of(v, separators)}"
                     for k, v in value.items())  # fmt: skip
            return f"{{{comma.join(pairs)}}}"
        case list():
            return f"[{comma.join(text_of(item, separators) for item in value)}]"
        case Number():
            return str(value)
    return json.dumps(value, ensure_ascii=False)


def _sorted(value: Any) -> Any:
    """The value with numbers as such and objects that are equal if they have equal pairs."""
    match value:
        case dict():
            return {key: _sorted(inside) for key, inside in value.items()}
        case list():
            return [_sorted(item) for item in value]
        case Number():
            return "number", float(value)
        case bool() | None:
            return "word", value
    return value


class JsonNotation(Notation):
    """JSON in one layout."""

    family = "json"
    needs_alignment = False
    generic = True

    def __init__(
        self, name: str, separators: tuple[str, str], shapes: Shapes | None = None
    ) -> None:
        self.name = name
        self.separators = separators
        self._shapes = shapes

    def read(self, text: str) -> object:
        """The value; raises LogicError."""
        value = value_of(text)
        if not isinstance(value, dict | list):
            raise LogicError("expected an object or an array")
        return value

    def graph(self, tokens: Sequence[str], text: str) -> SGraph:
        """The tree of a value."""
        nodes: dict[int, Node] = {}
        edges: list[Edge] = []
        spelled = spelled_texts(tokens)
        shapes = self._shapes or Shapes()

        def add(value: Any, name: str, parent: int, role: str) -> None:
            number = len(nodes)
            inside: Iterable[tuple[str, Any]] = ()
            if isinstance(value, dict):
                label, inside = _object_label(value, name, shapes)
            elif isinstance(value, list):
                label = f"{name}[]"
                inside = ((f"{ITEM}{i}", item) for i, item in enumerate(value))
            elif isinstance(value, _Literal):
                label = str(value)
            else:
                label = self._leaf(value, spelled)
                if _is_literal(label):
                    label, inside = f"{name}{IS}", [(IS, _Literal(label))]
            nodes[number] = Node(label)
            if parent >= 0:
                edges.append(Edge(parent, role, number))
            for key, below in inside:
                under = name if isinstance(value, list) else _name(key)
                add(below, under, number, key)

        add(self.read(text), "", -1, "")
        return SGraph(nodes, tuple(edges), 0)

    def _leaf(self, value: Any, spelled: frozenset[str]) -> str:
        if isinstance(value, Number | _Absent):
            return str(value)
        if not isinstance(value, str):
            return json.dumps(value)
        symbol = value not in _WORDS and bool(_SYMBOL.fullmatch(value))
        if self._shapes is None:
            symbol = symbol and value.lower() not in spelled
        else:
            symbol = symbol and value in self._shapes.symbols
        return value if symbol else f'"{value}"'

    def write(self, graph: SGraph) -> str:
        """The text of a tree.

        Raises:
            TranslateError: it is no tree, or a label or an edge stands for nothing.
        """
        below: dict[int, list[Edge]] = defaultdict(list)
        for edge in graph.edges:
            below[edge.parent].append(edge)
        seen: set[int] = set()

        def value(node: int) -> Any:
            if node in seen:
                raise TranslateError("the graph is not a tree")
            seen.add(node)
            label = graph.nodes[node].label or ""
            inside = [(edge.label, value(edge.child)) for edge in below[node]]
            marked = _MARKED.search(label)
            if marked and label[0] not in f'"{ABSENT}':
                return _container(label[marked.start() :], inside)
            if label.endswith(IS) and len(inside) == 1 and label[0] != '"':
                return inside[0][1]
            if inside:
                raise TranslateError(f"the value {label!r} has edges")
            return _value_of_label(label)

        found = value(graph.root)
        if len(seen) < len(graph.nodes) or graph.sources:
            raise TranslateError("the graph is not a tree")
        return text_of(found, self.separators)

    def written(self, tokens: Sequence[str], graph: SGraph) -> str:
        """`write`; whether strings are words of the sentence makes no difference."""
        try:
            text = self.write(graph)
            self.read(text)
        except (RecursionError, LogicError) as error:
            raise TranslateError(f"no JSON: {error}") from None
        return text

    def equality(self, tokens: Sequence[str], gold: str, predicted: str | None) -> Equality:
        """Values are compared; order counts in arrays alone."""
        try:
            equal = _sorted(value_of(gold)) == _sorted(value_of(predicted or ""))
        except LogicError:
            return Equality(predicted == gold, predicted == gold)
        return Equality(equal, equal)

    def for_corpus(self, rows: Iterable[tuple[Sequence[str], str]]) -> JsonNotation:
        """The notation with the types, keys and symbols of a corpus.

        A pair says the type of an object if its key comes first in all objects below the same key,
        and its values are few strings that differ in which other keys there must be.
        """
        strings: Counter[str] = Counter()
        copied: Counter[str] = Counter()
        objects: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for tokens, text in rows:
            try:
                found = list(_inside(self.read(text), ""))
            except LogicError:
                continue
            spelled = spelled_texts(tokens)
            for name, value in found:
                if isinstance(value, dict):
                    objects[name].append(value)
                elif isinstance(value, str) and not isinstance(value, Number):
                    strings[value] += 1
                    copied[value] += value.lower() in spelled
        symbols = frozenset(one for one, count in strings.items() if 2 * copied[one] < count)
        types, keys = {}, {}
        for name, some in objects.items():
            if key := _type_key(some):
                types[name] = key
            groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
            for one in some:
                groups[str(one[key]) if key else ""].append(one)
            for kind, members in groups.items():
                order = _key_order(members)
                optional = sum(any(k not in one for one in members) for k in order)
                if optional <= _MOST_OPTIONAL:
                    keys[name, kind] = order
        return JsonNotation(self.name, self.separators, Shapes(types, keys, symbols))

    def split(self, text: str) -> Sequence[str]:
        """Strings are cut at their spaces."""
        return re.findall(r'[\[\]{},:]|"?[^\s\[\]{},:"]+"?|"', text)


class _Absent(str):
    """The lack of a key."""

    __slots__ = ()


class _Literal(str):
    """The label of a literal."""

    __slots__ = ()


def _is_literal(label: str) -> bool:
    return label.startswith('"') or is_number(label)


def _object_label(
    value: Mapping[str, Any], name: str, shapes: Shapes
) -> tuple[str, list[tuple[str, Any]]]:
    """The label of an object's node, and what its edges lead to."""
    key = shapes.types.get(name)
    kind = value.get(key) if key else None
    typed = isinstance(kind, str) and key is not None
    label = text_of({key: kind}) if typed else "{}"
    inside = {k: v for k, v in value.items() if not typed or k != key}
    order = shapes.keys.get((name, str(kind) if typed else ""), ())
    known = {k: inside.get(k, _Absent(f"{ABSENT}{k}")) for k in order if not typed or k != key}
    return f"{name}{label}", list({**known, **inside}.items())


def _container(label: str, inside: Sequence[tuple[str, Any]]) -> Any:
    """The object or array of a label and what is inside."""
    if label == "[]":
        items = dict(inside)
        if len(items) < len(inside) or items.keys() != {f"{ITEM}{i}" for i in range(len(inside))}:
            raise TranslateError("the items of an array are not item0, item1, ...")
        return [items[f"{ITEM}{i}"] for i in range(len(inside))]
    try:
        found = value_of(label)
    except LogicError as error:
        raise TranslateError(f"{label!r} is no label of an object: {error}") from None
    for key, value in inside:
        if isinstance(value, _Absent):
            continue
        if key in found:
            raise TranslateError(f"the key {key!r} stands twice in one object")
        found[key] = value
    return found


def _value_of_label(label: str) -> Any:
    if label[:1] in ('"', "'"):
        return label[1:-1]
    if label in _WORDS:
        return _WORDS[label]
    if is_number(label):
        return Number(label.removeprefix("+"))
    return _Absent(label) if label.startswith(ABSENT) else label


def _name(key: str) -> str:
    """The key as a part of labels."""
    return "" if _MARKED.search(key) or key[:1] in ('"', "'", ABSENT) else key


def _inside(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A value and all values in it, each with the key above."""
    yield name, value
    if isinstance(value, dict):
        for key, below in value.items():
            yield from _inside(below, _name(key))
    elif isinstance(value, list):
        for item in value:
            yield from _inside(item, name)


def _type_key(objects: Sequence[Mapping[str, Any]]) -> str:
    """The key of the pair that says the type of objects; empty if there is none."""
    first = {next(iter(one), "") for one in objects}
    if len(first) != 1:
        return ""
    [key] = first
    kept: dict[str, frozenset[str]] = {}
    for one in objects:
        value = one.get(key)
        if not isinstance(value, str) or isinstance(value, Number):
            return ""
        kept[value] = kept.get(value, frozenset(one)) & frozenset(one)
    few = 1 < len(kept) <= _TYPES * len(objects)
    return key if few and len(set(kept.values())) > 1 else ""


def _key_order(objects: Sequence[Mapping[str, Any]]) -> list[str]:
    """All keys of objects, in an order that most of them have."""
    before: Counter[tuple[str, str]] = Counter()
    places: dict[str, list[int]] = defaultdict(list)
    for keys in {tuple(one) for one in objects}:
        for i, key in enumerate(keys):
            places[key].append(i)
            before.update((key, later) for later in keys[i + 1 :])
    mean = {key: sum(found) / len(found) for key, found in places.items()}
    order: nx.DiGraph[str] = nx.DiGraph()
    order.add_nodes_from(mean)
    order.add_edges_from(pair for pair, count in before.items() if count > before[pair[::-1]])
    if not nx.is_directed_acyclic_graph(order):
        return sorted(mean, key=lambda key: (mean[key], key))
    return list(nx.lexicographical_topological_sort(order, key=lambda key: (mean[key], key)))


JSON = JsonNotation("json", (", ", ": "))
JSON_TIGHT = JsonNotation("json-tight", (",", ":"))
