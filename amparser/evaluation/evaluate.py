"""Comparison of a model's answers with gold, by decoder, tag and measure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from amparser.corpora.example import Example
from amparser.errors import InputError
from amparser.evaluation.answers import Answers, OnCount, ask
from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.gold import labelled, notation_of
from amparser.evaluation.metric import OVERALL, Count, Metric
from amparser.evaluation.metric_registry import METRICS
from amparser.evaluation.metrics.match import MEASURE as MALFORMED
from amparser.learn.parts import Part, weakest_parts
from amparser.learn.system import Model
from amparser.notations.notation import Notation, Unordered
from amparser.results import Result

_NUMBERED = re.compile(r"([^\W\d]+) (\d{1,9})")

_USUAL = ("and", "or", "intersect", "intersection", "union")
"""Functions whose arguments have no order in any corpus."""

Counts = Mapping[str, Count]
"""Counts by measure."""


@dataclass
class Evaluation:
    """Gold examples, the answers of each decoder, and their figures.

    Attributes:
        notation: notation of the meanings, or None for graphs and labels.
        answers: answers of each decoder, by its name.
        unmeasured: why a default metric of the notation cannot be used, by the metric's name.
        faults: malformed examples of the gold file, which are skipped, as `FILE:LINE: REASON`.
    """

    examples: Sequence[Example]
    metrics: tuple[str, ...]
    notation: Notation | None
    unmeasured: Mapping[str, str] = field(default_factory=dict)
    answers: dict[str, Answers] = field(default_factory=dict)
    faults: Sequence[str] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of all measures, in the order of the metrics."""
        return tuple(measure for name in self.metrics for measure in METRICS[name].measures)

    def table(self, decoder: str) -> dict[str, dict[str, Count]]:
        """Return the counts of a decoder by tag and measure; the tag "" stands for all examples."""
        return by_tag([example.tags for example in self.examples], self.answers[decoder].counts)

    def counts_of_examples(self) -> dict[str, int]:
        """Return the number of examples of each tag; the tag "" stands for all examples."""
        ones = [{"": Count(1, 1)}] * len(self.examples)
        table = by_tag([example.tags for example in self.examples], ones)
        return {tag: int(counts[""].denominator) for tag, counts in table.items()}

    def rows(self, columns: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, list[str]]]:
        """Yield each tag, its number of examples, and percentages for the columns of a table.

        A column is a pair of decoder and measure. The last tag is "", which stands for all
        examples.
        """
        tables = {decoder: self.table(decoder) for decoder, _ in columns}
        counts = self.counts_of_examples()
        counts[OVERALL] = counts.pop(OVERALL)
        for tag, count in counts.items():
            shares = [percent(tables[decoder][tag].get(measure)) for decoder, measure in columns]
            yield tag, str(count), shares

    def weakest_parts(self, decoder: str) -> list[Part]:
        """Return the functions and keys with most errors; empty unless `notation.generic`."""
        if self.notation is None or not self.notation.generic:
            return []
        pairs = zip(self.examples, self.answers[decoder].results, strict=True)
        return weakest_parts(pairs, self.notation)

    def to_json(self) -> dict[str, Any]:
        """Return all figures as JSON values."""
        return {
            "count": len(self.examples),
            "tags": {tag: n for tag, n in self.counts_of_examples().items() if tag},
            "metrics": list(self.metrics),
            "unmeasured": dict(self.unmeasured),
            "left_out": list(self.faults),
            "decoders": {
                decoder: {
                    "overall": counts_to_json(table.pop(OVERALL)),
                    "tags": {tag: counts_to_json(counts) for tag, counts in table.items()},
                    **answers.figures(),
                    "weakest": [part._asdict() for part in self.weakest_parts(decoder)],
                }
                for decoder, answers in self.answers.items()
                for table in [self.table(decoder)]
            },
        }


def percent(count: Count | None) -> str:
    """Return a share in percent with one decimal; empty if its denominator is 0."""
    return "" if count is None or count.share is None else f"{100 * count.share:.1f}"


def evaluate(
    model: Model,
    examples: Sequence[Example],
    *,
    metrics: Sequence[str] | None = None,
    decoders: Sequence[str] = (),
    benchmark: Benchmark | None = None,
    unordered: Sequence[str] = (),
    on_progress: OnCount | None = None,
    processes: int = 1,
) -> Evaluation:
    """Compare a model's answers with gold; arguments and errors as in `amparser.evaluate`."""
    names = tuple(dict.fromkeys(decoders)) or model.decoders[:1]
    known = getattr(getattr(model, "head", None), "unordered", None)
    notation = _comparing(notation_of(model), examples, unordered, known)
    evaluation = _prepared(examples, notation, metrics)
    chosen = evaluation.metrics
    if metrics is None and evaluation.notation is not None:
        chosen = (*chosen, MALFORMED)
    evaluation.answers = ask(
        model,
        examples,
        names,
        benchmark=benchmark,
        on_progress=on_progress,
        measure=partial(measured, chosen, evaluation.notation),
        processes=processes,
    )
    if any(answers.has_outputs for answers in evaluation.answers.values()):
        evaluation.metrics = chosen
    return evaluation


