"""Represent functions of variable arity as chains of items.

    intersect(job(), loc('austin'), language(java))

    `intersect` -arg*-> `job()` -&-> `loc` -&-> `language` -&-> `()`

For a fixed n, the first n arguments of a function keep their edges (`arg0`, ...); the others are
its *items*. With chains, graph constants do not depend on the number and positions of items. A
chain has the order of the words that announce the items (`announcing`). If items have a fixed order
in the training data, texts use that order. A literal item is below an additional node (`or *`
-is-> `'bar'`). Some corpora omit a function with a single item: the function is then in the graph
(`intersect ?`), but not in the text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from amparser.errors import TranslateError
from amparser.logic.term import content_of, is_literal
from amparser.notations.announcing import Announced, announced, announcing_word
from amparser.notations.notation import Order
from amparser.notations.ordered_trees import (
    ARGUMENT,
    NEXT,
    PLACE,
    Tree,
    chain_of,
    items_of,
)
from amparser.notations.value_shapes import usual_order
from amparser.notations.value_trees import IS

FIRST = f"{ARGUMENT}*"
"""Label of the edge from a function to its first item."""
_ITEM = " *"
"""Suffix of the label of the additional node above a literal item, such as `or *`."""
_JOINT = " ?"
"""Suffix of the label of a function that the text omits if it has a single item: `or ?`."""
_DETERMINED = 0.95
"""A function has no items if an argument predicts its arity in at least this share of uses."""


@dataclass(frozen=True)
class Chains:
    """Functions of variable arity in a corpus.

    Attributes:
        fixed: number of arguments before the items, by function.
        announced: P(word | key of an item); see `announcing`.
        joints: function that is omitted if it has a single item, by (parent label, edge label).
        items: labels of the items of each function in `joints`.
    """

    fixed: Mapping[str, int] = field(default_factory=dict)
    announced: Announced = field(default_factory=dict)
    joints: Mapping[tuple[str, str], str] = field(default_factory=dict)
    items: Mapping[str, frozenset[str]] = field(default_factory=dict)


def functions(tree: Tree) -> Iterator[tuple[Tree, list[Tree]]]:
    """Yield each function that has arguments without a key, with these arguments."""
    return ((part, inside) for part in tree.subtrees() if (inside := part.arguments()))


def kind_of(tree: Tree) -> str:
    """Return the label of an argument; `0` for any number, `'` for any string."""
    if tree.below or not is_literal(tree.label):
        return tree.label
    return "'" if tree.label[:1] in "'\"" else "0"


def texts_of(tree: Tree) -> set[str]:
    """Return the labels of an item's leaves, in lower case and without quotes."""
    leaves = (part.label for part in tree.subtrees() if not part.below)
    return {content_of(label).lower() for label in leaves} - {""}


def _is_item(tree: Tree) -> bool:
    """Return True if an argument is not yet in a chain, and can therefore be an item."""
    return all(edge != NEXT for edge, _ in tree.below)


def _key(item: Tree) -> str:
    """Return the key of an item (see `announcing`), usually its label.

    If the first of several children is a leaf, its label is added (`filter size`).
    """
    if len(item.below) < 2 or item.below[0][1].below:
        return kind_of(item)
    return f"{item.label} {item.below[0][1].label}"


def _position(item: Tree, words: Sequence[str], chains: Chains) -> int:
    texts = texts_of(item)
    spelled = [
        i
        for i, word in enumerate(words)
        if any(word == text or (len(word) > 2 and word in text.split()) for text in texts)
    ]
    return announcing_word(_key(item), spelled, words, chains.announced)


Rows = Sequence[tuple[Sequence[str], Tree]]


def chains_of(rows: Rows, unordered: Sequence[str] = ()) -> Chains | None:
    """Return the functions of variable arity in a corpus, or None if there are none.

    Args:
        unordered: functions to include even if their arity is constant in the training data.
    """
    uses: dict[str, list[list[str]]] = defaultdict(list)
    closed: set[str] = set()
    for _, tree in rows:
        for function, arguments in functions(tree):
            uses[function.label].append([kind_of(argument) for argument in arguments])
            if not all(map(_is_item, arguments)):
                closed.add(function.label)
    fixed = {
        head: count
        for head, arities in uses.items()
        if head not in closed and (count := _fixed(arities)) is not None
    }
    given = (uses.keys() & set(unordered)) - closed - fixed.keys()
    fixed |= dict.fromkeys(sorted(given), 0)
    if not fixed:
        return None
    spoken = []
    for tokens, tree in rows:
        keys = [
            _key(argument)
            for function, arguments in functions(tree)
            if function.label in fixed
            for argument in arguments[fixed[function.label] :]
        ]
        if keys:
            spoken.append(([token.lower() for token in tokens], keys))
    known = Chains(fixed, announced(spoken))
    return replace(known, **_joints(rows, {head: uses[head] for head in fixed if not fixed[head]}))


def _joints(rows: Rows, uses: Mapping[str, Sequence[Sequence[str]]]) -> Any:
    items = {
        head: frozenset(label for use in calls for label in use)
        for head, calls in uses.items()
        if min(map(len, calls)) >= 2
    }
    fillers: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for _, tree in rows if items else ():
        fillers["", ""][kind_of(tree)] += 1
        for part in tree.subtrees():
            for edge, below in part.below:
                fillers[part.label, edge][kind_of(below)] += 1
    joints = {}
    for port, counts in fillers.items():
        for head in items.keys() & counts.keys():
            alone = sum(counts[label] for label in items[head])
            # Of all functions and single items at this edge, at least 10 % must be functions.
            if counts[head] >= 0.1 * (counts[head] + alone) and not items[head] & {"'", "0"}:
                joints[port] = head
    kept = set(joints.values())
    return {"joints": joints, "items": {head: items[head] for head in kept}}


