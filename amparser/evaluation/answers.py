"""Answers of a model to the sentences of examples, and the time that they take."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amparser.algebra.derivation import Derivation
from amparser.corpora.example import Example
from amparser.corpora.splitting import Splitting
from amparser.corpora.tokens import tokenize
from amparser.evaluation.benchmark import Answering, Benchmark
from amparser.evaluation.metric import Count
from amparser.learn.streaming import answered_by, batches
from amparser.learn.system import Model, tokenizer_of
from amparser.processes import mapped
from amparser.results import Result

ANSWERING = "answering"
"""Name of the single step of a model that does not time its steps separately."""

OnCount = Callable[[int, int], None]
"""Function called with the number of answered examples and the number of all examples."""

Measure = Callable[[Sequence[Example], Sequence[Result]], list[dict[str, Count]]]
"""Function that compares results with examples and returns the counts of each result."""

_STRICTEST = ("exact", "label", "graph")


@dataclass
class Answers:
    """Answers of one decoder to the examples.

    Attributes:
        results: the answer to each example.
        counts: counts of each result by measure.
        seconds: wall-clock seconds of each step, such as scoring, without reading and comparing.
            The time of parallel processes is not added up.
    """

    results: list[Result] = field(default_factory=list)
    counts: list[dict[str, Count]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def has_outputs(self) -> bool:
        """True if the model generates text, as sequence-to-sequence models do."""
        return any(result.output is not None for result in self.results)

    @property
    def sentences_per_second(self) -> float:
        """Sentences per second over all steps."""
        return len(self.results) / max(sum(self.seconds.values()), 1e-9)

    @property
    def failure_count(self) -> int:
        """Number of sentences without an answer."""
        return sum(result.failure is not None for result in self.results)

    def milliseconds(self, step: str) -> float:
        """Return the mean milliseconds per sentence that a step takes."""
        return 1000 * self.seconds[step] / max(len(self.results), 1)

    @property
    def trees(self) -> list[Derivation]:
        """AM dependency trees of the answers that have one."""
        return [result.tree for result in self.results if result.tree is not None]

    def shares_of_trees(self) -> dict[str, float]:
        """Return the share of non-projective trees and the share of well-typed trees."""
        if not (trees := self.trees):
            return {}
        return {
            "non_projective": sum(not tree.projective for tree in trees) / len(trees),
            "well_typed": sum(not tree.problems() for tree in trees) / len(trees),
        }

    def figures(self) -> dict[str, Any]:
        """Return speed, failures and shares of trees as JSON values."""
        figures: dict[str, Any] = {"failures": self.failure_count}
        if self.seconds:
            figures["sentences_per_second"] = round(self.sentences_per_second, 1)
            figures["milliseconds"] = {s: round(self.milliseconds(s), 3) for s in self.seconds}
        return figures | self.shares_of_trees()


def ask(
    model: Model,
    examples: Sequence[Example],
    decoders: Sequence[str],
    *,
    benchmark: Benchmark | None = None,
    on_progress: OnCount | None = None,
    measure: Measure | None = None,
    processes: int = 1,
) -> dict[str, Answers]:
    """Return the answers of each decoder; a sentence that the model cannot read is a failure.

    Raises:
        InputError: there is no such decoder.
        ProcessError: a process died.
    """
    hook = None if benchmark is None else benchmark.answers
    if hook is None and examples:
        # Answer one example first, so that the time to compile the search is not measured.
        answers_of(model, examples[:1], decoders)

    def answered(positions: list[int]) -> list[dict[str, Answers]]:
        chunk = [examples[i] for i in positions]
        results, seconds = _timed_answers(model, chunk, decoders, hook)
        return [
            {
                decoder: Answers(
                    results[decoder],
                    [] if measure is None else measure(chunk, results[decoder]),
                    _of_decoder(seconds, decoder, decoders),
                )
                for decoder in decoders
            }
        ]

    answers = {decoder: Answers() for decoder in decoders}
    done = 0
    parts = batches(range(len(examples)), lambda i: len(examples[i].tokens))
    for positions, [of_chunk] in mapped(answered, parts, processes):
        for decoder, new in of_chunk.items():
            whole = answers[decoder]
            whole.results += new.results
            whole.counts += new.counts
            for step, spent in new.seconds.items():
                whole.seconds[step] = whole.seconds.get(step, 0.0) + spent / processes
        if on_progress is not None:
            done += len(positions)
            on_progress(done, len(examples))
    return answers


def _timed_answers(
    model: Model, chunk: Sequence[Example], decoders: Sequence[str], hook: Answering | None
) -> tuple[Mapping[str, list[Result]], dict[str, float]]:
    seconds: dict[str, float] = {}
    started = time.perf_counter()
    if hook is None:
        results: Mapping[str, list[Result]] = answers_of(model, chunk, decoders, seconds)
    else:
        results = hook(model, chunk, decoders)
    if not seconds:
        seconds[ANSWERING] = (time.perf_counter() - started) / max(len(decoders), 1)
    return results, seconds


def is_exact(counts: Mapping[str, Count]) -> bool:
    """Return whether an answer is correct by the strictest measure."""
    first = next((counts[measure] for measure in _STRICTEST if measure in counts), None)
    if first is None:
        return all(count.share in (None, 1) for count in counts.values())
    return first.share == 1


def _is_text(example: Example) -> bool:
    return (
        example.text is not None
        and example.tree is None
        and example.tokens == tokenize(example.text)
    )


def answers_of(
    model: Model,
    examples: Sequence[Example],
    decoders: Sequence[str],
    seconds: dict[str, float] | None = None,
) -> dict[str, list[Result]]:
    """Return the results of each decoder; a sentence that the model cannot read is a failure.

    A model trained on raw text splits the raw text of each example. A model trained on tokens does
    so only if the default tokenizer splits the text into the tokens of the example; otherwise, it
    reads these tokens.
    For `seconds`, see `Model.answers`.
    """
    splitting = tokenizer_of(model)
    raw = isinstance(splitting, Splitting) and splitting.raw
    sentences = [
        tuple(splitting(example.raw)) if raw or _is_text(example) else example.tokens
        for example in examples
    ]
    return answered_by(model, sentences, decoders, seconds)


def _of_decoder(
    seconds: Mapping[str, float], decoder: str, decoders: Sequence[str]
) -> dict[str, float]:
    """Return the seconds of shared steps (`scoring`) and decoder steps (`decoding astar`)."""
    of_decoder: dict[str, float] = {}
    for step, spent in seconds.items():
        name, _, of = step.rpartition(" ")
        if of not in decoders:
            of_decoder[step] = spent
        elif of == decoder:
            of_decoder[name] = spent
    return of_decoder
