"""Smatch: F, precision and recall of triples under the best mapping of nodes.

The definition is that of Cai & Knight (2013) as version 1.0.4 of the `smatch` package has it:
triples `instance(node, concept)`, `ROLE(node, constant)`, `ROLE(node, node)` and `TOP(root, top)`;
names and values in lower case without quotes, `mod(x, y)` as `domain(y, x)`. The notation says
which nodes are constants.

The published tool climbs hills from four random mappings, so its figures may be too low. Here
the best mapping is found, if it is not certified at once, by the integer program of
`amparser.evaluation.metrics.matching`, where SciPy is installed and the graphs are small
(`MOST_PAIRS`); otherwise by climbing hills from fixed random mappings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from random import Random
from typing import NamedTuple

from amparser.corpora.example import Example
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import GraphMetric, found_graph, gold_graph
from amparser.evaluation.metrics.matching import match_clauses
from amparser.evaluation.metrics.overlap import Overlap
from amparser.graph.sgraph import SGraph
from amparser.notations.notation import Notation
from amparser.results import Result

MOST_PAIRS = 2_000
"""Pairs of triples that could match, above which the integer program is left out."""
RESTARTS = 20
"""Random mappings to climb from, beside the one that maps equal concepts."""
SEED = 0


class Triples(NamedTuple):
    """The triples of a graph whose nodes are numbered from 0.

    Attributes:
        unary: node, role and value: instances, constants and TOP.
        binary: parent, role and child.
    """

    size: int
    unary: tuple[tuple[int, str, str], ...]
    binary: tuple[tuple[int, str, int], ...]

    @property
    def total(self) -> int:
        """How many triples there are."""
        return len(self.unary) + len(self.binary)


def triples(graph: SGraph, notation: Notation | None = None) -> Triples:
    """The triples of a graph.

    >>> from amparser.graph.penman_codec import sgraph_from_penman
    >>> triples(sgraph_from_penman("(a / see :agent (b / Boy))")).unary
    ((0, 'instance', 'see'), (1, 'instance', 'boy'), (0, 'TOP', 'top'))
    """
    constants = {
        node: value.label or ""
        for node, value in graph.nodes.items()
        if notation is not None and node != graph.root and notation.is_constant(value.label)
    }
    number = {node: i for i, node in enumerate(n for n in graph.nodes if n not in constants)}
    unary = [
        (number[n], "instance", _normal(v.label or ""))
        for n, v in graph.nodes.items()
        if n in number
    ]
    binary: list[tuple[int, str, int]] = []
    for edge in graph.edges:
        role = edge.label.lower()
        if edge.parent in number and edge.child in number:
            ends = (number[edge.parent], number[edge.child])
            binary.append(
                (ends[1], "domain", ends[0]) if role == "mod" else (ends[0], role, ends[1])
            )
        elif edge.parent in number:
            unary.append((number[edge.parent], role, _normal(constants[edge.child])))
        elif edge.child in number:
            unary.append((number[edge.child], f"{role}-of", _normal(constants[edge.parent])))
    unary.append((number[graph.root], "TOP", "top"))
    return Triples(len(number), tuple(unary), tuple(binary))


def _normal(label: str) -> str:
    # A leading apostrophe or slash only says what the node is.
    text = label[1:] if label[:1] in ("'", "/") and len(label) > 1 else label
    return text.strip('"').lower().rstrip("_")


@dataclass(frozen=True)
class NodeMapping:
    """A mapping of predicted nodes to gold ones, one to one.

    Attributes:
        images: the gold node of each predicted node that has one.
    """

    images: Mapping[int, int]
    matched: int
    bound: int

    @property
    def certified(self) -> bool:
        """Whether no other mapping is better."""
        return self.matched == self.bound


def smatch_overlap(gold: Triples, predicted: Triples, *, exact: bool | None = None) -> Overlap:
    """How many triples match under the best mapping of nodes; arguments as in `best_mapping`."""
    matched = best_mapping(gold, predicted, exact=exact).matched
    return Overlap(predicted.total, gold.total, matched)


@lru_cache(maxsize=64)
def best_mapping(gold: Triples, predicted: Triples, *, exact: bool | None = None) -> NodeMapping:
    """The best mapping of nodes.

    Args:
        exact: always or never use the integer program; by default it is used if SciPy is
            installed, the graphs are small, and climbing does not reach the bound.
    """
    found = _climbed(gold, predicted)
    if exact is None:
        pairs = sum(count * _roles(gold)[role] for role, count in _roles(predicted).items())
        small = pairs <= MOST_PAIRS and find_spec("scipy") is not None
        exact = small and not found.certified
    if not exact:
        return found
    matching = match_clauses(_clauses(predicted), _clauses(gold))
    bound = max(matching.bound, found.matched)
    if matching.matched <= found.matched:
        return replace(found, bound=bound)
    pairs_of_names = ((left[1], right[1]) for left, right in matching.mapping.items())
    images = {
        int(left[1:]) - 1: int(right[1:]) - 1
        for left, right in pairs_of_names
        if left.startswith("x")
    }
    return NodeMapping(images, matching.matched, bound)


def _roles(graph: Triples) -> Counter[tuple[str, ...]]:
    """How often each role (with its value, if it has one) occurs."""
    return Counter(
        [*((role, value) for _, role, value in graph.unary), *((r,) for _, r, _ in graph.binary)]
    )


def _bound(gold: Triples, predicted: Triples) -> int:
    """No mapping matches more triples."""
    return (_roles(gold) & _roles(predicted)).total()


def _clauses(graph: Triples) -> list[tuple[str, ...]]:
    """The triples as clauses of one box, whose referents are the nodes; no two are equal."""
    seen: Counter[tuple[str, ...]] = Counter()
    clauses = []
    rows = [
        *(((role, value), (node,)) for node, role, value in graph.unary),
        *(((role,), (parent, child)) for parent, role, child in graph.binary),
    ]
    for words, nodes in rows:
        referents = tuple(f"x{node + 1}" for node in nodes)
        seen[(*words, *referents)] += 1
        word = "\t".join([*words, str(seen[(*words, *referents)])])
        clauses.append(("b1", word, *referents))
    return clauses


_Pair = tuple[int, int]


class _Gains:
    """What it brings to map one node to another, alone or beside other such pairs."""

    def __init__(self, predicted: Triples, gold: Triples) -> None:
        self.alone: Counter[_Pair] = Counter()
        self.beside: dict[_Pair, Counter[_Pair]] = defaultdict(Counter)
        self.instances: list[_Pair] = []
        wanted = _by_words(gold)
        for words, nodes in _by_words(predicted).items():
            others = wanted.get(words, Counter())
            for left, count in nodes.items():
                for right, other in others.items():
                    self._add(left, right, min(count, other))
            if words[0] == "instance":
                self.instances += [(left[0], right[0]) for left in nodes for right in others]
        self.candidates: dict[int, list[int]] = defaultdict(list)
        for node, image in sorted({*self.alone, *self.beside}):
            self.candidates[node].append(image)

    def _add(self, left: tuple[int, ...], right: tuple[int, ...], count: int) -> None:
        first, last = (left[0], right[0]), (left[-1], right[-1])
        if first == last:
            self.alone[first] += count
        # A node is mapped to one node.
        elif left[0] != left[-1] and right[0] != right[-1]:
            self.beside[first][last] += count
            self.beside[last][first] += count

    def of(self, left: int, right: int | None, mapping: Mapping[int, int | None]) -> int:
        """The triples at a node that match if it is mapped so."""
        if right is None:
            return 0
        beside: Mapping[_Pair, int] = self.beside.get((left, right), {})
        return self.alone[left, right] + sum(
            count for (other, image), count in beside.items() if mapping.get(other) == image
        )


def _by_words(graph: Triples) -> dict[tuple[str, ...], Counter[tuple[int, ...]]]:
    """For each role (with its value, if it has one) the nodes at which it stands."""
    found: dict[tuple[str, ...], Counter[tuple[int, ...]]] = defaultdict(Counter)
    for node, role, value in graph.unary:
        found[role, value][(node,)] += 1
    for parent, role, child in graph.binary:
        found[(role,)][parent, child] += 1
    return found


def _climbed(gold: Triples, predicted: Triples) -> NodeMapping:
    """The best mapping that climbing finds, by moves and exchanges of images."""
    gains = _Gains(predicted, gold)
    bound = _bound(gold, predicted)
    random = Random(SEED)
    best = NodeMapping({}, 0, bound)
    for restart in range(RESTARTS + 1):
        nodes = list(gains.candidates)
        pairs: Iterable[_Pair] = gains.instances
        if restart:
            random.shuffle(nodes)
            pairs = ((node, random.choice(gains.candidates[node])) for node in nodes)
        mapping: dict[int, int | None] = dict.fromkeys(gains.candidates)
        taken: set[int] = set()
        for left, right in pairs:
            if mapping[left] is None and right not in taken:
                mapping[left] = right
                taken.add(right)
        matched = _climb(gains, mapping, nodes)
        if matched > best.matched:
            images = {node: image for node, image in mapping.items() if image is not None}
            best = NodeMapping(images, matched, bound)
        if best.certified:
            break
    return best


def _climb(gains: _Gains, mapping: dict[int, int | None], nodes: Sequence[int]) -> int:
    """Improve a mapping in place until no step does; returns how many triples match."""
    owner = {image: node for node, image in mapping.items() if image is not None}
    improved = True
    while improved:
        improved = False
        for node in nodes:
            for image in gains.candidates[node]:
                improved |= _step(gains, mapping, owner, node, image)
    whole = 0
    for node, mapped in mapping.items():
        whole += gains.of(node, mapped, mapping)
        if mapped is not None:
            whole += gains.alone[node, mapped]
    # What two nodes bring together was counted at both of them.
    return whole // 2


def _step(
    gains: _Gains, mapping: dict[int, int | None], owner: dict[int, int], node: int, image: int
) -> bool:
    """Map a node to an image, and the node that had it to the old image, if this is better."""
    old = mapping[node]
    if old == image:
        return False
    other = owner.get(image)
    before = gains.of(node, old, mapping)
    mapping[node] = None
    if other is not None:
        before += gains.of(other, image, mapping)
        mapping[other] = old
    after = 0 if other is None else gains.of(other, old, mapping)
    mapping[node] = image
    after += gains.of(node, image, mapping)
    if after > before:
        owner[image] = node
        if old is not None:
            owner.pop(old, None)
        if other is not None and old is not None:
            owner[old] = other
        return True
    mapping[node] = old
    if other is not None:
        mapping[other] = image
    return False


_Compared = tuple[Triples, Triples | None]
_LAST: dict[Notation | None, tuple[Example, Result, _Compared | None]] = {}


def compared_triples(notation: Notation | None, gold: Example, result: Result) -> _Compared | None:
    """The triples of a gold example and of an answer, if there is one; None without gold.

    Several metrics ask for the same pair, one after the other, so the last ones are kept.
    """
    last = _LAST.get(notation)
    if last is not None and last[0] is gold and last[1] is result:
        return last[2]
    wanted = gold_graph(notation, gold)
    pair = None
    if wanted is not None:
        found = found_graph(notation, gold, result)
        pair = triples(wanted, notation), None if found is None else triples(found, notation)
    _LAST[notation] = gold, result, pair
    return pair


class SmatchMetric(GraphMetric):
    """F score, precision and recall of triples."""

    name = "smatch"
    measures: tuple[str, ...] = ("smatch", "smatch_precision", "smatch_recall")

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """The counts of one answer; without an answer no triple is predicted."""
        pair = compared_triples(notation, gold, result)
        if pair is None:
            return {}
        wanted, found = pair
        if found is None:
            return self.counts(Overlap(0, wanted.total, 0), certified=True)
        mapping = best_mapping(wanted, found)
        overlap = Overlap(found.total, wanted.total, mapping.matched)
        return self.counts(overlap, certified=mapping.certified)

    def counts(self, overlap: Overlap, *, certified: bool) -> Mapping[str, Count]:
        """The counts by measure."""
        return dict(zip(self.measures, overlap.counts(), strict=True))


class SmatchMacroMetric(SmatchMetric):
    """The mean of the F scores of single answers, and how many are certainly the best."""

    name = "smatch-macro"
    measures = ("smatch_macro", "smatch_certified")

    def counts(self, overlap: Overlap, *, certified: bool) -> Mapping[str, Count]:
        """The F score of the answer, and whether no mapping of nodes is better."""
        f_score = overlap.counts()[0].share or 0.0
        return dict(zip(self.measures, (Count(f_score, 1), Count(int(certified), 1)), strict=True))


SMATCH = SmatchMetric()
SMATCH_MACRO = SmatchMacroMetric()
