"""PENMAN text, read with the library `penman`.

Two notations share this module: s-graphs (`amparser.graph.penman_codec`) and AMR
(`amparser.notations.penman`). Nodes are numbered from 1 in the order of the text.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import penman
from penman.model import Model

from amparser.errors import AMParserError
from amparser.graph.sgraph import Edge

# The library reports irregularities, which are errors here, through logging; without
# a handler Python would print them.
logging.getLogger("penman").addHandler(logging.NullHandler())

MOST_LEVELS = 300
"""Maximum nesting of a text: the library calls itself twice for each level."""
_ALIGNMENT = re.compile(r"~(?:[a-z]\.?)?([0-9]{1,9})(?:,[0-9]+)*$")
_COMMENT_STRING_PARENTHESIS = re.compile(
    r'(?<![^ \t\r\v\f\n])#.*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[()]'
)
_INDENTS = (6, -1, 4, 3, 2)
"""Columns of indentation per level; the library takes -1 for the column below the node."""
_EXPECTED = {
    "Expected: LPAREN": "expected a graph, '(VARIABLE / CONCEPT :ROLE ...)'",
    "Expected: SYMBOL": "expected a variable after '('",
    "Expected: ROLE": "expected a role ':ROLE' or ')'",
    "Expected: SYMBOL, STRING, LPAREN": "expected a node, a variable or a constant",
}
"""The library's messages in the words of this package."""


class PenmanNode(NamedTuple):
    """A node of a text.

    Attributes:
        variable: its name; None for a constant.
        label: the concept or constant, or None.
        token: the first one in `~e.N`, from 0, or None.
    """

    variable: str | None
    label: str | None
    token: int | None


class PenmanGraph(NamedTuple):
    """Nodes and edges of a text, in its order, and whether each edge was written with `-of`."""

    nodes: Mapping[int, PenmanNode]
    edges: tuple[Edge, ...]
    inverted: tuple[bool, ...]


