"""Evaluation compared with the operations of the AM algebra carried out one by one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from toml_tables import tables
from well_typed_trees import well_typed_trees

from amparser.algebra.conll import am_trees_from_str
from amparser.algebra.expand import expand
from amparser.algebra.fragment import LEX, fragment_from_penman
from amparser.algebra.tree import AMTree, Entry
from amparser.algebra.types import (
    APP,
    EMPTY,
    IGNORE,
    ROOT,
    AMType,
    apply_type,
    modify_type,
    source_of,
    type_from_str,
)
from amparser.errors import AMTreeError
from amparser.graph.penman_codec import sgraph_from_penman
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic

# --- The algebra by definition: s-graphs are merged, renamed and forgotten, one operation at a
# time.


@dataclass(frozen=True)
class Value:
    """A typed s-graph; `graph.root` is the source that the papers call root."""

    graph: SGraph
    type: AMType


def merged(left: SGraph, right: SGraph, pairs: list[tuple[int, int]]) -> SGraph:
    shift = max(left.nodes) + 1
    nodes = {**left.nodes, **{n + shift: v for n, v in right.nodes.items()}}
    edges = [*left.edges, *(Edge(p + shift, e, c + shift) for p, e, c in right.edges)]
    pairs = [(a, b + shift) for a, b in pairs]
    pairs += [(left.sources[s], n + shift) for s, n in right.sources.items() if s in left.sources]
    to = {n: n for n in nodes}
    for a, b in pairs:
        keep, drop = to[a], to[b]
        if keep == drop:
            continue
        labelled = [nodes[n] for n in (keep, drop) if nodes[n].label is not None]
        assert len(labelled) < 2
        nodes[keep] = labelled[0] if labelled else Node()
        to = {n: keep if m == drop else m for n, m in to.items()}
    sources = {s: n + shift for s, n in right.sources.items()} | dict(left.sources)
    return SGraph(
        {n: nodes[n] for n in set(to.values())},
        tuple(Edge(to[p], e, to[c]) for p, e, c in edges),
        to[left.root],
        {s: to[n] for s, n in sources.items()},
    )


def forgotten(graph: SGraph, source: str) -> SGraph:
    return replace(graph, sources={s: n for s, n in graph.sources.items() if s != source})


def applied(head: Value, source: str, argument: Value) -> Value | None:
    result = apply_type(head.type, source, argument.type)
    if result is None:
        return None
    names = head.type.renamed(source)
    renamed = replace(
        argument.graph, sources={names[s]: n for s, n in argument.graph.sources.items()}
    )
    pair = (head.graph.sources[source], argument.graph.root)
    return Value(forgotten(merged(head.graph, renamed, [pair]), source), result)


def modified(head: Value, source: str, modifier: Value) -> Value | None:
    result = modify_type(head.type, source, modifier.type)
    if result is None:
        return None
    rest = forgotten(modifier.graph, source)
    pair = (head.graph.root, modifier.graph.sources[source])
    return Value(merged(head.graph, rest, [pair]), result)


def fragment_of(tree: AMTree, token: int) -> Value:
    entry = tree.entries[token - 1]
    assert entry.supertag is not None
    graph = entry.supertag.graph
    nodes = {n: Node(entry.label, token) if v.label == LEX else v for n, v in graph.nodes.items()}
    return Value(replace(graph, nodes=nodes), entry.supertag.type)


def values_in_every_order(tree: AMTree, token: int) -> Iterator[Value]:
    children = [child + 1 for child in tree.derivation().children()[token - 1]]
    below = [list(values_in_every_order(tree, child)) for child in children]
    for values in product(*below):
        for order in permutations(zip(children, values, strict=True)):
            current: Value | None = fragment_of(tree, token)
            for child, value in order:
                operation = tree.entries[child - 1].operation
                step = applied if operation.startswith(APP) else modified
                current = current and step(current, source_of(operation), value)
            if current is not None:
                yield current


def tokens_by_label(graph: SGraph) -> list[tuple[str, int | None]]:
    return sorted((n.label, n.token) for n in graph.nodes.values() if n.label is not None)


@given(well_typed_trees)
def test_every_order_of_operations_gives_the_graph(tree) -> None:
    assert tree.derivation().problems() == []
    value = expand(tree.derivation())
    root = [entry.operation for entry in tree.entries].index(ROOT) + 1
    slow = list(values_in_every_order(tree, root))
    assert slow
    for other in slow:
        assert other.type == EMPTY
        assert isomorphic(value, other.graph)
        assert tokens_by_label(value) == tokens_by_label(other.graph)


@given(well_typed_trees)
def test_edges_follow_the_order_of_tokens_and_constants(tree) -> None:
    labels = [
        edge.label
        for entry in tree.entries
        if entry.supertag is not None
        for edge in entry.supertag.graph.edges
    ]
    assert [edge.label for edge in expand(tree.derivation()).edges] == labels


# --- Trees of linguistic constructions.


Row = tuple[str, int, str, str | None, str | None, str | None]


def tree_of(*rows: Row) -> AMTree:
    return AMTree(
        tuple(
            Entry(
                form,
                head,
                operation,
                None
                if penman is None
                else fragment_from_penman(penman, type_from_str(type_text or "()")),
                label,
            )
            for form, head, operation, penman, type_text, label in rows
        )
    )


NAME = "(x<root> / --LEX--)"
INTRANSITIVE = "(x<root> / --LEX-- :agent (s<S>))"
TRANSITIVE = "(x<root> / --LEX-- :agent (s<S>) :theme (o<O>))"


def ignored(form: str) -> Row:
    return (form, 0, IGNORE, None, None, None)


CONSTRUCTIONS = am_trees_from_str(
    Path(__file__).with_name("constructions.amconll").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    "tree", CONSTRUCTIONS, ids=lambda tree: dict(tree.attributes)["construction"]
)
def test_constructions(tree) -> None:
    assert tree.derivation().problems() == []
    value = expand(tree.derivation())
    assert isomorphic(value, sgraph_from_penman(dict(tree.attributes)["graph"]))
    for node in value.nodes.values():
        assert node.token is not None
        assert tree.entries[node.token - 1].label == node.label


@pytest.mark.parametrize("size", [1, 2_000])
@pytest.mark.parametrize("forward", [True, False], ids=["to the right", "to the left"])
def test_deep_trees(size, forward) -> None:
    """Every clause is inside the one before, and each shares its subject with the next."""
    supertag = fragment_from_penman(TRANSITIVE, type_from_str("(O(S()), S())"))
    rows = [("v", t, "APP_O", supertag, f"v{t}") for t in range(size)]
    rows.append(
        ("v", size, "APP_O", fragment_from_penman(INTRANSITIVE, type_from_str("(S())")), "last")
    )
    rows[0] = ("v", 0, "ROOT", supertag, "v0")
    rows.append(("n", 1, "APP_S", fragment_from_penman(NAME, EMPTY), "Ann"))
    if not forward:
        last = len(rows) + 1
        rows = [(f, h and last - h, o, s, label) for f, h, o, s, label in reversed(rows)]
    tree = AMTree(tuple(Entry(f, h, o, s, label) for f, h, o, s, label in rows))
    assert tree.derivation().problems() == []
    value = expand(tree.derivation())
    assert len(value.nodes) == size + 2
    subjects = {edge.child for edge in value.edges if edge.label == "agent"}
    assert [value.nodes[n].label for n in subjects] == ["Ann"]


# --- Problems of trees.

SLEPT = ("slept", 0, "ROOT", INTRANSITIVE, "(S())", "sleep")


@pytest.mark.parametrize(("rows", "expected"), tables(__file__)["problems"])
def test_problems_name_tokens_and_types(rows, expected) -> None:
    cells = [[cell or None for cell in row.split("|")] for row in rows]
    tree = tree_of(*((form, int(head), *rest) for form, head, *rest in cells))
    assert "; ".join(tree.derivation().problems()) == expected
    with pytest.raises(AMTreeError) as caught:
        expand(tree.derivation())
    assert str(caught.value) == expected


def test_two_labels_do_not_meet_at_one_node() -> None:
    tree = tree_of(
        ("Ann", 2, "APP_S", NAME, "()", "Ann"),
        ("slept", 0, "ROOT", "(x<root> / --LEX-- :agent (s<S> / person))", "(S())", "sleep"),
    )
    assert tree.derivation().problems() == []
    with pytest.raises(
        AMTreeError, match="two labels meet at one node: 'Ann' of token 1 and 'person'"
    ):
        expand(tree.derivation())


def test_a_bare_lexical_item_keeps_its_sources() -> None:
    bare = tree_of(SLEPT)
    assert bare.derivation().problems(open_root=True) == []
    value = expand(bare.derivation(), open_root=True)
    assert isomorphic(value, sgraph_from_penman("(x<root> / sleep :agent (s<S>))"))
    with pytest.raises(AMTreeError, match=r"type is \(S\(\)\)"):
        expand(bare.derivation())
    longer = tree_of(SLEPT, ignored("."))
    assert longer.derivation().problems(open_root=True) == longer.derivation().problems() != []
    with pytest.raises(AMTreeError, match=r"type is \(S\(\)\)"):
        expand(longer.derivation(), open_root=True)
