"""One sentence with its analysis, and how it stands in PENMAN, AM-CoNLL and JSON.

PENMAN notation has no place for the sentence and for alignments to tokens;
both stand in comments above the graph, as is usual for AMR:

    # ::snt A dog ran .
    # ::alignments 3 2
    (i1<root> / run :agent (i2 / dog))

The k-th alignment is the token (1-based) of the k-th node of the text, `-`
where it has none. JSON has the same, and the tree token by token.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from amparser.algebra.supertag import Supertag
from amparser.algebra.types import type_from_str, type_to_str
from amparser.amtree.conll import am_tree_to_str
from amparser.amtree.evaluate import evaluate
from amparser.amtree.tree import AMTree, Entry
from amparser.errors import AMParserError, InputError
from amparser.graph.penman_codec import sgraph_from_penman, sgraph_to_penman
from amparser.graph.sgraph import Node, SGraph
from amparser.notations.registry import NOTATIONS

NO_PARSE = "# no parse: "
_SENTENCE = "# ::snt "
_ALIGNMENTS = "# ::alignments "


@dataclass(frozen=True)
class Item:
    """A sentence and what is known of its analysis.

    Attributes:
        tokens: the sentence; empty where only the graph is known.
        graph: its graph, aligned to the tokens where it can be.
        tree: its AM dependency tree.
        logp: natural logarithm of the tree's probability.
        failure: why there is no analysis.
        notation: of the logical form (`amparser.notations.notation`).
    """

    tokens: tuple[str, ...] = ()
    graph: SGraph | None = None
    tree: AMTree | None = None
    logp: float | None = None
    failure: str | None = None
    notation: str = "cogs"

    @property
    def sentence(self) -> str:
        """The tokens, separated by spaces."""
        return " ".join(self.tokens)

    def meaning(self) -> SGraph:
        """The graph, evaluated from the tree where only that is known."""
        if self.graph is not None:
            return self.graph
        if self.tree is not None:
            return evaluate(self.tree, open_root=True)
        raise InputError(self.failure or "there is neither a graph nor a tree")

    def logical_form(self) -> str:
        """The logical form; raises TranslateError where the graph has none."""
        return NOTATIONS[self.notation].write(self.meaning())


def item_from_logical_form(tokens: Sequence[str], text: str, name: str = "cogs") -> Item:
    """The item of a sentence and its logical form, in a notation."""
    return Item(tuple(tokens), graph=NOTATIONS[name].graph(tokens, text), notation=name)


def item_to_penman(item: Item) -> str:
    """A block of comments and one graph, or of comments alone where there is no analysis."""
    head = f"{_SENTENCE}{item.sentence}\n" if item.tokens else ""
    if item.failure is not None:
        return f"{head}{NO_PARSE}{item.failure}"
    graph = item.meaning()
    tokens = _alignments(graph)
    if any(token is not None for token in tokens):
        head += f"{_ALIGNMENTS}{' '.join('-' if t is None else str(t) for t in tokens)}\n"
    return head + sgraph_to_penman(graph)


def item_from_penman(text: str) -> Item:
    """Read what `item_to_penman` wrote; comments may be missing, or others stand beside them.

    Raises:
        GraphError, InputError: the graph or the comments are malformed.
    """
    tokens: tuple[str, ...] = ()
    alignments: list[int | None] | None = None
    for line in text.split("\n"):
        if line.startswith(_SENTENCE):
            tokens = tuple(line.removeprefix(_SENTENCE).split())
        elif line.startswith(_ALIGNMENTS):
            words = line.removeprefix(_ALIGNMENTS).split()
            if not all(word == "-" or word.isdecimal() for word in words):
                raise InputError("expected a token number or '-' for each node in ::alignments")
            alignments = [None if word == "-" else int(word) for word in words]
        elif line.startswith(NO_PARSE):
            return Item(tokens, failure=line.removeprefix(NO_PARSE))
    graph = sgraph_from_penman(text)
    return Item(tokens, graph=graph if alignments is None else _aligned(graph, alignments, tokens))


def item_to_amconll(item: Item) -> str:
    """The lines of the tree; where there is none, all tokens are ignored and `#no parse` says why.

    Raises:
        InputError: there is a graph without a tree.
        AMTreeError: a word cannot stand in a column.
    """
    tree = item.tree
    if tree is None:
        if item.failure is None or not item.tokens:
            raise InputError("there is no AM dependency tree")
        tree = AMTree(tuple(Entry(form) for form in item.tokens))
    if item.failure is not None:
        tree = tree.with_attributes(("no parse", item.failure))
    return am_tree_to_str(tree).removesuffix("\n")


def item_from_amtree(tree: AMTree) -> Item:
    """The item of an AM dependency tree; `#no parse` makes it a failure."""
    failure = dict(tree.attributes).get("no parse")
    return Item(tuple(entry.form for entry in tree.entries), tree=tree, failure=failure)


def item_to_json(item: Item) -> str:
    """One JSON object on one line."""
    failed = item.failure is not None
    graph = None if failed else item.meaning()
    try:
        logical_form = None if failed else item.logical_form()
    except AMParserError:
        logical_form = None
    value = {
        "sentence": item.sentence,
        "tokens": item.tokens,
        "logical_form": logical_form,
        "notation": item.notation,
        "graph": None if graph is None else sgraph_to_penman(graph),
        "alignments": None if graph is None else _alignments(graph),
        "tree": None if item.tree is None else [_entry_to_dict(e) for e in item.tree.entries],
        "logp": item.logp,
        "failure": item.failure,
    }
    return json.dumps(value, ensure_ascii=False)


def item_from_json(text: str) -> Item:
    """Read one JSON object; of graph, tree and logical form, what is there first is taken.

    Raises:
        InputError: the text is not such an object, naming the key.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise InputError("JSON nested too deeply") from None
    if not isinstance(value, dict):
        raise InputError("expected a JSON object")
    tokens = tuple(_get(value, "tokens", list) or (_get(value, "sentence", str) or "").split())
    if not all(isinstance(token, str) for token in tokens):
        raise InputError("'tokens': expected texts")
    name = NOTATIONS[_get(value, "notation", str) or "cogs"].name
    item = Item(
        tokens, logp=_get(value, "logp", float), failure=_get(value, "failure", str), notation=name
    )
    if (entries := _get(value, "tree", list)) is not None:
        item = replace(item, tree=AMTree(tuple(_entry_from_dict(entry) for entry in entries)))
    if (penman := _get(value, "graph", str)) is not None:
        graph = sgraph_from_penman(penman)
        if (alignments := _get(value, "alignments", list)) is not None:
            graph = _aligned(graph, alignments, tokens)
        return replace(item, graph=graph)
    if item.tree is None and (form := _get(value, "logical_form", str)) is not None:
        return replace(item, graph=item_from_logical_form(tokens, form, name).graph)
    if item.tree is None and item.failure is None:
        raise InputError("expected one of the keys 'graph', 'tree', 'logical_form'")
    return item


