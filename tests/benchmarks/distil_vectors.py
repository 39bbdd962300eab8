"""Write the word vectors of the package (`encoder.vectors=english`): python distil_vectors.py FILE.

The words are those that the tokenizer of MiniLM has whole, which are the frequent ones of English
text; their vectors are those of `encoder.vectors=minilm`, less their mean, reduced to the
directions in which they differ most (principal components), one byte a number.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

from amparser.nn.packaged import MINILM
from amparser.nn.vectors.registry import VECTORS

SIZE = 96


def frequent_words() -> list[str]:
    """The whole words of the tokenizer."""
    told = json.loads((MINILM.path() / "tokenizer.json").read_text(encoding="utf-8"))
    words = told["model"]["vocab"]
    return sorted(word for word in words if word.isalpha() and word.isascii() and len(word) > 1)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--size", type=int, default=SIZE)
    options = parser.parse_args()
    torch.set_num_threads(1)
    words, started = frequent_words(), time.perf_counter()
    vectors = VECTORS["minilm"].vectors(words)
    centred = vectors - vectors.mean(axis=0)
    _, widths, axes = np.linalg.svd(centred, full_matrices=False)
    reduced = centred @ axes[: options.size].T
    kept = (widths[: options.size] ** 2).sum() / (widths**2).sum()
    scale = np.abs(reduced).max() / 127
    tensors = {
        "vectors": np.round(reduced / scale).astype(np.int8),
        "scale": np.array([scale], dtype=np.float32),
        "words": np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
    }
    save_file(tensors, options.output)
    seconds, size = time.perf_counter() - started, options.output.stat().st_size / 1e6
    print(f"{len(words)} words, {kept:.3f} of the variance, {size:.2f} MB, {seconds:.0f} s")


if __name__ == "__main__":
    main()
