"""Graphs in one piece: edges for nodes that nothing connects to the rest.

A tree over tokens connects their constants, but not every node of a constant: one that train has
connected through other tokens may be left alone, and so may two constants between which no label
fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import networkx as nx
import numpy as np

from amparser.compositions.graphs.choices import Choice
from amparser.decode.scores import FloatArray
from amparser.lexicon.analysis import ROOT, Tag, arc_label, edges_of_arc

At = tuple[int, int]
"""A token, and one of the nodes of its constant."""

Arcs = Sequence[tuple[int, int]]
"""Pairs of a token and its head, both from 0."""


def components(choice: Choice, tags: Sequence[Tag]) -> list[set[At]]:
    """The nodes of a choice, those that are connected together; the largest set is first.

    Edges whose places are not in their constants lead to the first node, as in `expand`. Constants
    connect nothing, and what has constants alone is left out.
    """
    joined: nx.Graph[At] = nx.Graph()
    for token, full in enumerate(choice.full):
        tag = tags[choice.tags[token]]
        if full:
            joined.add_nodes_from((token, node) for node in range(len(tag.labels)))
            joined.add_edges_from(((token, one), (token, other)) for one, _, other in tag.edges)
    arcs = [(h, t, choice.labels[t]) for t, h in enumerate(choice.heads) if h != ROOT]
    for head, token, label in (*arcs, *choice.extra):
        for _, _, upper, lower in edges_of_arc(label):
            ends = [(head, upper), (token, lower)]
            first, second = (end if end in joined else (end[0], 0) for end in ends)
            if not any(tags[choice.tags[t]].constant[node] for t, node in (first, second)):
                joined.add_edge(first, second)
    parts = [
        part
        for part in nx.connected_components(joined)
        if not all(tags[choice.tags[token]].constant[node] for token, node in part)
    ]
    return sorted(parts, key=len, reverse=True)


def connect(
    choice: Choice,
    tags: Sequence[Tag],
    labels: Sequence[str],
    scores: Callable[[Arcs], FloatArray],
) -> None:
    """Add the likeliest arcs beside the tree that bring all nodes of a choice together.

    Args:
        choice: gets the arcs.
        tags: all tags.
        labels: all labels of arcs.
        scores: makes the scores `[P, labels]` of arcs; those of labels of the root do not count.
    """
    plain = [() if label.startswith("^") else edges_of_arc(label) for label in labels]
    usable = np.array([bool(edges) for edges in plain])
    while usable.any() and len(parts := components(choice, tags)) > 1:
        alone = parts[-1]
        rest = {node for part in parts[:-1] for node in part}
        # Constants have one edge; of other nodes, the first of each token.
        alone, rest = (
            {(t, node) for t, node in part if not tags[choice.tags[t]].constant[node]}
            for part in (alone, rest)
        )
        inside, outside = dict(sorted(alone, reverse=True)), dict(sorted(rest, reverse=True))
        arcs = [pair for a in inside for b in outside if a != b for pair in ((a, b), (b, a))]
        if not arcs:
            return
        logp = np.where(usable, scores(arcs), -np.inf)
        best = _fitting(arcs, logp, plain, alone, rest)
        if best is None:
            # No label of train has such places: the likeliest edge between first nodes.
            row, label = divmod(int(logp.argmax()), logp.shape[1])
            token, head = arcs[row]
            name, down, *_ = plain[label][0]
            lower = inside[token] if head in outside else outside[token]
            upper = outside[head] if head in outside else inside[head]
            best = token, head, arc_label([(name, down, upper, lower)])
        choice.extra.append((best[1], best[0], best[2]))


def _fitting(
    arcs: Arcs,
    logp: FloatArray,
    plain: Sequence[Sequence[tuple[str, bool, int, int]]],
    alone: set[At],
    rest: set[At],
) -> tuple[int, int, str] | None:
    """The likeliest arc with a label that leads from a part to the rest, to nodes that are there.

    Its token, head and label.
    """
    known = alone | rest
    for place in np.argsort(-logp, axis=None, kind="stable"):
        row, label = divmod(int(place), logp.shape[1])
        token, head = arcs[row]
        if not np.isfinite(logp[row, label]):
            return None
        ends = [((head, upper), (token, lower)) for _, _, upper, lower in plain[label]]
        if all(one in known and other in known for one, other in ends) and any(
            (one in alone) != (other in alone) for one, other in ends
        ):
            return token, head, arc_label(plain[label])
    return None
