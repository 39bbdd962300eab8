"""Character spans of nodes, which may be wider than the node's word.

A graph bank may anchor each node to a span of characters: its word, the phrase that it binds, or
both nouns of a compound. The label of the node determines which. A rule for a label consists of two
*bounds*, for the beginning and the end of the span. A bound consists of a *place*, such as the
node's word, its subtree, or the word of the child at its edge `ARG1`, and of *further* units, such
as adjacent punctuation. For each frequent label, the rule that gives most of its training spans is
induced. A few exceptions depend on a neighbouring node.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Annotated, NamedTuple

from amparser.algebra.derivation import PRECEDE, WITHOUT_CONSTANT, Derivation
from amparser.conditions import Different, Filled, Matching, OneOf
from amparser.graph.boxes import Layered
from amparser.graph.sgraph import Span
from amparser.lexicon.units import Unit

WORD, TREE, BELOW, WORDS, TREES, ALL = "word", "tree", "below", "words", "trees", "all"
_PLAIN = (WORD, TREE, BELOW, WORDS, TREES, ALL)
"""Places: the node's word; its subtree in the derivation; the words of all nodes below the node in
the graph; the words of the node and its children; the subtrees of these words; the sentence."""
_PLACE = rf"{'|'.join(_PLAIN)}|({WORD}|{TREE}|{BELOW}) \S+|beside \S+ \S+ (?s:.+)"

NOTHING, SIGNS, SILENT, BOTH = "", "signs", "silent", "silent, signs"
_FURTHER = (NOTHING, SIGNS, SILENT, BOTH, "1", "2")
"""Further units: none; adjacent punctuation; words without nodes; both; one or two units."""

Units = tuple[int, int]
"""First and last unit (from 0) of a span."""


class Bound(NamedTuple):
    """Bound of a span: its beginning or its end.

    Attributes:
        place: `word`, `tree`, `below`, `words`, `trees` or `all` (see `_PLAIN`); `word ROLE`, `tree
            ROLE` or `below ROLE` for the child at an edge; or `beside ROLE OTHER LABEL` for the
            word of another node with the label LABEL: its edge OTHER and the node's edge ROLE lead
            to a shared child.
        further: units to add before the beginning, or after the end, of the place: empty, `signs`,
            `silent`, `silent, signs`, `1` or `2` (see `_FURTHER`).
    """

    place: Annotated[str, Matching(_PLACE, "a place such as tree, or word ARG1")]
    further: Annotated[str, OneOf(_FURTHER, or_empty=True)] = NOTHING


class Rule(NamedTuple):
    """Bounds of the beginning and of the end of a span."""

    begin: Bound
    end: Bound


OWN = Rule(Bound(WORD), Bound(WORD))


class Shown(NamedTuple):
    """Sentence with its graph, as input of span rules.

    Attributes:
        graph: graph of the derivation; in training, with the spans of its nodes.
        tokens: unit (from 0) of each node.
    """

    graph: Layered
    tokens: Sequence[int]
    derivation: Derivation
    units: Sequence[Unit]


@dataclass(frozen=True)
class SpanRules:
    """Span rules by node label; the first rule whose places exist at a node is used.

    A node without such a rule spans its word.
    """

    rules: dict[str, Annotated[tuple[Rule, ...], Different(), Filled()]] = field(
        default_factory=dict
    )

    def of(self, shown: Shown) -> tuple[Span | None, ...]:
        """Return each node's span in characters, not counting spaces; None for a name or number."""
        sentence, graph = _Sentence(shown), shown.graph
        ends = [0, *accumulate(len(unit.text) - unit.added for unit in shown.units)]
        spans: list[Span | None] = []
        for node, label in enumerate(graph.labels):
            if graph.constant[node]:
                spans.append(None)
                continue
            first, last = sentence.units_of(node, self.rules.get(label, ()))
            spans.append((ends[first], ends[last + 1]))
        return tuple(spans)


NO_RULES = SpanRules()


