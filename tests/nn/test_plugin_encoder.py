"""An encoder from outside the package works in every parser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

import pytest
import torch
from small_settings import LETTERS
from torch import Tensor, nn
from toy_terms import examples

from amparser.calibration import is_right
from amparser.corpora.corpus import Corpus
from amparser.errors import ConfigError, ModelError
from amparser.learn.settings import with_overrides
from amparser.nn.encoders.encoder import Encoded, Encoder
from amparser.nn.registry import ENCODERS
from amparser.nn.settings import EncoderSettings
from amparser.nn.vocabulary import Vocabulary
from amparser.parser import Parser
from amparser.parser_system import AMPARSER
from amparser.presets.settings import NodeSettings, TreeSettings
from amparser.schema import from_json, to_json

WIDTH = 32


class Windows(NamedTuple):
    words: Tensor
    lengths: list[int]

    def to(self, device: torch.device) -> Windows:
        return Windows(self.words.to(device), self.lengths)


class WindowEncoder(Encoder):
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


def test_it_works_with_trees(tmp_path) -> None:
    """`test_plugins.py` does the same with nodes and graphs."""
    rows = Corpus(examples(30), (), "term")
    overrides = (*LETTERS, "train.learning_rate=1e-2", "train.epochs=12", "train.select=last")
    chosen = with_overrides(TreeSettings(), ["encoder.kind=window", *overrides])
    trained = AMPARSER.train(rows, chosen, tmp_path)
    loaded = Parser.load(tmp_path, "cpu")
    assert isinstance(loaded.model.network.encoder, WindowEncoder)
    sentences = [row.tokens for row in rows.train]
    [answers], [expected] = (model.answers(sentences).values() for model in (loaded, trained))
    assert answers == expected
    assert sum(map(partial(is_right, loaded), rows.train, answers)) >= 0.5 * len(sentences)
    assert loaded.problem(("mars",)) == "a word of Mars"
