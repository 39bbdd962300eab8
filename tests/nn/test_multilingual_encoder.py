"""The packaged encoder and its tokenizer."""

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, strategies as st
from pack_multilingual import renamed
from torch import Tensor
from toy_language import modules_of_a_parse, small, toy_examples, train_toy

from amparser.errors import ConfigError, ModelError
from amparser.nn import bert
from amparser.nn.bert import Bert, WholeLinear
from amparser.nn.multilingual_encoder import MULTILINGUAL
from amparser.nn.packed_weights import of_blocks
from amparser.nn.pretrained import pretrained_from_dict, shared_encoder
from amparser.nn.settings import EncoderSettings
from amparser.nn.unigram import Unigram
from amparser.nn.vectors.source import Origin
from amparser.parser import Parser
from amparser.presets.settings import NodeSettings
from amparser.schema import to_json

NAME = MULTILINGUAL.name
EXAMPLES, DEV = toy_examples(60, seed=1), toy_examples(10, seed=2)

needs_transformers = pytest.mark.skipif(
    importlib.util.find_spec("transformers") is None,
    reason="transformers is not installed: pip install 'amparser[pretrained]'",
)


def settings(*overrides: str) -> NodeSettings:
    return small(f"encoder.pretrained={NAME}", "train.epochs=1", *overrides)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp(NAME) / "m"
    train_toy(EXAMPLES, DEV, settings(), made)
    return made


MARKS = ["<s>", "<pad>", "</s>", "<unk>"]
PIECES = st.text("ab\u2581", min_size=1, max_size=4)
# Sums of halves are exact, so no rounding decides between two segmentations.
VOCABULARIES = st.dictionaries(PIECES, st.integers(-20, -1).map(lambda n: n / 2), max_size=12)


def segmentations(word: str) -> list[list[str]]:
    if not word:
        return [[]]
    return [[word[:i], *rest] for i in range(1, len(word) + 1) for rest in segmentations(word[i:])]


@given(VOCABULARIES, st.text("abc", min_size=1, max_size=6))
def test_subwords_are_the_most_likely_segmentation(scores: dict[str, float], word: str) -> None:
    scores = dict.fromkeys(MARKS, 0.0) | scores
    tokenizer = Unigram(list(scores), list(scores.values()))
    unknown = min(scores.values()) - 10

    def score(pieces: list[str]) -> float:
        return sum(scores.get(p, unknown) if len(p) == 1 or p in scores else -1e9 for p in pieces)

    [encoding] = tokenizer.encode_batch([[word]])
    ids = [i for i, of in zip(encoding.ids, encoding.word_ids, strict=True) if of is not None]
    best = max(map(score, segmentations("\u2581" + word)))
    candidates = [s for s in segmentations("\u2581" + word) if score(s) == best]
    names = list(scores)
    written = {"".join(p if p in scores else "\0" for p in s) for s in candidates}
    shown = "".join("\0" if names[i] == "<unk>" else names[i] for i in ids)
    # Unknown neighbours are one subword.
    assert shown in {_joined(text) for text in written}


def _joined(text: str) -> str:
    while "\0\0" in text:
        text = text.replace("\0\0", "\0")
    return text


WORDS = st.text(st.characters(categories=["L", "N", "P", "M"]), min_size=1, max_size=12)
KNOWN = st.sampled_from(["Untouchables", "can't", "naïve", "Straßenbahn", "U.S.", "กรุงเทพ", "1999"])


@cache
def both_tokenizers() -> tuple[Unigram, Any]:
    tokenizers = importlib.import_module("tokenizers")
    ours = MULTILINGUAL.read()[1]
    theirs = tokenizers.Tokenizer(tokenizers.models.Unigram(ours.scored(), unk_id=3))
    theirs.normalizer = tokenizers.normalizers.NFKC()
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace("\u2581", "always")
    return ours, theirs


@needs_transformers
@given(st.lists(WORDS | KNOWN, min_size=1, max_size=5))
def test_subwords_equal_the_library(tokens: list[str]) -> None:
    ours, theirs = both_tokenizers()
    expected = theirs.encode(tokens, is_pretokenized=True)
    [encoding] = ours.encode_batch([tokens])
    assert encoding.ids[1:-1] == expected.ids
    assert encoding.word_ids[1:-1] == expected.word_ids


