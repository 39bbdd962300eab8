"""Grammars: reading, writing, sampling, counting, and parsing of strings."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from toml_tables import tables

from amparser.grammar.algebras import STRING, value
from amparser.grammar.chart import StringParser
from amparser.grammar.irtg import Derivation, Irtg, Term
from amparser.grammar.reader import grammar_from_str, grammar_to_str
from amparser.grammar.sample import Sampler

# A synchronous grammar whose second string has objects before the verb.
SYNCHRONOUS = Path(__file__).with_name("synchronous.irtg").read_text(encoding="utf-8")

# a^n as binary trees: Catalan numbers count the derivations of n words.
BINARY = f"""
interpretation string: {STRING}
S! -> join(S, S) [0.25]
  [string] *(?1, ?2)
S -> a [0.75]
  [string] a
"""


@pytest.fixture(scope="module")
def grammar() -> Irtg:
    return grammar_from_str(SYNCHRONOUS)


def derivation_of(grammar: Irtg, text: str) -> Derivation:
    term = grammar_from_str(f"interpretation t: {STRING}\nX! -> x [t] {text}").rules[0].terms["t"]
    return derived(grammar, term)


def derived(grammar: Irtg, term: Term) -> Derivation:
    children = tuple(derived(grammar, child) for child in term.children)
    return Derivation(grammar.by_label[term.label], children)


GOLDEN = tables(__file__)["golden"]


@pytest.mark.parametrize(("text", "english", "german"), GOLDEN)
def test_derivation_has_these_values_and_is_parsed_from_each_string(
    grammar, text, english, german
) -> None:
    derivation = derivation_of(grammar, text)
    assert value(derivation, "english", STRING) == tuple(english.split())
    assert value(derivation, "german", STRING) == tuple(german.split())
    for interpretation, words in (("english", english), ("german", german)):
        chart = StringParser(grammar, interpretation).parse(words.split())
        assert list(chart.derivations()) == [derivation]
        assert chart.right_branching() == derivation


def test_other_strings_have_no_derivation(grammar) -> None:
    parser = StringParser(grammar, "english")
    for words in ("", "the man", "the man sees", "sees the man the man", "the man saw the man"):
        assert list(parser.parse(words.split()).derivations()) == []


def test_written_grammar_reads_back_equal(grammar) -> None:
    assert grammar_from_str(grammar_to_str(grammar)) == grammar
    assert grammar.starts == {"S"}
    assert grammar.by_label["park"].weight == 0.5
    assert grammar.by_label["sees"].weight == 1.0


@pytest.mark.parametrize("length", range(1, 9))
def test_chart_lists_each_derivation_once(length) -> None:
    chart = StringParser(grammar_from_str(BINARY), "string").parse(["a"] * length)
    catalan = [1, 1, 2, 5, 14, 42, 132, 429][length - 1]
    listed = list(chart.derivations())
    assert catalan == len(listed) == len(set(map(str, listed)))


def test_rules_may_reorder_and_nest_words_and_children() -> None:
    grammar = grammar_from_str(f"""
interpretation one: {STRING}
interpretation two: {STRING}
S! -> s(A, B, C)
  [one] *(?1, ?2, ?3)
  [two] *(?3, ?1, ?2)
A -> a(D, D)
  [one] *(?1, x, ?2)
  [two] *(u, *(?2, ?1))
B -> b
  [one] *(p, q)
  [two] r
C -> c(B, D)
  [one] *(y, ?1, *(z, ?2))
  [two] *(?2, *(v, ?1, w))
D -> d
  [one] k
  [two] *(l, m)
""")
    [derivation] = (
        StringParser(grammar, "one")
        .parse(["k", "x", "k", "p", "q", "y", "p", "q", "z", "k"])
        .derivations()
    )
    other = value(derivation, "two", STRING)
    assert other == tuple("lmvrwulmlmr")
    assert derivation in StringParser(grammar, "two").parse(other).derivations()


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**9))
def test_chart_finds_sampled_derivations(seed) -> None:
    grammar = grammar_from_str(SYNCHRONOUS)
    derivation = Sampler(grammar, "S").sample(random.Random(seed))
    assert derivation == Sampler(grammar, "S").sample(random.Random(seed))
    for interpretation in ("english", "german"):
        words = value(derivation, interpretation, STRING)
        assert isinstance(words, tuple)
        assert derivation in list(StringParser(grammar, interpretation).parse(words).derivations())
