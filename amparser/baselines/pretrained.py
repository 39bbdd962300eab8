"""T5 and LLaMA of Hugging Face's transformers, fine-tuned to write a text for a sentence.

T5 reads the prompt and writes the target; LLaMA reads the prompt and continues with the target,
whose tokens alone are learned. With LoRA (Hu et al. 2021, library peft) the weights are frozen, and
small adapters beside them are trained. A model folder holds configuration and tokenizer
(`pretrained`) and all weights; with LoRA those of the adapters, and what identifies the checkpoint
below them (`base`), which is needed at `pretrained.path`. Weights are read from safetensors only,
and code is never loaded from a checkpoint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from amparser.baselines.settings import CheckpointSettings, FinetuneSettings, SearchSettings
from amparser.baselines.system import Pair, PredictorType
from amparser.baselines.text import Output, TextPredictor, TextSystem, in_style
from amparser.baselines.vocabulary import padded
from amparser.errors import ConfigError, ModelError
from amparser.learn.model_folder import (
    MODEL,
    Head,
    load_tensors,
    trained_parameters,
)
from amparser.limits import LARGEST_NUMBER
from amparser.nn.heads.head import IGNORED
from amparser.nn.transformers_library import (
    TRIAL,
    checkpoint_from_dict,
    checkpoint_source,
    checkpoint_to_dict,
    fast_tokenizer,
    first_line,
    imported,
    quietly,
    tried,
)
from amparser.notations.notation import Notation
from amparser.notations.registry import NOTATIONS
from amparser.schema import shown

Kind: TypeAlias = Literal["t5", "llama"]
"""`t5` has an encoder and a decoder; `llama` continues what it reads."""

SETTING = "pretrained.path"
_CLASSES = {"t5": "AutoModelForSeq2SeqLM", "llama": "AutoModelForCausalLM"}


class PretrainedSeq2Seq(TextPredictor):
    """A pretrained model with its tokenizer.

    Args:
        settings: the prompt, with `{input}` for the sentence; and adapters, if there are any.
    """

    def __init__(
        self,
        system: Kind,
        settings: CheckpointSettings,
        notation: Notation,
        model: Any,
        tokenizer: Any,
    ) -> None:
        model = _adapted(model, settings)
        super().__init__(model, int(model.config.hidden_size))
        self.system = system
        self.model = model
        self.settings = settings
        self.notation = notation
        self.tokenizer = tokenizer
        config = model.config
        self.end = _first_id(config, "eos_token_id", "end of a text")
        if system == "t5":
            self.begin = _first_id(config, "decoder_start_token_id", "start of an output")
        else:
            self.begin = _first_id(config, "bos_token_id", "start of a text")
        padding = getattr(config, "pad_token_id", None)
        self.padding = self.end if padding is None else int(padding)

    def source_ids(self, tokens: Sequence[str]) -> list[int]:
        """The input for a sentence: the prompt's ids, with END or BEGIN."""
        found = self._ids(self.settings.prompt.replace("{input}", " ".join(tokens)))
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

    def row(self, pair: Pair) -> tuple[list[int], list[int]]:
        """The ids of both sides."""
        return self.source_ids(pair.tokens), self.target_ids(pair.target)

    def logits(self, rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
        """See the base class."""
        if self.system == "t5":
            gold = [[*written, self.end] for _, written in rows]
            target = padded([[self.begin, *written] for _, written in rows], self.padding)
            inputs = self._inputs([read for read, _ in rows])
            inputs["decoder_input_ids"] = target.to(self.device)
        else:
            gold = [[*[IGNORED] * (len(read) - 1), *written, self.end] for read, written in rows]
            inputs = self._inputs([[*read, *written] for read, written in rows])
        found = self.model(**inputs, use_cache=False)
        return found.logits, padded(gold, IGNORED).to(self.device)

    @torch.no_grad()
    def write(self, sentences: Sequence[Sequence[str]], search: SearchSettings) -> list[Output]:
        """See the base class; beam search compares log-probabilities."""
        self.model.eval()
        read = [self.source_ids(tokens) for tokens in sentences]
        left = self.system == "llama"
        inputs = self._inputs(read, left=left)
        library = imported("transformers", SETTING)
        with quietly():
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
            found = self.model.generate(**inputs, generation_config=plan)
        first = inputs["input_ids"].shape[1] if left else 1
        outputs = [row[first:] for row in found.tolist()]
        ended = [self.end in row for row in outputs]
        written = [
            row[: row.index(self.end)] if end else _cut(row[: search.max_length], self.padding)
            for row, end in zip(outputs, ended, strict=True)
        ]
        logps = self._logps(list(zip(read, written, strict=True)), ended)
        join, split = self.notation.join, self.notation.split
        return [
            Output(join(split(self.text(row))), logp, end)
            for row, logp, end in zip(written, logps, ended, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Configuration and tokenizer without weights, or what identifies what adapters need."""
        if self.settings.lora_rank:
            return {"base": fingerprint(self.settings.path)}
        return {"pretrained": checkpoint_to_dict(self.model.config, self.tokenizer)}

    def check(self, where: object) -> None:
        """See the base class."""
        tried(lambda: self.write([TRIAL], SearchSettings(max_length=2)), where)

    def _logps(
        self, rows: Sequence[tuple[list[int], list[int]]], ended: Sequence[bool]
    ) -> list[float]:
        logits, gold = self.logits(rows)
        for row, end in enumerate(ended):
            if not end:  # its END was not written
                gold[row, (gold[row] != IGNORED).nonzero()[-1]] = IGNORED
        losses = cross_entropy(
            logits.float().transpose(1, 2), gold, ignore_index=IGNORED, reduction="none"
        )
        sums: list[float] = (-losses.sum(1)).tolist()
        return sums

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _inputs(self, rows: Sequence[Sequence[int]], *, left: bool = False) -> dict[str, Tensor]:
        return masked(rows, self.padding, self.device, left=left)


def masked(
    rows: Sequence[Sequence[int]], padding: int, device: torch.device, *, left: bool = False
) -> dict[str, Tensor]:
    """`[B, n]` ids, and a mask that is 0 on padding and 1 elsewhere."""
    ids = padded(rows, padding, left=left)
    mask = padded([[1] * len(row) for row in rows], 0, left=left)
    return {"input_ids": ids.to(device), "attention_mask": mask.to(device)}


def read_checkpoint(
    path: str,
    class_name: str,
    what: str,
    make: Callable[[Any, Any], PredictorType],
    *,
    dtype: torch.dtype = torch.float32,
    change: Callable[[Any], None] = lambda config: None,
    fresh: Collection[str] = (),
) -> PredictorType:
    """What is made of the model of a checkpoint and its tokenizer.

    Args:
        what: what that is, for messages.
        make: makes a predictor; raises ModelError if the model is unsuitable.
        fresh: names of parts that the checkpoint need not have.

    Raises:
        ConfigError: the checkpoint is missing or unsuitable (the message names the setting), or
            a library is not installed (the message has the command that installs it).
    """
    library = imported("transformers", SETTING)
    folder, options = checkpoint_source(path, SETTING)
    where = f"{SETTING} = {path!r}"
    with quietly():
        try:
            config = library.AutoConfig.from_pretrained(folder, **options)
            change(config)
            fast = library.AutoTokenizer.from_pretrained(folder, **options)
            model, loaded = getattr(library, class_name).from_pretrained(
                folder,
                config=config,
                use_safetensors=True,
                dtype=dtype,
                output_loading_info=True,
                **options,
            )
        except Exception as error:  # transformers does not document its errors
            raise ConfigError(f"{where}: cannot be read as {what}: {first_line(error)}") from None
    missing = [k for k in sorted(loaded["missing_keys"]) if not set(k.split(".")) & set(fresh)]
    if missing:
        raise ConfigError(f"{where}: weights are missing, such as {missing[0]!r}")
    tokenizer = fast_tokenizer(fast, model, where)
    try:
        return make(model, tokenizer)
    except ModelError as error:
        raise ConfigError(f"{where}: {error}") from None


def read_pretrained(
    system: Kind, settings: CheckpointSettings, notation: Notation
) -> PretrainedSeq2Seq:
    """The pretrained model that the settings name, with fresh adapters if they ask for them.

    Raises:
        ConfigError: see `read_checkpoint`; or the settings do not fit.
    """
    if settings.path and "{input}" not in settings.prompt:
        raise ConfigError(f"pretrained.prompt = {settings.prompt!r}: expected {{input}} in it")
    return read_checkpoint(
        settings.path,
        _CLASSES[system],
        system,
        partial(PretrainedSeq2Seq, system, settings, notation),
        dtype=getattr(torch, settings.dtype),
    )


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
    if not 0 <= value < getattr(config, "vocab_size", LARGEST_NUMBER):
        raise ModelError(f"its config.json has {key} = {shown(value)}, which is no word")
    return value


def _cut(row: list[int], padding: int) -> list[int]:
    """The row without the padding at its end."""
    while row and row[-1] == padding:
        row = row[:-1]
    return row


class FinetunedSystem(TextSystem[PretrainedSeq2Seq]):
    """A system that starts from a checkpoint of Hugging Face's transformers."""

    def __init__(self, name: Kind, about: str) -> None:
        super().__init__(name, about)
        self.model_kind = name

    @property
    def settings(self) -> FinetuneSettings:
        """See `System`."""
        return FinetuneSettings()

    def beginning(self, settings: FinetuneSettings) -> object:
        """What identifies the checkpoint."""
        return fingerprint(settings.pretrained.path)

    def fresh(self, settings: FinetuneSettings, pairs: Sequence[Pair]) -> PretrainedSeq2Seq:
        """The checkpoint."""
        notation = in_style(settings.data.notation, pairs)
        return read_pretrained(self.model_kind, settings.pretrained, notation)

    def rebuilt(self, settings: FinetuneSettings, head: Head) -> PretrainedSeq2Seq:
        """See the base class."""
        chosen, notation = settings.pretrained, NOTATIONS[head.notation].styled(head.style)
        if not chosen.lora_rank:
            name, dtype = _CLASSES[self.model_kind], getattr(torch, chosen.dtype)
            found = checkpoint_from_dict(head.content.get("pretrained"), name, SETTING, dtype)
            return PretrainedSeq2Seq(self.model_kind, chosen, notation, *found)
        predictor = read_pretrained(self.model_kind, chosen, notation)
        if head.content.get("base") != fingerprint(chosen.path):
            raise ModelError(
                f"settings.{SETTING} = {chosen.path!r} is not the checkpoint that training "
                "started from"
            )
        return predictor

    def loaded(
        self, settings: FinetuneSettings, head: Head, weights: Mapping[str, Tensor], folder: Path
    ) -> PretrainedSeq2Seq:
        """See the base class; what lies below adapters is read with its own weights."""
        if not settings.pretrained.lora_rank:
            return super().loaded(settings, head, weights, folder)
        with torch.random.fork_rng(devices=[]):
            predictor = self.rebuilt(settings, head)
        parameters = trained_parameters(predictor.network)
        load_tensors(parameters, weights, folder / f"{MODEL}.safetensors")
        return predictor


T5 = FinetunedSystem("t5", "T5, fine-tuned")
LLAMA = FinetunedSystem("llama", "LLaMA, fine-tuned; with LoRA if pretrained.lora_rank is not 0")
