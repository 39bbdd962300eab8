r"""From lambda terms to formulas: first-order ones and the variable-free ones of SyGNS.

    not(exists(\_1(and(dog(_1), run(_1)))))   is   -exists x1.(dog(x1) & run(x1))
    not(exist(dog, run))                      is   NOT EXIST DOG RUN

`not`, `and`, `or`, `implies`, `exists` and `all` are operators; any other symbol is a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from amparser.errors import GrammarError, LogicError
from amparser.grammar.irtg import Term
from amparser.grammar.lambda_terms import BOUND
from amparser.grammar.reader import term_to_str
from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or
from amparser.logic.vf import Term as VFTerm

_QUANTIFIERS: Mapping[str, Callable[[str, Formula], Formula]] = {"exists": Exists, "all": All}
_JUNCTIONS: Mapping[str, Callable[[tuple[Formula, ...]], Formula]] = {"and": And, "or": Or}


def formula_of(meaning: Term) -> Formula:
    """The first-order formula of a normal form; its variables are x1, x2, ... by their depth.

    Raises:
        GrammarError: the term is not a formula.
    """
    match meaning.label, meaning.children:
        case "not", (body,):
            return Not(formula_of(body))
        case ("and" | "or") as label, (left, right):
            return _JUNCTIONS[label]((formula_of(left), formula_of(right)))
        case "implies", (left, right):
            return Implies(formula_of(left), formula_of(right))
        case ("exists" | "all") as label, (Term(bound, (body,)),) if bound.startswith("\\"):
            return _QUANTIFIERS[label](_variable(bound.removeprefix("\\")), formula_of(body))
        case label, arguments if arguments and not any(a.children for a in arguments):
            return Atom(label, tuple(_variable(argument.label) for argument in arguments))
        case _:
            raise GrammarError(f"expected a formula, found {term_to_str(meaning)}")


def _variable(name: str) -> str:
    return f"x{name.removeprefix(BOUND)}" if name.startswith(BOUND) else name


def vf_of(meaning: Term) -> VFTerm:
    """The variable-free formula of a normal form; its symbols are in capital letters.

    Raises:
        GrammarError: the term is not a variable-free formula.
    """
    try:
        return VFTerm(meaning.label.upper(), tuple(map(vf_of, meaning.children)))
    except LogicError as error:
        raise GrammarError(f"{error}, in {term_to_str(meaning)}") from None
