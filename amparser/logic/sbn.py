"""The sequence box notation of the Parallel Meaning Bank (Bos 2023, "The sequence notation").

    person.n.01 EQU speaker NEGATION <1 time.n.08 EQU now fry.v.02 Agent -2 Time -1 Patient +1 fish.n.02

Concepts stand in the order of the text. Behind a concept stand its roles, each with an index or
a constant: `Agent -2` leads to the second concept before, `Patient +1` to the next one. A
relation such as `NEGATION <1` introduces a box, to which the concepts behind it belong; it stands
below the box before it (`<1`), or the one before that (`<2`). A role may lead to a box, counted from
its own: `Proposition >1` to the next one. A box that roles alone lead to, or that stands above a
box before it in this way, has `CONTINUATION <0`.

A text may have one item a line, with comments behind ` % ` or in lines that begin with `%`, as
the bank's files do; `-1` is another way to write the index `<1` of a box. As in the bank's graphs,
an index that leads to before the first box leads to the first, and one that leads to no concept is
a constant. Constants are words, or stand in double quotes if they have spaces or look like
something else; single quotes around a year are read too. Here the constants of `Name` and `Title`
always have quotes, as in the bank.
"""  # noqa: E501

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

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
from amparser.schema import shown

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
"""The roles whose constants have quotes even where they need none, but for `?`."""


def boxes_from_sbn(text: str) -> ConceptBoxes:
    """Read a meaning.

    Raises:
        LogicError: the text does not follow the notation; the message names the column, and the
            line if there are several, and what was expected.
    """
    return _Reader(text).read()


class _Token(NamedTuple):
    text: str
    at: int


class _Reader:
    """One text, read from left to right without looking back."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = [_Token(m[0], m.start()) for m in _TOKEN.finditer(text)]
        self.tokens = [token for token in found if not token.text.startswith("%")]
        self.tokens.append(_Token("", len(text)))
        self.at = 0
        self.links: list[Link] = []
        self.concepts: list[Concept] = []
        # For each role the token of its target, whose index is checked at the end.
        self.roles: list[tuple[Role, _Token]] = []

    def read(self) -> ConceptBoxes:
        if len(self.tokens) == 1:
            self._fail(self.tokens[0], "a concept")
        while (token := self._next()).text:
            if is_concept(token.text):
                self.concepts.append(Concept(token.text, len(self.links)))
            elif is_relation(token.text):
                self._link(token)
            else:
                self._role(token)
        roles = sorted_roles([self._checked(role, token) for role, token in self.roles])
        try:
            return ConceptBoxes(tuple(self.links), tuple(self.concepts), roles)
        except LogicError as error:
            self._stop(self.tokens[0], str(error))

    def _checked(self, role: Role, token: _Token) -> Role:
        """The role; its target is a constant if its index leads to no concept."""
        if isinstance(role.target, int) and not 0 <= role.target < len(self.concepts):
            return role._replace(target=token.text)
        if isinstance(role.target, BoxTarget) and not 0 <= role.target.box <= len(self.links):
            self._fail(token, f"an index that leads to one of {len(self.links) + 1} boxes")
        return role

    def _link(self, token: _Token) -> None:
        try:
            checked_relation(token.text)
        except LogicError as error:
            self._stop(token, str(error))
        index = self._next()
        match = _BOX_INDEX.fullmatch(index.text)
        last = len(self.links) + 1
        above = last - int(match[1]) if match else -1
        if index.text.startswith("<") and match:
            above = max(above, 0)
        elif not 0 <= above < last:
            expected = "'<1'" if last == 1 else f"an index from '<1' to '<{last}'"
            self._fail(index, f"{expected} of a box before")
        self.links.append(Link(token.text, above))

    def _role(self, token: _Token) -> None:
        try:
            role_from_str(0, token.text, 0)
        except LogicError:
            self._fail(token, "a concept, a role or a box relation")
        if not self.concepts:
            self._fail(token, "a concept before the first role")
        if self.links and self.concepts[-1].box != len(self.links):
            self._fail(token, "a concept in the new box before a role")
        target = self._next()
        owner = len(self.concepts) - 1
        value: int | str | BoxTarget
        if match := _BOX_TARGET.fullmatch(target.text):
            away = int(match[2]) * (1 if match[1] == ">" else -1)
            value = BoxTarget(len(self.links) + away)
        else:
            value = self._target(target, owner)
        self.roles.append((role_from_str(owner, token.text, value), target))

    def _target(self, token: _Token, owner: int) -> int | str:
        if _INDEX.fullmatch(token.text):
            return owner + int(token.text)
        if match := _STRING.fullmatch(token.text) or _QUOTED_YEAR.fullmatch(token.text):
            return match[1]
        reserved = is_concept(token.text) or token.text in BOX_RELATIONS
        if reserved or not _BARE.fullmatch(token.text):
            self._fail(token, "an index or a constant")
        return token.text

    def _next(self) -> _Token:
        token = self.tokens[min(self.at, len(self.tokens) - 1)]
        self.at += 1
        return token

    def _fail(self, token: _Token, expected: str) -> NoReturn:
        found = shown(token.text) if token.text else "the end"
        self._stop(token, f"expected {expected}, found {found}")

    def _stop(self, token: _Token, message: str) -> NoReturn:
        before = self.text[: token.at].split("\n")
        line = f"line {len(before)}, " if "\n" in self.text.strip() else ""
        raise LogicError(f"{line}column {len(before[-1]) + 1}: {message}")


def boxes_to_sbn(boxes: ConceptBoxes) -> str:
    """The text of a meaning, on one line.

    >>> text = 'male.n.02 Name "Tom" NEGATION <1 time.n.08 EQU now laugh.v.01 Agent -2 Time -1'
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
    """The text of a role's target; the role's owner is in a box of this number."""
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
