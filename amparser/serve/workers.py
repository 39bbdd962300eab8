"""Processes that answer requests, and end with a request that does not end.

Each process has models of its own. A request whose time is over ends its process, and a new one is
started; meanwhile another answers.
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
from typing import Any, NamedTuple, Protocol

from amparser.errors import AMParserError, InputError, ProcessError
from amparser.processes import end_with_parent, without_signals

Request = Mapping[str, Any]
_ANSWERER: list[Answerer] = []
"""What answers, in a process that answers."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request may cost.

    Attributes:
        body: bytes of a request's body.
        seconds: until an answer is given up, and the process ends that works at it.
        waiting: requests that are answered or wait at one time.
    """

    body: int = 64 * 1024
    seconds: float = 30.0
    waiting: int = 100


class RequestError(Exception):
    """A request that is refused, with an HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Answerer(Protocol):
    """What answers one request at a time."""

    def answer(self, operation: str, request: Request) -> Any:
        """The answer to a request; raises AMParserError if it cannot be answered."""

    def wait(self) -> None:
        """Load what is needed; raises AMParserError."""


class _Worker(NamedTuple):
    """A process, and when it is ready."""

    pool: ProcessPoolExecutor
    process: Any
    ready: Future[None]


class Workers:
    """Two processes that share the work of requests, a bounded number at a time.

    One may be busy for long, or start, while the other answers.

    Args:
        make: makes what answers, in each process; it is sent there.
        limits: of a request.

    Attributes:
        count: the requests that are answered or wait.

    Raises:
        AMParserError: a model cannot be loaded.
    """

    def __init__(self, make: Callable[[], Answerer], limits: Limits | None = None) -> None:
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
            raise ProcessError("a process that loads the models does not start") from None
        except BaseException:
            self.close()
            raise

    def _started(self) -> _Worker:
        pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        before = {*multiprocessing.active_children()}
        with without_signals():  # Ctrl+C sends one to all processes of a group
            ready = pool.submit(_begin, self._make)
        [process] = {*multiprocessing.active_children()} - before
        return _Worker(pool, process, ready)

    async def run(self, operation: str, request: Request) -> Any:
        """Return the answer to a request.

        Raises:
            RequestError: it is refused or too slow.
            AMParserError: it cannot be answered.
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
            raise ProcessError("the process that worked at the request has died") from None
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

    def _end(self, worker: _Worker) -> None:
        """End a process, whatever it does."""
        worker.process.kill()
        worker.pool.shutdown(wait=False, cancel_futures=True)
        self._workers.discard(worker)

    def close(self) -> None:
        """End all work."""
        for worker in [*self._workers]:
            self._end(worker)


def _begin(make: Callable[[], Answerer]) -> None:
    """Load what a process needs."""
    Thread(target=end_with_parent, daemon=True).start()
    answerer = make()
    answerer.wait()
    _ANSWERER.append(answerer)


def _answered(operation: str, request: Request) -> Any:
    return answered(_ANSWERER[0], operation, request)


def answered(answerer: Answerer, operation: str, request: Request) -> Any:
    """Return an answer, or raise an error that can be sent: a fault of the program is printed."""
    try:
        return answerer.answer(operation, request)
    except AMParserError as error:
        raise InputError(str(error)) from None
    except RecursionError:
        raise InputError("nested too deeply") from None
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        raise RuntimeError(repr(error)) from None
