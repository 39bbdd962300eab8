"""Boxes of concepts <-> discourse representation structures, nested or as clauses.

    male.n.02 Name "Tom" NEGATION -1 leave.v.01 Theme -1
    ([x1],[male.n.02(x1), Name(x1,"Tom"), -([x2],[leave.v.01(x2), Theme(x2,x1)])])

Each concept has a referent, declared in its box. A role is a condition in the inner one of the
boxes of the two concepts, as its referents are accessible there. An inverse role is written
at its other end, but with its own name (`PartOf`) if it has a constant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amparser.errors import LogicError
from amparser.logic.clf import NEGATION, OPERATORS, Clause, clauses_from_drs
from amparser.logic.concept_boxes import (
    INVERTIBLE,
    SELDOM_INVERSE,
    BoxTarget,
    Concept,
    ConceptBoxes,
    Link,
    Role,
    is_concept,
    lemma_and_sense,
    role_from_str,
    sorted_roles,
)
from amparser.logic.drs import IMPLIES, NAME, NOT, OR, STRING, Box, Condition, Linked
from amparser.logic.fol import Atom

_ALTERNATION = "ALTERNATION"


def drs_from_boxes(boxes: ConceptBoxes) -> Box:
    """The box of a meaning, with referents `x1`, `x2`, ... in the order of the concepts.

    Raises:
        LogicError: a role joins concepts in boxes of which neither is below the other, a concept
            cannot be a predicate, or a role leads to a box.
    """
    for role in boxes.roles:
        if isinstance(role.target, BoxTarget):
            raise LogicError(f"the role {role.label} leads to a box, which nested boxes cannot say")
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
            conditions[_box_of(boxes, role)].append(_atom(role, names))
    # A box stands behind the one above it: those below it are complete when its turn comes.
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
    """The roles of each concept, none written at its other end but those of constants.

    Roles that often have inverses come last, in the order of their targets, so that the order does
    not depend on the end at which they were written.
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


def _atom(role: Role, names: Sequence[str]) -> Atom:
    target = role.target
    other = names[target] if isinstance(target, int) else f'"{target}"'
    return Atom(role.written, (names[role.owner], other))


def clauses_from_boxes(boxes: ConceptBoxes) -> list[Clause]:
    """The clauses of a meaning as the bank writes them; raises LogicError as `drs_from_boxes`."""
    return clauses_from_drs(drs_from_boxes(boxes), negation=NEGATION)


def has_concepts(box: Box) -> bool:
    """Whether a box is of concepts: it has a sense, or a relation between boxes, somewhere."""
    for condition in box.conditions:
        match condition:
            case Atom(predicate, arguments):
                if is_concept(predicate) and len(arguments) == 1:
                    return True
            case Linked(relation, boxes):
                if relation not in (NOT, IMPLIES, OR) or any(map(has_concepts, boxes)):
                    return True
    return False


def boxes_from_drs(box: Box) -> ConceptBoxes:
    """The meaning of a box; the inverse of `drs_from_boxes`, but for the ends of inverse roles.

    An implication from A to B becomes the negation of A with the negation of B inside, and a
    disjunction two alternatives, as in the bank.

    Raises:
        LogicError: a referent has no concept, or two, or not in the box that declares it; or a
            condition is neither a concept nor a role.
    """
    reader = _Reader()
    reader.add(box, 0, {})
    return reader.boxes()


class _Reader:
    """Boxes on their way to a meaning."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        # For each referent the box, its name, and the sense when it is known.
        self.referents: list[tuple[int, str, str | None]] = []
        self.roles: list[tuple[int, str, int | str]] = []

    def add(self, box: Box, number: int, accessible: Mapping[str, int]) -> Mapping[str, int]:
        """Add a box and those below it; returns what is accessible in it."""
        known = dict(accessible)
        for name in box.referents:
            known[name] = len(self.referents)
            self.referents.append((number, name, None))
        for condition in box.conditions:
            match condition:
                case Atom():
                    self._atom(condition, number, known)
                case Linked(relation, (below,)):
                    self._below(NEGATION if relation == NOT else relation, below, number, known)
                case Linked("IMP", (left, right)):
                    inner, inside = self._below(NEGATION, left, number, known)
                    self._below(NEGATION, right, inner, inside)
                case Linked("DIS", (left, right)):
                    inner, _ = self._below(_ALTERNATION, left, number, known)
                    self._below(_ALTERNATION, right, inner, known)
        return known

    def _below(
        self, relation: str, box: Box, above: int, known: Mapping[str, int]
    ) -> tuple[int, Mapping[str, int]]:
        self.links.append(Link(relation, above))
        number = len(self.links)
        return number, self.add(box, number, known)

    def _atom(self, atom: Atom, box: int, known: Mapping[str, int]) -> None:
        first, *rest = atom.arguments
        if first not in known or len(rest) > 1:
            raise LogicError(f"{atom} is neither a concept nor a role of a referent")
        number = known[first]
        if not rest:
            home, name, sense = self.referents[number]
            if sense is not None or home != box or not is_concept(atom.predicate):
                expected = "expected one concept LEMMA.POS.NUMBER in the box of its referent"
                raise LogicError(f"{atom}: {expected}")
            self.referents[number] = home, name, atom.predicate
        elif rest[0] in known:
            self.roles.append((number, atom.predicate, known[rest[0]]))
        elif STRING.fullmatch(rest[0]):
            self.roles.append((number, atom.predicate, rest[0][1:-1]))
        else:
            raise LogicError(f"{atom}: expected a referent or a constant in quotes")

    def boxes(self) -> ConceptBoxes:
        for _, name, sense in self.referents:
            if sense is None:
                raise LogicError(f"the referent {name} has no concept")
        # Concepts stand box by box; the referents of a box below may have come first.
        order = sorted(range(len(self.referents)), key=lambda at: (self.referents[at][0], at))
        number = {at: place for place, at in enumerate(order)}
        concepts = [Concept(self.referents[at][2] or "", self.referents[at][0]) for at in order]
        roles = [
            role_from_str(number[own], label, number[to] if isinstance(to, int) else to)
            for own, label, to in self.roles
        ]
        return ConceptBoxes(tuple(self.links), tuple(concepts), sorted_roles(roles))
