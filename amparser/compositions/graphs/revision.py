"""Arcs chosen anew where nodes lack arguments, or have others, than train shows.

Heads, labels and arcs beside the tree are scored one by one. Where a node so gets arguments that
its label has in train next to never, or lacks some that it nearly always has
(`amparser.lexicon.frames`), the change that brings most is made, and so on: another label, another
head, an arc beside the tree more or less.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import Arc, Links
from amparser.compositions.graphs.choices import HEAD, LABEL, Choice, Pair
from amparser.decode.next_best import Limits
from amparser.decode.scores import FloatArray
from amparser.lexicon.frames import Costs, Frames, Node, arguments_of_arc, cost, cost_of_count
from amparser.lexicon.graph_inventory import Inventory

_UNLIKELY = -8.0
"""Labels are looked at whose log probability is greater."""


class Change(NamedTuple):
    """A change of an arc: one goes, another comes, or both; in the tree or beside it."""

    old: Arc | None
    new: Arc | None
    beside: bool


class ArcScores(NamedTuple):
    """What a network makes of the arcs of sentences.

    Attributes:
        heads: of each sentence `[N, 1 + N]`, log probabilities of heads (0: the root).
        odds: `[B, N, 1 + N]`, log odds of arcs beside the tree.
        labels: `[P, labels]` of pairs, log probabilities.
    """

    heads: Sequence[FloatArray]
    odds: FloatArray
    labels: Callable[[Sequence[Pair]], FloatArray]


def revise(
    choices: Sequence[Choice],
    scores: ArcScores,
    inventory: Inventory,
    frames: Frames,
    leaf: NDArray[np.bool_],
    limits: Limits,
) -> None:
    """Choose arcs anew that give nodes other arguments than train shows.

    Args:
        choices: what is chosen for each sentence; arcs change.
        scores: of the network.
        inventory: what the numbers of tags and labels mean.
        frames: what arguments cost.
        leaf: whether each tag can have no arcs below it.
        limits: what may be chosen.
    """
    revisions = [
        _Revision(choice, inventory, frames, heads, odds, leaf[choice.tags], limits)
        for choice, heads, odds in zip(choices, scores.heads, scores.odds, strict=False)
    ]
    pairs = [(b, t, head + 1) for b, one in enumerate(revisions) for t, head in one.pairs]
    if not pairs:
        return
    logp = scores.labels(pairs)
    start = 0
    for revision in revisions:
        end = start + len(revision.pairs)
        revision.run(logp[start:end])
        start = end


class _Revision:
    """A sentence whose arcs are chosen anew.

    Attributes:
        pairs: tokens and heads, of the arcs whose labels have to be scored.
    """

    def __init__(
        self,
        choice: Choice,
        inventory: Inventory,
        frames: Frames,
        heads: FloatArray,
        odds: FloatArray,
        leaf: NDArray[np.bool_],
        limits: Limits,
    ) -> None:
        self._choice, self._inventory = choice, inventory
        self._heads, self._odds = heads, odds
        self._limits = limits
        self._costs: dict[Node, Costs] = {}
        self._arguments: dict[Node, Counter[str]] = defaultdict(Counter)
        for token, fragment in choice.fragments.items():
            for place, label in enumerate(fragment.filled(choice.fillers[token])):
                if place not in fragment.unboxed:
                    self._costs[token, place] = frames.costs(label or "")
            for above, role, _ in fragment.edges:
                self._arguments[token, above][role] += 1
        for arc in choice.arcs():
            self._count(arc, 1)
        self.pairs = self._near(leaf)

    def run(self, logp: FloatArray) -> None:
        """Change arcs, given the scores `[P, labels]` of labels at all `pairs`."""
        links, number = self._inventory.links, self._inventory.label_number
        scores = dict(zip(self.pairs, logp, strict=True))
        # So many labels of an arc are looked at, and so many changes are made in a sentence.
        best = {
            pair: [i for i in row.argsort()[::-1][:6].tolist() if row[i] > _UNLIKELY]
            for pair, row in scores.items()
        }

        def score(arc: Arc) -> float:
            known = number.get(arc.links)
            return _UNLIKELY if known is None else float(scores[arc.child, arc.parent][known])

        tops = {pair: [links[i] for i in labels] for pair, labels in best.items()}
        # So many labels of an arc are looked at, and so many changes are made in a sentence.
        for _ in range(12):
            # What such a cost weighs beside the scores of a network, which sees labels, too.
            gains = (
                (gain + 0.3 * self._relief(change), gain, change)
                for change, gain in self._changes(tops, score)
            )
            best_gain, gain, change = max(gains, key=lambda one: one[0], default=(0.0, 0.0, None))
            # Least gain that is worth a change, in nats.
            if change is None or best_gain < 0.1:
                return
            self._make(change)
            self._choice.logp += 0.0 if change.beside else gain

    def _near(self, leaf: NDArray[np.bool_]) -> list[tuple[int, int]]:
        """Tokens and heads of arcs at strange nodes: those that are there, and likely ones."""
        # Nodes whose arguments cost more, in nats, are looked at.
        strange = {
            token
            for (token, place), costs in self._costs.items()
            if cost(costs, self._arguments[token, place]) > 1.0
        }
        if not strange:
            return []
        free = np.isin(np.arange(len(leaf)), [*self._choice.fragments]) & ~leaf
        odd = np.isin(np.arange(len(free)), list(strange))
        count = len(free)
        # Arcs are looked at whose log probability, or log odds beside the tree, is greater.
        likely = np.maximum(self._heads[:, 1:], self._odds[:count, 1 : count + 1]) > -4.0
        likely &= free[:, None] & free & (odd[:, None] | odd) & ~np.eye(count, dtype=bool)
        there = {(t, h) for h, t, _ in self._choice.arcs() if h in strange or t in strange}
        kept = {(t, self._choice.heads[t]) for t in np.flatnonzero(likely.any(axis=1)).tolist()}
        kept = {(t, h) for t, h in kept if h >= 0}
        return sorted({*((t, h) for t, h in np.argwhere(likely).tolist()), *there, *kept})

    def _changes(
        self, tops: dict[tuple[int, int], list[Links]], score: Callable[[Arc], float]
    ) -> Iterator[tuple[Change, float]]:
        """All changes of one arc, and what they bring by the scores of the network."""
        choice = self._choice
        others = {(arc.child, arc.parent): arc for arc in choice.beside}
        for (token, head), labels in tops.items():
            above = choice.heads[token]
            tree = Arc(above, token, choice.links[token])
            if choice.heads[head] == token or (head, token) in others:
                continue
            beside = others.get((token, head))
            odds = float(self._odds[token, head + 1])
            if beside is not None:
                yield Change(beside, None, True), -odds - score(beside)
            for links in labels:
                new = Arc(head, token, links)
                if above == head:
                    if self._allowed(token, LABEL, links):
                        yield Change(tree, new, False), score(new) - score(tree)
                elif beside is not None:
                    yield Change(beside, new, True), score(new) - score(beside)
                else:
                    yield Change(None, new, True), odds + score(new)
                    if self._can_move(token, head) and self._allowed(token, LABEL, links):
                        step = self._heads[token, head + 1] - self._heads[token, above + 1]
                        yield Change(tree, new, False), float(step) + score(new) - score(tree)

    def _allowed(self, token: int, name: str, value: object) -> bool:
        return self._limits.allow((token, name), value)

    def _can_move(self, token: int, head: int) -> bool:
        """Whether a token that is not at the top may hang from another head, without a cycle."""
        heads = self._choice.heads
        if heads[token] < 0 or not self._allowed(token, HEAD, head):
            return False
        at = head
        while at not in (-1, token):
            at = heads[at]
        return at == -1

    def _relief(self, change: Change) -> float:
        """What a change saves of the costs of arguments; no argument may come twice."""
        more: dict[tuple[Node, str], int] = defaultdict(int)
        for arc, step in ((change.old, -1), (change.new, 1)):
            for argument in arguments_of_arc(arc) if arc else ():
                more[argument] += step
        saved = 0.0
        for (node, role), step in more.items():
            both = self._costs.get(node, {}).get(role)
            if both is not None:
                before = self._arguments[node][role]
                if step > 0 and before + step > 1:
                    return -inf
                saved += cost_of_count(both, before) - cost_of_count(both, before + step)
        return saved

    def _count(self, arc: Arc, step: int) -> None:
        for node, role in arguments_of_arc(arc):
            self._arguments[node][role] += step

    def _make(self, change: Change) -> None:
        choice = self._choice
        if change.old is not None:
            self._count(change.old, -1)
            if change.beside:
                choice.beside.remove(change.old)
        if change.new is not None:
            self._count(change.new, 1)
            if change.beside:
                choice.beside.append(change.new)
            else:
                head, token, links = change.new
                choice.heads[token], choice.links[token] = head, links
