"""The benchmark GeoQuery, tested on an invented query language in its layout."""

from pathlib import Path

import pytest
from command_line import ok, refused, run
from small_settings import LETTERS
from toy_terms import examples

from amparser.api import choose_settings, settings_file
from amparser.benchmarks.geoquery import GEOQUERY
from amparser.corpora.example import Example
from amparser.corpora.jsonl import JSON
from amparser.learn.settings import with_overrides
from amparser.presets.settings import TreeSettings

SMALL = (*LETTERS, "heads.hidden_size=32", "heads.arc_size=16", "learning_rate=5e-3")
OPTIONS = [part for setting in SMALL for part in ("--set", setting)]


def write(path: Path, count: int, seed: int) -> None:
    path.write_text("".join(map(JSON.write, examples(count, seed))))


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("standard")
    write(folder / "train.jsonl", 60, 0)
    write(folder / "test.jsonl", 12, 1)
    return folder


@pytest.fixture(scope="module")
def model(data, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("geo") / "model"
    printed = run(
        "train", "geoquery", "--data", data, "--output", folder, *OPTIONS, "--set", "epochs=12"
    )
    assert printed.exit_code == 0, printed.output
    assert "60 training examples, no dev: the last epoch is kept" in printed.stderr
    assert "constants: 8 of one node" in printed.stderr
    return folder


def test_geoquery_uses_the_tree_preset() -> None:
    system, settings = choose_settings(benchmark="geoquery")
    assert system.name == "amparser" == GEOQUERY.systems[0]
    changed = ('encoder.vectors=""', 'encoder.pretrained=""', "train.invented=0")
    assert settings == with_overrides(TreeSettings(), changed)
    assert settings_file("geoquery").name == "default.toml"
    assert settings_file("geoquery", "amparser").name == "default.toml"
    assert settings_file("slog").name == "default.toml"
    assert settings_file("slog", "lstm").name == "lstm.toml"


@pytest.mark.parametrize(
    ("meaning", "tag"),
    [
        ("answer(state(all))", "1-4 symbols"),
        ("answer(city(loc_2(stateid('x'))))", "5-6 symbols"),
        (f"{'f(' * 11}a{')' * 11}", "more than 11 symbols"),
    ],
)
def test_examples_are_tagged_by_the_size_of_their_meaning(meaning, tag) -> None:
    assert GEOQUERY.tags(Example(("a",), meaning)) == (tag,)


def test_a_trained_model_evaluates_and_parses(data, model) -> None:
    table = ok("evaluate", "--model", model, "--data", data / "test.jsonl")
    assert "exact" in table
    assert "symbols" in table
    assert ok("parse", "--model", model, "Which jars in Long Loft ?").startswith("ask(")
    long = run("parse", "--model", model, "a " * 100 + "?")
    assert "sentence 1: no parse: 101 tokens, expected at most 100" in long.stderr
    assert long.exit_code == 1


def test_geoquery_generates_no_corpus() -> None:
    assert "generates no corpus" in refused("train", "geoquery")
