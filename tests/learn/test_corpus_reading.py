"""Reading of corpora: the rows of train and dev, and the rows left out."""

import gzip
import re
from pathlib import Path

import pytest
from tiny_model import rows, write_corpus

from amparser.corpora.splits import held_out, subset
from amparser.errors import CorpusError
from amparser.files import checksum
from amparser.learn.corpus_reading import read_corpus
from amparser.learn.settings import DataSettings

ROWS = rows()


def test_a_folder_has_train_and_dev(tmp_path) -> None:
    folder = write_corpus(tmp_path)
    corpus = read_corpus(folder, DataSettings(), seed=1, notation="cogs", benchmark="mine")
    assert [(e.sentence, e.meaning, e.tags) for e in corpus.train] == [
        (sentence, meaning, (tag,)) for sentence, meaning, tag in ROWS
    ]
    assert len(corpus.dev) == len(ROWS[::4])
    assert (corpus.notation, corpus.benchmark) == ("cogs", "mine")
    path = folder / "train.tsv"
    assert corpus.files["train"] == {"file": "train.tsv", "sha256": checksum(path)}
    assert corpus.places["train"] == str(path)


def test_without_dev_a_share_of_train_serves(tmp_path) -> None:
    folder = write_corpus(tmp_path)
    (folder / "dev.tsv").unlink()
    corpora = [
        read_corpus(folder, DataSettings(fraction=0.5), seed=seed, notation="cogs")
        for seed in (1, 2)
    ]
    rest, dev = held_out(range(len(ROWS)), 0.1)
    for seed, corpus in enumerate(corpora, 1):
        assert [e.line - 1 for e in corpus.dev] == dev
        assert [e.line - 1 for e in corpus.train] == list(subset(rest, 0.5, seed))
        assert corpus.places["dev"] == corpus.places["train"]
        assert corpus.files.keys() == {"train"}
    assert corpora[0].train != corpora[1].train


@pytest.mark.parametrize("count", [1, 2, 9, 10, 11])
def test_at_most_the_share_of_few_rows_is_held_out(count, tmp_path) -> None:
    lines = ["\t".join(row) + "\n" for row in ROWS[:count]]
    (tmp_path / "train.tsv").write_text("".join(lines), encoding="utf-8")
    corpus = read_corpus(tmp_path, DataSettings(), seed=1, notation="cogs")
    assert len(corpus.train) + len(corpus.dev) == count
    assert bool(corpus.dev) == (count >= 10)


def test_one_file_is_a_corpus(tmp_path) -> None:
    folder = write_corpus(tmp_path / "data")
    path = tmp_path / "some.tsv.gz"
    path.write_bytes(gzip.compress((folder / "train.tsv").read_bytes()))
    corpus = read_corpus(path, DataSettings(notation="cogs"), seed=1)
    assert (len(corpus.train), len(corpus.dev), corpus.notation) == (32, 4, "cogs")


def test_files_of_a_related_notation_are_used_if_there_are_no_others(tmp_path) -> None:
    folder = write_corpus(tmp_path / "cogs_lf").parent
    corpus = read_corpus(folder, DataSettings(notation="varfree"), seed=1, notation="cogs")
    assert corpus.notation == "cogs"
    write_corpus(tmp_path / "varfree_lf")
    assert read_corpus(folder, DataSettings(notation="varfree"), seed=1).notation == "varfree"


def test_further_rows_are_no_translations_of_dev_and_test(tmp_path) -> None:
    for language, names in {"a": ("a1", "a2"), "b": ("b1", "a3", "a1"), "c": ("c1", "b2")}.items():
        bank(tmp_path / language / "train.penman", *names)
    bank(tmp_path / "a/dev.penman", "a3")
    bank(tmp_path / "b/dev.penman", "b2")
    bank(tmp_path / "c/test.penman", "a2")
    corpus = read_corpus(tmp_path / "a", DataSettings(also="../b ../c"), seed=1)
    assert [example.id for example in corpus.train] == ["a1", "b1", "a1", "c1"]
    assert "3 rows are left out by name (data.without)" in corpus.remarks


def test_a_sentence_that_is_too_long_is_left_out(tmp_path) -> None:
    form = "run . agent ( x _ 1 , Emma )"
    rows = [f"Emma ran .\t{form}\t\n", f"{'Emma ' * 5000}\t{form}\t\n", f"Liam ran .\t{form}\t\n"]
    (tmp_path / "train.tsv").write_text("".join(rows), encoding="utf-8")
    (tmp_path / "dev.tsv").write_text(rows[0], encoding="utf-8")
    reason = r"train\.tsv:2: 5000 tokens, expected "
    with pytest.raises(CorpusError, match=reason):
        read_corpus(tmp_path, DataSettings(), seed=1, notation="cogs", strict=True)
    found = read_corpus(tmp_path, DataSettings(), seed=1, notation="cogs", strict=False)
    assert len(found.train) == 2
    assert re.search(reason, found.faults["train"][0])


def bank(path: Path, *rows: str) -> None:
    path.parent.mkdir(exist_ok=True)
    block = "# ::id {0}\n# ::snt {0} runs .\n# ::tok {0} runs .\n(r / run-01)\n"
    path.write_text("\n".join(block.format(row) for row in rows), encoding="utf-8")


def test_further_files_are_learned_from_and_rows_left_out_by_name(tmp_path) -> None:
    bank(tmp_path / "a/train.penman", "a1", "a2")
    bank(tmp_path / "a/dev.penman", "a2")
    bank(tmp_path / "b/train.penman", "b1", "a2")
    bank(tmp_path / "c/made.penman", "c1", "c2")
    (tmp_path / "names.txt").write_text("a2\nc2\n")
    settings = DataSettings(also="../b ../c/made.penman", without="../names.txt")
    corpus = read_corpus(tmp_path / "a", settings, seed=1)
    assert [e.tokens[0] for e in corpus.train] == ["a1", "b1", "c1"]
    assert [e.tokens[0] for e in corpus.dev] == ["a2"]
    assert list(corpus.files) == ["train", "dev", "b/train.penman", "c/made.penman"]
    assert "3 rows are left out by name (data.without)" in corpus.remarks
    (tmp_path / "names.txt").rename(tmp_path / "banned-ids.txt")
    by_default = read_corpus(tmp_path / "a", DataSettings(also=settings.also), seed=1)
    assert by_default.train == corpus.train
    with pytest.raises(CorpusError, match=r"nothing: No such file"):
        read_corpus(tmp_path / "a", DataSettings(also="../nothing"), seed=1)
