"""Labelled pairs: reading, evaluation, tags and errors."""

import json
from collections import Counter

import pytest
from command_line import ok
from toy_pairs import toy_pairs, write_pairs

from amparser.benchmarks.monotonicity.benchmark import MONOTONICITY
from amparser.benchmarks.monotonicity.corpus import drawn_sentences
from amparser.benchmarks.monotonicity.pairs import (
    LABEL,
    LabelledPair,
    example_of,
    holds_pairs,
    innermost,
    pair_tokens,
    read_pairs,
    sides,
)
from amparser.corpora.example import Example
from amparser.corpora.tokens import tokenize
from amparser.errors import CorpusError, InputError
from amparser.logic.vf import vf_from_str
from amparser.notations.quantified_graph import form_from_graph, graph_from_quantified
from amparser.notations.registry import NOTATIONS
from amparser.results import Result


def test_a_parser_of_forms_is_evaluated_on_pairs(tmp_path) -> None:
    pairs = toy_pairs()[:16]
    pairs += [
        LabelledPair("Few dogs that no cats hit ran.", "Few dogs that no small cats hit ran.",
                     "neutral", "depth1.adj.up.empty"),
        LabelledPair("Purple dogs ran.", "Dogs ran.", "neutral", "depth0.adj.down"),
        LabelledPair("Some dogs ran.", "Some small dogs ran.", "entailment", "depth0.adj.up"),
    ]  # fmt: skip
    path = write_pairs(tmp_path / "pairs.tsv", pairs)
    output, page = tmp_path / "figures.json", tmp_path / "errors.html"
    ok("evaluate", "-m", "monotonicity", "--data", path, "-o", output, "--html", page)
    [figures] = json.loads(output.read_text())["decoders"].values()
    assert figures["overall"]["label"]["share"] == 17 / 19
    assert figures["overall"]["unanswered"]["share"] == 1 / 19
    assert figures["tags"]["D2"]["label"]["share"] == 1
    assert figures["tags"].keys() >= {"D1", "D2 up", "adj", "down", "no", "none"}
    assert "Purple dogs ran" in page.read_text(encoding="utf-8")


def test_pairs_are_read_as_examples(tmp_path) -> None:
    for pair in read_pairs(write_pairs(tmp_path / "test.tsv", toy_pairs())):
        example = example_of(pair)
        premise, hypothesis = sides(example.tokens)
        assert (premise, hypothesis) == (tokenize(pair.premise), tokenize(pair.hypothesis))
        assert pair_tokens(premise, hypothesis) == example.tokens
        assert (example.meaning, example.tags) == (pair.label, (pair.genre,))
        assert example.line == pair.line
    with pytest.raises(InputError, match="found 0 tabs"):
        sides(("Ann", "ran"))


def test_sampled_sentences_are_distinct_and_have_every_depth() -> None:
    rows = drawn_sentences([1, 2], 300, 0)
    assert len({row.sentence for row in rows}) == 300
    assert Counter(row.depth for row in rows) == {"D1": 150, "D2": 150}
    assert any("," in row.sentence.split() for row in rows)
    assert rows == drawn_sentences([1, 2], 300, 0) != drawn_sentences([1, 2], 300, 1)
    for sentence, form, _ in rows:
        graph = graph_from_quantified(sentence.split(), vf_from_str(form))
        assert str(form_from_graph(graph).term) == form


def test_tags_of_pairs() -> None:
    pair = LabelledPair("Few dogs that no cats hit ran.", "No dogs ran.", "neutral",
                        "depth1.rc.n.up.empty", 7)  # fmt: skip
    assert MONOTONICITY.tags(example_of(pair)) == ("D2", "D2 up", "rc", "up", "no")
    plain = LabelledPair("Dogs ran.", "No dogs ran.", "neutral", "depth0.adj.down")
    assert MONOTONICITY.tags(example_of(plain)) == ("D1", "D1 down", "adj", "down", "none")
    sentence = Example(("dogs", "ran"), "EXIST DOG RUN", tags=("D1",))
    assert MONOTONICITY.tags(sentence) == ("D1",)


def test_the_innermost_quantifier_is_the_last_one() -> None:
    long = tokenize("At most three dogs that a few cats that few lions hit licked ran.")
    assert innermost(long) == "few"
    assert innermost(tokenize("Less than three dogs ran.")) == "less than three"
    assert innermost(tokenize("Dogs ran.")) == "none"


def test_pairs_are_recognised_by_their_columns(tmp_path) -> None:
    path = write_pairs(tmp_path / "pairs.tsv", toy_pairs())
    read = MONOTONICITY.read
    assert read is not None
    assert holds_pairs(path)
    assert "\t" in read(path, 1)[0].tokens
    path.write_text("A dog ran .\tform\ttype\n")
    assert not holds_pairs(path)
    assert read(path, None) == [Example(("A", "dog", "ran", "."), "form", tags=("type",), line=1)]
    assert not holds_pairs(tmp_path / "none.tsv")
    with pytest.raises(CorpusError, match=r"none\.tsv: No such file"):
        read_pairs(tmp_path / "none.tsv")
    path.write_text("")
    with pytest.raises(CorpusError, match=r"pairs\.tsv: no pairs, expected PREMISE"):
        read_pairs(path)


def test_labels_are_compared() -> None:
    gold = Example(("a", "\t", "b"), "neutral")
    for answer, expected in (("neutral", (1, 0)), ("entailment", (0, 0)), (None, (0, 1))):
        found = LABEL.compare(None, gold, Result(gold.tokens, answer))
        assert tuple(count.numerator for count in found.values()) == expected
    assert LABEL.problem(None) is None
    assert LABEL.problem(NOTATIONS["cogs"]) == "cogs meanings are not labels"
