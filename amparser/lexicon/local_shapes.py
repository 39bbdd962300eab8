"""Local constraints on meanings: the edges of each label, and the kinds of values at each edge.

A parser combines constants freely, so it may build a meaning that is unlike all meanings in
training: with a text where training has numbers, or without a key that all other objects have. The
constraints (`LocalShapes`) record which edges each label may and must have, and which kinds of
values each edge has: numbers, texts, names, or classes of interchangeable labels. They do not
record pairs of labels, so unseen combinations remain possible.

`Attested` records the combinations of labels in training. New combinations are often right in small
corpora and mostly wrong in others, so they lower the confidence of an answer but do not exclude it.

If the corpus has a JSON Schema, the constraints also allow its example values, and exclude meanings
that contradict it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

import networkx as nx

from amparser.characters import is_private
from amparser.graph.sgraph import SGraph
from amparser.lexicon.encoded import IGNORE_TAG
from amparser.logic.term import content_of, is_literal
from amparser.notations.json_schema import JsonSchema
from amparser.notations.ordered_trees import ARGUMENT, PLACE, is_end
from amparser.notations.value_trees import json_of_graph

_FURTHER = f"{ARGUMENT}+"
"""Edge label of all arguments beyond the minimum number that a function has in training."""
_ENOUGH = 5
"""Minimum occurrences of a label to constrain its edges, and of an edge to constrain its values."""
_OFTEN = 30
"""Labels with fewer occurrences may also have the edges of other labels in their class."""
_NUMBER, _TEXT, _NAME, _NEW = "0", "'", "a name", "? "
"""Kinds of values besides classes of labels; `_NEW` is the prefix of labels that training lacks."""


@dataclass(frozen=True)
class LocalShapes:
    """Local constraints of a training set.

    Attributes:
        labels: minimum number of positional arguments (arguments without a key) of each label.
        needed: edges that each label always has.
        values: kinds of values by label (or class) and edge: `0`, `'`, `a name` or a class.
        classes: class of each label; literals have none.
        rare: labels that may also have the edges of other labels in their class.
        roots: classes of root labels.
        schema: schema that all meanings satisfy, or None.
    """

    labels: Mapping[str, int] = field(default_factory=dict)
    needed: Mapping[str, list[str]] = field(default_factory=dict)
    values: Mapping[str, dict[str, list[str]]] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    rare: frozenset[str] = frozenset()
    roots: Sequence[str] = ()
    schema: JsonSchema | None = None

    def problem(self, graph: SGraph) -> str | None:
        """Return a message about the first violated constraint in a meaning, or None.

        Raises:
            TranslateError: there is a schema, and the meaning is not a JSON value.
        """
        if (shape := self._new_shape(graph)) is not None:
            return f"train has no such shape: {shape}"
        if self.schema and (problem := self.schema.problem(json_of_graph(graph))) is not None:
            return f"the schema does not allow it: {problem}"
        return None

    def _new_shape(self, graph: SGraph) -> str | None:
        tree = MeaningTree(graph)
        root = self._kind(tree, graph.root)
        if root.startswith(_NEW):
            return f"{tree.label(graph.root)!r} is not a label in train"
        if root not in self.roots:
            return f"{tree.label(graph.root)!r} cannot be a whole meaning"
        for node in tree.inner():
            label = tree.label(node)
            if label not in self.labels:
                if not tree.below[node]:
                    continue  # The check of its parent decides whether the leaf is a name.
                return f"{label!r} is not a label in train"
            edges = [(self._place(label, place), child) for place, child in tree.below[node]]
            for place in self.needed.get(label, ()):
                if all(place != other for other, _ in edges):
                    return f"{label!r} lacks {place!r}"
            own = self.values.get(label, {})
            shared = self.values.get(self.classes[label], {}) if label in self.rare else {}
            for place, child in edges:
                known = own.get(place, shared.get(place))
                if known is None:
                    return f"{label!r} has no {place!r}"
                kind = self._kind(tree, child)
                is_name = _NAME in known and not tree.below[child]
                if kind.startswith(_NEW) and not is_name:
                    return f"{tree.label(child)!r} is not a label in train"
                if kind not in known and not is_name:
                    return f"{tree.label(child)!r} does not occur at {place!r} of {label!r}"
        return None

    def edge(self, tree: MeaningTree, node: int, place: str, child: int) -> tuple[str, str]:
        """Return the labels of an edge and of its child, with similar labels made equal.

        All arguments after the minimum number have the same edge label. All literals of one kind,
        and all names, have the same child label.
        """
        label = tree.label(node)
        place = self._place(label, place)
        if _NAME in self.values.get(label, {}).get(place, ()) and not tree.below[child]:
            return place, _NAME
        return place, tree.literal(child) or tree.label(child)

    def _place(self, label: str, place: str) -> str:
        return _normal(place, self.labels.get(label, 0))

    def _kind(self, tree: MeaningTree, node: int) -> str:
        label = tree.label(node)
        return tree.literal(node) or self.classes.get(label, _NEW + label)


class MeaningTree:
    """Labels and edges of a meaning's graph, which is a tree; the ends of lists are left out."""

    def __init__(self, graph: SGraph) -> None:
        self.graph = graph
        self.below: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for edge in graph.edges:
            if not is_end(self.label(edge.child)):
                self.below[edge.parent].append((edge.label, edge.child))

    def label(self, node: int) -> str:
        """Return the label of a node; empty if it has no label."""
        return self.graph.nodes[node].label or ""

    def literal(self, node: int) -> str:
        """Return the kind of a literal (`0` or `'`); empty for other nodes."""
        label = self.label(node)
        if self.below[node] or not is_literal(label):
            return ""
        return _TEXT if label[:1] in "'\"" else _NUMBER

    def inner(self) -> list[int]:
        """Return all nodes except literals and ends of lists."""
        return [n for n in self.graph.nodes if not is_end(self.label(n)) and not self.literal(n)]


