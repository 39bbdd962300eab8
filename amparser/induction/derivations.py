"""Decomposition of the preset `tree`: constant, head and port of each token.

The module combines `contraction` (fragments), `lexical_labels` (copied labels) and `alignment`
(token of each fragment). A *unit* is an occurrence of a fragment in a tree. The module also reports
the graph edges outside the spanning tree, and the sentences without a derivation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log2

from amparser.algebra.fragment import Fragment
from amparser.errors import DecomposeError
from amparser.graph.sgraph import Edge, SGraph
from amparser.induction.alignment.injective import assign_all
from amparser.induction.alignment.search import Candidates
from amparser.induction.attachment import Attachment
from amparser.induction.contraction import (
    Contraction,
    Unit,
    contraction_of,
    groups_of,
    kept_apart,
    optional_leaves,
    units_of,
    with_values,
)
from amparser.induction.inventory import Inventory
from amparser.induction.merging import with_symbols
from amparser.induction.spanning import Tree, spanning_tree
from amparser.induction.symbols import Symbols
from amparser.induction.words import Words, spelled_literals
from amparser.lexicon.encoded import CONTINUE_TAG, FIRST_FRAGMENT, IGNORE_TAG, NOBODY, Encoded
from amparser.lexicon.lexical_labels import LexicalLabels
from amparser.lexicon.spelling import CopyRule, content_of, copy_rule
from amparser.notations.ordered_trees import is_end

ANNOUNCED_BITS = 1.0
"""Maximum average cost in bits of a label that words express; see `_announced`."""
LOST_BITS = 5.0
"""Cost in bits of a leaf that is joined to its parent because there are too few tokens."""


@dataclass(frozen=True, slots=True)
class AlignedGraph:
    """Sentence, its graph, and the nodes aligned to each token (None if unknown)."""

    tokens: tuple[str, ...]
    graph: SGraph
    alignment: tuple[tuple[int, ...], ...] | None = None


@dataclass
class Induced:
    """Decomposed corpus.

    Attributes:
        cut: edges of each graph that are not in its spanning tree.
    """

    inventory: Inventory
    derivations: list[Encoded | None]
    cut: list[tuple[Edge, ...]]


def derive(corpus: Sequence[AlignedGraph]) -> Induced:
    """Induce the fragments of a corpus and the derivation of each sentence.

    Raises DecomposeError if no sentence has a derivation.
    """
    spanned = [spanning_tree(example.graph) for example in corpus]
    sentences = [example.tokens for example in corpus]
    trees = with_values(sentences, [tree for tree, _ in spanned])
    rows = zip(sentences, trees, strict=True)
    rule = copy_rule(
        (tokens, tree.literal(node)) for tokens, tree in rows for node in tree.literals
    )
    optional = optional_leaves(trees)
    spelled, unspelled = spelled_literals(sentences, trees, rule)
    trees, symbols = with_symbols(
        trees,
        Words(sentences),
        [kept_apart(tree, e.alignment, optional) for e, tree in zip(corpus, trees, strict=True)],
        spelled,
        Words(unspelled),
    )
    announced = _announced(corpus, trees, rule)
    contraction = _widened(contraction_of(trees, announced.__contains__), trees)
    single = {at: d for at, d in contraction.defaults.items() if d not in symbols.shapes}
    contraction = replace(contraction, defaults=single)
    aligned = [
        _Row(example, tree, contraction, rule) for example, tree in zip(corpus, trees, strict=True)
    ]
    frequency = Counter(unit.fragment for row in aligned for unit in row.units)
    for row in aligned:
        row.join_unaligned(frequency)
    anchors = _anchored(aligned)
    return _collected(aligned, anchors, contraction, rule, symbols, [cut for _, cut in spanned])


def _anchored(rows: Sequence[_Row]) -> list[tuple[int, ...] | None]:
    """Return the anchors (token of each unit) of each sentence; None if it has too few tokens.

    While a sentence has too few tokens, join some of its units and align all sentences again.
    """
    while True:
        assigned = assign_all([row.candidates() for row in rows])
        stuck = [number for number, anchors in enumerate(assigned.anchors) if anchors is None]
        joined = [rows[number].join_worst(assigned.best_scores(number)) for number in stuck]
        if not any(joined):
            return assigned.refined().anchors


def _announced(
    corpus: Sequence[AlignedGraph], trees: Sequence[Tree], rule: CopyRule
) -> frozenset[str]:
    """Return the labels of leaves that words express.

    Align the corpus as if no leaf were a default. A label is expressed if its average cost, given
    the word at its anchor, is below `ANNOUNCED_BITS`.
    """
    bare = contraction_of(trees, lambda _: True)
    rows = [_Row(example, tree, bare, rule) for example, tree in zip(corpus, trees, strict=True)]
    candidates = [row.candidates() for row in rows]
    assigned = assign_all(candidates)
    words = Counter(word for row in rows for word in row.words)
    both = Counter(
        (label, row.words[anchor])
        for row, anchors in zip(candidates, assigned.anchors, strict=True)
        for label, anchor in zip(row.labels, anchors or (), strict=False)
    )
    leaves: Counter[str] = Counter()
    bits: dict[str, float] = defaultdict(float)
    for row, anchors in zip(rows, assigned.refined().anchors, strict=True):
        anchored = {u.nodes[0]: a for u, a in zip(row.units, anchors or (), strict=False)}
        for node, label in enumerate(row.tree.labels):
            if row.tree.children[node] or row.tree.is_literal(node) or is_end(label):
                continue
            leaves[label] += 1
            cost = LOST_BITS
            if node in anchored:
                word = row.words[anchored[node]]
                cost = log2(words[word] / max(both[label, word], 1))
            bits[label] += cost
    return frozenset(
        label for label, count in leaves.items() if bits[label] < ANNOUNCED_BITS * count
    )


def _widened(contraction: Contraction, trees: Sequence[Tree]) -> Contraction:
    """Extend the defaults of edge labels to more parent labels.

    If an edge label has the same default below two or more parent labels, it gets this default
    below every parent label whose nodes have no other edge.
    """
    shared = Counter((place, default) for (_, place), default in contraction.defaults.items())
    defaults = dict(contraction.defaults)
    arity: dict[str, int] = {}
    above: dict[str, dict[str, None]] = {}
    for tree in trees:
        for node, label in enumerate(tree.labels):
            arity[label] = max(arity.get(label, 0), len(tree.children[node]))
            for child in tree.children[node]:
                above.setdefault(tree.places[child], {})[label] = None
    wrapped = {label for label, _ in contraction.wrapper}
    for (place, default), count in sorted(shared.items(), key=lambda item: (item[1], item[0])):
        for label in above[place] if count > 1 else ():
            key = (label, place)
            if arity[label] == 1 and label not in wrapped and key not in contraction.joined:
                defaults.setdefault(key, default)
    return replace(contraction, defaults=defaults)


class _Row:
    def __init__(
        self, example: AlignedGraph, tree: Tree, contraction: Contraction, rule: CopyRule
    ) -> None:
        self.example = example
        self.tree = tree
        self.contraction = contraction
        self.rule = rule
        self.units = units_of(tree, contraction)
        self._owner = {node: unit for unit in self.units for node in unit.nodes}
        self.words = tuple(token.lower() for token in example.tokens)
        self._groups = groups_of(tree, example.alignment)
        if example.alignment is not None:
            self._join_crowded()

    def group(self, unit: Unit) -> frozenset[int]:
        nodes = [unit.literal] if unit.literal in self._groups else unit.nodes
        return frozenset().union(*(self._groups.get(node, frozenset()) for node in nodes))

    def _joined(self, unit: Unit, other: Unit) -> Unit:
        return self.contraction.unit(self.tree, sorted((*unit.nodes, *other.nodes)))

    def _join(self, unit: Unit, other: Unit) -> Unit:
        whole = self._joined(unit, other)
        self.units = sorted([*(u for u in self.units if u not in (unit, other)), whole])
        self._owner.update(dict.fromkeys(whole.nodes, whole))
        return whole

    def _join_crowded(self) -> None:
        while True:
            shared = Counter(self.group(unit) for unit in self.units)
            for unit in reversed(self.units):
                tokens = self.group(unit)
                above = self._owner.get(unit.parent)
                crowded = tokens and shared[tokens] > len(tokens)
                if crowded and above is not None and self.group(above) == tokens:
                    self._join(unit, above)
                    break
            else:
                return

    def join_unaligned(self, frequency: Counter[Fragment]) -> None:
        """Join each unit without a token in the given alignment to a neighbour in the tree.

        Choose the neighbour that makes the joint fragment most frequent in the corpus.
        """
        while self._groups:
            lost = next((unit for unit in self.units if not self.group(unit)), None)
            if lost is None:
                return
            above = self._owner.get(lost.parent)
            near = [above] if above is not None else []
            near += [unit for unit in self.units if unit.parent in lost.nodes]
            if not near:
                return
            self._join(lost, max(near, key=lambda u: frequency[self._joined(lost, u).fragment]))

    def join_worst(self, scores: Sequence[float]) -> bool:
        """Join the units with the lowest scores to the units above them.

        Join at least one unit, and continue until there are at most as many units as words. Return
        False if there is only one unit.
        """
        if len(self.units) < 2:
            return False
        score = dict(zip(self.units, scores, strict=True))
        for _ in range(max(1, len(self.units) - len(self.words))):
            worst = min((u for u in self.units if self._owner.get(u.parent)), key=score.__getitem__)
            above = self._owner[worst.parent]
            whole = self._join(worst, above)
            score[whole] = score[above]
        return True

    @property
    def literals(self) -> list[str]:
        return [self.tree.labels[unit.literal] for unit in self.units if unit.literal >= 0]

    def spans(self, unit: Unit) -> list[tuple[int, int]]:
        if unit.literal < 0:
            return []
        content = content_of(self.tree.literal(unit.literal))
        spans = self.rule.spans(self.example.tokens, content)
        tokens = self.group(unit)
        return [s for s in spans if not tokens or tokens & set(range(*s))]

    def covered(
        self, anchors: Sequence[int], named: frozenset[tuple[str, str]]
    ) -> list[tuple[int, int]]:
        """Return the span of tokens that each unit covers (end exclusive).

        A unit covers its anchor and all words of its literal. If the sentence does not spell the
        literal, the unit also covers adjacent words that name it (`named`), and following words
        that a given alignment assigns to it.
        """
        starts, ends = list(anchors), []
        unspelled = [unit.literal >= 0 and not self.spans(unit) for unit in self.units]

        def is_named(unit: Unit, token: int) -> bool:
            return (self.tree.labels[unit.literal], self.words[token]) in named

        for i, unit in enumerate(self.units):
            while unspelled[i] and starts[i] > 0 and is_named(unit, starts[i] - 1):
                if starts[i] - 1 in starts:
                    break
                starts[i] -= 1
        for i, unit in enumerate(self.units):
            end = next((e for s, e in self.spans(unit) if s == starts[i]), starts[i] + 1)
            given = self._groups.get(unit.literal, ())
            while unspelled[i] and end < len(self.words) and end not in starts:
                if end not in given and not is_named(unit, end):
                    break
                end += 1
            ends.append(end)
        return list(zip(starts, ends, strict=True))

    def candidates(self) -> Candidates:
        """Return the tokens to which each unit may be anchored.

        Tokens that a given alignment assigns only to the wrapper are possible, too, at a cost
        (`Candidates.loose`).
        """
        spans = [self.spans(unit) for unit in self.units]
        taken = {t for s in spans if len(s) == 1 for t in range(*s[0])}
        everywhere = range(len(self.words))
        grouped = frozenset().union(*self._groups.values())
        wrapper = grouped.difference(*map(self.group, self.units))
        tokens = []
        for unit, spelled in zip(self.units, spans, strict=True):
            if spelled:
                tokens.append(tuple(start for start, _ in spelled))
                continue
            group = self.group(unit)
            if group:
                group |= wrapper
            free = [t for t in sorted(group) or everywhere if t not in taken]
            tokens.append(tuple(free or sorted(group)))
        number = {node: i for i, unit in enumerate(self.units) for node in unit.nodes}
        parents = [number.get(unit.parent, NOBODY) for unit in self.units]
        labels = tuple(
            unit.fragment.to_text() if unit.literal < 0 else self.tree.literal(unit.literal)
            for unit in self.units
        )
        return Candidates(self.words, labels, tuple(parents), tuple(tokens), wrapper)

    def derivation(
        self,
        anchors: Sequence[int],
        tags: Mapping[Fragment, int],
        named: frozenset[tuple[str, str]],
    ) -> Encoded:
        """Return the derivation in which unit i is anchored at token `anchors[i]`.

        `named` contains (literal, word) pairs; see `_named`.
        """
        n = len(self.words)
        tag, closed, heads, ports = [IGNORE_TAG] * n, [0] * n, [NOBODY] * n, [NOBODY] * n
        labels: list[str | None] = [None] * n
        owners = [NOBODY] * n
        spans = list(zip(self.units, self.covered(anchors, named), strict=True))
        anchor_of = {node: anchor for unit, (anchor, _) in spans for node in unit.nodes}
        for unit, (anchor, _) in spans:
            tag[anchor], closed[anchor] = tags[unit.fragment], unit.closed
            owners[anchor] = anchor
            if unit.literal >= 0:
                labels[anchor] = self.tree.literal(unit.literal)
            for port, child in enumerate(unit.below):
                if child not in unit.nodes:
                    heads[anchor_of[child]], ports[anchor_of[child]] = anchor, port
        for unit, (anchor, end) in spans:
            for token in range(anchor + 1, end):
                if tag[token] == IGNORE_TAG:
                    tag[token], owners[token] = CONTINUE_TAG, anchor
            for token in self.group(unit):
                if owners[token] == NOBODY:
                    owners[token] = anchor
        return Encoded(
            self.example.tokens,
            tuple(tag),
            tuple(closed),
            tuple(heads),
            tuple(ports),
            tuple(labels),
            tuple(owners),
        )


def _collected(
    rows: Sequence[_Row],
    anchors: Sequence[tuple[int, ...] | None],
    contraction: Contraction,
    rule: CopyRule,
    symbols: Symbols,
    cut: list[tuple[Edge, ...]],
) -> Induced:
    kept = [row for row, chosen in zip(rows, anchors, strict=True) if chosen is not None]
    frequency = Counter(unit.fragment for row in kept for unit in row.units)
    literals = [label for row in kept for label in row.literals]
    quotes = Counter(text[0] if text[0] in "'\"" else "" for text in literals)
    if not frequency:
        raise DecomposeError("no sentence has a derivation")
    whole = {fragment: symbols.expanded(fragment) for fragment in frequency}
    counts = Counter(whole[constant] for constant in frequency.elements())
    fragments = tuple(sorted(counts, key=lambda constant: (-counts[constant], constant.to_text())))
    number = {fragment: number for number, fragment in enumerate(fragments, FIRST_FRAGMENT)}
    tags = {fragment: number[constant] for fragment, constant in whole.items()}
    quote = max(sorted(quotes), key=quotes.__getitem__) if quotes else "'"
    labels = LexicalLabels(rule, quote)
    named = _named(rows)
    derivations = [
        None if chosen is None else row.derivation(chosen, tags, named)
        for row, chosen in zip(rows, anchors, strict=True)
    ]
    for derivation in filter(None, derivations):
        for token, literal in enumerate(derivation.labels):
            if literal is not None:
                name = fragments[derivation.tags[token] - FIRST_FRAGMENT].to_text()
                labels.add(name, derivation.words(token), literal)
    whose = Attachment([*filter(None, derivations)])
    derivations = [
        whose.fill(d) if d is not None and row.example.alignment is None else d
        for row, d in zip(rows, derivations, strict=True)
    ]
    wrapper = contraction.around and symbols.expanded(contraction.around)
    return Induced(Inventory(fragments, contraction, labels, wrapper), derivations, cut)


def _named(rows: Sequence[_Row]) -> frozenset[tuple[str, str]]:
    """Return the (literal, word) pairs in which the word names the literal.

    A word names a literal if over 80 % of the sentences with the word have the literal, over 30 %
    of the sentences with the literal have the word, and both occur together at least twice.
    """
    words: Counter[str] = Counter()
    literals: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for row in rows:
        present = set(row.words)
        words.update(present)
        for label in set(row.literals):
            literals[label] += 1
            both.update((label, word) for word in present)
    return frozenset(
        (label, word)
        for (label, word), count in both.items()
        if count > 1 and count > 0.8 * words[word] and count > 0.3 * literals[label]
    )
