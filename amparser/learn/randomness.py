"""Random generators that begin anew with each epoch, and are left as they were found."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


def seed_generators(seed: int, epoch: int) -> None:
    """Seed torch, numpy and Python by the seed of a training and the number of an epoch."""
    states = np.random.SeedSequence([seed, epoch]).generate_state(3)
    torch.manual_seed(int(states[0]))
    # These two for the sake of what a caller's metric of dev may use.
    np.random.seed(int(states[1]))
    random.seed(int(states[2]))


@contextmanager
def restored_generators(device: torch.device) -> Iterator[None]:
    """Leave the generators of the calling program as they were."""
    python_state, numpy_state = random.getstate(), np.random.get_state()
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        try:
            yield
        finally:
            random.setstate(python_state)
            np.random.set_state(numpy_state)
