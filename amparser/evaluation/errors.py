"""The answers that are not exactly right, as texts to look through.

Answers with trees are AM-CoNLL, two blocks each: the gold tree and the predicted one. Others
are lines: line, tags, fault, sentence, gold and answer, separated by tabs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from amparser.corpora.amconll import AMCONLL, attributed
from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.evaluation.evaluate import Evaluation
from amparser.evaluation.gold import PAIR
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.malformed import kind_of
from amparser.induction.analysis import analyse
from amparser.induction.induce import SourceInventory
from amparser.notations.notation import Notation
from amparser.results import Result

NO_ANSWER = "-"
_MEASURES = ("exact", "label", "graph")


def error_texts(
    evaluation: Evaluation, decoder: str, inventory: SourceInventory | None = None
) -> Iterator[str]:
    """The texts of all answers of a decoder that are not exactly right.

    Args:
        evaluation: with the answers.
        decoder: which of them.
        inventory: of the parser; with it, errors are AM-CoNLL and gold trees are made.
    """
    answers = evaluation.answers[decoder]
    as_trees = inventory is not None or answers.tree_count > 0
    rows = zip(evaluation.examples, answers.results, answers.counts, strict=True)
    for example, result, counts in rows:
        if _is_exact(counts):
            continue
        if as_trees:
            yield from _blocks(evaluation.notation, example, result, counts, inventory)
        else:
            yield _line(evaluation.notation, example, result, counts)


def gold_item(
    notation: Notation | None, example: Example, inventory: SourceInventory | None
) -> Example:
    """The example with its gold tree, or the reason why it has none."""
    if example.tree is not None:
        return example
    try:
        graph = example.graph
        if graph is None and notation is not None and example.meaning is not None:
            graph = notation.graph(example.tokens, example.meaning)
        if graph is None or inventory is None:
            return Example(example.tokens, failure="no gold tree")
        analysis = analyse([(example.tokens, graph)], inventory)
    except AMParserError as error:
        return Example(example.tokens, failure=str(error))
    failure = analysis.failures[0][1] if analysis.failures else None
    return Example(example.tokens, tree=analysis.trees[0], failure=failure)


def _is_exact(counts: Mapping[str, Count]) -> bool:
    """By the strictest measure there is."""
    first = next((counts[measure] for measure in _MEASURES if measure in counts), None)
    if first is None:
        return all(count.share in (None, 1) for count in counts.values())
    return first.share == 1


def _fault(notation: Notation | None, result: Result, counts: Mapping[str, Count]) -> str:
    if (kind := kind_of(notation, result)) is not None:
        return kind
    equal = "graph" in counts and counts["graph"].share == 1
    return "order or names" if equal else "meaning"


def _blocks(
    notation: Notation | None,
    example: Example,
    result: Result,
    counts: Mapping[str, Count],
    inventory: SourceInventory | None,
) -> Iterator[str]:
    where = (
        ("line", str(example.line)),
        ("type", " ".join(example.tags)),
        ("wrong", _fault(notation, result, counts)),
    )
    for name, item, meaning in (
        ("gold", gold_item(notation, example, inventory), example.meaning),
        ("predicted", result.example(), result.meaning),
    ):
        text = () if meaning is None else (("lf", meaning),)
        yield AMCONLL.write(attributed(item, *where, ("tree", name), *text))


def _line(
    notation: Notation | None, example: Example, result: Result, counts: Mapping[str, Count]
) -> str:
    tags = " ".join(example.tags)
    answer = result.meaning or result.output or NO_ANSWER
    # Premise and hypothesis of a pair are columns of their own.
    sentence = example.sentence.replace(f" {PAIR} ", "\t")
    columns = (str(example.line), tags, _fault(notation, result, counts), sentence)
    return "\t".join((*columns, example.meaning or "", answer)) + "\n"
