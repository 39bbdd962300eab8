"""From a text in PENMAN notation to an AMR graph; `amparser.notations.penman` describes both."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import penman
from penman.models.amr import model

from amparser.errors import LogicError
from amparser.graph.sgraph import Edge, Node, SGraph
from amparser.notations.penman_labels import label_of_concept, label_of_constant

# The library reports oddities, which are errors here, through logging; without
# a handler Python would print them.
logging.getLogger("penman").addHandler(logging.NullHandler())

_ALIGNMENT = re.compile(r"~(?:[a-z]\.?)?([0-9]{1,9})(?:,[0-9]+)*$")
LIKE_A_VARIABLE = re.compile(r"[a-z]\d+")
_INDENTS = (-1, 6, 4, 3, 2)
"""Columns of indentation per level; the library takes -1 for the column below the node."""


@dataclass(frozen=True)
class PenmanLayout:
    """What a text has beside its graph.

    Attributes:
        variables: of the nodes that are no constants.
        indent: as for `penman.format`; None for one line.
        inverted: for each edge in order whether its role was written with `-of`.
    """

    variables: Mapping[int, str]
    indent: int | None = None
    inverted: tuple[bool, ...] = ()


@dataclass(frozen=True)
class PenmanText:
    """A text that was read.

    Attributes:
        graph: its nodes are numbered from 1 in the order of the text, constants included, and
            its edges stand in this order; no node is aligned.
        layout: variables and indentation.
        surface: the first token (from 0) of each node that has `~e.N`.
        children: for each node what stands behind its roles, in the order of the text: the
            number of the node, and whether it is introduced there.
    """

    graph: SGraph
    layout: PenmanLayout
    surface: Mapping[int, int]
    children: Mapping[int, tuple[tuple[int, bool], ...]]


def read_penman(text: str) -> PenmanText:
    """Read one AMR graph.

    Raises:
        LogicError: the text is not PENMAN, introduces a variable twice, or refers to one that
            no node introduces. The message names the column, and the line if there are several.
    """
    return _Reader(text).read()


def is_sgraph(text: str, *, bare: bool) -> bool:
    """Whether a text is an s-graph of this package's own, and no AMR graph.

    Variables of s-graphs have marks, `i1<root>`. Text that is no PENMAN at all counts as one.

    Args:
        text: a graph, perhaps with comments.
        bare: also take graphs without marks that have labels in quotes and no constants, unless
            all labels of several nodes have quotes.

    >>> is_sgraph("(i1<root> / a)", bare=False), is_sgraph('(a / b :op1 "A")', bare=True)
    (True, False)
    >>> [is_sgraph('(i1 / "A")', bare=bare) for bare in (False, True)]
    [False, True]
    >>> is_sgraph('(b0 / "box" :member (s0 / "dog.n.01"))', bare=True)
    False
    """
    try:
        nodes = penman.parse(text).nodes()
    except (penman.DecodeError, RecursionError):
        return True
    variables = {variable for variable, _ in nodes}
    quoted = plain = constants = False
    for _, branches in nodes:
        for role, target in branches:
            if isinstance(target, str) and role == "/":
                quoted |= target.startswith('"')
                plain |= not target.startswith('"')
            elif isinstance(target, str):
                constants |= target not in variables
    if any("<" in (variable or "") for variable in variables):
        return True
    return bare and quoted and not constants and (plain or len(variables) == 1)


class _Reader:
    """One text on its way to a graph."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.identifiers: dict[str, int] = {}
        self.nodes: dict[int, Node] = {}
        self.surface: dict[int, int] = {}
        # For each occurrence behind a role: node, role, and a variable or a node's number.
        self.links: list[tuple[int, str, str | int]] = []

    def read(self) -> PenmanText:
        try:
            tree = self._tree()
            known = {variable for variable, _ in tree.nodes()}
            self._introduce(tree.node, known)
            indent = self._indent(tree)
        except penman.DecodeError as error:
            expected = "expected a graph, '(VARIABLE / CONCEPT :ROLE ...)'"
            message = error.message.lower() if error.lineno else expected
            self._fail(message, error.lineno or 1, error.offset or 0)
        except RecursionError:
            raise LogicError("column 1: PENMAN text nested too deeply") from None
        edges: list[Edge] = []
        directions: list[bool] = []
        children: dict[int, list[tuple[int, bool]]] = {node: [] for node in self.nodes}
        for node, role, target in self.links:
            other = self.identifiers[target] if isinstance(target, str) else target
            children[node].append((other, isinstance(target, int)))
            inverted = False
            while model.is_role_inverted(role):
                role, inverted = model.invert_role(role), not inverted
            edges.append(Edge(other, role[1:], node) if inverted else Edge(node, role[1:], other))
            directions.append(inverted)
        variables = {number: name for name, number in self.identifiers.items()}
        return PenmanText(
            SGraph(self.nodes, tuple(edges), 1),
            PenmanLayout(variables, indent, tuple(directions)),
            self.surface,
            {node: tuple(below) for node, below in children.items()},
        )

    def _tree(self) -> Any:
        """The only tree of the text.

        The library leaves alone what follows the first graph, so a second one is put there to see
        that nothing stands between.
        """
        try:
            trees = list(penman.iterparse(f"{self.text}\n(end)"))
        except penman.DecodeError:
            penman.parse(self.text)  # says more of a graph that has no end
            raise
        if len(trees) != 2:
            penman.parse(self.text)
            raise LogicError("column 1: expected one graph and nothing behind it")
        return trees[0]

    def _introduce(self, top: Any, known: set[str | None]) -> None:
        """Number the nodes and collect the roles, in the order of the text."""
        stack: list[tuple[int, Iterator[Any]]] = [self._open(top)]
        while stack:
            number, branches = stack[-1]
            branch = next(branches, None)
            if branch is None:
                stack.pop()
                continue
            role, target = branch
            if role == "/":
                continue
            role = _ALIGNMENT.sub("", role)
            if target is None:
                self._fail_at(role, f"expected a node, a variable or a constant after {role!r}")
            if role in (":", ":-of"):
                self._fail_at(role, "expected a role after ':'")
            if isinstance(target, str):
                self.links.append((number, role, self._atom(target, known)))
            else:
                opened = self._open(target)
                self.links.append((number, role, opened[0]))
                stack.append(opened)

    def _atom(self, target: str, known: set[str | None]) -> str | int:
        """A variable that is referred to, or the number of a constant's new node."""
        text = _ALIGNMENT.sub("", target)
        if text in known:
            return text
        if LIKE_A_VARIABLE.fullmatch(text):
            self._fail_at(text, f"no node has the variable {text!r}")
        return self._add(Node(label_of_constant(text)), target)

    def _open(self, node: Any) -> tuple[int, Iterator[Any]]:
        variable, branches = node
        if variable is None:
            self._fail_at("(", "expected a variable after '('")
        if variable in self.identifiers:
            self._fail_at(variable, f"the variable {variable!r} is introduced twice", last=True)
        concepts = [target for role, target in branches if role == "/"]
        if None in concepts:
            self._fail_at(variable, f"expected a concept after '{variable} /'")
        concept = concepts[0] if concepts else None
        label = None if concept is None else label_of_concept(_ALIGNMENT.sub("", concept))
        self.identifiers[variable] = self._add(Node(label), concept or "")
        return self.identifiers[variable], iter(branches)

    def _add(self, node: Node, text: str) -> int:
        number = len(self.nodes) + 1
        self.nodes[number] = node
        if match := _ALIGNMENT.search(text):
            self.surface[number] = int(match[1])
        return number

    def _indent(self, tree: Any) -> int | None:
        """The indentation that gives the text again; one line if none does."""
        lines = [line for line in self.text.splitlines() if not line.lstrip().startswith("#")]
        if len(lines) < 2:
            return None
        text = "\n".join(lines).strip()
        plain = penman.Tree(tree.node)
        return next((i for i in _INDENTS if penman.format(plain, indent=i) == text), _INDENTS[1])

    def _fail(self, message: str, line: int, offset: int) -> NoReturn:
        place = f"line {line}, " if "\n" in self.text.strip() else ""
        raise LogicError(f"{place}column {offset + 1}: {message}") from None

    def _fail_at(self, word: str, message: str, *, last: bool = False) -> NoReturn:
        """An error at the first (or last) place where a word of the text stands."""
        before = "" if word == "(" else r"(?<![^\s(])"
        after = "" if word == "(" else r"(?=[\s()~]|$)"
        places = list(re.finditer(before + re.escape(word) + after, self.text))
        at = places[-1 if last else 0].start() if places else 0
        lines = self.text[:at].split("\n")
        self._fail(message, len(lines), len(lines[-1]))
