"""Hugging Face's libraries, imported on demand and used offline."""

from __future__ import annotations

import contextlib
import importlib
import json
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from amparser.errors import ConfigError, ModelError, shown
from amparser.limits import MOST_LAYERS
from amparser.resources import library

TOKENIZER_FILES = (
    "tokenizer.json",
    "vocab.txt",
    "vocab.json",
    "spiece.model",
    "sentencepiece.bpe.model",
    "tokenizer.model",
)
_LONGEST = 300
_LOCAL = {"local_files_only": True, "trust_remote_code": False}
# Options that would load code. Options that begin with an underscore are removed for the same
# reason: `_attn_implementation` can name a kernel on a hub.
_NEVER_KEPT = ("auto_map", "attn_implementation", "quantization_config")


def imported(name: str, setting: str) -> Any:
    """Import a library of the extra `pretrained` that a setting needs; see `library`."""
    return library(name, setting, "pretrained")


@contextlib.contextmanager
def offline() -> Iterator[None]:
    """Forbid downloads and ignore warnings inside the block; then restore random generators.

    The configuration of a checkpoint could otherwise cause downloads of further files.
    """
    hub: Any = importlib.import_module("huggingface_hub.constants")
    before, hub.HF_HUB_OFFLINE = hub.HF_HUB_OFFLINE, True
    try:
        with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        hub.HF_HUB_OFFLINE = before


def checkpoint_folder(path: str, setting: str) -> Path:
    """Return the folder of a checkpoint that a setting names; nothing is downloaded.

    Raises ConfigError if the setting is empty, or the folder is missing or incomplete.
    """
    if not path:
        raise ConfigError(f"{setting} is empty: name a folder with a checkpoint")
    where = f"{setting} = {path[:_LONGEST]!r}"
    folder = Path(path)
    try:
        folder = folder.expanduser()
        is_folder = folder.is_dir()
    except (OSError, ValueError, RuntimeError):  # not a valid file name, or no home folder
        is_folder = False
    if not is_folder:
        raise ConfigError(
            f"{where}: no such folder; download a checkpoint first, for example with "
            "`hf download NAME --local-dir DIR`"
        )
    if not (folder / "config.json").is_file():
        raise ConfigError(f"{where}: config.json is missing")
    if not any((folder / name).is_file() for name in TOKENIZER_FILES):
        expected = ", ".join(TOKENIZER_FILES)
        raise ConfigError(f"{where}: the tokenizer is missing, expected one of {expected}")
    return folder


def fast_tokenizer(tokenizer: Any, model: Any, where: str) -> Any:
    """Return the `tokenizers` tokenizer of a transformers tokenizer, without truncation or padding.

    Raises ConfigError if there is none, or it has more subwords than the model.
    """
    fast = getattr(tokenizer, "backend_tokenizer", None)
    if fast is None:
        raise ConfigError(f"{where}: its tokenizer has no fast version")
    if fast.get_vocab_size() > model.get_input_embeddings().num_embeddings:
        raise ConfigError(f"{where}: tokenizer and weights do not belong together")
    fast.no_truncation()
    fast.no_padding()
    return fast


