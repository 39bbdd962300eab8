"""Decomposition of the preset `tree`: constant, head and port of each token.

Combines `contraction` (fragments), `lexical_labels` (copied labels) and `alignment` (the token of
each fragment) for a corpus, and reports what does not fit: edges that were cut, and sentences
without a derivation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from math import log2

from amparser.algebra.fragment import Fragment
from amparser.errors import DecomposeError
from amparser.graph.sgraph import Edge, SGraph
from amparser.induction.alignment.injective import assign_all
from amparser.induction.alignment.search import Candidates
from amparser.induction.attachment import attachment
from amparser.induction.contraction import (
    Contraction,
    Unit,
    contraction_of,
    groups_of,
    kept_apart,
    merged,
    optional_leaves,
    units_of,
    with_values,
)
from amparser.induction.inventory import Inventory
from amparser.induction.merging import with_symbols
from amparser.induction.spanning import Tree, spanning_tree
from amparser.induction.symbols import Symbols
from amparser.induction.words import Words, spelled_literals, unspelled_words
from amparser.lexicon.encoded import (
    CONTINUE_TAG,
    FIRST_FRAGMENT,
    IGNORE_TAG,
    NOBODY,
    Encoded,
)
from amparser.lexicon.lexical_labels import LexicalLabels
from amparser.lexicon.spelling import CopyRule, content_of, copy_rule
from amparser.notations.ordered_trees import is_end

ANNOUNCED_BITS = 1.0
"""Maximum bits of a leaf's name given its word for a constant of its own instead of a default."""
LOST_BITS = 5.0
"""Cost in bits of a leaf that shares its parent's token."""


@dataclass(frozen=True, slots=True)
class AlignedGraph:
    """Sentence, its graph, and the nodes aligned to each token (None: not given)."""

    tokens: tuple[str, ...]
    graph: SGraph
    alignment: tuple[tuple[int, ...], ...] | None = None


