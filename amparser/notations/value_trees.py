"""Represent values (objects, calls, arrays, strings, numbers, words like `true`) as trees.

    {"intent": "timer", "minutes": 10, "loud": true, "days": ["monday", "friday"]}

    `{"intent": "timer"}` -minutes-> `minutes` -is-> `10`
                          -loud-> `true`
                          -days-> `days` -is-> `"monday"`
                                  `days` -&-> `days` -is-> `"friday"`
                                                 `days` -&-> `()`

- An object is a node with an edge to the value of each key. Its label is the pair of key and value
  that gives its type, or, if it has no type, the key above it (`{date}`).
- A call is a node whose label is the head of the call.
- Numbers are literals, and so are strings that are usually spelled by words of the sentence. A
  literal is below a node labelled with its key. All other leaves are symbols.
- Each item of an array has an edge to the next item.
- `()` stands for the missing value of an optional key, and for the end of an array.

The *shape* of objects is their key and type, or the head of a call (`Shape`). An object with many
optional keys is a chain of pairs, in the order of the words that announce them (`announcing`):

    `{"intent": "book"}` -*-> `party/size` -is-> `2`
                              `party/size` -&-> `when/day` -is-> `"friday"`
                                                `when/day` -&-> `()`

In chains, nested objects are flattened: the path `party/size` is the key `size` of the object below
the key `party`. Words anywhere in the sentence can therefore express the values of nested objects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amparser.errors import LogicError, TranslateError
from amparser.graph.sgraph import SGraph
from amparser.logic.term import content_of, is_number
from amparser.notations.announcing import Announced, announcing_word, spelled_texts
from amparser.notations.json_text import Number, text_of, value_of
from amparser.notations.ordered_trees import (
    ABSENT,
    NEXT,
    PLACE,
    Tree,
    chain_of,
    tree_of_graph,
)

IS, PAIRS, STEP = "is", "*", "/"
_WORDS = {"true": True, "false": False, "null": None}
_RESERVED = re.compile(rf"\\*({IS}|{NEXT}|\*|{PLACE.pattern})")
_SYMBOL = re.compile(r"[^\W\d][^\[{\"'=]*")


class Written(str):
    """Text of a leaf of a term: a number, a string with its quotes, or a symbol."""

    __slots__ = ()


class Call(dict[str, Any]):
    """Arguments of a call by key; an argument without a key has the key `arg0`, `arg1`, ..."""

    def __init__(self, head: str, arguments: Iterable[tuple[str, Any]] = ()) -> None:
        super().__init__(arguments)
        self.head = head


Shape = tuple[str, str]
"""Key above an object, and type of the object; for calls, an opening parenthesis and the head."""


@dataclass(frozen=True)
class Shapes:
    """Types, keys and literals of the objects and calls of a corpus.

    Attributes:
        types: for each key above objects, the key whose value is the objects' type.
        keys: for each shape, the keys of its objects in their usual order.
        optional: for each shape, the keys that some of its objects lack.
        around: for each shape, the key whose literal is directly below the object's node.
        symbols: strings that the sentence usually does not contain, or None without a corpus.
        chained: shapes whose objects are chains of pairs; their `keys` are the paths of the pairs.
        announced: P(word | key of a pair); see `announcing`. The key is the `pair_key`, or only the
            path if the `pair_key` is not in `keyed`.
        keyed: values of `pair_key` (path and value) that occur more than once.
        grouping: keys of nested objects that chains flatten.
    """

    types: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[Shape, Sequence[str]] = field(default_factory=dict)
    optional: Mapping[Shape, frozenset[str]] = field(default_factory=dict)
    around: Mapping[Shape, str] = field(default_factory=dict)
    symbols: frozenset[str] | None = None
    chained: frozenset[Shape] = frozenset()
    announced: Announced = field(default_factory=dict)
    keyed: frozenset[str] = frozenset()
    grouping: frozenset[str] = frozenset()

    def shape(self, value: Mapping[str, Any], name: str) -> Shape:
        """Return the shape of an object or call below the key `name`."""
        if isinstance(value, Call):
            return "(", value.head
        type_name = value.get(self.types[name]) if name in self.types else ""
        return name, type_name if type(type_name) is str else ""

    def leaf(self, value: Any, spelled: frozenset[str] = frozenset()) -> tuple[str, bool]:
        """Return the label of a leaf, and whether it is a literal.

        Args:
            value: a value that is not an object, call or array.
            spelled: lower-case texts that words of the sentence spell.
        """
        if isinstance(value, Number):
            return str(value), True
        if not isinstance(value, str):
            return json.dumps(value), False
        text = content_of(value) if isinstance(value, Written) else value
        known = text.lower() not in spelled if self.symbols is None else text in self.symbols
        symbol = known and _SYMBOL.fullmatch(text) is not None
        if isinstance(value, Written):
            return str(value), is_number(value) or (value[:1] in "'\"" and not symbol)
        symbol &= value not in _WORDS
        return (value, False) if symbol else (f'"{value}"', True)

    def is_literal(self, value: Any) -> bool:
        """Return True if a value is a literal, regardless of the sentence."""
        return not isinstance(value, dict | list) and self.leaf(value)[1]


def tree_of_value(value: Any, tokens: Sequence[str], shapes: Shapes | None = None) -> Tree:
    """Return the tree of a value, given the sentence and the corpus's shapes."""
    return _Builder(tokens, shapes or Shapes()).tree(value, "")