def read_checkpoint(
    path: str,
    class_name: str,
    what: str,
    setting: str,
    *,
    dtype: torch.dtype = torch.float32,
    change: Callable[[Any], None] = lambda config: None,
    fresh: Collection[str] = (),
    **splitting: bool,
) -> tuple[Any, Any]:
    """Return the model and the tokenizer of a checkpoint.

    Args:
        path: folder of the checkpoint.
        class_name: class of transformers that loads the model.
        what: kind of checkpoint, for messages.
        setting: setting that names the folder.
        dtype: type of the weights.
        change: function that changes the configuration before the weights are loaded.
        fresh: name prefixes of weights that may be missing.
        splitting: options of the tokenizer.

    Raises:
        ConfigError: the checkpoint cannot be read, or some weights are missing.
    """
    library = imported("transformers", setting)
    folder = checkpoint_folder(path, setting)
    where = f"{setting} = {path!r}"
    with offline():
        try:
            config = library.AutoConfig.from_pretrained(folder, **_LOCAL)
            change(config)
            fast = library.AutoTokenizer.from_pretrained(folder, **splitting, **_LOCAL)
            model, loaded = getattr(library, class_name).from_pretrained(
                folder,
                config=config,
                use_safetensors=True,
                dtype=dtype,
                output_loading_info=True,
                **_LOCAL,
            )
        except Exception as error:  # transformers does not document its errors
            raise ConfigError(f"{where}: cannot be read as {what}: {first_line(error)}") from None
    missing = [k for k in sorted(loaded["missing_keys"]) if not set(k.split(".")) & set(fresh)]
    if missing:
        raise ConfigError(f"{where}: weights are missing, for example {missing[0]!r}")
    return model, fast_tokenizer(fast, model, where)


def encoder_of(model: Any) -> Any:
    """Return the encoder of a model, which may also have a decoder."""
    return model.get_encoder() if model.config.is_encoder_decoder else model


def checkpoint_to_dict(config: Any, tokenizer: Any) -> dict[str, Any]:
    """Return configuration and fast tokenizer as JSON values."""
    return {"config": _harmless(config.to_dict()), "tokenizer": json.loads(tokenizer.to_str())}


def _harmless(value: Any) -> Any:
    """Remove from a configuration all options that would load code."""
    if isinstance(value, Mapping):
        return {
            key: _harmless(item)
            for key, item in value.items()
            if not str(key).startswith("_") and key not in _NEVER_KEPT
        }
    return [_harmless(item) for item in value] if isinstance(value, list) else value


def checkpoint_from_dict(value: object, class_name: str, setting: str, dtype: Any) -> Any:
    """Return the model (untrained) and the tokenizer that `checkpoint_to_dict` describes.

    Raises:
        ModelError: the value was not written by `checkpoint_to_dict`.
        ConfigError: transformers is not installed.
    """
    if not isinstance(value, Mapping) or not all(
        isinstance(value.get(key), dict) for key in ("config", "tokenizer")
    ):
        raise ModelError("the configuration of the pretrained model is missing")
    config = _harmless(value["config"])
    for key, item in config.items():
        if "layer" in str(key) and type(item) is int and item > MOST_LAYERS:
            reason = f"pretrained.config.{key} = {shown(item)}: expected at most {MOST_LAYERS}"
            raise ModelError(reason)
    library = imported("transformers", setting)
    tokenizers = imported("tokenizers", setting)
    with offline():
        try:
            model = getattr(library, class_name).from_config(
                library.AutoConfig.for_model(**config), trust_remote_code=False, dtype=dtype
            )
            tokenizer = tokenizers.Tokenizer.from_str(json.dumps(value["tokenizer"]))
            largest = max(tokenizer.get_vocab().values(), default=0)
            if largest >= model.get_input_embeddings().num_embeddings:
                raise ValueError(f"its tokenizer has the id {largest}, which has no embedding")
            tokenizer.no_truncation()
            tokenizer.no_padding()
            return model, tokenizer
        except Exception as error:  # transformers does not document its errors
            raise ModelError(f"the pretrained model cannot be built: {first_line(error)}") from None


TRIAL = ("a", "\u2603xq")
"""A word that most tokenizers know, and a word that none knows."""


def tried(work: Callable[[], object], where: object) -> None:
    """Run a loaded pretrained model once, to detect a damaged model folder.

    Raises ModelError if `work` fails.
    """
    try:
        with torch.no_grad():
            work()
    except Exception as error:  # the libraries raise many kinds of errors
        reason = first_line(error)
        raise ModelError(f"{where}: content.pretrained does not work: {reason}") from None


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, with at most 300 characters."""
    lines = str(error).strip().splitlines()
    return lines[0][:_LONGEST] if lines else type(error).__name__
