"""Boxes of concepts: the meanings of the Parallel Meaning Bank (Abzianidze et al. 2017; Bos 2023).

A meaning is a tree of boxes. Each box but the first is introduced by a relation to an earlier
one, such as `NEGATION`, or detached: roles alone lead to it, or it is the outermost one. A box has
concepts, which are senses of WordNet such as `fry.v.02`. A concept has roles; a role leads to
another concept, in whatever box, to a box (`Proposition`), or to a constant.

Concepts stand in the order of the text, box by box. This is the order of the sequence
notation (`amparser.logic.sbn`); the graphs of `amparser.notations.box_graph`, clauses and nested
boxes (`amparser.logic.concept_boxes_drs`) say the same in other ways.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
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
"""How a box may be related to the box above it (releases 4.0.0 to 5.1.0 of the bank)."""

SELDOM_INVERSE = frozenset({"Agent", "Causer", "Feature", "Quantity"})
"""The roles that are hardly ever written from the other end."""
INVERTIBLE = SELDOM_INVERSE | {"Attribute", "Colour", "Content", "Instance", "Part", "Sub"}
"""The roles that the bank also writes from the other end: `PartOf` is the inverse of `Part`."""

_INVERSE = "Of"
_LINE_BREAKS = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_CONCEPT = re.compile(rf'([^"\\{_LINE_BREAKS}]+)\.([a-z]\.[0-9]+)')
_CONSTANT = re.compile(rf'(?:[^"\\{_LINE_BREAKS}]|\\[^{_LINE_BREAKS}])*')
_ROLE = re.compile(r"[A-Z][A-Za-z0-9-]*")
_RESERVED = frozenset({"REF", "NOT", "IMP", "DIS"})
"""What clauses use for something else."""
_SHOUTED = re.compile(r"[A-Z]{4,}")


class Link(NamedTuple):
    """The relation that introduces a box, and the number of the box above it.

    The number is that of the box itself if it is detached: no box is above it.
    """

    relation: str
    above: int


class Concept(NamedTuple):
    """A sense, and the number of the box to which it belongs."""

    sense: str
    box: int


class BoxTarget(NamedTuple):
    """The target of a role that leads to a box: the box's number."""

    box: int


class Role(NamedTuple):
    """A role where it is written.

    Attributes:
        owner: the number of the concept at which it is written.
        label: the name of the role, never that of an inverse one.
        target: the number of another concept, a box, or a constant without its quotes.
        inverse: the owner fills the role of the target, as in `PartOf`, and not vice versa; only
            `INVERTIBLE` roles are written so.
    """

    owner: int
    label: str
    target: int | str | BoxTarget
    inverse: bool = False

    @property
    def written(self) -> str:
        """The label as the sequence notation has it."""
        return self.label + _INVERSE if self.inverse else self.label


