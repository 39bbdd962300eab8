"""`amparser convert`: convert between notations of meanings, graphs and trees."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amparser.cli.options import ModelOption, option
from amparser.cli.outputs import written
from amparser.files import lines_of, read_text, shown_name

if TYPE_CHECKING:
    from amparser.corpora.convert import TreeMaker
    from amparser.parser import Parser


def convert(
    source: Annotated[str, option("--from NAME")],
    target: Annotated[str, option("--to NAME")],
    file: Annotated[str, typer.Argument(metavar="FILE")] = "-",
    output: Annotated[Path | None, option("--output -o FILE")] = None,
    model: ModelOption = None,
) -> None:
    """Convert between notations, graphs and trees.

    Each line of a file of meanings has a sentence, a tab and a meaning. Converting graphs to trees
    requires a parser: name one with --model. Output is written only if the whole input is valid.

    Args:
        source: Format of the input: {notations}.
        target: Format of the output.
        file: Input file (default: stdin).
        output: Output file (default: stdout).
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


def _tree_maker(model: str | None) -> TreeMaker:
    @cache
    def parser() -> Parser:
        from amparser.parser import Parser

        return Parser.load(model, "cpu")

    return lambda example: replace(example, tree=parser().tree_of(example))
