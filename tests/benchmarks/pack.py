"""Make a model folder half as large: `python tests/benchmarks/pack.py RUN amparser/models/NAME`.

The weights are kept in half precision; a model computes in single precision.
"""

import sys
from pathlib import Path

import torch

from amparser.learn.model_folder import (
    CHECKSUMS,
    MODEL,
    prepare_model_folder,
    read_pair,
    write_pair,
)


def pack(source: Path, target: Path) -> None:
    """Write the model of a folder to another one, its weights in half precision."""
    content, tensors = read_pair(source, MODEL)
    half = {k: t.half() if t.dtype == torch.float32 else t for k, t in tensors.items()}
    prepare_model_folder(target)
    of_weights = (CHECKSUMS, "weights_sha256")
    kept = {key: value for key, value in content.items() if key not in of_weights}
    write_pair(target, MODEL, kept, half)


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