@dataclass
class Induced:
    """Decomposed corpus.

    Attributes:
        cut: edges that each derivation leaves out.
    """

    inventory: Inventory
    derivations: list[Encoded | None]
    cut: list[tuple[Edge, ...]] = field(default_factory=list)


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
    spelled = spelled_literals(sentences, trees, rule)
    trees, symbols = with_symbols(
        trees,
        Words(sentences),
        [kept_apart(tree, e.alignment, optional) for e, tree in zip(corpus, trees, strict=True)],
        spelled,
        Words([*map(unspelled_words, sentences, trees, spelled, repeat(rule))]),
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
    """Align all rows; if a sentence has too few tokens, join some of its units and try again."""
    while True:
        assigned = assign_all([row.candidates() for row in rows])
        stuck = [number for number, anchors in enumerate(assigned.anchors) if anchors is None]
        joined = [rows[number].join_worst(assigned.best_scores(number)) for number in stuck]
        if not any(joined):
            return assigned.refined().anchors


def _announced(
    corpus: Sequence[AlignedGraph],
    trees: Sequence[Tree],
    rule: CopyRule,
) -> frozenset[str]:
    """Return the labels of leaves that words express.

    The corpus is aligned as if no leaf were a default. Words express a leaf if its name costs less
    than `ANNOUNCED_BITS` on average given its anchor; a leaf joined to its parent for lack of
    tokens costs `LOST_BITS`.
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
    """Extend a default that several labels share to all labels whose only edge has its name."""
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
        self._candidates: Candidates | None = None
        self.words = tuple(token.lower() for token in example.tokens)
        self._groups = groups_of(tree, example.alignment)
        if example.alignment is not None:
            self._join_crowded()

    def group(self, unit: Unit) -> frozenset[int]:
        nodes = [unit.literal] if unit.literal in self._groups else unit.nodes
        return frozenset().union(*(self._groups.get(node, frozenset()) for node in nodes))

    def _join(self, unit: Unit, other: Unit) -> Unit:
        whole = merged(self.tree, self.contraction, (unit, other))
        self.units = sorted([*(u for u in self.units if u not in (unit, other)), whole])
        self._owner.update(dict.fromkeys(whole.nodes, whole))
        self._candidates = None
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
        """Join each unit without a given token to a neighbour.

        The neighbour is chosen so that the joined fragment is the most frequent in the corpus.
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
            best = max(
                near,
                key=lambda u: frequency[merged(self.tree, self.contraction, (lost, u)).fragment],
            )
            self._join(lost, best)

    def join_worst(self, scores: Sequence[float]) -> bool:
        """Join units without a good word to those above; return False if only one is left."""
        if len(self.units) < 2:
            return False
        score = dict(zip(self.units, scores, strict=True))
        for _ in range(max(1, len(self.units) - len(self.words))):
            worst = min((u for u in self.units if self._owner.get(u.parent)), key=score.__getitem__)
            above = self._owner[worst.parent]
            whole = self._join(worst, above)
            score[whole] = score[above]
        return True

    def _label(self, unit: Unit) -> str:
        return unit.fragment.to_text() if unit.literal < 0 else self.tree.literal(unit.literal)

    def spans(self, unit: Unit) -> list[tuple[int, int]]:
        if unit.literal < 0:
            return []
        content = content_of(self.tree.literal(unit.literal))
        spans = self.rule.spans(self.example.tokens, content)
        tokens = self.group(unit)
        return [s for s in spans if not tokens or tokens & set(range(*s))]

    def stretch(self, anchors: Sequence[int], named: frozenset[tuple[str, str]]) -> list[int]:
        """Return the number of tokens that each unit covers from its anchor on.

        A literal that is not spelled also covers the following words that a given alignment assigns
        to it, or that name it.
        """
        taken = set(anchors)
        lengths = []
        for unit, anchor in zip(self.units, anchors, strict=True):
            end = next((e for s, e in self.spans(unit) if s == anchor), anchor + 1)
            if unit.literal >= 0 and not self.spans(unit):
                label = self.tree.labels[unit.literal]
                given = self._groups.get(unit.literal, frozenset())
                while end < len(self.words) and end not in taken:
                    if end not in given and (label, self.words[end]) not in named:
                        break
                    end += 1
            lengths.append(end - anchor)
        return lengths

    def begin(self, anchors: Sequence[int], named: frozenset[tuple[str, str]]) -> list[int]:
        """Move anchors of unspelled literals left to the first adjacent word that names them."""
        moved = list(anchors)
        for i, unit in enumerate(self.units):
            if unit.literal < 0 or self.spans(unit):
                continue
            label = self.tree.labels[unit.literal]
            while (label, self.words[moved[i] - 1]) in named and moved[i] > 0:
                if moved[i] - 1 in moved:
                    break
                moved[i] -= 1
        return moved

    def candidates(self) -> Candidates:
        """Return the tokens that each unit may have.

        Tokens that a given alignment assigns only to the wrapper are loose: any unit may have them.
        """
        if self._candidates is not None:
            return self._candidates
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
        labels = tuple(self._label(unit) for unit in self.units)
        self._candidates = Candidates(self.words, labels, tuple(parents), tuple(tokens), wrapper)
        return self._candidates

    def derivation(
        self,
        anchors: Sequence[int],
        tags: Mapping[Fragment, int],
        named: frozenset[tuple[str, str]],
    ) -> Encoded:
        """Return the derivation in which unit i is anchored at token `anchors[i]`.

        `named` contains pairs of a literal and a word that names it.
        """
        anchors = self.begin(anchors, named)
        lengths = self.stretch(anchors, named)
        n = len(self.words)
        tag, closed, heads, ports = [IGNORE_TAG] * n, [0] * n, [NOBODY] * n, [NOBODY] * n
        labels: list[str | None] = [None] * n
        owners = [NOBODY] * n
        anchor_of = {node: a for u, a in zip(self.units, anchors, strict=True) for node in u.nodes}
        for unit, anchor in zip(self.units, anchors, strict=True):
            tag[anchor], closed[anchor] = tags[unit.fragment], unit.closed
            owners[anchor] = anchor
            if unit.literal >= 0:
                labels[anchor] = self.tree.literal(unit.literal)
            open_nodes = [
                child
                for node in unit.nodes
                for child in self.tree.children[node]
                if child not in unit.nodes or self.contraction.is_default(self.tree, child)
            ]
            for port, child in enumerate(sorted(open_nodes)):
                if child not in unit.nodes:
                    heads[anchor_of[child]], ports[anchor_of[child]] = anchor, port
        for unit, anchor, length in zip(self.units, anchors, lengths, strict=True):
            for token in range(anchor + 1, anchor + length):
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
    frequency: Counter[Fragment] = Counter()
    quotes: Counter[str] = Counter()
    for row, chosen in zip(rows, anchors, strict=True):
        if chosen is not None:
            frequency.update(unit.fragment for unit in row.units)
            literals = [row.tree.labels[u.literal] for u in row.units if u.literal >= 0]
            quotes.update(text[0] if text[0] in "'\"" else "" for text in literals)
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
    derivations: list[Encoded | None] = []
    for row, chosen in zip(rows, anchors, strict=True):
        if chosen is None:
            derivations.append(None)
            continue
        derivation = row.derivation(chosen, tags, named)
        derivations.append(derivation)
        for token, literal in enumerate(derivation.labels):
            if literal is not None:
                name = fragments[derivation.tags[token] - FIRST_FRAGMENT].to_text()
                labels.add(name, derivation.words(token), literal)
    whose = attachment([d for d in derivations if d is not None])
    derivations = [
        whose.fill(d) if d is not None and row.example.alignment is None else d
        for row, d in zip(rows, derivations, strict=True)
    ]
    wrapper = contraction.around and symbols.expanded(contraction.around)
    return Induced(Inventory(fragments, contraction, labels, wrapper), derivations, cut)


def _named(rows: Sequence[_Row]) -> frozenset[tuple[str, str]]:
    """Return pairs of an unspelled literal and a word that names it.

    A word names a literal if over 80 % of the sentences with the word have the literal, over 30 %
    of those with the literal have the word, and both occur together twice.
    """
    words: Counter[str] = Counter()
    literals: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for row in rows:
        present = set(row.words)
        words.update(present)
        for label in {row.tree.labels[u.literal] for u in row.units if u.literal >= 0}:
            literals[label] += 1
            both.update((label, word) for word in present)
    return frozenset(
        (label, word)
        for (label, word), count in both.items()
        if count > 1 and count > 0.8 * words[word] and count > 0.3 * literals[label]
    )
