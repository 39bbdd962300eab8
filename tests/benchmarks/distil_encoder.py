"""Write the package's English encoder: python distil_encoder.py CHECKPOINT FILE.

It consists of the embeddings and the first layers of all-MiniLM-L6-v2 (folder CHECKPOINT), in seven
bits per weight.
"""

import argparse
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from amparser.nn.english_encoder import PIECES
from amparser.nn.packed_weights import packed

LAYERS = 4
"""Number of layers, chosen on dev of the Parallel Meaning Bank, and on a tenth of EDS."""
IN_A_LAYER = {
    "attention.output.dense": "self_attn.out_proj",
    "attention.output.LayerNorm": "norm1",
    "intermediate.dense": "linear1",
    "output.dense": "linear2",
    "output.LayerNorm": "norm2",
}


def renamed(weights: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Return transformers' BERT weights by their names in `amparser.nn.english_encoder.Bert`.

    Token type 0 is the only one used, so its embedding is added to the position embeddings.
    """
    embeddings = {n: weights[f"embeddings.{n}_embeddings.weight"] for n in ("word", "position")}
    made = {
        "words.weight": embeddings["word"],
        "position_embeddings.weight": embeddings["position"]
        + weights["embeddings.token_type_embeddings.weight"][0],
    }
    for kind in ("weight", "bias"):
        made[f"norm.{kind}"] = weights[f"embeddings.LayerNorm.{kind}"]
        for i in range(layers):
            old, new = f"encoder.layer.{i}.", f"layers.layers.{i}."
            parts = [weights[f"{old}attention.self.{n}.{kind}"] for n in ("query", "key", "value")]
            made[f"{new}self_attn.in_proj_{kind}"] = torch.cat(parts)
            for theirs, ours in IN_A_LAYER.items():
                made[f"{new}{ours}.{kind}"] = weights[f"{old}{theirs}.{kind}"]
    return made


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--layers", type=int, default=LAYERS)
    options = parser.parse_args()
    folder = options.checkpoint
    tensors = packed(renamed(load_file(folder / "model.safetensors"), options.layers))
    pieces = (folder / "vocab.txt").read_bytes().rstrip(b"\n")
    tensors[PIECES] = torch.frombuffer(bytearray(pieces), dtype=torch.uint8)
    save_file(tensors, options.output)
    print(f"{options.layers} layers, {options.output.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
