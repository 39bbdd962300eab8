"""Folds of GeoQuery's train splits, as different as train and test of their split are.

`gate.py` trains on all folds but one and asks for the rest, so that test files stay closed.
"""

from collections.abc import Sequence
from random import Random

from amparser.corpora.example import Example
from amparser.graph.sgraph import SGraph
from amparser.notations.term import TERM

Fold = tuple[list[Example], list[Example]]


def folds(rows: Sequence[Example], count: int, seed: int, split: str) -> list[Fold]:
    """What to learn from and what to ask, so many times, as different as train and test of a split.

    Args:
        rows: those of train.
        count: how many folds there are.
        seed: of what is random.
        split: `standard` cuts at random, `template` keeps the forms of meanings together, `length`
            asks for the longest fifth or more, and `tmcd` for pairs of symbols that what is learned
            from does not have, though it has each symbol.
    """
    random = Random(seed)
    if split == "length":
        return [_longest(rows, count, random) for _ in range(count)]
    if split == "tmcd":
        return [_new_pairs(rows, count, random) for _ in range(count)]
    groups: dict[str, list[Example]] = {}
    for number, row in enumerate(rows):
        key = str(number) if split == "standard" else " ".join(names_of(graph_of(row)).values())
        groups.setdefault(key, []).append(row)
    order = sorted(groups)
    random.shuffle(order)
    parts: list[list[Example]] = [[] for _ in range(count)]
    for key in order:
        min(parts, key=len).extend(groups[key])
    return [
        ([row for j, part in enumerate(parts) if j != i for row in part], parts[i])
        for i in range(count)
    ]


def _longest(rows: Sequence[Example], count: int, random: Random) -> Fold:
    """The longest rows, and the others but a random share of them."""
    lengths = sorted(len(row.tokens) for row in rows)
    most = lengths[-len(rows) // 5] - 1
    short = [row for row in rows if len(row.tokens) <= most]
    learn = random.sample(short, len(short) - len(short) // (2 * count))
    return learn, [row for row in rows if len(row.tokens) > most]


def _new_pairs(rows: Sequence[Example], count: int, random: Random) -> Fold:
    """Rows with some pairs of symbols, one below the other, and the others, with each symbol."""
    symbols, pairs = [], []
    for row in rows:
        graph = graph_of(row)
        names = names_of(graph)
        symbols.append(set(names.values()))
        pairs.append({(names[edge.parent], names[edge.child]) for edge in graph.edges})
    order = sorted(set().union(*pairs))
    random.shuffle(order)
    learn, ask = set(range(len(rows))), set[int]()
    for pair in order:
        moved = {i for i in learn if pair in pairs[i]}
        rest = learn - moved
        known = set[str]().union(*(symbols[i] for i in rest))
        if len(ask) + len(moved) <= len(rows) // count and all(symbols[i] <= known for i in moved):
            learn, ask = rest, ask | moved
    return [rows[i] for i in sorted(learn)], [rows[i] for i in sorted(ask)]


def graph_of(row: Example) -> SGraph:
    """The term of a row."""
    return TERM.graph(row.tokens, row.meaning or "")


def names_of(graph: SGraph) -> dict[int, str]:
    """The labels of nodes; all literals have the same."""
    labels = {number: node.label or "" for number, node in graph.nodes.items()}
    return {number: "'" if label[:1] == "'" else label for number, label in labels.items()}
