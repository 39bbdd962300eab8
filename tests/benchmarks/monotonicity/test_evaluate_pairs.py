"""Labelled pairs: read as examples, judged, counted, and what is said of bad rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import ok, refused
from toy_pairs import toy_pairs, write_pairs

from amparser.benchmarks.monotonicity.benchmark import MONOTONICITY
from amparser.benchmarks.monotonicity.corpus import PairCorpus
from amparser.benchmarks.monotonicity.figures import figures_of
from amparser.benchmarks.monotonicity.inference import model_labels
from amparser.benchmarks.monotonicity.pairs import (
    LABEL,
    LabelledPair,
    example_of,
    holds_pairs,
    outer_and_inner,
    pair_of,
    pair_tokens,
    read_examples,
    read_pairs,
    sides,
)
from amparser.corpora.example import Example
from amparser.corpora.tokens import tokenize
from amparser.errors import CorpusError, InputError
from amparser.notations.registry import NOTATIONS
from amparser.results import Result


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    PairCorpus("productivity", count=200, test_count=24).generate(folder)
    return folder


@pytest.mark.parametrize("options", [(), ("--parser",)])
def test_natural_logic_judges(options: tuple[str, ...], tmp_path: Path) -> None:
    pairs = toy_pairs()[:16]
    pairs += [
        LabelledPair("Few dogs that no cats hit ran.", "Few dogs that no small cats hit ran.",
                     "neutral", "depth1.adj.up.empty"),
        LabelledPair("Purple dogs ran.", "Dogs ran.", "neutral", "depth0.adj.down"),
        LabelledPair("Some dogs ran.", "Some small dogs ran.", "entailment", "depth0.adj.up"),
    ]  # fmt: skip
    path = write_pairs(tmp_path / "pairs.tsv", pairs)
    output, errors = tmp_path / "figures.json", tmp_path / "errors.tsv"
    printed = ok("monotonicity", "evaluate", "--data", path, "-o", output, "--errors", errors,
                 *options)  # fmt: skip
    assert "1 without an answer" in printed
    assert "accuracy in %, natural logic" in printed
    figures = json.loads(output.read_text())
    assert figures["overall"] == {"count": 19, "right": 17, "unanswered": 1, "accuracy": 17 / 19}
    assert figures["depth"]["D2"]["accuracy"] == 1
    assert figures["quantifiers"].keys() == {"few > no", "none", "some"}
    lines = [line.split("\t") for line in errors.read_text().splitlines()]
    assert [line[:4] for line in lines] == [
        ["18", "depth0.adj.down", "neutral", "-"],
        ["19", "depth0.adj.up", "entailment", "neutral"],
    ]
    assert lines[1][4:] == ["Some dogs ran.", "Some small dogs ran."]


def test_figures_add_up(data: Path) -> None:
    answers = ["entailment", "neutral", None]
    examples = [e for depth in (1, 2, 5) for e in read_examples(data / f"test-D{depth}.tsv")]
    results = [Result(e.tokens, answers[i % 3]) for i, e in enumerate(examples)]
    figures = figures_of(examples, results).to_json()
    right = sum(answers[i % 3] == example.meaning for i, example in enumerate(examples))
    assert figures["overall"]["right"] == right
    for division in ("depth", "direction", "depth and direction", "function", "quantifiers"):
        groups = figures[division].values()
        for key in ("count", "right", "unanswered"):
            assert sum(group[key] for group in groups) == figures["overall"][key]
    assert figures["overall"]["unanswered"] == len(examples) // 3
    assert set(figures["depth"]) == {"D1", "D2", "D5"}
    assert set(figures["direction"]) == {"up", "down"}


def test_limits_are_of_rows(data: Path, tmp_path: Path) -> None:
    output = tmp_path / "figures.json"
    ok("monotonicity", "evaluate", "--data", data / "test-D1.tsv", "-l", "5", "-o", output)
    assert json.loads(output.read_text())["overall"]["count"] == 5


def test_pairs_are_examples_and_back(data: Path) -> None:
    for pair in read_pairs(data / "test-D3.tsv"):
        example = example_of(pair)
        assert pair_of(example) == pair
        premise, hypothesis = sides(example.tokens)
        assert (premise, hypothesis) == (tokenize(pair.premise), tokenize(pair.hypothesis))
        assert pair_tokens(premise, hypothesis) == example.tokens
    with pytest.raises(InputError, match="found 0 tabs"):
        sides(("Ann", "ran"))


def test_what_a_pair_counts_for() -> None:
    pair = LabelledPair("Few dogs that no cats hit ran.", "No dogs ran.", "neutral",
                        "depth1.rc.n.up.empty", 7)  # fmt: skip
    assert MONOTONICITY.tags(example_of(pair)) == ("D2", "D2 up", "rc", "up", "no")
    plain = LabelledPair("Dogs ran.", "No dogs ran.", "neutral", "depth0.adj.down")
    assert MONOTONICITY.tags(example_of(plain)) == ("D1", "D1 down", "adj", "down", "none")
    sentence = Example(("dogs", "ran"), "EXIST DOG RUN", tags=("D1",))
    assert MONOTONICITY.tags(sentence) == ("D1",)


def test_quantifiers_are_found_from_outside_inwards() -> None:
    long = tokenize("At most three dogs that a few cats that few lions hit licked ran.")
    assert outer_and_inner(long) == ("at most three", "few")
    assert outer_and_inner(tokenize("Less than three dogs ran.")) == ("less than three",)
    assert outer_and_inner(tokenize("Dogs ran.")) == ()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("Some dogs ran.\tNo dogs ran.\tneutral", ":2: expected PREMISE<TAB>HYPOTHESIS<TAB>"),
        ("Some dogs ran.\t\tneutral\tdepth0.adj.up", ":2: hypothesis: empty"),
        ("Some\x07\tSome dogs ran.\tneutral\tdepth0.adj.up", ":2: premise: column 5"),
        ("A.\tB.\tyes\tdepth0.adj.up", ":2: label 'yes', expected entailment or neutral"),
        ("A.\tB.\tneutral\tdepth0.adj", ":2: genre 'depth0.adj', expected depthN.FUNCTION.up"),
        ("Purple.\tB.\tneutral\tdepth0.adj.up", ":2: premise: unknown word 'Purple'"),
    ],
)  # fmt: skip
def test_bad_rows_are_named(row: str, message: str, tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", toy_pairs())
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], row, *lines[1:]]) + "\n")
    train = ("train", "monotonicity", "--system", "pair-treelstm", "-o", tmp_path / "m")
    assert f"train.tsv{message}" in refused(*train, "--data", path)
    if "Purple" not in row:
        with pytest.raises(CorpusError) as error:
            read_examples(path)
        assert f"{path}{message}" in str(error.value)
        assert f"{path}{message}" in refused("monotonicity", "evaluate", "--data", path)


def test_pairs_are_known_by_their_columns(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "pairs.tsv", toy_pairs())
    read = MONOTONICITY.read
    assert read is not None
    assert holds_pairs(path)
    assert "\t" in read(path, 1)[0].tokens
    path.write_text("A dog ran .\tform\ttype\n")
    assert not holds_pairs(path)
    assert read(path, None) == [Example(("A", "dog", "ran", "."), "form", tags=("type",), line=1)]
    message = refused("monotonicity", "evaluate", "--data", path)
    assert "pairs.tsv:1: expected PREMISE" in message
    assert not holds_pairs(tmp_path / "none.tsv")
    with pytest.raises(CorpusError, match=r"none\.tsv: No such file"):
        read_pairs(tmp_path / "none.tsv")
    path.write_text("")
    with pytest.raises(CorpusError, match=r"pairs\.tsv: empty, expected PREMISE"):
        read_pairs(path)


class StandIn:
    """A model that answers `entailment`, but cannot take purple things."""

    system = "pair-lstm"
    notation = ""
    benchmark = ""
    decoders = ("classify",)
    settings: Any = None
    data: Mapping[str, Any] = {}
    metrics: Mapping[str, Any] = {}

    def problem(self, tokens: Sequence[str]) -> str | None:
        return "purple" if "Purple" in tokens else None

    def answers(
        self, sentences: Sequence[Sequence[str]], decoders: Sequence[str] = (), **_: object
    ) -> Mapping[str, list[Result]]:
        assert not any("Purple" in tokens for tokens in sentences)
        answered = [Result(tuple(tokens), "entailment") for tokens in sentences]
        return dict.fromkeys(decoders or self.decoders, answered)


def test_a_classifier_is_asked_for_pairs_that_it_can_take() -> None:
    pairs = [LabelledPair(f"{word} dogs ran.", "Dogs ran.", "neutral", "depth0.adj.up")
             for word in ("Some", "Purple", "Few")]  # fmt: skip
    [results] = model_labels(StandIn(), [example_of(pair) for pair in pairs]).values()
    assert [(r.meaning, r.failure) for r in results] == [
        ("entailment", None), (None, "purple"), ("entailment", None)
    ]  # fmt: skip
    assert [sides(r.tokens)[0][0] for r in results] == ["Some", "Purple", "Few"]


def test_a_model_of_other_meanings_labels_no_pairs() -> None:
    model = StandIn()
    model.notation = "cogs"
    pair = LabelledPair("Some dogs ran.", "Dogs ran.", "neutral", "depth0.adj.up")
    with pytest.raises(InputError, match="a classifier of pairs, found a model of cogs"):
        model_labels(model, [example_of(pair)])


def test_labels() -> None:
    gold = Example(("a", "\t", "b"), "neutral")
    for answer, expected in (("neutral", (1, 0)), ("entailment", (0, 0)), (None, (0, 1))):
        found = LABEL.compare(None, gold, Result(gold.tokens, answer))
        assert tuple(count.numerator for count in found.values()) == expected
    assert LABEL.problem(None) is None
    assert LABEL.problem(NOTATIONS["cogs"]) == "cogs meanings are not labels"
