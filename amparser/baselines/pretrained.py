"""T5 and LLaMA of Hugging Face's transformers as models that write a text for a sentence.

T5 reads the prompt and writes the target. LLaMA reads the prompt and continues with the
target; only the target's tokens are learned. With LoRA (Hu et al. 2021) the weights are
frozen, and small adapters beside them are trained (library peft).

These libraries are imported only when a model is asked for. Weights are read from
safetensors only, and code is never loaded from a checkpoint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from amparser.baselines.settings import CheckpointSettings, SearchSettings
from amparser.errors import ConfigError, ModelError
from amparser.learn.prediction_task import IGNORED
from amparser.nn.transformers_library import (
    checkpoint_from_dict,
    checkpoint_source,
    checkpoint_to_dict,
    fast_tokenizer,
    first_line,
    imported,
    quietly,
)
from amparser.schema import LARGEST, shown

SETTING = "pretrained.path"
_CLASSES = {"t5": "AutoModelForSeq2SeqLM", "llama": "AutoModelForCausalLM"}


class PretrainedSeq2Seq:
    """A pretrained model with its tokenizer.

    Args:
        system: `t5` has an encoder and a decoder; `llama` continues what it reads.
        model: a model of transformers, including adapters of peft.
        tokenizer: a tokenizer of the library `tokenizers`.
        prompt: the prompt, with `{input}` for the sentence.
    """

    def __init__(
        self, system: Literal["t5", "llama"], model: Any, tokenizer: Any, prompt: str
    ) -> None:
        self.system = system
        self.model = model
        self.prompt = prompt
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer = tokenizer
        config = model.config
        self.end = _first_id(config, "eos_token_id", "end of a text")
        if system == "t5":
            self.begin = _first_id(config, "decoder_start_token_id", "start of an output")
        else:
            self.begin = _first_id(config, "bos_token_id", "start of a text")
        padding = getattr(config, "pad_token_id", None)
        self.padding = self.end if padding is None else int(padding)

    @property
    def network(self) -> nn.Module:
        """The network whose parameters with a gradient are trained."""
        network: nn.Module = self.model
        return network

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return next(self.network.parameters()).device

    @property
    def size(self) -> int:
        """Width of the states."""
        return int(self.model.config.hidden_size)

    def source_ids(self, tokens: Sequence[str]) -> list[int]:
        """The input for a sentence: the prompt's ids, with END or BEGIN."""
        found = self._ids(self.prompt.replace("{input}", " ".join(tokens)))
        return [*found, self.end] if self.system == "t5" else [self.begin, *found]

    def target_ids(self, target: str) -> list[int]:
        """The ids of a target, without END.

        Raises:
            ConfigError: the tokenizer has no ids for it.
        """
        found = self._ids(target)
        if (again := self.text(found)) != target:
            raise ConfigError(
                f"{SETTING}: its tokenizer cannot write the target {target!r}: "
                f"it comes back as {again!r}"
            )
        return found

    def text(self, ids: Sequence[int]) -> str:
        """The text of ids; without special tokens."""
        text: str = self.tokenizer.decode(list(ids), skip_special_tokens=True)
        return " ".join(text.split())

    def logits(
        self, read: Sequence[Sequence[int]], written: Sequence[Sequence[int]]
    ) -> tuple[Tensor, Tensor]:
        """Logits `[B, m, V]` after each id of the target, and the gold ids `[B, m]`."""
        device = self.device
        if self.system == "t5":
            source, mask = self._padded(read)
            target, _ = self._padded([[self.begin, *ids] for ids in written])
            gold = self._gold([[*ids, self.end] for ids in written])
            found = self.model(
                input_ids=source.to(device),
                attention_mask=mask.to(device),
                decoder_input_ids=target.to(device),
                use_cache=False,
            )
            return found.logits, gold.to(device)
        rows = [[*before, *ids] for before, ids in zip(read, written, strict=True)]
        gold = self._gold(
            [
                [*[IGNORED] * (len(before) - 1), *ids, self.end]
                for before, ids in zip(read, written, strict=True)
            ]
        )
        source, mask = self._padded(rows)
        found = self.model(
            input_ids=source.to(device), attention_mask=mask.to(device), use_cache=False
        )
        return found.logits, gold.to(device)

    @torch.no_grad()
    def generate(
        self, sentences: Sequence[Sequence[str]], settings: SearchSettings
    ) -> list[tuple[str, float, bool]]:
        """Text, log-probability and whether it ended, for each sentence of a batch.

        The length penalty is that of transformers: the log-probability is divided by the
        length to the power of the penalty.
        """
        self.model.eval()
        read = [self.source_ids(tokens) for tokens in sentences]
        left = self.system == "llama"
        source, mask = self._padded(read, left=left)
        library = imported("transformers", SETTING)
        with quietly():
            plan = library.GenerationConfig(
                do_sample=False,
                num_beams=settings.beam_size,
                max_new_tokens=settings.max_length + 1,
                eos_token_id=self.end,
                pad_token_id=self.padding,
                bos_token_id=self.begin if left else None,
                decoder_start_token_id=None if left else self.begin,
                **({"length_penalty": settings.length_penalty} if settings.beam_size > 1 else {}),
            )
            found = self.model.generate(
                input_ids=source.to(self.device),
                attention_mask=mask.to(self.device),
                generation_config=plan,
            )
        first = source.shape[1] if left else 1
        outputs = [row[first:] for row in found.tolist()]
        ended = [self.end in row for row in outputs]
        written = [
            row[: row.index(self.end)] if end else _cut(row[: settings.max_length], self.padding)
            for row, end in zip(outputs, ended, strict=True)
        ]
        logps = self._logps(read, written, ended)
        return [
            (self.text(row), logp, end)
            for row, logp, end in zip(written, logps, ended, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Configuration and tokenizer as JSON values, without weights and adapters."""
        return checkpoint_to_dict(self.model.config, self.tokenizer)

    def _logps(
        self, read: Sequence[Sequence[int]], written: Sequence[Sequence[int]], ended: Sequence[bool]
    ) -> list[float]:
        logits, gold = self.logits(read, written)
        learned = gold != IGNORED
        logp = logits.float().log_softmax(2).gather(2, gold.clamp(min=0)[:, :, None])[:, :, 0]
        logp = logp.masked_fill(~learned, 0)
        for row, end in enumerate(ended):
            if not end:  # its END was not written
                logp[row, int(learned[row].nonzero()[-1])] = 0
        sums: list[float] = logp.sum(1).tolist()
        return sums

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _padded(
        self, rows: Sequence[Sequence[int]], *, left: bool = False
    ) -> tuple[Tensor, Tensor]:
        """`[B, n]` ids, and a mask that is 0 on padding and 1 elsewhere."""
        width = max(map(len, rows))
        ids = torch.full((len(rows), width), self.padding)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for i, row in enumerate(rows):
            place = slice(width - len(row), width) if left else slice(len(row))
            ids[i, place] = torch.tensor(row)
            mask[i, place] = 1
        return ids, mask

    @staticmethod
    def _gold(rows: Sequence[Sequence[int]]) -> Tensor:
        width = max(map(len, rows))
        return torch.tensor([[*row, *[IGNORED] * (width - len(row))] for row in rows])


def read_pretrained(
    system: Literal["t5", "llama"], settings: CheckpointSettings
) -> PretrainedSeq2Seq:
    """The pretrained model that the settings name, with fresh adapters if they ask for them.

    Raises:
        ConfigError: the checkpoint is missing or unsuitable (the message names the setting), or
            a library is not installed (the message has the command that installs it).
    """
    library = imported("transformers", SETTING)
    folder, options = checkpoint_source(settings.path, SETTING)
    if "{input}" not in settings.prompt:
        raise ConfigError(f"pretrained.prompt = {settings.prompt!r}: expected {{input}} in it")
    where = f"{SETTING} = {settings.path!r}"
    with quietly():
        try:
            fast = library.AutoTokenizer.from_pretrained(folder, **options)
            model, loaded = getattr(library, _CLASSES[system]).from_pretrained(
                folder,
                use_safetensors=True,
                dtype=getattr(torch, settings.dtype),
                output_loading_info=True,
                **options,
            )
        except Exception as error:  # transformers does not document its errors
            raise ConfigError(f"{where}: cannot be read as {system}: {first_line(error)}") from None
    if missing := sorted(loaded["missing_keys"]):
        raise ConfigError(f"{where}: weights are missing, such as {missing[0]!r}")
    tokenizer = fast_tokenizer(fast, model, where)
    try:
        return PretrainedSeq2Seq(system, _adapted(model, settings), tokenizer, settings.prompt)
    except ModelError as error:
        raise ConfigError(f"{where}: {error}") from None


def pretrained_from_dict(
    system: Literal["t5", "llama"], value: object, settings: CheckpointSettings
) -> PretrainedSeq2Seq:
    """A model with fresh weights from what `PretrainedSeq2Seq.to_dict` wrote.

    Raises:
        ModelError: the value was not written by `to_dict`.
        ConfigError: transformers is not installed.
    """
    model, tokenizer = checkpoint_from_dict(
        value, _CLASSES[system], SETTING, getattr(torch, settings.dtype)
    )
    return PretrainedSeq2Seq(system, _adapted(model, settings), tokenizer, settings.prompt)


def fingerprint(path: str) -> dict[str, Any]:
    """What identifies a checkpoint's folder: its configuration, and sizes of weights.

    Empty if there is no checkpoint.
    """
    folder = Path(path).expanduser()
    if not path or not (folder / "config.json").is_file():
        return {}
    config = (folder / "config.json").read_bytes()
    sizes = {file.name: file.stat().st_size for file in sorted(folder.glob("*.safetensors"))}
    return {"config_sha256": hashlib.sha256(config).hexdigest(), "weights": sizes}


def _adapted(model: Any, settings: CheckpointSettings) -> Any:
    if not settings.lora_rank:
        if settings.dtype != "float32":
            raise ConfigError(
                f"pretrained.dtype = {settings.dtype!r}: expected 'float32' if all weights "
                "are trained (pretrained.lora_rank = 0)"
            )
        return model.requires_grad_(True)
    peft = imported("peft", "pretrained.lora_rank")
    targets = [name.strip() for name in settings.lora_targets.split(",") if name.strip()]
    with quietly():
        try:
            return peft.get_peft_model(
                model,
                peft.LoraConfig(
                    r=settings.lora_rank,
                    lora_alpha=settings.lora_alpha,
                    lora_dropout=settings.lora_dropout,
                    target_modules=targets,
                    task_type="SEQ_2_SEQ_LM" if model.config.is_encoder_decoder else "CAUSAL_LM",
                ),
            )
        except ValueError as error:
            raise ConfigError(
                f"pretrained.lora_targets = {settings.lora_targets!r}: {first_line(error)}"
            ) from None


def _first_id(config: Any, key: str, what: str) -> int:
    value = getattr(config, key, None)
    value = value[0] if isinstance(value, list) and value else value
    if type(value) is not int:
        raise ModelError(f"its config.json has no {key}, the {what}")
    if not 0 <= value < getattr(config, "vocab_size", LARGEST):
        raise ModelError(f"its config.json has {key} = {shown(value)}, which is no word")
    return value


def _cut(row: list[int], padding: int) -> list[int]:
    """The row without the padding at its end."""
    while row and row[-1] == padding:
        row = row[:-1]
    return row
