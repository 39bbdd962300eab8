"""Parallel work in forked processes, with results in the order of the input.

Processes are forked after all models are loaded, so they share the memory of the models. Each
process computes with one thread. If a process dies, an error is raised.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing.connection import wait
from typing import Any, TypeVar

from amparser.errors import AMParserError, InputError, ProcessError

Item = TypeVar("Item")
Answer = TypeVar("Answer")

LOG = logging.getLogger("amparser.processes")

_WAITING = 2
"""Number of batches queued or in progress per process."""
_OF_WORKER: list[Any] = []
"""List with the one function that a worker process calls; empty in the main process."""
_STARTING = threading.Lock()
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Signals that are blocked until a process is ready to handle them."""


def core_count() -> int:
    """Return the number of cores that this process may use."""
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
    """Yield each batch with its answers, in the order of the batches.

    Only a few batches are read ahead. An empty batch means that the next batch may come late, so
    all earlier batches are answered before it is read.

    Args:
        function: function that returns the answers to a batch.
        batches: the batches.
        processes: number of processes.
        warm: function that is called before the fork, to load data for all processes.

    Raises:
        InputError: `processes` is below 1, or above 1 while a GPU is in use.
        ProcessError: a process died.
    """
    if processes < 1:
        raise InputError(f"{processes} processes, expected at least 1")
    source = iter(batches)
    if processes > 1 and not hasattr(os, "fork"):
        LOG.warning("this system cannot fork processes, so one does all of the work")
        processes = 1
    if processes > 1:
        first = list(islice(source, 2))
        source = chain(first, source)
        if len(first) < 2:
            LOG.warning("too little work for %d processes, so one does all of it", processes)
            processes = 1
    if processes > 1 and _uses_gpu():
        raise InputError(f"{processes} processes, expected 1 while a GPU is in use")
    if processes == 1:
        return ((batch, function(batch)) for batch in source if batch)
    if warm is not None:
        warm()
    return _on_workers(function, source, processes)


def _on_workers(
    function: Callable[[list[Item]], list[Answer]], batches: Iterator[list[Item]], processes: int
) -> Iterator[tuple[list[Item], list[Answer]]]:
    pending: deque[tuple[list[Item], Future[list[Answer]]]] = deque()
    with forked(function, processes) as ask:
        for batch in chain(batches, [[]]):
            if batch:
                pending.append((batch, ask(batch)))
            while pending and (
                not batch or len(pending) >= _WAITING * processes or pending[0][1].done()
            ):
                first, future = pending.popleft()
                yield first, answer_of(future)


@contextmanager
def forked(
    function: Callable[[Item], Answer], count: int
) -> Iterator[Callable[[Item], Future[Answer]]]:
    """Yield a function that sends items to forked processes, which are killed after the block."""
    # Forking does not pickle the function, so it can be any callable.
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("fork"), _begin, (function,))
    with _STARTING, warnings.catch_warnings():
        # Python warns about a fork while threads run, but workers need no lock of these threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        before = set(multiprocessing.active_children())
        with _without_signals():
            pool.submit(os.getpid)  # the first task starts all processes
        workers = set(multiprocessing.active_children()) - before

    def ask(item: Item) -> Future[Answer]:
        try:
            return pool.submit(_answer, item)
        except BrokenProcessPool:
            raise _died() from None

    try:
        yield ask
    finally:
        for worker in workers:  # a shutdown of the pool would wait until their work is finished
            worker.kill()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _without_signals() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def answer_of(future: Future[Answer]) -> Answer:
    """Return an answer; raise the error of its process, or ProcessError if a process died."""
    try:
        return future.result()
    except BrokenProcessPool:
        raise _died() from None


def _died() -> ProcessError:
    return ProcessError("a worker process has ended; if memory ran out, use fewer processes")


def _begin(function: Callable[[Any], Any]) -> None:
    # The terminal sends an interrupt to all processes. It stays blocked in the workers, because the
    # parent kills them.
    _OF_WORKER.append(function)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.freeze()  # garbage collection writes to shared memory, which would copy it
    # A forked process must not use the threads of its parent's libraries.
    os.environ["OMP_NUM_THREADS"] = "1"
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _answer(item: Any) -> Any:
    try:
        return _OF_WORKER[-1](item)
    except AMParserError:
        raise
    except Exception as error:  # a bug, which is raised again with its traceback
        error.add_note("in a worker process")
        raise


def _uses_gpu() -> bool:
    torch: Any = sys.modules.get("torch")
    return torch is not None and torch.cuda.is_initialized()