def _normal(place: str, least: int) -> str:
    """Return `_FURTHER` for arguments from index `least` on, else the edge label unchanged."""
    match = PLACE.fullmatch(place)
    return _FURTHER if match and int(match[1]) >= least else place


def local_shapes(graphs: Iterable[SGraph]) -> LocalShapes:
    """Induce the constraints of training meanings, which are trees."""
    trees = [MeaningTree(graph) for graph in graphs]
    nodes = [(tree, node) for tree in trees for node in tree.inner()]
    counts: Counter[str] = Counter()
    least: dict[str, int] = {}
    for tree, node in nodes:
        label = tree.label(node)
        counts[label] += 1
        arguments = sum(PLACE.fullmatch(place) is not None for place, _ in tree.below[node])
        least[label] = min(least.get(label, arguments), arguments)
    fillers: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    leaves: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    having: dict[str, Counter[str]] = defaultdict(Counter)
    for tree, node in nodes:
        label = tree.label(node)
        edges = [(_normal(place, least[label]), child) for place, child in tree.below[node]]
        having[label].update({place for place, _ in edges})
        for place, child in edges:
            kind = tree.literal(child)
            fillers[label, place][kind or tree.label(child)] += 1
            if not kind and not tree.below[child]:
                leaves[label, place][tree.label(child)] += 1
    roots = {tree.label(tree.graph.root): None for tree in trees}
    classes = _classes(counts, fillers, leaves, list(roots))
    pooled: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (label, place), found in fillers.items():
        for one, count in found.items():
            pooled[classes[label], place][classes.get(one, one)] += count
    values: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for (label, place), found in fillers.items():
        kinds = {classes.get(one, one) for one in found}
        if found.total() < _ENOUGH:
            kinds = set(pooled[classes[label], place])
        values[label][place] = sorted(kinds)
    for (name, place), counted in pooled.items():
        values[name][place] = sorted(counted)
    return LocalShapes(
        labels=least,
        needed={
            label: sorted(place for place, count in having[label].items() if count == total)
            for label, total in counts.items()
            if total >= _ENOUGH
        },
        values=values,
        classes=classes,
        rare=frozenset(label for label, count in counts.items() if count < _OFTEN),
        roots=sorted({classes[root] for root in roots}),
    )


def _classes(
    labels: Iterable[str],
    fillers: Mapping[tuple[str, str], Counter[str]],
    leaves: Mapping[tuple[str, str], Counter[str]],
    roots: Sequence[str],
) -> dict[str, str]:
    """Return the class of each label.

    Labels that occur at the same edge, or as roots, are in the same class (connected components).

    Args:
        fillers: for each (label, edge), counts of the values. Counts of names are replaced, in
            place, by one count for all names.
    """
    alike: nx.Graph[str] = nx.Graph()
    alike.add_nodes_from(labels)
    for at, found in fillers.items():
        if has_names(leaves[at], found[_TEXT]):
            for name in leaves[at]:
                del found[name]
            found[_NAME] = leaves[at].total()
        nx.add_path(alike, [one for one in found if one not in (_NUMBER, _TEXT, _NAME)])
    nx.add_path(alike, roots)
    return {
        label: f"class {number}"
        for number, members in enumerate(nx.connected_components(alike))
        for label in sorted(members)
    }


