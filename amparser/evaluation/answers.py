"""The answers of a model to examples, chunk by chunk, and what is kept of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from amparser.algebra.evaluate import problems
from amparser.algebra.operations import IGNORE
from amparser.algebra.tree import AMTree, is_projective
from amparser.corpora.example import Example
from amparser.corpora.splits import chunks
from amparser.corpora.splitting import Splitting
from amparser.corpora.tokens import tokenize
from amparser.evaluation.benchmark import Answering, Benchmark
from amparser.evaluation.metric import Count
from amparser.learn.system import CHUNK_SIZE, Model, tokenizer_of
from amparser.processes import mapped
from amparser.results import Result

ANSWERING = "answering"
"""The step of a model that names no steps."""

OnCount = Callable[[int, int], None]
"""Called with how many examples are done, and with their total."""

Measure = Callable[[Sequence[Example], Sequence[Result]], list[dict[str, Count]]]
"""Compares results with their examples."""

_STRICTEST = ("exact", "label", "graph")


def tree_is_projective(tree: AMTree) -> bool:
    """Whether no two arcs cross, including the root's, without ignored tokens."""
    return is_projective([-1 if e.operation == IGNORE else e.head for e in tree.entries])


class Tally(NamedTuple):
    """How many results have a failure, a tree, a well-typed tree, one with crossing edges."""

    failures: int = 0
    trees: int = 0
    well_typed: int = 0
    crossing: int = 0

    def plus(self, other: Tally) -> Tally:
        """The sums of both."""
        return Tally(*map(sum, zip(self, other, strict=True)))


def tally_of(results: Sequence[Result], *, check_trees: bool = True) -> Tally:
    """What is known of results; without a check of trees all have the right form."""
    failures = sum(result.failure is not None for result in results)
    if not check_trees:
        count = sum(result.has_tree for result in results)
        return Tally(failures, count, count, 0)
    trees = [result.tree for result in results if result.tree is not None]
    return Tally(
        failures,
        len(trees),
        sum(not problems(tree) for tree in trees),
        sum(not tree_is_projective(tree) for tree in trees),
    )


DROPPED = Result(())
"""Stands for a result that is not kept."""

Keep = Literal["all", "wrong", "none"]
"""Which results an evaluation keeps; each takes some kilobytes."""


