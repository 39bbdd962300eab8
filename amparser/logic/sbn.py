"""The sequence box notation of the Parallel Meaning Bank (Bos 2023, "The sequence notation").

    person.n.01 EQU speaker NEGATION -1 time.n.08 EQU now fry.v.02 Agent -2 Time -1 Patient +1 fish.n.02

Concepts stand in the order of the text. Behind a concept stand its roles, each with an index or
a constant: `Agent -2` leads to the second concept before, `Patient +1` to the next one. A
relation such as `NEGATION -1` introduces a box, to which the concepts behind it belong; it stands
below the box before it (`-1`), or the one before that (`-2`).

A text may have one item a line, with comments behind ` % ` or in lines that begin with `%`, as
the bank's files do; `<1` is another way to write the index `-1` of a box. Constants are words,
or stand in double quotes if they have spaces or look like something else; single quotes around a
year are read too. Here the constants of `Name` and `Title` always have quotes, as in the bank.
"""  # noqa: E501

from __future__ import annotations

import re

from amparser.errors import LogicError
from amparser.logic.concept_boxes import (
    BOX_RELATIONS,
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

_QUOTED = r'"(?:[^"\\\n]|\\.)*"(?!\S)'
_TOKEN = re.compile(rf"{_QUOTED}|\S+")
_COMMENT = re.compile(rf"({_QUOTED}|[^\s%]\S*)|%[^\n]*")
_INDEX = re.compile(r"[+-]\d{1,9}")
_BOX_INDEX = re.compile(r"[-<](\d{1,9})")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_QUOTED_YEAR = re.compile(r"'([^'\"\s]*)'")
_BARE = re.compile(r"[^\s\"'%\\][^\s\"\\]*")
_WORD = re.compile(r"[^\s%\"][^\s\"]*")
QUOTED_ROLES = frozenset({"Name", "Title"})
"""The roles whose constants have quotes even where they need none."""


def boxes_from_sbn(text: str) -> ConceptBoxes:
    """Read a meaning.

    Raises:
        LogicError: the text does not follow the notation; the message names the column, and the
            line if there are several, and what was expected.
    """
    return _Reader(text).read()


class _Reader(TokenReader):
    """One text."""

    pattern = _TOKEN

    def __init__(self, text: str) -> None:
        # Comments become spaces, so that columns stay.
        super().__init__(_COMMENT.sub(lambda match: match[1] or " " * len(match[0]), text))
        self.links: list[Link] = []
        self.concepts: list[Concept] = []
        # For each role the number of the token of its target, whose index is checked at the end.
        self.roles: list[tuple[Role, int]] = []

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
        for role, at in self.roles:
            if isinstance(role.target, int) and not 0 <= role.target < len(self.concepts):
                self._fail(f"an index that leads to one of {len(self.concepts)} concepts", at)
        roles = sorted_roles([role for role, _ in self.roles])
        return ConceptBoxes(tuple(self.links), tuple(self.concepts), roles)

    def _link(self, relation: str) -> None:
        try:
            checked_relation(relation)
        except LogicError as error:
            self._stop(str(error), self.at - 1)
        match = _BOX_INDEX.fullmatch(self.tokens[self.at])
        above = len(self.links) + 1 - int(match[1]) if match else -1
        if match is None or not 0 <= above <= len(self.links):
            last = len(self.links) + 1
            expected = "'-1'" if last == 1 else f"an index from '-1' to '-{last}'"
            self._fail(f"{expected} of a box before")
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

    def _target(self, owner: int) -> int | str:
        token = self.tokens[self.at]
        if _INDEX.fullmatch(token):
            return owner + int(token)
        if match := _STRING.fullmatch(token) or _QUOTED_YEAR.fullmatch(token):
            return match[1]
        if is_concept(token) or token in BOX_RELATIONS or not _BARE.fullmatch(token):
            self._fail("an index or a constant")
        return token


def boxes_to_sbn(boxes: ConceptBoxes) -> str:
    """The text of a meaning, on one line.

    >>> text = 'male.n.02 Name "Tom" NEGATION -1 time.n.08 EQU now laugh.v.01 Agent -2 Time -1'
    >>> boxes_to_sbn(boxes_from_sbn(text)) == text
    True

    Raises:
        LogicError: a concept has a space or a quote.
    """
    written: list[str] = []
    by_owner: dict[int, list[Role]] = {}
    for role in boxes.roles:
        by_owner.setdefault(role.owner, []).append(role)
    number = 0
    for box in range(boxes.box_count):
        if box:
            link = boxes.links[box - 1]
            written += [link.relation, f"-{box - link.above}"]
        while number < len(boxes.concepts) and boxes.concepts[number].box == box:
            sense = boxes.concepts[number].sense
            if not _WORD.fullmatch(sense):
                raise LogicError(f"the concept {sense!r} cannot be one word of a sequence")
            written.append(sense)
            for role in by_owner.get(number, ()):
                written += [role.written, _target_text(role)]
            number += 1
    return " ".join(written)


def _target_text(role: Role) -> str:
    if isinstance(role.target, int):
        return f"{role.target - role.owner:+d}"
    text = role.target
    bare = (
        role.label not in QUOTED_ROLES
        and _BARE.fullmatch(text)
        and not (_INDEX.fullmatch(text) or is_concept(text) or is_relation(text))
    )
    return text if bare else f'"{text}"'
