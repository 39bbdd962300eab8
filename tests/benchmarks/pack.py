"""Compress a model folder: `python tests/benchmarks/pack.py RUN amparser/models/NAME`.

Weights are stored in seven bits (`amparser.nn.packed_weights`); the loaded model computes in single
precision.
"""

import sys
from pathlib import Path

from amparser.learn.model_folder import (
    CHECKSUMS,
    MODEL,
    prepare_model_folder,
    read_pair,
    write_pair,
)
from amparser.nn.packed_weights import packed


def pack(source: Path, target: Path) -> None:
    content, tensors = read_pair(source, MODEL)
    prepare_model_folder(target)
    of_weights = (CHECKSUMS, "weights_sha256")
    kept = {key: value for key, value in content.items() if key not in of_weights}
    write_pair(target, MODEL, kept, packed(tensors))


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
