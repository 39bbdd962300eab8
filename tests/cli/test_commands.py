"""Commands, run on a model trained on a few sentences."""

import json
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from command_line import ok, run
from tiny_model import rows
from typer.main import get_command

from amparser.cli.main import app
from amparser.decode.parse import NO_TREE, Parse
from amparser.decode.scores import Scores
from amparser.errors import InputError
from amparser.files import replacing
from amparser.parser import Parser

SENTENCES = ["Who did Emma give a cake to?", "The rose saw a cat.", "Liam gave a rose to the dog."]
FORMS = [
    "give . agent ( x _ 3 , Emma ) AND give . theme ( x _ 3 , x _ 5 ) "
    "AND give . recipient ( x _ 3 , ? ) AND cake ( x _ 5 )",
    "* rose ( x _ 1 ) ; see . agent ( x _ 2 , x _ 1 ) AND see . theme ( x _ 2 , x _ 4 ) "
    "AND cat ( x _ 4 )",
    "* dog ( x _ 6 ) ; give . agent ( x _ 1 , Liam ) AND give . theme ( x _ 1 , x _ 3 ) "
    "AND give . recipient ( x _ 1 , x _ 6 ) AND rose ( x _ 3 )",
]


@pytest.fixture
def model(tiny) -> str:
    return str(tiny / "model")


def test_training_learns_its_own_sentences(tiny) -> None:
    log = (tiny / "model" / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(log[-1])["dev_accuracy"] == 1.0


def test_train_command_writes_a_model_that_parses(tiny, tmp_path) -> None:
    shutil.copytree(tiny / "data", tmp_path / "data" / "cogs_lf")
    for other in ("aaa_lf", "varfree_lf", "zzz_lf"):  # the corpus in notations that are not read
        (tmp_path / "data" / other).mkdir()
        (tmp_path / "data" / other / "dev.tsv").write_text("none\n")
    arguments = ("train", "slog", "--data", tmp_path / "data", "--output", tmp_path / "model")
    settings = ("--config", tiny / "settings.toml", "--set", "train.epochs=1", "--seed", "7")
    *_, last = ok(*arguments, *settings, "--device", "cpu").splitlines()
    dev = tiny / "data" / "dev.tsv"
    figures = tmp_path / "figures.json"
    ok("evaluate", "--model", tmp_path / "model", "--data", dev, "--output", figures)
    [(name, found)] = json.loads(figures.read_text())["decoders"].items()
    measure, count = next(iter(found["overall"].items()))
    assert last.startswith(f"dev.tsv: {measure} {100 * count['share']:.2f} % ({name}), as ")
    parser = Parser.load(tmp_path / "model", "cpu")
    assert parser.settings.train.seed == 7
    assert len(parser.parse(SENTENCES)) == len(SENTENCES)


def test_parse_prints_a_logical_form_a_sentence_in_order(model) -> None:
    assert ok("parse", *SENTENCES, "--model", model).splitlines() == FORMS


@pytest.mark.parametrize("output_format", ["penman", "amconll", "json"])
def test_printed_graphs_and_trees_convert_to_the_meaning(model, output_format, tmp_path) -> None:
    printed = ok("parse", *SENTENCES, "--model", model, "--format", output_format)
    converted = ok("convert", "--from", output_format, "--to", "cogs", stdin=printed)
    assert [line.split("\t")[1] for line in converted.splitlines()] == FORMS


@pytest.mark.parametrize("other", ["varfree", "penman", "amconll", "json"])
def test_conversion_there_and_back_changes_nothing(other, model, tmp_path) -> None:
    text = "".join(f"{sentence}\t{form}\n" for sentence, form, _ in rows())
    (tmp_path / "cogs.tsv").write_text(text, encoding="utf-8")
    there = tmp_path / "there"
    convert = ("convert", "--model", model)
    ok(*convert, tmp_path / "cogs.tsv", "--from", "cogs", "--to", other, "--output", there)
    assert ok(*convert, there, "--from", other, "--to", "cogs") == text


def test_a_sentence_without_a_parse_keeps_its_place(model, monkeypatch) -> None:
    decode = Parser.decode

    def no_second(parser: Parser, scores: list[Scores], decoder: str | None) -> list[Parse]:
        parses = decode(parser, scores, decoder)
        parses[1] = Parse(failure=NO_TREE)
        return parses

    monkeypatch.setattr(Parser, "decode", no_second)
    result = run("parse", *SENTENCES, "--model", model)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [FORMS[0], "# no parse: no well-typed tree", FORMS[2]]
    assert "sentence 2: no parse: no well-typed tree" in result.stderr
    assert "1 of 3 sentences without a parse" in result.stderr
    for output_format in ("json", "penman", "amconll"):
        printed = run("parse", *SENTENCES, "--model", model, "--format", output_format).stdout
        assert printed.count("no well-typed tree") == 1
        converted = run("convert", "--from", output_format, "--to", "json", stdin=printed).stdout
        failures = [json.loads(line)["failure"] for line in converted.splitlines()]
        assert failures == [None, "no well-typed tree", None]


def test_evaluate_counts_by_type(model, tiny, tmp_path) -> None:
    gold = rows()
    # One row is given a wrong logical form, so that the parser is wrong.
    gold[0] = (gold[0][0], gold[0][1].replace("see . agent", "see . theme", 1), gold[0][2])
    data = tmp_path / "gold.tsv"
    data.write_text("".join("\t".join(row) + "\n" for row in gold), encoding="utf-8")
    output, page = tmp_path / "figures.json", tmp_path / "errors.html"
    arguments = ("evaluate", "--data", data, "--model", model, "--decoder", "astar")
    printed = ok(*arguments, "--output", output, "--html", page)
    assert "ditransitive" in printed
    figures = json.loads(output.read_text(encoding="utf-8"))
    assert figures["count"] == sum(figures["tags"].values()) == len(gold)
    assert figures["model"] == model
    assert figures["metrics"] == ["match"]
    [(decoder, of_decoder)] = figures["decoders"].items()
    assert decoder == "astar"
    assert of_decoder["overall"].keys() == {"exact", "reformatted", "graph"}
    assert of_decoder["overall"]["exact"]["share"] == pytest.approx(1 - 1 / len(gold))
    assert of_decoder["tags"]["question"]["exact"]["share"] == 1.0
    assert of_decoder["sentences_per_second"] > 0
    text = page.read_text(encoding="utf-8")
    assert re.findall(r'<p class="faint">(line [^<]*)', text) == [f"line 1 {gold[0][2]} (meaning)"]
    assert text.count("<svg") == 2


def test_lexicon_of_a_model_is_that_of_its_data(model, tiny) -> None:
    printed = ok("lexicon", "--model", model)
    assert printed == ok("lexicon", "--data", tiny / "data", "--notation", "cogs")
    assert "frames: the source of each role" in printed
    assert "--LEX--" in printed


def test_folder_as_output_file_is_an_error(tmp_path) -> None:
    with pytest.raises(InputError, match="it is a folder"), replacing(tmp_path):
        pass


def test_train_lists_settings() -> None:
    assert "train.epochs" in ok("train", "--list-settings")
    assert "network.layers" in ok("train", "--list-settings", "--system", "transformer")


def options_of(group: Any) -> Iterator[tuple[str, int]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from options_of(command)
        else:
            yield name, sum(one.param_type_name == "option" for one in command.params)


def test_commands_have_at_most_fifteen_options() -> None:
    assert {name: count for name, count in options_of(get_command(app)) if count > 15} == {}
