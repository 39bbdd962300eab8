"""Bad input: one clear line on stderr, exit code 2, nothing on stdout, nothing written."""

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from command_line import refused, run

from amparser.corpora.tokens import checked_tokens, tokenize
from amparser.errors import InputError
from amparser.limits import MAX_TOKENS

GOOD_ROW = "A cat ran .\tcat ( x _ 1 ) AND run . agent ( x _ 2 , x _ 1 )\tx\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "sentence 2: empty line, expected a sentence"),
        ("A cat\x1b[31m ran.", "sentence 2: column 6: unexpected character U+001B in a sentence"),
        (
            "A\tcat",
            "sentence 2: column 2: unexpected character U+0009 in a sentence, expected a space",
        ),
        ("A \udcff cat", "sentence 2: column 3: unexpected character U+DCFF in a sentence"),
        ("cat " * 10_000, f"sentence 2: 10001 tokens, expected at most {MAX_TOKENS}"),
    ],
)
def test_invalid_sentence_is_a_failure_or_with_strict_an_error(text, message) -> None:
    assert refused("parse", "--strict", "A cat ran.", text) == message
    result = run("parse", "A cat ran.", text)
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()
    assert first == "cat ( x _ 1 ) AND run . agent ( x _ 2 , x _ 1 )"
    reason = message.removeprefix("sentence 2: ").removesuffix(", expected a sentence")
    assert second == f"# no parse: {reason}"
    assert result.stderr.splitlines() == [
        f"sentence 2: no parse: {reason}",
        "amparser: 1 of 2 sentences without a parse, 1 of them invalid input",
    ]


REFUSED = tomllib.loads(Path(__file__).with_name("refused.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("section", "command"), [(name, line) for name in REFUSED for line in REFUSED[name]["commands"]]
)
def test_bad_input_is_one_line_of_error(section, command, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = REFUSED[section].get("files", {})
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert REFUSED[section]["commands"][command] in refused(*shlex.split(command), stdin="")
    assert {path.name for path in tmp_path.iterdir()} == {*files}


def test_length_limit_is_inclusive() -> None:
    assert len(checked_tokens("cat " * MAX_TOKENS)) == MAX_TOKENS
    with pytest.raises(InputError, match="tokens"):
        checked_tokens("cat " * (MAX_TOKENS + 1))


@pytest.mark.parametrize("option", ["--output", "--html"])
def test_unwritable_output_is_found_before_work_begins(option, tmp_path) -> None:
    missing = tmp_path / "missing" / "out"
    # The data file is not even looked at.
    message = refused("evaluate", "--data", "nowhere.tsv", option, missing)
    assert message == f"{missing}: cannot be written: No such file or directory"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "a\tb\n".encode("utf-16"), "UTF-16 text, expected UTF-8"),
        (
            "a.tsv",
            b"a\t\x1b[31mred\x1b]0;title\x07 (\n",
            "a.tsv:1: column 21 (token 3): expected an argument",
        ),
        ("endless.toml", None, "not a regular file"),
        ("a.toml", f"[train]\nseed = {'9' * 5000}\n".encode(), "a.toml: not TOML"),
    ],
)
def test_wrong_kind_of_file_is_one_short_line(name, content, message, tmp_path) -> None:
    path, data = tmp_path / name, tmp_path / "data.tsv"
    data.write_text(GOOD_ROW, encoding="utf-8")
    if content is None:
        path.symlink_to("/dev/zero")
    else:
        path.write_bytes(content)
    convert = ("convert", "--from", "cogs", "--to", "json", path)
    told = refused(*(convert if path.suffix == ".tsv" else ("check", data, "--config", path)))
    assert message in told
    assert len(told) < 400
    assert not {"\x1b", "\x07"} & set(told)


def test_wrong_arguments_are_usage_errors() -> None:
    for arguments in (["train", "nothing"], ["parse", "--format", "xml"], ["evaluate"], ["fly"]):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "Traceback" not in result.output
    assert run("compare", "--data", "x.tsv", "--decoders", "astar,chart").exit_code == 2


def test_help_and_version_are_quick_and_clean() -> None:
    for argument in ("--help", "--version"):
        command = [sys.executable, "-X", "importtime", "-m", "amparser", argument]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        loaded = {line.split("|")[-1].strip() for line in result.stderr.splitlines()}
        assert not loaded & {"torch", "numba", "networkx", "numpy", "penman"}
        assert "amparser" in result.stdout


def test_closed_pipe_is_not_an_error(tmp_path) -> None:
    text = "A dog ran .\tdog ( x _ 1 ) AND run . agent ( x _ 2 , x _ 1 )\n" * 5000
    path = tmp_path / "in.tsv"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "amparser", "convert", str(path)]
    with subprocess.Popen(
        [*command, "--from", "cogs", "--to", "penman"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


def test_tokenised_text_is_checked_as_it_is() -> None:
    assert checked_tokens("Who ran ?") == tokenize("Who ran?")
