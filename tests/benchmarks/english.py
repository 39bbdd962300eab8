"""Figures of `docs/eds.md` and `docs/roles.md` beyond those of `amparser evaluate`.

    python tests/benchmarks/english.py MODEL DIR/dev.penman.gz

They are by known and unknown words, of pairs of words, and by kind of role.
"""

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from amparser.benchmarks.eds.benchmark import EDS
from amparser.benchmarks.eds.roles import ROLES, aligned_with
from amparser.corpora.example import Example
from amparser.evaluation.evaluate import evaluate
from amparser.evaluation.gold import read_gold
from amparser.evaluation.metrics.graphs import gold_graph
from amparser.graph.sgraph import SGraph
from amparser.notations.registry import NOTATIONS
from amparser.notations.roles import links_of
from amparser.parser import Parser
from amparser.results import Result

PENMAN = NOTATIONS["penman"]


class Link(NamedTuple):
    """A role by the tokens and labels of predicate and argument."""

    head: int | None
    role: str
    argument: int | None
    label: str
    argument_label: str

    @property
    def kind(self) -> str:
        """The part of speech of the predicate, or its name, and the role."""
        match = re.fullmatch(r"_.+?_([a-z])(?:_.*)?", self.label)
        return f"{match[1] if match else self.label} {self.role}"


def links(graph: SGraph) -> list[Link]:
    """The roles of a graph."""
    nodes = graph.nodes
    return [
        Link(nodes[x.head].token, x.role, nodes[x.dependent].token, *map(str, labels))
        for x in links_of(graph, ROLES)
        if (labels := (nodes[x.head].label, nodes[x.dependent].label))
    ]


def figures(parser: Parser, examples: Sequence[Example], name: str) -> None:
    """Print shares of each tag in percent."""
    answers = evaluate(parser, examples, metrics=["roles-f1", "edm", "smatch"], benchmark=EDS)
    for tag, counts in answers.table("tree").items():
        shares = (f"{measure} {100 * (count.share or 0):.1f}" for measure, count in counts.items())
        print(f"{name}, {tag or 'all'}:", *shares, flush=True)


def roles(examples: Sequence[Example], results: Sequence[Result]) -> None:
    """Print which kinds of roles are found, and the share of pairs of words."""
    asked: Counter[str] = Counter()
    found: Counter[str] = Counter()
    pairs = [0, 0]
    for example, result in zip(examples, results, strict=True):
        gold = gold_graph(PENMAN, example)
        assert gold is not None
        assert result.graph is not None
        aligned = aligned_with(gold, example, result.tokens)
        assert aligned is not None
        wanted, predicted = links(aligned), links(result.graph)
        both = [
            Counter(frozenset((x.head, x.argument)) for x in some) for some in (wanted, predicted)
        ]
        pairs[0] += 2 * (both[0] & both[1]).total()
        pairs[1] += len(wanted) + len(predicted)
        left = Counter(link[:3] for link in predicted)
        for link in wanted:
            asked[link.kind] += 1
            if left[link[:3]]:
                left[link[:3]] -= 1
                found[link.kind] += 1
    print(f"pairs of words, whatever the role: {100 * pairs[0] / pairs[1]:.1f} %")
    print(f"roles: {found.total()} of {asked.total()}")
    for kind, count in asked.most_common(30):
        print(f"| {kind} ({count}) | {100 * found[kind] / count:.1f} |")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print all figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model")
    options.add_argument("dev", type=Path)
    given = options.parse_args(arguments)
    parser = Parser.load(given.model)
    examples = read_gold(given.dev, parser, EDS, None)
    results = parser.parse([example.sentence for example in examples])
    tagged = [
        replace(one, tags=("unknown words" if result.unknown else "known words",))
        for one, result in zip(examples, results, strict=True)
    ]
    figures(parser, tagged, "the model")
    roles(examples, results)


if __name__ == "__main__":
    main()
