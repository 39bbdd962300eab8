"""AM dependency trees with an entry for each token (Groschwitz et al. 2018, section 4).

AM-CoNLL, JSON and pictures represent a derivation by such entries. An entry has a supertag, the
lexical label that fills its slot, and the edge from its head. The label of the edge is `APP_s` (the
token fills source s of its head), `MOD_s` (it modifies its head with its own source s), `ROOT`
(head 0) or `IGNORE` (head 0, no supertag). Tokens count from 1; position 0 is the artificial root.

A derivation may contain more than an AM dependency tree: fragments with several labels, edges
between the fragments of two tokens, and boxes. The last three columns of an entry contain these.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, NamedTuple

from amparser.algebra.derivation import (
    ARC,
    WITHOUT_CONSTANT,
    Arc,
    Derivation,
    Introduced,
    Links,
    Place,
    Scope,
)
from amparser.algebra.fragment import Fragment, fragment_from_penman
from amparser.algebra.types import IGNORE
from amparser.conditions import Range
from amparser.errors import AMParserError, GraphError, InputError
from amparser.logic.term import content_of, is_literal

_COLUMNS = {"FORM": "form", "LEMMA": "lemma", "REPL": "replacement", "POS": "pos"}
_REFERENCE = re.compile(rf"\$({'|'.join(_COLUMNS)})\$")

_EXTENDED = frozenset({ARC, *WITHOUT_CONSTANT} - {IGNORE})
"""Operations that are not part of an AM dependency tree."""

MARK = "*"
"""Prefix of the label of a definite noun in some notations, as in `*hund`."""


class Lexicalized(NamedTuple):
    """Fragment of a token, if supertag and lexical label do not determine it.

    Attributes:
        fragment: the fragment.
        fillers: the lexical label of each slot.
        closed: names of the ports that defaults fill.
    """

    fragment: Fragment
    fillers: tuple[str, ...]
    closed: tuple[str, ...]


class EdgesFrom(NamedTuple):
    """Edges between a token's fragment and the fragment of the token `parent` (from 1)."""

    parent: Annotated[int, Range(1)]
    edges: Links


class TokenScope(NamedTuple):
    """Boxes of a token (see `Scope`); tokens count from 0, and -1 stands for the first box."""

    introduced: Introduced
    within: Place
    above: Place


@dataclass(frozen=True, slots=True)
class Entry:
    """Token of an AM dependency tree; the fields are the columns of AM-CoNLL.

    An empty column (`_`) is None. `lexical_label` may refer to other columns: `$FORM$`, `$LEMMA$`,
    `$REPL$`, `$POS$`; a reference to an empty column stands for the form. `token_range` is None if
    the file has no such column, and `_` if the column is empty. `penman` is the text of the
    supertag in the file, if it is not the canonical text. Only derivations that are not AM
    dependency trees have `fragment`, `edges` and `scope`; if the operation is `ARC`, `edges`
    includes the edges to the head.
    """

    form: str
    head: int = 0
    operation: str = IGNORE
    supertag: Fragment | None = None
    lexical_label: str | None = None
    replacement: str | None = None
    lemma: str | None = None
    pos: str | None = None
    ner: str | None = None
    aligned: bool = True
    token_range: str | None = None
    penman: str | None = field(default=None, compare=False)
    fragment: Lexicalized | None = None
    edges: tuple[EdgesFrom, ...] = ()
    scope: TokenScope | None = None

    @property
    def label(self) -> str | None:
        """Lexical label after references such as `$FORM$` are replaced by the columns' values."""
        text = self.lexical_label
        if text is None or "$" not in text:
            return text
        return _REFERENCE.sub(self._referred, text)

    @property
    def lexicalized(self) -> tuple[Fragment | None, tuple[str, ...], tuple[str, ...]]:
        """Fragment of the token, lexical labels of its slots, and names of its closed ports."""
        if self.fragment is not None:
            return self.fragment
        has_slot = self.supertag is not None and self.supertag.slots
        return self.supertag, (self.label,) if has_slot and self.label is not None else (), ()

    def _referred(self, reference: re.Match[str]) -> str:
        value: str | None = getattr(self, _COLUMNS[reference[1]])
        return self.form if value is None else value


@dataclass(frozen=True, slots=True)
class AMTree:
    """Entries of an AM dependency tree over the tokens of one sentence.

    `entries[i]` is token i + 1. `attributes` are the `#key:value` lines.
    """

    entries: tuple[Entry, ...]
    attributes: tuple[tuple[str, str], ...] = field(default=())

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def extended(self) -> bool:
        """True if an entry has fields or an operation that AM dependency trees lack."""
        return any(
            e.fragment or e.edges or e.scope or e.operation in _EXTENDED for e in self.entries
        )

    def derivation(self) -> Derivation:
        """Return the derivation; columns that do not influence the graph are ignored."""
        links: list[Links] = [()] * len(self)
        reentrant = []
        for token, entry in enumerate(self.entries):
            for parent, edges in entry.edges:
                if entry.operation == ARC and parent == entry.head and not links[token]:
                    links[token] = edges
                else:
                    reentrant.append(Arc(parent - 1, token, edges))
        rows = [entry.lexicalized for entry in self.entries]
        scopes = [entry.scope for entry in self.entries if entry.scope is not None]
        return Derivation(
            tuple([entry.form for entry in self.entries]),
            tuple([fragment for fragment, _, _ in rows]),
            tuple([fillers for _, fillers, _ in rows]),
            tuple([entry.head - 1 for entry in self.entries]),
            tuple([entry.operation for entry in self.entries]),
            tuple([closed for _, _, closed in rows]),
            tuple(links),
            tuple(reentrant),
            Scope(*zip(*scopes, strict=True)) if scopes and len(scopes) == len(self) else None,
        )

    def with_attributes(self, *pairs: tuple[str, str]) -> AMTree:
        """Return this tree with further `#key:value` lines."""
        return replace(self, attributes=(*self.attributes, *pairs))


