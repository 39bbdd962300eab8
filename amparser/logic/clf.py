"""Clauses: the flat notation of DRSs used by SyGNS (van Noord et al. 2018, section 3).

    b1 REF x1 [SEP] b1 dog x1 [SEP] b1 IMP b2 b3 [SEP] b2 REF x2 [SEP] ... [SEP] b3 see x1 x2

A clause starts with the label of its box. `REF` declares a referent. `NOT` takes a box; `IMP` (the
first box implies the second) and `DIS` take two. Any other word is a predicate of one or two
variables or constants. The order of clauses and the names of boxes and variables are arbitrary.

Clauses of the Parallel Meaning Bank have separate senses (`b1 fry "v.02" x1`), quoted constants,
and further relations between boxes that take one box (`b1 POSSIBILITY b2`).

Convert boxes of concepts to discourse representation structures or clauses.

    male.n.02 Name "Tom" NEGATION -1 leave.v.01 Theme -1
    ([x1],[male.n.02(x1), Name(x1,"Tom"), -([x2],[leave.v.01(x2), Theme(x2,x1)])])

Each concept has a referent, declared in its box. A role becomes a condition in the inner one of the
two concepts' boxes, where both referents are accessible. An inverse role is written at its other
end; only if it has a constant, it keeps its own name (`PartOf`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NoReturn, TypeAlias

from amparser.errors import LogicError, nesting
from amparser.logic.concept_boxes import (
    BOX_RELATIONS,
    INVERTIBLE,
    SELDOM_INVERSE,
    BoxTarget,
    ConceptBoxes,
    Role,
    is_relation,
    lemma_and_sense,
)
from amparser.logic.drs import IMPLIES, NAME, NOT, Box, Condition, Linked
from amparser.logic.fol import ARGUMENT, Atom, is_variable
from amparser.logic.token_reader import TokenReader

SEPARATOR = "[SEP]"
OPERATORS = {"REF": 1, "NOT": 1, "IMP": 2, "DIS": 2, **dict.fromkeys(sorted(BOX_RELATIONS), 1)}
"""Number of arguments of each operator; predicates have one or two."""

BOX_OPERATORS = frozenset(OPERATORS) - {"REF"}
"""Operators whose arguments are boxes."""
NEGATION = "NEGATION"
"""The bank's name of `NOT`."""

Clause: TypeAlias = tuple[str, ...]
"""The label of the box, an operator or predicate, and its arguments."""

_BOX = re.compile(r"b[0-9]+")
_LEMMA = re.compile(r"[^\s\"\[\]]+")
_SENSE = re.compile(r'"[a-z]\.\d+"')
_VARIABLE = re.compile(r"[a-z][0-9]*")
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_ARGUMENT = re.compile(rf"[A-Za-z_][A-Za-z0-9_]*|{_STRING}")
_TOKEN = re.compile(rf"{_STRING}(?!\S)|\S+")


def clauses_to_str(clauses: Sequence[Clause]) -> str:
    """Return the text of clauses.

    >>> clauses_to_str([("b1", "REF", "x1"), ("b1", "dog", "x1")])
    'b1 REF x1 [SEP] b1 dog x1'
    """
    return f" {SEPARATOR} ".join(map(" ".join, clauses))


def clauses_from_str(text: str) -> list[Clause]:
    """Read clauses separately; `drs_from_clauses` checks whether they fit together.

    Raises LogicError if a clause is too short, too long or has an unexpected token; the message
    names the clause (from 1), the column and the expected token.
    """
    return _TextReader(text).clauses()


