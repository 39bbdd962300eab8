"""External word vectors: a tiny source, and the packaged vectors."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from toy_language import modules_of_a_parse, small, toy_examples, train_toy

import amparser
from amparser.errors import ConfigError, ModelError
from amparser.nn.registry import VECTORS
from amparser.nn.vectors.known import chosen_sources
from amparser.nn.vectors.source import Origin, SignVectors
from amparser.parser import Parser
from amparser.presets.settings import NodeSettings

EXAMPLES, DEV = toy_examples(60, seed=1), toy_examples(10, seed=2)
SENTENCES = [example.tokens for example in DEV]
UNKNOWN = ("The", "zebra", "slept", ".")


class Tiny(SignVectors):
    name, sha256 = "tiny", "1" * 64

    def __init__(self) -> None:
        super().__init__(16)
        self.installed, self.asked = True, set[str]()

    @property
    def missing(self) -> str | None:
        return None if self.installed else "not installed: tiny; pip install 'amparser[tiny]'"

    def origin(self) -> Origin:
        if self.missing is not None:
            raise ConfigError(f"word vectors {self.name!r}: {self.missing}")
        return Origin(self.name, "tiny-package", "1.2", "CC0", self.sha256)

    def signs(self, word: str) -> dict[str, float]:
        self.asked.add(word)
        return dict.fromkeys(word, 1.0)


@pytest.fixture
def tiny() -> Iterator[Tiny]:
    made = Tiny()
    VECTORS.register("tiny", made)
    yield made
    VECTORS.unregister("tiny")


def config(*overrides: str) -> NodeSettings:
    return small("encoder.vector_size=8", "train.epochs=1", "train.epoch_sentences=1", *overrides)


def trained(folder: Path, *overrides: str) -> Parser:
    return train_toy(EXAMPLES, DEV, config(*overrides), folder)


def scores(model: Parser, sentences: list[tuple[str, ...]]) -> list[np.ndarray]:
    return [one.edge_logp for one in model.score(sentences)]


def test_a_loaded_model_looks_up_only_unknown_words(tmp_path, tiny) -> None:
    model = trained(tmp_path / "m", "encoder.vectors=tiny", "train.members=2")
    before, strange = scores(model, SENTENCES), scores(model, [UNKNOWN])
    tiny.asked.clear()
    tiny.installed = False
    loaded = Parser.load(tmp_path / "m", "cpu")
    for one, other in zip(before, scores(loaded, SENTENCES), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
    assert not tiny.asked
    [result] = loaded.parse([UNKNOWN])
    assert result.meaning is None
    assert result.failure == (
        "train does not have 'zebra'; word vectors 'tiny': not installed: tiny; "
        "pip install 'amparser[tiny]'"
    )
    tiny.installed = True
    np.testing.assert_allclose(strange[0], scores(loaded, [UNKNOWN])[0], atol=1e-6)


def test_the_vector_decides_for_unknown_words(tmp_path, tiny) -> None:
    model = trained(tmp_path / "m", "encoder.vectors=tiny")
    one, other = scores(model, [UNKNOWN, ("The", "yak", "slept", ".")])
    assert not np.allclose(one, other)
    plain = trained(tmp_path / "plain")
    one, other = scores(plain, [UNKNOWN, ("The", "yak", "slept", ".")])
    np.testing.assert_allclose(one, other, atol=1e-6)


def test_the_folder_names_frozen_vectors(tmp_path, tiny) -> None:
    folder = tmp_path / "m"
    model = trained(folder, "encoder.vectors=tiny")
    told = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    [origin] = told["content"]["encoder"]["vectors"]
    assert origin == asdict(tiny.origin())
    before = scores(model, [UNKNOWN])
    np.testing.assert_allclose(
        before[0], scores(Parser.load(folder, "cpu"), [UNKNOWN])[0], atol=1e-6
    )
    del told["checksums"]
    origin["sha256"] = "0" * 64
    (folder / "model.json").write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(ModelError, match=r"model\.json: .*SHA-256 is 000"):
        Parser.load(folder, "cpu")


def test_missing_vectors_are_an_error_that_says_how_to_install(tmp_path, tiny) -> None:
    tiny.installed = False
    with pytest.raises(ConfigError, match=r"'tiny': not installed: tiny; pip install"):
        trained(tmp_path / "m", "encoder.vectors=tiny")
    # The error comes before data is looked for.
    with pytest.raises(ConfigError, match=r"'tiny': not installed: tiny; pip install"):
        amparser.train("nowhere", tmp_path / "m", overrides=["encoder.vectors=tiny"])


def test_names_of_sources_are_checked() -> None:
    with pytest.raises(ConfigError, match="expected text, some of english, names"):
        config("encoder.vectors=klingon")
    with pytest.raises(ConfigError, match="expected text, some of english"):
        config("encoder.vectors='names names'")


def test_names_inside_a_sentence_have_no_vector(tmp_path, tiny) -> None:
    names = [("The", "Zebra", "."), ("The", "Yak", ".")]
    model = trained(tmp_path / "m", "encoder.vectors=tiny")
    one, other = scores(model, names)
    assert np.allclose(one, other)
    tiny.installed = False
    assert model.problem(names[0]) is None


def test_packaged_vectors_need_no_other_package(tmp_path) -> None:
    trained(tmp_path / "m", "encoder.vectors=english")
    assert not modules_of_a_parse(tmp_path / "m") & {"transformers", "tokenizers"}


def test_names_are_the_longest_known_spans_in_their_spelling() -> None:
    source = VECTORS["names"]

    for sentence, names in {
        "Does New Mexico , or Ohio , border the Rio Grande ?": ["New Mexico", "Ohio", "Rio Grande"],
        "Or may who ask us of the US ?": ["US"],
        "": [],
    }.items():
        tokens = sentence.split()
        assert [" ".join(tokens[start:end]) for start, end in source.spans(tokens)] == names


@pytest.mark.parametrize("sources", ["names", "english names"])
def test_each_word_of_a_name_has_the_vector_of_the_name(tmp_path, sources) -> None:
    model = trained(tmp_path / "m", f"encoder.vectors={sources}")
    asked = [("The", *words, "slept", ".") for words in (("Zq", "Xq"), ("New", "Zq"))]
    one, other = scores(model, asked)
    assert np.allclose(one, other), "neither is a name"
    known = ("The", "New", "York", "slept", ".")
    assert not np.allclose(scores(model, [known])[0], other)
    together = scores(model, [known, UNKNOWN])
    np.testing.assert_allclose(together[0], scores(model, [known])[0], atol=1e-5)
    loaded = Parser.load(tmp_path / "m", "cpu")
    np.testing.assert_allclose(together[0], scores(loaded, [known])[0], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("english", "couch|sofa|rivers|river|traverses|traverse"),
        ("names", "Montana|South Dakota|Houston|San Diego"),
    ],
)
def test_similar_words_are_nearest_to_each_other(name, words) -> None:
    source, some = VECTORS[name], words.split("|")
    vectors = source.vectors(some)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    near = (vectors @ vectors.T - 2 * np.eye(len(some))).argmax(axis=1)
    assert near.tolist() == [number ^ 1 for number in range(len(some))]
    assert not source.vectors(["xyzzyq"]).any()


def test_vectors_are_chosen_if_many_words_of_train_occur_once() -> None:
    words = ["red", "blue", "green", "house", "garden", "river", "paris", "london", "music", "song"]
    rare = [("play", "the", word) for word in words]
    often = [("play", "the", word) for word in words for _ in range(3)]
    foreign = [("spiel", "das", f"xq{number}") for number in range(20)]
    assert chosen_sources("auto", rare) == "english names"
    assert chosen_sources("auto", often) == ""
    assert chosen_sources("auto", foreign) == ""
    assert chosen_sources("names", foreign) == "names"
