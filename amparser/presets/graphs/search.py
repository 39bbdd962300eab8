"""Search for a derivation of a graph, greedily in six steps.

The steps choose the fragment of each token (its *tag*), the tree, lexical labels, labels of the
tree's arcs, re-entrant arcs, and boxes. The label of an arc is a set of links between nodes of the
two fragments. Every derivation denotes a well-formed graph: the tree spans all fragments, each
fragment is in one box, and the boxes form a tree.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from amparser.algebra.derivation import (
    ARC,
    FIRST_BOX,
    PRECEDE,
    Arc,
    Derivation,
    Introduced,
    Links,
    Place,
    Scope,
)
from amparser.algebra.fragment import Fragment
from amparser.algebra.types import ROOT
from amparser.decode.arborescence import SpanningTree
from amparser.decode.decoders import DECODERS
from amparser.decode.next_best import ANY, SLACK, WORK, Choices, Limits, Parts, after_best
from amparser.decode.parse import NO_TREE, Best
from amparser.decode.scores import FloatArray, Later, Pair, Pointers, Search as Steps, together
from amparser.induction.texts import of_sentences, openers
from amparser.lexicon.candidates import Candidate, CandidateLabels
from amparser.lexicon.graph_inventory import (
    Label,
    label_of,
    slots_of,
    tags_of,
    word_of,
)
from amparser.lexicon.units import Unit
from amparser.presets.graphs.connect import connect
from amparser.presets.graphs.encoding import GraphLearned
from amparser.presets.graphs.unseen import UnseenWords
from amparser.presets.model import Scored

_IMPOSSIBLE, _FITS = -1e4, -5e3

CONSTANT, HEAD, LABEL = "constant", "head", "label"
"""Keys of the choices at each token; the choice of its n-th lexical label has the key n."""

Argument = tuple[int, str]
"""Node of a head's fragment, and label of an outgoing edge of this node."""


