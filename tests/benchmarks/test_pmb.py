"""The benchmark of the Parallel Meaning Bank, tested on an invented bank in its layout."""

from pathlib import Path

import pytest
from command_line import ok, run
from published import DATA, missing
from toy_bank import examples
from toy_graphs import SMALL_GRAPHS

from amparser.api import choose_settings
from amparser.benchmarks.pmb.benchmark import PMB
from amparser.benchmarks.pmb.reading import read_bank
from amparser.corpora.example import Example
from amparser.corpora.tokens import tokenize
from amparser.errors import CorpusError
from amparser.graph.boxes import box_scheme, join, split
from amparser.graph.sgraph import isomorphic
from amparser.notations.penman import PENMAN
from amparser.parser import Parser

BANK = DATA / "pmb/pmb4"
SMALL = (*SMALL_GRAPHS, "epochs=10")


def block(example: Example) -> str:
    layers = dict(example.layers)
    rows = [f"# ::snt {example.sentence}"]
    for name, items in (*layers.items(), ("lemma", layers["tok"])):
        rows.append(f"# ::{name} {' '.join(item.replace(' ', '~') for item in items)}")
    return "\n".join([*rows, example.meaning or ""]) + "\n\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bank")
    rows = examples(140)
    (folder / "train.penman").write_text("".join(map(block, rows[:120])))
    (folder / "dev.penman").write_text("".join(map(block, rows[120:])))
    return folder


def test_rows_and_layers_of_a_bank_are_read(data: Path) -> None:
    for found, row in zip(read_bank(data / "train.penman"), examples(140), strict=False):
        assert found.tokens == row.tokens
        assert dict(found.layers)["tok"] == dict(row.layers)["tok"]
        assert found.graph is not None
        assert row.graph is not None
        assert isomorphic(found.graph, row.graph)
    assert len(read_bank(data / "dev.penman", 3)) == 3


@pytest.mark.parametrize(
    ("sentence", "words", "expected"),
    [
        (
            "He can't sing.",
            "Ann ca n't dance . He ca n't sing .",
            "Ann can't dance . He can't sing .",
        ),
        ("It's red!", "New~York , Ann 's home . It 's red !", "New York , Ann's home . It's red !"),
        ("It's red!", "It 's red !", "It's red !"),
        ("New York is big.", "York is big .", None),
        ("He sings.", "Ann dances . She sings .", None),
    ],
)
def test_a_text_without_its_beginning_is_restored_from_its_words(
    tmp_path: Path, sentence: str, words: str, expected: str | None
) -> None:
    path = tmp_path / "bank.penman"
    path.write_text(f'# ::snt {sentence}\n# ::tok {words}\n(b / "box")\n')
    [example] = read_bank(path)
    assert example.tokens == tokenize(expected or sentence)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# ::tok a b\n(x / y)", r"bad.penman:1: expected a comment with the sentence"),
        ("# ::snt a b\n# ::tok a b\n# ::sem X\n(x / y)", r"bad.penman:1: the layer 'sem' has 1"),
        ("# ::snt a\n(x / y", r"bad.penman:2: column 7: unexpected end of input"),
    ],
)
def test_malformed_blocks_are_errors_with_file_and_line(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "bad.penman"
    path.write_text(text)
    with pytest.raises(CorpusError, match=message):
        read_bank(path)


def test_examples_are_tagged_by_length_and_boxes() -> None:
    found = {PMB.tags(example) for example in examples(100)}
    assert {("1-5 tokens", "1 box"), ("6-8 tokens", "2 boxes")} <= found


def test_a_model_is_trained_parses_and_evaluates(data: Path, tmp_path: Path) -> None:
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
    assert scheme is not None
    assert scheme.member == "member"
    for graph in graphs:
        assert isomorphic(join(split(graph, scheme, PENMAN.is_constant), scheme), graph)
