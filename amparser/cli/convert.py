"""`amparser convert`: convert between notations of meanings, graphs and trees."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amparser.cli.options import ModelOption, choices
from amparser.cli.outputs import written
from amparser.corpora.formats import FORMATS
from amparser.files import lines_of, read_text, shown_name
from amparser.notations.registry import NOTATIONS

if TYPE_CHECKING:
    from amparser.corpora.convert import TreeMaker
    from amparser.parser import Parser

_NAMES = choices(dict.fromkeys((*NOTATIONS, *(f for f in FORMATS if f != "tsv"))))


def convert(
    source: Annotated[
        str, typer.Option("--from", metavar="NAME", help=f"Format of the input: {_NAMES}.")
    ],
    target: Annotated[str, typer.Option("--to", metavar="NAME", help="Format of the output.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="Input file (default: stdin).")] = "-",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Output file (default: stdout)."),
    ] = None,
    model: ModelOption = None,
) -> None:
    """Convert between notations, graphs and trees.

    A file in a notation is TSV: sentence, tab, meaning. To convert a graph to a tree, name a model:
    it has the sources. Output is written only if the whole input is valid.
    """
    from amparser.corpora.convert import converted, format_named

    format_named(source)
    format_named(target)
    with written(output) as sink:
        lines = enumerate(lines_of(read_text(file)), 1)
        texts = converted(
            lines, source=source, target=target, name=shown_name(file), add_tree=_tree_maker(model)
        )
        sink.writelines(list(texts))


def _tree_maker(model: Path | None) -> TreeMaker:
    @cache
    def parser() -> Parser:
        from amparser.parser import Parser

        return Parser.load(model, "cpu")

    return lambda example: replace(example, tree=parser().tree_of(example))
