"""Counts of training constants: which take new names, and which fill which ports."""

from math import exp, isclose, log

import pytest

from amparser.induction.cooccurrence import CooccurrenceCounts, is_part, long_names
from amparser.lexicon.encoded import Encoded

CAPITAL, STATE, CITY, MAYOR = 2, 3, 4, 5
KINDS = range(6)


def derivation(*names: str, tag: int) -> Encoded:
    rest = len(names) - 1
    return Encoded(
        ("Capital", "of", *names),
        (CAPITAL, 0, tag, *[1] * rest),
        (0,) * (3 + rest),
        (-1, -1, 0, *[-1] * rest),
        (-1, -1, 0, *[-1] * rest),
        (None, None, " ".join(names), *[None] * rest),
        (0, 0, 2, *[2] * rest),
    )


def chain(*tags: int) -> Encoded:
    words = [tag for word in tags for tag in (word, 0)][:-1]
    heads = [t - 2 if tag else -1 for t, tag in enumerate(words)]
    heads[0] = -1
    return Encoded(
        tuple("of" if not tag else f"word{tag}" for tag in words),
        tuple(words),
        (0,) * len(words),
        tuple(heads),
        tuple(-1 if head < 0 else 0 for head in heads),
        (None,) * len(words),
        tuple(t if tag else t - 1 for t, tag in enumerate(words)),
    )


def cooccurrence() -> CooccurrenceCounts:
    states = [derivation("Texas", tag=STATE)] * 6 + [derivation("New", "York", tag=STATE)] * 3
    cities = [derivation("New", "Haven", tag=CITY), derivation("Austin", tag=CITY)]
    return CooccurrenceCounts.of([*states, *cities], 5, [0, 1, 2, 3, 3])


def test_a_constant_whose_names_train_has_once_takes_new_ones() -> None:
    found = cooccurrence()
    assert (found.seen[STATE], found.once[STATE]) == (9, 0)
    assert (found.seen[CITY], found.once[CITY]) == (2, 2)
    assert found.news(CITY) > log(0.5) > found.news(STATE)
    assert (found.seen[CAPITAL], found.once[CAPITAL]) == (11, 0)


def test_what_fills_a_port_is_likelier_there_than_elsewhere() -> None:
    found = cooccurrence()
    place = CAPITAL, 0
    assert found.fillers[place] == {STATE: 9, CITY: 2}
    total = sum(found.seen[tag] for tag in (STATE, CITY, CAPITAL))
    shares = [found.seen[t] / total * exp(found.attested(place, t)) for t in (STATE, CITY, CAPITAL)]
    assert isclose(sum(shares), 1)
    assert found.attested(place, STATE) > 0 > found.attested(place, CAPITAL)


def test_where_train_has_nothing_all_fillers_are_alike() -> None:
    assert cooccurrence().attested((STATE, 0), CITY) == 0


def test_a_kind_new_to_a_port_costs_the_more_the_more_fillers_it_has() -> None:
    found = CooccurrenceCounts.of(
        [chain(MAYOR, CAPITAL, STATE)] * 3 + [chain(MAYOR, STATE, CITY)] * 9, 6, KINDS
    )
    assert found.strange((CAPITAL, 0), STATE) == 0 == found.strange((MAYOR, 0), STATE)
    assert isclose(found.strange((CAPITAL, 0), CITY), log(0.5 / 4))
    assert isclose(found.strange((MAYOR, 0), CITY), log(0.5 / 10))
    assert found.strange((CITY, 0), STATE) == 0  # train has nothing there


def test_a_kind_that_fills_few_places_costs_little_where_it_is_new() -> None:
    found = CooccurrenceCounts.of(
        [chain(MAYOR, CAPITAL, STATE)] * 20 + [chain(STATE, CITY, STATE)], 6, KINDS
    )
    assert isclose(found.strange((CAPITAL, 0), CITY), log(0.5 / 2))
    assert isclose(found.strange((CAPITAL, 0), CAPITAL), log(0.5 / 21))
    assert isclose(found.strange((CAPITAL, 0), MAYOR), log(0.5 / 1))  # it fills nothing


def test_what_never_stands_at_the_root_costs_there() -> None:
    found = cooccurrence()
    assert found.strange_root(CAPITAL) == 0.0
    # 11 roots are capitals, 11 states and cities, which are of one kind, fill their place.
    assert isclose(found.strange_root(STATE), log(0.5 / 12))
    assert found.strange_root(CITY) == found.strange_root(STATE)
    # What train has once may stand anywhere.
    rare = CooccurrenceCounts.of([chain(2, 3)] * 9 + [chain(2, 4)], 5, range(5))
    assert isclose(rare.strange_root(4), log(0.5 / 2))


def test_known_names_are_whole_as_far_as_train_has_them_whole() -> None:
    whole = [derivation("New", "York", tag=STATE)] * 3 + [derivation("Austin", tag=CITY)] * 9
    found = CooccurrenceCounts.of(whole, 5, KINDS)
    assert (found.whole, found.parted) == (3, 0)  # Austin is one word
    assert isclose(found.parting, log(0.5 / 4))
    assert isclose(found.keeping, log(3.5 / 4))
    york = Encoded(
        ("Capital", "of", "New", "York"),
        (CAPITAL, 0, 0, STATE),
        (0,) * 4,
        (-1, -1, -1, 0),
        (-1, -1, -1, 0),
        (None, None, None, "York"),
        (0, 0, -1, 3),
    )
    found = CooccurrenceCounts.of([*whole, york], 5, KINDS)
    assert (found.whole, found.parted) == (3, 1)
    assert isclose(found.parting, log(1.5 / 5))
    assert CooccurrenceCounts.of([chain(2, 3)], 5, KINDS).parting == log(0.5)


@pytest.mark.parametrize(
    ("first", "end", "part"),
    [(0, 2, False), (2, 5, False), (1, 6, False), (2, 3, True), (4, 6, True), (1, 4, True)],
)
def test_a_part_of_a_known_name_leaves_some_of_it_out(first, end, part) -> None:
    known = long_names(["see", "Austin", "Salt", "Lake", "City", "?"])
    assert known == [(2, 5)]
    assert is_part(first, end, known) is part
