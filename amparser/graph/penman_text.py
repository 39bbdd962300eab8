"""Read PENMAN text with the library `penman`.

Two notations use this module: s-graphs (`amparser.graph.penman_codec`) and AMR
(`amparser.notations.penman`). Nodes are numbered from 1 in text order.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import penman
from penman.model import Model

from amparser.errors import AMParserError

# The library logs irregularities, for which this module raises errors. Without this handler, Python
# would print them.
logging.getLogger("penman").addHandler(logging.NullHandler())

MOST_LEVELS = 300
"""Maximum nesting of a text; the library makes two recursive calls for each level."""
_ALIGNMENT = re.compile(r"~(?:[a-z]\.?)?([0-9]{1,9})(?:,[0-9]+)*$")
_COMMENT_STRING_PARENTHESIS = re.compile(
    r'(?<![^ \t\r\v\f\n])#.*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[()]'
)
_INDENTS = (6, -1, 4, 3, 2)
"""Indentations that `laid_out` recognises, in columns per level; -1 is adaptive."""
_EXPECTED = {
    "Expected: LPAREN": "expected a graph, '(VARIABLE / CONCEPT :ROLE ...)'",
    "Expected: SYMBOL": "expected a variable after '('",
    "Expected: ROLE": "expected a role ':ROLE' or ')'",
    "Expected: SYMBOL, STRING, LPAREN": "expected a node, a variable or a constant",
}
"""Error messages of the library, mapped to messages of this package."""


class PenmanNode(NamedTuple):
    """A node in PENMAN text.

    Attributes:
        variable: the node's variable, or None for a constant.
        label: the concept or constant, or None if there is none.
        token: the first token of the alignment `~e.N`, from 0, or None if there is none.
    """

    variable: str | None
    label: str | None
    token: int | None


class PenmanGraph(NamedTuple):
    """Nodes and edges in text order."""

    nodes: Mapping[int, PenmanNode]
    edges: tuple[tuple[int, str, int], ...]


def too_deep(text: str) -> int | None:
    """Return the offset at which nesting exceeds `MOST_LEVELS`, or None."""
    if text.count("(") <= MOST_LEVELS:
        return None
    depth = 0
    for match in _COMMENT_STRING_PARENTHESIS.finditer(text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth > MOST_LEVELS:
            return match.start()
    return None


def _directed(parent: int, role: str, child: int, model: Model) -> tuple[int, str, int]:
    is_inverse = False
    while model.is_role_inverted(role):
        role, is_inverse = model.invert_role(role), not is_inverse
    return (child, role[1:], parent) if is_inverse else (parent, role[1:], child)


class PenmanText:
    """One graph as text and as the library's tree.

    Args:
        text: the text of one graph.
        error: class of the errors that this class raises. Messages name the column (from 1) and,
            if the text has several lines, the line.

    Raises:
        AMParserError: the text is not PENMAN, or nested deeper than `MOST_LEVELS`.
    """

    def __init__(self, text: str, error: type[AMParserError]) -> None:
        self.text = text
        self._error = error
        if (place := too_deep(text)) is not None:
            raise self._at(place, f"nested too deeply, expected at most {MOST_LEVELS} levels")
        lines = text.split("\n")
        try:
            try:
                # The library ignores text after a graph; if there is none, it reads the added
                # `(end)`.
                trees = list(penman.iterparse([*lines, "(end)"]))
            except penman.DecodeError:
                penman.parse(lines)  # its message about an unclosed graph is better
                raise
            self.tree: penman.Tree = trees[0] if len(trees) == 2 else penman.parse(lines)
        except penman.DecodeError as fault:
            message = fault.message or ""
            reason = _EXPECTED.get(message, message.lower())
            if not fault.lineno:
                reason = _EXPECTED["Expected: LPAREN"]
            raise self._fault(reason, fault.lineno or 1, fault.offset or 0) from None
        if len(trees) != 2:
            raise self._fault("expected one graph and nothing after it", 1, 0)

    def graph(
        self,
        model: Model,
        name: Callable[[str], str] = str,
        constant: Callable[[str], bool] = lambda word: False,
    ) -> PenmanGraph:
        """Return the nodes and edges, all directed from parent to child.

        Args:
            model: model of the library `penman`, which decides about inverse roles.
            name: function that returns the name in a variable, such as `i1` in `i1<root>`.
            constant: function that returns True for constants; all other words must be variables.
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
        edges = (
            _directed(parent, role, numbers[child] if isinstance(child, str) else child, model)
            for parent, role, child in links
        )
        return PenmanGraph(nodes, tuple(edges))

    def laid_out(self) -> str:
        """Return the text without comments and alignments; a regular indentation is kept."""
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
        """Return the error for a role without a target, or for an unquoted value like `16:30`."""
        glued = re.search(rf'[^\s()"]+{re.escape(role)}(?=[\s()])', self.text)
        expected = f"expected a node, a variable or a constant after {role!r}"
        return self.fault_at(role, f"{glued[0]} needs quotes" if glued else expected)

    def fault_at(self, word: str, message: str, *, last: bool = False) -> AMParserError:
        """Return the error at the first (or last) occurrence of a word in the text."""
        # Comments are replaced by spaces, because they may contain the word.
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
