"""A small model folder of each system, trained in seconds."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import toy_bank
import toy_terms
from small_settings import LETTERS
from tiny_checkpoints import write_bert
from tiny_model import train_model
from toy_graphs import GRAPH_SETTINGS
from trainings import (
    MISSING,
    PRETRAINED,
    SCRATCH_PAIRS,
    TEXTS,
    examples_of,
    settings_of,
    train,
    write_checkpoint,
)

from amparser.corpora.corpus import Corpus
from amparser.learn.settings import with_overrides
from amparser.parser_system import AMPARSER
from amparser.presets.registry import PRESETS

Sentences = Sequence[tuple[str, ...]]
Folder = tuple[Path, Sentences]
"""A model folder, and sentences for its model."""

_TERMS = toy_terms.examples(40)
_TAGGER = (*LETTERS, "heads.arc_size=16", "train.epochs=8", "train.learning_rate=5e-3")


def _trained(
    system: str, folder: Path, corpus: Corpus, overrides: Sequence[str], sentences: Sentences
) -> Folder:
    settings = with_overrides(PRESETS[system].settings, overrides)
    AMPARSER.train(corpus, settings, folder / "model")
    return folder / "model", sentences


def _predicting(system: str, folder: Path) -> Folder:
    checkpoint = write_checkpoint(system, folder / "base") if system in PRETRAINED else None
    length = "train.epochs=2" if system.startswith("pair") else "max_length=30"
    train(system, settings_of(system, checkpoint, length), folder / "model")
    return folder / "model", [example.tokens for example in examples_of(system)[:3]]


def _nodes(folder: Path) -> Folder:
    overrides = ["train.epochs=3", "train.patience=0"]
    return train_model(folder, overrides), [e.tokens for e in TEXTS[:12:4]]


def _trees(folder: Path) -> Folder:
    corpus = Corpus(_TERMS, _TERMS[:4], "term", places={"train": "train.jsonl"})
    return _trained("tree", folder, corpus, _TAGGER, [e.tokens for e in _TERMS[:3]])


def _graphs(folder: Path, *more: str) -> Folder:
    found = toy_bank.examples(70)
    corpus = Corpus(found, found[-5:], "penman", places={"train": "t.penman"})
    settings = (*GRAPH_SETTINGS, "train.epochs=6", *more)
    return _trained("graph", folder, corpus, settings, [e.tokens for e in found[:3]])


def _graphs_with_encoder(folder: Path) -> Folder:
    words = {word for example in toy_bank.examples(70) for word in example.tokens}
    checkpoint = write_bert(folder / "bert", words)
    return _graphs(folder, f"encoder.pretrained={str(checkpoint)!r}", "train.epochs=2")


_PLAIN: dict[str, Callable[[Path], Folder]] = {
    "node": _nodes,
    "tree": _trees,
    "graph": _graphs,
    **{name: partial(_predicting, name) for name in ("transformer", "lstm", "gru", *SCRATCH_PAIRS)},
}
_OVER_CHECKPOINTS: dict[str, Callable[[Path], Folder]] = {
    "graph-bert": _graphs_with_encoder,
    **{name: partial(_predicting, name) for name in PRETRAINED},
}

KINDS: dict[str, Callable[[Path], Folder]] = dict(_PLAIN)
"""Functions that write a model folder below a folder, by kind."""
if not MISSING:
    KINDS |= _OVER_CHECKPOINTS


def answers(model: Any, sentences: Sentences) -> list[str]:
    fields = ("meaning", "tree", "graph", "failure", "logp", "fallback", "unknown", "output")
    return [
        f"{name}: {field}: {getattr(result, field, None)!r}"
        for name, results in model.answers(sentences, model.decoders).items()
        for result in results
        for field in fields
    ]
