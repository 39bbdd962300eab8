"""What train says of constants: which take new names, and which fill which holes."""

from __future__ import annotations

from math import exp, isclose, log

from amparser.induction.derivation import Derivation
from amparser.pieces.evidence import Evidence

CAPITAL, STATE, CITY = 2, 3, 4


def derivation(*names: str, tag: int) -> Derivation:
    """`capital of NAME`, a name that may have several words."""
    rest = len(names) - 1
    return Derivation(
        ("Capital", "of", *names),
        (CAPITAL, 0, tag, *[1] * rest),
        (0,) * (3 + rest),
        (-1, -1, 0, *[-1] * rest),
        (-1, -1, 0, *[-1] * rest),
        (None, None, " ".join(names), *[None] * rest),
        (0, 0, 2, *[2] * rest),
    )


def evidence() -> Evidence:
    states = [derivation("Texas", tag=STATE)] * 6 + [derivation("New", "York", tag=STATE)] * 3
    cities = [derivation("New", "Haven", tag=CITY), derivation("Austin", tag=CITY)]
    return Evidence.of([*states, *cities], 5, [0, 1, 2, 3, 3])


def test_a_constant_whose_names_train_has_once_takes_new_ones() -> None:
    found = evidence()
    assert (found.seen[STATE], found.once[STATE]) == (9, 0)
    assert (found.seen[CITY], found.once[CITY]) == (2, 2)
    assert found.news(CITY) > log(0.5) > found.news(STATE)
    assert (found.seen[CAPITAL], found.once[CAPITAL]) == (11, 0)


def test_what_fills_a_hole_is_likelier_than_its_sort_says() -> None:
    found = evidence()
    place = CAPITAL, 0
    assert found.fillers[place] == {STATE: 9, CITY: 2}
    likely = {STATE: 0.5, CITY: 0.4, CAPITAL: 0.1}
    shares = {tag: p * exp(found.attested(place, tag, p)) for tag, p in likely.items()}
    assert isclose(sum(shares.values()), 1)
    assert found.attested(place, STATE, 0.5) > 0 > found.attested(place, CAPITAL, 0.1)


def test_where_train_has_nothing_the_sorts_decide() -> None:
    assert evidence().attested((STATE, 0), CITY, 0.3) == 0


def test_a_kind_new_to_a_hole_costs_the_more_the_more_fillers_it_has() -> None:
    found = evidence()
    place = CAPITAL, 0
    assert found.strange(place, STATE) == 0 == found.strange(place, CITY)
    assert isclose(found.strange(place, CAPITAL), log(0.5 / 12))
    few = Evidence.of([derivation("Texas", tag=STATE)], 5, [0, 1, 2, 3, 4])
    assert isclose(few.strange(place, CITY), log(0.5 / 2))
    assert few.strange((STATE, 0), CITY) == 0  # train has nothing there


def test_what_a_hole_never_has_in_a_place_costs_there_alone() -> None:
    chain = Derivation(
        ("Mayor", "of", "capital", "of", "Texas"),
        (5, 0, CAPITAL, 0, STATE),
        (0,) * 5,
        (-1, -1, 0, -1, 2),
        (-1, -1, 0, -1, 0),
        (None, None, None, None, "texas"),
        (0, 0, 2, 2, 4),
    )
    found = Evidence.of([chain] * 3 + [derivation("Austin", tag=CITY)], 6, range(6))
    over, place = (5, 0), (CAPITAL, 0)
    assert found.below == {(over, place): {STATE: 3}}
    assert found.unheard(over, place, STATE) == 0
    assert isclose(found.unheard(over, place, CITY), log(0.5 / 4))
    assert found.unheard((CAPITAL, 0), place, CITY) == 0  # train has nothing there
