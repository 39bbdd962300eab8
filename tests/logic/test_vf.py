"""Variable-free formulas: round trips, and conversion to and from first-order formulas."""

import pytest
from hypothesis import given, strategies as st

from amparser.errors import LogicError
from amparser.logic.fol import alpha_equivalent, fol_from_str, free_variables
from amparser.logic.vf import Term, fol_from_vf, vf_from_str, vf_readings


def terms(places: int = 0, depth: int = 4) -> st.SearchStrategy[Term]:
    """Terms that denote a relation with `places` arguments."""
    words = st.sampled_from({0: [], 1: ["DOG", "RUN", "OLD", "SLOWLY"], 2: ["SEE", "KICK"]}[places])
    leaves = [words.map(Term)] if places else []
    if places == 2:
        leaves.append(words.map(lambda word: Term("INV", (Term(word),))))
    if depth == 0 and places:
        return st.one_of(leaves)
    depth = max(depth - 1, 0)
    below = st.deferred(lambda: terms(places, depth))
    negated = st.builds(lambda body: Term("NOT", (body,)), below)
    joined = st.builds(
        lambda s, a, b: Term(s, (a, b)), st.sampled_from(["AND", "OR"]), below, below
    )
    quantified = st.builds(
        lambda symbol, restriction, scope: Term(symbol, (restriction, scope)),
        st.sampled_from(["EXIST", "ALL", "TWO", "THREE"]),
        st.deferred(lambda: terms(1, depth)),
        st.deferred(lambda: terms(places + 1, depth)),
    )
    if places == 2:
        return st.one_of(*leaves, negated, joined)
    return st.one_of(*leaves, quantified, *([negated, joined] if places or depth else []))


@given(st.one_of(terms(0), terms(1), terms(2)))
def test_terms_round_trip(term) -> None:
    assert vf_from_str(str(term)) == term
    assert eval(repr(term)) == term


@given(terms())
def test_readings_convert_back_to_the_formula(term) -> None:
    formula = fol_from_vf(term)
    assert not free_variables(formula)
    for reading in vf_readings(formula):
        assert alpha_equivalent(fol_from_vf(reading), formula)


def test_unknown_words_may_be_in_restriction_or_scope() -> None:
    formula = fol_from_str("exists x.(cat(x) & a1(x) & a2(x) & a3(x) & a4(x) & a5(x))")
    assert len(vf_readings(formula)) == 5
    short = fol_from_str("exists x.(cat(x) & old(x) & a2(x) & slowly(x))")
    assert str(vf_readings(short)[0]) == "EXIST AND CAT OLD AND A2 SLOWLY"


def test_a_symbol_needs_its_number_of_terms() -> None:
    with pytest.raises(LogicError, match="expected 2 terms below ALL, found 1"):
        Term("ALL", (Term("DOG"),))
