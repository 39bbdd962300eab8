"""The report before training begins: the amount of training data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """The amount of a model's training data.

    The fields from `failures` on are empty for systems that do not learn from trees.

    Attributes:
        train_count: the number of training examples.
        dev_count: the number of dev examples.
        failures: the examples of train that have no tree, each as `FILE:LINE: REASON`.
        dev_failures: those of dev, including examples whose tree has a supertag or an edge label
            that train does not have.
        markers: the words that are constants without a node.
        supertag_count: the number of supertags without the empty one.
        edge_label_count: the number of edge labels.
        piece_count: the number of pieces, of a parser over pieces.
        sort_count: the number of their sorts.
        cuts: the examples of train whose trees leave edges out, each as `FILE:LINE: EDGES`.
        cut_count: the number of these edges.
    """

    train_count: int
    dev_count: int
    failures: tuple[str, ...] = ()
    dev_failures: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    supertag_count: int = 0
    edge_label_count: int = 0
    piece_count: int = 0
    sort_count: int = 0
    cuts: tuple[str, ...] = ()
    cut_count: int = 0


OnReport = Callable[[TrainingReport], None]
