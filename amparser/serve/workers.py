"""Worker processes with a time limit for each request.

Each process has its own copy of the models. A request that exceeds the limit ends its process; a
new one is started while the other process keeps answering.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from threading import Thread
from typing import Any, NamedTuple

from amparser.errors import AMParserError, InputError, ProcessError
from amparser.processes import end_with_parent, without_signals

Request = Mapping[str, Any]
_ANSWERER: list[Any] = []
"""The answerer of a worker process; empty elsewhere."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of a request.

    Attributes:
        body: bytes of a request's body.
        seconds: time until a request is given up and its process is killed.
        waiting: maximum number of requests in progress or waiting.
    """

    body: int = 64 * 1024
    seconds: float = 30.0
    waiting: int = 100


class RequestError(Exception):
    """A refused request with its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Worker(NamedTuple):
    pool: ProcessPoolExecutor
    process: Any
    ready: Future[None]


class Workers:
    """Two processes that share a bounded number of requests.

    While one is busy or starting, the other can answer.

    Args:
        make: creates the answerer in each process; must be picklable. An answerer has a method
            `wait`, which loads all that requests need, and one for each operation.

    Attributes:
        count: number of requests in progress or waiting.

    Raises:
        AMParserError: a model cannot be loaded.
    """

    def __init__(self, make: Callable[[], Any], limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.count = 0
        self._make = make
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers = {self._started() for _ in range(2)}
        try:
            for worker in self._workers:
                worker.ready.result()
                self._idle.put_nowait(worker)
        except BrokenProcessPool:
            self.close()
            raise ProcessError("a worker process ended before it had loaded the models") from None
        except BaseException:
            self.close()
            raise

    def _started(self) -> _Worker:
        pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        before = {*multiprocessing.active_children()}
        with without_signals():  # the workers must not receive the Ctrl+C meant for the server
            ready = pool.submit(_begin, self._make)
        [process] = {*multiprocessing.active_children()} - before
        return _Worker(pool, process, ready)

    async def run(self, operation: str, request: Request) -> Any:
        """Return the answer to a request.

        Raises:
            RequestError: the queue is full or the time limit is exceeded.
            AMParserError: the request cannot be answered.
        """
        if self.count >= self.limits.waiting:
            raise RequestError(503, f"{self.count} requests are waiting: try again later")
        self.count += 1
        try:
            async with asyncio.timeout(self.limits.seconds):
                worker = await self._idle.get()
                return await self._answer(worker, operation, request)
        except TimeoutError:
            message = f"no answer within {self.limits.seconds:g} seconds"
            raise RequestError(504, message) from None
        except BrokenProcessPool:
            raise ProcessError("the worker process of the request has died") from None
        finally:
            self.count -= 1

    async def _answer(self, worker: _Worker, operation: str, request: Request) -> Any:
        try:
            answer = await asyncio.wrap_future(worker.pool.submit(_answered, operation, request))
        except (BrokenProcessPool, asyncio.CancelledError):
            self._end(worker)
            self._workers.add(new := self._started())

            def loaded(ready: asyncio.Future[None]) -> None:
                if ready.exception() is None:
                    self._idle.put_nowait(new)

            asyncio.wrap_future(new.ready).add_done_callback(loaded)
            raise
        except BaseException:
            self._idle.put_nowait(worker)
            raise
        self._idle.put_nowait(worker)
        return answer

    def _end(self, worker: _Worker, *, wait: bool = False) -> None:
        """Kill a process, even in the middle of a request; wait for the threads of its pool."""
        worker.process.kill()
        worker.pool.shutdown(wait=wait, cancel_futures=True)
        self._workers.discard(worker)

    def close(self) -> None:
        """Kill all processes."""
        for worker in [*self._workers]:
            # At exit, Python would wake a thread whose pipe is being closed.
            self._end(worker, wait=True)


def _begin(make: Callable[[], Any]) -> None:
    Thread(target=end_with_parent, daemon=True).start()
    answerer = make()
    answerer.wait()
    _ANSWERER.append(answerer)


def _answered(operation: str, request: Request) -> Any:
    """Return the answer, or raise an error that can be pickled; print unexpected errors."""
    try:
        return getattr(_ANSWERER[0], operation)(request)
    except AMParserError as error:
        raise InputError(str(error)) from None
    except RecursionError:
        raise InputError("nested too deeply") from None
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        raise RuntimeError(repr(error)) from None
