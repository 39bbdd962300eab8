"""Grammars as Jinja templates: a line that begins with `%` is a statement.

    %set lent = "lended"
    %include "english.rules"
    %for place, kind in groups(2, "In box On bed")   first In and box, then On and bed
    %for row in words("lexicon.tsv", "animate", 1.4, 0.004)
    N_{place} -> n_{row.form} [{row.zipf}]
      [string] {row.form}
    %endfor
    %endfor

All other lines are in Alto's notation; values replace `{names}` in them. A lexicon is a
tab-separated table whose first line names the columns; one column is `class`. Its cells may contain
`{names}`, too. `words` yields the rows of one class, here `animate`, in order. `{row.rank}` counts
from 1; `{row.zipf}` is rank^-1.4 + 0.004 here. `grammar_to_str` prints the expanded grammar.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, pass_context
from jinja2.runtime import Context

from amparser.errors import GrammarError, located

Lexicon: TypeAlias = "dict[str, list[dict[str, str]]]"
_FIELD = re.compile(r"\{([A-Za-z_]+)\}")


def expanded(path: Path) -> str:
    """Return the text of a grammar file with its templates expanded. Raises GrammarError."""
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        undefined=StrictUndefined,
        line_statement_prefix="%",
        variable_start_string="{",
        variable_end_string="}",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        keep_trailing_newline=True,
        autoescape=False,
    )

    @pass_context
    def words(
        context: Context, file: str, kind: str, exponent: float = 0.0, least: float = 0.0
    ) -> Iterator[dict[str, str]]:
        rows = read_lexicon(path.parent / file).get(kind)
        if not rows:
            raise GrammarError(located(f"no word of class {kind!r}", path=path.parent / file))
        for rank, cells in enumerate(rows, 1):
            row = {
                name: _FIELD.sub(lambda match: str(context[match[1]]), cell)
                for name, cell in cells.items()
            }
            yield {**row, "rank": str(rank), "zipf": f"{rank**-exponent + least:.6f}"}

    environment.globals.update(words=words, groups=_groups)
    try:
        return environment.get_template(path.name).render()
    except (TemplateError, KeyError) as error:
        line = getattr(error, "lineno", None)
        file = getattr(error, "name", None) if line else None
        place = path.parent / file if file else path
        raise GrammarError(located(f"template: {error}", path=place, line=line)) from None


def _groups(size: int, text: str) -> list[tuple[str, ...]]:
    words = text.split()
    if len(words) % size:
        raise GrammarError(f"expected words in groups of {size}, found {len(words)}")
    return list(zip(*(words[at::size] for at in range(size)), strict=True))


def read_lexicon(path: Path) -> Lexicon:
    """Return the rows of a lexicon by class; a row maps the other columns to its cells.

    Raises GrammarError if the file is missing or is not a table of this format.
    """
    lines = read_file(path).split("\n")
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    lexicon: Lexicon = {}
    for row in rows:
        if None in row or None in row.values() or "class" not in row:
            message = f"expected {len(rows.fieldnames or ())} cells, one of them named 'class'"
            raise GrammarError(located(message, path=path, line=rows.line_num))
        lexicon.setdefault(row.pop("class"), []).append(row)
    return lexicon


def read_file(path: Path) -> str:
    """Return the text of a grammar file; raise GrammarError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise GrammarError(located(reason, path=path)) from None
