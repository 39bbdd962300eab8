"""Training data of the preset `tree`: derivations, and new ones recombined in each epoch.

    meaning --notation--> graph --spanning tree--> fragments --alignment--> derivation

The spanning tree of each graph is split into fragments with ports, and each fragment is aligned
with a token or name of its own (`amparser.induction.derivations`). Selectional classes are induced
from the derivations. In each epoch, constituents of the same class are exchanged. An example may
also have a graph or a tree instead of a meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np

from amparser.algebra.fragment import SLOT
from amparser.algebra.projectivity import is_projective
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, CorpusError, DecomposeError, InputError
from amparser.graph.sgraph import Edge, SGraph
from amparser.induction.augmentation.by_classes import ClassAugmentation, NewNames
from amparser.induction.cooccurrence import CooccurrenceCounts
from amparser.induction.derivations import AlignedGraph, derive
from amparser.induction.inventory import Inventory
from amparser.induction.selectional_classes import induce_classes, tag_tree
from amparser.induction.spanning import MINUS
from amparser.learn.batches import IntArray, cut
from amparser.learn.ensemble_task import Samples
from amparser.learn.report import TrainingReport
from amparser.lexicon.encoded import FIRST_FRAGMENT, NOBODY, Encoded, Targets
from amparser.logic.term import is_number
from amparser.nn.heads.head import IGNORED
from amparser.notations.notation import Notation
from amparser.presets.preset import TrainingSet
from amparser.presets.settings import TreeSettings
from amparser.presets.source import (
    NO_MARKERS,
    Source,
    accuracy,
    checked,
    dev_sentences,
    graph_of_example,
    notation_of,
    nothing_to_learn,
    sizes,
)
from amparser.presets.tables import tree_tables as tables
from amparser.presets.trees.model import TreeLearned

__all__ = ["accuracy", "coverage", "samples", "tables", "training_set"]


def training_set(corpus: Corpus, settings: TreeSettings) -> TrainingSet[TreeLearned, Encoded]:
    """Return the derivations of a corpus, with their fragments.

    Raises:
        InputError: if no training example has a derivation.
        CorpusError: if a meaning cannot be read, or an example has neither meaning, graph nor tree;
            the message names file and line.
    """
    inventory, derivations, cuts, failures = _decomposed(corpus)
    rows = list(derivations.values())
    fragments = inventory.fragments
    tag_count = FIRST_FRAGMENT + len(fragments)
    classes = induce_classes([tag_tree(row) for row in rows], tag_count)
    cooccurrence = CooccurrenceCounts.of(rows, tag_count, classes)
    cut_count = sum(map(len, cuts.values()))
    dev, dev_faults = dev_sentences(corpus)
    labels = {label for fragment in fragments for _, label, _ in fragment.edges}
    inside = heads_inside(rows)
    decoder = decoder_of(settings, inside, len(rows))
    cut_edges = f"{cut_count} edges that close cycles are left out"
    report = TrainingReport(
        len(rows),
        len(dev),
        failures,
        dev_faults,
        constant_count=len(fragments),
        edge_label_count=len(labels),
        remarks=(
            sizes(
                (len(fragment.labels) - fragment.labels.count(None) for fragment in fragments),
                len(labels),
            ),
            f"boxes and re-entrant edges: none; {cut_edges if cuts else 'every graph is a tree'}",
            NO_MARKERS,
            *(notation.remarks if (notation := notation_of(corpus)) is not None else ()),
            f"heads inside their arguments: {inside} of {len(rows)} examples; the decoder wrap "
            f"needs more than {_WRAP_SHARE:.1%}",
        ),
        cuts=Source.of(corpus, "train").faults(
            corpus.train,
            {i: "edges left out: " + ", ".join(edge.label for edge in cuts[i]) for i in cuts},
        ),
        cut_count=cut_count,
    )
    learned = TreeLearned(inventory, cooccurrence)
    settings = replace(
        settings,
        train=settings.train.with_epochs(len(rows)),
        decode=replace(settings.decode, decoder=decoder),
    )
    return TrainingSet(learned, rows, [*dev.values()], report, settings)


def heads_inside(derivations: Sequence[Encoded]) -> int:
    """Return the number of derivations in which a head is inside the span of its argument."""
    return sum(
        not is_projective(
            [h + 1 if t >= FIRST_FRAGMENT else NOBODY for t, h in zip(d.tags, d.heads, strict=True)]
        )
        for d in derivations
    )


_WRAP_SHARE = 0.005
"""`wrap` is used if at least this share of the derivations has a head inside its argument."""


def decoder_of(settings: TreeSettings, inside: int, count: int) -> str:
    """Return the decoder; `wrap` is replaced by `projective` if heads are rarely inside arguments.

    Args:
        inside: number of derivations with a head inside its argument.
        count: number of all derivations.
    """
    if settings.decode.decoder != "wrap":
        return settings.decode.decoder
    return "wrap" if inside > _WRAP_SHARE * count else "projective"


def coverage(corpus: Corpus) -> float:
    """Return the share of training examples whose derivations denote their graphs.

    Derivations in which a single fragment contains a whole graph of several nodes do not count.
    """
    try:
        inventory, derivations, cuts, _ = _decomposed(corpus)
    except CorpusError:
        raise
    except AMParserError:
        return 0.0
    whole = [row for number, row in derivations.items() if number not in cuts]
    return sum(_is_composed(row, inventory) for row in whole) / len(corpus.train)


def tags(learned: TreeLearned) -> list[str]:
    """Return the tags as texts, in the order of the network's outputs."""
    fragments = learned.inventory.fragments
    return [*map(str, range(FIRST_FRAGMENT)), *(fragment.to_text() for fragment in fragments)]