@dataclass(frozen=True, slots=True)
class ConceptBoxes:
    """A meaning; boxes and concepts are numbered from 0.

    Attributes:
        links: those of boxes 1, 2, ...; box 0 has none. The outermost box is the first of box 0
            and those that are detached to which no role leads.
        concepts: box by box.
        roles: concept by concept, in the order in which each concept has them.

    Raises:
        LogicError: the only box is empty, a name follows no pattern, a relation is unknown, a
            role has no inverse, a number is out of range or out of order, or a box is not connected
            to the outermost.
    """

    links: tuple[Link, ...]
    concepts: tuple[Concept, ...]
    roles: tuple[Role, ...]

    def __post_init__(self) -> None:
        if not self.links and not self.concepts:
            raise LogicError("expected a concept, found an empty box")
        for box, link in enumerate(self.links, 1):
            checked_relation(link.relation)
            if not 0 <= link.above <= box:
                raise LogicError(f"box {box}: expected a box from 0 to {box} above it")
        for number, concept in enumerate(self.concepts):
            if not is_concept(concept.sense):
                raise LogicError(f"concept {number}: {concept.sense!r} is no LEMMA.POS.NUMBER")
            if not 0 <= concept.box <= len(self.links):
                raise LogicError(f"concept {number}: there is no box {concept.box}")
        if any(left.box > right.box for left, right in pairwise(self.concepts)):
            raise LogicError("expected concepts box by box")
        for role in self.roles:
            checked_role(role.label)
            if isinstance(role.target, str) and not _CONSTANT.fullmatch(role.target):
                raise LogicError(f"the constant {role.target!r} has a quote or line break in it")
            if role.inverse and role.label not in INVERTIBLE:
                raise LogicError(f"the role {role.label} has no inverse")
            ends = (role.owner, role.target) if isinstance(role.target, int) else (role.owner,)
            if not all(0 <= end < len(self.concepts) for end in ends):
                raise LogicError(f"{role.written}: there is no concept {max(ends)}")
            if isinstance(role.target, BoxTarget) and not 0 <= role.target.box <= len(self.links):
                raise LogicError(f"{role.written}: there is no box {role.target.box}")
        if any(left.owner > right.owner for left, right in pairwise(self.roles)):
            raise LogicError("expected roles concept by concept")
        self._check_connected()

    def _check_connected(self) -> None:
        """Raise LogicError for a box that neither links nor roles join to the outermost one."""
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
                raise LogicError(
                    f"box {box}: neither a box nor a role of the outermost leads to it"
                )

    @property
    def outermost(self) -> int:
        """The number of the outermost box."""
        pointed = {role.target.box for role in self.roles if isinstance(role.target, BoxTarget)}
        detached = [0, *(box for box, link in enumerate(self.links, 1) if link.above == box)]
        return next((box for box in detached if box not in pointed), 0)

    @property
    def box_count(self) -> int:
        """How many boxes there are."""
        return len(self.links) + 1

    def is_below(self, box: int, other: int) -> bool:
        """Whether a box is another one or stands below it."""
        while box > other and (above := self.links[box - 1].above) != box:
            box = above
        return box == other

    def reentrant(self) -> bool:
        """Whether a concept fills two roles or more, inverse ones taken at their other end."""
        filled = [r.owner if r.inverse else r.target for r in self.roles]
        numbers = [target for target in filled if isinstance(target, int)]
        return len(set(numbers)) < len(numbers)


def is_concept(text: str) -> bool:
    """Whether a text is a sense: a lemma, a part of speech and a number.

    >>> is_concept("fry.v.02"), is_concept("24-hour_interval.n.01"), is_concept("Agent")
    (True, True, False)
    """
    return _CONCEPT.fullmatch(text) is not None


def lemma_and_sense(concept: str) -> tuple[str, str] | None:
    """The parts of a concept, or None if it is none.

    >>> lemma_and_sense("fry.v.02")
    ('fry', 'v.02')
    """
    match = _CONCEPT.fullmatch(concept)
    return None if match is None else (match[1], match[2])


def is_relation(text: str) -> bool:
    """Whether a text looks like the name of a relation between boxes, known or not.

    Operators between concepts, such as `EQU` and `SY1`, have three letters.
    """
    return _SHOUTED.fullmatch(text) is not None


def checked_relation(name: str) -> str:
    """The name of a relation between boxes; raises LogicError if there is none."""
    if name not in BOX_RELATIONS:
        known = ", ".join(sorted(BOX_RELATIONS))
        raise LogicError(f"unknown box relation {name!r}, expected one of {known}")
    return name


def checked_role(label: str) -> str:
    """The label of a role; raises LogicError if it is none."""
    if not _ROLE.fullmatch(label) or label in _RESERVED or label.endswith("-of"):
        raise LogicError(f"{label!r} is no role, expected a name such as 'Agent' or 'Co-Agent'")
    if label.removesuffix(_INVERSE) in INVERTIBLE and label not in INVERTIBLE:
        raise LogicError(f"{label} is an inverse role, expected {label.removesuffix(_INVERSE)}")
    if is_relation(label):
        raise LogicError(f"{label} is a relation between boxes and no role of a concept")
    return label


def role_from_str(owner: int, written: str, target: int | str | BoxTarget) -> Role:
    """A role as the sequence notation writes it; raises LogicError if it is none.

    >>> role_from_str(1, "PartOf", 0)
    Role(owner=1, label='Part', target=0, inverse=True)
    >>> role_from_str(1, "MadeOf", 0)
    Role(owner=1, label='MadeOf', target=0, inverse=False)
    """
    label = written.removesuffix(_INVERSE)
    inverse = label != written and label in INVERTIBLE
    return Role(owner, checked_role(label if inverse else written), target, inverse)


def sorted_roles(roles: Sequence[Role]) -> tuple[Role, ...]:
    """Roles concept by concept; those of one concept keep their order."""
    return tuple(sorted(roles, key=lambda role: role.owner))
