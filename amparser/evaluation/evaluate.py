"""Comparing the answers of a model with gold, by decoder, tag and measure."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amparser.algebra.operations import IGNORE
from amparser.amtree.evaluate import problems
from amparser.amtree.tree import AMTree, is_projective
from amparser.corpora.example import Example
from amparser.corpora.splits import chunks
from amparser.errors import InputError
from amparser.evaluation.gold import labelled, notation_of
from amparser.evaluation.hooks import BenchmarkHooks
from amparser.evaluation.metric import Count, Metric
from amparser.evaluation.metric_registry import METRICS
from amparser.learn.system import CHUNK_SIZE, Model
from amparser.notations.notation import Notation
from amparser.results import Result

OVERALL = ""
"""The tag that all examples have."""

ANSWERING = "answering"
"""The step of a model that names no steps."""

_NUMBERED = re.compile(r"([^\W\d]+) (\d{1,9})")

Counts = Mapping[str, Count]
"""Counts by measure."""

OnCount = Callable[[int, int], None]
"""Called with how many examples are done, and with their total."""


@dataclass
class Answers:
    """The answers of one decoder to the examples.

    Attributes:
        results: in the order of the examples.
        counts: each result compared with its example, by measure.
        seconds: wall-clock time of each step, without reading and comparing.
    """

    results: list[Result] = field(default_factory=list)
    counts: list[dict[str, Count]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def sentences_per_second(self) -> float:
        """Sentences answered per second, over all steps."""
        return len(self.results) / max(sum(self.seconds.values()), 1e-9)

    @property
    def failure_count(self) -> int:
        """The number of sentences without an answer."""
        return sum(result.failure is not None for result in self.results)

    def milliseconds(self, step: str) -> float:
        """The mean time of a step per sentence."""
        return 1000 * self.seconds[step] / max(len(self.results), 1)

    @property
    def tree_count(self) -> int:
        """The number of answers with trees."""
        return sum(result.tree is not None for result in self.results)

    def share_of_trees(self, *, projective: bool | None = None) -> float:
        """The share of trees that are well typed, or (non-)projective."""
        trees = [result.tree for result in self.results if result.tree is not None]
        if projective is None:
            wanted = sum(not problems(tree) for tree in trees)
        else:
            wanted = sum(tree_is_projective(tree) == projective for tree in trees)
        return wanted / max(len(trees), 1)

    def figures(self) -> dict[str, Any]:
        """Speed, failures and shares of trees, as JSON values."""
        found: dict[str, Any] = {"failures": self.failure_count}
        if self.seconds:
            found["sentences_per_second"] = round(self.sentences_per_second, 1)
            found["milliseconds"] = {s: round(self.milliseconds(s), 3) for s in self.seconds}
        if self.tree_count:
            found["non_projective"] = self.share_of_trees(projective=False)
            found["well_typed"] = self.share_of_trees()
        return found


@dataclass
class Evaluation:
    """Examples with the answers of each decoder.

    Attributes:
        examples: the gold examples.
        metrics: the names of the metrics that were measured.
        notation: the notation of the meanings; None for graphs and labels.
        unmeasured: the usual metrics of the notation that cannot judge here, each
            with the reason.
        answers: the answers of each decoder, in the order asked for.
    """

    examples: Sequence[Example]
    metrics: tuple[str, ...]
    notation: Notation | None
    unmeasured: Mapping[str, str] = field(default_factory=dict)
    answers: dict[str, Answers] = field(default_factory=dict)

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of all figures, in the order of the metrics."""
        return tuple(measure for name in self.metrics for measure in METRICS[name].measures)

    def table(self, decoder: str) -> dict[str, dict[str, Count]]:
        """The counts of a decoder by tag and measure; the tag "" counts all examples."""
        return by_tag([example.tags for example in self.examples], self.answers[decoder].counts)

    def counts_of_examples(self) -> dict[str, int]:
        """The number of examples of each tag; "" has all."""
        ones = [{"": Count(1, 1)}] * len(self.examples)
        table = by_tag([example.tags for example in self.examples], ones)
        return {tag: int(counts[""].denominator) for tag, counts in table.items()}

    def to_json(self) -> dict[str, Any]:
        """All figures as JSON values: `overall` and `tags` of each decoder, speed, failures."""
        return {
            "count": len(self.examples),
            "tags": {tag: n for tag, n in self.counts_of_examples().items() if tag},
            "metrics": list(self.metrics),
            "unmeasured": dict(self.unmeasured),
            "decoders": {
                decoder: {
                    "overall": counts_to_json(table.pop(OVERALL)),
                    "tags": {tag: counts_to_json(counts) for tag, counts in table.items()},
                    **answers.figures(),
                }
                for decoder, answers in self.answers.items()
                for table in [self.table(decoder)]
            },
        }


