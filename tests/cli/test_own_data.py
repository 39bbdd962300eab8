"""Own data on the command line: check, train, evaluate and parse."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import ok, python, refused, run
from tiny_model import SETTINGS, write_corpus

import amparser
from amparser.parser import Parser

DOCS = Path(__file__).resolve().parents[2] / "docs"
GOOD = "The {0} ran .\t* {0} ( x _ 1 ) ; run . agent ( x _ 2 , x _ 1 )\tx\n"
GRAPH = "# ::snt A dog ran .\n# ::alignments 3 2\n(r / run :agent (d / dog))\n\n"
TREE = (
    "1\tA\t_\t_\t_\t_\t_\t_\t_\t0\tIGNORE\ttrue\n"
    "2\tdog\t_\tdog\t_\t_\t(i1<root> / --LEX--)\t$LEMMA$\t()\t3\tAPP_s\ttrue\n"
    "3\tran\t_\trun\t_\t_\t(i1<root> / --LEX-- :agent (i2<s>))\t$LEMMA$\t(s())\t0\tROOT\ttrue\n\n"
)

ROWS = GOOD.format("dog") * 9
SAID = '{"sentence": "And Rex ran .", "meaning": "run . agent ( x _ 2 , Rex )"}\n'
OTHER_TREE = [
    *({"form": form, "head": 0, "operation": "IGNORE"} for form in ("And", "Rex")),
    {"form": "ran", "head": 0, "operation": "ROOT", "lexical_label": "see",
     "supertag": "(i<root> / --LEX--)", "type": "()"},
    {"form": ".", "head": 0, "operation": "IGNORE"},
]  # fmt: skip


def _said(more: str) -> str:
    return SAID.replace("}", f', "notation": "cogs", {more}}}')


class Fault(NamedTuple):
    text: str
    reason: str
    line: int = 0


FAULTS: dict[str, Sequence[str | Fault]] = {
    "train.tsv": (
        "Sentence\tMeaning\tType\n",
        ROWS,
        Fault("A dog ran .\n", "expected 3 tab-separated columns, found 1"),
        Fault("A dog ran .\n", "expected 3 tab-separated columns, found 1"),
        Fault("A dog ran .\texists x.(dog(x) & run(x))\tx\n",
              "notation cogs: column 8 (token 2): "),
        Fault("A dog .\tdog ( x _ 7 )\tx\n", "'dog' is at position 7 of a sentence of 3 tokens"),
        Fault("A red dog .\tdog ( x _ 2 ) AND red ( x _ 2 )\tx\n",
              "'x _ 2' belongs to two predicates, 'dog' and 'red'"),
        Fault("Stop\tstop ( x _ 0 )\tx\n", "must be a form with LAMBDA"),
        ROWS,
    ),
    "train.tsv.gz": (
        Fault("A dog .\tdog ( x _ 1 )\n", "expected 3 tab-separated columns, found 2"),
        ROWS,
        Fault("\udcff\udcfe\tx\n", "byte 1: expected UTF-8 text"),
    ),
    "train.amr": (
        GRAPH * 9,
        Fault(GRAPH.replace("3 2", "3 9"), "alignment 9: expected a token from 1 to 4", line=1),
        Fault("# ::snt A dog\n# ::alignments 1 2\n(a<root> / a :x (d<root> / dog))\n\n", "root",
              line=2),
        Fault("# ::snt A dog\n# ::alignments 2\n(d / dog :x d)\n",
              "'dog' has an edge to itself, 'x'"),
    ),
    "train.penman": (GRAPH * 9, Fault("# ::snt A dog\n(d / dog)\n", "not aligned")),
    "train.amconll": (
        TREE * 9,
        Fault(TREE.replace("3\tAPP_s", "0\tROOT"), "root"),
        Fault(TREE.replace("APP_s", "APP_t"), "has no source t"),
    ),
    "train.jsonl": (
        SAID * 9,
        Fault("[1]\n", "expected a JSON object"),
        Fault('{"meaning": "a", "meaning": "b"}\n', 'the key "meaning" occurs twice'),
        Fault('{"sentence": "A dog", "graph": "(d / dog)", "alignments": [true]}\n',
              "alignment True: expected a token from 1 to 2"),
        Fault(_said('"alignments": [1, 2]'), "'graph', which is missing"),
        Fault(_said('"tokens": ["Liam", "ran", "."]'), "have different letters"),
        Fault(_said('"graph": "(r<root> / run :agent (e / Liam))"'),
              "'meaning' differs from the graph"),
        Fault(_said(f'"tree": {json.dumps(OTHER_TREE)}'), "'meaning' differs from the tree"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("file", FAULTS)
def test_check_lists_each_fault_with_its_line(file, tmp_path) -> None:
    path, text, expected = tmp_path / file, "", []
    for part in FAULTS[file]:
        if isinstance(part, Fault):
            expected.append((f"{path}:{1 + text.count(chr(10)) + part.line}: ", part.reason))
        text += part.text if isinstance(part, Fault) else part
    data = text.encode("utf-8", "surrogateescape")
    path.write_bytes(gzip.compress(data) if file.endswith(".gz") else data)
    faults = [row for row in ok("check", tmp_path).splitlines() if row.startswith(f"{path}:")]
    assert len(faults) == len(expected)
    for fault, (place, reason) in zip(faults, expected, strict=True):
        assert fault.startswith(place)
        assert reason in fault
    # All other rows are in train or dev.
    report = amparser.check(tmp_path)
    assert len(report.failures) + len(report.dev_failures) == len(faults)
    assert report.train_count + report.dev_count >= 9
    assert f"rows with a fault: {len(faults)}" in run("check", "--strict", tmp_path).stderr


def test_a_file_that_cannot_be_read_at_all_is_an_error(tmp_path) -> None:
    """`refused.toml` has other files."""
    path = tmp_path / "train.tsv"
    path.write_bytes(b"A dog\xff\tm\n")
    for command in (("check",), ("train", "--output", tmp_path / "model", "--data")):
        assert refused(*command, tmp_path).endswith("train.tsv:1: byte 6: expected UTF-8 text")


def test_check_counts_what_decomposes_and_what_dev_can_reach(tmp_path) -> None:
    write_corpus(tmp_path)
    strange = (
        "Emma liked Liam and Ava .\tlike . agent ( x _ 1 , Emma ) AND like . and ( x _ 1 , Ava )"
    )
    strange += " AND like . theme ( x _ 1 , Liam )\tnew\n"
    with (tmp_path / "dev.tsv").open("a", encoding="utf-8") as file:
        file.write(strange)
    printed = ok("check", tmp_path).splitlines()
    assert printed[0] == "notation cogs, recognised"
    assert printed[1] == "preset: node; of 36 rows of train, node reproduces 100.0 %"
    fault = f"{tmp_path / 'dev.tsv'}:10: its tree has a supertag or an edge"
    at = next(i for i, line in enumerate(printed) if line.startswith(fault))
    assert printed[at + 1] == "36 training examples, 9 dev examples"
    assert printed[at + 2].startswith("upper bound: 90.0 % of dev")
    strict = run("check", tmp_path, "--strict")
    assert strict.exit_code == 2
    assert strict.stderr == f"amparser: error: {tmp_path}: rows with a fault: 1\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    (folder / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    meanings = write_corpus(folder / "meanings")
    (meanings / "test.tsv").write_text((meanings / "dev.tsv").read_text("utf-8"), "utf-8")
    settings = ("--config", folder / "settings.toml", "--device", "cpu")
    ok("train", "--data", meanings, "--output", folder / "model-meanings", *settings)
    for name, kind in (("graphs", "penman"), ("trees", "amconll")):
        (folder / name).mkdir()
        for split in ("train", "dev", "test"):
            text = ok(
                "convert", "--from", "cogs", "--to", kind, meanings / f"{split}.tsv",
                "--model", folder / "model-meanings",
            )  # fmt: skip
            suffix = {"penman": "amr.gz", "amconll": "amconll.gz"}[kind]
            (folder / name / f"{split}.{suffix}").write_bytes(gzip.compress(text.encode()))
        ok("train", "--data", folder / name, "--output", folder / f"model-{name}", *settings)
    return folder


SENTENCE = "The rose saw a cat."
MEANING = (
    "* rose ( x _ 1 ) ; see . agent ( x _ 2 , x _ 1 ) AND see . theme ( x _ 2 , x _ 4 ) "
    "AND cat ( x _ 4 )"
)


def test_a_model_prints_what_it_was_trained_on(folder) -> None:
    parse = ("parse", SENTENCE, "--model")
    assert ok(*parse, folder / "model-meanings") == f"{MEANING}\n"
    graph = "(i1<root> / see :agent (i2 / rose :iota-of (i3 / the)) :theme (i4 / cat))\n"
    assert ok(*parse, folder / "model-graphs") == graph
    trees = ok(*parse, folder / "model-trees")
    assert trees.startswith("1\tThe\t")
    assert trees == ok(*parse, folder / "model-meanings", "--format", "amconll")
    for name in ("graphs", "trees"):
        model = folder / f"model-{name}"
        assert ok(*parse, model, "--format", "meaning") == graph
        assert ok(*parse, model, "--notation", "cogs") == f"{MEANING}\n"


def test_all_three_learn_the_same(folder) -> None:
    logps = [
        Parser.load(folder / f"model-{name}", "cpu").parse([SENTENCE])[0].logp
        for name in ("meanings", "graphs", "trees")
    ]
    assert logps[0] == logps[1] == logps[2]


@pytest.mark.parametrize(("name", "suffix"), [("graphs", "amr.gz"), ("trees", "amconll.gz")])
def test_graphs_and_trees_are_evaluated_as_graphs(folder, name, suffix) -> None:
    model = ("--model", folder / f"model-{name}")
    data = ("--data", folder / name / f"test.{suffix}")
    assert "ditransitive" in ok("evaluate", *model, *data)
    assert "graph match in %" in ok("compare", *model, *data, "--decoders", "astar,fixed-tree")
    meanings = folder / "meanings" / "test.tsv"
    message = refused("evaluate", *model, "--data", meanings)
    assert "test.tsv:1: the model answers with graphs" in message
    assert "exact" in ok("evaluate", *model, "--data", meanings, "--notation", "cogs")
    assert "agent L1" in ok("lexicon", "--data", folder / "graphs")


def test_train_leaves_out_faulty_rows(folder, tmp_path) -> None:
    write_corpus(tmp_path)
    rows = (tmp_path / "train.tsv").read_text(encoding="utf-8")
    (tmp_path / "train.tsv").write_text(f"sentence\tmeaning\ttag\n{rows}broken\n", "utf-8")
    arguments = ("train", "--data", tmp_path, "--output", tmp_path / "model")
    quick = ("--set", "train.epochs=1", "--set", "train.epoch_sentences=0", "--device", "cpu")
    message = refused(*arguments, *quick, "--strict")
    assert "train.tsv:38: expected 3 tab-separated columns, found 1" in message
    with (tmp_path / "dev.tsv").open("a", encoding="utf-8") as file:
        file.write("broken\n")
    result = run(*arguments, *quick)
    assert result.exit_code == 0
    assert "1 rows of train are left out:" in result.stderr
    left_out, fault, shares = result.stdout.splitlines()[-3:]
    assert left_out == "1 rows of dev.tsv are left out:"
    assert "dev.tsv:10: expected 3 tab-separated columns, found 1" in fault
    assert " % of 9 rows, " in shares
    assert "36 training examples (97.3 % of 37 rows), 9 dev examples" in result.stderr
    assert Parser.load(tmp_path / "model", "cpu").notation == "cogs"


def test_evaluate_leaves_out_faulty_rows(folder, tmp_path) -> None:
    model = ("--model", folder / "model-meanings")
    good = (folder / "meanings" / "test.tsv").read_text(encoding="utf-8")
    rows = good.splitlines(keepends=True)
    path = tmp_path / "test.tsv"
    path.write_text("".join((rows[0], "A dog\n", "A dog\tdog (\tx\n", *rows[1:])), "utf-8")
    result = run("evaluate", *model, "--data", path, "--output", tmp_path / "figures.json")
    assert result.exit_code == 0
    assert result.stderr.splitlines()[0] == "2 rows of test.tsv are left out:"
    assert f"  {path}:2: expected 3 tab-separated columns, found 1" in result.stderr
    assert f"  {path}:3: column 6 (token 3): expected an argument, found the end" in result.stderr
    whole = run("evaluate", *model, "--data", folder / "meanings" / "test.tsv")
    assert whole.stderr == ""
    *table, shares, _ = result.stdout.splitlines()
    assert table == whole.stdout.splitlines()[:-1]
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    [answers] = figures["decoders"].values()
    right = 100 * answers["overall"]["exact"]["numerator"]
    assert shares == (
        f"exact: {right / len(rows):.1f} % of {len(rows)} rows, "
        f"{right / (len(rows) + 2):.1f} % if the 2 malformed rows count as wrong"
    )
    assert (figures["count"], len(figures["left_out"])) == (len(rows), 2)
    path.write_text("A dog\tdog (\tx\n", encoding="utf-8")
    assert f"{path}:1: column 6" in refused("evaluate", *model, "--data", path)


def test_evaluate_names_the_files_of_a_folder(folder, tmp_path) -> None:
    model = ("--model", folder / "model-meanings")
    message = refused("evaluate", *model, "--data", folder / "meanings")
    assert message.endswith("a folder, expected one of its files: train.tsv, dev.tsv, test.tsv")
    assert refused("evaluate", *model, "--data", tmp_path).endswith("expected one of its files")


def test_a_model_of_other_data_is_replaced_on_request_alone(tmp_path) -> None:
    write_corpus(tmp_path / "one")
    write_corpus(tmp_path / "two")
    (tmp_path / "two" / "dev.tsv").unlink()
    quick = ("--set", "train.epochs=1", "--set", "train.epoch_sentences=0", "--device", "cpu")
    arguments = ("train", "--output", tmp_path / "model", *quick, "--data")
    for _ in range(2):
        ok(*arguments, tmp_path / "one")
    before = (tmp_path / "model" / "model.json").read_bytes()
    refusal = run(*arguments, tmp_path / "two")
    assert refusal.exit_code == 2
    assert f"{tmp_path / 'model'}: a model of other data (train.tsv, dev.tsv); " in refusal.stderr
    assert (tmp_path / "model" / "model.json").read_bytes() == before
    ok(*arguments, tmp_path / "two", "--replace")
    assert (tmp_path / "model" / "model.json").read_bytes() != before


def test_train_names_the_option_for_data(tmp_path) -> None:
    assert refused("train", tmp_path).endswith(f"; to learn from {tmp_path}: --data {tmp_path}")
    assert "--data" not in refused("train", tmp_path / "none")


def test_unknown_words_are_flagged(folder) -> None:
    model = folder / "model-meanings"
    result = run("parse", SENTENCE, "The zorp saw a Blick.", "--model", model, "--format", "json")
    known, guessed = map(json.loads, result.stdout.splitlines())
    assert (known["unknown"], guessed["unknown"]) == ([], ["zorp", "Blick"])
    assert known["logp_per_token"] == pytest.approx(known["logp"] / 6)
    assert "1 of 2 sentences with words that the model never saw: 'zorp', 'Blick'" in result.stderr
    message = refused("parse", SENTENCE, "The zorp saw a Blick.", "--strict", "--model", model)
    assert message.endswith("sentence 2: words that the model never saw: 'zorp', 'Blick'")
    assert ok("parse", SENTENCE, "--strict", "--model", model) == f"{MEANING}\n"


@pytest.mark.parametrize(
    ("script", "bound"), [("robot_commands", 1.0), ("small_graphs", 1.0), ("function_calls", None)]
)
def test_scripts_of_the_documentation_write_valid_corpora(script, bound, tmp_path) -> None:
    python(DOCS / f"{script}.py", tmp_path)
    report = amparser.check(tmp_path)
    assert (report.failures, report.dev_failures, report.upper_bound) == ((), (), bound)


def test_a_row_with_an_open_parenthesis_does_not_change_the_notation(tmp_path) -> None:
    rows = ("a lamp\ton(lamp)", "no lamp\toff(lamp", "no fan\toff(fan)")
    (tmp_path / "train.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    fault = f"{tmp_path / 'train.tsv'}:2: notation term: column 9: expected ',' or ')'"
    assert fault in ok("check", tmp_path)


def test_rows_of_another_folder_are_learned_too(tmp_path) -> None:
    colours = {"home": ("red", "blue", "green"), "more": ("pink", "gray"), "third": ("black",)}
    for name, words in colours.items():
        rows = "".join(f"paint it {word}\tpaint({word})\n" for word in words for _ in range(4))
        (tmp_path / name).mkdir()
        (tmp_path / name / "train.tsv").write_text(rows, encoding="utf-8")
    line = ["train", "--data", tmp_path / "home", "--output", tmp_path / "m", "--set"]
    ok(*line, "train.epochs=1", "--also", tmp_path / "more", tmp_path / "third")
    content = json.loads((tmp_path / "m/model.json").read_text(encoding="utf-8"))
    assert content["settings"]["data"]["also"] == "../more ../third"
    assert {"more/train.tsv", "third/train.tsv"} <= set(content["data"])
    named = refused(*line, "train.epochs=1", "--also", tmp_path / "other words")
    assert "--also ../other words: expected a path without spaces" in named
    assert "unexpected argument 'more' after slog" in refused("train", "slog", "more")
