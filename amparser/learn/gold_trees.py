"""From a corpus to the training data of a parser: gold trees over a lexicon.

    meaning --notation--> graph --analysis--> tree --lexicon--> ids

An example with a graph enters at the graph, one with a tree at the tree.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from amparser.amtree.evaluate import evaluate, problems
from amparser.amtree.tree import AMTree
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, CorpusError, InputError, located
from amparser.graph.sgraph import SGraph, aligned_alike, isomorphic
from amparser.induction.analysis import analyse
from amparser.induction.induce import (
    Occurrence,
    SourceInventory,
    counted,
    induce,
    induce_counted,
)
from amparser.learn.dataset import TrainingExample
from amparser.learn.parser_settings import LexiconSettings, ParserSettings
from amparser.learn.processes import Processes, process_count, processes_on
from amparser.learn.report import TrainingReport
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.thresholds import Thresholds, thresholds
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS


@dataclass(frozen=True)
class GoldTrees:
    """The training data of a parser.

    Attributes:
        lexicon: the lexicon of the training trees.
        thresholds: how often is frequent.
        inventory: how sources were named.
        train: the training trees, as ids of the lexicon.
        dev: the dev trees.
        report: the numbers of trees, and the examples without one.
    """

    lexicon: Lexicon
    thresholds: Thresholds
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
    with _without_collection():
        return _gold_trees(corpus, settings)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Leave garbage lie: to search millions of new objects for some costs a fifth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _gold_trees(corpus: Corpus, settings: ParserSettings) -> GoldTrees:
    if not corpus.train:
        raise InputError("no examples to train on")
    processes = processes_on(settings.train.device) if process_count() > 1 else None
    trees, inventory, failures = _shared(corpus, None, "train", processes)
    dev_trees, _, dev_failures = _shared(corpus, inventory, "dev", processes)
    found = [tree for tree in trees if tree is not None]
    lexicon = Lexicon.from_trees(
        found,
        polymorphic=settings.lexicon.polymorphic,
        composed=settings.supertag.composed,
        dictionary=settings.lexicon.dictionary,
    )
    train = _encoded(corpus, "train", trees, lexicon, failures)
    if not train:
        raise InputError(f"no examples to train on: {failures[0]}")
    dev = _encoded(corpus, "dev", dev_trees, lexicon, dev_failures)
    words = Counter(token.lower() for example in train for token in example.tokens)
    report = TrainingReport(
        len(train),
        len(dev),
        tuple(failures),
        tuple(dev_failures),
        tuple(sorted({*inventory.markers, *_markers(trees)})),
        len(lexicon.supertags) - 1,
        len(lexicon.operations),
        len(words),
        sum(count == 1 for count in words.values()),
    )
    return GoldTrees(lexicon, _thresholds(found, settings.lexicon), inventory, train, dev, report)


def _thresholds(trees: Sequence[AMTree], settings: LexiconSettings) -> Thresholds:
    """Those of the settings; what is 0 there is read off the trees."""
    given = Thresholds(settings.word_count, settings.supertag_count)
    if all(given):
        return given
    read_off = thresholds(trees, polymorphic=settings.polymorphic)
    return Thresholds(*(count or read for count, read in zip(given, read_off, strict=True)))


def _shared(
    corpus: Corpus, inventory: SourceInventory | None, split: str, processes: Processes | None
) -> tuple[list[AMTree | None], SourceInventory, list[str]]:
    """The same as `decomposed`, of a part of the corpus; each process decomposes its stretch."""
    examples = corpus.train if split == "train" else corpus.dev
    if processes is None:
        return decomposed(examples, corpus, inventory, split=split)

    def induced(occurrences: Iterable[Occurrence]) -> SourceInventory:
        # One stretch after the other: the order is that of the whole corpus.
        merged: Counter[Occurrence] = Counter()
        for part in processes.gathered(counted(occurrences)):
            merged.update(part)
        return induce_counted(merged)

    index, count = processes.share.index, processes.share.count
    ends = [len(examples) * number // count for number in range(count + 1)]
    stretch = examples[ends[index] : ends[index + 1]]
    found, inventory, failures = decomposed(
        stretch, corpus, inventory, split=split, induced=induced
    )
    parts = processes.gathered((found, failures))
    parts[index] = (found, failures)
    trees = [tree for part, _ in parts for tree in part]
    return trees, inventory, [failure for _, part in parts for failure in part]


def decomposed(
    examples: Sequence[Example],
    corpus: Corpus,
    inventory: SourceInventory | None = None,
    *,
    split: str = "train",
    induced: Callable[[Iterable[Occurrence]], SourceInventory] = induce,
) -> tuple[list[AMTree | None], SourceInventory, list[str]]:
    """The tree of each example, or None.

    Args:
        examples: examples with meanings, graphs or trees.
        corpus: their corpus, for its notation and the places of its files.
        inventory: how sources are named; induced from the examples if there is none.
        split: the name of the part of the corpus, for messages.
        induced: makes the inventory, of the occurrences in the order of the examples.

    Returns:
        The trees, the inventory, and for each example without a tree file, line and reason.

    Raises:
        CorpusError: a meaning cannot be read, or an example has neither meaning, graph nor
            tree; the message names file and line.
    """
    place = corpus.places.get(split)
    notation = _notation_of(corpus)
    trees: list[AMTree | None] = [example.tree for example in examples]
    numbers: list[int] = []
    graphs: list[tuple[tuple[str, ...], SGraph]] = []
    reasons: dict[int, str] = {}
    for number, example in enumerate(examples):
        if example.failure is not None:
            trees[number], reasons[number] = None, example.failure
        elif example.tree is not None:
            if not corpus.strict and (found := problems(example.tree, open_root=True)):
                trees[number], reasons[number] = None, "; ".join(found)
        else:
            try:
                graph = _graph_of(example, notation)
            except AMParserError as error:
                if corpus.strict:
                    message = located(str(error), path=place, line=example.line)
                    raise CorpusError(message) from None
                reasons[number] = str(error)
            else:
                numbers.append(number)
                graphs.append((example.tokens, graph))
    analysis = analyse(graphs, inventory, induced)
    reasons |= {numbers[i]: reason for i, reason in analysis.failures}
    for number, tree, (_, graph) in zip(numbers, analysis.trees, graphs, strict=True):
        trees[number] = tree
        if tree is not None and not corpus.strict:
            reason = _change(examples[number], tree, graph, notation)
            if reason is not None:
                trees[number], reasons[number] = None, reason
    failures = [located(reasons[i], path=place, line=examples[i].line) for i in sorted(reasons)]
    return trees, analysis.inventory, failures


def _markers(trees: Sequence[AMTree | None]) -> set[str]:
    """The words that are constants without a lexical label, in lower case."""
    return {
        entry.form.lower()
        for tree in trees
        if tree is not None
        for entry in tree.entries
        if entry.supertag is not None and entry.lexical_label is None
    }


def _notation_of(corpus: Corpus) -> Notation | None:
    """The corpus's notation, as it aligns the words of train."""
    if not corpus.notation:
        return None
    rows = [(e.tokens, e.meaning) for e in corpus.train if e.meaning is not None]
    return NOTATIONS[corpus.notation].for_corpus(rows)


def _graph_of(example: Example, notation: Notation | None) -> SGraph:
    if example.graph is not None:
        return _checked(example.graph, len(example.tokens))
    if example.meaning is None:
        raise InputError("expected a meaning, a graph or a tree")
    if example.notation and (notation is None or example.notation != notation.name):
        notation = NOTATIONS[example.notation]
    if notation is None:
        raise InputError("the notation of the meaning is not known; set data.notation")
    return notation.graph(example.tokens, example.meaning)


def _change(example: Example, tree: AMTree, graph: SGraph, notation: Notation | None) -> str | None:
    """What of an example its tree does not give back, or None."""
    try:
        found = evaluate(tree, open_root=len(tree) == 1)
        # Open sources have names of their own in each.
        left, right = replace(graph, sources={}), replace(found, sources={})
        if not (aligned_alike(left, right) or isomorphic(left, right)):
            return "the graph that its tree denotes is another one"
        if example.graph is None and example.meaning is not None and notation is not None:
            written = notation.write(graph)
            if not notation.equality(example.tokens, example.meaning, written).graph:
                return f"the meaning that its graph denotes is another one: {written}"
    except AMParserError as error:
        return str(error)
    return None


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
