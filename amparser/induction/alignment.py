"""Which token each unit of a meaning belongs to: given, restricted by groups, or induced.

Every unit gets a token of its own (its *anchor*), the best by

    log P(label | word) + 1/2 log P(word | label)

summed over the units of a sentence, less penalties for an order in which arcs cross and
for a unit that stands far from the one above it. Where tokens come in groups with their
units (a given alignment), the anchor is one of the group's tokens; where nothing is given,
any token. The tables start from IBM model 1 (Brown et al. 1993) over whole sentences and
groups, and are then re-estimated from the best assignments (hard EM). The search for the
best assignment is a beam over the units, topmost first.

A literal is special: tokens that spell it are its anchor and what continues it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from typing import NamedTuple

NULL = ""
"""The word that stands for no word in IBM model 1."""


class Candidates(NamedTuple):
    """What may be anchored where in one sentence.

    Attributes:
        words: the tokens, normalised.
        labels: the label of each unit, by which it is counted.
        parents: the unit above each unit; -1 for the topmost. Parents come first.
        tokens: for each unit the tokens (from 0) that it may be anchored to.
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    parents: tuple[int, ...]
    tokens: tuple[tuple[int, ...], ...]


Pair = tuple[str, str]
"""A label and a word."""


def ibm_model_1(corpus: Sequence[Candidates], rounds: int = 12) -> dict[Pair, float]:
    """P(word | label) by expectation maximisation; each word stems from one unit or from none.

    A token stems from those units only that may be anchored to it.
    Complexity: O(rounds * tokens * units).
    """
    links: list[list[list[str]]] = []
    for row in corpus:
        sources: list[list[str]] = [[NULL] for _ in row.words]
        for label, tokens in zip(row.labels, row.tokens, strict=True):
            for token in tokens:
                sources[token].append(label)
        links.append(sources)
    table: dict[Pair, float] = {}
    for _ in range(rounds):
        counts: dict[Pair, float] = {}
        totals: dict[str, float] = {}
        for row, sources in zip(corpus, links, strict=True):
            for word, labels in zip(row.words, sources, strict=True):
                weights = [table.get((label, word), 1e-9) if table else 1.0 for label in labels]
                total = sum(weights)
                for label, weight in zip(labels, weights, strict=True):
                    share = weight / total
                    counts[label, word] = counts.get((label, word), 0.0) + share
                    totals[label] = totals.get(label, 0.0) + share
        table = {pair: count / totals[pair[0]] for pair, count in counts.items()}
    return table


@dataclass
class Tables:
    """Smoothed P(label | word) and P(word | label) from (fractional) counts of pairs."""

    pairs: Mapping[Pair, float]
    word_counts: Mapping[str, float]
    label_counts: Mapping[str, float]
    smoothing: float = 0.1
    _memory: dict[Pair, float] = field(default_factory=dict, repr=False)

    def score(self, label: str, word: str) -> float:
        """log P(label | word) + 1/2 log P(word | label), natural."""
        pair = (label, word)
        if pair not in self._memory:
            count = self.pairs.get(pair, 0.0)
            a = self.smoothing
            of_word = (count + a * 0.05) / (self.word_counts.get(word, 0.0) + a)
            of_label = (count + a * 0.05) / (self.label_counts.get(label, 0.0) + a)
            self._memory[pair] = log(of_word) + 0.5 * log(of_label)
        return self._memory[pair]


@dataclass(frozen=True, slots=True)
class Penalties:
    """What an assignment costs, in nats.

    Attributes:
        crossing: an arc that crosses another one.
        distance: a token between a unit and the one above it.
        inside: a unit that stands inside the arc below its child.
    """

    crossing: float = 1.0
    distance: float = 0.1
    inside: float = 1.0