class _Builder:
    def __init__(self, tokens: Sequence[str], shapes: Shapes) -> None:
        self.shapes = shapes
        self.spelled = spelled_texts(tokens)
        self.words = [token.lower() for token in tokens]

    def tree(self, value: Any, name: str) -> Tree:
        if isinstance(value, list):
            return chain_of([self._item(item, name) for item in value]) if value else Tree("[]")
        if isinstance(value, dict):
            return self._object(value, name)
        label, literal = self.shapes.leaf(value, self.spelled)
        return Tree(name or "value", [(IS, Tree(label))]) if literal else Tree(label)

    def _item(self, value: Any, name: str) -> Tree:
        tree = self.tree(value, name)
        return Tree(name or "value", [(IS, tree)]) if isinstance(value, list) and value else tree

    def _object(self, value: Mapping[str, Any], name: str) -> Tree:
        shapes = self.shapes
        shape = shapes.shape(value, name)
        type_key = shapes.types[name] if shape[1] and not isinstance(value, Call) else None
        known = shapes.keys.get(shape, ())
        below = []
        if shape in shapes.chained:
            below.append((PAIRS, self._pairs(value, type_key)))
            # A call's arguments without a key do not belong to the chain.
            places = {key: item for key, item in value.items() if PLACE.fullmatch(key)}
            value = Call(shape[1], places.items()) if isinstance(value, Call) else {}
            known = ()
        for key in [*known, *(key for key in value if key not in known)]:
            edge, above = edge_of_key(key), key
            if isinstance(value, Call):
                edge, above = key, f"{value.head} {key}" if PLACE.fullmatch(key) else key
            if key == type_key or not (key in value or key in shapes.optional.get(shape, ())):
                continue
            if key not in value:
                inside = Tree(ABSENT)
            elif key == shapes.around.get(shape) and shapes.is_literal(value[key]):
                inside = Tree(shapes.leaf(value[key])[0])
            else:
                inside = self.tree(value[key], above)
            below.append((edge, inside))
        named = below or type_key is not None
        return Tree(label_of_shape(shape, shapes) if named else "{}", below)

    def _pairs(self, value: Mapping[str, Any], type_key: str | None) -> Tree:
        shapes = self.shapes

        def place(pair: tuple[str, Any]) -> int:
            key = next(k for k in (pair_key(*pair), pair[0]) if k in shapes.keyed or k == pair[0])
            spelled = words_of(pair[1], self.words)
            return announcing_word(key, spelled, self.words, shapes.announced)

        pairs = [(path, item) for path, item in pairs_of(value, shapes) if path != type_key]
        chain = []
        for path, item in sorted(pairs, key=place):
            leaf = not isinstance(item, dict | list)
            label = shapes.leaf(item, self.spelled)[0] if leaf else ""
            chain.append(Tree(path, [(IS, Tree(label) if leaf else self.tree(item, path))]))
        return chain_of(chain)


def label_of_shape(shape: Shape, shapes: Shapes) -> str:
    """Return the label of the objects of a shape."""
    name, kind = shape
    if name == "(" or not kind:
        return kind or ("{}" if name[:1] == '"' else f"{{{name}}}")
    return text_of({shapes.types[name]: kind})


def pairs_of(value: Mapping[str, Any], shapes: Shapes) -> Iterator[tuple[str, Any]]:
    """Yield the (path, value) pairs of an object; objects below `grouping` keys are flattened."""
    for key, inside in value.items():
        if isinstance(value, Call) and PLACE.fullmatch(key):
            continue
        if key in shapes.grouping and is_group(inside):
            yield from ((f"{key}{STEP}{path}", nested) for path, nested in pairs_of(inside, shapes))
        else:
            yield key, inside


def pair_key(path: str, value: Any) -> str:
    """Return the text of a pair: its path, followed by its value if the value is a leaf."""
    return path if isinstance(value, dict | list) else f"{path} {value}"


def is_group(value: Any) -> bool:
    """Return True if a value is a non-empty object but not a call; chains may flatten it."""
    return isinstance(value, dict) and not isinstance(value, Call) and bool(value)


def words_of(value: Any, words: Sequence[str]) -> list[int]:
    """Return the positions of the words that occur in the strings of a value."""
    texts = set()
    for _, inside in inside_of(value, ""):
        if isinstance(inside, str):
            text = content_of(inside) if isinstance(inside, Written) else inside
            texts.update(text.lower().split())
    return [number for number, word in enumerate(words) if word in texts]


