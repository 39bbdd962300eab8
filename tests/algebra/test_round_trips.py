"""Round trips of graphs from published corpora: graph -> derivation -> graph.

Derivations have the form that the parser of each benchmark learns from: trees with induced
sources, fragments of trees, or constants with edges between them and boxes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from amparser.algebra.conll import am_tree_to_str, am_trees_from_str
from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import expand
from amparser.algebra.tree import am_tree
from amparser.api import choose_settings
from amparser.benchmarks.pmb.reading import read_bank
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.errors import AMParserError, InputError
from amparser.graph.sgraph import SGraph, isomorphic
from amparser.induction.analysis import analyse
from amparser.induction.derivations import AlignedGraph, derive
from amparser.notations.penman import PENMAN
from amparser.notations.registry import NOTATIONS
from amparser.presets.graphs.training import training_set
from amparser.presets.source import Source, graph_of_example

ROWS = 300
SPLITS = (*(f"comp{neg}_{q}" for neg in ("", "neg") for q in ("every", "one", "two")), "depth")
TYPED = (
    *("slog", "slog gen", "slog varfree", "cogs", "cogs gen"),
    *(f"sygns/{split} {notation}" for split in SPLITS for notation in ("fol", "clf", "vf")),
)


class Trip(NamedTuple):
    """A graph, its derivation, and the evaluated graph; or the reason for a missing one."""

    graph: SGraph | None
    derivation: Derivation | None
    back: SGraph | None
    reason: str = ""

    @property
    def failure(self) -> str:
        if self.reason or self.graph is None or self.back is None:
            return self.reason or "no derivation"
        # Source names of primitives differ.
        left, right = replace(self.graph, sources={}), replace(self.back, sources={})
        return "" if isomorphic(left, right) else "another graph"

    @property
    def reentrant(self) -> bool:
        return self.derivation is not None and bool(self.derivation.reentrant)


def amconll_reason(derivation: Derivation) -> str:
    try:
        tree = am_tree(derivation)
    except InputError as error:
        return str(error)
    [read] = am_trees_from_str(am_tree_to_str(tree))
    open_root = len(derivation.tokens) == 1
    left, right = (expand(one, open_root=open_root) for one in (derivation, read.derivation()))
    return "" if isomorphic(left, right) else "what is written denotes another graph"


def typed(
    examples: Sequence[Example], notation: str, learned: Sequence[Example] = ()
) -> Iterator[Trip]:
    source = Source.of(Corpus(learned or examples, (), notation), "train")

    def graphs_of(rows: Sequence[Example]) -> Iterator[tuple[tuple[str, ...], SGraph] | str]:
        for example in rows:
            try:
                yield example.tokens, graph_of_example(example, source.notation)
            except AMParserError as error:
                yield str(error)

    inventory = None
    if learned:
        read = [row for row in graphs_of(learned) if not isinstance(row, str)]
        inventory = analyse(read).inventory
    graphs = []
    for row in graphs_of(examples):
        if isinstance(row, str):
            yield Trip(None, None, None, row)
        else:
            graphs.append(row)
    analysis = analyse(graphs, inventory)
    reasons = dict(analysis.failures)
    for number, ((tokens, graph), tree) in enumerate(zip(graphs, analysis.trees, strict=True)):
        if tree is None:
            yield Trip(graph, None, None, reasons[number])
            continue
        yield Trip(graph, tree, expand(tree, open_root=len(tokens) == 1))


def in_pieces(examples: Sequence[Example], notation: str) -> Iterator[Trip]:
    graphs = [graph_of_example(example, NOTATIONS[notation]) for example in examples]
    rows = [
        AlignedGraph(e.tokens, graph, e.alignment)
        for e, graph in zip(examples, graphs, strict=True)
    ]
    induced = derive(rows)
    for row, encoded in zip(rows, induced.derivations, strict=True):
        if encoded is None:
            yield Trip(
                row.graph, None, None, "its constants cannot be aligned with tokens of their own"
            )
            continue
        derivation = induced.inventory.decode(encoded)
        yield Trip(row.graph, derivation, induced.inventory.graph(derivation))


def in_layers(examples: Sequence[Example], notation: str) -> Iterator[Trip]:
    _, settings = choose_settings(benchmark="pmb", overrides=["data.texts=0"])
    numbered = [replace(example, line=i) for i, example in enumerate(examples, 1)]
    gold = training_set(Corpus(numbered, (), notation, places={"train": "rows"}), settings)
    reasons: dict[int, str] = {}
    for failure in gold.report.failures:
        _, line, reason = failure.split(":", 2)
        reasons[int(line)] = reason.strip()
    rows = iter(gold.train)
    for example in numbered:
        try:
            graph = graph_of_example(example, NOTATIONS[notation])
        except AMParserError as error:
            yield Trip(None, None, None, str(error))
            continue
        if example.line in reasons:
            yield Trip(graph, None, None, reasons[example.line])
            continue
        row = next(rows)
        yield Trip(graph, row.derivation, expand(row.derivation, gold.learned.scheme))


def corpora(data: Path, limit: int | None = None) -> dict[str, Callable[[], Iterator[Trip]]]:
    def read(path: str, most: int | None = limit) -> list[Example]:
        return read_examples(data / path, limit=most)

    found: dict[str, Callable[[], Iterator[Trip]]] = {}
    for name, folder, notation in (
        ("slog", "slog/cogs_lf", "cogs"),
        ("slog varfree", "slog/varfree_lf", "varfree"),
        ("cogs", "cogs", "cogs"),
    ):
        train, gen = f"{folder}/train.tsv.gz", f"{folder}/gen_sample.tsv.gz"
        found[name] = lambda p=train, n=notation: typed(read(p), n)
        found[f"{name} gen"] = lambda p=gen, t=train, n=notation: typed(
            read(p, None), n, read(t, None if limit is None else 10 * limit)
        )
    for split in sorted(path.name for path in (data / "sygns").iterdir()):
        for notation in ("fol", "clf", "vf"):
            path = f"sygns/{split}/train.{notation}.tsv.gz"
            found[f"sygns/{split} {notation}"] = lambda p=path, n=notation: typed(read(p), n)
    for split in ("standard", "template", "length", "tmcd"):
        path = f"geoquery/{split}/train.jsonl"
        found[f"geoquery/{split}"] = lambda p=path: in_pieces(read(p, None), "term")
    bank = data / "pmb/pmb4/train.penman.gz"
    found["pmb"] = lambda: in_layers(read_bank(bank, limit), PENMAN.name)
    return found


@pytest.mark.parametrize(
    "name", [*TYPED, *(f"geoquery/{s}" for s in ("standard", "template", "length", "tmcd"))]
)
def test_graphs_come_back_by_trees_alone(data_dir, name) -> None:
    trips = list(corpora(data_dir, ROWS)[name]())
    assert len(trips) >= ROWS
    for trip in trips:
        assert trip.failure == ""
        assert not trip.reentrant
        assert trip.derivation is not None
        assert trip.derivation.problems(open_root=len(trip.derivation.tokens) == 1) == []
        assert all(c is None or len(c.slots) <= 1 for c in trip.derivation.fragments)
        assert amconll_reason(trip.derivation) == ""


def test_graphs_in_boxes_come_back_with_reentrant_edges(data_dir) -> None:
    trips = list(corpora(data_dir, 500)["pmb"]())
    assert len(trips) == 500
    assert sum(not trip.failure for trip in trips) >= 0.985 * 500
    assert any(trip.reentrant for trip in trips)
    for trip in trips:
        assert trip.derivation is not None
        constants = [one for one in trip.derivation.fragments if one is not None]
        reason = amconll_reason(trip.derivation)
        if trip.reentrant or any(len(one.slots) > 1 for one in constants):
            assert reason.startswith("not an AM dependency tree: token "), reason
    # All nodes of a token are in one box, and edges between two nodes are written once.
    assert {trip.failure for trip in trips} <= {"", "another graph"}
