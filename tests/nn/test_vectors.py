"""Word vectors from outside train: a source made of a tiny checkpoint, and the real one if it is
installed."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest
from tiny_transformer import write_bert
from toy_language import modules_of_a_parse, small, toy_examples, train_toy

import amparser
from amparser.compositions.settings import NodeSettings
from amparser.errors import ConfigError, ModelError
from amparser.nn import packaged
from amparser.nn.packaged import CHECKPOINTS, Packaged
from amparser.nn.pretrained import shared_encoder
from amparser.nn.vectors.registry import VECTORS
from amparser.nn.vectors.types import TypeVectors
from amparser.parser import Parser

pytest.importorskip("transformers", reason="pip install 'amparser[pretrained]'")

EXAMPLES, DEV = toy_examples(60, seed=1), toy_examples(10, seed=2)
SENTENCES = [example.tokens for example in DEV]
UNKNOWN = ("The", "zebra", "slept", ".")


class Tiny(Packaged):
    """A checkpoint whose package is a folder of this test."""

    folders: dict[str, Path] = {}  # noqa: RUF012
    installed = True

    @property
    def missing(self) -> str | None:
        return None if Tiny.installed else "not installed: tiny; pip install 'amparser[tiny]'"

    @property
    def version(self) -> str:
        return "1.2"

    @property
    def location(self) -> Path:
        return Tiny.folders[self.name]


@pytest.fixture
def tiny(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Tiny]:
    folder = write_bert(tmp_path_factory.mktemp("tiny") / "bert")
    checksum = hashlib.sha256((folder / packaged.WEIGHTS).read_bytes()).hexdigest()
    made = Tiny("tiny", "tiny-package", "model", checksum, "CC0", "tiny", 16)
    Tiny.folders["tiny"], Tiny.installed = folder, True
    CHECKPOINTS.register("tiny", made)
    VECTORS.register("tiny", TypeVectors(made))
    shared_encoder.cache_clear()
    yield made
    CHECKPOINTS.unregister("tiny")
    VECTORS.unregister("tiny")
    shared_encoder.cache_clear()


def config(*overrides: str) -> NodeSettings:
    return small("encoder.vector_size=8", "train.epochs=1", "train.epoch_sentences=1", *overrides)


def trained(folder: Path, *overrides: str) -> Parser:
    return train_toy(EXAMPLES, DEV, config(*overrides), folder)


def scores(model: Parser, sentences: list[tuple[str, ...]]) -> list[np.ndarray]:
    return [one.edge_logp for one in model.score(sentences)]


def test_a_loaded_model_asks_for_unknown_words_alone(tmp_path: Path, tiny: Tiny) -> None:
    model = trained(tmp_path / "m", "encoder.vectors=tiny", "train.members=2")
    before, strange = scores(model, SENTENCES), scores(model, [UNKNOWN])
    VECTORS.unregister("tiny")
    VECTORS.register("tiny", TypeVectors(tiny))
    shared_encoder.cache_clear()
    Tiny.installed = False
    loaded = Parser.load(tmp_path / "m", "cpu")
    for one, other in zip(before, scores(loaded, SENTENCES), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
    assert shared_encoder.cache_info().misses == 0
    [result] = loaded.parse([UNKNOWN])
    assert result.meaning is None
    assert result.failure == (
        "train does not have 'zebra'; word vectors 'tiny': not installed: tiny; "
        "pip install 'amparser[tiny]'"
    )
    Tiny.installed = True
    np.testing.assert_allclose(strange[0], scores(loaded, [UNKNOWN])[0], atol=1e-6)


def test_the_vector_decides_for_unknown_words(tmp_path: Path, tiny: Tiny) -> None:
    model = trained(tmp_path / "m", "encoder.vectors=tiny")
    one, other = scores(model, [UNKNOWN, ("The", "yak", "slept", ".")])
    assert not np.allclose(one, other)
    plain = trained(tmp_path / "plain")
    one, other = scores(plain, [UNKNOWN, ("The", "yak", "slept", ".")])
    np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("setting", ["vectors=tiny", "pretrained=tiny"])
def test_the_folder_names_what_is_frozen(tmp_path: Path, tiny: Tiny, setting: str) -> None:
    folder = tmp_path / "m"
    model = trained(folder, f"encoder.{setting}", "encoder.pretrained_learning_rate=0")
    assert not any(".layer.0" in name for name in model.composition.network.state_dict())
    told = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    encoder = told["content"]["encoder"]
    [origin] = encoder["vectors"] if "vectors" in setting else [encoder["pretrained"]["origin"]]
    assert origin == {
        "name": "tiny",
        "package": "tiny-package",
        "version": "1.2",
        "licence": "CC0",
        "sha256": tiny.sha256,
    }
    before = scores(model, [UNKNOWN])
    np.testing.assert_allclose(
        before[0], scores(Parser.load(folder, "cpu"), [UNKNOWN])[0], atol=1e-6
    )
    del told["checksums"]
    origin["sha256"] = "0" * 64
    (folder / "model.json").write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(ModelError, match=r"model\.json: .*SHA-256 is 000"):
        Parser.load(folder, "cpu")


def test_a_fine_tuned_checkpoint_of_a_package_is_kept(tmp_path: Path, tiny: Tiny) -> None:
    model = trained(
        tmp_path / "m", "encoder.pretrained=tiny", "encoder.pretrained_learning_rate=2e-5"
    )
    Tiny.installed = False
    loaded = Parser.load(tmp_path / "m", "cpu")
    np.testing.assert_allclose(scores(model, SENTENCES)[0], scores(loaded, SENTENCES)[0], atol=1e-6)


def test_adapters_are_kept_and_what_is_below_them_is_not(tmp_path: Path, tiny: Tiny) -> None:
    folder = tmp_path / "m"
    overrides = ("encoder.pretrained_rank=2", "encoder.pretrained_learning_rate=0.1")
    model = trained(folder, "encoder.pretrained=tiny", *overrides)
    weights = model.composition.network.state_dict()
    kept = {name: tensor for name, tensor in weights.items() if ".pretrained." in name}
    assert kept
    assert {tuple(sorted(tensor.shape)) for tensor in kept.values()} == {(2, 16)}
    # B is zero where training begins.
    assert all(tensor.any() for tensor in kept.values())
    loaded = Parser.load(folder, "cpu")
    np.testing.assert_allclose(scores(model, SENTENCES)[0], scores(loaded, SENTENCES)[0], atol=1e-6)


@pytest.mark.parametrize(
    "overrides",
    [("pretrained=tiny", "pretrained_learning_rate=0"), ("pretrained=FOLDER",)],
)
def test_adapters_need_a_rate_and_a_package(
    tmp_path: Path, tiny: Tiny, overrides: tuple[str, ...]
) -> None:
    chosen = [f"encoder.{one}".replace("FOLDER", str(Tiny.folders["tiny"])) for one in overrides]
    with pytest.raises(ConfigError, match="pretrained_rank = 2: expected a checkpoint of a pack"):
        trained(tmp_path / "m", "encoder.pretrained_rank=2", *chosen)


def test_what_is_not_installed_is_an_error_that_says_how(tmp_path: Path, tiny: Tiny) -> None:
    Tiny.installed = False
    for setting in ("vectors", "pretrained"):
        with pytest.raises(ConfigError, match=r"'tiny': not installed: tiny; pip install"):
            trained(tmp_path / setting, f"encoder.{setting}=tiny")
        # It is said before any data is looked for.
        with pytest.raises(ConfigError, match=r"'tiny': not installed: tiny; pip install"):
            amparser.train("nowhere", tmp_path / "m", overrides=[f"encoder.{setting}=tiny"])


def test_other_weights_are_refused(tmp_path: Path, tiny: Tiny) -> None:
    other = replace(tiny, sha256="0" * 64)
    with pytest.raises(ConfigError, match=r"model\.safetensors: its SHA-256 is [0-9a-f]{64}, exp"):
        other.path()


def test_names_of_sources_are_checked() -> None:
    with pytest.raises(ConfigError, match="expected text, some of clusters, english, minilm, "):
        config("encoder.vectors=klingon")
    with pytest.raises(ConfigError, match="expected text, some of clusters, english"):
        config("encoder.vectors='minilm minilm'")


def test_names_inside_a_sentence_have_no_vector_unless_it_is_set(
    tmp_path: Path, tiny: Tiny
) -> None:
    names = [("The", "Zebra", "."), ("The", "Yak", ".")]
    for setting in (False, True):
        model = trained(
            tmp_path / str(setting),
            "encoder.vectors=tiny",
            f"encoder.vector_names={setting}".lower(),
        )
        one, other = scores(model, names)
        assert np.allclose(one, other) != setting
        Tiny.installed = False
        assert (model.problem(names[0]) is not None) == setting
        Tiny.installed = True


def test_the_words_of_the_package_need_nothing_else(tmp_path: Path) -> None:
    trained(tmp_path / "m", "encoder.vectors=english")
    assert not modules_of_a_parse(tmp_path / "m") & {"transformers", "tokenizers"}


def test_names_are_the_longest_that_are_known_as_they_are_written() -> None:
    source = VECTORS["names"]

    def found(sentence: str) -> list[str]:
        tokens = sentence.split()
        return [" ".join(tokens[start:end]) for start, end in source.spans(tokens)]

    assert found("Does New Mexico , or Ohio , border the Rio Grande ?") == [
        "New Mexico",
        "Ohio",
        "Rio Grande",
    ]
    assert found("Or may who ask us of the US ?") == ["US"]
    assert found("") == []


@pytest.mark.parametrize("sources", ["names", "english names"])
def test_each_word_of_a_name_has_the_vector_of_the_name(tmp_path: Path, sources: str) -> None:
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
        ("minilm", "couch|sofa|tiny|small|river|stream"),
        ("names", "Montana|South Dakota|Houston|San Diego"),
        ("clusters", "quickly|rapidly|red|crimson"),
        ("wordnet", "couch|sofa|rivers|stream"),
        ("translated", "schrijven|scrivere|flugzeug|airplane"),
    ],
)
def test_like_words_are_nearest_to_each_other(name: str, words: str) -> None:
    source, some = VECTORS[name], words.split("|")
    if source.missing:
        pytest.skip(source.missing)
    vectors = source.vectors(some)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    near = (vectors @ vectors.T - 2 * np.eye(len(some))).argmax(axis=1)
    assert near.tolist() == [number ^ 1 for number in range(len(some))]
    if name == "minilm":
        assert vectors.shape == (len(some), 384)
    else:
        assert not source.vectors(["xyzzyq"]).any()


def test_a_source_that_is_not_there_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("amparser.lexicon.bilingual.DICTIONARIES", tmp_path)
    monkeypatch.setattr("amparser.nn.vectors.clusters.distribution", _not_installed)
    for name, how in {
        "clusters": r"pip install 'amparser\[clusters\]'",
        "translated": "install dict-freedict-deu-eng and dict-freedict-nld-eng and",
    }.items():
        with pytest.raises(ConfigError, match=f"word vectors '{name}': .*{how}"):
            VECTORS[name].origin()


def _not_installed(name: str) -> None:
    raise PackageNotFoundError(name)
