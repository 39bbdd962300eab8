"""Training in several processes, which `torchrun` starts and Accelerate connects.

    torchrun --nproc-per-node 2 -m amparser train ...

Each process has the whole network and learns from its part of each batch. Gradients are
averaged, so that all of them do what one process does with whole batches, up to the rounding of
sums and to dropout. The first one alone writes files.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import torch
from torch import Tensor, nn

from amparser.errors import AMParserError, InputError
from amparser.learn.task import WHOLE, Share
from amparser.nn.device import device_from_name
from amparser.processes import core_count
from amparser.resources import library
from amparser.working_folder import WORKING, working_folder

Value = TypeVar("Value")


def process_count() -> int:
    """The number of processes that were started together; 1 without `torchrun`."""
    return _number("WORLD_SIZE", 1)


def is_first_process() -> bool:
    """Whether this process is the one that prints and writes."""
    return process_count() == 1 or _number("RANK", 0) == 0


def _number(variable: str, default: int) -> int:
    text = os.environ.get(variable, "")
    return int(text) if text.isdecimal() else default


class Processes:
    """The processes of a training; without an accelerator there is this one alone.

    Attributes:
        device: where this process computes.
        share: which part of each batch this process takes.
    """

    def __init__(self, device: torch.device, accelerator: Any = None, options: Any = None) -> None:
        self.device = device
        self.share = WHOLE
        self._accelerator = accelerator
        self._options = options
        if accelerator is not None:
            self.share = Share(accelerator.process_index, accelerator.num_processes)

    @property
    def first(self) -> bool:
        """Whether this is the process that writes."""
        return self.share.index == 0

    @property
    def beside(self) -> int:
        """Number of processes that may compute side by side in this one's place, on CPUs.

        They are forked. Elsewhere than on Linux, libraries need not survive that. Of several
        processes each has a core.
        """
        return core_count() if sys.platform == "linux" and self._accelerator is None else 1

    def prepared(self, module: nn.Module, *, partial: bool) -> nn.Module:
        """Return a module whose gradients are averaged over all processes by `backward`.

        Args:
            module: as it is in all processes.
            partial: see `Task`.
        """
        if self._accelerator is None:
            return module
        self._options.find_unused_parameters = partial
        prepared: Any = self._accelerator.prepare_model(module, device_placement=False)
        # Buffers do not change in training, so the processes need not tell each other.
        prepared.broadcast_buffers = False
        module = prepared
        return module

    def backward(self, loss: Tensor) -> None:
        """Add the gradients of a loss, averaged over all processes."""
        if self._accelerator is None:
            loss.backward()  # type: ignore[no-untyped-call]
        else:
            self._accelerator.backward(loss)

    def sums(self, values: Sequence[float]) -> list[float]:
        """Return the sums over all processes of numbers that each of them has."""
        if self._accelerator is None:
            return list(values)
        tensor = torch.tensor(values, dtype=torch.float64, device=self.device)
        torch.distributed.all_reduce(tensor)
        return [float(value) for value in tensor.cpu()]

    def gathered(self, value: Value) -> list[Value]:
        """Return the values of all processes, in their order."""
        values: list[Any] = [value] * self.share.count
        if self._accelerator is not None:
            torch.distributed.all_gather_object(values, value)
        return values

    def decided(self, choose: Callable[[], Value]) -> Value:
        """Return what the first process chooses; an AMParserError of it is raised in all."""
        if self._accelerator is None:
            return choose()
        told: list[Any] = [None, None]
        if self.first:
            try:
                told[0] = choose()
            except AMParserError as error:
                told[1] = error
        torch.distributed.broadcast_object_list(told)
        if told[1] is not None:
            raise told[1]
        value: Value = told[0]
        return value

    def wait(self) -> None:
        """Wait until all processes are here."""
        if self._accelerator is not None:
            self._accelerator.wait_for_everyone()

    def check_alike(self, folder: Path, data: str) -> None:
        """Raise InputError if not all processes have one output folder and the same data."""
        if self._accelerator is None:
            return
        probe = folder / WORKING / self.decided(lambda: f"shared-{uuid4().hex}")
        with working_folder(folder) if self.first else nullcontext():
            if self.first:
                probe.touch()
            self.wait()
            seen = self.gathered((probe.exists(), data))
            if self.first:
                probe.unlink()
        for number, (shared, other) in enumerate(seen):
            if not shared:
                raise InputError(f"{folder}: process {number} does not see the folder of the first")
            if other != seen[0][1]:
                raise InputError(f"process {number} has other data than the first")


def processes_on(device: str) -> Processes:
    """The processes that were started together, with each its device.

    Args:
        device: `auto`, `cpu` or `cuda`.

    Raises:
        ConfigError: there are several, and Accelerate is not installed.
        InputError: there is no such device, or there are fewer GPUs than processes.
    """
    chosen = device_from_name(device)
    return Processes(chosen) if process_count() == 1 else _several(chosen)


@cache
def _several(device: torch.device) -> Processes:
    """Processes that Accelerate connects: by gloo on CPUs, by nccl on GPUs."""
    library("accelerate", f"a training on {process_count()} processes", "distributed")
    from accelerate import Accelerator
    from accelerate.utils import DistributedDataParallelKwargs

    if device.type == "cuda":
        local = _number("LOCAL_RANK", 0)
        if local >= (found := torch.cuda.device_count()):
            raise InputError(f"process {local} has no GPU: this machine has {found}")
        device = torch.device("cuda", local)
        torch.cuda.set_device(device)
    options = DistributedDataParallelKwargs(gradient_as_bucket_view=True)
    accelerator = Accelerator(cpu=device.type == "cpu", kwargs_handlers=[options])
    atexit.register(accelerator.end_training)
    return Processes(device, accelerator, options)
