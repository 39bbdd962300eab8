"""Parsers over pieces of graphs: they learn and answer."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from toy_bank import examples
from toy_graphs import SMALL, corpus, right

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.corpora.tokens import tokenize
from amparser.graph.boxes import split
from amparser.graph.sgraph import isomorphic
from amparser.learn.settings import with_overrides
from amparser.learn.systems import load
from amparser.nn.heads.labels import AuxiliaryHead
from amparser.notations.penman import PENMAN
from amparser.parser import Parser
from amparser.parser_system import AMPARSER
from amparser.presets.graphs.search import Search
from amparser.presets.graphs.training import training_set

pytestmark = pytest.mark.slow  # seven trainings


def meanings(parser: Parser, sentences: Sequence[Sequence[str]]) -> list[str | None]:
    return [result.meaning for result in parser.answers(sentences)["tree"]]


@pytest.fixture(scope="module")
def parser(tmp_path_factory) -> Parser:
    # What an unseen word is taken for depends on the seed of so small a network.
    seeded = with_overrides(SMALL, ["train.seed=2"])
    return AMPARSER.train(corpus(), seeded, tmp_path_factory.mktemp("graphs") / "model")


def test_next_readings_of_long_sentences_take_few_searches(parser, monkeypatch) -> None:
    counts = []
    within = Search.within
    monkeypatch.setattr(Search, "within", lambda *given: counts.append(1) or within(*given))
    for length, most in ((4, 500), (120, 25)):
        tokens = (*examples(1)[0].tokens,) * length
        counts.clear()
        found = parser.with_options(k_best=5)(tokens[:length])
        assert found.alternatives
        assert len(counts) <= most


def test_sentences_that_training_had_not(parser) -> None:
    unseen = examples(192)[120:]
    assert right(parser, unseen) >= 0.9 * len(unseen)


def test_layers_are_learned_beside_all_else(tmp_path) -> None:
    beside = with_overrides(SMALL, ['data.auxiliary="sem sense"'])
    trained = AMPARSER.train(corpus(), beside, tmp_path / "model")
    unseen = examples(192)[120:]
    assert right(trained, unseen) >= 0.9 * len(unseen)
    assert "sem" not in str(trained.head.content["auxiliary"])
    rows = training_set(Corpus(tuple(unseen), (), "penman"), beside).train
    items = training_set(corpus(), beside).learned.auxiliary
    assert trained.head.content["auxiliary"] == [list(layer) for layer in items]
    loaded = load(tmp_path / "model", "cpu")
    assert meanings(loaded, [e.tokens for e in unseen]) == meanings(
        trained, [e.tokens for e in unseen]
    )
    scorer = loaded.model.network.scorer(0)
    reading = scorer.read([row.tokens for row in rows])
    for number, scores in enumerate(scorer.head(AuxiliaryHead)(reading)):
        told = reading.encoded.padded(scores).argmax(dim=-1).tolist()
        pairs = [
            (item, items[number][guess])
            for row, guesses in zip(rows, told, strict=True)
            for item, guess in zip(row.auxiliary[number], guesses, strict=False)
            if item is not None
        ]
        assert len(pairs) > len(rows)
        assert sum(item == guess for item, guess in pairs) >= 0.95 * len(pairs)


def test_an_auxiliary_layer_that_no_example_has_is_told() -> None:
    found = training_set(corpus(), with_overrides(SMALL, ['data.auxiliary="cat sem"']))
    assert (
        "data.auxiliary: no example has a layer 'cat' with an item for each word"
        in found.report.remarks
    )
    assert len(found.learned.auxiliary) == 1
    assert "PER" in found.learned.auxiliary[0]
    assert all(len(row.auxiliary) == 1 for row in found.train)


def test_names_and_words_that_training_had_not(parser) -> None:
    [found] = meanings(parser, [tokenize("Zoe sees a yak.")])
    assert "zoe" in found.lower()
    assert '"yak.n.01"' in found
    assert parser.unknown(("Tom", "sees", "Zoe")) == ("Zoe",)


@given(
    st.lists(
        st.one_of(
            st.sampled_from(("Tom", "n't", "doesn't", "dog", "ice", "cream", "a", ".", "likes")),
            st.text(st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1),
        ),
        min_size=1,
        max_size=12,
    )
)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_word_salad_gives_a_graph_in_which_each_node_has_its_box(parser, tokens) -> None:
    assert parser.problem(tokens) is None
    [result] = parser.answers([tokens])["tree"]
    split(result.graph, parser.model.learned.scheme, PENMAN.is_constant)
    if result.failure is None:
        split(PENMAN.graph((), result.meaning), parser.model.learned.scheme, PENMAN.is_constant)


def test_graphs_without_boxes_layers_and_constants(tmp_path) -> None:
    """AMR-like graphs of a user's own: alignments are induced from the forms alone."""
    names = {"Tom": "tom", "Ann": "ann", "Bob": "bob"}
    verbs = {"sees": "see-01", "likes": "like-02", "chases": "chase-01"}
    rows = []
    for subject, one in names.items():
        for verb, sense in verbs.items():
            for other, two in names.items():
                text = f"(v / {sense} :ARG0 (s / {one}) :ARG1 (o / {two} :polarity -))"
                tokens = (subject, verb, "never", other)
                rows.append(Example(tokens, text, notation="penman", line=len(rows) + 1))
    plain = with_overrides(SMALL, ["data.words=''", "data.anchors=''", "train.epochs=20"])
    corpus_ = Corpus(rows, rows[:3], "penman")
    trained = AMPARSER.train(corpus_, plain, tmp_path / "amr")
    assert trained.model.learned.scheme is None
    found = meanings(trained, [row.tokens for row in rows])
    same = [
        text is not None and isomorphic(PENMAN.graph((), text), PENMAN.graph((), row.meaning or ""))
        for text, row in zip(found, rows, strict=True)
    ]
    assert sum(same) >= 24