class _Sentence:
    def __init__(self, shown: Shown) -> None:
        graph, self.tokens, derivation, units = shown
        self.graph = graph
        self.count = len(units)
        self.out: dict[int, list[tuple[str, int]]] = defaultdict(list)
        self.into: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for parent, role, child in graph.edges:
            if not graph.constant[child]:
                self.out[parent].append((role, child))
                self.into[child].append((role, parent))
        self._silent = [operation in WITHOUT_CONSTANT for operation in derivation.operations]
        self._sign = [not any(map(str.isalnum, unit.text)) for unit in units]
        self._glued = [unit.glued for unit in units]
        self._words: list[Units] = []
        first = 0
        for unit, operation in enumerate(derivation.operations):
            self._words.append((first, unit))
            if operation != PRECEDE:
                first = unit + 1
        self._trees = list(self._words)
        for start in range(self.count):
            unit, steps = start, 0
            while derivation.heads[unit] != -1 and steps < self.count:
                unit, steps = derivation.heads[unit], steps + 1
                self._trees[unit] = _hull((self._trees[unit], self._words[start]))

    def units_of(self, node: int, rules: Sequence[Rule]) -> Units:
        places = self.places(node) if rules else {}
        for rule in rules:
            begin, end = places.get(rule.begin.place), places.get(rule.end.place)
            if begin is not None and end is not None:
                first = self.further(begin()[0], -1, rule.begin.further)
                last = self.further(end()[1], 1, rule.end.further)
                if first <= last:
                    return first, last
        return self.word(node)

    def word(self, node: int) -> Units:
        return self._words[self.tokens[node]]

    def tree(self, node: int) -> Units:
        return self._trees[self.tokens[node]]

    def below(self, node: int) -> Units:
        reached = [node]
        for parent in reached:  # `reached` grows during the loop
            reached += [child for _, child in self.out[parent] if child not in reached]
        return _hull(map(self.word, reached))

    def _around(self, units_of: Callable[[int], Units], node: int) -> Units:
        return _hull(map(units_of, [node, *(child for _, child in self.out[node])]))

    def _beside(self, node: int) -> Iterator[tuple[int, str, str, str]]:
        """Yield the nodes that share a child with a node: (node, role, other role, label).

        The roles are the labels of the two edges to the child.
        """
        for role, child in self.out[node]:
            for other, parent in self.into[child]:
                if parent != node:
                    yield parent, role, other, self.graph.labels[parent]

    def places(self, node: int) -> Mapping[str, Callable[[], Units]]:
        of_node = {WORD: self.word, TREE: self.tree, BELOW: self.below}
        found = {name: partial(units_of, node) for name, units_of in of_node.items()}
        found[WORDS] = partial(self._around, self.word, node)
        found[TREES] = partial(self._around, self.tree, node)
        found[ALL] = partial(_hull, [(0, self.count - 1)])
        for role, child in self.out[node]:
            for name, units_of in of_node.items():
                found.setdefault(f"{name} {role}", partial(units_of, child))
        for beside, *told in self._beside(node):
            found.setdefault(" ".join(["beside", *told]), partial(self.word, beside))
        return found

    def further(self, unit: int, step: int, how: str) -> int:
        """Move the first (step -1) or last unit (step 1) outwards; `how` is one of `_FURTHER`."""
        if how.isdecimal():
            return min(max(unit + step * int(how), 0), self.count - 1)
        if how in (SILENT, BOTH):
            while 0 <= (next_ := unit + step) < self.count and self._silent[next_]:
                if self._sign[next_]:
                    break
                unit = next_
        if how in (SIGNS, BOTH):
            while 0 <= (next_ := unit + step) < self.count and self._sign[next_]:
                if not self._glued[max(unit, next_)]:
                    break
                unit = next_
        return unit

    def bounds(self, node: int) -> tuple[dict[Bound, int], dict[Bound, int]]:
        begins, ends = {}, {}
        for name, place in self.places(node).items():
            first, last = place()
            for how in _FURTHER if name == WORD else _FURTHER[:-2]:
                begins[Bound(name, how)] = self.further(first, -1, how)
                ends[Bound(name, how)] = self.further(last, 1, how)
        return begins, ends


