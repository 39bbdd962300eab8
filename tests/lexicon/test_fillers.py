"""Words that say nothing are read off trees, and sentences are scored without them."""

from dataclasses import replace
from random import Random

import numpy as np
from grammar_trees import sampled_trees
from hypothesis import given
from hypothesis import strategies as st

from amparser.algebra.derivation import Derivation
from amparser.algebra.operations import IGNORE
from amparser.algebra.tree import AMTree, Entry, am_tree
from amparser.benchmarks.monotonicity.corpus import drawn_sentences
from amparser.compositions.nodes.decomposition import decomposed
from amparser.compositions.source import Source
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.decode.scores import Scores
from amparser.errors import ModelError
from amparser.lexicon.fillers import with_fillers, without_fillers
from amparser.lexicon.lexicon import Lexicon
from amparser.schema import from_json, to_json


def relative_clauses(count: int) -> list[Derivation]:
    """Trees of the monotonicity fragment, where some relative pronouns may be left out."""
    drawn = drawn_sentences((1, 2), count, 1)
    examples = [Example(tuple(row.sentence.split()), row.form) for row in drawn]
    corpus = Corpus(examples, (), "quantified")
    found, _, _ = decomposed(examples, Source.of(corpus, "train"))
    return [tree for tree in found if tree is not None]


def with_word(tree: Derivation, place: int, word: str) -> Derivation:
    """The tree with an ignored word before a token (from 0)."""
    moved = [
        replace(entry, head=entry.head + (entry.head > place)) for entry in am_tree(tree).entries
    ]
    moved.insert(place, Entry(word, 0, IGNORE))
    return AMTree(tuple(moved)).derivation()


def test_words_put_anywhere_are_fillers_and_function_words_are_not() -> None:
    plain, chance = sampled_trees("slog", 8), Random(2)
    assert not Lexicon.from_trees(plain).fillers
    paused = [with_word(t, chance.randrange(1, len(t.tokens) - 1), "um") for t in plain[:10]]
    assert Lexicon.from_trees([*plain, *paused]).fillers == {"um"}
    assert not Lexicon.from_trees([*plain, *paused[:1]]).fillers, "once is not enough"


def test_a_word_that_may_be_left_out_here_and_there_is_no_filler() -> None:
    found = relative_clauses(1000)
    assert {"that", "which"} <= {form for tree in found for form in tree.tokens}
    assert not Lexicon.from_trees(found).fillers


def test_fillers_come_back_from_a_file() -> None:
    plain = sampled_trees("slog", 8)
    paused = [with_word(t, 2, "um") for t in plain[:10]]
    lexicon = Lexicon.from_trees([*plain, *paused])
    assert (
        from_json(to_json(lexicon, Lexicon), Lexicon, "model.json", error=ModelError).fillers
        == lexicon.fillers
        == {"um"}
    )


@given(st.lists(st.sampled_from(["Um", "um", "cat", "Emma"]), min_size=1, max_size=8))
def test_what_is_left_has_its_places(tokens: list[str]) -> None:
    left, kept = without_fillers(tokens, {"um"})
    assert [tokens[i].lower() for i in kept] == [token.lower() for token in left]
    if any(token.lower() != "um" for token in tokens):
        assert "um" not in {token.lower() for token in left}
    else:
        assert left == tuple(tokens)


def test_scores_of_fillers_let_them_be_ignored_only() -> None:
    rng = np.random.default_rng(1)
    n, kept = 5, [1, 2, 4]
    own = Scores(
        -rng.random((3, 4), np.float32),
        -rng.random((3, 4, 3), np.float32),
        rng.random((3, 2, 3)) < 0.5,
        rng.random(3) < 0.5,
    )
    scores = with_fillers(own, kept, n)
    assert np.array_equal(scores.supertag_logp[kept], own.supertag_logp)
    heads = [0, *(i + 1 for i in kept)]
    assert np.array_equal(scores.edge_logp[kept][:, heads], own.edge_logp)
    for i in (0, 3):
        assert np.flatnonzero(scores.supertag_logp[i] > -np.inf).tolist() == [0]
        assert np.argwhere(scores.edge_logp[i] > -np.inf).tolist() == [[0, 0]]
        assert np.isneginf(scores.edge_logp[kept, i + 1]).all()
    assert scores.in_place is not None
    assert np.array_equal(scores.in_place[kept], own.in_place)
    assert scores.mobile is not None
    assert scores.mobile.tolist() == [False, *own.mobile[:2].tolist(), False, bool(own.mobile[2])]
