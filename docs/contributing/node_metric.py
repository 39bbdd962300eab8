"""A metric: the F score of the node labels of graphs, whatever the edges are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from amparser.corpora.example import Example
from amparser.errors import AMParserError
from amparser.evaluation.metric import Count
from amparser.evaluation.metric_registry import METRICS
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS
from amparser.results import Result


class NodeMetric:
    """F score of node labels."""

    name = "nodes"
    measures = ("node_f",)

    def problem(self, notation: Notation | None) -> str | None:
        """Return why labels cannot be compared in a notation."""
        return "labels have no graph" if notation is None else None

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return matching labels over all labels; a malformed answer has none."""
        assert notation is not None
        assert gold.meaning is not None
        wanted = self._labels(notation, gold.tokens, gold.meaning)
        try:
            found = self._labels(notation, gold.tokens, result.meaning or "")
        except AMParserError:
            found = Counter()
        matches = (wanted & found).total()
        return {"node_f": Count(2 * matches, wanted.total() + found.total())}

    @staticmethod
    def _labels(notation: Notation, tokens: tuple[str, ...], meaning: str) -> Counter[str | None]:
        return Counter(node.label for node in notation.graph(tokens, meaning).nodes.values())


NODES = NodeMetric()


def main() -> None:
    """Compare a right, a wrong and a missing answer."""
    cogs = NOTATIONS["cogs"]
    gold = Example(("Emma", "slept", "."), "sleep . agent ( x _ 1 , Emma )", notation="cogs")
    right = Result(gold.tokens, gold.meaning, "cogs")
    wrong = Result(gold.tokens, "snore . agent ( x _ 1 , Emma )", "cogs")
    none = Result(gold.tokens, notation="cogs", failure="no well-typed tree")

    assert NODES.compare(cogs, gold, right) == {"node_f": Count(4, 4)}
    assert NODES.compare(cogs, gold, wrong) == {"node_f": Count(2, 4)}
    assert NODES.compare(cogs, gold, none) == {"node_f": Count(0, 2)}
    total = Count(4, 4) + Count(2, 4) + Count(0, 2)
    assert total.share == 0.6

    METRICS.register("nodes", NODES)
    assert METRICS["nodes"].problem(None) == "labels have no graph"


if __name__ == "__main__":
    main()
