"""Boxes of concepts: meanings of the Parallel Meaning Bank (Abzianidze et al. 2017; Bos 2023).

A meaning is a tree of boxes. Each box except the first is introduced by a relation to an earlier
box, such as `NEGATION`, or is detached: it is reached by roles only, or is the outermost box. Boxes
contain concepts, which are WordNet senses such as `fry.v.02`. Concepts have roles, which lead to a
concept in any box, to a box (`Proposition`), or to a constant.

Concepts are in the order of the text, box by box, as in the sequence notation
(`amparser.logic.sbn`). The graphs of `amparser.notations.box_graph`, clauses and nested boxes
(`amparser.logic.clf`) represent the same meanings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from amparser.errors import LogicError

BOX_RELATIONS = frozenset(
    {
        "ALTERNATION",
        "ATTRIBUTION",
        "BACKGROUND",
        "COMMENTARY",
        "CONDITION",
        "CONJUNCTION",
        "CONSEQUENCE",
        "CONTINUATION",
        "CONTRAST",
        "ELABORATION",
        "EXPLANATION",
        "NECESSITY",
        "NEGATION",
        "POSSIBILITY",
        "PRECONDITION",
        "RESULT",
        "SOURCE",
    }
)
"""Relations between a box and the box above it (releases 4.0.0 to 5.1.0 of the bank)."""

SELDOM_INVERSE = frozenset({"Agent", "Causer", "Feature", "Quantity"})
"""Roles that are rarely written at the other end."""
INVERTIBLE = SELDOM_INVERSE | {"Attribute", "Colour", "Content", "Instance", "Part", "Sub"}
"""Roles that the bank also writes at the other end: `PartOf` is the inverse of `Part`."""

_INVERSE = "Of"
_LINE_BREAKS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_CONCEPT = re.compile(rf'([^"\\{_LINE_BREAKS}]+)\.([a-z]\.[0-9]+)')
_CONSTANT = re.compile(rf'(?:[^"\\{_LINE_BREAKS}]|\\[^{_LINE_BREAKS}])*')
_ROLE = re.compile(r"[A-Z][A-Za-z0-9-]*")
_RESERVED = frozenset({"REF", "NOT", "IMP", "DIS"})
"""Words with another use in clauses."""
_SHOUTED = re.compile(r"[A-Z]{4,}")


class Link(NamedTuple):
    """The relation that introduces a box, and the number of the box above it.

    A detached box has no box above it; the number is then its own.
    """

    relation: str
    above: int


class Concept(NamedTuple):
    """A sense, and the number of its box."""

    sense: str
    box: int


class BoxTarget(NamedTuple):
    """The number of a box that is the target of a role."""

    box: int


class Role(NamedTuple):
    """A role as written.

    Attributes:
        owner: number of the concept at which the role is written.
        label: name of the role, never an inverse name.
        target: number of another concept, a box, or a constant without quotes.
        inverse: True if the owner fills the role of the target, as in `PartOf`; only for
            `INVERTIBLE` roles.
    """

    owner: int
    label: str
    target: int | str | BoxTarget
    inverse: bool = False

    @property
    def written(self) -> str:
        """The label as in the sequence notation."""
        return self.label + _INVERSE if self.inverse else self.label


@dataclass(frozen=True, slots=True)
class ConceptBoxes:
    """A meaning; boxes and concepts are numbered from 0.

    Attributes:
        links: links of boxes 1, 2, ...; box 0 has none. The outermost box is the first one among
            box 0 and the detached boxes to which no role leads.
        concepts: the concepts, box by box.
        roles: the roles, concept by concept, in the order of each concept.

    Raises:
        LogicError: the only box is empty, a constant contains a quote or line break, or a box is
            not connected to the outermost box.
    """

    links: tuple[Link, ...]
    concepts: tuple[Concept, ...]
    roles: tuple[Role, ...]

    def __post_init__(self) -> None:
        if not self.links and not self.concepts:
            raise LogicError("expected a concept, found an empty box")
        for role in self.roles:
            if isinstance(role.target, str) and not _CONSTANT.fullmatch(role.target):
                raise LogicError(f"the constant {role.target!r} contains a quote or line break")
        self._check_connected()

    def _check_connected(self) -> None:
        pointed = [role.target.box for role in self.roles if isinstance(role.target, BoxTarget)]
        if self.outermost in pointed:
            raise LogicError("a role leads to the outermost box")
        if not any(link.above == box for box, link in enumerate(self.links, 1)):
            return
        below: dict[int, list[int]] = {box: [] for box in range(self.box_count)}
        for box, link in enumerate(self.links, 1):
            below[link.above].append(box)
        for role in self.roles:
            if isinstance(role.target, BoxTarget):
                below[self.concepts[role.owner].box].append(role.target.box)
        reached, agenda = {self.outermost}, [self.outermost]
        while agenda:
            new = set(below[agenda.pop()]) - reached
            reached |= new
            agenda += new
        for box in range(self.box_count):
            if box not in reached:
                raise LogicError(f"box {box}: it is not connected to the outermost box")

    @property
    def outermost(self) -> int:
        """The number of the outermost box."""
        pointed = {role.target.box for role in self.roles if isinstance(role.target, BoxTarget)}
        detached = [0, *(box for box, link in enumerate(self.links, 1) if link.above == box)]
        return next((box for box in detached if box not in pointed), 0)

    @property
    def box_count(self) -> int:
        """The number of boxes."""
        return len(self.links) + 1

    def is_below(self, box: int, other: int) -> bool:
        """Return True if a box is equal to another one or below it."""
        while box > other and (above := self.links[box - 1].above) != box:
            box = above
        return box == other

    def reentrant(self) -> bool:
        """Return True if a concept fills several roles; inverse roles count at their other end."""
        filled = [r.owner if r.inverse else r.target for r in self.roles]
        numbers = [target for target in filled if isinstance(target, int)]
        return len(set(numbers)) < len(numbers)


def is_concept(text: str) -> bool:
    """Return True if a text is a sense: lemma, part of speech and number.

    >>> is_concept("fry.v.02"), is_concept("24-hour_interval.n.01"), is_concept("Agent")
    (True, True, False)
    """
    return _CONCEPT.fullmatch(text) is not None


def lemma_and_sense(concept: str) -> tuple[str, str] | None:
    """Return lemma and sense of a concept, or None for other texts.

    >>> lemma_and_sense("fry.v.02")
    ('fry', 'v.02')
    """
    match = _CONCEPT.fullmatch(concept)
    return None if match is None else (match[1], match[2])


def is_relation(text: str) -> bool:
    """Return True if a text looks like a relation between boxes, known or unknown.

    Operators between concepts, such as `EQU` and `SY1`, have three letters.
    """
    return _SHOUTED.fullmatch(text) is not None


def checked_relation(name: str) -> str:
    """Return the name of a relation between boxes. Raises LogicError if it is unknown."""
    if name not in BOX_RELATIONS:
        known = ", ".join(sorted(BOX_RELATIONS))
        raise LogicError(f"unknown box relation {name!r}, expected one of {known}")
    return name


def checked_role(label: str) -> str:
    """Return the label of a role. Raises LogicError if it is malformed."""
    if not _ROLE.fullmatch(label) or label in _RESERVED or label.endswith("-of"):
        raise LogicError(f"{label!r} is not a role, expected a name such as 'Agent' or 'Co-Agent'")
    if label.removesuffix(_INVERSE) in INVERTIBLE and label not in INVERTIBLE:
        raise LogicError(f"{label} is an inverse role, expected {label.removesuffix(_INVERSE)}")
    if is_relation(label):
        raise LogicError(f"{label} is a relation between boxes, not a role of a concept")
    return label


def role_from_str(owner: int, written: str, target: int | str | BoxTarget) -> Role:
    """Return a role from its name in the sequence notation. Raises LogicError.

    >>> role_from_str(1, "PartOf", 0)
    Role(owner=1, label='Part', target=0, inverse=True)
    >>> role_from_str(1, "MadeOf", 0)
    Role(owner=1, label='MadeOf', target=0, inverse=False)
    """
    label = written.removesuffix(_INVERSE)
    inverse = label != written and label in INVERTIBLE
    return Role(owner, checked_role(label if inverse else written), target, inverse)


def sorted_roles(roles: Sequence[Role]) -> tuple[Role, ...]:
    """Return roles sorted by owner; roles of one concept keep their order."""
    return tuple(sorted(roles, key=lambda role: role.owner))
