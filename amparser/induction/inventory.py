"""Inventory of the fragments of a corpus; it converts derivations to tags and graphs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from amparser.algebra.derivation import CONTINUE, Derivation
from amparser.algebra.expand import expand
from amparser.algebra.fragment import Fragment
from amparser.algebra.types import APP, IGNORE, ROOT
from amparser.graph.sgraph import SGraph, edge_at
from amparser.induction.contraction import Contraction
from amparser.induction.spanning import spanning_tree
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, IGNORE_TAG, Encoded
from amparser.lexicon.lexical_labels import LexicalLabels
from amparser.notations.ordered_trees import ABSENT

_WITHOUT = {IGNORE_TAG: IGNORE, CONTINUE_TAG: CONTINUE}


class Defaults(NamedTuple):
    """Distinct labels of default leaves (fillers of optional ports).

    Attributes:
        names: the labels; a tagger has one output for each.
        of_tag: index of the default's label by tag and port; -1 if the port has no default, or if
            its default is `ABSENT`.
    """

    names: tuple[str, ...]
    of_tag: list[list[int]]


@dataclass
class Inventory:
    """Fragments, lexical labels and wrapper (the nodes around every meaning) of a corpus."""

    fragments: tuple[Fragment, ...]
    contraction: Contraction
    labels: LexicalLabels
    wrapper: Fragment | None = None

    @property
    def tag_labels(self) -> list[str]:
        """Root label of each tag's fragment; empty if it has a slot or there is no fragment."""
        names = ["" if fragment.slots else fragment.labels[0] or "" for fragment in self.fragments]
        return [*[""] * FIRST_FRAGMENT, *names]

    @cached_property
    def defaults(self) -> Defaults:
        """The labels of default leaves, by tag and port."""
        ports = [
            [None if port.default == ABSENT else port.default for port in fragment.ports]
            for fragment in self.fragments
        ]
        names = sorted({name for row in ports for name in row if name is not None})
        numbers = {name: i for i, name in enumerate(names)}
        kinds = [[-1 if d is None else numbers[d] for d in row] for row in ports]
        return Defaults(tuple(names), [*([] for _ in range(FIRST_FRAGMENT)), *kinds])

    def graph(self, derivation: Derivation) -> SGraph:
        """Return the graph of a derivation; add the wrapper, and align all nodes to tokens."""
        return _in_preorder(expand(derivation, wrapper=self.wrapper, align_all=True))

    @cached_property
    def _number(self) -> dict[Fragment | str, int]:
        numbers: dict[Fragment | str, int] = {name: tag for tag, name in _WITHOUT.items()}
        return numbers | {
            fragment: tag for tag, fragment in enumerate(self.fragments, FIRST_FRAGMENT)
        }

    def tags(self, derivation: Derivation) -> list[int]:
        """Return the tag of each token, as `decode` takes them."""
        return [
            self._number[operation if constant is None else constant]
            for constant, operation in zip(derivation.fragments, derivation.operations, strict=True)
        ]

    def constant(self, tag: int) -> Fragment | str:
        """Return the fragment of a tag, or IGNORE or CONTINUE if the tag has no fragment."""
        return self.fragments[tag - FIRST_FRAGMENT] if tag >= FIRST_FRAGMENT else _WITHOUT[tag]

    def decode(self, encoded: Encoded) -> Derivation:
        """Return the derivation whose tags, heads and ports are given as indices."""
        chosen = [self.constant(tag) for tag in encoded.tags]
        constants = [None if isinstance(constant, str) else constant for constant in chosen]

        def operation(token: int) -> str:
            constant, head = chosen[token], encoded.heads[token]
            if isinstance(constant, str) or head < 0:
                return constant if isinstance(constant, str) else ROOT
            above = constants[head]
            assert above is not None
            return APP + above.ports[encoded.ports[token]].name

        return Derivation(
            encoded.tokens,
            tuple(constants),
            tuple(
                (label or "",) if constant is not None and constant.slots else ()
                for constant, label in zip(constants, encoded.labels, strict=True)
            ),
            encoded.heads,
            tuple(map(operation, range(len(chosen)))),
            tuple(
                tuple(port.name for i, port in enumerate(constant.ports) if closed >> i & 1)
                if constant is not None
                else ()
                for constant, closed in zip(constants, encoded.closed, strict=True)
            ),
        )


def _in_preorder(graph: SGraph) -> SGraph:
    tree, _ = spanning_tree(graph)
    above = list(enumerate(zip(tree.parents, tree.places, strict=True)))
    edges = tuple(edge_at(parent, place, node) for node, (parent, place) in above[1:])
    return SGraph({i: graph.nodes[node] for i, node in enumerate(tree.nodes)}, edges, 0)
