"""Collect the types, keys and literals of the objects and calls of a corpus; see `value_trees`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

import networkx as nx

from amparser.errors import TranslateError
from amparser.logic.term import content_of
from amparser.notations.announcing import announced, spelled_texts
from amparser.notations.json_text import Number
from amparser.notations.notation import Order
from amparser.notations.ordered_trees import PLACE, Tree, items_of
from amparser.notations.value_trees import (
    IS,
    PAIRS,
    STEP,
    Call,
    Shape,
    Shapes,
    Written,
    edge_of_key,
    inside_of,
    is_group,
    label_of_shape,
    pair_key,
    pairs_of,
)

_MANY = 8
"""Maximum number of optional keys of an object that does not become a chain of pairs."""

Rows = Sequence[tuple[Sequence[str], Any]]


def shapes_of(rows: Rows) -> Shapes:
    """Return the shapes of a corpus of sentences and values.

    Objects have types if three conditions hold: they all begin with the same key, such as `intent`;
    this key has few values, all of them strings; and the other keys depend on its value.
    """
    strings: Counter[str] = Counter()
    copied: Counter[str] = Counter()
    inflected: Counter[str] = Counter()
    objects: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for tokens, value in rows:
        spelled = spelled_texts(tokens)
        for name, inside in inside_of(value, ""):
            if isinstance(inside, dict):
                objects["(" if isinstance(inside, Call) else name].append(inside)
            elif isinstance(inside, str) and not isinstance(inside, Number):
                text = content_of(inside) if isinstance(inside, Written) else inside
                strings[text] += 1
                copied[text] += text.lower() in spelled
                inflected[text] += any(_is_inflected(text.lower(), word) for word in spelled)
    # Inflected words (`timers` for `timer`) count as copies if at least three strings have them.
    if sum(count > 0 for count in inflected.values()) >= 3:
        copied += inflected
    types = {
        name: key for name, some in objects.items() if name != "(" and (key := _type_key(some))
    }
    shapes = Shapes(types)
    groups: dict[Shape, list[Mapping[str, Any]]] = defaultdict(list)
    for name, some in objects.items():
        for member in some:
            groups[shapes.shape(member, name)].append(member)
    keys = {shape: usual_order(members) for shape, members in groups.items()}
    optional = {
        shape: frozenset(key for key in keys[shape] if any(key not in member for member in members))
        for shape, members in groups.items()
    }
    for shape, more in _likely_keys(groups, optional).items():
        keys[shape] = usual_order([keys[shape], *more])
        optional[shape] |= {key for _, key in more}
    symbols = frozenset(member for member, count in strings.items() if 2 * copied[member] < count)
    shapes = Shapes(types, keys, optional, symbols=symbols, grouping=_grouping(groups, types))
    around = {
        shape: key
        for shape, members in groups.items()
        if (key := _key_around(shape, members, keys[shape], shapes))
    }
    return _with_chains(replace(shapes, around=around), groups, rows)


def _grouping(
    groups: Mapping[Shape, Sequence[Mapping[str, Any]]], types: Mapping[str, str]
) -> frozenset[str]:
    """Return the keys whose values are untyped objects that do not all have the same keys."""
    values_of: dict[str, list[Any]] = defaultdict(list)
    for members in groups.values():
        for key, inside in chain.from_iterable(member.items() for member in members):
            values_of[key].append(inside)
    return frozenset(
        key
        for key, some in values_of.items()
        if key not in types
        and all(map(is_group, some))
        and len({frozenset(nested) for nested in some}) > 1
    )


def _with_chains(
    shapes: Shapes, groups: Mapping[Shape, Sequence[Mapping[str, Any]]], rows: Rows
) -> Shapes:
    """Return the shapes with `chained` set to the shapes of objects with many optional keys.

    If objects of one type become chains, objects of all types below the same key do.
    """
    paths = {
        shape: [[path for path, _ in pairs_of(member, shapes)] for member in members]
        for shape, members in groups.items()
    }
    many = {
        shape if shape[0] == "(" else shape[0]
        for shape, some_paths in paths.items()
        if len(set().union(*some_paths) - set(some_paths[0]).intersection(*some_paths)) > _MANY
    }
    keys = {key for members in groups.values() for member in members for key in member}
    if not many or any(STEP in key for key in keys):
        return shapes
    chained = frozenset(s for s in groups if (s if s[0] == "(" else s[0]) in many)
    order = {shape: usual_order(paths[shape]) for shape in chained}
    pairs = [
        [
            pair
            for name, member in inside_of(value, "")
            if isinstance(member, dict) and shapes.shape(member, name) in chained
            for pair in pairs_of(member, shapes)
        ]
        for _, value in rows
    ]
    counts = Counter(pair_key(*pair) for row in pairs for pair in row)
    keyed = frozenset(key for key, count in counts.items() if count > 1)
    words = [[token.lower() for token in tokens] for tokens, _ in rows]
    spoken = [[k if (k := pair_key(*pair)) in keyed else pair[0] for pair in row] for row in pairs]
    return replace(
        shapes,
        keys={**shapes.keys, **order},
        chained=chained,
        announced=announced([*zip(words, spoken, strict=True)]),
        keyed=keyed,
    )


def _is_inflected(text: str, word: str) -> bool:
    # The text has at least three letters, and the ending one or two.
    return len(text) >= 3 and word.startswith(text) and 0 < len(word) - len(text) <= 2


def _key_around(
    shape: Shape, members: Sequence[Mapping[str, Any]], keys: Sequence[str], shapes: Shapes
) -> str:
    """Return the key whose literal is directly below the object's node, or `""`.

    It is the first key with a literal in all objects of the shape. In calls and typed objects, it
    must be the only key.
    """
    if shape[1] and len(keys) > 1:
        return ""
    always = (k for k in keys if all(k in o and shapes.is_literal(o[k]) for o in members))
    return next(always, "")


def _likely_keys(
    groups: Mapping[Shape, Sequence[Mapping[str, Any]]],
    optional: Mapping[Shape, frozenset[str]],
) -> dict[Shape, list[tuple[str, str]]]:
    """Return (preceding key, new key) for optional keys that rare types lack only by chance.

    Each type is compared with a type that has all its optional keys and as few others as possible.
    For example, if the corpus pauses timers by name or hours, and resumes them by name, hours or
    minutes, timers may also be paused by minutes.
    """
    all_keys = dict(optional)
    likely = {}
    for shape in sorted(optional, key=lambda shape: -len(optional[shape])):
        own = optional[shape]
        if not shape[1] or len(own) < 2 or any(map(PLACE.fullmatch, own)):
            continue
        like = [o for o in all_keys if o[0] == shape[0] and own < all_keys[o]]
        if not like:
            continue
        nearest = min(like, key=lambda o: (len(all_keys[o]), -len(groups[o])))
        counts = Counter(key for member in groups[nearest] for key in member)
        absent = {k: 1 - counts[k] / len(groups[nearest]) for k in all_keys[nearest] - own}
        needed = frozenset.intersection(*map(frozenset, groups[shape]))
        # A key is added if its absence by chance has a probability of at least 0.2.
        more = {key for key, share in absent.items() if share ** len(groups[shape]) >= 0.2}
        more -= needed
        all_keys[shape] = own | more
        order = [k for k in usual_order(groups[nearest]) if k in own | more | needed]
        likely[shape] = [pair for pair in pairwise(order) if pair[1] in more]
    return likely


def _type_key(objects: Sequence[Mapping[str, Any]]) -> str:
    first = {next(iter(item), "") for item in objects}
    if len(first) != 1:
        return ""
    [key] = first
    kept: dict[str, frozenset[str]] = {}
    seen: dict[str, set[str]] = defaultdict(set)
    for item in objects:
        value = item.get(key)
        if not isinstance(value, str) or isinstance(value, Number):
            return ""
        kept[value] = kept.get(value, frozenset(item)) & frozenset(item)
        seen[value].update(_keys_in(item))
    # There must be at least five times as many objects as types.
    few = 1 < len(kept) <= 0.2 * len(objects)
    differ = len(set(kept.values())) > 1 or len(set(map(frozenset, seen.values()))) > 1
    return key if few and differ else ""


def _keys_in(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of an object, and the paths of keys in nested objects (`party/size`)."""
    for key, inside in value.items():
        yield key
        if is_group(inside):
            yield from (f"{key}{STEP}{below}" for below in _keys_in(inside))


