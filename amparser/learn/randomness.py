"""Seeding the random generators for each epoch, and restoring them afterwards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


def seed_generators(seed: int, epoch: int, process: int = 0, member: int = 0) -> None:
    """Seed torch, numpy and Python.

    Args:
        seed: of a training.
        epoch: the number of an epoch.
        process: the number of a process (from 0); each has dropout of its own.
        member: the number of a network of an ensemble (from 0), as well.
    """
    numbers = [seed, epoch, process, member]
    while len(numbers) > 2 and not numbers[-1]:
        numbers.pop()
    states = np.random.SeedSequence(numbers).generate_state(3)
    torch.manual_seed(int(states[0]))
    # These two are for the dev metrics of callers.
    np.random.seed(int(states[1]))
    random.seed(int(states[2]))


@contextmanager
def restored_generators(device: torch.device) -> Iterator[None]:
    """Restore the random generators of the calling program at the end."""
    python_state, numpy_state = random.getstate(), np.random.get_state()
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        try:
            yield
        finally:
            random.setstate(python_state)
            np.random.set_state(numpy_state)
