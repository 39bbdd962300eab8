"""`amparser compare`: what the choice of the decoder changes, all else being equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from rich.console import Console
from rich.table import Table

from amparser.corpora.examples import Example
from amparser.decode.decoders import DECODERS
from amparser.evaluation.accuracies import percent
from amparser.evaluation.answers import Answers, answers_to, read_gold
from amparser.evaluation.metrics import overall
from amparser.parser import Parser


def compare(
    data: Path,
    *,
    model: Path | None = None,
    decoders: Sequence[str] = tuple(DECODERS),
    limit: int | None = None,
    device: str = "auto",
) -> Mapping[str, Answers]:
    """Decode the same scores with several decoders; print one table and the sentences that flip.

    Args:
        data: rows of sentence, logical form and type.
        model: a model folder; the one in the package by default.
        decoders: names of decoders, a column each.
        limit: only so many rows, from the first.
        device: `auto`, `cpu` or `cuda`.

    Raises:
        CorpusError, ModelError, InputError: before anything is printed.
    """
    names = list(dict.fromkeys(decoders))
    for name in names:
        DECODERS.check(name)
    parser = Parser.load(model, device)
    examples = read_gold(data, limit, parser.notation)
    answers = answers_to(parser, examples, names)
    console = Console(markup=False, highlight=False)
    console.print(_table(examples, answers))
    for left, right in combinations(names, 2):
        _print_flips(console, examples, (left, answers[left]), (right, answers[right]))
    return answers


def _table(examples: Sequence[Example], answers: Mapping[str, Answers]) -> Table:
    table = Table(title="exact match in %")
    table.add_column("type", overflow="fold")
    table.add_column("count", justify="right", no_wrap=True)
    for name in answers:
        table.add_column(name, justify="right", no_wrap=True)
    counts = {name: of_one.table(examples) for name, of_one in answers.items()}
    first = next(iter(counts.values()))
    for kind, of_kind in first.items():
        cells = (percent(c[kind].exact, c[kind].count) for c in counts.values())
        table.add_row(kind or "-", str(of_kind.count), *cells)
    table.add_section()
    sums = [overall(c) for c in counts.values()]
    cells = (percent(s.exact, s.count) for s in sums)
    table.add_row("overall", str(len(examples)), *cells, style="bold")
    table.add_row("graph match", "", *(percent(s.graph, s.count) for s in sums))
    table.add_section()
    columns = list(answers.values())
    rows = {
        "no parse": [percent(a.failure_count, len(examples)) for a in columns],
        "non-projective trees": [
            f"{100 * a.share_of_trees(projective=False):.1f}" for a in columns
        ],
        "well-typed trees": [f"{100 * a.share_of_trees():.1f}" for a in columns],
        "decoding, ms a sentence": [f"{a.milliseconds('decoding'):.2f}" for a in columns],
        "scoring, ms a sentence": [f"{a.milliseconds('scoring'):.2f}" for a in columns],
    }
    for label, figures in rows.items():
        table.add_row(label, "", *figures)
    return table


def _print_flips(
    console: Console,
    examples: Sequence[Example],
    left: tuple[str, Answers],
    right: tuple[str, Answers],
) -> None:
    """List the sentences that one of two decoders gets exactly right and the other does not."""
    for (winner, won), (loser, lost) in ((left, right), (right, left)):
        flips = [
            example
            for example, a, b in zip(examples, won.counts, lost.counts, strict=True)
            if a.exact and not b.exact
        ]
        console.print(f"\nright with {winner}, wrong with {loser}: {len(flips)}")
        for example in flips:
            line = f"  line {example.line}  {example.kind}  {example.sentence}"
            console.print(line, soft_wrap=True)
