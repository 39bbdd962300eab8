"""Which arguments the nodes of a label have, and how surely, by what train shows.

Nodes such as `_put_v_1` have an argument nearly always or never. What a label is too rare to show,
labels with the same kind and number of a sense (`_v_up`) show together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import log

from amparser.algebra.derivation import Arc, Derivation
from amparser.algebra.fragment import SLOT
from amparser.lexicon.senses import Senses

Node = tuple[int, int]
"""A token, and a place in its constant."""

Costs = Mapping[str, tuple[float, float]]
"""What it costs a node not to have an argument, and to have it, in nats."""

NODES = ""
"""Under this, a frame has the number of nodes."""

_KIND = 2.0
"""The labels of a kind weigh as much as so many nodes of a label."""
_EVEN = 0.3
"""What is added to the counts of a kind, and the part of it that has an argument."""


def arguments_of_arc(arc: Arc) -> Iterator[tuple[Node, str]]:
    """The nodes that an arc gives arguments to, each with the name of one."""
    for role, down, above, below in arc.links:
        yield ((arc.parent, above) if down else (arc.child, below)), role


def frames_of(
    derivations: Iterable[Derivation], senses: Senses, unique: frozenset[str]
) -> dict[str, dict[str, int]]:
    """For each label of nodes and each kind, how many nodes there are, and have each argument.

    Args:
        derivations: of train.
        senses: tell word and sense apart.
        unique: the arguments that count.
    """
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for derivation in derivations:
        arguments: dict[Node, set[str]] = defaultdict(set)
        for arc in derivation.arcs():
            for node, role in arguments_of_arc(arc):
                arguments[node].add(role)
        for token, fragment in enumerate(derivation.constants):
            if fragment is None:
                continue
            for above, role, _ in fragment.edges:
                arguments[token, above].add(role)
            for place, label in enumerate(fragment.filled(derivation.fillers[token])):
                if label and place not in fragment.unboxed:
                    given = [NODES, *sorted(arguments[token, place] & unique)]
                    for name in sorted({label, kind_of(label, senses)} - {""}):
                        found[name].update(given)
    kept = sorted(found, key=lambda name: (-found[name][NODES], name))
    # A label that fewer nodes have has no frame of its own.
    return {name: dict(found[name]) for name in kept if found[name][NODES] >= 3}


def kind_of(label: str, senses: Senses) -> str:
    """A label without its word; empty if it has no sense."""
    parts = senses.parts(label)
    return parts.frame.replace(SLOT, SLOT + parts.kind + parts.number) if parts.kind else ""


class Frames:
    """What arguments cost nodes.

    Args:
        counts: of `frames_of`; without any, nothing costs anything.
        senses: tell word and sense apart.
        unique: the arguments that count.
    """

    def __init__(
        self, counts: Mapping[str, Mapping[str, int]], senses: Senses, unique: frozenset[str]
    ) -> None:
        self._counts = counts
        self._senses = senses
        self._unique = sorted(unique)
        self._known: dict[str, Costs] = {}

    def __bool__(self) -> bool:
        return bool(self._counts)

    def costs(self, label: str) -> Costs:
        """What arguments cost the nodes of a label."""
        if label not in self._known:
            self._known[label] = self._costs(label)
        return self._known[label]

    def _costs(self, label: str) -> Costs:
        kind = self._counts.get(kind_of(label, self._senses), {})
        own = self._counts.get(label, {})
        if not kind and not own:
            return {}
        found = {}
        for role in self._unique:
            # What is added to the counts of a kind, and the part of it that has an argument.
            of_kind = kind.get(role, 0) + _EVEN * 0.5
            share = of_kind / (kind.get(NODES, 0) + _EVEN)
            yes = (own.get(role, 0) + _KIND * share) / (own.get(NODES, 0) + _KIND)
            found[role] = -log(1 - yes), -log(yes)
        return found


def cost(costs: Costs, arguments: Mapping[str, int]) -> float:
    """What the arguments that a node has cost it, and those that it has not."""
    return sum(cost_of_count(both, arguments.get(role, 0)) for role, both in costs.items())


def cost_of_count(costs: tuple[float, float], count: int) -> float:
    """What it costs a node to have an argument so many times, given its costs without and with."""
    without, once = costs
    # What each argument costs that a node has once more.
    return once + 3.0 * (count - 1) if count > 0 else without
