"""Generated corpora: published sizes, held-out structures, distinct sentences."""

import json
from collections import Counter
from pathlib import Path

import pytest
from command_line import ok, python, refused
from constructs import features
from scipy.stats import ks_2samp

from amparser.benchmarks.cogs import CORPUS as COGS
from amparser.benchmarks.generate import CARD, GrammarCorpus
from amparser.benchmarks.slog import CORPUS as SLOG, SLOG as BENCHMARK
from amparser.corpora.example import Example
from amparser.corpora.reading import read_examples
from amparser.corpora.splits import split_files
from amparser.errors import GrammarError, InputError
from amparser.files import checksum
from amparser.grammar.generation import Generation, amounts
from amparser.grammar.library import load_library

PUBLISHED = {"slog": "slog/cogs_lf", "cogs": "cogs"}
CORPORA = {"slog": SLOG, "cogs": COGS}
COUNT = 3000


def type_of(row: Example) -> str:
    [name] = row.tags
    return name


@pytest.fixture(scope="module", params=["slog", "cogs"])
def benchmark_name(request) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def corpus(benchmark_name, tmp_path_factory) -> dict[str, list[Example]]:
    folder = tmp_path_factory.mktemp(benchmark_name)
    CORPORA[benchmark_name].generate(folder, seed=1, count=COUNT)
    return {name: read_examples(path) for name, path in split_files(folder, "cogs").items()}


def test_row_counts_equal_the_published_ones(benchmark_name, data_dir) -> None:
    wanted = amounts(load_library(benchmark_name).plan())
    for split in ("train", "dev", "test"):
        path = data_dir / PUBLISHED[benchmark_name] / f"{split}.tsv.gz"
        kinds = Counter(type_of(example) for example in read_examples(path))
        assert {kind: n for (kind, s), n in wanted.items() if s == split} == kinds
    sample = read_examples(data_dir / PUBLISHED[benchmark_name] / "gen_sample.tsv.gz")
    gen = {kind: n for (kind, s), n in wanted.items() if s == "gen"}
    assert gen == dict.fromkeys({type_of(example) for example in sample}, 1000)


def test_sentences_of_a_corpus_are_distinct(corpus) -> None:
    # Some primitive verbs have two meanings.
    sentences = Counter(
        row.sentence for rows in corpus.values() for row in rows if type_of(row) != "primitive"
    )
    assert max(sentences.values()) == 1
    assert not sentences.keys() & {r.sentence for r in corpus["train"] if type_of(r) == "primitive"}
    pairs = Counter((r.sentence, r.meaning) for r in corpus["train"])
    assert max(pairs.values()) == 1


def shown(row: Example) -> set[tuple[object, ...]]:
    return features(row.tokens, row.meaning or "")


def test_held_out_structures_are_not_in_train(benchmark_name, corpus, data_dir) -> None:
    folder = data_dir / PUBLISHED[benchmark_name]
    seen = set().union(*map(shown, read_examples(folder / "train.tsv.gz")))
    new = Counter(
        one for row in read_examples(folder / "gen_sample.tsv.gz") for one in shown(row) - seen
    )
    held = {one for one, count in new.items() if count > 2}
    for split in ("train", "dev", "test"):
        for row in corpus[split]:
            assert not shown(row) & held, row.sentence
    for row in corpus["gen"]:
        assert shown(row) - seen, (type_of(row), row.sentence)


def test_sentences_of_train_are_as_long_as_the_published_ones(benchmark_name, data_dir) -> None:
    library = load_library(benchmark_name)
    published = read_examples(data_dir / PUBLISHED[benchmark_name] / "train.tsv.gz")
    # Generate as many rows as published; a smaller corpus has a larger share of short sentences.
    wanted = {
        k: n for k, n in amounts(library.plan()).items() if k[1] != "gen" and k[0] != "primitive"
    }
    rows = [
        row for row in Generation(library, library.plan(), wanted, 1).rows() if row.split == "train"
    ]
    lengths = [len(example.tokens) for example in published if type_of(example) != "primitive"]
    assert ks_2samp([len(row.tokens) for row in rows], lengths).statistic <= 0.02


