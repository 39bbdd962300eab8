"""`amparser convert`: between notations of meanings, graphs and trees."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amparser.cli.options import ModelOption, choices
from amparser.corpora.formats import FORMATS
from amparser.files import lines_of, read_text, replacing, shown_name
from amparser.notations.registry import NOTATIONS

if TYPE_CHECKING:
    from amparser.corpora.convert import TreeMaker
    from amparser.corpora.example import Example

_NAMES = choices(tuple(dict.fromkeys((*NOTATIONS, *(f for f in FORMATS if f != "tsv")))))


def convert(
    source: Annotated[
        str, typer.Option("--from", metavar="NAME", help=f"Format of the input: {_NAMES}.")
    ],
    target: Annotated[str, typer.Option("--to", metavar="NAME", help="Format of the output.")],
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Input; - or nothing is stdin.")
    ] = "-",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Output (default: stdout)."),
    ] = None,
    model: ModelOption = None,
) -> None:
    """Convert between notations, graphs and trees.

    A notation means a TSV file: sentence, tab, meaning. The model names the sources
    when a tree is made from a graph. Nothing is written before all input has been read
    without an error.
    """
    from amparser.corpora.convert import converted, format_named

    format_named(source)
    format_named(target)
    with ExitStack() as stack:
        sink = sys.stdout if output is None else stack.enter_context(replacing(output))
        lines = enumerate(lines_of(read_text(file)), 1)
        texts = list(
            converted(
                lines,
                source=source,
                target=target,
                name=shown_name(file),
                add_tree=_tree_maker(model),
            )
        )
        sink.writelines(texts)


def _tree_maker(model: Path | None) -> TreeMaker:
    """A function that decomposes graphs with the sources of a model, loaded at the first call."""
    found: list[TreeMaker] = []

    def add_tree(example: Example) -> Example:
        if not found:
            from amparser.parser import Parser

            parser = Parser.load(model, "cpu")
            found.append(lambda e: replace(e, tree=parser.tree_of(e)))
        return found[0](example)

    return add_tree
