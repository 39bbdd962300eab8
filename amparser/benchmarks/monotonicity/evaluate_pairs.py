"""`amparser evaluate` of pairs: how often a judge gives the gold label, and where not.

A judge is any function from pairs to labels: a classifier, or natural logic over what the
grammar or a trained parser reads. A pair without an answer is wrong, and counted as such.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from rich.console import Console
from rich.table import Table

from amparser.benchmarks.monotonicity.classifiers.model import Judgement, NLIModel, load_nli
from amparser.benchmarks.monotonicity.fragment import Fragment
from amparser.benchmarks.monotonicity.infer import UNKNOWN, Method, Sentence, read_sentences
from amparser.benchmarks.monotonicity.infer_command import method_of
from amparser.benchmarks.monotonicity.multiword import Multiword
from amparser.benchmarks.monotonicity.pairs import DOWN, UP, LabelledPair, read_pairs
from amparser.benchmarks.monotonicity.reading import DEFAULT_MODEL, model_reading
from amparser.corpora.examples import tokenize
from amparser.errors import InputError
from amparser.evaluation.accuracies import percent
from amparser.evaluation.metrics.labels import LabelCounts, label_counts
from amparser.evaluation.provenance import program_and_data, provenance
from amparser.files import replacing
from amparser.grammar.algebras import STRING, value
from amparser.grammar.irtg import Derivation
from amparser.grammar.library import load_library
from amparser.learn.systems import classifies
from amparser.logic.form import Reading
from amparser.resources import package_data

Judge: TypeAlias = Callable[[Sequence[tuple[str, str]]], Sequence[str | None]]
"""From pairs of premise and hypothesis to labels; None where there is no answer."""

_NO_ANSWER = "-"
_ALONE = "alone"
_JOINT = " > "
_BOTH = "depth and direction"


@dataclass(frozen=True)
class NamedJudge:
    """A judge with what is to be said of it.

    Attributes:
        name: for the table.
        judge: the function.
        about: from a data file to what the figures say of their origin.
    """

    name: str
    judge: Judge
    about: Callable[[Path], Mapping[str, Any]] = program_and_data


@dataclass
class PairFigures:
    """Counts of pairs, by what the genre says and by the quantifiers of the premise.

    Attributes:
        overall: of all.
        groups: for each division the counts of its parts, in order.
    """

    overall: LabelCounts = field(default_factory=LabelCounts)
    groups: dict[str, dict[str, LabelCounts]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """All counts as JSON values."""
        parts = {
            name: {key: counts.to_json() for key, counts in group.items()}
            for name, group in self.groups.items()
        }
        return {"overall": self.overall.to_json(), **parts}


def evaluate_pairs(
    data: Path,
    judge: NamedJudge,
    *,
    output: Path | None = None,
    errors: Path | None = None,
    limit: int | None = None,
) -> dict[str, Any]:
    """Judge labelled pairs, print tables; returns the figures as JSON values.

    Args:
        data: rows of premise, hypothesis, label and genre.
        judge: what gives the labels.
        output: a file for the figures: counts, right and unanswered ones and accuracy,
            overall and by depth, direction, both, replacement function, and outermost and
            innermost quantifier of the premise (`few > no`, or `few` where there is one).
        errors: a file for the pairs that are not right: line, genre, gold label, answer
            (`-` where there is none), premise and hypothesis, separated by tabs.
        limit: only so many rows, from the first.

    Raises:
        CorpusError, InputError: before anything is printed or written.
    """
    with ExitStack() as stack:
        output_file = stack.enter_context(replacing(output)) if output is not None else None
        errors_file = stack.enter_context(replacing(errors)) if errors is not None else None
        pairs = read_pairs(data, limit)
        started = time.perf_counter()
        answers = judge.judge([(pair.premise, pair.hypothesis) for pair in pairs])
        seconds = time.perf_counter() - started
        found = figures_of(pairs, answers)
        figures = {
            **found.to_json(),
            "judge": judge.name,
            **judge.about(data),
            "pairs_per_second": round(len(pairs) / max(seconds, 1e-9), 1),
        }
        if output_file is not None:
            json.dump(figures, output_file, ensure_ascii=False, indent=2)
            output_file.write("\n")
        if errors_file is not None:
            errors_file.writelines(_errors(pairs, answers))
    console = Console(markup=False, highlight=False)
    console.print(_table(f"accuracy in %, {judge.name}", found))
    console.print(_matrix(found.groups["quantifiers"]))
    console.print(
        f"{len(pairs) / max(seconds, 1e-9):.0f} pairs/s, "
        f"{found.overall.unanswered} without an answer",
        soft_wrap=True,
    )
    return figures


def judge_of(model: Path | None, *, parser: bool = False, device: str = "auto") -> NamedJudge:
    """The judge that a model folder holds; without one, natural logic over the grammar.

    Args:
        model: of a classifier, or of a parser of forms.
        parser: read with the package's parser where no model is named.
        device: where a classifier computes.

    Raises:
        ModelError: the folder is missing or damaged.
        InputError: its model is none of these, or a classifier with `parser`.
    """
    if model is not None and classifies(model):
        if parser:
            raise InputError(f"--parser: {model} is a classifier, which reads no forms")
        return _classifying(load_nli(model, device), model)
    if model is None and not parser:
        return NamedJudge("natural logic", _by_logic(Fragment().read, method_of(prover=False)))
    folder = package_data(DEFAULT_MODEL) if model is None else model
    judge = _by_logic(model_reading(folder), method_of(prover=False))
    return NamedJudge(
        "natural logic over a parser's forms",
        judge,
        lambda data: {"model": str(folder), **program_and_data(data)},
    )


def _classifying(model: NLIModel, folder: Path) -> NamedJudge:
    def judge(pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        found = model.judgements([(tokenize(one), tokenize(other)) for one, other in pairs])
        return [each.label if isinstance(each, Judgement) else None for each in found]

    return NamedJudge(
        model.system, judge, lambda data: provenance(model.config, model.data, folder, data)
    )


def _by_logic(reading: Reading, method: Method) -> Judge:
    def judge(pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        sentences = read_sentences(reading, [tokenize(text) for pair in pairs for text in pair])
        found: list[str | None] = []
        for one, other in zip(sentences[::2], sentences[1::2], strict=True):
            if isinstance(one, Sentence) and isinstance(other, Sentence):
                label = method(one, other).label
                found.append(None if label == UNKNOWN else label)
            else:
                found.append(None)
        return found

    return judge


def figures_of(pairs: Sequence[LabelledPair], answers: Sequence[str | None]) -> PairFigures:
    """The counts of some answers."""
    quantifiers = Quantifiers()
    found = PairFigures()
    names = ("depth", "direction", _BOTH, "function", "quantifiers")
    groups: dict[str, dict[str, LabelCounts]] = {name: {} for name in names}
    for pair, answer in zip(pairs, answers, strict=True):
        counts = label_counts(pair.label, answer)
        found.overall += counts
        depth = f"D{pair.depth}"
        keys = (
            depth,
            pair.direction,
            f"{depth} {pair.direction}",
            pair.function,
            _JOINT.join(quantifiers.ends(pair.premise)) or "none",
        )
        for name, key in zip(names, keys, strict=True):
            groups[name][key] = groups[name].get(key, LabelCounts()) + counts
    found.groups = {name: dict(sorted(group.items())) for name, group in groups.items()}
    return found


class Quantifiers:
    """Finds the quantifiers of the grammar in sentences."""

    def __init__(self) -> None:
        library = load_library("monotonicity")
        self._multiword = Multiword.of_grammar(library)
        self._names = {
            "_".join(value(Derivation(rule), "string", STRING))
            for rule in library.grammar.rules
            if rule.parent.startswith(("Upward_", "Downward_"))
        }

    def ends(self, text: str) -> tuple[str, ...]:
        """The first and the last one, one alone if there are no two, from left to right."""
        tokens, _ = self._multiword.joined(tokenize(text))
        found = [token.replace("_", " ") for token in tokens if token in self._names]
        return (found[0], found[-1]) if len(found) > 1 else tuple(found)


def _errors(pairs: Sequence[LabelledPair], answers: Sequence[str | None]) -> Iterator[str]:
    for pair, answer in zip(pairs, answers, strict=True):
        if answer != pair.label:
            columns = (str(pair.line), pair.genre, pair.label, answer or _NO_ANSWER)
            yield "\t".join((*columns, pair.premise, pair.hypothesis)) + "\n"


def _table(title: str, figures: PairFigures) -> Table:
    table = Table(title=title)
    table.add_column("pairs", overflow="fold")
    for column in ("count", "accuracy", "no answer"):
        table.add_column(column, justify="right", no_wrap=True)
    directions = {UP: "upward", DOWN: "downward"}
    for name, group in figures.groups.items():
        # With one depth they say the same as directions.
        if name == "quantifiers" or (name == _BOTH and len(figures.groups["depth"]) == 1):
            continue
        for key, counts in group.items():
            table.add_row(directions.get(key, key), *_cells(counts))
        table.add_section()
    table.add_row("overall", *_cells(figures.overall), style="bold")
    return table


def _cells(counts: LabelCounts) -> tuple[str, str, str]:
    return str(counts.count), percent(counts.right, counts.count), str(counts.unanswered)


def _matrix(group: Mapping[str, LabelCounts]) -> Table:
    """A row an outermost quantifier, a column an innermost one."""
    pairs = {key: (key.partition(_JOINT)[0], key.partition(_JOINT)[2] or _ALONE) for key in group}
    table = Table(title="accuracy in %: outermost quantifier, innermost one")
    table.add_column("", overflow="fold")
    inner = sorted({column for _, column in pairs.values()}, key=lambda c: (c != _ALONE, c))
    for column in inner:
        table.add_column(column, justify="right")
    for row in sorted({row for row, _ in pairs.values()}):
        cells = []
        for column in inner:
            found = [group[key] for key, place in pairs.items() if place == (row, column)]
            cells.append(percent(found[0].right, found[0].count) if found else "")
        table.add_row(row, *cells)
    return table
