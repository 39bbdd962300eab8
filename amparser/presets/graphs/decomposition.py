"""Decomposition of graphs into fragments: separate the boxes, align the nodes, build fragments.

    graph --split--> Layered --align--> Item --contract--> Derivation

First, the boxes are separated from the other nodes (`amparser.graph.boxes`). The aligner assigns
each node and box (its *targets*) to an annotated word. If the corpus has none, the words are tokens
or their parts (`amparser.lexicon.units`). The nodes of each word become its fragment. Edges between
words become arcs of a spanning tree or re-entrant arcs (`amparser.induction.fragments`). In this
module, a *constant* is a node for a name or number, which is outside all boxes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.graph.boxes import BoxScheme, IsConstant, Layered, box_scheme, split
from amparser.graph.sgraph import SGraph
from amparser.induction.alignment.ordered import (
    BOX,
    CONSTANT,
    NODE,
    Pair,
    Target,
    align_in_order,
    likeness,
)
from amparser.induction.fragments import OrientationCounts, Row, contract
from amparser.induction.texts import final_words, with_ends_inside
from amparser.lexicon.spans import Shown
from amparser.lexicon.units import Senses, Splitter, Unit, senses_of, splitter_of, words_to_units
from amparser.presets.settings import GraphDataSettings

_LIKE = 0.3
"""Similarity (`ordered.likeness`) from which a label and its word are considered alike."""
_PASSES = 3
"""Number of passes in which spanning trees are chosen by statistics of the previous trees."""

Node = tuple[bool, int]
"""Target of the aligner, as (whether it is a box, index of the box or node)."""


@dataclass(frozen=True)
class Item:
    """Example prepared for the aligner.

    Attributes:
        graph: the graph, separated into nodes and boxes.
        units: units of the tokens.
        words: annotated words, or else the units.
        last: index of the last unit of each word.
        order: node or box of each target.
        pair: words and targets as input of the aligner.
        auxiliary, language: see `Row`.
        layers: whether the words have features besides their forms.
    """

    graph: Layered
    units: tuple[Unit, ...]
    words: tuple[str, ...]
    last: tuple[int, ...]
    order: Sequence[Node]
    pair: Pair
    auxiliary: tuple[tuple[str | None, ...], ...]
    language: str
    layers: bool


Decomposed = dict[int, tuple[Row, Shown]]
"""For each example, by index: its derivation, and its graph with the units of the nodes."""


@dataclass(frozen=True)
class Decomposer:
    """Decomposition of graphs into derivations, fitted to a training set.

    Attributes:
        settings: settings of the training data.
        is_constant: function that returns whether a label belongs to a constant.
        scheme: labels of boxes and their edges; None if the corpus has no boxes.
        splitter: function that splits tokens into units.
        senses: separators between word and sense in labels.
        literal: labels that do not express words, so fragments contain them literally.
        orientations: statistics that choose spanning trees, or None in the first pass.
    """

    settings: GraphDataSettings
    is_constant: IsConstant
    scheme: BoxScheme | None
    splitter: Splitter
    senses: Senses
    literal: frozenset[str] = frozenset()
    orientations: OrientationCounts | None = None

    @classmethod
    def fit(
        cls,
        examples: Sequence[Example],
        graphs: Mapping[int, SGraph],
        settings: GraphDataSettings,
        is_constant: IsConstant,
        reasons: dict[int, str],
    ) -> tuple[Decomposer, Decomposed]:
        """Fit the decomposition to a training set, and decompose it.

        Args:
            examples: the examples.
            graphs: graphs by example index.
            settings: settings of the training data.
            is_constant: function that returns whether a label belongs to a constant.
            reasons: output: for each example without a derivation, the reason.
        """
        scheme = box_scheme(list(graphs.values()), is_constant)
        splitter = splitter_of(
            (examples[i].tokens, words)
            for i in graphs
            if (words := layer(examples[i], settings.words))
        )
        layered = _split_each(graphs, scheme, is_constant, reasons)
        senses = senses_of(
            (_spelled(examples[i], settings), graph.labels) for i, graph in layered.items()
        )
        decomposer = cls(settings, is_constant, scheme, splitter, senses)
        items = decomposer._items(examples, layered)
        aligned = _aligned(items)
        decomposer = replace(decomposer, literal=_literal(items, aligned))
        for _ in range(_PASSES):
            rows = decomposer._contracted(items, aligned, reasons)
            orientations = OrientationCounts(row.derivation for row, _ in rows.values())
            decomposer = replace(decomposer, orientations=orientations)
        return decomposer, decomposer._contracted(items, aligned, reasons)

    def decompose(
        self, examples: Sequence[Example], graphs: Mapping[int, SGraph], reasons: dict[int, str]
    ) -> Decomposed:
        """Decompose other graphs, such as the graphs of dev; see `fit` for the arguments."""
        layered = _split_each(graphs, self.scheme, self.is_constant, reasons)
        items = self._items(examples, layered)
        return self._contracted(items, _aligned(items), reasons)

    def _items(
        self, examples: Sequence[Example], layered: Mapping[int, Layered]
    ) -> dict[int, Item]:
        closed = Counter(label for graph in layered.values() for label in graph.labels)
        items = {
            number: self._item(examples[number], graph, closed) for number, graph in layered.items()
        }
        final = final_words(item.words for item in items.values())
        return {
            number: replace(item, pair=with_ends_inside(item.pair, final))
            for number, item in items.items()
        }

    def _item(self, example: Example, graph: Layered, closed: Mapping[str, int]) -> Item:
        settings = self.settings
        units = self.splitter.units(example.tokens)
        words = layer(example, settings.words)
        last = words_to_units(words, units) if words else None
        if words and last is None:
            # The annotated words belong to a longer text that contains the sentence.
            units = self.splitter.units([piece for word in words for piece in word.split()])
            last = words_to_units(words, units)
        if not words or last is None:
            words, last = tuple(unit.text for unit in units), list(range(len(units)))
        layers = {name: layer(example, name) for name in settings.features.split()}
        layers = {name: row for name, row in layers.items() if len(row) == len(words)}
        anchors = layer(example, settings.anchors)
        order, targets = _targets(graph, closed, self.senses)
        words_of: dict[int, list[int]] = defaultdict(list)
        for i, unit in enumerate(last):
            words_of[units[unit].token].append(i)
        pair = Pair(
            [
                [f"={word.lower()}", *(f"{name}={row[i]}" for name, row in layers.items())]
                for i, word in enumerate(words)
            ],
            [
                [word.lower(), *(row[i].lower() for row in layers.values())]
                for i, word in enumerate(words)
            ],
            anchors if len(anchors) == len(words) else (),
            targets,
            self._given(example, graph, order, targets, words_of, words),
        )
        auxiliary = tuple(
            _of_units(layer(example, name), last, len(units)) for name in settings.auxiliary.split()
        )
        return Item(
            graph,
            units,
            tuple(words),
            tuple(last),
            order,
            pair,
            auxiliary,
            example.language,
            bool(layers),
        )

    def _given(
        self,
        example: Example,
        graph: Layered,
        order: Sequence[Node],
        targets: Sequence[Target],
        words_of: Mapping[int, Sequence[int]],
        words: Sequence[str],
    ) -> tuple[int, ...]:
        """Return the word of each target (-1: unknown) in the corpus's alignment.

        The result is empty if the corpus has no alignment, or the graph has boxes. An alignment in
        a layer of the example refers to words. An alignment in `Example.alignment` or in the graph
        refers to tokens; if a token has several words, the most similar one is used.
        """
        if len(graph.boxes) > 1:
            return ()
        if items := layer(example, self.settings.alignment):
            last = max((words[-1] for words in words_of.values()), default=-1)
            given = [int(item) - 1 if item.isdecimal() else -1 for item in items]
            is_whole = len(given) == len(graph.labels) and max(given) <= last
            return tuple(given[number] for _, number in order) if is_whole else ()
        token_of: dict[int, int] = {}
        if example.alignment is not None:
            token_of = {node: t for t, row in enumerate(example.alignment) for node in row}
        elif example.graph is not None:
            nodes = enumerate(example.graph.nodes.values())
            token_of = {i: node.token - 1 for i, node in nodes if node.token is not None}
        if not token_of:
            return ()
        word_of_target = []
        for (_, number), target in zip(order, targets, strict=True):
            own = words_of.get(token_of.get(number, -1), ())
            alike = {word: likeness(target.text, words[word].lower()) for word in own}
            word_of_target.append(max(alike, key=alike.__getitem__, default=-1))
        return tuple(word_of_target)

    def _contracted(
        self,
        items: Mapping[int, Item],
        aligned: Mapping[int, Sequence[int]],
        reasons: dict[int, str],
    ) -> Decomposed:
        rows: Decomposed = {}
        for number, item in items.items():
            graph, units = item.graph, item.units
            tokens, box_tokens = [0] * len(graph.labels), [0] * len(graph.boxes)
            for (is_box, which), word in zip(item.order, aligned[number], strict=True):
                (box_tokens if is_box else tokens)[which] = item.last[word]
            slotted = [label not in self.literal for label in graph.labels]
            joined = sorted({*range(len(units))} - {*item.last})
            words = [unit.text for unit in units]
            try:
                derivation = contract(
                    graph,
                    tokens,
                    box_tokens,
                    words,
                    slotted,
                    joined,
                    self.orientations,
                    self.senses,
                )
            except AMParserError as error:
                reasons[number] = str(error)
            else:
                row = Row(units, derivation, item.auxiliary, item.language)
                rows[number] = row, Shown(graph, tokens, derivation, units)
        return rows


def layer(example: Example, name: str) -> tuple[str, ...]:
    """Return an annotation layer of an example by name; empty if the example does not have it."""
    return dict(example.layers).get(name, ()) if name else ()


def _spelled(example: Example, settings: GraphDataSettings) -> list[str]:
    """Return the texts that labels may resemble: tokens, and layers of features such as lemmas."""
    layers = (layer(example, name) for name in settings.features.split())
    return [*example.tokens, *chain.from_iterable(layers)]


def _split_each(
    graphs: Mapping[int, SGraph],
    scheme: BoxScheme | None,
    is_constant: IsConstant,
    reasons: dict[int, str],
) -> dict[int, Layered]:
    layered: dict[int, Layered] = {}
    for number, graph in graphs.items():
        try:
            layered[number] = split(graph, scheme, is_constant)
        except AMParserError as error:
            reasons[number] = str(error)
    return layered


def _of_units(items: Sequence[str], last: Sequence[int], count: int) -> tuple[str | None, ...]:
    """Assign the item of each word to the word's last unit; all other units get None."""
    values: list[str | None] = [None] * count
    if len(items) == len(last):
        for unit, item in zip(last, items, strict=True):
            values[unit] = item
    return tuple(values)