def test_a_seed_gives_the_same_bytes(tmp_path) -> None:
    cards = []
    for folder, hash_seed in ((tmp_path / "a", "1"), (tmp_path / "b", "2")):
        # Separate processes, because the hash seed changes the order of sets.
        code = (
            "from pathlib import Path; from amparser.benchmarks.slog import CORPUS; "
            f"CORPUS.generate(Path({str(folder)!r}), seed=5, count=400)"
        )
        python("-c", code, PYTHONHASHSEED=hash_seed)
        cards.append(json.loads((folder / CARD).read_text()))
    assert cards[0] == cards[1]
    for file, digest in cards[0]["files"].items():
        assert checksum(tmp_path / "a" / file) == digest
    other = SLOG.generate(tmp_path / "c", seed=6, count=400)
    assert other["rows"] == cards[0]["rows"]
    assert other["files"] != cards[0]["files"]


def test_both_notations_of_slog_have_the_same_rows(tmp_path) -> None:
    SLOG.generate(tmp_path, count=300)
    rows = [read_examples(tmp_path / folder / "train.tsv") for folder in ("cogs_lf", "varfree_lf")]
    assert [(r.tokens, type_of(r)) for r in rows[0]] == [(r.tokens, type_of(r)) for r in rows[1]]
    assert len(rows[0]) == 300
    assert BENCHMARK.files(tmp_path, "") == split_files(tmp_path / "cogs_lf")
    assert BENCHMARK.files(tmp_path, "varfree") == split_files(tmp_path / "varfree_lf")


def test_a_type_with_too_few_sentences_is_an_error(monkeypatch) -> None:
    monkeypatch.setattr("amparser.grammar.generation.MAX_REPEATS", 5)
    library = load_library("cogs")
    wanted = {("prim_to_inf_arg", "gen"): 100_000}
    with pytest.raises(GrammarError, match="'prim_to_inf_arg': 100000 rows requested"):
        for _ in Generation(library, library.plan(), wanted, 1).rows():
            pass


def test_too_small_row_counts_are_refused(tmp_path) -> None:
    library = load_library("slog")
    with pytest.raises(InputError, match="--count 100: expected more than the 183 rows of"):
        amounts(library.plan(), count=100)


def test_generate_and_sample_commands(tmp_path) -> None:
    printed = ok("generate", "cogs", "-o", tmp_path / "cogs", "-n", "300", "--seed", "2")
    assert printed.startswith("train: 300 rows of 14 types\n")
    assert len(read_examples(tmp_path / "cogs" / "train.tsv")) == 300
    card = json.loads((tmp_path / "cogs" / CARD).read_text())
    assert sum(card["rows"]["gen"].values()) == len(read_examples(tmp_path / "cogs" / "gen.tsv"))
    (tmp_path / "file").write_text("")
    refused("generate", "cogs", "-o", tmp_path / "file", "-n", "200")
    lines = ok("grammar", "sample", "slog", "--type", "Q_long_mv", "-n", "3").splitlines()
    assert len(lines) == 3
    for line in lines:
        sentence, meaning, kind = line.split("\t")
        assert kind == "Q_long_mv"
        assert sentence.split()[1] == "did"
        assert "ccomp" in meaning
    refused("grammar", "sample", "slog", "--type", "no")


def test_a_generated_corpus_is_cached(tmp_path, monkeypatch) -> None:
    generate = GrammarCorpus.generate
    notices: list[str] = []
    progress: list[int] = []

    def small(corpus: GrammarCorpus, output: Path, **options: object) -> dict[str, object]:
        return generate(corpus, output, count=300, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("amparser.benchmarks.generate.cache_folder", lambda: tmp_path)
    monkeypatch.setattr(GrammarCorpus, "generate", small)
    for _ in range(2):
        folder = SLOG.generated(notice=notices.append, on_progress=progress.append)
        assert folder.is_relative_to(tmp_path)
        assert BENCHMARK.files(folder, "").keys() == {"train", "dev", "test", "gen"}
    assert notices == [f"generating slog into {folder}"]
    card = json.loads((folder / CARD).read_text())
    assert sum(progress) == sum(n for types in card["rows"].values() for n in types.values())
