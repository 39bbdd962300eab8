"""Evaluation: from an AM dependency tree to the graph it denotes.

The tree is seen as a derivation (`amparser.constants.am_view`), which is expanded.
"""

from __future__ import annotations

from amparser.constants import derivation
from amparser.constants.am_view import from_am_tree
from amparser.constants.expand import expand
from amparser.constants.tree import AMTree
from amparser.constants.types import AMType
from amparser.graph.sgraph import SGraph


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
