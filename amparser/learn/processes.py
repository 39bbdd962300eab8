"""Training in several processes, started by `torchrun` and connected by Accelerate.

    torchrun --nproc-per-node 2 -m amparser train ...

Each process has a copy of the network and learns from a part of each batch. Gradients are averaged,
so the result is the same as with a single process, except for rounding and dropout. Only the first
process writes files.
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
    """Return the number of processes that `torchrun` has started; 1 without it."""
    return _number("WORLD_SIZE", 1)


def is_first_process() -> bool:
    """Return whether this is the first process, which prints and writes."""
    return process_count() == 1 or _number("RANK", 0) == 0


def _number(variable: str, default: int) -> int:
    text = os.environ.get(variable, "")
    return int(text) if text.isdecimal() else default


class Processes:
    """Processes of a training run; without an `Accelerator`, there is only the current process.

    Attributes:
        share: part of each batch from which this process learns.
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
        """True for the first process, which writes files."""
        return self.share.index == 0

    @property
    def beside(self) -> int:
        """Number of processes for parallel work on CPUs: this one and those that it may fork.

        It is 1 outside Linux, where libraries may not support forking. It is also 1 if there are
        several training processes, because each has one core.
        """
        return core_count() if sys.platform == "linux" and self._accelerator is None else 1

    def prepared(self, module: nn.Module, *, partial: bool) -> nn.Module:
        """Return a copy of a module whose gradients `backward` averages over all processes."""
        if self._accelerator is None:
            return module
        self._options.find_unused_parameters = partial
        prepared: Any = self._accelerator.prepare_model(module, device_placement=False)
        # Buffers do not change during training, so they are not synchronised.
        prepared.broadcast_buffers = False
        module = prepared
        return module

    def backward(self, loss: Tensor) -> None:
        """Add the gradients of a loss, averaged over all processes, to the parameters."""
        if self._accelerator is None:
            loss.backward()  # type: ignore[no-untyped-call]
        else:
            self._accelerator.backward(loss)

    def sums(self, values: Sequence[float]) -> list[float]:
        """Return the sum of each number over all processes."""
        if self._accelerator is None:
            return list(values)
        tensor = torch.tensor(values, dtype=torch.float64, device=self.device)
        torch.distributed.all_reduce(tensor)
        return [float(value) for value in tensor.cpu()]

    def gathered(self, value: Value) -> list[Value]:
        """Return the values of all processes, in process order."""
        values: list[Any] = [value] * self.share.count
        if self._accelerator is not None:
            torch.distributed.all_gather_object(values, value)
        return values

    def decided(self, choose: Callable[[], Value]) -> Value:
        """Call `choose` in the first process, and return its result in all processes.

        If it raises an AMParserError, all processes raise it.
        """
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
        """Wait until all processes have reached this call."""
        if self._accelerator is not None:
            self._accelerator.wait_for_everyone()

    def check_alike(self, folder: Path, data: str) -> None:
        """Raise InputError unless all processes have the same output folder and the same data."""
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
    """Return the processes that were started together, each with its device.

    Raises:
        ConfigError: there are several processes, and Accelerate is not installed.
        InputError: the device does not exist, or there are fewer GPUs than processes.
    """
    chosen = device_from_name(device)
    return Processes(chosen) if process_count() == 1 else _several(chosen)


@cache
def _several(device: torch.device) -> Processes:
    library("accelerate", f"training on {process_count()} processes", "distributed")
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