def usual_order(objects: Iterable[Iterable[str]]) -> list[str]:
    """Return all keys of objects in their usual order."""
    before: Counter[tuple[str, str]] = Counter()
    places: dict[str, list[int]] = defaultdict(list)
    for keys in {tuple(some_keys) for some_keys in objects}:
        for i, key in enumerate(keys):
            places[key].append(i)
            before.update((key, later) for later in keys[i + 1 :])
    mean = {key: sum(positions) / len(positions) for key, positions in places.items()}
    order: nx.DiGraph[str] = nx.DiGraph()
    order.add_nodes_from(mean)
    order.add_edges_from(pair for pair, count in before.items() if count > before[pair[::-1]])
    if not nx.is_directed_acyclic_graph(order):
        return sorted(mean, key=lambda key: (mean[key], key))
    return list(nx.lexicographical_topological_sort(order, key=lambda key: (mean[key], key)))


def order_of_keys(shapes: Shapes) -> Order:
    """Return the usual order of keys (or of paths in chains), by label of the object.

    Objects whose order is alphabetical are left out.
    """
    orders = {
        label_of_shape(one, shapes): list(keys)
        for one, keys in shapes.keys.items()
        if one in shapes.chained or (one[0] != "(" and [*keys] != sorted(keys))
    }
    return dict(sorted(orders.items()))


