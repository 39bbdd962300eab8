"""AM dependency trees (Groschwitz et al. 2018, section 4).

A tree has one entry per token. An entry holds a supertag, the lexical label
that fills it, and the edge to its head: `APP_s` (the token fills source s of
its head), `MOD_s` (it modifies its head through its own source s), `ROOT`
(head 0) or `IGNORE` (head 0, no supertag). Tokens count from 1; position 0 is
the artificial root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from amparser.algebra.derivation import ARC, Derivation
from amparser.algebra.fragment import Fragment
from amparser.algebra.operations import IGNORE, ROOT
from amparser.errors import AMParserError, InputError

_COLUMNS = {"FORM": "form", "LEMMA": "lemma", "REPL": "replacement", "POS": "pos"}
_REFERENCE = re.compile(rf"\$({'|'.join(_COLUMNS)})\$")


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
    """An AM dependency tree over the tokens of one sentence.

    `entries[i]` is token i + 1. `attributes` are the `#key:value` lines.
    """

    entries: tuple[Entry, ...]
    attributes: tuple[tuple[str, str], ...] = field(default=())

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def root(self) -> int | None:
        """The token (1-based) attached by ROOT, or None."""
        return next((i for i, e in enumerate(self.entries, 1) if e.operation == ROOT), None)

    @property
    def heads(self) -> tuple[int, ...]:
        """The head of each token."""
        return tuple(entry.head for entry in self.entries)

    def children(self) -> list[list[int]]:
        """For each position 0..n the tokens it heads, without ignored ones."""
        children: list[list[int]] = [[] for _ in range(len(self.entries) + 1)]
        for token, entry in enumerate(self.entries, 1):
            if entry.operation != IGNORE:
                children[entry.head].append(token)
        return children

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


def am_tree(derivation: Derivation) -> AMTree:
    """Return the AM dependency tree of a derivation.

    Raises:
        InputError: a tree cannot say all of it; names the token and the reason.
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
    constant = derivation.constants[token]
    if constant is None:
        return Entry(form)
    if constant.optional:
        constant = constant.closing(derivation.closed[token] if derivation.closed else ())
    supertag = constant.supertag()
    label = None
    if constant.slots:
        label = constant.filled(derivation.fillers[token])[constant.slots[0]]
    head, operation = derivation.heads[token] + 1, derivation.operations[token]
    entry = Entry(form, head, operation, supertag, label)
    if entry.label != label:
        raise InputError(f"the lexical label {label!r} reads as a reference to a column")
    return entry


def is_projective(heads: Sequence[int]) -> bool:
    """Whether no two arcs cross.

    Args:
        heads: for each token (1-based) its head. 0 is the artificial root; a
            negative head means that the token has no arc (an ignored token, say).

    Complexity: n log n in the number of tokens.
    """
    arcs = sorted(
        (min(head, token), -max(head, token)) for token, head in enumerate(heads, 1) if head >= 0
    )
    # The right ends of the arcs around the present position, the nearest last.
    ends: list[int] = []
    for left, minus_right in arcs:
        while ends and ends[-1] <= left:
            ends.pop()
        if ends and ends[-1] < -minus_right:
            return False
        ends.append(-minus_right)
    return True
