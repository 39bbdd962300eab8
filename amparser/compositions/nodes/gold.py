"""From a corpus to the training data of a parser: gold trees over a lexicon.

    meaning --notation--> graph --analysis--> tree --lexicon--> ids

An example with a graph enters at the graph, one with a tree at the tree.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import torch

from amparser.compositions.constants import Gold
from amparser.compositions.decisions import node_decisions, sizes
from amparser.compositions.nodes.dataset import TrainingExample, check_examples
from amparser.compositions.nodes.decomposition import decomposed
from amparser.compositions.nodes.row_store import UNKNOWN_PART
from amparser.compositions.nodes.streamed import (
    ROWS,
    Examples,
    RowFolder,
    induced_together,
    is_streamed,
)
from amparser.compositions.settings import LexiconSettings, NodeSettings
from amparser.compositions.source import Source, nothing_to_learn
from amparser.constants.tree import AMTree, Entry
from amparser.corpora.corpus import Corpus
from amparser.errors import located
from amparser.induction.induce import SourceInventory
from amparser.learn.processes import Processes, process_count, processes_on
from amparser.learn.report import TrainingReport
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.thresholds import Thresholds, thresholds


@dataclass(frozen=True)
class NodeLearned:
    """What is induced of constants of one node.

    Attributes:
        lexicon: the lexicon of the training trees.
        inventory: how sources were named.
    """

    lexicon: Lexicon
    inventory: SourceInventory


@dataclass(frozen=True)
class GoldTrees(Gold[NodeLearned, TrainingExample, TrainingExample]):
    """The training data of a parser; its rows are trees, as ids of the lexicon.

    Attributes:
        thresholds: how often is frequent.
    """

    thresholds: Thresholds

    def check(self) -> None:
        """Raise AMTreeError if an example is not a tree over the lexicon."""
        lexicon = self.learned.lexicon
        counts = len(lexicon.supertags), len(lexicon.operations)
        check_examples(self.train, *counts, name="training")
        check_examples(self.dev, *counts, name="dev")


def gold_trees(corpus: Corpus, settings: NodeSettings, folder: Path | None = None) -> GoldTrees:
    """The trees of a corpus and their lexicon.

    Args:
        corpus: the corpus.
        settings: all settings.
        folder: where the trees of a streamed corpus are kept; by default their files are removed
            at the end, and remain mapped into memory.

    Raises:
        InputError: train has no tree at all.
        CorpusError: a meaning cannot be read, or an example has neither meaning, graph nor
            tree; the message names file and line.
    """
    if not corpus.train:
        raise nothing_to_learn(())
    processes = processes_on(settings.train.device) if process_count() > 1 else None
    if not is_streamed(corpus):
        with _without_collection():
            return _in_memory(corpus, settings, processes)
    alone = processes or Processes(torch.device("cpu"))
    if folder is not None:
        return _on_disk(RowFolder(folder / ROWS, corpus, alone), settings)
    with TemporaryDirectory() as name:
        return _on_disk(RowFolder(Path(name), corpus, alone), settings)


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


def _in_memory(corpus: Corpus, settings: NodeSettings, processes: Processes | None) -> GoldTrees:
    trees, inventory, failures = _shared(corpus, None, "train", processes)
    dev_trees, _, dev_failures = _shared(corpus, inventory, "dev", processes)
    found = [tree for tree in trees if tree is not None]
    lexicon = _lexicon(found, settings)
    train = Examples(_encoded(corpus, "train", trees, lexicon, failures), failures)
    dev = Examples(_encoded(corpus, "dev", dev_trees, lexicon, dev_failures), dev_failures)
    return _gold(lexicon, inventory, found, train, dev, settings)


def _on_disk(rows: RowFolder, settings: NodeSettings) -> GoldTrees:
    trees, inventory = rows.trees("train")
    dev_trees, _ = rows.trees("dev", inventory)
    lexicon = _lexicon(trees, settings)
    train = rows.examples("train", trees, lexicon)
    dev = rows.examples("dev", dev_trees, lexicon)
    return _gold(lexicon, inventory, trees, train, dev, settings)


def _lexicon(trees: Sequence[AMTree], settings: NodeSettings) -> Lexicon:
    return Lexicon.from_trees(
        trees,
        polymorphic=settings.lexicon.polymorphic,
        composed=settings.supertag.composed,
        dictionary=settings.lexicon.dictionary,
    )


def _gold(
    lexicon: Lexicon,
    inventory: SourceInventory,
    trees: Sequence[AMTree],
    train: Examples,
    dev: Examples,
    settings: NodeSettings,
) -> GoldTrees:
    if not train.examples:
        raise nothing_to_learn(train.failures)
    words = Counter(token.lower() for example in train.examples for token in example.tokens)
    report = TrainingReport(
        len(train.examples),
        len(dev.examples),
        tuple(train.failures),
        tuple(dev.failures),
        len(lexicon.supertags) - 1,
        len(lexicon.operations),
        len(words),
        sum(count == 1 for count in words.values()),
        (
            sizes([1] * (len(lexicon.supertags) - 1), len(lexicon.operations)),
            *node_decisions(inventory, sorted({*inventory.markers, *_markers(trees)})),
        ),
    )
    frequent = _thresholds(trees, settings.lexicon)
    learned = NodeLearned(lexicon, inventory)
    return GoldTrees(learned, train.examples, dev.examples, report, frequent)


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
    source = Source.of(corpus, split)
    if processes is None:
        return decomposed(examples, source, inventory)

    induced = partial(induced_together, processes=processes)
    index, count = processes.share.index, processes.share.count
    ends = [len(examples) * number // count for number in range(count + 1)]
    stretch = examples[ends[index] : ends[index + 1]]
    found, inventory, failures = decomposed(stretch, source, inventory, induced=induced)
    parts = processes.gathered((_packed(found), failures))
    trees: list[AMTree | None] = []
    for number, (packed, _) in enumerate(parts):
        trees += found if number == index else _unpacked(packed)
    return trees, inventory, [failure for _, part in parts for failure in part]


_FIELDS = attrgetter(*(field.name for field in fields(Entry)))

_Packed: TypeAlias = tuple[Any, list[tuple[Any, ...]]] | None


def _packed(trees: Sequence[AMTree | None]) -> list[_Packed]:
    """Trees as tuples, which pickle takes much faster than objects."""
    return [
        None if tree is None else (tree.attributes, [_FIELDS(entry) for entry in tree.entries])
        for tree in trees
    ]


def _unpacked(trees: Sequence[_Packed]) -> Iterator[AMTree | None]:
    """The inverse of `_packed`."""
    for tree in trees:
        if tree is None:
            yield None
        else:
            attributes, rows = tree
            yield AMTree(tuple([Entry(*row) for row in rows]), attributes)


def _markers(trees: Iterable[AMTree]) -> set[str]:
    """The words that are constants without a lexical label, in lower case."""
    return {
        entry.form.lower()
        for tree in trees
        for entry in tree.entries
        if entry.supertag is not None and entry.lexical_label is None
    }


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
            place = example.file or corpus.places.get(split)
            failures.append(located(UNKNOWN_PART, path=place, line=example.line))
        else:
            encoded.append(TrainingExample(example.tokens, *map(tuple, ids)))
    return encoded
