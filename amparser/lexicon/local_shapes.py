"""Local constraints on meanings: edges of each label, their number, and kinds of their values.

A parser combines constants freely and may build a meaning unlike any in training: a key with a text
where training has numbers, or an object without a key that all others have. For each label, these
constraints record the edges that it may and must have; for each edge, the kinds of values: numbers,
only integers, texts, names, or classes of interchangeable labels. Depth, paths and label pairs are
not recorded, so unseen combinations remain possible.

`Attested` records the combinations as well. New combinations are often right in small corpora, but
more often wrong in other corpora. They lower the confidence of a parse but never rule it out.

A JSON Schema adds the shapes of its examples and rules out meanings that contradict it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
"""Edge label of all arguments beyond the minimum number."""
_ENOUGH = 5
"""Minimum occurrences of a label for required edges, and of an edge for its own kinds."""
_OFTEN = 30
"""Labels with fewer occurrences may have the edges of other labels in their class."""
_NUMBER, _WHOLE, _TEXT, _NAME, _NEW = "0", "1", "'", "a name", "? "
"""Kinds of values besides label classes: any number, integers, texts, names, unknown labels."""


@dataclass(frozen=True)
class LocalShapes:
    """Local constraints of a training set.

    Attributes:
        labels: minimum number of positional arguments of each label.
        needed: edges that each label always has.
        values: kinds of values, by label or class and then by edge: `0`, `1` (only integers), `'`,
            `a name` or classes.
        classes: class of each label; literals have none.
        rare: labels that may have the edges of other labels in their class.
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
        """Return the first violation in a meaning as text, or None.

        Raises:
            TranslateError: there is a schema, and the meaning has no value.
        """
        if (shape := self._new_shape(graph)) is not None:
            return f"train has no such shape: {shape}"
        if self.schema and (problem := self.schema.problem(json_of_graph(graph))) is not None:
            return f"the schema does not allow it: {problem}"
        return None

    def _new_shape(self, graph: SGraph) -> str | None:
        """Return the first local shape that train lacks, or None."""
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
                    continue  # The node is a name, or its parent reports it.
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
                if kind not in known and not is_name and not (kind == _WHOLE and _NUMBER in known):
                    wanted = ", expected an integer" if {kind, *known} == {_NUMBER, _WHOLE} else ""
                    return f"{tree.label(child)!r} does not occur at {place!r} of {label!r}{wanted}"
        return None

    def edge(self, tree: MeaningTree, node: int, place: str, child: int) -> tuple[str, str]:
        """Return an edge label and its child's label; arguments, literals and names are merged."""
        label = tree.label(node)
        place = self._place(label, place)
        if _NAME in self.values.get(label, {}).get(place, ()) and not tree.below[child]:
            return place, _NAME
        return place, tree.literal(child) or tree.label(child)

    def _place(self, label: str, place: str) -> str:
        return _normal(place, self.labels.get(label, 0))

    def _kind(self, tree: MeaningTree, node: int) -> str:
        label = tree.label(node)
        return tree.kind(node) or self.classes.get(label, _NEW + label)


class MeaningTree:
    """Labels and edges of a meaning, without the ends of lists."""

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
        """Return the kind of a literal; empty for other nodes."""
        label = self.label(node)
        if self.below[node] or not is_literal(label):
            return ""
        return _TEXT if label[:1] in "'\"" else _NUMBER

    def kind(self, node: int) -> str:
        """Return the kind of a literal, with integers apart; empty for other nodes."""
        is_whole = self.label(node).lstrip("+-").isdecimal()
        return _WHOLE if is_whole and self.literal(node) else self.literal(node)

    def inner(self) -> list[int]:
        """Return all nodes except literals and ends of lists."""
        return [n for n in self.graph.nodes if not is_end(self.label(n)) and not self.literal(n)]


def _normal(place: str, least: int) -> str:
    """Return an edge label; all arguments from index `least` on share one label."""
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
            kind = tree.kind(child)
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
        counted = Counter(classes.get(one, one) for one in found.elements())
        if found.total() < _ENOUGH:
            counted = pooled[classes[label], place]
        values[label][place] = _kinds(counted)
    for (name, place), counted in pooled.items():
        values[name][place] = _kinds(counted)
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


def _kinds(counts: Mapping[str, int]) -> list[str]:
    """Return the kinds of an edge's values; a few integers stand for any number."""
    is_any = 0 < counts.get(_WHOLE, 0) < _OFTEN
    return sorted({_NUMBER if is_any and kind == _WHOLE else kind for kind in counts})


def _classes(
    labels: Iterable[str],
    fillers: Mapping[tuple[str, str], Counter[str]],
    leaves: Mapping[tuple[str, str], Counter[str]],
    roots: Sequence[str],
) -> dict[str, str]:
    """Group labels that occur at one edge, or as roots, into classes (connected components).

    In `fillers`, the leaves at edges with open names are replaced by one kind.
    """
    alike: nx.Graph[str] = nx.Graph()
    alike.add_nodes_from(labels)
    for at, found in fillers.items():
        if has_names(leaves[at], found[_TEXT]):
            for name in leaves[at]:
                del found[name]
            found[_NAME] = leaves[at].total()
        nx.add_path(alike, [one for one in found if one not in (_NUMBER, _WHOLE, _TEXT, _NAME)])
    nx.add_path(alike, roots)
    return {
        label: f"class {number}"
        for number, members in enumerate(nx.connected_components(alike))
        for label in sorted(members)
    }


