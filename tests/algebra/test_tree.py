"""AM dependency trees: labels, shape, projectivity, and the type of a head with its dependents."""

from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from amparser.algebra.joining import combined
from amparser.algebra.projectivity import is_projective
from amparser.algebra.tree import Entry
from amparser.algebra.types import AMType, apply_type, modify_type, source_of, type_from_str


@pytest.mark.parametrize(
    ("entry", "label"),
    [
        (Entry("Emma", lexical_label=None, lemma="emma"), None),
        (Entry("Emma", lexical_label="emma"), "emma"),
        (Entry("Emma", lexical_label='"$FORM$"'), '"Emma"'),
        (Entry("gave", lexical_label="$LEMMA$", lemma="give"), "give"),
        (Entry("gave", lexical_label="$LEMMA$-01"), "gave-01"),
        (Entry("6m", lexical_label="n__$REPL$", replacement="6000000"), "n__6000000"),
        (Entry("a", lexical_label="$POS$.$FORM$", pos="DT"), "DT.a"),
        (Entry("$POS$", lexical_label="$LEMMA$$FORM$", lemma="$FORM$", pos="X"), "$FORM$$POS$"),
        (Entry("US$", lexical_label="$FORM", lemma="x"), "$FORM"),
    ],
)
def test_lexical_labels_refer_to_other_columns(entry, label) -> None:
    assert entry.label == label


def crosses(heads: list[int]) -> bool:
    arcs = [{head, token} for token, head in enumerate(heads, 1) if head >= 0]
    return any(min(left) < min(right) < max(left) < max(right) for left in arcs for right in arcs)


@given(st.integers(1, 7).flatmap(lambda n: st.lists(st.integers(-1, n), min_size=n, max_size=n)))
def test_projective_means_no_crossing_arcs(heads) -> None:
    assert is_projective(heads) == (not crosses(heads))


def test_projectivity_is_fast_on_long_sentences() -> None:
    """Quadratic time would take minutes here."""
    size = 50_000
    nested = [size - t for t in range(size // 2)] + [size - t - 1 for t in range(size // 2, size)]
    assert is_projective(nested)
    assert is_projective([0, *range(1, size)])
    assert not is_projective([*nested[:-1], size // 2])


T = type_from_str
HEADS = [T("(s(), o(), r())"), T("(s(), o(s()), m())"), T("(o(o2_UNIFY_s), s())"), T("(r(o(s())))")]


@st.composite
def heads_with_dependents(draw: st.DrawFn) -> tuple[AMType, list[tuple[str, AMType]]]:
    """Draw dependents that mostly fit, in any order, sometimes twice."""
    head = draw(st.sampled_from(HEADS))
    fitting = [(f"APP_{source}", head.request(source)) for source in sorted(head.sources)]
    fitting += [("MOD_x", T(t)) for t in ("(x())", "(x(), s())", "(x(), o(s()))", "(x(s()))")]
    odd = [("APP_s", T("(o())")), ("APP_z", T("()")), ("MOD_x", T("()")), ("IGNORE", T("()"))]
    chosen = draw(st.lists(st.sampled_from(fitting), max_size=4))
    if draw(st.integers(0, 4)) == 0:
        chosen.append(draw(st.sampled_from(odd)))
    return head, draw(st.permutations(chosen))


def in_order(head: AMType, dependents: tuple[tuple[str, AMType], ...]) -> AMType | None:
    current: AMType | None = head
    for operation, term_type in dependents:
        if current is None or operation == "IGNORE":
            return None
        step = apply_type if operation.startswith("APP_") else modify_type
        current = step(current, source_of(operation), term_type)
    return current


@given(heads_with_dependents())
def test_every_defined_order_gives_one_type(case) -> None:
    head, dependents = case
    results = {in_order(head, order) for order in permutations(dependents)} - {None}
    assert len(results) <= 1
    term_type, reasons = combined(head, dependents)
    assert (None if reasons else term_type) == (results.pop() if results else None)
