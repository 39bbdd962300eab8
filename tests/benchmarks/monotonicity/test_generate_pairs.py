"""The protocols of the monotonicity benchmark, and the pairs drawn for them."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from command_line import refused
from monotonicity_data import read_pairs
from recovered_replacements import recovered

from amparser.benchmarks.monotonicity.corpus import datasets, drawn_sentences, generate
from amparser.benchmarks.monotonicity.inference import Method, Sentence, natural_logic, proving
from amparser.benchmarks.monotonicity.pair_generator import PairGenerator
from amparser.benchmarks.monotonicity.pairs import LabelledPair
from amparser.benchmarks.monotonicity.pairs import read_pairs as read_file
from amparser.benchmarks.monotonicity.protocol import (
    MAX_DEPTH,
    QUANTIFIERS,
    PairSet,
    files_of,
)
from amparser.benchmarks.monotonicity.reading import derivation_of, form_of, joined
from amparser.benchmarks.monotonicity.replacements import ENTAILMENT, FUNCTIONS, NEUTRAL
from amparser.benchmarks.monotonicity.vocabulary import read_vocabulary
from amparser.benchmarks.sygns.entailment import z3_prover
from amparser.corpora.tokens import tokenize
from amparser.errors import InputError
from amparser.grammar.irtg import Derivation
from amparser.logic.vf import vf_from_str
from amparser.notations.quantified_graph import form_from_graph, graph_from_quantified


@pytest.fixture(scope="module")
def generator() -> PairGenerator:
    return PairGenerator()


def derivations(pair: LabelledPair) -> list[Derivation]:
    return [derivation_of(tokenize(text)) for text in pair[:2]]


def label_of(method: Method, pair: LabelledPair) -> str:
    tokens = [tokenize(text) for text in pair[:2]]
    both = zip(tokens, map(form_of, derivations(pair)), strict=True)
    return method(*(Sentence(*each) for each in both)).label


SETS = [
    *(PairSet(depth=depth) for depth in range(1, MAX_DEPTH + 1)),
    PairSet(frozenset({"no", "a_few"}), frozenset({"rc"}), 3, part="test"),
]


@pytest.mark.parametrize("wanted", SETS, ids=str)
def test_pairs_are_of_their_set(generator: PairGenerator, wanted: PairSet) -> None:
    pairs = generator.pairs(wanted, 200, Random(1))
    assert len(set(pairs)) == 200
    assert Counter(pair.label for pair in pairs) == {ENTAILMENT: 100, NEUTRAL: 100}
    natural = natural_logic(read_vocabulary().follows)
    for pair in pairs:
        assert label_of(natural, pair) == pair.label
        both = derivations(pair)
        found = recovered(*both)
        assert found is not None
        assert pair.depth == wanted.depth
        assert pair.function == found.function in wanted.functions
        assert found.polarity.value == f"{pair.direction}ward"
        labels = [node.rule.label for node in both[0].nodes()]
        used = [label for label in labels if label in QUANTIFIERS]
        assert len(used) == wanted.depth
        assert set(used) <= wanted.quantifiers
        words = [label for label in labels if label.startswith(("noun_", "transitive_"))]
        leaves = [label.removesuffix("_sg").removesuffix("_pl") for label in words]
        content = [leaf for leaf in leaves if leaf != "noun"]
        assert len(content) == len(set(content))


@pytest.mark.parametrize("wanted", SETS, ids=str)
def test_labels_are_proven(generator: PairGenerator, wanted: PairSet) -> None:
    prover = proving(read_vocabulary(), z3_prover())
    for pair in generator.pairs(wanted, 20, Random(2)):
        assert label_of(prover, pair) == pair.label, pair


def test_a_set_of_depth_1_is_whole(generator: PairGenerator, data_dir: Path) -> None:
    pairs = generator.pairs(PairSet(), 1_000_000, Random(0))
    # 8 quantifiers, 10 nouns, 10 verbs; 4 + 5 + 5 + 4 and 3 + 5 + 5 + 5 + 5 replacements.
    assert len(pairs) == len(set(pairs)) == 2 * 800 * (18 + 23)
    assert {pair.genre.rsplit(".", 1)[0] for pair in pairs} == {f"depth0.{f}" for f in FUNCTIONS}
    found = {pair[:4] for pair in pairs}
    published = [row for row in read_pairs(data_dir, 0) if not row.genre.endswith(".empty")]
    assert all(row[:4] in found for row in published)


def test_quantifiers_come_in_all_combinations(generator: PairGenerator) -> None:
    pairs = generator.pairs(PairSet(depth=2), 2 * 64, Random(0))
    combinations: Counter[tuple[str, ...]] = Counter()
    for pair in pairs:
        labels = (node.rule.label for node in derivations(pair)[0].nodes())
        combinations[tuple(label for label in labels if label in QUANTIFIERS)] += 1
    assert set(combinations.values()) == {2}
    assert len(combinations) == 64


def rows_of(path: Path) -> set[tuple[str, ...]]:
    return {pair[:4] for pair in read_file(path)}


@pytest.fixture
def few_nouns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the nouns: sets of depth 1 are enumerated, which takes long."""
    monkeypatch.setattr(PairGenerator, "_nouns", PairGenerator()._nouns[::2])


