"""Work on several processes of this machine: results in the order of the input.

The processes are forked once all is loaded, so they share the memory of models. Each computes
with one thread. If one of them dies, the work ends with an error; it never waits for ever.
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
"""Batches that a process has at a time: the next one is there when one is done."""
_OF_WORKER: list[Any] = []
"""The function of a worker."""
_STARTING = threading.Lock()
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Signals that reach no process before it is ready for them."""


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
        first = list(islice(source, 2))
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


def _on_workers(
    function: Callable[[list[Item]], list[Answer]], batches: Iterator[list[Item]], processes: int
) -> Iterator[tuple[list[Item], list[Answer]]]:
    asked: deque[tuple[list[Item], Future[list[Answer]]]] = deque()
    with forked(function, processes) as ask:
        for batch in chain(batches, [[]]):
            if batch:
                asked.append((batch, ask(batch)))
            while asked and (not batch or len(asked) >= _WAITING * processes or asked[0][1].done()):
                first, future = asked.popleft()
                yield first, answer_of(future)


@contextmanager
def forked(
    function: Callable[[Item], Answer], count: int
) -> Iterator[Callable[[Item], Future[Answer]]]:
    """Yield what asks processes, forked from this one, for answers; they end with the block."""
    # What a fork begins with is not pickled, so that the function may be any.
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("fork"), _begin, (function,))
    with _STARTING, warnings.catch_warnings():
        # Python warns of forks beside threads. Ours hold no lock that a worker needs.
        warnings.simplefilter("ignore", DeprecationWarning)
        before = set(multiprocessing.active_children())
        with without_signals():
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
        for worker in workers:  # the pool would let them finish their work
            worker.kill()
        pool.shutdown(cancel_futures=True)


@contextmanager
def without_signals() -> Iterator[None]:
    """A process that starts in this block gets neither SIGINT nor SIGTERM."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def answer_of(future: Future[Answer]) -> Answer:
    """Wait for an answer; raises what its process raised, or ProcessError if one has died."""
    try:
        return future.result()
    except BrokenProcessPool:
        raise _died() from None


def _died() -> ProcessError:
    return ProcessError("a worker process has ended; if memory ran out, use fewer processes")


def _begin(function: Callable[[Any], Any]) -> None:
    """Prepare a process that was forked."""
    # An interrupt, which the terminal sends to all, stays blocked: the parent ends its workers.
    _OF_WORKER.append(function)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threading.Thread(target=end_with_parent, daemon=True).start()
    gc.freeze()  # memory that is shared stays shared if it is not searched for garbage
    # A forked process must not use the threads that libraries had in its parent.
    os.environ["OMP_NUM_THREADS"] = "1"
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


def end_with_parent() -> None:
    """End this process when its parent ends."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _answer(item: Any) -> Any:
    try:
        return _OF_WORKER[-1](item)
    except AMParserError:
        raise
    except Exception as error:  # a fault of the program: show where it is
        error.add_note("in a worker process")
        raise


def _uses_gpu() -> bool:
    torch: Any = sys.modules.get("torch")
    return torch is not None and torch.cuda.is_initialized()
