"""Reading of data files, and errors about unreadable ones."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from amparser.corpora import reading
from amparser.corpora.example import Example
from amparser.corpora.reading import iterate_examples, read_examples
from amparser.corpora.splits import split_files
from amparser.corpora.tokens import tokenize
from amparser.errors import CorpusError
from amparser.files import checksum

THREE = "A fly ran .\trun\tPP_3\nEmma\tEmma\tprimitive\n"


def write(path: Path, content: bytes | str) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz"])
def test_plain_and_compressed_files_give_the_same_examples(tmp_path, name) -> None:
    assert read_examples(write(tmp_path / name, THREE)) == [
        Example(("A", "fly", "ran", "."), "run", tags=("PP_3",), line=1),
        Example(("Emma",), "Emma", tags=("primitive",), line=2),
    ]


def test_tags_are_optional_and_line_ends_and_byte_order_marks_are_ignored(tmp_path) -> None:
    path = write(tmp_path / "a.tsv", "\ufeffa  b\tm\r\nc\tn")
    assert read_examples(path) == [Example(("a", "b"), "m", line=1), Example(("c",), "n", line=2)]
    assert read_examples(path)[0].sentence == "a b"


def test_an_empty_file_holds_no_examples(tmp_path) -> None:
    assert read_examples(write(tmp_path / "a.tsv", "")) == []


def test_examples_are_read_lazily(tmp_path) -> None:
    examples = iterate_examples(write(tmp_path / "a.tsv", "a\tm\tk\nfault\n"))
    assert next(examples).tokens == ("a",)
    with pytest.raises(CorpusError):
        next(examples)


def test_a_damaged_archive_is_an_error(tmp_path) -> None:
    (tmp_path / "a.tsv.gz").write_bytes(gzip.compress((THREE * 500).encode())[:-20])
    with pytest.raises(CorpusError, match=r"a\.tsv\.gz: damaged or truncated gzip file"):
        read_examples(tmp_path / "a.tsv.gz")


def test_a_missing_file_or_a_directory_is_an_error(tmp_path) -> None:
    for path in (tmp_path / "a.tsv", tmp_path / "a.tsv.gz", tmp_path):
        with pytest.raises(CorpusError, match=str(path)):
            read_examples(path)
    with pytest.raises(CorpusError, match="No such file"):
        checksum(tmp_path / "a.tsv")


def test_a_file_named_after_the_notation_is_preferred(tmp_path) -> None:
    for name in ("train.fol.tsv", "train.clf.tsv", "test.tsv", "train.tsv"):
        write(tmp_path / name, THREE)
    assert list(split_files(tmp_path, "fol").values()) == [tmp_path / "train.fol.tsv"]
    assert list(split_files(tmp_path).values()) == [tmp_path / "train.tsv", tmp_path / "test.tsv"]
    assert split_files(tmp_path, "vf") == split_files(tmp_path)


def test_a_subfolder_named_after_the_notation_is_read(tmp_path) -> None:
    (tmp_path / "vf_lf").mkdir()
    write(tmp_path / "vf_lf" / "train.tsv.gz", THREE)
    assert split_files(tmp_path, "vf") == {"train": tmp_path / "vf_lf" / "train.tsv.gz"}


def test_split_files_finds_both_suffixes_in_a_fixed_order(tmp_path) -> None:
    names = ["gen_sample.tsv.gz", "gen.tsv", "test.tsv.gz", "dev.tsv", "train.tsv"]
    for name in [*names, "notes.tsv", "train.txt", "training.tsv"]:
        write(tmp_path / name, THREE)
    found = split_files(tmp_path)
    assert list(found) == ["train", "dev", "test", "gen", "gen_sample"]
    assert found["gen_sample"] == tmp_path / "gen_sample.tsv.gz"


def test_split_files_refuses_missing_and_ambiguous_splits(tmp_path) -> None:
    with pytest.raises(CorpusError, match="expected train, dev, test"):
        split_files(tmp_path)
    with pytest.raises(CorpusError, match="no such directory"):
        split_files(tmp_path / "absent")
    write(tmp_path / "dev.tsv", THREE)
    write(tmp_path / "dev.tsv.gz", THREE)
    with pytest.raises(CorpusError, match=r"found both dev\.tsv and dev\.tsv\.gz"):
        split_files(tmp_path)


@given(st.text(alphabet="aB3.,?!; \n'"))
def test_tokenizing_twice_changes_nothing(text) -> None:
    assert tokenize(" ".join(tokenize(text))) == tokenize(text)


def test_published_sentences_are_already_tokenised(data_dir) -> None:
    for example in read_examples(data_dir / "slog" / "cogs_lf" / "gen_sample.tsv.gz"):
        assert tokenize(example.sentence) == example.tokens


def test_a_file_with_too_many_lines_is_refused(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(reading, "MOST_LINES", 1000)
    path = tmp_path / "train.tsv.gz"
    path.write_bytes(gzip.compress(b"\n" * 1001))
    with pytest.raises(CorpusError, match=r"gz:1001: more than 1000 lines"):
        read_examples(path, faults=[])


def test_reading_ends_after_ten_thousand_malformed_rows(tmp_path) -> None:
    path = tmp_path / "train.tsv.gz"
    path.write_bytes(gzip.compress(b"\n" * 20_000))
    faults: list[str] = []
    with pytest.raises(CorpusError, match=r"gz:10001: .* 10000 rows before it are malformed too"):
        read_examples(path, faults=faults)
    assert len(faults) == 10_000