def too_deep(text: str) -> int | None:
    """Return the place in a text where more than `MOST_LEVELS` parentheses are open, or None."""
    if text.count("(") <= MOST_LEVELS:
        return None
    depth = 0
    for match in _COMMENT_STRING_PARENTHESIS.finditer(text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth > MOST_LEVELS:
            return match.start()
    return None


def _directed(
    nodes: Mapping[int, PenmanNode], links: Iterable[tuple[int, str, int]], model: Model
) -> PenmanGraph:
    """The graph whose edges lead from parents to children, as roles written inversely do not."""
    edges, inverted = [], []
    for parent, role, child in links:
        inverse = False
        while model.is_role_inverted(role):
            role, inverse = model.invert_role(role), not inverse
        ends = (child, parent) if inverse else (parent, child)
        edges.append(Edge(ends[0], role[1:], ends[1]))
        inverted.append(inverse)
    return PenmanGraph(nodes, tuple(edges), tuple(inverted))


class PenmanText:
    """One graph as text and as the library's tree.

    Args:
        error: the class of the errors that this and the methods raise. Messages name the column
            (from 1), and the line if the text has several.

    Raises:
        AMParserError: the text is not PENMAN, or nested more than `MOST_LEVELS` deep.
    """

    def __init__(self, text: str, error: type[AMParserError]) -> None:
        self.text = text
        self._error = error
        if (place := too_deep(text)) is not None:
            raise self._at(place, f"nested too deeply, expected at most {MOST_LEVELS} levels")
        lines = text.split("\n")
        try:
            try:
                # The library ignores the text after a graph, so another graph is put there: it
                # is found only if nothing comes before it.
                trees = list(penman.iterparse([*lines, "(end)"]))
            except penman.DecodeError:
                penman.parse(lines)  # says more about a graph without an end
                raise
            self.tree: penman.Tree = trees[0] if len(trees) == 2 else penman.parse(lines)
        except penman.DecodeError as fault:
            message = fault.message or ""
            reason = _EXPECTED.get(message, message.lower())
            if not fault.lineno:
                reason = _EXPECTED["Expected: LPAREN"]
            raise self._fault(reason, fault.lineno or 1, fault.offset or 0) from None
        if len(trees) != 2:
            raise self._fault("expected one graph and nothing behind it", 1, 0)

    def graph(
        self,
        model: Model,
        name: Callable[[str], str] = str,
        constant: Callable[[str], bool] = lambda word: False,
    ) -> PenmanGraph:
        """Return the nodes and edges.

        Args:
            name: of a variable the part by which later mentions refer to its node.
            constant: whether a word is a constant, unless it is a variable.
        """
        known = {name(variable) for variable, _ in self.tree.nodes()}
        numbers: dict[str, int] = {}
        nodes: dict[int, PenmanNode] = {}
        links: list[tuple[int, str, int | str]] = []

        def introduce(node: Any) -> int:
            variable, branches = node
            if variable is None:
                raise self.fault_at("(", "expected a variable after '('")
            if name(variable) in numbers:
                message = f"the variable {name(variable)!r} is introduced twice"
                raise self.fault_at(variable, message, last=True)
            if ("/", None) in branches:
                raise self.fault_at(variable, f"expected a concept after '{variable} /'")
            labels = [label for role, label in branches if role == "/"]
            numbers[name(variable)] = len(nodes) + 1
            return add(variable, labels[0] if labels else None)

        def add(variable: str | None, label: str | None) -> int:
            match = _ALIGNMENT.search(label or "")
            if label is not None and match is not None:
                label = label[: match.start()]
            nodes[len(nodes) + 1] = PenmanNode(variable, label, match and int(match[1]))
            return len(nodes)

        at = {(): introduce(self.tree.node)}
        for path, (role, target) in self.tree.walk():
            if role == "/":
                continue
            role = _ALIGNMENT.sub("", role)
            if target is None:
                raise self._nothing_after(role)
            if role in (":", ":-of"):
                raise self.fault_at(role, "expected a role after ':'")
            child: int | str
            if not isinstance(target, str):
                child = at[path] = introduce(target)
            elif (child := name(_ALIGNMENT.sub("", target))) not in known:
                if not constant(child):
                    raise self.fault_at(child, f"no node has the variable {child!r}")
                child = add(None, target)
            links.append((at[path[:-1]], role, child))
        ends = [
            (parent, role, numbers[child] if isinstance(child, str) else child)
            for parent, role, child in links
        ]
        return _directed(nodes, ends, model)

    def laid_out(self) -> str:
        """Return the text without comments and alignments, on one line or indented as it is.

        An indentation that the library does not write becomes one of six columns.
        """
        lines = [line for line in self.text.split("\n") if line.strip() and line.strip()[0] != "#"]
        text = "\n".join(lines).strip()
        tree = penman.Tree(self.tree.node)
        indents: Sequence[int | None] = _INDENTS if "\n" in text else (None,)
        indent = next((i for i in indents if penman.format(tree, indent=i) == text), indents[0])
        if "~" in text:
            for _, branches in tree.nodes():
                branches[:] = [
                    tuple(_ALIGNMENT.sub("", p) if isinstance(p, str) else p for p in branch)
                    for branch in branches
                ]
        return str(penman.format(tree, indent=indent))

    def _nothing_after(self, role: str) -> AMParserError:
        """Return the error of a role without a value, which may be part of a value like `16:30`."""
        glued = re.search(rf'[^\s()"]+{re.escape(role)}(?=[\s()])', self.text)
        expected = f"expected a node, a variable or a constant after {role!r}"
        return self.fault_at(role, f"{glued[0]} needs quotes" if glued else expected)

    def fault_at(self, word: str, message: str, *, last: bool = False) -> AMParserError:
        """Return the error at the first (or last) place where a word stands in the text."""
        # Comments may have the word as well.
        text = re.sub(r"(?m)^#.*", lambda comment: " " * len(comment[0]), self.text)
        word = re.escape(word)
        places = [m.start() for m in re.finditer(rf"(?<![^\s(]){word}(?=[\s()<~]|$)", text)]
        places = places or [m.start() for m in re.finditer(word, text)] or [0]
        return self._at(places[-1 if last else 0], message)

    def _at(self, place: int, message: str) -> AMParserError:
        lines = self.text[:place].split("\n")
        return self._fault(message, len(lines), len(lines[-1]))

    def _fault(self, message: str, line: int, offset: int) -> AMParserError:
        place = f"line {line}, " if "\n" in self.text.strip() else ""
        return self._error(f"{place}column {offset + 1}: {message}")
