"""What passes from a network to a decoder: log-probabilities, and nothing else.

A decoder is a pure function of a `Scores` and a `TypeTable`; it knows no
network. All logarithms are natural.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one sentence of n tokens.

    Attributes:
        supertag_logp: `[n, K]`, token i + 1 has supertag k of the lexicon;
            supertag 0 is the empty one, of an ignored token. -inf forbids.
        edge_logp: `[n, n + 1, O]`, token i + 1 hangs from head h (0: the
            artificial root) by operation o of the lexicon. Operation 0 is
            IGNORE and 1 is ROOT, both from head 0 only; the others never
            from head 0.
    """

    supertag_logp: FloatArray
    edge_logp: FloatArray

    def __len__(self) -> int:
        return int(self.supertag_logp.shape[0])
