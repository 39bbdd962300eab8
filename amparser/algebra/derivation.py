"""Derivations: a graph constant for each token of a sentence, and operations between constants.

A derivation is an AM dependency tree whose constants may have any number of nodes. It may also have
edges that are not in the tree (re-entrant edges), and boxes. A *box* is a scope of a meaning, as in
discourse representation structures; boxes form a tree, whose root is the *first box*. Tokens count
from 0, and the head of a token without a head is -1. Messages and graphs count tokens from 1, as
AM-CoNLL does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from amparser.algebra.fragment import LEX, SLOT, Fragment
from amparser.algebra.joining import Step, combined, steps_of
from amparser.algebra.projectivity import is_projective
from amparser.algebra.types import APP, EMPTY, IGNORE, MOD, ROOT, AMType
from amparser.conditions import Count, Range
from amparser.errors import InputError

ARC = "ARC"
"""Operation that adds edges between the constants of a token and its head; no nodes are merged."""

CONTINUE = "CONTINUE"
"""Operation of the later tokens of a name, whose first token has the constant."""

PRECEDE = "PRECEDE"
"""Operation of the earlier tokens of a name or word, whose last token has the constant."""

WITHOUT_CONSTANT = frozenset({IGNORE, CONTINUE, PRECEDE})


class Link(NamedTuple):
    """Edge between node `above` of a head's constant and node `below` of a dependent's constant.

    The edge points from `above` to `below` if `down` is true, else from `below` to `above`.
    """

    label: str
    down: bool
    above: Count
    below: Count


Links = tuple[Link, ...]


class Arc(NamedTuple):
    """Edges (links) between the constants of two tokens, `parent` and `child`."""

    parent: int
    child: int
    links: Links


Place = tuple[int, int]
"""Identifier of a box: the token that introduces it, and its index among that token's boxes."""

FIRST_BOX: Place = (-1, 0)

Introduced = tuple[tuple[Annotated[int, Range(-1)], str], ...]
"""Boxes that a token introduces, as pairs of parent and edge label.

The parent is an index into this tuple, or -1 if it is not a box of this token (`Scope.above`).
"""


class Scope(NamedTuple):
    """Boxes of a sentence.

    Attributes:
        introduced: boxes that each token introduces.
        within: box that contains the nodes of each token.
        above: for each token, the parent of its boxes that have the parent index -1.
    """

    introduced: tuple[Introduced, ...]
    within: tuple[Place, ...]
    above: tuple[Place, ...]

    @classmethod
    def without_boxes(cls, size: int) -> Scope:
        """Return a scope in which `size` tokens introduce no boxes."""
        return cls(((),) * size, (FIRST_BOX,) * size, (FIRST_BOX,) * size)


