"""Clauses: the flat notation of DRSs used by SyGNS (van Noord et al. 2018, section 3).

    b1 REF x1 [SEP] b1 dog x1 [SEP] b1 IMP b2 b3 [SEP] b2 REF x2 [SEP] ... [SEP] b3 see x1 x2

A clause starts with the label of its box. `REF` declares a referent. `NOT` takes a box; `IMP`
(implication) and `DIS` (disjunction) take two. Any other word is a predicate of one or two
variables or constants. The order of clauses and the names of boxes and variables are arbitrary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NoReturn, TypeAlias

from amparser.errors import LogicError, nesting
from amparser.logic.drs import IMPLIES, Box, Condition, Linked
from amparser.logic.fol import ARGUMENT, NAME, Atom, is_variable
from amparser.logic.token_reader import TokenReader

SEPARATOR = "[SEP]"
BOX_OPERATORS = {"NOT": 1, "IMP": 2, "DIS": 2}
"""Number of boxes that each operator takes as arguments."""

Clause: TypeAlias = tuple[str, ...]
"""The label of the box, an operator or predicate, and its arguments."""

_BOX = re.compile(r"b[0-9]+")
_LEMMA = re.compile(r"[^\s\"\[\]]+")
_VARIABLE = re.compile(r"[a-z][0-9]*")


def clauses_to_str(clauses: Sequence[Clause]) -> str:
    """Return the text of clauses.

    >>> clauses_to_str([("b1", "REF", "x1"), ("b1", "dog", "x1")])
    'b1 REF x1 [SEP] b1 dog x1'
    """
    return f" {SEPARATOR} ".join(map(" ".join, clauses))


def clauses_from_str(text: str) -> list[Clause]:
    """Read the clauses of a text; `drs_from_clauses` checks whether they fit together.

    Raises LogicError if a clause is too short, too long or has an unexpected token; the message
    names the clause (from 1), the column and the expected token.
    """
    return _TextReader(text).clauses()


class _TextReader(TokenReader):
    def clauses(self) -> list[Clause]:
        return self._separated(self._clause, SEPARATOR)

    def _clause(self) -> Clause:
        clause = [self._match(_BOX, "a box"), self._match(_LEMMA, "a predicate")]
        word = clause[1]
        if word == "REF":
            clause.append(self._match(_VARIABLE, "a variable"))
        elif word in BOX_OPERATORS:
            clause += [self._match(_BOX, "a box") for _ in range(BOX_OPERATORS[word])]
        else:
            clause.append(self._match(NAME, ARGUMENT))
            if self.tokens[self.at] not in (SEPARATOR, ""):
                clause.append(self._match(NAME, f"{ARGUMENT} or the end of the clause"))
        if self.tokens[self.at] not in (SEPARATOR, ""):
            self._fail("the end of the clause")
        return tuple(clause)

    def _fail(self, wanted: str, at: int | None = None) -> NoReturn:
        if self.tokens[self.at] == SEPARATOR:
            self._stop(f"expected {wanted}, found its end", self.at)
        super()._fail(wanted, at)

    def _place(self, at: int) -> str:
        number = 1 + self.tokens[:at].count(SEPARATOR)
        return f"clause {number}, {super()._place(at)}"


def clauses_from_drs(box: Box) -> list[Clause]:
    """Return the clauses of a box; boxes are labelled b1, b2, ... in order of introduction.

    The referents of a box come first, then its conditions, each followed by the clauses of its
    boxes. SyGNS uses the same order.

    >>> from amparser.logic.drs import drs_from_fol
    >>> from amparser.logic.fol import fol_from_str
    >>> box = drs_from_fol(fol_from_str("exists x1.(dog(x1) & -run(x1))"))
    >>> clauses_to_str(clauses_from_drs(box))
    'b1 REF x1 [SEP] b1 dog x1 [SEP] b1 NOT b2 [SEP] b2 run x1'
    """
    labels = (f"b{number}" for number in count(1))
    return list(_clauses(box, next(labels), labels))


def _clauses(box: Box, label: str, labels: Iterator[str]) -> Iterator[Clause]:
    for referent in box.referents:
        yield label, "REF", referent
    for condition in box.conditions:
        if isinstance(condition, Atom):
            yield label, condition.predicate, *condition.arguments
            continue
        below: list[Clause] = []
        names = []
        for other in condition.boxes:
            names.append(next(labels))
            below += _clauses(other, names[-1], labels)
        yield label, condition.relation, *names
        yield from below


def drs_from_clauses(clauses: Sequence[Clause]) -> Box:
    """Return the box that well-formed clauses describe.

    Referents and conditions are in the order of the clauses.

    >>> text = "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 NOT b2 [SEP] b2 run x1"
    >>> str(drs_from_clauses(clauses_from_str(text)))
    '([x1],[dog(x1), -([],[run(x1)])])'

    Raises:
        LogicError: a variable is free, there are several outermost boxes, or a box has no clauses,
            is introduced twice, or is introduced inside itself; the message names the clause.
    """
    with nesting(LogicError, "boxes nested too deeply"):
        return _Assembly(clauses).whole()


class _Assembly:
    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.by_box: dict[str, list[tuple[int, Clause]]] = {}
        for number, clause in enumerate(clauses, 1):
            self.by_box.setdefault(clause[0], []).append((number, clause))
        # (number, box) of the clause that introduces each box.
        self.above: dict[str, tuple[int, str]] = {}
        for number, (label, word, *arguments) in enumerate(clauses, 1):
            for other in arguments if word in BOX_OPERATORS else ():
                if other not in self.by_box:
                    raise LogicError(f"clause {number}: unknown box {other}, which has no clause")
                if other in self.above:
                    first = self.above[other][0]
                    raise LogicError(f"clause {number}: {other} is introduced by clause {first}")
                self.above[other] = number, label

    def whole(self) -> Box:
        outermost = [label for label in self.by_box if label not in self.above]
        if len(outermost) > 1:
            raise LogicError(f"expected one outermost box, found {' and '.join(outermost)}")
        for label in self.by_box:
            # Each box is introduced once, so a box not inside the outermost box is in a cycle.
            seen = {label}
            while label in self.above:
                number, label = self.above[label]
                if label in seen:
                    raise LogicError(f"clause {number}: {label} is inside itself")
                seen.add(label)
        if not outermost:
            raise LogicError("expected a clause, found none")
        return self._box(outermost[0], frozenset())

    def _box(self, label: str, accessible: frozenset[str]) -> Box:
        referents: list[str] = []
        for number, clause in self.by_box[label]:
            if clause[1] == "REF":
                if clause[2] in referents:
                    raise LogicError(f"clause {number}: {label} declares {clause[2]} twice")
                referents.append(clause[2])
        accessible = accessible.union(referents)
        conditions: list[Condition] = []
        for number, (_, word, *arguments) in self.by_box[label]:
            if word in BOX_OPERATORS:
                boxes: list[Box] = []
                for other in arguments:
                    known = boxes[0].referents if boxes and word == IMPLIES else ()
                    boxes.append(self._box(other, accessible.union(known)))
                conditions.append(Linked(word, tuple(boxes)))
            elif word != "REF":
                for name in arguments:
                    if is_variable(name) and name not in accessible:
                        raise LogicError(f"clause {number}: free variable {name}")
                conditions.append(Atom(word, tuple(arguments)))
        return Box(tuple(referents), tuple(conditions))
