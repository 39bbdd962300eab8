"""Sampling under constraints, against an enumeration of all derivations."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from amparser.errors import GrammarError
from amparser.grammar.algebras import STRING, value
from amparser.grammar.irtg import Derivation, Irtg
from amparser.grammar.reader import grammar_from_str
from amparser.grammar.sample import Apart, Beside, Constraint, Limit, Sampler

# Clauses and noun phrases that nest; limits bound the recursion.
RECURSIVE = grammar_from_str(
    f"""
interpretation string: {STRING}
S! -> clause(NP, VP) [2]  [string] *(?1, ?2)
S -> bare(VP)             [string] ?1
VP -> says(S) [0.5]       [string] *(says, ?1)
VP -> sees(NP)            [string] *(sees, ?1)
VP -> sleeps [2]          [string] sleeps
NP -> plain(N) [3]        [string] ?1
NP -> placed(N, NP)       [string] *(?1, in, ?2)
N -> cat [3]              [string] cat
N -> dog                  [string] dog
"""
)
LABELS = sorted(RECURSIVE.by_label)


def enumerated(grammar: Irtg, nonterminal: str, height: int) -> Iterator[tuple[Derivation, float]]:
    """Yield the derivations up to a height with their probabilities."""
    if not height:
        return
    rules = grammar.by_parent[nonterminal]
    total = sum(rule.weight for rule in rules)
    for rule in rules:
        below = [list(enumerated(grammar, child, height - 1)) for child in rule.children]
        for children in itertools.product(*below):
            weight = rule.weight / total * math.prod(w for _, w in children)
            yield Derivation(rule, tuple(child for child, _ in children)), weight


def uses(derivation: Derivation, labels: frozenset[str]) -> int:
    return sum(node.rule.label in labels for node in derivation.nodes())


def depth(derivation: Derivation, labels: frozenset[str]) -> int:
    below = max((depth(child, labels) for child in derivation.children), default=0)
    return below + (derivation.rule.label in labels)


def obeys(derivation: Derivation, constraint: Constraint) -> bool:
    """Check a constraint by its definition on a whole derivation."""
    match constraint:
        case Limit(labels, least, most, nested):
            found = depth(derivation, labels) if nested else uses(derivation, labels)
            return least <= found <= most
        case Apart(above, below, directly):
            return not any(
                node.rule.label in above
                and any(
                    other.rule.label in below
                    for child in node.children
                    for other in ([child] if directly else child.nodes())
                )
                for node in derivation.nodes()
            )
        case Beside(first, second):
            return derivation.rule.label not in first and all(
                not any(child.rule.label in first for child in node.children)
                or any(child.rule.label in second - first for child in node.children)
                for node in derivation.nodes()
            )
    raise AssertionError(constraint)


HEIGHT = 6
# Derivations with this limit have at most this height.
BOUNDED = Limit(frozenset({"says", "placed"}), 0, 1)
ALL = [(d, w) for d, w in enumerated(RECURSIVE, "S", HEIGHT) if obeys(d, BOUNDED)]


def test_enumeration_is_complete() -> None:
    higher = [d for d, _ in enumerated(RECURSIVE, "S", HEIGHT + 1) if obeys(d, BOUNDED)]
    assert len(higher) == len(ALL)


def some_labels() -> st.SearchStrategy[frozenset[str]]:
    return st.frozensets(st.sampled_from(LABELS), min_size=1, max_size=3)


def constraints() -> st.SearchStrategy[list[Constraint]]:
    limits = st.tuples(st.integers(0, 2), st.integers(0, 2), st.booleans()).flatmap(
        lambda t: st.builds(
            Limit, some_labels(), st.just(t[0]), st.just(t[0] + t[1]), st.just(t[2])
        )
    )
    aparts = st.builds(Apart, some_labels(), some_labels(), st.booleans())
    besides = st.builds(Beside, some_labels(), some_labels())
    return st.lists(st.one_of(limits, aparts, besides), max_size=3)


@settings(max_examples=300, deadline=None)
@given(constraints(), st.integers(0, 10**9))
def test_samples_and_their_probability_equal_the_enumeration(chosen, seed) -> None:
    wanted = [(d, w) for d, w in ALL if all(obeys(d, c) for c in chosen)]
    if not wanted:
        with pytest.raises(GrammarError, match="no derivation of 'S' satisfies"):
            Sampler(RECURSIVE, "S", constraints=[BOUNDED, *chosen])
        return
    sampler = Sampler(RECURSIVE, "S", constraints=[BOUNDED, *chosen])
    assert sampler.total == pytest.approx(sum(w for _, w in wanted))
    drawn = sampler.sample(random.Random(seed))
    assert drawn in [d for d, _ in wanted]


def test_samples_follow_their_probabilities() -> None:
    constraint = Limit(frozenset({"dog"}), 1, 1)
    wanted = {str(d): w for d, w in ALL if obeys(d, constraint)}
    total = sum(wanted.values())
    sampler = Sampler(RECURSIVE, "S", constraints=[BOUNDED, constraint])
    chance, count = random.Random(1), 20_000
    seen = Counter(str(sampler.sample(chance)) for _ in range(count))
    for tree, weight in wanted.items():
        share = weight / total
        assert abs(seen[tree] / count - share) < 5 * math.sqrt(share / count) + 1e-4


def test_rare_deep_derivations_are_sampled_without_rejection() -> None:
    deep = Limit(frozenset({"placed"}), 12, 12, nested=True)
    sampler = Sampler(RECURSIVE, "NP", constraints=[deep])
    assert sampler.total < 1e-6
    assert depth(sampler.sample(random.Random(2)), deep.labels) == 12


def test_derivations_are_listed_in_rule_order() -> None:
    sampler = Sampler(
        RECURSIVE, "S", constraints=[BOUNDED], weights={"says": 0.0, "placed": 0.0}, distinct=["N"]
    )
    words = [" ".join(value(d, "string", STRING)) for d in sampler.derivations()]
    assert words[:4] == ["cat sees cat", "cat sees dog", "cat sleeps", "dog sees cat"]
    assert words[-1] == "sleeps"
    assert len(words) == 9


def test_distinct_words_never_repeat() -> None:
    sampler = Sampler(RECURSIVE, "S", constraints=[Limit(frozenset(), 0, 0)], distinct=["N"])
    chance = random.Random(3)
    for _ in range(300):
        words = value(sampler.sample(chance), "string", STRING)
        assert words.count("cat") < 2 > words.count("dog")
    three = Limit(frozenset({"cat", "dog"}), 3, 3)
    with pytest.raises(GrammarError, match="none of 20 draws has distinct words"):
        Sampler(RECURSIVE, "S", constraints=[three], distinct=["N"], max_draws=20).sample(chance)
    # Distinctness compares the words of the table, which may coincide.
    words = {"cat": "pet", "dog": "pet"}
    two = Limit(frozenset({"cat", "dog"}), 2, 2)
    with pytest.raises(GrammarError, match="none of 20 draws"):
        Sampler(
            RECURSIVE, "S", constraints=[two], distinct=["N"], words=words, max_draws=20
        ).sample(chance)


def test_weights_of_infinite_derivations_do_not_count() -> None:
    text = f"interpretation s: {STRING}\nS! -> two(S, S) [9] [s] *(?1, ?2)\nS -> a [s] a\n"
    grammar = grammar_from_str(text)
    # A derivation is finite with probability 1/9.
    assert Sampler(grammar, "S").total == pytest.approx(1 / 9)
    assert Sampler(grammar, "S", constraints=[Limit(frozenset({"two"}), 2, 2)]).total > 0
    with pytest.raises(GrammarError, match="no derivation of 'S'"):
        Sampler(grammar, "S", weights={"a": 0.0})