@dataclass(frozen=True)
class Derivation:
    """Sentence with a graph constant for each token, and operations between the constants.

    Attributes:
        tokens: the words.
        fragments: fragment of each token; None if the token is ignored, or part of a name whose
            constant another token has.
        lexical_labels: for each token, the lexical labels that fill the slots of its fragment, in
            the order of the nodes.
        heads: head of each token, from 0; -1 for the root and tokens without a fragment.
        operations: operation of each token: `APP_s`, `MOD_s`, `ROOT`, `IGNORE`, `ARC`, `CONTINUE`
            or `PRECEDE`.
        closed: for each token, the names of the ports that defaults fill.
        links: for each token with the operation `ARC`, the edges between its constant and the
            constant of its head.
        reentrant: further edges between constants, which do not belong to the tree.
        scope: boxes; None if all nodes are in the first box.

    Raises:
        InputError: the fields do not all have one entry per token.
    """

    tokens: tuple[str, ...]
    fragments: tuple[Fragment | None, ...]
    lexical_labels: tuple[tuple[str, ...], ...]
    heads: tuple[int, ...]
    operations: tuple[str, ...]
    closed: tuple[tuple[str, ...], ...] = ()
    links: tuple[Links, ...] = ()
    reentrant: tuple[Arc, ...] = ()
    scope: Scope | None = None

    def __post_init__(self) -> None:
        size = len(self.tokens)
        lengths = {
            len(self.fragments),
            len(self.lexical_labels),
            len(self.heads),
            len(self.operations),
            len(self.closed) or size,
            len(self.links) or size,
        }
        if self.scope is not None:
            lengths.update(map(len, self.scope))
        if lengths != {size}:
            raise InputError(f"a derivation of {size} tokens has fields of other lengths")
        if not self.closed:
            object.__setattr__(self, "closed", ((),) * size)
        if not self.links:
            object.__setattr__(self, "links", ((),) * size)
        if self.scope == Scope.without_boxes(size):
            object.__setattr__(self, "scope", None)

    def constant(self, token: int) -> Fragment | None:
        """Return the constant of a token: its fragment with defaults at its closed ports."""
        fragment = self.fragments[token]
        closed = self.closed[token]
        return fragment.closing(closed) if fragment is not None and closed else fragment

    @property
    def boxes(self) -> Scope:
        """Boxes of the sentence; if `scope` is None, there is only the first box."""
        if self.scope is not None:
            return self.scope
        return Scope.without_boxes(len(self.tokens))

    def arcs(self) -> Iterator[Arc]:
        """Yield the edges between constants: first edges of the tree, then re-entrant edges."""
        for token, links in enumerate(self.links):
            if links:
                yield Arc(self.heads[token], token, links)
        yield from self.reentrant

    def children(self) -> list[list[int]]:
        """Return the dependents of each token; the last list has the tokens without a head."""
        rows: list[list[int]] = [[] for _ in range(len(self.tokens) + 1)]
        for token, head in enumerate(self.heads):
            if self.fragments[token] is not None:
                rows[head].append(token)
        return rows

    @property
    def projective(self) -> bool:
        """True if no two arcs cross, including the arc from the artificial root."""
        pairs = zip(self.heads, self.operations, strict=True)
        return is_projective([-1 if o in WITHOUT_CONSTANT else head + 1 for head, o in pairs])

    def problems(self, *, open_root: bool = False) -> list[str]:
        """Return the reasons why the derivation denotes no graph; empty if it denotes one.

        Types are checked only if the arcs form a tree. Errors that follow from an error at a
        dependent are not reported. If `open_root` is true, the ports of a one-token derivation may
        stay open.
        """
        return joins_of(self, open_root=open_root)[1]


Join = tuple[int, Sequence[int], Sequence[Step]]
"""Head, its dependents, and for each dependent the `Step` that combines it with the head."""


def bottom_up(children: Sequence[Sequence[int]], roots: Sequence[int]) -> list[int]:
    """Return the tokens in the trees below the roots, dependents before heads."""
    order = list(roots)
    for token in order:  # `order` grows during the loop
        order.extend(children[token])
    order.reverse()
    return order


def joins_of(
    derivation: Derivation, *, open_root: bool = False, polymorphic: bool = False
) -> tuple[list[Join], list[str]]:
    """Return a `Join` for each head, bottom up, and the reasons of `Derivation.problems`.

    Args:
        derivation: the derivation.
        open_root: see `Derivation.problems`.
        polymorphic: whether to adapt the requests of constants to their arguments (see
            `joining.meeting`).
    """
    if problems := _shape_problems(derivation):
        return [], problems
    joins: list[Join] = []
    types: list[AMType | None] = [None] * len(derivation.tokens)
    children, operations = derivation.children(), derivation.operations
    for token in bottom_up(children, children[-1]):
        constant = derivation.constant(token)
        assert constant is not None
        dependents, typed = [], []
        for child in children[token]:
            child_type = types[child]
            if child_type is None:
                break
            if operations[child] != ARC:
                dependents.append(child)
                typed.append((operations[child], child_type))
            elif child_type != EMPTY:
                problems.append(f"token {child + 1}: {ARC} of type {child_type}, expected ()")
                break
        else:
            joined = steps_of(constant.type, tuple(typed), polymorphic)
            if joined is not None:
                types[token], steps = joined
                joins.append((token, dependents, steps))
                continue
            problems += [
                f"token {dependents[i] + 1}: {typed[i][0]} of type {typed[i][1]} "
                f"is undefined at token {token + 1} of type {constant.type}, {reason}"
                for i, reason in sorted(combined(constant.type, typed)[1].items())
            ] or [f"token {token + 1}: its requests are not met"]
    root = operations.index(ROOT)
    if types[root] not in (None, EMPTY) and not (open_root and len(types) == 1):
        problems.append(f"token {root + 1}: the tree's type is {types[root]}, expected ()")
    return joins, problems