def _fixed(uses: Sequence[Sequence[str]]) -> int | None:
    """Return the number of arguments before the items; None if the arity is not variable.

    Args:
        uses: labels of the arguments of each use of a function.
    """
    most = max(map(len, uses))
    places = [{use[place] for use in uses if len(use) > place} for place in range(most)]
    later: set[str] = set()
    shared = []
    for kinds in reversed(places):
        shared.append(bool(kinds & later))
        later |= kinds
    fixed = next((place for place, is_shared in enumerate(reversed(shared)) if is_shared), most)
    if fixed > min(map(len, uses)) or len(set(map(len, uses))) < 2:
        return None
    for place in range(fixed + 1):
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        for use in uses:
            counts[use[place] if place < len(use) else ""][len(use)] += 1
        usual = sum(max(counter.values()) for counter in counts.values())
        free = [counter for counter in counts.values() if len(counter) > 1]
        gaps = sum(c.total() for c in free if max(c) - min(c) >= len(c))
        if usual >= _DETERMINED * len(uses) or 2 * gaps >= len(uses):
            return None
    return fixed


def order_of(rows: Rows, chains: Chains | None) -> Order:
    """Return the usual order of each function's items, if it is more frequent than word order."""
    if chains is None:
        return {}
    uses_of: dict[str, list[tuple[list[str], list[int]]]] = defaultdict(list)
    for tokens, tree in rows:
        words = [token.lower() for token in tokens]
        for function, arguments in functions(tree):
            head = function.label
            items = arguments[chains.fixed[head] :] if head in chains.fixed else []
            if len(items) > 1:
                places = [_position(item, words, chains) for item in items]
                uses_of[head].append(([_key(item) for item in items], places))
    orders = {}
    for head, uses in uses_of.items():
        order = usual_order([keys for keys, _ in uses])
        rank = {key: place for place, key in enumerate(order)}
        sorted_ = sum([rank[k] for k in keys] == sorted(rank[k] for k in keys) for keys, _ in uses)
        spoken = sum(places == sorted(places) for _, places in uses)
        if sorted_ > spoken:
            orders[head] = order
    return orders


def chained(tree: Tree, tokens: Sequence[str], chains: Chains) -> Tree:
    """Return a tree in which the items of each function form a chain (each leads to the next)."""
    words = [token.lower() for token in tokens]

    def below_port(tree: Tree, above: str, edge: str) -> Tree:
        label, fixed = tree.label, chains.fixed.get(tree.label)
        inside = [(role, child, below_port(child, label, role)) for role, child in tree.below]
        below = [(role, new) for role, _, new in inside]
        places = [number for number, (role, _) in enumerate(below) if PLACE.fullmatch(role)]
        items = [inside[number] for number in places[fixed:]]
        variable = fixed is not None and 0 < len(places) >= fixed
        if variable and all(map(_is_item, tree.arguments())):
            items.sort(key=lambda item: _position(item[1], words, chains))
            first = chain_of([_item(label, child, new) for _, child, new in items])
            gone = places[fixed:]
            below = [pair for number, pair in enumerate(below) if number not in gone]
            below.append((FIRST, first))
        head = chains.joints.get((above, edge))
        if head is not None and label == head and below:
            label += _JOINT
        new = replace(tree, label=label, below=below)
        if head is not None and label in chains.items[head] and _is_item(tree):
            return Tree(f"{head}{_JOINT}", [(FIRST, chain_of([new]))])
        return new

    return below_port(tree, "", "")


def _item(head: str, item: Tree, new: Tree) -> Tree:
    literal = not item.below and is_literal(item.label)
    return Tree(f"{head}{_ITEM}", [(IS, new)]) if literal else new


def flattened(tree: Tree, order: Order) -> Tree:
    """Return a tree with chains converted back to arguments; the inverse of `chained`.

    Args:
        order: order of the items of each function, as `order_of` returns it.

    Raises:
        TranslateError: a function has no items, or the additional node of an item has no literal.
    """

    def flat(tree: Tree) -> Tree:
        first = tree.child(FIRST)
        if first is None:
            return tree
        label = tree.label.removesuffix(_JOINT)
        items = [_whole(item) for item in items_of(first)]
        below = [pair for pair in tree.below if pair[0] != FIRST]
        if label != tree.label and not items:
            raise TranslateError(f"{label!r} has no items")
        if label != tree.label and len(items) == 1:
            return replace(items[0], below=[*items[0].below, *below])
        fixed = len(tree.arguments())
        for place, item in enumerate(_in_order(label, items, order), fixed):
            below.append((f"{ARGUMENT}{place}", item))
        return replace(tree, label=label, below=below)

    return tree.changed(flat)


def _whole(item: Tree) -> Tree:
    """Return an item of a chain, without the additional node above a literal."""
    if not item.label.endswith(_ITEM):
        return item
    if [edge for edge, _ in item.below] != [IS]:
        raise TranslateError(f"{item.label!r} has no value")
    return item.below[0][1]


def _in_order(head: str, items: Sequence[Tree], order: Order) -> Sequence[Tree]:
    rank = {key: number for number, key in enumerate(order.get(head, ()))}
    near: dict[str, int] = {}
    for key, number in rank.items():
        near.setdefault(key.split(" ")[0], number)

    def place(item: Tree) -> int:
        key = _key(item)
        return rank.get(key, near.get(key.split(" ")[0], len(rank)))

    return sorted(items, key=place)
