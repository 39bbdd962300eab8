"""Processes that answer requests, and end with a request that does not end.

Each process has models of its own. A request whose time is over ends its process, and a new one is
started; meanwhile another answers.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import queue
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from threading import Lock, Thread
from typing import Any, Protocol

from amparser.errors import AMParserError, InputError, ProcessError

Request = Mapping[str, Any]


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

    def answer(self, operation: str, request: Request, seconds: float) -> Any:
        """The answer to a request.

        Raises:
            AMParserError: the request cannot be answered.
            TimeoutError: there is no answer after so many seconds, and the work has ended.
        """

    def wait(self) -> None:
        """Return when a request would be answered at once.

        Raises:
            AMParserError: no request will ever be.
        """

    def stop(self) -> None:
        """End."""


class Apart:
    """A process that answers requests.

    Args:
        make: makes what answers them there; it is sent to the process.
    """

    def __init__(self, make: Callable[[], Answerer]) -> None:
        self._make = make
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, far = context.Pipe()
        # The process ends with this one, also if this one is killed: its pipe is closed then.
        self._process = context.Process(target=_work, args=(far, self._make), daemon=True)
        with _without_interrupt():
            self._process.start()
        far.close()
        self._ready = False

    def wait(self) -> None:
        """Return when the process has loaded its models; raises AMParserError if it cannot."""
        if self._ready:
            return
        try:
            # Seconds in which a process has loaded its models.
            self._hear(600.0)
        except (TimeoutError, EOFError, OSError):
            raise ProcessError("a process that loads the models does not start") from None
        self._ready = True

    def answer(self, operation: str, request: Request, seconds: float) -> Any:
        """As `Answerer` says."""
        try:
            self._pipe.send((operation, request, seconds))
            return self._hear(seconds)
        except TimeoutError:
            self._restart()
            raise
        except (EOFError, OSError):
            self._restart()
            raise ProcessError("the process that worked at the request has died") from None

    def _restart(self) -> None:
        self.stop()
        self._start()

    def _hear(self, seconds: float) -> Any:
        if not self._pipe.poll(max(seconds, 0.0)):
            raise TimeoutError
        value, error = self._pipe.recv()
        if error is not None:
            raise error
        return value

    def stop(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


@contextlib.contextmanager
def _without_interrupt() -> Iterator[None]:
    """A process that starts in this block gets no SIGINT, which Ctrl+C sends to all of a group."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, make: Callable[[], Answerer]) -> None:
    """Load what is needed, say so, and answer requests until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError):
        try:
            answerer = make()
            answerer.wait()
        except AMParserError as error:
            pipe.send((None, InputError(str(error))))
            return
        pipe.send((None, None))
        while True:
            operation, request, seconds = pipe.recv()
            if hasattr(signal, "alarm"):  # if this one is left alone with a request without end
                # Seconds to exit after the time is over.
                signal.alarm(int(seconds) + 5)
            pipe.send(_answered(answerer, operation, request))
            if hasattr(signal, "alarm"):
                signal.alarm(0)


def _answered(answerer: Answerer, operation: str, request: Request) -> tuple[Any, Exception | None]:
    try:
        return answerer.answer(operation, request, 0.0), None
    except AMParserError as error:
        return None, InputError(str(error))  # others may not be sent
    except RecursionError:
        return None, InputError("nested too deeply")
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return None, RuntimeError(repr(error))


class Workers:
    """Answerers of equal models that share the work of requests, a bounded number at a time.

    Attributes:
        count: the requests that are answered or wait.
    """

    def __init__(self, answerers: Sequence[Answerer], limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.count = 0
        self.answerers = tuple(answerers)
        self._lock = Lock()
        self._idle: queue.SimpleQueue[Answerer] = queue.SimpleQueue()
        self._executor = ThreadPoolExecutor(len(self.answerers), thread_name_prefix="amparser")
        for one in self.answerers:
            Thread(target=self._revive, args=(one,), daemon=True).start()

    async def run(self, operation: str, request: Request) -> Any:
        """Return the answer to a request.

        Raises:
            RequestError: it is refused or too slow.
            AMParserError: it cannot be answered.
        """
        with self._lock:
            if self.count >= self.limits.waiting:
                raise RequestError(503, f"{self.count} requests are waiting: try again later")
            self.count += 1
        try:
            ends = time.monotonic() + self.limits.seconds
            work = self._executor.submit(self._answer, operation, request, ends)
            # The work goes on if the request that waits for it is cancelled.
            return await asyncio.shield(asyncio.wrap_future(work))
        except TimeoutError:
            message = f"no answer within {self.limits.seconds:g} seconds"
            raise RequestError(504, message) from None
        finally:
            with self._lock:
                self.count -= 1

    def _answer(self, operation: str, request: Request, ends: float) -> Any:
        try:
            if (left := ends - time.monotonic()) <= 0:
                raise queue.Empty
            answerer = self._idle.get(timeout=left)
        except queue.Empty:
            raise TimeoutError from None
        try:
            answer = answerer.answer(operation, request, max(ends - time.monotonic(), 0))
        except (TimeoutError, ProcessError):
            Thread(target=self._revive, args=(answerer,), daemon=True).start()
            raise
        except BaseException:
            self._idle.put(answerer)
            raise
        self._idle.put(answerer)
        return answer

    def _revive(self, answerer: Answerer) -> None:
        """Give an answerer work when it is ready; until then others have it."""
        with contextlib.suppress(AMParserError):
            answerer.wait()
            self._idle.put(answerer)

    def close(self) -> None:
        """End all work."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        for one in self.answerers:
            one.stop()


def apart(make: Callable[[], Answerer], limits: Limits) -> Workers:
    """Workers in processes of their own, once they are ready.

    Raises:
        AMParserError: a model cannot be loaded.
    """
    # One may be busy for long, or start, while the other answers.
    found = [Apart(make) for _ in range(2)]
    try:
        for one in found:
            one.wait()
    except BaseException:
        for one in found:
            one.stop()
        raise
    return Workers(found, limits)