class _TextReader(TokenReader):
    pattern = _TOKEN
    count = 0

    def clauses(self) -> list[Clause]:
        return self._separated(self._clause, SEPARATOR)

    def _clause(self) -> Clause:
        self.count += 1
        clause = [self._match(_BOX, "a box"), self._match(_LEMMA, "a predicate")]
        word = clause[1]
        if word == "REF":
            clause.append(self._match(_VARIABLE, "a variable"))
        elif word in BOX_OPERATORS:
            clause += [self._match(_BOX, "a box") for _ in range(OPERATORS[word])]
        else:
            clause.append(self._match(_ARGUMENT, ARGUMENT))
            if self.tokens[self.at] not in (SEPARATOR, ""):
                clause.append(self._match(_ARGUMENT, f"{ARGUMENT} or the end of the clause"))
        if self.tokens[self.at] not in (SEPARATOR, ""):
            self._fail("the end of the clause")
        return tuple(clause)

    def _fail(self, wanted: str, at: int | None = None) -> NoReturn:
        if self.tokens[self.at] == SEPARATOR:
            self._stop(f"expected {wanted}, found its end", self.at)
        super()._fail(wanted, at)

    def _place(self, at: int) -> str:
        return f"clause {self.count}, {super()._place(at)}"


def words_of_clause(text: str) -> Clause:
    """Split a text into words, even if it is not a clause; a quoted string is one word.

    >>> words_of_clause('b1 Name x1 "New York"')
    ('b1', 'Name', 'x1', '"New York"')
    """
    return tuple(match[0] for match in _TOKEN.finditer(text))


def clauses_from_drs(box: Box, *, negation: str = "NOT") -> list[Clause]:
    """Return the clauses of a box; boxes are labelled b1, b2, ... in order of introduction.

    The referents of a box come first, then its conditions, each followed by the boxes that it
    introduces. SyGNS uses the same order.

    Args:
        negation: operator for negated boxes, `NOT` or `NEGATION`.

    >>> from amparser.logic.drs import drs_from_str
    >>> clauses_to_str(clauses_from_drs(drs_from_str("([x1],[dog(x1), -([],[run(x1)])])")))
    'b1 REF x1 [SEP] b1 dog x1 [SEP] b1 NOT b2 [SEP] b2 run x1'
    """
    labels = (f"b{number}" for number in count(1))
    return list(_clauses(box, next(labels), labels, negation))


def _clauses(box: Box, label: str, labels: Iterator[str], negation: str) -> Iterator[Clause]:
    for referent in box.referents:
        yield label, "REF", referent
    for condition in box.conditions:
        if isinstance(condition, Atom):
            parts = lemma_and_sense(condition.predicate)
            if parts is None or len(condition.arguments) != 1:
                yield label, condition.predicate, *condition.arguments
            else:
                yield label, parts[0], f'"{parts[1]}"', *condition.arguments
            continue
        below: list[Clause] = []
        names = []
        for other in condition.boxes:
            names.append(next(labels))
            below += _clauses(other, names[-1], labels, negation)
        yield label, negation if condition.relation == NOT else condition.relation, *names
        yield from below


def drs_from_clauses(clauses: Sequence[Clause]) -> Box:
    """Return the box that well-formed clauses describe.

    Referents and conditions are in the order of the clauses.

    >>> text = "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 NOT b2 [SEP] b2 run x1"
    >>> str(drs_from_clauses(clauses_from_str(text)))
    '([x1],[dog(x1), -([],[run(x1)])])'

    Raises:
        LogicError: a variable is free, a box has no clauses, is introduced twice or inside itself,
            or there are several outermost boxes; the message names the clause.
    """
    with nesting(LogicError, "boxes nested too deeply"):
        return _Assembly(clauses).whole()


class _Assembly:
    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.by_box: dict[str, list[tuple[int, Clause]]] = {}
        for number, clause in enumerate(clauses, 1):
            self.by_box.setdefault(clause[0], []).append((number, clause))
        # Number and box of the clause that introduces each box.
        self.above: dict[str, tuple[int, str]] = {}
        for number, (label, word, *arguments) in enumerate(clauses, 1):
            if is_relation(word) and word not in OPERATORS:
                known = ", ".join(sorted(BOX_RELATIONS))
                raise LogicError(
                    f"clause {number}: unknown box relation {word!r}, expected one of {known}"
                )
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
            # Each box is introduced once, so boxes that the outermost does not reach form cycles.
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
                conditions.append(Linked(NOT if word == NEGATION else word, tuple(boxes)))
            elif word != "REF":
                for name in arguments:
                    if is_variable(name) and name not in accessible:
                        raise LogicError(f"clause {number}: free variable {name}")
                conditions.append(_atom(word, arguments))
        return Box(tuple(referents), tuple(conditions))


