"""Smatch matches at least as many triples as the published tool, and is exact on small graphs."""

import importlib
import itertools
import random
import re
import sys
import time
from collections.abc import Iterator
from types import ModuleType

import pytest
from hypothesis import given, settings, strategies as st

from amparser.corpora.example import Example
from amparser.evaluation.metric_registry import METRICS
from amparser.evaluation.metrics.matching import match_items
from amparser.evaluation.metrics.smatch import (
    SMATCH_TOOL,
    Triples,
    _items,
    best_mapping,
    smatch_overlap,
    tool_overlap,
    triples,
)
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.notations.penman import PENMAN
from amparser.results import Result

CONCEPTS = ["boy", "go-02", "want-01", "Person", "name"]
ROLES = ["ARG0", "ARG1", "mod", "domain", "op1", "consist-of"]
PRESETS = ["3", "-", '"Emma"', "'imperative"]


def random_graph(rng: random.Random, size: int) -> SGraph:
    nodes = {i: Node(rng.choice(CONCEPTS)) for i in range(size)}
    edges = {(rng.randrange(i), i): rng.choice(ROLES) for i in range(1, size)}
    for _ in range(size // 4):
        ends = (rng.randrange(size), rng.randrange(size))
        if ends[0] < ends[1]:
            edges[ends] = rng.choice(ROLES)
    for i in range(size, size + size // 3):
        nodes[i] = Node(rng.choice(PRESETS))
        edges[rng.randrange(size), i] = rng.choice(["op1", "quant", "polarity"])
    return SGraph(nodes, tuple(Edge(a, role, b) for (a, b), role in edges.items()), 0)


def changed(rng: random.Random, graph: SGraph) -> SGraph:
    order = list(graph.nodes)
    rng.shuffle(order)
    names = {node: i for i, node in enumerate(order)}
    nodes = {}
    for node in order:
        label = graph.nodes[node].label
        constant = PENMAN.is_constant(label)
        if rng.random() < 0.15:
            label = rng.choice(PRESETS if constant else CONCEPTS)
        nodes[names[node]] = Node(label)
    edges = [
        Edge(
            names[e.parent],
            rng.choice(ROLES[:2]) if rng.random() < 0.15 else e.label,
            names[e.child],
        )
        for e in graph.edges
    ]
    return SGraph(nodes, tuple(edges), names[graph.root])


@pytest.fixture(scope="module")
def published() -> ModuleType:
    pytest.importorskip("smatch")
    return importlib.import_module("smatch")


def matches_of(tool: ModuleType, predicted: str, gold: str, attempts: int = 1) -> tuple[int, ...]:
    """Return matched, predicted and gold triples of the published tool's best attempt."""
    best = (0, 0, 0)
    for attempt in range(attempts):
        tool.random.seed(attempt)
        tool.match_triple_dict.clear()
        best = max(best, tool.get_amr_match(predicted, gold))
    tool.match_triple_dict.clear()
    return best


def test_smatch_matches_at_least_as_much_as_the_tool(published) -> None:
    rng = random.Random(1)
    worse = 0
    for size in itertools.islice(itertools.cycle(range(1, 9)), 60):
        gold = random_graph(rng, size)
        found = changed(rng, gold) if rng.random() < 0.7 else random_graph(rng, size)
        overlap = smatch_overlap(triples(gold, PENMAN), triples(found, PENMAN))
        texts = [PENMAN.write(graph) for graph in (found, gold)]
        matched, *counts = matches_of(published, *texts, attempts=5)
        assert [overlap.predicted, overlap.gold] == counts
        assert overlap.matched >= matched
        worse += matched < overlap.matched
    assert worse <= 6


def mappings(left: int, right: int) -> Iterator[dict[int, int]]:
    for images in itertools.permutations([*range(right), *[-1] * left], left):
        yield {node: image for node, image in enumerate(images) if image >= 0}


def brute_force(gold: Triples, found: Triples) -> int:
    best = 0
    for mapping in mappings(found.size, gold.size):
        rest = [*gold.unary, *gold.binary]
        matched = 0
        for triple in (*found.unary, *found.binary):
            first, role, last = triple
            image = (mapping.get(first), role, mapping.get(last) if isinstance(last, int) else last)
            if image in rest:
                rest.remove(image)  # type: ignore[arg-type]
                matched += 1
        best = max(best, matched)
    return best


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 4), st.integers(1, 4))
def test_best_mapping_equals_brute_force(rng, left, right) -> None:
    gold, found = (triples(random_graph(rng, size), PENMAN) for size in (left, right))
    expected = brute_force(gold, found)
    assert smatch_overlap(gold, found).matched == expected
    assert best_mapping(gold, found).certified


