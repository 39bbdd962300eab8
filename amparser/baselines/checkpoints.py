"""Checkpoints of Hugging Face's transformers that the setting `pretrained.path` names."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

SETTING = "pretrained.path"


def fingerprint(path: str) -> dict[str, Any]:
    """Return the checksum of a checkpoint's configuration, and the sizes of its weight files.

    The result is empty if the checkpoint does not exist.
    """
    folder = Path(path).expanduser()
    if not path or not (folder / "config.json").is_file():
        return {}
    config = (folder / "config.json").read_bytes()
    sizes = {file.name: file.stat().st_size for file in sorted(folder.glob("*.safetensors"))}
    return {"config_sha256": hashlib.sha256(config).hexdigest(), "weights": sizes}
