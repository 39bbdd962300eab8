"""Write the package's word vectors: python distil_vectors.py CHECKPOINT FILE.

The words are the frequent ones that the tokenizer of all-MiniLM-L6-v2 (folder CHECKPOINT) does not
split. A word's vector is the mean of the last layer's states for the word alone. Vectors are
centred, reduced to their first principal components, and stored as one byte per number.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file

from amparser.nn.transformers_library import read_checkpoint

SIZE = 96


def frequent_words(checkpoint: Path) -> list[str]:
    """Return the words of two or more letters that the tokenizer does not split."""
    told = json.loads((checkpoint / "tokenizer.json").read_text(encoding="utf-8"))
    words = told["model"]["vocab"]
    return sorted(word for word in words if word.isalpha() and word.isascii() and len(word) > 1)


@torch.no_grad()
def vector_of(model: Any, tokenizer: Any, word: str) -> NDArray[np.float32]:
    ids = torch.tensor([tokenizer.encode([word], is_pretokenized=True).ids])
    states = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state
    vector: NDArray[np.float32] = torch.nn.functional.normalize(states[0].mean(0), dim=0).numpy()
    return vector


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--size", type=int, default=SIZE)
    options = parser.parse_args()
    torch.set_num_threads(1)
    words, started = frequent_words(options.checkpoint), time.perf_counter()
    folder = str(options.checkpoint)
    encoder = read_checkpoint(folder, "AutoModel", "an encoder", "checkpoint", fresh=("pooler",))
    vectors = np.stack([vector_of(*encoder, word) for word in words])
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
