"""AM-CoNLL, the file format of AM dependency trees.

Each token is one tab-separated line, and a blank line follows each sentence. Lines `#key:value`
before the first token are the tree's attributes:

     1  id             counts from 1
     2  form
     3  replacement    of the form, or `_`
     4  lemma          or `_`
     5  POS            or `_`
     6  NER            or `_`
     7  supertag       PENMAN, or `_` for an ignored token
     8  lexical label  or `_`; may refer to `$FORM$`, `$LEMMA$`, `$REPL$`, `$POS$`
     9  type           or `_` without a supertag
    10  head           an id, or 0
    11  edge label     `APP_s`, `MOD_s`, `ROOT`, `IGNORE` (`_` is read as `IGNORE`)
    12  aligned        `true` or `false`
    13  token range    `a:b`, characters of the sentence, or `_`; the column may be absent
    14  fragment       JSON: `[fragment, fillers, closed ports]`, or `_`
    15  edges          JSON: `[[parent, [[label, down, above, below], ..]], ..]`, or `_`
    16  scope          JSON: `[introduced, within, above]`, or `_`

Columns 14 to 16 are an extension of this package for derivations that are not AM dependency trees
(`amparser.algebra.derivation`). They contain a fragment that supertag and lexical label do not
determine, edges between the fragments of two tokens, and boxes. `amparser.algebra.tree` defines the
JSON values. In such files, the edge label may also be `ARC`, `CONTINUE` or `PRECEDE`, and the
fragment is used instead of the supertag.

The original tools (github.com/coli-saar/am-parser and am-tools) read and write the first 13
columns. Their files are written back byte for byte if they follow the description above. The text
of a supertag is not changed. A type begins with its origins (sources that can be filled first), and
each source is followed by the sources that can be filled only after it: `(O(O2_UNIFY_S()))`.

Reading checks the notation. `Derivation.problems` checks whether a tree is well typed.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, TypeVar

from amparser.algebra.derivation import ARC, CONTINUE, PRECEDE
from amparser.algebra.fragment import Fragment, fragment_from_penman
from amparser.algebra.tree import AMTree, EdgesFrom, Entry, Lexicalized, TokenScope
from amparser.algebra.types import APP, IGNORE, MOD, ROOT, AMType, type_from_str
from amparser.errors import AlgebraError, AMTreeError, GraphError
from amparser.schema import from_json, to_json

COLUMNS = (
    "id",
    "form",
    "replacement",
    "lemma",
    "POS",
    "NER",
    "supertag",
    "lexical label",
    "type",
    "head",
    "edge label",
    "aligned",
    "token range",
    "fragment",
    "edges",
    "scope",
)
_WIDTHS = (12, 13, 16)
EMPTY_COLUMN = "_"

_NUMBER = re.compile(r"[0-9]{1,9}")
_RANGE = re.compile(r"[0-9]+:[0-9]+")
_OPERATION = re.compile(rf"{ROOT}|{IGNORE}|_|(?:{APP}|{MOD})\S+")
_EXTENDED = frozenset({ARC, CONTINUE, PRECEDE})
_ALIGNED = {"true": True, "false": False}
_BREAKS = re.compile(r"[\t\n\r]")
Read = TypeVar("Read")

_POSITION = re.compile(r"^(?:line \d+, )?column (\d+): ")


def am_trees_from_str(text: str) -> list[AMTree]:
    """Read the trees of an AM-CoNLL text.

    Raises:
        AMTreeError: malformed text; the message names line, column and the expected value.
    """
    return _Reader().trees(text)


def am_tree_to_str(tree: AMTree) -> str:
    """Write one tree: a line for each attribute and token, without the final blank line.

    There are 16 columns if the tree is extended; otherwise 13 if some entry has a token range (even
    `_`), and 12 if no entry has one. Raises AMTreeError if the tree has no tokens, or if a value
    cannot be written in a column.
    """
    if not tree.entries:
        raise AMTreeError("a tree without tokens cannot be written in AM-CoNLL")
    lines = [_attribute(key, value) for key, value in tree.attributes]
    width = 12 + any(entry.token_range is not None for entry in tree.entries)
    width = 16 if tree.extended else width
    for token, entry in enumerate(tree.entries, 1):
        supertag = entry.supertag
        columns = (
            str(token),
            entry.form,
            entry.replacement,
            entry.lemma,
            entry.pos,
            entry.ner,
            None if supertag is None else entry.penman or supertag.penman,
            entry.lexical_label,
            None if supertag is None else _type_to_str(supertag.type),
            str(entry.head),
            entry.operation,
            "true" if entry.aligned else "false",
            entry.token_range,
            _json_of(entry.fragment, Lexicalized),
            _json_of(entry.edges, tuple[EdgesFrom, ...]),
            _json_of(entry.scope, TokenScope),
        )
        for name, value in zip(COLUMNS, columns, strict=True):
            if value is not None and (not value or _BREAKS.search(value)):
                raise AMTreeError(
                    f"token {token}, {name}: {value!r} cannot be written in an AM-CoNLL column"
                )
        if entry.lexical_label == EMPTY_COLUMN:
            raise AMTreeError(f"token {token}, lexical label: '_' stands for an empty column")
        lines.append("\t".join([EMPTY_COLUMN if c is None else c for c in columns[:width]]))
    return "".join(f"{line}\n" for line in lines)


class _Reader:
    def __init__(self) -> None:
        self.line = 0
        self.width = 0
        self.attributes: list[tuple[str, str]] = []
        self.entries: list[Entry] = []

    def trees(self, text: str) -> list[AMTree]:
        trees = []
        # `str.splitlines` would also split at characters that a form may contain.
        for line in [*text.split("\n"), ""]:
            self.line += 1
            line = line.removesuffix("\r")
            if line.strip():
                self._read(line)
            elif self.entries:
                trees.append(self._finish())
            elif self.attributes:
                raise self._error("expected a token after the attributes, found a blank line")
        return trees

    def _finish(self) -> AMTree:
        for back, entry in enumerate(reversed(self.entries), 1):
            if entry.head > len(self.entries):
                self.line -= back
                expected = f"0 to {len(self.entries)}, the tokens of the sentence"
                raise self._expected(10, expected, str(entry.head))
        tree = AMTree(tuple(self.entries), tuple(self.attributes))
        self.entries, self.attributes = [], []
        return tree

    def _read(self, line: str) -> None:
        if not line.startswith("#"):
            self.entries.append(self._entry(line.split("\t")))
            return
        if self.entries:
            raise self._error("expected a blank line between the tokens and further attributes")
        key, colon, value = line[1:].partition(":")
        if not colon:
            raise self._error(f"expected #key:value, found {line!r}")
        self.attributes.append((key, value))

    def _entry(self, columns: list[str]) -> Entry:
        width = len(columns)
        if width not in _WIDTHS:
            raise self._error(f"expected 12, 13 or 16 tab-separated columns, found {width}")
        if self.entries and width != self.width:
            raise self._error(f"expected {self.width} columns as in the line before, found {width}")
        self.width = width
        if "" in columns:
            raise self._expected(columns.index("") + 1, "a value or '_'", "nothing")
        token = len(self.entries) + 1
        number, form, replacement, lemma, pos, ner, penman, label, type_text = columns[:9]
        head, operation, aligned = columns[9:12]
        if number != str(token):
            raise self._expected(1, str(token), number)
        if not _NUMBER.fullmatch(head):
            raise self._expected(10, "a number", head)
        if not _OPERATION.fullmatch(operation) and (width < 16 or operation not in _EXTENDED):
            raise self._expected(11, "APP_s, MOD_s, ROOT or IGNORE", operation)
        if aligned.lower() not in _ALIGNED:
            raise self._expected(12, "true or false", aligned)
        token_range = columns[12] if width > 12 else None
        if token_range not in (None, EMPTY_COLUMN) and not _RANGE.fullmatch(token_range or ""):
            raise self._expected(13, "a:b or '_'", columns[12])
        supertag, text = self._supertag(penman, type_text)
        return Entry(
            form=form,
            head=int(head),
            operation=IGNORE if operation == EMPTY_COLUMN else operation,
            supertag=supertag,
            lexical_label=_optional(label),
            replacement=_optional(replacement),
            lemma=_optional(lemma),
            pos=_optional(pos),
            ner=_optional(ner),
            aligned=_ALIGNED[aligned.lower()],
            token_range=token_range,
            penman=text,
            fragment=self._json(14, columns, Lexicalized),
            edges=self._json(15, columns, tuple[EdgesFrom, ...]) or (),
            scope=self._json(16, columns, TokenScope),
        )

    def _json(self, column: int, columns: list[str], expected: type[Read]) -> Read | None:
        if len(columns) < column or columns[column - 1] == EMPTY_COLUMN:
            return None
        where = f"column {column} ({COLUMNS[column - 1]})"
        try:
            value = json.loads(columns[column - 1])
        except (ValueError, RecursionError) as error:
            raise self._error(f"{where}: not JSON: {error}") from None
        try:
            return from_json(value, expected, where, error=AMTreeError)
        except AMTreeError as error:
            raise self._error(str(error)) from None

    def _supertag(self, penman: str, type_text: str) -> tuple[Fragment | None, str | None]:
        if penman == EMPTY_COLUMN:
            if type_text != EMPTY_COLUMN:
                raise self._expected(9, "'_' for an empty supertag", type_text)
            return None, None
        if type_text == EMPTY_COLUMN:
            raise self._expected(9, "the type of the supertag", type_text)
        try:
            supertag = fragment_from_penman(penman, type_from_str(type_text))
            return supertag, None if supertag.penman == penman else penman
        except AlgebraError as error:
            raise self._error(f"column 9 (type): {error}") from None
        except GraphError as error:
            message = _POSITION.sub(r"character \1: PENMAN: ", str(error))
            raise self._error(f"column 7 (supertag): {message}") from None

    def _expected(self, column: int, expected: str, found: str) -> AMTreeError:
        shown = found if found == "nothing" else repr(found)
        return self._error(
            f"column {column} ({COLUMNS[column - 1]}): expected {expected}, found {shown}"
        )

    def _error(self, message: str) -> AMTreeError:
        return AMTreeError(f"line {self.line}: {message}")


def _json_of(value: Any, expected: Any) -> str | None:
    return json.dumps(to_json(value, expected), ensure_ascii=False) if value else None


@lru_cache(maxsize=4096)
def _type_to_str(value: AMType) -> str:
    def below(source: str) -> str:
        edges = sorted((e for e in value.renamings if e.source == source), key=lambda e: e.target)
        names = ("" if e.name == e.target else f"{e.name}_UNIFY_" for e in edges)
        return ", ".join(
            f"{name}{e.target}({below(e.target)})" for name, e in zip(names, edges, strict=True)
        )

    return "(" + ", ".join(f"{s}({below(s)})" for s in sorted(value.origins)) + ")"


def _optional(column: str) -> str | None:
    return None if column == EMPTY_COLUMN else column


def _attribute(key: str, value: str) -> str:
    if ":" in key or _BREAKS.search(key):
        raise AMTreeError(f"attribute {key!r}: expected a key without ':' and line breaks")
    if _BREAKS.search(value.replace("\t", " ")):
        raise AMTreeError(f"attribute {key!r}: its value contains a line break")
    return f"#{key}:{value}"
