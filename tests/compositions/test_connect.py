"""Graphs in one piece, whatever is chosen for their tokens."""

import numpy as np
from chosen import choice_of
from hypothesis import given
from hypothesis import strategies as st

from amparser.compositions.graphs.connect import components, connect
from amparser.induction.fragments import expand
from amparser.lexicon.analysis import EMPTY, ROOT, UNLINKED, Tag, edges_of_arc

TAGS = (
    EMPTY,
    Tag(("run",), (False,)),
    Tag(("udef_q", "dog"), (False, False), ((0, "BV", 1),)),
    Tag(("the_q", "named", '"Rex"'), (False, False, True), ((1, "carg", 2),)),
    Tag(('"2"',), (True,)),
)
LABELS = ("^0", UNLINKED, "ARG1>00", "ARG1>01", "ARG2<10", "ARG3>02", "ARG3<20")


@given(
    st.lists(st.sampled_from([1, 2, 3]), min_size=2, max_size=6),
    st.lists(st.sampled_from(LABELS[1:]), min_size=6, max_size=6),
    st.integers(0, 1000),
)
def test_all_nodes_are_connected(tags: list[int], labels: list[str], seed: int) -> None:
    heads = [ROOT, *range(len(tags) - 1)]
    choice = choice_of(TAGS, tags, ["0", *labels[1 : len(tags)]], heads)
    before = list(choice.labels)
    # The same scores each time: an arc that connects nothing would be drawn for ever.
    row = np.random.default_rng(seed).normal(size=len(LABELS))
    connect(choice, TAGS, LABELS, lambda arcs: np.tile(row, (len(arcs), 1)))
    assert len(components(choice, TAGS)) == 1
    assert choice.labels == before
    graph = expand(choice.analysis(TAGS))
    reached, left = {graph.root}, True
    while left:
        grown = {n for a, _, b in graph.edges if a in reached or b in reached for n in (a, b)}
        left = not grown <= reached
        reached |= grown
    assert reached == set(range(len(graph.labels)))


def test_the_likeliest_label_that_fits_connects() -> None:
    choice = choice_of(TAGS, [1, 1], ["0", UNLINKED], [ROOT, 0])
    scores = np.array([[9.0, 9.0, 1.0, 3.0, 0.0, 4.0, 4.0], [9.0, 9.0, 2.0, 3.0, 0.0, 4.0, 4.0]])
    connect(choice, TAGS, LABELS, lambda arcs: scores)
    assert choice.extra == [(1, 0, "ARG1>00")]


def test_without_labels_that_fit_an_edge_between_first_nodes_connects() -> None:
    choice = choice_of(TAGS, [1, 1], ["0", UNLINKED], [ROOT, 0])
    connect(choice, TAGS, ("^0", "ARG2<12"), lambda arcs: np.zeros((len(arcs), 2)))
    [(_, _, label)] = choice.extra
    assert edges_of_arc(label) == (("ARG2", False, 0, 0),)


def test_what_is_connected_or_has_constants_alone_stays() -> None:
    choice = choice_of(TAGS, [1, 2, 4], ["0", "ARG1>00", UNLINKED], [ROOT, 0, 0])
    connect(choice, TAGS, LABELS, lambda arcs: np.zeros((len(arcs), len(LABELS))))
    assert choice.extra == []
