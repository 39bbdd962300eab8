"""Evaluation: from an AM dependency tree to the graph it denotes.

The tree is seen as a derivation, which is expanded. A tree says all of a derivation in which each
constant has one slot at most and nothing stands beside the tree: no edges but those of constants,
no boxes. AM-CoNLL is written through this view.
"""

from __future__ import annotations

from collections.abc import Iterator

from amparser.algebra import derivation
from amparser.algebra.derivation import ARC, Derivation
from amparser.algebra.expand import expand
from amparser.algebra.fragment import fragment_of
from amparser.algebra.tree import AMTree, Entry
from amparser.algebra.types import AMType
from amparser.errors import AMParserError, InputError
from amparser.graph.sgraph import SGraph


def from_am_tree(tree: AMTree) -> Derivation:
    """The derivation that a tree shows; columns that say nothing of the graph are left out."""
    entries = tree.entries
    constants = [None if e.supertag is None else fragment_of(e.supertag) for e in entries]
    fillers = [
        (e.label or "",) if c is not None and c.slots and e.lexical_label is not None else ()
        for c, e in zip(constants, entries, strict=True)
    ]
    return Derivation(
        tuple([entry.form for entry in entries]),
        tuple(constants),
        tuple(fillers),
        tuple([entry.head - 1 for entry in entries]),
        tuple([entry.operation for entry in entries]),
    )


def am_tree(derivation: Derivation) -> AMTree:
    """The AM dependency tree of a derivation.

    Raises:
        InputError: a tree cannot say all of it; names the token and the reason.
    """
    for token, reason in _beside(derivation):
        raise InputError(f"no AM dependency tree: token {token + 1}: {reason}")
    entries = []
    for token, form in enumerate(derivation.tokens):
        try:
            entries.append(_entry(derivation, token, form))
        except AMParserError as error:
            raise InputError(f"no AM dependency tree: token {token + 1}: {error}") from None
    return AMTree(tuple(entries))


def _beside(derivation: Derivation) -> Iterator[tuple[int, str]]:
    """What stands beside the tree: tokens and reasons."""
    for token, operation in enumerate(derivation.operations):
        if operation == ARC:
            yield token, f"{ARC} joins it to token {derivation.heads[token] + 1}"
    for parent, child, _ in derivation.beside:
        yield child, f"an arc beside the tree joins it to token {parent + 1}"
    if derivation.scope is not None:
        for token, introduced in enumerate(derivation.scope.introduced):
            if introduced:
                yield token, f"it introduces {len(introduced)} boxes"


def _entry(derivation: Derivation, token: int, form: str) -> Entry:
    constant = derivation.constants[token]
    if constant is None:
        return Entry(form)
    if constant.optional:
        constant = constant.closing(derivation.closed[token] if derivation.closed else ())
    supertag = constant.supertag()
    label = None
    if constant.slots:
        label = constant.filled(derivation.fillers[token])[constant.slots[0]]
    head, operation = derivation.heads[token] + 1, derivation.operations[token]
    entry = Entry(form, head, operation, supertag, label)
    if entry.label != label:
        raise InputError(f"the lexical label {label!r} reads as a reference to a column")
    return entry


def problems(tree: AMTree, *, open_root: bool = False) -> list[str]:
    """The reasons why a tree denotes no graph; empty if it denotes one.

    Types are checked only if the shape is that of a tree. Above an undefined operation
    nothing further is reported. `open_root` is as for `evaluate`.
    """
    return from_am_tree(tree).problems(open_root=open_root)


def term_type(tree: AMTree) -> AMType | None:
    """The type of a whole tree, or None if it denotes nothing; open sources are allowed."""
    return from_am_tree(tree).term_type()


def bottom_up(tree: AMTree) -> list[int]:
    """The tokens that take part, dependents before heads; a cycle leaves tokens out."""
    children = tree.children()
    return derivation.bottom_up(children, children[0])


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
    return expand(from_am_tree(tree), open_root=open_root)