def has_names(leaves: Counter[str], texts: int) -> bool:
    """Return whether an edge takes unquoted names, so unseen leaves are expected.

    Args:
        leaves: counts of unquoted leaves at the edge.
        texts: number of quoted leaves at the edge.
    """
    rare = sum(count == 1 for count in leaves.values())
    # At least ten distinct leaves are needed. The leaves seen once, or the texts, must number at
    # least 10 % of all leaves.
    return len(leaves) >= 10 and max(rare, texts) >= 0.1 * leaves.total()


_ROOT = "^"
_MOSTLY = 0.5
"""Minimum share of a word's tokens without a constant that makes it an ignored word."""


@dataclass(frozen=True)
class Attested:
    """Local configurations and ignored words of the training set.

    Attributes:
        parts: label pairs, triples and sibling rows with their edge labels, as tab-separated text;
            frequent values, and their places; frequent words, and the roots that they occur with.
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
        """Collect the configurations of a training set.

        Args:
            shapes: constraints that merge argument places, literals and names.
            meanings: tokens and meaning of each sentence; meanings are trees.
            rows: tokens of each derivation and their tags (see `Encoded`).
        """
        parts: Counter[str] = Counter()
        if shapes is not None:
            for tokens, graph in meanings:
                parts.update([*parts_of(graph, shapes, tokens)])
        seen: Counter[str] = Counter()
        ignored: Counter[str] = Counter()
        for tokens, tags in rows:
            for token, tag in zip(tokens, tags, strict=True):
                seen[token.lower()] += 1
                ignored[token.lower()] += tag == IGNORE_TAG
        return cls(
            # A value, a word or a root is frequent if three sentences have it.
            frozenset(part for part in parts if all(parts[one] >= 3 for one in _frequent(part))),
            frozenset(word for word, n in ignored.items() if n > _MOSTLY * seen[word]),
        )

    def new_among(self, parts: Mapping[str, set[int]]) -> dict[str, set[int]]:
        """Return the parts that do not occur in training (see `parts_of`).

        Parts with values, words or roots that are rare in training do not count.
        """
        return {
            part: places
            for part, places in parts.items()
            if part not in self.parts and self.parts.issuperset(_frequent(part))
        }


_VALUE, _WORD, _ROOT_IS, _TAB = "value", "word", "root", "\t"
KINDS = ("new", "values", "words")
"""Features of the confidence that count new parts."""


def kind_of(part: str) -> str:
    """Return the feature that counts a part."""
    name = part.partition(_TAB)[0]
    return {_VALUE: "values", _WORD: "words"}.get(name, "new")


def _frequent(part: str) -> list[str]:
    """Return the parts that must be frequent for a part to count."""
    name, *middle, last = part.split(_TAB)
    if name not in (_VALUE, _WORD, _ROOT_IS):
        return []
    roots = [f"{_ROOT_IS}\t{root}" for root in middle if name == _WORD]
    return [part if name == _ROOT_IS else f"{name}\t{last}", *roots]


def parts_of(graph: SGraph, shapes: LocalShapes, tokens: Sequence[str] = ()) -> dict[str, set[int]]:
    """Return the label pairs, triples and sibling rows of a graph that is a tree.

    Each value (text or name) adds two parts: the value alone, and the value with the two labels
    above it. Each word of the sentence adds two parts: the word alone, and the word with the root's
    label. Addresses and long numbers are left out.

    Returns:
        The tokens, from 1, that the nodes of each part are aligned to.
    """
    tree = MeaningTree(graph)
    found: dict[str, set[int]] = defaultdict(set)

    def add(nodes: Sequence[int], *part: str) -> None:
        tokens = (graph.nodes[node].token for node in nodes)
        found["\t".join(part)].update(token for token in tokens if token is not None)

    top = tree.label(graph.root)
    add([graph.root], "pair", _ROOT, top)
    add([], _ROOT_IS, top)
    for number, token in enumerate(tokens, 1):
        if is_private(token):
            continue
        add([], _WORD, token.lower())
        add([graph.root], _WORD, top, token.lower())
        found[f"{_WORD}\t{top}\t{token.lower()}"].add(number)
    waiting: list[tuple[list[int], str, tuple[str, ...]]] = [([graph.root], top, (_ROOT,))]
    while waiting:
        path, name, above = waiting.pop()
        row = []
        for place, child in tree.below[path[-1]]:
            edge, label = shapes.edge(tree, path[-1], place, child)
            add([path[-1], child], "pair", name, edge, label)
            add([*path, child], "triple", *above, name, edge, label)
            if label in (_TEXT, _NAME) and not is_private(content_of(tree.label(child))):
                value = tree.label(child).lower()
                add([], _VALUE, value)
                add([*path, child], _VALUE, *above, name, edge, value)
            waiting.append(([path[-1], child], label, (name, edge)))
            row.append(f"{place} {label}")
        if row:
            children = [child for _, child in tree.below[path[-1]]]
            add([path[-1], *children], "row", name, *sorted(row))
    return found
