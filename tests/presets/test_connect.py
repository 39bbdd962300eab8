"""Graphs in one piece, whatever is chosen for their tokens."""

from collections.abc import Callable, Sequence

import numpy as np
from chosen import derivation_by_hand, links
from hypothesis import given, strategies as st

from amparser.algebra.derivation import Arc, Derivation, Links
from amparser.algebra.expand import layered
from amparser.algebra.fragment import Fragment
from amparser.algebra.types import IGNORE
from amparser.decode.scores import FloatArray, Pair, Question, together
from amparser.presets.graphs.connect import components, connect

TAGS = (
    IGNORE,
    Fragment(("run",)),
    Fragment(("udef_q", "dog"), ((0, "BV", 1),)),
    Fragment(("the_q", "named", '"Rex"'), ((1, "carg", 2),), unboxed=frozenset({2})),
    Fragment(('"2"',), unboxed=frozenset({0})),
)
EDGES = ("", "", "ARG1>00", "ARG1>01", "ARG2<10", "ARG3>02", "ARG3<20")
LABELS = tuple(map(links, EDGES))


def by_hand(tags: Sequence[int], edges: Sequence[str], heads: Sequence[int]) -> Derivation:
    return derivation_by_hand([TAGS[tag] for tag in tags], edges, heads)


def connected(
    derivation: Derivation, labels: Sequence[Links], scores: Callable[[Sequence[Pair]], FloatArray]
) -> Derivation:
    def answers(asked: Sequence[Question]) -> list[FloatArray]:
        return [scores(*one.given) for one in asked]

    [found] = together([connect(derivation, labels, lambda pairs: Question(answers, 0, (pairs,)))])
    return found


@given(
    st.lists(st.sampled_from([1, 2, 3]), min_size=2, max_size=6),
    st.lists(st.sampled_from(EDGES[1:]), min_size=6, max_size=6),
    st.integers(0, 1000),
)
def test_all_nodes_are_connected(tags, edges, seed) -> None:
    heads = [-1, *range(len(tags) - 1)]
    sizes = [len(TAGS[tag].labels) for tag in tags]
    # Labels whose nodes a fragment lacks are never chosen.
    fitting = [
        edge if all(a < above and b < below for _, _, a, b in links(edge)) else ""
        for edge, above, below in zip(edges[1:], sizes, sizes[1:], strict=False)
    ]
    before = by_hand(tags, ["", *fitting], heads)
    # The same scores each time: an arc that connects nothing would be drawn for ever.
    row = np.random.default_rng(seed).normal(size=len(LABELS))
    derivation = connected(before, LABELS, lambda arcs: np.tile(row, (len(arcs), 1)))
    assert len(components(derivation)) == 1
    assert derivation.links == before.links
    graph = layered(derivation)
    reached, left = {graph.root}, True
    while left:
        grown = {n for a, _, b in graph.edges if a in reached or b in reached for n in (a, b)}
        left = not grown <= reached
        reached |= grown
    assert reached == set(range(len(graph.labels)))


def test_the_likeliest_label_that_fits_connects() -> None:
    scores = np.array([[9.0, 9.0, 1.0, 3.0, 0.0, 4.0, 4.0], [9.0, 9.0, 2.0, 3.0, 0.0, 4.0, 4.0]])
    derivation = connected(by_hand([1, 1], ["", ""], [-1, 0]), LABELS, lambda arcs: scores)
    assert derivation.reentrant == (Arc(1, 0, links("ARG1>00")),)


def test_without_labels_that_fit_an_edge_between_first_nodes_connects() -> None:
    labels = [(), links("ARG2<12")]
    alone = by_hand([1, 1], ["", ""], [-1, 0])
    [arc] = connected(alone, labels, lambda arcs: np.zeros((len(arcs), 2))).reentrant
    assert arc.links == (("ARG2", False, 0, 0),)


def test_what_is_connected_or_has_constants_alone_stays() -> None:
    before = by_hand([1, 2, 4], ["", "ARG1>00", ""], [-1, 0, 0])
    assert connected(before, LABELS, lambda arcs: np.zeros((len(arcs), len(LABELS)))) == before
