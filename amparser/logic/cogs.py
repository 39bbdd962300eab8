"""Logical forms of COGS (Kim & Linzen 2020, section 3.4) and SLOG, and their equality.

    * girl ( x _ 1 ) ; give . agent ( x _ 2 , x _ 1 ) AND give . theme ( x _ 2 , ? )
    LAMBDA a . LAMBDA e . giggle . agent ( e , a )
    Paula

Tokens are separated by white space. `x _ 2` is the variable of the token at position 2 (from 0).
`?` is the answer to a question. Any other word in an argument position is a proper noun and a
constant, unless it is bound by LAMBDA. Definite nouns come first, each `* noun ( x _ i ) ;`, and
AND joins the other atoms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from amparser.logic.hypergraph import Edge, same_up_to_names
from amparser.logic.token_reader import TokenReader

# Positions have at most nine digits, which is enough for any sentence.
_POSITION = re.compile(r"0|[1-9][0-9]{0,8}")
_VARIABLE = re.compile(r"(?<!\S)x _ ([0-9]+)(?!\S)")
_NUMBER = re.compile(r"(?<!\S)\x00[0-9]+(?!\S)")
RESERVED = frozenset({"(", ")", ",", ".", ";", "*", "?", "_", "x", "AND", "LAMBDA"})
"""Tokens that cannot be words of a logical form."""


@dataclass(frozen=True, slots=True)
class Variable:
    """The variable of a token; positions count from 0."""

    position: int

    def __str__(self) -> str:
        return f"x _ {self.position}"


@dataclass(frozen=True, slots=True)
class Name:
    """A proper noun, which is a constant."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Question:
    """The answer to a wh-question."""

    def __str__(self) -> str:
        return "?"


@dataclass(frozen=True, slots=True)
class Bound:
    """A variable bound by LAMBDA."""

    name: str

    def __str__(self) -> str:
        return self.name


Term: TypeAlias = Variable | Name | Question | Bound


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate as a sequence of words, such as `cake . nmod . in`, with its arguments."""

    predicate: tuple[str, ...]
    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{' . '.join(self.predicate)} ( {' , '.join(map(str, self.terms))} )"


@dataclass(frozen=True, slots=True)
class LogicalForm:
    """A conjunction of definite nouns and other atoms under LAMBDAs, or a single name."""

    atoms: tuple[Atom, ...] = ()
    definites: tuple[Atom, ...] = ()
    bound: tuple[str, ...] = ()
    name: str | None = None

    def __str__(self) -> str:
        """Return the text, with tokens separated by single spaces.

        >>> str(LogicalForm((Atom(("shark",), (Bound("a"),)),), bound=("a",)))
        'LAMBDA a . shark ( a )'
        """
        if self.name is not None:
            return self.name
        prefix = "".join(f"LAMBDA {variable} . " for variable in self.bound)
        parts = [f"* {atom}" for atom in self.definites]
        if self.atoms:
            parts.append(" AND ".join(map(str, self.atoms)))
        return prefix + " ; ".join(parts)


def logical_form_from_str(text: str) -> LogicalForm:
    """Read a logical form.

    >>> str(logical_form_from_str("* girl ( x _ 1 ) ; giggle . agent ( x _ 2 , x _ 1 )"))
    '* girl ( x _ 1 ) ; giggle . agent ( x _ 2 , x _ 1 )'
    >>> logical_form_from_str("cake ( x _ 1")
    Traceback (most recent call last):
    amparser.errors.LogicError: column 13 (token 6): expected ',' or ')', found the end

    Raises:
        LogicError: the text does not follow the notation; the message names the expected token
            and gives the column and number (both from 1) of the token found.
    """
    return _Reader(text).logical_form()


class _Reader(TokenReader):
    reserved = RESERVED
    numbered = True

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.bound: list[str] = []

    def logical_form(self) -> LogicalForm:
        if len(self.tokens) == 2 and self.tokens[0] not in RESERVED:
            return LogicalForm(name=self.tokens[0])
        while self._accept("LAMBDA"):
            self.bound.append(self._word("a lambda variable"))
            if self.bound[-1] in self.bound[:-1]:
                self.at -= 1
                self._fail("a lambda variable not bound before")
            self._expect(".")
        definites = []
        while self._accept("*"):
            definites.append(self._atom())
            if self.tokens[self.at] == "":
                return LogicalForm((), tuple(definites), tuple(self.bound))
            self._expect(";")
        atoms = self._separated(self._atom, "AND")
        self._expect("", "'AND' or the end")
        return LogicalForm(tuple(atoms), tuple(definites), tuple(self.bound))

    def _atom(self) -> Atom:
        predicate = self._separated(
            lambda: self._word("a word of the predicate"), ".", lambda: self._word("a predicate")
        )
        self._expect("(", "'.' or '('")
        return Atom(tuple(predicate), tuple(self._enclosed(self._term)))

    def _term(self) -> Term:
        if self._accept("x"):
            self._expect("_")
            return Variable(int(self._match(_POSITION, "a position")))
        if self._accept("?"):
            return Question()
        word = self._word("an argument")
        return Bound(word) if word in self.bound else Name(word)


def reformatted(text: str) -> str:
    """Normalize a text for SLOG's reformatted exact match (Li et al. 2023, section 4).

    Definite nouns and conjuncts are sorted alphabetically (variables by number), then variables are
    numbered from 1 in the order of the text. Equivalent forms become equal in most cases, but not
    in all, because the order depends on the original numbers; `equivalent` is exact. The text need
    not be a logical form.

    >>> reformatted("eat . agent ( x _ 4 , x _ 3 ) AND baby ( x _ 3 )")
    'baby ( x _ 1 ) AND eat . agent ( x _ 2 , x _ 1 )'
    """
    # The character U+0000 distinguishes variables from plain numbers.
    parts = _VARIABLE.sub("\x00\\1", " ".join(text.split())).split(" ; ")
    definites = sorted(part for part in parts if part.startswith("* "))
    rest = (part.split(" AND ") for part in parts if not part.startswith("* "))
    conjuncts = sorted(conjunct for conjuncts in rest for conjunct in conjuncts)
    if conjuncts:
        definites.append(" AND ".join(conjuncts))
    numbers: dict[str, str] = {}
    return _NUMBER.sub(
        lambda match: numbers.setdefault(match[0], f"x _ {len(numbers) + 1}"), " ; ".join(definites)
    )


def equivalent(left: LogicalForm, right: LogicalForm) -> bool:
    """Return True if two forms are equal up to variables and the order of conjuncts.

    Bound variables correspond in the order of their LAMBDAs. Forms that repeat a conjunct a
    different number of times are not equal.
    """
    if left == right:
        return True
    heads = [(form.name, len(form.bound)) for form in (left, right)]
    return heads[0] == heads[1] and same_up_to_names([*_edges(left)], [*_edges(right)])


def _edges(form: LogicalForm) -> Iterator[Edge]:
    """Yield a hyperedge for each atom: its variables, with all other arguments in the label."""
    bound = {name: place for place, name in enumerate(form.bound)}
    for definite, atoms in enumerate((form.atoms, form.definites)):
        for atom in atoms:
            constants = (bound[t.name] if isinstance(t, Bound) else t for t in atom.terms)
            label = tuple(None if isinstance(t, Variable) else t for t in constants)
            variables = (term.position for term in atom.terms if isinstance(term, Variable))
            yield (definite, atom.predicate, label), tuple(variables)
