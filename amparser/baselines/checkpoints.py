"""Checkpoints of Hugging Face's transformers that the setting `pretrained.path` names."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import torch

from amparser.errors import ConfigError
from amparser.nn.transformers_library import (
    checkpoint_source,
    fast_tokenizer,
    first_line,
    imported,
    quietly,
)

SETTING = "pretrained.path"


def read_checkpoint(
    path: str,
    class_name: str,
    what: str,
    *,
    dtype: torch.dtype = torch.float32,
    change: Callable[[Any], None] = lambda config: None,
    fresh: Collection[str] = (),
) -> tuple[Any, Any]:
    """Return the model and the tokenizer of a checkpoint.

    Args:
        path: folder of the checkpoint.
        class_name: class of transformers that loads the model.
        what: kind of checkpoint, for messages.
        dtype: type of the weights.
        change: modifies the configuration before loading.
        fresh: names of parts whose weights may be missing.

    Raises:
        ConfigError: the checkpoint cannot be read, or lacks weights.
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
        raise ConfigError(f"{where}: weights are missing, for example {missing[0]!r}")
    return model, fast_tokenizer(fast, model, where)


def fingerprint(path: str) -> dict[str, Any]:
    """Return the checksum of a checkpoint's configuration and the sizes of its weight files.

    The result is empty if the checkpoint does not exist.
    """
    folder = Path(path).expanduser()
    if not path or not (folder / "config.json").is_file():
        return {}
    config = (folder / "config.json").read_bytes()
    sizes = {file.name: file.stat().st_size for file in sorted(folder.glob("*.safetensors"))}
    return {"config_sha256": hashlib.sha256(config).hexdigest(), "weights": sizes}
