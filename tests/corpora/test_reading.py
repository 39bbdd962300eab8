"""Reading of data files, and errors about unreadable ones."""

import gzip
import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amparser.corpora import reading
from amparser.corpora.example import Example
from amparser.corpora.reading import iterate_examples, read_examples
from amparser.corpora.splits import split_files
from amparser.corpora.tokens import tokenize
from amparser.errors import CorpusError
from amparser.files import checksum

HINT = "; write a line such as 'turn on the lamp\\ton(lamp)'"
THREE = "A fly ran .\trun\tPP_3\nEmma\tEmma\tprimitive\n"


def write(path: Path, content: bytes | str) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz"])
def test_plain_and_compressed_files_give_the_same_examples(tmp_path: Path, name: str) -> None:
    assert read_examples(write(tmp_path / name, THREE)) == [
        Example(("A", "fly", "ran", "."), "run", tags=("PP_3",), line=1),
        Example(("Emma",), "Emma", tags=("primitive",), line=2),
    ]


def test_tags_are_optional_and_line_ends_and_byte_order_marks_are_ignored(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "a.tsv", "\ufeffa  b\tm\r\nc\tn")
    assert read_examples(path) == [Example(("a", "b"), "m", line=1), Example(("c",), "n", line=2)]
    assert read_examples(path)[0].sentence == "a b"


def test_an_empty_file_holds_no_examples(tmp_path: Path) -> None:
    assert read_examples(write(tmp_path / "a.tsv", "")) == []


def test_examples_are_read_lazily(tmp_path: Path) -> None:
    examples = iterate_examples(write(tmp_path / "a.tsv", "a\tm\tk\nfault\n"))
    assert next(examples).tokens == ("a",)
    with pytest.raises(CorpusError):
        next(examples)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (THREE + "a\tm\n", "3: expected 3 tab-separated columns, found 2"),
        ("a\tm\nb\tn\tk\n", "2: expected 2 tab-separated columns, found 3"),
        ("a\n", f"1: expected 3 tab-separated columns, found 1{HINT}"),
        (
            "a\tm\tk\tz\n",
            "1: expected 3 tab-separated columns, found 4; "
            "a first line such as 'text\\tmeaning' would name the columns",
        ),
        (THREE + "\n", f"3: expected 3 tab-separated columns, found 1{HINT}"),
        (" \tm\tk\n", "1: the sentence is empty"),
        ("a\t\tk\n", "1: the meaning is empty"),
        (b"a\tm\tk\na\xff\tm\tk\n", "2: byte 2: expected UTF-8 text"),
    ],
)
@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz"])
def test_a_bad_line_is_an_error_with_file_and_line(
    tmp_path: Path, name: str, content: bytes | str, message: str
) -> None:
    path = write(tmp_path / name, content)
    with pytest.raises(CorpusError) as caught:
        read_examples(path)
    assert str(caught.value) == f"{path}:{message}"


@pytest.mark.parametrize("data", [gzip.compress((THREE * 500).encode())[:-20], THREE.encode()])
def test_a_damaged_archive_is_an_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.tsv.gz").write_bytes(data)
    with pytest.raises(CorpusError, match=r"a\.tsv\.gz:\d+: damaged or truncated gzip file"):
        read_examples(tmp_path / "a.tsv.gz")


def test_a_missing_file_or_a_directory_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path / "a.tsv", tmp_path / "a.tsv.gz", tmp_path):
        with pytest.raises(CorpusError, match=str(path)):
            read_examples(path)
    with pytest.raises(CorpusError, match="No such file"):
        checksum(tmp_path / "a.tsv")


def test_an_unknown_suffix_is_an_error(tmp_path: Path) -> None:
    expected = (
        r"unknown suffix, expected one of \.tsv, \.csv.*; 'A fly.*' looks most like a line of \.tsv"
    )
    with pytest.raises(CorpusError, match=expected):
        read_examples(write(tmp_path / "a.xls", THREE))
    with pytest.raises(CorpusError, match="unknown suffix"):
        read_examples(tmp_path / "none.xls")


