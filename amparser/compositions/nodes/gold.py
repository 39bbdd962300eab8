"""From a corpus to the training data of a parser: gold trees over a lexicon.

    meaning --notation--> graph --analysis--> tree --lexicon--> ids

An example with a graph enters at the graph, one with a tree at the tree.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from amparser.algebra.derivation import Derivation
from amparser.compositions.constants import Gold
from amparser.compositions.decisions import node_decisions, sizes
from amparser.compositions.nodes.decomposition import decomposed
from amparser.compositions.nodes.learned import NodeLearned
from amparser.compositions.settings import LexiconSettings, NodeSettings
from amparser.compositions.source import Source, nothing_to_learn
from amparser.corpora.corpus import Corpus
from amparser.errors import located
from amparser.learn.report import TrainingReport
from amparser.lexicon.indexed_tree import IndexedTree
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.thresholds import Thresholds, thresholds

UNKNOWN_PART = "its tree has a supertag or an edge label that train does not have"
"""Why a tree of dev cannot be encoded."""


@dataclass(frozen=True)
class GoldTrees(Gold[NodeLearned, IndexedTree, IndexedTree]):
    """The training data of a parser; its rows are trees, as ids of the lexicon.

    Attributes:
        thresholds: how often is frequent.
    """

    thresholds: Thresholds


def gold_trees(corpus: Corpus, settings: NodeSettings) -> GoldTrees:
    """The trees of a corpus and their lexicon.

    Raises:
        InputError: train has no tree at all.
        CorpusError: a meaning cannot be read, or an example has neither meaning, graph nor
            tree; the message names file and line.
    """
    if not corpus.train:
        raise nothing_to_learn(())
    with _without_collection():
        trees, inventory, failures = decomposed(corpus.train, Source.of(corpus, "train"))
        dev_trees, _, dev_failures = decomposed(corpus.dev, Source.of(corpus, "dev"), inventory)
        found = [tree for tree in trees if tree is not None]
        lexicon = Lexicon.from_trees(
            found,
            polymorphic=settings.lexicon.polymorphic,
            composed=settings.supertag.composed,
            dictionary=settings.lexicon.dictionary,
        )
        train = list(_encoded(corpus, "train", trees, lexicon, failures))
        dev = list(_encoded(corpus, "dev", dev_trees, lexicon, dev_failures))
        if not train:
            raise nothing_to_learn(failures)
        words = Counter(token.lower() for example in train for token in example.tokens)
        report = TrainingReport(
            len(train),
            len(dev),
            tuple(failures),
            tuple(dev_failures),
            len(lexicon.supertags) - 1,
            len(lexicon.operations),
            len(words),
            sum(count == 1 for count in words.values()),
            (
                sizes([1] * (len(lexicon.supertags) - 1), len(lexicon.operations)),
                *node_decisions(inventory, sorted({*inventory.markers, *_markers(found)})),
            ),
        )
        frequent = _thresholds(found, settings.lexicon)
        return GoldTrees(NodeLearned(lexicon, inventory), train, dev, report, frequent)


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


def _encoded(
    corpus: Corpus,
    split: str,
    trees: Iterable[Derivation | None],
    lexicon: Lexicon,
    failures: list[str],
) -> Iterator[IndexedTree]:
    """Trees as ids of a lexicon; those with a part that it does not have are added to failures."""
    examples = corpus.train if split == "train" else corpus.dev
    for example, tree in zip(examples, trees, strict=True):
        if tree is None:
            continue
        encoded = lexicon.encode(tree)
        if encoded is not None:
            yield encoded
        else:
            place = example.file or corpus.places.get(split)
            failures.append(located(UNKNOWN_PART, path=place, line=example.line))


def _thresholds(trees: Sequence[Derivation], settings: LexiconSettings) -> Thresholds:
    """Those of the settings; what is 0 there is read off the trees."""
    given = Thresholds(settings.word_count, settings.supertag_count)
    if all(given):
        return given
    read_off = thresholds(trees, polymorphic=settings.polymorphic)
    return Thresholds(*(count or read for count, read in zip(given, read_off, strict=True)))


def _markers(trees: Iterable[Derivation]) -> set[str]:
    """The words that are constants without a lexical label, in lower case."""
    return {
        form.lower()
        for tree in trees
        for form, supertag, fillers in zip(tree.tokens, tree.constants, tree.fillers, strict=True)
        if supertag is not None and not fillers
    }
