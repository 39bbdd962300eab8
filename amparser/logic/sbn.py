"""Sequence box notation of the Parallel Meaning Bank (Bos 2023, "The sequence notation").

    person.n.01 EQU speaker NEGATION <1 time.n.08 EQU now fry.v.02 Agent -2 Time -1 Patient +1 fish.n.02

Concepts are in the order of the text, each followed by its roles. A role has an index or a
constant: `Agent -2` leads to the second concept to the left, `Patient +1` to the next one. A
relation such as `NEGATION <1` introduces a box for the following concepts; the box above it is the
previous one (`<1`) or the one before that (`<2`). A role may also lead to a box, counted from its
own box: `Proposition >1` leads to the next one. A box that is reached by roles only, or that is
above an earlier box in this way, has `CONTINUATION <0`.

As in the bank's files, a text may have one item per line, with comments after ` % ` or on lines
that begin with `%`; `-1` is an alternative to the box index `<1`. As in the bank's graphs, an index
before the first box means the first box, and an index without a concept is a constant. Constants
are words; they are quoted if they contain spaces or could be mistaken for something else. Single
quotes around years are accepted. Constants of `Name` and `Title` are always written with quotes, as
in the bank.
"""  # noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterable

from amparser.errors import LogicError
from amparser.logic.concept_boxes import (
    BOX_RELATIONS,
    BoxTarget,
    Concept,
    ConceptBoxes,
    Link,
    Role,
    checked_relation,
    is_concept,
    is_relation,
    role_from_str,
    sorted_roles,
)
from amparser.logic.token_reader import TokenReader

_TOKEN = re.compile(r'%[^\n]*|"(?:[^"\\\n]|\\.)*"(?!\S)|\S+')
_INDEX = re.compile(r"[+-]\d{1,9}")
_BOX_INDEX = re.compile(r"[-<](\d{1,9})")
_BOX_TARGET = re.compile(r"([<>])(\d{1,9})")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_QUOTED_YEAR = re.compile(r"'([^'\"\s]*)'")
_BARE = re.compile(r"[^\s\"'%\\][^\s\"\\]*")
_WORD = re.compile(r"[^\s%\"][^\s\"]*")
_ASKED = "?"
QUOTED_ROLES = frozenset({"Name", "Title"})
"""Roles whose constants are always quoted, except `?`."""


def boxes_from_sbn(text: str) -> ConceptBoxes:
    """Read a meaning. Raises LogicError if the text does not follow the notation."""
    return _Reader(text).read()


class _Reader(TokenReader):
    pattern = _TOKEN

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.links: list[Link] = []
        self.concepts: list[Concept] = []
        # Each role with the token number of its target, whose index is checked at the end.
        self.roles: list[tuple[Role, int]] = []

    def _matches(self) -> Iterable[re.Match[str]]:
        return (match for match in super()._matches() if not match[0].startswith("%"))

    def read(self) -> ConceptBoxes:
        if len(self.tokens) == 1:
            self._fail("a concept")
        while token := self.tokens[self.at]:
            self.at += 1
            if is_concept(token):
                self.concepts.append(Concept(token, len(self.links)))
            elif is_relation(token):
                self._link(token)
            else:
                self._role(token)
        roles = sorted_roles([self._checked(role, at) for role, at in self.roles])
        try:
            return ConceptBoxes(tuple(self.links), tuple(self.concepts), roles)
        except LogicError as error:
            self._stop(str(error), 0)

    def _checked(self, role: Role, at: int) -> Role:
        if isinstance(role.target, int) and not 0 <= role.target < len(self.concepts):
            return role._replace(target=self.tokens[at])
        if isinstance(role.target, BoxTarget) and not 0 <= role.target.box <= len(self.links):
            self._fail(f"an index that leads to one of {len(self.links) + 1} boxes", at)
        return role

    def _link(self, relation: str) -> None:
        try:
            checked_relation(relation)
        except LogicError as error:
            self._stop(str(error), self.at - 1)
        index = self.tokens[self.at]
        match = _BOX_INDEX.fullmatch(index)
        last = len(self.links) + 1
        above = last - int(match[1]) if match else -1
        if index.startswith("<") and match:
            above = max(above, 0)
        elif not 0 <= above < last:
            expected = "'<1'" if last == 1 else f"an index from '<1' to '<{last}'"
            self._fail(f"{expected} for an earlier box")
        self.at += 1
        self.links.append(Link(relation, above))

    def _role(self, label: str) -> None:
        at = self.at - 1
        try:
            role_from_str(0, label, 0)
        except LogicError:
            self._fail("a concept, a role or a box relation", at)
        if not self.concepts:
            self._fail("a concept before the first role", at)
        if self.links and self.concepts[-1].box != len(self.links):
            self._fail("a concept in the new box before a role", at)
        owner = len(self.concepts) - 1
        value = self._target(owner)
        self.roles.append((role_from_str(owner, label, value), self.at))
        self.at += 1

    def _target(self, owner: int) -> int | str | BoxTarget:
        token = self.tokens[self.at]
        if match := _BOX_TARGET.fullmatch(token):
            away = int(match[2]) * (1 if match[1] == ">" else -1)
            return BoxTarget(len(self.links) + away)
        if _INDEX.fullmatch(token):
            return owner + int(token)
        if match := _STRING.fullmatch(token) or _QUOTED_YEAR.fullmatch(token):
            return match[1]
        if is_concept(token) or token in BOX_RELATIONS or not _BARE.fullmatch(token):
            self._fail("an index or a constant")
        return token


def boxes_to_sbn(boxes: ConceptBoxes) -> str:
    """Return the text of a meaning on one line.

    >>> text = 'male.n.02 Name "Tom" NEGATION <1 time.n.08 EQU now laugh.v.01 Agent -2 Time -1'
    >>> boxes_to_sbn(boxes_from_sbn(text)) == text
    True

    Raises:
        LogicError: a concept contains a space or a quote.
    """
    written: list[str] = []
    by_owner: dict[int, list[Role]] = {}
    for role in boxes.roles:
        by_owner.setdefault(role.owner, []).append(role)
    number = 0
    for box in range(boxes.box_count):
        if box:
            link = boxes.links[box - 1]
            written += [link.relation, f"<{box - link.above}"]
        while number < len(boxes.concepts) and boxes.concepts[number].box == box:
            sense = boxes.concepts[number].sense
            if not _WORD.fullmatch(sense):
                raise LogicError(f"the concept {sense!r} cannot be one word of a sequence")
            written.append(sense)
            for role in by_owner.get(number, ()):
                written += [role.written, _target_text(role, box)]
            number += 1
    return " ".join(written)


def _target_text(role: Role, box: int) -> str:
    if isinstance(role.target, BoxTarget):
        away = role.target.box - box
        return f">{away}" if away > 0 else f"<{-away}"
    if isinstance(role.target, int):
        return f"{role.target - role.owner:+d}"
    text = role.target
    bare = (
        (role.label not in QUOTED_ROLES or text == _ASKED)
        and _BARE.fullmatch(text)
        and not (_INDEX.fullmatch(text) or _BOX_TARGET.fullmatch(text))
        and not (is_concept(text) or is_relation(text))
    )
    return text if bare else f'"{text}"'