class Search:
    """Search for the best derivation under the scores of a network."""

    def __init__(self, learned: GraphLearned, offers: CandidateLabels, unseen: UnseenWords) -> None:
        self._offers, self._unseen = offers, unseen
        inventory = self._inventory = learned.inventory
        fragments = [None if isinstance(tag, str) else tag for tag in inventory.tags]
        full = np.array([fragment is not None for fragment in fragments])
        self._places = np.array([_places(fragment) if fragment else 0 for fragment in fragments])
        self._fixed = np.array([f is not None and _is_unboxed(f) for f in fragments])
        self._heads = full & ~self._fixed
        if not self._heads.any():
            self._heads = full
        self._unlinked = np.array([label == () for label in inventory.labels])
        self._reach = np.array([_reach(label) for label in inventory.labels]).reshape(-1, 2)
        self._is_root = np.array([isinstance(label, int) for label in inventory.labels])
        unique = inventory.unique
        self._down = [
            frozenset((above, role) for role, down, above, _ in links if down and role in unique)
            for links in inventory.links
        ]
        self._inside = [
            frozenset((parent, role) for parent, role, _ in fragment.edges if role in unique)
            if fragment
            else frozenset()
            for fragment in fragments
        ]
        self._is_connected = learned.scheme is None and not self._unlinked.any()
        self._not_last = [i for i, tag in enumerate(inventory.tags) if tag == PRECEDE]

    def best(self, scored: Sequence[Scored], decoder: str) -> list[Best[Derivation]]:
        """Return the best derivation of each sentence; `decoder` names the decoder of trees."""
        return together([self._best(sentence, decoder) for sentence in scored])

    def _best(self, scored: Scored, decoder: str) -> Steps[Best[Derivation]]:
        """Search for the derivation of a sentence or text.

        If boxes are introduced exactly at the ends of a text's sentences, each sentence is parsed
        separately, because the network confuses tokens that are far apart.
        """
        whole = yield from self.within(ANY, scored, decoder)
        assert whole.analysis is not None
        ends = [end - 1 for end in accumulate(len(part.words) for part in scored.parts)][:-1]
        if ends and openers(whole.analysis) == ends:
            parts = []
            for part in scored.parts:
                parts.append((yield from self.within(ANY, part, decoder)))
            analyses = [best.analysis for best in parts if best.analysis is not None]
            text = of_sentences(whole.analysis, ends, analyses)
            if text is not None:
                return Best(text, sum(best.logp for best in parts))
        return whole

    def after(
        self, scored: Scored, best: Best[Derivation], decoder: str, slack: float = SLACK
    ) -> Iterator[Best[Derivation]]:
        """Yield further derivations, which differ from the best one in some choice (`choices_of`).

        The order is approximate, because each step of the search is greedy.
        """

        def search(limits: Limits) -> tuple[Best[Derivation], float]:
            [result] = together([self.within(limits, scored, decoder)])
            assert result.analysis is not None
            fits = all(limits.allow(*choice) for choice in choices_of(result.analysis))
            return result if fits else Best(failure=NO_TREE), length**2 + 40 * length

        def estimates(
            best: Best[Derivation], choices: Choices, _: Limits, parts: Parts
        ) -> Iterator[float]:
            return (best.logp - best.margins.get(choices[number][0], 0.0) for number, _ in parts)

        length = len(scored.words)
        return after_best(
            best, lambda best: choices_of(best.analysis), search, WORK, estimates, slack
        )

    def within(self, limits: Limits, scored: Scored, decoder: str) -> Steps[Best[Derivation]]:
        """Search for the derivation of a sentence; it respects limits on choices if possible."""
        units, scores = scored.words, scored.scores
        later = scores.later
        assert later is not None
        margins: dict[Any, float] = {}
        numbers = self._tags(scores.supertag_logp, limits, margins)
        tags = [self._inventory.tags[number] for number in numbers]
        present = [token for token, tag in enumerate(tags) if not isinstance(tag, str)]
        # -1000 nats is the floor of the log-probabilities of edges.
        arcs = np.maximum(scores.head_logp, np.float32(-1e3))
        heads, arc_logp = self._attached(numbers, present, arcs, DECODERS[decoder], limits, margins)
        pairs = [(token, heads[token] + 1) for token in present]
        operations = [tag if isinstance(tag, str) else ARC for tag in tags]
        constants = [None if isinstance(tag, str) else tag for tag in tags]
        fillers, filler_logp = yield from self._filled(
            units, operations, constants, later, pairs, limits, margins
        )
        first = np.zeros((len(units), 2), dtype=np.int64)
        for token, names in enumerate(fillers):
            if names:
                first[token] = self._inventory.numbers_of_filler(names[0])

        further = self._reentrant_pairs(numbers, present, heads, later.reentrant)
        logp = yield later.labels([*pairs, *further], numbers, first)
        labels, labels_logp = self._labelled(numbers, pairs, logp[: len(pairs)], limits, margins)
        links: list[Links] = [()] * len(units)
        for (token, head), label in zip(pairs, labels, strict=True):
            if head == 0:
                operations[token], top = ROOT, constants[token]
                if top is not None and isinstance(label, int):
                    constants[token] = top.rooted(label)
            elif not isinstance(label, int):
                links[token] = label
        introduced = [
            self._inventory.introduced[i] for i in later.introduced.argmax(axis=1).tolist()
        ]
        derivation = Derivation(
            tuple(unit.text for unit in units),
            tuple(constants),
            tuple(map(tuple, fillers)),
            tuple(heads),
            tuple(operations),
            links=tuple(links),
            reentrant=self._reentrant_arcs(numbers, further, logp[len(pairs) :]),
            scope=_scope(introduced, present, later),
        )
        if self._is_connected:
            derivation = yield from connect(
                derivation,
                self._inventory.links,
                lambda pairs: later.labels(pairs, numbers, first),
            )
        tag_logp = scores.supertag_logp[range(len(units)), numbers].sum()
        score = float(tag_logp) + arc_logp + filler_logp + labels_logp
        return Best(derivation, score, margins=margins)

    def _tags(
        self, logp: FloatArray, limits: Limits, margins: dict[Any, float]
    ) -> NDArray[np.int64]:
        """Return the best tags; at least one is a fragment that is not only a box."""
        logp = logp.copy()
        logp[-1, self._not_last] = _IMPOSSIBLE
        for token, row in enumerate(logp):
            row[limits.barred((token, CONSTANT), self._inventory.tag_number)] = _IMPOSSIBLE
        tags: NDArray[np.int64] = logp.argmax(axis=1)
        if not self._heads[tags].any():
            full = np.where(self._heads[None, :], logp, _IMPOSSIBLE)
            token = int((full.max(axis=1) - logp.max(axis=1)).argmax())
            tags[token] = full[token].argmax()
        for token, tag in enumerate(tags.tolist()):
            margins[token, CONSTANT] = _margin(logp[token], tag)
        return tags

    def _attached(
        self,
        tags: NDArray[np.int64],
        present: Sequence[int],
        arcs: FloatArray,
        decoder: SpanningTree,
        limits: Limits,
        margins: dict[Any, float],
    ) -> tuple[list[int], float]:
        places = [0, *(t + 1 for t in present)]
        matrix = np.full((len(places), len(places)), _IMPOSSIBLE)
        matrix[:, 1:] = arcs[np.ix_(np.array(present), np.array(places))].T
        fixed = self._fixed[tags[present]]
        if not fixed.all():
            # Fragments outside all boxes are leaves of the tree.
            matrix[1:][fixed] = _IMPOSSIBLE
            matrix[0, 1:][fixed] = _IMPOSSIBLE
        place_number = {place - 1: number for number, place in enumerate(places)}
        for number, token in enumerate(present, 1):
            matrix[limits.barred((token, HEAD), place_number), number] = 2 * _IMPOSSIBLE
        tree = decoder.heads(matrix)
        assert tree is not None, "all arcs have scores"
        heads = [-1] * len(tags)
        for token, head in zip(present, tree.tolist(), strict=True):
            heads[token] = places[head] - 1
            margins[token, HEAD] = _margin(matrix[:, 1 + present.index(token)], head)
        return heads, float(matrix[tree, range(1, len(places))].sum())

    def _filled(
        self,
        units: Sequence[Unit],
        operations: Sequence[str],
        constants: Sequence[Fragment | None],
        later: Later,
        pairs: Sequence[Pair],
        limits: Limits,
        margins: dict[Any, float],
    ) -> Steps[tuple[list[list[str]], float]]:
        fillers: list[list[str]] = [[] for _ in units]
        open_slots: list[tuple[int, int, Sequence[Candidate]]] = []
        texts = [unit.text for unit in units]
        language = self._offers.language_of(texts)
        for token, fragment in enumerate(constants):
            word = word_of(units, operations, token)
            for number, label in enumerate(slots_of(fragment) if fragment else ()):
                slot = self._inventory.slots[label]
                form = slot.spelling.form(word)
                known = self._offers.known(slot.candidates(form))
                known = known or self._offers.of(label, form, language)
                if not known:
                    place = slice(token + 1 - len(word), token + 1)
                    labels = self._unseen.labels(slot, form, later.scripts[token], texts, place)
                    known = self._offers.known(labels)
                fillers[token].append(known[0].filler)
                if len(known) > 1:
                    open_slots.append((token, number, known))
        total = 0.0
        if open_slots:
            tokens, _, candidates = zip(*open_slots, strict=True)
            logp = yield later.fillers(tokens, candidates, pairs)
            for (token, number, known), row in zip(open_slots, logp, strict=True):
                barred = [not limits.allow((token, number), c.filler) for c in known]
                row = np.where(barred, _IMPOSSIBLE, row[: len(known)])
                best = int(row.argmax())
                margins[token, number] = _margin(row, best)
                fillers[token][number] = known[best].filler
                total += float(row[best])
        return fillers, total

    def _labelled(
        self,
        tags: NDArray[np.int64],
        pairs: Sequence[Pair],
        label_logp: FloatArray,
        limits: Limits,
        margins: dict[Any, float],
    ) -> tuple[list[Label], float]:
        """Return the labels of the tree's arcs and their score, chosen together for each head."""
        labels = self._inventory.labels
        logp = label_logp + self._misfit(tags, pairs)
        below: dict[int, list[int]] = {}
        for i, (token, head) in enumerate(pairs):
            below.setdefault(head, []).append(i)
            logp[i, limits.barred((token, LABEL), self._inventory.label_number)] = _IMPOSSIBLE
        chosen: list[Label] = [()] * len(pairs)
        total = 0.0
        for head, rows in below.items():
            inside = self._inside[tags[head - 1]] if head else frozenset()
            for i, label in zip(rows, self._together(logp[rows], inside), strict=True):
                if logp[i, label] > _FITS:
                    chosen[i] = labels[label]
                total += float(logp[i, label])
                margins[pairs[i][0], LABEL] = _margin(logp[i], label)
        return chosen, total

    def _misfit(self, tags: NDArray[np.int64], pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """Return `[P, labels]`: 0 for labels that fit the two fragments, else a very low score."""
        token, head = np.array(pairs).T
        root = (head == 0)[:, None]
        below = tags[token]
        wrong = self._is_root[None, :] != root
        wrong |= self._unlinked[None, :] & self._fixed[below][:, None]
        wrong |= self._reach[None, :, 1] >= self._places[below][:, None]
        wrong |= (self._reach[None, :, 0] >= self._places[tags[head - 1]][:, None]) & ~root
        return np.where(wrong, _IMPOSSIBLE, 0.0)

    def _together(self, logp: NDArray[np.float64], inside: frozenset[Argument]) -> list[int]:
        """Return the best labels of the arcs below one head, by dynamic programming with a beam.

        Some edge labels occur at most once at a node. A state of the search is the set of
        (node, edge label) pairs that are already used.

        Args:
            logp: label scores of the arcs, `[arcs, labels]`.
            inside: (node, edge label) pairs used within the head's own fragment.
        """
        states: dict[frozenset[Argument], tuple[float, list[int]]] = {inside: (0.0, [])}
        for row in logp:
            # Only the six most probable labels of each dependent are combined.
            best = [int(i) for i in row.argsort()[::-1][:6] if row[i] > _FITS]
            best = best or [int(row.argmax())]
            grown: dict[frozenset[Argument], tuple[float, list[int]]] = {}
            for used, (score, chosen) in states.items():
                free = [label for label in best if not self._down[label] & used] or best[:1]
                for label in free:
                    to, total = used | self._down[label], score + float(row[label])
                    if to not in grown or total > grown[to][0]:
                        grown[to] = total, [*chosen, label]
            states = dict(sorted(grown.items(), key=lambda item: -item[1][0])[:12])
        return next(iter(states.values()))[1]

    def _reentrant_pairs(
        self,
        tags: NDArray[np.int64],
        present: Sequence[int],
        heads: Sequence[int],
        odds: FloatArray,
    ) -> list[Pair]:
        """Return the (token, head) pairs of re-entrant arcs with a probability above 1/2."""
        may = set(present) - set(np.flatnonzero(self._fixed[tags]).tolist())
        return [
            (token, head)
            for token, head in np.argwhere(odds > 0).tolist()
            if {token, head - 1} <= may
            and token not in (head - 1, heads[head - 1])
            and heads[token] != head - 1
            and odds[head - 1, token + 1] <= odds[token, head]
        ]

    def _reentrant_arcs(
        self, tags: NDArray[np.int64], pairs: Sequence[Pair], label_logp: FloatArray
    ) -> tuple[Arc, ...]:
        if not pairs:
            return ()
        logp = label_logp + self._misfit(tags, pairs)
        return tuple(
            Arc(head - 1, token, self._inventory.links[int(row.argmax())])
            for (token, head), row in zip(pairs, logp, strict=True)
            if row.max() > _FITS
        )


def choices_of(derivation: Derivation) -> list[tuple[tuple[int, str | int], Hashable]]:
    """Return (choice, value) pairs of a derivation in the order of the search.

    A choice is a token and `CONSTANT`, `HEAD`, `LABEL` or the number of a lexical label.
    """
    full = [t for t, fragment in enumerate(derivation.fragments) if fragment is not None]
    return [
        *(((t, CONSTANT), tag) for t, tag in enumerate(tags_of(derivation))),
        *(((t, HEAD), derivation.heads[t]) for t in full),
        *(((t, n), name) for t in full for n, name in enumerate(derivation.lexical_labels[t])),
        *(((t, LABEL), label_of(derivation, t)) for t in full),
    ]


def _margin(logp: NDArray[np.floating[Any]], chosen: int) -> float:
    """Return the chosen value's score minus the best other score; 0 if another value is better."""
    others = np.delete(logp, chosen)
    return max(0.0, float(logp[chosen] - others.max())) if len(others) else np.inf


def _scope(introduced: Sequence[Introduced], present: Sequence[int], later: Later) -> Scope:
    within, above = [FIRST_BOX] * len(introduced), [FIRST_BOX] * len(introduced)
    opening = [t for t, row in enumerate(introduced) if row]

    def pointed(places: Pointers, token: int, openers: Sequence[int]) -> Place:
        best = max([0, *(t + 1 for t in openers)], key=lambda place: places.places[token, place])
        if best == 0:
            return FIRST_BOX
        return best - 1, int(places.levels[token, best, : len(introduced[best - 1])].argmax())

    if opening:
        for token in present:
            within[token] = pointed(later.within, token, opening)
        for token in opening:
            above[token] = pointed(later.above, token, [t for t in opening if t != token])
        _cut_cycles(above, opening)
    return Scope(tuple(introduced), tuple(within), tuple(above))


def _cut_cycles(above: list[Place], openers: Sequence[int]) -> None:
    """Make the first box the parent of boxes that are their own ancestors."""
    for token in openers:
        seen = {token}
        at = above[token][0]
        while at >= 0 and at not in seen:
            seen.add(at)
            at = above[at][0]
        if at == token:
            above[token] = FIRST_BOX


def _places(fragment: Fragment) -> int:
    """Return 1 + the index of the last node that may have edges to other fragments.

    A node outside all boxes may have only one edge, which may already be inside the fragment.
    """
    inside = {node for parent, _, child in fragment.edges for node in (parent, child)}
    fixed = fragment.unboxed & inside
    nodes = range(len(fragment.labels))
    return max((node + 1 for node in nodes if node not in fixed), default=0)


def _is_unboxed(fragment: Fragment) -> bool:
    return len(fragment.unboxed) == len(fragment.labels)


def _reach(label: Label) -> tuple[int, int]:
    """Return the greatest index of a linked node in the head, and in the dependent; -1 for none."""
    if isinstance(label, int):
        return -1, label
    return (
        max((link.above for link in label), default=-1),
        max((link.below for link in label), default=-1),
    )
