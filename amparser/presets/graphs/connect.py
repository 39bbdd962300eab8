"""Additional edges that connect all nodes of a predicted graph.

A derivation is a tree over tokens, but its graph may be disconnected: a fragment may have nodes
without an edge between them, and an arc may have no label that fits its two fragments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import networkx as nx
import numpy as np

from amparser.algebra.derivation import Arc, Derivation, Link, Links
from amparser.decode.scores import FloatArray, Pair, Question, Search

At = tuple[int, int]
"""Node of a derivation: token, and index of the node in the token's fragment."""


def components(derivation: Derivation) -> list[set[At]]:
    """Return the connected components of a derivation's graph, largest first."""
    unboxed = _unboxed(derivation)
    joined: nx.Graph[At] = nx.Graph()
    for token, fragment in enumerate(derivation.fragments):
        if fragment is not None:
            joined.add_nodes_from((token, node) for node in range(len(fragment.labels)))
            joined.add_edges_from(((token, a), (token, b)) for a, _, b in fragment.edges)
    for head, token, links in derivation.arcs():
        for _, _, above, below in links:
            ends = (head, above), (token, below)
            if not unboxed.intersection(ends):
                joined.add_edge(*ends)
    parts = [part for part in nx.connected_components(joined) if not part <= unboxed]
    return sorted(parts, key=len, reverse=True)


def _unboxed(derivation: Derivation) -> set[At]:
    rows = enumerate(derivation.fragments)
    return {
        (token, node)
        for token, fragment in rows
        if fragment is not None
        for node in fragment.unboxed
    }


def connect(
    derivation: Derivation,
    labels: Sequence[Links],
    scores: Callable[[Sequence[Pair]], Question],
) -> Search[Derivation]:
    """Add the most probable re-entrant edges that connect all nodes.

    Args:
        derivation: derivation of a graph that may be disconnected.
        labels: links (edges between two fragments) of each label; labels without links are unused.
        scores: function that requests the label scores of (token, head) pairs, `[P, labels]`.
    """
    unboxed = _unboxed(derivation)
    usable = np.array([bool(links) for links in labels])
    while usable.any() and len(parts := components(derivation)) > 1:
        alone = parts[-1]
        rest = {node for part in parts[:-1] for node in part}
        # Nodes outside all boxes may have only one edge, so they are left out. Only the first
        # remaining node of each token is used.
        alone, rest = alone - unboxed, rest - unboxed
        inside, outside = dict(sorted(alone, reverse=True)), dict(sorted(rest, reverse=True))
        arcs = [pair for a in inside for b in outside if a != b for pair in ((a, b), (b, a))]
        if not arcs:
            break
        label_logp = yield scores([(token, head + 1) for token, head in arcs])
        logp = np.where(usable, label_logp, -np.inf)
        best = _fitting(arcs, logp, labels, alone, rest)
        if best is None:
            # If no label fits, the most probable label joins the first nodes of two tokens.
            row, label = divmod(int(logp.argmax()), logp.shape[1])
            token, head = arcs[row]
            name, down, *_ = labels[label][0]
            lower = inside[token] if head in outside else outside[token]
            upper = outside[head] if head in outside else inside[head]
            best = Arc(head, token, (Link(name, down, upper, lower),))
        derivation = replace(derivation, reentrant=(*derivation.reentrant, best))
    return derivation


def _fitting(
    arcs: Sequence[tuple[int, int]],
    logp: FloatArray,
    labels: Sequence[Links],
    alone: set[At],
    rest: set[At],
) -> Arc | None:
    known = alone | rest
    for place in np.argsort(-logp, axis=None, kind="stable"):
        row, label = divmod(int(place), logp.shape[1])
        token, head = arcs[row]
        if not np.isfinite(logp[row, label]):
            return None
        ends = [((head, upper), (token, lower)) for _, _, upper, lower in labels[label]]
        if all(above in known and below in known for above, below in ends) and any(
            (above in alone) != (below in alone) for above, below in ends
        ):
            return Arc(head, token, labels[label])
    return None
