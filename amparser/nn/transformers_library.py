"""Hugging Face's libraries: imported when they are asked for, and kept quiet."""

from __future__ import annotations

import contextlib
import importlib
import warnings
from collections.abc import Iterator
from typing import Any

import torch

from amparser.errors import ConfigError

INSTALL = "pip install 'amparser[pretrained]'"
TOKENIZER_FILES = (
    "tokenizer.json",
    "vocab.txt",
    "vocab.json",
    "spiece.model",
    "sentencepiece.bpe.model",
    "tokenizer.model",
)
# What would have code fetched from elsewhere.
NEVER_KEPT = ("auto_map", "attn_implementation", "quantization_config")


def imported(name: str, setting: str) -> Any:
    """A library of the extra `pretrained`.

    Raises:
        ConfigError: it is not installed; names the setting that needs it, and the command
            that installs it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ConfigError(
            f"{setting} needs {name}, which is not installed ({error.name} is missing): {INSTALL}"
        ) from None


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Keep the library's remarks and progress bars from stderr, and draw no random numbers."""
    with warnings.catch_warnings(), torch.random.fork_rng(devices=[]):
        warnings.simplefilter("ignore")
        logging: Any = None
        with contextlib.suppress(ImportError):
            logging = importlib.import_module("transformers.utils.logging")
        if logging is None:
            yield
            return
        level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
        logging.set_verbosity_error()
        logging.disable_progress_bar()
        try:
            yield
        finally:
            logging.set_verbosity(level)
            if bars:
                logging.enable_progress_bar()


def first_line(error: Exception) -> str:
    """What an error says, cut to one line."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
