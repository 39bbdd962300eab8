"""A vector of each word type: what a pretrained encoder makes of the word alone.

The word's subwords are read without a sentence, and the states of the last layer are averaged
with those of the marks around them. Each vector has the length 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from amparser.nn.packaged import MINILM as MINILM_CHECKPOINT
from amparser.nn.packaged import Packaged
from amparser.nn.pretrained import shared_encoder

_BATCH = 64


class TypeVectors:
    """Word types as a packaged checkpoint sees them; a `VectorSource`."""

    def __init__(self, checkpoint: Packaged) -> None:
        self.checkpoint = checkpoint
        self.size, self.sha256 = checkpoint.size, checkpoint.sha256
        self.origin = checkpoint.origin
        self._found: dict[str, NDArray[np.float32]] = {}

    @property
    def missing(self) -> str | None:
        """See `VectorSource`."""
        return self.checkpoint.missing

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """See `VectorSource`; those of a batch of words are computed together, and once."""
        # The vectors of more words are forgotten, and made again.
        if len(self._found) > 50_000:
            self._found.clear()
        new = sorted({*words} - self._found.keys(), key=lambda word: (len(word), word))
        for start in range(0, len(new), _BATCH):
            part = new[start : start + _BATCH]
            self._found.update(zip(part, self._made(part), strict=True))
        made = np.empty((len(words), self.size), dtype=np.float32)
        for i, word in enumerate(words):
            made[i] = self._found[word]
        return made

    @torch.no_grad()
    def _made(self, words: Sequence[str]) -> NDArray[np.float32]:
        encoder = shared_encoder(self.checkpoint.name)
        # What a longer word has behind these is not read.
        states, mask = encoder.states_of(words, 32)
        means = (states * mask[:, :, None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        made: NDArray[np.float32] = torch.nn.functional.normalize(means).cpu().numpy()
        return made


MINILM = TypeVectors(MINILM_CHECKPOINT)
