"""Tiny trainings of all systems that predict texts or labels: settings, data, comparison."""

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from killed import KilledError, Killer
from tiny_checkpoints import write_bert, write_llama, write_t5
from tiny_model import rows
from toy_pairs import toy_examples

from amparser.corpora.corpus import Corpus
from amparser.corpora.example import Example
from amparser.learn.settings import with_overrides
from amparser.learn.system_registry import SYSTEMS
from amparser.learn.systems import load

SCRATCH = ("transformer", "lstm", "bilstm", "gru")
SCRATCH_PAIRS = ("pair-lstm", "pair-treelstm")
PRETRAINED = ("t5", "llama", "pair-bert")
MISSING = [n for n in ("transformers", "peft") if importlib.util.find_spec(n) is None]
needs_pretrained = pytest.mark.skipif(
    bool(MISSING), reason=f"{MISSING} missing: pip install 'amparser[pretrained]'"
)
ALL = [*SCRATCH, *SCRATCH_PAIRS, *(pytest.param(s, marks=needs_pretrained) for s in PRETRAINED)]

TEXTS = [
    Example(tuple(sentence.split()), meaning, line=i)
    for i, (sentence, meaning, _) in enumerate(rows(), 1)
]
LABELS = toy_examples()
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
        SCRATCH_PAIRS,
        "hidden_size=24 embedding_size=16 classifier_size=32 learning_rate=0.005 layers=2 "
        "train.epochs=3",
    ),
    **dict.fromkeys(
        PRETRAINED[:2], "max_steps=6 validate_every=2 learning_rate=0.01 max_length=60"
    ),
    "pair-bert": "learning_rate=0.003 train.epochs=3",
}


def examples_of(system: str) -> list[Example]:
    return LABELS if system.startswith("pair") else TEXTS


def settings_of(system: str, checkpoint: Path | None, *overrides: str) -> Any:
    """Return small settings of a system; a pretrained one starts from a checkpoint."""
    own = [*_SMALL[system].split(), "train.batch_size=8", "train.device=cpu"]
    if checkpoint is not None:
        own.append(f"pretrained.path={str(checkpoint)!r}")
    if system in PRETRAINED[:2]:
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
    """Train a model; dev defaults to a part of train."""
    known = examples_of(system)
    notation = "quantified" if system.startswith("pair") else "cogs"
    corpus = Corpus(
        known if pairs is None else pairs,
        known[:: 5 if known is LABELS else 4] if dev is None else dev,
        notation,
        "mine",
        {"a": 1},
        {"train": "train.tsv"},
    )
    return SYSTEMS[system].train(corpus, settings, folder, **options)


def loaded(folder: Path) -> Any:
    return load(folder, "cpu")


def same(left: Any, right: Any) -> bool:
    one, other = (dict(model.predictor.network.named_parameters()) for model in (left, right))
    return one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)


def cut_off(system: str, settings: Any, folder: Path, *, round_: int = 2, batch: int = 2) -> None:
    """Train until a batch of a round, then kill the training."""
    with pytest.raises(KilledError):
        train(system, settings, folder, on_progress=Killer(round_, batch))


def write_checkpoint(system: str, folder: Path) -> Path:
    of_pairs = {word for pair in LABELS for word in pair.tokens if word != "\t"}
    if system == "pair-bert":
        return write_bert(folder, of_pairs)
    return (write_t5 if system == "t5" else write_llama)(folder, WORDS)
