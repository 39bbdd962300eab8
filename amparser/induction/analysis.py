"""The whole chain from a corpus of graphs to AM dependency trees.

aligned graphs -> skeletons -> inventory of markers and sources -> AM trees
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from amparser.constants.tree import AMTree
from amparser.errors import DecomposeError
from amparser.graph.sgraph import SGraph
from amparser.induction.decompose import Decomposer
from amparser.induction.induce import SourceInventory, induce, occurrence_of
from amparser.induction.skeleton import Skeleton, skeleton_of


@dataclass(frozen=True)
class Analysis:
    """A decomposed corpus.

    Attributes:
        inventory: the markers and frames induced from it.
        trees: one for each graph, in order; None where decomposition failed.
        failures: (index into the corpus, reason) of each graph without a tree.
    """

    inventory: SourceInventory
    trees: tuple[AMTree | None, ...]
    failures: tuple[tuple[int, str], ...]


def analyse(
    graphs: Sequence[tuple[Sequence[str], SGraph]],
    inventory: SourceInventory | None = None,
) -> Analysis:
    """Decompose a corpus of (tokens, aligned graph).

    Args:
        graphs: of the corpus.
        inventory: how sources are named; induced from this corpus if there is none.
    """
    skeletons: list[Skeleton | None] = []
    failures: dict[int, str] = {}
    for i, (tokens, graph) in enumerate(graphs):
        try:
            skeletons.append(skeleton_of(tokens, graph))
        except DecomposeError as error:
            skeletons.append(None)
            failures[i] = str(error)
    occurrences = {
        (id(skeleton), node): occurrence_of(skeleton, node)
        for skeleton in skeletons
        if skeleton is not None
        for node in skeleton.order
    }
    if inventory is None:
        inventory = induce(occurrences.values())
    decomposer = Decomposer(inventory, occurrences)
    trees: list[AMTree | None] = []
    for i, skeleton in enumerate(skeletons):
        tree = None
        if skeleton is not None:
            try:
                tree = decomposer.decompose(skeleton)
            except DecomposeError as error:
                failures[i] = str(error)
        trees.append(tree)
    return Analysis(inventory, tuple(trees), tuple(sorted(failures.items())))
