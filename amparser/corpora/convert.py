"""`amparser convert`: between the notations of meanings.

    cogs      a line a sentence: SENTENCE, tab, logical form; further columns are ignored
    varfree   the same with SLOG's variable-free form
    fol, vf, clf, drs   the same with SyGNS's formulas, variable-free ones, clauses and boxes
    penman    a block a sentence: comments, graph, blank line
    amconll   AM dependency trees
    json      an object a line

All go through the graph. A conversion needs what the other notation leaves
out: the sentence (logical forms, trees), alignments (logical forms), or how
sources are named (trees), which a model knows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from amparser.amtree.conll import am_trees_from_str
from amparser.corpora.items import (
    Item,
    item_from_amtree,
    item_from_json,
    item_from_logical_form,
    item_from_penman,
    item_to_amconll,
    item_to_json,
    item_to_penman,
)
from amparser.errors import AMParserError, InputError, located
from amparser.files import lines_of, read_text, replacing, shown_name
from amparser.logic.cogs import logical_form_from_str, logical_form_to_str
from amparser.logic.varfree import varfree_from_str, varfree_to_str
from amparser.notations.registry import NOTATIONS
from amparser.notations.varfree_conversion import (
    logical_form_from_varfree,
    varfree_from_logical_form,
)

if TYPE_CHECKING:
    from amparser.induction.induce import SourceInventory

Placed = tuple[int, Item]
"""The line where an item begins (from 1), and the item."""


def convert(
    file: str,
    *,
    source: str,
    target: str,
    output: Path | None = None,
    model: Path | None = None,
) -> None:
    """Convert a file (`-`: stdin) and write the result to a file or to stdout, whole or not at all.

    Args:
        file: what is read.
        source: the format it is in.
        target: the format to write.
        output: the file written; stdout by default.
        model: the model folder whose source names make trees out of graphs;
            the one in the package by default.

    Raises:
        AMParserError: an item cannot be read, or does not have what the other
            format needs; names file and line.
    """
    name = shown_name(file)
    with ExitStack() as stack:
        sink = sys.stdout if output is None else stack.enter_context(replacing(output))
        text = read_text(file)
        items = list(_read(text, source, name))
        if target == "amconll" and any(item.tree is None for _, item in items):
            items = _with_trees(items, model, name)
        lines = []
        for line, item in items:
            try:
                lines.append(_written(item, target))
            except AMParserError as error:
                raise _placed_error(error, name, line) from None
        sink.writelines(f"{line}\n" for line in lines)


def _placed_error(error: AMParserError, name: str, line: int) -> AMParserError:
    """The same error with its place in front."""
    return type(error)(located(str(error), path=name, line=line))


def _read(text: str, source: str, name: str) -> Iterator[Placed]:
    if source == "amconll":
        line = 1
        for tree in am_trees_from_str(text, path=name):
            yield line, item_from_amtree(tree)
            line += len(tree.attributes) + len(tree.entries) + 1
        return
    blocks = _blocks(text) if source == "penman" else enumerate(lines_of(text), 1)
    for line, block in blocks:
        try:
            yield line, _READERS[source](block)
        except AMParserError as error:
            raise _placed_error(error, name, line) from None


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Runs of lines between blank ones, each with the number of its first line."""
    block: list[str] = []
    for number, line in enumerate([*lines_of(text), ""], 1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), "\n".join(block)
            block = []


def _columns(line: str) -> tuple[tuple[str, ...], str]:
    columns = line.split("\t")
    if len(columns) < 2 or not columns[0].split() or not columns[1].strip():
        raise InputError("expected SENTENCE<TAB>LOGICAL FORM")
    return tuple(columns[0].split()), columns[1]


def _from_notation(name: str) -> Callable[[str], Item]:
    return lambda line: item_from_logical_form(*_columns(line), name)


def _from_varfree(line: str) -> Item:
    tokens, text = _columns(line)
    form = logical_form_from_varfree(tokens, varfree_from_str(text))
    return item_from_logical_form(tokens, logical_form_to_str(form))


_READERS: dict[str, Callable[[str], Item]] = {
    **{name: _from_notation(name) for name in NOTATIONS},
    "varfree": _from_varfree,
    "penman": item_from_penman,
    "json": item_from_json,
}


def _written(item: Item, target: str) -> str:
    match target:
        case "penman":
            return f"{item_to_penman(item)}\n"
        case "amconll":
            return f"{item_to_amconll(item)}\n"
        case "json":
            return item_to_json(item)
    chosen = NOTATIONS["cogs" if target == "varfree" else target]
    if item.notation != "cogs" and NOTATIONS[item.notation].family != chosen.family:
        raise InputError(f"a meaning in {item.notation} has no {target} form")
    form = chosen.write(item.meaning())
    if target == "varfree":
        form = varfree_to_str(varfree_from_logical_form(logical_form_from_str(form)))
    return f"{item.sentence}\t{form}" if item.tokens else form


def _with_trees(items: list[Placed], model: Path | None, name: str) -> list[Placed]:
    """Decompose the graphs, with the sources of a model."""
    from amparser.induction.analysis import analyse
    from amparser.parser import Parser

    inventory: SourceInventory = Parser.load(model, "cpu").inventory
    found = []
    for line, item in items:
        if item.tree is None and item.failure is None:
            if not item.tokens:
                raise InputError(located("an AM tree needs the sentence", path=name, line=line))
            analysis = analyse([(item.tokens, item.meaning())], inventory)
            for _, reason in analysis.failures:
                raise InputError(located(reason, path=name, line=line))
            item = replace(item, tree=analysis.trees[0])
        found.append((line, item))
    return found
