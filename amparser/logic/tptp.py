"""First-order formulas in the notation of the TPTP (FOF; Sutcliffe 2017), for provers.

    ? [X1] : (two(X1) & monkey(X1) & ~ ? [X2] : (chris(X2) & kick(X1,X2)))

The variable `x1` of `amparser.logic.fol` is `X1` here. Names
that are not lower-case words are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from amparser.logic.fol import All, And, Atom, Exists, Formula, Implies, Not, Or, is_variable

_LOWER_WORD = re.compile(r"[a-z][a-zA-Z0-9_]*")


def tptp_to_str(formula: Formula) -> str:
    """The text of a formula.

    >>> from amparser.logic.fol import fol_from_str
    >>> tptp_to_str(fol_from_str("all x.(dog(x) -> -run(x))"))
    '! [X] : (dog(X) => ~ run(X))'
    """
    match formula:
        case Atom(predicate, arguments):
            return f"{_word(predicate)}({','.join(map(_term, arguments))})"
        case Not(body):
            return f"~ {tptp_to_str(body)}"
        case And(parts):
            return f"({' & '.join(map(tptp_to_str, parts))})"
        case Or(parts):
            return f"({' | '.join(map(tptp_to_str, parts))})"
        case Implies(antecedent, consequent):
            return f"({tptp_to_str(antecedent)} => {tptp_to_str(consequent)})"
        case Exists(variable, body):
            return f"? [{variable.upper()}] : {tptp_to_str(body)}"
        case All(variable, body):
            return f"! [{variable.upper()}] : {tptp_to_str(body)}"


def _term(name: str) -> str:
    return name.upper() if is_variable(name) else _word(name)


def _word(name: str) -> str:
    return name if _LOWER_WORD.fullmatch(name) else f"'{name}'"


def problem_to_str(premises: Sequence[Formula], conjecture: Formula) -> str:
    """A problem for a prover: do the premises entail the conjecture?"""
    lines = [
        f"fof(premise{number}, axiom, {tptp_to_str(premise)})."
        for number, premise in enumerate(premises, 1)
    ]
    return "\n".join([*lines, f"fof(goal, conjecture, {tptp_to_str(conjecture)}).", ""])
