"""From a corpus to the training data of a parser: gold trees over a lexicon.

    meaning --notation--> graph --analysis--> tree --lexicon--> ids

An example with a graph enters at the graph, one with a tree at the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from amparser.amtree.tree import AMTree
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, CorpusError, InputError, located
from amparser.graph.sgraph import SGraph
from amparser.induction.analysis import analyse
from amparser.induction.induce import SourceInventory
from amparser.learn.dataset import TrainingExample
from amparser.learn.parser_settings import ParserSettings
from amparser.learn.report import TrainingReport
from amparser.lexicon.lexicon import Lexicon
from amparser.notations.registry import NOTATIONS


@dataclass(frozen=True)
class GoldTrees:
    """The training data of a parser.

    Attributes:
        lexicon: the lexicon of the training trees.
        inventory: how sources were named.
        train: the training trees, as ids of the lexicon.
        dev: the dev trees.
        report: the numbers of trees, and the examples without one.
    """

    lexicon: Lexicon
    inventory: SourceInventory
    train: Sequence[TrainingExample]
    dev: Sequence[TrainingExample]
    report: TrainingReport


def gold_trees(corpus: Corpus, settings: ParserSettings) -> GoldTrees:
    """The trees of a corpus and their lexicon.

    Raises:
        InputError: train has no tree at all.
        CorpusError: a meaning cannot be read, or an example has neither meaning, graph nor
            tree; the message names file and line.
    """
    if not corpus.train:
        raise InputError("no examples to train on")
    trees, inventory, failures = decomposed(corpus.train, corpus)
    dev_trees, _, dev_failures = decomposed(corpus.dev, corpus, inventory, split="dev")
    lexicon = Lexicon.from_trees(
        [tree for tree in trees if tree is not None],
        polymorphic=settings.lexicon.polymorphic,
        composed=settings.supertag.composed,
    )
    train = _encoded(corpus, "train", trees, lexicon, failures)
    if not train:
        raise InputError(f"no examples to train on: {failures[0]}")
    dev = _encoded(corpus, "dev", dev_trees, lexicon, dev_failures)
    report = TrainingReport(
        len(train),
        len(dev),
        tuple(failures),
        tuple(dev_failures),
        tuple(sorted(inventory.markers)),
        len(lexicon.supertags) - 1,
        len(lexicon.operations),
    )
    return GoldTrees(lexicon, inventory, train, dev, report)


def decomposed(
    examples: Sequence[Example],
    corpus: Corpus,
    inventory: SourceInventory | None = None,
    *,
    split: str = "train",
) -> tuple[list[AMTree | None], SourceInventory, list[str]]:
    """The tree of each example, or None.

    Args:
        examples: examples with meanings, graphs or trees.
        corpus: their corpus, for its notation and the places of its files.
        inventory: how sources are named; induced from the examples if there is none.
        split: the name of the part of the corpus, for messages.

    Returns:
        The trees, the inventory, and for each example without a tree file, line and reason.

    Raises:
        CorpusError: a meaning cannot be read, or an example has neither meaning, graph nor
            tree; the message names file and line.
    """
    place = corpus.places.get(split)
    trees: list[AMTree | None] = [example.tree for example in examples]
    numbers: list[int] = []
    graphs: list[tuple[tuple[str, ...], SGraph]] = []
    reasons: dict[int, str] = {}
    for number, example in enumerate(examples):
        if example.failure is not None:
            trees[number], reasons[number] = None, example.failure
        elif example.tree is None:
            numbers.append(number)
            graphs.append((example.tokens, _graph_of(example, corpus.notation, place)))
    analysis = analyse(graphs, inventory)
    for number, tree in zip(numbers, analysis.trees, strict=True):
        trees[number] = tree
    reasons |= {numbers[i]: reason for i, reason in analysis.failures}
    failures = [located(reasons[i], path=place, line=examples[i].line) for i in sorted(reasons)]
    return trees, analysis.inventory, failures


def _graph_of(example: Example, notation: str, place: str | None) -> SGraph:
    name = example.notation or notation
    try:
        if example.graph is not None:
            return _checked(example.graph, len(example.tokens))
        if example.meaning is None:
            raise InputError("expected a meaning, a graph or a tree")
        if not name:
            raise InputError("the notation of the meaning is not known; set data.notation")
        return NOTATIONS[name].graph(example.tokens, example.meaning)
    except AMParserError as error:
        raise CorpusError(located(str(error), path=place, line=example.line)) from None


def _checked(graph: SGraph, token_count: int) -> SGraph:
    """The graph itself; raises InputError if a node is aligned to a token that does not exist."""
    for node in graph.nodes.values():
        if node.token is not None and not 1 <= node.token <= token_count:
            expected = f"expected a token from 1 to {token_count}"
            raise InputError(f"the node {node.label!r} is aligned to {node.token}: {expected}")
    return graph


def _encoded(
    corpus: Corpus,
    split: str,
    trees: Sequence[AMTree | None],
    lexicon: Lexicon,
    failures: list[str],
) -> list[TrainingExample]:
    """The trees as ids of the lexicon; trees that cannot be encoded are added to the failures."""
    encoded: list[TrainingExample] = []
    examples = corpus.train if split == "train" else corpus.dev
    for example, tree in zip(examples, trees, strict=True):
        if tree is None:
            continue
        ids = lexicon.encode(tree)
        if ids is None:
            reason = "its tree has a supertag or an edge label that train does not have"
            failures.append(located(reason, path=corpus.places.get(split), line=example.line))
        else:
            encoded.append(TrainingExample(example.tokens, *map(tuple, ids)))
    return encoded
