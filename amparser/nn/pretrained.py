"""Pretrained encoder in a folder of Hugging Face's `transformers`.

    words -> subwords -> states of the pretrained encoder -> mean state of each word's subwords

The library is imported only if the settings name such a folder. Weights are read from safetensors
files only, and no code of a checkpoint is run. A model folder contains the encoder's configuration
and tokenizer as JSON values (`to_dict`), so it does not depend on the folder of the checkpoint.

A *packaged encoder* is a frozen encoder that is installed with a package (registry `CHECKPOINTS`).
A model folder stores only its name and checksum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import inf
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from amparser.errors import ConfigError, InputError, ModelError, one_of, shown
from amparser.nn.settings import EncoderSettings
from amparser.nn.transformers_library import (
    TRIAL,
    checkpoint_folder,
    checkpoint_from_dict,
    checkpoint_to_dict,
    encoder_of,
    imported,
    offline,
    read_checkpoint,
    tried,
)
from amparser.nn.unigram import Unigram
from amparser.nn.vectors.source import Origin, Outside
from amparser.nn.vocabulary import SubwordBatch, padded_rows
from amparser.registry import Registry
from amparser.schema import from_json, to_json

_SETTING = "encoder.pretrained"
_BATCH = 32
"""Maximum number of sentences in one call of a frozen encoder."""
_KEEPING = Lock()
"""Lock for the cache of states; several threads may share a parser."""


class PretrainedEncoder(nn.Module):
    """States of words, `[B, n, output_size]`: means of the states of their subwords.

    Args:
        model: a model of transformers, called with subword ids and a mask.
        tokenizer: a tokenizer of `tokenizers` without truncation and padding, or `Unigram`.
        frozen: whether the weights are fixed and dropout is off.
    """

    def __init__(self, model: Any, tokenizer: Any, *, frozen: bool) -> None:
        super().__init__()
        # The pooler is not needed, and some checkpoints do not have one.
        if getattr(model, "pooler", None) is not None:
            model.pooler = None
        self.model = model.requires_grad_(not frozen)
        self.frozen = frozen
        self.output_size = int(model.config.hidden_size)
        self.limit = _position_count(model)
        self._tokenizer = tokenizer
        # Cache of frozen states by subword ids, in half precision, least recently used first.
        self._kept: dict[bytes, Tensor] = {}
        # Number of subwords in the cache, and its maximum (77 MB for width 384).
        self._kept_count, self._most_kept = 0, 100_000

    def word_logp(self, word: str) -> float:
        """Return the log-probability of a word in running text (see `Unigram.word_logp`).

        It is minus infinity if the tokenizer is not a `Unigram`.
        """
        tokenizer = self._tokenizer
        return tokenizer.word_logp(word) if isinstance(tokenizer, Unigram) else -inf

    def train(self, mode: bool = True) -> PretrainedEncoder:
        """Set training mode; a frozen encoder stays in evaluation mode."""
        super().train(mode and not self.frozen)
        return self

    def forward(self, batch: SubwordBatch, *, often: bool = False) -> Tensor:
        """Return the states `[B, n, output_size]`; padding has the state of position 0.

        Frozen states are cached in half precision, so a sentence has the same states in all
        batches.

        Args:
            batch: subwords, as the method `batch` returns them.
            often: whether to enlarge the cache, for training, which reads each sentence repeatedly.
        """
        if often:
            # 770 MB for width 384.
            self._most_kept = 1_000_000
        if self.frozen:
            states = self._frozen_states(batch)
        else:
            states = self._states(batch.subwords, batch.counts)
        sums = functional.pad(states.cumsum(dim=1), (0, 0, 1, 0))
        firsts = batch.firsts[:, :, None]
        ends = torch.maximum(firsts + 1, batch.ends[:, :, None])
        totals = torch.take_along_dim(sums, ends, 1) - torch.take_along_dim(sums, firsts, 1)
        return totals / (ends - firsts)

    def _states(self, subwords: Tensor, counts: Tensor) -> Tensor:
        mask = _mask(subwords, counts).long()
        states: Tensor = self.model(input_ids=subwords, attention_mask=mask).last_hidden_state
        return states

    @torch.no_grad()
    def _frozen_states(self, batch: SubwordBatch) -> Tensor:
        """Return the states `[B, m, output_size]`; compute only states missing from the cache."""
        rows = batch.subwords.cpu().numpy()
        counts = batch.counts.tolist()
        keys = [row[:count].tobytes() for row, count in zip(rows, counts, strict=True)]
        with _KEEPING:
            found = {key: self._kept.pop(key) for key in dict.fromkeys(keys) if key in self._kept}
            self._kept_count -= sum(map(len, found.values()))
        new = sorted(
            {k: i for i, k in enumerate(keys) if k not in found}.values(), key=counts.__getitem__
        )
        for start in range(0, len(new), _BATCH):
            part = new[start : start + _BATCH]
            longest = counts[part[-1]]
            states = self._states(batch.subwords[part, :longest], batch.counts[part]).half()
            found |= {keys[i]: states[n, : counts[i]].clone() for n, i in enumerate(part)}
        self._keep(found)
        return pad_sequence(
            [found[key].to(batch.subwords.device).float() for key in keys], batch_first=True
        )

    def _keep(self, states: Mapping[bytes, Tensor]) -> None:
        with _KEEPING:
            new = {key: one for key, one in states.items() if key not in self._kept}
            self._kept |= new
            self._kept_count += sum(map(len, new.values()))
            while self._kept_count > self._most_kept:
                self._kept_count -= len(self._kept.pop(next(iter(self._kept))))

    def problem(self, tokens: Sequence[str]) -> str | None:
        """Return why the encoder cannot read a sentence, or None."""
        return self._too_many(len(self._encoded([tokens])[0].ids))

    def _too_many(self, count: int) -> str | None:
        if self.limit is None or count <= self.limit:
            return None
        return f"{count} subwords, the pretrained encoder takes at most {self.limit}"

    def _encoded(self, sentences: Sequence[Sequence[str]]) -> Any:
        return self._tokenizer.encode_batch(list(map(list, sentences)), is_pretokenized=True)

    def batch(self, sentences: Sequence[Sequence[str]]) -> SubwordBatch:
        """Return the subwords of non-empty sentences, padded.

        Raises:
            InputError: a sentence has more subwords than the encoder has positions.
        """
        subwords, firsts, ends = [], [], []
        for tokens, encoding in zip(sentences, self._encoded(sentences), strict=True):
            if problem := self._too_many(len(encoding.ids)):
                raise InputError(f"{' '.join(tokens[:5])} ...: {problem}")
            # A word without subwords (the tokenizer removes its characters) gets position 0.
            first, end = [0] * len(tokens), [0] * len(tokens)
            for place, word in enumerate(encoding.word_ids):
                if word is not None:
                    first[word] = first[word] or place
                    end[word] = place + 1
            subwords.append(encoding.ids or [0])
            firsts.append(first)
            ends.append(end)
        counts = torch.tensor([len(ids) for ids in subwords])
        return SubwordBatch(padded_rows(subwords), padded_rows(firsts), padded_rows(ends), counts)

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        device: torch.device = next(self.model.parameters()).device
        return device

    def check(self, where: object) -> None:
        """Raise ModelError, naming the file `where`, if the loaded encoder does not work."""

        def work() -> None:
            states = self(SubwordBatch(*(t.to(self.device) for t in self.batch([TRIAL]))))
            if not torch.isfinite(states).all():
                raise ValueError("its states are not finite")

        tried(work, where)

    def to_dict(self) -> dict[str, Any]:
        """Return configuration and tokenizer as JSON values."""
        return checkpoint_to_dict(self.model.config, self._tokenizer)


class SharedEncoder(nn.Module):
    """Packaged encoder; it is loaded at first use and not stored with a model.

    Args:
        name: name in `CHECKPOINTS`.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.output_size = CHECKPOINTS[name].size

    def forward(self, batch: SubwordBatch, *, often: bool = False) -> Tensor:
        """See `PretrainedEncoder`."""
        states: Tensor = self._shared.to(batch.subwords.device)(batch, often=often)
        return states

    @property
    def _shared(self) -> PretrainedEncoder:
        return shared_encoder(self.name)

    def word_logp(self, word: str) -> float:
        """See `PretrainedEncoder`."""
        return self._shared.word_logp(word)

    def problem(self, tokens: Sequence[str]) -> str | None:
        """See `PretrainedEncoder`."""
        return self._shared.problem(tokens)

    def batch(self, sentences: Sequence[Sequence[str]]) -> SubwordBatch:
        """See `PretrainedEncoder`."""
        return self._shared.batch(sentences)

    @torch.inference_mode()
    def states(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the states `[n, output_size]` of a sentence, from the cache if possible."""
        batch = SubwordBatch(*(part.to(self._shared.device) for part in self.batch([words])))
        states: NDArray[np.float32] = self(batch)[0].cpu().numpy()
        return states

    def check(self, where: object) -> None:
        """Raise ConfigError if the package is not installed."""
        CHECKPOINTS[self.name].origin()

    def to_dict(self) -> dict[str, Any]:
        """Return the origin (package and checksum) of the weights."""
        return {"origin": to_json(CHECKPOINTS[self.name].origin(), Origin)}


@cache
def shared_encoder(name: str) -> PretrainedEncoder:
    """Return a packaged encoder (cached); raise ConfigError if it is not installed."""
    return PretrainedEncoder(*CHECKPOINTS[name].read(), frozen=True).eval()


@torch.no_grad()
def states_of(
    encoder: PretrainedEncoder | SharedEncoder, sentences: Sequence[Sequence[str]]
) -> list[Tensor]:
    """Return the frozen states `[n, D]` of each non-empty sentence, on the CPU."""
    found: dict[int, Tensor] = {}
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    for start in range(0, len(order), _BATCH):
        numbers = order[start : start + _BATCH]
        states = encoder(encoder.batch([sentences[i] for i in numbers])).cpu()
        found |= {i: row[: len(sentences[i])] for i, row in zip(numbers, states, strict=True)}
    return [found[i] for i in range(len(sentences))]


def encoder_named(settings: EncoderSettings) -> PretrainedEncoder | SharedEncoder:
    """Return the encoder that the settings name, from a package or a folder.

    Raises:
        ConfigError: see `check_named` and `read_checkpoint`.
    """
    check_named(settings)
    if settings.pretrained in CHECKPOINTS:
        return SharedEncoder(settings.pretrained)
    frozen = not settings.pretrained_learning_rate
    return read_pretrained(settings.pretrained, frozen=frozen)


def check_named(settings: EncoderSettings) -> None:
    """Check the encoder that the settings name without loading it.

    Raises:
        ConfigError: the folder is missing or incomplete, a package is not installed, or a packaged
            encoder has a learning rate.
    """
    name, rate = settings.pretrained, settings.pretrained_learning_rate
    if name in CHECKPOINTS:
        if rate:
            raise ConfigError(
                f"encoder.pretrained_learning_rate = {rate:g}: the weights of {_SETTING} = "
                f"{name!r} are not trained, expected 0"
            )
        CHECKPOINTS[name].origin()
        return
    checkpoint_folder(name, _SETTING)
    with offline():
        imported("transformers", _SETTING)


def read_pretrained(folder: str | Path, *, frozen: bool) -> PretrainedEncoder:
    """Return the encoder in a folder. Raises ConfigError if it cannot be read."""
    # Some tokenizers treat a word after a space differently: put a space before every word.
    model, tokenizer = read_checkpoint(
        str(folder), "AutoModel", "an encoder", _SETTING, fresh=("pooler",), add_prefix_space=True
    )
    return PretrainedEncoder(encoder_of(model), tokenizer, frozen=frozen)


def pretrained_from_dict(
    value: object, settings: EncoderSettings
) -> PretrainedEncoder | SharedEncoder:
    """Return the encoder that `to_dict` describes, without weights unless it is packaged.

    Raises:
        ModelError: the value was not written by `to_dict`.
        ConfigError: transformers is not installed.
    """
    if isinstance(value, Mapping) and "origin" in value:
        return SharedEncoder(_name_of(value["origin"]))
    model, tokenizer = checkpoint_from_dict(value, "AutoModel", _SETTING, torch.float32)
    frozen = not settings.pretrained_learning_rate
    return PretrainedEncoder(encoder_of(model), tokenizer, frozen=frozen)


def _name_of(value: object) -> str:
    origin = from_json(value, Origin, "pretrained", "origin", error=ModelError)
    if origin.name not in CHECKPOINTS:
        raise ModelError(
            f"trained with the encoder {shown(origin.name)}: {one_of(origin.name, CHECKPOINTS)}"
        )
    origin.check(CHECKPOINTS[origin.name], "content.encoder.pretrained")
    return origin.name


def _position_count(model: nn.Module) -> int | None:
    """Return the maximum number of subwords; None if the model has no position embeddings."""
    for name, module in model.named_modules():
        if name.rpartition(".")[2] in _POSITIONS and isinstance(module, nn.Embedding):
            before = 0 if module.padding_idx is None else module.padding_idx + 1
            return module.num_embeddings - before
    return None


_POSITIONS = ("position_embeddings", "embed_positions", "wpe")


def _mask(subwords: Tensor, counts: Tensor) -> Tensor:
    return torch.arange(subwords.shape[1], device=subwords.device) < counts[:, None]


class Checkpoint(Outside, Protocol):
    """Frozen encoder that is installed with a package."""

    def read(self) -> tuple[Any, Any]:
        """Return the model and the tokenizer that `PretrainedEncoder` expects.

        Raises:
            ConfigError: the package is not installed, or its files are damaged.
        """


CHECKPOINTS: Registry[Checkpoint] = Registry(
    "checkpoint",
    "amparser.checkpoints",
    {"multilingual": "amparser.nn.multilingual_encoder:MULTILINGUAL"},
)
