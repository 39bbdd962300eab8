"""Training data of the preset `node`: decomposed trees, and exchange of their constituents.

    meaning --notation--> graph --analysis--> derivation --lexicon--> indices

The analysis turns the edges of a graph into a tree over tokens, and induces a source for each role
(`amparser.induction.analysis`). The lexicon collects the supertags and operations of all trees. In
each epoch, constituents of equal type are exchanged between trees. An example may also have a graph
or a derivation instead of a meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

import torch

from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import expand
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.induction.analysis import analyse
from amparser.induction.augmentation.by_types import TypeAugmentation
from amparser.induction.induce import SourceInventory
from amparser.learn.batches import IntArray, epoch_batches, lengths_of, sorted_batches
from amparser.learn.ensemble_task import Samples
from amparser.learn.report import TrainingReport
from amparser.learn.task import WHOLE, Mean, Share
from amparser.lexicon.encoded import Targets
from amparser.lexicon.lexicon import Lexicon
from amparser.nn.heads.arcs import ArcHead
from amparser.nn.targets import collated, losses_of
from amparser.notations.notation import Notation
from amparser.presets.model import ParserModel
from amparser.presets.nodes.model import NodeLearned
from amparser.presets.preset import TrainingSet
from amparser.presets.settings import NodeSettings
from amparser.presets.source import Source, checked, graph_of_example, nothing_to_learn, sizes
from amparser.presets.tables import node_tables as tables

__all__ = ["accuracy", "coverage", "samples", "tables", "training_set"]


def training_set(corpus: Corpus, settings: NodeSettings) -> TrainingSet[NodeLearned, Targets]:
    """Return the AM dependency trees of a corpus and their lexicon.

    Raises:
        InputError: if no training example has a tree.
        CorpusError: if a meaning cannot be read, or an example has neither meaning, graph nor tree;
            the message names file and line.
    """
    train, inventory, faults = decomposed(corpus.train, Source.of(corpus, "train"))
    if not train:
        raise nothing_to_learn(faults)
    trees = list(train.values())
    source = Source.of(corpus, "dev")
    dev, _, dev_faults = decomposed(corpus.dev, source, inventory)
    lexicon, rows = Lexicon.learned(
        trees,
        polymorphic=settings.lexicon.polymorphic,
        composed=settings.supertag.composed,
        dictionary=settings.lexicon.dictionary,
    )
    encoded = {number: lexicon.encode(tree) for number, tree in dev.items()}
    unknown = "its tree has a supertag or an edge label that is not in train"
    lacking = {number: unknown for number, row in encoded.items() if row is None}
    dev_sentences = [row for row in encoded.values() if row is not None]
    count, labels = len(lexicon.supertags) - 1, len(lexicon.operations)
    report = TrainingReport(
        len(rows),
        len(dev_sentences),
        faults,
        (*dev_faults, *source.faults(corpus.dev, lacking)),
        count,
        labels,
        remarks=(
            sizes([1] * count, labels),
            "boxes and re-entrant edges: none needed; typed trees reproduce train",
            _markers(inventory, trees),
        ),
        unmade=(),
    )
    return TrainingSet(NodeLearned(lexicon, inventory), rows, dev_sentences, report, settings)


def coverage(corpus: Corpus) -> float:
    """Return the share of training examples whose derivations denote their graphs."""
    trees, _, _ = decomposed(corpus.train, Source.of(replace(corpus, strict=False), "train"))
    return len(trees) / max(1, len(corpus.train))


def tags(learned: NodeLearned) -> list[str]:
    """Return the supertags as texts, in the order of the network's outputs."""
    return list(map(str, learned.lexicon.supertags))


def _markers(inventory: SourceInventory, trees: Iterable[Derivation]) -> str:
    words = {
        form.lower()
        for tree in trees
        for form, fragment, fillers in zip(
            tree.tokens, tree.fragments, tree.lexical_labels, strict=True
        )
        if fragment is not None and not fillers
    }
    markers = sorted({*inventory.markers, *words})
    why = "no marker shortens the description of train"
    if inventory.markers:
        without, bits = inventory.bits
        why = f"{bits:,.0f} bits for train with them, {without:,.0f} without"
    elif markers:
        why = "given by the trees of train"
    return f"markers: {', '.join(markers) or 'none'}; {why}"


