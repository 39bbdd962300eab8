"""Convert boxes of concepts to discourse representation structures or clauses.

    male.n.02 Name "Tom" NEGATION -1 leave.v.01 Theme -1
    ([x1],[male.n.02(x1), Name(x1,"Tom"), -([x2],[leave.v.01(x2), Theme(x2,x1)])])

Each concept has a referent, declared in its box. A role becomes a condition in the inner one of the
two concepts' boxes, where both referents are accessible. An inverse role is written at its other
end; only if it has a constant, it keeps its own name (`PartOf`).
"""

from __future__ import annotations

from collections.abc import Sequence

from amparser.errors import LogicError
from amparser.logic.clf import NEGATION, OPERATORS, Clause, clauses_from_drs
from amparser.logic.concept_boxes import (
    INVERTIBLE,
    SELDOM_INVERSE,
    BoxTarget,
    ConceptBoxes,
    Role,
    lemma_and_sense,
)
from amparser.logic.drs import NAME, NOT, Box, Condition, Linked
from amparser.logic.fol import Atom


def drs_from_boxes(boxes: ConceptBoxes) -> Box:
    """Return the box of a meaning, with referents `x1`, `x2`, ... in the order of concepts.

    Raises:
        LogicError: a role joins concepts in boxes that are not below each other, a concept
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
            conditions[_box_of(boxes, role)].append(_atom(role, names))
    # Boxes come after the box above them, so going backwards, all boxes below are complete.
    below: list[list[Condition]] = [[] for _ in range(boxes.box_count)]
    for number in range(boxes.box_count - 1, -1, -1):
        inside = Box(tuple(referents[number]), (*conditions[number], *reversed(below[number])))
        if number:
            relation, above = boxes.links[number - 1]
            below[above].append(Linked(NOT if relation == NEGATION else relation, (inside,)))
    return inside


def _box_of(boxes: ConceptBoxes, role: Role) -> int:
    owner_box = boxes.concepts[role.owner].box
    if not isinstance(role.target, int):
        return owner_box
    other = boxes.concepts[role.target].box
    inner, outer = max(owner_box, other), min(owner_box, other)
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


def _atom(role: Role, names: Sequence[str]) -> Atom:
    target = role.target
    other = names[target] if isinstance(target, int) else f'"{target}"'
    return Atom(role.written, (names[role.owner], other))


def clauses_from_boxes(boxes: ConceptBoxes) -> list[Clause]:
    """Return the clauses of a meaning as in the bank. Raises as `drs_from_boxes` does."""
    return clauses_from_drs(drs_from_boxes(boxes), negation=NEGATION)
