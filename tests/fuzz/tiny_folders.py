"""A small model folder of each system that the package saves, trained in seconds."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import toy_bank
from tiny_checkpoints import write_bert, write_llama, write_t5
from tiny_model import rows, train_model
from toy_pairs import toy_examples
from toy_terms import questions

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.learn.settings import with_overrides
from amparser.learn.system_registry import CONSTANTS, SYSTEMS

Sentences = Sequence[tuple[str, ...]]
Folder = tuple[Path, Sentences]
"""A model folder, and sentences to ask its model."""

_CPU = ("train.device=cpu",)
_COGS = [Example(tuple(sentence.split()), meaning) for sentence, meaning, _ in rows()]
_TERMS = [
    Example(item.tokens, text, alignment=item.alignment, line=line)
    for line, (item, text) in enumerate(questions(40), 1)
]
_PAIRS = toy_examples()
_TAGGER = (
    "encoder.word_size=24", "encoder.letter_size=24", "encoder.buckets=256",
    "encoder.hidden_size=32", "heads.arc_size=16", "train.epochs=8", "train.learning_rate=5e-3",
    "train.batch_size=16",
)  # fmt: skip
_SMALL_TEXT = (
    "network.hidden_size=16", "network.embedding_size=16", "network.heads=2",
    "network.feedforward_size=24", "network.layers=1", "train.batch_size=8", "train.max_steps=6",
    "train.validate_every=3", "decode.max_length=30",
)  # fmt: skip
_SMALL_PAIR = (
    "hidden_size=16", "embedding_size=16", "classifier_size=16", "layers=1", "train.epochs=2",
    "train.batch_size=16",
)  # fmt: skip
_SMALL_CHECKPOINT = (
    "train.batch_size=8", "train.max_steps=4", "train.validate_every=2", "decode.max_length=20",
    "pretrained.prompt='## {input} Output:'",
)  # fmt: skip
_GRAPHS = (
    "data.words=tok", "data.features=sem", "data.anchors=sense", "encoder.word_size=24",
    "encoder.letter_size=24", "encoder.buckets=256", "encoder.hidden_size=32", "encoder.layers=1",
    "heads.arc_size=32", "heads.label_size=48", "heads.filler_size=16", "train.epochs=6",
    "train.learning_rate=1e-2", "train.batch_size=16",
)  # fmt: skip


def _trained(
    system: str, folder: Path, corpus: Corpus, overrides: Sequence[str], sentences: Sentences
) -> Folder:
    chosen: Any = CONSTANTS[system] if system in CONSTANTS else SYSTEMS[system]
    settings = with_overrides(chosen.settings, [*overrides, *_CPU])
    trains = SYSTEMS["amparser"] if system in CONSTANTS else chosen
    trains.train(corpus, settings, folder / "model")
    return folder / "model", sentences


def _texts(system: str, folder: Path, overrides: Sequence[str]) -> Folder:
    corpus = Corpus(_COGS, _COGS[::6], "cogs", files={"a": 1})
    return _trained(system, folder, corpus, overrides, [e.tokens for e in _COGS[:3]])


def _words(examples: Sequence[Example]) -> set[str]:
    return {w for e in examples for w in (*e.tokens, *str(e.meaning).split())}


def _finetuned(system: str, folder: Path, checkpoint: Path, rank: int) -> Folder:
    lora = f"pretrained.lora_rank={rank}"
    path = f"pretrained.path={str(checkpoint)!r}"
    return _texts(system, folder, [*_SMALL_CHECKPOINT, path, lora])


def _pairs(system: str, folder: Path, overrides: Sequence[str]) -> Folder:
    corpus = Corpus(_PAIRS, _PAIRS[::5], "quantified", "mine", {"a": 1}, {"train": "train.tsv"})
    return _trained(system, folder, corpus, overrides, [e.tokens for e in _PAIRS[:3]])


def _nodes(folder: Path) -> Folder:
    overrides = ["train.epochs=3", "train.patience=0"]
    return train_model(folder, overrides), [e.tokens for e in _COGS[:12:4]]


def _trees(folder: Path) -> Folder:
    corpus = Corpus(_TERMS, _TERMS[:4], "term", places={"train": "train.jsonl"})
    return _trained("tree", folder, corpus, _TAGGER, [e.tokens for e in _TERMS[:3]])


def _graphs(folder: Path, *more: str) -> Folder:
    found = toy_bank.examples(70)
    corpus = Corpus(found, found[-5:], "penman", places={"train": "t.penman"})
    return _trained("graph", folder, corpus, [*_GRAPHS, *more], [e.tokens for e in found[:3]])


def _graphs_with_encoder(folder: Path) -> Folder:
    words = {word for example in toy_bank.examples(70) for word in example.tokens}
    checkpoint = write_bert(folder / "bert", words)
    return _graphs(folder, f"encoder.pretrained={str(checkpoint)!r}", "train.epochs=2")


def _pair_bert(folder: Path) -> Folder:
    words = {word for pair in _PAIRS for word in pair.tokens if word != "\t"}
    checkpoint = write_bert(folder / "bert", words)
    overrides = [f"pretrained.path={str(checkpoint)!r}", "train.epochs=1", "train.batch_size=16"]
    return _pairs("pair-bert", folder, overrides)


_PLAIN: dict[str, Callable[[Path], Folder]] = {
    "node": _nodes,
    "tree": _trees,
    "graph": _graphs,
    "transformer": lambda folder: _texts("transformer", folder, _SMALL_TEXT),
    "lstm": lambda folder: _texts("lstm", folder, _SMALL_TEXT),
    "gru": lambda folder: _texts("gru", folder, _SMALL_TEXT),
    "pair-lstm": lambda folder: _pairs("pair-lstm", folder, _SMALL_PAIR),
    "pair-treelstm": lambda folder: _pairs("pair-treelstm", folder, _SMALL_PAIR),
}
_OVER_CHECKPOINTS: dict[str, Callable[[Path], Folder]] = {
    "graph-bert": _graphs_with_encoder,
    "t5": lambda f: _finetuned("t5", f, write_t5(f / "t5", _words(_COGS)), 0),
    "llama": lambda f: _finetuned("llama", f, write_llama(f / "llama", _words(_COGS)), 4),
    "pair-bert": _pair_bert,
}

KINDS: dict[str, Callable[[Path], Folder]] = dict(_PLAIN)
"""The kinds of model folders by name; each writes one below a folder."""
if all(importlib.util.find_spec(name) for name in ("transformers", "peft")):
    KINDS |= _OVER_CHECKPOINTS


def answers(model: Any, sentences: Sentences) -> list[str]:
    """All that a model says of sentences, with each of its decoders."""
    fields = ("meaning", "tree", "graph", "failure", "logp", "fallback", "unknown", "output")
    return [
        f"{name}: {field}: {getattr(result, field, None)!r}"
        for name, results in model.answers(sentences, model.decoders).items()
        for result in results
        for field in fields
    ]
