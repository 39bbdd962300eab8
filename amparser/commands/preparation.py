"""From data files to what a network learns from: gold trees over a lexicon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from amparser.amtree.analysis import Analysis, analyse
from amparser.corpus import Example, read_examples
from amparser.errors import AMParserError, CorpusError, located
from amparser.graph.sgraph import SGraph
from amparser.logic.cogs import logical_form_from_str
from amparser.translate.cogs import graph_from_logical_form


@dataclass(frozen=True)
class AnalysedFile:
    """A data file with the AM dependency trees of its rows."""

    path: Path
    examples: Sequence[Example]
    analysis: Analysis

    def failures(self) -> list[str]:
        """Why some rows have no tree: file, line and reason of each."""
        return [
            located(reason, path=self.path, line=self.examples[i].line)
            for i, reason in self.analysis.failures
        ]


def graphs_of(path: Path, examples: Sequence[Example]) -> list[tuple[tuple[str, ...], SGraph]]:
    """Sentence and aligned graph of each row; raises CorpusError naming file and line."""
    graphs = []
    for example in examples:
        try:
            form = logical_form_from_str(example.meaning)
            graphs.append((example.tokens, graph_from_logical_form(example.tokens, form)))
        except AMParserError as error:
            raise CorpusError(located(str(error), path=path, line=example.line)) from None
    return graphs


def subset(examples: Sequence[Example], share: float, seed: int) -> Sequence[Example]:
    """A random share of the rows, rounded up, in their order.

    Those of one seed are nested: a smaller share is a part of a larger one.
    """
    order = list(range(len(examples)))
    Random(f"subset {seed}").shuffle(order)
    # 0.07 * 100 is a little more than 7.
    count = math.ceil(round(share * len(examples), 6))
    kept = sorted(order[:count])
    return [examples[i] for i in kept]


def analysed_file(
    path: Path, by: Analysis | None = None, *, share: float = 1.0, seed: int = 0
) -> AnalysedFile:
    """Read, translate and decompose a file, with another one's source names if `by` is given.

    Of its rows only a share is used (see `subset`).
    """
    examples = subset(read_examples(path), share, seed)
    if not examples:
        raise CorpusError(located("empty, expected SENTENCE<TAB>LOGICAL FORM<TAB>TYPE", path=path))
    inventory = None if by is None else by.inventory
    return AnalysedFile(path, examples, analyse(graphs_of(path, examples), inventory))
