"""Rules of English grammar that add missing edges to an EDS graph before its roles are listed.

The roles are read from a corrected copy; the answer keeps its graph and score.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from amparser.graph.sgraph import Edge, Node, SGraph

_VERB = r"_.+_v(?:_.*)?|_.+[|]v.*"
_SUBJECTS = (
    (r"_promise_v.*", ("ARG3",), ("ARG1",)),
    (r"_(?:and|or|but|nor)_c", ("ARG2",), ("ARG1", "ARG1")),
    (r"_(?:without|before|after)_p.*|_by_p_means", ("ARG2", "ARG1"), ("ARG1", "ARG1")),
    (r"_by_p(?:_state)?", ("ARG1",), ("ARG2",)),
)
"""Pattern of a node, path from it to a verb, and path from it to the verb's missing subject."""
_DENIAL = (
    "(?:am|are|be|can|could|did|do|does|had|has|have|is|may|might|must|need|shall|should|was|were"
    r"|will|would) not (?!only).*|\S* \S+n['\u2019]t .*"
)
"""Pattern of three words with a negation in the middle: "is not here" or "she isn't here"."""
_NEAR = 4
"""Maximum distance in tokens of a verb from its negation."""

_NONE = -1
"""Number of a missing node; `repaired` removes edges to it."""


def repaired(graph: SGraph, words: Sequence[str]) -> SGraph:
    """Return the graph with the arguments and negations that English grammar requires."""
    rules = _Rules(graph, words)
    found = chain(rules.subjects(), rules.objects(), rules.nouns(), rules.predicates())
    changes = {edge[:2]: edge for edge in found}
    edges = [edge for edge in graph.edges if edge[:2] not in changes]
    edges += [edge for edge in changes.values() if edge.child != _NONE]
    nodes = dict(graph.nodes)
    for edge in rules.denials():
        nodes[edge.parent] = Node("neg", edge.parent - max(graph.nodes))
        edges.append(edge)
    return SGraph(nodes, tuple(edges), graph.root)


class _Rules:
    def __init__(self, graph: SGraph, words: Sequence[str]) -> None:
        self.words = ["", *(word.lower() for word in words), ""]
        self.labels = {n: node.label or "" for n, node in graph.nodes.items()}
        self.at = {n: node.token or 0 for n, node in graph.nodes.items()}
        self.below: dict[int, dict[str, int]] = {n: {} for n in graph.nodes}
        self.edges = graph.edges
        for parent, label, child in self.edges:
            self.below[parent].setdefault(label, child)
        self.verbs = {*self.like(_VERB)}

    def like(self, pattern: str) -> list[int]:
        return [n for n, label in self.labels.items() if re.fullmatch(pattern, label)]

    def end(self, node: int, *path: str) -> int:
        """Return the end of a path of edges from a node, or `_NONE`."""
        for role in path:
            node = self.below.get(node, {}).get(role, _NONE)
        return node

    def subjects(self) -> Iterator[Edge]:
        """Yield an edge from "come" to its subject "he" in "he promised to come"."""
        for pattern, to_verb, to_subject in _SUBJECTS:
            for node in self.like(pattern):
                verb, subject = self.end(node, *to_verb), self.end(node, *to_subject)
                if verb in self.verbs and subject in self.below.keys() - self.verbs:
                    old, distance = self.end(verb, "ARG1"), self.at[verb] - self.at[node]
                    is_passive = any(self.at[n] < self.at[verb] for n in self.below[verb].values())
                    is_near = distance == 1 or (distance < 0 and is_passive)
                    # In "he promised Ann to come", replace "Ann" by "he" as the subject of "come".
                    if is_near if old == _NONE else old == self.end(node, "ARG2"):
                        yield Edge(verb, "ARG1", subject)

    def objects(self) -> Iterator[Edge]:
        """Yield an edge from "please" to its object "John" in "John is easy to please"."""
        for node in self.like(r"_.+_a_for"):
            purposes = (self.end(n, "ARG2") for n in self.below if self.end(n, "ARG1") == node)
            for verb in self.verbs & {*self.below[node].values(), *purposes}:
                old, subject = self.end(verb, "ARG1"), self.end(node, "ARG1")
                subject = old if subject == verb else subject
                is_before = 0 < self.at.get(subject, 0) < self.at[node] < self.at[verb]
                is_free = self.end(verb, "ARG2") == _NONE
                if is_before and is_free and self.words[self.at[verb] - 1] == "to":
                    yield Edge(verb, "ARG1", _NONE if old == subject else old)
                    yield Edge(verb, "ARG2", subject)

    def nouns(self) -> Iterator[Edge]:
        """In "the man who sang left", yield an edge from "left" to "man" instead of "sang"."""
        for verb in self.verbs:
            inner = self.end(verb, "ARG1")
            for noun in self.below[inner].values() if inner in self.verbs else ():
                between = self.words[self.at[noun] + 1 : self.at[inner]]
                is_relative = {"who", "whom", "which", "that"} & {*between} and self.at[noun]
                if is_relative and self.at[inner] < self.at[verb]:
                    yield Edge(verb, "ARG1", noun)

    def predicates(self) -> Iterator[Edge]:
        """Yield an edge from "late" to its ARG1 "bus" in "the bus is late".

        Edges to a negation move to the negated node.
        """
        things = {self.end(n, "BV") for n in self.below}
        others = {n: self.end(n, "ARG1") for n in self.like("neg|_never_a_1")}
        words = {self.end(n, "ARG1"): n for n in self.like("_.*")}
        times = words.keys() & {*self.like("(?:time|place)_n")}
        for node in self.like("loc_nonsp"):
            time, thing = self.end(node, "ARG2"), self.end(node, "ARG1")
            if thing in things and time in times:
                others[node] = words[time]
                yield Edge(words[time], "ARG1", thing)
                yield Edge(node, "ARG1", _NONE)
        for parent, role, child in self.edges:
            if others.get(child, _NONE) != _NONE:
                yield Edge(parent, role, others[child])

    def denials(self) -> Iterator[Edge]:
        """Yield an edge from a new negation node to each verb whose negation the graph lacks."""
        heard = {self.at[n] for n in self.like("neg|_no.*")}
        for place in range(1, len(self.words) - 1):
            is_denial = re.fullmatch(_DENIAL, " ".join(self.words[place - 1 : place + 2]))
            verbs = [n for n in self.verbs if place < self.at[n] <= place + _NEAR]
            if is_denial and verbs and not heard & {place - 1, place}:
                yield Edge(max(self.labels) + place, "ARG1", min(verbs, key=self.at.__getitem__))
