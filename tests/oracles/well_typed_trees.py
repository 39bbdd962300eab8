"""Random well-typed AM dependency trees."""

import random

from hypothesis import strategies as st

from amparser.algebra.fragment import LEX, Fragment, fragment_from_graph
from amparser.algebra.tree import AMTree, Entry
from amparser.algebra.types import APP, EMPTY, MOD, ROOT, AMType, type_of
from amparser.errors import AlgebraError
from amparser.graph.sgraph import Edge, Node, SGraph


class TreeMaker:
    """Generator of random well-typed trees that use all features of types."""

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.budget = size
        self.made: list[tuple[int, str, Fragment]] = []

    def tree(self) -> AMTree:
        self.make(EMPTY, -1, ROOT)
        positions = list(range(len(self.made) + self.random.randint(0, 2)))
        self.random.shuffle(positions)
        entries = [Entry(f"w{i}") for i in positions]
        for number, (head, operation, supertag) in enumerate(self.made):
            entries[positions[number]] = Entry(
                f"w{number}",
                0 if head < 0 else positions[head] + 1,
                operation,
                supertag,
                "$FORM$" if supertag.slots else None,
            )
        return AMTree(tuple(entries))

    def make(self, wanted: AMType, head: int, operation: str) -> None:
        """Add a random subtree of a type, with arguments and modifiers within the budget."""
        this = len(self.made)
        self.budget -= 1
        arguments = self.random.randint(0, min(2, max(0, self.budget)))
        extra = [f"e{this}.{i}" for i in range(arguments)]
        lexical_type = self.lexical_type(wanted, extra)
        self.made.append((head, operation, self.constant(lexical_type, extra)))
        for source in extra:
            self.make(lexical_type.request(source), this, APP + source)
        if self.budget > 0 and self.random.random() < 0.5:
            part = lexical_type
            while part.origins and self.random.random() < 0.6:
                part = part.without(self.random.choice(sorted(part.origins)))
            modified = f"m{this}"
            self.make(type_of({*part.sources, modified}, part.renamings), this, MOD + modified)

    def lexical_type(self, wanted: AMType, extra: list[str]) -> AMType:
        edges = list(wanted.renamings)
        drawn = [
            (source, self.random.choice([target, "n1", "n2"]), target)
            for i, source in enumerate(extra)
            for target in [*extra[i + 1 :], *sorted(wanted.sources)]
            if self.random.random() < 0.4
        ]
        try:
            return type_of({*wanted.sources, *extra}, [*edges, *drawn])
        except AlgebraError:  # two targets with one name in a request
            return type_of({*wanted.sources, *extra}, edges)

    def constant(self, lexical_type: AMType, extra: list[str]) -> Fragment:
        # In an identity, an argument's node is the root.
        content = extra[0] if extra and self.random.random() < 0.3 else None
        nodes = {0: Node(None if content else LEX)}
        sources = {content: 0} if content else {}
        edges = []
        for source in sorted(lexical_type.sources - set(sources)):
            if source in lexical_type.origins or self.random.random() < 0.6:
                sources[source] = len(nodes)
                nodes[len(nodes)] = Node()
                pair = [0, sources[source]]
                self.random.shuffle(pair)
                edges.append(Edge(pair[0], f"r{source}", pair[1]))
        return fragment_from_graph(SGraph(nodes, tuple(edges), 0, sources), lexical_type)


well_typed_trees = st.builds(
    lambda seed, size: TreeMaker(seed, size).tree(), st.integers(0, 10**9), st.integers(1, 5)
)