def assign(
    row: Candidates, tables: Tables, penalties: Penalties, beam: int = 24
) -> tuple[tuple[int, ...], float] | None:
    """The best injective assignment of tokens to units, with its score; None if there is none.

    The best of those that are left at the end and whose tree a decoder can reach. Exact but for
    that if the beam is as wide as there are partial assignments.
    """
    states: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    order = range(len(row.labels))
    for unit in order:
        above = row.parents[unit]
        scores = [(t, tables.score(row.labels[unit], row.words[t])) for t in row.tokens[unit]]
        grown: list[tuple[float, tuple[int, ...]]] = []
        for total, chosen in states:
            arcs = [
                (min(chosen[u], chosen[row.parents[u]]), max(chosen[u], chosen[row.parents[u]]))
                for u in range(unit)
                if row.parents[u] >= 0
            ]
            for token, gain in scores:
                if token in chosen:
                    continue
                score = total + gain
                if above >= 0:
                    low, high = sorted((token, chosen[above]))
                    score -= penalties.distance * (high - low - 1)
                    score -= penalties.crossing * sum(
                        a < low < b < high or low < a < high < b for a, b in arcs
                    )
                    over = row.parents[above]
                    if over >= 0 and low < chosen[over] < high:
                        score -= penalties.inside
                grown.append((score, (*chosen, token)))
        grown.sort(key=lambda item: (-item[0], item[1]))
        states = grown[:beam]
        if not states:
            return None
    score, chosen = next((s for s in states if is_reachable(s[1], row.parents)), states[0])
    return chosen, score


def is_reachable(anchors: Sequence[int], parents: Sequence[int]) -> bool:
    """Whether the tree over these tokens is of the class that `decode.wrap` searches.

    Each unit stands beside the spans of the units below it, or inside the span of its only
    one; what it stands inside of must then be of the first kind.
    """
    count = len(anchors)
    low, high = list(anchors), list(anchors)
    below: list[list[int]] = [[] for _ in range(count)]
    for unit in range(count - 1, -1, -1):
        above = parents[unit]
        if above >= 0:
            below[above].append(unit)
            low[above], high[above] = min(low[above], low[unit]), max(high[above], high[unit])

    def is_plain(unit: int) -> bool:
        spans = [(anchors[unit], anchors[unit]), *((low[u], high[u]) for u in below[unit])]
        spans.sort()
        return all(a[1] < b[0] for a, b in pairwise(spans))

    plain = [is_plain(unit) for unit in range(count)]
    for unit in range(count):
        if plain[unit]:
            continue
        if len(below[unit]) != 1:
            return False
        agenda = list(below[unit])
        for other in agenda:
            if low[other] < anchors[unit] < high[other]:
                if not plain[other]:
                    return False
                agenda.extend(below[other])
    return True


def first_tables(corpus: Sequence[Candidates]) -> Tables:
    """Tables from the posteriors of IBM model 1."""
    table = ibm_model_1(corpus)
    pairs: Counter[Pair] = Counter()
    words: Counter[str] = Counter()
    for row in corpus:
        for token, word in enumerate(row.words):
            words[word] += 1
            sources = [
                label
                for label, tokens in zip(row.labels, row.tokens, strict=True)
                if token in tokens
            ]
            weights = [table.get((label, word), 0.0) for label in sources]
            total = sum(weights) + table.get((NULL, word), 0.0)
            for label, weight in zip(sources, weights, strict=True):
                if total > 0:
                    pairs[label, word] += weight / total  # type: ignore[assignment]
    labels: Counter[str] = Counter()
    for (label, _), count in pairs.items():
        labels[label] += count
    return Tables(pairs, words, labels)


def align(
    corpus: Sequence[Candidates], rounds: int = 5, penalties: Penalties | None = None
) -> tuple[list[tuple[int, ...] | None], Tables]:
    """The anchor of each unit of each sentence, by hard EM; None where a sentence has too few.

    Complexity: O(rounds * sentences * units * beam * tokens).
    """
    penalties = penalties or Penalties()
    tables = first_tables(corpus)
    words = tables.word_counts
    found: list[tuple[int, ...] | None] = []
    memory: dict[Candidates, tuple[int, ...] | None] = {}
    for _ in range(rounds):
        memory = {}
        pairs: Counter[Pair] = Counter()
        labels: Counter[str] = Counter()
        found = []
        for row in corpus:
            if row not in memory:
                best = assign(row, tables, penalties)
                memory[row] = best[0] if best is not None else None
            anchors = memory[row]
            found.append(anchors)
            for label, token in zip(row.labels, anchors or (), strict=False):
                pairs[label, row.words[token]] += 1
                labels[label] += 1
        updated = Tables(pairs, words, labels)
        if updated.pairs == tables.pairs:
            break
        tables = updated
    return found, tables
