"""The parser as a system: from meanings or graphs, the same parser."""

from dataclasses import replace

import pytest
from command_line import ok
from tiny_model import corpus

import amparser
from amparser.corpora.example import Example
from amparser.errors import CorpusError, InputError
from amparser.learn.report import TrainingReport
from amparser.learn.settings import with_overrides
from amparser.notations.registry import NOTATIONS
from amparser.parser_system import AMPARSER

SETTINGS = with_overrides(
    AMPARSER.settings,
    [
        "word_size=8", "encoder.hidden_size=8", "supertag.hidden_size=8", "edge.hidden_size=8",
        "operation_size=8", "train.epochs=1", "epoch_sentences=0", "device=cpu",
    ],
)  # fmt: skip


def with_graphs(example: Example) -> Example:
    graph = NOTATIONS["cogs"].graph(example.tokens, example.meaning or "")
    return replace(example, meaning=None, graph=graph)


def test_graphs_whose_nodes_have_no_tokens_are_left_out_with_a_reason(tmp_path) -> None:
    reports: list[TrainingReport] = []
    meanings = corpus(tmp_path / "data")
    example = with_graphs(meanings.train[0])
    nodes = {i: node._replace(token=None) for i, node in example.graph.nodes.items()}
    bad = replace(example, graph=replace(example.graph, nodes=nodes), line=100)
    mine = replace(meanings, train=[*meanings.train, bad], benchmark="mine")
    model = AMPARSER.train(mine, SETTINGS, tmp_path / "model", on_report=reports.append)
    [report] = reports
    assert (report.constant_count, report.edge_label_count) == (6, 6)
    [fault] = report.failures
    assert fault.startswith(f"{meanings.places['train']}:100: ")
    assert (model.benchmark, model.settings.data.notation) == ("mine", "cogs")
    assert model.data["train"]["file"] == "train.tsv"


def test_an_alignment_outside_of_the_sentence_and_an_unknown_notation_are_refused(tmp_path) -> None:
    meanings = corpus(tmp_path / "data")
    row = replace(with_graphs(meanings.train[0]), tokens=("A",), line=5)
    expected = r"train\.tsv:5: the node .* is aligned to 2: expected a token from 1 to 1"
    with pytest.raises(CorpusError, match=expected):
        AMPARSER.train(replace(meanings, train=[row]), SETTINGS, tmp_path / "new")
    with pytest.raises(CorpusError, match=r"notation of the meaning is not known"):
        AMPARSER.train(replace(meanings, notation=""), SETTINGS, tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("preset", ["node", "tree", "graph"])
def test_what_is_not_connected_is_not_learned(preset, tmp_path) -> None:
    """`convert` refuses it as well."""
    path = tmp_path / "train.tsv"
    path.write_text("Dogs bark .\t{e2: e2:_bark_v_1<5:9>[] x3:_dog_n_1<0:4>[]}\n", "utf-8")
    with pytest.raises(InputError, match=r"train\.tsv:1: nodes \['_dog_n_1'\] are not connected"):
        amparser.check(path, overrides=[f"preset={preset}"])


@pytest.mark.parametrize("preset", ["tree", "graph"])
def test_deep_nesting_is_an_error_with_a_place(preset, tmp_path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text(f"go\tf(a)\nstop\t{'f(' * 3000}a{')' * 3000}\n", "utf-8")
    expected = "train.tsv:2: nested too deeply, expected at most 300 levels"
    assert expected in ok("check", path, "--set", f"preset={preset}")


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("node", "train.penman:9: 'loop-01' has an edge to itself, 'ARG1'"),
        ("tree", "3 edges left out of 3 examples of train"),
        ("graph", "3 training examples"),
    ],
)
def test_cycles_and_parallel_edges_are_learned_or_have_a_reason(preset, expected, tmp_path) -> None:
    graphs = [
        "(b / bark-01 :ARG0 (d / dog :ARG1 b))",
        "(s / see-01 :ARG0 (d / dog) :ARG1 d)",
        "(l / loop-01 :ARG0 (d / dog) :ARG1 l)",
    ]
    path = tmp_path / "train.penman"
    blocks = (f"# ::tok the dog barks\n# ::alignments 3 2\n{graph}\n" for graph in graphs)
    path.write_text("\n".join(blocks), "utf-8")
    assert expected in ok("check", path, "--set", f"preset={preset}")


def test_no_vocabulary_has_addresses_and_long_numbers(tmp_path) -> None:
    """Rows show each in tokens and meaning; words like them are learned."""
    forms = ("ann{}@post.no", "www.tt{}.no", "https://a{}.b/c", "971655{}", "555-123-45{}")
    private = [form.format(number) for form in forms for number in range(10, 22)]
    public = [f"19{number}" for number in range(10, 22)]
    path = tmp_path / "train.penman"
    blocks = (
        f'# ::tok call {word} now\n(c / call-01 :ARG1 (n / name :op1 "{word}") :time (o / now))\n'
        for word in (*private, *public)
    )
    path.write_text("\n".join(blocks), "utf-8")
    settings = ["preset=graph", "train.epochs=1", "encoder.hidden_size=8", "train.device=cpu"]
    amparser.train(path, tmp_path / "model", overrides=settings)
    written = (tmp_path / "model" / "model.json").read_text("utf-8")
    assert [word for word in private if word in written] == []
    assert [word for word in public if word not in written] == []
