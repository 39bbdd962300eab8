"""Decoders on AM trees of grammar derivations: gold scores give the tree back without a network."""

import numpy as np
import pytest
from grammar_trees import sampled_derivations, sampled_trees

from amparser.algebra.derivation import Derivation
from amparser.algebra.expand import expand
from amparser.benchmarks import fragments
from amparser.decode import astar, astar_gap, fixed_tree
from amparser.decode.scores import Scores
from amparser.grammar.library import load_library
from amparser.lexicon.lexicon import Lexicon
from amparser.lexicon.supertags import instantiate
from amparser.logic.cogs import equivalent
from amparser.notations.cogs_from_graph import logical_form_from_graph

# Types with trees that no projective decoder finds.
CROSSING = {"Q_long_mv", "Q_iobj_ditransV", "Q_modified_NPs"}
EACH = 6


def gold_scores(tree: Derivation, lexicon: Lexicon) -> Scores:
    """Return log-probability 0 for everything in the tree, and -1 otherwise."""
    encoded = lexicon.encode(tree)
    n = len(tree.tokens)
    supertag_logp = np.full((n, len(lexicon.supertags)), -1.0, np.float32)
    edge_logp = np.full((n, n + 1, len(lexicon.operations)), -1.0, np.float32)
    edge_logp[:, 0, 2:] = edge_logp[:, 1:, :2] = -np.inf
    rows = zip(encoded.tags, encoded.heads, encoded.operations, strict=True)
    for i, (k, head, operation) in enumerate(rows):
        supertag_logp[i, k] = edge_logp[i, head, operation] = 0.0
    return Scores(supertag_logp, edge_logp)


@pytest.mark.parametrize("name", ["slog", "cogs"])
def test_gold_scores_of_every_type_decode_to_its_meaning(name) -> None:
    library = load_library(name)
    trees = sampled_trees(name, EACH)
    lexicon = Lexicon.from_trees(trees, polymorphic=True)
    for (kind, derivation), tree in zip(sampled_derivations(name, EACH), trees, strict=True):
        scores = gold_scores(tree, lexicon)
        meaning = fragments.logical_form(library, derivation)
        decoders = [astar_gap, fixed_tree] if kind in CROSSING else [astar_gap, fixed_tree, astar]
        for decoder in decoders:
            parse = decoder.decode(scores, lexicon.table, open_root=True)
            assert parse.logp == pytest.approx(0.0), (kind, decoder.__name__)
            indices = parse.supertags, parse.heads, parse.operations
            again = lexicon.derivation(tree.tokens, *indices)
            graph = expand(instantiate(again))
            assert equivalent(logical_form_from_graph(graph), meaning)
