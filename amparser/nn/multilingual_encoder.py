"""The packaged encoder: the first layers of multilingual-e5-small in four bits.

multilingual-e5-small (Wang et al. 2024) is a small BERT with the vocabulary of XLM-RoBERTa (Conneau
et al. 2020). The package contains only the subwords of some languages. The weights are frozen, so
model folders contain only a checksum. `tests/benchmarks/pack_multilingual.py` writes the file.
"""

from __future__ import annotations

from pathlib import Path

from safetensors.torch import load

from amparser.nn.bert import Bert
from amparser.nn.unigram import Unigram
from amparser.nn.vectors.source import InPackage

PIECES, SCORES = "pieces", "scores"
"""Names of the tensors with the subwords, one per line, and with their log-probabilities."""
_FILE = Path(__file__).with_suffix(".safetensors")


class MultilingualEncoder(InPackage):
    """`Checkpoint` whose weights are part of this package."""

    size = 384

    def read(self) -> tuple[Bert, Unigram]:
        """See `Checkpoint`."""
        tensors = load(self.content)
        pieces = tensors.pop(PIECES).numpy().tobytes().decode().split("\n")
        scores = tensors.pop(SCORES).tolist()
        return Bert(tensors), Unigram(pieces, scores)


MULTILINGUAL = MultilingualEncoder("multilingual", _FILE, "MIT (of multilingual-e5-small)")
