"""Constants that are pieces of graphs: parsers are trained from meanings or graphs."""

from __future__ import annotations

from dataclasses import replace

from amparser.compositions.constants import Constants
from amparser.compositions.graphs.composition import GraphComposition
from amparser.compositions.graphs.gold import GraphLearned, gold_of
from amparser.compositions.graphs.samples import GraphSamples
from amparser.compositions.needs import graph_needs
from amparser.compositions.settings import GraphDataSettings, GraphSettings
from amparser.compositions.source import Source, graph_of_example
from amparser.corpora.corpus import Corpus
from amparser.errors import AMParserError, CorpusError
from amparser.graph.boxes import join
from amparser.graph.sgraph import isomorphic
from amparser.induction.fragments import expand
from amparser.lexicon.analysis import EMPTY, JOINED


def given_back(corpus: Corpus) -> float:
    """See `Constants`."""
    settings = GraphDataSettings(texts=0.0)
    try:
        gold = gold_of(replace(corpus, dev=()), settings)
    except CorpusError:
        raise
    except AMParserError:
        return 0.0
    # The rows are those of the examples in their order, of which some have none.
    graphs = list(
        Source.of(corpus, "train").read(enumerate(corpus.train), graph_of_example)[0].values()
    )
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
    GraphSettings(),
    GraphLearned,
    lambda corpus, settings, _: gold_of(corpus, settings.data),
    graph_needs,
    GraphSamples,
    GraphComposition,
    given_back,
)