def _token_problems(derivation: Derivation, token: int) -> Iterator[str]:
    operation, head = derivation.operations[token], derivation.heads[token]
    constant = derivation.fragments[token]
    if operation in (*WITHOUT_CONSTANT, ROOT) and head != -1:
        yield f"{operation} with head {head + 1}, expected 0"
    if operation in WITHOUT_CONSTANT:
        if constant is not None:
            yield f"{operation} with a supertag"
        return
    if constant is None:
        yield f"{operation} without a supertag"
    else:
        yield from _constant_problems(derivation, constant, token)
    size = len(derivation.tokens)
    if operation != ROOT:
        if operation != ARC and not operation.startswith((APP, MOD)):
            yield f"unknown operation {operation!r}"
        if not 0 <= head < size or head == token:
            expected = f"expected another of the tokens 1 to {size}"
            yield f"{operation} with head {head + 1}, {expected}"
        elif derivation.operations[head] in WITHOUT_CONSTANT:
            yield f"its head {head + 1} is ignored"
        elif operation == ARC and derivation.links:
            yield from _link_problems(derivation, head, token, derivation.links[token])
    if derivation.scope is not None:
        box, number = derivation.scope.within[token]
        introduced = derivation.scope.introduced
        if (box, number) != FIRST_BOX and not (
            0 <= box < size and 0 <= number < len(introduced[box])
        ):
            yield f"its box {number} of token {box + 1} does not exist"


def _constant_problems(derivation: Derivation, constant: Fragment, token: int) -> Iterator[str]:
    yield from (f"supertag: {problem}" for problem in constant.problems)
    count, slots = len(derivation.lexical_labels[token]), constant.slots
    if slots and not count and all(constant.labels[slot] == SLOT for slot in slots):
        yield f"no lexical label for its supertag's {LEX}"
    elif count != len(slots) and not constant.problems:
        yield f"{count} fillers for {len(slots)} slots"
    if missing := sorted(set(derivation.closed[token]) - constant.optional):
        yield f"ports without defaults: {', '.join(missing)}"


def _link_problems(
    derivation: Derivation, head: int, token: int, links: Sequence[Link]
) -> Iterator[str]:
    upper, lower = derivation.fragments[head], derivation.fragments[token]
    for link in links:
        for node, constant in ((link.above, upper), (link.below, lower)):
            if constant is not None and not 0 <= node < len(constant.labels):
                yield f"its edge {link.label!r} ends at node {node} of {len(constant.labels)}"


def _shape_problems(derivation: Derivation) -> list[str]:
    operations, fragments = derivation.operations, derivation.fragments
    with_constant = {t for t, constant in enumerate(fragments) if constant is not None}
    problems = [
        f"token {token + 1}: {problem}"
        for token in range(len(operations))
        for problem in _token_problems(derivation, token)
    ]
    for parent, child, links in derivation.reentrant:
        if outside := {parent, child} - with_constant:
            token = parent if parent in outside else child
            problems.append(f"token {token + 1}: a re-entrant edge without a supertag")
        else:
            found = _link_problems(derivation, parent, child, links)
            problems += [f"token {child + 1}: {problem}" for problem in found]
    roots = [t for t, operation in enumerate(operations) if operation == ROOT]
    if len(roots) != 1:
        shown = f" (tokens {', '.join(str(t + 1) for t in roots)})" if roots else ""
        problems.append(f"{len(roots)} tokens with ROOT{shown}, expected 1")
    if not problems:
        children = derivation.children()
        if lost := sorted(with_constant.difference(bottom_up(children, children[-1]))):
            shown = ", ".join(str(t + 1) for t in lost)
            problems.append(f"tokens {shown}: their heads form a cycle")
    return problems