@dataclass
class Answers:
    """The answers of one decoder to the examples.

    Attributes:
        results: in the order of the examples; `DROPPED` in the place of those that are not kept.
        counts: each result compared with its example, by measure.
        seconds: wall-clock time of each step, without reading and comparing. What several
            processes do at the same time counts once.
        tally: what is known of all results; None if all are kept.
    """

    results: list[Result] = field(default_factory=list)
    counts: list[dict[str, Count]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    outputs: int = 0
    tally: Tally | None = None

    @property
    def _tally(self) -> Tally:
        return tally_of(self.results) if self.tally is None else self.tally

    @property
    def sentences_per_second(self) -> float:
        """Sentences answered per second, over all steps."""
        return len(self.results) / max(sum(self.seconds.values()), 1e-9)

    @property
    def failure_count(self) -> int:
        """The number of sentences without an answer."""
        if self.tally is not None:
            return self.tally.failures
        return sum(result.failure is not None for result in self.results)

    def milliseconds(self, step: str) -> float:
        """The mean time of a step per sentence."""
        return 1000 * self.seconds[step] / max(len(self.results), 1)

    @property
    def tree_count(self) -> int:
        """The number of answers with trees."""
        if self.tally is not None:
            return self.tally.trees
        return sum(result.has_tree for result in self.results)

    def share_of_trees(self, *, projective: bool | None = None) -> float:
        """The share of trees that are well typed, or (non-)projective."""
        tally = self._tally
        crossing = tally.trees - tally.crossing if projective else tally.crossing
        wanted = tally.well_typed if projective is None else crossing
        return wanted / max(tally.trees, 1)

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

    def add(
        self,
        new: _Answered,
        known: dict[tuple[tuple[str, Count], ...], dict[str, Count]],
        processes: int,
    ) -> None:
        """Add the answers to the next chunk; equal counts become one object (`known`)."""
        # Results that come from another process are not the placeholder itself.
        self.results += [DROPPED if result == DROPPED else result for result in new.results]
        self.counts += [known.setdefault(tuple(row.items()), row) for row in new.counts]
        for step, spent in new.seconds.items():
            self.seconds[step] = self.seconds.get(step, 0.0) + spent / processes
        self.outputs += new.outputs
        if new.tally is not None:
            self.tally = new.tally if self.tally is None else self.tally.plus(new.tally)

    def join(self, other: Answers) -> None:
        """Add the answers to further examples."""
        self.results += other.results
        self.counts += other.counts
        for step, spent in other.seconds.items():
            self.seconds[step] = self.seconds.get(step, 0.0) + spent
        self.outputs += other.outputs
        if self.tally is not None and other.tally is not None:
            self.tally = self.tally.plus(other.tally)


class _Answered(NamedTuple):
    """What is known of the answers of a decoder to a chunk of examples."""

    results: list[Result]
    counts: list[dict[str, Count]]
    seconds: dict[str, float]
    outputs: int
    tally: Tally | None


def ask(
    model: Model,
    examples: Sequence[Example],
    decoders: Sequence[str],
    *,
    benchmark: Benchmark | None = None,
    on_progress: OnCount | None = None,
    measure: Measure | None = None,
    keep: Keep = "all",
    check_trees: bool = True,
    processes: int = 1,
) -> dict[str, Answers]:
    """The answers of each decoder; a sentence that the model cannot take is a failure.

    Options are those of `amparser.evaluation.evaluate.evaluate`; `measure` compares each result,
    and what is wrong is known only with it.

    Raises:
        InputError: there is no such decoder.
        ProcessError: a process died.
    """
    hook = None if benchmark is None else benchmark.answers
    if hook is None and examples:
        # The first call of a search loads or compiles it, which is no sentence's time.
        answers_of(model, examples[:1], decoders)

    def answered(positions: list[int]) -> list[dict[str, _Answered]]:
        chunk = [examples[i] for i in positions]
        results, seconds = _timed_answers(model, chunk, decoders, hook)
        return [
            {
                decoder: _kept(
                    results[decoder],
                    [] if measure is None else measure(chunk, results[decoder]),
                    _of_decoder(seconds, decoder, decoders),
                    keep,
                    check_trees=check_trees,
                )
                for decoder in decoders
            }
        ]

    found = {decoder: Answers() for decoder in decoders}
    known: dict[tuple[tuple[str, Count], ...], dict[str, Count]] = {}
    done = 0
    parts = chunks(range(len(examples)), CHUNK_SIZE, lambda i: len(examples[i].tokens))
    for positions, [of_chunk] in mapped(answered, parts, processes):
        for decoder, new in of_chunk.items():
            found[decoder].add(new, known, processes)
        if on_progress is not None:
            done += len(positions)
            on_progress(done, len(examples))
    return found


def _timed_answers(
    model: Model, chunk: Sequence[Example], decoders: Sequence[str], hook: Answering | None
) -> tuple[Mapping[str, list[Result]], dict[str, float]]:
    """The results of each decoder, and the time of each step."""
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
    """Whether the answer is right by the strictest measure."""
    first = next((counts[measure] for measure in _STRICTEST if measure in counts), None)
    if first is None:
        return all(count.share in (None, 1) for count in counts.values())
    return first.share == 1


def _kept(
    results: list[Result],
    counts: list[dict[str, Count]],
    seconds: dict[str, float],
    keep: Keep,
    *,
    check_trees: bool,
) -> _Answered:
    """The answers to a chunk, without the results that nobody wants."""
    outputs = sum(result.output is not None for result in results)
    if keep == "all":
        return _Answered(results, counts, seconds, outputs, None)
    tally = tally_of(results, check_trees=check_trees)
    if keep == "wrong":
        pairs = zip(results, counts, strict=True)
        kept = [DROPPED if is_exact(of_one) else result for result, of_one in pairs]
    else:
        kept = [DROPPED] * len(results)
    return _Answered(kept, counts, seconds, outputs, tally)


def _is_text(example: Example) -> bool:
    """Whether a sentence is text whose tokens nobody has chosen."""
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
    """The results of each decoder; of a sentence that the model cannot take, a failure.

    A sentence is split as raw text is for the model if the model learned from raw text, or if the
    example has the text and no other tokens than any text has. `seconds`: see `Model.answers`.
    """
    splitting = tokenizer_of(model)
    raw = isinstance(splitting, Splitting) and splitting.raw
    sentences = [
        tuple(splitting(example.raw)) if raw or _is_text(example) else example.tokens
        for example in examples
    ]
    faults = [model.problem(sentence) for sentence in sentences]
    taken = [one for one, fault in zip(sentences, faults, strict=True) if fault is None]
    answers = model.answers(taken, decoders, seconds=seconds)
    found = {}
    for decoder in decoders:
        others = iter(answers[decoder])
        found[decoder] = [
            next(others) if fault is None else Result(sentence, failure=fault)
            for sentence, fault in zip(sentences, faults, strict=True)
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