def test_a_file_named_after_the_notation_is_preferred(tmp_path: Path) -> None:
    for name in ("train.fol.tsv", "train.clf.tsv", "test.tsv", "train.tsv"):
        write(tmp_path / name, THREE)
    assert list(split_files(tmp_path, "fol").values()) == [tmp_path / "train.fol.tsv"]
    assert list(split_files(tmp_path).values()) == [tmp_path / "train.tsv", tmp_path / "test.tsv"]
    assert split_files(tmp_path, "vf") == split_files(tmp_path)


def test_a_subfolder_named_after_the_notation_is_read(tmp_path: Path) -> None:
    (tmp_path / "vf_lf").mkdir()
    write(tmp_path / "vf_lf" / "train.tsv.gz", THREE)
    assert split_files(tmp_path, "vf") == {"train": tmp_path / "vf_lf" / "train.tsv.gz"}


def test_split_files_finds_both_suffixes_in_a_fixed_order(tmp_path: Path) -> None:
    names = ["gen_sample.tsv.gz", "gen.tsv", "test.tsv.gz", "dev.tsv", "train.tsv"]
    for name in [*names, "notes.tsv", "train.txt", "training.tsv"]:
        write(tmp_path / name, THREE)
    found = split_files(tmp_path)
    assert list(found) == ["train", "dev", "test", "gen", "gen_sample"]
    assert found["gen_sample"] == tmp_path / "gen_sample.tsv.gz"


def test_split_files_refuses_missing_and_ambiguous_splits(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="expected train, dev, test"):
        split_files(tmp_path)
    with pytest.raises(CorpusError, match="no such directory"):
        split_files(tmp_path / "absent")
    write(tmp_path / "dev.tsv", THREE)
    write(tmp_path / "dev.tsv.gz", THREE)
    with pytest.raises(CorpusError, match=r"found both dev\.tsv and dev\.tsv\.gz"):
        split_files(tmp_path)


def test_checksum_is_the_sha256_of_the_bytes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", THREE)
    assert checksum(path) == hashlib.sha256(THREE.encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Who did Emma give a cake to?", "Who did Emma give a cake to ?"),
        ("  A fly ran .", "A fly ran ."),
        ("Emma, who ran; slept!", "Emma , who ran ; slept !"),
        ("What?!", "What ? !"),
        ("3.5 or 1,000.", "3.5 or 1,000 ."),
        ("It's o'clock", "It's o'clock"),
        (" \n", ""),
    ],
)
def test_tokenize(text: str, tokens: str) -> None:
    assert tokenize(text) == tuple(tokens.split())


@given(st.text(alphabet="aB3.,?!; \n'"))
def test_tokenizing_twice_changes_nothing(text: str) -> None:
    assert tokenize(" ".join(tokenize(text))) == tokenize(text)


def test_published_sentences_are_already_tokenised(data_dir: Path) -> None:
    for example in read_examples(data_dir / "slog" / "cogs_lf" / "gen_sample.tsv.gz"):
        assert tokenize(example.sentence) == example.tokens


def test_a_file_with_too_many_lines_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_LINES", 1000)
    path = tmp_path / "train.tsv.gz"
    path.write_bytes(gzip.compress(b"\n" * 1001))
    with pytest.raises(CorpusError, match=r"gz:1001: more than 1000 lines"):
        read_examples(path, faults=[])


def test_reading_ends_after_ten_thousand_malformed_rows(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv.gz"
    path.write_bytes(gzip.compress(b"\n" * 20_000))
    faults: list[str] = []
    with pytest.raises(CorpusError, match=r"gz:10001: .* 10000 rows before it are malformed too"):
        read_examples(path, faults=faults)
    assert len(faults) == 10_000
