"""AM dependency trees as lines (Groschwitz et al. 2018, section 4).

Lines are a view of a derivation, which AM-CoNLL, JSON and pictures show. There is one entry per
token. An entry holds a supertag, the lexical label that fills it, and the edge to its head:
`APP_s` (the token fills source s of its head), `MOD_s` (it modifies its head through its own
source s), `ROOT` (head 0) or `IGNORE` (head 0, no supertag). Tokens count from 1; position 0 is
the artificial root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from amparser.algebra.derivation import ARC, WITHOUT_CONSTANT, Derivation
from amparser.algebra.fragment import Fragment
from amparser.algebra.operations import IGNORE
from amparser.errors import AMParserError, InputError
from amparser.logic.term import content_of, is_literal

_COLUMNS = {"FORM": "form", "LEMMA": "lemma", "REPL": "replacement", "POS": "pos"}
_REFERENCE = re.compile(rf"\$({'|'.join(_COLUMNS)})\$")

MARK = "*"
"""Stands before the lemma of a definite noun in some notations."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One token of an AM dependency tree; the fields are the columns of AM-CoNLL.

    `None` is written as the `_` of an empty column. `lexical_label` may refer to
    other columns: `$FORM$`, `$LEMMA$`, `$REPL$`, `$POS$`. A reference to an empty
    column refers to the form. `token_range` is None if the file has no such
    column, and `_` if the column is empty. `penman` is the text that a file has for the
    supertag, if it is not the canonical one.
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

    @property
    def label(self) -> str | None:
        """The lexical label with its references resolved."""
        text = self.lexical_label
        if text is None or "$" not in text:
            return text
        return _REFERENCE.sub(self._referred, text)

    def _referred(self, reference: re.Match[str]) -> str:
        value: str | None = getattr(self, _COLUMNS[reference[1]])
        return self.form if value is None else value


@dataclass(frozen=True, slots=True)
class AMTree:
    """The lines of an AM dependency tree over the tokens of one sentence.

    `entries[i]` is token i + 1. `attributes` are the `#key:value` lines.
    """

    entries: tuple[Entry, ...]
    attributes: tuple[tuple[str, str], ...] = field(default=())

    def __len__(self) -> int:
        return len(self.entries)

    def derivation(self) -> Derivation:
        """The derivation that the tree shows, without columns that say nothing of the graph."""
        entries = self.entries
        fillers = [
            (e.label or "",)
            if e.supertag is not None and e.supertag.slots and e.lexical_label is not None
            else ()
            for e in entries
        ]
        return Derivation(
            tuple([entry.form for entry in entries]),
            tuple([entry.supertag for entry in entries]),
            tuple(fillers),
            tuple([entry.head - 1 for entry in entries]),
            tuple([entry.operation for entry in entries]),
        )

    def with_attributes(self, *pairs: tuple[str, str]) -> AMTree:
        """This tree with further `#key:value` lines."""
        return replace(self, attributes=(*self.attributes, *pairs))


@lru_cache(maxsize=1 << 16)
def label_template(form: str, label: str) -> tuple[str | None, str]:
    """The lemma of a form and the template of its constant that together give a node label.

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


def am_tree(derivation: Derivation) -> AMTree:
    """Return the lines of a derivation; they refer to lemmas, which come from lexical labels.

    Raises:
        InputError: lines cannot say all of it; names the token and the reason.
    """
    for token, reason in _beside(derivation):
        raise InputError(f"no AM dependency tree: token {token + 1}: {reason}")
    entries = []
    for token, form in enumerate(derivation.tokens):
        try:
            entries.append(_entry(derivation, token, form))
        except AMParserError as error:
            raise InputError(f"no AM dependency tree: token {token + 1}: {error}") from None
    return AMTree(tuple(entries))


def _beside(derivation: Derivation) -> Iterator[tuple[int, str]]:
    """What stands beside the tree: tokens and reasons."""
    for token, operation in enumerate(derivation.operations):
        if operation == ARC:
            yield token, f"{ARC} joins it to token {derivation.heads[token] + 1}"
    for parent, child, _ in derivation.beside:
        yield child, f"an arc beside the tree joins it to token {parent + 1}"
    if derivation.scope is not None:
        for token, introduced in enumerate(derivation.scope.introduced):
            if introduced:
                yield token, f"it introduces {len(introduced)} boxes"


def _entry(derivation: Derivation, token: int, form: str) -> Entry:
    constant, operation = derivation.constant(token), derivation.operations[token]
    head = derivation.heads[token] + 1
    if constant is None:
        if operation in WITHOUT_CONSTANT:
            operation = IGNORE
        return Entry(form, head, operation, aligned=False)
    if constant.optional:
        constant = constant.closing(())
    supertag = constant.supertag()
    if not derivation.fillers[token]:
        return Entry(form, head, operation, supertag)
    label = constant.filled(derivation.fillers[token])[constant.slots[0]] or ""
    lemma, template = label_template(form, label)
    entry = Entry(form, head, operation, supertag, template, lemma=lemma)
    if entry.label != label:
        raise InputError(f"the lexical label {label!r} reads as a reference to a column")
    return entry
