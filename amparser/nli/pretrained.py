"""BERT and its like from Hugging Face's transformers, with a head for pairs of sentences.

Premise and hypothesis are read as one text, as the tokenizer joins pairs: for BERT
`[CLS] premise [SEP] hypothesis [SEP]` (Devlin et al. 2019, section 4.1). Nothing of the
library is imported before a model is asked for; weights are read from safetensors alone and
code from nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from amparser.errors import ConfigError, InputError, ModelError
from amparser.nli.classifier import LABELS, PairClassifier, Row
from amparser.nli.settings import ClassifierCheckpoint
from amparser.nn.transformers_library import (
    NEVER_KEPT,
    TOKENIZER_FILES,
    first_line,
    imported,
    quietly,
)

_SETTING = "pretrained.path"
_CLASS = "AutoModelForSequenceClassification"
_DROPOUTS = (
    "hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout", "dropout",
    "attention_dropout", "activation_dropout", "seq_classif_dropout", "embd_pdrop",
    "attn_pdrop", "resid_pdrop", "pooler_dropout", "hidden_dropout",
)  # fmt: skip
# What a checkpoint need not have: the head, and BERT's layer between states and head.
_FRESH = ("classifier", "score", "pooler", "pre_classifier", "classification_head")


class PretrainedClassifier(PairClassifier):
    """A pretrained model with its tokenizer and a head of two labels.

    Args:
        model: of transformers.
        tokenizer: of the library `tokenizers`.
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
        """As the base class says."""
        return cast("nn.Module", self.model)

    @property
    def size(self) -> int:
        """As the base class says."""
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
        """Tokens of the tokenizer."""
        return len(row[0]), 0

    def logits(self, rows: Sequence[Row]) -> Tensor:
        """As the base class says."""
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
        """None: the tokenizer cuts words into pieces that it knows."""
        return []

    def to_dict(self) -> dict[str, Any]:
        """Configuration and tokenizer as JSON values, all but the weights."""
        config = {
            key: value
            for key, value in self.model.config.to_dict().items()
            if not key.startswith("_") and key not in NEVER_KEPT
        }
        return {"pretrained": {"config": config, "tokenizer": json.loads(self.tokenizer.to_str())}}


def read_classifier(settings: ClassifierCheckpoint) -> PretrainedClassifier:
    """The pretrained model that the settings name, with a fresh head.

    Raises:
        ConfigError: naming the setting and what is missing; or the command that installs
            what is needed.
    """
    library = imported("transformers", _SETTING)
    if not settings.path:
        raise ConfigError(f"{_SETTING} is empty: name a folder or a model of the hub")
    where = f"{_SETTING} = {settings.path!r}"
    folder = Path(settings.path).expanduser()
    local = folder.exists() or settings.path.startswith((".", "/", "~"))
    if local:
        if not folder.is_dir():
            raise ConfigError(f"{where}: no such folder")
        if not (folder / "config.json").is_file():
            raise ConfigError(f"{where}: no config.json there")
        if not any((folder / name).is_file() for name in TOKENIZER_FILES):
            expected = ", ".join(TOKENIZER_FILES)
            raise ConfigError(f"{where}: no tokenizer there, expected one of {expected}")
    name = folder if local else settings.path
    options = {"local_files_only": local, "trust_remote_code": False}
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
        except Exception as error:  # what transformers raises is not said anywhere
            reason = first_line(error)
            raise ConfigError(f"{where}: cannot be read as a classifier: {reason}") from None
    tokenizer = getattr(fast, "backend_tokenizer", None)
    if tokenizer is None:
        raise ConfigError(f"{where}: its tokenizer has no fast version")
    missing = [
        key for key in sorted(loaded["missing_keys"]) if not set(key.split(".")) & set(_FRESH)
    ]
    if missing:
        raise ConfigError(f"{where}: weights are missing, such as {missing[0]!r}")
    if tokenizer.get_vocab_size() > model.get_input_embeddings().num_embeddings:
        raise ConfigError(f"{where}: tokenizer and weights do not belong together")
    try:
        return PretrainedClassifier(model.requires_grad_(True), tokenizer)
    except ModelError as error:
        raise ConfigError(f"{where}: {error}") from None


def classifier_from_dict(value: object) -> PretrainedClassifier:
    """A model with fresh weights from what `PretrainedClassifier.to_dict` wrote.

    Raises:
        ModelError: the value is not what that wrote.
        ConfigError: transformers is not installed.
    """
    if not isinstance(value, Mapping) or not all(
        isinstance(value.get(key), dict) for key in ("config", "tokenizer")
    ):
        raise ModelError("the configuration of the pretrained model is missing")
    config = {key: v for key, v in value["config"].items() if key not in NEVER_KEPT}
    library = imported("transformers", _SETTING)
    tokenizers = imported("tokenizers", _SETTING)
    with quietly():
        try:
            model = getattr(library, _CLASS).from_config(
                library.AutoConfig.for_model(**config),
                trust_remote_code=False,
                dtype=torch.float32,
            )
            tokenizer = tokenizers.Tokenizer.from_str(json.dumps(value["tokenizer"]))
        except Exception as error:  # as above
            raise ModelError(f"the pretrained model cannot be built: {first_line(error)}") from None
    return PretrainedClassifier(model.requires_grad_(True), tokenizer)
