"""Evaluation of models: tables, figures, errors, flips, and answers from a file."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from fake_system import ByHeart, Settings

from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError
from amparser.evaluation.benchmark import Benchmark
from amparser.evaluation.evaluate import Evaluation, chosen_metrics, evaluate, flips, score
from amparser.evaluation.gold import read_gold, read_predictions
from amparser.evaluation.metric import Count
from amparser.evaluation.metric_registry import METRICS
from amparser.evaluation.page import errors_page
from amparser.notations.registry import NOTATIONS
from amparser.parser import Parser

COGS = NOTATIONS["cogs"]
ROWS = (
    ("Emma slept .", "sleep . agent ( x _ 1 , Emma )", "short"),
    ("Liam ran .", "run . agent ( x _ 1 , Liam )", "short"),
    ("Ava saw Liam .", "see . agent ( x _ 1 , Ava ) AND see . theme ( x _ 1 , Liam )", "long"),
)
PAIRS = [
    Example(("a", "\t", "b"), "entailment", tags=("up",), line=1),
    Example(("b", "\t", "a"), "neutral", tags=("down",), line=2),
]


@pytest.fixture
def gold(tmp_path) -> list[Example]:
    path = tmp_path / "test.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in ROWS))
    return read_gold(path, COGS)


def model(*known: int, **settings: Any) -> ByHeart:
    meanings = {ROWS[i][0]: ROWS[i][1] for i in known}
    return ByHeart(replace(Settings(), **settings), meanings)


@pytest.fixture
def evaluation(gold) -> Evaluation:
    return evaluate(model(0, 2), gold, decoders=["written", "careful"])


class Hyphens(ByHeart):
    """A model that splits raw text at hyphens."""

    @staticmethod
    def tokenizer(text: str) -> tuple[str, ...]:
        return tuple(text.replace("-", " - ").split())


def test_model_splits_text_unless_the_file_has_tokens() -> None:
    text = "a well-known cat."
    rows = [
        Example(("a", "well-known", "cat", "."), "run . agent ( x _ 1 , Liam )", text=text),
        Example(("a well-", "known", "cat."), "run . agent ( x _ 1 , Liam )", text=text),
        Example(("a", "well-known", "cat", "."), "run . agent ( x _ 1 , Liam )"),
    ]
    answers = evaluate(Hyphens(Settings(), {}), rows).answers["careful"]
    asked = [result.tokens for result in answers.results]
    assert asked == [("a", "well", "-", "known", "cat."), rows[1].tokens, rows[2].tokens]


def test_tables_have_all_tags_and_the_total(evaluation) -> None:
    for decoder in ("written", "careful"):
        table = evaluation.table(decoder)
        assert list(table) == ["", "short", "long"]
        assert [counts["exact"] for counts in table.values()] == [
            Count(2, 3), Count(1, 2), Count(1, 1)
        ]  # fmt: skip
    assert evaluation.counts_of_examples() == {"": 3, "short": 2, "long": 1}


def test_malformed_outputs_of_generators_are_counted(evaluation, gold) -> None:
    assert evaluation.metrics == ("match", "malformed")
    assert evaluation.table("written")[""]["malformed"] == Count(1, 3)
    assert "malformed" not in evaluation.table("careful")[""]
    assert evaluate(model(0), gold).metrics == ("match",)


def test_figures_are_json(evaluation) -> None:
    figures = json.loads(json.dumps(evaluation.to_json()))
    assert figures["count"] == 3
    careful = figures["decoders"]["careful"]
    assert careful["overall"]["exact"] == {"share": 2 / 3, "numerator": 2, "denominator": 3}
    assert careful["failures"] == 1
    assert set(careful["milliseconds"]) == {"scoring", "decoding"}
    assert "well_typed" not in careful  # the model has no trees


def test_sentence_that_the_model_cannot_read_is_a_failure(gold) -> None:
    short = replace(Settings().decode, longest=3)
    answers = evaluate(model(0, 1, 2, decode=short), gold).answers["careful"]
    assert [result.failure for result in answers.results] == [None, None, "too long"]
    assert [result.tokens for result in answers.results] == [one.tokens for one in gold]


def test_progress_is_reported_by_chunk(gold) -> None:
    told: list[tuple[int, int]] = []
    examples = gold * 100
    evaluate(model(0), examples, on_progress=lambda *step: told.append(step))
    assert told == [(256, 300), (300, 300)]


def test_flips_are_examples_that_only_one_decoder_gets_right(gold) -> None:
    one = evaluate(model(0, 1), gold, decoders=["careful", "written"])
    two = evaluate(model(1, 2), gold)
    one.answers["other"] = two.answers["careful"]
    assert flips(one, "careful", "other") == ([gold[0]], [gold[2]])
    assert flips(one, "careful", "written") == ([], [])


def test_unknown_decoder_or_metric_is_an_error(gold) -> None:
    with pytest.raises(InputError, match="expected one of careful, written"):
        evaluate(model(0), gold, decoders=["astar"])
    with pytest.raises(InputError, match="unknown metric 'bleu', expected one of match"):
        evaluate(model(0), gold, metrics=["bleu"])
    with pytest.raises(InputError, match="metric counter: cogs meanings have no"):
        evaluate(model(0), gold, metrics=["counter"])


def test_unusable_metrics_are_listed_with_reasons(monkeypatch) -> None:
    fol = NOTATIONS["fol"]
    monkeypatch.setattr(METRICS["entailment"], "problem", lambda _: "z3 is missing")
    assert chosen_metrics(None, fol) == (("match",), {"entailment": "z3 is missing"})
    with pytest.raises(InputError, match="metric entailment: z3 is missing"):
        chosen_metrics(["entailment"], fol)
    assert chosen_metrics(["match", "counter", "match"], fol)[0] == ("match", "counter")
    assert chosen_metrics(None, None, labels=True) == (("label",), {})


def test_page_shows_each_wrong_answer(evaluation) -> None:
    text = errors_page(evaluation, "written", title="a < b")
    [article] = re.findall("<article>.*?</article>", text, re.DOTALL)
    assert "<h3>Liam ran .</h3>" in article
    assert "line 2 short (no parse)" in article
    assert "no parse: unclosed parenthesis" in article
    assert "cake ( x _ 1" in article
    assert "<h1>a &lt; b</h1>" in text


def test_page_sorts_wrong_answers_by_confidence(gold) -> None:
    found = evaluate(model(), gold)
    [(decoder, answers)] = found.answers.items()
    pairs = zip(answers.results, (None, 0.2, 0.9), strict=True)
    answers.results = [replace(one, confidence=sure) for one, sure in pairs]
    text = errors_page(found, decoder, title="x")
    assert re.findall("(?<=<h3>)[^<]*", text) == [ROWS[i][0] for i in (2, 1, 0)]


def test_benchmark_may_define_answers() -> None:
    def answers(asked: Any, examples: Any, decoders: Any) -> Any:
        known = asked.answers([("Emma",)] * len(examples), decoders)
        return {d: [replace(r, meaning="neutral") for r in of_one] for d, of_one in known.items()}

    toy = Benchmark("toy", "A toy.", answers=answers)
    evaluation = evaluate(model(0), PAIRS, benchmark=toy)
    assert evaluation.metrics == ("label",)
    assert evaluation.table("careful")[""]["label"] == Count(1, 2)
    assert list(evaluation.answers["careful"].seconds) == ["answering"]
    assert errors_page(evaluation, "careful", title="x").count("<article>") == 1


def test_benchmark_may_define_tags(tmp_path) -> None:
    path = tmp_path / "test.tsv"
    path.write_text("\t".join(ROWS[0]) + "\n")
    toy = Benchmark("toy", "A toy.", tags=lambda example: (*example.tags, example.tokens[0]))
    assert read_gold(path, model(0), toy)[0].tags == ("short", "Emma")


@pytest.mark.parametrize("name", ["answers.tsv", "answers.txt"])
def test_answers_in_a_file_are_scored(gold, tmp_path, name) -> None:
    path = tmp_path / name
    meanings = [ROWS[0][1], "" if name.endswith("txt") else "nonsense", ROWS[2][1]]
    rows = [f"{row[0]}\t{m}\t" if name.endswith("tsv") else m
            for row, m in zip(ROWS, meanings, strict=True)]  # fmt: skip
    path.write_text("\n".join(rows) + "\n")
    evaluation = score(gold, read_predictions(path, gold), COGS)
    assert evaluation.table("predictions")[""]["graph"] == Count(2, 3)
    assert "sentences_per_second" not in evaluation.to_json()["decoders"]["predictions"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "x\n", "a.txt: expected 3 answers, found 1"),
        ("a.txt", "x\n" * 4, "a.txt: expected 3 answers, found more"),
        ("a.tsv", "Liam ran .\tx\ty\n", "a.tsv:1: expected the sentence 'Emma slept .'"),
    ],
)
def test_predictions_that_do_not_fit_gold_are_an_error(gold, tmp_path, name, text, message) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(CorpusError) as caught:
        read_predictions(tmp_path / name, gold)
    assert message in str(caught.value)


def test_two_processes_give_equal_figures() -> None:
    texts = ["Emma slept .", "A cat ran .", "A cat wug the .", "Emma saw a rose ."] * 100
    right = "sleep . agent ( x _ 1 , Emma )"
    gold = [Example(tuple(t.split()), right, tags=(f"kind {i % 3}",)) for i, t in enumerate(texts)]
    parser = Parser.load(device="cpu")
    one = evaluate(parser, gold, decoders=("astar", "fixed-tree"))
    two = evaluate(parser, gold, decoders=("astar", "fixed-tree"), processes=2)
    for name, answers in two.answers.items():
        expected = one.answers[name]
        assert answers.counts == expected.counts
        assert two.table(name) == one.table(name)
        assert answers.results == expected.results
        assert answers.shares_of_trees() == expected.shares_of_trees() != {}
    assert two.to_json()["count"] == 400