def evaluate(
    model: Model,
    examples: Sequence[Example],
    *,
    metrics: Sequence[str] | None = None,
    decoders: Sequence[str] = (),
    benchmark: BenchmarkHooks | None = None,
    on_progress: OnCount | None = None,
) -> Evaluation:
    """Ask a model and compare its answers with gold.

    Args:
        model: any trained model.
        examples: the gold examples, with tags (`amparser.evaluation.gold.read_gold`).
        metrics: names of `METRICS`; by default those of the notation that can judge here, or
            `label` for labels; and `malformed` if the model writes texts.
        decoders: names of the model's searches; by default its first. Work that they share is
            done once.
        benchmark: may define how a model's answers become those of its examples.
        on_progress: called after each chunk with how many examples are done, and their total.

    Raises:
        InputError: there is no such metric or decoder, or a metric cannot judge these answers.
    """
    names = tuple(dict.fromkeys(decoders)) or model.decoders[:1]
    evaluation = _prepared(examples, None if labelled(examples) else notation_of(model), metrics)
    evaluation.answers = ask(model, examples, names, benchmark=benchmark, on_progress=on_progress)
    written = any(r.output is not None for a in evaluation.answers.values() for r in a.results)
    if metrics is None and written and evaluation.notation is not None:
        evaluation.metrics = (*evaluation.metrics, "malformed")
    for answers in evaluation.answers.values():
        answers.counts = compared(evaluation, answers.results)
    return evaluation


def score(
    examples: Sequence[Example],
    results: Sequence[Result],
    notation: Notation | None,
    *,
    metrics: Sequence[str] | None = None,
    name: str = "predictions",
) -> Evaluation:
    """Compare existing answers (`read_predictions`) with gold.

    Args:
        examples: the gold examples.
        results: an answer to each example, in order.
        notation: the notation of the meanings; None for graphs and labels.
        metrics: see `evaluate`.
        name: takes the place of the decoder's name.

    Raises:
        InputError: there is no such metric, or it cannot judge these answers.
    """
    evaluation = _prepared(examples, None if labelled(examples) else notation, metrics)
    evaluation.answers = {name: Answers(list(results), compared(evaluation, results))}
    return evaluation


def ask(
    model: Model,
    examples: Sequence[Example],
    decoders: Sequence[str],
    *,
    benchmark: BenchmarkHooks | None = None,
    on_progress: OnCount | None = None,
) -> dict[str, Answers]:
    """The answers of each decoder; a sentence that the model cannot take is a failure.

    Raises:
        InputError: there is no such decoder.
    """
    found = {decoder: Answers() for decoder in decoders}
    hook = None if benchmark is None else benchmark.answers
    if hook is None and examples:
        # The first call of a search loads or compiles it, which is no sentence's time.
        _answered(model, examples[:1], decoders, {})
    done = 0
    for chunk in chunks(examples, CHUNK_SIZE, lambda example: len(example.tokens)):
        seconds: dict[str, float] = {}
        started = time.perf_counter()
        results: Mapping[str, list[Result]] = (
            _answered(model, chunk, decoders, seconds)
            if hook is None
            else hook(model, chunk, decoders)
        )
        if not seconds:
            seconds[ANSWERING] = (time.perf_counter() - started) / max(len(decoders), 1)
        for decoder, answers in found.items():
            answers.results += results[decoder]
            for step, spent in _of_decoder(seconds, decoder, decoders).items():
                answers.seconds[step] = answers.seconds.get(step, 0.0) + spent
        if on_progress is not None:
            done += len(chunk)
            on_progress(done, len(examples))
    return found


