"""A split in several files, in each format: the rows of one file, and faults that name theirs."""

import gzip
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_model import rows

from amparser.compositions.nodes.training import training_set
from amparser.compositions.settings import NodeSettings
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import AMParserError, ConfigError, CorpusError
from amparser.learn.corpus_reading import read_corpus
from amparser.learn.settings import DataSettings

ROW_TEXTS = rows()

Writer = Callable[[Path, list[tuple[str, str, str]]], Path]


def tsv(path: Path, part: list[tuple[str, str, str]]) -> Path:
    path = path.with_suffix(".tsv")
    path.write_text("".join("\t".join(row) + "\n" for row in part), encoding="utf-8")
    return path


def jsonl_gz(path: Path, part: list[tuple[str, str, str]]) -> Path:
    lines = [
        json.dumps({"sentence": sentence, "meaning": meaning, "tags": [tag]}) + "\n"
        for sentence, meaning, tag in part
    ]
    path = path.with_suffix(".jsonl.gz")
    path.write_bytes(gzip.compress("".join(lines).encode()))
    return path


def parquet(path: Path, part: list[tuple[str, str, str]]) -> Path:
    pa = pytest.importorskip("pyarrow", reason="pyarrow comes with the extra ray")
    from pyarrow.parquet import write_table

    path = path.with_suffix(".parquet")
    columns = {
        "tokens": [sentence.split() for sentence, _, _ in part],
        "logical_form": [meaning for _, meaning, _ in part],
        "other": list(range(len(part))),
    }
    write_table(pa.table(columns), path, row_group_size=5)
    return path


WRITERS: dict[str, Writer] = {"tsv": tsv, "jsonl.gz": jsonl_gz, "parquet": parquet}


def shards(folder: Path, write: Writer = tsv, size: int = 10) -> Path:
    """The rows in several files, and a dev file."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(0, len(ROW_TEXTS), size):
        write(folder / f"train-{number:03d}", ROW_TEXTS[number : number + size])
    tsv(folder / "dev", ROW_TEXTS[::4])
    return folder


def corpus(folder: Path, *, strict: bool = True, **data: float) -> Corpus:
    settings = DataSettings(**data)  # type: ignore[arg-type]
    return read_corpus(folder, settings, seed=1, notation="cogs", strict=strict)


def content(examples: list[Example]) -> list[Example]:
    """The examples without what only some formats say."""
    return [replace(one, file="", line=0, tags=(), id="") for one in examples]


@pytest.mark.parametrize("kind", WRITERS)
def test_shards_have_the_rows_of_one_file(tmp_path: Path, kind: str) -> None:
    found = corpus(shards(tmp_path / "data", WRITERS[kind]))
    (tmp_path / "whole").mkdir()
    tsv(tmp_path / "whole/train", ROW_TEXTS)
    tsv(tmp_path / "whole/dev", ROW_TEXTS[::4])
    whole = corpus(tmp_path / "whole")
    assert content(list(found.train)) == content(list(whole.train))
    assert found.dev == whole.dev
    assert found.files["train"]["file"].startswith("train-*.")


def test_without_dev_rows_of_all_shards_are_held_out(tmp_path: Path) -> None:
    folder = shards(tmp_path)
    (folder / "dev.tsv").unlink()
    found = corpus(folder, fraction=0.7)
    assert len(found.dev) == -(-len(ROW_TEXTS) // 10)
    assert found.train[3].file.endswith(".tsv")


FAULTY = [
    ("A cat slept .", "not a meaning ((", ""),
    ("Emma saw the zebra .", "* zebra ( x _ 3 ) ; see . agent ( x _ 1 , Emma )", ""),
]


def test_rows_with_faults_are_listed_with_their_files(tmp_path: Path) -> None:
    folder = shards(tmp_path / "data")
    tsv(folder / "train-500", FAULTY)
    (folder / "train-501.tsv").write_text("no columns\n")
    tsv(folder / "dev", [*ROW_TEXTS[::4], *FAULTY])
    found = corpus(folder, strict=False)
    assert any("train-500.tsv:1: " in fault for fault in found.faults["train"])
    assert any("train-501.tsv:1: " in fault for fault in found.faults["train"])
    assert len(training_set(found, NodeSettings()).train) == len(ROW_TEXTS)
    with pytest.raises(CorpusError, match=r"train-501\.tsv:1: "):
        corpus(folder)
    (folder / "train-501.tsv").unlink()
    with pytest.raises(CorpusError, match=r"train-500\.tsv:1: "):
        training_set(corpus(folder), NodeSettings())


def test_shards_are_of_one_kind(tmp_path: Path) -> None:
    folder = shards(tmp_path)
    jsonl_gz(folder / "train-999", ROW_TEXTS[:2])
    with pytest.raises(CorpusError, match=r"found both train-\*.*and train-\*"):
        corpus(folder)


@pytest.mark.parametrize(
    ("column", "values", "reason"),
    [
        ("sentence", [1, 2], "'sentence': expected a text"),
        ("tokens", [["a", None], ["b", "c"]], "'tokens': expected texts"),
        ("else", ["x", "y"], "expected"),
    ],
)
def test_bad_rows_of_parquet_are_named(
    tmp_path: Path, column: str, values: list[object], reason: str
) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow comes with the extra ray")
    from pyarrow.parquet import write_table

    path = tmp_path / "train.parquet"
    write_table(pa.table({column: values, "meaning": ["a ( b )", None]}), path)
    with pytest.raises(AMParserError, match=rf"train\.parquet:[12]: .*{reason}"):
        corpus(path)
    path.write_bytes(b"PAR1 no more")
    with pytest.raises(CorpusError, match=r"train\.parquet: not a Parquet file"):
        corpus(path)


def test_parquet_without_pyarrow_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "train.parquet").write_bytes(b"PAR1")
    with pytest.raises(ConfigError, match=r"Parquet needs pyarrow.*amparser\[ray\]"):
        corpus(tmp_path / "train.parquet")