@pytest.mark.usefixtures("few_nouns")
@pytest.mark.parametrize("variant", ["predicate", "embedding", "productivity-2", "localism-3"])
def test_files_of_a_variant(tmp_path: Path, variant: str) -> None:
    card = generate(tmp_path, variant=variant, count=1200)
    files = {name: rows_of(tmp_path / f"{name}.tsv") for name in card["rows"]}
    assert json.loads((tmp_path / "card.json").read_text(encoding="utf-8")) == card
    assert {name: len(rows) for name, rows in files.items()} == {
        name: sum(counts.values()) for name, counts in card["rows"].items()
    }
    trains = [name for name in files if name.startswith(("S", "train"))]
    tests = [name for name in files if name not in trains]
    assert all(len(files[name]) == 120 for name in tests)
    for smaller, larger in pairwise(trains):
        assert files[smaller] < files[larger]
    for name in tests:
        own = name.split("-")[0].replace("T", "S")
        known = {
            frozenset(row[:2])
            for train in trains
            if own not in trains or train == own
            for row in files[train]
        }
        assert known
        assert not known & {frozenset(row[:2]) for row in files[name]}


def form_rows(path: Path) -> list[list[str]]:
    text = (path / "train.quantified.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()]


def test_forms_are_those_of_the_sentences_of_pairs(tmp_path: Path) -> None:
    card = generate(tmp_path, variant="embedding", count=1200)
    for name in ("S0", "S2"):
        own = form_rows(tmp_path / "forms" / name)
        texts = (text for row in rows_of(tmp_path / f"{name}.tsv") for text in row[:2])
        assert {row[0] for row in own} <= {" ".join(joined(tokenize(text))[0]) for text in texts}
        assert len({row[0] for row in own}) == len(own) > 500
        for sentence, form, _ in own:
            graph = graph_from_quantified(sentence.split(), vf_from_str(form))
            assert str(form_from_graph(graph).term) == form
    assert "forms/S0/train.quantified.tsv" in card["files"]


def test_drawn_sentences_are_different_and_of_all_depths() -> None:
    rows = drawn_sentences([1, 2], 300, 0)
    assert len({row.sentence for row in rows}) == 300
    assert Counter(row.depth for row in rows) == {"D1": 150, "D2": 150}
    assert any("," in row.sentence.split() for row in rows)
    assert rows == drawn_sentences([1, 2], 300, 0) != drawn_sentences([1, 2], 300, 1)


def test_the_protocol_of_predicates() -> None:
    files = files_of("predicate")
    assert [name for name in files if "-" not in name] == [
        f"{kind}{number}" for number in range(1, 5) for kind in "ST"
    ]
    [first] = files["T1"]
    assert first.quantifiers == frozenset(QUANTIFIERS) - {"no"}
    assert first.functions == frozenset(FUNCTIONS) - {"lex.n", "lex.iv"}
    [last] = files["T4"]
    assert last.quantifiers == {"some"}


def test_the_protocol_of_embedding() -> None:
    files = files_of("embedding")
    assert list(files) == ["S0", "S1", "T1", "S2", "T2", "S3", "T3"]
    for number in (1, 2, 3):
        seen = frozenset().union(*(one.quantifiers for one in files[f"S{number}"][1:]))
        [test] = files[f"T{number}"]
        assert test.depth == 2
        assert (len(seen), seen | test.quantifiers) == (2 * number, frozenset(QUANTIFIERS))
        assert not seen & test.quantifiers


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--variant None: expected predicate, embedding, productivity-2"),
        (["--variant", "productivity-5"], "localism-5"),
        (["--variant", "embedding-p1"], "--variant embedding-p1: expected"),
        (["--variant", "localism-3", "-n", "19"], "--count 19: expected 20 rows or more"),
    ],
)
def test_bad_options_are_refused(tmp_path: Path, arguments: list[str], message: str) -> None:
    assert message in refused("generate", "monotonicity", *arguments, "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    if arguments:
        assert "expected --data DIR, made by" in refused(
            "train", "monotonicity", *arguments[:2], "-o", tmp_path / "out"
        )


@pytest.mark.usefixtures("few_nouns")
def test_data_sets_are_training_files_with_their_tests(tmp_path: Path) -> None:
    generate(tmp_path / "p", variant="predicate", count=60)
    found = datasets(tmp_path / "p", "amparser")
    assert [one.name for one in found] == [f"predicate-S{number}" for number in range(1, 5)]
    assert list(found[0].tests) == ["T1"]
    assert found[0].train["train"].parts[-3:] == ("forms", "S1", "train.quantified.tsv")
    generate(tmp_path / "l", variant="localism-3", count=60)
    [one] = datasets(tmp_path / "l", "pair-lstm")
    assert (one.name, list(one.tests)) == ("localism-3", ["D1", "D2", "D3"])
    assert one.train["train"].name == "train.tsv"
    paths = (path for one in found for path in (*one.train.values(), *one.tests.values()))
    assert all(path.is_file() for path in paths)
    (tmp_path / "card.json").write_text("{}")
    with pytest.raises(InputError, match="no card of pairs"):
        datasets(tmp_path, "amparser")
