"""The benchmark of the Parallel Meaning Bank, tested on an invented bank in its layout."""

from pathlib import Path

import pytest
from command_line import ok, run
from published import DATA, missing
from toml_tables import tables
from toy_bank import examples
from toy_graphs import SMALL_GRAPHS

from amparser.api import choose_settings
from amparser.benchmarks.pmb.benchmark import PMB
from amparser.benchmarks.pmb.reading import read_bank
from amparser.corpora.example import Example
from amparser.corpora.tokens import tokenize
from amparser.graph.boxes import box_scheme, join, split
from amparser.graph.sgraph import isomorphic
from amparser.notations.penman import PENMAN
from amparser.parser import Parser

TABLES = tables(__file__)

BANK = DATA / "pmb/pmb4"
SMALL = (*SMALL_GRAPHS, "epochs=10")


def block(example: Example) -> str:
    layers = dict(example.layers)
    rows = [f"# ::snt {example.sentence}"]
    for name, items in (*layers.items(), ("lemma", layers["tok"])):
        rows.append(f"# ::{name} {' '.join(item.replace(' ', '~') for item in items)}")
    return "\n".join([*rows, example.meaning or ""]) + "\n\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("bank")
    rows = examples(140)
    (folder / "train.penman").write_text("".join(map(block, rows[:120])))
    (folder / "dev.penman").write_text("".join(map(block, rows[120:])))
    return folder


def test_rows_and_layers_of_a_bank_are_read(data) -> None:
    for found, row in zip(read_bank(data / "train.penman"), examples(140), strict=False):
        assert found.tokens == row.tokens
        assert dict(found.layers)["tok"] == dict(row.layers)["tok"]
        assert isomorphic(found.graph, row.graph)
    assert len(read_bank(data / "dev.penman", 3)) == 3


@pytest.mark.parametrize(("sentence", "words", "expected"), TABLES["restored"])
def test_a_text_without_its_beginning_is_restored_from_its_words(
    tmp_path, sentence, words, expected
) -> None:
    path = tmp_path / "bank.penman"
    path.write_text(f'# ::snt {sentence}\n# ::tok {words}\n(b / "box")\n')
    [example] = read_bank(path)
    assert example.tokens == tokenize(expected or sentence)


def test_examples_are_tagged_by_length_and_boxes() -> None:
    found = {PMB.tags(example) for example in examples(100)}
    assert {("1-5 tokens", "1 box"), ("6-8 tokens", "2 boxes")} <= found


def test_a_model_is_trained_parses_and_evaluates(data, tmp_path) -> None:
    _, settings = choose_settings(benchmark="pmb")
    assert settings.preset == "graph"
    model = tmp_path / "model"
    options = [part for setting in SMALL for part in ("--set", setting)]
    printed = run("train", "pmb", "--data", data, "--output", model, *options)
    assert printed.exit_code == 0, printed.output
    assert "boxes" in printed.stderr
    written = ok("parse", "--model", model, "Tom doesn't see a dog.")
    assert ":NEGATION" in written
    # The language defaults to English if the folder names none.
    assert Parser.load(model).languages == ("en",)
    assert "languages    en" in ok("models", model)
    strange = run("parse", "--model", model, "Tom sees a zebra.").stderr
    assert (
        "1 of 1 sentences with words that the model never saw: 'zebra'; its languages: en"
        in strange
    )
    table = ok("evaluate", "--model", model, "--data", data / "dev.penman", "--limit", "5")
    assert "smatch" in table


@pytest.mark.data
@pytest.mark.skipif(not BANK.is_dir(), reason=missing(BANK))
def test_splitting_and_joining_boxes_restores_graphs_of_the_bank() -> None:
    rows = read_bank(BANK / "train.penman.gz", 400)
    graphs = [row.graph for row in rows if row.graph is not None]
    scheme = box_scheme(graphs, PENMAN.is_constant)
    assert scheme.member == "member"
    for graph in graphs:
        assert isomorphic(join(split(graph, scheme, PENMAN.is_constant), scheme), graph)