def _targets(
    graph: Layered, closed: Mapping[str, int], senses: Senses
) -> tuple[list[Node], list[Target]]:
    """Return the aligner's targets: the nodes in order, each box before its first node."""
    beside: list[list[str]] = [[] for _ in graph.labels]
    for parent, label, child in graph.edges:
        for node, other in ((parent, child), (child, parent)):
            # The aligner sees the label of a node, and frequent constants next to the node.
            if graph.constant[other] and closed[graph.labels[other]] >= 20:
                beside[node].append(label + graph.labels[other])
    order: list[Node] = []
    targets: list[Target] = []
    boxes = 1

    def open_boxes(until: int) -> None:
        nonlocal boxes
        while boxes <= until:
            order.append((True, boxes))
            label = graph.boxes[boxes].label
            targets.append(Target(BOX, label, "", label))
            boxes += 1

    for number, label in enumerate(graph.labels):
        open_boxes(graph.box[number])
        _, text, sense_kind, sense = senses.parts(label)
        order.append((False, number))
        targets.append(
            Target(
                CONSTANT if graph.constant[number] else NODE,
                f"{text}{sense_kind}{sense}",
                text.lower().replace("_", " "),
                " ".join([label, *sorted(beside[number])]),
            )
        )
    open_boxes(len(graph.boxes) - 1)
    return order, targets


