"""A corpus that stays in its files gives the weights of one in memory, and killed work goes on."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command_line import ok, refused
from safetensors.torch import load_file
from tiny_model import rows

from amparser import api
from amparser.compositions.nodes import streamed
from amparser.compositions.nodes.gold import GoldTrees, NodeLearned, gold_trees
from amparser.compositions.nodes.streamed import ROWS, stored_trees
from amparser.corpora.corpus import Corpus
from amparser.corpora.streamed import Streamed
from amparser.errors import AMParserError, ConfigError, CorpusError, InputError
from amparser.learn.corpus_reading import read_corpus
from amparser.learn.row_store import is_whole
from amparser.learn.settings import DataSettings, with_overrides
from amparser.parser_system import AMPARSER
from amparser.schema import to_json

ROW_TEXTS = rows()
SETTINGS = with_overrides(
    AMPARSER.settings,
    [
        "word_size=8", "encoder.hidden_size=8", "supertag.hidden_size=8", "edge.hidden_size=8",
        "operation_size=8", "train.epochs=2", "epoch_sentences=0", "batch_tokens=64",
        "learning_rate=0.02", "device=cpu",
    ],
)  # fmt: skip
OVERRIDES = [
    "encoder.word_size=8", "encoder.hidden_size=8", "supertag.hidden_size=8",
    "edge.hidden_size=8", "edge.operation_size=8", "train.epochs=2", "train.epoch_sentences=0",
    "train.batch_tokens=64", "train.learning_rate=0.02", "train.device=cpu",
]  # fmt: skip

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


def corpus(folder: Path, stream: str = "always", strict: bool = True, **data: float) -> Corpus:
    settings = DataSettings(stream=stream, **data)  # type: ignore[arg-type]
    return read_corpus(folder, settings, seed=1, notation="cogs", strict=strict, stream=True)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamed, "BLOCK", 4)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of the same rows from one file, held in memory."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "data").mkdir()
    tsv(folder / "data/train", ROW_TEXTS)
    tsv(folder / "data/dev", ROW_TEXTS[::4])
    api.train(folder / "data", folder / "model", system="amparser", overrides=OVERRIDES)
    return folder / "model"


def check_same(left: Path, right: Path) -> None:
    one, other = load_file(left / "model.safetensors"), load_file(right / "model.safetensors")
    assert one.keys() == other.keys()
    assert all(one[name].equal(other[name]) for name in one)
    heads = [json.loads((folder / "model.json").read_text()) for folder in (left, right)]
    for key in ("content", "metrics", "notation"):
        assert heads[0][key] == heads[1][key]


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("stream", ["always", "never"])
def test_shards_give_the_weights_of_one_file(
    tmp_path: Path, whole: Path, kind: str, stream: str
) -> None:
    data = shards(tmp_path / "data", WRITERS[kind])
    output = tmp_path / "model"
    options = [part for value in (*OVERRIDES, f"data.stream={stream}") for part in ("--set", value)]
    ok("train", "--data", data, "--output", output, *options)
    check_same(whole, output)
    assert not (output / ROWS).exists()
    told = json.loads((output / "model.json").read_text())["data"]["train"]
    assert told["file"].startswith("train-*.")


def test_without_dev_the_same_rows_are_held_out(tmp_path: Path) -> None:
    folder = shards(tmp_path)
    (folder / "dev.tsv").unlink()
    found = [corpus(folder, how, fraction=0.7) for how in ("never", "always")]
    assert isinstance(found[1].train, Streamed)
    assert list(found[1].train) == found[0].train
    assert list(found[1].dev) == found[0].dev
    assert found[0].train[3].file.endswith(".tsv")
    assert found[1].train[3] == found[0].train[3]
    assert found[1].train[2:9:3] == found[0].train[2:9:3]


def gold_of(found: Corpus, folder: Path | None) -> GoldTrees:
    return gold_trees(found, SETTINGS, folder)


def check_gold(left: GoldTrees, right: GoldTrees) -> None:
    assert list(left.train) == list(right.train)
    assert list(left.dev) == list(right.dev)
    assert to_json(left.learned, NodeLearned) == to_json(right.learned, NodeLearned)
    assert (left.report, left.thresholds) == (right.report, right.thresholds)


FAULTY = [
    ("A cat slept .", "not a meaning ((", ""),
    ("Emma saw the zebra .", "* zebra ( x _ 3 ) ; see . agent ( x _ 1 , Emma )", ""),
]


def test_rows_with_faults_are_listed_with_their_files(tmp_path: Path) -> None:
    folder = shards(tmp_path / "data")
    tsv(folder / "train-500", FAULTY)
    (folder / "train-501.tsv").write_text("no columns\n")
    tsv(folder / "dev", [*ROW_TEXTS[::4], *FAULTY])
    in_memory, streamed = (corpus(folder, how, strict=False) for how in ("never", "always"))
    assert streamed.faults == in_memory.faults
    assert any("train-500.tsv:1: " in fault for fault in streamed.faults["train"])
    assert any("train-501.tsv:1: " in fault for fault in streamed.faults["train"])
    check_gold(gold_of(in_memory, None), gold_of(streamed, tmp_path / "model"))
    with pytest.raises(CorpusError, match=r"train-501\.tsv:1: "):
        corpus(folder)
    (folder / "train-501.tsv").unlink()
    with pytest.raises(CorpusError, match=r"train-500\.tsv:1: "):
        gold_of(corpus(folder), tmp_path / "strict")


def test_a_killed_preparation_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = corpus(shards(tmp_path / "data"))
    expected = gold_of(found, tmp_path / "other")

    class KilledError(BaseException):
        """Stands for `kill -9`: nothing in the program catches it."""

    blocks: list[str] = []
    write, occurrences = streamed.write_trees, streamed.occurrences

    def dying(path: Path, *args: object) -> None:
        if len(blocks) == 3:
            raise KilledError
        blocks.append(path.name)
        write(path, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(streamed, "write_trees", dying)
    with pytest.raises(KilledError):
        gold_of(found, tmp_path / "model")
    damaged = tmp_path / "model" / ROWS / "train-00001.jsonl"
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 255
    damaged.write_bytes(content)
    assert not is_whole(damaged)
    again: list[str] = []

    def noting(path: Path, *args: object) -> None:
        again.append(path.name)
        write(path, *args)  # type: ignore[arg-type]

    def never(*args: object) -> None:
        raise AssertionError("the inventory is there")

    monkeypatch.setattr(streamed, "write_trees", noting)
    monkeypatch.setattr(streamed, "occurrences", never)
    check_gold(gold_of(found, tmp_path / "model"), expected)
    assert blocks[0] not in again
    assert {"train-00001.jsonl", "train-00003.jsonl"} <= set(again)
    again.clear()
    check_gold(gold_of(found, tmp_path / "model"), expected)
    assert again == [], "nothing is done twice"
    monkeypatch.setattr(streamed, "occurrences", occurrences)
    changed = replace(found, train=found.train.only(range(9)))  # type: ignore[attr-defined]
    assert len(gold_of(changed, tmp_path / "model").train) == 9
    assert again, "of another corpus nothing is used"


def test_a_damaged_block_is_named(tmp_path: Path) -> None:
    path = tmp_path / "train-00000.jsonl"
    path.write_bytes(b"no block")
    with pytest.raises(InputError, match=r"train-00000\.jsonl: damaged"):
        stored_trees([path])


def test_a_file_that_changes_while_it_is_read_is_noticed(tmp_path: Path) -> None:
    folder = shards(tmp_path)
    found = corpus(folder)
    (folder / "train-000.tsv").unlink()
    with pytest.raises(CorpusError, match="changed"):
        list(found.train)


def test_other_systems_hold_their_corpus_in_memory(tmp_path: Path) -> None:
    data = shards(tmp_path / "data")
    with pytest.raises(ConfigError, match="'tree' holds its corpus in memory"):
        api.train(data, tmp_path / "m", overrides=["data.stream=always", "constants=tree"])
    always, whole = DataSettings(stream="always"), {"benchmark": "mine", "read": lambda *_: []}
    with pytest.raises(ConfigError, match="files of mine are read as a whole"):
        read_corpus(data, always, seed=1, notation="cogs", stream=True, **whole)  # type: ignore[arg-type]
    assert "always" in refused("train", "--data", data, "--set", "data.stream=sometimes")


def test_large_corpora_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shards(tmp_path)
    assert not isinstance(corpus(folder, "auto").train, Streamed)
    monkeypatch.setattr("amparser.learn.corpus_reading.LARGE", 100)
    assert isinstance(corpus(folder, "auto").train, Streamed)
    assert not isinstance(corpus(folder, "never").train, Streamed)


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


MEMORY = """
import re, sys
from amparser.compositions.nodes import streamed
from amparser.compositions.nodes.gold import gold_trees
from amparser.learn.corpus_reading import read_corpus
from amparser.learn.settings import DataSettings, with_overrides
from amparser.nn.encoders.encoder import encoder_of_train
from amparser.nn.vocabulary import vocabulary_from_sentences
from amparser.compositions.nodes.composition import NODE
from amparser.parser_system import AMPARSER
from pathlib import Path

