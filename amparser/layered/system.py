"""Constants that are pieces of graphs: parsers are trained from meanings or graphs."""

from __future__ import annotations

from dataclasses import replace

from amparser.corpora.corpus import Corpus
from amparser.errors import AMParserError, CorpusError
from amparser.graph.boxes import join
from amparser.graph.sgraph import isomorphic
from amparser.layered.analysis import EMPTY, JOINED
from amparser.layered.fragments import expand
from amparser.layered.gold import GraphLearned, gold_of, gold_rows
from amparser.layered.model import GraphComposition
from amparser.layered.network import needs_of
from amparser.layered.settings import LayeredDataSettings, LayeredSettings
from amparser.layered.task import LayeredTask
from amparser.learn.constants import Constants
from amparser.learn.example_graphs import graph_of_example, read_each


def given_back(corpus: Corpus) -> float:
    """See `Constants`."""
    settings = LayeredDataSettings(texts=0.0)
    try:
        gold = gold_of(replace(corpus, dev=()), settings)
    except CorpusError:
        raise
    except AMParserError:
        return 0.0
    # The rows are those of the examples in their order, of which some have none.
    graphs = list(read_each(corpus, "train", graph_of_example)[0].values())
    place = found = 0
    for left, row in zip(range(len(gold.train), 0, -1), gold.train, strict=True):
        graph = join(expand(row.analysis), gold.learned.scheme)
        for other in range(place, len(graphs) - left + 1):
            if isomorphic(graph, graphs[other]):
                constants = sum(tag not in (EMPTY, JOINED) for tag in row.analysis.tags)
                found += constants > 1 or len(graph.nodes) == 1
                place = other
                break
        place += 1
    return found / max(1, len(corpus.train))


GRAPH = Constants(
    "graph",
    "constants of several nodes, edges and boxes beside the tree, for graphs of real text",
    LayeredSettings(),
    GraphLearned,
    gold_rows,
    needs_of,
    LayeredTask,
    GraphComposition,
    given_back,
)
