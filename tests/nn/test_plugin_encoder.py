"""An encoder from outside the package serves every parser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest
import torch
from torch import Tensor, nn
from toy_bank import examples as bank_examples
from toy_graphs import SMALL, corpus, right
from toy_language import toy_examples, train_toy
from toy_terms import questions

from amparser.compositions.settings import NodeSettings, TreeSettings
from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.errors import ConfigError, ModelError
from amparser.learn.settings import with_overrides
from amparser.nn.encoders.encoder import Encoded, Encoder
from amparser.nn.encoders.registry import ENCODERS
from amparser.nn.scores import scores_of
from amparser.nn.settings import EncoderSettings
from amparser.nn.vocabulary import Vocabulary
from amparser.parser import Parser
from amparser.parser_system import AMPARSER
from amparser.schema import from_json, to_json

WIDTH = 32


class Windows(NamedTuple):
    """Each token with the one before and behind it, one sentence behind the other."""

    words: Tensor
    lengths: list[int]

    def to(self, device: torch.device) -> Windows:
        return Windows(self.words.to(device), self.lengths)


class WindowEncoder(Encoder):
    """A token's state is a hidden layer over the words beside it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.embedding_size, self.state_size = WIDTH, 3 * WIDTH
        self.words = nn.Embedding(len(vocabulary), WIDTH)
        self.layer = nn.Linear(3 * WIDTH, 3 * WIDTH)

    @classmethod
    def of_train(cls, settings: EncoderSettings, vocabulary: Vocabulary) -> Self:
        return cls(vocabulary)

    @classmethod
    def from_dict(cls, settings: EncoderSettings, value: object, where: object) -> Self:
        if not isinstance(value, dict) or value.get("window") != 1:
            raise ModelError(f"{where}: content.encoder: expected a window of 1")
        return cls(
            from_json(value["vocabulary"], Vocabulary, where, "content.encoder", error=ModelError)
        )

    def to_dict(self) -> dict[str, Any]:
        return {"window": 1, "vocabulary": to_json(self.vocabulary, Vocabulary)}

    def batch(self, sentences: Sequence[Sequence[str]]) -> Windows:
        rows = [[0, *self.vocabulary.ids(tokens), 0] for tokens in sentences]
        windows = [row[i : i + 3] for row in rows for i in range(len(row) - 2)]
        return Windows(torch.tensor(windows), [len(tokens) for tokens in sentences])

    def forward(self, batch: Windows) -> Encoded:
        vectors = self.words(batch.words)
        states = torch.relu(self.layer(vectors.flatten(1)))
        return Encoded(vectors[:, 1], states, batch.lengths)

    def problem(self, tokens: Sequence[str]) -> str | None:
        return "a word of Mars" if "mars" in tokens else None


@pytest.fixture(autouse=True)
def window() -> Iterator[None]:
    ENCODERS.register("window", WindowEncoder)
    yield
    ENCODERS.unregister("window")


def test_an_unknown_encoder_is_named() -> None:
    with pytest.raises(ConfigError, match="expected one of words-letters, window"):
        with_overrides(NodeSettings(), ["encoder.kind=windows"])


def test_it_serves_constants_of_one_node(tmp_path: Path) -> None:
    chosen = with_overrides(
        NodeSettings(),
        [
            *("encoder.kind=window", "train.device=cpu", "train.epochs=8"),
            *("train.learning_rate=1e-2", "train.batch_tokens=200", "train.members=2"),
        ],
    )
    train, dev = toy_examples(200, seed=1), toy_examples(20, seed=2)
    model = train_toy(train, dev, chosen, tmp_path)
    # Long dependencies are out of its sight.
    assert model.metrics["epochs"][-1]["dev_accuracy"] > 0.3
    loaded = Parser.load(tmp_path, "cpu").composition.network
    assert isinstance(loaded.encoder, WindowEncoder)
    sentences = [example.tokens for example in dev]
    for a, b in zip(
        *(scores_of(n, sentences) for n in (model.composition.network, loaded)), strict=True
    ):
        assert (a.edge_logp == b.edge_logp).all()


def test_it_serves_constants_that_are_trees(tmp_path: Path) -> None:
    rows = [
        Example(item.tokens, text, alignment=item.alignment, line=line)
        for line, (item, text) in enumerate(questions(30), 1)
    ]
    chosen = with_overrides(
        TreeSettings(),
        [
            *("encoder.kind=window", "train.device=cpu", "train.epochs=12"),
            *("train.learning_rate=1e-2", "train.batch_size=16"),
        ],
    )
    trained = AMPARSER.train(Corpus(rows, (), "term"), chosen, tmp_path)
    loaded = Parser.load(tmp_path, "cpu")
    sentences = [row.tokens for row in rows]
    [answers] = loaded.answers(sentences).values()
    assert sum(a.meaning == row.meaning for a, row in zip(answers, rows, strict=True)) > 15
    assert [a.meaning for a in answers] == [
        a.meaning for a in trained.answers(sentences, ("wrap",))["wrap"]
    ]
    assert loaded.problem(("mars",)) == "a word of Mars"


def test_it_serves_constants_that_are_graphs(tmp_path: Path) -> None:
    chosen = with_overrides(SMALL, ["encoder.kind=window"])
    AMPARSER.train(corpus(), chosen, tmp_path)
    loaded = Parser.load(tmp_path, "cpu")
    seen = bank_examples(120)
    assert right(loaded, seen) >= 0.5 * len(seen)
    assert loaded.problem(("mars",)) == "a word of Mars"
