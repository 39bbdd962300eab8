"""Which token each unit of a meaning belongs to: given, restricted by groups, or induced.

Every unit gets a token of its own (its *anchor*), the best by

    log P(label | word) + 1/2 log P(word | label) + the resemblance of label and word

summed over the units of a sentence, less penalties for an order in which arcs cross and
for a unit that stands far from the one above it. Where tokens come in groups with their
units (a given alignment), the anchor is one of the group's tokens, or at a cost one that the
alignment gives to the wrapper around every meaning: in "Through which states does it flow" an
annotator may have "Through" for the question, and yet it is the word that all such sentences
share. Where nothing is given, it is any token. The tables start from IBM model 1 (Brown et al.
1993) over whole sentences and groups, and are then re-estimated from the best assignments (hard
EM). The search for the best assignment is a beam over the units, topmost first.

A literal is special: tokens that spell it are its anchor and what continues it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import lgamma, log
from typing import NamedTuple

from amparser.induction.resemblance import resemblance

NULL = ""
"""The word that stands for no word in IBM model 1, and the label of a token without an anchor."""

SPECIFIC = 0.3
"""How much it counts that the word of an anchor has few other labels."""

_PRIOR = 0.05
_LEAST_GAIN = 1e-9


class Candidates(NamedTuple):
    """What may be anchored where in one sentence.

    Attributes:
        words: the tokens, normalised.
        labels: the label of each unit, by which it is counted.
        parents: the unit above each unit; -1 for the topmost. Parents come first.
        tokens: for each unit the tokens (from 0) that it may be anchored to.
        loose: the tokens that cost something, since a given alignment has them for no unit.
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]
    parents: tuple[int, ...]
    tokens: tuple[tuple[int, ...], ...]
    loose: frozenset[int] = frozenset()


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
    """How well labels and words go together, by (fractional) counts of pairs and by spelling."""

    pairs: Mapping[Pair, float]
    word_counts: Mapping[str, float]
    label_counts: Mapping[str, float]
    smoothing: float = 0.1
    _memory: dict[Pair, float] = field(default_factory=dict, repr=False)

    def score(self, label: str, word: str) -> float:
        """log P(label | word) + 1/2 log P(word | label), smoothed, natural, + resemblance."""
        pair = (label, word)
        if pair not in self._memory:
            count = self.pairs.get(pair, 0.0)
            a = self.smoothing
            of_word = (count + a * 0.05) / (self.word_counts.get(word, 0.0) + a)
            of_label = (count + a * 0.05) / (self.label_counts.get(label, 0.0) + a)
            self._memory[pair] = log(of_word) + 0.5 * log(of_label) + resemblance(*pair)
        return self._memory[pair]


@dataclass(frozen=True, slots=True)
class Penalties:
    """What an assignment costs, in nats.

    Attributes:
        crossing: an arc that crosses another one.
        distance: a token between a unit and the one above it.
        inside: a unit that stands inside the arc below its child.
        loose: a unit at a token that a given alignment has for no unit.
    """

    crossing: float = 1.0
    distance: float = 0.1
    inside: float = 1.0
    loose: float = 1.0


def assign(
    row: Candidates, tables: Tables, penalties: Penalties, beam: int = 24
) -> tuple[tuple[int, ...], float] | None:
    """The best injective assignment of tokens to units, with its score; None if there is none.

    The best of those that are left at the end, whose tree a decoder can reach, and that have no
    more loose tokens than the best of all; where there is none, the best of all. Exact but for
    that if the beam is as wide as there are partial assignments.
    """
    states: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    order = range(len(row.labels))
    for unit in order:
        above = row.parents[unit]
        scores = [
            (t, tables.score(row.labels[unit], row.words[t]) - penalties.loose * (t in row.loose))
            for t in row.tokens[unit]
        ]
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
                    score -= _arc_cost(token, above, chosen, row.parents, arcs, penalties)
                grown.append((score, (*chosen, token)))
        grown.sort(key=lambda item: (-item[0], item[1]))
        states = grown[:beam]
        if not states:
            return None
    least = len(row.loose.intersection(states[0][1]))
    close = (s for s in states if len(row.loose.intersection(s[1])) <= least)
    score, chosen = next((s for s in close if is_reachable(s[1], row.parents)), states[0])
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
    return Refinement(corpus, found, penalties).run(), tables


class _Move(NamedTuple):
    """Anchors of one row to change: units, each with its token before and after."""

    row: int
    changes: tuple[tuple[int, int, int], ...]

    @property
    def undone(self) -> _Move:
        """The move back."""
        return _Move(self.row, tuple((unit, after, before) for unit, before, after in self.changes))


