"""From the indices of a decoded tree to the graph that it denotes, without making the tree.

The result is that of `amtree.evaluate.evaluate` for `Lexicon.tree`, node for node. What that needs
of each token is found once for each kind of token: the nodes of a supertag, the label of a word
with a supertag, and how a head takes dependents of given types by given operations.
"""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping, Sequence
from typing import TypeVar

from amparser.constants.constant import constant_of
from amparser.constants.joining import Step, join, merged, steps_of
from amparser.constants.operations import APP, source_of
from amparser.constants.tree import Entry
from amparser.constants.types import EMPTY, AMType
from amparser.errors import AMParserError, AMTreeError
from amparser.graph.sgraph import Node, SGraph
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.polymorphism import meeting

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_IGNORE, _ROOT = 0, 1
_MOST_KEPT = 1 << 16
"""How many words, and how many kinds of heads with dependents, are remembered."""

Dependents = tuple[tuple[int, int], ...]
"""The operation of each dependent and the number of its term type."""


class Denotation:
    """The graphs of a lexicon's trees."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._types: list[AMType] = [EMPTY]
        self._numbers: dict[AMType, int] = {EMPTY: 0}
        constants = [None if s is None else constant_of(s) for s in lexicon.supertags]
        # What each supertag is made of; None if it is empty or no graph constant.
        self._kinds = [c.parts if c is not None and not c.problems else None for c in constants]
        self._type_numbers = [0 if c is None else self._number(c.type) for c in constants]
        self._labels: dict[tuple[int, str], str | None] = {}
        self._joins: dict[tuple[int, Dependents], tuple[int, tuple[Step, ...]] | None] = {}

    # Long, since calls are costly.
    def graph(
        self,
        tokens: Sequence[str],
        supertags: Sequence[int],
        heads: Sequence[int],
        operations: Sequence[int],
    ) -> SGraph | None:
        """The graph of a tree, given one index of each per token; None if it denotes none.

        The sources of a tree of a single token may stay open.
        """
        size = len(tokens)
        children: list[list[int]] = [[] for _ in range(size + 1)]
        roots, first = [0] * (size + 1), 0
        types = [0] * (size + 1)
        open_nodes: list[dict[str, int]] = [{}] * (size + 1)
        values: list[Node] = []
        edges: list[tuple[int, str, int]] = []
        kinds, numbers, labels = self._kinds, self._type_numbers, self._labels
        taking_part = 0
        for token in range(1, size + 1):
            k, head, o = supertags[token - 1], heads[token - 1], operations[token - 1]
            if o == _IGNORE:
                if head or k:
                    return None
                continue
            kind = kinds[k]
            if kind is None or (o == _ROOT) != (head == 0) or not 0 <= head <= size:
                return None
            children[head].append(token)
            taking_part += 1
            nodes, root, slots, constant_edges, sources, _, _ = kind
            types[token] = numbers[k]
            values += nodes
            if slots:
                form = tokens[token - 1]
                label = labels.get((k, form)) or self._label(k, form)
                if label is None:
                    return None
                values[first + slots[0][0]] = Node(label, token)
            roots[token] = first + root
            edges += [(first + a, name, first + b) for a, name, b in constant_edges]
            open_nodes[token] = {source: first + node for source, node in sources}
            first += len(nodes)
        order = list(children[0])
        if len(order) != 1:
            return None
        for token in order:  # grows while it is read
            order.extend(children[token])
        if len(order) != taking_part:
            return None
        parent = list(range(first))
        for token in reversed(order):
            if below := children[token]:
                key = (supertags[token - 1], tuple([(operations[d - 1], types[d]) for d in below]))
                joined = self._joins[key] if key in self._joins else self._join(key)
                if joined is None:
                    return None
                types[token], steps = joined
                join(token, below, steps, open_nodes, roots, parent)
        if types[order[0]] and size > 1:
            return None
        try:
            return merged(values, edges, parent, roots[order[0]], open_nodes[order[0]])
        except AMTreeError:
            return None

    def _number(self, value: AMType) -> int:
        number = self._numbers.setdefault(value, len(self._types))
        if number == len(self._types):
            self._types.append(value)
        return number

    def _label(self, k: int, form: str) -> str | None:
        """The label of a word with a supertag."""
        template = self._lexicon.templates[k]
        lemma = self._lexicon.lemma_of(form, k)
        label = Entry(form, lexical_label=template, lemma=lemma).label
        return _kept(self._labels, (k, form), label)

    def _join(self, key: tuple[int, Dependents]) -> tuple[int, tuple[Step, ...]] | None:
        """The number of the term type of a head with its dependents, and how each joins."""
        k, dependents = key
        supertag = self._lexicon.supertags[k]
        assert supertag is not None
        lexical_type = supertag.lexical_type
        named = tuple((self._lexicon.operations[o], self._types[t]) for o, t in dependents)
        try:
            for operation, term_type in named:
                if operation.startswith(APP):
                    lexical_type = meeting(lexical_type, source_of(operation), term_type)
            found = steps_of(lexical_type, named)
        except AMParserError:
            found = None
        joined = None if found is None else (self._number(found[0]), found[1])
        return _kept(self._joins, key, joined)


def _kept(kept: MutableMapping[Key, Value], key: Key, value: Value) -> Value:
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = value
    return value
