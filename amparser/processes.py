"""Work on several processes of this machine: results in the order of the input.

The processes are forked once all is loaded, so they share the memory of models. Each computes
with one thread. If one of them dies, the work ends with an error; it never waits for ever.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import queue
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from amparser.errors import AMParserError, InputError, ProcessError

Item = TypeVar("Item")
Answer = TypeVar("Answer")

LOG = logging.getLogger("amparser.processes")

_WAITING = 2
"""How many batches a process has at a time: the next one is there when one is done."""
_OF_PARENT: list[object] = []
"""In a worker, its parent's handlers of signals. If they were freed, so would be what they hold, as
Ray's does connections, which end a process that did not open them."""


def core_count() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def mapped(
    function: Callable[[list[Item]], list[Answer]],
    batches: Iterable[list[Item]],
    processes: int = 1,
    *,
    warm: Callable[[], object] | None = None,
) -> Iterator[tuple[list[Item], list[Answer]]]:
    """Each batch with the answers to it, in the order of the batches.

    Batches are asked for when they are needed: a few wait for each process. An empty batch asks
    for all answers to the batches before it, which helps where the next batch comes late.

    Args:
        function: from a batch to its answers, which must be picklable.
        batches: lists of items, which must be picklable.
        processes: how many processes work; with 1, this one does.
        warm: is called before the processes are forked; what it loads is shared by all.

    Raises:
        InputError: `processes` is below 1, or above where a GPU is in use.
        ProcessError: a process died.
    """
    if processes < 1:
        raise InputError(f"{processes} processes, expected at least 1")
    source = iter(batches)
    if processes > 1 and not hasattr(os, "fork"):
        LOG.warning("this system cannot fork processes, so one does all of the work")
        processes = 1
    if processes > 1:
        first = list(_first_two(source))
        source = chain(first, source)
        if len(first) < 2:
            LOG.warning("too little work for %d processes, so one does all of it", processes)
            processes = 1
        elif processes > (cores := core_count()):
            of_one = "1 core" if cores == 1 else f"{cores} cores"
            LOG.warning("%d processes on %s: more processes do not help", processes, of_one)
    if processes > 1 and _uses_gpu():
        raise InputError(f"{processes} processes, expected 1 where a GPU is in use")
    if processes == 1:
        return ((batch, function(batch)) for batch in source if batch)
    if warm is not None:
        warm()
    return _on_workers(function, source, processes)


def _first_two(source: Iterator[list[Item]]) -> Iterator[list[Item]]:
    for number, batch in enumerate(source):
        yield batch
        if number == 1:
            return


def _on_workers(
    function: Callable[[list[Item]], list[Answer]],
    batches: Iterator[list[Item]],
    processes: int,
) -> Iterator[tuple[list[Item], list[Answer]]]:
    asked: deque[tuple[list[Item], Worker]] = deque()
    most = _WAITING * processes
    with forked(function, processes) as workers:
        while True:
            batch: list[Item] | None = []
            while len(asked) < most and (batch := next(batches, None)):
                worker = min(workers, key=lambda one: one.waiting)
                worker.ask(batch)
                asked.append((batch, worker))
                yield from _ready(asked, workers, patient=False)
            while asked and (not batch or len(asked) >= most):
                yield from _ready(asked, workers, patient=True)
            if batch is None:
                return


@contextmanager
def forked(function: Callable[[list[Item]], list[Answer]], count: int) -> Iterator[list[Worker]]:
    """So many processes, forked from this one, that answer batches until the block ends."""
    workers = Worker.started(function, count)
    try:
        yield workers
    finally:
        for worker in workers:
            worker.stop()


def _ready(
    asked: deque[tuple[list[Any], Worker]], workers: Sequence[Worker], *, patient: bool
) -> Iterator[tuple[list[Any], list[Any]]]:
    """The batches at the front whose answers are there; waits for some if `patient`."""
    for worker in Worker.heard(workers, None if patient else 0):
        worker.hear()
    while asked and asked[0][1].answers:
        batch, worker = asked.popleft()
        yield batch, worker.answers.popleft()


