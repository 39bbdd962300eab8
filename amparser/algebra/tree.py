"""AM dependency trees (Groschwitz et al. 2018, section 4).

A tree has one entry per token. An entry holds a supertag, the lexical label
that fills it, and the edge to its head: `APP_s` (the token fills source s of
its head), `MOD_s` (it modifies its head through its own source s), `ROOT`
(head 0) or `IGNORE` (head 0, no supertag). Tokens count from 1; position 0 is
the artificial root.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from amparser.algebra.operations import IGNORE, ROOT
from amparser.algebra.supertag import Supertag

_COLUMNS = {"FORM": "form", "LEMMA": "lemma", "REPL": "replacement", "POS": "pos"}
_REFERENCE = re.compile(rf"\$({'|'.join(_COLUMNS)})\$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One token of an AM dependency tree; the fields are the columns of AM-CoNLL.

    `None` is written as the `_` of an empty column. `lexical_label` may refer to
    other columns: `$FORM$`, `$LEMMA$`, `$REPL$`, `$POS$`. A reference to an empty
    column refers to the form. `token_range` is None if the file has no such
    column, and `_` if the column is empty.
    """

    form: str
    head: int = 0
    operation: str = IGNORE
    supertag: Supertag | None = None
    lexical_label: str | None = None
    replacement: str | None = None
    lemma: str | None = None
    pos: str | None = None
    ner: str | None = None
    aligned: bool = True
    token_range: str | None = None

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

    def with_attributes(self, *pairs: tuple[str, str]) -> AMTree:
        """This tree with further `#key:value` lines."""
        return replace(self, attributes=(*self.attributes, *pairs))


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
