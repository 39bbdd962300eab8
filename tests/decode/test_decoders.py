"""Decoders as plug-ins: their names and classes of trees, in this package and in others."""

import numpy as np
import pytest
from command_line import python
from decode_oracles import random_scores, system

from amparser.decode.decoders import DECODERS
from amparser.decode.scores import Scores

TYPED = ("astar-gap", "astar", "fixed-tree")


def test_names_are_known_without_loading_a_decoder() -> None:
    code = (
        "from amparser.decode.decoders import DECODERS; import sys; "
        "print(*DECODERS, *{'numba', 'numpy', 'torch'} & sys.modules.keys())"
    )
    assert python("-c", code).split() == [*TYPED, "wrap", "tree", "projective"]


@pytest.mark.parametrize("name", TYPED)
def test_decoders_answer_in_the_order_of_input(name) -> None:
    table = system(2)
    batch = [random_scores(table, n, n) for n in (3, 0, 7, 1, 5)]
    parses = DECODERS[name].search(batch, table, supertag_limit=6)
    assert parses == [DECODERS[name].search([s], table, supertag_limit=6)[0] for s in batch]
    assert [len(parse.heads) for parse in parses if parse.found] == [
        len(scores) for scores, parse in zip(batch, parses, strict=True) if parse.found
    ]
    assert not parses[1].found


@pytest.mark.parametrize("name", TYPED)
def test_words_that_are_not_mobile_stay_in_their_places(name) -> None:
    table = system(2)
    for seed in range(20):
        scores, rng = random_scores(table, 5, seed), np.random.default_rng(seed)
        in_place = rng.random((5, 2, table.combine.shape[2])) < 0.7
        held = Scores(scores.supertag_logp, scores.edge_logp, in_place, np.zeros(5, np.bool_))
        (parse,) = DECODERS[name].search([held], table, supertag_limit=None)
        for dependent, (head, operation) in enumerate(
            zip(parse.heads, parse.operations, strict=True)
        ):
            if operation > 1:
                assert in_place[dependent, int(dependent + 1 > head), operation]
