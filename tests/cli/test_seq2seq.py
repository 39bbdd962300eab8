"""The baselines on the command line: the same commands, and the model folder says which it is."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from command_line import SMALL, ok, refused, run
from throughput import spread, throughputs
from tiny_model import rows, write_corpus

from amparser.decode.decoders import DECODERS
from amparser.learn.systems import system_of_model

torch.set_num_threads(1)


def train(
    data: Path,
    output: Path,
    *arguments: str | Path,
    benchmark: str = "slog",
    settings: Sequence[str] = (),
) -> str:
    sets = [part for setting in (*SMALL, *settings) for part in ("--set", setting)]
    return ok(
        "train", benchmark, "--data", data, "-o", output, "--device", "cpu", *sets, *arguments
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    folder = tmp_path_factory.mktemp("model") / "transformer"
    printed = train(data, folder, "--system", "transformer")
    assert "dev exact match" in printed
    return folder


def test_the_folder_says_which_system_it_is(model: Path, data: Path, tmp_path: Path) -> None:
    assert system_of_model(model) == "transformer"
    assert json.loads((model / "model.json").read_text())["system"] == "transformer"
    for system in ("lstm", "bilstm", "gru"):
        train(data, tmp_path / system, "--system", system, settings=["max_steps=2"])
        assert system_of_model(tmp_path / system) == system


def test_parse_prints_what_the_model_writes(model: Path) -> None:
    sentence, form, _ = rows()[3]
    assert ok("parse", "-m", model, sentence) == f"{form}\n"
    assert ok("parse", "-m", model, "--beam", "3", sentence) == f"{form}\n"
    value = json.loads(ok("parse", "-m", model, "--format", "json", sentence))
    assert (value["output"], value["notation"], value["failure"]) == (form, "cogs", None)
    assert value["logp"] < 0


def test_malformed_outputs_are_no_parses(data: Path, tmp_path: Path) -> None:
    train(data, tmp_path, "--system", "lstm", settings=["max_steps=1"])
    result = run("parse", "-m", tmp_path, rows()[0][0], rows()[1][0])
    assert result.exit_code == 1
    assert all(line.startswith("# no parse: ") for line in result.stdout.splitlines())
    assert "2 of 2 sentences without a parse" in result.stderr
    figures = tmp_path / "figures.json"
    printed = ok("evaluate", "-m", tmp_path, "--data", data / "dev.tsv", "-o", figures)
    count = len(rows()[::4])
    assert f"{count} of {count} outputs malformed (100.0 %)" in printed
    found = json.loads(figures.read_text())
    assert sum(found["malformed"].values()) == count
    assert sum(sum(kinds.values()) for kinds in found["malformed_of_types"].values()) == count
    assert found["overall"]["graph_match"] == 0


def test_evaluate_counts_by_type(model: Path, data: Path, tmp_path: Path) -> None:
    output, errors = tmp_path / "figures.json", tmp_path / "errors.tsv"
    printed = ok("evaluate", "-m", model, "--data", data / "dev.tsv", "-o", output,
                 "--errors", errors)  # fmt: skip
    figures = json.loads(output.read_text())
    assert figures["system"] == "transformer"
    assert figures["overall"]["exact_match"] > 0.8
    assert set(figures["types"]) == {kind for _, _, kind in rows()[::4]}
    assert figures["config"]["train"]["max_steps"] == 250
    assert figures["training_data"]["train"]["file"] == "train.tsv"
    assert "accuracy in %, transformer, cogs" in printed
    wrong = round((1 - figures["overall"]["exact_match"]) * figures["overall"]["count"])
    lines = errors.read_text().splitlines()
    assert len(lines) == wrong
    assert all(len(line.split("\t")) == 6 for line in lines)


def test_variable_free_target_is_made_of_cogs_forms(data: Path, tmp_path: Path) -> None:
    train(data, tmp_path, "--system", "transformer", "--target", "varfree")
    sentence = "The cat saw a dog ."
    assert ok("parse", "-m", tmp_path, sentence) == "see ( agent = * cat , theme = dog )\n"
    printed = ok("evaluate", "-m", tmp_path, "--data", data / "dev.tsv")
    assert "transformer, varfree" in printed


@pytest.fixture(scope="module")
def sygns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sygns")
    tags = "sbj_quant:yes;negation:no;adverb:no"
    lines = [
        f"{quantifier} {noun} {verb}\t{symbol} x1.({noun}(x1) {sign} {lemma}(x1))\t{tags}\n"
        for quantifier, symbol, sign in (("one", "exists", "&"), ("every", "all", "->"))
        for noun in ("cat", "dog", "lion", "fox", "bear")
        for verb, lemma in (("ran", "run"), ("danced", "dance"), ("slept", "sleep"))
    ]
    with gzip.open(folder / "train.fol.tsv.gz", "wt", encoding="utf-8") as file:
        file.writelines(lines)
    with gzip.open(folder / "test_sample.fol.tsv.gz", "wt", encoding="utf-8") as file:
        file.writelines(lines[::5])
    return folder


def test_sygns_is_trained_and_evaluated_by_its_tags(sygns: Path, tmp_path: Path) -> None:
    train(sygns, tmp_path / "m", "--system", "gru", benchmark="sygns",
          settings=["max_epochs=40", "validate_every=10", "patience=0"])  # fmt: skip
    output = tmp_path / "figures.json"
    file = sygns / "test_sample.fol.tsv.gz"
    printed = ok("evaluate", "-m", tmp_path / "m", "--data", file, "-o", output)
    figures = json.loads(output.read_text())
    assert figures["target"] == "fol"
    assert "entailment: " in printed
    assert set(figures["metrics"]) == {"entailment", "polarity"}
    ok("evaluate", "-m", tmp_path / "m", "--data", file, "--metrics", "counter", "-o", output)
    counter = json.loads(output.read_text())["metrics"]["counter"]["overall"]
    assert counter["exact_match"] == figures["overall"]["graph_match"]
    assert set(figures["types"]) == {"Exi plain", "Uni plain"}
    assert figures["overall"]["exact_match"] > 0.8
    assert ok("parse", "-m", tmp_path / "m", "every dog ran") in ("all x1.(dog(x1) -> run(x1))\n")


def test_a_tenth_of_train_is_held_out_where_there_is_no_dev(sygns: Path, tmp_path: Path) -> None:
    result = run("train", "sygns", "--system", "transformer", "--data", sygns, "-o", tmp_path,
                 "--device", "cpu", "--set", "max_steps=1", "--set", "hidden_size=16")  # fmt: skip
    assert result.exit_code == 0
    assert "27 pairs to learn from, 3 of dev to watch" in result.stderr


def test_settings_of_a_file_say_the_system(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("system = 'gru'\n[train]\nmax_steps = 1\n", encoding="utf-8")
    output = tmp_path / "out"
    ok("train", "slog", "--data", data, "-o", output, "-c", path, "--set", "hidden_size=16")
    assert system_of_model(output) == "gru"
    line = refused("train", "slog", "--data", data, "-o", output, "-c", path, "--system", "lstm")
    assert line.endswith("mine.toml: settings of gru, not of lstm")


def test_what_does_not_fit_is_refused(model: Path, data: Path, tmp_path: Path) -> None:
    dev = data / "dev.tsv"
    assert "has no trees" in refused("parse", "-m", model, "-d", "astar", "A cat ran.")
    assert "has no trees" in refused("evaluate", "-m", model, "-d", "astar", "--data", dev)
    assert "lf or json alone" in refused("parse", "-m", model, "-f", "amconll", "A cat ran.")
    assert "only sequence-to-sequence" in refused("parse", "--beam", "2", "A cat ran.")
    assert "not an amparser-model" in refused("compare", "-m", model, "--data", dev)
    assert "the parser's trees" in refused("train", "slog", "--data", data, "--target", "varfree",
                                           "-o", tmp_path)  # fmt: skip
    assert "training/sygns/lstm.toml: no such data" in refused(
        "train", "sygns", "--system", "lstm", "--data", data, "-o", tmp_path
    )
    assert "no such model folder" in refused("parse", "-m", tmp_path / "none", "A cat ran.")
    bad = tmp_path / "bad.tsv"
    bad.write_text("A cat ran .\trun ( agent = cat )\tx\n", encoding="utf-8")
    line = refused("evaluate", "-m", model, "--data", bad)
    assert f"{bad}:1: expected a meaning in the notation 'cogs': column" in line
    (tmp_path / "model.json").write_text('{"format": "other"}', encoding="utf-8")
    assert "no model of amparser" in refused("parse", "-m", tmp_path, "A cat ran.")


def test_throughput_is_measured_side_by_side(model: Path, data: Path) -> None:
    sentences = spread(data / "dev.tsv", 6)
    # One of each type comes first.
    assert len(sentences) == 6
    assert sentences[0] != sentences[1]
    found = throughputs(sentences, [model])
    assert len(found) == len(DECODERS.names()) + 1
    assert all(rate > 0 for rate in found.values())