def _is_composed(derivation: Encoded, inventory: Inventory) -> bool:
    """Return False if a single fragment without slots contains a whole graph of several nodes."""
    fragments = [
        fragment for fragment in inventory.decode(derivation).fragments if fragment is not None
    ]
    return len(fragments) > 1 or all(
        fragment.slots or len(fragment.labels) == 1 + len(fragment.ports) for fragment in fragments
    )


class _Decomposed(NamedTuple):
    inventory: Inventory
    derivations: Mapping[int, Encoded]
    cuts: Mapping[int, Sequence[Edge]]
    failures: tuple[str, ...]


def _decomposed(corpus: Corpus) -> _Decomposed:
    source = Source.of(corpus, "train")
    graphs, reasons = source.read(enumerate(corpus.train), _aligned)
    if not graphs:
        raise nothing_to_learn(source.faults(corpus.train, reasons))
    try:
        induced = derive(list(graphs.values()))
    except DecomposeError as error:
        raise nothing_to_learn([str(error)]) from None
    derivations: dict[int, Encoded] = {}
    for number, derivation in zip(graphs, induced.derivations, strict=True):
        if derivation is None:
            reasons[number] = "its constants cannot be aligned with tokens of their own"
        else:
            derivations[number] = derivation
    cuts = {i: cut for i, cut in zip(graphs, induced.cut, strict=True) if cut and i in derivations}
    faults = source.faults(corpus.train, reasons)
    return _Decomposed(induced.inventory, derivations, cuts, faults)


def _aligned(example: Example, notation: Notation | None) -> AlignedGraph:
    graph = graph_of_example(example, notation)
    return AlignedGraph(example.tokens, graph, _alignment(example, graph))


def _alignment(example: Example, graph: SGraph) -> tuple[tuple[int, ...], ...] | None:
    if example.alignment is not None:
        for token, nodes in enumerate(example.alignment, 1):
            for node in nodes:
                if node not in graph.nodes:
                    known = f"the meaning has {len(graph.nodes)} nodes"
                    raise InputError(f"token {token} is aligned to the node {node}, but {known}")
        return example.alignment
    rows: list[list[int]] = [[] for _ in example.tokens]
    for number, value in checked(graph, len(rows)).nodes.items():
        if value.token is not None:
            rows[value.token - 1].append(number)
    return tuple(map(tuple, rows)) if any(rows) else None


_REPLACED = 0.5
"""Share of numbers that are replaced in training sentences if a fragment contains a minus."""


class TreeSamples(Samples[Encoded]):
    """Training derivations, and in each epoch new derivations recombined from them."""

    def __init__(self, training: TrainingSet[TreeLearned, Encoded]) -> None:
        learned, train = training.learned, training.settings.train
        super().__init__(train, training.train)
        self._fresh, self._again = train.fresh, train.again
        self._defaults = learned.inventory.defaults
        self._pool = ClassAugmentation(self.train, learned.cooccurrence.kinds)
        self._names = NewNames(self.train, train.invented)
        # Replaced numbers teach the network to recognise a minus by words such as "lower by".
        signed = any(
            label == MINUS + SLOT for f in learned.inventory.fragments for label in f.labels
        )
        self._kept = NewNames(self.train, _REPLACED if signed else 0.0, only=is_number)

    def rows(self, member: int, number: int) -> list[Encoded]:
        """Implement `Samples.rows`: add recombined derivations."""
        random = Random(f"{self.settings.seed} {member} {number}")
        rows = [self._kept.invented(row, random) for row in super().rows(member, number)]
        drawn = (
            self._pool.draw(random, self._again) for _ in range(round(self._fresh * len(rows)))
        )
        rows += [self._names.invented(row, random) for row in drawn]
        random.shuffle(rows)
        return rows

    def batches(self, lengths: IntArray, member: int, number: int) -> list[IntArray]:
        """Implement `Samples.batches`; the rows are already shuffled."""
        settings = self.settings
        return cut(np.arange(len(lengths)), lengths, settings.batch_size, settings.batch_tokens)

    def targets(self, row: Encoded) -> Targets:
        """Implement `Samples.targets`."""
        fragments = [tag >= FIRST_FRAGMENT for tag in row.tags]
        heads = [
            head + 1 if is_fragment else IGNORED
            for head, is_fragment in zip(row.heads, fragments, strict=True)
        ]
        width = max(1, len(self._defaults.names))
        closed = [[float(IGNORED)] * width for _ in row.tags]
        for token, tag in enumerate(row.tags):
            for port, default in enumerate(self._defaults.of_tag[tag]):
                if default >= 0:
                    closed[token][default] = float(row.closed[token] >> port & 1)
        return Targets(row.tokens, row.tags, heads, defaults=closed)


samples = TreeSamples
