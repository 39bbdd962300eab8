"""The logical forms of graphs that can be read off and checked in one pass.

`plain_logical_form` writes what `cogs_from_graph` writes, for those graphs alone of which it is
certain that their text has the whole meaning: reading the text with the sentence gives the graph
back (`graph_from_cogs`). These are nearly all graphs of a parser. For others the text has to be
read to know.

What the reader has to find again, and what is checked for it:

- each node: no two are aligned to one token;
- a name at its own token: it occurs once in the sentence, and something mentions it;
- `the`: it stands right before its noun;
- a preposition: it is the last word of its spelling before its object;
- the root: no constant has it as an argument, and it leads to all constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from amparser.graph.sgraph import SGraph
from amparser.logic.cogs import RESERVED
from amparser.notations.cogs_encoding import (
    DEFINITE,
    FIRST,
    IOTA,
    MARK,
    MODIFIER,
    QUESTION,
    SECOND,
)


def plain_logical_form(tokens: Sequence[str], graph: SGraph) -> str | None:
    """The text of a graph's logical form, or None if that has to be found out by reading it.

    Args:
        tokens: the sentence.
        graph: a graph aligned to its tokens (from 1).
    """
    if graph.sources or len(graph.nodes) == 1:
        return None
    writer = _Writer(tokens, graph)
    return writer.text() if writer.constants() and writer.function_words() else None


class _Writer:
    """A graph on its way to its text."""

    def __init__(self, tokens: Sequence[str], graph: SGraph) -> None:
        self.tokens = tokens
        self.graph = graph
        self.outgoing: dict[int, list[tuple[str, int]]] = {node: [] for node in graph.nodes}
        self.function: list[int] = []
        self.children: set[int] = set()
        for parent, label, child in graph.edges:
            self.outgoing[parent].append((label, child))
            self.children.add(child)
        # What constants are written as in an argument place.
        self.terms: dict[int, str] = {}
        # The label and token of each predicate.
        self.predicates: dict[int, tuple[str, int]] = {}
        self.definites: set[int] = set()
        # Token and text of each atom that follows the roles of a predicate.
        self.modifiers: dict[int, list[tuple[int, str]]] = {}
        self.arguments: dict[int, list[int]] = {}

    def constants(self) -> bool:
        """Find the terms of all constants; False if one is not plain."""
        tokens, size = self.tokens, len(self.tokens)
        taken: set[int] = set()
        for node, (label, token, _) in self.graph.nodes.items():
            if label is None or token is None or not 1 <= token <= size or token in taken:
                return False
            taken.add(token)
            edges = self.outgoing[node]
            if any(_of_function_word(name) for name, _ in edges):
                self.function.append(node)
            elif label == QUESTION or label[:1] == '"':
                if edges or node not in self.children:
                    return False
                if label == QUESTION:
                    if token != 1:
                        return False
                    self.terms[node] = QUESTION
                    continue
                name = label[1:-1]
                if label[-1] != '"' or not _is_word(name):
                    return False
                if tokens[token - 1] != name or tokens.count(name) != 1:
                    return False
                self.terms[node] = name
            elif label[:1] == MARK or not _is_word(label):
                return False
            else:
                self.terms[node] = f"x _ {token - 1}"
                self.predicates[node] = label, token
        return True

    def function_words(self) -> bool:
        """Find definite nouns and prepositions; False if a word is not plain."""
        nodes, tokens = self.graph.nodes, self.tokens
        for node in self.function:
            label, token, _ = nodes[node]
            edges = self.outgoing[node]
            assert label is not None
            assert token is not None
            noun = edges[0][1]
            if node in self.children:
                return False
            if len(edges) == 1:
                if edges[0][0] != IOTA or label != DEFINITE or noun not in self.predicates:
                    return False
                before = self.predicates[noun][1] - 1
                if token != before or tokens[before - 1].lower() != DEFINITE:
                    return False
                if noun in self.definites:
                    return False
                self.definites.add(noun)
                continue
            if len(edges) != 2:
                return False
            relation = edges[0][0].rpartition(".")[0]
            ends = dict(edges)
            noun, other = ends.get(relation + FIRST, -1), ends.get(relation + SECOND, -1)
            if noun not in self.predicates or other not in self.terms:
                return False
            if not (_is_word(label) and _is_word(relation)):
                return False
            place = nodes[other].token or 0
            if not token < place or label in tokens[token : place - 1]:
                return False
            if tokens[token - 1] != label:
                return False
            head = self.predicates[noun][0]
            atom = f"{head} . {relation} . {label} ( {self.terms[noun]} , {self.terms[other]} )"
            self.modifiers.setdefault(noun, []).append((token, atom))
            self.arguments.setdefault(noun, []).append(other)
        return True

    def text(self) -> str | None:
        """The text of the whole, if the root leads everywhere; None if an edge is not plain."""
        nodes, terms = self.graph.nodes, self.terms
        definites: list[str] = []
        atoms: list[str] = []
        ordered = sorted(self.predicates, key=lambda node: self.predicates[node][1])
        for node in ordered:
            label, term = self.predicates[node][0], terms[node]
            is_definite = node in self.definites
            if is_definite:
                definites.append(f"* {label} ( {term} )")
            following = self.modifiers.get(node, [])
            arguments = self.arguments.setdefault(node, [])
            first = len(atoms)
            for name, child in self.outgoing[node]:
                if child not in terms or not _is_word(name):
                    return None
                arguments.append(child)
                atom = f"{label} . {name} ( {term} , {terms[child]} )"
                if name == MODIFIER:
                    following.append((nodes[child].token or 0, atom))
                else:
                    atoms.append(atom)
            if len(atoms) == first and not is_definite:
                atoms.append(f"{label} ( {term} )")
            if following:
                following.sort(key=_place)
                atoms += [atom for _, atom in following]
        if not self._root_leads_everywhere():
            return None
        if atoms:
            definites.append(" AND ".join(atoms))
        return " ; ".join(definites)

    def _root_leads_everywhere(self) -> bool:
        root = self.graph.root
        if root not in self.predicates:
            return False
        reached = [root]
        seen = {root}
        for node in reached:  # grows while it is read
            for child in self.arguments.get(node, ()):
                if child == root:
                    return False
                if child not in seen:
                    seen.add(child)
                    reached.append(child)
        return len(reached) == len(self.terms)


def _place(item: tuple[int, str]) -> int:
    return item[0]


@lru_cache(maxsize=1 << 10)
def _of_function_word(edge_label: str) -> bool:
    return edge_label == IOTA or edge_label.endswith((FIRST, SECOND))


@lru_cache(maxsize=1 << 16)
def _is_word(text: str) -> bool:
    """Whether a text can stand as one word of a logical form."""
    return text not in RESERVED and text.split() == [text]