def drawn(*shape: int) -> tuple[Tensor, Tensor]:
    codes = torch.randint(256, (*shape[:-1], shape[-1] // 2), dtype=torch.uint8)
    return codes, torch.rand(*shape[:-1], shape[-1] // 32).half() / 8


@needs_transformers
def test_states_equal_the_library() -> None:
    transformers = importlib.import_module("transformers")
    sizes = {"hidden_size": 96, "num_hidden_layers": 3, "intermediate_size": 64}
    config = transformers.BertConfig(vocab_size=50, num_attention_heads=12, **sizes)
    torch.manual_seed(1)
    theirs = transformers.BertModel(config, add_pooling_layer=False).eval()
    names = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value"}
    names |= {"ao": "attention.output.dense", "aln": "attention.output.LayerNorm"}
    names |= {"fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm"}
    outer = {
        "word": "word_embeddings",
        "pos": "position_embeddings",
        "type": "token_type_embeddings",
    }
    weights = dict(theirs.named_parameters())
    tensors: dict[str, Tensor | tuple[Tensor, Tensor]] = {}

    def take(ours: str, name: str) -> None:
        weight = weights[name]
        torch.nn.init.normal_(weight, std=0.3)  # no bias is 0, and no scale is 1
        if weight.ndim == 2 and ours not in {"emb.pos", "emb.type"}:
            tensors[ours] = drawn(*weight.shape)
            weight.data = of_blocks(*tensors[ours])
        else:
            tensors[ours] = weight.data

    for ours, name in outer.items():
        take(f"emb.{ours}", f"embeddings.{name}.weight")
    for end, kind in {"w": "weight", "b": "bias"}.items():
        take(f"emb.ln.{end}", f"embeddings.LayerNorm.{kind}")
        for i in range(3):
            for ours, name in names.items():
                take(f"l{i}.{ours}.{end}", f"encoder.layer.{i}.{name}.{kind}")
    ours = Bert(renamed(tensors, 2))
    subwords = torch.randint(50, (3, 7))
    mask = torch.arange(7) < torch.tensor([7, 4, 1])[:, None]
    with torch.no_grad():
        states = ours(subwords, mask.long()).last_hidden_state
        expected = theirs(subwords, mask.long(), output_hidden_states=True).hidden_states
    wrong = (states - expected[2])[mask].norm() / expected[2][mask].norm()
    assert wrong < 0.05, "but for rounding"


@given(st.integers(2, 40), st.integers(1, 9), st.integers(0, 2**32))
def test_integer_products_are_equal_on_all_backends(inputs: int, rows: int, seed: int) -> None:
    made = torch.Generator().manual_seed(seed)
    codes = torch.randint(-63, 64, (5, inputs), generator=made, dtype=torch.int8)
    layer = WholeLinear(codes, torch.rand(5, generator=made), torch.randn(5, generator=made))
    x = torch.randn(2, rows, inputs, generator=made)
    result = layer(x)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bert, "_has_instruction", lambda: False)
        assert torch.equal(layer(x), result)
    alone = torch.cat([layer(x[:, i : i + 1]) for i in range(rows)], dim=1)
    assert torch.equal(alone, result), "what else is in the batch changes nothing"
    exact = torch.nn.functional.linear(x, codes * layer.scales[:, None], layer.bias)
    largest = x.abs().amax(-1, keepdim=True) / 127 * layer.scales * 63 * inputs
    assert ((result - exact).abs() <= largest + 1e-4).all()


def test_a_word_has_another_state_in_another_sentence() -> None:
    encoder = shared_encoder(NAME)
    texts = ("on the bank of the river .", "the bank of the stream .", "money in the bank .")
    sentences = [tuple(text.split()) for text in texts]
    states = encoder(encoder.batch(sentences))
    river, stream, money = (states[i, s.index("bank")] for i, s in enumerate(sentences))
    alike = torch.nn.functional.cosine_similarity
    assert alike(river, stream, dim=0) > alike(river, money, dim=0) + 0.02


def test_a_model_names_the_weights_and_needs_no_library(folder: Path) -> None:
    content = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    origin = content["content"]["encoder"]["pretrained"]["origin"]
    assert (origin["name"], origin["sha256"]) == (NAME, MULTILINGUAL.sha256)
    assert (folder / "model.safetensors").stat().st_size < 2_000_000
    assert not modules_of_a_parse(folder) & {"transformers", "tokenizers"}


def test_other_weights_and_long_sentences_are_refused(folder: Path) -> None:
    assert "602 subwords" in (Parser.load(folder, "cpu").problem(("the",) * 600) or "")
    value = {"origin": {**to_json(MULTILINGUAL.origin(), Origin), "sha256": "0" * 64}}
    with pytest.raises(ModelError, match=f"trained with other weights of '{NAME}'"):
        pretrained_from_dict(value, EncoderSettings(pretrained=NAME))


def test_its_weights_are_not_trained(tmp_path: Path) -> None:
    slow = settings("encoder.pretrained_learning_rate=1e-5")
    with pytest.raises(ConfigError, match=rf"weights of encoder\.pretrained = '{NAME}' are not"):
        train_toy(EXAMPLES, DEV, slow, tmp_path / "m")
