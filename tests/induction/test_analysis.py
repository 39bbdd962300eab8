"""From graphs to AM trees: induction by description length, decomposition, lexicon."""

import random
from pathlib import Path

import pytest

from amparser.algebra.expand import expand
from amparser.algebra.tree import label_template
from amparser.algebra.types import type_to_str
from amparser.corpora.reading import read_examples
from amparser.errors import DecomposeError
from amparser.graph.sgraph import Edge, Node, SGraph, isomorphic
from amparser.induction.analysis import Analysis, analyse
from amparser.induction.induce import SourceInventory
from amparser.induction.skeleton import skeleton_of
from amparser.logic.cogs import logical_form_from_str
from amparser.notations.graph_from_cogs import graph_from_logical_form

Corpus = list[tuple[tuple[str, ...], SGraph]]


def corpus_of(path: Path, step: int = 1) -> Corpus:
    examples = read_examples(path)[::step]
    return [
        (e.tokens, graph_from_logical_form(e.tokens, logical_form_from_str(e.meaning)))
        for e in examples
    ]


@pytest.fixture(scope="module")
def slog_train(data_dir) -> Corpus:
    return corpus_of(data_dir / "slog/cogs_lf/train.tsv.gz", step=4)


@pytest.fixture(scope="module")
def slog_analysis(slog_train) -> Analysis:
    return analyse(slog_train)


def frames_of(inventory: SourceInventory) -> set[frozenset[tuple[str, str]]]:
    return {frozenset((role, source) for (role, _), source in frame) for frame in inventory.frames}


@pytest.mark.parametrize("benchmark", ["slog", "cogs"])
def test_markers_are_those_of_the_shortest_description(data_dir, slog_analysis, benchmark) -> None:
    analysis = slog_analysis
    if benchmark == "cogs":
        analysis = analyse(corpus_of(data_dir / "cogs" / "train.tsv.gz", step=4))
    assert analysis.inventory.markers == {"by", "to", "that"}
    without, bits = analysis.inventory.bits
    assert bits < without


def test_fronted_and_missing_arguments_need_no_frame_of_their_own(slog_analysis) -> None:
    frames = frames_of(slog_analysis.inventory)
    assert frozenset({("agent", "L1"), ("theme", "R1")}) in frames
    assert frozenset({("agent", "L1"), ("recipient", "R2"), ("theme", "R1")}) in frames
    assert frozenset({("agent", "L1"), ("theme", "R1"), ("recipient", "to")}) in frames
    assert not any(source == "L2" for frame in frames for _, source in frame)
    verbs = [f for f in frames if not any(source == "M" for _, source in f)]
    assert len(verbs) == 12


def test_induction_knows_no_word_and_no_role(slog_train, slog_analysis) -> None:
    """Renaming every word, label and role by a bijection renames the result."""
    generator = random.Random(7)
    words = sorted({w.lower() for tokens, _ in slog_train for w in tokens})
    roles = sorted({edge.label for _, graph in slog_train for edge in graph.edges})
    new_word = dict(zip(words, generator.sample(range(10**6), len(words)), strict=True))
    new_role = dict(zip(roles, generator.sample(range(10**6), len(roles)), strict=True))
    labels = sorted({n.label or "" for _, graph in slog_train for n in graph.nodes.values()})
    new_label = dict(zip(labels, generator.sample(range(10**6), len(labels)), strict=True))

    def rename(graph: SGraph) -> SGraph:
        return SGraph(
            {
                i: Node(None if n.label is None else f"label{new_label[n.label]}", n.token)
                for i, n in graph.nodes.items()
            },
            tuple(Edge(p, f"role{new_role[label]}", c) for p, label, c in graph.edges),
            graph.root,
            graph.sources,
        )

    renamed = analyse(
        [
            (tuple(f"word{new_word[w.lower()]}" for w in tokens), rename(graph))
            for tokens, graph in slog_train
        ]
    )
    markers = slog_analysis.inventory.markers
    source_names = {word: f"word{new_word[word]}" for word in markers}
    assert renamed.inventory.markers == set(source_names.values())
    expected = {
        frozenset((f"role{new_role[role]}", source_names.get(source, source)) for role, source in f)
        for f in frames_of(slog_analysis.inventory)
    }
    assert frames_of(renamed.inventory) == expected
    assert [
        tree and (tree.heads, [operation.split("_")[0] for operation in tree.operations])
        for tree in renamed.trees
    ] == [
        tree and (tree.heads, [operation.split("_")[0] for operation in tree.operations])
        for tree in slog_analysis.trees
    ]


def relative_clause(gap: str) -> tuple[tuple[str, ...], SGraph]:
    """'cat that girl saw', the cat being the `gap` of saw."""
    other = "patient" if gap == "agent" else "agent"
    nodes = {0: Node("cat", 1), 1: Node("see", 4), 2: Node("girl", 3)}
    edges = (Edge(0, "rel", 1), Edge(1, gap, 0), Edge(1, other, 2))
    return ("cat", "that", "girl", "saw"), SGraph(nodes, edges, 0)


def test_without_a_marker_the_clause_carries_its_own_edge() -> None:
    """Without a corpus there is no marker: the verb's constant has the edge from its noun."""
    tokens, graph = relative_clause("patient")
    (tree,) = analyse([(tokens, graph)]).trees
    assert tree.operations[3] == "MOD_M"
    verb = tree.fragments[3]
    assert "M" in verb.type.sources
    assert isomorphic(expand(tree), graph)


def test_controlled_argument_unifies_with_the_controller() -> None:
    nodes = {0: Node("girl", 1), 1: Node("want", 2), 2: Node("sleep", 3)}
    edges = (Edge(1, "agent", 0), Edge(1, "goal", 2), Edge(2, "agent", 0))
    graph = SGraph(nodes, edges, 1)
    (tree,) = analyse([(("girl", "wanted", "sleep"), graph)]).trees
    supertag = tree.fragments[1]
    assert type_to_str(supertag.type) == "(L1(), R1(L1()))"
    assert isomorphic(expand(tree), graph)


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (SGraph({0: Node("a", 1), 1: Node("b", None)}, (Edge(0, "r", 1),), 0), "not aligned"),
        (SGraph({0: Node("a", 1), 1: Node("b", 1)}, (Edge(0, "r", 1),), 0), "two nodes"),
        (SGraph({0: Node("a", 1), 1: Node("b", 2)}, (), 0), "not connected"),
    ],
    ids=["unaligned", "shared token", "disconnected"],
)
def test_a_graph_that_cannot_be_decomposed_is_listed_with_its_reason(graph, reason) -> None:
    analysis = analyse([(("a", "b"), graph)])
    assert analysis.trees == (None,)
    ((index, message),) = analysis.failures
    assert index == 0
    assert reason in message
    with pytest.raises(DecomposeError, match=reason):
        skeleton_of(("a", "b"), graph)


@pytest.mark.parametrize(
    ("form", "label", "template"),
    [
        ("Emma", '"Emma"', (None, '"$FORM$"')),
        ("Emma", "'emma'", ("emma", "'$LEMMA$'")),
        ("His", '"male"', (None, '"male"')),
        ("Emma", '"Emma', (None, '"Emma')),
        ("12", "12", (None, "$FORM$")),
        ("twelve", "12", ("12", "$LEMMA$")),
        ("Who", "?", (None, "?")),
        ("The", "the", ("the", "$LEMMA$")),
        ("gave", "give", ("give", "$LEMMA$")),
    ],
)
def test_label_template(form, label, template) -> None:
    assert label_template(form, label) == template