def _aligned(items: Mapping[int, Item]) -> dict[int, Sequence[int]]:
    aligned: dict[int, Sequence[int]] = {}
    for language in sorted({item.language for item in items.values()}):
        of = {number: item.pair for number, item in items.items() if item.language == language}
        aligned.update(zip(of, align_in_order(list(of.values())), strict=True))
    return aligned


def _literal(items: Mapping[int, Item], aligned: Mapping[int, Sequence[int]]) -> frozenset[str]:
    """Return the labels that do not express words, so fragments contain them literally.

    At least half of the words aligned to such a label, or at least 12 of them, are unlike it.
    """
    like: Counter[str] = Counter()
    unlike: Counter[str] = Counter()
    words: dict[str, set[str]] = defaultdict(set)
    # In a multilingual corpus, labels may resemble lemmas but not forms, so only examples with
    # layers count.
    telling = {number: item for number, item in items.items() if item.layers} or items
    for number, item in telling.items():
        for (is_box, node), target, word in zip(
            item.order, item.pair.targets, aligned[number], strict=True
        ):
            if not is_box:
                alike = max(likeness(target.text, s) for s in item.pair.spellings[word])
                label = item.graph.labels[node]
                (like if alike >= _LIKE else unlike)[label] += 1
                if alike < _LIKE:
                    words[label].add(item.pair.spellings[word][0])
    return frozenset(
        label
        for label, count in unlike.items()
        if (count >= 5 and count >= like[label]) or len(words[label]) >= 12
    )