def test_limited_search_stays_below_its_bound() -> None:
    rng = random.Random(3)
    certified = 0
    for _ in range(20):
        gold = random_graph(rng, 12)
        pair = [_items(triples(graph, PENMAN)) for graph in (changed(rng, gold), gold)]
        best = match_items(*pair)
        for pairs, nodes in ((20, 20), (5_000, 0)):
            found, again = (
                match_items(*pair, pair_limit=pairs, node_limit=nodes) for _ in range(2)
            )
            assert found == again
            assert found.matched <= best.matched <= found.bound
        certified += best.certified
    assert certified == 20


def test_large_symmetric_graphs_end_without_certificate() -> None:
    rng = random.Random(9)
    edges = [[Edge(rng.randrange(i), "r", i) for i in range(1, 60)] for _ in range(2)]
    graphs = [SGraph({i: Node("a") for i in range(60)}, tuple(some), 0) for some in edges]
    start = time.process_time()
    found = best_mapping(*map(triples, graphs))
    assert time.process_time() - start < 20
    assert 0 < found.matched < found.bound == 120


def test_smatch_of_right_partial_and_missing_answers() -> None:
    metric = METRICS["smatch"]
    gold = Example((), "(b / boy :ARG0-of (g / go-02))", notation="penman")
    counts = metric.compare(PENMAN, gold, Result((), "(b / boy)", "penman"))
    assert [count.share for count in counts.values()] == [2 * 2 / (2 + 4), 1, 0.5]
    for nothing in (Result((), failure="no tree"), Result((), "(b / boy", "penman")):
        counts = metric.compare(PENMAN, gold, nothing)
        assert [(c.numerator, c.denominator) for c in counts.values()] == [(0, 4), (0, 0), (0, 4)]
    assert metric.problem(None) == "labels have no graph"
    assert metric.problem(PENMAN) is None


def test_tool_is_deterministic_and_keeps_the_random_state(published) -> None:
    assert SMATCH_TOOL.problem(PENMAN) is None
    rng = random.Random(7)
    for size in range(2, 9):
        gold = random_graph(rng, size)
        texts = [PENMAN.write(graph) for graph in (gold, changed(rng, gold))]
        wanted, answer = Example((), texts[0]), Result((), texts[1], "penman")
        exact, tool = (
            METRICS[n].compare(PENMAN, wanted, answer) for n in ("smatch", "smatch-tool")
        )
        assert [count.denominator for count in tool.values()] == [
            count.denominator for count in exact.values()
        ]
        assert next(iter(tool.values())).numerator <= exact["smatch"].numerator
        state = random.getstate()
        assert tool_overlap(published, *texts) == tool_overlap(published, *texts)
        assert random.getstate() == state
    assert [tuple(count) for count in SMATCH_TOOL.compare(PENMAN, wanted, Result(())).values()] == [
        (0, n) for n in (exact["smatch_recall"].denominator, 0, exact["smatch_recall"].denominator)
    ]
    assert SMATCH_TOOL.compare(PENMAN, Example(()), answer) == {}


def test_missing_library_is_named(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "smatch", None)
    problem = METRICS["smatch-tool"].problem(PENMAN)
    assert re.search(r"needs \w+.*amparser\[logic\]", problem)