def in_order_of_keys(tree: Tree, order: Order) -> Tree:
    """Return a tree in which the keys of each object are in the given order."""
    ranks = {
        label: {edge_of_key(key): place for place, key in enumerate(keys)}
        for label, keys in order.items()
    }

    def sorted_keys(tree: Tree) -> Tree:
        rank = ranks.get(tree.label, {})
        below = sorted(tree.below, key=lambda pair: rank.get(pair[0], len(rank)))
        return replace(tree, below=below)

    return tree.changed(sorted_keys)


def without_pairs(tree: Tree, order: Order) -> Tree:
    """Return a tree in which each chain of pairs is converted to an object with keys.

    Args:
        order: result of `order_of_keys`; paths not in it come last, in the order of the chain.

    Raises:
        TranslateError: a key occurs twice, or a pair has no value.
    """

    def whole(tree: Tree) -> Tree:
        first = tree.child(PAIRS)
        if first is None:
            return tree
        pairs = items_of(first)
        for path, count in Counter(pair.label for pair in pairs).items():
            if count > 1:
                raise TranslateError(f"the key {path!r} occurs twice in one object")
        known = {path: place for place, path in enumerate(order.get(tree.label, ()))}
        is_empty = not pairs and tree.label[:1] == "{" and tree.label[:2] != '{"'
        top = replace(
            tree,
            label="{}" if is_empty else tree.label,
            below=[pair for pair in tree.below if pair[0] != PAIRS],
        )
        groups: dict[Sequence[str], Tree] = {(): top}
        for pair in sorted(pairs, key=lambda pair: known.get(pair.label, len(known))):
            if all(edge != IS for edge, _ in pair.below):
                raise TranslateError(f"{pair.label!r} has no value")
            *around, key = pair.label.split(STEP)
            for depth, name in enumerate(around):
                steps = tuple(around[: depth + 1])
                if steps not in groups:
                    groups[steps] = Tree(f"{{{name}}}")
                    groups[steps[:-1]].below.append((edge_of_key(name), groups[steps]))
            groups[tuple(around)].below.append((edge_of_key(key), replace(pair, label=key)))
        return top

    return tree.changed(whole)
