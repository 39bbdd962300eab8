"""Grammar of the monotonicity benchmark, compared with the published sentences."""

from collections import Counter
from random import Random

import pytest
from monotonicity_data import DEPTHS, read_pairs

from amparser.benchmarks import fragments
from amparser.benchmarks.fragments import formula_of, vf_of
from amparser.corpora.tokens import tokenize
from amparser.errors import GrammarError
from amparser.grammar.algebras import STRING, value
from amparser.grammar.irtg import Derivation, Term
from amparser.grammar.lambda_terms import lambda_term, normal_form
from amparser.grammar.library import Library, load_library
from amparser.logic.fol import alpha_equivalent, fol_from_str
from amparser.logic.vf import fol_from_vf, vf_from_str

CLAUSES = ("subject_relative", "object_relative", "object_relative_bare")


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library("monotonicity")


def only_derivation(library: Library, sentence: str) -> Derivation:
    [derivation] = library.chart(tokenize(sentence)).derivations()
    return derivation


@pytest.mark.parametrize("depth", DEPTHS)
def test_every_published_sentence_has_one_derivation(library, data_dir, depth) -> None:
    pairs = read_pairs(data_dir, depth)
    sentences = {sentence for pair in pairs for sentence in pair[:2]}
    counts = Counter(
        len([*library.chart(tokenize(sentence)).derivations()]) for sentence in sentences
    )
    assert counts == {1: len(sentences)}


@pytest.mark.parametrize("depth", DEPTHS)
def test_formulas_equal_the_variable_free_forms(library, data_dir, depth) -> None:
    for pair in read_pairs(data_dir, depth, step=20):
        found = only_derivation(library, pair.premise)
        assert alpha_equivalent(fragments.formula(found), fol_from_vf(fragments.vf(found)))


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_samples_of_a_depth_use_every_rule(library, depth) -> None:
    drawn, random = library.plan().type_of(f"D{depth}"), Random(1)
    labels: Counter[str] = Counter()
    for _ in range(200):
        derivation = drawn.sample(random)
        assert clauses_on_a_path(derivation) == depth - 1
        tokens = library.tokens(derivation)
        assert len([*library.chart(tokens).derivations()]) == 1
        leaves = [node for node in derivation.nodes() if not node.rule.children]
        words = [
            " ".join(value(leaf, "string", STRING))
            for leaf in leaves
            if leaf.rule.parent.startswith(("Head", "IV", "TV", "Adj", "Adv", "Place", "Rel"))
        ]
        assert len(words) == len(set(words))
        labels.update(node.rule.label for node in derivation.nodes())
    quantifiers = [
        rule.label
        for sign in ("Upward", "Downward")
        for number in ("sg", "pl")
        for rule in library.grammar.by_parent[f"{sign}_{number}"]
    ]
    rules = [rule.label for rule in library.grammar.rules if rule.children]
    never = {"embedding_sg", "embedding_pl", *CLAUSES} if depth == 1 else set()
    assert {label for label in (*quantifiers, *rules) if not labels[label]} == never


def clauses_on_a_path(derivation: Derivation) -> int:
    below = max(map(clauses_on_a_path, derivation.children), default=0)
    return below + derivation.rule.label.startswith("embedding_")


def test_terms_that_do_not_denote_formulas_are_refused() -> None:
    for text in ("and(p(x))", r"\x. p(x)", "p(q(x))", "p"):
        with pytest.raises(GrammarError, match="expected a formula"):
            formula_of(normal_form(lambda_term(text)))
    with pytest.raises(GrammarError, match="expected 2 terms below AND"):
        vf_of(Term("and", (Term("dog"),)))


def test_formulas_from_lambda_terms() -> None:
    term = lambda_term(r"all(\x. or(not(dog(x)), exists(\y. see(x, y))))")
    found = formula_of(normal_form(term))
    assert found == fol_from_str("all x1.(-dog(x1) | exists x2.see(x1,x2))")
    assert vf_of(Term("exist", (Term("dog"), Term("run")))) == vf_from_str("EXIST DOG RUN")
