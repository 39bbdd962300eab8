"""Kinds: which constants may stand for each other."""

from hypothesis import given, strategies as st

from amparser.induction.selectional_classes import TagNode, induce_classes

NAME, STATE, CITY, IN, BORDERS, PEOPLE, MOST, LARGEST = range(2, 10)
TAGS = 11


def node(tag: int, *below: TagNode) -> TagNode:
    return TagNode(tag, tuple(enumerate(below)))


TEXAS = node(NAME)
BORDERING = node(STATE, node(BORDERS, TEXAS))
TREES = [
    *[node(CITY, node(IN, TEXAS))] * 100,
    node(STATE, node(BORDERS, BORDERING)),
    node(STATE, node(IN, TEXAS)),
    BORDERING,
    node(PEOPLE, TEXAS),
    node(PEOPLE, BORDERING),
    node(PEOPLE, node(CITY, node(IN, TEXAS))),
    node(MOST, node(PEOPLE, BORDERING)),
    node(LARGEST, node(CITY, node(IN, TEXAS))),
    node(LARGEST, BORDERING),
]


def test_a_hundred_names_in_one_place_do_not_part_them_from_what_is_described() -> None:
    kinds = induce_classes(TREES, TAGS)
    assert kinds[NAME] == kinds[STATE] == kinds[CITY] == 0
    assert kinds[IN] == kinds[BORDERS] != 0


def test_what_stands_at_the_root_does_not_join_what_never_does() -> None:
    # "the population of" takes what "in" takes, but is asked for.
    kinds = induce_classes(TREES, TAGS)
    assert kinds[PEOPLE] not in {kinds[IN], kinds[NAME]}


def test_what_takes_other_fillers_than_all_others_is_of_the_commonest_kind() -> None:
    assert induce_classes(TREES, TAGS)[MOST] == 0


def test_a_tag_that_occurs_nowhere_is_of_no_kind_of_others() -> None:
    kinds = induce_classes(TREES, TAGS)
    assert kinds.count(kinds[10]) == 1


def test_trees_without_places_have_kinds() -> None:
    assert len(induce_classes([], 3)) == 3
    assert len(induce_classes([TEXAS], TAGS)) == TAGS


trees = st.recursive(
    st.integers(2, 9).map(node),
    lambda below: st.builds(
        lambda tag, rows: node(tag, *rows), st.integers(2, 9), st.lists(below, max_size=2)
    ),
    max_leaves=6,
)


@given(st.lists(trees, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_a_corpus_does_not_matter(corpus, random) -> None:
    shuffled = list(corpus)
    random.shuffle(shuffled)
    kinds = induce_classes(corpus, TAGS)
    assert kinds == induce_classes(shuffled, TAGS)
    assert len(kinds) == TAGS
    assert min(kinds) == 0
