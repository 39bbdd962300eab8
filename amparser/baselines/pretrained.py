"""T5 and LLaMA from Hugging Face's transformers, fine-tuned to write target texts.

LLaMA continues a prompt with the target; only the target's tokens contribute to the loss. A model
folder contains the configuration, the tokenizer (`pretrained`) and all weights. With LoRA (Hu et
al. 2021), it contains only the adapters' weights and the checkpoint's fingerprint (`base`). Code in
a checkpoint is never loaded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from amparser.baselines.checkpoints import SETTING, fingerprint
from amparser.baselines.settings import CheckpointSettings, FinetuneSettings, SearchSettings
from amparser.baselines.system import Pair, trained_tensors
from amparser.baselines.text import Output, TextPredictor, TextSystem, in_style, notation_of_head
from amparser.baselines.vocabulary import masked, padded
from amparser.errors import ConfigError, ModelError, shown
from amparser.learn.model_folder import MODEL, Head, load_tensors
from amparser.limits import LARGEST_NUMBER
from amparser.nn.heads.head import IGNORED
from amparser.nn.transformers_library import (
    TRIAL,
    checkpoint_from_dict,
    checkpoint_to_dict,
    first_line,
    imported,
    offline,
    read_checkpoint,
    tried,
)
from amparser.notations.notation import Notation

Kind: TypeAlias = Literal["t5", "llama"]
_CLASSES = {"t5": "AutoModelForSeq2SeqLM", "llama": "AutoModelForCausalLM"}


class PretrainedSeq2Seq(TextPredictor):
    """Pretrained model with its tokenizer and optional LoRA adapters."""

    def __init__(
        self,
        system: Kind,
        settings: CheckpointSettings,
        notation: Notation,
        model: Any,
        tokenizer: Any,
    ) -> None:
        self.model = _adapted(model, settings)
        config = self.model.config
        super().__init__(self.model, int(config.hidden_size))
        self.system, self.settings, self.notation = system, settings, notation
        self.tokenizer = tokenizer
        self.end = _first_id(config, "eos_token_id")
        self.begin = _first_id(
            config, "decoder_start_token_id" if system == "t5" else "bos_token_id"
        )
        padding = getattr(config, "pad_token_id", None)
        self.padding = self.end if padding is None else int(padding)

    def source_ids(self, tokens: Sequence[str]) -> list[int]:
        """Return the token ids of a sentence's prompt, with END (T5) or BEGIN (LLaMA)."""
        ids = self._ids(self.settings.prompt.replace("{input}", " ".join(tokens)))
        return [*ids, self.end] if self.system == "t5" else [self.begin, *ids]

    def target_ids(self, target: str) -> list[int]:
        """Return a target's ids without END; raise ConfigError if decoding changes the target."""
        ids = self._ids(target)
        if (again := self.text(ids)) != target:
            raise ConfigError(
                f"{SETTING}: its tokenizer cannot write the target {target!r}: "
                f"it comes back as {again!r}"
            )
        return ids

    def text(self, ids: Sequence[int]) -> str:
        """Decode ids to a text, without special tokens."""
        text: str = self.tokenizer.decode(list(ids), skip_special_tokens=True)
        return " ".join(text.split())

    def row(self, pair: Pair) -> tuple[list[int], list[int]]:
        """Return the ids of the sentence and of the target."""
        return self.source_ids(pair.tokens), self.target_ids(pair.target)

    def logits(self, rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
        """See the base class."""
        if self.system == "t5":
            gold = [[*written, self.end] for _, written in rows]
            target = padded([[self.begin, *written] for _, written in rows], self.padding)
            inputs = masked([read for read, _ in rows], self.padding, self.device)
            inputs["decoder_input_ids"] = target.to(self.device)
        else:
            gold = [[*[IGNORED] * (len(read) - 1), *written, self.end] for read, written in rows]
            inputs = masked(
                [[*read, *written] for read, written in rows], self.padding, self.device
            )
        output = self.model(**inputs, use_cache=False)
        return output.logits, padded(gold, IGNORED).to(self.device)

    @torch.no_grad()
    def write(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Output]:
        """See the base class. Beam search ranks by log probability, without a length penalty."""
        self.model.eval()
        read = [self.source_ids(tokens) for tokens in sentences]
        left = self.system == "llama"
        inputs = masked(read, self.padding, self.device, left=left)
        library = imported("transformers", SETTING)
        with offline():
            plan = library.GenerationConfig(
                do_sample=False,
                num_beams=search.beam_size,
                max_new_tokens=search.max_length + 1,
                eos_token_id=self.end,
                pad_token_id=self.padding,
                bos_token_id=self.begin if left else None,
                decoder_start_token_id=None if left else self.begin,
                **({"length_penalty": 0.0} if search.beam_size > 1 else {}),
            )
            generated = self.model.generate(**inputs, generation_config=plan)
        first = inputs["input_ids"].shape[1] if left else 1
        outputs = [row[first:] for row in generated.tolist()]
        ended = [self.end in row for row in outputs]
        written = [
            row[: row.index(self.end) if end else search.max_length]
            for row, end in zip(outputs, ended, strict=True)
        ]
        logps = self._logps(list(zip(read, written, strict=True)), ended)
        join, split = self.notation.join, self.notation.split
        return [
            Output(join(split(self.text(row))), logp, end)
            for row, logp, end in zip(written, logps, ended, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return configuration and tokenizer, or, with adapters, the checkpoint's fingerprint."""
        if self.settings.lora_rank:
            return {"base": fingerprint(self.settings.path)}
        return {"pretrained": checkpoint_to_dict(self.model.config, self.tokenizer)}

    def check(self, where: object) -> None:
        """See the base class."""
        tried(lambda: self.write([TRIAL], SearchSettings(max_length=2)), where)

    def _logps(
        self, rows: Sequence[tuple[list[int], list[int]]], ended: Sequence[bool]
    ) -> list[float]:
        """Return the log probability of each output, with END unless the output was truncated."""
        logits, gold = self.logits(rows)
        for row, end in enumerate(ended):
            if not end:  # a truncated output has no END
                gold[row, (gold[row] != IGNORED).nonzero()[-1]] = IGNORED
        losses = cross_entropy(
            logits.float().transpose(1, 2), gold, ignore_index=IGNORED, reduction="none"
        )
        sums: list[float] = (-losses.sum(1)).tolist()
        return sums

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def read_pretrained(
    system: Kind, settings: CheckpointSettings, notation: Notation
) -> PretrainedSeq2Seq:
    """Return the pretrained model that the settings name, with untrained adapters (if any)."""
    if settings.path and "{input}" not in settings.prompt:
        raise ConfigError(f"pretrained.prompt = {settings.prompt!r}: expected {{input}} in it")
    dtype = getattr(torch, settings.dtype)
    checkpoint = read_checkpoint(settings.path, _CLASSES[system], system, SETTING, dtype=dtype)
    return PretrainedSeq2Seq(system, settings, notation, *checkpoint)


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
    with offline():
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


def _first_id(config: Any, key: str) -> int:
    value = getattr(config, key, None)
    value = value[0] if isinstance(value, list) and value else value
    if type(value) is not int:
        raise ModelError(f"{SETTING}: its config.json has no {key}")
    if not 0 <= value < getattr(config, "vocab_size", LARGEST_NUMBER):
        raise ModelError(f"{SETTING}: its config.json has {key} = {shown(value)}, not a token id")
    return value


class FinetunedSystem(TextSystem):
    """System that fine-tunes a checkpoint of Hugging Face's transformers."""

    name: Kind

    def prefix(self, settings: FinetuneSettings) -> object:
        """Return the fingerprint of the checkpoint."""
        return fingerprint(settings.pretrained.path)

    def fresh(self, settings: FinetuneSettings, pairs: Sequence[Pair]) -> PretrainedSeq2Seq:
        """See the base class. The predictor has the pretrained weights."""
        notation = in_style(settings.data.notation, pairs)
        return read_pretrained(self.name, settings.pretrained, notation)

    def rebuilt(self, settings: FinetuneSettings, head: Head) -> PretrainedSeq2Seq:
        """See the base class."""
        chosen, notation = settings.pretrained, notation_of_head(head)
        if not chosen.lora_rank:
            name, dtype = _CLASSES[self.name], getattr(torch, chosen.dtype)
            checkpoint = checkpoint_from_dict(head.content.get("pretrained"), name, SETTING, dtype)
            return PretrainedSeq2Seq(self.name, chosen, notation, *checkpoint)
        predictor = read_pretrained(self.name, chosen, notation)
        if head.content.get("base") != fingerprint(chosen.path):
            raise ModelError(
                f"settings.{SETTING} = {chosen.path!r} is not the checkpoint that training "
                "started from"
            )
        return predictor

    def loaded(
        self, settings: FinetuneSettings, head: Head, weights: Mapping[str, Tensor], folder: Path
    ) -> Any:
        """See the base class. With adapters, the other weights are read from the checkpoint."""
        if not settings.pretrained.lora_rank:
            return super().loaded(settings, head, weights, folder)
        with torch.random.fork_rng(devices=[]):
            predictor = self.rebuilt(settings, head)
        load_tensors(trained_tensors(predictor), weights, folder / f"{MODEL}.safetensors")
        return predictor


T5 = FinetunedSystem("t5", "T5, fine-tuned", FinetuneSettings())
LLAMA = FinetunedSystem(
    "llama", "LLaMA, fine-tuned; with LoRA if pretrained.lora_rank is not 0", FinetuneSettings()
)
