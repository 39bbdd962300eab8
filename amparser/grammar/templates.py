"""Grammars with templates: one line generates a rule for each word of a lexicon.

A line that begins with `%` is a directive; everything else is Alto's notation with
`{names}` to fill in. `grammar_to_str` prints the expansion.

    %set lent lended                   {lent} is lended from here on
    %include english.rules              what another file of the folder expands to
    %words animate of lexicon.tsv      once for each row of that class, in its order:
    N -> n_{form}                      {column} is the row's cell, {rank} counts from 1
      [string] {form}
    %end
    %words animate of lexicon.tsv zipf 1.4 0.004
    N -> n_{form} [{zipf}]             {zipf} is rank to the power of -1.4, and 0.004 more
    ...
    %end
    %each place kind in In box On bed  once with {place} In and {kind} box, once with On and bed
    ...
    %end

Blocks nest. A lexicon is tab-separated; its first line names the columns, `class`
among them. Its cells may hold `{names}` too. A value that is set first
stays, so a file can override what the files that it includes set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias

from amparser.errors import GrammarError, located

Lexicon: TypeAlias = "dict[str, list[dict[str, str]]]"
_FIELD = re.compile(r"\{([A-Za-z_]+)\}")


class Line(NamedTuple):
    """A line of an expanded grammar, with the line that it stems from (from 1)."""

    text: str
    path: object
    number: int


def expanded(path: Path) -> list[Line]:
    """The lines of a grammar file with its templates expanded.

    Raises:
        GrammarError: a file is missing, a directive is malformed, a name is unknown, or a
            lexicon is not a table; the message names path and line.
    """
    return list(_Expansion(path.parent).lines(read_lines(path)))


def read_lexicon(path: Path) -> Lexicon:
    """The rows of a lexicon by class; a row maps the other columns to its cells.

    Raises:
        GrammarError: the file is missing or not such a table.
    """
    return _lexicon(path, Line("", path, 1))


@dataclass(frozen=True)
class _Expansion:
    """The values set and the lexicons read so far; all files are in one folder."""

    folder: Path
    values: dict[str, str] = field(default_factory=dict)
    lexicons: dict[str, Lexicon] = field(default_factory=dict)
    open_files: list[str] = field(default_factory=list)

    def lines(self, lines: list[Line], row: Mapping[str, str] | None = None) -> Iterator[Line]:
        row = row or {}
        at = 0
        while at < len(lines):
            line = lines[at]
            at += 1
            if not line.text.startswith("%"):
                yield line._replace(text=self._filled(line, line.text, row))
                continue
            directive, *words = self._filled(line, line.text, row).split()
            if directive == "%set" and len(words) == 2:
                self.values.setdefault(*words)
            elif directive == "%include" and len(words) == 1:
                if words[0] in self.open_files:
                    _fail(f"{words[0]} includes itself", line)
                self.open_files.append(words[0])
                yield from self.lines(read_lines(self.folder / words[0], line))
                self.open_files.pop()
            elif directive in ("%words", "%each"):
                end = _end(lines, at)
                for bindings in self._rows(directive, words, line):
                    yield from self.lines(lines[at:end], {**row, **bindings})
                at = end + 1
            else:
                _fail(
                    "expected '%set NAME VALUE', '%include FILE', '%words CLASS of FILE' "
                    "or '%each NAME .. in WORD ..', ended by '%end'",
                    line,
                )

    def _rows(self, directive: str, words: list[str], line: Line) -> Iterator[Mapping[str, str]]:
        if directive == "%each" and "in" in words[1:]:
            names, found = words[: words.index("in", 1)], words[words.index("in", 1) + 1 :]
            if len(found) % len(names):
                _fail(f"expected words in groups of {len(names)}, found {len(found)}", line)
            for at in range(0, len(found), len(names)):
                yield dict(zip(names, found[at : at + len(names)], strict=True))
        elif directive == "%words" and words[1::2][:2] in _WORDS.get(len(words), ()):
            if words[2] not in self.lexicons:
                self.lexicons[words[2]] = _lexicon(self.folder / words[2], line)
            rows = self.lexicons[words[2]].get(words[0])
            if not rows:
                _fail(f"no word of class {words[0]!r} in {words[2]}", line)
            weights = self._zipf(words[4:], line)
            for rank, cells in enumerate(rows, 1):
                filled = {name: self._filled(line, cell, {}) for name, cell in cells.items()}
                filled["rank"] = str(rank)
                if weights:
                    exponent, floor = weights
                    filled["zipf"] = f"{rank**-exponent + floor:.6f}"
                yield filled
        else:
            _fail(f"expected '{directive} {_FORMS[directive]}'", line)

    def _zipf(self, words: list[str], line: Line) -> list[float]:
        try:
            return [float(word) for word in words]
        except ValueError:
            _fail("expected an exponent and the least weight after 'zipf'", line)

    def _filled(self, line: Line, text: str, row: Mapping[str, str]) -> str:
        def value(match: re.Match[str]) -> str:
            name = match[1]
            if name in row:
                return row[name]
            if name not in self.values:
                _fail(f"nothing is known as {match[0]}", line)
            return self.values[name]

        return _FIELD.sub(value, text)


_WORDS = {3: (["of"],), 6: (["of", "zipf"],)}
_FORMS = {"%each": "NAME .. in WORD ..", "%words": "CLASS of FILE [zipf EXPONENT LEAST]"}


def _end(lines: list[Line], start: int) -> int:
    depth = 1
    for at in range(start, len(lines)):
        first = lines[at].text.split(maxsplit=1)[:1]
        depth += (first in (["%words"], ["%each"])) - (first == ["%end"])
        if not depth:
            return at
    _fail("no '%end' for this block", lines[start - 1])


def read_lines(path: Path, line: Line | None = None) -> list[Line]:
    """The lines of a file; raises GrammarError at the line that names the file, if one does."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        if line is None:
            raise GrammarError(located(reason, path=path)) from None
        _fail(f"{path.name}: {reason}", line)
    return [Line(content, path, number) for number, content in enumerate(text.split("\n"), 1)]


def _lexicon(path: Path, line: Line) -> Lexicon:
    head, *rows = read_lines(path, line)
    columns = head.text.split("\t")
    if "class" not in columns:
        _fail("expected the names of the columns, 'class' among them", head)
    found: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        if not row.text:
            continue
        cells = row.text.split("\t")
        if len(cells) != len(columns):
            _fail(f"expected {len(columns)} tab-separated cells, found {len(cells)}", row)
        word = dict(zip(columns, cells, strict=True))
        found.setdefault(word.pop("class"), []).append(word)
    return found


def _fail(message: str, line: Line) -> NoReturn:
    raise GrammarError(f"{located(message, path=line.path, line=line.number)}\n{line.text}\n^")
