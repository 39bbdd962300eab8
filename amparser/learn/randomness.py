"""Seed the random generators for each epoch, and restore them after training."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


def seed_generators(seed: int, epoch: int, process: int = 0, member: int = 0) -> None:
    """Seed torch, NumPy and Python.

    Args:
        seed: the training's seed.
        epoch: number of the epoch.
        process: number of the process (from 0), so that each has its own dropout.
        member: number of the ensemble member (from 0), likewise.
    """
    numbers = [seed, epoch, process, member]
    while len(numbers) > 2 and not numbers[-1]:
        numbers.pop()
    states = np.random.SeedSequence(numbers).generate_state(3)
    torch.manual_seed(int(states[0]))
    # Dev metrics of callers may use NumPy and Python.
    np.random.seed(int(states[1]))
    random.seed(int(states[2]))


@contextmanager
def restored_generators(device: torch.device) -> Iterator[None]:
    """Restore the caller's random generators at the end of the block."""
    python_state, numpy_state = random.getstate(), np.random.get_state()
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        try:
            yield
        finally:
            random.setstate(python_state)
            np.random.set_state(numpy_state)