def score(
    examples: Sequence[Example],
    results: Sequence[Result],
    notation: Notation | None,
    *,
    metrics: Sequence[str] | None = None,
    unordered: Sequence[str] = (),
    name: str = "predictions",
) -> Evaluation:
    """Compare the answers in a file (`read_predictions`) with gold; see `amparser.api.score`."""
    evaluation = _prepared(examples, _comparing(notation, examples, unordered), metrics)
    counts = measured(evaluation.metrics, evaluation.notation, examples, results)
    evaluation.answers = {name: Answers(list(results), counts)}
    return evaluation


def flips(
    evaluation: Evaluation, left: str, right: str, measure: str = "exact"
) -> tuple[list[Example], list[Example]]:
    """Return the examples that only `left` answers correctly, and those that only `right` does."""
    pairs = [
        (example, _is_right(a, measure), _is_right(b, measure))
        for example, a, b in zip(
            evaluation.examples,
            evaluation.answers[left].counts,
            evaluation.answers[right].counts,
            strict=True,
        )
    ]
    return [e for e, a, b in pairs if a and not b], [e for e, a, b in pairs if b and not a]


def measured(
    metrics: Sequence[str],
    notation: Notation | None,
    examples: Sequence[Example],
    results: Sequence[Result],
) -> list[dict[str, Count]]:
    """Return the counts of each result by measure."""
    chosen = [METRICS[name] for name in metrics]
    return [
        {
            measure: count
            for metric in chosen
            for measure, count in metric.compare(notation, gold, result).items()
        }
        for gold, result in zip(examples, results, strict=True)
    ]


def chosen_metrics(
    names: Sequence[str] | None, notation: Notation | None, *, labels: bool = False
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the requested or default metrics, and why other default metrics cannot be used.

    Raises InputError if a requested metric does not exist or cannot be used for these answers.
    """
    if names is None:
        usual = ("label",) if labels else ("match",) if notation is None else notation.metrics
        reasons = {name: reason for name in usual if (reason := METRICS[name].problem(notation))}
        return tuple(name for name in usual if name not in reasons), reasons
    requested = tuple(dict.fromkeys(names))
    for name in requested:
        metric: Metric = METRICS[name]
        reason = metric.problem(notation)
        if reason is not None:
            raise InputError(f"metric {name}: {reason}")
    return requested, {}


def by_tag(
    tags: Sequence[tuple[str, ...]], counts: Sequence[Mapping[str, Count]]
) -> dict[str, dict[str, Count]]:
    """Sum counts over all examples (the tag "") and over the examples of each tag.

    The first tags of all examples come first, then all second tags, and so on. Tags such as
    `depth 2` are sorted by number if all tags in their position have a number.

    >>> one = {"exact": Count(1, 1)}
    >>> list(by_tag([("Num", "Neg"), ("Uni",)], [one, one]))
    ['', 'Num', 'Uni', 'Neg']
    """
    table: dict[str, dict[str, Count]] = {OVERALL: {}}
    for place in range(max(map(len, tags), default=0)):
        names = dict.fromkeys(of_one[place] for of_one in tags if place < len(of_one))
        table |= {name: {} for name in _by_number(list(names))}
    for of_one, by_measure in zip(tags, counts, strict=True):
        for tag in dict.fromkeys((OVERALL, *of_one)):
            sums = table[tag]
            for measure, count in by_measure.items():
                sums[measure] = sums.get(measure, Count()) + count
    return table


def _by_number(tags: list[str]) -> list[str]:
    matches = {tag: _NUMBERED.match(tag) for tag in tags}
    numbers = {tag: int(match[2]) for tag, match in matches.items() if match}
    words = {match[1] for match in matches.values() if match}
    numbered = len(numbers) == len(tags) and len(words) == 1
    return sorted(tags, key=lambda tag: numbers[tag]) if numbered else tags


def counts_to_json(counts: Counts) -> dict[str, Any]:
    """Return counts and their shares as JSON values."""
    return {
        measure: {
            "share": count.share,
            "numerator": count.numerator,
            "denominator": count.denominator,
        }
        for measure, count in counts.items()
    }


def _comparing(
    notation: Notation | None,
    examples: Sequence[Example],
    names: Sequence[str],
    known: Unordered | None = None,
) -> Notation | None:
    if notation is None or labelled(examples):
        return None
    rows = [
        (example.tokens, example.meaning) for example in examples if example.meaning is not None
    ]
    return notation.comparing(rows, (*_USUAL, *names), known)


def _prepared(
    examples: Sequence[Example], notation: Notation | None, metrics: Sequence[str] | None
) -> Evaluation:
    chosen, unmeasured = chosen_metrics(metrics, notation, labels=labelled(examples))
    return Evaluation(examples, chosen, notation, unmeasured)


def _is_right(counts: Counts, measure: str) -> bool:
    count = counts.get(measure)
    return count is not None and count.share == 1