def _atom(word: str, arguments: Sequence[str]) -> Atom:
    if len(arguments) == 2 and _SENSE.fullmatch(arguments[0]):
        return Atom(f"{word}.{arguments[0][1:-1]}", tuple(arguments[1:]))
    return Atom(word, tuple(arguments))


def drs_from_boxes(boxes: ConceptBoxes) -> Box:
    """Return the box of a meaning, with referents `x1`, `x2`, ... in the order of concepts.

    Raises LogicError if a role joins concepts in boxes that are not below each other, a concept
    cannot be a predicate, or a role leads to a box.
    """
    for role in boxes.roles:
        if isinstance(role.target, BoxTarget):
            raise LogicError(
                f"the role {role.label} leads to a box, which nested boxes cannot express"
            )
    names = [f"x{number}" for number in range(1, len(boxes.concepts) + 1)]
    referents: list[list[str]] = [[] for _ in range(boxes.box_count)]
    conditions: list[list[Condition]] = [[] for _ in range(boxes.box_count)]
    roles = _directed(boxes)
    for number, concept in enumerate(boxes.concepts):
        lemma, _ = lemma_and_sense(concept.sense) or ("", "")
        if not NAME.fullmatch(concept.sense) or lemma in OPERATORS:
            raise LogicError(f"the concept {concept.sense!r} cannot be a predicate of a box")
        referents[concept.box].append(names[number])
        conditions[concept.box].append(Atom(concept.sense, (names[number],)))
        for role in roles.get(number, ()):
            conditions[_box_of(boxes, role)].append(_role_atom(role, names))
    # Boxes come after the box above them, so going backwards, all boxes below are complete.
    below: list[list[Condition]] = [[] for _ in range(boxes.box_count)]
    for number in range(boxes.box_count - 1, -1, -1):
        inside = Box(tuple(referents[number]), (*conditions[number], *reversed(below[number])))
        if number:
            relation, above = boxes.links[number - 1]
            below[above].append(Linked(NOT if relation == NEGATION else relation, (inside,)))
    return inside


def _box_of(boxes: ConceptBoxes, role: Role) -> int:
    own = boxes.concepts[role.owner].box
    if not isinstance(role.target, int):
        return own
    other = boxes.concepts[role.target].box
    inner, outer = max(own, other), min(own, other)
    if not boxes.is_below(inner, outer):
        raise LogicError(
            f"{role.label} joins {boxes.concepts[role.owner].sense} and "
            f"{boxes.concepts[role.target].sense}, and neither box is below the other"
        )
    return inner


def _directed(boxes: ConceptBoxes) -> dict[int, list[Role]]:
    """Return the roles of each concept, with inverse roles moved to their other end.

    Inverse roles with constants are kept. Roles that are often inverse come last, ordered by
    target, so that the order does not depend on the end at which they were written.
    """
    often = INVERTIBLE - SELDOM_INVERSE
    roles: dict[int, list[Role]] = {}
    ordered: list[tuple[int, Role]] = []
    for role in boxes.roles:
        plain = role.label not in often and not role.inverse
        if not isinstance(role.target, int) or plain:
            roles.setdefault(role.owner, []).append(role)
        elif role.inverse:
            ordered.append((role.owner, Role(role.target, role.label, role.owner)))
        else:
            ordered.append((role.target, role))
    for _, role in sorted(ordered):
        roles.setdefault(role.owner, []).append(role)
    return roles


def _role_atom(role: Role, names: Sequence[str]) -> Atom:
    target = role.target
    other = names[target] if isinstance(target, int) else f'"{target}"'
    return Atom(role.written, (names[role.owner], other))


def clauses_from_boxes(boxes: ConceptBoxes) -> list[Clause]:
    """Return the clauses of a meaning as in the bank. Raises as `drs_from_boxes` does."""
    return clauses_from_drs(drs_from_boxes(boxes), negation=NEGATION)
