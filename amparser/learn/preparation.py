"""From data files to what a network learns from: gold trees over a lexicon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from amparser.corpora.examples import Example, read_examples, split_files
from amparser.errors import AMParserError, CorpusError, located
from amparser.graph.sgraph import SGraph
from amparser.induction.analysis import Analysis, analyse
from amparser.notations.registry import NOTATIONS


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


def training_files(data: Path, notation: str) -> dict[str, Path]:
    """The data files of a folder; where `dev` is missing, a part of `train` is to serve.

    Raises:
        CorpusError: there is no `train`; or no `dev` beside "cogs" forms.
    """
    found = split_files(data, "" if notation == "cogs" else notation)
    for name in ("train", "dev"):
        if name not in found and (name == "train" or notation == "cogs"):
            raise CorpusError(located(f"expected {name}.tsv or {name}.tsv.gz", path=data))
    return {"dev": found["train"], **found}


def graphs_of(
    path: Path, examples: Sequence[Example], notation_name: str = "cogs"
) -> list[tuple[tuple[str, ...], SGraph]]:
    """Sentence and aligned graph of each row; raises CorpusError naming file and line."""
    graph_of = NOTATIONS[notation_name].graph
    graphs = []
    for example in examples:
        try:
            graphs.append((example.tokens, graph_of(example.tokens, example.meaning)))
        except AMParserError as error:
            raise CorpusError(located(str(error), path=path, line=example.line)) from None
    return graphs


# Rows held out of train are the same for each system and seed: these are compared on them.
HELD_OUT_SEED = 0


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


def without(examples: Sequence[Example], others: Sequence[Example]) -> Sequence[Example]:
    """The rows that are none of the others."""
    lines = {example.line for example in others}
    return [example for example in examples if example.line not in lines]


def analysed_file(
    path: Path, by: Analysis | None = None, *, share: float = 1.0, seed: int = 0
) -> AnalysedFile:
    """Read, translate and decompose a file, with another one's source names if `by` is given.

    Of its rows only a share is used (see `subset`).
    """
    return analysed(path, subset(read_examples(path), share, seed), by)


def analysed(
    path: Path,
    examples: Sequence[Example],
    by: Analysis | None = None,
    *,
    notation_name: str = "cogs",
) -> AnalysedFile:
    """The same of rows that were read from a file."""
    if not examples:
        raise CorpusError(located("empty, expected SENTENCE<TAB>LOGICAL FORM<TAB>TYPE", path=path))
    inventory = None if by is None else by.inventory
    graphs = graphs_of(path, examples, notation_name)
    return AnalysedFile(path, examples, analyse(graphs, inventory))