class NodeSamples(Samples[Targets]):
    """Training trees; in each epoch, constituents are exchanged between some of them."""

    def __init__(self, training: TrainingSet[NodeLearned, Targets]) -> None:
        super().__init__(training.settings.train, training.train)
        self._share = training.settings.train.exchange
        self._pool = (
            TypeAugmentation(training.train, training.learned.lexicon) if self._share else None
        )

    def rows(self, member: int, number: int) -> list[Targets]:
        """Implement `Samples.rows`: exchange a constituent in a share of the trees."""
        rows = super().rows(member, number)
        if self._pool is None:
            return rows
        random = Random(f"{self.settings.seed} {number}" + f" {member}" * (member > 0))
        return [
            self._pool.exchanged(row, random) if random.random() < self._share else row
            for row in rows
        ]

    def batches(self, lengths: IntArray, member: int, number: int) -> list[IntArray]:
        """Implement `Samples.batches`; each member of an ensemble has batches of its own."""
        return epoch_batches(lengths, self.settings, number + 1009 * member)


@torch.no_grad()
def accuracy(model: ParserModel, dev: Sequence[Targets], share: Share = WHOLE) -> dict[str, Mean]:
    """Return `dev_accuracy` (share of correct trees) and `dev_loss`.

    For speed, only the first member of the ensemble is evaluated, and types are ignored. Each token
    gets its best head; if the loss trains projective trees, its head in the best projective tree.
    """
    if not len(dev):
        return {}
    scorer = model.network.scorer(0)
    right = token_count = 0
    total = 0.0
    lengths = lengths_of([(len(example.tokens), 0) for example in dev])
    # A batch has up to 4,096 tokens.
    parts = share.of(sorted_batches(lengths, 0, 4096))
    for members in parts:
        rows = [dev[i] for i in members]
        reading = scorer.read([row.tokens for row in rows])
        gold = collated(rows).to(scorer.device)
        loss = losses_of(scorer, reading, gold)
        total += float(loss.total) * loss.token_count
        token_count += loss.token_count
        tags = reading.encoded.padded(reading.tags).argmax(-1) == gold.tags
        arcs = scorer.head(ArcHead).right(reading, gold)
        right += int(((tags & arcs) | ~reading.mask).all(-1).sum())
    return {
        "dev_accuracy": Mean(right, sum(map(len, parts))),
        "dev_loss": Mean(total, token_count),
    }


samples = NodeSamples


def decomposed(
    examples: Sequence[Example],
    source: Source,
    inventory: SourceInventory | None = None,
) -> tuple[dict[int, Derivation], SourceInventory, tuple[str, ...]]:
    """Decompose examples with meanings, graphs or trees.

    Args:
        examples: the examples.
        source: notation and file of the examples.
        inventory: markers and sources; by default induced from the examples.

    Returns:
        The trees by example index, the inventory, and a message with file, line and reason for each
            example without a tree.

    Raises:
        CorpusError: if a meaning cannot be read, or an example has neither meaning, graph nor tree;
            the message names file and line.
    """
    items, reasons = source.read(enumerate(examples), _graph_or_tree)
    trees = {number: item for number, item in items.items() if isinstance(item, Derivation)}
    graphs = {number: item for number, item in items.items() if isinstance(item, SGraph)}
    numbers = list(graphs)
    analysis = analyse([(examples[i].tokens, graph) for i, graph in graphs.items()], inventory)
    reasons |= {numbers[i]: reason for i, reason in analysis.failures}
    for number, tree in zip(numbers, analysis.trees, strict=True):
        if tree is not None:
            trees[number] = tree
            if not source.strict:
                change = _change(examples[number], tree, graphs[number], source.notation)
                if change is not None:
                    reasons[number] = change
    for number, tree in trees.items():
        if number not in graphs and (problems := tree.problems(open_root=True)):
            reasons[number] = "; ".join(problems)
    kept = {number: trees[number] for number in sorted(trees.keys() - reasons.keys())}
    return kept, analysis.inventory, source.faults(examples, reasons)


def _graph_or_tree(example: Example, notation: Notation | None) -> SGraph | Derivation:
    if example.tree is not None:
        return example.tree
    graph = graph_of_example(example, notation)
    return graph if example.graph is None else checked(graph, len(example.tokens))


def _change(
    example: Example, tree: Derivation, graph: SGraph, notation: Notation | None
) -> str | None:
    try:
        expanded = expand(tree, open_root=len(tree.tokens) == 1)
        # Open sources are ignored, because their names may differ.
        left, right = replace(graph, sources={}), replace(expanded, sources={})
        if not isomorphic(left, right):
            return "its tree denotes a different graph"
        if example.graph is None and example.meaning is not None and notation is not None:
            written = notation.write(graph)
            if not notation.equality(example.tokens, example.meaning, written).graph:
                return f"its graph denotes a different meaning: {written}"
    except AMParserError as error:
        return str(error)
    return None