class Refinement:
    """Moves anchors, all of one label away from one word at once, while that pays.

    What is maximised is, where a token without an anchor has the label `NULL`,

        sum over words log P(labels of its tokens) + 1/2 sum over labels log P(words of its anchors)
        + sum over anchors (SPECIFIC * log P(label | word) + the resemblance of label and word)

    less the penalties. Each P is that of a sequence under a Dirichlet prior: the first time a
    word has a label costs most. Hard EM changes one anchor at a time, and does not ask what
    the words say that it leaves out; so it may keep a word that many labels share ("does", "has").
    The last term decides where both words of a pair always stand together: of "has the largest"
    the last, if its label is `largest_one`.

    Args:
        corpus: the sentences.
        anchors: where to begin.
        penalties: of the search for an alignment.
    """

    def __init__(
        self,
        corpus: Sequence[Candidates],
        anchors: Sequence[tuple[int, ...] | None],
        penalties: Penalties,
    ) -> None:
        self.corpus = corpus
        self.anchors = [None if a is None else list(a) for a in anchors]
        self.penalties = penalties
        self.words = Counter(word for row in corpus for word in row.words)
        self.pairs: Counter[Pair] = Counter()
        for row, chosen in zip(corpus, self.anchors, strict=True):
            taken = dict(zip(chosen or (), row.labels, strict=False))
            self.pairs.update((taken.get(t, NULL), word) for t, word in enumerate(row.words))

    def run(self, rounds: int = 10) -> list[tuple[int, ...] | None]:
        """The anchors when nothing pays any more, or after so many rounds."""
        for _ in range(rounds):
            groups: dict[tuple[str, ...], list[_Move]] = {}
            for r in range(len(self.corpus)):
                for keys, move in self._moves(r):
                    for key in keys:
                        groups.setdefault(key, []).append(move)
            order = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
            paid = sum(self._pays(moves) for _, moves in order)
            if not paid:
                break
        return [None if a is None else tuple(a) for a in self.anchors]

    def _moves(self, r: int) -> Iterator[tuple[list[tuple[str, ...]], _Move]]:
        """The moves of a row, each with the groups in which it is tried."""
        row, chosen = self.corpus[r], self.anchors[r] or []
        holder = {token: unit for unit, token in enumerate(chosen)}
        for unit, token in enumerate(chosen):
            label, old = row.labels[unit], row.words[token]
            for other in row.tokens[unit]:
                new = row.words[other]
                if new == old:
                    continue
                second = holder.get(other)
                if second is None:
                    keys: list[tuple[str, ...]] = [(label, old), (label, old, new)]
                    yield keys, _Move(r, ((unit, token, other),))
                elif second > unit and token in row.tokens[second]:
                    swap = _Move(r, ((unit, token, other), (second, other, token)))
                    yield [(label, old, new, row.labels[second])], swap

    def _pays(self, moves: Sequence[_Move]) -> bool:
        """Make those of the moves that fit together, the best of each anchor; undo if none pays."""
        options: dict[tuple[int, int], list[_Move]] = {}
        for move in moves:
            options.setdefault((move.row, move.changes[0][0]), []).append(move)
        done: list[_Move] = []
        total = 0.0
        for choices in options.values():
            best, best_gain = None, 0.0
            for move in choices:
                if not self._fits(move):
                    continue
                gain = self._make(move)
                self._make(move.undone)
                if best is None or gain > best_gain:
                    best, best_gain = move, gain
            if best is not None:
                total += self._make(best)
                done.append(best)
        if total > _LEAST_GAIN:
            return True
        for move in reversed(done):
            self._make(move.undone)
        return False

    def _fits(self, move: _Move) -> bool:
        """Whether a move can be made now, to a tree that a decoder reaches."""
        chosen = self.anchors[move.row]
        assert chosen is not None
        if any(chosen[unit] != before for unit, before, _ in move.changes):
            return False
        moved = _changed(chosen, move)
        if len(set(moved)) < len(moved):
            return False
        parents = self.corpus[move.row].parents
        return is_reachable(moved, parents) or not is_reachable(chosen, parents)

    def _make(self, move: _Move) -> float:
        """Make a move; what it adds to the objective."""
        row, chosen = self.corpus[move.row], self.anchors[move.row]
        assert chosen is not None
        moved = _changed(chosen, move)
        gain = _cost(chosen, row, self.penalties) - _cost(moved, row, self.penalties)
        self.anchors[move.row] = moved
        for unit, before, after in move.changes:
            label, old, new = row.labels[unit], row.words[before], row.words[after]
            gain += self._count(label, old, -1, 1.5 + SPECIFIC)
            gain += self._count(label, new, 1, 1.5 + SPECIFIC)
            gain += self._count(NULL, old, 1) + self._count(NULL, new, -1)
            gain += SPECIFIC * log(self.words[old] / self.words[new])
            gain += resemblance(label, new) - resemblance(label, old)
        return gain

    def _count(self, label: str, word: str, more: int, weight: float = 1.0) -> float:
        """Count a pair once more or once less; what that adds."""
        count = self.pairs[label, word]
        self.pairs[label, word] = count + more
        return weight * (lgamma(count + more + _PRIOR) - lgamma(count + _PRIOR))


def _changed(anchors: Sequence[int], move: _Move) -> list[int]:
    moved = list(anchors)
    for unit, _, after in move.changes:
        moved[unit] = after
    return moved


def _cost(anchors: Sequence[int], row: Candidates, penalties: Penalties) -> float:
    """The penalties of a whole assignment."""
    parents = row.parents
    total = penalties.loose * len(row.loose.intersection(anchors))
    arcs: list[tuple[int, int]] = []
    for unit, above in enumerate(parents):
        if above >= 0:
            total += _arc_cost(anchors[unit], above, anchors, parents, arcs, penalties)
            low, high = sorted((anchors[unit], anchors[above]))
            arcs.append((low, high))
    return total


def _arc_cost(
    token: int,
    above: int,
    anchors: Sequence[int],
    parents: Sequence[int],
    arcs: Sequence[tuple[int, int]],
    penalties: Penalties,
) -> float:
    """What it costs that a unit with this token stands below another, beside these arcs."""
    low, high = sorted((token, anchors[above]))
    cost = penalties.distance * (high - low - 1)
    cost += penalties.crossing * sum(a < low < b < high or low < a < high < b for a, b in arcs)
    over = parents[above]
    if over >= 0 and low < anchors[over] < high:
        cost += penalties.inside
    return cost
