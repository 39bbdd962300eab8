"""What was decided for a corpus, and why: lines that `check` and `train` print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from amparser.induction.induce import SourceInventory

NO_MARKERS = "markers: none, a word without a constant joins another word's or is ignored"


def sizes(nodes: Iterable[int], labels: int) -> str:
    """How large constants are, given the nodes of each, and how many labels edges have.

    >>> sizes([1, 1, 3], 4)
    '3 constants: 2 of one node, 1 of several (3 at most); 4 edge labels'
    """
    counts = list(nodes)
    several = sum(count > 1 for count in counts)
    most = f" ({max(counts)} at most)" if several else ""
    found = f"{len(counts) - several} of one node, {several} of several{most}"
    return f"{len(counts)} constants: {found}; {labels} edge labels"


def node_decisions(inventory: SourceInventory, markers: Sequence[str]) -> list[str]:
    """Those of constants of one node, given the words that are constants without a label."""
    why = "no words make the description of train shorter"
    steps = [step for step in inventory.steps if step.accepted]
    if len(steps) > 1:
        why = f"train has {steps[-1].bits:,.0f} bits with them, {steps[0].bits:,.0f} without"
    elif markers:
        why = "the trees of train have them"
    return [
        "boxes and arcs beside the tree: none, trees of types give train back",
        "sorts: none, types say what fits",
        f"markers: {', '.join(markers) or 'none'}; {why}",
    ]


def tree_decisions(sort_count: int, cut: int, inside: int, rows: int) -> list[str]:
    """Those of constants that are pieces of trees.

    Args:
        sort_count: how many sorts there are.
        cut: how many edges derivations leave out.
        inside: in how many derivations a head stands inside its argument.
        rows: how many derivations there are.
    """
    edges = f"{cut} edges that close cycles are left out" if cut else "every graph is a tree"
    return [
        f"boxes and arcs beside the tree: none, {edges}",
        f"sorts: {sort_count}, with which the description of train is shortest",
        NO_MARKERS,
        f"heads inside their arguments: in {inside} of {rows} examples, which decides the search",
    ]


def graph_decisions(boxes: str, beside: int, rows: int) -> list[str]:
    """Those of constants that are pieces of graphs.

    Args:
        boxes: the labels of boxes and of the edges to their members, or nothing.
        beside: how many examples have edges beside the tree.
        rows: how many examples there are.
    """
    return [
        f"boxes {boxes}" if boxes else "boxes: none, no node of train has members as boxes have",
        f"edges beside the tree in {beside} of {rows} examples",
        "sorts: none, the label of an edge is scored for the two constants that it joins",
        NO_MARKERS,
    ]
