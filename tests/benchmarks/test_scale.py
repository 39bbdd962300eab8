"""The synthetic lexicons of the benchmark of growth are what it says."""

from __future__ import annotations

import numpy as np
import pytest
import scale

from amparser.amtree.evaluate import evaluate, problems
from amparser.decode.decoders import DECODERS
from amparser.lexicon.denotation import Denotation
from amparser.lexicon.restrictions import Restrictions


@pytest.mark.parametrize("count", [12, 100])
def test_trees_of_a_synthetic_lexicon_are_well_typed_and_found(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scale, "SENTENCES", 20)
    lexicon, trees = scale.synthetic_lexicon(count)
    assert len(lexicon.supertags) == count + 1
    assert [problems(tree) for tree in trees] == [[]] * len(trees)
    random = np.random.default_rng(0)
    rules, denotation = Restrictions(lexicon), Denotation(lexicon)
    for tree in trees[-20:]:
        assert len(tree) in scale.SENTENCE_LENGTHS
        tokens = tuple(entry.form for entry in tree.entries)
        scores = rules.apply(tokens, scale.right_scores(lexicon, tree, random))
        [parse] = DECODERS["astar-gap"].search([scores], rules.table, supertag_limit=6)
        assert (list(parse.supertags), list(parse.heads), list(parse.operations)) == lexicon.encode(
            tree
        )
        indices = (parse.supertags, parse.heads, parse.operations)
        assert denotation.graph(tokens, *indices) == evaluate(tree)


@pytest.mark.parametrize("length", [10, 40, 400])
def test_sentences_have_the_length_that_is_asked_for(length: int) -> None:
    for kind in (scale.chain_of_clauses, scale.chain_of_phrases, scale.center_embedding):
        assert length - 4 < len(kind(length)) <= length
    assert len(scale.unknown_words(length)) == len(scale.salad(["a"], length, 0)) == length