def is_of_values(graph: SGraph) -> bool:
    """Return True if a graph has edges or leaves that only trees of values have."""
    edges = {edge.label for edge in graph.edges}
    return bool(edges & {IS, NEXT, PAIRS}) or any(n.label == ABSENT for n in graph.nodes.values())


class _Items(list[Any]):
    """Items at the end of an array; `value_of_tree` builds arrays from last to first."""


_NOTHING = object()


def value_of_tree(
    tree: Tree,
    made: Callable[[str, Sequence[tuple[str, Any]] | None], Any],
    array: Callable[[Sequence[Any]], Any] = list,
) -> Any:
    """Return the value of a tree.

    Args:
        made: function that builds an object or a call from its label and (edge, value) pairs, and a
            leaf from its label and None.
        array: function that builds an array from items.

    Raises:
        TranslateError: no value has this tree.
    """

    def whole(value: Any) -> Any:
        if value is _NOTHING:
            raise TranslateError(f"{ABSENT!r} has no value")
        return array(value) if isinstance(value, _Items) else value

    def part(tree: Tree, values: Sequence[Any]) -> Any:
        label = tree.label
        if label == ABSENT and not values:
            return _NOTHING
        below = _under_own_keys(tree.below, values)
        children = [(edge, value) for edge, value in below if edge not in (IS, NEXT)]
        literals = [value for edge, value in below if edge == IS]
        further = [value for edge, value in below if edge == NEXT]
        if len(literals) + bool(children) > 1 or len(further) > 1:
            raise TranslateError(f"{label!r} has several values")
        if literals:
            item = whole(literals[0])
        else:
            pairs = [(e, whole(v)) for e, v in children if v is not _NOTHING]
            item = made(label, pairs if children else None)
        if not further:
            return item
        if further[0] is not _NOTHING and not isinstance(further[0], _Items):
            raise TranslateError(f"expected an array item after {label!r}")
        return _Items([item, *(further[0] if isinstance(further[0], _Items) else ())])

    return whole(tree.folded(part))


def _under_own_keys(
    below: Sequence[tuple[str, Tree]], values: Sequence[Any]
) -> list[tuple[str, Any]]:
    """Return an object's (edge, value) pairs, with each value at the key that its label names.

    A label such as `minutes` or `{date}` is more reliable than the edge, which the decoder chose.
    Values are moved only to keys that the object has.
    """
    first = {edge: place for place, (edge, _) in reversed([*enumerate(below)])}
    placed = []
    for place, ((edge, tree), value) in enumerate(zip(below, values, strict=True)):
        is_literal = any(inner == IS for inner, _ in tree.below)
        name = tree.label if is_literal else tree.label[1:-1] if tree.label[:1] == "{" else ""
        key = edge_of_key(name) if name and edge not in (IS, NEXT) else edge
        moved = key != edge and key in first
        placed.append((first[key], key, value) if moved else (place, edge, value))
    placed.sort(key=lambda pair: pair[0])
    return [(edge, value) for _, edge, value in placed]


def json_of_graph(graph: SGraph) -> Any:
    """Return the JSON value of a graph. Raises TranslateError if it has none."""
    return json_of_tree(tree_of_graph(graph))


def json_of_tree(tree: Tree) -> Any:
    """Return the JSON value of a tree. Raises TranslateError if it has none."""
    return value_of_tree(tree, _json_part)


def _json_part(label: str, pairs: Sequence[tuple[str, Any]] | None) -> Any:
    if pairs is None and label[:1] != "{":
        return [] if label == "[]" else _leaf_value(label)
    pairs_by_key: dict[str, Any] = {}
    if label[:2] == '{"':
        try:
            pairs_by_key = value_of(label)
        except LogicError as error:
            raise TranslateError(f"{label!r} is not a label of an object: {error}") from None
    for edge, value in pairs or ():
        key = key_of_edge(edge)
        if key in pairs_by_key:
            raise TranslateError(f"the key {key!r} occurs twice in one object")
        pairs_by_key[key] = value
    return pairs_by_key


def _leaf_value(label: str) -> Any:
    if label[:1] in ('"', "'"):
        return label[1:-1]
    if label in _WORDS:
        return _WORDS[label]
    return Number(label.removeprefix("+")) if is_number(label) else label


def edge_of_key(key: str) -> str:
    r"""Return the edge to the value of a key; reserved keys such as `is` get a backslash.

    >>> print(edge_of_key("room"), edge_of_key("is"), edge_of_key("arg0"))
    room \is \arg0
    """
    return f"\\{key}" if _RESERVED.fullmatch(key) else key


def key_of_edge(edge: str) -> str:
    """Return the key of an edge label; the inverse of `edge_of_key`."""
    return edge[1:] if edge[:1] == "\\" and _RESERVED.fullmatch(edge) else edge


def inside_of(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield (key, value) for a value with the key `name`, and for all values inside it."""
    yield name, value
    if isinstance(value, dict):
        for key, below in value.items():
            yield from inside_of(below, key)
    elif isinstance(value, list):
        for item in value:
            yield from inside_of(item, name)