@lru_cache(maxsize=1 << 16)
def label_template(form: str, label: str) -> tuple[str | None, str]:
    """Return a lemma and a label template from which a token's node label can be rebuilt.

    The lemma is None if the template does not refer to it.

    >>> label_template("cooked", "cook"), label_template("hunden", "*hund")
    (('cook', '$LEMMA$'), ('hund', '*$LEMMA$'))
    >>> label_template("Emma", '"Emma"'), label_template("Emma", "'emma'")
    ((None, '"$FORM$"'), ('emma', "'$LEMMA$'"))
    >>> label_template("12", "12"), label_template("Who", "?")
    ((None, '$FORM$'), (None, '?'))
    """
    content = content_of(label)
    quote = "" if content == label else label[0]
    whole = is_literal(label) and label == f"{quote}{content}{quote}"
    if whole and form.lower() == content.lower():
        if form == content:
            return None, f"{quote}$FORM${quote}"
        return content, f"{quote}$LEMMA${quote}"
    if quote or not any(character.isalnum() for character in label):
        return None, label
    if label.startswith(MARK) and label[1:2].isalnum():
        return label[1:], f"{MARK}$LEMMA$"
    return label, "$LEMMA$"


def extended_lines(derivation: Derivation) -> AMTree:
    """Return the tree of any derivation, with all columns; `AMTree.derivation` is the inverse."""
    edges: list[list[EdgesFrom]] = [[] for _ in derivation.tokens]
    for parent, child, links in derivation.arcs():
        edges[child].append(EdgesFrom(parent + 1, links))
    scope = derivation.scope
    entries = []
    for token, form in enumerate(derivation.tokens):
        entry = _extended_entry(derivation, token, form)
        boxes = None
        if scope is not None:
            boxes = TokenScope(scope.introduced[token], scope.within[token], scope.above[token])
        entries.append(replace(entry, edges=tuple(edges[token]), scope=boxes))
    return AMTree(tuple(entries))


def _extended_entry(derivation: Derivation, token: int, form: str) -> Entry:
    constant, fillers = derivation.fragments[token], derivation.lexical_labels[token]
    closed = derivation.closed[token]
    head, operation = derivation.heads[token] + 1, derivation.operations[token]
    if constant is None:
        return Entry(form, head, operation, aligned=False)
    supertag = None
    with suppress(GraphError):  # the nodes of a fragment need not be connected
        supertag = fragment_from_penman(constant.penman, constant.type)
    label = " ".join(fillers) if fillers else None
    if not closed and supertag == constant and len(fillers) < 2:
        lemma, template = (None, None) if label is None else label_template(form, label)
        entry = Entry(form, head, operation, supertag, template, lemma=lemma)
        if entry.label == label:
            return entry
    whole = Lexicalized(constant, fillers, closed)
    template = "$LEMMA$" if label else None
    return Entry(form, head, operation, supertag, template, lemma=label or None, fragment=whole)


def am_tree(derivation: Derivation) -> AMTree:
    """Return the AM dependency tree of a derivation, with lemmas taken from the lexical labels.

    Raises InputError if the derivation contains more than an AM dependency tree; the message names
    the token and the reason.
    """
    at, rows = 0, []
    try:
        for at in range(len(derivation.tokens)):
            rows.append(_supertag_and_label(derivation, at))
    except AMParserError as error:
        raise InputError(f"not an AM dependency tree: token {at + 1}: {error}") from None
    operations = [IGNORE if o in WITHOUT_CONSTANT else o for o in derivation.operations]
    supertags, labels = zip(*rows, strict=True) if rows else ((), ())
    tree = extended_lines(
        Derivation(derivation.tokens, supertags, labels, derivation.heads, tuple(operations))
    )
    for number, entry in enumerate(tree.entries, 1):
        if entry.fragment is not None:
            problem = f"the lexical label {entry.lemma!r} would be read as a reference to a column"
            raise InputError(f"not an AM dependency tree: token {number}: {problem}")
    return tree


def _supertag_and_label(
    derivation: Derivation, token: int
) -> tuple[Fragment | None, tuple[str, ...]]:
    if derivation.operations[token] == ARC:
        raise InputError(f"{ARC} joins it to token {derivation.heads[token] + 1}")
    for parent, child, _ in derivation.reentrant:
        if child == token:
            raise InputError(f"a re-entrant edge joins it to token {parent + 1}")
    if boxes := derivation.boxes.introduced[token]:
        raise InputError(f"it introduces {len(boxes)} boxes")
    constant, fillers = derivation.constant(token), derivation.lexical_labels[token]
    if constant is None:
        return None, ()
    supertag = constant.closing(()).supertag()
    labels = constant.filled(fillers) if fillers else ()
    return supertag, tuple(labels[slot] or "" for slot in constant.slots) if labels else ()
