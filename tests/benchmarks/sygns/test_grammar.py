"""Grammar of SyGNS, compared with the published sentences, and its generated corpora."""

import gzip
import json
from collections import Counter

import pytest
from command_line import ok, refused
from sygns_data import FILES, read_rows

from amparser.benchmarks import fragments
from amparser.benchmarks.generate import CARD
from amparser.benchmarks.sygns.benchmark import CORPUS, SYGNS, phenomena
from amparser.corpora.reading import read_examples
from amparser.errors import InputError
from amparser.grammar.library import Library, load_library
from amparser.logic.fol import alpha_normal
from amparser.notations.registry import NOTATIONS

QUANTIFIERS = {"a", "one", "two", "three", "every", "all"}


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library("sygns")


@pytest.mark.parametrize("file", FILES)
def test_every_published_sentence_has_one_derivation_with_its_meanings(
    library, data_dir, file
) -> None:
    for row in read_rows(data_dir, file, step=11):
        [derivation] = library.chart(row.sentence.split()).derivations()
        assert " ".join(library.tokens(derivation)) == row.sentence
        assert str(fragments.vf(derivation)) == row.vf
        assert str(alpha_normal(fragments.formula(derivation))) == row.fol


@pytest.mark.parametrize("file", ["comp_one/train", "depth/train", "depth/test_d3_sample"])
def test_phenomena_are_the_published_tags(library, data_dir, file) -> None:
    path = data_dir / "sygns" / f"{file}.vf.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines][::23]
    for sentence, _, tags in rows:
        [derivation] = library.chart(sentence.split()).derivations()
        found = phenomena(derivation, depth="embed" in tags).split(";")
        # The published `depth` tag is nominal; `embed` is the actual depth.
        assert found[-10:] == tags.split(";")[-10:], sentence


@pytest.mark.parametrize("variant", SYGNS.variants)
def test_corpora_of_each_variant_hold_out_its_combinations(tmp_path, variant) -> None:
    card = CORPUS.generate(tmp_path, variant=variant, seed=3, count=120)
    assert card["variant"] == variant
    splits = card["rows"]
    assert sum(splits["train"].values()) == 120
    rows = {}
    for split in splits:
        by_form = {
            form: read_examples(tmp_path / f"{split}.{form}.tsv") for form in ("fol", "vf", "clf")
        }
        rows[split] = by_form["fol"]
        for examples in zip(*by_form.values(), strict=True):
            graphs = [
                NOTATIONS[form].graph(example.tokens, example.meaning or "")
                for form, example in zip(by_form, examples, strict=True)
            ]
            assert graphs[0] == graphs[1] == graphs[2]
    sentences = Counter(e.sentence for examples in rows.values() for e in examples)
    assert max(sentences.values()) == 1
    assert held_apart(variant, rows)


def held_apart(variant: str, rows: dict[str, list]) -> bool:  # type: ignore[type-arg]
    def quantifiers(tokens: tuple[str, ...]) -> set[str]:
        return QUANTIFIERS.intersection(tokens)

    def is_marked(kind: str) -> bool:
        names = ("negation",) if "neg" in variant else ("adjective", "adverb", "conj", "disj")
        return any(f"{part}" in kind for part in (f"{n}:yes" for n in names)) or any(
            part.startswith(names) and part.endswith("yes") for part in kind.split(";")
        )

    train = rows["train"]
    tests = [e for split, examples in rows.items() if split != "train" for e in examples]
    if variant == "depth":
        depths = [{e.tokens.count("that") for e in examples} for examples in rows.values()]
        return depths == [{0, 1}, {2}, {3}, {4}]
    if variant == "embed":
        seen = {"one", "two", "every"}
        return all(quantifiers(e.tokens) <= seen for e in train if "that" in e.tokens) and not any(
            quantifiers(e.tokens) & seen for e in tests
        )
    name = variant.rpartition("_")[2]
    primitive = {"one", "two", "every"} if name == "all" else {name}
    return all(quantifiers(e.tokens) <= primitive for e in train if is_marked(e.tags[0])) and all(
        is_marked(e.tags[0]) and not quantifiers(e.tokens) & primitive for e in tests
    )


def test_a_missing_or_unknown_variant_is_an_error(library, tmp_path) -> None:
    assert library.variants == SYGNS.variants
    with pytest.raises(InputError, match="sygns has several corpora: name a variant, one of comp"):
        library.plan()
    with pytest.raises(InputError, match="no variant 'deep' of sygns, expected comp_all, comp_"):
        CORPUS.generate(tmp_path, variant="deep")
    with pytest.raises(InputError, match="no variant 'depth' of slog, expected none"):
        load_library("slog").plan("depth")


def test_a_variant_is_generated_trained_and_evaluated_in_every_form(tmp_path) -> None:
    data, model = tmp_path / "data", tmp_path / "model"
    ok("generate", "sygns", "--variant", "comp_one", "-o", data, "-n", "300")
    assert json.loads((data / CARD).read_text())["variant"] == "comp_one"
    small = "encoder.hidden_size=24 encoder.word_size=24 train.epochs=6 edge.hidden_size=24"
    sets = [part for setting in small.split() for part in ("--set", setting)]
    ok("train", "sygns", "--data", data, "-o", model, *sets)
    sentence = "one old dog did not run or swim"
    for form, opening in (("fol", "exists x1.("), ("vf", "EXIST "), ("clf", "b1 ")):
        parsed = ok("parse", "-m", model, "--notation", form, sentence)
        assert parsed.startswith(opening)
        NOTATIONS[form].read(parsed.strip())
    assert ok("parse", "-m", model, sentence).startswith("exists")
    refused("parse", "-m", model, "--notation", "cogs", sentence)
    for form, metrics, wanted in (
        ("fol", [], "entailment"),
        ("clf", ["--metrics", "counter"], "counter"),
    ):
        path, output = data / f"train.{form}.tsv", tmp_path / f"{form}.json"
        some = ("--notation", form, "--data", path, "-l", "40", "-o", output)
        ok("evaluate", "-m", model, *some, *metrics)
        assert wanted in json.loads(output.read_text())["metrics"]
    for wrong in (("--metrics", "bleu"), ("--notation", "vf")):
        refused("evaluate", "-m", model, "--data", data / "test.fol.tsv", *wrong)
