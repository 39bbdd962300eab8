"""From a corpus to derivations: what a parser over fragments of trees learns from.

    meaning --notation--> graph --spanning tree--> fragments --alignment--> derivation

An example that has a graph enters there, and so does the graph of a tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from amparser.algebra.derivation import is_projective
from amparser.algebra.fragment import SLOT, Fragment
from amparser.compositions.constants import Gold
from amparser.compositions.decisions import sizes, tree_decisions
from amparser.compositions.settings import TreeSettings
from amparser.compositions.source import (
    Source,
    Watched,
    checked,
    graph_of_example,
    nothing_to_learn,
    watched,
)
from amparser.conditions import Count
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, DecomposeError, InputError
from amparser.graph.sgraph import Edge, SGraph, edge_at
from amparser.induction.contraction import chained
from amparser.induction.derivations import AlignedGraph, derive
from amparser.induction.evidence import Evidence
from amparser.induction.inventory import Inventory
from amparser.induction.kinds import induce_kinds
from amparser.induction.sorts import SortModel, induce_sorts, tag_tree
from amparser.learn.report import TrainingReport
from amparser.lexicon.encoded import FIRST_FRAGMENT, NOBODY, Encoded
from amparser.notations.notation import Notation


@dataclass(frozen=True)
class TreeLearned:
    """Inventory, sorts and evidence of fragments of trees.

    Attributes:
        inventory: the fragments of train.
        sorts: which fragments stand where.
        evidence: how often train has what.
        cut: how many edges of each label the derivations leave out.
    """

    inventory: Inventory
    sorts: SortModel
    evidence: Evidence
    cut: Mapping[str, Count]

    def misfit(self) -> str | None:
        """Return why tags and fragments disagree, or a fragment or wrapper has no graph."""
        fragments, wrapper = self.inventory.fragments, self.inventory.contraction.wrapper
        if len(self.sorts.tag) != (count := FIRST_FRAGMENT + len(fragments)):
            return f".sorts.tag: expected {count} rows, as there are fragments"
        around = [Fragment((label, SLOT), (edge_at(0, place, 1),)) for label, place in wrapper]
        for key, some in (("fragments", fragments), ("contraction.wrapper", around)):
            for i, fragment in enumerate(some):
                if fragment.problems:
                    return f".inventory.{key}[{i}]: {fragment.problems[0]}"
                try:
                    fragment.closing(()).supertag()
                except AMParserError as error:
                    return f".inventory.{key}[{i}]: {error}"
        return None


GoldDerivations = Gold[TreeLearned, Encoded, Watched]


@dataclass(frozen=True)
class Derived:
    """What train became.

    Attributes:
        inventory: the fragments.
        derivations: of the examples that have one.
        failures: the examples that have none, each as `FILE:LINE: REASON`.
        cuts: the examples whose derivations leave edges out, each as `FILE:LINE: EDGES`.
        cut: how many edges of each label these are.
    """

    inventory: Inventory
    derivations: list[Encoded]
    failures: tuple[str, ...]
    cuts: tuple[str, ...]
    cut: Mapping[str, int]


def gold_derivations(corpus: Corpus, settings: TreeSettings) -> GoldDerivations:
    """The derivations of a corpus, its fragments and their sorts.

    Raises:
        InputError: no example of train has a derivation.
        CorpusError: a meaning cannot be read, or an example has nothing to learn from; names
            file and line.
    """
    derived = derived_train(corpus)
    tag_count = FIRST_FRAGMENT + len(derived.inventory.fragments)
    trees = [tag_tree(derivation) for derivation in derived.derivations]
    sorts = induce_sorts(
        trees,
        tag_count,
        most=settings.sorts.most,
        passed=chained(derived.inventory.fragments, FIRST_FRAGMENT),
    )
    dev, dev_faults = watched(corpus)
    fragments, inside = derived.inventory.fragments, heads_inside(derived.derivations)
    labels = {label for one in fragments for _, label, _ in one.edges}
    report = TrainingReport(
        len(derived.derivations),
        len(dev),
        derived.failures,
        dev_faults,
        constant_count=len(fragments),
        edge_label_count=len(labels),
        remarks=(
            sizes((len(one.labels) - one.labels.count(None) for one in fragments), len(labels)),
            *tree_decisions(sorts.sort_count, sum(derived.cut.values()), inside, len(trees)),
        ),
        cuts=derived.cuts,
        cut_count=sum(derived.cut.values()),
        decoder=decoder_of(settings, inside, len(trees)),
    )
    kinds = induce_kinds(trees, tag_count)
    evidence = Evidence.of(derived.derivations, tag_count, kinds)
    learned = TreeLearned(derived.inventory, sorts, evidence, derived.cut)
    return Gold(learned, derived.derivations, dev, report)


def heads_inside(derivations: Sequence[Encoded]) -> int:
    """In how many derivations a head stands inside its argument."""
    return sum(
        not is_projective(
            [h + 1 if t >= FIRST_FRAGMENT else NOBODY for t, h in zip(d.tags, d.heads, strict=True)]
        )
        for d in derivations
    )


def decoder_of(settings: TreeSettings, inside: int, count: int) -> str:
    """The search of the settings, or a faster one where almost no head is inside its argument.

    Args:
        settings: all settings.
        inside: in how many derivations one is.
        count: how many derivations there are.
    """
    if settings.decode.decoder != "wrap":
        return settings.decode.decoder
    # Where no larger share of derivations has a head inside its argument, none is searched for.
    return "wrap" if inside > 0.005 * count else "projective"


def settled(settings: TreeSettings, gold: GoldDerivations) -> TreeSettings:
    """The settings with the search that train decides."""
    return replace(settings, decode=replace(settings.decode, decoder=gold.report.decoder))


def derived_train(corpus: Corpus) -> Derived:
    """The derivations of train.

    Args:
        corpus: its examples have meanings, graphs or trees.

    Raises:
        InputError, CorpusError: as `gold_derivations` says.
    """
    source = Source.of(corpus, "train")
    found, reasons = source.read(enumerate(corpus.train), _aligned)
    if not found:
        raise nothing_to_learn(source.faults(corpus.train, reasons))
    numbers, graphs = list(found), list(found.values())
    try:
        induced = derive(graphs)
    except DecomposeError as error:
        raise nothing_to_learn([str(error)]) from None
    cuts: dict[int, tuple[Edge, ...]] = {}
    for number, derivation, cut in zip(numbers, induced.derivations, induced.cut, strict=True):
        if derivation is None:
            reasons[number] = "its constants find no tokens of their own"
        elif cut:
            cuts[number] = cut
    return Derived(
        induced.inventory,
        [derivation for derivation in induced.derivations if derivation is not None],
        source.faults(corpus.train, reasons),
        source.faults(
            corpus.train,
            {
                number: "edges left out: " + ", ".join(edge.label for edge in cut)
                for number, cut in cuts.items()
            },
        ),
        Counter(edge.label for cut in cuts.values() for edge in cut),
    )


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
