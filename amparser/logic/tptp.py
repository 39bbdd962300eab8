"""First-order formulas in the notation of the TPTP (FOF; Sutcliffe 2017), which provers read.

    ? [X1] : (two(X1) & monkey(X1) & ~ ? [X2] : (chris(X2) & kick(X1,X2)))

The variable `x1` of `amparser.logic.fol` is `X1` here, and vice versa. Names
that are not lower-case words are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from amparser.logic.fol import (
    All,
    And,
    Atom,
    Exists,
    Formula,
    Implies,
    Not,
    Notation,
    Or,
    Reader,
    is_variable,
)

_TPTP = Notation(
    *("~", "&", "|", "=>", "?", "!"),
    tokens=re.compile(r"<=>|=>|'[^'\\]+'|[A-Za-z_][A-Za-z0-9_]*|\S"),
    strict=True,
)
_LOWER_WORD = re.compile(r"[a-z][a-zA-Z0-9_]*")
_VARIABLE = re.compile(r"[A-Z][0-9]*")


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


def tptp_from_str(text: str) -> Formula:
    """Read a formula, the third part of `fof(name, role, formula)`.

    A variable is one upper-case letter, with or without digits. A constant is not a single
    lower-case letter. `=>` does not associate; `&` and `|` mix only in parentheses.

    >>> str(tptp_from_str("! [X] : (dog(X) => ~ run(X))"))
    'all x.(dog(x) -> -run(x))'

    Raises:
        LogicError: the text does not follow the notation; the message names the
            column (from 1) and what was expected.
    """
    return _TPTPReader(text, _TPTP).formula()


class _TPTPReader(Reader):
    """The reader of NLTK's notation with other names, and other variables after `?` and `!`."""

    def _variables(self) -> list[str]:
        self._expect("[", "'['")
        variables = [self._variable()]
        while self._accept(","):
            variables.append(self._variable())
        self._expect("]", "',' or ']'")
        self._expect(":", "':'")
        return variables

    def _variable(self, wanted: str = "a variable") -> str:
        if not _VARIABLE.fullmatch(self.tokens[self.at]):
            self._fail(wanted)
        self.at += 1
        return self.tokens[self.at - 1].lower()

    def _argument(self) -> str:
        token = self.tokens[self.at]
        if _VARIABLE.fullmatch(token):
            return self._variable()
        if is_variable(token.strip("'")):
            self._fail("a variable or a constant of more letters than one")
        return self._name("a variable or a constant")

    def _name(self, wanted: str) -> str:
        token = self.tokens[self.at]
        if not (_LOWER_WORD.fullmatch(token) or (token[:1] == "'" and len(token) > 1)):
            self._fail(wanted)
        self.at += 1
        return token.strip("'")