def has_names(leaves: Counter[str], texts: int) -> bool:
    """Return whether the leaves at an edge are names; if so, unseen leaves are likely, too.

    Args:
        leaves: counts of leaves without quotes at the edge.
        texts: number of quoted leaves at the edge.
    """
    rare = sum(count == 1 for count in leaves.values())
    # At least ten leaves must differ. Leaves that occur once must make up a tenth of all leaves, or
    # there must be as many quoted leaves.
    return len(leaves) >= 10 and max(rare, texts) >= 0.1 * leaves.total()


_ROOT = "^"
_MOSTLY = 0.5
"""A word is an ignored word if more than this share of its tokens has no constant."""


@dataclass(frozen=True)
class Attested:
    """Parts of training meanings (see `parts_of`), and ignored words.

    Attributes:
        parts: all parts, as tab-separated texts; parts with values or words are included only if
            these are frequent.
        ignored: lower-case words that are ignored in more than half of their tokens.
    """

    parts: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        shapes: LocalShapes | None,
        meanings: Iterable[tuple[Sequence[str], SGraph]],
        rows: Iterable[tuple[Sequence[str], Sequence[int]]],
    ) -> Attested:
        """Collect the parts and ignored words of a training set.

        Args:
            shapes: constraints that generalise the labels of edges and values (`LocalShapes.edge`).
            meanings: tokens and graph of each sentence; the graphs are trees.
            rows: tokens of each derivation and their tags (see `Encoded`).
        """
        parts: Counter[str] = Counter()
        if shapes is not None:
            for tokens, graph in meanings:
                parts.update(parts_of(graph, shapes, tokens))
        seen: Counter[str] = Counter()
        ignored: Counter[str] = Counter()
        for tokens, tags in rows:
            for token, tag in zip(tokens, tags, strict=True):
                seen[token.lower()] += 1
                ignored[token.lower()] += tag == IGNORE_TAG
        return cls(
            # A value, a word or a root is frequent if at least three sentences have it.
            frozenset(part for part in parts if all(parts[one] >= 3 for one in _frequent(part))),
            frozenset(word for word, n in ignored.items() if n > _MOSTLY * seen[word]),
        )

    def new_among(self, parts: Set[str]) -> set[str]:
        """Return the parts that do not occur in training (see `parts_of`).

        Parts with values, words or roots that are rare in training are left out.
        """
        return {
            part
            for part in parts
            if part not in self.parts and self.parts.issuperset(_frequent(part))
        }


_VALUE, _WORD, _ROOT_IS, _ROW, _TAB = "value", "word", "root", "row", "\t"
KINDS = ("new", "values", "words")
"""Features of an answer (see `Attested`): numbers of new label combinations, values and words."""


def kind_of(part: str) -> str:
    """Return the feature (in `KINDS`) that counts a part."""
    name = part.partition(_TAB)[0]
    return {_VALUE: "values", _WORD: "words"}.get(name, "new")


def is_row(part: str) -> bool:
    """Return whether a part consists of all children of a node."""
    return part.startswith(f"{_ROW}{_TAB}")


def _frequent(part: str) -> list[str]:
    """Return the value, word or root that must be frequent in training for a part to count."""
    name, *middle, last = part.split(_TAB)
    if name not in (_VALUE, _WORD, _ROOT_IS):
        return []
    roots = [f"{_ROOT_IS}\t{root}" for root in middle if name == _WORD]
    return [part if name == _ROOT_IS else f"{name}\t{last}", *roots]


def parts_of(graph: SGraph, shapes: LocalShapes, tokens: Sequence[str] = ()) -> set[str]:
    """Return the parts of a graph that is a tree.

    A part is one of these, written as tab-separated text:

    - a node with its parent, or with its parent and grandparent, and the edges between them;
    - all children of a node with their edges;
    - a value (text or name), alone or with the two labels above it;
    - a word of the sentence, alone or with the label of the root.

    Addresses and long numbers are left out.
    """
    tree = MeaningTree(graph)
    top = tree.label(graph.root)
    parts = [("pair", _ROOT, top), (_ROOT_IS, top)]
    for token in tokens:
        if not is_private(token):
            parts += [(_WORD, token.lower()), (_WORD, top, token.lower())]
    waiting: list[tuple[int, str, tuple[str, ...]]] = [(graph.root, top, (_ROOT,))]
    while waiting:
        node, name, above = waiting.pop()
        row = []
        for place, child in tree.below[node]:
            edge, label = shapes.edge(tree, node, place, child)
            parts += [("pair", name, edge, label), ("triple", *above, name, edge, label)]
            if label in (_TEXT, _NAME) and not is_private(content_of(tree.label(child))):
                value = tree.label(child).lower()
                parts += [(_VALUE, value), (_VALUE, *above, name, edge, value)]
            waiting.append((child, label, (name, edge)))
            row.append(f"{place} {label}")
        if row:
            parts.append((_ROW, name, *sorted(row)))
    return {"\t".join(part) for part in parts}
