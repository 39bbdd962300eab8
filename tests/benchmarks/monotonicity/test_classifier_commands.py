"""Classifiers of pairs on the command line, and how pairs are evaluated."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import torch
from amparser.benchmarks.monotonicity.evaluate_pairs import NamedJudge, Quantifiers, evaluate_pairs
from amparser.benchmarks.monotonicity.generate_monotonicity import generate_monotonicity
from command_line import ok, refused, run
from toy_pairs import toy_pairs, write_pairs

from amparser.benchmarks.monotonicity.pairs import LabelledPair, holds_pairs, read_pairs
from amparser.errors import CorpusError
from amparser.learn.systems import classifies, system_of_model
from amparser.resources import package_data

torch.set_num_threads(1)

SMALL = (
    "hidden_size=24",
    "embedding_size=16",
    "classifier_size=16",
    "learning_rate=0.005",
    "train.batch_size=16",
    "max_epochs=2",
)
SYSTEMS = ("lstm", "treelstm")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    generate_monotonicity(folder, aspect="productivity", train_count=200, test_count=24)
    return folder


def train(system: str, data: Path, output: Path, *arguments: str) -> str:
    sets = [part for each in SMALL for part in ("--set", each)]
    return ok(
        "train", "monotonicity", "--system", system, "--data", data, "-o", output,
        "--device", "cpu", *sets, *arguments,
    )  # fmt: skip


@pytest.fixture(scope="module")
def models(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("models")
    for system in SYSTEMS:
        printed = train(system, data, folder / system)
        assert f"{system}, " in printed
        assert "% of held-out pairs, epoch" in printed
    return {system: folder / system for system in SYSTEMS}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_model_says_what_it_is_and_answers(
    system: str, data: Path, models: dict[str, Path], tmp_path: Path
) -> None:
    model = models[system]
    assert (system_of_model(model), classifies(model)) == (system, True)
    pairs = read_pairs(data / "test-D3.tsv")
    lines = "".join(f"{pair.premise}\t{pair.hypothesis}\n" for pair in pairs)
    path = tmp_path / "pairs.tsv"
    path.write_text(lines)
    printed = ok("infer", "--model", model, "--input", path)
    rows = [line.split("\t") for line in printed.splitlines()]
    assert len(rows) == len(pairs)
    assert {label for label, _ in rows} <= {"entailment", "neutral"}
    assert all(0.5 <= float(probability) <= 1 for _, probability in rows)
    one = ok("infer", "--model", model, pairs[0].premise, pairs[0].hypothesis.removesuffix("."))
    assert one.split("\t")[0] == rows[0][0]
    assert float(one.split("\t")[1]) == pytest.approx(float(rows[0][1]), abs=2e-4)

    output, errors = tmp_path / "figures.json", tmp_path / "errors.tsv"
    printed = ok("evaluate", "--model", model, "--data", data / "test-D3.tsv", "-o", output,
                 "--errors", errors)  # fmt: skip
    figures = json.loads(output.read_text())
    right = sum(row[0] == pair.label for row, pair in zip(rows, pairs, strict=True))
    assert figures["overall"] == {
        "count": 24, "right": right, "unanswered": 0, "accuracy": right / 24
    }  # fmt: skip
    assert figures["judge"] == system
    assert figures["config"]["system"] == system
    assert figures["training_data"]["train"]["file"] == "train.tsv"
    assert f"accuracy in %, {system}" in printed
    wrong = [line.split("\t") for line in errors.read_text().splitlines()]
    assert len(wrong) == 24 - right
    for line, genre, gold, answer, premise, hypothesis in wrong:
        assert pairs[int(line) - 1][:4] == (premise, hypothesis, gold, genre)
        assert answer == rows[int(line) - 1][0] != gold


def test_training_resumes_and_takes_a_file(
    data: Path, models: dict[str, Path], tmp_path: Path
) -> None:
    packed = tmp_path / "some.tsv.gz"
    packed.write_bytes(gzip.compress((data / "train.tsv").read_bytes()))
    for system in SYSTEMS:
        train(system, packed, tmp_path / system)
        train(system, packed, tmp_path / system, "--resume")
        weights = [folder / "model.safetensors" for folder in (models[system], tmp_path / system)]
        assert weights[0].read_bytes() == weights[1].read_bytes()
    content = json.loads((models["lstm"] / "model.json").read_text())
    assert content["format"] == "amparser-nli-model"
    assert content["metrics"]["epochs"][0].keys() >= {"loss", "dev_loss", "dev_accuracy"}


def test_unknown_words_are_told(models: dict[str, Path]) -> None:
    result = run("infer", "--model", models["lstm"], "Purple dogs ran.", "Some dogs ran.")
    assert result.exit_code == 0
    assert "read as <unk>, never seen in training: 'purple'" in result.stderr
    message = refused("infer", "-m", models["treelstm"], "Purple dogs ran.", "Some dogs ran.")
    assert "premise: unknown word 'Purple'" in message


def test_forms_are_not_for_classifiers(data: Path, models: dict[str, Path]) -> None:
    model = models["lstm"]
    for option in ("--prover", "--parser"):
        message = refused("infer", option, "--model", model, "Some dogs ran.", "No dogs ran.")
        assert f"{option}: {model} is a classifier, which reads no forms" in message
    test = data / "test-D1.tsv"
    assert "reads no forms" in refused("evaluate", "--parser", "-m", model, "--data", test)
    assert "classifies pairs" in refused("parse", "--model", model, "Some dogs ran.")
    for arguments in (("--decoder", "astar"), ("--beam", "2"), ("--form", "vf"),
                      ("--metrics", "counter")):  # fmt: skip
        message = refused("evaluate", *arguments, "--data", test)
        assert f"{arguments[0]}: pairs have labels alone" in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("slog", "--system", "treelstm"), "slog has amparser, transformer, lstm"),
        (("monotonicity", "--system", "t5"), "monotonicity has amparser, lstm, treelstm, bert"),
        (("monotonicity", "--system", "lstm"), "needs --data, a file of pairs or a folder"),
        (("monotonicity", "--system", "lstm", "--target", "vf"), "lstm has labels alone"),
        (("monotonicity", "--system", "lstm", "--set", "heads=2"), "unknown setting 'heads'"),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert message in refused("train", *arguments, "-o", tmp_path / "m")
    assert not (tmp_path / "m").exists()


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
    arguments = ("train", "monotonicity", "--system", "treelstm", "-o", tmp_path / "m")
    for data in (path, tmp_path):
        result = run(*arguments, "--data", data)
        assert result.exit_code == 2
        assert f"{path}{message}" in result.stderr


def test_missing_files_are_named(tmp_path: Path) -> None:
    arguments = ("train", "monotonicity", "--system", "lstm", "-o", tmp_path / "m", "--data")
    assert "none.tsv: No such file" in refused(*arguments, tmp_path / "none.tsv")
    write_pairs(tmp_path / "test.tsv", toy_pairs())
    assert "expected train.tsv or train.tsv.gz" in refused(*arguments, tmp_path)
    empty = tmp_path / "empty.tsv"
    empty.write_text("")
    assert "empty.tsv: empty, expected PREMISE" in refused(*arguments, empty)
    other = package_data("training/slog/lstm.toml")
    pairs = write_pairs(tmp_path / "train.tsv", toy_pairs())
    assert "unknown setting" in refused(*arguments, pairs, "--config", other)


def test_pairs_are_known_by_their_columns(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "pairs.tsv", toy_pairs())
    assert holds_pairs(path)
    path.write_text("A dog ran .\tform\ttype\n")
    assert not holds_pairs(path)
    assert "pairs.tsv:1: expected PREMISE" in refused("evaluate", "--parser", "--data", path)
    assert not holds_pairs(tmp_path / "none.tsv")
    with pytest.raises(CorpusError, match=r"none\.tsv: No such file"):
        read_pairs(tmp_path / "none.tsv")


def test_a_classifier_is_given_pairs(models: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "forms.tsv"
    path.write_text("A dog ran .\tform\ttype\n")
    message = refused("evaluate", "-m", models["lstm"], "--data", path)
    assert "forms.tsv:1: expected PREMISE<TAB>HYPOTHESIS<TAB>LABEL<TAB>GENRE" in message


@pytest.mark.parametrize(
    "options", [(), ("--parser",), ("-m", package_data("models/monotonicity"))]
)
def test_natural_logic_is_a_judge_too(options: tuple[str | Path, ...], tmp_path: Path) -> None:
    pairs = toy_pairs()[:16]
    pairs += [
        LabelledPair("Few dogs that no cats hit ran.", "Few dogs that no small cats hit ran.",
                     "neutral", "depth1.adj.up.empty"),
        LabelledPair("Purple dogs ran.", "Dogs ran.", "neutral", "depth0.adj.down"),
        LabelledPair("Some dogs ran.", "Some small dogs ran.", "entailment", "depth0.adj.up"),
    ]  # fmt: skip
    path = write_pairs(tmp_path / "pairs.tsv", pairs)
    output, errors = tmp_path / "figures.json", tmp_path / "errors.tsv"
    printed = ok("evaluate", "--data", path, "-o", output, "--errors", errors, *options)
    assert "1 without an answer" in printed
    figures = json.loads(output.read_text())
    assert figures["overall"]["count"] == 19
    assert figures["overall"]["right"] == 17
    assert figures["overall"]["unanswered"] == 1
    assert figures["depth"]["D2"]["accuracy"] == 1
    assert figures["quantifiers"].keys() == {"few > no", "none", "some"}
    lines = [line.split("\t") for line in errors.read_text().splitlines()]
    assert [line[:4] for line in lines] == [
        ["18", "depth0.adj.down", "neutral", "-"],
        ["19", "depth0.adj.up", "entailment", "neutral"],
    ]


def test_figures_of_any_judge_add_up(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = ["entailment", "neutral", None]
    judge = NamedJudge("odd", lambda pairs: [answers[i % 3] for i in range(len(pairs))])
    path = tmp_path / "pairs.tsv"
    path.write_text("".join((data / f"test-D{depth}.tsv").read_text() for depth in (1, 2, 5)))
    figures = evaluate_pairs(path, judge)
    gold = [pair.label for pair in read_pairs(path)]
    right = sum(answers[i % 3] == label for i, label in enumerate(gold))
    assert figures["overall"]["right"] == right
    for division in ("depth", "direction", "depth and direction", "function", "quantifiers"):
        groups = figures[division].values()
        for key in ("count", "right", "unanswered"):
            assert sum(group[key] for group in groups) == figures["overall"][key]
    assert figures["overall"]["unanswered"] == len(gold) // 3
    assert set(figures["depth"]) == {"D1", "D2", "D5"}
    assert set(figures["direction"]) == {"up", "down"}
    printed = capsys.readouterr().out
    assert "accuracy in %, odd" in printed
    assert "alone" in printed
    assert evaluate_pairs(path, judge, limit=5)["overall"]["count"] == 5


def test_quantifiers_are_found_from_outside_inwards() -> None:
    ends = Quantifiers().ends
    assert ends("At most three dogs that a few cats that few lions hit licked ran.") == (
        "at most three", "few"
    )  # fmt: skip
    assert ends("Less than three dogs ran.") == ("less than three",)
    assert ends("Dogs ran.") == ()
