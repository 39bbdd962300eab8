"""Tiny trainings of all systems that predict texts: settings, data, what is the same."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_checkpoints import write_llama, write_t5
from tiny_model import rows

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.learn.progress import TrainingProgress
from amparser.learn.settings import with_overrides
from amparser.learn.system_registry import SYSTEMS
from amparser.learn.systems import load

SCRATCH = ("transformer", "lstm", "bilstm", "gru")
PRETRAINED = ("t5", "llama")
MISSING = [n for n in ("transformers", "peft") if importlib.util.find_spec(n) is None]
needs_pretrained = pytest.mark.skipif(
    bool(MISSING), reason=f"{MISSING} missing: pip install 'amparser[pretrained]'"
)
ALL = [*SCRATCH, *(pytest.param(s, marks=needs_pretrained) for s in PRETRAINED)]

TEXTS = [
    Example(tuple(sentence.split()), meaning, line=i)
    for i, (sentence, meaning, _) in enumerate(rows(), 1)
]
WORDS = {w for e in TEXTS for w in (*e.tokens, *str(e.meaning).split())} | {"##", "Output:"}
PROMPT = "## {input} Output:"
_SMALL = {
    **dict.fromkeys(
        SCRATCH,
        "network.hidden_size=32 network.embedding_size=24 network.heads=2 network.layers=1 "
        "network.feedforward_size=48 max_steps=12 validate_every=4 learning_rate=0.01 "
        "max_length=60",
    ),
    **dict.fromkeys(
        PRETRAINED,
        "max_steps=6 validate_every=2 learning_rate=0.01 max_length=60",
    ),
}


def settings_of(system: str, checkpoint: Path | None, *overrides: str) -> Any:
    """Small settings of a system; a pretrained one begins with a checkpoint."""
    own = [*_SMALL[system].split(), "train.batch_size=8", "train.device=cpu"]
    if checkpoint is not None:
        own.append(f"pretrained.path={str(checkpoint)!r}")
    if system in PRETRAINED:
        own += [f"pretrained.prompt={PROMPT!r}", f"lora_rank={8 * (system == 'llama')}"]
    return with_overrides(SYSTEMS[system].settings, [*own, *overrides])


def train(
    system: str,
    settings: Any,
    folder: Path,
    pairs: Sequence[Example] | None = None,
    dev: Sequence[Example] | None = None,
    **options: Any,
) -> Any:
    """The model of a training; dev is a part of train, unless it is given."""
    corpus = Corpus(
        TEXTS if pairs is None else pairs,
        TEXTS[::4] if dev is None else dev,
        "cogs",
        "mine",
        {"a": 1},
        {"train": "train.tsv"},
    )
    return SYSTEMS[system].train(corpus, settings, folder, **options)


def loaded(folder: Path) -> Any:
    """The model in a folder."""
    return load(folder, "cpu")


def same(left: Any, right: Any) -> bool:
    """Whether two models have the same weights."""
    one, other = (dict(model.predictor.network.named_parameters()) for model in (left, right))
    return one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)


class CutError(Exception):
    """The training is killed."""


def cut_off(system: str, settings: Any, folder: Path, *, round_: int = 2, batch: int = 2) -> None:
    """A training that is killed after a batch of a round."""

    def kill(progress: TrainingProgress) -> None:
        if (progress.epoch, progress.batch) == (round_, batch):
            raise CutError

    with pytest.raises(CutError):
        train(system, settings, folder, on_progress=kill)


def write_checkpoint(system: str, folder: Path) -> Path:
    """A tiny checkpoint of a pretrained system."""
    return (write_t5 if system == "t5" else write_llama)(folder, WORDS)
