"""Semantic roles in Elementary Dependency Structures, and their F score.

Quantifiers are not predicates. An abstract predicate such as `compound` or `poss` usually relates
an ARG1 to an ARG2; the name of the predicate is then the role between the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from amparser.benchmarks.eds.repairs import repaired
from amparser.corpora.example import Example
from amparser.corpora.tokens import places_in
from amparser.errors import AMParserError
from amparser.evaluation.metric import Count
from amparser.evaluation.metrics.graphs import GraphMetric, found_graph, gold_graph, overlap
from amparser.graph.sgraph import SGraph
from amparser.notations.negation import NegationRules
from amparser.notations.notation import Notation
from amparser.notations.roles import RoleScheme, glosses_of, links_of
from amparser.results import Result

_PAIRS = glosses_of(Path(__file__).with_name("relations.tsv"))
"""Gloss of each relation, for example `poss`: "whose"."""
_GLOSSES = [
    line.split("\t")
    for line in Path(__file__).with_name("glosses.tsv").read_text(encoding="utf-8").splitlines()
]
"""Patterns of predicates, each with a role and its gloss."""

ROLES = RoleScheme(
    # Names of unknown words contain the part of speech: `_xyzzy|jj_u_unknown`.
    name=r"_(?P<word>.+?)(?:\|[a-z]+(?=_u_unknown))?_(?P<sense>[a-z](?:_.*)?)",
    space="+",
    hidden=frozenset({"BV", "carg"}),
    silent=r'.*_q(?:_i)?(?: .*)?|".*"|(?:\'|[+-]?\d).*|[+-]',
    relations="|".join(_PAIRS),
    # These arguments are clauses: what someone promises, says or asks.
    unexplained=r"ARG[34] _.+_v_.+",
    negation=NegationRules(
        negators=r"(?:neg|_nor_c|_not_x_deg|_(?:never|hardly|scarcely|barely)_(?:a_1|x_deg)"
        r"|_(?:no|not|never)\+.*) .*|_without_p ARG2",
        nothing="_no_q|_neither_q|_nor_c|(?:.*_q(?:_.*)?|much-many_a) not",
        owners="poss ARG1",
        passing=r"neg|.*_v_modal|.*_c|nominalization",
    ),
    repair=repaired,
    glosses=(
        *((name, {"": words}) for name, words in _PAIRS.items()),
        # Prepositions such as `_for_p` and `_by_p_means` have too many uses for one gloss.
        *((pattern, {role: gloss}) for pattern, role, gloss in _GLOSSES),
    ),
)


class RolesMetric(GraphMetric):
    """F score, precision and recall of (predicate token, role, argument token) triples."""

    name = "roles-f1"
    measures = ("roles_f", "roles_precision", "roles_recall")

    def compare(
        self, notation: Notation | None, gold: Example, result: Result
    ) -> Mapping[str, Count]:
        """Return the counts of one answer; empty if the gold graph is not aligned."""
        wanted = gold_graph(notation, gold)
        if wanted is None or (wanted := aligned_with(wanted, gold, result.tokens)) is None:
            return {}
        try:
            predicted = result.graph or found_graph(notation, gold, result)
        except AMParserError:
            predicted = None
        sides = ([] if graph is None else _roles(graph) for graph in (wanted, predicted))
        return dict(zip(self.measures, overlap(*sides).counts(), strict=True))


def _roles(graph: SGraph) -> list[tuple[int | None, str, int | None]]:
    tokens = {number: node.token for number, node in graph.nodes.items()}
    return [(tokens[x.head], x.role, tokens[x.dependent]) for x in links_of(graph, ROLES)]


def aligned_with(graph: SGraph, gold: Example, tokens: Sequence[str]) -> SGraph | None:
    """Align a gold graph with the tokens of an answer; None if gold has no alignment."""
    if any(node.token is not None for node in graph.nodes.values()):
        return graph
    layers = dict(gold.layers)
    words, aligned = layers.get("tok", gold.tokens), layers.get("alignments", ())
    if len(aligned) != len(graph.nodes):
        return None
    places = places_in(gold.sentence, tokens)
    starts = [start for start, _ in places_in(gold.sentence, words)]
    token_of = [
        max((n for n, (at, _) in enumerate(places, 1) if at <= s), default=1) for s in starts
    ]
    nodes = {
        number: node._replace(token=None if word == "-" else token_of[int(word) - 1])
        for (number, node), word in zip(graph.nodes.items(), aligned, strict=True)
    }
    return SGraph(nodes, graph.edges, graph.root)


ROLES_F1 = RolesMetric()
