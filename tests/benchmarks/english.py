"""All figures of `docs/eds.md` and `docs/roles.md` for a model, in one run.

    python tests/benchmarks/english.py MODEL DIR/dev.penman.gz

Sentences are read as raw text. After all figures by kind of text, length and unknown words come the
roles that are found by kind of predicate, why others are not, other ways of writing every third
sentence, and the speed.
"""

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from amparser.benchmarks.eds.benchmark import EDS
from amparser.benchmarks.eds.roles import ROLES, aligned_with
from amparser.corpora.example import Example
from amparser.evaluation.evaluate import by_tag
from amparser.evaluation.gold import read_gold
from amparser.evaluation.metric_registry import METRICS
from amparser.evaluation.metrics.graphs import gold_graph
from amparser.graph.sgraph import SGraph
from amparser.notations.registry import NOTATIONS
from amparser.notations.roles import links_of
from amparser.parser import Parser
from amparser.results import Result

PENMAN = NOTATIONS["penman"]
QUICK = ("roles-f1", "edm", "edm-spanless")
WHOLE = ("smatch", "smatch-tool")
COLUMNS = (
    "roles",
    *("EDM with spans", "names", "arguments"),
    *("EDM without spans", "names", "arguments"),
    *("Smatch", "by the tool"),
)
AS_IT_STANDS = "as it stands"
WRITTEN: dict[str, Callable[[str], str]] = {
    AS_IT_STANDS: str,
    "lower case": str.lower,
    "no sign at the end": lambda text: re.sub(r"[.?!]+$", "", text).rstrip(),
    "n't apart": lambda text: re.sub(r"(\w)(n['\u2019]t)\b", r"\1 \2", text),
}
"""Other ways of writing a sentence."""


class Link(NamedTuple):
    """A role by the tokens and labels of predicate and argument."""

    head: int | None
    role: str
    argument: int | None
    label: str
    argument_label: str

    @property
    def place(self) -> tuple[int | None, str, int | None]:
        """What `roles-f1` compares."""
        return self[:3]

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


def figures(
    examples: Sequence[Example], results: Sequence[Result], name: str = "all of dev", *, quick: bool
) -> None:
    """Print a row of F scores for each tag, in percent; Smatch is left out of a quick one."""
    names = [*QUICK, *(() if quick else WHOLE)]
    tables = {}
    for metric in names:
        rows = zip(examples, results, strict=True)
        counts = [METRICS[metric].compare(PENMAN, *row) for row in rows]
        tables[metric] = by_tag([example.tags for example in examples], counts)
    for tag in next(iter(tables.values())):
        shown = [
            f"{100 * (count.share or 0):.1f}"
            for metric in names
            for measure, count in tables[metric].get(tag, {}).items()
            if not measure.endswith(("precision", "recall"))
        ]
        size = sum(not tag or tag in example.tags for example in examples)
        print(f"| {tag or name} ({size}) | {' | '.join(shown)} |", flush=True)


def plain(examples: Iterable[Example]) -> list[Example]:
    """The same without tags."""
    return [replace(one, tags=()) for one in examples]


def why(link: Link, graph: SGraph, wrong: Sequence[Link]) -> str:
    """Why a role of gold is not found, given the graph that is found and its wrong roles."""
    at: dict[int | None, set[str | None]] = {}
    for node in graph.nodes.values():
        at.setdefault(node.token, set()).add(node.label)
    ends = {link.head, link.argument}
    if any(one.head == link.head and one.argument == link.argument for one in wrong):
        return "the role has another name"
    if any({one.head, one.argument} == ends for one in wrong):
        return "the two words are related the other way round"
    if link.label not in at.get(link.head, ()):
        elsewhere = any(link.label in labels for labels in at.values())
        there = "the predicate stands at another word"
        return there if elsewhere else "the word has another predicate"
    if any(one.head == link.head and one.role == link.role for one in wrong):
        return "the predicate is there, its argument is another word"
    if link.argument_label not in at.get(link.argument, ()):
        return "the argument has another node"
    if any(one.argument == link.argument and one.role == link.role for one in wrong):
        return "the argument belongs to another word"
    return "the two words are not related"


def roles(examples: Sequence[Example], results: Sequence[Result]) -> None:
    """Print which kinds of roles are found, and why others are not."""
    asked: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    pairs = [0, 0]
    for example, result in zip(examples, results, strict=True):
        gold = gold_graph(PENMAN, example)
        assert gold is not None
        assert result.graph is not None
        aligned = aligned_with(gold, example, result.tokens)
        assert aligned is not None
        wanted, found = links(aligned), links(result.graph)
        both = [Counter(frozenset((x.head, x.argument)) for x in some) for some in (wanted, found)]
        pairs[0] += 2 * (both[0] & both[1]).total()
        pairs[1] += len(wanted) + len(found)
        left = Counter(x.place for x in found)
        failed = []
        for link in wanted:
            asked[link.kind] += 1
            if left[link.place]:
                left[link.place] -= 1
            else:
                failed.append(link)
        wrong = [x for x in found if left[x.place]]
        missed.update(link.kind for link in failed)
        reasons.update(why(link, result.graph, wrong) for link in failed)
    print(f"\npairs of words, whatever the role: {100 * pairs[0] / pairs[1]:.1f} %")
    print(f"\n| why {missed.total()} of {asked.total()} roles are not found | roles |\n|---|--:|")
    for reason, count in reasons.most_common():
        print(f"| {reason} | {count} |")
    print("\n| role | found in % |\n|---|--:|")
    for kind, count in asked.most_common(30):
        print(f"| {kind} ({count}) | {100 * (1 - missed[kind] / count):.1f} |")


def ways_of_writing(parser: Parser, examples: Sequence[Example]) -> None:
    """Print the figures of other ways of writing every third sentence, or those with n't."""
    third = examples[::3]
    apart = WRITTEN["n't apart"]
    negated = [one for one in examples if apart(one.sentence) != one.sentence]
    for name, change in WRITTEN.items():
        for some in (third, negated) if name == AS_IT_STANDS else (third,):
            some = negated if change is apart else some
            results = parser.parse([change(one.sentence) for one in some])
            figures(plain(some), results, name, quick=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print all figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model")
    options.add_argument("dev", type=Path)
    options.add_argument("--limit", type=int, help="only so many sentences")
    given = options.parse_args(arguments)
    parser = Parser.load(given.model)
    examples = read_gold(given.dev, parser, EDS, given.limit)
    sentences = [example.sentence for example in examples]
    parser.parse(sentences[:50])
    usual = [s for s in sentences if 13 <= len(s.split()) <= 17]
    started = time.process_time()
    parser.parse(usual)
    spent = time.process_time() - started
    print(
        f"{len(usual)} sentences of 13 to 17 words: {len(usual) / spent:.0f} a second of one core"
    )
    results = parser.parse(sentences)
    print(f"{sum(x.graph is None for x in results)} of {len(results)} have no answer\n")
    tagged = [
        replace(one, tags=(*one.tags, "unknown words" if result.unknown else "known words"))
        for one, result in zip(examples, results, strict=True)
    ]
    print("| sentences | " + " | ".join(COLUMNS) + " |\n|---" + "|--:" * len(COLUMNS) + "|")
    figures(tagged, results, quick=False)
    without = replace(parser.settings, decode=replace(parser.settings.decode, frames=False))
    others = parser.with_settings(without).parse(sentences)
    figures(plain(examples), others, "without frames", quick=True)
    ways_of_writing(parser, examples)
    roles(examples, results)


if __name__ == "__main__":
    main()
