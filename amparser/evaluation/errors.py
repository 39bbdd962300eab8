"""The answers that are not exactly right, as texts for inspection.

Answers with trees are AM-CoNLL, two blocks each: the gold tree and the predicted one. Other
answers are lines: line, tags, fault, sentence, gold and answer, separated by tabs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from amparser.algebra.tree import AMTree
from amparser.corpora.amconll import AMCONLL, attributed
from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.evaluation.answers import is_exact
from amparser.evaluation.evaluate import Evaluation
from amparser.evaluation.gold import PAIR, labelled
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.malformed import kind_of
from amparser.results import Result

TreeOf = Callable[[Example], AMTree]

NO_ANSWER = "-"
NO_GOLD_TREE = "no gold tree"


def error_texts(
    evaluation: Evaluation, decoder: str, tree_of: TreeOf | None = None
) -> Iterator[str]:
    """The texts of all answers of a decoder that are not exactly right.

    `tree_of` makes the gold tree of an example, or raises AMParserError, as `Parser.tree_of` does;
    with it, errors are AM-CoNLL.
    """
    answers = evaluation.answers[decoder]
    pairs = labelled(evaluation.examples)
    as_trees = not pairs and (tree_of is not None or answers.tree_count > 0)
    rows = zip(evaluation.examples, answers.results, answers.counts, strict=True)
    for example, result, counts in rows:
        if is_exact(counts):
            continue
        if as_trees:
            yield from _blocks(example, result, counts, tree_of)
        else:
            yield _line(example, result, counts)


def gold_item(example: Example, tree_of: TreeOf | None) -> Example:
    """The example with its gold tree, or the reason why it has none."""
    if example.tree is not None:
        return example
    if tree_of is None:
        return Example(example.tokens, failure=NO_GOLD_TREE)
    try:
        return Example(example.tokens, tree=tree_of(example))
    except AMParserError as error:
        return Example(example.tokens, failure=str(error))


def fault_of(result: Result, counts: Mapping[str, Count]) -> str:
    """What is wrong with an answer that is not exactly right."""
    if (kind := kind_of(result)) is not None:
        return kind
    equal = "graph" in counts and counts["graph"].share == 1
    return "order or names" if equal else "meaning"


def _blocks(
    example: Example, result: Result, counts: Mapping[str, Count], tree_of: TreeOf | None
) -> Iterator[str]:
    where = (
        ("line", str(example.line)),
        ("type", " ".join(example.tags)),
        ("wrong", fault_of(result, counts)),
    )
    for name, item, meaning in (
        ("gold", gold_item(example, tree_of), example.meaning),
        ("predicted", result.example(), result.meaning),
    ):
        text = () if meaning is None else (("lf", meaning),)
        yield AMCONLL.write(attributed(item, *where, ("tree", name), *text))


def _line(example: Example, result: Result, counts: Mapping[str, Count]) -> str:
    tags = " ".join(example.tags)
    answer = result.meaning or result.output or NO_ANSWER
    # Premise and hypothesis of a pair are separate columns.
    sentence = example.sentence.replace(f" {PAIR} ", "\t")
    columns = (str(example.line), tags, fault_of(result, counts), sentence)
    return "\t".join((*columns, example.meaning or "", answer)) + "\n"