def flips(
    evaluation: Evaluation, left: str, right: str, measure: str = "exact"
) -> tuple[list[Example], list[Example]]:
    """The examples that only the left decoder gets right, and those that only the other does."""
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


def compared(evaluation: Evaluation, results: Sequence[Result]) -> list[dict[str, Count]]:
    """Each result compared with its example, by all metrics of an evaluation."""
    chosen = [METRICS[name] for name in evaluation.metrics]
    return [
        {
            measure: count
            for metric in chosen
            for measure, count in metric.compare(evaluation.notation, gold, result).items()
        }
        for gold, result in zip(evaluation.examples, results, strict=True)
    ]


def chosen_metrics(
    names: Sequence[str] | None, notation: Notation | None, *, labels: bool = False
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The metrics that were asked for, or those of a notation; and why others are left out.

    Raises:
        InputError: there is no such metric, or a metric that was asked for cannot judge.
    """
    if names is None:
        usual = ("label",) if labels else ("match",) if notation is None else notation.metrics
        reasons = {name: reason for name in usual if (reason := METRICS[name].problem(notation))}
        return tuple(name for name in usual if name not in reasons), reasons
    asked = tuple(dict.fromkeys(names))
    for name in asked:
        metric: Metric = METRICS[name]
        reason = metric.problem(notation)
        if reason is not None:
            raise InputError(f"metric {name}: {reason}")
    return asked, {}


def by_tag(
    tags: Sequence[tuple[str, ...]], counts: Sequence[Mapping[str, Count]]
) -> dict[str, dict[str, Count]]:
    """Counts added up over all examples (the tag "") and over those of each tag.

    Tags are ordered by their position: all first tags of examples, then all second ones. Those
    of one position are ordered by number if they are one word before a number, as `length 5-8`.

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
    """Counts with their shares, as JSON values."""
    return {
        measure: {
            "share": count.share,
            "numerator": count.numerator,
            "denominator": count.denominator,
        }
        for measure, count in counts.items()
    }


def tree_is_projective(tree: AMTree) -> bool:
    """Whether no two arcs cross, including the root's, without ignored tokens."""
    return is_projective([-1 if e.operation == IGNORE else e.head for e in tree.entries])


def _prepared(
    examples: Sequence[Example], notation: Notation | None, metrics: Sequence[str] | None
) -> Evaluation:
    chosen, unmeasured = chosen_metrics(metrics, notation, labels=labelled(examples))
    return Evaluation(examples, chosen, notation, unmeasured)


def _answered(
    model: Model,
    examples: Sequence[Example],
    decoders: Sequence[str],
    seconds: dict[str, float],
) -> dict[str, list[Result]]:
    faults = [model.problem(example.tokens) for example in examples]
    taken = [e.tokens for e, fault in zip(examples, faults, strict=True) if fault is None]
    answers = model.answers(taken, decoders, seconds=seconds)
    found = {}
    for decoder in decoders:
        others = iter(answers[decoder])
        found[decoder] = [
            next(others) if fault is None else Result(example.tokens, failure=fault)
            for example, fault in zip(examples, faults, strict=True)
        ]
    return found


def _of_decoder(
    seconds: Mapping[str, float], decoder: str, decoders: Sequence[str]
) -> dict[str, float]:
    """The steps of one decoder (`STEP DECODER`) and those that all share."""
    found: dict[str, float] = {}
    for step, spent in seconds.items():
        name, _, of = step.rpartition(" ")
        if of not in decoders:
            found[step] = spent
        elif of == decoder:
            found[name] = spent
    return found


def _is_right(counts: Counts, measure: str) -> bool:
    count = counts.get(measure)
    return count is not None and count.share == 1
