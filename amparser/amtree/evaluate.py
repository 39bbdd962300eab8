"""Evaluation: from an AM dependency tree to the graph it denotes.

`APP_s(head, arg)` merges the argument's root with the head's s-node, after the
argument's open sources took the names that the head's type gives them;
`MOD_s(head, mod)` merges the modifier's s-node with the head's root. In both,
sources of one name merge and s is forgotten (Groschwitz et al. 2018, section
3). Since a well-typed tree denotes the same graph in every order of its
operations, the merges are collected in a union-find structure over all nodes
of all constants, in time (nearly) linear in the size of the tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from amparser.algebra.operations import APP, IGNORE, MOD, ROOT, source_of
from amparser.algebra.supertag import LEX, Supertag
from amparser.algebra.types import (
    ANY,
    EMPTY,
    AMType,
    accepts,
    apply_type,
    modify_type,
    type_to_str,
)
from amparser.amtree.tree import AMTree, Entry, node_type
from amparser.errors import AMTreeError, GraphError
from amparser.graph.sgraph import Edge, Node, SGraph


def problems(tree: AMTree, *, open_root: bool = False) -> list[str]:
    """The reasons why a tree denotes no graph; empty if it denotes one.

    Types are checked only if the shape is that of a tree. Above an undefined operation
    nothing further is reported. `open_root` is as for `evaluate`.
    """
    found = _shape_problems(tree)
    if found:
        return found
    types, found = _typing(tree)
    root_type = types[tree.root or 0]
    if root_type not in (None, EMPTY) and not (open_root and len(tree.entries) == 1):
        found.append(f"token {tree.root}: the tree's type is {root_type}, expected ()")
    return found


def term_type(tree: AMTree) -> AMType | None:
    """The type of a whole tree, or None if it denotes nothing; open sources are allowed."""
    if _shape_problems(tree):
        return None
    return _typing(tree)[0][tree.root or 0]


def bottom_up(tree: AMTree) -> list[int]:
    """The tokens that take part, dependents before heads; a cycle leaves tokens out."""
    return _bottom_up(tree.children())


def _bottom_up(children: Sequence[Sequence[int]]) -> list[int]:
    order = list(children[0])
    for token in order:  # grows while it is read
        order.extend(children[token])
    order.reverse()
    return order


def _shape_problems(tree: AMTree) -> list[str]:
    """What is wrong with the shape of the tree, types aside."""
    found = []
    for token, entry in enumerate(tree.entries, 1):
        if entry.operation in (IGNORE, ROOT) and entry.head != 0:
            found.append(f"token {token}: {entry.operation} with head {entry.head}, expected 0")
        if entry.operation == IGNORE:
            if entry.supertag is not None:
                found.append(f"token {token}: IGNORE with a supertag")
            continue
        if entry.supertag is None:
            found.append(f"token {token}: {entry.operation} without a supertag")
        else:
            constant = constant_of(entry.supertag)
            found.extend(f"token {token}: supertag: {problem}" for problem in constant.problems)
            if constant.anchor is not None and entry.lexical_label is None:
                found.append(f"token {token}: no lexical label for its supertag's {LEX}")
        if entry.operation != ROOT:
            if not entry.operation.startswith((APP, MOD)):
                found.append(f"token {token}: unknown operation {entry.operation!r}")
            if not 1 <= entry.head <= len(tree) or entry.head == token:
                found.append(
                    f"token {token}: {entry.operation} with head {entry.head}, "
                    f"expected another of the tokens 1 to {len(tree)}"
                )
            elif tree.entries[entry.head - 1].operation == IGNORE:
                found.append(f"token {token}: its head {entry.head} is ignored")
    roots = [t for t, entry in enumerate(tree.entries, 1) if entry.operation == ROOT]
    if len(roots) != 1:
        shown = f" (tokens {', '.join(map(str, roots))})" if roots else ""
        found.append(f"{len(roots)} tokens with ROOT{shown}, expected 1")
    if not found:
        reached = set(bottom_up(tree))
        lost = [
            str(token)
            for token, entry in enumerate(tree.entries, 1)
            if entry.operation != IGNORE and token not in reached
        ]
        if lost:
            found.append(f"tokens {', '.join(lost)}: their heads form a cycle")
    return found


def _typing(tree: AMTree) -> tuple[list[AMType | None], list[str]]:
    """The term types of a tree of the right shape (None where unknown), and what is undefined."""
    types: list[AMType | None] = [None] * (len(tree) + 1)
    found: list[str] = []
    children = tree.children()
    for token in _bottom_up(children):
        supertag = tree.entries[token - 1].supertag
        assert supertag is not None
        dependents = []
        for child in children[token]:
            child_type = types[child]
            if child_type is None:
                break
            dependents.append((tree.entries[child - 1].operation, child_type))
        else:
            types[token] = node_type(supertag.lexical_type, dependents)
            if types[token] is None:
                found.extend(
                    f"token {children[token][i]}: {dependents[i][0]} of type {dependents[i][1]} "
                    f"is undefined at token {token} of type {supertag.lexical_type}, {reason}"
                    for i, reason in _undefined(supertag.lexical_type, dependents)
                )
    return types, found


def _undefined(
    lexical_type: AMType, dependents: Sequence[tuple[str, AMType]]
) -> list[tuple[int, str]]:
    """The dependents (by index) that a head cannot take, and why."""
    current = lexical_type
    reasons: dict[int, str] = {}
    waiting = []
    for i, (operation, term_type) in enumerate(dependents):
        source = source_of(operation)
        if operation.startswith(APP):
            waiting.append((i, source, term_type))
        elif modify_type(lexical_type, source, term_type) is None:
            if source not in term_type.origins or term_type.request(source) != EMPTY:
                reasons[i] = f"where {source} is not a source of the modifier that asks for nothing"
            else:
                reasons[i] = "which does not include the rest of the modifier's type"
    progress = True
    while progress:
        progress = False
        for item in waiting:
            result = apply_type(current, item[1], item[2])
            if result is not None:
                current, progress = result, True
                waiting.remove(item)
                break
    for i, source, term_type in waiting:
        if source not in lexical_type.sources:
            reasons[i] = f"which has no source {source}"
        elif source not in current.sources:
            reasons[i] = f"whose source {source} is filled already"
        elif not accepts(current.request(source), term_type):
            reasons[i] = f"which asks for {type_to_str(current.request(source))} there"
        else:
            before = sorted(e.source for e in current.renamings if e.target == source)
            reasons[i] = f"where {source} has to wait for {', '.join(before)}"
    return sorted(reasons.items())


class Constant(NamedTuple):
    """A graph constant with nodes 0..m-1.

    `anchor` is the node of the lexical label; `nodes` has no label there.
    """

    nodes: tuple[Node, ...]
    root: int
    anchor: int | None
    edges: tuple[tuple[int, str, int], ...]
    sources: tuple[tuple[str, int], ...]
    problems: tuple[str, ...]


@lru_cache(maxsize=1 << 16)
def constant_of(supertag: Supertag) -> Constant:
    """The constant of a supertag; `problems` says what keeps it from being one."""
    try:
        graph = supertag.graph
    except GraphError as error:
        return Constant((Node(),), 0, None, (), (), (str(error),))
    index = {node: i for i, node in enumerate(graph.nodes)}
    return Constant(
        tuple(Node(None if n.label == LEX else n.label) for n in graph.nodes.values()),
        index[graph.root],
        None if supertag.anchor is None else index[supertag.anchor],
        tuple((index[e.parent], e.label, index[e.child]) for e in graph.edges),
        tuple((source, index[node]) for source, node in graph.sources.items()),
        tuple(supertag.problems()),
    )


class Step(NamedTuple):
    """How a dependent joins its head."""

    apply: bool
    source: str
    names: Mapping[str, str]  # from its open sources to the head's names, if they differ


@lru_cache(maxsize=1 << 16)
def steps_of(
    lexical_type: AMType, dependents: tuple[tuple[str, AMType], ...]
) -> tuple[AMType, tuple[Step, ...]] | None:
    """The term type of a head with its dependents and how each joins; None when ill typed."""
    term_type = node_type(lexical_type, dependents)
    if term_type is None:
        return None
    steps = []
    for operation, dependent_type in dependents:
        source = source_of(operation)
        apply = operation.startswith(APP)
        names = lexical_type.renamed(source) if apply else {}
        if ANY in names and dependent_type != lexical_type.request(source):
            names = dict.fromkeys(dependent_type.sources, names[ANY])
        steps.append(Step(apply, source, {n: t for n, t in names.items() if n != t}))
    return term_type, tuple(steps)


def evaluate(tree: AMTree, *, open_root: bool = False) -> SGraph:
    """The graph that a well-typed tree denotes.

    A node that carries a lexical label is aligned to its token. Nodes count
    from 0. Edges follow the order of the tokens whose constants contain them,
    then the order within the constant.

    Args:
        open_root: allow a tree of a single token (a bare lexical item) whose
            sources stay open as sources of the graph.

    Raises:
        AMTreeError: when the tree is ill typed, or two labels meet at a node.
    """
    building = _Building(tree)
    order = building.order() if building.sound else []
    roots = building.children[0]
    if not building.sound or len(roots) != 1 or len(order) != building.taking_part:
        raise AMTreeError("; ".join(problems(tree)))
    for token in order:
        if building.children[token] and not building.join(token):
            raise AMTreeError("; ".join(problems(tree)))
    if building.types[roots[0]] != EMPTY and not (open_root and len(tree.entries) == 1):
        raise AMTreeError("; ".join(problems(tree)))
    return building.graph(roots[0])


class _Building:
    """The constants of a tree side by side, and which of their nodes are merged so far."""

    def __init__(self, tree: AMTree) -> None:
        size = len(tree.entries)
        self.entries = tree.entries
        self.sound = True
        self.taking_part = 0
        self.children: list[list[int]] = [[] for _ in range(size + 1)]
        self.values: list[Node] = []
        self.edges: list[tuple[int, str, int]] = []
        self.roots = [0] * (size + 1)
        self.types = [EMPTY] * (size + 1)
        # For each token the graph node of every source that is still open below it.
        self.open_nodes: list[dict[str, int]] = [{} for _ in self.roots]
        for token, entry in enumerate(tree.entries, 1):
            if not self._add(token, entry, size):
                self.sound = False
                break
        self.parent = list(range(len(self.values)))

    def _add(self, token: int, entry: Entry, size: int) -> bool:
        """Add the constant of a token; return whether it is sound."""
        operation, head, supertag = entry.operation, entry.head, entry.supertag
        if operation == IGNORE:
            return head == 0 and supertag is None
        # If a head is ignored or in a cycle, `order` does not reach its dependents.
        if supertag is None or (operation == ROOT) != (head == 0) or not 0 <= head <= size:
            return False
        self.children[head].append(token)
        self.taking_part += 1
        nodes, root, anchor, constant_edges, sources, wrong = constant_of(supertag)
        first = len(self.values)
        self.values += nodes
        label = entry.label
        if anchor is not None:
            self.values[first + anchor] = Node(label, token)
        self.roots[token] = first + root
        self.edges += [(first + a, name, first + b) for a, name, b in constant_edges]
        self.open_nodes[token] = {source: first + node for source, node in sources}
        self.types[token] = supertag.lexical_type
        return not wrong and (anchor is None or label is not None)

    def order(self) -> list[int]:
        """The tokens below the root, each after its dependents."""
        return _bottom_up(self.children)

    def join(self, token: int) -> bool:
        """Join a token with its dependents; False if their types do not fit."""
        dependents = self.children[token]
        key = tuple([(self.entries[d - 1].operation, self.types[d]) for d in dependents])
        joined = steps_of(self.types[token], key)
        if joined is None:
            return False
        self.types[token], steps = joined
        join(token, dependents, steps, self.open_nodes, self.roots, self.parent)
        return True

    def graph(self, root_token: int) -> SGraph:
        """The merged graph; raises AMTreeError if two labels meet at a node."""
        sources = self.open_nodes[root_token]
        return merged(self.values, self.edges, self.parent, self.roots[root_token], sources)


def join(
    head: int,
    dependents: Sequence[int],
    steps: Sequence[Step],
    open_nodes: Sequence[dict[str, int]],
    roots: Sequence[int],
    parent: list[int],
) -> None:
    """Merge the constants of dependents with that of their head.

    Args:
        head: a token.
        dependents: tokens, all joined with their own dependents.
        steps: how each dependent joins (`steps_of`).
        open_nodes: for each token the node of every source that is open below it.
        roots: for each token the root of its constant.
        parent: for each node one that represents it; a node that represents itself may
            represent others, and has the least number of them.
    """
    here = open_nodes[head]
    # A source may reach the head from below (raising) while another dependent
    # fills it: first pass all open sources up, then fill.
    for dependent, (apply, source, names) in zip(dependents, steps, strict=True):
        below = open_nodes[dependent]
        if not apply:
            _merge(roots[head], below.pop(source), parent)
        for name, node in below.items():
            target = names.get(name, name)
            if target in here:
                _merge(here[target], node, parent)
            else:
                here[target] = node
    for dependent, (apply, source, _) in zip(dependents, steps, strict=True):
        if apply:
            _merge(here.pop(source), roots[dependent], parent)


def _merge(left: int, right: int, parent: list[int]) -> None:
    while parent[left] != left:
        parent[left] = left = parent[parent[left]]
    while parent[right] != right:
        parent[right] = right = parent[parent[right]]
    # The smaller one represents both, so that one forward pass numbers them all.
    if left < right:
        parent[right] = left
    else:
        parent[left] = right


def merged(
    values: Sequence[Node],
    edges: Sequence[tuple[int, str, int]],
    parent: Sequence[int],
    root: int,
    sources: Mapping[str, int],
) -> SGraph:
    """The graph of constants whose nodes were merged (`join`).

    Raises:
        AMTreeError: two labels meet at a node.
    """
    number = [0] * len(values)
    nodes: list[Node] = []
    for node, value in enumerate(values):
        if parent[node] == node:
            number[node] = len(nodes)
            nodes.append(value)
            continue
        at = number[node] = number[parent[node]]
        if value.label is not None:
            if nodes[at].label is not None:
                raise AMTreeError(
                    f"two labels meet at one node: {_shown(nodes[at])} and {_shown(value)}"
                )
            nodes[at] = value
    return SGraph(
        dict(enumerate(nodes)),
        tuple([Edge(number[a], label, number[b]) for a, label, b in edges]),
        number[root],
        {source: number[node] for source, node in sources.items()},
    )


def _shown(node: Node) -> str:
    return repr(node.label) if node.token is None else f"{node.label!r} of token {node.token}"