class Worker:
    """A process that answers batches one after the other.

    Attributes:
        waiting: how many batches have no answers yet.
        answers: those to the batches that were heard, the first batch first.
    """

    def __init__(self, pipe: Connection, far: Connection) -> None:
        self.pipe = pipe
        self.far = far
        self.process: Any = None
        self.waiting = 0
        self.answers: deque[list[Any]] = deque()

    @classmethod
    def started(cls, function: Callable[[list[Any]], list[Any]], count: int) -> list[Worker]:
        """As many processes, forked from this one."""
        context = multiprocessing.get_context("fork")
        workers = [cls(*context.Pipe()) for _ in range(count)]
        for worker in workers:
            # No process may keep the pipes of another one open: a pipe ends with its process.
            ends = [end for one in workers for end in (one.pipe, one.far)]
            others = [end for end in ends if end is not worker.far]
            worker.process = context.Process(
                target=_work, args=(function, worker.far, others), daemon=True
            )
            with warnings.catch_warnings():
                # Python warns of forks beside threads. Ours hold no lock that a worker needs.
                warnings.simplefilter("ignore", DeprecationWarning)
                worker.process.start()
        for worker in workers:
            worker.far.close()
        return workers

    @staticmethod
    def heard(workers: Sequence[Worker], timeout: float | None) -> list[Worker]:
        """The workers that have said something, or have died."""
        ready = set(wait([one.pipe for one in workers if one.waiting], timeout))
        return [one for one in workers if one.pipe in ready]

    def ask(self, batch: list[Any]) -> None:
        """Send a batch."""
        try:
            self.pipe.send(batch)
        except OSError:
            raise self._died() from None
        self.waiting += 1

    def hear(self) -> None:
        """Wait for the answers to a batch, and take them."""
        try:
            answers, error = self.pipe.recv()
        except (EOFError, OSError):
            raise self._died() from None
        if error is not None:
            raise error
        self.waiting -= 1
        self.answers.append(answers)

    def _died(self) -> ProcessError:
        self.process.join(1)
        code = self.process.exitcode
        how = f"exit status {code}"
        if code is not None and code < 0:
            how = f"killed by {signal.Signals(-code).name}"
        return ProcessError(
            f"a worker process has ended ({how}); if memory ran out, use fewer processes"
        )

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.pipe.close()
        self.process.terminate()
        self.process.join()


def _work(
    function: Callable[[list[Any]], list[Any]], pipe: Connection, others: Sequence[Connection]
) -> None:
    """What a worker does until its pipe ends."""
    for other in others:
        other.close()
    # The parent stops its workers.
    _OF_PARENT.append(signal.signal(signal.SIGINT, signal.SIG_IGN))
    _OF_PARENT.append(signal.signal(signal.SIGTERM, signal.SIG_DFL))
    gc.freeze()  # memory that is shared stays shared if it is not searched for garbage
    _use_one_thread()
    batches: queue.SimpleQueue[list[Any] | None] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, batches), daemon=True).start()
    while (batch := batches.get()) is not None:
        error: BaseException | None = None
        answers: list[Any] = []
        try:
            answers = function(batch)
        except AMParserError as raised:
            error = raised
        except Exception as raised:  # a fault of the program: show where it is
            raised.add_note("in a worker process")
            error = raised
        try:
            pipe.send((answers, error))
        except OSError:  # the parent has gone
            return


def _receive(pipe: Connection, batches: queue.SimpleQueue[list[Any] | None]) -> None:
    """Take batches as they come, so that the parent never waits while this process writes."""
    try:
        while True:
            batches.put(pipe.recv())
    except (EOFError, OSError):
        batches.put(None)


def _uses_gpu() -> bool:
    torch: Any = sys.modules.get("torch")
    return torch is not None and torch.cuda.is_initialized()


def _use_one_thread() -> None:
    """A forked process must not use the threads that libraries had in its parent."""
    os.environ["OMP_NUM_THREADS"] = "1"
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)
