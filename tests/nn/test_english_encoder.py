"""The packaged encoder and its tokenizer."""

import importlib.util
import json
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from toy_language import modules_of_a_parse, small, toy_examples, train_toy

from amparser.errors import ConfigError, ModelError
from amparser.nn.english_encoder import ENGLISH
from amparser.nn.pretrained import pretrained_from_dict, shared_encoder
from amparser.nn.settings import EncoderSettings
from amparser.nn.vectors.source import Origin
from amparser.nn.wordpieces import WordPieces
from amparser.parser import Parser
from amparser.presets.settings import NodeSettings
from amparser.schema import to_json

EXAMPLES, DEV = toy_examples(60, seed=1), toy_examples(10, seed=2)
PIECES = list(ENGLISH.read()[1].numbers)

needs_transformers = pytest.mark.skipif(
    importlib.util.find_spec("transformers") is None,
    reason="transformers is not installed: pip install 'amparser[pretrained]'",
)


def settings(*overrides: str) -> NodeSettings:
    return small("encoder.pretrained=english", "train.epochs=1", *overrides)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("english") / "m"
    train_toy(EXAMPLES, DEV, settings(), made)
    return made


# The library has an older table of accents of rare scripts.
WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cn"], max_codepoint=0xFFFF), min_size=1, max_size=12
)
ENGLISH_WORDS = st.sampled_from(["Untouchables", "can't", "naïve", "e-mail", "U.S.", "x" * 101])


@needs_transformers
@given(st.lists(WORDS | ENGLISH_WORDS, min_size=1, max_size=5))
def test_subwords_equal_the_library(tokens: list[str]) -> None:
    tokenizers = importlib.import_module("tokenizers")
    numbers = {piece: number for number, piece in enumerate(PIECES)}
    theirs = tokenizers.BertWordPieceTokenizer(numbers, lowercase=True)
    expected = theirs.encode(tokens, is_pretokenized=True)
    [found] = WordPieces(PIECES).encode_batch([tokens])
    assert found.ids == expected.ids
    firsts = [None, *expected.word_ids[:-1]]
    words = zip(expected.word_ids, firsts, strict=True)
    assert found.word_ids == [None if word == before else word for word, before in words]


def test_a_word_has_another_state_in_another_sentence() -> None:
    encoder = shared_encoder("english")
    texts = ("on the bank of the river .", "the bank of the stream .", "money in the bank .")
    sentences = [tuple(text.split()) for text in texts]
    states = encoder(encoder.batch(sentences))
    river, stream, money = (states[i, s.index("bank")] for i, s in enumerate(sentences))
    alike = torch.nn.functional.cosine_similarity
    assert alike(river, stream, dim=0) > alike(river, money, dim=0) + 0.02


def test_a_model_names_the_weights_and_needs_no_library(folder: Path) -> None:
    told = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    origin = told["content"]["encoder"]["pretrained"]["origin"]
    assert (origin["name"], origin["sha256"]) == ("english", ENGLISH.sha256)
    assert (folder / "model.safetensors").stat().st_size < 2_000_000
    assert not modules_of_a_parse(folder) & {"transformers", "tokenizers"}


def test_other_weights_and_long_sentences_are_refused(folder: Path) -> None:
    assert "602 subwords" in (Parser.load(folder, "cpu").problem(("the",) * 600) or "")
    told = {"origin": {**to_json(ENGLISH.origin(), Origin), "sha256": "0" * 64}}
    with pytest.raises(ModelError, match="trained with other weights of 'english'"):
        pretrained_from_dict(told, EncoderSettings(pretrained="english"))


def test_its_weights_are_not_trained(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"weights of encoder\.pretrained = 'english' are not"):
        train_toy(EXAMPLES, DEV, settings("encoder.pretrained_learning_rate=1e-5"), tmp_path / "m")
