"""Gold examples, and files of answers to them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

from amparser.corpora.example import Example
from amparser.corpora.formats import suffixes
from amparser.corpora.reading import iterate_examples, numbered_lines
from amparser.corpora.splits import split_files
from amparser.corpora.tokens import letters_of
from amparser.errors import CorpusError, LogicError, located
from amparser.evaluation.benchmark import Benchmark
from amparser.learn.system import Model
from amparser.limits import MAX_TOKENS
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS
from amparser.results import Result

PAIR = "\t"
"""Token between the premise and the hypothesis of a pair, whose meaning is a label."""


def read_gold(
    path: Path,
    answering: Model | Notation | None,
    benchmark: Benchmark | None = None,
    limit: int | None = None,
    faults: list[str] | None = None,
) -> list[Example]:
    """Return the examples of a data file that have a well-formed meaning, with their tags.

    Args:
        path: the file.
        answering: model to evaluate, or notation of the answers.
        benchmark: benchmark that gives the tags; without it, they come from the file.
        limit: maximum number of examples.
        faults: list to which `FILE:LINE: REASON` is added for each malformed example. Without it,
            or if the benchmark reads the file, a malformed example is an error.

    Raises:
        CorpusError: an example is malformed, or no example is valid; the message names file, line
            and the expected input.
    """
    if path.is_dir():
        raise CorpusError(located(f"a folder, expected one of its files{_files(path)}", path=path))
    if benchmark is not None and benchmark.read is not None:
        examples = benchmark.read(path, limit)
    else:
        examples = list(islice(iterate_examples(path, faults), limit))
    return well_formed(path, examples, answering, benchmark, faults)


def well_formed(
    path: Path,
    examples: Sequence[Example],
    answering: Model | Notation | None,
    benchmark: Benchmark | None = None,
    faults: list[str] | None = None,
) -> list[Example]:
    """Return the examples of a file that have a well-formed meaning, with tags; see `read_gold`."""
    notation = notation_of(answering)
    if labelled(examples):
        return [_tagged(example, benchmark) for example in examples]
    graphs_only = answering is not None and notation is None
    read = []
    for example in examples:
        fault = _fault(example, notation, graphs_only=graphs_only)
        if fault is None:
            read.append(_tagged(example, benchmark))
            continue
        fault = located(fault, path=path, line=example.line or None)
        if faults is None:
            raise CorpusError(fault)
        faults.append(fault)
    if not read:
        empty = located("empty, expected sentences with their meanings", path=path)
        raise CorpusError(next(iter(faults or ()), empty))
    return read


def _files(folder: Path) -> str:
    with suppress(CorpusError):
        return ": " + ", ".join(
            str(path.relative_to(folder)) for path in split_files(folder).values()
        )
    return ""


def _tagged(example: Example, benchmark: Benchmark | None) -> Example:
    return example if benchmark is None else replace(example, tags=benchmark.tags(example))


def notation_of(answering: Model | Notation | None) -> Notation | None:
    """Return the notation of a model's answers, or None for graphs, trees and labels."""
    if answering is None or isinstance(answering, Notation):
        return answering
    return NOTATIONS[answering.notation] if answering.notation else None


def labelled(examples: Sequence[Example]) -> bool:
    """Return whether the examples are pairs of sentences, whose meanings are labels."""
    return any(PAIR in example.tokens for example in examples)


def read_predictions(path: Path, examples: Sequence[Example]) -> list[Result]:
    """Return the answers in a file, one per example, in order; an empty line is a missing answer.

    A corpus file has the sentences of the examples, perhaps tokenized differently. Any other file
    has one answer per line. Raises CorpusError if the file cannot be read, the number of answers is
    wrong, or a sentence differs; the message names file and line.
    """
    if path.name.endswith(suffixes()):
        items = iterate_examples(path)
    else:
        items = (Example((), line.strip(), line=number) for number, line in numbered_lines(path))
    answers = list(islice(items, len(examples) + 1))
    for item, example in zip(answers, examples, strict=False):
        if item.tokens and not _similar(item.tokens, example.tokens):
            expected = f"expected the sentence {example.sentence!r}, found {item.sentence!r}"
            raise CorpusError(located(expected, path=path, line=item.line))
    if (count := len(answers)) != len(examples):
        number = "more" if count > len(examples) else str(count)
        raise CorpusError(located(f"expected {len(examples)} answers, found {number}", path=path))
    return [
        Result(
            example.tokens,
            item.meaning or None,
            tree=item.tree,
            graph=item.graph,
            failure=None if item.meaning or item.graph is not None else "no answer",
        )
        for item, example in zip(answers, examples, strict=True)
    ]


def _similar(sentence: Sequence[str], expected: Sequence[str]) -> bool:
    """Return whether one sentence contains the other; only letters and digits are compared."""
    left, right = (letters_of("".join(words)) for words in (sentence, expected))
    if not left or not right:
        return tuple(sentence) == tuple(expected)
    return left in right or right in left


def _fault(example: Example, notation: Notation | None, *, graphs_only: bool = False) -> str | None:
    if len(example.tokens) > MAX_TOKENS:
        return f"{len(example.tokens)} tokens, expected at most {MAX_TOKENS}"
    if graphs_only and example.graph is None and example.tree is None:
        return "the model answers with graphs: expected a graph or a tree, or --notation NAME"
    if notation is None or example.meaning is None:
        known = example.graph is not None or example.tree is not None or example.meaning
        return None if known else "expected a meaning"
    try:
        notation.read(example.meaning)
    except LogicError as error:
        return str(error)
    return None
