"""What is known before training begins: how much there is to learn from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """What a model learns from.

    The fields from `failures` on are empty for systems that learn from no trees.

    Attributes:
        train_count: how many examples are learned from.
        dev_count: how many are watched.
        failures: the examples of train that have no tree, each as `FILE:LINE: REASON`.
        dev_failures: those of dev, also those whose tree has a supertag or an edge label
            that train does not have.
        markers: the words that are constants without a node.
        supertag_count: how many supertags there are, the empty one left out.
        edge_label_count: how many edge labels there are.
        piece_count: how many pieces there are, of a parser over pieces.
        sort_count: how many sorts these have.
        cuts: the examples of train of which edges are left out, each as `FILE:LINE: EDGES`.
        cut_count: how many edges these are.
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