def _hull(places: Iterable[Units]) -> Units:
    rows = list(places)
    return min(first for first, _ in rows), max(last for _, last in rows)


class _Case(NamedTuple):
    """Node in training: the unit that each possible bound gives, and the true span."""

    begins: Mapping[Bound, int]
    ends: Mapping[Bound, int]
    units: Units


def span_rules_of(sentences: Sequence[Shown]) -> SpanRules:
    """Induce span rules; there are none if no node has a span."""
    found: dict[str, list[tuple[_Sentence, int, Units]]] = defaultdict(list)
    right: Counter[str] = Counter()
    for shown in sentences:
        graph = shown.graph
        if not any(graph.spans):
            continue
        sentence = _Sentence(shown)
        ends = [0, *accumulate(len(unit.text) - unit.added for unit in shown.units)]
        unit_from = {at: unit for unit, at in enumerate(ends[:-1])}
        unit_to = {at: unit for unit, at in enumerate(ends[1:])}
        for node, span in enumerate(graph.spans):
            if span is not None and not graph.constant[node]:
                wanted = unit_from.get(span[0], -1), unit_to.get(span[1], -1)
                found[graph.labels[node]].append((sentence, node, wanted))
                right[graph.labels[node]] += sentence.word(node) == wanted
    rules = {}
    for label, nodes in sorted(found.items()):
        # Labels with fewer than ten nodes, or that nearly always span their word, get no rule.
        if len(nodes) < 10 or right[label] >= 0.99 * len(nodes):
            continue
        # About 500 nodes of each label are sampled.
        step = -(-len(nodes) // 500)
        cases = [_Case(*sentence.bounds(n), units) for sentence, n, units in nodes[::step]]
        induced = _rules(cases)
        if induced != (OWN,):
            rules[label] = induced
    return SpanRules(rules)


def _rules(cases: Sequence[_Case]) -> tuple[Rule, ...]:
    counts: Counter[Rule] = Counter({OWN: 0})
    for begins, ends, (first, last) in cases:
        fits = [bound for bound, unit in ends.items() if unit == last]
        counts.update(
            Rule(begin, end) for begin, unit in begins.items() if unit == first for end in fits
        )
    rules = [_best(counts, counts[OWN])]
    # An exception must correct at least 4 nodes, and 0.5 % of all, more than it spoils.
    least = max(4, 0.005 * len(cases))
    for _ in range(3):
        gains: Counter[Rule] = Counter({OWN: 0})
        for case in cases:
            applied = (rule for rule in (*rules, OWN) if _applies(rule, case))
            is_right = _applied(next(applied), case) == case.units
            for rule in _exceptions(case):
                gains[rule] += (_applied(rule, case) == case.units) - is_right
        best = _best(gains, 0)
        if gains[best] < least:
            break
        rules.insert(0, best)
    return tuple(rules)


def _best(counts: Counter[Rule], own: int) -> Rule:
    """Return the shortest of the most frequent rules, or `OWN` if no count exceeds `own`."""

    def worth(rule: Rule) -> tuple[int, int, str]:
        ends = rule.begin, rule.end
        size = sum(len(end.place) + len(end.further) for end in ends)
        return counts[rule], -size, repr(rule)

    best = max(counts, key=worth)
    return best if counts[best] > own else OWN


def _exceptions(case: _Case) -> Iterator[Rule]:
    for begin in case.begins:
        if begin.place.startswith("beside ") and begin.further in (NOTHING, SIGNS):
            for place in (begin.place, WORD, TREE):
                yield from (Rule(begin, Bound(place, how)) for how in (NOTHING, SIGNS))


def _applies(rule: Rule, case: _Case) -> bool:
    return rule.begin in case.begins and rule.end in case.ends


def _applied(rule: Rule, case: _Case) -> Units:
    return case.begins[rule.begin], case.ends[rule.end]
