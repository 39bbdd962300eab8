"""Training data of the preset `graph`: derivations of graphs, and of texts joined from sentences.

meaning --notation--> graph --decomposer--> derivation --lexicon--> indices
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce

from amparser.algebra.expand import expand
from amparser.corpora.corpus import Corpus
from amparser.graph.boxes import IsConstant
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.induction.fragments import Row
from amparser.induction.texts import Joint, drawn, final_words, joined, joint_of
from amparser.learn.ensemble_task import Samples
from amparser.learn.report import TrainingReport
from amparser.lexicon.encoded import Targets
from amparser.lexicon.graph_inventory import inventory_of
from amparser.lexicon.spans import span_rules_of
from amparser.notations.registry import NOTATIONS
from amparser.presets.graphs.decomposition import Decomposed, Decomposer
from amparser.presets.graphs.encoding import GraphEncoder, GraphLearned
from amparser.presets.preset import TrainingSet
from amparser.presets.settings import GraphDataSettings, GraphSettings
from amparser.presets.source import (
    NO_MARKERS,
    Source,
    accuracy,
    dev_sentences,
    graph_of_example,
    nothing_to_learn,
    sizes,
)
from amparser.presets.tables import graph_tables as tables

__all__ = ["accuracy", "coverage", "samples", "tables", "training_set"]


def training_set(corpus: Corpus, settings: GraphSettings) -> TrainingSet[GraphLearned, Row]:
    """Return the derivations of a corpus, and derivations of texts joined from its sentences.

    Raises:
        InputError: if no training example has a derivation.
        CorpusError: if a meaning cannot be read; the message names file and line.
    """
    decomposer, decomposed, _, reasons = _decomposed(corpus, settings.data)
    faults = Source.of(corpus, "train").faults(corpus.train, reasons)
    if not decomposed:
        raise nothing_to_learn(faults)
    names = settings.data.auxiliary.split()
    rows, auxiliary, missing = _with_auxiliary([row for row, _ in decomposed.values()], names)
    remarks = [
        f"data.auxiliary: no example has a layer {name!r} with an item for each word"
        for name in missing
    ]
    texts = _texts_of(rows, settings.data.texts)
    how = [f"{len(texts)} texts combined from sentences of train"] if texts else []
    inventory = inventory_of((row.units, row.derivation) for row in rows)
    learned = GraphLearned(
        decomposer.scheme,
        decomposer.splitter,
        inventory,
        auxiliary,
        span_rules_of([shown for _, shown in decomposed.values()]),
        sorted({row.language for row in rows} - {""}),
    )
    dev, dev_faults = dev_sentences(corpus)
    encoder = GraphEncoder(replace(learned, auxiliary=()))
    unmade: dict[int, str] = {}
    dev_graphs = {number: sentence.graph for number, sentence in dev.items()}
    for number, (row, _) in decomposer.decompose(corpus.dev, dev_graphs, unmade).items():
        unknown: list[str] = []
        encoder.encode(replace(row, auxiliary=(), language=""), unknown)
        if unknown:
            unmade[number] = unknown[0]
    counts = [len(tag.labels) for tag in inventory.tags if not isinstance(tag, str)]
    scheme, beside = decomposer.scheme, sum(bool(row.derivation.reentrant) for row in rows)
    report = TrainingReport(
        len(rows),
        len(dev),
        faults,
        dev_faults,
        constant_count=len(counts),
        edge_label_count=len(inventory.labels),
        unmade=Source.of(corpus, "dev").faults(corpus.dev, unmade),
        remarks=(
            sizes(counts, len(inventory.labels)),
            "boxes: none in train"
            if scheme is None
            else f"boxes: nodes {scheme.label}, edges {scheme.member} to their members",
            f"re-entrant edges: in {beside} of {len(rows)} examples",
            NO_MARKERS,
            *remarks,
            *how,
        ),
    )
    return TrainingSet(learned, [*rows, *texts], [*dev.values()], report, settings)


def coverage(corpus: Corpus) -> float:
    """Return the share of training examples whose derivations denote their graphs.

    Derivations in which a single fragment contains a whole graph of several nodes do not count.
    """
    decomposer, rows, graphs, _ = _decomposed(corpus, GraphDataSettings())
    whole = 0
    for number, (row, _) in rows.items():
        graph = expand(row.derivation, decomposer.scheme)
        fragments = sum(fragment is not None for fragment in row.derivation.fragments)
        whole += (fragments > 1 or len(graph.nodes) == 1) and isomorphic(graph, graphs[number])
    return whole / max(1, len(corpus.train))


def tags(learned: GraphLearned) -> list[str]:
    """Return the tags as texts, in the order of the network's outputs."""
    return list(map(str, learned.inventory.tags))


def _decomposed(
    corpus: Corpus, settings: GraphDataSettings
) -> tuple[Decomposer, Decomposed, dict[int, SGraph], dict[int, str]]:
    notation = NOTATIONS[corpus.notation] if corpus.notation else None
    is_constant: IsConstant = (lambda label: False) if notation is None else notation.is_constant
    source = Source.of(corpus, "train")
    graphs, reasons = source.read(enumerate(corpus.train), graph_of_example)
    fitted = Decomposer.fit(corpus.train, graphs, settings, is_constant, reasons)
    return *fitted, graphs, reasons


def _with_auxiliary(
    rows: Sequence[Row], names: Sequence[str]
) -> tuple[list[Row], list[list[str]], list[str]]:
    items = [
        sorted({item for row in rows for item in row.auxiliary[number] if item is not None})
        for number in range(len(names))
    ]
    kept = [number for number, known in enumerate(items) if known]
    return (
        [replace(row, auxiliary=tuple(row.auxiliary[number] for number in kept)) for row in rows],
        [items[number] for number in kept],
        [name for name, known in zip(names, items, strict=True) if not known],
    )


def _texts_of(rows: Sequence[Row], share: float) -> list[Row]:
    texts: list[Row] = []
    for language in sorted({row.language for row in rows}):
        of = [row for row in rows if row.language == language]
        sentences, final = [row.derivation for row in of], final_words(row.tokens for row in of)
        joint = joint_of(sentences, final)
        if joint is not None:
            for text in drawn(sentences, final, round(share * len(of))):
                texts.append(reduce(partial(_followed, joint), (of[i] for i in text)))
    return texts


def _followed(joint: Joint, first: Row, second: Row) -> Row:
    shift = first.units[-1].token + 1
    behind = (replace(unit, token=unit.token + shift) for unit in second.units)
    both = zip(first.auxiliary, second.auxiliary, strict=True)
    return Row(
        (*first.units, *behind),
        joined(first.derivation, second.derivation, joint),
        tuple(a + b for a, b in both),
        first.language,
    )


def samples(training: TrainingSet[GraphLearned, Row]) -> Samples[Targets]:
    """Return the encoded training rows, which are the same in all epochs."""
    encoder = GraphEncoder(training.learned)
    rows = [encoder.encode(row, []) for row in training.train]
    return Samples(training.settings.train, rows)
