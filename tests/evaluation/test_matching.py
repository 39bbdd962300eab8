"""The matching is optimal and does not depend on names of variables."""

from clause_oracles import best_by_trying, matches
from hypothesis import given, settings, strategies as st

from amparser.evaluation.metrics.matching import match_clauses
from amparser.logic.clf import Clause, clauses_from_str

BOX = st.sampled_from(["b1", "b2", "b3"])
REFERENT = st.sampled_from(["x1", "x2", "x3"])
CLAUSE: st.SearchStrategy[Clause] = st.one_of(
    st.tuples(BOX, st.just("REF"), REFERENT),
    st.tuples(BOX, st.just("NOT"), BOX),
    st.tuples(BOX, st.just("IMP"), BOX, BOX),
    st.tuples(BOX, st.sampled_from(["dog", "run"]), REFERENT),
    st.tuples(BOX, st.just("see"), REFERENT, REFERENT),
)
CLAUSES = st.lists(CLAUSE, min_size=1, max_size=8)


@given(CLAUSES, CLAUSES)
@settings(max_examples=60, deadline=None)
def test_matching_equals_the_best_of_all_mappings(predicted, gold) -> None:
    matching = match_clauses(predicted, gold)
    assert matching.matched == best_by_trying(predicted, gold)
    assert matching.certified
    names = {left[1]: right[1] for left, right in matching.mapping.items()}
    assert matches(predicted, gold, names) == matching.matched
    assert len(set(names.values())) == len(names)


@given(CLAUSES, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_renaming_and_reordering_match_everything(clauses, random) -> None:
    boxes, referents = ["b1", "b2", "b3"], ["x1", "x2", "x3"]
    image = random.sample(["b4", *boxes], 3) + random.sample(["x4", *referents], 3)
    names = dict(zip(boxes + referents, image, strict=True))
    other = [tuple(names.get(token, token) for token in clause) for clause in clauses]
    random.shuffle(other)
    assert match_clauses(other, clauses).matched == len(set(clauses))


def test_constants_are_not_mapped() -> None:
    gold = clauses_from_str("b1 see ann bob")
    assert match_clauses(clauses_from_str("b7 see ann bob"), gold).matched == 1
    assert match_clauses(clauses_from_str("b7 see bob ann"), gold).matched == 0
    assert match_clauses(clauses_from_str("b7 see x1 bob"), gold).matched == 0