def _get(value: Mapping[str, Any], key: str, kind: type) -> Any:
    found = value.get(key)
    if found is not None and not isinstance(found, (int, float) if kind is float else kind):
        raise InputError(f"{key!r}: expected {kind.__name__} or null")
    return found


def _entry_to_dict(entry: Entry) -> dict[str, Any]:
    return {
        "form": entry.form,
        "head": entry.head,
        "operation": entry.operation,
        "supertag": None if entry.supertag is None else entry.supertag.penman,
        "type": None if entry.supertag is None else type_to_str(entry.supertag.lexical_type),
        "lexical_label": entry.lexical_label,
        "lemma": entry.lemma,
    }


def _entry_from_dict(value: object) -> Entry:
    if not isinstance(value, dict):
        raise InputError("'tree': expected an object for each token")
    form, operation = _get(value, "form", str), _get(value, "operation", str)
    head, penman = _get(value, "head", int), _get(value, "supertag", str)
    if form is None or operation is None or head is None:
        raise InputError("'tree': expected 'form', 'head' and 'operation' for each token")
    supertag = None
    if penman is not None:
        supertag = Supertag(penman, type_from_str(_get(value, "type", str) or "()"))
    return Entry(
        form,
        head,
        operation,
        supertag,
        _get(value, "lexical_label", str),
        lemma=_get(value, "lemma", str),
    )


def _alignments(graph: SGraph) -> list[int | None]:
    """The token of each node, in the order in which PENMAN notation introduces them."""
    # The order does not depend on labels: make them name the nodes, and read them back.
    named = replace(graph, nodes={n: Node(f"n{n}") for n in graph.nodes})
    order = [
        node.label or "" for node in sgraph_from_penman(sgraph_to_penman(named)).nodes.values()
    ]
    return [graph.nodes[int(label[1:])].token for label in order]


def _aligned(graph: SGraph, alignments: Sequence[object], tokens: Sequence[str]) -> SGraph:
    """The graph with its nodes, in order, aligned to tokens."""
    if len(alignments) != len(graph.nodes):
        raise InputError(f"{len(graph.nodes)} nodes, but {len(alignments)} alignments")
    nodes = {}
    for (identifier, node), token in zip(graph.nodes.items(), alignments, strict=True):
        if token is not None and (
            not isinstance(token, int) or token < 1 or (tokens and token > len(tokens))
        ):
            raise InputError(f"alignment {token!r}: expected a token from 1 to {len(tokens)}")
        nodes[identifier] = node._replace(token=token)
    return replace(graph, nodes=nodes)
