"""BERT and its like from Hugging Face's transformers, with a head for pairs of sentences.

Premise and hypothesis are read as one text, joined by the tokenizer: for BERT
`[CLS] premise [SEP] hypothesis [SEP]` (Devlin et al. 2019, section 4.1). The
library is imported only when a model is asked for. Weights are read from safetensors only, and
code is never loaded from a checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import torch
from torch import Tensor, nn

from amparser.benchmarks.monotonicity.classifiers.classifier import LABELS, PairClassifier, Row
from amparser.benchmarks.monotonicity.classifiers.settings import ClassifierCheckpoint
from amparser.errors import ConfigError, InputError, ModelError
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

_SETTING = "pretrained.path"
_CLASS = "AutoModelForSequenceClassification"
_DROPOUTS = (
    "hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout", "dropout",
    "attention_dropout", "activation_dropout", "seq_classif_dropout", "embd_pdrop",
    "attn_pdrop", "resid_pdrop", "pooler_dropout", "hidden_dropout",
)  # fmt: skip
# Parts that a checkpoint need not have: the head, and BERT's layer between states and head.
_FRESH = ("classifier", "score", "pooler", "pre_classifier", "classification_head")


class PretrainedClassifier(PairClassifier):
    """A pretrained model with its tokenizer and a head of two labels.

    Args:
        model: a model of transformers.
        tokenizer: a tokenizer of the library `tokenizers`.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model = model
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer = tokenizer
        padding = getattr(model.config, "pad_token_id", None)
        if type(padding) is not int:
            raise ModelError("its config.json has no pad_token_id")
        self._padding = padding
        positions = getattr(model.config, "max_position_embeddings", None)
        # RoBERTa's positions begin after that of padding.
        after = padding + 1 if "roberta" in str(model.config.model_type) else 0
        self._limit = positions - after if isinstance(positions, int) else None

    @property
    def network(self) -> nn.Module:
        """See the base class."""
        return cast("nn.Module", self.model)

    @property
    def size(self) -> int:
        """See the base class."""
        return int(self.model.config.hidden_size)

    def row(self, premise: Sequence[str], hypothesis: Sequence[str]) -> Row:
        """Ids of both sentences together, and the number of the sentence of each."""
        found = self.tokenizer.encode(" ".join(premise), " ".join(hypothesis))
        if self._limit is not None and len(found.ids) > self._limit:
            raise InputError(
                f"{len(found.ids)} tokens of the tokenizer in premise and hypothesis, "
                f"expected at most {self._limit}"
            )
        return tuple(found.ids), tuple(found.type_ids)

    def lengths(self, row: Row) -> tuple[int, int]:
        """The number of the tokenizer's tokens."""
        return len(row[0]), 0

    def logits(self, rows: Sequence[Row]) -> Tensor:
        """See the base class."""
        width = max(len(ids) for ids, _ in rows)
        ids = torch.full((len(rows), width), self._padding)
        types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
        for i, (row, kinds) in enumerate(rows):
            ids[i, : len(row)] = torch.tensor(row)
            types[i, : len(row)] = torch.tensor(kinds)
            mask[i, : len(row)] = 1
        device = self.device
        inputs = {"input_ids": ids.to(device), "attention_mask": mask.to(device)}
        if getattr(self.model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = types.to(device)
        return cast("Tensor", self.model(**inputs).logits)

    def unknown(self, tokens: Sequence[str]) -> list[str]:
        """None, since the tokenizer cuts words into known pieces."""
        return []

    def check(self, where: object) -> None:
        """See the base class."""
        tried(lambda: self.logits([self.row(TRIAL, TRIAL)]), where)

    def to_dict(self) -> dict[str, Any]:
        """Configuration and tokenizer as JSON values, without the weights."""
        return {"pretrained": checkpoint_to_dict(self.model.config, self.tokenizer)}


def read_classifier(settings: ClassifierCheckpoint) -> PretrainedClassifier:
    """The pretrained model that the settings name, with a fresh head.

    Raises:
        ConfigError: the checkpoint is missing or unsuitable (the message names the setting), or
            a library is not installed (the message has the command that installs it).
    """
    library = imported("transformers", _SETTING)
    name, options = checkpoint_source(settings.path, _SETTING)
    where = f"{_SETTING} = {settings.path!r}"
    with quietly():
        try:
            config = library.AutoConfig.from_pretrained(name, **options)
            for key in _DROPOUTS:
                if isinstance(getattr(config, key, None), float | int):
                    setattr(config, key, settings.dropout)
            config.id2label = dict(enumerate(LABELS))
            config.label2id = {label: i for i, label in enumerate(LABELS)}
            fast = library.AutoTokenizer.from_pretrained(name, **options)
            model, loaded = getattr(library, _CLASS).from_pretrained(
                name,
                config=config,
                use_safetensors=True,
                dtype=torch.float32,
                output_loading_info=True,
                **options,
            )
        except Exception as error:  # transformers does not document its errors
            reason = first_line(error)
            raise ConfigError(f"{where}: cannot be read as a classifier: {reason}") from None
    missing = [
        key for key in sorted(loaded["missing_keys"]) if not set(key.split(".")) & set(_FRESH)
    ]
    if missing:
        raise ConfigError(f"{where}: weights are missing, such as {missing[0]!r}")
    tokenizer = fast_tokenizer(fast, model, where)
    try:
        return PretrainedClassifier(model.requires_grad_(True), tokenizer)
    except ModelError as error:
        raise ConfigError(f"{where}: {error}") from None


def classifier_from_dict(value: object) -> PretrainedClassifier:
    """A model with fresh weights from what `PretrainedClassifier.to_dict` wrote.

    Raises:
        ModelError: the value was not written by `to_dict`.
        ConfigError: transformers is not installed.
    """
    model, tokenizer = checkpoint_from_dict(value, _CLASS, _SETTING, torch.float32)
    return PretrainedClassifier(model.requires_grad_(True), tokenizer)
