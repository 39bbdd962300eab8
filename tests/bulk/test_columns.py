"""Parsing of a column of sentences: every row gets an answer or a reason."""

import pickle

import pytest

from amparser.bulk import ColumnParser
from amparser.bulk.columns import RESULTS
from amparser.corpora.formats import FORMATS
from amparser.corpora.reading import examples_of


def test_answers_equal_the_answers_of_the_parser(parser, rows) -> None:
    texts = [row["sentence"] for row in rows if row["sentence"]]
    columns = ColumnParser("sentence", model=parser)({"sentence": texts})
    [expected] = parser.answers([r.tokens for r in parser.stream(texts)]).values()
    assert columns["meaning"] == [result.meaning for result in expected]
    assert columns["failure"] == [result.failure for result in expected]
    assert columns["logp"] == [result.logp for result in expected]
    assert None in columns["meaning"], "the rows are to have one without a parse"


def test_trees_are_amconll(parser) -> None:
    [text] = ColumnParser(model=parser)({"sentence": ["Emma slept."]})["tree"]
    [example] = examples_of(FORMATS["amconll"], enumerate(text.split("\n"), 1), "tree")
    [result] = parser.parse(["Emma slept."])
    assert example.tree == result.tree


def test_options_act_as_in_the_parser(parser) -> None:
    texts = ["Emma slept.", "The girl wanted to sleep."]
    columns = ColumnParser(model=parser, k_best=2)({"sentence": texts})
    results = parser.with_options(k_best=2).parse(texts)
    assert columns["confidence"] == [result.confidence for result in results]
    assert [[one["meaning"] for one in row] for row in columns["alternatives"]] == [
        [one.meaning for one in result.alternatives] for result in results
    ]
    assert any(columns["alternatives"])
    careful = ColumnParser(model=parser, min_confidence=1.0)({"sentence": texts})
    assert careful["meaning"] == [None, None]
    assert all("is below 1" in reason for reason in careful["failure"])


def test_given_columns_come_first_and_unchanged(parser) -> None:
    batch = {"id": [7, 8], "sentence": ["Emma slept.", None], "sure": (True, False)}
    columns = ColumnParser(model=parser)(batch)
    assert list(columns) == [*batch, *RESULTS]
    assert {name: columns[name] for name in batch} == batch


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("", "empty, expected a sentence"),
        ("a\tb", "column 2: unexpected character U+0009"),
        (None, "expected a text or a list of tokens, got NoneType"),
        (float("nan"), "got float"),
        (["a", 3], "got list"),
        (["a", ""], "an empty token"),
        ("a " * 401, "402 tokens, expected at most 400"),
    ],
)
def test_bad_value_becomes_a_row_with_a_reason(parser, value, reason) -> None:
    columns = ColumnParser(model=parser)({"sentence": ["Emma slept.", value, "Ava ran ."]})
    assert columns["failure"][0] is columns["failure"][2] is None
    assert reason in columns["failure"][1]
    assert columns["meaning"][1] is columns["tree"][1] is columns["logp"][1] is None


def test_tokens_and_tokenized_texts_are_not_tokenized(parser) -> None:
    tokens = ["Emma", "slept."]
    listed = ColumnParser(model=parser)({"sentence": [tokens]})
    spaced = ColumnParser(model=parser, tokenized=True)({"sentence": ["Emma slept."]})
    assert listed["tree"] == spaced["tree"]
    assert "slept." in listed["tree"][0].split("\n")[1]


def test_empty_batch_has_all_columns() -> None:
    assert ColumnParser("text")({"text": []}) == {"text": [], **{key: [] for key in RESULTS}}


def test_pickle_holds_no_model(parser) -> None:
    used = ColumnParser()
    used({"sentence": ["Emma slept."]})
    data = pickle.dumps(used)
    assert len(data) < 2000
    assert pickle.loads(data)({"sentence": ["Ava ran ."]}) == used({"sentence": ["Ava ran ."]})


def test_frames_are_mapped_as_in_spark(parser) -> None:
    """Spark's `mapInPandas` maps an iterator of frames to an iterator of frames."""
    pd = pytest.importorskip("pandas", reason="pandas comes with the extra test")
    columns = ColumnParser(model=parser)
    frames = iter([pd.DataFrame({"sentence": ["Emma slept.", None], "id": [1, 2]})] * 2)
    found = pd.concat([pd.DataFrame(columns(dict(frame))) for frame in frames])
    assert list(found["id"]) == [1, 2, 1, 2]
    assert list(found["meaning"].isna()) == [False, True] * 2
