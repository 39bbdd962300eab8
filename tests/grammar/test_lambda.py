"""Lambda terms and their algebra: reading, reduction, values of derivations."""

import pytest

from amparser.benchmarks.fragments import varfree_of
from amparser.errors import GrammarError
from amparser.grammar.algebras import LAMBDA, value
from amparser.grammar.irtg import Derivation, Irtg, Term
from amparser.grammar.lambda_terms import lambda_term, normal_form
from amparser.grammar.reader import grammar_from_str


def derived(grammar: Irtg, term: Term) -> Derivation:
    children = tuple(derived(grammar, child) for child in term.children)
    return Derivation(grammar.by_label[term.label], children)


def test_term_without_normal_form_is_an_error() -> None:
    omega = r"(\x. x(x))(\x. x(x))"
    text = f"interpretation m: {LAMBDA}\nS! -> s(A, A) [m] @(?1, ?2)\nA -> a [m] '\\x. x(x)'\n"
    grammar = grammar_from_str(text)
    looping = derived(grammar, Term("s", (Term("a"), Term("a"))))
    with pytest.raises(GrammarError, match="without a normal form"):
        value(looping, "m", LAMBDA)
    with pytest.raises(GrammarError, match="without a normal form"):
        lambda_term(omega)


def test_role_without_value_is_an_error() -> None:
    with pytest.raises(GrammarError, match="expected a role with its value, found cat"):
        varfree_of(normal_form(lambda_term("eat(cat)")))