def peak():
    # What `resource` says begins with the memory of the process that started this one.
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024

streamed.BLOCK = 200
settings = with_overrides(AMPARSER.settings, ["train.batch_tokens=512", "train.epoch_sentences=0"])
data = DataSettings(stream=sys.argv[2])
found = read_corpus(Path(sys.argv[1]), data, seed=1, notation="cogs", stream=True)
gold = gold_trees(found, settings, Path(sys.argv[3]))
words = vocabulary_from_sentences(e.tokens for e in gold.train)
network = NODE.network(settings, gold.learned, lambda: encoder_of_train(settings.encoder, words))
samples = NODE.samples(gold, settings)
for rows in samples.drawn(0, 1):
    samples.examples(rows)
print(peak())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux says what is in use")
def test_memory_grows_little_with_the_rows(tmp_path: Path) -> None:
    """From the memory of 1,000 and of 8,000 rows follows what one of them needs."""
    peaks = {}
    for count in (1_000, 8_000):
        data = tmp_path / f"data-{count}"
        data.mkdir()
        tsv(data / "train-0", (ROW_TEXTS * 500)[:count])
        tsv(data / "dev", ROW_TEXTS[::4])
        for stream in ("never", "always"):
            output = subprocess.run(
                [sys.executable, "-c", MEMORY, data, stream, tmp_path / f"{count}-{stream}"],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            peaks[count, stream] = int(output)
    grown = {s: (peaks[8_000, s] - peaks[1_000, s]) / 7_000 for s in ("never", "always")}
    assert grown["always"] < 1000
    assert grown["always"] < grown["never"] / 4


def test_stored_trees_are_a_sequence(tmp_path: Path) -> None:
    found = corpus(shards(tmp_path / "data"))
    gold = gold_of(found, tmp_path / "model")
    paths = sorted((tmp_path / "model" / ROWS).glob("train-?????.jsonl"))
    rows, failures = stored_trees(paths)
    assert not failures
    trees = rows.mapped(lambda row: row.tree)
    assert len(trees) == len(list(trees)) == len(gold.train)
    order = np.random.default_rng(1).permutation(len(trees)).tolist()
    listed = list(trees)
    assert [trees[i] for i in order] == [listed[i] for i in order]
    assert trees[-1] == listed[-1]
    assert trees[3:9:2] == listed[3:9:2]
    assert gold.train[3:9:2] == list(gold.train)[3:9:2]
    with pytest.raises(IndexError):
        trees[len(trees)]
