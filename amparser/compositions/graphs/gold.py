"""From a corpus to derivations: what a parser over pieces of graphs learns from.

meaning --notation--> graph --split--> Layered --align, contract--> Derivation
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Annotated

from amparser.compositions.constants import Gold
from amparser.compositions.decisions import graph_decisions, sizes
from amparser.compositions.graphs.rows import Item, lacking, made_of, rows_by, rows_of
from amparser.compositions.settings import GraphDataSettings
from amparser.compositions.source import (
    Source,
    Watched,
    graph_of_example,
    nothing_to_learn,
)
from amparser.conditions import Filled, OneOf
from amparser.corpora.corpus import Corpus
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
    likeness,
)
from amparser.induction.fragments import Row
from amparser.induction.texts import final_words, with_ends_inside
from amparser.learn.report import TrainingReport
from amparser.lexicon.dictionary import LANGUAGES
from amparser.lexicon.graph_inventory import Inventory, inventory_of
from amparser.lexicon.senses import Senses, senses_of
from amparser.lexicon.spans import NO_RULES, SpanRules, span_rules_of
from amparser.lexicon.units import Splitter, splitter_of, words_to_units
from amparser.notations.registry import NOTATIONS


@dataclass(frozen=True)
class GraphLearned:
    """What is induced of constants that are pieces of graphs.

    Attributes:
        scheme: the boxes of the corpus, or None.
        splitter: cuts tokens into units.
        inventory: of the derivations of train.
        auxiliary: for each layer that is learned beside, its different items.
        spans: where nodes stand.
        languages: of train's sentences (ISO 639), as far as they are known.
    """

    scheme: BoxScheme | None
    splitter: Splitter
    inventory: Inventory
    auxiliary: Sequence[Annotated[Sequence[str], Filled()]] = ()
    spans: SpanRules = NO_RULES
    languages: Sequence[Annotated[str, OneOf(LANGUAGES)]] = ()


GoldRows = Gold[GraphLearned, Row, Watched]


def gold_of(corpus: Corpus, settings: GraphDataSettings) -> GoldRows:
    """Return the derivations of a corpus.

    Raises:
        InputError: no example of train has a derivation.
        CorpusError: a meaning cannot be read; names file and line.
    """
    notation = NOTATIONS[corpus.notation] if corpus.notation else None
    is_constant: IsConstant = (lambda label: False) if notation is None else notation.is_constant
    source = Source.of(corpus, "train")
    graphs, reasons = source.read(enumerate(corpus.train), graph_of_example)
    scheme = box_scheme(list(graphs.values()), is_constant)
    splitter = splitter_of(
        (corpus.train[i].tokens, words)
        for i in graphs
        if (words := layer(corpus.train[i], settings.words))
    )
    layered = _split_each(graphs, scheme, is_constant, reasons)
    senses = senses_of(
        (_spelled(corpus.train[i], settings), graph.labels) for i, graph in layered.items()
    )
    items = _items(corpus.train, settings, layered, splitter, senses)
    rows, shown, shows = rows_of(items, senses, reasons)
    if not rows:
        raise nothing_to_learn(source.faults(corpus.train, reasons))
    rows, auxiliary, missing = _learned_beside(rows, settings.auxiliary.split())
    remarks = [f"no example has a layer {name!r} for its words to learn beside" for name in missing]
    made, how = made_of(rows, settings)
    remarks += how
    dev_source = Source.of(corpus, "dev")
    watched, dev_reasons = dev_source.read(enumerate(corpus.dev), graph_of_example)
    dev = [Watched(corpus.dev[number].tokens, graph) for number, graph in watched.items()]
    inventory = inventory_of((row.units, row.derivation) for row in rows)
    unmade: dict[int, str] = {}
    layered = _split_each(watched, scheme, is_constant, unmade)
    items = _items(corpus.dev, settings, layered, splitter, senses)
    for number, row in rows_by(items, shows, unmade).items():
        if reason := lacking(row, inventory):
            unmade[number] = reason
    constants = [len(tag.labels) for tag in inventory.tags if not isinstance(tag, str)]
    boxes = "" if scheme is None else f"{scheme.label}, members by {scheme.member}"
    decided = graph_decisions(boxes, sum(bool(row.derivation.beside) for row in rows), len(rows))
    report = TrainingReport(
        len(rows),
        len(dev),
        source.faults(corpus.train, reasons),
        dev_source.faults(corpus.dev, dev_reasons),
        constant_count=len(constants),
        edge_label_count=len(inventory.labels),
        unmade=dev_source.faults(corpus.dev, unmade),
        remarks=(sizes(constants, len(inventory.labels)), *decided, *remarks),
    )
    languages = sorted({row.language for row in rows} - {""})
    learned = GraphLearned(scheme, splitter, inventory, auxiliary, span_rules_of(shown), languages)
    return Gold(learned, [*rows, *made], dev, report)


def _split_each(
    graphs: Mapping[int, SGraph],
    scheme: BoxScheme | None,
    is_constant: IsConstant,
    reasons: dict[int, str],
) -> dict[int, Layered]:
    """Graphs apart from their boxes; `reasons` gets those of graphs that are not split."""
    layered: dict[int, Layered] = {}
    for number, graph in graphs.items():
        try:
            layered[number] = split(graph, scheme, is_constant)
        except AMParserError as error:
            reasons[number] = str(error)
    return layered


def _items(
    examples: Sequence[Example],
    settings: GraphDataSettings,
    layered: Mapping[int, Layered],
    splitter: Splitter,
    senses: Senses,
) -> dict[int, Item]:
    """The examples that have graphs, by their numbers, as the aligner sees them."""
    closed = Counter(label for graph in layered.values() for label in graph.labels)
    items = {
        number: _item(examples[number], graph, splitter, settings, closed, senses)
        for number, graph in layered.items()
    }
    final = final_words(item.words for item in items.values())
    return {
        number: replace(item, pair=with_ends_inside(item.pair, final))
        for number, item in items.items()
    }


def _learned_beside(
    rows: Sequence[Row], names: Sequence[str]
) -> tuple[list[Row], list[list[str]], list[str]]:
    """The rows with those layers of these names that some row has, their items, the other names."""
    items = [
        sorted({item for row in rows for item in row.auxiliary[number] if item is not None})
        for number in range(len(names))
    ]
    kept = [number for number, found in enumerate(items) if found]
    left = [replace(row, auxiliary=tuple(row.auxiliary[number] for number in kept)) for row in rows]
    return (
        left,
        [items[number] for number in kept],
        [n for n, i in zip(names, items, strict=True) if not i],
    )


def layer(example: Example, name: str) -> tuple[str, ...]:
    """A layer of an example; empty if it has none of that name."""
    return dict(example.layers).get(name, ()) if name else ()


def _spelled(example: Example, settings: GraphDataSettings) -> list[str]:
    """The tokens of a sentence and the items of its layers, which may be lemmas."""
    layers = (layer(example, name) for name in settings.features.split())
    return [*example.tokens, *chain.from_iterable(layers)]


def _item(
    example: Example,
    graph: Layered,
    splitter: Splitter,
    settings: GraphDataSettings,
    closed: Mapping[str, int],
    senses: Senses,
) -> Item:
    """An example with the features of its words and the targets of its graph."""
    units = splitter.units(example.tokens)
    words = layer(example, settings.words)
    last = words_to_units(words, units) if words else None
    if words and last is None:
        # The words are those of another text, of which the tokens are a part.
        pieces = [piece for word in words for piece in word.split()]
        units = splitter.units(pieces)
        last = words_to_units(words, units)
    if not words or last is None:
        words, last = tuple(unit.text for unit in units), list(range(len(units)))
    layers = {name: layer(example, name) for name in settings.features.split()}
    layers = {name: row for name, row in layers.items() if len(row) == len(words)}
    anchors = layer(example, settings.anchors)
    features, spellings = [], []
    for i, word in enumerate(words):
        features.append([f"={word.lower()}", *(f"{name}={row[i]}" for name, row in layers.items())])
        spellings.append([word.lower(), *(row[i].lower() for row in layers.values())])
    order, targets = _targets(graph, closed, senses)
    words_of: dict[int, list[int]] = defaultdict(list)
    for i, unit in enumerate(last):
        words_of[units[unit].token].append(i)
    pair = Pair(
        features,
        spellings,
        anchors if len(anchors) == len(words) else (),
        targets,
        _given(example, graph, order, targets, words_of, words, settings.alignment),
    )
    beside = tuple(
        _of_units(layer(example, name), last, len(units)) for name in settings.auxiliary.split()
    )
    return Item(
        graph,
        units,
        tuple(words),
        tuple(last),
        tuple(order),
        pair,
        beside,
        example.language,
        layers=bool(layers),
    )


def _of_units(items: Sequence[str], last: Sequence[int], count: int) -> tuple[str | None, ...]:
    """The item of each of so many units, given those of words and the last unit of each word."""
    found: list[str | None] = [None] * count
    if len(items) == len(last):
        for unit, item in zip(last, items, strict=True):
            found[unit] = item
    return tuple(found)


def _given(
    example: Example,
    graph: Layered,
    order: Sequence[tuple[bool, int]],
    targets: Sequence[Target],
    words_of: Mapping[int, Sequence[int]],
    words: Sequence[str],
    name: str,
) -> tuple[int, ...]:
    """The word of each target, or -1, where an alignment of the nodes is known without boxes.

    Args:
        example: names the words of its nodes in a layer, or their tokens.
        graph, order, targets: its nodes.
        words_of: the numbers of the words of each token; of several, a node has the one that is
            most like it.
        words: their texts.
        name: of the layer.
    """
    if len(graph.boxes) > 1:
        return ()
    if items := layer(example, name):
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
    found = []
    for (_, number), target in zip(order, targets, strict=True):
        own = words_of.get(token_of.get(number, -1), ())
        alike = {word: likeness(target.text, words[word].lower()) for word in own}
        found.append(max(alike, key=alike.__getitem__, default=-1))
    return tuple(found)


def _targets(
    graph: Layered, closed: Mapping[str, int], senses: Senses
) -> tuple[list[tuple[bool, int]], list[Target]]:
    """The nodes of a graph in order, each box before its first member."""
    beside: list[list[str]] = [[] for _ in graph.labels]
    for parent, label, child in graph.edges:
        for node, other in ((parent, child), (child, parent)):
            # A constant that train has so often says what its node is.
            if graph.constant[other] and closed[graph.labels[other]] >= 20:
                beside[node].append(label + graph.labels[other])
    order: list[tuple[bool, int]] = []
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
        _, text, kind, sense = senses.parts(label)
        order.append((False, number))
        targets.append(
            Target(
                CONSTANT if graph.constant[number] else NODE,
                f"{text}{kind}{sense}",
                text.lower().replace("_", " "),
                " ".join([label, *sorted(beside[number])]),
            )
        )
    open_boxes(len(graph.boxes) - 1)
    return order, targets
