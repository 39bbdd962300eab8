"""Scoped graphs of SyGNS: round trips of each notation over every published file."""

import pytest
from formulas import formulas
from hypothesis import given, settings
from sygns_data import FILES, Row, read_rows

from amparser.algebra.expand import expand
from amparser.benchmarks.sygns.entailment import Verdict, z3_prover
from amparser.graph.sgraph import isomorphic
from amparser.induction.analysis import analyse
from amparser.lexicon.lexicon import Lexicon
from amparser.logic.scope import narrowed
from amparser.logic.vf import vf_from_str
from amparser.notations.registry import NOTATIONS
from amparser.notations.scoped_graph import graph_from_vf


def forms(row: Row) -> dict[str, str]:
    return {"fol": row.fol, "vf": row.vf, "clf": row.clf}


@pytest.mark.parametrize("file", FILES)
def test_every_notation_has_the_same_graph_and_round_trips_exactly(data_dir, file) -> None:
    for row in read_rows(data_dir, file, step=9):
        tokens = row.sentence.split()
        graphs = {name: NOTATIONS[name].graph(tokens, text) for name, text in forms(row).items()}
        graph = graphs["vf"]
        assert all(other == graph for other in graphs.values()), row.sentence
        for name, text in forms(row).items():
            assert NOTATIONS[name].write(graph) == text


@pytest.mark.parametrize("file", ["comp_one/train", "compneg_two/train", "depth/train"])
def test_every_graph_decomposes_into_few_supertags(data_dir, file) -> None:
    rows = list(read_rows(data_dir, file, step=9))
    graphs = [
        (row.sentence.split(), graph_from_vf(row.sentence.split(), vf_from_str(row.vf)))
        for row in rows
    ]
    analysis = analyse(graphs)
    assert analysis.failures == ()
    for (_, graph), tree in zip(graphs, analysis.trees, strict=True):
        assert isomorphic(expand(tree), graph)
    trees = [tree for tree in analysis.trees if tree is not None]
    assert len(Lexicon.from_trees(trees, polymorphic=True).supertags) <= 16


@settings(max_examples=60, deadline=None)
@given(formulas())
def test_narrowed_formulas_are_equivalent(formula) -> None:
    inside = narrowed(formula)
    assert narrowed(inside) == inside
    prover = z3_prover()
    for left, right in ((formula, inside), (inside, formula)):
        assert prover(left, right) is not Verdict.NOT_ENTAILED
